"""Streams on PostgreSQL: what silent work sends, what is removed, what damage does, and who waits for whom."""

import random
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from flowfabric import (
    Appended,
    BlockingEngine,
    Conflict,
    Corruption,
    EngineError,
    ExecutionPolicy,
    Lease,
    LeaseLost,
    ManualClock,
    NewExecution,
    StaleLease,
    open_blocking_engine,
)
from flowfabric.domain import inputs
from flowfabric.domain.commands import AppendAll, AppendFrames, PatchSummary, RevokeLease
from flowfabric.domain.ids import ExecutionId, parse_execution_id
from flowfabric.domain.stream_pages import PAGE_BYTES_MAX
from flowfabric.domain.streams import START, Position
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres import transaction, writer
from flowfabric.stores.postgres.connection import Connection
from flowfabric.stores.postgres.rows import lock_order
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import Cursor, send
from flowfabric_conformance.stream_stage import heard, say, words
from tests.assembled import Assembled
from tests.postgres_server import connected, with_options
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import wait_until
from tests.stores.postgres.test_flow_locks import Batch, claimed, core, submitted

STREAM_TABLES = ("ff_stream", "ff_stream_chunk", "ff_summary")
DEADLOCKS = "select deadlocks from pg_stat_database where datname = current_database()"
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
WATCHED = "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'watched'"
WORKER = {"worker_id": "w", "worker_instance_id": "i"}
ANSWERED_S_MAX = 60.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.fixture
def other(url: str) -> Iterator[Sql]:
    """A second connection of someone else."""
    with connected(url) as connection:
        yield connection


@pytest.fixture
def stores(url: str, clock: ManualClock) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """The stores of two processes."""
    with closing(PostgresStore(url, clock=clock)) as one, closing(PostgresStore(url, clock=clock)) as two:
        yield one, two


def leased(engine: BlockingEngine, **policy: Any) -> Lease:
    engine.create_execution("job", policy=ExecutionPolicy(**policy))
    return engine.claim(**WORKER)[0].lease


def id_of(lease: Lease) -> ExecutionId:
    return parse_execution_id(lease.execution_id)


def chunks_in(sql: Sql) -> list[tuple[int, int]]:
    """Where chunks begin, and how many frames each has."""
    found = sql.execute("select first_seq, frame_count from ff_stream_chunk order by lease_epoch, first_seq").fetchall()
    return [(first_seq, count) for first_seq, count in found]


# ── silent work ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the statements that writers send."""
    statements = Statements("flowfabric.stores.postgres")
    names = {statements[name]: name for name in statements.names}
    found: list[str] = []

    def noting(connection: Connection, sql: str, values: Mapping[str, object] | None) -> Cursor:
        found.append(names.get(sql, sql))
        return send(connection, sql, values)

    for module in (transaction, writer):
        monkeypatch.setattr(module, "send", noting)
    return found


def about_streams(sent: list[str]) -> list[str]:
    statements = Statements("flowfabric.stores.postgres")
    about = {name for name in statements.names if any(table in statements[name] for table in STREAM_TABLES)}
    return [name for name in sent if name in about]


def test_work_that_says_nothing_sends_no_statement_about_streams_until_it_is_removed(
    engine: BlockingEngine, sent: list[str]
) -> None:
    engine.create_executions([NewExecution(kind="job", priority=number) for number in range(8)])
    leases = [each.lease for each in engine.claim(**WORKER, limit=7)]
    engine.renew_all(leases)
    engine.record_step(leases[0], "step", b"result")
    engine.complete_all([(leases[0], b""), (leases[1], b"")])
    engine.fail(leases[2], code="boom", retryable=False)
    engine.release(leases[3])
    engine.suspend(leases[4], "approval", "editor")
    engine.signal(leases[4].execution_id, "editor")
    engine.cancel_execution(leases[5].execution_id, reason="no longer wanted")
    engine.replay_execution(leases[1].execution_id, steps="clear")

    assert len(set(sent)) > 15
    assert about_streams(sent) == []

    engine.purge(ended_before_ms=2**50)

    assert set(about_streams(sent)) == {"delete_all_that_was_said"}


