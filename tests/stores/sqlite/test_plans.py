"""Every statement finds its rows through its index, however many rows there are and whatever the statistics say."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flowfabric import NewExecution
from flowfabric.domain.ids import partition_of
from flowfabric.domain.listing import FlowFilter
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.store import SqliteStore
from tests.assembled import Assembled, assembled_at
from tests.sizes import IS_FULL
from tests.stores.sqlite.conftest import writer_of
from tests.stores.sqlite.searches import SEARCHES

# Early releases of Python 3.12 take ?1 for a name; the store's own connections know.
pytestmark = pytest.mark.filterwarnings("ignore:Binding:DeprecationWarning")

FINISHED = WAITING = SUSPENDED = 100_000 if IS_FULL else 20_000

# What an operator asks by hand, and may run through everything that it counts.
BY_HAND = {
    *("count_leases", "count_waiting", "count_due", "find_miscounts", "mend_counts", "list_queued_executions"),
    *("find_oldest_suspended", "count_recent_failures"),
    *("count_held", "count_failed", "count_endless_waits", "list_ends_of_secrets"),
    *("count_pending_acks", "count_recent_ends", "find_nth_newest_event", "read_log_extent", "read_schema_version"),
    *("count_kept", "count_kept_flows", "count_overdue_openings"),
    *("list_leased_gates", "list_keys_in_use", "list_uses_that_matter"),
    *("sum_spending_by_execution", "sum_spending_by_flow", "sum_spending_by_kind", "sum_spending_by_day"),
}
# What reads or writes the kept counts: a row for each lane, kind and standing, for each minute of a day, and for what
# was not added up yet.
OF_COUNTS = {
    *("count_standings", "count_live_executions", "count_kept_executions", "count_for_list", "count_ends"),
    *("find_count_moves", "forget_empty_counts", "forget_old_ends", "fold_counts", "fold_ends", "delete_count_moves"),
}
BY_HAND |= OF_COUNTS
SORTS_WHAT_IT_FINDS = {
    *("find_old_events", "find_oldest_ready", "insert_events_of_claim", "insert_events_of_completion")
}
# What a plan may run through from end to end: the rows we send, what was found already, and tables and indexes of a few
# rows.
WALKED = re.compile(
    r"SCAN (CONSTANT ROW|\d+ CONSTANT ROWS?|\d+-ROW VALUES CLAUSE|n|r|found|sqlite_sequence|ff_worker|ff_schedule"
    r"|ff_lane|ff_stream USING (COVERING )?INDEX ff_stream_too_long|[kl] VIRTUAL TABLE INDEX 1:|[cf] \(subquery\))"
)


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file with many finished and many waiting executions, and statistics taken at four moments."""
    path = tmp_path_factory.mktemp("plans") / "deep.db"
    SqliteStore(str(path)).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma synchronous = off")
    for table in ("none", "few", "none_waiting", "all_waiting"):
        connection.execute(f"create table statistics_{table} (tbl, idx, stat)")
    keep_statistics(connection, "none")
    fill(connection, finished=0, waiting=3)
    keep_statistics(connection, "few")
    empty(connection)
    fill(connection, finished=0, waiting=WAITING)
    keep_statistics(connection, "all_waiting")
    empty(connection)
    fill(connection, finished=FINISHED, waiting=0)
    keep_statistics(connection, "none_waiting")
    fill(connection, finished=0, waiting=WAITING, suspended=SUSPENDED)
    connection.execute("delete from sqlite_stat1")
    connection.close()
    yield path
    shutil.rmtree(path.parent)


