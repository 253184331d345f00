"""Waitpoints and signals as a batch sees them: what was loaded, and what earlier commands of the batch have changed."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from flowfabric.domain.conditions import Condition, counts, oldest_needed, satisfied
from flowfabric.domain.errors import Corruption
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.tables import MoreNeeded
from flowfabric.domain.waiting import Alias, SignalKey, SignalMark, StoredSignal, StoredWaitpoint

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import AliasKeyAt, Loaded, Needs, SignalKeyAt
    from flowfabric.domain.execution import Execution
    from flowfabric.domain.working_set import WorkingSet

PAGE: Final = 100
"""How many kept signals of a waitpoint are loaded at first. Most waits need no more."""


def mark_of(signal: StoredSignal) -> SignalMark:
    """What a condition sees of a signal."""
    return SignalMark(signal.number, signal.key, signal.name, signal.source)


@lru_cache(maxsize=1024)
def first_page(condition: Condition) -> Mapping[str, int]:
    """How many kept signals of each waitpoint are loaded at first for a wait for this condition."""
    return {key: min(most, PAGE) for key, most in oldest_needed(condition).items()}


class Inboxes:
    """The waitpoints and the signals of executions."""

    def __init__(self, ws: "WorkingSet", loaded: "Loaded", needs: "Needs") -> None:
        self._ws = ws
        self._loaded = loaded
        self._needs = needs
        self._asked: dict[tuple[ExecutionId, str], int] = {}
        """How many kept signals of each waitpoint were asked for."""
        for execution_id, key, most in needs.kept_signals:
            at = (execution_id, key)
            self._asked[at] = max(most, self._asked.get(at, 0))
        # What this batch has done, so that nobody has to look at all changes. What was undone stays in these lists, and
        # the tables of changes show it.
        self._sent: dict[ExecutionId, list[int]] = {}
        self._given_back: dict[ExecutionId, list[int]] = {}
        self._sent_to_aliases: dict[AliasKeyAt, SignalKeyAt] = {}

    def _is_cleared(self, execution_id: ExecutionId) -> bool:
        """Whether nothing that is stored belongs to the execution any more."""
        return execution_id in self._ws.cleared_inboxes.changed or self._ws.executions.is_new(execution_id)

    # ── records ──────────────────────────────────────────────────────────────────────────────────

    def waitpoint(self, execution_id: ExecutionId, key: str) -> StoredWaitpoint | None:
        """The waitpoint of this key, if there is one."""
        at = (execution_id, key)
        if at not in self._ws.waitpoints.changed and self._is_cleared(execution_id):
            return None  # a dropped waitpoint is noted as removed
        return self._ws.waitpoints.get(at)

    def signal_key(self, execution_id: ExecutionId, key: str, idempotency_key: str) -> SignalKey | None:
        """The signal that was sent to this waitpoint with this idempotency key, if there is one."""
        at = (execution_id, key, idempotency_key)
        is_gone = self._is_cleared(execution_id) or (execution_id, key) in self._ws.dropped_waitpoints.changed
        if is_gone and at not in self._ws.signal_keys.changed:
            return None
        return self._ws.signal_keys.get(at)

    def alias_key(self, namespace: str, alias: str, idempotency_key: str) -> SignalKey | None:
        """The signal that was sent to this alias with this idempotency key, if there is one."""
        sent = (namespace, alias, idempotency_key)
        fresh = self._ws.signal_keys.changed.get(self._sent_to_aliases[sent]) if sent in self._sent_to_aliases else None
        if fresh is not None:
            return fresh
        if sent not in self._needs.alias_keys:
            self._ws.missing.alias_keys.add(sent)
            raise MoreNeeded
        found = self._loaded.alias_keys.get(sent)
        if found is None or self._is_cleared(found.execution_id):
            return None
        is_gone = (found.execution_id, found.key) in self._ws.dropped_waitpoints.changed
        return None if is_gone else found

    def alias(self, namespace: str, alias: str) -> Alias | None:
        """The waitpoint that has this alias, with the present outcome of its execution."""
        at = (namespace, alias)
        found = self._ws.aliases.get(at)
        if found is None or (at not in self._ws.aliases.changed and self._is_cleared(found.execution_id)):
            return None
        holder = self._ws.executions.known(found.execution_id)
        return found if holder is None else replace(found, holder_outcome=holder.terminal_outcome)

    def remember(self, key: SignalKey) -> None:
        """Store which signal an idempotency key means."""
        self._ws.signal_keys.put(key)
        if key.alias is not None:
            sent = (key.namespace, key.alias, key.idempotency_key)
            self._sent_to_aliases[sent] = (key.execution_id, key.key, key.idempotency_key)

    # ── signals ──────────────────────────────────────────────────────────────────────────────────

    def send(self, signal: StoredSignal) -> None:
        """Store a new signal."""
        self._ws.signals.put(signal)
        self._sent.setdefault(signal.execution_id, []).append(signal.number)

    def give_back(self, execution_id: ExecutionId, number: int) -> None:
        """Keep a signal again that a wait had taken."""
        self._ws.takings.remove((execution_id, number))
        self._given_back.setdefault(execution_id, []).append(number)

    def satisfying(self, execution_id: ExecutionId, condition: Condition) -> tuple[SignalMark, ...] | None:
        """The kept signals that a wait for this condition takes. None: it needs more signals."""
        needed = oldest_needed(condition)
        kept = self._kept(execution_id, first_page(condition))
        known_up_to = self._known_up_to(execution_id, needed)
        if known_up_to is not None:
            taken = satisfied(condition, [mark for mark in kept if mark.number <= known_up_to])
            if taken is not None:
                return taken
            kept = self._kept(execution_id, needed)
        return satisfied(condition, kept)

    def counts(self, execution_id: ExecutionId, condition: Condition, mark: SignalMark) -> bool:
        """Whether a wait for this condition, which needs more signals, counts this kept signal."""
        return counts(condition, self._kept(execution_id, oldest_needed(condition)), mark)

    def with_payloads(self, execution_id: ExecutionId, marks: Sequence[SignalMark]) -> list[StoredSignal]:
        """These signals as they are stored. All that are missing are loaded together."""
        found: list[StoredSignal] = []
        is_lacking = False
        for mark in marks:
            try:
                signal = self._ws.signals.get((execution_id, mark.number))
            except MoreNeeded:
                is_lacking = True
                continue
            if signal is None:
                raise Corruption(
                    f"ff_signal, key {execution_id}, {mark.number}: the row is gone. Restore it from a backup."
                )
            found.append(signal)
        if is_lacking:
            raise MoreNeeded
        return found

    def _kept(self, execution_id: ExecutionId, most: Mapping[str, int]) -> list[SignalMark]:
        """The oldest kept signals of each of these waitpoints, at least so many, and all that this batch has sent."""
        marks: dict[int, SignalMark] = {}
        if not self._is_cleared(execution_id):
            lacking = {key: more for key in most if (more := self._lacking((execution_id, key), most[key]))}
            if lacking:
                self._ws.missing.kept_signals.update((execution_id, key, more) for key, more in lacking.items())
                raise MoreNeeded
            for key in most:
                marks.update((mark.number, mark) for mark in self._loaded.kept_signals.get((execution_id, key), ()))
        for number in self._sent.get(execution_id, ()):
            signal = self._ws.signals.changed.get((execution_id, number))
            if signal is not None and signal.key in most:
                marks[number] = mark_of(signal)
        if execution_id in self._given_back and not self._is_cleared(execution_id):
            _, signals = self._loaded.inboxes.get(execution_id, ([], []))
            back = self._given_back[execution_id]
            marks.update((each.number, mark_of(each)) for each in signals if each.number in back and each.key in most)
        return [marks[number] for number in sorted(marks) if self._is_kept(execution_id, number)]

    def _lacking(self, at: tuple[ExecutionId, str], most: int) -> int:
        """How many kept signals of the waitpoint have to be loaded so that so many are known. 0: no more than now.

        Those that this batch has taken or removed do not count.
        """
        asked, stored = self._asked.get(at, 0), self._loaded.kept_signals.get(at, ())
        if asked > 0 and len(stored) < asked:
            return 0  # all are known
        wanted = most + sum(not self._is_kept(at[0], mark.number) for mark in stored)
        return wanted if asked < wanted else 0

    def _is_kept(self, execution_id: ExecutionId, number: int) -> bool:
        """Whether this batch has neither removed the signal nor let a wait take it."""
        at = (execution_id, number)
        return self._ws.takings.changed.get(at) is None and self._ws.signals.changed.get(at, True) is not None

    def _known_up_to(self, execution_id: ExecutionId, needed: Mapping[str, int]) -> int | None:
        """The last signal before which no kept signal is unknown. None: all that are needed are known."""
        if self._is_cleared(execution_id):
            return None
        ends: list[int] = []
        for key, most in needed.items():
            stored = self._loaded.kept_signals.get((execution_id, key))
            if stored and self._lacking((execution_id, key), most):
                ends.append(stored[-1].number)
        return min(ends, default=None)

    # ── replays ──────────────────────────────────────────────────────────────────────────────────

    def clear(self, execution_id: ExecutionId) -> None:
        """Forget all waitpoints and signals of an execution."""
        ws = self._ws
        ws.cleared_inboxes.put_at(execution_id, True)
        for waitpoint in [at for at in ws.waitpoints.changed if at[0] == execution_id]:
            ws.waitpoints.remove(waitpoint)
        for signal in [at for at in ws.signals.changed if at[0] == execution_id]:
            ws.signals.remove(signal)
        for taking in [at for at in ws.takings.changed if at[0] == execution_id]:
            ws.takings.remove(taking)
        for signal_key in [at for at in ws.signal_keys.changed if at[0] == execution_id]:
            ws.signal_keys.remove(signal_key)
        for at in [at for at, alias in ws.aliases.changed.items() if alias and alias.execution_id == execution_id]:
            ws.aliases.remove(at)

    def drop(self, x: "Execution", waitpoint: StoredWaitpoint) -> None:
        """Forget a waitpoint, its alias, and the idempotency keys of its signals."""
        ws = self._ws
        at = (x.execution_id, waitpoint.key)
        ws.dropped_waitpoints.put_at(at, True)
        ws.waitpoints.remove(at)
        for signal_key in [each for each in ws.signal_keys.changed if each[:2] == at]:
            ws.signal_keys.remove(signal_key)
        holder = None if waitpoint.alias is None else self.alias(x.namespace, waitpoint.alias)
        if holder is not None and (holder.execution_id, holder.key) == at:
            ws.aliases.remove((holder.namespace, holder.alias))

    def all_of(self, execution_id: ExecutionId) -> tuple[list[StoredWaitpoint], list[StoredSignal]]:
        """All waitpoints and all signals of an execution, the signals without their payloads."""
        waitpoints: dict[str, StoredWaitpoint] = {}
        signals: dict[int, StoredSignal] = {}
        ws = self._ws
        if not self._is_cleared(execution_id):
            if execution_id not in self._needs.inboxes:
                ws.missing.inboxes.add(execution_id)
                raise MoreNeeded
            stored = self._loaded.inboxes.get(execution_id, ([], []))
            waitpoints = {each.key: each for each in stored[0]}
            signals = {each.number: each for each in stored[1]}
        for (of, key), waitpoint in ws.waitpoints.changed.items():
            if of == execution_id:
                waitpoints.pop(key, None)
                waitpoints.update({} if waitpoint is None else {key: waitpoint})
        for (of, number), signal in ws.signals.changed.items():
            if of == execution_id:
                signals.pop(number, None)
                signals.update({} if signal is None else {number: signal})
        for (of, number), taken_by in ws.takings.changed.items():
            if of == execution_id and number in signals:
                signals[number] = replace(signals[number], taken_by=taken_by)
        return [waitpoints[key] for key in sorted(waitpoints)], [signals[number] for number in sorted(signals)]
