"""Every command on every state that an execution can be in: which answer it gets, or which refusal."""

from collections.abc import Callable
from types import EllipsisType

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    CloseWaitpoint,
    Complete,
    CreateWaitpoint,
    Delay,
    Fail,
    HandleDue,
    Hold,
    IssueToken,
    OpenWait,
    Release,
    Renew,
    RepairSideRows,
    ReplayExecution,
    ReportProgress,
    ResumeExecution,
    RevokeLease,
    SendSignal,
    SetTag,
    Suspend,
    Unhold,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import Due, Execution, due_of
from flowfabric.domain.invariants import record_violations, violations
from flowfabric.domain.lease import Fence, lease_id
from flowfabric.domain.outcomes import AlreadySatisfied
from flowfabric.domain.states import STATE_VECTORS
from tests.domain.records import NOW, STORE, Decided, a_claim, creation, decided
from tests.domain.states_reached import STATES, last_fence


def _due(x: Execution) -> AnyCommand:
    """What is due next for it, or something that never was."""
    return HandleDue(due_of(x) or Due("delay", 1, x.execution_id))


def _stale(fence: Fence) -> Fence:
    epoch = fence.lease_epoch - 1
    return Fence(
        fence.execution_id,
        fence.attempt_index,
        epoch,
        lease_id(STORE, fence.execution_id, fence.attempt_index, epoch),
    )


def _of_another_epoch(fence: Fence) -> Fence:
    return Fence(fence.execution_id, fence.attempt_index, fence.lease_epoch - 1, fence.lease_id)


def _of_another_attempt(fence: Fence) -> Fence:
    return Fence(fence.execution_id, fence.attempt_index + 1, fence.lease_epoch, fence.lease_id)


def _of_another_store(fence: Fence) -> Fence:
    return Fence(fence.execution_id, fence.attempt_index, fence.lease_epoch, "other-" + fence.lease_id)


# What the holder of its last lease sends,
OF_A_WORKER: dict[str, Callable[[Fence], AnyCommand]] = {
    "renew": lambda fence: Renew(fence, None),
    "complete": lambda fence: Complete(fence, b"result"),
    "complete, stale epoch": lambda fence: Complete(_stale(fence), None),
    "complete, other epoch": lambda fence: Complete(_of_another_epoch(fence), None),
    "complete, other attempt": lambda fence: Complete(_of_another_attempt(fence), None),
    "complete, other store": lambda fence: Complete(_of_another_store(fence), None),
    "fail": lambda fence: Fail(fence, "boom", "", True, None),
    "fail for good": lambda fence: Fail(fence, "boom", "", False, None),
    "release": lambda fence: Release(fence),
    "delay": lambda fence: Delay(fence, NOW + 1),
    "delay until now": lambda fence: Delay(fence, NOW),
    "progress": lambda fence: ReportProgress(fence, 50, "half way"),
    "create a waitpoint": lambda fence: CreateWaitpoint(fence, "author", "k1", None, None, None, "default"),
    "open a wait": lambda fence: OpenWait(fence, "author", stored(On("author")), None, None, "resume", "", "k1"),
    "suspend": lambda fence: Suspend(fence, "author", stored(On("author")), None, None, "resume", "", "k1"),
    "suspend again": lambda fence: Suspend(fence, "editor", stored(On("editor")), None, None, "resume", "", "k1"),
}
# and what anyone else does.
OF_OTHERS: dict[str, Callable[[Execution], AnyCommand]] = {
    "claim": lambda x: a_claim(),
    "cancel": lambda x: CancelExecution(x.execution_id, "no", "operator_override", None),
    "cancel by its worker": lambda x: CancelExecution(x.execution_id, "no", "lease_holder", x.lease_epoch),
    "cancel by a stale worker": lambda x: CancelExecution(x.execution_id, "no", "lease_holder", x.lease_epoch + 1),
    "cancel by nobody known": lambda x: CancelExecution(x.execution_id, "no", "lease_holder", None),
    "revoke": lambda x: RevokeLease(x.execution_id, "", "", "drain"),
    "revoke from another": lambda x: RevokeLease(x.execution_id, "worker-9/z", "", "drain"),
    "revoke another lease": lambda x: RevokeLease(x.execution_id, "", "some other lease", "drain"),
    "change priority": lambda x: ChangePriority(x.execution_id, 7),
    "replay": lambda x: ReplayExecution(x.execution_id),
    "hold": lambda x: Hold(x.execution_id, "look first"),
    "unhold": lambda x: Unhold(x.execution_id),
    "tag": lambda x: SetTag(x.execution_id, "team.name", "mail"),
    "create again": lambda x: creation(policy=x.policy),
    "create another under its id": lambda x: creation(kind="print"),
    "signal": lambda x: SendSignal(x.execution_id, "editor", b"yes", "", "", "", None, "k1"),
    "signal for later": lambda x: SendSignal(x.execution_id, "author", b"yes", "", "", "", None, "k1"),
    "signal with a token of before": lambda x: SendSignal(
        x.execution_id, "editor", b"yes", "", "", "", None, "k1", "another id", 0
    ),
    "resume": lambda x: ResumeExecution(x.execution_id, b"", "", "k1"),
    "close a waitpoint that is not there": lambda x: CloseWaitpoint(x.execution_id, "author", ""),
    "issue a token": lambda x: IssueToken(x.execution_id, "editor", "ann", "k1"),
    "what is due": _due,
    "repair": lambda x: RepairSideRows(x.execution_id),
}

