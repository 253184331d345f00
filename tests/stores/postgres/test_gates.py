"""Limits and budgets on PostgreSQL: what ungated work sends, what is repaired, what damage does, and who waits."""

import random
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from functools import partial

import psycopg
import pytest
from msgspec.structs import replace

from flowfabric import BlockingEngine, Claimed, Corruption, ManualClock, NewExecution, open_blocking_engine
from flowfabric.domain.commands import AddExecution, CreateExecution, Envelope
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import FlowId, flow_partition, make_execution_id
from flowfabric.domain.outcomes import Created
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres import transaction, writer
from flowfabric.stores.postgres.connection import Connection
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import Cursor, send
from flowfabric.stores.postgres.writer import PostgresWriter
from flowfabric_conformance.gate_stage import budget_at, claims, gated, limit_at, states
from flowfabric_conformance.stage import claim_ids, create
from tests.assembled import Assembled
from tests.postgres_server import connected, empty_store
from tests.stores.joining.test_equal_rows import rows_of
from tests.stores.lives import lives_without_gates
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import wait_until

OF_GATES = (
    *("ff_limit", "ff_limit_override", "ff_limit_key", "ff_lane_turn", "ff_key_turn", "ff_budget", "ff_budget_use"),
    *("ff_ledger", "ff_spend_key", "ff_budget_day", "ff_opening", "ff_at_gate"),
)
ROWS = "select * from ff_at_gate order by execution_id, gate_kind, name, gate_key"
DEADLOCKS = "select deadlocks from pg_stat_database where datname = current_database()"
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
PATIENCE_S = 60.0


# ── work without gates ───────────────────────────────────────────────────────────────────────────


def sent_by(parts: Assembled) -> set[str]:
    """All statements that the committers have sent: each is prepared when it is sent first."""
    found: set[str] = set()
    for committer in parts.commits._committers:
        writer = committer._writer
        assert isinstance(writer, PostgresWriter)
        rows = writer.connection.execute("select statement from pg_prepared_statements", prepare=False).fetchall()
        found.update(text for (text,) in rows)
    return found


def test_work_without_gates_sends_no_statement_about_gates(parts: Assembled) -> None:
    engine = parts.engine
    engine.create_executions([NewExecution(kind="job", priority=number) for number in range(9)])
    leases = [claimed.lease for claimed in engine.claim(worker_id="w", worker_instance_id="i", limit=9)]
    engine.renew_all(leases)
    engine.record_step(leases[0], "step", b"result")
    engine.complete_all([(leases[0], b""), (leases[1], b"")])
    engine.fail(leases[2], code="boom")
    engine.release(leases[3])
    engine.suspend(leases[4], "approval", "editor")
    engine.signal(leases[4].execution_id, "editor")
    engine.cancel_execution(leases[5].execution_id, reason="no longer wanted")
    engine.revoke_lease(leases[6].execution_id)
    engine.hold(leases[3].execution_id)
    engine.purge(ended_before_ms=2**50)

    sent = sent_by(parts)

    assert len(sent) > 20
    assert [text for text in sent if any(table in text for table in OF_GATES)] == []
    assert [text for text in sent if "set gates" in text or "gates, turn" in text] == []


SENT_WITHOUT_GATES = [
    "fast_create=1",
    "begin fast_claim=1",
    "begin insert_batch=1 lock_solo_executions=1 clock=1 update_hot_columns=1 delete_lease_sheets=1 "
    "insert_lease_sheets=1 commit",
    "begin insert_batch=1 fast_complete=1",
    "begin insert_batch=1 clock=1 insert_executions=2 insert_payloads=2 insert_ready=2 insert_tags=2 "
    "insert_count_moves=1 commit",
    "begin fast_claim=2",
    "begin insert_batch=1 lock_solo_executions=1 clock=1 update_executions=1 save_attempts=1 save_failures=1 "
    "insert_events=1 insert_count_moves=1 commit",
    "begin insert_batch=1 lock_solo_executions=1 clock=1 update_hot_columns=1 insert_ready=1 save_attempts=1 "
    "insert_events=1 insert_count_moves=1 commit",
    "begin fast_claim=0 ready_capability_sets=1 clock=1 insert_batch=1 lock_ready=1 clock=1 update_hot_columns=1 "
    "delete_ready=1 insert_lease_sheets=1 insert_events=1 insert_count_moves=1 commit",
]
"""What each call of `lives_without_gates` sends, and how many rows each statement writes: nothing of gates."""


