"""Each problem planted in a real database, and found there; and nothing is found where nothing was planted."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from flowfabric import (
    BlockingEngine,
    FlowGraph,
    InvalidInput,
    ManualClock,
    NewSchedule,
    StoreUnavailable,
    open_blocking_engine,
)
from flowfabric.app import examine, open_store
from flowfabric.domain.health.facts import EndlessWaits, Facts, Failures
from flowfabric.domain.health.file import DatabaseFile
from flowfabric.domain.health.judging import findings
from flowfabric.domain.health.server import Server
from flowfabric.stores.sqlite import health
from tests.postgres_server import connected, copy_of, own_store, with_options
from tests.stores.postgres.pooler import Pooler
from tests.stores.sqlite.processes import running, wait_until_ready
from tests.stores_under_test import SHARED_STORES, STORES

Sql = Callable[[str], Any]


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "jobs.db"


@pytest.fixture
def file(path: Path) -> Iterator[str]:
    """The url of a SQLite database that an engine has open."""
    url = f"sqlite:///{path}"
    with open_blocking_engine(url, reconcile=False):
        yield url


@pytest.fixture
def url() -> Iterator[str]:
    """The url of a PostgreSQL database that its test may spoil."""
    with own_store() as url:
        yield url


@contextmanager
def statements_on(url: str) -> Iterator[Sql]:
    """Someone else's connection, for damage."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as file:
            yield file.execute
    else:
        with connected(url) as connection:
            yield connection.execute  # type: ignore[misc]


def problems(facts: Facts, **options: int) -> list[str]:
    return [finding.problem for finding in findings(facts, **options)]


def a_live_worker(engine: BlockingEngine, ttl_ms: int = 30_000) -> None:
    engine.heartbeat(worker_id="w", worker_instance_id="w-1", lanes=["default"], host="box", pid=77, ttl_ms=ttl_ms)


