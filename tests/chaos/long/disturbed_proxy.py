"""A wire to a server on which packets come late, are lost, and connections are cut."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LATE_S = (0.05, 1.0)
SILENT_S = 2.0
"""How long nothing comes through before the connection is cut."""


class DisturbedProxy:
    """Disturbs one piece of data in `one_in`: it comes late, or nothing comes any more, or the connection is cut."""

    def __init__(self, server: Path, *, one_in: int, seed: int) -> None:
        self.faults: Counter[str] = Counter()
        self.port = 0
        self.is_calm = False
        self._server = server
        self._one_in = one_in
        self._chance = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._wires: set[asyncio.Task[None]] = set()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}?sslmode=disable&gssencmode=disable"

    @contextmanager
    def running(self) -> Iterator["DisturbedProxy"]:
        """Serve in a thread of its own while the block lasts."""
        listening, stopping = threading.Event(), asyncio.Event()

        async def serve() -> None:
            server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            listening.set()
            await stopping.wait()
            server.close()
            wires = list(self._wires)
            for wire in wires:
                wire.cancel()
            await asyncio.gather(*wires, return_exceptions=True)

        thread = threading.Thread(target=lambda: self._loop.run_until_complete(serve()))
        thread.start()
        try:
            assert listening.wait(60)
            yield self
        finally:
            self._loop.call_soon_threadsafe(stopping.set)
            thread.join()
            self._loop.close()

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._wires.add(task)
        task.add_done_callback(self._wires.discard)
        with suppress(OSError):
            server, to_server = await asyncio.open_unix_connection(str(self._server))
            try:
                ways = [self._carry(client, to_server), self._carry(server, to_client)]
                carrying = [asyncio.ensure_future(way) for way in ways]
                await asyncio.wait(carrying, return_when="FIRST_COMPLETED")
                for each in carrying:
                    each.cancel()
                await asyncio.gather(*carrying, return_exceptions=True)
            finally:
                to_server.transport.abort()
        to_client.transport.abort()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            if not self.is_calm and self._chance.randrange(self._one_in) == 0:
                fault = self._chance.choice(["late", "lost", "cut"])
                self.faults[fault] += 1
                if fault == "cut":
                    return
                if fault == "lost":
                    await asyncio.sleep(SILENT_S)
                    return
                await asyncio.sleep(self._chance.uniform(*LATE_S))
            target.write(data)
            await target.drain()
