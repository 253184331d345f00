"""Plain executions: those that a store may take through create, claim and complete with one statement per step.

The rules themselves decide here, once, what such a statement writes: a sample execution is created, claimed and
completed, and the statement copies the states of the sample. If a rule changes, the statement changes with it.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Loaded
from flowfabric.domain.commands import AnyCommand, Claim, Complete, CreateExecution, Envelope
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Execution, ready_of
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id
from flowfabric.domain.lease import Fence, Lease, id_of_claim, lease_id
from flowfabric.domain.limits import KeyUse, Limit
from flowfabric.domain.outcomes import Claimed, Created, Outcome
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.working_set import WorkingSet


def is_plain(x: CreateExecution | Execution, to_be: Literal["created", "leased", "completed"]) -> bool:
    """Whether this step concerns the execution alone, so that a store may do it without the rules.

    A plain creation needs no other record. A plain lease has no due moment but its own end. A plain completion changes
    no other record. An execution that has an inbox is not plain: it may have open waits, which end with it. The end of
    a child is not plain: it is passed on to its parent. An execution that has gates is not plain: others may wait at
    them. See `is_plain_but_for_limits`.
    """
    if isinstance(x, CreateExecution):
        if x.gates is not None or not _is_simple(x):
            return False
        return to_be == "created" or is_plain_policy(x.policy)
    if (
        x.flow_id is not None
        or x.inbox is not None
        or x.gates is not None
        or (x.parent_id is not None and to_be == "completed")
    ):
        return False
    return x.deadline_at_ms is None and is_plain_policy(x.policy)


def is_plain_policy(policy: ExecutionPolicy) -> bool:
    """Whether an execution with this policy can be leased and completed as a plain one."""
    return policy.attempt_timeout_ms is None


def is_plain_but_for_limits(x: CreateExecution) -> bool:
    """Whether it is created as a plain one, if its limits are set and nobody is parked where it would wait."""
    gates = x.gates
    if gates is None or gates.budgets or gates.fair_key is not None or x.when_full != "wait":
        return False
    return bool(gates.limits) and _is_simple(x)


def _is_simple(x: CreateExecution) -> bool:
    if x.id_was_given or x.idempotency_key is not None or x.delay_until_ms is not None:
        return False
    return x.deadline_at_ms is None and not x.required_capabilities and not x.tags


def holds_only_slots(gates: Gates) -> bool:
    """Whether a lease with these gates gives back slots when it ends, and nothing else happens at its gates."""
    return bool(gates.slots) and gates.slots == gates.limits and not (gates.budgets or gates.blocks or gates.must_pause)


class Transition(msgspec.Struct, frozen=True):
    """The sample before and after one command."""

    before: Execution | None
    after: Execution
    answer: Outcome
    event: Event | None
    attempt: Attempt | None


_STORE: Final = "sample"
_TTL_MS: Final = 1_000
SAMPLE_CREATION: Final = CreateExecution(
    execution_id=make_execution_id(lane_partition("sample"), "00000000-0000-7000-8000-000000000000"),
    id_was_given=False,
    kind="sample",
    payload=b"",
    lane="sample",
    namespace="sample",
    priority=0,
    delay_until_ms=None,
    deadline_at_ms=None,
    idempotency_key=None,
    idempotency_ttl_ms=0,
    required_capabilities=(),
    policy=ExecutionPolicy(retention_ms=0),  # with a retention, so that the ended sample has a due moment, too
    tags={},
)
SAMPLE_CLAIM: Final = Claim("sample", "sample", ("sample",), "sample", frozenset(), 1, _TTL_MS)


_LIMIT: Final = Limit("sample", "sample", None, 1, None, 1, None)
_KEY: Final = (_LIMIT.namespace, _LIMIT.name, "")


def _decided(command: AnyCommand, before: Execution | None, *, in_use: int | None = None) -> Transition:
    """Decide the command for the sample alone, by the same rules as in every batch. `in_use`: there is a limit."""
    batch = [Envelope(command)]
    wanted = needs(batch)
    loaded = Loaded()
    if in_use is not None:
        loaded.limits[_LIMIT.namespace, _LIMIT.name, None] = _LIMIT
        loaded.key_uses[_KEY] = KeyUse(*_KEY, in_use)
    if before is not None:
        loaded.executions[before.execution_id] = before
        loaded.payloads[before.execution_id] = SAMPLE_CREATION.payload
        ready = ready_of(before)
        loaded.candidates.update((need, [] if ready is None else [ready]) for need in wanted.claims)
    ws = WorkingSet(loaded, wanted, now_ms=0, store=_STORE)
    (answer,) = apply_batch(ws, batch)
    while not ws.missing.is_empty:
        wanted.add(ws.missing)
        ws = WorkingSet(loaded, wanted, now_ms=0, store=_STORE)
        (answer,) = apply_batch(ws, batch)
    assert not isinstance(answer, Exception), f"the sample was refused: {answer}"
    changes = ws.changes()
    ((_, after),) = changes.executions
    assert after is not None
    event = changes.events[0] if changes.events else None
    return Transition(before, after, answer, event, next(iter(changes.attempts.values()), None))


CREATED: Final = _decided(SAMPLE_CREATION, None)
LEASED: Final = _decided(SAMPLE_CLAIM, CREATED.after)
_COMPLETION: Final = Complete(
    Fence(
        SAMPLE_CREATION.execution_id,
        LEASED.after.attempt_index,
        LEASED.after.lease_epoch,
        lease_id(_STORE, SAMPLE_CREATION.execution_id, LEASED.after.attempt_index, LEASED.after.lease_epoch),
    ),
    None,
)
COMPLETED: Final = _decided(_COMPLETION, LEASED.after)

# With a limit, the sample comes to the same states. Statements write those, and where it stands at its limit.
CREATED_AT_LIMIT: Final = _decided(replace(SAMPLE_CREATION, gates=Gates(limits=(_KEY[1:],))), None, in_use=0)
LEASED_AT_LIMIT: Final = _decided(SAMPLE_CLAIM, CREATED_AT_LIMIT.after, in_use=0)
COMPLETED_AT_LIMIT: Final = _decided(_COMPLETION, LEASED_AT_LIMIT.after, in_use=1)
PARKED_AT_LIMIT: Final = _decided(SAMPLE_CLAIM, CREATED_AT_LIMIT.after, in_use=1)
assert replace(CREATED_AT_LIMIT.after, gates=None) == CREATED.after
assert replace(COMPLETED_AT_LIMIT.after, gates=None) == COMPLETED.after
assert COMPLETED_AT_LIMIT.after.gates == CREATED_AT_LIMIT.after.gates

assert isinstance(LEASED.answer, list)
assert isinstance(LEASED.answer[0], Claimed)
assert LEASED.event is not None
_NEW: Final = CREATED.after.public_state
_CLAIMED: Final = LEASED.answer[0]
_DETAILS: Final = LEASED.event.details


def created(creation: CreateExecution) -> Created:
    """The answer to a plain creation."""
    return Created(creation.execution_id, _NEW)


def first_claim(
    command: Claim,
    store: str,
    execution_id: ExecutionId,
    *,
    kind: str,
    namespace: str,
    lane: str,
    epoch: int,
    payload: bytes,
    tags: Mapping[str, str],
    now_ms: int,
    flow_id: str | None = None,
    inputs: Mapping[str, bytes] | None = None,
) -> Claimed:
    """What a worker gets with the first lease of a plain execution. `inputs`: what is passed to a member of a flow."""
    index = _CLAIMED.attempt_index
    lease = Lease(
        execution_id,
        index,
        epoch,
        id_of_claim(store, execution_id, index, epoch, command.mark),
        command.worker_instance_id,
        now_ms + command.lease_ttl_ms,
    )
    return Claimed(
        lease,
        execution_id,
        kind,
        payload,
        lane,
        namespace,
        flow_id,
        index,
        _CLAIMED.claim_type,
        {} if inputs is None else inputs,  # of its own: the sample's would be shared by all
        tags,
        _CLAIMED.attempt_ends_at_ms,
    )


def first_lease_details(command: Claim) -> dict[str, object]:
    """What the event of an execution's very first lease says."""
    return {**_DETAILS, "worker_instance_id": command.worker_instance_id}