QUEUED = ("waiting", "released", "interrupted", "retry now", "replayed", "replayed before it ever ran")
LATER = ("delayed", "released until later", "retry later")
HELD = ("held", "held while delayed", "released and held", "retry held", "replayed and held")
LIVE = ("active", "active again after a replay", "active again after a wait")
SUSPENDED = ("suspended", "suspended and held")
RESUMABLE = ("resumable",)
RESUMABLE_HELD = ("resumable and held",)
OVER = ("active, lease over",)
LOST = ("failed as worker_lost",)
FAILED = ("failed",)
COMPLETED = ("completed",)
EXPIRED = ("expired", "expired while active")
CANCELLED = ("cancelled", "cancelled while active", "cancelled while suspended")
NOT_LEASED = QUEUED + LATER + HELD + SUSPENDED + RESUMABLE + RESUMABLE_HELD
NOT_ENDED = NOT_LEASED + LIVE + OVER
ENDED = COMPLETED + FAILED + LOST + EXPIRED + CANCELLED

Expected = dict[str, tuple[str, ...] | EllipsisType]

# An answer with the public state after it, or the refusal; `...` stands for every state that is not named.
TABLE: dict[str, Expected] = {
    "claim": {"Claimed -> active": QUEUED + RESUMABLE, "nothing": ...},
    "renew": {"Renewed -> active": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "complete": {
        "Completed -> completed": LIVE,
        "Completed, nothing new": COMPLETED,
        "LeaseExpired": OVER,
        "ExecutionNotActive": ...,
    },
    "complete, stale epoch": {"StaleLease": LIVE + OVER, "ExecutionNotActive": ...},
    "complete, other epoch": {"StaleLease": LIVE + OVER, "ExecutionNotActive": ...},
    "complete, other attempt": {"StaleLease": LIVE + OVER, "ExecutionNotActive": ...},
    "complete, other store": {"StaleLease": LIVE + OVER, "ExecutionNotActive": ...},
    "fail": {
        "RetryScheduled -> delayed": LIVE,
        "TerminalFailed, nothing new": FAILED,
        "LeaseExpired": OVER,
        "ExecutionNotActive": ...,
    },
    "fail for good": {
        "TerminalFailed -> failed": LIVE,
        "TerminalFailed, nothing new": FAILED,
        "LeaseExpired": OVER,
        "ExecutionNotActive": ...,
    },
    "release": {"Released -> waiting": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "delay": {"Released -> delayed": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "delay until now": {"Released -> waiting": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "progress": {"None -> active": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "cancel": {
        "Cancelled -> cancelled": NOT_ENDED,
        "Cancelled, nothing new": CANCELLED,
        "InvalidInput": ...,
    },
    "cancel by its worker": {
        "Cancelled -> cancelled": NOT_ENDED,
        "Cancelled, nothing new": CANCELLED,
        "InvalidInput": ...,
    },
    "cancel by a stale worker": {
        "Cancelled -> cancelled": NOT_LEASED,
        "StaleLease": LIVE + OVER,
        "Cancelled, nothing new": CANCELLED,
        "InvalidInput": ...,
    },
    "cancel by nobody known": {
        "Cancelled -> cancelled": NOT_LEASED,
        "Cancelled, nothing new": CANCELLED,
        "InvalidInput": ...,
    },
    "create a waitpoint": {
        "WaitpointMade -> active": ("active", "active again after a replay"),
        "WaitpointMade, nothing new": ("active again after a wait",),
        "LeaseExpired": OVER,
        "ExecutionNotActive": ...,
    },
    "open a wait": {"WaitBegun -> active": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "suspend": {"LeaseGivenUp -> suspended": LIVE, "LeaseExpired": OVER, "ExecutionNotActive": ...},
    "suspend again": {
        "LeaseGivenUp -> suspended": LIVE,
        "LeaseGivenUp, nothing new": SUSPENDED,
        "LeaseExpired": OVER,
        "ExecutionNotActive": ...,
    },
    "signal": {
        "Signalled -> waiting": (*QUEUED, *HELD, *RESUMABLE_HELD, "suspended and held"),
        "Signalled -> delayed": LATER,
        "Signalled -> active": LIVE + OVER,
        "Signalled -> resumable": (*RESUMABLE, "suspended"),
        "NotSignalable": ...,
    },
    "signal for later": {
        "Signalled -> waiting": QUEUED + HELD + RESUMABLE_HELD,
        "Signalled -> delayed": LATER,
        "Signalled -> active": LIVE + OVER,
        "Signalled -> resumable": RESUMABLE,
        "Signalled -> suspended": SUSPENDED,
        "NotSignalable": ...,
    },
    "signal with a token of before": {"NotSignalable": ENDED, "WaitpointClosed": ...},
    "resume": {
        "Resumed -> resumable": ("suspended",),
        "Resumed -> waiting": ("suspended and held",),
        "not_suspended": ...,
    },
    "close a waitpoint that is not there": {"NotFound": ...},
    "issue a token": {
        "NotSignalable": ENDED,
        "WaitpointMade -> waiting": QUEUED + HELD,
        "WaitpointMade -> delayed": LATER,
        "WaitpointMade -> active": ("active", "active again after a replay", *OVER),
        "WaitpointMade, nothing new": ...,
    },
    "revoke": {"Revoked -> waiting": LIVE + OVER, "no_active_lease": ...},
    "revoke from another": {"different_worker_instance_id": LIVE + OVER, "no_active_lease": ...},
    "revoke another lease": {"lease_id_mismatch": LIVE + OVER, "no_active_lease": ...},
    "change priority": {
        "PriorityChanged -> waiting": QUEUED,
        "PriorityChanged -> resumable": RESUMABLE,
        "PriorityChanged -> suspended": SUSPENDED,
        "ExecutionNotEligible": ...,
    },
    "replay": {
        "Replayed -> waiting": COMPLETED + FAILED + LOST + EXPIRED + CANCELLED,
        "ExecutionNotTerminal": ...,
    },
    "hold": {
        "Held -> waiting": QUEUED + LATER + RESUMABLE,
        "Held -> suspended": ("suspended",),
        "Held, nothing new": (*HELD, *RESUMABLE_HELD, "suspended and held"),
        "ExecutionNotEligible": ...,
    },
    "unhold": {
        "Unheld, nothing new": (*QUEUED, *LATER, *RESUMABLE, "suspended"),
        "Unheld -> suspended": ("suspended and held",),
        "Unheld -> resumable": RESUMABLE_HELD,
        "Unheld -> delayed": ("held while delayed",),
        # Its delay was one second, and is over by now.
        "Unheld -> waiting": ("held", "released and held", "retry held", "replayed and held"),
        "ExecutionNotEligible": ...,
    },
    "tag": {"None -> the same": ...},
    "create again": {"Duplicate, nothing new": ...},
    "create another under its id": {"Conflict": ...},
    "what is due": {"True -> waiting": OVER, "False": ...},
    "repair": {"True, nothing new": ...},
}


def test_the_table_names_every_command_once_and_no_state_twice():
    for expected in TABLE.values():
        named = [state for states in expected.values() if states is not ... for state in states]
        assert len(named) == len(set(named))
        assert set(named) <= set(STATES)
    assert TABLE.keys() == OF_A_WORKER.keys() | OF_OTHERS.keys()


def test_the_states_reached_are_exactly_the_legal_state_vectors_outside_of_flows_and_without_gates():
    reached = {(x.lifecycle_phase, x.eligibility_state, x.attempt_state, x.terminal_outcome) for x in STATES.values()}

    of_members_only = {
        vector for vector in STATE_VECTORS if vector[1] == "blocked_by_dependencies" or vector[3] == "skipped"
    }
    # `test_parked_states.py` reaches these.
    parked = {vector for vector in STATE_VECTORS if vector[1] in ("blocked_by_quota", "blocked_by_budget")}
    assert reached == STATE_VECTORS - of_members_only - parked


@pytest.mark.parametrize("state", STATES)
def test_every_state_reached_is_sound(state: str):
    assert list(record_violations(STATES[state])) == []


@pytest.mark.parametrize("command", TABLE)
def test_every_command_on_every_state(command: str):
    told, broken = {}, {}
    for state, x in STATES.items():
        sent = OF_A_WORKER[command](last_fence(state)) if command in OF_A_WORKER else OF_OTHERS[command](x)
        done = decided(sent, executions=[x])
        told[state] = _told(done, x)
        broken[state] = violations(done.changes, NOW)

    assert told == {state: _expected(command, state) for state in STATES}
    assert not any(broken.values()), broken


def _expected(command: str, state: str) -> str:
    rest = ""
    for outcome, states in TABLE[command].items():
        if states is ...:
            rest = outcome
        elif state in states:
            return outcome
    return rest


def _told(done: Decided, before: Execution) -> str:
    """The batch's one answer, and what it made of the execution."""
    answer = done.answers[0]
    if isinstance(answer, EngineError):
        assert done.changes.is_empty, "a refused command changes nothing"
        return type(answer).__name__
    if isinstance(answer, AlreadySatisfied):
        assert done.changes.is_empty
        return answer.reason
    if answer is False:
        assert not done.changes.executions
        return "False"
    if isinstance(answer, list):
        name = "Claimed" if answer else "nothing"
    else:
        name = type(answer).__name__ if answer not in (None, True) else str(answer)
    if not done.changes.executions:
        return name if name == "nothing" else f"{name}, nothing new"
    after = done.after(before.execution_id)
    same = replace(after, tags=before.tags) == before
    return f"{name} -> {'the same' if same else after.public_state}"
