"""`explain` of executions that wait."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from flowfabric.domain.approvals import question
from flowfabric.domain.conditions import AtLeast, Condition, Either, Every, On, OperatorOnly, stored
from flowfabric.domain.execution import Execution
from flowfabric.domain.explaining import explain
from flowfabric.domain.explaining_waits import keys_waited_for
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.waiting import FOR_APPROVAL, Inbox, OnTimeout, OpenWait, SignalMark
from tests.domain.waiting_world import WaitingWorld

NOW = 1_700_000_000_000
HOUR = 3_600_000


def a_wait(
    condition: Condition,
    name: str = "wait",
    *,
    timeout_in_ms: int | None = None,
    on_timeout: OnTimeout = "resume",
    is_escalated: bool = False,
) -> OpenWait:
    at_ms = None if timeout_in_ms is None else NOW + timeout_in_ms
    return OpenWait(name, stored(condition), NOW - 2 * HOUR, at_ms, on_timeout, "waiting_for_signal", is_escalated)


def suspended(*waits: OpenWait, held: bool = False) -> Execution:
    world = WaitingWorld()
    world.suspend()
    return replace(world.x, inbox=Inbox(waits=waits, held=held))


def marks(*keys_and_sources: tuple[str, str]) -> list[SignalMark]:
    return [SignalMark(number, key, "", source) for number, (key, source) in enumerate(keys_and_sources, 1)]


@pytest.mark.parametrize(
    ("wait", "kept", "said"),
    [
        (
            a_wait(On("editor")),
            [],
            "It waits in 'wait' for editor and has done so for 2 h: nothing has arrived; it has no timeout.",
        ),
        (
            a_wait(On("editor", name="yes"), timeout_in_ms=5 * HOUR, on_timeout="fail"),
            marks(("author", "")),
            "It waits in 'wait' for editor (yes) and has done so for 2 h: "
            "nothing has arrived; "
            "in 5 h the attempt fails with wait_timeout.",
        ),
        (
            a_wait(Every("paid", Either("card", "invoice")), timeout_in_ms=5 * HOUR, on_timeout="cancel"),
            marks(("card", "")),
            "It waits in 'wait' for paid and (card or invoice) and has done so for 2 h: "
            "card has arrived; still missing: paid; "
            "in 5 h it is cancelled.",
        ),
        (
            a_wait(AtLeast(3, "vote", distinct="sources"), timeout_in_ms=5 * HOUR, on_timeout="expire"),
            marks(("vote", "ann"), ("vote", "bob")),
            "It waits in 'wait' for vote from 3 different senders and has done so for 2 h: "
            "vote from ann, vote from bob have arrived; "
            "still missing: vote from 1 more sender, besides ann, bob; in 5 h it expires.",
        ),
        (
            a_wait(On("editor"), timeout_in_ms=5 * HOUR, on_timeout="escalate"),
            [],
            "It waits in 'wait' for editor and has done so for 2 h: "
            "nothing has arrived; in 5 h an operator is asked, and it waits "
            "on.",
        ),
        (
            a_wait(On("editor"), on_timeout="escalate", is_escalated=True),
            [],
            "It waits in 'wait' for editor and has done so for 2 h: "
            "nothing has arrived; its time was over, and it waits on for an "
            "operator.",
        ),
        (
            a_wait(On("editor"), timeout_in_ms=-1),
            [],
            "It waits in 'wait' for editor and has done so for 2 h: "
            "nothing has arrived; its time is over, and at the next sweep it "
            "goes on without an answer.",
        ),
        (
            a_wait(OperatorOnly(), "nap", timeout_in_ms=5 * HOUR),
            [],
            "It sleeps in 'nap' and has done so for 2 h; it wakes up in 5 h.",
        ),
        (
            a_wait(OperatorOnly()),
            [],
            "It waits in 'wait' for an operator and has done so for 2 h: "
            "only an operator can end this wait; it has no timeout.",
        ),
    ],
)
def test_a_suspended_execution_says_what_it_waits_for(wait: OpenWait, kept: Sequence[SignalMark], said: str) -> None:
    assert explain(suspended(wait), NOW, kept=kept) == said


@pytest.mark.parametrize(
    ("choices", "rejection_ends", "people", "wanted", "made"),
    [
        (
            ("yes", "no"),
            True,
            ["ann", "ben"],
            "3 approvals (yes) or 1 rejection (no)",
            "2 of 3 have arrived, from ann, ben",
        ),
        (
            ("now", "later", "never"),
            True,
            [],
            "3 approvals (now) or 1 rejection (later or never)",
            "nothing has arrived",
        ),
        (("seen",), True, ["ann", "ann"], "3 approvals (seen)", "1 of 3 has arrived, from ann"),
        (("yes", "no"), False, [""], "3 decisions", "1 of 3 has arrived, from unnamed"),
    ],
)
def test_an_approval_says_how_many_people_have_decided(
    choices: tuple[str, ...], rejection_ends: bool, people: list[str], wanted: str, made: str
) -> None:
    asked = question("go-live", "Publish?", choices, 3, rejection_ends=rejection_ends)
    wait = replace(a_wait(asked.condition(), "go-live"), reason=FOR_APPROVAL)
    kept = [SignalMark(number, "go-live", choices[0], who) for number, who in enumerate(people, 1)]

    said = explain(suspended(wait), NOW, kept=kept)

    assert said == f"It waits in 'go-live' for {wanted} and has done so for 2 h: {made}; it has no timeout."


def test_a_closed_waitpoint_is_named_because_nothing_can_come_there() -> None:
    x = suspended(a_wait(Every("door", "bell"), timeout_in_ms=5 * HOUR))

    said = explain(x, NOW, kept=marks(("bell", "ann")), closed={"door": "operator: broken"})

    assert said == (
        "It waits in 'wait' for door and bell and has done so for 2 h: bell from ann has arrived; still missing: door; "
        "in 5 h it goes on without an answer; waitpoint door (operator: broken) is closed and takes no signals, so "
        "resume or cancel the execution if nothing else ends this wait."
    )


def test_several_waits_are_named_oldest_first() -> None:
    said = explain(suspended(a_wait(On("alice"), "first"), a_wait(On("bob"), "second")), NOW)

    assert said == (
        "It waits in 'first' for alice and has done so for 2 h: "
        "nothing has arrived; it has no timeout. "
        "It also waits in 'second' for bob and has done so for 2 h: "
        "nothing has arrived; it has no timeout. "
        "The first of these waits that is over lets it go on."
    )


def test_a_hold_and_a_paused_lane_stand_beside_the_wait() -> None:
    x = suspended(a_wait(On("editor")), held=True)
    paused = LaneState(x.namespace, x.lane, NOW - 60_000, "night", 1)

    said = explain(x, NOW, switches=[paused])

    assert f"It is held by an operator; `ff unhold {x.execution_id}` lets it run after that." in said
    assert said.endswith("has been paused for 60 s: night. Resume the lane to let it run.")


@pytest.mark.parametrize(
    ("on_timeout", "said"),
    [
        ("expire", "It expired: nothing ended the wait 'editor' in time."),
        ("cancel", "It was cancelled by the timeout of a wait: wait_timeout."),
        ("fail", "It failed with wait_timeout: nothing ended the wait 'editor' in time."),
    ],
)
def test_an_end_by_the_timeout_of_a_wait_says_so(on_timeout: OnTimeout, said: str) -> None:
    world = WaitingWorld(policy=ExecutionPolicy())
    world.suspend(timeout_ms=HOUR, on_timeout=on_timeout)
    world.advance(HOUR)
    world.sweep()

    assert explain(world.x, world.now_ms) == said


def test_a_deadline_after_a_wait_that_failed_is_said_to_be_the_deadline() -> None:
    world = WaitingWorld(deadline_at_ms=NOW + HOUR + 1)
    world.suspend(timeout_ms=HOUR, on_timeout="fail")
    world.advance(HOUR)
    world.sweep()
    world.advance(HOUR)
    world.sweep()

    assert world.x.failure_code == "wait_timeout"
    assert explain(world.x, world.now_ms) == "It expired: its deadline passed before it ended."


def test_signals_and_conditions_name_the_choice_of_a_decision() -> None:
    question = Either(AtLeast(2, "go", name="yes", distinct="sources"), On("go", name="no"))

    said = explain(suspended(a_wait(question)), NOW, kept=[SignalMark(1, "go", "yes", "ann")])

    assert "for go (yes) from 2 different senders or go (no) and has done so" in said
    assert (
        "go (yes) from ann has arrived; still missing: (go (yes) from 1 more sender, besides ann) or go (no);" in said
    )


def test_many_signals_are_counted() -> None:
    wait = a_wait(AtLeast(9, "chat", distinct="signals"))

    said = explain(suspended(wait), NOW, kept=marks(*[("chat", "")] * 8))

    assert "chat, chat, chat, chat, chat, 3 more signals have arrived; still missing: 1 more signal to chat" in said


def test_a_running_execution_says_what_it_waits_for_as_well() -> None:
    world = WaitingWorld()
    world.open_wait()
    running = explain(world.x, NOW)

    assert running.startswith("It is running as attempt 1") or "expired" in running
    assert " It waits in " in running


def test_the_keys_of_all_waits_are_named_once() -> None:
    assert keys_waited_for(suspended(a_wait(Every("a", "b")), a_wait(On("b"), "two"))) == ("a", "b")
    assert keys_waited_for(WaitingWorld().x) == ()