def fill(connection: sqlite3.Connection, *, finished: int, waiting: int, suspended: int = 0) -> None:
    """Executions as the engine would leave them, by SQL. Keys are 16 digits, which as a blob have the right size."""
    connection.create_function("partition_of", 1, partition_of)
    rows = "with recursive r (i) as (select ?1 union all select i + 1 from r where i < ?2)"
    start = 10**15 + connection.execute("select count(*) from ff_exec_core").fetchone()[0]
    for count, phase, eligibility, attempt, outcome, public in (
        (finished, 3, 8, 5, 1, 7),
        (waiting, 0, 0, 0, 0, 0),
        (suspended, 2, 8, 7, 0, 5),
    ):
        if not count:
            continue
        bounds = (start, start + count - 1)
        start += count
        states = (phase, eligibility, attempt, outcome, public)
        connection.execute("begin")
        connection.execute(
            rows + " insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind,"
            " capability_set, created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,"
            " public_state, priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,"
            " event_seq, ready_at_ms, due_kind, due_at_ms, inbox, waiting_since_ms)"
            " select 86, cast(i as blob), 'default', 'default', 'kind', 0, 1700000000000 + i, ?3, ?4, ?5, ?6, ?7,"
            " i % 5, 0, 0, 0, 0, 0, 1, 1700000000000 + i,"
            " iif(?3, iif(?3 = 2, 6, 4), null), iif(?3, 1700000000000 + i, null),"
            " iif(?3 = 2, '{\"waits\":[]}', null), iif(?3 = 2, 1700000000000 + i, null) from r",
            (*bounds, *states),
        )
        connection.execute(rows + " insert into ff_payload select 86, cast(i as blob), x'00' from r", bounds)
        connection.execute(
            rows + " insert into ff_tag select 86, cast(i as blob), 'team.name', 'billing', 1700000000000 + i from r",
            bounds,
        )
        connection.execute(
            rows + " insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq,"
            " occurred_at_ms) select 1, 'completed', 'default', 86, cast(i as blob), 1, 0 from r",
            bounds,
        )
        # Chains of ten: each waits for the one before it, and some are passed its result.
        connection.execute(
            rows + " insert into ff_flow_core (partition_key, flow_id, namespace, flow_kind, created_at_ms, state,"
            " graph_revision, node_count, edge_count, live_count, lost_sinks, event_seq, terminal_at_ms, purge_at_ms)"
            " select partition_of(cast(i as blob)), cast(i as blob), 'default', 'kind', 1700000000000 + i,"
            " iif(?3, 2, 0), 10, 10, 9, iif(?3, 0, 10), 0, 0, iif(?3, 1, null), iif(?3, 1700000000000 + i, null)"
            " from r where i % 10 = 0",
            (*bounds, phase),
        )
        connection.execute(
            rows + " insert into ff_edge (partition_key, flow_id, edge_id, upstream, downstream, pass_result_as,"
            " created_at_ms, outcome, generation) select partition_of(cast(i - i % 10 as blob)),"
            " cast(i - i % 10 as blob), cast(i as text), cast(i - 1 as blob), cast(i as blob),"
            " iif(i % 3, null, 'name'), 1, ?3, 0 from r where i % 10",
            (*bounds, outcome),
        )
        connection.execute(
            rows + " insert into ff_edge_group (partition_key, downstream, flow_id, policy_kind, total, success_count,"
            " fail_count, skip_count, state, passes_results) select partition_of(cast(i - i % 10 as blob)),"
            " cast(i as blob), cast(i - i % 10 as blob), 0, 1, ?3, 0, 0, ?3, not i % 3 from r where i % 10",
            (*bounds, outcome),
        )
        connection.execute("commit")


def empty(connection: sqlite3.Connection) -> None:
    for table in ("ff_exec_core", "ff_payload", "ff_tag", "ff_event", "ff_flow_core", "ff_edge", "ff_edge_group"):
        connection.execute(f"delete from {table}")


