"""How many frames a worker can write, how soon a reader in another process has them, and what followers cost.

    python benchmarks/streams.py [--stores sqlite,postgres] [--frames 20000] [--rounds 3] [--followers 1000]

Bars: 30,000 small frames a second through one worker process; from the writing of a frame to its reader in another
process 35 ms, p50, if the worker flushes every 20 ms, and 8 ms if it flushes every millisecond; 1,000 followers of one
stream cost the store one read for each flush. The floor writes the same rows by bare SQL, as many in each commit.
"""

import argparse
import asyncio
import os
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

from databases import postgres_database, postgres_server, sqlite_file
from rich.console import Console
from rich.table import Table
from tasks import START_S_MAX, worker_process

from flowfabric import Engine, open_blocking_engine, open_engine
from flowfabric.domain.streams import StoredFrame, pack

TALKERS = 16
"""How many tasks write at once."""
SAMPLES = 100
FLUSHES = 50
FLUSH_OF: dict[str, float] = {"20ms": 35, "1ms": 8}
"""How often the worker flushes, and the bar in milliseconds."""
WORKER = {"worker_id": "bench", "worker_instance_id": "bench"}


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stores", default="sqlite,postgres", type=lambda text: text.split(","))
    parser.add_argument("--frames", default=20_000, type=int, help="how many frames each of 16 tasks writes")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--followers", default=1_000, type=int)
    options = parser.parse_args()
    console = Console(width=110)
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if "postgres" in options.stores else ""
        for store in options.stores:
            measure(
                console,
                store,
                lambda store=store: _fresh(store, server),
                frames=options.frames,
                rounds=options.rounds,
                followers=options.followers,
            )


def measure(
    console: Console,
    store: str,
    fresh: Callable[[], AbstractContextManager[str]],
    *,
    frames: int,
    rounds: int,
    followers: int,
) -> dict[str, object]:
    """Measure one store, each thing on a fresh database, print everything, and return it."""
    found: dict[str, object] = {}
    rates: list[float] = []
    of_floor: list[float] = []
    for number in range(rounds):
        with console.status(f"{store}: frames, round {number + 1} of {rounds}"):
            with fresh() as url:
                rate, chunks, commits = _frames_per_s(url, frames)
            with fresh() as url:
                floor = _floor_per_s(url, frames * TALKERS, chunks, commits)
        rates.append(rate)
        of_floor.append(rate / floor)
    found["frames_per_s"], found["of_floor"] = statistics.median(rates), statistics.median(of_floor)
    console.print(
        f"{store}: {statistics.median(rates):,.0f} small frames per second through one worker ({min(rates):,.0f} to "
        f"{max(rates):,.0f}; bar 30,000), {statistics.median(of_floor):.2f} of the floor"
    )
    table = Table(title=f"{store}: milliseconds from the writing of a frame to its reader in another process")
    for column in ("the worker flushes every", "p50", "p99", "bar"):
        table.add_column(column, justify="right")
    for flush, bar in FLUSH_OF.items():
        with console.status(f"{store}: latency, {flush}"), fresh() as url:
            samples = _latencies(url, flush)
        p50, p99 = statistics.median(samples), statistics.quantiles(samples, n=100)[98]
        table.add_row(flush, f"{p50:.1f}", f"{p99:.1f}", f"{bar:g}")
        found[f"latency {flush}"] = {"p50_ms": p50, "p99_ms": p99}
    console.print(table)
    with console.status(f"{store}: followers"), fresh() as url:
        reads = asyncio.run(_reads_per_flush(url, followers))
    found["reads_per_flush"] = reads
    console.print(f"{store}: {followers:,} followers of one stream cost {reads:.2f} reads for each flush (bar 1)")
    return found


@contextmanager
def _fresh(store: str, server: str) -> Iterator[str]:
    with ExitStack() as stack:
        if store == "sqlite":
            url, _ = stack.enter_context(sqlite_file())
        else:
            url = stack.enter_context(postgres_database(server))
        yield url


# ── frames per second ────────────────────────────────────────────────────────────────────────────


def _frames_per_s(url: str, frames: int) -> tuple[float, int, int]:
    """Frames per second, and how many chunks and commits they took."""
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("stream_app", None)
    return asyncio.run(_talk(frames))


async def _talk(frames: int) -> tuple[float, int, int]:
    import stream_app as app

    async with app.ff:
        engine = await app.ff.engine()
        stop = asyncio.Event()
        working = asyncio.create_task(app.ff.run_worker(lanes=["streams"], concurrency=TALKERS, stop=stop))
        await (await app.talks.submit(1)).result(timeout=START_S_MAX)
        started_at = time.perf_counter()
        handles = [await app.talks.submit(frames) for _ in range(TALKERS)]
        for handle in handles:
            await handle.result(timeout=600)
        took_s = time.perf_counter() - started_at
        stop.set()
        await working
        chunks, instants = 0, set()
        for handle in handles:
            written = await _chunk_times(engine, handle.execution_id)
            assert written["frames"] == frames, f"{written['frames']} of {frames} frames are there"
            chunks += len(written["at"])
            instants |= set(written["at"])
    return frames * TALKERS / took_s, chunks, len(instants)


