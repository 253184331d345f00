"""Capture: what the code of an attempt prints and logs becomes frames of its stream.

A context variable says whose code runs. So attempts that run at the same time each get their own output, on the loop,
in threads that copy the context, and in child processes. Everything is also written and handled as before.
"""

import logging
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, Literal, NamedTuple, Protocol, TextIO, get_args

from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.streams import FrameKind
from flowfabric.runtime.stream_desk import StreamDesk
from flowfabric.runtime.stream_verbs import parts_of

Captured = Literal["stdout", "stderr", "logging"]
CAPTURED: Final[tuple[Captured, ...]] = get_args(Captured)

_Handle = Callable[[logging.Logger, logging.LogRecord], None]

_OURS: Final = "flowfabric."
_OF_TASKS: Final = "flowfabric.task."
"""The loggers of `ctx.log`: what they say is said by the code of tasks."""


def captured_in(words: object) -> frozenset[Captured]:
    """What is to be captured: `"stdout,logging"`. Raises InvalidInput for unknown words."""
    if not isinstance(words, str):
        raise InvalidInput(f"capture is {shown(words)}; it must be a text such as 'stdout,logging'.")
    given = [word.strip() for word in words.split(",")]
    found = frozenset(known for known in CAPTURED if known in given)
    for word in given:
        if word not in found:
            raise InvalidInput(
                f"capture names {shown(word)}; it may name {', '.join(CAPTURED)}, with commas in between."
            )
    return found


class _Speaking(Protocol):
    """The part of a context that is needed here."""

    @property
    def stream_desk(self) -> StreamDesk:
        """Takes what the attempt says."""


class _Capture(NamedTuple):
    """Whose code runs, and what is captured of it."""

    speaker: _Speaking
    what: frozenset[Captured]
    may_wait: bool = True
    """Whether the code may be made to wait until there is room."""

    def say(self, kind: FrameKind, text: str) -> None:
        with suppress(Exception):  # print and log must not fail because of us
            data = text.encode("utf-8", "backslashreplace")
            for part in parts_of(data):
                self.speaker.stream_desk.say_output(kind, part, may_wait=self.may_wait)


_capture: ContextVar[_Capture | None] = ContextVar("flowfabric_capture", default=None)


def begin(speaker: _Speaking, what: frozenset[Captured]) -> None:
    """From now on capture what the code in this context prints and logs, until `end`."""
    _capture.set(_Capture(speaker, what))


def end() -> None:
    """Capture nothing more in this context."""
    _capture.set(None)


# ── the streams and the log records of this process ──────────────────────────────────────────────


class _Tee:
    """A standard stream of the process. What is written there goes on to the stream inside, and is captured."""

    def __init__(self, inner: TextIO | None, kind: Literal["stdout", "stderr"]) -> None:
        self.inner = inner
        self._kind: Final = kind

    def write(self, text: str) -> int:
        capture = _capture.get()
        if capture is None or self._kind not in capture.what:
            return self._passed_on(text)
        token = _capture.set(None)  # the stream inside may be captured, too, if somebody has wrapped us
        try:
            return self._passed_on(text)
        finally:
            _capture.reset(token)
            if text:
                capture.say(self._kind, text)

    def _passed_on(self, text: str) -> int:
        return len(text) if self.inner is None else self.inner.write(text)

    def writelines(self, lines: Collection[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if self.inner is not None:
            self.inner.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class _Stream:
    """One of `sys.stdout` and `sys.stderr`, wrapped while it is captured."""

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name: Final = name

    def wrap(self) -> None:
        now = getattr(sys, self._name)
        if not isinstance(now, _Tee):
            setattr(sys, self._name, _Tee(now, self._name))

    def unwrap(self) -> None:
        now = getattr(sys, self._name)
        if isinstance(now, _Tee):  # otherwise somebody else has wrapped it since, and what we leave only passes on
            setattr(sys, self._name, now.inner)


class _Records:
    """The log records of all loggers. They are taken before any handler can drop them or raise."""

    _METHOD: Final = "callHandlers"

    def __init__(self) -> None:
        self._formatter = logging.Formatter("%(levelname)s %(name)s %(message)s")
        self._inner: _Handle | None = None
        self._ours: _Handle | None = None

    def wrap(self) -> None:
        inner: _Handle = getattr(logging.Logger, self._METHOD)
        if inner is self._ours:
            return

        def handle(logger: logging.Logger, record: logging.LogRecord) -> None:
            self._take(logger, record, inner)

        self._ours, self._inner = handle, inner
        setattr(logging.Logger, self._METHOD, handle)

    def unwrap(self) -> None:
        if getattr(logging.Logger, self._METHOD) is self._ours:  # otherwise the same as for a stream
            setattr(logging.Logger, self._METHOD, self._inner)

    def _take(self, logger: logging.Logger, record: logging.LogRecord, handle: _Handle) -> None:
        capture = _capture.get()
        if capture is None:
            handle(logger, record)
            return
        is_ours = record.name.startswith(_OURS) and not record.name.startswith(_OF_TASKS)
        within: _Capture | None = None  # what its handlers write is the record once more
        if not is_ours:
            if "logging" in capture.what:
                capture.say("log", self._line_of(record))
            else:
                # A handler holds a lock while it writes, for which the loop may have to wait.
                within = capture._replace(may_wait=False)
        token = _capture.set(within)
        try:
            handle(logger, record)
        finally:
            _capture.reset(token)

    def _line_of(self, record: logging.LogRecord) -> str:
        before = record.exc_text
        try:
            return f"{self._formatter.format(record)}\n"
        except Exception:  # its arguments do not fit its message, which its handlers report
            return f"{record.levelname} {record.name} {record.msg!r} {record.args!r}\n"
        finally:
            record.exc_text = before  # a formatter of the program may write tracebacks in another way


_records: Final = _Records()
_streams: Final = {"stdout": _Stream("stdout"), "stderr": _Stream("stderr")}
_lock: Final = threading.Lock()
_uses: Final[dict[str, int]] = dict.fromkeys(CAPTURED, 0)


@contextmanager
def capturing(what: Collection[Captured]) -> Iterator[None]:
    """While the block lasts, code of this process can be captured. Blocks may overlap."""
    with ExitStack() as stack:
        for each in {*what, *(("logging",) if what else ())}:  # records also say what handlers write to the streams
            stack.enter_context(_in_use(each))
        yield


@contextmanager
def _in_use(what: str) -> Iterator[None]:
    wrapped = _streams.get(what, _records)
    with _lock:
        _uses[what] += 1
        wrapped.wrap()
    try:
        yield
    finally:
        with _lock:
            _uses[what] -= 1
            if not _uses[what]:
                wrapped.unwrap()
