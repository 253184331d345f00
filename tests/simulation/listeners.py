"""Those who submit what speaks, and those who listen. They are in some of the worlds only.

A reader keeps its cursor and what it has read when its process dies, and goes on in another process.
"""

import asyncio
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from flowfabric import EngineError, ExecutionPolicy, NewExecution, RetryPolicy, StreamFrame, Transcript
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.stream_pages import StreamCursor, cursor_in, read_on
from flowfabric.domain.streams import Position
from tests.simulation import talk, work
from tests.simulation.plan import actor
from tests.simulation.processes import Simulated
from tests.talks import Line

if TYPE_CHECKING:
    from flowfabric import BlockingEngine
    from flowfabric.stores.memory.store import MemoryStore


class Reader:
    """Somebody who reads one stream."""

    def __init__(self, execution_id: str) -> None:
        self.execution_id = execution_id
        self.cursor: str | None = None
        self.transcript = Transcript()
        self.process: Simulated | None = None
        """Where it reads now."""

    @property
    def is_idle(self) -> bool:
        """Whether it reads nowhere: it has stopped, or its process is gone."""
        return self.process is None or self.process.is_dead or self.process.has_left

    def take(self, frame: StreamFrame, cursor: str | None) -> None:
        """Keep a frame, and the cursor after it."""
        self.transcript.add(frame)
        self.cursor = cursor

    def begin_anew(self) -> None:
        """Forget everything, because frames after the cursor were removed."""
        self.transcript, self.cursor = Transcript(), None

    def read_on(self, store: "MemoryStore") -> bool:
        """Read to the end. False: frames after the cursor were removed, or the execution is gone."""
        key = ExecutionId(self.execution_id)
        at = cursor_in(self.cursor, key, store.name)
        try:
            for frame in frames_after(store, key, at):
                self.transcript.add(frame)
        except EngineError:
            return False
        return store.execution(key) is not None

    def kept(self, first: Position) -> list[StreamFrame]:
        """What it has read and what counts, from a position on."""
        return [frame for frame in self.transcript.frames if (frame.lease_epoch, frame.seq) >= first]


def frames_after(store: "MemoryStore", key: ExecutionId, cursor: StreamCursor) -> Iterator[StreamFrame]:
    """All frames that a reader at the cursor gets now."""
    while (found := store.stream_part(key, cursor.position, 3)) is not None:
        part = read_on(found, cursor, 5, "effective")
        yield from part.frames
        cursor = part.cursor
        if part.is_at_end:
            return


# ── submitters ───────────────────────────────────────────────────────────────────────────────────


@actor(45, of_streams=True)
async def submit_what_speaks(process: Simulated, chance: random.Random) -> str:
    answers = await process.engine.create_executions([_talk(process, chance) for _ in range(chance.randint(1, 3))])
    for answer in answers:
        process.world.ledger.was_created(answer.execution_id)
        process.world.ledger.talks.append(answer.execution_id)
    return " ".join(answer.execution_id for answer in answers)


def _talk(process: Simulated, chance: random.Random) -> NewExecution:
    script = [_line(chance) for _ in range(chance.randint(1, 5))]
    arguments = {"n": 1, "script": script, "fails": chance.choice((0, 0, 0, 1, 2))}
    policy = ExecutionPolicy(
        retry=RetryPolicy(max_retries=2, initial_delay_ms=chance.choice((0, 200))),
        max_interruptions=20,
        max_replays=None,
        retention_ms=chance.choice((None, None, None, None, 2_000)),
        stream_max_frames=chance.choice((10_000, 10_000, 10_000, 2, 6)),
    )
    if policy.stream_max_frames == 6:
        policy = replace(policy, stream_max_bytes=20)  # a little more than one frame of a step, without its number
    deadline_at_ms = process.world.now_ms + chance.randint(500, 8_000) if chance.random() < 0.1 else None
    return NewExecution(
        kind=chance.choice(talk.NARRATORS),
        payload=work.payload(arguments),
        lane=chance.choice(("default", "default", "mail")),
        policy=policy,
        deadline_at_ms=deadline_at_ms,
    )


