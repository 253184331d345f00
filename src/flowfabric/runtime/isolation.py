"""Child processes that run functions, so that code which computes, blocks or crashes does not harm the worker.

Children are spawned, never forked: each is a new interpreter that imports the task by its module and name. A child runs
one attempt at a time. The parent keeps the lease and stores the steps; the child knows nothing of the engine.
"""

import asyncio
import importlib
import json
import logging
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, assert_never

import msgspec

from flowfabric.domain.errors import EngineError, InvalidInput, Refused
from flowfabric.domain.outcomes import WaitOver
from flowfabric.domain.streams import unpack
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.budget_desk import Spend
from flowfabric.runtime.fan_out import packed
from flowfabric.runtime.logs import chosen_format
from flowfabric.runtime.messages import (
    LENGTH,
    MARK,
    Answer,
    AskBudget,
    AskChildren,
    AskEnds,
    AskFlush,
    AskSlot,
    AskWait,
    AskWaitpoint,
    Cancel,
    Ended,
    LoadStep,
    Progress,
    Question,
    RecordStep,
    Run,
    Speak,
    Speaker,
    ToChild,
    ToParent,
    framed,
    refusal_of,
    to_parent,
)
from flowfabric.runtime.running import Call, Died, Ending, RunnableTask, Stopped
from flowfabric.runtime.services import Bookkeeper
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.worker_tasks import WorkerTasks

log = logging.getLogger("flowfabric.worker")

_CHILD: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from flowfabric.runtime.child import main; main(int(sys.argv[1]), int(sys.argv[3]), sys.argv[4])"
)


LAST_WORDS_S: Final = 1.0
"""How long to wait for the last message of a dead child, and for the end of a child that has closed its line."""


LINE_BYTES: Final = 256 * 1024
"""How much the line to the parent should hold: more than what a child may have said and the parent not answered."""
YOUNG_S: Final = 2.0
"""A child that dies within this time after its start counts as one that could not start."""


class ChildProcesses:
    """Children, started when they are needed and kept for the next attempt.

    Every attempt that asks gets a child at once: the worker decides how many run at once before it claims them, and the
    lease and the timeout of an attempt begin with the claim. There is one exception: while the children of a task die
    as soon as they are started, the next child for this task is started after a pause.
    """

    def __init__(
        self,
        registered: Mapping[str, RunnableTask],
        threads: Threads,
        tasks: WorkerTasks,
        *,
        grace_s: float,
        flush_s: float = 0.02,
    ) -> None:
        self._registered = registered
        self._threads = threads
        self._tasks = tasks
        self._grace_s = grace_s
        # The worker gathers, too, so a child keeps what it has to say only for a part of the time.
        self._speaks_every_ms = max(1, round(flush_s * 1000 / 4))
        self._deaths: defaultdict[str, Deaths] = defaultdict(Deaths)
        """By task: if one task kills its children, those of other tasks are still started at once."""
        self._idle: list[Child] = []
        self._all: set[Child] = set()

    def check_all(self, tasks: Iterable[RunnableTask]) -> None:
        """Raise InvalidInput if a child could not find one of the tasks."""
        for task in tasks:
            found = find_task(importlib.import_module(task.function.__module__), task.name)
            if found is None or found.function is not task.function:
                raise InvalidInput(
                    f"Task {task.name!r} cannot run in a child process: {task.function.__module__} has no global name "
                    "for it, and the child looks for one. Define the task at the top level of a module."
                )

    async def run(self, call: Call, books: Bookkeeper) -> Ending:
        """Run the call in a child. If this is cancelled, it stops the child before it returns."""
        module = module_of(self._registered[call.assignment.task])
        child = self._idle_child()
        if child is None:
            await asyncio.sleep(self._deaths[call.assignment.task].pause_s)
            child = await Child.started(self._threads, self._tasks)
            self._all.add(child)
        try:
            ending = await child.run(Run(module, call.assignment.task, call, self._speaks_every_ms), books)
            self._deaths[call.assignment.task].seen(isinstance(ending, Died) and child.age_s < YOUNG_S)
            return ending
        except BaseException:
            await child.stop(self._grace_s)
            raise
        finally:
            if child.is_usable:
                self._idle.append(child)
            else:
                self._all.discard(child)
                await child.end()

    def _idle_child(self) -> "Child | None":
        while self._idle:
            child = self._idle.pop()
            if child.is_usable:
                return child
            self._all.discard(child)
            self._tasks.start(child.end())
        return None

    def kill(self) -> None:
        """End all children now, whatever they run."""
        for child in self._all:
            child.kill()

    async def close(self) -> None:
        """End all children, and wait until they are gone."""
        self.kill()
        idle, self._idle = self._idle, []
        self._all.difference_update(idle)
        await asyncio.gather(*(child.end() for child in idle))


