"""Tasks that wait, under the kit: time jumps over sleeps, tests send the signals, and every wait is over once."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flowfabric import (
    Approval,
    AttemptSuspended,
    BlockingEngine,
    Context,
    DuplicateSignal,
    Engine,
    ExecutionNotCompleted,
    FlowFabric,
    InvalidInput,
    Signalled,
    WaitpointClosed,
)
from flowfabric.runtime.handles import Handle
from flowfabric.testing import Kit, Stuck
from tests.testing import waiting_shop as shop
from tests.testing.waiting_shop import Verdict


@pytest.fixture
def kit() -> Iterator[Kit]:
    shop.world.clear()
    with Kit(shop.ff, start=datetime(2024, 6, 1, tzinfo=UTC)) as opened:
        yield opened


def outcome_of(handle: Handle[Any]) -> str | None:
    with pytest.raises(ExecutionNotCompleted) as failed:
        handle.result_sync()
    return failed.value.failure_code


# ── a wait ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [shop.publish, shop.publish_plainly])
def test_a_wait_suspends_and_goes_on_with_the_value_of_the_signal_in_its_type(kit: Kit, task: Any) -> None:
    handle = task.submit_sync(7)

    waiting = kit.run_until_waiting(handle)
    answer = kit.signal(handle, "editor", Verdict(accepted=True, note="fine"))
    kit.run_until_idle()

    assert (waiting.public_state, [wait.name for wait in waiting.waits]) == ("suspended", ["editor"])
    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    assert handle.result_sync() == Verdict(accepted=True, note="fine")
    assert shop.world == ["draft 7", "mail 7"]
    assert kit.attempts(handle) == ["success"]
    assert kit.ran == [task.name, task.name]


def test_without_a_type_a_wait_gives_the_plain_value(kit: Kit) -> None:
    values = [{"accepted": True, "tags": [1, None]}, "yes", None]
    handles = [shop.guess.submit_sync() for _ in values]

    for handle, value in zip(handles, values, strict=True):
        kit.signal(handle, "editor", value)
    kit.run_until_idle()

    assert [handle.result_sync() for handle in handles] == values


def test_a_value_that_does_not_fit_the_type_fails_for_good_and_says_what_can_be_done(kit: Kit) -> None:
    sent, resumed = shop.publish.submit_sync(7), shop.publish.submit_sync(8)
    plain = shop.guess.submit_sync()
    kit.run_until_idle()

    kit.signal(sent, "editor", 5, source="ann")
    kit.engine.resume_execution(resumed.execution_id)
    kit.engine.signal(plain.execution_id, "editor", b"fine")
    kit.run_until_idle()

    messages = [_failure_of(kit, handle) for handle in (sent, resumed, plain)]
    says = [
        "Wait 'editor': the signal to 'editor' from 'ann' carries '5', which is not Verdict: Expected `object`, got",
        "Wait 'editor': the signal to 'editor' from 'operator' carries 'null', which is not Verdict: Expected `object`",
        "Wait 'editor': the signal to 'editor' carries 'fine', which is not JSON: ",
    ]
    assert [message.startswith(start) for message, start in zip(messages, says, strict=True)] == [True] * 3, messages
    assert messages[0].endswith(
        " The signal is stored, so every attempt fails like this. "
        f"`ff replay {sent.execution_id} --from-scratch` does all steps again, and waits for a new signal."
    )


def _failure_of(kit: Kit, handle: Any) -> str:
    x = kit.engine.describe_execution(handle.execution_id)
    assert x is not None
    assert x.failure is not None
    return x.failure.message


def test_a_signal_that_comes_before_the_wait_is_kept_for_it(kit: Kit) -> None:
    handle = shop.publish.submit_sync(7)

    answer = kit.signal(handle, "editor", Verdict(accepted=False))
    kit.run_until_idle()

    assert isinstance(answer, Signalled)
    assert answer.effect == "buffered"
    assert handle.result_sync() == Verdict(accepted=False)
    assert "suspended" not in kit.events(handle)


def test_what_failed_after_a_wait_does_not_wait_again(kit: Kit) -> None:
    handle = shop.publish.submit_sync(7)
    kit.run_until_waiting(handle)
    kit.signal(handle, "editor", Verdict(accepted=True))
    kit.at_step("mail", "before").crash()

    kit.run_to_the_end()

    assert handle.result_sync() == Verdict(accepted=True)
    assert kit.attempts(handle) == ["interrupted", "success"]
    assert shop.world == ["draft 7", "mail 7"]


def test_a_repeated_signal_with_the_same_key_is_one_signal(kit: Kit) -> None:
    handle = shop.guess.submit_sync()
    kit.run_until_waiting(handle)

    first = handle.signal_sync("editor", "yes", idempotency_key="click-1")
    again = handle.signal_sync("editor", "yes", idempotency_key="click-1")

    assert isinstance(first, Signalled)
    assert again == DuplicateSignal(first.signal_id)


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [shop.trial, shop.trial_plainly])
def test_time_jumps_over_sleeps(kit: Kit, task: Any) -> None:
    handle = task.submit_sync()

    kit.run_until_waiting(handle)
    slept_from = kit.now
    kit.run_for("13d")
    before = handle.state_sync()
    kit.run_to_the_end()

    assert slept_from == datetime(2024, 6, 1, tzinfo=UTC)
    assert before == "suspended"
    assert handle.result_sync() == "over"
    assert kit.now == datetime(2025, 1, 1, tzinfo=UTC)
    assert kit.ran == [task.name] * 3


def test_an_operator_ends_a_sleep(kit: Kit) -> None:
    handle = shop.trial.submit_sync()
    kit.run_until_waiting(handle)

    kit.engine.resume_execution(handle.execution_id)
    waiting = kit.run_until_waiting(handle)

    assert [wait.name for wait in waiting.waits] == ["next year"]


def test_a_timeout_is_a_wait_timeout_which_the_code_may_catch(kit: Kit) -> None:
    handle = shop.patient.submit_sync()

    kit.run_to_the_end()

    assert handle.result_sync() == "WaitTimeout is a TimeoutError: True"
    assert kit.now == datetime(2024, 6, 4, tzinfo=UTC)


def test_a_timeout_that_nobody_catches_fails_at_once_because_every_retry_would_meet_it_again(kit: Kit) -> None:
    handle = shop.impatient.submit_sync()

    kit.run_to_the_end()

    assert outcome_of(handle) == "WaitTimeout"
    assert kit.attempts(handle) == ["failed"]


def test_a_wait_without_an_end_is_reported_by_its_key(kit: Kit) -> None:
    shop.publish.submit_sync(7)

    with pytest.raises(Stuck, match="editor"):
        kit.run_to_the_end()


def test_running_until_waiting_stops_at_the_wait_and_lets_no_more_time_pass(kit: Kit) -> None:
    sleeper, other = shop.trial.submit_sync(), shop.publish.submit_sync(7)

    waiting = kit.run_until_waiting(other)

    assert waiting.execution_id == other.execution_id
    assert kit.now == datetime(2024, 6, 1, tzinfo=UTC)
    assert sleeper.state_sync() == "suspended"


def test_running_until_waiting_passes_time_as_far_as_that_takes(kit: Kit) -> None:
    handle = shop.publish.options(delay="2d").submit_sync(7)

    kit.run_until_waiting(handle)

    assert kit.now == datetime(2024, 6, 3, tzinfo=UTC)


def test_what_ends_without_waiting_is_reported(kit: Kit) -> None:
    handle = shop.guess.submit_sync()
    kit.signal(handle, "editor")

    with pytest.raises(Stuck, match="guess does not wait"):
        kit.run_until_waiting(handle)


def test_no_time_passes_for_what_can_never_wait(kit: Kit) -> None:
    handle = shop.guess.submit_sync()
    kit.engine.pause_lane("default")

    with pytest.raises(Stuck, match="guess does not wait"):
        kit.run_until_waiting(handle)
    assert kit.now == datetime(2024, 6, 1, tzinfo=UTC)


def test_a_test_on_an_event_loop_waits_too() -> None:
    async def main() -> Any:
        with Kit(shop.ff) as kit:
            handle = await shop.guess.submit()
            await kit.run_until_waiting_async(handle)
            await handle.signal("editor", [1])
            await kit.run_until_idle_async()
            return await handle.result()

    assert asyncio.run(main()) == [1]


# ── several waits ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [shop.three, shop.three_in_a_group])
def test_all_waits_of_a_gather_are_open_before_the_execution_is_suspended(
    kit: Kit, task: Any, caplog: pytest.LogCaptureFixture
) -> None:
    handle = task.submit_sync()

    waiting = kit.run_until_waiting(handle)
    answers = [kit.signal(handle, key, f"from {key}") for key in ("c", "a")]
    left = kit.run_until_waiting(handle)
    kit.signal(handle, "b", "from b")
    kit.run_until_idle()

    assert [wait.name for wait in waiting.waits] == ["a", "b", "c"]
    assert [answer.effect for answer in answers if isinstance(answer, Signalled)] == ["resumed", "resumed"]
    assert [wait.name for wait in left.waits] == ["b"]
    assert handle.result_sync() == ["from a", "from b", "from c"]
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_the_first_of_several_waits_lets_the_execution_go_on(kit: Kit) -> None:
    handle = shop.first_of_two.submit_sync()

    kit.run_until_waiting(handle)
    kit.signal(handle, "cancelled", "no money")
    kit.run_until_idle()

    assert handle.result_sync() == ["no money"]


def test_a_condition_with_several_signals_gives_a_list_in_the_order_of_arrival(kit: Kit) -> None:
    handle = shop.votes.submit_sync()
    kit.run_until_waiting(handle)

    effects = [kit.signal(handle, key, f"{key} votes") for key in ("cleo", "cleo", "ann")]
    kit.run_until_idle()

    assert [each.effect for each in effects if isinstance(each, Signalled)] == ["counted", "buffered", "resumed"]
    assert handle.result_sync() == ["cleo votes", "ann votes"]


def test_signals_as_a_type_tell_which_key_it_was_and_who_sent_it(kit: Kit) -> None:
    handle = shop.paid_or_cancelled.submit_sync()
    kit.run_until_waiting(handle)

    kit.signal(handle, "cancelled", source="ann")
    kit.signal(handle, "refunded", source="bob")
    kit.run_until_idle()

    assert handle.result_sync() == ["cancelled by ann", "refunded by bob"]


def test_a_condition_without_a_key_needs_a_name(kit: Kit) -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def nameless(ctx: Context) -> None:
        await ctx.wait(shop.AtLeast(1, "a", "b"))

    with Kit(ff) as other:
        handle = nameless.submit_sync()
        other.run_until_idle()

        with pytest.raises(ExecutionNotCompleted, match="needs a name"):
            handle.result_sync()


# ── an inbox ─────────────────────────────────────────────────────────────────────────────────────


def test_the_k_th_turn_of_an_inbox_takes_the_k_th_signal_in_every_attempt(kit: Kit) -> None:
    handle = shop.chat.submit_sync()
    kit.run_until_waiting(handle)

    for message in ("hello", "how are you", "pause", "fine"):
        kit.signal(handle, "chat", message)
        waiting = kit.run_until_waiting(handle)
    kit.signal(handle, "chat", "bye")
    kit.run_until_idle()

    assert [wait.name for wait in waiting.waits] == ["chat[5]"]
    assert handle.result_sync() == ["HELLO", "HOW ARE YOU", "fine"]


def test_a_long_inbox_is_not_loaded_as_a_whole(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = shop.chat.submit_sync()
    for number in range(50):
        kit.signal(handle, "chat", f"message {number}")
    kit.run_until_waiting(handle)

    def refuse(execution_id: str) -> None:
        raise AssertionError("all steps were loaded")

    monkeypatch.setattr(kit._store, "steps", refuse)
    for message in ("pause", "bye"):
        kit.signal(handle, "chat", message)
    kit.run_until_idle()

    assert len(handle.result_sync()) == 50
    assert set(kit.steps_run(handle).values()) == {1}


def test_an_inbox_ends_with_an_error_after_a_thousand_turns(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowfabric.runtime.wait_verbs.TURNS_MAX", 3)
    handle = shop.chat.submit_sync()
    for number in range(4):
        kit.signal(handle, "chat", f"message {number}")

    kit.run_until_idle()

    with pytest.raises(ExecutionNotCompleted, match="has had 3 turns"):
        handle.result_sync()


# ── approvals ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [shop.go_live, shop.go_live_plainly])
def test_so_many_different_people_approve(kit: Kit, task: Any) -> None:
    handle = task.submit_sync()
    kit.run_until_waiting(handle)

    kit.signal(handle, "go-live", {"choice": "yes", "note": "good"}, name="yes", source="ann")
    kit.signal(handle, "go-live", {"choice": "yes"}, name="yes", source="ann")
    kit.run_until_idle()
    before = handle.state_sync()
    kit.signal(handle, "go-live", name="yes", source="bob")
    kit.run_until_idle()

    assert before == "suspended"
    assert handle.result_sync() == [Approval("yes", "ann", "good"), Approval("yes", "bob")]


def test_one_rejection_ends_an_approval(kit: Kit) -> None:
    handle = shop.go_live.submit_sync()
    kit.run_until_waiting(handle)

    kit.signal(handle, "go-live", {"choice": "yes"}, name="yes", source="ann")
    kit.signal(handle, "go-live", {"choice": "no", "note": "not yet"}, name="no", source="bob")
    kit.run_until_idle()

    assert handle.result_sync() == [Approval("no", "bob", "not yet")]


def test_a_rejection_counts_as_one_of_the_decisions_if_that_is_asked_for(kit: Kit) -> None:
    handle = shop.go_live.submit_sync(rejection_ends=False)
    kit.run_until_waiting(handle)

    kit.signal(handle, "go-live", {"choice": "no"}, name="no", source="bob")
    kit.run_until_idle()
    before = handle.state_sync()
    kit.signal(handle, "go-live", {"choice": "yes"}, name="yes", source="ann")
    kit.run_until_idle()

    assert before == "suspended"
    assert handle.result_sync() == [Approval("no", "bob"), Approval("yes", "ann")]


def test_people_are_shown_the_question_and_that_nobody_checks_who_they_are(kit: Kit) -> None:
    handle = shop.go_live.submit_sync()
    kit.run_until_waiting(handle)

    (waitpoint,) = kit.engine.list_waitpoints(handle.execution_id)

    assert dict(waitpoint.about) == {
        "title": "Publish?",
        "choices": ["yes", "no"],
        "approvers": 2,
        "sources": "unverified",
    }


def test_an_operator_who_resumes_an_approval_has_not_approved_it(kit: Kit) -> None:
    handle = shop.go_live.submit_sync()
    kit.run_until_waiting(handle)

    kit.engine.resume_execution(handle.execution_id)
    kit.run_until_idle()

    assert handle.result_sync() == [Approval("resumed", "operator")]


def test_an_approval_has_a_timeout(kit: Kit) -> None:
    handle = shop.go_live.submit_sync()

    kit.run_to_the_end()

    assert outcome_of(handle) == "WaitTimeout"
    assert kit.now == datetime(2024, 6, 8, tzinfo=UTC)


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("task", [shop.mail_a_link, shop.mail_a_link_plainly])
def test_a_token_is_the_same_in_every_attempt_and_signals_its_waitpoint(kit: Kit, task: Any) -> None:
    handle = task.submit_sync()
    kit.run_until_waiting(handle)
    token = shop.world[0].rpartition("=")[2]
    kit.at_attempt(when="unstored", times=2).fail(ConnectionError("away"))

    answer = shop.ff.signal_by_token_sync(token, "yes", source="a stranger")
    kit.run_until_idle()
    again = handle.replay_sync(steps="keep")
    kit.run_until_idle()
    handle.replay_sync(steps="keep")
    kit.run_until_idle()

    assert isinstance(answer, Signalled)
    assert answer.effect == "resumed"
    assert again.steps_kept == 2
    assert handle.result_sync() == token
    assert len(shop.world) == 1


def test_a_step_with_a_token_stays_the_same_step_when_the_secret_is_rotated(kit: Kit) -> None:
    handle = shop.mail_a_link.submit_sync()
    kit.run_until_waiting(handle)
    token = shop.world[0].rpartition("=")[2]

    BlockingEngine(Engine(kit._opened.blocking._services)).rotate_waitpoint_secret(grace_ms=1_000)
    kit.advance("1h")
    kit.signal(handle, "editor", "yes")
    kit.run_until_idle()

    assert handle.result_sync() != token
    assert len(shop.world) == 1


def test_a_replay_that_clears_the_steps_waits_anew_and_closes_the_old_token(kit: Kit) -> None:
    handle = shop.mail_a_link.submit_sync()
    kit.run_until_waiting(handle)
    kit.signal(handle, "editor", "yes")
    kit.run_until_idle()
    token = handle.result_sync()

    handle.replay_sync()
    kit.run_until_waiting(handle)

    with pytest.raises(WaitpointClosed):
        shop.ff.signal_by_token_sync(token, "yes")
    assert len(shop.world) == 2


# ── declared signals ─────────────────────────────────────────────────────────────────────────────


def test_a_declared_signal_is_checked_at_the_sender(kit: Kit) -> None:
    handle = shop.declared.submit_sync()

    with pytest.raises(InvalidInput, match="takes no signal 'aprove'; those that it declares are: 'approve', 'note'"):
        handle.signal_sync("aprove", Verdict(accepted=True))
    with pytest.raises(InvalidInput, match="signal 'approve'"):
        handle.signal_sync("approve", {"accepted": "perhaps"})
    with pytest.raises(InvalidInput, match="signal 'note'"):
        shop.declared.handle(handle.execution_id).signal_sync("note", 7)
    sent = kit.engine.list_signals(handle.execution_id)
    kit.signal(handle, "approve", Verdict(accepted=True))
    kit.run_until_idle()

    assert sent == []
    assert handle.result_sync() == Verdict(accepted=True)


def test_a_declared_signal_is_checked_also_if_a_stranger_sends_it(kit: Kit) -> None:
    handle = shop.declared.submit_sync()
    ticket = kit.engine.issue_token(handle.execution_id, "approve")

    with pytest.raises(InvalidInput, match="signal 'approve'"):
        shop.ff.signal_by_token_sync(ticket.token, {"accepted": "perhaps"})
    sent = kit.engine.list_signals(handle.execution_id)
    shop.ff.signal_by_token_sync(ticket.token, Verdict(accepted=True))
    kit.run_until_idle()

    assert sent == []
    assert handle.result_sync() == Verdict(accepted=True)


# ── unwinding ────────────────────────────────────────────────────────────────────────────────────


def test_code_that_swallows_the_suspension_does_not_complete_the_execution(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")
    seen: list[str] = []

    async def work() -> str:
        seen.append("worked")
        return "done"

    @ff.task
    async def greedy(ctx: Context) -> str:
        with suppress(BaseException):
            return await ctx.wait("editor", str)
        with suppress(BaseException):
            await ctx.step("work", work)
        with suppress(BaseException):
            await ctx.wait("other", str)
        return "finished"

    @ff.task
    def greedy_plainly(ctx: Context) -> str:
        with suppress(BaseException):
            return ctx.wait_sync("editor", str)
        with suppress(BaseException):
            ctx.step_sync("work", seen.append, "worked")
        return "finished"

    with Kit(ff) as kit:
        handles = [greedy.submit_sync(), greedy_plainly.submit_sync()]
        kit.run_until_idle()
        states = [handle.state_sync() for handle in handles]
        warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        for handle in handles:
            kit.signal(handle, "editor", "fine")
        kit.run_until_idle()
        results = [handle.result_sync() for handle in handles]

    assert states == ["suspended", "suspended"]
    assert seen == []
    # The kit looks at the end of a plain function, where its context raises AttemptSuspended once more.
    assert ["caught AttemptSuspended and returned a result" in line for line in warnings] == [True]
    assert results == ["fine", "fine"]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_finally_blocks_run_and_except_exception_does_not_catch_it(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")
    seen: list[str] = []

    @ff.task
    async def tidy(ctx: Context) -> str:
        try:
            return await ctx.wait("editor", str)
        except Exception as error:
            seen.append(f"caught {error!r}")
            raise
        except AttemptSuspended:
            seen.append("suspended")
            raise
        finally:
            seen.append(f"closed, {ctx.cancelled.reason}")

    caplog.set_level(logging.INFO, "flowfabric.worker")
    with Kit(ff) as kit:
        handle = tidy.submit_sync()
        kit.run_until_waiting(handle)
        unwound = list(seen)
        kit.signal(handle, "editor", "fine")
        kit.run_until_idle()

    assert unwound == ["suspended", "closed, suspended"]
    assert seen[2:] == ["closed, None"]
    lines = [record for record in caplog.records if "execution_id" in vars(record)]
    assert {record.levelno for record in lines} == {logging.INFO}
    said = [record.getMessage().partition(" attempt 1 ")[2].split(" after ")[0] for record in lines]
    assert said == ["is suspended", "goes on, because one of its waits is over", "completed"]
    assert "it waits in 'editor' for editor" in lines[0].getMessage()


def test_an_error_while_the_code_unwinds_does_not_fail_the_execution(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def clumsy(ctx: Context) -> str:
        is_over = False
        try:
            answer = await ctx.wait("editor", str)
            is_over = True
            return answer
        finally:
            if not is_over:
                raise ConnectionError("the pool is closed")

    with Kit(ff) as kit:
        handle = clumsy.submit_sync()
        kit.run_until_waiting(handle)
        warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        kit.signal(handle, "editor", "fine")
        kit.run_until_idle()

        assert handle.result_sync() == "fine"
        assert ["ConnectionError: the pool is closed" in line for line in warned] == [True]


def test_a_task_that_nobody_awaits_unwinds_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def two(ctx: Context) -> str:
        other = asyncio.create_task(ctx.wait("b", str))
        first = await ctx.wait("a", str)
        return first + await other

    with Kit(ff) as kit:
        handle = two.submit_sync()
        waiting = kit.run_until_waiting(handle)
        for key in ("a", "b"):
            kit.signal(handle, key, key)
        kit.run_until_idle()

        assert {wait.name for wait in waiting.waits} == {"a", "b"}
        assert handle.result_sync() == "ab"
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_step_that_runs_beside_a_wait_finishes_before_the_execution_is_suspended() -> None:
    ff = FlowFabric("memory://")
    seen: list[str] = []

    async def slow() -> str:
        for _ in range(50):
            await asyncio.sleep(0)
        seen.append("slow")
        return "slow"

    def slow_in_a_thread() -> str:
        seen.append("thread")
        return "thread"

    @ff.task
    async def both(ctx: Context) -> list[str]:
        return list(
            await asyncio.gather(ctx.wait("editor", str), ctx.step("slow", slow), ctx.step("thread", slow_in_a_thread))
        )

    with Kit(ff) as kit:
        handle = both.submit_sync()
        kit.run_until_waiting(handle)
        stored = {step.name for step in kit.engine.list_steps(handle.execution_id)}
        kit.signal(handle, "editor", "fine")
        kit.run_until_idle()

        assert stored == {"slow", "thread"}
        assert handle.result_sync() == ["fine", "slow", "thread"]
    assert sorted(seen) == ["slow", "thread"]


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def failing(task_of: Any) -> tuple[str, str]:
    """How the execution of a task of its own fails, after at most one signal to every key."""
    ff = FlowFabric("memory://")
    task = task_of(ff)
    with Kit(ff) as kit:
        handle = task.submit_sync()
        for key in ("a", "b"):
            kit.signal(handle, key, key)
        kit.run_until_idle()
        with pytest.raises(ExecutionNotCompleted) as failed:
            handle.result_sync()
        assert kit.attempts(handle) == ["failed"]
        return str(failed.value.failure_code), str(failed.value.failure_message)


def test_a_step_cannot_wait() -> None:
    def async_(ff: FlowFabric) -> Any:
        @ff.task
        async def nested(ctx: Context) -> None:
            async def inner() -> None:
                await ctx.wait("a")

            await ctx.step("outer", inner)

        return nested

    def plain(ff: FlowFabric) -> Any:
        @ff.task
        def nested(ctx: Context) -> None:
            ctx.step_sync("outer", lambda: ctx.sleep_sync("a", "1h"))

        return nested

    for task_of in (async_, plain):
        code, message = failing(task_of)
        assert code == "InvalidInput"
        assert "'a' is called inside step 'outer'" in message


def test_the_same_name_with_another_condition_or_for_a_step_is_a_conflict() -> None:
    def other_condition(ff: FlowFabric) -> Any:
        @ff.task
        async def twice(ctx: Context) -> None:
            await ctx.wait("a", name="x")
            await ctx.wait("b", name="x")

        return twice

    def step(ff: FlowFabric) -> Any:
        @ff.task
        async def twice(ctx: Context) -> None:
            await ctx.wait("a", name="x")
            await ctx.step("x", str.upper, "b")

        return twice

    assert [failing(task_of)[0] for task_of in (other_condition, step)] == ["Conflict", "Conflict"]


def test_a_step_with_the_name_of_an_earlier_wait_is_a_conflict_and_does_not_run() -> None:
    ff = FlowFabric("memory://")
    ran: list[str] = []

    @ff.task
    async def mixed_up(ctx: Context) -> None:
        await ctx.wait("a", name="x")
        await ctx.step("x", ran.append, "ran")

    with Kit(ff) as kit:
        handle = mixed_up.submit_sync()
        kit.run_until_waiting(handle)
        kit.signal(handle, "a")
        kit.run_until_idle()

        with pytest.raises(ExecutionNotCompleted, match="'x' is the name of a wait that is over, and of a step"):
            handle.result_sync()
    assert ran == []


def test_two_waits_of_one_name_at_the_same_time_are_refused() -> None:
    def task_of(ff: FlowFabric) -> Any:
        @ff.task
        async def twice(ctx: Context) -> None:
            await asyncio.gather(ctx.wait("c"), ctx.wait("c"))

        return twice

    code, message = failing(task_of)

    assert code == "InvalidInput"
    assert "Wait 'c' is under way already" in message


@pytest.mark.parametrize(
    "call",
    [
        lambda ctx: ctx.wait(""),
        lambda ctx: ctx.wait("a", timeout="soon"),
        lambda ctx: ctx.wait("a", timeout=datetime(2025, 1, 1)),  # noqa: DTZ001
        lambda ctx: ctx.wait("a", on_timeout="explode"),
        lambda ctx: ctx.wait("a", object()),
        lambda ctx: ctx.sleep("a", timedelta(seconds=-1)),
        lambda ctx: ctx.sleep_until("a", "tomorrow"),
        lambda ctx: ctx.waitpoint("a", about="a text"),
        lambda ctx: ctx.approve("a", title="?", choices=()),
        lambda ctx: ctx.approve("a", title="?", choices=("yes", "yes")),
        lambda ctx: ctx.approve("a", title="?", choices="yes"),
        lambda ctx: ctx.approve("a", title="?", approvers=0),
        lambda ctx: ctx.inbox("", str).__anext__(),
    ],
)
def test_wrong_calls_are_refused_where_they_are_written(call: Any) -> None:
    ctx = Context.for_test()

    with pytest.raises(InvalidInput):
        asyncio.run(call(ctx))


@pytest.mark.parametrize(
    "call",
    [
        lambda ctx: ctx.wait("a", on_timeout="fail"),
        lambda ctx: ctx.approve("a", title="?", on_timeout="cancel"),
    ],
)
def test_on_timeout_without_a_timeout_is_refused_where_it_is_written(call: Any) -> None:
    ctx = Context.for_test()

    with pytest.raises(InvalidInput, match="the wait has no timeout, so this would never happen"):
        asyncio.run(call(ctx))


def test_a_context_without_a_worker_sleeps_at_once_and_says_that_nobody_can_signal_it() -> None:
    ctx = Context.for_test()

    async def main() -> None:
        await ctx.sleep("cool-down", "2h")
        with pytest.raises(InvalidInput, match="Kit"):
            await ctx.wait("editor")
        with pytest.raises(InvalidInput, match="Kit"):
            await ctx.waitpoint("editor")

    asyncio.run(main())
    ctx.sleep_sync("again", "2h")
    with pytest.raises(InvalidInput, match="Kit"):
        ctx.wait_sync("editor")


def test_a_plain_wait_on_an_event_loop_is_refused() -> None:
    ctx = Context.for_test()

    async def main() -> None:
        with pytest.raises(InvalidInput, match=r"await ctx.wait"):
            ctx.wait_sync("editor")

    asyncio.run(main())
