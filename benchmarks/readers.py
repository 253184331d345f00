"""Many readers of Server-Sent Events on one server, which has one core: its share of that core, and what arrives.

Each reader follows all events from now on. A writer holds and unholds an execution at a steady rate, and each makes one
event. At the end every reader must have got every event once, in order.

    python benchmarks/readers.py [--store sqlite] [--readers 1000] [--rate 10] [--seconds 10]
"""

import argparse
import asyncio
import os
import re
import resource
import time
from collections.abc import Awaitable
from contextlib import ExitStack
from typing import NamedTuple

import remote
from databases import postgres_database, postgres_server
from rich.console import Console

from flowfabric import Engine, open_blocking_engine, open_engine

STREAMS_PER_ADDRESS = 64
"""A server without tokens counts streams by the address of their reader."""
SETTLE_S_MAX = 30.0

_EVENT = re.compile(rb"^id: .+\ndata: (.+)$", re.MULTILINE)


class Figures(NamedTuple):
    """What one run has measured."""

    readers: int
    events: int
    delivered: int
    lost: int
    server_share: float
    """The server's share of its core while events come."""
    idle_share: float
    """The same while none come."""
    delay_ms: float
    """From the answer to the writer until the last reader has an event, in the median."""


class Reader(asyncio.Protocol):
    """Reads one stream, and keeps what it has got."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._rest = b""
        self.got: list[bytes] = []
        self.at: list[float] = []
        self.has_begun = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Keep the ids of whole events."""
        whole, _, self._rest = (self._rest + data).rpartition(b"\n\n")
        if b"retry:" in whole:
            self.has_begun.set()
        for found in _EVENT.findall(whole):
            self.got.append(found)
            self.at.append(time.monotonic())


async def follow(url: str, pid: int, readers: int, rate: float, seconds: float) -> Figures:
    """Open all readers, write, and wait until each has everything."""
    loop = asyncio.get_running_loop()
    port = int(url.rpartition(":")[2])
    request = b"GET /v1/events?from_now=true HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    opened: list[Reader] = []
    for number in range(readers):
        address = f"127.0.1.{number // STREAMS_PER_ADDRESS + 1}"
        _, reader = await loop.create_connection(lambda: Reader(request), "127.0.0.1", port, local_addr=(address, 0))
        opened.append(reader)
    for reader in opened:
        await asyncio.wait_for(reader.has_begun.wait(), SETTLE_S_MAX)
    async with open_engine(url) as engine:
        made = await engine.create_execution("job")
        idle = await share_during(pid, asyncio.sleep(3))
        written: list[float] = []
        share = await share_during(pid, write(engine, rate, seconds, written, made.execution_id))
        events = len(written)
        give_up_at = time.monotonic() + SETTLE_S_MAX
        while any(len(reader.got) < events for reader in opened) and time.monotonic() < give_up_at:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    delays = sorted(
        max(reader.at[number] for reader in opened if len(reader.at) > number) - at for number, at in enumerate(written)
    )
    expected = opened[0].got
    for reader in opened:
        assert reader.got == expected[: len(reader.got)], "a reader got events out of order, or twice"
        reader.transport.abort()
    delivered = sum(len(reader.got) for reader in opened)
    return Figures(
        readers, events, delivered, readers * events - delivered, share, idle, 1000 * delays[len(delays) // 2]
    )


async def write(engine: Engine, rate: float, seconds: float, written: list[float], execution_id: str) -> None:
    """Make events at this rate, and note when each was committed."""
    began_at = time.monotonic()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began_at + number / rate - time.monotonic()))
        await (engine.unhold if number % 2 else engine.hold)(execution_id)
        written.append(time.monotonic())


async def share_during(pid: int, work: Awaitable[None]) -> float:
    """The share of a core that the process uses meanwhile."""
    began_at, before = time.monotonic(), _cpu_s(pid)
    await work
    return (_cpu_s(pid) - before) / (time.monotonic() - began_at)


def _cpu_s(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(store: str, server: str, *, readers: int, rate: float, seconds: float) -> Figures:
    """Run it once on an empty database."""
    with remote.sqlite_url() if store == "sqlite" else postgres_database(server) as url:
        with open_blocking_engine(url, migrate=True, reconcile=False):
            pass
        with remote.served(url, core=0) as place:
            return asyncio.run(follow(place.url, place.pid, readers, rate, seconds))


def main() -> None:
    """Measure, and show the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--readers", type=int, default=1_000)
    parser.add_argument("--rate", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(20_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if options.store == "postgres" else ""
        found = measure(options.store, server, readers=options.readers, rate=options.rate, seconds=options.seconds)
    console = Console()
    for name, value in found._asdict().items():
        console.print(f"{name:14} {value:,.2f}" if isinstance(value, float) else f"{name:14} {value:,}")


if __name__ == "__main__":
    main()
