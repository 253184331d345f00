"""A PostgreSQL database as a store: for many processes on many machines."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import SchemaMismatch, StoreUnavailable
from flowfabric.domain.news import Committed, OnOthersCommit
from flowfabric.ports.clock import Clock
from flowfabric.ports.errors import for_callers
from flowfabric.stores._shared.capability_sets import CapabilitySets
from flowfabric.stores._shared.statements import Statements, statements_of
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.access import PostgresAccessReads
from flowfabric.stores.postgres.callers_transaction import CallersPostgres
from flowfabric.stores.postgres.connection import WHERE_ASKED, Connection, Connector, translating_errors
from flowfabric.stores.postgres.families import PostgresFamilyReads
from flowfabric.stores.postgres.finding import PostgresFinds
from flowfabric.stores.postgres.gate_hints import GateHints
from flowfabric.stores.postgres.gate_line import GateLine
from flowfabric.stores.postgres.gate_reading import PostgresGateReads
from flowfabric.stores.postgres.given_turns import GivenTurns
from flowfabric.stores.postgres.listening import Listener
from flowfabric.stores.postgres.migrating import apply_migrations, given_name, name_here, pending_migrations
from flowfabric.stores.postgres.notes import News, Notes
from flowfabric.stores.postgres.queue_heads import QueueHeads
from flowfabric.stores.postgres.readers import Readers
from flowfabric.stores.postgres.reading import PostgresReads
from flowfabric.stores.postgres.stream_reading import PostgresStreamReads
from flowfabric.stores.postgres.wait_reading import PostgresWaitReads
from flowfabric.stores.postgres.writer import PostgresWriter


class PostgresStore(
    PostgresReads,
    PostgresWaitReads,
    PostgresFamilyReads,
    PostgresGateReads,
    PostgresStreamReads,
    PostgresAccessReads,
    PostgresFinds,
):
    """Records in one schema of one database, found through the connection's search path."""

    batches_stay_in_one_partition = False

    def __init__(
        self,
        url: str,
        *,
        migrate: bool = False,
        clock: Clock | None = None,
        notifies: bool = True,
        connections: Connections = DEFAULT_CONNECTIONS,
    ) -> None:
        self.sql = statements_of(__package__)
        self.connector = Connector(url)
        self.capabilities = CapabilitySets(_CapabilityTable(self.sql))
        self.queue_heads = QueueHeads()
        self.given_turns = GivenTurns()
        self.gate_line = GateLine()
        self.gate_hints = GateHints()
        self.meets_members = False
        """Whether the last batch that could end members of flows did so. If so, the next one locks flows at once."""
        self.members_pause = 0
        """How many of the next batches of members are decided, because the last one that was tried was not plain."""
        self.meets_inboxes = False
        """Whether most executions that the last decided claims and completions met are not plain, because they have an
        inbox or gates."""
        self.notes = Notes(notifies=notifies)
        self.our_sessions: dict[object, int] = {}
        """The server's process ids of our write connections."""
        self._listener = Listener(self.connector, self.our_sessions, self.notes, self.queue_heads)
        self.clock = clock
        self.connections = connections
        self.committers = connections.write
        connection = self.connector.first()
        try:
            with for_callers(), translating_errors():
                todo = pending_migrations(connection)
                if migrate and (todo or not self._is_at_home(connection)):
                    apply_migrations(connection, self.sql)
                elif todo:
                    raise SchemaMismatch(
                        f"The database lacks the migrations from {todo[0].name} on. "
                        "Run `ff migrate`, or open it once with migrate=True."
                    )
                self.name = self.read_name(connection)
        except BaseException:
            connection.close()
            raise
        self.readers = Readers(self.connector, self.connect, connections, connection)

    def read_name(self, connection: Connection) -> str:
        """The name of this store. A copy of the database, and one restored elsewhere, have another name."""
        name = given_name(connection, self.sql)
        if name is None or name != name_here(connection, name):
            raise SchemaMismatch(
                "This database is a copy of another one, or was restored from it, and leases of that one may still be "
                "held. Run `ff migrate`, or open it once with migrate=True, to make it a store of its own."
            )
        return name

    def connect(self, *, prepare_after: int = WHERE_ASKED) -> Connection:
        """A new connection to the same database that was opened."""
        connection = self.connector.connect(prepare_after=prepare_after)
        try:
            with translating_errors(self.connector):
                name = self.read_name(connection)
        except BaseException:
            connection.close()
            raise
        if name != self.name:
            connection.close()
            raise StoreUnavailable(
                "Another database answers at the address of this one, or it was restored from a backup. Restart what "
                "uses it, so that no lease of before is taken for one of now.",
                is_final=True,
            )
        return connection

    def _is_at_home(self, connection: Connection) -> bool:
        name = given_name(connection, self.sql)
        return name is not None and name == name_here(connection, name)

    def writer(self) -> PostgresWriter:
        """A new write connection."""
        return PostgresWriter(self)

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersPostgres:
        """A connection of the caller's own to this database."""
        return CallersPostgres(self, connection, is_async=is_async)

    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be read."""
        with self.readers.reading() as connection:
            connection.execute("select 1")

    def notification(self, news: News) -> list[tuple[str, Mapping[str, object]]]:
        """The statement that notifies other processes when the transaction commits."""
        notes = self.notes.of(news)
        if not notes:
            return []
        channels, said = zip(*notes, strict=True)
        return [(self.sql["notify"], {"channel": rows.texts(channels), "note": rows.texts(said)})]

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        """Call `on_commit` for the commits of other processes, if they notify."""

        def heard(committed: Committed | None) -> None:
            self.queue_heads.are_busy(committed.ready if committed is not None else ())
            on_commit(committed)

        return self._listener.listening(heard)

    def listen_for(self, *, ends: bool, events: bool, slots: bool, streams: bool) -> None:
        """Say for what anyone here waits."""
        self._listener.listen_for(ends=ends, events=events, slots=slots, streams=streams)

    def close(self) -> None:
        """Close every connection. A read that is still under way closes its own connection when it ends."""
        self.readers.close()


class _CapabilityTable:
    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def read_tokens(self, capability_set: int, connection: Connection) -> str | None:
        values = {"capability_set": capability_set}
        row = connection.execute(self._sql["read_capability_set"].encode(), values).fetchone()
        return None if row is None else str(row[0])

    def read_id(self, tokens: str, connection: Connection) -> int | None:
        row = connection.execute(self._sql["read_capability_set_id"].encode(), {"tokens": tokens}).fetchone()
        return None if row is None else int(row[0])

    def insert(self, tokens: str, connection: Connection) -> None:
        connection.execute(self._sql["insert_capability_set"].encode(), {"tokens": tokens})
