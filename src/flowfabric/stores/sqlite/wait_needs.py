"""What a batch about waits, signals and children must see."""

from collections.abc import Iterable

from flowfabric.domain.batch_io import Loaded, Needs, WaitpointKey
from flowfabric.domain.ids import ExecutionId
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.wait_rows import WaitRows


def load_waits(needs: Needs, loaded: Loaded, rows: WaitRows) -> None:
    """Read the waitpoints, signals, aliases and signing keys that the batch asks for. Most batches ask for none."""
    if needs.waitpoints:
        loaded.waitpoints |= {(each.execution_id, each.key): each for each in rows.waitpoints(needs.waitpoints)}
    if needs.signals:
        loaded.signals |= {(each.execution_id, each.number): each for each in rows.signals(needs.signals)}
    if needs.signal_keys:
        found = rows.signal_keys(needs.signal_keys)
        loaded.signal_keys |= {(each.execution_id, each.key, each.idempotency_key): each for each in found}
    if needs.aliases:
        loaded.aliases |= {(each.namespace, each.alias): each for each in rows.aliases(needs.aliases)}
    if needs.alias_keys:
        loaded.alias_keys |= rows.alias_keys(needs.alias_keys)
    for name in needs.key_rings:
        if (ring := rows.key_ring(name)) is not None:
            loaded.key_rings[name] = ring
    if needs.kept_signals:
        _load_kept_signals(needs.kept_signals, loaded, rows)
    if needs.inboxes:
        _load_inboxes(needs.inboxes, loaded, rows)


def _load_kept_signals(asked: Iterable[tuple[ExecutionId, str, int]], loaded: Loaded, rows: WaitRows) -> None:
    by_limit: dict[int, list[WaitpointKey]] = {}
    for execution_id, key, most in asked:
        by_limit.setdefault(most, []).append((execution_id, key))
    for most, keys in by_limit.items():
        for at, marks in rows.kept_signals(keys, most).items():
            # A batch may ask for the same waitpoint with several limits.
            if len(marks) > len(loaded.kept_signals.get(at, ())):
                loaded.kept_signals[at] = marks


def _load_inboxes(execution_ids: Iterable[ExecutionId], loaded: Loaded, rows: WaitRows) -> None:
    for execution_id in execution_ids:
        loaded.inboxes[execution_id] = ([], [])
    for waitpoint, _ in rows.waitpoints_of(execution_ids):
        loaded.inboxes[waitpoint.execution_id][0].append(waitpoint)
    for signal in rows.signals_of(execution_ids):
        loaded.inboxes[signal.execution_id][1].append(signal)
    for execution_id in execution_ids:
        waitpoints, signals = loaded.inboxes[execution_id]
        waitpoints.sort(key=lambda each: each.key)
        signals.sort(key=lambda each: each.number)


def load_live_children(needs: Needs, loaded: Loaded, graph: Graph) -> None:
    """Read the children that have not ended, of the executions that the batch names."""
    for key, most in needs.live_children:
        found = sorted(graph.live_children(key, most), key=lambda x: x.execution_id)
        # A batch may ask for the same execution with several limits.
        if len(found) >= len(loaded.live_children.get(key, ())):
            loaded.live_children[key] = [x.execution_id for x in found]
        loaded.executions.update((x.execution_id, x) for x in found)
