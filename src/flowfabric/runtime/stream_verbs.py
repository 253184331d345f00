"""The verbs of a context with which an attempt speaks: `write`, `emit`, `summary` and `flush`."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Protocol

import msgspec

from flowfabric.domain import stream_inputs
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.streams import FRAME_BYTES_MAX
from flowfabric.runtime.stream_desk import StreamDesk
from flowfabric.runtime.typed_values import json_or_refusal


class _Speaking(Protocol):
    """The parts of a context that are needed here."""

    @property
    def stream_desk(self) -> StreamDesk:
        """Takes what the attempt says."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class StreamVerbs:
    """The part of a context that speaks.

    What is said is gathered and stored a little later, at most 20 ms (`flush=` of the worker); a step, a wait or the
    end of the attempt takes along what was said before it, in the same commit. A frame counts if the step in which it
    was written counts, so a step that is not run again keeps its frames. Threads that the code itself starts know
    their step only if they run in a copy of its context: `contextvars.copy_context().run`.
    """

    def write(self: _Speaking, said: str | bytes, /) -> None:
        """Write a text, or bytes, to the stream of the execution: `ctx.write(token)`.

        Never waits on the worker's event loop. If more than 1 MiB waits to be stored, threads and child processes wait
        here, and async functions have to `await ctx.flush()`; with more than 8 MiB this raises InvalidInput. A text of
        more than 65,536 bytes becomes several frames.
        """
        given: object = said
        if isinstance(given, str):
            data = given.encode("utf-8", "backslashreplace")
            if len(data) <= FRAME_BYTES_MAX:
                self.stream_desk.say("text", data)
                return
            for part in parts_of(data):
                self.stream_desk.say("text", part)
        elif isinstance(given, (bytes, bytearray, memoryview)):
            data = bytes(given)
            if len(data) > FRAME_BYTES_MAX:
                raise InvalidInput(
                    f"ctx.write got {len(data)} bytes; a frame has {FRAME_BYTES_MAX} at most. Write them in parts."
                )
            self.stream_desk.say("blob", data)
        else:
            raise InvalidInput(
                f"ctx.write takes a text or bytes, not {type(given).__name__}. Use ctx.emit for other values."
            )

    def emit(self: _Speaking, value: object, /) -> None:
        """Write a value to the stream, as JSON: `ctx.emit({"citations": 3})`. Otherwise the same as `write`."""
        data = json_or_refusal(value, "ctx.emit")
        if len(data) > FRAME_BYTES_MAX:
            raise InvalidInput(
                f"ctx.emit got a value of {len(data)} bytes as JSON; a frame has {FRAME_BYTES_MAX} at most. Emit its "
                "parts one by one, or store it elsewhere and emit where it is."
            )
        self.stream_desk.say("json", data)

    def summary(self: _Speaking, patch: Mapping[str, object], /) -> None:
        """Merge a patch into the summary of the execution: `ctx.summary({"stage": "done", "tokens": 812})`.

        None removes a member, objects are merged, anything else replaces. Patches that come fast are sent as one. If
        the summary would become too large, the patch is refused later, and the worker logs that.
        """
        document = stream_inputs.patch(patch)
        self.stream_desk.patch(document, len(msgspec.json.encode(document)))

    async def flush(self: _Speaking) -> None:
        """Wait until everything that was said is stored, or the lease is over."""
        await self.stream_desk.flush()

    def flush_sync(self: _Speaking) -> None:
        """`flush` for plain functions. Raises AttemptCancelled if the attempt must stop."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self.stream_desk.flush_sync()
            self.raise_if_cancelled()
            return
        raise InvalidInput(
            "flush_sync would block the event loop that it runs on. Use `await ctx.flush()` in async functions."
        )


def parts_of(data: bytes) -> Iterator[bytes]:
    """A text in UTF-8 in parts that fit into frames, cut between characters."""
    start = 0
    while len(data) - start > FRAME_BYTES_MAX:
        end = start + FRAME_BYTES_MAX
        while data[end] & 0xC0 == 0x80:  # inside of a character
            end -= 1
        yield data[start:end]
        start = end
    yield data[start:]
