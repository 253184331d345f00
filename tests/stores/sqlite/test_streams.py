"""Streams in a file: what they cost, what is left of them, and what becomes of damaged rows."""

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from flowfabric import Appended, BlockingEngine, Corruption, ExecutionPolicy, Lease, Summary
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.stream_pages import PAGE_BYTES_MAX
from flowfabric.domain.streams import START, Position, StoredFrame, pack
from flowfabric.engine import poller, scope
from flowfabric.stores.sqlite import writer
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.testing import ManualClock
from flowfabric_conformance.stage import Started, claim, create, start
from flowfabric_conformance.stream_stage import again, heard, say, words
from tests.assembled import Assembled, assembled_at
from tests.stores.sqlite.conftest import writer_of
from tests.stores.sqlite.test_plans import counting

STREAM_TABLES = ("ff_stream", "ff_stream_chunk", "ff_summary")


def counts(sql: sqlite3.Connection) -> dict[str, int]:
    """How many rows each table of streams has."""
    return {table: sql.execute(f"select count(*) from {table}").fetchone()[0] for table in STREAM_TABLES}


NOTHING = dict.fromkeys(STREAM_TABLES, 0)


# ── what it costs ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def sent(parts: Assembled) -> list[str]:
    """The statements that the engine's writer runs."""
    statements: list[str] = []
    connection = writer_of(parts).connection
    assert connection is not None
    connection.set_trace_callback(statements.append)
    return statements


def test_an_execution_that_says_nothing_touches_no_table_of_streams_while_it_lives(
    engine: BlockingEngine, clock: ManualClock, sent: list[str], sql: sqlite3.Connection
) -> None:
    known = create(engine, policy=ExecutionPolicy(retention_ms=1))
    lease = claim(engine).lease
    engine.record_step(lease, "draft", b"")
    engine.suspend(lease, "wait", "editor")
    engine.signal(known, "editor")
    engine.complete(claim(engine).lease)
    engine.replay_execution(known, steps="clear")
    engine.complete(claim(engine).lease)
    alive = list(sent)
    clock.advance(10)
    engine.reconcile()
    removal = sent[len(alive) :]

    assert engine.describe_execution(known) is None
    assert [statement for statement in alive if any(table in statement for table in STREAM_TABLES)] == []
    touching = [statement for statement in removal if any(table in statement for table in STREAM_TABLES)]
    assert len(touching) == 1, "its removal asks once whether it has said something"
    assert touching[0].startswith("select n.column1,n.column2")
    assert counts(sql) == NOTHING


def test_an_append_to_a_stream_reads_its_end_and_writes_two_rows(engine: BlockingEngine, sent: list[str]) -> None:
    leases = [start(engine) for _ in range(8)]
    engine.append_all([(lease, [b"hello"], None, None) for lease in leases])
    sent.clear()

    engine.append_all([(lease, [b"a", b"b"], "step", 1) for lease in leases])

    touching = [statement for statement in sent if any(table in statement for table in STREAM_TABLES)]
    assert [statement.split("(")[0].split()[:3] for statement in touching] == [
        ["select", "json_group_array"],
        ["insert", "into", "ff_stream"],
        ["insert", "into", "ff_stream_chunk"],
    ]


