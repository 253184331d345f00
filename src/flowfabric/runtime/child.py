"""What runs in a child process: one attempt after the other, as the parent sends them, until the parent is gone."""

import asyncio
import importlib
import itertools
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from types import FrameType
from typing import NoReturn, TypeVar, assert_never

from flowfabric.domain.errors import InvalidInput
from flowfabric.runtime.attempt import Ending, RunnableTask, Stopped, run_async, run_plain
from flowfabric.runtime.context import AttemptCancelled, Context
from flowfabric.runtime.failures import failure_of
from flowfabric.runtime.isolation import find_task
from flowfabric.runtime.messages import (
    HEADER,
    Answer,
    AskDeadline,
    Cancel,
    Ended,
    LoadSteps,
    Progress,
    RecordStep,
    Run,
    ToParent,
    error_in,
    framed,
    to_child,
)
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.threads import Threads

T = TypeVar("T")

_this: "ChildMain | None" = None


def is_child() -> bool:
    """Whether this process is a child that runs functions for a worker."""
    return _this is not None


def main(line: int, log_level: int) -> NoReturn:
    """Run attempts until there are no more."""
    global _this
    logging.basicConfig(level=log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    _this = ChildMain(socket.socket(fileno=line))
    _this.run()
    logging.shutdown()
    # Not by the usual way: threads and engines that the functions have left behind need not be waited for.
    os._exit(0)


class ChildMain:
    """Runs functions in the main thread, so that a signal can interrupt them; another thread listens to the parent."""

    def __init__(self, line: socket.socket) -> None:
        self.threads = Threads("flowfabric-step")
        self._line = line
        self._sending = threading.Lock()
        self._runs: SimpleQueue[Run] = SimpleQueue()
        self._questions: dict[int, Future[Answer]] = {}
        self._numbers = itertools.count(1)
        self._context: Context | None = None
        self._job: tuple[asyncio.AbstractEventLoop, asyncio.Task[Ending]] | None = None
        self._cancelled: str | None = None
        self._is_interruptible = False
        # Whoever signals the whole group means the worker, which decides for its children.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self._on_sigterm)

    def run(self) -> None:
        """Run what the parent sends, until it has cancelled something."""
        threading.Thread(target=self._listen, name="flowfabric-parent", daemon=True).start()
        with asyncio.Runner() as runner:
            while self._cancelled is None:
                self._send(Ended(self._ending(runner, self._runs.get())))
                self._context = None

    def _ending(self, runner: asyncio.Runner, run: Run) -> Ending:
        try:
            task = self._task(run)
            context = Context(run.call.assignment, self)
            arguments = task.signature.arguments(run.call.payload, run.call.inputs)
            self._context = context
            if self._cancelled is not None:
                return Stopped()
            if task.is_async:
                return runner.run(self._run_async(task, context, arguments))
            return self._run_plain(task, context, arguments)
        except AttemptCancelled:
            return Stopped()
        except Exception as error:
            return failure_of(error)

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
            return run_plain(task, context, arguments)
        finally:
            self._is_interruptible = False

    async def _run_async(self, task: RunnableTask, context: Context, arguments: dict[str, object]) -> Ending:
        job = asyncio.create_task(run_async(task, context, arguments))
        self._job = (asyncio.get_running_loop(), job)
        if self._cancelled is not None:
            job.cancel()
        try:
            return await job
        except asyncio.CancelledError:
            return Stopped()
        finally:
            self._job = None

    # ── the parent's word ────────────────────────────────────────────────────────────────────────

    def _listen(self) -> None:
        while (message := self._receive()) is not None:
            match message:
                case Run():
                    self._runs.put(message)
                case Answer():
                    self._questions.pop(message.number).set_result(message)
                case Cancel():
                    self._cancel(message.reason)
                case _:
                    assert_never(message)
        os._exit(1)  # without a parent nobody keeps the lease

    def _cancel(self, reason: str) -> None:
        self._cancelled = reason
        if self._context is not None:
            self._context.cancelled.set(reason)
        job = self._job
        if job is not None:
            job[0].call_soon_threadsafe(job[1].cancel)
        # To the main thread itself, so that a call it is waiting in returns.
        main = threading.main_thread().ident
        assert main is not None
        signal.pthread_kill(main, signal.SIGTERM)

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        if self._cancelled is not None and self._is_interruptible:
            self._is_interruptible = False
            raise AttemptCancelled(self._cancelled)

    def _receive(self) -> "Run | Cancel | Answer | None":
        header = self._read(HEADER.size)
        data = None if header is None else self._read(HEADER.unpack(header)[0])
        if data is None:
            return None
        message: Run | Cancel | Answer = to_child.decode(data)
        return message

    def _read(self, size: int) -> bytes | None:
        parts = bytearray()
        while len(parts) < size:
            try:
                part = self._line.recv(size - len(parts))
            except OSError:
                return None
            if not part:
                return None
            parts += part
        return bytes(parts)

    def _send(self, message: ToParent) -> None:
        data = framed(message)
        with self._sending:
            self._line.sendall(data)

    # ── supervising the context, by asking the parent ────────────────────────────────────────────

    def load_steps(self) -> Future[Sequence[StoredStep]]:
        """The steps that earlier attempts have stored."""
        number = next(self._numbers)
        return _then(self._ask(LoadSteps(number)), lambda answer: answer.steps)

    def record_step(self, name: str, fingerprint: bytes, result: bytes) -> Future[None]:
        """Store a step."""
        number = next(self._numbers)
        return _then(self._ask(RecordStep(number, name, fingerprint, result)), lambda answer: None)

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Say how far it is."""
        self._send(Progress(percent, message))

    def deadline_at_ms(self) -> int | None:
        """When the attempt is over at the latest."""
        number = next(self._numbers)
        return _then(self._ask(AskDeadline(number)), lambda answer: answer.deadline_at_ms).result()

    def _ask(self, question: LoadSteps | RecordStep | AskDeadline) -> Future[Answer]:
        future: Future[Answer] = Future()
        self._questions[question.number] = future
        self._send(question)
        return future


def _then(answer: Future[Answer], part: Callable[[Answer], T]) -> Future[T]:
    """A part of the answer when it comes, or what the parent was refused with."""
    future: Future[T] = Future()

    def resolve(done: Future[Answer]) -> None:
        if not future.set_running_or_notify_cancel():
            return  # nobody waits any more
        refusal = done.result().refusal
        if refusal is None:
            future.set_result(part(done.result()))
        else:
            future.set_exception(error_in(refusal))

    answer.add_done_callback(resolve)
    return future
