"""The facts about the health of a PostgreSQL database. Nothing in the database is changed.

The database may be one that no engine can open: one with another schema, a standby, a copy.
"""

import time
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.errors import StoreUnavailable
from flowfabric.domain.health.facts import ENDLESS_MS, FAILED_MS, Clocks, Facts, Schema
from flowfabric.domain.health.server import OpenTransaction, Server
from flowfabric.ports.clock import Clock
from flowfabric.ports.errors import ConnectionLost
from flowfabric.stores._shared.health import (
    ALL_DUE_KINDS,
    DUE_KINDS_OF_RUNNING,
    DUE_KINDS_OF_SUSPENDED,
    schema_of,
    work_of,
)
from flowfabric.stores._shared.migrate import migrations_of
from flowfabric.stores._shared.statements import Statements, statements_of
from flowfabric.stores.postgres.connection import Connection, Connector, translating_errors
from flowfabric.stores.postgres.migrating import applied_migrations, given_name, name_here
from flowfabric.stores.postgres.rows import numbers

PINGS: Final = 5
NOTIFIED_S: Final = 2.0
"""How long a notification may take to arrive."""
CHANNEL: Final = "flowfabric_doctor"
ALL_BUDGETS: Final = {"of_namespace": "", "name": "", "namespace": None, "most": None}
"""Without a limit, `list_budgets` lists all."""


def examine(url: str, *, clock: Clock | None = None, machine: Clock | None = None) -> Facts:
    """All facts that the server tells. StoreUnavailable: the server cannot be reached."""
    connector = Connector(url)
    sql = statements_of(__package__)
    try:
        with connector.connect() as connection, translating_errors():
            schema = schema_of(migrations_of(__package__), applied_migrations(connection))
            clocks = _clocks(connection, sql, clock, machine)
            server = _server(connection, connector, sql, schema)
            if not schema.is_current:
                return Facts(schema, clocks, store=server)
            return _with_work(connection, sql, schema, clocks, server)
    except ConnectionLost as error:
        raise StoreUnavailable(
            f"The database could not be asked: {error}. Check the url, and that the server runs."
        ) from error


def _clocks(connection: Connection, sql: Statements, clock: Clock | None, machine: Clock | None) -> Clocks:
    """Compare the clocks several times. The quickest answer counts, because it is the most exact."""
    looks = []
    for _ in range(PINGS):
        asked_at = time.monotonic()
        row = connection.execute(sql["clock"].encode()).fetchone()
        assert row is not None
        now_ms = time.time_ns() // 1_000_000 if machine is None else machine.now_ms
        looks.append((time.monotonic() - asked_at, now_ms, int(row[0])))
    took_s, machine_ms, server_ms = min(looks)
    store_ms = server_ms if clock is None else clock.now_ms
    return Clocks(machine_ms, store_ms, took_s * 1000)


def _server(connection: Connection, connector: Connector, sql: Statements, schema: Schema) -> Server:
    row = connection.execute(sql["server_state"].encode()).fetchone()
    assert row is not None
    is_standby, commits_wait, hidden, standbys_not_waited_for = row
    name = given_name(connection, sql) if schema.is_current else None
    transactions = connection.execute(sql["open_transactions"].encode()).fetchall()
    return Server(
        [OpenTransaction(*each) for each in transactions],
        hidden,
        is_standby,
        schema.is_current and (name is None or name != name_here(connection, name)),
        commits_wait,
        None if is_standby else _hears_notifications(connection, connector),
        standbys_not_waited_for,
    )


def _hears_notifications(connection: Connection, connector: Connector) -> bool:
    """Whether a notification of one connection reaches another one that listens. A pooler may prevent that."""
    with connector.connect() as listener:
        listener.execute(f"listen {CHANNEL}")
        connection.execute(f"notify {CHANNEL}")
        return any(True for _ in listener.notifies(timeout=NOTIFIED_S, stop_after=1))


def _with_work(connection: Connection, sql: Statements, schema: Schema, clocks: Clocks, server: Server) -> Facts:
    """The work that there is, as of one moment, and when the newest record was written."""
    until = {"until_ms": clocks.store_ms}
    connection.execute("begin isolation level repeatable read read only")
    try:
        newest = connection.execute(sql["newest_record"].encode()).fetchone()
        assert newest is not None
        running = {"due_kind": numbers(DUE_KINDS_OF_RUNNING)}
        due = until | {"due_kind": numbers(ALL_DUE_KINDS)}
        everywhere = {"namespace": None}
        lately = {"since_ms": clocks.store_ms - FAILED_MS}
        long_ago = {"since_ms": clocks.store_ms - ENDLESS_MS, "due_kind": numbers(DUE_KINDS_OF_SUSPENDED)}
        work = work_of(
            workers=connection.execute(sql["list_workers"].encode(), everywhere).fetchall(),
            leases=connection.execute(sql["count_leases"].encode(), running).fetchall(),
            waiting=connection.execute(sql["count_waiting"].encode()).fetchall(),
            due=connection.execute(sql["count_due"].encode(), due).fetchall(),
            overdue_acks=connection.execute(sql["count_overdue_acks"].encode(), until).fetchall(),
            schedules=connection.execute(sql["list_schedules"].encode(), everywhere).fetchall(),
            lanes=connection.execute(sql["list_lane_switches"].encode(), everywhere).fetchall(),
            kept=connection.execute(sql["count_kept"].encode(), everywhere).fetchall(),
            kept_flows=connection.execute(sql["count_kept_flows"].encode(), everywhere).fetchall(),
            held=connection.execute(sql["count_held"].encode()).fetchall(),
            failed=connection.execute(sql["count_failed"].encode(), lately).fetchall(),
            endless=connection.execute(sql["count_endless_waits"].encode(), long_ago).fetchall(),
            ends_of_secrets=connection.execute(sql["list_ends_of_secrets"].encode()).fetchall(),
            now_ms=clocks.store_ms,
            openings=connection.execute(sql["count_overdue_openings"].encode(), until).fetchall(),
            leased_gates=connection.execute(sql["list_leased_gates"].encode(), running).fetchall(),
            key_uses=connection.execute(sql["list_keys_in_use"].encode()).fetchall(),
            budgets=connection.execute(sql["list_budgets"].encode(), ALL_BUDGETS).fetchall(),
            budget_uses=connection.execute(sql["list_uses_that_matter"].encode()).fetchall(),
            miscounts=connection.execute(sql["find_miscounts"].encode()).fetchall(),
        )
    finally:
        if not connection.closed:
            connection.execute("rollback")
    known = replace(clocks, newest_record_ms=int(newest[0]))
    return Facts(schema, known, work, server)
