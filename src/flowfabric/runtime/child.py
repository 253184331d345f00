"""The main program of a child process: it runs the attempts that the parent sends, until the parent is gone."""

import asyncio
import importlib
import itertools
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext, suppress
from queue import SimpleQueue
from types import FrameType
from typing import NoReturn, assert_never

from flowfabric.domain.errors import EngineError, InvalidInput, StaleLease
from flowfabric.runtime.asking import Asking
from flowfabric.runtime.capture import capturing
from flowfabric.runtime.context import AttemptCancelled, Context
from flowfabric.runtime.failures import AttemptFailure, failure_of
from flowfabric.runtime.isolation import find_task
from flowfabric.runtime.logs import LogFormat, set_up
from flowfabric.runtime.messages import (
    LENGTH,
    MARK,
    Answer,
    Cancel,
    Ended,
    Progress,
    Question,
    Run,
    Speaker,
    ToParent,
    framed,
    to_child,
)
from flowfabric.runtime.running import Ending, RunnableTask, Stopped, Succeeded, run_async, run_plain
from flowfabric.runtime.threads import Threads

log = logging.getLogger("flowfabric.worker")

_this: "ChildMain | None" = None


def is_child() -> bool:
    """Whether this process is a child that runs functions for a worker."""
    return _this is not None


def main(line: int, log_level: int, log_format: LogFormat) -> NoReturn:
    """Run attempts until there are no more."""
    global _this
    set_up(log_level, log_format)
    os.set_inheritable(line, False)  # programs that the functions start must not use the line
    _this = ChildMain(socket.socket(fileno=line))
    status = 1
    try:
        _this.run()
        status = 0
    except BaseException:
        log.exception("a child process cannot go on; it ends, and the worker starts another one")
    finally:
        logging.shutdown()
        # Not sys.exit(): threads and engines that the functions have left running must not hold up the end.
        os._exit(status)


