"""However a lease ends, and however often that is said: it gives back exactly what it has taken of its gates."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    CancelFlow,
    Complete,
    Delay,
    Fail,
    Release,
    Renew,
    Reserve,
    RevokeLease,
)
from flowfabric.domain.lease import Fence
from tests.domain.gate_stage import LEASE_MS, LONG_MS, TIMEOUT_MS, Stage

End = Callable[[Stage, Fence], Sequence[AnyCommand]]


def _cancelled(fence: Fence) -> CancelExecution:
    return CancelExecution(fence.execution_id, "no longer wanted", "operator_override", None)


def _after(ms: int, *, renewed: bool) -> End:
    """What is due after some time, with a worker that has renewed its lease or not."""

    def end(stage: Stage, fence: Fence) -> Sequence[AnyCommand]:
        if renewed:
            stage.one(Renew(fence, LONG_MS))
        stage.clock.advance(ms)
        return [stage.what_is_due(fence.execution_id)]

    return end


def _cancelled_too_late(stage: Stage, fence: Fence) -> Sequence[AnyCommand]:
    stage.clock.advance(LEASE_MS)
    return [_cancelled(fence)]


def _flow_cancelled(stage: Stage, fence: Fence) -> Sequence[AnyCommand]:
    return [CancelFlow(stage.flow_id(), "no longer wanted", "cancel_all")]


def _in_a_cancelled_flow(end: Callable[[Fence], AnyCommand]) -> End:
    """The flow is cancelled and spares what runs. Then its lease ends."""

    def ended(stage: Stage, fence: Fence) -> Sequence[AnyCommand]:
        stage.one(CancelFlow(stage.flow_id(), "no longer wanted", "cancel_pending"))
        return [end(fence)]

    return ended


DEADLINE_MS = 50_000
ENDS: Mapping[str, End] = {
    "complete": lambda stage, fence: [Complete(fence, b"r")],
    "fail": lambda stage, fence: [Fail(fence, "boom", "", False, None)],
    "retry": lambda stage, fence: [Fail(fence, "boom", "", True, None)],
    "retry at once": lambda stage, fence: [Fail(fence, "boom", "", True, 0)],
    "release": lambda stage, fence: [Release(fence)],
    "delay": lambda stage, fence: [Delay(fence, stage.store.now_ms + LONG_MS)],
    "suspend": lambda stage, fence: [stage.suspend_command(fence)],
    "revoke": lambda stage, fence: [RevokeLease(fence.execution_id, "", "", "")],
    "cancel": lambda stage, fence: [_cancelled(fence)],
    "expiry": _after(LEASE_MS, renewed=False),
    "timeout": _after(TIMEOUT_MS, renewed=True),
    "deadline": _after(DEADLINE_MS, renewed=True),
    "cancel of an expired lease": _cancelled_too_late,
    "flow cancel": _flow_cancelled,
    "release in a cancelled flow": _in_a_cancelled_flow(Release),
    "failure in a cancelled flow": _in_a_cancelled_flow(lambda fence: Fail(fence, "boom", "", True, None)),
    "revoke in a cancelled flow": _in_a_cancelled_flow(lambda fence: RevokeLease(fence.execution_id, "", "", "")),
}
LOST = {"revoke", "expiry", "cancel of an expired lease", "revoke in a cancelled flow"}
"""Nobody can say then what the attempt has spent."""

GATES: Mapping[str, Mapping[str, Any]] = {
    "concurrency": {"limits": {"api": ""}},
    "rate": {"limits": {"mail": "k"}},
    "two limits": {"limits": {"api": "", "mail": "k"}},
    "fair": {"fair_key": "x"},
    "estimate": {"budgets": {"team": {"usd": 30}}},
    "by hand": {},
    "both": {"limits": {"api": ""}, "budgets": {"team": {"usd": 10}}, "fair_key": "x"},
}
BY_HAND = {"by hand": 30, "both": 20}


def _stage() -> Stage:
    stage = Stage()
    stage.limit("api", concurrency=2)
    stage.limit("mail", rate=10)
    stage.budget("company", {"usd": 1_000})
    stage.budget("team", {"usd": 100, "tokens": 100}, parent="company")
    return stage


def _started(stage: Stage, gates: str, ttl_ms: int, end: str) -> Fence:
    """The lease of a new execution, which has reserved 30 in all if it reserves at all."""
    of_end = {"deadline_in_ms": DEADLINE_MS} if end == "deadline" else {}
    if "flow" in end:
        made = stage.make_member(stage.flow_id(), **GATES[gates], **of_end)
    else:
        made = stage.make(**GATES[gates], **of_end)
    (fence,) = stage.claim(ttl_ms=ttl_ms)
    assert fence.execution_id == made
    if gates in BY_HAND:
        stage.one(Reserve(fence, "team", {"usd": BY_HAND[gates]}))
    return fence


def _held(stage: Stage) -> tuple[int, int, list[Mapping[str, int]]]:
    """The slots that are in use, and what is reserved of the budget and of its parent."""
    slots = stage.key("api").in_use, stage.key("mail", "k").in_use
    return (*slots, [stage.use(of).reserved for of in ("team", "company")])


@pytest.mark.parametrize("gates", GATES)
@pytest.mark.parametrize("end", ENDS)
def test_the_end_of_a_lease_gives_back_what_it_has_taken_and_nothing_else_however_often_it_is_told(
    end: str, gates: str
):
    stage = _stage()
    _started(stage, gates, LONG_MS, "")  # a neighbour, which holds the same and keeps it
    held_by_one = _held(stage)
    lease = _started(stage, gates, LEASE_MS, end)
    busy_us = stage.key("mail", "k").busy_until_us
    commands = ENDS[end](stage, lease)

    for _ in range(2):  # the second time it is a repetition, or a refusal
        stage.send(*commands)

        reserves = gates in ("estimate", "by hand", "both")
        charged = {"usd": 30} if end in LOST and reserves else {}
        assert stage.x(lease.execution_id).lifecycle_phase != "active"
        assert _held(stage) == held_by_one
        for budget in ("team", "company"):
            assert (stage.use(budget).used, stage.use(budget).assumed) == (charged, charged)
        lines = {line.budget: line.amounts for line in stage.store._ledger.values()}
        assert lines == ({"team": charged, "company": charged} if charged else {})
        assert stage.key("mail", "k").busy_until_us == busy_us, "a start that was made is never given back"


@pytest.mark.parametrize("end", [each for each in ENDS if "flow" not in each])
def test_what_a_lease_has_spent_stays_spent_and_only_the_rest_of_its_reservation_ends_with_it(end: str):
    stage = _stage()
    lease = _started(stage, "by hand", LEASE_MS, end)
    stage.spend(lease, {"usd": 12})
    stage.send(*ENDS[end](stage, lease))

    used = 30 if end in LOST else 12
    assert (stage.use().used, stage.use().reserved) == ({"usd": used}, {})
    assert stage.use().assumed == ({"usd": 18} if end in LOST else {})
    above = stage.use("company")
    assert (above.used, above.reserved, above.assumed) == (stage.use().used, {}, stage.use().assumed)
