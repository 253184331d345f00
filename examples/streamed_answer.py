"""A model answers word by word, and two people read along. In the middle its worker is killed, and nobody reads twice.

Ann reads from the first word to the last. Ben closes his laptop after a few words, and goes on later where he was.

Run it: python examples/streamed_answer.py
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator

from flowfabric import Context, FlowFabric, Handle, Transcript

ANSWER = "Air scatters the short waves of light more than the long ones, and blue has short waves."

FOLDER = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
ff = FlowFabric(f"sqlite:///{FOLDER}/answers.db")


async def model(source: str, *, is_slow: bool) -> AsyncIterator[str]:
    """A model that has one answer. Sometimes it thinks for long in the middle of it."""
    for number, word in enumerate(f"{ANSWER} ({source})".split()):
        await asyncio.sleep(60 if is_slow and number == 9 else 0.02)
        yield f"{word} "


@ff.task
async def answer(ctx: Context, question: str) -> str:
    async def search() -> str:
        ctx.write(f"{question} I have read two pages. ")  # it counts as long as the step does
        return "Rayleigh, 1871"

    source = await ctx.step("search", search)
    async for word in model(source, is_slow=ctx.attempt_index == 0):
        ctx.write(word)  # if the worker dies, the next one writes this again
    ctx.summary({"source": source})
    return ANSWER


class Reader:
    """Somebody who reads along, and drops what no longer counts."""

    def __init__(self, name: str, handle: Handle[str]) -> None:
        self._name = name
        self._handle = handle
        self._seen = Transcript()
        self._cursor: str | None = None

    @property
    def text(self) -> str:
        return "".join(frame.value for frame in self._seen.frames)

    async def read(self, frames: int | None = None) -> None:
        """Read so many frames, or on to the end."""
        stream = self._handle.stream(cursor=self._cursor)
        async for frame in stream:
            self._seen.add(frame)
            if frame.kind == "restart":
                print(f"{self._name}: attempt {frame.attempt_index + 1} begins, {frame.value.why}; left: {self.text}")
            if len(self._seen.frames) == frames:
                break
        self._cursor = stream.cursor


def start_worker() -> "subprocess.Popen[bytes]":
    # This program once more. Usually it is `ff worker streamed_answer:ff`.
    return subprocess.Popen([sys.executable, __file__, FOLDER])  # noqa: S603 - its own program


async def main() -> None:
    async with ff:
        handle = await answer.submit("Why is the sky blue?")
        ann, ben = Reader("ann", handle), Reader("ben", handle)
        worker = start_worker()
        try:
            await asyncio.gather(ann.read(8), ben.read(4))
            worker.kill()  # kill -9
            worker.wait()
            print(f"killed; ann has read: {ann.text}")
            worker = start_worker()
            await asyncio.gather(ann.read(), ben.read())
        finally:
            worker.terminate()
            worker.wait()

        summary = await handle.summary()
        assert summary is not None
        print(f"ann: {ann.text}")
        print(f"ben: {ben.text}")
        print(f"summary: {summary.document}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ff.run_worker_sync(lease="1s")
    else:
        try:
            asyncio.run(main())
        finally:
            shutil.rmtree(FOLDER)