def steps_of_stream(appends: int, path: Path) -> dict[str, int]:
    """How many steps of SQLite's machine it takes to append to the end of a stream, and to read it there."""
    with assembled_at(f"sqlite:///{path}", clock=ManualClock()) as parts:
        engine, store, connection = parts.engine, parts.store, writer_of(parts).connection
        assert isinstance(store, SqliteStore)
        assert connection is not None
        lease = start(engine)
        say(engine, lease, "in vain", step="s")
        engine.append_said(
            [words(lease, "again", step="s", step_try=2, first_seq=number) for number in range(1, appends)]
        )
        key = parse_execution_id(lease.execution_id)
        took = {}
        with counting(connection) as steps:
            assert engine.append_frames(lease, [b"the end"]) == Appended(appends, appends + 1)
        took["append"] = steps[0]
        with counting(connection) as steps:
            engine.append_frames(lease, [b"the end"], first_seq=appends)
        took["repeat"] = steps[0]
        with store.readers.reading() as reader:
            pass  # the connection that was given back last is the next to be used
        with counting(reader) as steps:
            part = store.stream_part(key, Position(1, appends - 1), 100)
        took["read the end"] = steps[0]
        assert part is not None
        assert [chunk.first_seq for chunk in part.chunks] == [appends]
        with counting(reader) as steps:
            part = store.stream_part(key, START, 5)
        took["read the start"] = steps[0]
        assert part is not None
        assert (len(part.chunks), part.has_more) == (5, True)
        return took


def test_a_long_stream_costs_as_much_as_a_short_one(tmp_path: Path) -> None:
    few, many = steps_of_stream(50, tmp_path / "few.db"), steps_of_stream(2000, tmp_path / "many.db")

    for name, steps in many.items():
        assert 0 < steps < few[name] * 1.5, (name, few[name], steps)


def test_large_appends_are_read_a_few_at_a_time(parts: Assembled) -> None:
    engine, store = parts.engine, parts.store
    lease = start(engine)
    for _ in range(8):
        engine.append_frames(lease, [b"x" * 65_536] * 16)

    part = store.stream_part(parse_execution_id(lease.execution_id), START, 100)

    assert part is not None
    assert sum(chunk.size for chunk in part.chunks) == PAGE_BYTES_MAX
    assert part.has_more


def test_what_is_said_counts_for_checkpoints(
    engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 256 * 1024)
    lease = start(engine)

    for _ in range(64):
        engine.append_frames(lease, [b"x" * 65_536])

    assert path.stat().st_size > 3 * 1024 * 1024, "nothing reached the database file"
    assert os.stat(f"{path}-wal").st_size < 1024 * 1024


# ── followers in other processes ─────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("nobody_polls")
def test_frames_and_the_end_wake_those_who_follow_in_another_process(url: str) -> None:
    with assembled_at(url) as here, assembled_at(url) as there:
        lease = start(there.engine)
        follower = here.engine.follow_stream(lease.execution_id)

        for text in ("a", "b"):
            waiting = Started(lambda: next(follower))
            has_begun_to_wait(here)
            say(there.engine, lease, text)
            assert waiting.answer().payload == text.encode()
        ending = Started(lambda: list(follower))
        has_begun_to_wait(here)
        there.engine.complete(lease)

        assert ending.answer() == []
        assert follower.closed_reason == "completed"