def test_work_without_gates_sends_only_what_it_needs(
    parts: Assembled, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = Statements("flowfabric.stores.postgres")
    names = {statements[name]: name for name in statements.names}
    cursors: list[tuple[str, Cursor]] = []

    def noting(connection: Connection, text: str, values: Mapping[str, object] | None) -> Cursor:
        cursors.append((text, send(connection, text, values)))
        return cursors[-1][1]

    for module in (transaction, writer):
        monkeypatch.setattr(module, "send", noting)
    # Whether others are told depends on who listens, and when they were told last.
    monkeypatch.setattr(PostgresStore, "notification", lambda store, news: [])
    create(parts.engine, lane="elsewhere")
    sent: list[str] = []
    for _ in lives_without_gates(parts.engine, clock):
        sent.append(" ".join(_with_rows(names.get(text, text), cursor) for text, cursor in cursors))
        cursors.clear()

    assert sent[1:] == SENT_WITHOUT_GATES


def _with_rows(statement: str, cursor: Cursor) -> str:
    return statement.split()[0] if cursor.rowcount < 0 else f"{statement}={cursor.rowcount}"


def test_the_tables_of_gates_are_all_tables_of_their_statements() -> None:
    statements = Statements("flowfabric.stores.postgres")
    text = " ".join(statements[name] for name in statements.names)

    assert [table for table in OF_GATES if table not in text] == []


# ── rows that are made to be locked ──────────────────────────────────────────────────────────────


def test_keys_that_were_only_looked_at_leave_no_row(engine: BlockingEngine, sql: Sql) -> None:
    engine.set_limit("api", concurrency=1)
    held = gated(engine, {"api": "a"})
    gated(engine, {"api": "b"}, when_full="drop_new")
    engine.hold(held)
    used = sql.execute("select key from ff_limit_key").fetchall()
    claims(engine)

    assert used == []
    assert sql.execute("select key, in_use from ff_limit_key").fetchall() == [("b", 1)]


# ── repair ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "damage",
    [
        "delete from ff_at_gate where gate_state = 1",
        "delete from ff_at_gate",
        "update ff_at_gate set gate_state = 0",
        "update ff_at_gate set rank = rank - 1 where gate_state = 1",
        "update ff_at_gate set name = 'another'",
        "insert into ff_at_gate select partition_key, execution_id, namespace, gate_kind, 'left over', gate_key, "
        "gate_state, lane_id, capability_set, rank, turn, ready_at_ms from ff_at_gate",
    ],
)
def test_wrong_rows_at_gates_are_repaired(engine: BlockingEngine, sql: Sql, damage: str) -> None:
    engine.set_limit("api", concurrency=1)
    for number in range(3):
        gated(engine, priority=number, fair_key="a" if number else None)
    claims(engine)
    right = sql.execute(ROWS).fetchall()
    changed = sql.execute(damage.encode()).rowcount

    done = engine.reconcile()

    assert changed > 0
    assert done["side_rows"] > 0
    assert sql.execute(ROWS).fetchall() == right
    assert engine.reconcile()["side_rows"] == 0


def test_rows_that_an_ended_execution_has_left_are_removed(engine: BlockingEngine, sql: Sql) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    left_over = sql.execute(ROWS).fetchall()
    engine.complete(running.lease)
    for row in left_over:
        sql.execute(f"insert into ff_at_gate values ({', '.join(['%s'] * 12)})".encode(), row)

    engine.reconcile()

    assert len(left_over) == 1
    assert sql.execute(ROWS).fetchall() == []


@pytest.mark.parametrize("damage", ["delete from ff_ready", "update ff_ready set turn = turn + 1"])
def test_a_place_in_the_wrong_turn_does_not_count_and_is_written_anew(
    engine: BlockingEngine, sql: Sql, damage: str
) -> None:
    ids = [create(engine, fair_key=key) for key in "aab"]
    sql.execute(damage.encode())

    lost = claim_ids(engine)
    engine.reconcile()

    assert lost == []
    assert claim_ids(engine) == [ids[0], ids[2], ids[1]]


# ── removal ──────────────────────────────────────────────────────────────────────────────────────


