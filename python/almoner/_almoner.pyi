class Service:
    """A published snapshot, answering paths of the HTTP interface."""

    def __new__(cls, data_dir: str) -> Service: ...
    def get(self, target: str) -> tuple[int, bytes]:
        """Status and body of what ``GET target`` is answered with."""

    def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of what ``POST path`` is answered with."""
