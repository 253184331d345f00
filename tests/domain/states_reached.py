"""One execution in every state that commands can bring it to, reached by those commands."""

from collections.abc import Callable

from flowfabric.domain.batch_io import ClaimNeed
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    Complete,
    Delay,
    Fail,
    HandleDue,
    Hold,
    Release,
    ReplayExecution,
    RevokeLease,
    SendSignal,
    Suspend,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.decide import decide
from flowfabric.domain.execution import Execution, due_of
from flowfabric.domain.lease import Fence
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, a_claim, an_id, creation, fence_of, working_set

BEFORE = NOW - 10_000
POLICY = ExecutionPolicy(retry=RetryPolicy(max_retries=3, jitter=0.0), max_interruptions=1)
PATIENT = ExecutionPolicy(retry=RetryPolicy(max_retries=3, initial_delay_ms=20_000, jitter=0.0))
FRAGILE = ExecutionPolicy(max_interruptions=0)

Step = Callable[[Execution], AnyCommand]


def _claim(_: Execution) -> AnyCommand:
    return a_claim()


def _claim_briefly(_: Execution) -> AnyCommand:
    return a_claim(lease_ttl_ms=NOW - BEFORE)


def _complete(x: Execution) -> AnyCommand:
    return Complete(fence_of(x), b"result")


def _fail(x: Execution) -> AnyCommand:
    return Fail(fence_of(x), "boom", "it broke", True, None)


def _fail_and_retry_at_once(x: Execution) -> AnyCommand:
    return Fail(fence_of(x), "boom", "it broke", True, 0)


def _fail_for_good(x: Execution) -> AnyCommand:
    return Fail(fence_of(x), "boom", "it broke", False, None)


def _release(x: Execution) -> AnyCommand:
    return Release(fence_of(x))


def _delay(x: Execution) -> AnyCommand:
    return Delay(fence_of(x), NOW + 5000)


def _hold(x: Execution) -> AnyCommand:
    return Hold(x.execution_id, "")


def _revoke(x: Execution) -> AnyCommand:
    return RevokeLease(x.execution_id, "", "", "")


def _cancel(x: Execution) -> AnyCommand:
    return CancelExecution(x.execution_id, "not wanted", "operator_override", None)


def _replay(x: Execution) -> AnyCommand:
    return ReplayExecution(x.execution_id)


def _suspend(x: Execution) -> AnyCommand:
    return Suspend(fence_of(x), "editor", stored(On("editor")), None, None, "resume", "waiting_for_signal", "k1")


def _signal(x: Execution) -> AnyCommand:
    return SendSignal(x.execution_id, "editor", b"yes", "", "", "", None, "k1")


def _what_is_due(x: Execution) -> AnyCommand:
    due = due_of(x)
    assert due is not None
    return HandleDue(due)


def _reached(*steps: Step, policy: ExecutionPolicy = POLICY, **created_with: int) -> Execution:
    """What the steps make of a new execution, ten seconds before now."""
    need = ClaimNeed("default", ("default",), frozenset())
    ws = working_set(ids=[an_id()], claims=[need], now_ms=BEFORE)
    decide(ws, creation(policy=policy, **created_with), None)
    for step in steps:
        decide(ws, step(_found(ws)), None)
    return _found(ws)


def _found(ws: WorkingSet) -> Execution:
    x = ws.executions.get(an_id())
    assert x is not None
    return x


STATES: dict[str, Execution] = {
    "waiting": _reached(),
    "delayed": _reached(delay_until_ms=NOW + 5000),
    "held": _reached(_hold),
    "held while delayed": _reached(_hold, delay_until_ms=NOW + 5000),
    "active": _reached(_claim),
    "active, lease over": _reached(_claim_briefly),
    "released": _reached(_claim, _release),
    "released until later": _reached(_claim, _delay),
    "released and held": _reached(_claim, _release, _hold),
    "interrupted": _reached(_claim, _revoke),
    "retry later": _reached(_claim, _fail, policy=PATIENT),
    "retry now": _reached(_claim, _fail_and_retry_at_once),
    "retry held": _reached(_claim, _fail, _hold),
    "completed": _reached(_claim, _complete),
    "failed": _reached(_claim, _fail_for_good),
    "failed as worker_lost": _reached(_claim, _revoke, policy=FRAGILE),
    "expired": _reached(_what_is_due, deadline_at_ms=BEFORE),
    "expired while active": _reached(_claim, _what_is_due, deadline_at_ms=BEFORE),
    "cancelled": _reached(_cancel),
    "cancelled while active": _reached(_claim, _cancel),
    "replayed": _reached(_claim, _complete, _replay),
    "replayed and held": _reached(_claim, _complete, _replay, _hold),
    "replayed before it ever ran": _reached(_cancel, _replay),
    "active again after a replay": _reached(_claim, _complete, _replay, _claim),
    "suspended": _reached(_claim, _suspend),
    "suspended and held": _reached(_claim, _suspend, _hold),
    "resumable": _reached(_claim, _suspend, _signal),
    "resumable and held": _reached(_claim, _suspend, _hold, _signal),
    "active again after a wait": _reached(_claim, _suspend, _signal, _claim),
    "cancelled while suspended": _reached(_claim, _suspend, _cancel),
}

LEASE_WAS_TAKEN = ("interrupted", "failed as worker_lost", "expired while active", "cancelled while active")


def last_fence(state: str) -> Fence:
    """The fence of the last lease that the execution had, live or not."""
    return fence_of(STATES[state], epoch=-1 if state in LEASE_WAS_TAKEN or state.startswith("replayed") else 0)
