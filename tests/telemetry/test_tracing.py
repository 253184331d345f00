"""Spans: one for each submit, attempt, step and signal, linked through the store."""

import pytest
from opentelemetry.trace import SpanKind, StatusCode

from flowfabric import Context, FlowFabric, InvalidInput, NewSchedule, Retry, open_blocking_engine
from flowfabric.domain.traces import TRACE_TAG, traces_in
from flowfabric.telemetry.tracing import Tracing
from tests.runtime.working import run, seen, snapshot, working
from tests.telemetry import isolated_tracing
from tests.telemetry.recording import Recorder, id_of, links_of, trace_of


def test_each_attempt_is_a_trace_of_its_own_linked_to_its_submit_and_to_the_attempt_before(
    store_url: str, recorder: Recorder
) -> None:
    ff = FlowFabric(store_url, migrate=True, tracer=Tracing(provider=recorder.provider))

    @ff.task(retry=Retry(1, initial_delay="1ms"))
    async def mail(ctx: Context) -> int:
        if ctx.attempt_index == 0:
            raise ValueError("no such address")
        return await ctx.step("send", int)

    async def main() -> None:
        async with working(ff):
            with recorder.tracer.start_as_current_span("request"):
                handle = await mail.submit()
            await handle.result()

    run(main)

    (request,), (submit,) = recorder.named("request"), recorder.named("submit mail")
    first, second = recorder.named("run mail")
    (step,) = recorder.named("step send")
    assert trace_of(submit) == trace_of(request)
    assert len({trace_of(request), trace_of(first), trace_of(second)}) == 3
    assert (submit.kind, first.kind) == (SpanKind.PRODUCER, SpanKind.CONSUMER)
    assert first.parent is None
    assert links_of(first) == {"submit": id_of(submit)}
    assert links_of(second) == {"submit": id_of(submit), "attempt": id_of(first)}
    assert (first.status.status_code, second.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    assert [dict(event.attributes or {}) for event in first.events] == [
        {"exception.type": "ValueError", "exception.message": "no such address"}
    ]
    assert [(span.attributes or {})["flowfabric.outcome"] for span in (first, second)] == ["retry", "success"]
    assert step.parent is not None
    assert step.parent.span_id == (second.context.span_id if second.context else 0)


def test_one_trace_over_submit_retries_and_children_if_attempts_are_parts_of_their_submit(recorder: Recorder) -> None:
    ff = FlowFabric("memory://", tracer=Tracing(trace="parent", provider=recorder.provider))

    @ff.task
    async def part(ctx: Context, number: int) -> int:
        return number

    @ff.task(retry=Retry(1, initial_delay="1ms"))
    async def whole(ctx: Context) -> int:
        if ctx.attempt_index == 0:
            raise ValueError("not yet")
        return sum(await ctx.map("parts", part, [1, 2]))

    async def main() -> None:
        async with working(ff):
            assert await (await whole.submit()).result() == 3

    run(main)

    (root,) = recorder.named("submit whole")
    attempts, (made,), parts = recorder.named("run whole"), recorder.named("submit part"), recorder.named("run part")
    assert (len(attempts), len(parts)) == (2, 2)
    assert {trace_of(span) for span in (root, *attempts, made, *parts)} == {trace_of(root)}
    assert links_of(attempts[1]) == {"attempt": id_of(attempts[0])}
    assert {span.parent.span_id for span in parts if span.parent} == {made.context.span_id if made.context else 0}


def test_a_span_ends_with_a_suspension_and_the_next_is_linked_to_the_signal(recorder: Recorder) -> None:
    ff = FlowFabric("memory://", tracer=Tracing(provider=recorder.provider))

    @ff.task(linger=0)
    async def order(ctx: Context) -> None:
        await ctx.wait("go")

    async def main() -> None:
        async with working(ff):
            handle = await order.submit()
            await seen(lambda: snapshot(ff, handle), lambda found: found.public_state == "suspended")
            await handle.signal("go")
            await handle.result()

    run(main)

    (signal,), (before, after) = recorder.named("signal go"), recorder.named("run order")
    (submit,) = recorder.named("submit order")
    assert (before.attributes or {})["flowfabric.outcome"] == "suspended"
    assert before.status.status_code == StatusCode.UNSET
    assert links_of(after) == {"submit": id_of(submit), "attempt": id_of(before), "signal": id_of(signal)}


def test_a_member_of_a_flow_is_linked_to_the_upstream_that_has_released_it(recorder: Recorder) -> None:
    ff = FlowFabric("memory://", tracer=Tracing(provider=recorder.provider))

    @ff.task
    async def pick(ctx: Context) -> int:
        return 1

    @ff.task
    async def pack(ctx: Context, picked: int) -> int:
        return picked

    async def main() -> None:
        async with working(ff):
            async with ff.flow("ship") as flow:
                picked = flow.add(pick)
                packed = flow.add(pack, picked=picked.output)
            await packed.result()

    run(main)

    (submit,), (upstream,), (member,) = (recorder.named(name) for name in ("submit flow ship", "run pick", "run pack"))
    assert links_of(upstream) == {"submit": id_of(submit)}
    assert links_of(member) == {"submit": id_of(submit), "upstream": id_of(upstream)}


def test_code_and_steps_in_a_child_process_belong_to_the_span_of_their_attempt(recorder: Recorder) -> None:
    ff = isolated_tracing.ff
    ff.tracer = Tracing(provider=recorder.provider)

    async def main() -> list[str]:
        async with working(ff):
            return [
                await (await task.submit()).result() for task in (isolated_tracing.plain, isolated_tracing.on_a_loop)
            ]

    try:
        inside = run(main)
    finally:
        ff.tracer = None

    attempts = [*recorder.named("run plain"), *recorder.named("run on_a_loop")]
    assert inside == [id_of(span) for span in attempts]
    steps = recorder.named("step look")
    assert [span.parent.span_id for span in steps if span.parent] == [int(each[-16:], 16) for each in inside]


def test_without_a_tracer_nothing_is_stored_even_inside_a_span(recorder: Recorder) -> None:
    with open_blocking_engine("memory://") as engine, recorder.tracer.start_as_current_span("request"):
        key = engine.create_execution("mail").execution_id
        found = engine.describe_execution(key)

    assert found is not None
    assert found.tags == {}


def test_a_repeated_command_in_another_span_is_the_same_command(recorder: Recorder) -> None:
    with open_blocking_engine("memory://", tracer=Tracing(provider=recorder.provider)) as engine:
        first = engine.create_execution("mail", command_id="once")
        again = engine.create_execution("mail", command_id="once")

    assert first == again
    assert len({trace_of(span) for span in recorder.named("submit mail")}) == 2


def test_a_schedule_hands_on_the_span_in_which_it_is_run(recorder: Recorder) -> None:
    with open_blocking_engine("memory://", tracer=Tracing(provider=recorder.provider)) as engine:
        engine.fire_schedule(NewSchedule(name="nightly", kind="report", every_ms=60_000))
        ran = engine.run_schedule("nightly")
        found = engine.describe_execution(ran.execution_id)

    (submit,) = recorder.named("submit schedule nightly")
    assert found is not None
    assert traces_in(found.tags)["submit"].startswith(f"00-{id_of(submit)}-")


@pytest.mark.parametrize(
    "text",
    [
        *("", "submit=", "submit=00-1-2-03", "elsewhere=" + "x" * 55, "submit"),
        *(f"submit=00-{'0' * 32}-{'1' * 16}-01", f"submit=00-{'1' * 32}-{'0' * 16}-01"),
    ],
)
def test_a_tag_that_names_no_span_is_not_followed(text: str) -> None:
    assert traces_in({TRACE_TAG: text}) == {}


def test_a_word_that_is_no_way_to_trace_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'linked' or 'parent'"):
        Tracing(trace="both")  # type: ignore[arg-type]