class Deaths:
    """Counts children that die at once. While they do, the next one is started after a pause."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._backoff = Backoff()
        self._until = 0.0

    def seen(self, was_young: bool) -> None:
        """Note that a child has ended an attempt; `was_young`: it died soon after its start."""
        if was_young:
            pause_s = self._backoff.next_s()
            self._until = self._monotonic() + pause_s
            log.warning("a child process died as soon as it had started; the next one starts in %.1f s", pause_s)
        else:
            self._backoff.reset()
            self._until = 0.0

    @property
    def pause_s(self) -> float:
        """How long to wait before the next child is started."""
        return max(0.0, self._until - self._monotonic())


class Child:
    """One child process, and the socket to it (its line)."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", line: socket.socket, threads: Threads, tasks: WorkerTasks
    ) -> None:
        self._born_at = time.monotonic()
        self._tasks = tasks
        self._process = process
        self._socket = line
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._status = asyncio.wrap_future(threads.submit(process.wait))
        self._is_spent = False

    @classmethod
    async def started(cls, threads: Threads, tasks: WorkerTasks) -> "Child":
        """A new child. It is started in a thread, because the start takes long and would hold up the loop."""
        starting = asyncio.wrap_future(threads.submit(_spawn))
        try:
            return cls(*await asyncio.shield(starting), threads, tasks)
        except asyncio.CancelledError:
            await cls(*await starting, threads, tasks).end()
            raise

    @property
    def age_s(self) -> float:
        """Seconds since the child was started."""
        return time.monotonic() - self._born_at

    @property
    def is_usable(self) -> bool:
        """Whether the child can run another attempt."""
        return not self._is_spent and self._process.poll() is None

    async def run(self, run: Run, books: Bookkeeper) -> Ending:
        """Run one attempt to its end."""
        self._is_spent = True  # until the attempt has ended as it should
        reader, _ = await self._connected()
        await self._send(run)
        asked = Speaker.about(run.call, self._process.pid)
        try:
            while (message := await _receive(reader)) is not None:
                if message.speaker != asked:
                    return self._distrusted(f"it was asked as {asked} and answered as {message.speaker}")
                match message:
                    case Ended(_, ending):
                        self._is_spent = isinstance(ending, Stopped) or message.is_last
                        return ending
                    case Progress(_, percent, text):
                        books.report_progress(percent, text)
                    case LoadStep() | RecordStep() | AskBudget() | AskSlot() | AskWait() | AskWaitpoint():
                        self._tasks.start(self._answer(message, books))
                    case Speak():
                        # At once, before the next message: a step must not be stored without what was said in it.
                        books.stream_desk.repeat(unpack(message.frames), message.patches)
                        self._tasks.start(self._answer(message, books))
                    case AskChildren() | AskEnds() | AskFlush():
                        self._tasks.start(self._answer(message, books))
                    case _:
                        assert_never(message)
        except msgspec.DecodeError as error:
            return self._distrusted(f"it sent something that is not a message: {error}")
        return Died(f"the process that ran it {await self._how_it_ended()}")

    def _distrusted(self, why: str) -> Died:
        """End a child whose line carried foreign bytes: no answer can be trusted any more."""
        self.kill()
        return Died(
            f"the process that ran it was killed, because {why}. "
            "Its code has written to a descriptor that it did not open."
        )

    async def stop(self, grace_s: float) -> None:
        """Ask the child to stop, and kill it if it has not stopped when the grace is over."""
        with suppress(TimeoutError, asyncio.CancelledError):  # cancelled: the worker hurries, so kill it
            async with asyncio.timeout(grace_s):
                await self._send(Cancel("cancelled"))
                await asyncio.shield(self._status)
        self.kill()

    def kill(self) -> None:
        """Kill the child now."""
        self._is_spent = True
        if self._process.poll() is None:
            self._process.kill()

    async def end(self) -> None:
        """Clean up after a child that is not usable any more."""
        self.kill()
        if self._line is None:
            self._socket.close()
        else:
            self._line[1].close()
        await asyncio.shield(self._status)

    async def _connected(self) -> "tuple[asyncio.StreamReader, asyncio.StreamWriter]":
        if self._line is None:
            self._line = await asyncio.open_connection(sock=self._socket)
            # A process that the code has started may keep the line open after the child's death.
            loop, end_of_line = asyncio.get_running_loop(), self._line[0].feed_eof
            self._status.add_done_callback(lambda _: loop.call_later(LAST_WORDS_S, end_of_line))
        return self._line

    async def _send(self, message: ToChild) -> None:
        _, writer = await self._connected()
        with suppress(ConnectionError):  # the child has died, which the next read shows
            writer.write(framed(message))
            await writer.drain()

    async def _answer(self, question: Question, books: Bookkeeper) -> None:
        try:
            answer = await self._answer_to(question, books)
        except EngineError as error:
            answer = Answer(question.number, refusal=refusal_of(error))
        except Exception as error:
            log.exception("a question of a child process could not be answered, which is a bug in flowfabric")
            answer = Answer(question.number, refusal=refusal_of(Refused(f"The worker failed: {error!r}")))
        await self._send(msgspec.structs.replace(answer, must_pause=books.must_pause))

    async def _answer_to(self, question: Question, books: Bookkeeper) -> Answer:
        match question:
            case LoadStep():
                return Answer(question.number, step=await books.stored_step(question.name))
            case RecordStep():
                stored = question.name, question.fingerprint, question.result
                await books.store_step(*stored, question.tries, question.charge, question.took_s)
                return Answer(question.number)
            case AskBudget(spend=Spend() as spend):
                return Answer(question.number, spent=await books.budget_desk.spend(spend))
            case AskBudget(reservation=reservation):
                assert reservation is not None
                return Answer(question.number, reserved=await books.budget_desk.reserve(reservation))
            case AskSlot(slot=slot, gives=True):
                await books.limit_desk.give(slot)
                return Answer(question.number)
            case AskSlot(slot=slot):
                return Answer(question.number, slot=await books.limit_desk.take(slot))
            case AskWait(suspends=False):
                return Answer(question.number, over=await books.open_wait(question.wait))
            case AskWait():
                answer = await books.suspend(question.wait)
                if isinstance(answer, WaitOver):
                    return Answer(question.number, over=answer)
                return Answer(question.number, word=answer)
            case AskWaitpoint():
                return Answer(question.number, waitpoint=await books.make_waitpoint(question.waitpoint))
            case AskChildren():
                made = await books.make_children(question.name, question.items)
                return Answer(question.number, children=tuple(made))
            case AskEnds():
                return Answer(question.number, ends=packed(await books.child_ends(question.execution_ids)))
            case Speak():
                await books.stream_desk.room()
                return Answer(question.number)
            case AskFlush():
                await books.stream_desk.flush()
                return Answer(question.number)
            case _:
                assert_never(question)

    async def _how_it_ended(self) -> str:
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_S):
                await asyncio.shield(self._status)
        self.kill()  # it has closed its line, so it cannot be asked to stop any more
        status = await asyncio.shield(self._status)
        if status >= 0:
            return f"exited with status {status}"
        try:
            return f"was ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"was ended by signal {-status}"


