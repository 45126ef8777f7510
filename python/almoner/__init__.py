"""Search over every U.S. nonprofit, in this process: no server, no network.

>>> import almoner
>>> db = almoner.open("/srv/almoner")
>>> db.search("food banks in Vermont")["nonprofits"][0]["name"]

What is returned is what the HTTP interface answers for the same parameters (its ``/docs`` says what each member
means), as dictionaries and lists. None stands for what is not known, never for zero or no.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from ._almoner import Service

__all__ = ["AlmonerError", "Database", "InvalidRequest", "NotFound", "open"]

#: Queries that one request matches.
MATCH_ROWS = 500


class AlmonerError(Exception):
    """What was asked cannot be answered; the message says why."""


class NotFound(AlmonerError, LookupError):
    """No nonprofit has the EIN, or nothing is at the path."""


class InvalidRequest(AlmonerError, ValueError):
    """A parameter does not fit; the message says what was expected and what was found."""


def open(data_dir: str | os.PathLike[str]) -> Database:
    """Open the snapshot that is published in a data directory.

    It stays this snapshot: open again after a build. Raises OSError where there is none, or one of another version.
    """
    return Database(Service(os.fspath(data_dir)))


def _target(path: str, parameters: Mapping[str, Any]) -> str:
    given = {name: _value(value) for name, value in parameters.items() if value is not None}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


def _value(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def _detail(body: bytes) -> str:
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        return body.decode(errors="replace")
    if isinstance(detail, str):
        return detail
    sentences = (f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}, found {one.get('input')!r}" for one in detail)
    return "; ".join(sentences)


class Database:
    """A snapshot of nonprofits. Threads may share one."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def get(self, path: str, **parameters: Any) -> Any:
        """What ``GET path`` of the HTTP interface answers, such as ``db.get("/coverage")``.

        Lists are given as several values of a parameter, None is left out.
        """
        return _checked(*self._service.get(_target(path, parameters)))

    def post(self, path: str, body: Any) -> Any:
        """What ``POST path`` answers to a body that is written as JSON."""
        return _checked(*self._service.post(path, json.dumps(body).encode()))

    def search(self, q: str | None = None, **filters: Any) -> dict[str, Any]:
        """A page of nonprofits for a question in plain words, filters, or both, best first.

        ``filters`` are the parameters of ``/beta/nonprofits/search``: ``state="VT"``, ``min_revenue=1_000_000``,
        ``ntee_codes=["K31"]``, ``sort="-revenue"``, ``size``, ``page``.
        """
        return self.get("/beta/nonprofits/search", q=q, **filters)

    def rows(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """All nonprofits that satisfy the filters of ``/nonprofits/search``, with the columns of whole results."""
        for line in self._body("/export.ndjson", filters).splitlines():
            yield json.loads(line)

    def details(self, ein: str) -> dict[str, Any]:
        """The full profile of an EIN, with or without a dash. Raises NotFound where no loaded list has it."""
        return self._of("/nonprofits/details/{}", ein)

    def standing(self, ein: str) -> dict[str, Any]:
        """Exemption, deductibility and revocation of an EIN, each with its list and day."""
        return self._of("/nonprofits/standing/{}", ein)

    def filings(self, ein: str) -> dict[str, Any]:
        """The returns of an EIN that are loaded, by year."""
        return self._of("/nonprofits/filings/{}", ein)

    def people(self, ein: str, **parameters: Any) -> dict[str, Any]:
        """Officers, directors and the highest paid, as its returns list them."""
        return self._of("/nonprofits/people/{}", ein, **parameters)

    def grants(self, ein: str, direction: str = "made", **parameters: Any) -> dict[str, Any]:
        """Grants that an EIN made, or with ``direction="received"`` was made."""
        return self._of("/nonprofits/grants/{}", ein, direction=direction, **parameters)

    def typeahead(self, q: str, limit: int = 10) -> list[dict[str, Any]]:
        """Suggestions for the beginning of a name, one typing error forgiven, the likeliest first."""
        return self.get("/typeahead/nonprofits", q=q, limit=limit, scope="all")["results"]

    def match(self, queries: Iterable[Mapping[str, Any]], limit: int = 3) -> list[dict[str, Any]]:
        """The EIN of each organization of a list: ``name``, and where known ``city``, ``state``, ``street``, ``zip``,
        ``ein``. An answer has ``decision`` (yes, maybe, no), ``ein`` and ``score``, a calibrated probability.
        """
        queries = [dict(query) for query in queries]
        answers: list[dict[str, Any]] = []
        for at in range(0, len(queries), MATCH_ROWS):
            body = {"queries": queries[at : at + MATCH_ROWS], "limit": limit}
            answers.extend(self.post("/match", body)["results"])
        return answers

    def table(self, rows: Iterable[Mapping[str, Any]] | None = None, **filters: Any) -> Any:
        """Rows as an Arrow table, with pyarrow: those given, or all that satisfy filters.

        ``table(...).to_pandas()`` and ``polars.from_arrow(table(...))`` make data frames of it.
        """
        import pyarrow

        if rows is not None:
            return pyarrow.Table.from_pylist(list(rows))
        import pyarrow.json

        return pyarrow.json.read_json(pyarrow.BufferReader(self._body("/export.ndjson", filters)))

    def _body(self, path: str, parameters: Mapping[str, Any]) -> bytes:
        status, body = self._service.get(_target(path, parameters))
        if status != 200:
            _checked(status, body)
        return body

    def _of(self, path: str, ein: str, **parameters: Any) -> Any:
        return self.get(path.format(quote(str(ein).replace("-", "").strip(), safe="")), **parameters)


def _checked(status: int, body: bytes) -> Any:
    if status == 200:
        return json.loads(body)
    kinds = {404: NotFound, 422: InvalidRequest}
    raise kinds.get(status, AlmonerError)(_detail(body))
