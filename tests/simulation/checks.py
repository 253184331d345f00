"""What must hold: after every batch, and at the end. Each check is a function that says what it found broken."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from flowfabric import Event
from flowfabric.domain.child_invariants import family_violations_at_rest
from flowfabric.domain.children import Children
from flowfabric.domain.conditions import from_stored
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.schedule import NAME_TAG, SLOT_TAG
from flowfabric.domain.waiting import EMPTY_INBOX
from tests.simulation.ledger import FORGED
from tests.simulation.work import FAN_OUTS, Result
from tests.stores.resting import restless
from tests.stores.telling import contents_of

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes
    from flowfabric.domain.flow import Flow
    from flowfabric.ports.store import Store
    from flowfabric.stores.memory.store import MemoryStore
    from tests.simulation.world import World

AfterBatch = Callable[["World", "Changes", int], Iterable[str]]
AtTheEnd = Callable[["World", Contents], Iterable[str]]

AFTER_EACH_BATCH: list[AfterBatch] = []
AT_THE_END: list[AtTheEnd] = []


def after_each_batch(check: AfterBatch) -> AfterBatch:
    """Let a function be asked after every commit, with what the batch has changed and the store's time."""
    AFTER_EACH_BATCH.append(check)
    return check


def at_the_end(check: AtTheEnd) -> AtTheEnd:
    """Let a function be asked when everything has ended, with all that the store holds."""
    AT_THE_END.append(check)
    return check


# ── the invariants of the domain ─────────────────────────────────────────────────────────────────


@after_each_batch
def _what_the_batch_broke(world: "World", changes: "Changes", now_ms: int) -> Iterable[str]:
    return violations(changes, now_ms, may_purge=world.may_purge)


@after_each_batch
def _what_the_batch_left_broken(world: "World", changes: "Changes", now_ms: int) -> Iterable[str]:
    """What must hold for a store at rest, of everything that the batch has touched."""
    if not changes.executions and not changes.flows:
        return ()
    return violations_at_rest(_touched(world, changes), now_ms)


@at_the_end
def _what_is_broken(world: "World", contents: Contents) -> Iterable[str]:
    return violations_at_rest(contents, world.now_ms)


def _touched(world: "World", changes: "Changes") -> Contents:
    """The executions that a batch has changed, alone or with the whole of their flow."""
    store, events = world.store, world.log
    alone = [x for _, x in changes.executions if x is not None and x.flow_id is None]
    flow_ids = {flow.flow_id for _, flow in changes.flows if flow is not None}
    flow_ids |= {FlowId(x.flow_id) for _, x in changes.executions if x is not None and x.flow_id is not None}
    flows = [flow for flow in (store.flow(key) for key in sorted(flow_ids)) if flow is not None]
    members = [x for flow in flows for x in world.members(flow.flow_id)]
    executions = [*alone, *members]
    groups = [group for group in (store.group(x.execution_id) for x in members) if group is not None]
    subjects = [*(x.execution_id for x in executions), *(flow.flow_id for flow in flows)]
    return Contents(
        executions=executions,
        attempts=[attempt for x in executions for attempt in store.attempts(x.execution_id)[1]],
        events=sorted((event for key in subjects for event in events.of(key)), key=lambda event: event.event_id),
        with_result={x.execution_id for x in executions if store.result(x.execution_id) is not None},
        flows=flows,
        edges=[edge for flow in flows for edge in store.edges(flow.flow_id, None, None)],
        groups=groups,
        steps=[step for x in executions for step in store.steps(x.execution_id)[1]],
        waitpoints=[each for x in executions for each, _ in store.waitpoints(x.execution_id)[1]],
        signals=[signal for x in executions for signal in store.signals(x.execution_id, None)[1]],
    )


# ── what is handed out ───────────────────────────────────────────────────────────────────────────