def _line(chance: random.Random) -> Line:
    return Line(
        what=chance.choice(("say", "say", "step", "step", "step", "both", "nap", "flush")),
        texts=chance.randint(1, 4),
        pause_ms=chance.choice((0, 1, 10, 25, 100, 301)),
        tries=chance.choice((1, 1, 1, 2, 3)),
    )


# ── readers ──────────────────────────────────────────────────────────────────────────────────────


def _reader(process: Simulated, chance: random.Random) -> Reader | None:
    """Somebody who was there before, or somebody new."""
    ledger = process.world.ledger
    idle = [reader for reader in ledger.readers if reader.is_idle]
    if idle and chance.random() < 0.6:
        reader = chance.choice(idle)
    elif ledger.talks:
        reader = Reader(chance.choice(ledger.talks[-4:]))
        ledger.readers.append(reader)
    else:
        return None
    reader.process = process
    return reader


@actor(45, of_streams=True)
async def follow_a_stream(process: Simulated, chance: random.Random) -> str:
    """Somebody who follows to the end, or hangs up before."""
    if (reader := _reader(process, chance)) is None:
        return "nothing"
    most, pauses_s = chance.choice((1, 3, 1_000, 1_000)), chance.choice((0.0, 0.0, 0.05, 0.5))
    follower, read = process.engine.follow_stream(reader.execution_id, cursor=reader.cursor), 0
    try:
        async for frame in follower:
            reader.take(frame, follower.cursor)
            read += 1
            if read == most:
                return f"{reader.execution_id} {read} frames"
            await asyncio.sleep(pauses_s if read < 4 else 0.0)  # no process waits for long for those who ask
        _compare(process, reader)
        return f"{reader.execution_id} {read} frames, {follower.closed_reason}"
    except EngineError as error:
        return _refused(reader, error)
    finally:
        reader.process = None


@actor(15, of_streams=True)
async def follow_a_stream_in_a_thread(process: Simulated, chance: random.Random) -> str:
    if (reader := _reader(process, chance)) is None:
        return "nothing"
    try:
        return await asyncio.to_thread(_follow, process.blocking_engine, reader, chance.choice((1, 3, 1_000)))
    except EngineError as error:
        return _refused(reader, error)
    finally:
        reader.process = None


def _follow(engine: "BlockingEngine", reader: Reader, most: int) -> str:
    follower = engine.follow_stream(reader.execution_id, cursor=reader.cursor)
    for read, frame in enumerate(follower, 1):
        reader.take(frame, follower.cursor)
        if read == most:
            break
    return f"{reader.execution_id} {follower.closed_reason}"


@actor(20, of_streams=True)
async def read_a_page(process: Simulated, chance: random.Random) -> str:
    if (reader := _reader(process, chance)) is None:
        return "nothing"
    try:
        limit = chance.choice((1, 2, 5, 500))
        page = await process.engine.read_stream(reader.execution_id, cursor=reader.cursor, limit=limit)
        for frame in page.frames:
            reader.take(frame, page.next_cursor)
        reader.cursor = page.next_cursor
        return f"{reader.execution_id} {len(page.frames)} frames, {page.closed_reason}"
    except EngineError as error:
        return _refused(reader, error)
    finally:
        reader.process = None


def _refused(reader: Reader, error: EngineError) -> str:
    if error.code == "cursor_gone":
        reader.begin_anew()
    return f"{reader.execution_id} {error.code}"


def _compare(process: Simulated, reader: Reader) -> None:
    """A follower that was shown the end of a life has what counts, unless the execution lives again by now."""
    store, key = process.world.store, ExecutionId(reader.execution_id)
    found = store.stream_part(key, Position(0, -1), 1)
    if found is None or not found.execution.has_ended or found.stream is None:
        return
    cursor = cursor_in(reader.cursor, key, store.name)
    if cursor.known_replays != found.execution.replay_count:
        return
    now = _positions(frames_after(store, key, StreamCursor(key)))
    seen = _positions(reader.kept(found.stream.first))
    if seen != now:
        process.world.fail(f"{key}: a follower has {seen} at the end, and what counts is {now}")


def _positions(frames: Any) -> list[tuple[int, int]]:
    return [(frame.lease_epoch, frame.seq) for frame in frames]
