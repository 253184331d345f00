"""Waitpoints, signals and their keys in a memory store: what batches load and save, and what callers read."""

from collections.abc import Iterator
from heapq import nsmallest
from itertools import islice

from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.inboxes import mark_of
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import SIGNALS_MAX, Alias, KeyRing, StoredSignal, StoredWaitpoint
from flowfabric.stores.memory.records import Records


class MemoryWaiting(Records):
    """What executions wait for, and what was sent to them."""

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    def step(self, execution_id: ExecutionId, name: str) -> tuple[Execution | None, Step | None]:
        with self._reading():
            return self._executions.get(execution_id), self._steps.get(execution_id, {}).get(name)

    def waitpoints(self, execution_id: ExecutionId) -> tuple[Execution | None, list[tuple[StoredWaitpoint, int]]]:
        with self._reading():
            kept = [signal.key for signal in self._signals_of(execution_id) if signal.taken_by is None]
            found = sorted(self._waitpoints.get(execution_id, {}).values(), key=_by_age)
            return self._executions.get(execution_id), [(each, kept.count(each.key)) for each in found]

    def waitpoint(
        self, execution_id: ExecutionId, waitpoint_id: str
    ) -> tuple[Execution | None, StoredWaitpoint | None]:
        with self._reading():
            found = (each for each in self._waitpoints.get(execution_id, {}).values())
            named = next((each for each in found if each.waitpoint_id == waitpoint_id), None)
            return self._executions.get(execution_id), named

    def signals(
        self, execution_id: ExecutionId, key: str | None, after: int = 0, limit: int = SIGNALS_MAX
    ) -> tuple[Execution | None, list[StoredSignal]]:
        with self._reading():
            found = (each for each in self._signals_of(execution_id) if key in (None, each.key) and each.number > after)
            return self._executions.get(execution_id), list(islice(found, limit))

    def suspended(
        self, namespace: str | None, key: str | None, after: ListPosition | None, limit: int
    ) -> list[Execution]:
        with self._reading():
            found = (
                x
                for x in self._executions.values()
                if x.lifecycle_phase == "suspended" and namespace in (None, x.namespace)
                if key is None or key in self._waitpoints.get(x.execution_id, {})
                if after is None or _waiting_since(x) > after
            )
            return nsmallest(limit, found, key=_waiting_since)

    def alias(self, namespace: str, alias: str) -> Alias | None:
        with self._reading():
            return self._alias_at((namespace, alias))

    def key_ring(self, name: str) -> KeyRing | None:
        with self._reading():
            return self._key_rings.get(name)

    # ── batches ──────────────────────────────────────────────────────────────────────────────────

    def _load_inboxes(self, needs: Needs, loaded: Loaded) -> None:
        for key, name in needs.waitpoints:
            if (waitpoint := self._waitpoints.get(key, {}).get(name)) is not None:
                loaded.waitpoints[key, name] = waitpoint
        for key, number in needs.signals:
            if (signal := self._signals.get(key, {}).get(number)) is not None:
                loaded.signals[key, number] = signal
        for key, name, idempotency_key in needs.signal_keys:
            if (row := self._signal_keys.get(key, {}).get((name, idempotency_key))) is not None:
                loaded.signal_keys[key, name, idempotency_key] = row
        for at in needs.aliases:
            if (alias := self._alias_at(at)) is not None:
                loaded.aliases[at] = alias
        for name in needs.key_rings & self._key_rings.keys():
            loaded.key_rings[name] = self._key_rings[name]
        for key, name, most in needs.kept_signals:
            kept = [mark_of(each) for each in self._signals_of(key) if each.key == name and each.taken_by is None]
            if len(kept[:most]) > len(loaded.kept_signals.get((key, name), ())):
                loaded.kept_signals[key, name] = kept[:most]
        for key in needs.inboxes:
            waitpoints = self._waitpoints.get(key, {})
            signals = [replace(signal, payload=b"") for signal in self._signals_of(key)]
            loaded.inboxes[key] = ([waitpoints[name] for name in sorted(waitpoints)], signals)
        for sent in needs.alias_keys:
            for row in (row for rows in self._signal_keys.values() for row in rows.values()):
                if (row.namespace, row.alias, row.idempotency_key) == sent:
                    loaded.alias_keys[sent] = row

    def _apply_inboxes(self, changes: Changes) -> None:
        for key in changes.cleared_inboxes:
            self._forget_inbox(key)
        for key, name in changes.dropped_waitpoints:
            self._waitpoints.get(key, {}).pop(name, None)
            rows = self._signal_keys.get(key, {})
            for at in [at for at in rows if at[0] == name]:
                del rows[at]
        for (key, name), waitpoint in changes.waitpoints.items():
            self._waitpoints.setdefault(key, {}).pop(name, None)
            if waitpoint is not None:
                self._waitpoints[key][name] = waitpoint
        for (key, number), signal in changes.signals.items():
            self._signals.setdefault(key, {}).pop(number, None)
            if signal is not None:
                self._signals[key][number] = signal
        for (key, number), taken_by in changes.takings.items():
            signals = self._signals.get(key, {})
            if number in signals:
                signals[number] = replace(signals[number], taken_by=taken_by)
        for (key, name, idempotency_key), row in changes.signal_keys.items():
            self._signal_keys.setdefault(key, {})[name, idempotency_key] = row
        for at, alias in changes.aliases.items():
            self._aliases.pop(at, None)
            if alias is not None:
                self._aliases[at] = alias
        self._key_rings.update(changes.key_rings)

    def _forget_inbox(self, key: ExecutionId) -> None:
        self._waitpoints.pop(key, None)
        self._signals.pop(key, None)
        self._signal_keys.pop(key, None)
        self._aliases = {at: alias for at, alias in self._aliases.items() if alias.execution_id != key}

    def _signals_of(self, key: ExecutionId) -> Iterator[StoredSignal]:
        signals = self._signals.get(key, {})
        return (signals[number] for number in sorted(signals))

    def _alias_at(self, at: tuple[str, str]) -> Alias | None:
        alias = self._aliases.get(at)
        if alias is None:
            return None
        return replace(alias, holder_outcome=self._executions[alias.execution_id].terminal_outcome)


def _by_age(waitpoint: StoredWaitpoint) -> tuple[int, str]:
    return waitpoint.created_at_ms, waitpoint.key


def _waiting_since(x: Execution) -> ListPosition:
    assert x.inbox is not None
    return ListPosition(x.inbox.waits[0].since_ms, uuid_in(x.execution_id), partition_in(x.execution_id))