def test_a_removed_execution_leaves_only_daily_sums(engine: BlockingEngine, sql: Sql) -> None:
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 10**6}, period="1h")
    gated(engine, budgets={"team": {"usd": 3}})
    (running,) = claims(engine)
    engine.spend(running.lease, "team", {"usd": 2}, idempotency_key="call")
    engine.complete(running.lease)
    engine.purge(ended_before_ms=2**50)

    left = {
        table: sql.execute(f"select count(*) from {table}".encode()).fetchall()
        for table in ("ff_ledger", "ff_spend_key", "ff_at_gate", "ff_limit_key")
    }

    assert left == {table: [(0,)] for table in left}
    assert sql.execute("select budget, dimension, amount from ff_budget_day").fetchall() == [("team", "usd", 2)]


# ── damage ───────────────────────────────────────────────────────────────────────────────────────


def test_damaged_gates_are_named_and_hold_up_nobody(engine: BlockingEngine, sql: Sql) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    damaged, healthy = gated(engine), gated(engine)
    claims(engine)
    sql.execute("update ff_exec_core set gates = '{\"limits\":7}' where execution_id = %s", (damaged[-36:],))

    with pytest.raises(Corruption, match=r"ff_exec_core, key .*: column gates does not parse"):
        engine.describe_execution(damaged)
    engine.complete(running.lease)

    assert claim_ids(engine) == [healthy]


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("ff_budget", "limits", "garbage"),
        ("ff_budget", "period", '{"type":"Moon"}'),
        ("ff_budget", "on_exceeded", "shout"),
        ("ff_budget_use", "used", '{"usd":"much"}'),
        ("ff_budget_use", "exceeded", "{}"),
    ],
)
def test_a_damaged_budget_is_named(engine: BlockingEngine, sql: Sql, table: str, column: str, value: str) -> None:
    engine.set_budget("team", limits={"usd": 5})
    create(engine, budgets={"team": {"usd": 1}})
    claims(engine)
    sql.execute(f"update {table} set {column} = %s".encode(), (value,))

    with pytest.raises(Corruption, match=rf"{table}, key default, team.*: column {column} does not parse"):
        engine.describe_budget("team")


# ── members of flows ─────────────────────────────────────────────────────────────────────────────


def member_with_gates(parts: Assembled, flow_id: str) -> str:
    """A new member of a flow that names a limit and a budget."""
    execution_id = make_execution_id(flow_partition(FlowId(flow_id)), new_uuid())
    gates = Gates(limits=(("api", ""),), budgets=(("team", {"usd": 1}),))
    creation = CreateExecution(
        execution_id, False, "job", b"", "default", "default", 0, None, None, None, 1000, (), DEFAULT_POLICY, {}
    )
    command = AddExecution(FlowId(flow_id), replace(creation, gates=gates), (), None)
    with closing(parts.store.writer()) as writer:
        (answer,) = writer.run(Batch([Envelope(command)], parts.store.name)).answers
    assert isinstance(answer, Created)
    return answer.execution_id


def test_members_pass_gates_and_let_each_other_in(parts: Assembled) -> None:
    engine = parts.engine
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 100})
    flows = [engine.create_flow("pipeline").flow_id for _ in range(2)]
    members = [member_with_gates(parts, flow_id) for flow_id in (*flows, *flows)]
    after = engine.add_execution(flows[0], "job", after=[members[0], members[2]]).execution_id
    order = []
    while found := claims(engine):
        order += [each.execution_id for each in found]
        engine.complete(found[0].lease)

    assert order == [*members, after]
    assert limit_at(engine).in_use == 0
    assert dict(budget_at(engine).reserved) == {"usd": 0}


def test_members_that_run_on_an_exceeded_budget_are_cancelled_with_what_waits_for_them(parts: Assembled) -> None:
    engine = parts.engine
    engine.set_limit("api", concurrency=9)
    engine.set_budget("team", limits={"usd": 100}, on_exceeded="cancel")
    flow_id = engine.create_flow("pipeline").flow_id
    members = [member_with_gates(parts, flow_id) for _ in range(2)]
    after = engine.add_execution(flow_id, "job", after=members).execution_id
    running = claims(engine)
    engine.spend(running[0].lease, "team", {"usd": 100})
    engine.reconcile()

    assert states(engine, *members, after) == ["cancelled", "cancelled", "skipped"]
    assert limit_at(engine).in_use == 0
    assert dict(budget_at(engine).reserved) == {"usd": 0}


