"""What the data proves: every claim is computed from the event log, the records and the ledger."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import cast

import msgspec

from flowfabric.demo.film import parts_in
from flowfabric.demo.ledger import Effect
from flowfabric.demo.notes import Note, Ran, Refusal, notes_in
from flowfabric.demo.reader import counting, frames_of, text_of
from flowfabric.demo.shop import (
    BOSS,
    CHARGE,
    CHECK,
    ENOUGH,
    FAREWELL,
    GREET,
    GREETING,
    PACK,
    PARTS,
    PUBLISH,
    RETURN,
    Shop,
)
from flowfabric.demo.story import APPROVER, LEASE_MS, Roles
from flowfabric.domain.events import Event
from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
from flowfabric.domain.inputs import LIMIT_MAX
from flowfabric.domain.snapshots import AttemptSnapshot, ExecutionSnapshot, StepSnapshot
from flowfabric.domain.stream_pages import StreamFrame


class Evidence(msgspec.Struct, frozen=True):
    """All data that exists at the end of the story."""

    roles: Roles
    executions: Mapping[str, ExecutionSnapshot]
    attempts: Mapping[str, Sequence[AttemptSnapshot]]
    steps: Mapping[str, Sequence[StepSnapshot]]
    """The stored steps of each execution."""
    events: Sequence[Event]
    effects: Sequence[Effect]
    notes: Sequence[Note]
    """The notes of the workers: which steps they ran, and which results the engine refused."""
    film: FlowSnapshot
    edges: Sequence[EdgeSnapshot]
    """The edges of the film's flow."""
    published: bytes | None
    """The result of the film's last member."""
    said: Sequence[StreamFrame]
    """Every frame of the commentary that was written."""
    counting: Sequence[StreamFrame]
    """Those of them that count."""

    def events_of(self, execution_id: str, *types: str) -> list[Event]:
        """An execution's events, all or of the given types, in order."""
        return [
            event
            for event in self.events
            if event.execution_id == execution_id and (not types or event.event_type in types)
        ]


class Claim(msgspec.Struct, frozen=True):
    """One sentence, and the facts in the data that contradict it."""

    sentence: str
    against: Sequence[str]


def gather(shop: Shop, roles: Roles) -> Evidence:
    """Read all data."""
    engine = shop.ff.blocking_engine()
    events: list[Event] = []
    page = engine.read_events()
    while page.events:
        events += page.events
        page = engine.read_events(cursor=page.next_cursor)
    items = cast("list[ExecutionSnapshot]", engine.list_executions(limit=LIMIT_MAX).items)
    film = engine.describe_flow(roles.film)
    assert film is not None
    return Evidence(
        roles,
        {x.execution_id: x for x in items},
        {x.execution_id: engine.list_attempts(x.execution_id) for x in items},
        {x.execution_id: engine.list_steps(x.execution_id) for x in items},
        events,
        shop.ledger.effects(),
        notes_in(shop.folder),
        film,
        engine.list_edges(roles.film),
        engine.get_result(roles.members[PUBLISH]),
        frames_of(engine, roles.spoken, view="all")[0],
        frames_of(engine, roles.spoken)[0],
    )


def claims(e: Evidence) -> list[Claim]:
    """All claims of the demo."""
    return [
        _every_execution_ended_once(e),
        _no_event_is_missing(e),
        _the_crash_was_recovered(e),
        _no_stored_step_ran_again(e),
        _the_reader_heard_what_counts(e),
        _every_charge_counts_once(e),
        _the_late_worker_was_refused(e),
        _the_operator_was_obeyed(e),
        _the_approval_was_waited_for(e),
        _the_join_fired_once(e),
    ]


def _every_execution_ended_once(e: Evidence) -> Claim:
    against = [f"{name} is unknown" for key, name in e.roles.names.items() if key not in e.executions]
    generations = 0
    for key, x in e.executions.items():
        ends = [event for event in e.events_of(key) if event.channel == "completion"]
        generations += 1 + x.replay_count
        if len(ends) != 1 + x.replay_count or ends[-1].event_type != x.public_state:
            outcomes = [event.event_type for event in ends]
            against.append(
                f"{e.roles.names[key]} is {x.public_state} after {x.replay_count} replays and ended as {outcomes}"
            )
    return Claim(f"{len(e.executions)} executions, {generations} generations, each with exactly one outcome", against)


