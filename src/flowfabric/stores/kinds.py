"""What a kind of store can do with a url. For a store of your own, write this class and the store itself."""

from abc import ABC, abstractmethod

import msgspec

from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.stores._shared.migrate import Plan


class Opening(msgspec.Struct, frozen=True):
    """How a store is opened. A kind of store ignores the options that it has no use for."""

    clock: Clock | None = None
    """The clock of a test; None: the store's own time counts."""
    migrate: bool | None = None
    """Whether a schema that is behind is brought up to date; None: as this kind of store does by default."""
    notify: bool = True
    """Whether a commit wakes waiting workers and callers of other processes."""
    connections: Connections = DEFAULT_CONNECTIONS


class StoreKind(ABC):
    """A kind of store. A new kind must define `open`; the other methods answer as for a store without a schema."""

    examples: tuple[str, ...] = ()
    """Sample urls of this kind, for the error message about a misspelled url."""
    is_shared = True
    """Whether other processes can reach the records, too."""

    @abstractmethod
    def open(self, url: str, how: Opening) -> Store:
        """The store that a url of this kind names. InvalidInput: the url names no store."""

    def plan(self, url: str) -> Plan:
        """Which migrations are still to be applied; nothing is changed."""
        self.open(url, Opening()).close()  # raises if the url names no store
        return Plan([], "")

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        """The facts about the database's health. Nothing in the database is changed."""
        raise InvalidInput(f"`ff doctor` cannot look into a store of this kind ({self.name_of(url)}).")

    def name_of(self, url: str) -> str:
        """The database in words, without passwords: `the file /srv/shop.db`."""
        return url.partition("://")[0]

    def settled(self, url: str) -> str:
        """The url, complete: whatever depends on this process, such as its current folder, is written out."""
        return url

    def missing_file(self, url: str) -> str | None:
        """The file that the url names, if the file does not exist yet and `open` would create it."""
        return None

    def accept_clock(self, url: str) -> int:
        """Use the clock of this machine as the store's time again. Returns by how many milliseconds time goes back."""
        raise InvalidInput(
            "Only a SQLite file keeps its highest time; the time of a PostgreSQL database is the clock of its "
            "server. Set that clock."
        )