def test_a_flow_with_gated_members_is_cancelled_as_a_whole(parts: Assembled) -> None:
    engine = parts.engine
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 100})
    cancelled, other = engine.create_flow("pipeline").flow_id, engine.create_flow("pipeline").flow_id
    members = [member_with_gates(parts, cancelled) for _ in range(3)]
    claims(engine)
    waiting = member_with_gates(parts, other)
    engine.cancel_flow(cancelled, reason="enough", policy="cancel_all")
    engine.reconcile()

    assert set(states(engine, *members)) == {"cancelled"}
    assert claim_ids(engine) == [waiting]
    assert limit_at(engine).in_use == 1


# ── the caller's own transaction ─────────────────────────────────────────────────────────────────


def test_joined_or_not_gated_executions_leave_the_same_rows() -> None:
    chance = random.Random(7)
    clock = ManualClock()
    with (
        empty_store() as of_alone,
        empty_store() as of_joined,
        open_blocking_engine(of_alone, clock=clock, reconcile=False) as alone,
        open_blocking_engine(of_joined, clock=clock, reconcile=False) as joined,
        psycopg.connect(of_joined) as conn,
    ):
        for engine in (alone, joined):
            engine.set_limit("api", concurrency=1)
            engine.set_budget("team", limits={"usd": 5})
        for number in range(30):
            item = NewExecution(
                kind="job",
                execution_id=f"{{fp:86}}:01a1de98-5e63-7000-8000-{number:012x}",
                limits={"api": chance.choice("ab")} if chance.random() < 0.5 else {},
                budgets={"team": {"usd": 1}} if chance.random() < 0.5 else {},
                fair_key=chance.choice((None, "x", "y")),
                required_capabilities=chance.choice(((), ("gpu",))),
            )
            alone.create_executions([item])
            with joined.transaction(conn):
                joined.create_executions([item], conn=conn)
        ours, theirs = rows_of(of_joined), rows_of(of_alone)

    turns = ("ff_lane_turn", "ff_key_turn")  # these stay as they are in a caller's transaction
    assert {name: rows for name, rows in ours.items() if name not in turns} == {
        name: rows for name, rows in theirs.items() if name not in turns
    }


def test_what_is_made_in_the_callers_transaction_joins_the_queue_and_is_parked_by_its_claim(
    engine: BlockingEngine, url: str
) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    claims(engine)
    gated(engine)
    claims(engine)
    with psycopg.connect(url) as conn, engine.transaction(conn):
        made = gated(engine, conn=conn)
    before = states(engine, made)

    assert before == ["waiting"]
    assert claim_ids(engine) == []
    assert states(engine, made) == ["rate_limited"]
    assert limit_at(engine).parked == 2


def test_nobody_waits_for_the_turn_that_a_callers_transaction_has_given(
    engine: BlockingEngine, open_another: Open, url: str
) -> None:
    another = open_another()
    first = create(engine, fair_key="a")
    with psycopg.connect(url) as conn, engine.transaction(conn):
        joined = [create(engine, fair_key="a", conn=conn) for _ in range(2)]
        beside = create(another, fair_key="a")
        of_another_key = create(engine, fair_key="b")
    last = create(engine, fair_key="a")

    assert claim_ids(engine) == [first, of_another_key, joined[0], beside, joined[1], last]


# ── several processes ────────────────────────────────────────────────────────────────────────────