def _no_event_is_missing(e: Evidence) -> Claim:
    against = []
    seqs = defaultdict(list)
    epochs = defaultdict(list)
    for event in e.events:
        seqs[event.execution_id or event.flow_id].append(event.seq)
        if event.event_type == "acquired":
            epochs[event.execution_id].append(cast("int", event.details["lease_epoch"]))
    for key, found in seqs.items():
        if found != list(range(1, len(found) + 1)):
            against.append(f"{key} has the events {found}")
    for key, found in epochs.items():
        if any(later <= earlier for earlier, later in pairwise(found)):
            against.append(f"{key} was leased under the epochs {found}")
    return Claim(f"{len(e.events)} events without a gap, lease epochs only grow", against)


def _the_crash_was_recovered(e: Evidence) -> Claim:
    against = []
    came_back_ms = [0]
    in_its_hands = [*e.roles.orphans, e.roles.spoken]
    for key in in_its_hands:
        first, *later = e.attempts[key]
        expired = e.events_of(key, "expired")
        if first.worker_id != "ada" or first.outcome != "interrupted" or not expired:
            against.append(f"the first attempt of {e.roles.names[key]} did not end by its lease running out")
        elif not later or later[-1].worker_id == "ada" or later[-1].outcome != "success":
            against.append(f"{e.roles.names[key]} was not finished by another worker")
        else:
            came_back_ms.append(expired[0].occurred_at_ms - e.roles.killed_at_ms)
    return Claim(
        f"{len(in_its_hands)} in the hands of a killed worker, back in the queue {max(came_back_ms) / 1000:.1f} s "
        f"later (leases last {LEASE_MS / 1000:.0f} s) and finished by another",
        against,
    )


def _no_stored_step_ran_again(e: Evidence) -> Claim:
    against = []
    ran = defaultdict(list)
    for note in e.notes:
        if isinstance(note, Ran):
            ran[note.execution_id, note.step].append(note.token)
    for key, steps in e.steps.items():
        name = e.roles.names[key]
        tokens_of = defaultdict(set)  # an attempt that waited has a token of each of its leases
        for event in e.events_of(key, "acquired"):
            tokens_of[event.details["attempt_index"]].add(event.details["lease_epoch"])
        for step in steps:
            if step.is_wait:
                continue
            tokens = ran[key, step.name]
            in_its_attempt = [token for token in tokens if token in tokens_of[step.attempt_index]]
            if len(in_its_attempt) != 1 or max(tokens) > in_its_attempt[0]:
                against.append(
                    f"{step.name} of {name} was stored by attempt {step.attempt_index} and ran under {tokens}"
                )
        if e.executions[key].kind == CHARGE and e.executions[key].public_state == "completed" and len(steps) != 2:
            against.append(f"{name} is completed, with {len(steps)} of 2 steps")
    for key in e.roles.orphans:
        if not any(step.name == PACK and step.attempt_index == 0 for step in e.steps[key]):
            against.append(f"{e.roles.names[key]} was not packed by the killed worker")
        if any(effect.execution_id == key and effect.token == e.attempts[key][0].lease_epoch for effect in e.effects):
            against.append(f"{e.roles.names[key]} was charged by the killed worker")
    stored = sum(not step.is_wait for steps in e.steps.values() for step in steps)
    return Claim(
        f"{stored} stored steps, none run again; {len(e.roles.orphans)} orders of the killed worker were packed by it, "
        "and only charged by another",
        against,
    )


