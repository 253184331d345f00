"""Histories of flows by themselves: the model explains what is promised, and broken rules and engines are found."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from flowfabric import Completed, FlowCancelled, Lease
from tests.histories.breaking import Broken, HandsOutTwice, assert_found, let_lie
from tests.histories.checker import check
from tests.histories.flow_model import FlowModel
from tests.histories.history import Call
from tests.mutants.rules import FLOW_MUTANTS
from tests.simulation.planting import Mutant, planted

ENDING = "flowfabric.domain.decide.ending"

# ── histories written by hand ────────────────────────────────────────────────────────────────────

SUBMITTED = ("submit", {"is_named": False}, {"is": "FlowSubmitted"})


def found(shape: str, *told: tuple[str, dict[str, Any], dict[str, Any]]) -> str | None:
    """The verb and the place of the call that nothing explains, where calls follow one after the other."""
    calls = [
        Call("c", at, f"0 {shape}", verb, given, at, at, answer, at + 0.5, at + 1)
        for at, (verb, given, answer) in enumerate(told)
    ]
    unexplained = check(calls, FlowModel())
    return None if unexplained is None else f"{unexplained.call.verb} at {unexplained.call.begun:g}"


def took(
    *members: str, epoch: int = 1, claim_type: str = "first", ends_ms: int = 1_000
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    leases = [[member, epoch, f"{member} {epoch}", claim_type, ends_ms] for member in members]
    return "claim", {"limit": 2, "ttl_ms": 9}, {"is": "Leases", "leases": leases}


def ended(verb: str, member: str, epoch: int = 1) -> tuple[str, dict[str, Any], dict[str, Any]]:
    given = {"member": member, "lease": {"lease_epoch": epoch, "lease_id": f"{member} {epoch}"}, "retryable": False}
    return verb, given, {"is": "Completed" if verb == "complete" else "TerminalFailed"}


def looked(
    member: str, phase: str, epoch: int, reason: str | None = None
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    seen = {"is": "ExecutionSnapshot", "public_state": phase, "lease_epoch": epoch, "cancellation_reason": reason}
    return "look", {"member": member}, {**seen, "retry_count": 0, "replay_count": 0}


def test_a_member_is_claimed_when_all_that_it_waits_for_have_completed_and_not_before() -> None:
    begin = (SUBMITTED, took("a"), ended("complete", "a"), took("b", "c"), ended("complete", "b"))

    assert found("diamond", *begin, ended("complete", "c"), took("d")) is None
    assert found("diamond", *begin, took("d")) == "claim at 5"


def test_a_join_that_is_satisfied_cancels_the_rest_and_fires_no_second_time() -> None:
    begin = (SUBMITTED, took("a", "b"), took("c"), ended("complete", "a"), ended("complete", "b"))

    needless = looked("c", "cancelled", 2, "sibling_quorum_satisfied")
    assert found("quorum", *begin, needless, took("d")) is None
    assert found("quorum", *begin, ended("complete", "c")) == "complete at 5"
    assert found("quorum-let-run", *begin, took("d"), ended("complete", "c"), took("d", epoch=2)) == "claim at 7"


def test_a_failure_skips_all_that_can_no_longer_run_and_a_replay_of_the_flow_brings_them_back() -> None:
    begin = (SUBMITTED, took("a"), ended("fail", "a"), looked("c", "skipped", 0))
    back = ("replay_flow", {"what": "failed", "dry_run": False}, {"is": "FlowReplayed", "members": ["a", "b", "c"]})
    less = (back[0], back[1], {"is": "FlowReplayed", "members": ["a"]})

    assert found("chain", *begin, back, took("a", epoch=3, claim_type="replay")) is None
    assert found("chain", *begin, back, took("b", epoch=2, claim_type="replay")) == "claim at 5"
    assert found("chain", *begin, less) == "replay_flow at 4"


def test_a_cancel_of_a_flow_is_final() -> None:
    cancelled = {"is": "FlowCancelled", "cancellation_policy": "cancel_pending", "members": ["b", "c"]}
    begin = (SUBMITTED, took("a"), ("cancel_flow", {"policy": "cancel_pending", "reason": "stop"}, cancelled))
    released = ("release", ended("release", "a")[1], {"is": "Released"})

    assert found("chain", *begin, ended("complete", "a"), looked("b", "cancelled", 0, "stop")) is None
    assert found("chain", *begin, ended("complete", "a"), took("b")) == "claim at 4"
    assert found("chain", *begin, released, looked("a", "cancelled", 1, "stop")) is None
    assert found("chain", *begin, released, took("a", epoch=2, claim_type="reclaim")) == "claim at 4"


# ── rules that are broken ────────────────────────────────────────────────────────────────────────

MORE_MUTANTS = [
    Mutant(
        "a member does not wait for its upstreams",
        "flowfabric.domain.decide.joining:block",
        'if child.lifecycle_phase == "runnable" and',
        "if False and",
    ),
    Mutant(
        "a decided join is decided again",
        f"{ENDING}:Cascade._pass_on",
        'if group.state == "pending" and not',
        "if not",
    ),
    Mutant(
        "an edge counts a second end",
        f"{ENDING}:Cascade._pass_on",
        "if not edge.awaits_life(x.replay_count):",
        "if False:",
    ),
    Mutant(
        "a member of a cancelled flow goes back to the queue",
        "flowfabric.domain.decide.finishing:must_not_return",
        "flow_of(ws, x).is_cancelled_for_members",
        "False",
    ),
    Mutant(
        "a member that was skipped does not come back with its flow",
        "flowfabric.domain.decide.replaying:_not_completed",
        ', "skipped")',
        ")",
    ),
    Mutant(
        "a downstream that has not started keeps the old end of a replayed member",
        "flowfabric.domain.decide.replaying:_take_back",
        'if edge.state == "pending" or',
        "if True or",
    ),
    Mutant(
        "a flow that was cancelled stays cancelled when it is replayed",
        "flowfabric.domain.decide.replaying:replay_flow",
        "if flow.is_over else flow",
        'if flow.is_over and flow.state != "cancelled" else flow',
    ),
]
BY_NAME = {each.name: each for each in [*(each.mutant for each in FLOW_MUTANTS), *MORE_MUTANTS]}


@pytest.mark.parametrize(
    "name",
    [
        "a member does not wait for its upstreams",
        "one of all upstreams is enough",
        "a quorum needs one more",
        "siblings that nobody needs run on",
        "a join that is impossible skips nobody",
        "a flow ends before its last member",
        "a member of a cancelled flow goes back to the queue",
        "a member that was skipped does not come back with its flow",
        "an edge counts a second end",
        "a downstream that has not started keeps the old end of a replayed member",
        "a flow that was cancelled stays cancelled when it is replayed",
    ],
)
def test_a_broken_rule_of_flows_is_found(name: str, tmp_path: Path) -> None:
    with planted(BY_NAME[name]):
        assert_found(tmp_path, "flows")


AGAIN = Mutant(
    "a member is let run again while it runs",
    f"{ENDING}:unblock",
    """if child.eligibility_state == "blocked_by_dependencies":
        child = runnable_at(child, child.attempt_state,""",
    """if not child.has_ended:
        state = "attempt_interrupted" if child.lifecycle_phase == "active" else child.attempt_state
        child = runnable_at(child, state,""",
)


def test_a_join_that_fires_twice_is_found(tmp_path: Path) -> None:
    with planted(BY_NAME["a decided join is decided again"]), planted(AGAIN):
        assert_found(tmp_path, "flows")


# ── engines that lie ─────────────────────────────────────────────────────────────────────────────


class HandsOutMembersTwice(HandsOutTwice):
    """It gives the members that it gave last to the next one, too."""


class LosesCompletions(Broken):
    """Every third completion is acknowledged and not made."""

    completions = 0

    def complete(self, lease: Lease) -> Completed:
        LosesCompletions.completions += 1
        if LosesCompletions.completions % 3 == 0:
            return Completed(lease.execution_id)
        completed: Completed = self._inner.complete(lease)
        return completed


class GoesOnAfterACancel(Broken):
    """A cancel of a flow is acknowledged, and its members go on."""

    def cancel_flow(self, flow_id: str, *, policy: str, reason: str) -> FlowCancelled:
        members: Sequence[Any] = self._inner.list_executions(flow_id=flow_id).items
        return FlowCancelled(policy, [each.execution_id for each in members if each.terminal_at_ms is None])


class ShowsThePast(Broken):
    """Once a flow has been described, it is described so for ever."""

    def describe_flow(self, flow_id: str) -> Any:
        kept: dict[str, Any] = self.__dict__.setdefault("kept", {})
        if kept.get(flow_id) is None:
            kept[flow_id] = self._inner.describe_flow(flow_id)
        return kept[flow_id]


@pytest.mark.parametrize("broken", [HandsOutMembersTwice, LosesCompletions, GoesOnAfterACancel, ShowsThePast])
def test_a_store_that_lies_about_a_flow_is_found(
    broken: Callable[..., Broken], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_lie(broken, monkeypatch)
    assert_found(tmp_path, "flows")