class Workers:
    """Threads that claim and complete until nothing is left, and note how many ran at once under each key."""

    def __init__(self, engines: list[BlockingEngine], concurrency: dict[str, int], total: int) -> None:
        self._engines = engines
        self._concurrency = concurrency
        self._left = total
        self._changed = threading.Condition()
        self._version = 0
        self._running: Counter[tuple[str, str]] = Counter()
        self.names: dict[str, dict[str, str]] = {}
        """The limits of each execution."""
        self.too_many: list[tuple[str, str]] = []
        self.errors: list[BaseException] = []

    def run(self, threads_each: int) -> None:
        threads = [
            threading.Thread(target=self._work, args=(engine, f"w{at}-{number}"), daemon=True)
            for at, engine in enumerate(self._engines)
            for number in range(threads_each)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    def _work(self, engine: BlockingEngine, name: str) -> None:
        try:
            while True:
                with self._changed:
                    if not self._left or self.errors:
                        return
                    seen = self._version
                found = engine.claim(worker_id="w", worker_instance_id=name, limit=3, lease_ttl_ms=600_000)
                for claimed in found:
                    self._count(claimed, 1)
                for claimed in found:
                    self._count(claimed, -1)
                    engine.complete(claimed.lease)
                    self._tell(1)
                if not found:
                    with self._changed:
                        woken = self._changed.wait_for(partial(self._is_later_than, seen), PATIENCE_S)
                        assert woken, "nobody is admitted any more"
        except BaseException as error:
            self.errors.append(error)
            self._tell(0)

    def _is_later_than(self, version: int) -> bool:
        return self._version != version or bool(self.errors)

    def _count(self, claimed: Claimed, change: int) -> None:
        with self._changed:
            for at in self.names[claimed.execution_id].items():
                self._running[at] += change
                if self._running[at] > self._concurrency[at[0]]:
                    self.too_many.append(at)

    def _tell(self, done: int) -> None:
        with self._changed:
            self._left -= done
            self._version += 1
            self._changed.notify_all()


def test_two_engines_never_overrun_a_limit_and_never_wait_for_each_other(
    url: str, open_another: Open, sql: Sql
) -> None:
    """Each execution names two limits and a budget, so that locks could be taken crosswise."""
    chance = random.Random(17)
    engines = [open_another(), open_another()]
    engines[0].set_limit("api", concurrency=1)
    engines[0].set_limit("db", concurrency=2)
    engines[0].set_budget("team", limits={"usd": 10**6})
    workers = Workers(engines, {"api": 1, "db": 2}, 48)
    items = [
        NewExecution(
            kind="job",
            limits={"api": chance.choice("abc"), "db": chance.choice("xy")},
            budgets={"team": {"usd": 1}},
            fair_key=chance.choice((None, "k", "l")),
        )
        for _ in range(48)
    ]
    for item, made in zip(items, engines[0].create_executions(items), strict=True):
        workers.names[made.execution_id] = dict(item.limits)

    workers.run(threads_each=2)

    assert workers.errors == []
    assert workers.too_many == []
    assert sql.execute("select public_state, count(*) from ff_execution group by 1").fetchall() == [("completed", 48)]
    assert sql.execute("select * from ff_limit_key").fetchall() == []
    assert sql.execute("select * from ff_at_gate").fetchall() == []
    assert dict(budget_at(engines[0]).reserved) == {"usd": 0}
    assert sql.execute(DEADLOCKS).fetchall() == [(0,)]


def test_two_transactions_that_use_a_key_first_do_not_both_see_it_unused(
    engine: BlockingEngine, url: str, sql: Sql
) -> None:
    """Another transaction makes the row of the key first, and takes its only slot."""
    engine.set_limit("api", concurrency=1)
    gated(engine)
    found: list[list[Claimed]] = []
    claiming = threading.Thread(target=lambda: found.append(claims(engine)))
    with connected(url) as other, other.transaction():
        other.execute(
            "insert into ff_limit_key (namespace, name, key, in_use, busy_until_us, paused_until_ms)"
            " values ('default', 'api', '', 1, 0, 0)"
        )
        claiming.start()
        wait_until(lambda: sql.execute(WAITING).fetchall() == [(1,)])
    claiming.join(PATIENCE_S)

    assert found == [[]]
    assert (limit_at(engine).in_use, limit_at(engine).parked) == (1, 1)


def test_a_fair_creation_does_not_wait_for_a_claim_of_its_lane(engine: BlockingEngine, url: str) -> None:
    """The turn of a lane is read without a lock, and grows only."""
    create(engine, fair_key="a")
    assert len(claims(engine)) == 1
    with connected(url) as other, other.transaction():
        locked = other.execute("update ff_lane_turn set turn = 7 returning turn").fetchall()
        create(engine, fair_key="b")

    assert locked == [(7,)]
    create(engine, fair_key="b")
    assert [each.lease is not None for each in claims(engine)] == [True, True]
    with connected(url) as other:
        assert other.execute("select turn from ff_lane_turn").fetchall() == [(7,)]


def test_an_execution_that_another_transaction_holds_is_admitted_later(
    engine: BlockingEngine, clock: ManualClock, sql: Sql
) -> None:
    engine.set_limit("api", concurrency=1)
    engine.reconcile()  # so that nobody looks at the keys of a limit that is new
    gated(engine)
    (running,) = claims(engine)
    parked = gated(engine)
    claims(engine)
    with sql.transaction():
        sql.execute("select 1 from ff_exec_core where execution_id = %s for update", (parked[-36:],))
        engine.complete(running.lease)
    passed_over = claim_ids(engine)
    clock.advance(1_000)
    engine.reconcile()

    assert passed_over == []
    assert claim_ids(engine) == [parked]
