"""Records to decide on, and a batch decided on them without a store."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from flowfabric.domain.batch_io import Changes, ClaimNeed, Loaded, Needs
from flowfabric.domain.commands import AnyCommand, Claim, CreateExecution, Envelope
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import Execution, IdempotencyKey, queue_order, ready_of
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.lease import Fence, lease_id
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.working_set import WorkingSet

NOW = 1_700_000_000_000
STORE = "store-of-the-tests"
PAYLOAD = b"payload"

Answers = list[Outcome | EngineError]


def an_id(number: int = 1, lane: str = "default") -> ExecutionId:
    return make_execution_id(lane_partition(lane), uuid_from_hex(f"{number:032x}"))


def creation(
    number: int = 1,
    *,
    kind: str = "mail",
    payload: bytes = PAYLOAD,
    lane: str = "default",
    namespace: str = "default",
    given: bool = True,
    priority: int = 0,
    delay_until_ms: int | None = None,
    deadline_at_ms: int | None = None,
    key: str | None = None,
    key_ttl_ms: int = 1000,
    required: Iterable[str] = (),
    policy: ExecutionPolicy = DEFAULT_POLICY,
    tags: Mapping[str, str] | None = None,
) -> CreateExecution:
    return CreateExecution(
        an_id(number, lane),
        given,
        kind,
        payload,
        lane,
        namespace,
        priority,
        delay_until_ms,
        deadline_at_ms,
        key,
        key_ttl_ms,
        tuple(sorted(required)),
        policy,
        tags or {},
    )


def a_claim(
    limit: int = 1,
    *,
    lanes: Sequence[str] = ("default",),
    namespace: str = "default",
    capabilities: Iterable[str] = (),
    lease_ttl_ms: int = 30_000,
    instance: str = "worker-1/a",
) -> Claim:
    return Claim("worker-1", instance, tuple(lanes), namespace, frozenset(capabilities), limit, lease_ttl_ms)


def an_execution(number: int = 1, *, lane: str = "default", **changes: object) -> Execution:
    """A waiting execution, with the given differences."""
    waiting = Execution(
        execution_id=an_id(number, lane),
        namespace="default",
        lane=lane,
        flow_id=None,
        kind="mail",
        required_capabilities=(),
        policy=DEFAULT_POLICY,
        tags={},
        idempotency_key=None,
        created_at_ms=NOW - 1000,
        lifecycle_phase="runnable",
        eligibility_state="eligible_now",
        attempt_state="pending_first_attempt",
        terminal_outcome="none",
        priority=0,
        attempt_index=0,
        lease_epoch=0,
        retry_count=0,
        interruption_count=0,
        replay_count=0,
        event_seq=0,
        ready_at_ms=NOW - 1000,
    )
    return msgspec.structs.replace(waiting, **changes)


def fence_of(x: Execution, *, epoch: int = 0, attempt: int = 0) -> Fence:
    """The fence of the execution's lease, off by so many epochs and attempts."""
    index, at = x.attempt_index + attempt, x.lease_epoch + epoch
    return Fence(x.execution_id, index, at, lease_id(STORE, x.execution_id, index, at))


class Decided(msgspec.Struct):
    """What became of a batch."""

    answers: Answers
    changes: Changes

    def after(self, execution_id: ExecutionId) -> Execution:
        """The execution as the batch left it, if the batch changed it."""
        return next(x for _, x in self.changes.executions if x is not None and x.execution_id == execution_id)

    @property
    def events(self) -> list[tuple[str, str]]:
        return [(event.channel, event.event_type) for event in self.changes.events]


def decided(
    *commands: AnyCommand | Envelope,
    executions: Iterable[Execution] = (),
    keys: Iterable[IdempotencyKey] = (),
    answers: Iterable[RememberedAnswer] = (),
    switches: Iterable[LaneState] = (),
    now_ms: int = NOW,
) -> Decided:
    """Decide the commands as one batch on these records."""
    batch = [command if isinstance(command, Envelope) else Envelope(command) for command in commands]
    wanted = needs(batch)
    stored = {x.execution_id: x for x in executions}
    loaded = Loaded(
        executions={key: stored[key] for key in wanted.executions if key in stored},
        payloads={key: PAYLOAD for key in wanted.payloads if key in stored},
        idempotency_keys={(row.namespace, row.key): row for row in keys},
        answers={(row.scope, row.command_id): row for row in answers},
        lanes={(switch.namespace, switch.lane): switch for switch in switches},
    )
    find_candidates(loaded, wanted, stored)
    while True:
        ws = WorkingSet(loaded, wanted, now_ms=now_ms, store=STORE)
        answered = apply_batch(ws, batch)
        if ws.missing.is_empty:
            return Decided(answered, ws.changes())
        wanted.add(ws.missing)  # it is not there


def find_candidates(loaded: Loaded, wanted: Needs, stored: Mapping[ExecutionId, Execution]) -> None:
    """Load what a claim could take, exactly as many as it asks for."""
    queue = sorted((ready for x in stored.values() if (ready := ready_of(x)) is not None), key=queue_order)
    for need, most in wanted.claims.items():
        admitted = [ready for ready in queue if need.admits(ready)][:most]
        loaded.candidates[need] = admitted
        for ready in admitted:
            loaded.executions[ready.execution_id] = stored[ready.execution_id]
            loaded.payloads[ready.execution_id] = PAYLOAD


def working_set(
    *,
    executions: Iterable[Execution] = (),
    claims: Iterable[ClaimNeed] = (),
    ids: Iterable[ExecutionId] = (),
    now_ms: int = NOW,
) -> WorkingSet:
    """A working set over these records, which may also look for the given ids."""
    stored = {x.execution_id: x for x in executions}
    wanted = Needs(executions=set(stored) | set(ids), claims=dict.fromkeys(claims, 1000))
    loaded = Loaded(executions=dict(stored), payloads=dict.fromkeys(stored, PAYLOAD))
    find_candidates(loaded, wanted, stored)
    return WorkingSet(loaded, wanted, now_ms=now_ms, store=STORE)