def test_the_removal_of_what_was_never_leased_does_not_look_for_streams(
    engine: BlockingEngine, sent: list[str]
) -> None:
    engine.cancel_execution(engine.create_execution("job").execution_id, reason="no longer wanted")

    engine.purge(ended_before_ms=2**50)

    assert "delete_executions" in sent
    assert about_streams(sent) == []


def test_an_append_takes_two_round_trips_and_writes_two_tables(engine: BlockingEngine, sent: list[str]) -> None:
    lease = leased(engine)
    engine.append_frames(lease, [b"first"])
    sent.clear()

    engine.append_frames(lease, [b"second"])

    locked = ["begin isolation level read committed", "insert_batch", "lock_solo_executions", "read_streams", "clock"]
    assert sent == [*locked, "insert_chunks", "save_streams", "commit"]


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def test_frames_of_all_sizes_come_back_byte_for_byte_when_they_are_written_together(engine: BlockingEngine) -> None:
    chance = random.Random(7)
    engine.create_executions([NewExecution(kind="job") for _ in range(20)])
    leases = [each.lease for each in engine.claim(**WORKER, limit=20)]
    payloads = [
        [chance.randbytes(chance.choice([0, 1, 20, 3_000, 65_536])) for _ in range(1 + number % 4)]
        for number in range(20)
    ]

    engine.append_all([(lease, frames, None, 0) for lease, frames in zip(leases, payloads, strict=True)])

    found = [[frame.payload for frame in engine.read_stream(lease.execution_id).frames] for lease in leases]
    assert found == payloads