@after_each_batch
def _a_paused_lane_hands_out_nothing(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    lanes = {x.execution_id: x.lane for _, x in changes.executions if x is not None}
    for event in changes.events:
        if event.event_type in ("lane_paused", "lane_resumed"):
            lane = str(event.details["lane"])
            (world.paused.add if event.event_type == "lane_paused" else world.paused.discard)(lane)
        elif event.event_type == "acquired" and lanes.get(ExecutionId(event.execution_id or "")) in world.paused:
            yield f"{event.execution_id} was handed out while its lane was paused"


@after_each_batch
def _nothing_is_handed_out_before_its_time(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    until = {
        before.execution_id: before.delay_until_ms
        for before, _ in changes.executions
        if before is not None and before.delay_until_ms is not None
    }
    until |= {
        x.execution_id: world.asked_delays[x.execution_id]
        for before, x in changes.executions
        if x is not None and x.execution_id in world.asked_delays
    }
    for event in changes.events:
        key = ExecutionId(event.execution_id or "")
        if event.event_type == "retry_scheduled":
            promised = event.details["delay_until_ms"]
            until[key] = world.asked_delays[key] = promised if isinstance(promised, int) else 0
        elif event.event_type == "acquired" and until.get(key, 0) > now_ms:
            yield f"{key} was handed out {until[key] - now_ms} ms before its time"
        if event.event_type in ("acquired", "replayed"):  # a replay is ready at once
            until.pop(key, None)
            world.asked_delays.pop(key, None)


@after_each_batch
def _a_key_makes_one_execution(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for before, x in changes.executions:
        if before is None and x is not None and x.idempotency_key is not None:
            first = world.made_under.setdefault(x.idempotency_key, x.execution_id)
            if first != x.execution_id:
                yield f"{x.execution_id} was made under key {x.idempotency_key}, which means {first}"


# ── who may speak for an execution ───────────────────────────────────────────────────────────────


@after_each_batch
def _who_stores_a_result_holds_the_lease(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    held: dict[str, set[object]] = {}
    """By execution: the epochs of its leases while the batch was decided."""
    for before, _ in changes.executions:
        if before is not None and before.lifecycle_phase == "active":
            held.setdefault(before.execution_id, set()).add(before.lease_epoch)
    for event in changes.events:
        if event.event_type == "acquired":
            held.setdefault(event.execution_id or "", set()).add(event.details["lease_epoch"])
    stored = [
        (key, "the result", msgspec.json.decode(data, type=Result).token)
        for (key, _), data in changes.results.items()
        if data is not None
    ]
    stored += [
        (key, name, int(step.result))
        for (key, name), step in changes.steps.items()
        if not step.is_wait and name not in FAN_OUTS
    ]
    for key, what, token in stored:
        epochs = held.get(key, {world.epoch_of(key)})
        if token not in epochs:
            yield f"{key}: {what} was stored under token {token}, and its leases were {sorted(map(str, epochs))}"


# ── parents and children ─────────────────────────────────────────────────────────────────────────


@after_each_batch
def _families_are_whole(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    """What must hold between a parent and its children, of all families that the batch has touched."""
    touched = [x for _, x in changes.executions if x is not None]
    replayed = {event.execution_id for event in changes.events if event.event_type == "replayed"}
    for x in touched:
        if x.execution_id not in replayed:
            continue
        world.replayed_alone -= {child.execution_id for child in world.children(x.execution_id)}
        parent = None if x.parent_id is None else world.store.execution(x.parent_id)
        if parent is not None and (parent.has_ended or _is_of_a_former_life(x, parent)):
            world.replayed_alone.add(x.execution_id)
    parents = {x.execution_id for x in touched if x.has_children} | {x.parent_id for x in touched if x.parent_id}
    for parent_id in sorted(parents):
        parent = world.store.execution(parent_id)
        family = {x.execution_id: x for x in world.children(parent_id)}
        if parent is None:
            continue
        children = list(family.values())
        yield from _waits_in_vain(parent, children)
        yield from _counts_too_many(parent, children)
        yield from _outlives_its_parent(world, parent, children)
        family[parent_id] = parent
        yield from family_violations_at_rest(family)


def _waits_in_vain(parent: Execution, children: Sequence[Execution]) -> Iterator[str]:
    """Waits for children that have ended. The children are asked here, not what their parent has counted."""
    inbox = parent.inbox or EMPTY_INBOX
    for wait in inbox.waits:
        condition = from_stored(wait.condition)
        if not isinstance(condition, Children):
            continue
        places = [(x, x.child_place) for x in children if x.child_place is not None]
        awaited = [x for x, place in places if place.life == inbox.life and place.group in condition.names]
        settled = [x for x in awaited if x.has_ended and not x.unsettled]
        has_lost = any(x.terminal_outcome != "success" for x in settled)
        if len(settled) == len(awaited) or (has_lost and not condition.all_ended):
            yield f"{parent.execution_id} waits for {wait.name!r}: {len(settled)} of {len(awaited)} children have ended"


def _counts_too_many(parent: Execution, children: Sequence[Execution]) -> Iterator[str]:
    """Children that are counted, and have not ended. One that was removed stays counted."""
    inbox = parent.inbox or EMPTY_INBOX
    open_places = [
        x.child_place for x in children if x.child_place is not None and not (x.has_ended and not x.unsettled)
    ]
    for group in inbox.groups:
        still_open = sum((place.life, place.group) == (inbox.life, group.name) for place in open_places)
        if group.succeeded + group.failed + still_open > group.total:
            yield f"{parent.execution_id} has counted {group}, and {still_open} of them have not ended"


def _outlives_its_parent(world: "World", parent: Execution, children: Sequence[Execution]) -> Iterator[str]:
    """Children that live, although their parent did not succeed or lives anew, unless somebody has replayed them since.

    An end is passed on to the children in later batches. Until then the parent is unsettled.
    """
    has_failed = parent.has_ended and parent.terminal_outcome != "success" and not parent.unsettled
    for x in children:
        is_former = not parent.has_ended and _is_of_a_former_life(x, parent)
        if (has_failed or is_former) and not x.has_ended and x.execution_id not in world.replayed_alone:
            yield f"{x.execution_id} is {x.public_state}, and its parent is {parent.public_state}"


def _is_of_a_former_life(x: Execution, parent: Execution) -> bool:
    return x.child_place is not None and x.child_place.life != (parent.inbox or EMPTY_INBOX).life


@after_each_batch
def _children_resume_their_parent_once(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for event in changes.events:
        key = event.execution_id or ""
        if event.event_type == "replayed":
            world.resumed = {each for each in world.resumed if each[0] != key}
        elif event.event_type == "resumed" and event.details["cause"] == "children":
            name = str(event.details["name"])
            if (key, name) in world.resumed:
                yield f"{key} was resumed twice by the children of {name!r}"
            world.resumed.add((key, name))


@after_each_batch
def _a_group_of_children_is_made_once(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for before, x in changes.executions:
        if before is None or x is None or before.replay_count != x.replay_count:
            continue
        made = {group.name: group for group in (before.inbox or EMPTY_INBOX).groups}
        for group in (x.inbox or EMPTY_INBOX).groups:
            was = made.get(group.name, group)
            if (was.total, was.kinds, was.after_step) != (group.total, group.kinds, group.after_step):
                yield f"{x.execution_id} has made the children {group.name!r} a second time: {was}, {group}"


# ── what was promised to callers ─────────────────────────────────────────────────────────────────


@at_the_end
def _nothing_acknowledged_is_lost(world: "World", contents: Contents) -> Iterator[str]:
    known = {x.execution_id for x in contents.executions}
    for execution_id in world.ledger.created:
        if execution_id not in known and execution_id not in world.purged:
            yield f"{execution_id} was acknowledged, and is gone"


@at_the_end
def _no_acknowledged_signal_is_lost(world: "World", contents: Contents) -> Iterator[str]:
    for execution_id, signal_ids in world.ledger.signals.items():
        if execution_id not in world.purged:
            stored = {signal.signal_id for signal in world.store.signals(ExecutionId(execution_id), None)[1]}
            for signal_id in signal_ids.values():
                if signal_id not in stored:
                    yield f"{execution_id}: signal {signal_id} was acknowledged, and is gone"


@after_each_batch
def _no_forged_signal_arrives(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for signal in changes.signals.values():
        if signal is not None and FORGED.encode() in signal.payload:
            yield f"{signal.execution_id} has got signal {signal.number}, which is forged"


@at_the_end
def _a_signal_by_token_comes_from_its_person(world: "World", contents: Contents) -> Iterator[str]:
    for signal in contents.signals:
        person = world.ledger.signed.get(signal.signal_id, signal.source)
        if signal.source != person:
            yield f"{signal.execution_id}: signal {signal.number} of {person} is said to be of {signal.source}"


@after_each_batch
def _nobody_of_a_cancelled_flow_lives(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for before, flow in changes.flows:
        if flow is not None and flow.cancellation_policy == "cancel_all" and (before is None or not before.is_over):
            for x in world.members(flow.flow_id):
                if not x.has_ended:
                    yield f"flow {flow.flow_id} is cancelled with all its members, and {x.execution_id} lives"


@after_each_batch
def _nobody_has_found_anything_broken(world: "World", changes: "Changes", now_ms: int) -> Iterable[str]:
    return world.ledger.broken


@at_the_end
def _nobody_has_found_anything_broken_since(world: "World", contents: Contents) -> Iterable[str]:
    return world.ledger.broken


@at_the_end
def _each_slot_fires_once(world: "World", contents: Contents) -> Iterator[str]:
    seen: set[tuple[object, ...]] = set()
    out_of_turn = {event.details["execution_id"] for event in contents.events if event.event_type == "schedule_run"}
    for x in contents.executions:
        slot = (x.tags.get(NAME_TAG), x.tags.get(SLOT_TAG))
        if x.execution_id in out_of_turn:
            continue  # it has no slot, and is named after the instant at which somebody asked for it
        if slot[0] is not None and slot in seen:
            yield f"{x.execution_id} is the second one of {slot}"
        seen.add(slot)


@at_the_end
def _a_subscriber_has_read_each_event_once(world: "World", contents: Contents) -> Iterator[str]:
    read = [event.event_id for event in world.ledger.read]
    if sorted(set(read)) != read:
        yield "a subscriber has read events twice, or out of order"
    if world.ledger.cursor is not None and read:
        stored = [event.event_id for event in contents.events if event.event_id <= read[-1]]
        missed = set(stored) - set(read)
        if missed:
            yield f"a subscriber has not read events {sorted(missed)[:5]}"


@at_the_end
def _everything_that_can_end_has_ended(world: "World", contents: Contents) -> Iterator[str]:
    yield from restless(contents)
    for x in contents.executions:
        if x.lifecycle_phase == "active":
            yield f"{x.execution_id} is active, and nobody works"
        if x.unsettled or x.coming_back is not None:
            yield f"{x.execution_id} is {x.public_state} and has something to settle"
    for ack in contents.acks:
        yield f"flow {ack.flow_id} still waits for {ack.execution_id} to acknowledge"


@at_the_end
def _every_worker_has_said_goodbye_or_is_forgotten(world: "World", contents: Contents) -> Iterator[str]:
    """A worker does not wait long for a store that answers slowly. Its last report may then arrive after its end."""
    for worker in world.store.workers(None):
        if worker.alive_until_ms > world.now_ms and worker.worker_id in world.left_in_peace:
            yield f"{worker.worker_instance_id} has stopped, and is on the list of workers"


def everything_in(store: "Store") -> Contents:
    """All that the store holds."""
    return contents_of(store)


class Log:
    """The events of each execution and each flow, in order."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self._read = 0
        self._of: dict[str, list[Event]] = {}

    def of(self, subject: str) -> list[Event]:
        """The events of an execution, or of a flow itself."""
        return self._of.get(subject, [])

    def read_on(self, gone: "Iterable[Execution | Flow]") -> None:
        """Read what is new; those who are gone have taken their events with them.

        The events are those that the store has, and not copies: this is asked after every batch.
        """
        for record in gone:
            self._of.pop(record.execution_id if isinstance(record, Execution) else record.flow_id, None)
        stored, first = self._store._events, self._read + 1
        self._read = self._store._last_event_id
        for event_id in range(first, self._read + 1):
            event = stored.get(event_id)
            subject = None if event is None else event.execution_id or event.flow_id
            if event is not None and subject is not None:
                self._of.setdefault(subject, []).append(event)
