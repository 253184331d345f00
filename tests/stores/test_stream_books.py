"""What a batch is shown of streams and summaries, what stays of what it wrote, and what others read, on every store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.steps import Step
from flowfabric.domain.stream_pages import StepMark, StreamPart
from flowfabric.domain.streams import START, Chunk, Position, SpokenIn, StoredFrame, Stream, last_tries, pack
from flowfabric.domain.summaries import StoredSummary
from tests.stores.flow_records import NOW, Books, a_flow, a_member, a_solo, completed, flow_id, opened
from tests.stores_under_test import STORES


@pytest.fixture(params=STORES)
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Books]:
    with STORES[request.param].empty(tmp_path) as url, opened(url) as books:
        yield books


def running(number: int, epoch: int = 2, **fields: Any) -> Execution:
    leased = a_solo(
        number,
        lifecycle_phase="active",
        eligibility_state="not_applicable",
        attempt_state="running_attempt",
        lease_epoch=epoch,
        lease_mark=f"{epoch}.mark",
        lease_ttl_ms=60_000,
        lease_expires_at_ms=NOW + 60_000,
        attempt_started_at_ms=NOW,
        event_seq=1,
    )
    return replace(leased, **fields)


X, Y, SILENT = running(1), running(2), running(3)
ID, OTHER = X.execution_id, Y.execution_id


def a_stream(x: Execution = X, **fields: Any) -> Stream:
    return replace(Stream(x.execution_id, 2, 7, 0, 7, 70, is_too_long=False), **fields)


def a_chunk(epoch: int, first_seq: int, count: int = 3, x: Execution = X, **fields: Any) -> Chunk:
    frames = [StoredFrame("text", b"%d" % number, None) for number in range(count)]
    return replace(
        Chunk(x.execution_id, epoch, first_seq, 0, count, count, NOW, (), pack(frames)),
        **fields,
    )


def retried(epoch: int, first_seq: int, *steps: tuple[str, int]) -> Chunk:
    """A chunk with one frame of each of these steps and tries."""
    frames = [StoredFrame("text", b"x", SpokenIn(*step)) for step in steps]
    tries = last_tries(frame.spoken_in for frame in frames)
    return a_chunk(epoch, first_seq, len(steps), retried=tries, data=pack(frames))


def by_key(*chunks: Chunk) -> dict[tuple[ExecutionId, int, int], Chunk]:
    return {(chunk.execution_id, chunk.lease_epoch, chunk.first_seq): chunk for chunk in chunks}


def part_of(books: Books, after: Position = START, most: int = 100, execution_id: ExecutionId = ID) -> StreamPart:
    part = books.store.stream_part(execution_id, after, most)
    assert part is not None
    return part


# ── what a batch sees ────────────────────────────────────────────────────────────────────────────


def test_every_record_comes_back_as_it_was_written(books: Books):
    stream = Stream(ID, 3, 4, 5, 6, 7, is_too_long=True, first_epoch=8, first_seq=9)
    steps = (SpokenIn('a "quoted" \N{SNOWMAN}', 2), SpokenIn("b", 2**40))
    chunk = Chunk(ID, 3, 4, 5, 6, 7, 8, steps, bytes(range(256)) * 300)
    plain = Chunk(ID, 4, 0, 0, 0, 0, 0, (), b"")
    summary = StoredSummary(ID, 10, '{"stage": "ünïcode \N{SNOWMAN}"}')
    books.save(X, Y, streams={ID: stream}, chunks=by_key(chunk, plain), summaries={ID: summary})

    loaded = books.load(Needs(streams={ID, OTHER}, chunks={(ID, 3, 4), (ID, 4, 0), (ID, 3, 5)}, summaries={ID, OTHER}))

    assert loaded.streams == {ID: stream}
    assert loaded.chunks == by_key(chunk, plain)
    assert loaded.summaries == {ID: summary}
    assert books.store.summary(ID) == (X, summary)
    assert books.store.summary(OTHER) == (Y, None)
    assert books.store.summary(SILENT.execution_id) == (None, None)


def test_a_stream_and_a_summary_are_changed_in_every_column(books: Books):
    books.save(X, Y, streams={ID: a_stream(), OTHER: a_stream(Y)}, summaries={ID: StoredSummary(ID, 1, "{}")})
    changed = Stream(ID, 3, 4, 5, 6, 7, is_too_long=True, first_epoch=8, first_seq=9)
    summary = StoredSummary(ID, 2, '{"a":1}')
    books.save(streams={ID: changed}, summaries={ID: summary})

    loaded = books.load(Needs(streams={ID, OTHER}, summaries={ID}))

    assert loaded.streams == {ID: changed, OTHER: a_stream(Y)}
    assert loaded.summaries == {ID: summary}


def test_a_batch_sees_the_streams_of_very_many_executions(books: Books):
    crowd = [running(number) for number in range(1, 601)]
    streams = {x.execution_id: a_stream(x, next_seq=number) for number, x in enumerate(crowd) if number % 3}
    books.save(*crowd, streams=streams)

    assert books.load(Needs(streams={x.execution_id for x in crowd})).streams == streams


def test_the_oldest_chunks_come_in_order_and_without_their_frames(books: Books):
    chunks = [a_chunk(1, 0), a_chunk(1, 3), a_chunk(9, 0), retried(10, 0, ("s", 2)), a_chunk(10, 1), a_chunk(10, 11)]
    books.save(X, Y, chunks=by_key(*chunks, a_chunk(1, 0, x=Y)))

    for most in (1, 4, 6, 200):
        loaded = books.load(Needs(oldest_chunks={(ID, most)}))
        assert loaded.oldest_chunks == {ID: [replace(chunk, data=b"") for chunk in chunks[:most]]}


def test_removed_chunks_are_gone_and_others_stay(books: Books):
    chunks = [a_chunk(1, 0), a_chunk(1, 3), a_chunk(2, 0)]
    books.save(X, Y, chunks=by_key(*chunks, a_chunk(1, 3, x=Y)))
    books.save(chunks={(ID, 1, 0): None, (ID, 1, 3): None, (ID, 2, 3): None, **by_key(a_chunk(2, 6))})

    assert part_of(books).chunks == [a_chunk(2, 0), a_chunk(2, 6)]
    assert part_of(books, execution_id=OTHER).chunks == [a_chunk(1, 3, x=Y)]


def test_a_step_keeps_the_lease_under_which_it_was_stored(books: Books):
    steps = [
        Step(ID, "old", b"f", b"result", 0, NOW, 1),
        Step(ID, "new", b"f", b"result", 0, NOW, 2, is_wait=False, tries=3, lease_epoch=7),
    ]
    books.save(X, steps={(ID, step.name): step for step in steps})

    assert books.load(Needs(steps={(ID, "old"), (ID, "new")})).steps == {(ID, step.name): step for step in steps}
    assert books.store.steps(ID)[1] == steps
    assert books.store.step(ID, "new") == (X, steps[1])


# ── what readers get ─────────────────────────────────────────────────────────────────────────────

CHUNKS = [a_chunk(1, 0), a_chunk(1, 3, 1), a_chunk(1, 4, 5), a_chunk(3, 0, 2), a_chunk(12, 0), a_chunk(12, 3)]


@pytest.mark.parametrize(
    ("after", "first"),
    [
        (START, 0),
        (Position(0, 100), 0),
        (Position(1, -1), 0),
        (Position(1, 0), 0),
        (Position(1, 1), 0),
        (Position(1, 2), 1),
        (Position(1, 3), 2),
        (Position(1, 7), 2),
        (Position(1, 8), 3),
        (Position(2, 5), 3),
        (Position(3, -1), 3),
        (Position(3, 1), 4),
        (Position(12, 4), 5),
        (Position(12, 5), 6),
        (Position(13, -1), 6),
    ],
)
def test_a_reader_gets_the_chunks_with_frames_after_a_position(books: Books, after: Position, first: int):
    x = running(1, epoch=12)
    books.save(x, Y, streams={ID: a_stream()}, chunks=by_key(*CHUNKS, a_chunk(1, 4, x=Y)))

    part = part_of(books, after)

    assert (part.execution, part.stream) == (x, a_stream())
    assert (part.chunks, part.has_more) == (CHUNKS[first:], False)
    for most in (1, 2, 5):
        fewer = part_of(books, after, most)
        assert fewer.chunks == CHUNKS[first : first + most]
        assert fewer.has_more is (len(CHUNKS) - first > most)


def test_the_stream_of_a_silent_execution_is_empty_and_that_of_an_unknown_one_is_none(books: Books):
    books.save(X)

    assert part_of(books) == StreamPart(X, None, [], [], [], False)
    assert books.store.stream_part(OTHER, START, 10) is None


def test_a_reader_learns_which_steps_were_tried_again_under_the_last_lease(books: Books):
    chunks = [
        retried(1, 0, ("s", 2)),
        a_chunk(2, 0),
        retried(2, 3, ("s", 1)),
        retried(2, 4, ("s", 2)),
        retried(2, 5, ("s", 2)),
        retried(2, 6, ("s", 3), ("t", 2)),
        retried(2, 8, ("s", 2), ("u", 10)),
        retried(2, 10, ("s", 2)),
    ]
    books.save(X, streams={ID: a_stream()}, chunks=by_key(*chunks))

    for after in (START, Position(2, 100)):
        first: dict[tuple[SpokenIn, ...], int] = {}
        for each in part_of(books, after).retried:
            if each.lease_epoch == 2:
                first[each.retried] = min(each.first_seq, first.get(each.retried, 1000))
        assert first == {
            (SpokenIn("s", 2),): 4,
            (SpokenIn("s", 3), SpokenIn("t", 2)): 6,
            (SpokenIn("s", 2), SpokenIn("u", 10)): 8,
        }


def test_a_reader_learns_which_steps_are_stored(books: Books):
    steps = [
        Step(ID, "by an older release", b"", b"x" * 9999, 0, NOW),
        Step(ID, "a wait", b"", b"", 0, NOW, 1, is_wait=True),
        Step(ID, "b", b"", b"x" * 9999, 0, NOW, 2, is_wait=False, tries=3, lease_epoch=7),
        Step(ID, "a", b"", b"", 0, NOW, 11, is_wait=False, tries=1, lease_epoch=9),
        Step(OTHER, "a", b"", b"", 0, NOW, 1, is_wait=False, tries=1, lease_epoch=1),
    ]
    books.save(X, Y, steps={(step.execution_id, step.name): step for step in steps})

    marks = sorted(part_of(books).steps, key=lambda mark: mark.number)

    assert marks == [StepMark("b", 7, 3, 2), StepMark("a", 9, 1, 11)]


def test_followers_learn_where_streams_end_and_how_their_executions_are(books: Books):
    crowd = [running(number, epoch=number) for number in range(1, 301)]
    ended = completed(running(301, epoch=5))
    streams = {x.execution_id: a_stream(x, lease_epoch=x.lease_epoch, next_seq=9) for x in crowd[::2]}
    books.save(*crowd, ended, streams=streams)

    ends = books.store.stream_ends([*(x.execution_id for x in crowd), ended.execution_id, a_solo(999).execution_id])

    assert ends == {
        x.execution_id: (*((number, 9) if number % 2 else (0, 0)), number, "active")
        for number, x in enumerate(crowd, 1)
    } | {ended.execution_id: (0, 0, 5, "completed")}
    assert books.store.stream_ends([]) == {}


def test_upkeep_finds_the_streams_that_are_too_long(books: Books):
    crowd = [running(number) for number in range(1, 10)]
    streams = {x.execution_id: a_stream(x, is_too_long=number % 2 == 0) for number, x in enumerate(crowd)}
    books.save(*crowd, streams=streams)
    long = {x.execution_id for x in crowd[::2]}

    assert set(books.store.long_streams(100)) == long
    assert set(books.store.long_streams(2)) < long
    assert len(books.store.long_streams(2)) == 2
    books.save(streams={key: replace(streams[key], is_too_long=False) for key in long})
    assert list(books.store.long_streams(100)) == []


# ── removal ──────────────────────────────────────────────────────────────────────────────────────


def said_by(*executions: Execution) -> dict[str, Any]:
    """A stream, chunks and a summary of each."""
    return {
        "streams": {x.execution_id: a_stream(x, is_too_long=True) for x in executions},
        "chunks": by_key(*(chunk for x in executions for chunk in (a_chunk(1, 0, x=x), a_chunk(2, 0, x=x)))),
        "summaries": {x.execution_id: StoredSummary(x.execution_id, 1, "{}") for x in executions},
    }


def left_of(books: Books, x: Execution) -> tuple[Any, ...]:
    """What a batch finds of the stream and the summary of an execution."""
    key = x.execution_id
    needs = Needs(streams={key}, summaries={key}, chunks={(key, 1, 0), (key, 2, 0)}, oldest_chunks={(key, 9)})
    loaded = books.load(needs)
    return loaded.streams, loaded.chunks, loaded.summaries, loaded.oldest_chunks.get(key, [])


NOTHING: tuple[Any, ...] = ({}, {}, {}, [])


def test_what_an_execution_has_said_is_removed_with_it(books: Books):
    books.save(X, Y, **said_by(X, Y))
    of_the_other = left_of(books, Y)
    books.save(executions=[(X, None)])

    assert left_of(books, X) == NOTHING
    assert left_of(books, Y) == of_the_other != NOTHING
    assert list(books.store.long_streams(10)) == [OTHER]


@pytest.mark.parametrize("only", ["streams", "summaries"])
def test_what_has_only_a_stream_or_only_a_summary_is_removed_too(books: Books, only: str):
    said = said_by(X)
    books.save(X, **({only: said[only]} if only == "summaries" else {**said, "summaries": {}}))
    books.save(executions=[(X, None)])

    assert left_of(books, X) == NOTHING


def test_what_the_members_of_a_flow_have_said_is_removed_with_the_flow(books: Books):
    flow = a_flow(node_count=300)
    members = [completed(a_member(number), lease_epoch=2, lease_mark="2.m") for number in range(1, 301)]
    books.save(flow, *members, Y, **said_by(*members[::2], Y))
    books.save(flows=[(flow, None)], executions=[(x, None) for x in members])

    assert books.store.flow(flow_id()) is None
    assert [left_of(books, x) for x in members] == [NOTHING] * 300
    assert list(books.store.long_streams(10)) == [OTHER]