def test_a_busy_and_healthy_database_is_told_healthy(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    a_live_worker(engine)
    for _ in range(3):
        engine.create_execution("kind", delay_until_ms=clock.now_ms + 1_000)
        engine.create_execution("kind")
    (claimed, _) = engine.claim(worker_id="w", worker_instance_id="w-1", limit=2)
    engine.complete(claimed.lease)

    facts = examine(store_url, clock=clock, machine=clock)

    assert findings(facts) == []
    assert not isinstance(facts.store, DatabaseFile) or (facts.store.free_bytes or 0) > 0
    assert facts.work is not None
    assert [(queue.lane, queue.count) for queue in facts.work.queues] == [("default", 1)]
    assert [(held.worker_instance_id, held.count) for held in facts.work.leases] == [("w-1", 1)]


def test_looking_changes_nothing(engine: BlockingEngine, store_url: str, clock: ManualClock) -> None:
    engine.create_execution("kind")
    before = engine.list_executions(), engine.read_events().events

    first, second = (examine(store_url, clock=clock, machine=clock) for _ in range(2))

    assert (engine.list_executions(), engine.read_events().events) == before
    assert findings(first) == findings(second)


@pytest.mark.parametrize(("change", "problem"), [("delete", "schema_old"), ("insert", "schema_newer")])
def test_an_old_and_a_newer_schema_are_found(tmp_path: Path, url: str, change: str, problem: str) -> None:
    file = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(file):
        pass
    for each in (file, url):
        with statements_on(each) as sql:
            if change == "delete":
                sql("delete from ff_schema_version where version > 2")
            elif each == file:
                sql("insert into ff_schema_version values (99, 'of the future', 0, 99)")
            else:
                sql("insert into ff_schema_version (version, checksum) values (99, 'of the future')")

        facts = examine(each)

        assert problems(facts) == [problem]
        assert facts.work is None


def test_a_newer_schema_that_allows_this_version_is_no_problem(tmp_path: Path) -> None:
    file = f"sqlite:///{tmp_path}/jobs.db"
    open_store(file).close()
    with statements_on(file) as sql:
        sql("insert into ff_schema_version values (99, 'of the future', 0, 5)")

    facts = examine(file)

    assert problems(facts) == []
    assert facts.work is not None


def test_a_database_without_our_tables_is_an_old_one(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table theirs (a)")

    assert problems(examine(f"sqlite:///{path}")) == ["schema_old"]


def test_a_file_that_is_not_there_is_not_made(path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"There is no database at .* Check the url"):
        examine(f"sqlite:///{path}")

    assert list(path.parent.iterdir()) == []


def test_what_is_in_memory_cannot_be_looked_at_from_outside() -> None:
    with pytest.raises(InvalidInput, match="only there for its own process"):
        examine("memory://")


def test_a_machine_whose_clock_is_off_is_found(engine: BlockingEngine, store_url: str, clock: ManualClock) -> None:
    off = ManualClock(clock.now_ms + 3_600_000)

    assert problems(examine(store_url, clock=clock, machine=off)) == ["clock_skewed"]


def test_a_clock_that_was_set_back_is_found_by_the_newest_event_or_execution(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    now = ManualClock(clock.now_ms)
    made = engine.create_execution("kind", delay_until_ms=clock.now_ms + 86_400_000).execution_id
    before = problems(examine(store_url, clock=now, machine=now))
    clock.advance(3_600_000)
    engine.create_execution("kind", delay_until_ms=clock.now_ms + 86_400_000)
    by_execution = problems(examine(store_url, clock=now, machine=now))
    now.advance(3_600_000)
    clock.advance(3_600_000)
    engine.cancel_execution(made, reason="an event")
    by_event = problems(examine(store_url, clock=now, machine=now))

    assert (before, by_execution, by_event) == ([], ["clock_set_back"], ["clock_set_back"])


def test_the_lease_of_a_worker_that_waits_is_counted(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    engine.create_execution("job")
    a_live_worker(engine)
    lease = engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=60_000)[0].lease
    engine.open_wait(lease, "approval", "approval", timeout_ms=1_000)

    facts = examine(store_url, clock=clock)

    assert facts.work is not None
    assert [(held.worker_instance_id, held.count) for held in facts.work.leases] == [("w-1", 1)]


def test_a_dead_worker_and_its_leases_are_found(engine: BlockingEngine, store_url: str, clock: ManualClock) -> None:
    a_live_worker(engine, ttl_ms=1_000)
    for deadline_at_ms in (None, clock.now_ms + 600_000):
        engine.create_execution("kind", deadline_at_ms=deadline_at_ms)
    engine.claim(worker_id="w", worker_instance_id="w-1", limit=2, lease_ttl_ms=900_000)
    clock.advance(1_000)

    facts = examine(store_url, clock=clock, machine=clock)

    (finding,) = findings(facts)
    assert finding.problem == "dead_worker"
    assert "Worker 'w-1' on box (pid 77)" in finding.what
    assert "holds 2 leases" in finding.what


def test_leases_that_are_over_and_not_taken_back_are_found(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    engine.create_execution("kind")
    engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=1_000)
    engine.create_execution("kind", delay_until_ms=clock.now_ms + 1_000)
    clock.advance(20_000)

    before = problems(examine(store_url, clock=clock, machine=clock))
    engine.reconcile()
    a_live_worker(engine)
    after = problems(examine(store_url, clock=clock, machine=clock))

    assert before == ["dead_worker", "upkeep_behind", "upkeep_behind"]
    assert after == []


def test_a_lane_that_nobody_serves_is_found_and_so_is_a_missing_capability(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    a_live_worker(engine)
    engine.create_execution("kind", lane="mail")
    engine.create_execution("kind", required_capabilities=["gpu"])
    engine.create_execution("kind")

    found = findings(examine(store_url, clock=clock, machine=clock))

    assert [finding.problem for finding in found] == ["capability_missing", "lane_unserved"]
    assert "needs gpu, which no live worker there has" in found[0].what
    assert "lane 'mail'" in found[1].what


def test_what_is_held_is_found_with_since_when_and_what_failed_for_a_day(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    for namespace in ("ours", "theirs", "theirs"):
        engine.create_execution("kind", namespace=namespace)
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", namespace=namespace)
        engine.fail(claimed.lease, code="torn", retryable=False)
    twice, once, free = (engine.create_execution("kind", namespace="ours").execution_id for _ in range(3))
    engine.hold(twice)
    engine.unhold(twice)
    clock.advance(1_000)
    for held in (once, twice):
        engine.hold(held)
        clock.advance(60_000)
    engine.cancel_execution(free, reason="no failure")

    now = examine(store_url, clock=clock, machine=clock).work
    clock.advance(86_400_000 - 121_001)
    at_last = examine(store_url, clock=clock, machine=clock).work
    clock.advance(1)
    a_day_later = examine(store_url, clock=clock, machine=clock).work

    assert now is not None
    assert at_last is not None
    assert a_day_later is not None
    (work_held,) = now.held
    assert (work_held.namespace, work_held.count, work_held.since_ms) == ("ours", 2, clock.now_ms - 86_399_000)
    assert sorted(work_held.ids) == sorted(key[-36:] for key in (once, twice))
    assert now.failures == at_last.failures == [Failures("ours", 1, 0), Failures("theirs", 2, 0)]
    assert a_day_later.failures == []


def test_a_wait_of_thirty_days_that_nothing_ends_is_found(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    def suspended(namespace: str, timeout_ms: int | None = None, **options: int) -> str:
        engine.create_execution("kind", namespace=namespace, **options)
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", namespace=namespace)
        engine.suspend(claimed.lease, "editor", "editor", timeout_ms=timeout_ms)
        return claimed.execution_id[-36:]

    began_ms = clock.now_ms
    first, second = suspended("ours"), suspended("ours")
    theirs = suspended("theirs")
    suspended("ours", timeout_ms=400 * 86_400_000)
    suspended("ours", deadline_at_ms=clock.now_ms + 400 * 86_400_000)
    ended = suspended("theirs")
    engine.cancel_execution(engine.find_executions(ended)[0].execution_id, reason="never mind")
    clock.advance(30 * 86_400_000 - 1)

    before = examine(store_url, clock=clock, machine=clock).work
    clock.advance(1)
    after = examine(store_url, clock=clock, machine=clock).work

    assert before is not None
    assert after is not None
    assert before.endless == []
    ours, other = after.endless
    assert (ours.namespace, ours.count, ours.since_ms, sorted(ours.ids)) == (
        "ours",
        2,
        began_ms,
        sorted([first, second]),
    )
    assert other == EndlessWaits("theirs", 1, began_ms, [theirs])


def test_the_secrets_that_the_store_keeps_are_counted_and_not_shown(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    before = examine(store_url, clock=clock, machine=clock).work
    for kid in ("one", "two"):
        engine.rotate_waitpoint_secret(kid=kid, secret=b"a secret of at least 32 bytes: " + kid.encode())

    facts = examine(store_url, clock=clock, machine=clock)
    clock.advance(604_800_000)  # the grace of a rotation
    after_grace = examine(store_url, clock=clock, machine=clock).work

    assert before is not None
    assert facts.work is not None
    assert after_grace is not None
    assert (before.secrets_stored, facts.work.secrets_stored) == (0, 2)
    assert after_grace.secrets_stored == len(engine.list_waitpoint_kids()) == 1
    assert "a secret" not in repr(facts)


def test_a_cancel_that_its_worker_never_acknowledged_is_found(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    graph = FlowGraph("order")
    graph.node("pay", "kind")
    flow_id = engine.submit_flow(graph).flow_id
    engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=1_000)
    engine.cancel_flow(flow_id, reason="enough")
    clock.advance(60_000)

    (finding,) = findings(examine(store_url, clock=clock, machine=clock))

    assert finding.problem == "upkeep_behind"
    assert finding.what.startswith("1 cancelled member of a flow has been without an acknowledgement")


def test_parked_executions_need_a_worker_too_and_one_that_serves_their_lane_is_enough(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    a_live_worker(engine)
    engine.set_limit("api", concurrency=1)
    for lane in ("default", "default", "mail", "mail"):
        engine.create_execution("kind", lane=lane, limits={"api": ""}, fair_key="a" if lane == "mail" else None)
    engine.create_execution("kind", lane="mail")
    engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["default"])
    for lane in ("default", "mail"):
        engine.claim(worker_id="w", worker_instance_id="w-1", lanes=[lane], limit=10, lease_ttl_ms=1_000)
    engine.create_execution("kind", lane="mail")

    (unserved,) = findings(examine(store_url, clock=clock, machine=clock))
    engine.pause_lane("mail")
    (paused,) = findings(examine(store_url, clock=clock, machine=clock))

    assert (unserved.problem, paused.problem) == ("lane_unserved", "lane_paused")
    assert "3 executions wait in lane 'mail'" in unserved.what
    assert "3 executions wait in it" in paused.what


def test_a_paused_lane_is_found_while_anything_waits_in_it(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    engine.pause_lane("mail", reason="the server is moved")
    empty = problems(examine(store_url, clock=clock, machine=clock))
    for capabilities in ((), ("gpu",)):
        engine.create_execution("kind", lane="mail", required_capabilities=capabilities)
    clock.advance(300_000)

    (finding,) = findings(examine(store_url, clock=clock, machine=clock))
    engine.resume_lane("mail")
    resumed = problems(examine(store_url, clock=clock, machine=clock))

    assert empty == []
    assert finding.problem == "lane_paused"
    assert finding.what == (
        "Lane 'mail' of namespace 'default' has been paused for 5 min (the server is moved), "
        "and 2 executions wait in it"
    )
    assert resumed == ["lane_unserved", "lane_unserved"]


def test_a_schedule_whose_code_is_gone_is_found_unless_it_is_paused(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    for name in ("nightly", "resting"):
        engine.fire_schedule(NewSchedule(name=name, kind="kind", cron="0 3 * * *"))
    engine.pause_schedule("resting")
    alive = problems(examine(store_url, clock=clock, machine=clock))
    clock.advance(180_000)

    (finding,) = findings(examine(store_url, clock=clock, machine=clock))

    assert alive == []
    assert finding.problem == "schedule_orphaned"
    assert "Schedule 'nightly'" in finding.what


def runs_under_gates(engine: BlockingEngine) -> None:
    """A worker that holds one slot of each of two keys and a reservation, and has reserved more by hand."""
    a_live_worker(engine)
    engine.set_limit("tenant", concurrency=5)
    for name, parent in (("company", None), ("team", "company"), ("other", None)):
        engine.set_budget(name, limits={"usd": 100}, parent=parent)
    engine.create_execution("kind", limits={"tenant": "t-7"}, budgets={"team": {"usd": 10}})
    engine.create_execution("kind", limits={"tenant": "t-8"})
    engine.create_execution("kind")
    of_team, *_, plain = engine.claim(worker_id="w", worker_instance_id="w-1", limit=3, lease_ttl_ms=600_000)
    for lease in (of_team.lease, plain.lease):
        engine.reserve(lease, "other", {"usd": 5})


def test_counters_of_limits_and_budgets_that_leases_explain_are_no_problem(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    runs_under_gates(engine)

    facts = examine(store_url, clock=clock, machine=clock)

    assert findings(facts) == []
    assert facts.work is not None
    assert facts.work.gates is not None
    assert len(facts.work.gates.leased) == 3
    assert [(use.key, use.in_use) for use in facts.work.gates.key_uses] == [("t-7", 1), ("t-8", 1)]
    assert {use.name: use.reserved for use in facts.work.gates.budget_uses} == {
        "company": {"usd": 10},
        "team": {"usd": 10},
        "other": {"usd": 10},
    }


@pytest.mark.parametrize(
    ("damage", "problem", "what"),
    [
        (
            "update ff_limit_key set in_use = 4 where key = 't-7'",
            "limit_miscounted",
            "Limit tenant[t-7] of namespace 'default' counts 4 in use, and 1 lease holds a slot of it",
        ),
        (
            "delete from ff_limit_key where key = 't-8'",
            "limit_miscounted",
            "Limit tenant[t-8] of namespace 'default' counts 0 in use, and 1 lease holds a slot of it",
        ),
        (
            """update ff_budget_use set reserved = '{"usd":17}' where name = 'company'""",
            "budget_miscounted",
            "Budget company of namespace 'default' counts 17 usd as reserved, and leases have reserved 10",
        ),
        (
            "update ff_budget_use set reserved = '{}' where name = 'other'",
            "budget_miscounted",
            "Budget other of namespace 'default' counts 0 usd as reserved, and leases have reserved 10",
        ),
    ],
    ids=["a slot too many", "no record", "a reservation too many", "no reservation"],
)
def test_a_counter_that_was_changed_by_hand_is_found(
    engine: BlockingEngine, store_url: str, clock: ManualClock, damage: str, problem: str, what: str
) -> None:
    runs_under_gates(engine)
    with statements_on(store_url) as sql:
        sql(damage)

    (finding,) = findings(examine(store_url, clock=clock, machine=clock))

    assert (finding.problem, finding.what) == (problem, what)


def test_a_gate_that_nobody_looks_at_and_a_budget_that_is_exceeded_are_found(
    engine: BlockingEngine, store_url: str, clock: ManualClock
) -> None:
    runs_under_gates(engine)
    engine.reconcile()
    engine.charge_budget("other", {"usd": 100}, reason="a bill")
    clock.advance(20_000)
    a_live_worker(engine)

    behind, exceeded = findings(examine(store_url, clock=clock, machine=clock))

    assert (behind.problem, behind.what[:7]) == ("upkeep_behind", "1 queue")
    assert exceeded.what == "Budget other of namespace 'default' is exceeded: 100 of 100 usd are used"


# ── SQLite ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "WAIT_S", 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_read_that_keeps_the_log_from_being_checkpointed_is_found_with_its_process(file: str, path: Path) -> None:
    with running("hold_a_read", path) as reader:
        wait_until_ready(reader)
        with open_blocking_engine(file, reconcile=False) as engine:
            engine.create_execution("kind", lane="mail")
        found = findings(examine(file))

    assert [finding.problem for finding in found] == ["long_transaction", "lane_unserved"]
    assert f"(pid {reader.pid})" in found[0].what
    assert problems(examine(file)) == ["lane_unserved"]


@pytest.mark.usefixtures("impatient")
def test_a_held_write_lock_is_found_with_its_process_and_the_rest_is_looked_at_all_the_same(
    file: str, path: Path
) -> None:
    with open_blocking_engine(file, reconcile=False) as engine:
        engine.create_execution("kind", lane="mail")
    with running("hold_the_write_lock", path) as holder:
        wait_until_ready(holder)

        found = findings(examine(file))

    assert [finding.problem for finding in found] == ["write_lock_held", "lane_unserved"]
    assert f"pid {holder.pid} " in found[0].what


@pytest.mark.usefixtures("impatient")
def test_a_program_that_writes_without_us_is_found(file: str) -> None:
    with statements_on(file) as sql:
        sql("begin immediate")

        (finding,) = findings(examine(file))

    assert finding.problem == "write_lock_held"
    assert "A program that writes without flowfabric" in finding.what


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────


def test_a_long_transaction_is_found_with_session_program_and_first_words(url: str) -> None:
    with connected(with_options(url, application_name="nightly report")) as other, other.transaction():
        other.execute("select 'secret', count(*) from ff_exec_core")
        pid = other.info.backend_pid

        (finding,) = findings(examine(url), long_transaction_ms=0)

    assert finding.problem == "long_transaction"
    assert f"Session {pid} (nightly report), idle in transaction," in finding.what
    assert "after 'select '" in finding.what
    assert "secret" not in finding.sentence


def test_a_way_on_which_notifications_do_not_arrive_is_found(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowfabric.stores.postgres.health.NOTIFIED_S", 0.3)
    with Pooler(url, 2).running() as pooler:
        facts = examine(pooler.url)

    assert "no_notifications" in problems(facts)


def test_a_copy_of_a_database_is_found(url: str) -> None:
    with copy_of(url) as copy:
        assert problems(examine(copy)) == ["copied_database"]


def test_a_server_that_answers_before_the_disk_has_it_is_found(url: str) -> None:
    facts = examine(with_options(url, options="-c synchronous_commit=off"))

    assert problems(facts) == ["commits_unsafe"]


def test_sessions_that_a_role_may_not_see_are_counted(url: str) -> None:
    with connected(url) as admin:
        admin.execute("create role watcher login")
        try:
            admin.execute("grant select on all tables in schema public to watcher")
            as_watcher = url.replace("postgres@", "watcher@", 1)
            facts = examine(as_watcher)
        finally:
            admin.execute("drop owned by watcher")
            admin.execute("drop role watcher")

    assert isinstance(facts.store, Server)
    assert facts.store.hidden_sessions >= 1


def test_a_server_that_does_not_answer_is_one_sentence() -> None:
    with pytest.raises(StoreUnavailable, match="The database could not be asked"):
        examine("postgresql://nobody@127.0.0.1:1/nothing")