def _spawn() -> "tuple[subprocess.Popen[bytes], socket.socket]":
    """A new process, and our end of the line to it."""
    ours, theirs = socket.socketpair()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LINE_BYTES)
    level = logging.getLogger().getEffectiveLevel()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own program, with nothing from outside
            [sys.executable, "-c", _CHILD, str(theirs.fileno()), json.dumps(sys.path), str(level), chosen_format()],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            # A session of its own: signals of the terminal reach only the worker, which decides for its children.
            start_new_session=True,
        )
    return process, ours


async def _receive(reader: asyncio.StreamReader) -> ToParent | None:
    """The next message; None: the child is gone."""
    try:
        # The first byte alone: foreign output on the line may be shorter than the head of a message.
        if (first := await reader.readexactly(len(MARK))) != MARK:
            raise msgspec.DecodeError(f"a message begins with {MARK!r}, and this begins with {first!r}")
        (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
        message: ToParent = to_parent.decode(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return message


def module_of(task: RunnableTask) -> str:
    """The module under which a child finds the task."""
    name = task.function.__module__
    if name != "__main__":
        return name
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return str(spec.name)
    file = getattr(main, "__file__", None)
    if file is None:
        raise InvalidInput(
            f"Task {task.name!r} was typed into an interpreter, and a child process has no file to import it from. "
            "Write it into a module."
        )
    return Path(file).stem


def find_task(module: ModuleType, name: str) -> Any:
    """The task of this name among a module's global names; None if there is none."""
    for value in vars(module).values():
        if getattr(value, "name", None) == name and hasattr(value, "signature") and hasattr(value, "function"):
            return value
    return None