async def _chunk_times(engine: Engine, execution_id: str) -> dict[str, object]:
    """How many frames there are, and the instants of their chunks."""
    cursor, count, at = None, 0, []
    while True:
        page = await engine.read_stream(execution_id, cursor=cursor, limit=1_000, view="all")
        for frame in page.frames:
            if not at or at[-1] != frame.at_ms:
                at.append(frame.at_ms)
        count += len(page.frames)
        if not page.frames:
            return {"frames": count, "at": at}
        cursor = page.next_cursor


def _floor_per_s(url: str, frames: int, chunks: int, commits: int) -> float:
    """Frames per second by bare SQL: as many rows of the same size, in as many commits."""
    with open_blocking_engine(url, reconcile=False):
        pass
    each = max(1, frames // chunks)
    data = pack([StoredFrame("text", b"a token of the answer ", None)] * each)
    rows = max(1, chunks // commits)
    started_at = time.perf_counter()
    write = _sqlite_writer(url) if url.startswith("sqlite") else _postgres_writer(url)
    for number in range(commits):
        write(number, rows, each, data)
    return commits * rows * each / (time.perf_counter() - started_at)


_CHUNK = "partition_key, execution_id, lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms, data"


def _sqlite_writer(url: str) -> Callable[[int, int, int, bytes], None]:
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("pragma synchronous = full")

    def write(number: int, rows: int, each: int, data: bytes) -> None:
        connection.execute("begin immediate")
        connection.executemany(
            f"insert into ff_stream_chunk ({_CHUNK}) values (?, ?, 1, ?, 0, ?, ?, 0, ?)",
            [(row, _key(row), number * each, each, len(data), data) for row in range(rows)],
        )
        connection.executemany(
            "insert into ff_stream values (?, ?, 1, ?, 0, ?, ?, 0, 0, 0) on conflict do update set "
            "next_seq = excluded.next_seq, kept_frames = excluded.kept_frames, kept_bytes = excluded.kept_bytes",
            [(row, _key(row), number * each, number * each, len(data)) for row in range(rows)],
        )
        connection.execute("commit")

    return write


def _postgres_writer(url: str) -> Callable[[int, int, int, bytes], None]:
    import psycopg

    connection = psycopg.connect(url)

    def write(number: int, rows: int, each: int, data: bytes) -> None:
        keys = [_key(row).hex() for row in range(rows)]
        values = {"keys": keys, "seq": number * each, "each": each, "size": len(data), "data": [data] * rows}
        with connection.transaction(), connection.pipeline():
            connection.execute(
                f"insert into ff_stream_chunk ({_CHUNK}) select row_number() over (), key, 1, %(seq)s, 0, %(each)s, "
                "%(size)s, 0, data from unnest(%(keys)s::uuid[], %(data)s::bytea[]) as n (key, data)",
                values,
            )
            connection.execute(
                "insert into ff_stream select row_number() over (), key, 1, %(seq)s, 0, %(seq)s, %(size)s, 0, 0, 0 "
                "from unnest(%(keys)s::uuid[]) as n (key) on conflict (partition_key, execution_id) do update set "
                "next_seq = excluded.next_seq, kept_frames = excluded.kept_frames, kept_bytes = excluded.kept_bytes",
                values,
            )

    return write


def _key(row: int) -> bytes:
    return row.to_bytes(16, "big")


# ── from the writing to the reader ───────────────────────────────────────────────────────────────


def _latencies(url: str, flush: str) -> Sequence[float]:
    os.environ["FF_BENCH_URL"] = url
    sys.modules.pop("stream_app", None)
    with worker_process("streams", "stream_app:ff", "--flush", flush):
        return asyncio.run(_follow())


async def _follow() -> Sequence[float]:
    import stream_app as app

    async with app.ff:
        await (await app.talks.submit(1)).result(timeout=START_S_MAX)
        handle = await app.tells_the_time.submit(SAMPLES + 10)
        found = [(time.time() - float(frame.value)) * 1000 async for frame in handle.stream()]
    return found[10:]


# ── followers ────────────────────────────────────────────────────────────────────────────────────


async def _reads_per_flush(url: str, followers: int) -> float:
    """How often the store is read for each flush, while so many follow one stream."""
    async with open_engine(url) as writer, open_engine(url) as engine:
        created = await writer.create_execution("talks", b"")
        [claimed] = await writer.claim(**WORKER, lease_ttl_ms=600_000)
        await writer.append_frames(claimed.lease, [b"0"])
        reads = 0
        store = engine._store
        read = store.stream_part

        def counted(*args: object) -> object:
            nonlocal reads
            reads += 1
            return read(*args)

        store.stream_part = counted
        seen = [0] * followers

        async def follow(place: int) -> None:
            async for _ in engine.follow_stream(created.execution_id):
                seen[place] += 1

        following = [asyncio.create_task(follow(place)) for place in range(followers)]
        await _until(lambda: min(seen) >= 1)
        before = reads
        for number in range(1, FLUSHES + 1):
            await writer.append_frames(claimed.lease, [b"%d" % number])
            await _until(lambda number=number: min(seen) > number)
        cost = (reads - before) / FLUSHES
        await writer.complete(claimed.lease)
        await asyncio.gather(*following)
    return cost


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - looked at from outside
            await asyncio.sleep(0.005)


if __name__ == "__main__":
    main()