def _the_reader_heard_what_counts(e: Evidence) -> Claim:
    """The reader was there before the kill, during it and after it, and has in the end what one run would have said."""
    heard, counts = e.roles.heard, {(frame.lease_epoch, frame.seq) for frame in e.counting}
    void = [frame for frame in e.said if (frame.lease_epoch, frame.seq) not in counts]
    lost = [frame for frame in heard if frame in void]
    restarts = [frame.value for frame in heard if frame.kind == "restart"]
    last = len(e.counting) - 2
    against = []
    if text_of(e.counting) != f"{GREETING}{''.join(f'{number} ' for number in range(1, last + 1))}{FAREWELL}":
        against.append(f"what counts of the commentary is {text_of(e.counting)!r}")
    if list(counting(heard)) != list(e.counting):
        against.append(f"the reader has {text_of(counting(heard))!r}")
    if not lost or any(frame.attempt_index != 0 for frame in void):
        against.append(f"{len(lost)} frames were read that are void now")
    if [(restart.why, [each.step for each in restart.kept]) for restart in restarts] != [("worker_lost", [GREET])]:
        against.append(f"the reader was sent the restarts {restarts}")
    if [frame.attempt_index for frame in e.counting if frame.step == GREET] != [0]:
        against.append("the greeting of the first attempt does not count")
    return Claim(
        f"1 reader of live output through the kill: {len(lost)} words that it had read are void, and at the end it has "
        f"exactly the {len(e.counting)} that count, each once and in order",
        against,
    )


def _every_charge_counts_once(e: Evidence) -> Claim:
    against = []
    in_force = {effect.execution_id: effect for effect in e.effects if effect.accepted}
    for key, x in e.executions.items():
        if x.kind != CHARGE:
            continue
        name = e.roles.names[key]
        tokens = [effect.token for effect in e.effects if effect.execution_id == key and effect.accepted]
        effect = in_force.get(key)
        if (effect is not None) != (x.public_state == "completed"):
            against.append(f"{name} is {x.public_state} and was charged {len(tokens)} times")
        elif effect is not None and effect.token != e.attempts[key][-1].lease_epoch:
            against.append(f"{name} was charged under token {effect.token}, not under that of its last attempt")
        if tokens != sorted(tokens):
            against.append(f"{name} was charged under a token that was over: {tokens}")
    return Claim(f"{len(in_force)} charges in force, each under the token of the attempt that completed", against)


def _the_late_worker_was_refused(e: Evidence) -> Claim:
    key = e.roles.revoked
    late = [effect for effect in e.effects if not effect.accepted and effect.execution_id == key]
    refused = [note for note in e.notes if isinstance(note, Refusal) and note.execution_id == key]
    against = []
    if not late:
        against.append("the ledger never met a late charge")
    if not refused:
        against.append("the engine never met a late step")
    return Claim(
        f"{len(late)} late charge of a frozen worker refused by the ledger, {len(refused)} late step by the engine",
        against,
    )


def _the_operator_was_obeyed(e: Evidence) -> Claim:
    roles = e.roles
    against = []
    if e.events_of(roles.cancelled, "acquired") or e.executions[roles.cancelled].public_state != "cancelled":
        against.append("the cancelled execution ran")
    if not jumped_over(e):
        against.append("the execution with the new priority ran no earlier than without it")
    if not e.events_of(roles.revoked, "revoked"):
        against.append("no lease was revoked")
    if e.executions[roles.replayed].replay_count != 1 or e.executions[roles.replayed].public_state != "completed":
        against.append("the replayed execution did not complete")
    return Claim("cancel, revoke, re-prioritise and replay did what they say", against)


def _the_approval_was_waited_for(e: Evidence) -> Claim:
    key = e.roles.approved
    name = e.roles.names[key]
    events = e.events_of(key)
    against = []
    happened = [event.event_type for event in events]
    if happened != ["acquired", "suspended", "delivered", "resumed", "acquired", "completed"]:
        against.append(f"{name} was {', '.join(happened) or 'never seen'}")
    signals = [(event.details["key"], event.details["source_identity"]) for event in events if _is(event, "delivered")]
    if signals != [(BOSS, APPROVER)]:
        against.append(f"{name} got the signals {signals}")
    claims = [event.details["claim_type"] for event in events if _is(event, "acquired")]
    if claims != ["first", "resume"]:
        against.append(f"{name} was claimed as {claims}")
    if e.executions[key].retry_count or len(e.attempts[key]) != 1:
        against.append(f"{name} needed {len(e.attempts[key])} attempts")
    for step in (CHECK, RETURN):
        runs = [note for note in e.notes if isinstance(note, Ran) and (note.execution_id, note.step) == (key, step)]
        if len(runs) != 1:
            against.append(f"{step} of {name} ran {len(runs)} times")
    waited_ms = _first_ms(events, "resumed") - _first_ms(events, "suspended")
    if not _first_ms(events, "suspended") < e.roles.killed_at_ms < _first_ms(events, "resumed"):
        against.append(f"{name} did not wait while the worker was killed")
    return Claim(
        f"1 refund waited {waited_ms / 1000:.1f} s for an approval without a lease, got it once by `ff approve`, and "
        "went on after its stored step",
        against,
    )