@pytest.fixture
def nobody_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks unless the file has changed."""
    for module in (scope, poller):
        monkeypatch.setattr(module, "POLL_S", 600.0)


def has_begun_to_wait(parts: Assembled) -> None:
    """Return once somebody follows a stream there."""
    pause = threading.Event()
    while parts.wakeups._poller.is_resting:
        pause.wait(0.002)


# ── what is left ─────────────────────────────────────────────────────────────────────────────────


def speak(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> Lease:
    """Frames of two epochs, in steps that were tried twice, and a summary."""
    say(engine, lease, "a", "b")
    engine.saying(words(lease, "c", step="s", step_try=2)).record_step(lease, "s", b"", tries=2)
    engine.patch_summary(lease, {"stage": "speaking"})
    second = again(engine, clock, lease)
    say(engine, second, "d")
    return second


@pytest.mark.parametrize("how", ["retention", "purge", "flow"])
def test_nothing_is_left_of_what_a_removed_execution_has_said(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection, how: str
) -> None:
    policy = ExecutionPolicy(retention_ms=1_000)
    if how == "flow":
        flow_id = engine.create_flow("flow").flow_id
        engine.add_execution(flow_id, "job", policy=policy)
        lease = speak(engine, clock, claim(engine).lease)
    else:
        lease = speak(engine, clock, start(engine, policy=policy))
    before = counts(sql)
    engine.complete(lease)

    if how == "purge":
        engine.purge(ended_before_ms=2**50)
    else:
        clock.advance(1_000)
        engine.reconcile()

    assert engine.describe_execution(lease.execution_id) is None
    assert before == {"ff_stream": 1, "ff_stream_chunk": 3, "ff_summary": 1}
    assert counts(sql) == NOTHING


def test_trimmed_frames_leave_the_file(engine: BlockingEngine, sql: sqlite3.Connection) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_frames=5))
    for number in range(40):
        say(engine, lease, str(number))

    engine.reconcile()

    assert counts(sql) == {"ff_stream": 1, "ff_stream_chunk": 5, "ff_summary": 0}
    assert heard(engine, lease.execution_id) == ["35", "36", "37", "38", "39"]


def test_frames_of_a_step_that_an_older_release_has_stored_count_only_under_its_lease(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection
) -> None:
    lease = start(engine)
    engine.saying(words(lease, "a", step="s")).record_step(lease, "s", b"")
    sql.execute("update ff_step set lease_epoch = null")
    before = heard(engine, lease.execution_id)

    say(engine, again(engine, clock, lease), "b")

    assert before == ["a"]
    assert heard(engine, lease.execution_id) == ["b"]


# ── damage ───────────────────────────────────────────────────────────────────────────────────────

NOT_UTF8 = "cast(x'6bff64' as text)"
UNKNOWN_KIND = f"x'{pack([StoredFrame('text', b'a', None)]).replace(bytes([0x93, 0, 0]), bytes([0x93, 99, 0])).hex()}'"


@pytest.mark.parametrize(
    ("assignment", "column"),
    [
        ("data = x'00'", "data"),
        ("data = x''", "data"),
        (f"data = {UNKNOWN_KIND}", "data"),
        ("retried = 'garbage'", "retried"),
        ("retried = '[[1, 2]]'", "retried"),
        (f"retried = {NOT_UTF8}", None),
    ],
)
def test_a_damaged_chunk_is_named_and_other_streams_are_read_as_before(
    engine: BlockingEngine, sql: sqlite3.Connection, assignment: str, column: str | None
) -> None:
    lease, other = start(engine), start(engine)
    say(engine, lease, "a")
    say(engine, other, "b")
    uuid = lease.execution_id[-36:].replace("-", "")
    assert sql.execute(f"update ff_stream_chunk set {assignment} where execution_id = x'{uuid}'").rowcount == 1

    with pytest.raises(Corruption) as found:
        engine.read_stream(lease.execution_id)

    where = f"ff_stream_chunk, key {lease.execution_id}, 1, 0: column {column} "
    assert (where if column is not None else "not UTF-8") in str(found.value)
    assert heard(engine, other.execution_id) == ["b"]
    assert engine.append_frames(lease, [b"more"]) == Appended(1, 2)


@pytest.mark.parametrize("document", ["'garbage'", "'[1]'", "''"])
def test_a_damaged_summary_is_named_and_other_summaries_are_read_as_before(
    engine: BlockingEngine, sql: sqlite3.Connection, document: str
) -> None:
    lease, other = start(engine), start(engine)
    for each in (lease, other):
        engine.patch_summary(each, {"a": 1})
    uuid = lease.execution_id[-36:].replace("-", "")
    assert sql.execute(f"update ff_summary set document = {document} where execution_id = x'{uuid}'").rowcount == 1
    calls: list[Any] = [
        lambda: engine.read_summary(lease.execution_id),
        lambda: engine.patch_summary(lease, {"b": 2}),
    ]

    for call in calls:
        with pytest.raises(Corruption) as found:
            call()
        assert f"ff_summary, key {lease.execution_id}: column document " in str(found.value)
    assert engine.patch_summary(other, {"b": 2}) == Summary(2, {"a": 1, "b": 2})