class ChildMain:
    """Runs functions in the main thread, so that a signal can interrupt them; another thread listens to the parent."""

    def __init__(self, line: socket.socket) -> None:
        self.threads = Threads("flowfabric-step")
        self._line = line
        self._inode = os.fstat(line.fileno()).st_ino
        self._pid = os.getpid()
        self._sending = threading.Lock()
        self._speaker: Speaker | None = None
        self._runs: SimpleQueue[Run | None] = SimpleQueue()
        self._questions: dict[int, Future[Answer]] = {}
        self._numbers = itertools.count(1)
        self._context: Context | None = None
        self._asking: Asking | None = None
        self._job: tuple[asyncio.AbstractEventLoop, asyncio.Task[Ending]] | None = None
        self._cancelled: str | None = None
        self._is_interruptible = False
        # A signal to the whole process group is for the worker, which decides for its children.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self._on_sigterm)
        os.register_at_fork(after_in_child=self._on_fork)

    def run(self) -> None:
        """Run what the parent sends, until it cancels an attempt, or one leaves a step behind whose time is over."""
        threading.Thread(target=self._listen, name="flowfabric-parent", daemon=True).start()
        with asyncio.Runner() as runner:
            while self._cancelled is None and (run := self._runs.get()) is not None:
                speaker = self._speaker = Speaker.about(run.call, self._pid)
                ending = self._ending(runner, run, speaker)
                if self._asking is not None:
                    self._asking.finish()
                for stream in (sys.stdout, sys.stderr):
                    with suppress(Exception):  # what was printed must not be lost if the process is ended
                        stream.flush()
                context, self._context, self._asking = self._context, None, None
                is_last = context is not None and context.steps.has_overdue
                self._send(Ended(speaker, ending, is_last))
                if is_last:
                    return  # only the end of the process can stop the thread of that step

    def _ending(self, runner: asyncio.Runner, run: Run, speaker: Speaker) -> Ending:
        try:
            try:
                task = self._task(run)
                self._asking = Asking(self, speaker, run.speaks_every_ms)
                context = Context(run.call.assignment, self._asking)
                arguments = task.signature.arguments(run.call.payload, run.call.inputs)
            except Exception as error:
                return failure_of(error)
            if run.call.is_watched:
                context.steps.watch = nullcontext
            self._context = context
            if self._cancelled is not None:
                return Stopped()
            # An error from here is no error of the function: this process is broken, and the next attempt needs another
            # one.
            with capturing(task.settings.capture):
                if task.is_async:
                    return runner.run(self._run_async(task, context, arguments, run.call.traceparent))
                with _within(run.call.traceparent):
                    return self._run_plain(task, context, arguments)
        except AttemptCancelled:
            return Stopped()

    def _task(self, run: Run) -> RunnableTask:
        task: RunnableTask | None = find_task(importlib.import_module(run.module), run.task)
        if task is None:
            raise InvalidInput(
                f"Task {run.task!r} is not among the global names of {run.module}, where a child process looks for it. "
                "Define it at the top level of a module."
            )
        return task

    def _run_plain(self, task: RunnableTask, context: Context, arguments: dict[str, object]) -> Ending:
        self._is_interruptible = True
        try:
            return self._unless_forked(run_plain(task, context, arguments))
        finally:
            self._is_interruptible = False

    async def _run_async(
        self, task: RunnableTask, context: Context, arguments: dict[str, object], traceparent: str | None
    ) -> Ending:
        async def run() -> Ending:
            with _within(traceparent):
                return self._unless_forked(await run_async(task, context, arguments))

        job = asyncio.create_task(run())
        self._job = (asyncio.get_running_loop(), job)
        if self._cancelled is not None:
            job.cancel()
        try:
            return await job
        except asyncio.CancelledError as error:
            return failure_of(error) if self._cancelled is None else Stopped()
        finally:
            self._job = None

    # ── processes that the function forks ────────────────────────────────────────────────────────

    def _on_fork(self) -> None:
        """Runs in a process that the function has forked: it must neither listen nor speak on its parent's line."""
        if self._has_its_line():
            self._line.close()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    @property
    def _is_forked(self) -> bool:
        return os.getpid() != self._pid

    def _unless_forked(self, ending: Ending) -> Ending:
        """The ending. In a forked process, which nobody asked to report, this ends the process instead."""
        if not self._is_forked:
            return ending
        log.warning(
            "a process that the function has forked came to the function's end (%s), and ends without a report. End "
            "such a process with os._exit().",
            ending.trace if isinstance(ending, AttemptFailure) else "it returned",
        )
        os._exit(0 if isinstance(ending, Succeeded) else 1)

    # ── messages of the parent ──────────────────────────────────────────────────────────────────

    def _listen(self) -> None:
        while (message := self._receive()) is not None:
            match message:
                case Run():
                    self._runs.put(message)
                case Answer():
                    asked = self._questions.pop(message.number)
                    if message.must_pause and self._context is not None:
                        self._context.steps.standstill.must_pause = True
                    if asked.set_running_or_notify_cancel():  # False: no code waits for the answer any more
                        asked.set_result(message)
                case Cancel():
                    self._cancel(message.reason)
                case _:
                    assert_never(message)
        os._exit(1)  # without a parent nobody keeps the lease

    def _cancel(self, reason: str) -> None:
        self._cancelled = reason
        self._runs.put(None)  # if nothing runs, only this wakes the main thread
        if self._context is not None:
            self._context.cancelled.set(reason)
        if self._asking is not None:
            self._asking.fall_silent()
        job = self._job
        if job is not None:
            job[0].call_soon_threadsafe(job[1].cancel)
        # Sent to the main thread itself, so that a call in which it waits returns.
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGTERM)

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        if self._cancelled is not None and self._is_interruptible:
            self._is_interruptible = False
            raise AttemptCancelled(self._cancelled)

    def _receive(self) -> "Run | Cancel | Answer | None":
        if self._read(len(MARK)) != MARK:
            return None
        length = self._read(LENGTH.size)
        data = None if length is None else self._read(LENGTH.unpack(length)[0])
        if data is None:
            return None
        message: Run | Cancel | Answer = to_child.decode(data)
        return message

    def _read(self, size: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < size:
            try:
                part = self._line.recv(size - len(parts)) if self._has_its_line() else None
            except OSError:
                return None
            if not part:
                return None
            parts += part
        return bytes(parts)

    def _has_its_line(self) -> bool:
        """Whether the line is still open: a function may have closed it, and another file may have its number now."""
        try:
            return os.fstat(self._line.fileno()).st_ino == self._inode
        except OSError:
            return False

    def _send(self, message: ToParent) -> None:
        data = framed(message)
        if self._is_forked:  # before the lock, because a thread of the parent may have held it at the fork
            raise InvalidInput(
                "This process was forked from the one that runs the attempt, and only that one can report progress, "
                "store steps or read the deadline. Send it what it needs to know."
            )
        with self._sending:
            if message.speaker != self._speaker:
                raise StaleLease(
                    "The attempt has ended, but one of its threads goes on. Wait for threads before returning."
                )
            if isinstance(message, Ended):
                self._speaker = None
            if not self._has_its_line():
                log.critical("the function has closed the line to the worker; this process ends")
                os._exit(1)
            self._line.sendall(data)

    def suspended(self) -> None:
        """Note that the execution is suspended, so that threads of the attempt stop."""
        if self._context is not None:
            self._context.cancelled.set("suspended")

    def tell(self, message: Progress) -> None:
        """Send a message that needs no answer. After the attempt's end nothing is sent."""
        with suppress(StaleLease):
            self._send(message)

    def ask(self, question: Callable[[int], Question]) -> Future[Answer]:
        """Send a question under a new number, and return the future of its answer."""
        asked = question(next(self._numbers))
        future = self._questions[asked.number] = Future()
        try:
            self._send(asked)
        except EngineError:
            del self._questions[asked.number]
            raise
        return future


def _within(traceparent: str | None) -> AbstractContextManager[None]:
    """While the block lasts, spans of the code belong to the span of the attempt, which is in the worker."""
    if traceparent is None:
        return nullcontext()
    from flowfabric.telemetry.tracing import within  # only workers that trace need it

    return within(traceparent)
