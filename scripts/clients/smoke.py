"""Asks a server through the client that openapi-python-client makes; every type here is a generated one."""

import sys

from almoner_client import AuthenticatedClient, Client
from almoner_client.api.insights import (
    coverage,
    match,
    nonprofits_batch,
    nonprofits_details_ein,
    nonprofits_search,
    typeahead_nonprofits,
)
from almoner_client.models import (
    BatchRequest,
    BatchRequestFieldsType0Item,
    Error,
    MatchQuery,
    MatchRequest,
    MatchResultDecision,
    MatchResults,
    NonprofitDetails,
    NonprofitPage,
    NonprofitSelection,
    NonprofitsSearchOrgSizeItem,
    Typeahead,
    ValidationError,
)
from almoner_client.types import Unset


def search(client: AuthenticatedClient) -> list[str]:
    eins: list[str] = []
    for page in range(1, 6):
        found = nonprofits_search.sync(client=client, page=page, size=100)
        assert isinstance(found, NonprofitPage) and found.page == page
        eins += [row.ein for row in found.items]
    small = nonprofits_search.sync(
        client=client, q="school", sdgs=[1, 4], org_size=[NonprofitsSearchOrgSizeItem.SMALL], min_revenue=0
    )
    assert isinstance(small, NonprofitPage) and isinstance(small.facets, Unset)
    assert all(row.cn_size is not None and row.cn_size.value == "Small" for row in small.items)
    return eins


def details(client: AuthenticatedClient, ein: str) -> str:
    found = nonprofits_details_ein.sync(ein, client=client)
    assert isinstance(found, NonprofitDetails) and found.ein == ein
    revenue: float | int | None = found.revenue_grand_total
    assert revenue is None or isinstance(revenue, (int, float))
    return found.name


def batch(client: AuthenticatedClient, eins: list[str]) -> None:
    found = nonprofits_batch.sync(client=client, body=BatchRequest(eins=eins))
    assert isinstance(found, list) and len(found) == 500
    assert [row.ein for row in found if isinstance(row, NonprofitDetails)] == eins
    fields = [BatchRequestFieldsType0Item.EIN, BatchRequestFieldsType0Item.NAME]
    cut = nonprofits_batch.sync(client=client, body=BatchRequest(eins=["000000000", eins[0]], fields=fields))
    assert isinstance(cut, list) and cut[0] is None
    assert isinstance(cut[1], NonprofitSelection) and set(cut[1].to_dict()) == {"ein", "name"}


def csv(client: AuthenticatedClient) -> None:
    # It makes types of JSON alone; its own connection asks for the rest.
    answer = client.get_httpx_client().get("/nonprofits/search", params={"size": 100}, headers={"Accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv") and len(answer.text.splitlines()) == 101


def suggestions(client: AuthenticatedClient, name: str) -> None:
    found = typeahead_nonprofits.sync(client=client, q=name[:6], limit=5, scope="all")
    assert isinstance(found, Typeahead) and found.count == len(found.results) > 0
    assert not isinstance(found.results[0].alt_name, Unset)


def matches(client: AuthenticatedClient, name: str) -> None:
    queries = [MatchQuery(name=name), MatchQuery(name="", id="b", other_names=["none"])]
    found = match.sync(client=client, body=MatchRequest(queries=queries))
    assert isinstance(found, MatchResults) and found.results[1].id == "b"
    decision: MatchResultDecision = found.results[0].decision
    assert decision in list(MatchResultDecision)


def refusals(client: AuthenticatedClient, origin: str) -> None:
    unknown = nonprofits_details_ein.sync(ein="000000000", client=client)
    assert isinstance(unknown, Error) and unknown.detail == "Nonprofit not found"
    unfit = nonprofits_details_ein.sync(ein="1", client=client)
    assert isinstance(unfit, ValidationError) and unfit.detail[0].loc == ["path", "ein"]
    body = match.sync(client=client, body=MatchRequest(queries=[], limit=9))
    assert isinstance(body, ValidationError) and body.detail[0].loc == ["body", "limit"]
    keyless = coverage.sync_detailed(client=Client(base_url=origin))
    assert keyless.status_code == 401 and isinstance(keyless.parsed, Error)


def main() -> None:
    origin, key = sys.argv[1:]
    client = AuthenticatedClient(base_url=origin, token=key, prefix="", auth_header_name="X-API-Key")
    eins = search(client)
    name = details(client, eins[0])
    batch(client, eins)
    csv(client)
    suggestions(client, name)
    matches(client, name)
    refusals(client, origin)
    print("python: search, details, batch of 500, CSV, typeahead, match, 401, 404 and 422 through a generated client")


if __name__ == "__main__":
    main()
