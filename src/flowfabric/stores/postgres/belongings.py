"""How a batch reads what belongs to an execution: its steps, its waits, what it has spent, and what it has said.

These rows change only under the lock of their execution, so they need no locks of their own. They are read after the
execution is locked. If an execution turns out to be a member of a flow, its lock comes later than the first read, and
the rows are read again.
"""

from collections.abc import Collection, Sequence
from typing import Any

from flowfabric.domain.batch_io import Loaded, Needs, WaitpointKey
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.steps import StepPlace, in_stored_order
from flowfabric.domain.waiting import SignalMark
from flowfabric.stores.postgres import gate_rows, rows, stream_rows, wait_rows
from flowfabric.stores.postgres.flow_reads import Ask


class Belongings:
    """Asks for such rows, and adds them to what the batch has loaded."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded

    def asks(self, needs: Needs) -> list[Ask]:
        """Ask for everything of this kind that is needed."""
        asks: list[Ask] = []
        if needs.steps:
            asks.append(Ask("read_named_steps", rows.step_keys(needs.steps), self._take_steps))
            recording = rows.keys({key for key, _ in needs.steps})
            asks.append(Ask("read_last_step_numbers", recording, self._take_step_numbers))
        if needs.step_places:
            asks.append(Ask("read_step_places", rows.keys(needs.step_places), self._take_step_places))
        if needs.waitpoints:
            values = wait_rows.waitpoint_keys(needs.waitpoints)
            asks.append(Ask("read_named_waitpoints", values, self._take_waitpoints))
        if needs.signals:
            asks.append(Ask("read_named_signals", wait_rows.signal_numbers(needs.signals), self._take_signals))
        if needs.signal_keys:
            asks.append(Ask("read_signal_keys", wait_rows.signal_key_keys(needs.signal_keys), self._take_signal_keys))
        if needs.kept_signals:
            values = wait_rows.kept_keys(_limits(needs).items())
            asks.append(Ask("read_kept_signals", values, self._take_kept_signals))
        if needs.ledger:
            asks.append(Ask("read_ledger", gate_rows.line_keys(needs.ledger), self._take_ledger))
        if needs.spend_keys:
            asks.append(Ask("read_spend_keys", gate_rows.spend_key_keys(needs.spend_keys), self._take_spend_keys))
        asks += self._asks_for_streams(needs)
        if needs.inboxes:
            self._loaded.inboxes.update((key, ([], [])) for key in needs.inboxes)
            of = rows.keys(needs.inboxes)
            asks.append(Ask("read_waitpoints_of_executions", of, self._take_all_waitpoints))
            asks.append(Ask("read_signals_of_executions", of, self._take_all_signals))
        return asks

    def _asks_for_streams(self, needs: Needs) -> list[Ask]:
        asks: list[Ask] = []
        if needs.streams:
            asks.append(Ask("read_streams", rows.keys(needs.streams), self._take_streams))
        if needs.chunks:
            asks.append(Ask("read_chunks", stream_rows.chunk_keys(needs.chunks), self._take_chunks))
        if needs.summaries:
            asks.append(Ask("read_summaries", rows.keys(needs.summaries), self._take_summaries))
        if needs.oldest_chunks:
            limits: dict[ExecutionId, int] = {}
            for key, most in needs.oldest_chunks:
                limits[key] = max(most, limits.get(key, 0))
            self._loaded.oldest_chunks.update((key, []) for key in limits)
            asks.append(Ask("read_oldest_chunks", stream_rows.oldest_keys(limits), self._take_oldest_chunks))
        return asks

    def asks_again(self, needs: Needs) -> list[Ask]:
        """Forget what is known, and ask for it once more."""
        for found, of in self._found(needs):
            for key in of:
                found.pop(key, None)
        return self.asks(needs)

    def known(self, needs: Needs) -> list[dict[Any, Any]]:
        """What is known of these, so that one can see whether a second read has changed anything."""
        return [{key: found[key] for key in of if key in found} for found, of in self._found(needs)]

    def _found(self, needs: Needs) -> list[tuple[dict[Any, Any], Collection[Any]]]:
        loaded = self._loaded
        return [
            (loaded.steps, needs.steps),
            (loaded.last_step_numbers, {key for key, _ in needs.steps}),
            (loaded.step_places, needs.step_places),
            (loaded.waitpoints, needs.waitpoints),
            (loaded.signals, needs.signals),
            (loaded.signal_keys, needs.signal_keys),
            (loaded.kept_signals, {(execution_id, key) for execution_id, key, _ in needs.kept_signals}),
            (loaded.inboxes, needs.inboxes),
            (loaded.ledger, needs.ledger),
            (loaded.spend_keys, needs.spend_keys),
            (loaded.streams, needs.streams),
            (loaded.chunks, needs.chunks),
            (loaded.summaries, needs.summaries),
            (loaded.oldest_chunks, {key for key, _ in needs.oldest_chunks}),
        ]

    # ── rows ─────────────────────────────────────────────────────────────────────────────────────

    def _take_steps(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            step = rows.step_in(row)
            self._loaded.steps[step.execution_id, step.name] = step

    def _take_step_numbers(self, found: Sequence[rows.Row]) -> None:
        for partition, uuid, number in found:
            self._loaded.last_step_numbers[make_execution_id(partition, uuid)] = number

    def _take_step_places(self, found: Sequence[rows.Row]) -> None:
        places = self._loaded.step_places
        for partition, uuid, *place in found:
            places.setdefault(make_execution_id(partition, uuid), []).append(StepPlace(*place))
        for key, of_one in places.items():
            places[key] = in_stored_order(of_one)

    def _take_waitpoints(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            waitpoint = wait_rows.waitpoint_in(row)
            self._loaded.waitpoints[waitpoint.execution_id, waitpoint.key] = waitpoint

    def _take_signals(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            signal = wait_rows.signal_in(row)
            self._loaded.signals[signal.execution_id, signal.number] = signal

    def _take_signal_keys(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            key = wait_rows.signal_key_in(row)
            self._loaded.signal_keys[key.execution_id, key.key, key.idempotency_key] = key

    def _take_kept_signals(self, found: Sequence[rows.Row]) -> None:
        kept: dict[WaitpointKey, list[SignalMark]] = {}
        for partition, uuid, key, number, name, source in found:
            at = (make_execution_id(partition, uuid), key)
            kept.setdefault(at, []).append(SignalMark(number, key, name, source))
        for at, marks in kept.items():
            marks.sort(key=_number)
            # A second question about a waitpoint may ask for fewer of the same signals.
            if len(marks) > len(self._loaded.kept_signals.get(at, ())):
                self._loaded.kept_signals[at] = marks

    def _take_ledger(self, found: Sequence[rows.Row]) -> None:
        for line in map(gate_rows.line_in, found):
            self._loaded.ledger[line.execution_id, line.budget, line.period_ms, line.day_ms] = line

    def _take_spend_keys(self, found: Sequence[rows.Row]) -> None:
        for key in map(gate_rows.spend_key_in, found):
            self._loaded.spend_keys[key.execution_id, key.budget, key.idempotency_key] = key

    def _take_streams(self, found: Sequence[rows.Row]) -> None:
        for stream in map(stream_rows.stream_in, found):
            self._loaded.streams[stream.execution_id] = stream

    def _take_chunks(self, found: Sequence[rows.Row]) -> None:
        for chunk in map(stream_rows.chunk_in, found):
            self._loaded.chunks[chunk.execution_id, chunk.lease_epoch, chunk.first_seq] = chunk

    def _take_oldest_chunks(self, found: Sequence[rows.Row]) -> None:
        for chunk in map(stream_rows.chunk_without_frames_in, found):
            self._loaded.oldest_chunks[chunk.execution_id].append(chunk)

    def _take_summaries(self, found: Sequence[rows.Row]) -> None:
        for summary in map(stream_rows.summary_in, found):
            self._loaded.summaries[summary.execution_id] = summary

    def _take_all_waitpoints(self, found: Sequence[rows.Row]) -> None:
        for waitpoint in sorted(map(wait_rows.waitpoint_in, found), key=lambda each: each.key):
            self._loaded.inboxes[waitpoint.execution_id][0].append(waitpoint)

    def _take_all_signals(self, found: Sequence[rows.Row]) -> None:
        for signal in sorted(map(wait_rows.signal_in, found), key=lambda each: each.number):
            self._loaded.inboxes[signal.execution_id][1].append(signal)


def needs_of(needs: Needs, executions: Collection[ExecutionId]) -> Needs:
    """The part of these needs that belongs to the given executions."""
    part = Needs()
    part.steps = {at for at in needs.steps if at[0] in executions}
    part.step_places = {key for key in needs.step_places if key in executions}
    part.waitpoints = {at for at in needs.waitpoints if at[0] in executions}
    part.signals = {at for at in needs.signals if at[0] in executions}
    part.signal_keys = {at for at in needs.signal_keys if at[0] in executions}
    part.kept_signals = {at for at in needs.kept_signals if at[0] in executions}
    part.inboxes = {key for key in needs.inboxes if key in executions}
    part.ledger = {at for at in needs.ledger if at[0] in executions}
    part.spend_keys = {at for at in needs.spend_keys if at[0] in executions}
    part.streams = {key for key in needs.streams if key in executions}
    part.chunks = {at for at in needs.chunks if at[0] in executions}
    part.summaries = {key for key in needs.summaries if key in executions}
    part.oldest_chunks = {at for at in needs.oldest_chunks if at[0] in executions}
    return part


def inboxes_named(needs: Needs) -> set[ExecutionId]:
    """The executions of which waitpoints or signals are needed, or what they have spent or said."""
    named = {key for key, _ in needs.waitpoints} | {key for key, _ in needs.signals} | needs.inboxes
    named |= {key for key, *_ in needs.signal_keys} | {key for key, *_ in needs.kept_signals}
    named |= {key for key, *_ in needs.ledger} | {key for key, *_ in needs.spend_keys}
    named |= needs.streams | needs.summaries
    return named | {key for key, *_ in needs.chunks} | {key for key, _ in needs.oldest_chunks}


def _limits(needs: Needs) -> dict[WaitpointKey, int]:
    """How many kept signals of each waitpoint are needed at most."""
    limits: dict[WaitpointKey, int] = {}
    for execution_id, key, most in needs.kept_signals:
        limits[execution_id, key] = max(most, limits.get((execution_id, key), 0))
    return limits


def _number(mark: SignalMark) -> int:
    return mark.number