def _is(event: Event, event_type: str) -> bool:
    return event.event_type == event_type


def _first_ms(events: Sequence[Event], event_type: str) -> int:
    """When this happened for the first time; 0: never."""
    return next((event.occurred_at_ms for event in events if _is(event, event_type)), 0)


def _the_join_fired_once(e: Evidence) -> Claim:
    members = e.roles.members
    publish = members[PUBLISH]
    states = {part: e.executions[members[part]].public_state for part in PARTS}
    there = sorted(part for part, state in states.items() if state == "completed")
    failed = sum(state == "failed" for state in states.values())
    against = []
    if len(there) != ENOUGH:
        against.append(f"{len(there)} parts were encoded, not {ENOUGH}")
    if sorted(parts_in(e.published)) != there:
        against.append(f"the film was made of {', '.join(parts_in(e.published)) or 'nothing'}")
    starts = [event.event_id for event in e.events_of(publish, "acquired")]
    last_part_at = max(
        (event.event_id for part in there for event in e.events_of(members[part], "completed")), default=0
    )
    if len(starts) != 1 or starts[0] < last_part_at:
        against.append(f"publishing started {len(starts)} times, or before the last part was there")
    for part, state in states.items():
        if state == "cancelled" and e.executions[members[part]].cancellation_reason != "sibling_quorum_satisfied":
            against.append(f"{part} was cancelled for another reason")
    against += _wrong_records_of_the_join(e, there)
    return Claim(
        f"a join of {ENOUGH} out of {len(PARTS)} parts fired once and got exactly their results; "
        f"{failed} failed, {len(PARTS) - len(there) - failed} cancelled as no longer needed",
        against,
    )


def _wrong_records_of_the_join(e: Evidence, there: Sequence[str]) -> list[str]:
    against = []
    publish = e.roles.members[PUBLISH]
    (group,) = (group for group in e.film.groups if group.downstream == publish)
    counts = (group.total, group.success_count, group.fail_count, group.running_count)
    if group.state != "satisfied" or counts != (len(PARTS), len(there), len(PARTS) - len(there), 0):
        against.append(f"the join is {group.state} and counts {counts}")
    satisfied = {edge.upstream for edge in e.edges if edge.downstream == publish and edge.state == "satisfied"}
    if satisfied != {e.roles.members[part] for part in there}:
        against.append("the edges are satisfied by other parts than those that completed")
    ends = [event for event in e.events if event.flow_id == e.roles.film and event.event_type.startswith("flow_")]
    if e.film.state != "completed" or [event.event_type for event in ends] != ["flow_completed"]:
        against.append(f"the film is {e.film.state} and ended {len(ends)} times")
    return against


def jumped_over(e: Evidence) -> int:
    """How many executions that were before the moved one in the queue were claimed after it."""
    first_claims = dict.fromkeys(event.execution_id for event in e.events if event.event_type == "acquired")
    order = [key for key in first_claims if key is not None and e.executions[key].kind == CHARGE]
    if e.roles.moved not in order:
        return 0
    # Ids of one lane ascend in the order of submission.
    return sum(key < e.roles.moved for key in order[order.index(e.roles.moved) :])


def verdict(e: Evidence, found: Sequence[Claim]) -> str:
    """The result of the proof, in one line."""
    against = [objection for claim in found for objection in claim.against]
    if against:
        return f"NOT PROVEN: {'; '.join(against)}."
    ends = sum(event.channel == "completion" and event.execution_id is not None for event in e.events)
    refused = sum(not effect.accepted for effect in e.effects)
    return (
        f"PROVEN: {len(e.executions)} executions, {ends} outcomes, none missing and none twice; "
        f"{len(e.events)} events without a gap; {len(e.roles.orphans) + 1} recovered from a killed worker; "
        f"{sum(not step.is_wait for steps in e.steps.values() for step in steps)} stored steps, none run again; "
        f"1 reader of live output, each word once; "
        f"{refused} late charge refused; 1 approval, waited for without a lease; 1 join, fired once."
    )
