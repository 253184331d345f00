"""How an attempt in a child process is served: it asks the parent."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.creation import NewChild
from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.runtime.child_budgets import ChildBudgets
from flowfabric.runtime.child_limits import ChildLimits
from flowfabric.runtime.child_speech import ChildSpeech
from flowfabric.runtime.fan_out import ChildEnd, unpacked
from flowfabric.runtime.messages import (
    Answer,
    AskChildren,
    AskEnds,
    AskWait,
    AskWaitpoint,
    LoadStep,
    Progress,
    Question,
    RecordStep,
    Speaker,
    error_in,
)
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.stream_desk import FORKED, UNHEARD, StreamDesk
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.wait_desk import NewWaitpoint, SuspendAnswer, Wait
from flowfabric.runtime.waits import Waits


class Line(Protocol):
    """The line to the parent."""

    threads: Threads
    """The threads of this process."""

    def ask(self, question: Callable[[int], Question]) -> Future[Answer]:
        """Send a question under a new number, and return the future of its answer."""

    def tell(self, message: Progress) -> None:
        """Send a message that needs no answer. After the attempt's end nothing is sent."""

    def suspended(self) -> None:
        """Note that the execution is suspended, so that threads of the attempt stop."""


class Asking:
    """Serves the context of one attempt by asking the parent. After the attempt's end its threads are refused."""

    linger_s: Final = 0.0
    """Waits do not linger here: the process is free for another attempt as soon as the code waits."""
    may_linger: Final = False
    pause_in_place_s: Final = 1.0

    def __init__(self, line: Line, speaker: Speaker, speaks_every_ms: int) -> None:
        self.threads = line.threads
        self._line = line
        self._speaker = speaker
        self._speaks_every_ms = speaks_every_ms
        self._making = threading.Lock()
        self._speech: ChildSpeech | None = None
        """What the code has said; None: nothing."""
        self._is_over = False
        self.budget_desk = ChildBudgets(self, speaker)
        self.limit_desk = ChildLimits(self, speaker)

    async def answer(self, question: Callable[[int], Question]) -> Answer:
        """The answer of the parent. Raises the error if the parent refused."""
        return _accepted(await asyncio.wrap_future(self._asked(question)))

    def answer_sync(self, question: Callable[[int], Question]) -> Answer:
        """The same as `answer`."""
        return _accepted(self._asked(question).result())

    def _asked(self, question: Callable[[int], Question]) -> Future[Answer]:
        """Ask the parent, after it was sent everything that was said before."""
        if self._speech is not None:
            self._speech.send_all()
        return self._line.ask(question)

    # ── what the code says ───────────────────────────────────────────────────────────────────────

    @property
    def stream_desk(self) -> StreamDesk:
        """Takes what the attempt says."""
        if os.getpid() != self._speaker.pid:
            return FORKED
        if self._speech is not None:
            return self._speech
        with self._making:
            if self._speech is None:
                if self._is_over:
                    return UNHEARD
                self._speech = ChildSpeech(self, self._line, self._speaker, self._speaks_every_ms)
            return self._speech

    def finish(self) -> None:
        """The code has ended: send what it has said, and take nothing more."""
        with self._making:
            self._is_over = True
        if self._speech is not None:
            self._speech.send_all()
            self._speech.close()

    def fall_silent(self) -> None:
        """The attempt must stop: drop what it has said, so that nobody waits until it is stored."""
        if self._speech is not None:
            self._speech.close()

    # ── steps ────────────────────────────────────────────────────────────────────────────────────

    async def stored_step(self, name: str) -> StoredStep | None:
        """The stored step of this name."""
        return (await self.answer(self._to_load(name))).step

    async def store_step(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """Store a step."""
        await self.answer(self._to_store(name, fingerprint, result, tries, charge, took_s))

    def stored_step_sync(self, name: str) -> StoredStep | None:
        """The same as `stored_step`."""
        return self.answer_sync(self._to_load(name)).step

    def store_step_sync(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """The same as `store_step`."""
        self.answer_sync(self._to_store(name, fingerprint, result, tries, charge, took_s))

    def _to_load(self, name: str) -> Callable[[int], Question]:
        return lambda number: LoadStep(self._speaker, number, name)

    def _to_store(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int,
        charge: StepCharge | None,
        took_s: float | None,
    ) -> Callable[[int], Question]:
        return lambda number: RecordStep(self._speaker, number, name, fingerprint, result, tries, charge, took_s)

    def report_progress(self, percent: int | None, message: str | None) -> None:
        """Send the progress of the attempt."""
        self._line.tell(Progress(self._speaker, percent, message))

    # ── waits ────────────────────────────────────────────────────────────────────────────────────

    def lingers(self, waits: Waits, *, begins: bool) -> None:
        """Nothing lingers here."""

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open a wait."""
        return (await self.answer(self._to_wait(wait, suspends=False))).over

    async def watch_wait(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        """Nothing is watched here: a wait is asked for again when no step of the attempt runs."""
        return None

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution."""
        return self._noted(await self.answer(self._to_wait(wait, suspends=True)))

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""
        return _waitpoint_in(await self.answer(self._to_make(waitpoint)))

    def open_wait_sync(self, wait: Wait) -> WaitOver | None:
        """The same as `open_wait`."""
        return self.answer_sync(self._to_wait(wait, suspends=False)).over

    def suspend_sync(self, wait: Wait) -> SuspendAnswer:
        """The same as `suspend`."""
        return self._noted(self.answer_sync(self._to_wait(wait, suspends=True)))

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """The same as `make_waitpoint`."""
        return _waitpoint_in(self.answer_sync(self._to_make(waitpoint)))

    # ── children ─────────────────────────────────────────────────────────────────────────────────

    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """Make a group of children."""
        return (await self.answer(self._to_fan_out(name, items))).children

    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """How these children have ended."""
        return unpacked((await self.answer(self._to_read_ends(execution_ids))).ends)

    def make_children_sync(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """The same as `make_children`."""
        return self.answer_sync(self._to_fan_out(name, items)).children

    def child_ends_sync(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """The same as `child_ends`."""
        return unpacked(self.answer_sync(self._to_read_ends(execution_ids)).ends)

    def _to_fan_out(self, name: str, items: Sequence[NewChild]) -> Callable[[int], Question]:
        return lambda number: AskChildren(self._speaker, number, name, tuple(items))

    def _to_read_ends(self, execution_ids: Sequence[str]) -> Callable[[int], Question]:
        return lambda number: AskEnds(self._speaker, number, tuple(execution_ids))

    def _to_wait(self, wait: Wait, *, suspends: bool) -> Callable[[int], Question]:
        return lambda number: AskWait(self._speaker, number, wait, suspends)

    def _noted(self, answer: Answer) -> SuspendAnswer:
        """The answer to a suspension. The code can see that it must stop."""
        found = answer.over or answer.word
        assert found is not None
        if found == "suspended":
            self._line.suspended()
        return found

    def _to_make(self, waitpoint: NewWaitpoint) -> Callable[[int], Question]:
        return lambda number: AskWaitpoint(self._speaker, number, waitpoint)


def _accepted(answer: Answer) -> Answer:
    """The answer of the parent. Raises the error if the parent refused."""
    if answer.refusal is not None:
        raise error_in(answer.refusal)
    return answer


def _waitpoint_in(answer: Answer) -> Waitpoint:
    assert answer.waitpoint is not None
    return answer.waitpoint
