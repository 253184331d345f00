"""What a batch must see, and what happens to a decision that looks at anything else."""

import pytest

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    CloseWaitpoint,
    Complete,
    CreateExecutions,
    CreateWaitpoint,
    Delay,
    Envelope,
    Fail,
    ForgetAnswer,
    ForgetBatches,
    ForgetIdempotencyKey,
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
from flowfabric.domain.decide import decide, needs
from flowfabric.domain.execution import Due, ready_of
from flowfabric.domain.working_set import MoreNeeded, NotLoaded, WorkingSet
from tests.domain.records import NOW, STORE, a_claim, an_execution, an_id, creation, fence_of

X = an_execution(1)

ABOUT_ONE_EXECUTION: list[AnyCommand] = [
    Renew(fence_of(X), None),
    Complete(fence_of(X), None),
    Fail(fence_of(X), "boom", "", True, None),
    Release(fence_of(X)),
    Delay(fence_of(X), NOW),
    ReportProgress(fence_of(X), 1, None),
    CancelExecution(X.execution_id, "", "operator_override", None),
    RevokeLease(X.execution_id, "", "", ""),
    ChangePriority(X.execution_id, 1),
    ReplayExecution(X.execution_id),
    Hold(X.execution_id, ""),
    Unhold(X.execution_id),
    SetTag(X.execution_id, "a.b", ""),
    CreateWaitpoint(fence_of(X), "editor", "k1", None, None, None, "default"),
    OpenWait(fence_of(X), "editor", stored(On("editor")), None, None, "resume", "", "k1"),
    Suspend(fence_of(X), "editor", stored(On("editor")), None, None, "resume", "", "k1"),
    SendSignal(X.execution_id, "editor", b"", "", "", "", "key", "k1"),
    ResumeExecution(X.execution_id, b"", "", "k1"),
    CloseWaitpoint(X.execution_id, "editor", ""),
    IssueToken(X.execution_id, "editor", "ann", "k1"),
    HandleDue(Due("lease", NOW, X.execution_id)),
    RepairSideRows(X.execution_id),
]


LEAVE_THE_FLOW_ALONE = (
    Renew,
    ReportProgress,
    ChangePriority,
    Hold,
    SetTag,
    CreateWaitpoint,
    CloseWaitpoint,
    IssueToken,
    RepairSideRows,
)


def _name(command: object) -> str:
    return type(command).__name__


def _envelopes(*commands: AnyCommand) -> list[Envelope]:
    return [Envelope(command) for command in commands]


@pytest.mark.parametrize("command", ABOUT_ONE_EXECUTION, ids=_name)
def test_a_command_about_an_execution_needs_that_execution(command: AnyCommand):
    assert needs(_envelopes(command)).executions == {X.execution_id}


@pytest.mark.parametrize("command", ABOUT_ONE_EXECUTION, ids=_name)
def test_a_command_that_may_end_or_requeue_an_execution_needs_its_flow(command: AnyCommand):
    assert needs(_envelopes(command)).flows_of == (
        set() if isinstance(command, LEAVE_THE_FLOW_ALONE) else {X.execution_id}
    )


@pytest.mark.parametrize("command", [*ABOUT_ONE_EXECUTION, creation(1)], ids=_name)
def test_a_decision_on_an_execution_that_nobody_asked_for_asks_for_it(command: AnyCommand):
    ws = WorkingSet(Loaded(), Needs(), now_ms=NOW, store=STORE)

    with pytest.raises(MoreNeeded):
        decide(ws, command, None)

    assert ws.missing == Needs(executions={X.execution_id})


@pytest.mark.parametrize(
    ("command", "lacking"),
    [
        (creation(1, key="order-7"), Needs(idempotency_keys={("default", "order-7")})),
        (ForgetIdempotencyKey("default", "order-7"), Needs(idempotency_keys={("default", "order-7")})),
        (ForgetAnswer("", "id"), Needs(answers={("", "id")})),
    ],
)
def test_a_decision_on_a_key_that_nobody_asked_for_asks_for_it(command: AnyCommand, lacking: Needs):
    ws = WorkingSet(Loaded(), Needs(executions={an_id(1)}), now_ms=NOW, store=STORE)

    with pytest.raises(MoreNeeded):
        decide(ws, command, None)

    assert ws.missing == lacking