def keep_statistics(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("analyze")
    connection.execute(f"insert into statistics_{name} select tbl, idx, stat from sqlite_stat1")


@contextmanager
def plans_with(path: Path, statistics: str | None) -> Iterator[Callable[[str, int], list[str]]]:
    """The plans that a new connection would make, with the given statistics in place."""
    writing = sqlite3.connect(path, isolation_level=None)
    if statistics is not None:
        writing.execute(f"insert into sqlite_stat1 select * from statistics_{statistics}")
    writing.close()
    # Not one of the store's own: a program that submits in its transaction has settings of its own.
    connection = sqlite3.connect(path, isolation_level=None)
    sql = Statements("flowfabric.stores.sqlite")

    def plan(name: str, rows: int) -> list[str]:
        statement = sql.repeated(name, rows) if "/* rows */" in sql[name] else sql[name]
        numbered = [int(number) for number in re.findall(r"\?(\d+)", statement)]
        values = [None] * (max(numbered) if numbered else statement.count("?"))
        lines = [in_one_wording(row[3]) for row in connection.execute(f"explain query plan {statement}", values)]
        if name in ("load_ready", "find_plain_head", "list_flows", "find_ended_flows"):
            # Its outer part runs through the few rows that its inner part has found, and calls them c or f.
            lines = [f"{line} (subquery)" if line in ("SCAN c", "SCAN f") else line for line in lines]
        if name == "find_limited_head":
            # It puts together the few rows of two parts of the queue.
            lines = [line for line in lines if not re.fullmatch(r"SCAN \(subquery-\d+\)", line)]
        if name == "find_oldest_ready":
            # Its steps run through what the steps before them have found: namespaces, lanes, sets and priorities.
            lines = [line for line in lines if not re.fullmatch(r"SCAN ([slp]|\(subquery-\d+\))", line)]
        return lines

    try:
        yield plan
    finally:
        connection.execute("delete from sqlite_stat1")
        connection.close()


def in_one_wording(line: str) -> str:
    """Releases say the same in other words."""
    line = re.sub(r"^SCAN SUBQUERY (\d+)$", r"SCAN (subquery-\1)", line)  # before 3.39
    return line.replace(" EXISTS USING ", " USING ")  # since 3.51: it stops at the first row


def is_search(found: str, pattern: str) -> bool:
    """Whether a search goes the expected way. That it needs nothing but the index is as good as expected, or better."""
    if sqlite3.sqlite_version_info < (3, 39):
        pattern = pattern.replace(" LEFT-JOIN", "")  # it is not said yet
    return any(re.fullmatch(pattern, each) for each in (found, found.replace("USING COVERING INDEX", "USING INDEX")))


def names() -> list[str]:
    return Statements("flowfabric.stores.sqlite").names


@pytest.mark.xdist_group("sqlite: plans")
@pytest.mark.parametrize("statistics", [None, "none", "few", "none_waiting", "all_waiting"])
def test_every_statement_searches_through_its_index(deep: Path, statistics: str | None) -> None:
    with plans_with(deep, statistics) as plan:
        for name in sorted(set(names()) - BY_HAND):
            for rows in (1, 2, 256):
                lines = plan(name, rows)

                searched = [line.removeprefix("SEARCH ") for line in lines if line.startswith("SEARCH ")]
                expected = SEARCHES.get(name, [])
                # Releases list the parts of a statement in another order, and what is used twice once or twice.
                for found in searched:
                    assert any(is_search(found, pattern) for pattern in expected), (name, found)
                for pattern in expected:
                    assert any(is_search(found, pattern) for found in searched), (name, pattern, lines)
                for line in lines:
                    assert not line.startswith("SCAN ") or WALKED.fullmatch(line), (name, line)
                    assert "TEMP B-TREE" not in line or name in SORTS_WHAT_IT_FINDS, (name, line)
                    assert "AUTOMATIC" not in line, (name, line)


def test_no_statement_is_forgotten_here() -> None:
    assert set(SEARCHES) <= set(names())
    silent = set(names()) - set(SEARCHES) - BY_HAND
    assert all(name.startswith(("insert_", "save_")) or name == "last_event_id" for name in silent), silent


@contextmanager
def counting(connection: sqlite3.Connection, every: int = 1) -> Iterator[list[int]]:
    """Count the steps of SQLite's virtual machine on a connection, or every so many of them, which is quicker."""
    steps = [0]

    def step() -> int:
        steps[0] += every
        return 0

    connection.set_progress_handler(step, every)
    try:
        yield steps
    finally:
        connection.set_progress_handler(None, every)


@contextmanager
def shallow_and_deep(deep: Path, tmp_path: Path) -> Iterator[tuple[Assembled, Assembled]]:
    """Two engines: one on a file with a thousand waiting executions, one on a copy of the deep one."""
    small, large = tmp_path / "small.db", tmp_path / "large.db"
    SqliteStore(str(small)).close()
    connection = sqlite3.connect(small, isolation_level=None)
    fill(connection, finished=0, waiting=1000, suspended=1000)
    connection.close()
    shutil.copy(deep, large)
    with (
        assembled_at(f"sqlite:///{small}") as shallow,
        assembled_at(f"sqlite:///{large}") as deep_one,
    ):
        yield shallow, deep_one


def steps_of_writes(parts: Assembled) -> dict[str, int]:
    """How many steps each kind of command takes, from opening its transaction to the end of its commit."""
    engine, connection = parts.engine, writer_of(parts).connection
    assert connection is not None
    took = {}
    with counting(connection) as steps:
        claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)
    took["claim"] = steps[0]
    assert len(claimed) == 10
    commands: dict[str, Callable[[], object]] = {
        "complete": lambda: engine.complete(claimed[0].lease, b"done"),
        "cancel": lambda: engine.cancel_execution(claimed[1].execution_id, reason="enough"),
        "renew": lambda: engine.renew(claimed[2].lease, lease_ttl_ms=60_000),
        "create": lambda: engine.create_executions([NewExecution(kind="kind")] * 10),
        "claim of nothing": lambda: engine.claim(worker_id="w", worker_instance_id="i", lanes=["empty"]),
    }
    for name, command in commands.items():
        with counting(connection) as steps:
            command()
        took[name] = steps[0]
    return took


