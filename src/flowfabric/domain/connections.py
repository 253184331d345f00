"""How many connections one process holds to its store."""

from typing import Final

import msgspec

from flowfabric.domain.errors import InvalidInput, StoreUnavailable


class Connections(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many connections an engine may open, and how long a read waits for one.

    SQLite always has one write connection, because a file has one writer.
    """

    write: int = 2
    """Each belongs to a thread that commits in groups."""
    read: int = 4
    """They are opened when they are needed, and shared by all reads of the process."""
    wait_ms: int = 10_000
    """How long a read waits for a free connection. Then it is refused with StoreUnavailable."""

    def __post_init__(self) -> None:
        """Refuse what could not work."""
        for field, low, high in (("write", 1, 64), ("read", 1, 256), ("wait_ms", 1, 3_600_000)):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise InvalidInput(f"connections: {field} is a whole number from {low} to {high}, not {value!r}.")


DEFAULT_CONNECTIONS: Final = Connections()


class ReadersBusy(StoreUnavailable):
    """All read connections of this process are in use. The store itself can be reached, so no outage is logged.

    To callers it is StoreUnavailable, with the same code.
    """

    code = "store_unavailable"


def no_free_reader(connections: Connections) -> ReadersBusy:
    """The error for a read that has waited for a connection for too long."""
    return ReadersBusy(
        f"All {connections.read} read connections of this process have been busy for {connections.wait_ms / 1000:g} s. "
        "Read again later, or open the engine with more of them: connections=Connections(read=...)."
    )
