"""`postgresql://…`: a store for many processes on many machines. Its driver is imported when it is needed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.stores._shared.migrate import Plan
from flowfabric.stores.kinds import Opening, StoreKind

_HOSTS: Final = re.compile(r"(?:(?:\[[\da-fA-F:.]+\]|[\w.%-]*)(?::\d+)?,?)*", re.ASCII)


class PostgresKind(StoreKind):
    """Databases of PostgreSQL servers."""

    examples = ("postgresql://…",)

    def open(self, url: str, how: Opening) -> Store:
        """The store that the url names."""
        with _needing_driver():
            from flowfabric.stores.postgres.store import PostgresStore
        return PostgresStore(
            url, migrate=how.migrate is True, clock=how.clock, notifies=how.notify, connections=how.connections
        )

    def plan(self, url: str) -> Plan:
        """Which migrations are still to be applied."""
        with _needing_driver():
            from flowfabric.stores.postgres.migrating import plan
        return plan(url)

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        """The facts about the database's health."""
        with _needing_driver():
            from flowfabric.stores.postgres.health import examine
        return examine(url, clock=clock, machine=machine)

    def name_of(self, url: str) -> str:
        """The database's name and its server."""
        where, _, database = url.partition("://")[2].partition("?")[0].partition("/")
        # If a password holds a slash, a part of it ends up in these names, so names that look odd are not shown at all.
        if "@" in database or not _HOSTS.fullmatch(where := where.rpartition("@")[2]):
            return "the PostgreSQL database of the url"
        return " ".join(
            ["the PostgreSQL database", *([database] if database else []), *(["on", where] if where else [])]
        )


@contextmanager
def _needing_driver() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InvalidInput(
            "PostgreSQL needs a driver that is not installed. Run: pip install 'flowfabric[postgres]'."
        ) from error