def steps_of_reads(parts: Assembled) -> dict[str, int]:
    """How many steps each kind of read takes."""
    engine, store = parts.engine, parts.store
    assert isinstance(store, SqliteStore)
    known = engine.list_executions(limit=1).items[0].execution_id
    end_of_log = store.events_from_now()
    flow = store.flows(FlowFilter(), None, 1)[0].flow_id
    member = store.edges(flow, None, None)[3].upstream
    reads: dict[str, Callable[[], object]] = {
        "describe": lambda: engine.describe_execution(known),
        "list": lambda: engine.list_executions(limit=10),
        "list by tag": lambda: engine.list_executions(tag=("team.name", "billing"), limit=10),
        "events of one": lambda: engine.read_events(execution_id=known),
        "first events": lambda: engine.read_events(limit=10),
        "last events": lambda: engine.read_events(cursor=end_of_log, limit=10),
        "newest events": lambda: engine.newest_events(limit=10),
        "due": lambda: store.due("retention", 2**52, None, 10),
        "nothing due": lambda: store.due("lease", 2**52, None, 10),
        "list flows": lambda: store.flows(FlowFilter(), None, 10),
        "edges from one": lambda: store.edges(flow, member, None),
        "edges to one": lambda: store.edges(flow, None, member),
        "edges": lambda: store.edges(flow, None, None),
        "view": lambda: store.flow_view(flow),
        "nothing blocked": lambda: store.side_rows(None, 10),
        "suspended": lambda: store.suspended(None, None, None, 10),
    }
    with store.readers.reading() as connection:
        pass  # the connection that was given back last is the next to be used
    took = {}
    for name, read in reads.items():
        with counting(connection) as steps:
            read()
        took[name] = steps[0]
    return took


@pytest.mark.xdist_group("sqlite: plans")
@pytest.mark.parametrize("steps_of", [steps_of_writes, steps_of_reads])
def test_many_rows_take_as_many_steps_as_a_thousand(
    deep: Path, tmp_path: Path, steps_of: Callable[[Assembled], dict[str, int]]
) -> None:
    with shallow_and_deep(deep, tmp_path) as (shallow, deep_one):
        few, many = steps_of(shallow), steps_of(deep_one)

    # Nothing is due in the small file, so that ten due rows there have nothing to be compared with.
    few["due"] = many.get("due", 0)
    assert few["due"] < 500
    for name, steps in many.items():
        # Where the small file has no row at all, the large one may have a first row to look at in vain.
        assert 0 < steps < few[name] * 1.5 + 10, (name, few[name], steps)


@pytest.mark.xdist_group("sqlite: plans")
def test_what_a_worker_cannot_do_does_not_stand_in_its_way(deep: Path, tmp_path: Path) -> None:
    with shallow_and_deep(deep, tmp_path) as both:
        took = []
        for parts in both:
            engine, connection = parts.engine, writer_of(parts).connection
            assert connection is not None
            # Everything that waits needs a graphics card, and comes first; one execution does not.
            connection.execute("insert into ff_capability_set values (1, '[\"gpu\"]')")
            connection.execute("update ff_exec_core set capability_set = 1, priority = 9 where lifecycle_phase = 0")
            plain = engine.create_execution("kind").execution_id

            with counting(connection) as steps:
                claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=5)

            assert [each.execution_id for each in claimed] == [plain]
            took.append(steps[0])
    assert took[1] < took[0] * 1.5