def test_a_read_has_no_more_chunks_than_a_page_can_take(parts: Assembled) -> None:
    lease = leased(parts.engine)
    megabyte = [b"x" * 65_536] * 16
    for _ in range(9):
        parts.engine.append_frames(lease, megabyte)

    part = parts.store.stream_part(id_of(lease), START, 100)
    rest = parts.store.stream_part(id_of(lease), Position(1, 5 * 16 - 1), 100)

    assert part is not None
    assert rest is not None
    assert sum(chunk.size for chunk in part.chunks) == PAGE_BYTES_MAX
    assert part.has_more
    assert ([chunk.first_seq // 16 for chunk in rest.chunks], rest.has_more) == ([5, 6, 7, 8], False)


@pytest.mark.parametrize("most", [1, 2, 5])
@pytest.mark.parametrize("seq", range(-1, 10))
def test_a_read_begins_with_the_chunk_of_the_next_frame(parts: Assembled, seq: int, most: int) -> None:
    lease = leased(parts.engine)
    for count in (1, 3, 2, 3):
        say(parts.engine, lease, *["word"] * count)
    ends = {0: 1, 1: 4, 4: 6, 6: 9}
    expected = [first_seq for first_seq, end in ends.items() if end > seq + 1]

    part = parts.store.stream_part(id_of(lease), Position(1, seq), most)

    assert part is not None
    assert [chunk.first_seq for chunk in part.chunks] == expected[:most]
    assert part.has_more == (len(expected) > most)


def test_of_many_chunks_with_the_same_retried_steps_the_first_one_is_read(parts: Assembled) -> None:
    lease = leased(parts.engine)
    for step_try in (1, 2, 2, 3, 2):
        say(parts.engine, lease, "word", step="draft", step_try=step_try)

    part = parts.store.stream_part(id_of(lease), START, 100)

    assert part is not None
    assert [(each.first_seq, each.retried[0].step_try) for each in part.retried] == [(1, 2), (3, 3)]


def test_a_read_is_as_of_one_moment(parts: Assembled, sql: Sql, other: Sql, pool: ThreadPoolExecutor) -> None:
    lease = leased(parts.engine)
    parts.engine.append_frames(lease, [b"first"])
    with other.transaction():
        # The read has seen the stream and waits for the chunks, while somebody writes both.
        other.execute("lock table ff_stream_chunk in access exclusive mode")
        reading = pool.submit(parts.store.stream_part, id_of(lease), START, 100)
        wait_until(lambda: sql.execute(WAITING).fetchone() == (1,))
        other.execute(
            "insert into ff_stream_chunk select partition_key, execution_id, lease_epoch, 1, 0, 1, 5, 0, null, data"
            " from ff_stream_chunk"
        )
        other.execute("update ff_stream set next_seq = 2")
    part = reading.result(ANSWERED_S_MAX)

    assert part is not None
    assert part.stream is not None
    assert (part.stream.next_seq, len(part.chunks)) == (1, 1)


def test_all_that_was_said_is_removed_with_its_execution_and_nothing_else(engine: BlockingEngine, sql: Sql) -> None:
    gone, kept = leased(engine), leased(engine)
    for lease in (gone, kept):
        engine.append_frames(lease, [b"one"])
        engine.append_frames(lease, [b"two"])
        engine.patch_summary(lease, {"stage": "done"})
    engine.complete(gone)

    engine.purge(ended_before_ms=2**50)

    left = [
        sql.execute(f"select distinct execution_id::text from {table}".encode()).fetchall() for table in STREAM_TABLES
    ]
    assert left == [[(kept.execution_id[-36:],)]] * 3


def test_damaged_steps_of_a_chunk_are_named_and_only_its_own_stream_is_affected(
    engine: BlockingEngine, sql: Sql
) -> None:
    damaged, healthy = leased(engine), leased(engine)
    for lease in (damaged, healthy):
        say(engine, lease, "word", step="draft", step_try=2)
    sql.execute("update ff_stream_chunk set retried = 'garbage' where execution_id = %s", [damaged.execution_id[-36:]])

    with pytest.raises(Corruption, match=f"ff_stream_chunk, key {damaged.execution_id}, 1, 0: column retried"):
        engine.read_stream(damaged.execution_id)
    assert heard(engine, healthy.execution_id) == ["word"]
    say(engine, damaged, "another")


# ── zombies, and frames that are sent again ──────────────────────────────────────────────────────


def test_an_append_that_waits_while_its_lease_is_taken_away_is_refused(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
) -> None:
    zombie, neighbour = leased(engine), leased(engine)
    revoke = Batch(stores[0], RevokeLease(id_of(zombie), "", "", "stuck"))
    late = Batch(stores[1], AppendAll((words(zombie, "late"), words(neighbour, "in time"))))
    with core(zombie.execution_id).held(other):
        revoke.start(sql)
        late.start(sql, behind=1)
    revoke.answers()
    (answers,) = late.answers()

    assert isinstance(answers, list)
    assert [type(answer) for answer in answers] == [LeaseLost, Appended]
    assert heard(engine, zombie.execution_id, view="all") == []
    assert heard(engine, neighbour.execution_id) == ["in time"]


def test_a_zombie_that_comes_back_after_another_worker_has_written_changes_nothing(
    engine: BlockingEngine, open_another: Open, clock: ManualClock, sql: Sql
) -> None:
    zombie = leased(engine)
    say(engine, zombie, "before")
    engine.revoke_lease(zombie.execution_id)
    successor = engine.claim(**WORKER)[0].lease
    say(engine, successor, "now")
    elsewhere = open_another(clock=clock)

    with pytest.raises(StaleLease):
        elsewhere.append_frames(zombie, [b"too late"], first_seq=1)
    with pytest.raises(EngineError):
        elsewhere.saying(words(zombie, "too late")).complete(zombie)
    with pytest.raises(StaleLease):
        elsewhere.patch_summary(zombie, {"stage": "late"})

    assert heard(engine, zombie.execution_id, view="all") == ["before", "now"]
    assert sql.execute("select count(*) from ff_summary").fetchone() == (0,)


def test_a_flush_whose_first_try_is_still_on_its_way_counts_once(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
) -> None:
    lease = leased(engine)
    flush = AppendFrames(words(lease, "one", "two", first_seq=0))
    tries = [Batch(store, flush) for store in stores]
    with core(lease.execution_id).held(other):
        for behind, each in enumerate(tries):
            each.start(sql, behind=behind)

    assert [each.answers() for each in tries] == [[Appended(0, 2)]] * 2
    assert chunks_in(sql) == [(0, 2)]


def test_other_frames_at_the_place_of_a_flush_that_is_still_on_its_way_are_a_conflict(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
) -> None:
    lease = leased(engine)
    first = Batch(stores[0], AppendFrames(words(lease, "one", first_seq=0)))
    second = Batch(stores[1], AppendFrames(words(lease, "another", first_seq=0)))
    with core(lease.execution_id).held(other):
        first.start(sql)
        second.start(sql, behind=1)

    assert first.answers() == [Appended(0, 1)]
    assert [type(answer) for answer in second.answers()] == [Conflict]
    assert heard(engine, lease.execution_id) == ["one"]


# ── members of flows ─────────────────────────────────────────────────────────────────────────────


def test_two_appends_to_a_member_that_both_waited_for_it_come_one_after_the_other(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
) -> None:
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    say(engine, running.lease, "first")
    batches = [Batch(store, AppendFrames(words(running.lease, "more"))) for store in stores]
    with core(ids["a"]).held(other):
        for behind, batch in enumerate(batches):
            batch.start(sql, behind=behind)

    assert [batch.answers() for batch in batches] == [[Appended(1, 2)], [Appended(2, 3)]]
    assert heard(engine, ids["a"]) == ["first", "more", "more"]


def test_two_patches_of_a_member_that_both_waited_for_it_both_count(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
) -> None:
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    fence = inputs.fence(running.lease)
    batches = [Batch(store, PatchSummary(fence, {name: 1})) for store, name in zip(stores, "xy", strict=True)]
    with core(ids["a"]).held(other):
        for behind, batch in enumerate(batches):
            batch.start(sql, behind=behind)
    for batch in batches:
        batch.answers()

    summary = engine.read_summary(ids["a"])
    assert summary is not None
    assert (summary.version, summary.document) == (2, {"x": 1, "y": 1})


# ── many at once ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("are_members", [False, True])
def test_an_append_to_many_locks_them_in_one_order(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql, are_members: bool
) -> None:
    if are_members:
        for _ in range(8):
            submitted(engine, ("a", "b"))
        leases = [each.lease for each in claimed(engine, "a")]
    else:
        engine.create_executions([NewExecution(kind="job") for _ in range(8)])
        leases = [each.lease for each in engine.claim(**WORKER, limit=8)]
    first, *rest = sorted(leases, key=lambda lease: lock_order(id_of(lease)))
    append = Batch(stores[0], AppendAll(tuple(words(lease, "word") for lease in (*reversed(rest), first))))

    with core(first.execution_id).held(other):
        append.start(sql)
        are_free = [core(lease.execution_id).is_free(sql) for lease in rest]
    append.answers()

    assert are_free == [True] * 7
    assert [heard(engine, lease.execution_id) for lease in leases] == [["word"]] * 8


def test_appends_of_two_engines_to_the_same_executions_never_deadlock(
    engine: BlockingEngine, url: str, clock: ManualClock, sql: Sql, pool: ThreadPoolExecutor
) -> None:
    """Beside renewals, steps with frames and patches; executions by themselves, and members of flows."""
    rounds = 12
    engine.create_executions([NewExecution(kind="job") for _ in range(12)])
    leases = [each.lease for each in engine.claim(**WORKER, limit=12)]
    for _ in range(4):
        submitted(engine, ("a", "b"))
    leases += [each.lease for each in claimed(engine, "a")]
    appended: dict[str, list[Appended]] = {lease.execution_id: [] for lease in leases}
    noting = threading.Lock()

    def append(by: BlockingEngine, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(rounds):
            chosen = chance.sample(leases, 10)
            answers = by.append_said([words(lease, "a", "b") for lease in chosen])
            with noting:
                for lease, answer in zip(chosen, answers, strict=True):
                    assert isinstance(answer, Appended)
                    appended[lease.execution_id].append(answer)

    def work(by: BlockingEngine, seed: int) -> None:
        chance = random.Random(seed)
        for number in range(rounds):
            by.renew_all(chance.sample(leases, 10))
            lease = chance.choice(leases)
            by.saying(words(lease, "c")).record_step(lease, f"step {seed} {number}", b"")
            by.patch_summary(chance.choice(leases), {"round": number})

    # The server looks for deadlocks before a batch gives up waiting.
    watched = with_options(url, options="-c deadlock_timeout=20ms", application_name="watched")
    with (
        open_blocking_engine(watched, clock=clock, reconcile=False) as one,
        open_blocking_engine(watched, clock=clock, reconcile=False) as two,
    ):
        running = [pool.submit(append, by, seed) for seed, by in enumerate((one, two, one, two))]
        running += [pool.submit(work, by, 10 + seed) for seed, by in enumerate((one, two))]
        for each in running:
            each.result(ANSWERED_S_MAX)
    # A session reports what it has met when it ends.
    wait_until(lambda: sql.execute(WATCHED).fetchone() == (0,))

    assert sql.execute(DEADLOCKS).fetchone() == (0,)
    for lease in leases:
        found = heard(engine, lease.execution_id)
        places = sorted(appended[lease.execution_id], key=lambda answer: answer.first_seq)
        assert [found[answer.first_seq : answer.next_seq] for answer in places] == [["a", "b"]] * len(places)
        assert len(found) == 2 * len(places) + found.count("c")
    assert sum(map(len, appended.values())) == 4 * rounds * 10


# ── many chunks ──────────────────────────────────────────────────────────────────────────────────

MANY = 5_000


@pytest.mark.parametrize("is_analyzed", [True, False])
@pytest.mark.parametrize(
    ("name", "blocks_max"),
    [("read_stream_part", 130), ("read_retried", 20), ("read_streams", 10), ("read_stream_ends", 20)],
)
def test_a_read_of_a_very_long_stream_touches_only_what_it_returns(
    engine: BlockingEngine, sql: Sql, name: str, blocks_max: int, is_analyzed: bool
) -> None:
    lease = leased(engine)
    say(engine, lease, "word", step="draft", step_try=2)
    # In any order, as rows lie in a table of which many were removed.
    sql.execute(
        f"insert into ff_stream_chunk select partition_key, execution_id, epoch, i, 0, 1, 4, 0, retried, data"
        f" from ff_stream_chunk, generate_series(1, {MANY}) as i, generate_series(0, 1) as epoch order by md5(i::text)"
    )
    sql.execute("analyze" if is_analyzed else "select 1")
    key = {"partition_key": int(lease.execution_id[4:].partition("}")[0]), "execution_id": lease.execution_id[-36:]}
    at = {"lease_epoch": 1, "next_seq": MANY // 2, "most": 100, "bytes_max": PAGE_BYTES_MAX}
    one = {"partition_key": f"{{{key['partition_key']}}}", "execution_id": f"{{{key['execution_id']}}}"}
    values = one if name in ("read_streams", "read_stream_ends") else {**key, **at}
    statement = Statements("flowfabric.stores.postgres")[name]

    row = sql.execute(f"explain (analyze, buffers, format json) {statement}".encode(), values).fetchone()

    assert row is not None
    plan = row[0][0]["Plan"]
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] <= blocks_max