def test_a_claim_on_a_queue_that_nobody_asked_for_is_a_bug():
    ws = WorkingSet(Loaded(), Needs(), now_ms=NOW, store=STORE)

    with pytest.raises(NotLoaded):
        decide(ws, a_claim(), None)


def test_a_claim_whose_candidates_are_all_gone_asks_for_as_many_again():
    gone = ready_of(X)
    assert gone is not None
    need = ClaimNeed("default", ("default",), frozenset())
    loaded = Loaded(executions={X.execution_id: X}, candidates={need: [gone]})
    wanted = Needs(executions={X.execution_id}, claims={need: 1})
    ws = WorkingSet(loaded, wanted, now_ms=NOW, store=STORE)
    decide(ws, Hold(X.execution_id, ""), None)

    with pytest.raises(MoreNeeded):
        decide(ws, a_claim(), None)

    assert ws.missing == Needs(claims={need: 2})


def test_a_create_under_an_id_whose_payload_nobody_asked_for_asks_for_it():
    ws = WorkingSet(Loaded(executions={X.execution_id: X}), Needs(executions={X.execution_id}), now_ms=NOW, store=STORE)

    with pytest.raises(MoreNeeded):
        decide(ws, creation(1), None)

    assert ws.missing == Needs(payloads={X.execution_id})


def test_a_create_needs_its_key_and_the_execution_of_a_given_id_but_nothing_for_an_id_just_minted():
    wanted = needs(_envelopes(creation(1, key="order-7"), creation(2, given=False)))

    assert wanted == Needs(executions={an_id(1)}, payloads={an_id(1)}, idempotency_keys={("default", "order-7")})


def test_what_may_become_ready_in_a_batch_that_claims_is_loaded_with_its_payload():
    handed_back = [Release(fence_of(an_execution(2))), Unhold(an_id(3)), HandleDue(Due("delay", NOW, an_id(4)))]

    with_a_claim = needs(_envelopes(*handed_back, Complete(fence_of(X), None), a_claim()))
    without = needs(_envelopes(*handed_back, Complete(fence_of(X), None)))

    assert with_a_claim.payloads == {an_id(2), an_id(3), an_id(4)}
    assert without.payloads == set()


def test_several_creates_need_what_each_of_them_needs():
    one_by_one = needs(_envelopes(creation(1, key="a"), creation(2)))

    assert needs(_envelopes(CreateExecutions((creation(1, key="a"), creation(2))))) == one_by_one


def test_a_command_id_needs_its_answer_in_its_scope():
    batch = [Envelope(creation(1), None, "c-1"), Envelope(creation(2), "tenant-a", "c-1"), Envelope(a_claim())]

    assert needs(batch).answers == {("", "c-1"), ("tenant-a", "c-1")}


def test_claims_need_enough_for_all_of_them_and_for_what_leaves_the_queue_before_them():
    wanted = needs(
        _envelopes(
            a_claim(3),
            Hold(an_id(1), ""),
            CancelExecution(an_id(2), "", "operator_override", None),
            ChangePriority(an_id(3), 1),
            HandleDue(Due("deadline", NOW, an_id(4))),
            SetTag(an_id(5), "a.b", ""),
            a_claim(2, lanes=("print",)),
        )
    )

    assert wanted.claims == {
        ClaimNeed("default", ("default",), frozenset()): 9,
        ClaimNeed("default", ("print",), frozenset()): 9,
    }


def test_housekeeping_needs_what_it_forgets():
    wanted = needs(_envelopes(ForgetIdempotencyKey("ns", "key"), ForgetAnswer("scope", "id"), ForgetBatches()))

    assert wanted == Needs(idempotency_keys={("ns", "key")}, answers={("scope", "id")})


def test_what_is_needed_beyond_what_is_known_is_the_rest_of_every_kind():
    known, new = an_id(1), an_id(2)
    claims = {ClaimNeed("default", ("mail",), frozenset()): 3}
    asked = Needs(executions={known, new}, payloads={new}, answers={("scope", "id")}, outgoing={known}, claims=claims)

    rest = asked.beyond(Needs(executions={known}, answers={("scope", "id")}))

    assert rest == Needs(executions={new}, payloads={new}, outgoing={known}, claims=claims)
    assert rest.beyond(rest).is_empty
    assert asked.executions == {known, new}
