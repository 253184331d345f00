"""Plain members of flows: those that a store may lease and complete by statements of its own, without the rules.

A plain member waits for one other member at most, and at most one waits for it. As for plain executions (see `plain`),
the rules themselves decide here, once, what such statements write: a sample flow of two members is taken through its
life, and the statements copy the states of the sample. If a rule changes, the statements change with it.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Loaded
from flowfabric.domain.commands import (
    AnyCommand,
    Complete,
    CreateExecution,
    CreateFlow,
    Envelope,
    NewEdge,
    SubmitFlow,
)
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, lane_partition, make_execution_id
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Claimed, Completed
from flowfabric.domain.plain import COMPLETED, CREATED, LEASED, SAMPLE_CLAIM, SAMPLE_CREATION
from flowfabric.domain.working_set import WorkingSet


class FlowMoment(msgspec.Struct, frozen=True):
    """The sample flow at one moment of its life: the first member, the second, which waits for it, and all the rest."""

    first: Execution
    second: Execution
    flow: Flow
    edge: Edge
    group: EdgeGroup
    events: Sequence[Event]


_STORE: Final = "sample"
_FLOW: Final = FlowId("00000000-0000-7000-8000-00000000000f")
_PARTITION: Final = lane_partition("sample")
_MEMBERS: Final = tuple(make_execution_id(_PARTITION, f"00000000-0000-7000-8000-00000000000{at}") for at in (1, 2))


def _creation(at: int) -> CreateExecution:
    return replace(SAMPLE_CREATION, execution_id=_MEMBERS[at])


SAMPLE_SUBMIT: Final = SubmitFlow(
    CreateFlow(_FLOW, False, "sample", "sample", {}),
    (("first", _creation(0)), ("second", _creation(1))),
    (NewEdge("sample", _MEMBERS[0], _MEMBERS[1], "sample"),),
    (),
)


def _lived() -> Mapping[str, FlowMoment]:
    """Take the sample through its life, one command after the other, by the same rules as in every batch."""
    moments: dict[str, FlowMoment] = {}
    batch: list[Envelope] = []

    def decided(moment: str, command: AnyCommand) -> object:
        batch.append(Envelope(command))
        wanted = needs(batch)
        loaded = Loaded()
        loaded.candidates.update((need, []) for need in wanted.claims)
        ws = WorkingSet(loaded, wanted, now_ms=0, store=_STORE)
        answer = apply_batch(ws, batch)[-1]
        assert ws.missing.is_empty
        assert not isinstance(answer, Exception), f"the sample was refused: {answer}"
        group = ws.graph.group(_MEMBERS[1])
        assert group is not None
        [edge] = ws.graph.outgoing(_MEMBERS[0])
        first, second = (ws.executions[key] for key in _MEMBERS)
        moments[moment] = FlowMoment(first, second, ws.flow(_FLOW), edge, group, tuple(ws.changes().events))
        return answer

    def claimed_and_completed(at: str) -> None:
        answer = decided(f"{at} leased", SAMPLE_CLAIM)
        assert isinstance(answer, list)
        [claimed] = answer
        assert isinstance(claimed, Claimed)
        lease = claimed.lease
        fence = Fence(ExecutionId(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id)
        answer = decided(f"{at} completed", Complete(fence, b""))
        assert isinstance(answer, Completed)

    decided("submitted", SAMPLE_SUBMIT)
    claimed_and_completed("first")
    claimed_and_completed("second")
    return moments


_LIFE: Final = _lived()
SUBMITTED: Final = _LIFE["submitted"]
FIRST_LEASED: Final = _LIFE["first leased"]
FIRST_COMPLETED: Final = _LIFE["first completed"]
LAST_COMPLETED: Final = _LIFE["second completed"]
FLOW_ENDED: Final = LAST_COMPLETED.events[-1]
"""The event of the end of a flow whose members have all completed."""


def _as_if_alone(x: Execution, like: Execution) -> Execution:
    """The member with everything that only tells which execution it is, taken from another one."""
    return replace(
        x, execution_id=like.execution_id, flow_id=None, node=None, lease_mark=like.lease_mark, policy=like.policy
    )


# A member itself is leased and completed as any plain execution is. So statements write the same values for both.
for _member, _alone in (
    (FIRST_LEASED.first, LEASED.after),
    (FIRST_COMPLETED.first, COMPLETED.after),
    (LAST_COMPLETED.second, COMPLETED.after),
):
    assert _as_if_alone(_member, _alone) == _alone
# Nor do new members differ from new executions, but for being blocked.
assert _as_if_alone(SUBMITTED.first, CREATED.after) == CREATED.after
assert replace(_as_if_alone(SUBMITTED.second, CREATED.after), eligibility_state=CREATED.after.eligibility_state) == (
    CREATED.after
)
# What a completion does to others is all that the statements do.
assert replace(FIRST_COMPLETED.second, eligibility_state=SUBMITTED.second.eligibility_state) == SUBMITTED.second
assert replace(FIRST_COMPLETED.flow, live_count=2) == FIRST_LEASED.flow
assert FLOW_ENDED.execution_id is None
assert FLOW_ENDED.details == {}
