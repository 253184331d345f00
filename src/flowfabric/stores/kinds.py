"""What a kind of store can do with a url: the one thing to write, besides the store itself, for a store of your own."""

import msgspec

from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.stores._shared.migrate import Plan


class Opening(msgspec.Struct, frozen=True):
    """How a store is opened. A kind of store leaves alone what it has no use for."""

    clock: Clock | None = None
    """A test's own clock; None: the store's time counts."""
    migrate: bool | None = None
    """Whether a schema that is behind is brought up to date; None: as this kind of store does by default."""
    notify: bool = True
    """Whether commits wake those who wait in other processes."""
    connections: Connections = DEFAULT_CONNECTIONS


class StoreKind:
    """A kind of store. A new one has to open its databases; the other answers are those of a store without a schema."""

    examples: tuple[str, ...] = ()
    """Urls of this kind, for those who have misspelled one."""
    is_shared = True
    """Whether other processes can reach the records, too."""

    def open(self, url: str, how: Opening) -> Store:
        """The store that a url of this kind names. InvalidInput: it names none."""
        raise NotImplementedError

    def plan(self, url: str) -> Plan:
        """Which migrations are still to be applied; nothing is changed."""
        self.open(url, Opening()).close()  # raises if it names no store
        return Plan([], "")

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        """What the database tells of its health; nothing that it holds is changed."""
        raise InvalidInput(f"`ff doctor` cannot look into a store of this kind ({self.name_of(url)}).")

    def name_of(self, url: str) -> str:
        """The database in words, without passwords: `the file /srv/shop.db`."""
        return url.partition("://")[0]

    def settled(self, url: str) -> str:
        """The url with everything that depends on this process, such as its folder, so that it means the same later."""
        return url

    def missing_file(self, url: str) -> str | None:
        """The file that the url names, if it is not there yet, and opening it would make it."""
        return None

    def accept_clock(self, url: str) -> int:
        """Take the clock of this machine for the store's time again; by how many milliseconds time goes back."""
        raise InvalidInput(
            "Only a SQLite file keeps its highest time; the time of a PostgreSQL database is the clock of its "
            "server. Set that clock."
        )
