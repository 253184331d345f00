"""What callers were told, and what a store says after a power cut, in the same words."""

import hashlib
import json

from flowfabric.ports.store import Store
from tests.chaos.books import all_events, all_executions, all_flows, with_more
from tests.record_batches import chunks_of

Fact = tuple[str | int | None, ...]
"""Once it is true, it stays true: the workloads remove nothing and replay nothing."""


def execution(execution_id: str, payload: bytes) -> Fact:
    return ("execution", execution_id, digest(payload))


def lease(execution_id: str, epoch: int) -> Fact:
    """A lease with this epoch was handed out, so none with the same epoch may be handed out again."""
    return ("lease", execution_id, epoch)


def step(execution_id: str, name: str, result: bytes) -> Fact:
    return ("step", execution_id, name, digest(result))


def end(execution_id: str, state: str, result: bytes | None) -> Fact:
    return ("end", execution_id, state, None if result is None else digest(result))


def signal(execution_id: str, signal_id: str) -> Fact:
    return ("signal", execution_id, signal_id)


def frame(execution_id: str, epoch: int, seq: int) -> Fact:
    return ("frame", execution_id, epoch, seq)


def flow(flow_id: str) -> Fact:
    return ("flow", flow_id)


def event(event_id: int, event_type: str, subject: str, seq: int) -> Fact:
    return ("event", event_id, event_type, subject, seq)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def packed(facts: list[Fact]) -> bytes:
    return json.dumps(facts).encode()


def unpacked(data: bytes) -> list[Fact]:
    return [tuple(each) for each in json.loads(data)]


def all_in(store: Store) -> set[Fact]:
    """Everything that is true in a store."""
    found: set[Fact] = {flow(each.flow_id) for each in all_flows(store)}
    for each in all_events(store):
        found.add(event(each.event_id, each.event_type, each.subject, each.seq))
    executions = all_executions(store)
    for x in executions:
        key = x.execution_id
        found.add(execution(key, store.payload(key) or b""))
        found.update(lease(key, epoch) for epoch in range(1, x.lease_epoch + 1))
        if x.has_ended:
            found.add(end(key, x.public_state, store.result(key)))
    more = with_more(store, [x.execution_id for x in executions])
    for key in more.steps:
        found |= {step(key, each.name, each.result) for each in store.steps(key)[1]}
    for key in more.inboxes:
        found |= {signal(key, each.signal_id) for each in store.signals(key, None)[1]}
    for chunk in (chunk for stream in more.streams for chunk in chunks_of(store, stream.execution_id)):
        numbers = range(chunk.first_seq, chunk.first_seq + chunk.count)
        found |= {frame(chunk.execution_id, chunk.lease_epoch, seq) for seq in numbers}
    return found
