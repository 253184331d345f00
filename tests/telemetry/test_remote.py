"""Programs and workers behind a server: what they count themselves, and one trace over all of them."""

import asyncio

import pytest
from opentelemetry.sdk.trace import ReadableSpan

from flowfabric import Context, FlowFabric, Retry, open_blocking_engine, open_engine
from flowfabric.domain.traces import traces_in
from flowfabric.telemetry.gauges import StoreGauges
from flowfabric.telemetry.metrics import Metrics
from flowfabric.telemetry.tracing import Tracing
from tests.runtime.working import run, seen, snapshot, working
from tests.server.running import Caller, running
from tests.telemetry.recording import Recorder, id_of, links_of, trace_of
from tests.telemetry.scraping import shown_in


def test_a_worker_behind_a_server_counts_its_steps_and_shows_the_store() -> None:
    metrics = Metrics()

    async def main() -> dict[str, float]:
        async with working(ff):
            assert await (await work.submit()).result() == 0
            gauges = StoreGauges(metrics, await ff.engine())
            return shown_in((await asyncio.wait_for(gauges.rendered(), 60)).body.decode())

    with running() as server:
        ff = FlowFabric(server.url, telemetry=metrics)

        @ff.task
        async def work(ctx: Context) -> int:
            return await ctx.step("one", int)

        found = run(main)

    assert found["step_seconds_count default work"] == 1
    assert found["executions completed"] == found["store_up"] == found["workers default"] == 1
    assert "ended_total default work success" not in found


def parent_of(span: ReadableSpan) -> str:
    assert span.parent is not None
    return f"{span.parent.trace_id:032x}-{span.parent.span_id:016x}"


def test_one_trace_leads_from_the_caller_through_the_server_to_attempts_and_children(recorder: Recorder) -> None:
    there = Recorder()

    async def main() -> None:
        async with working(ff):
            with recorder.tracer.start_as_current_span("request"):
                handle = await whole.submit()
            assert await handle.result() == 1

    with running(tracer=Tracing(provider=there.provider)) as server:
        ff = FlowFabric(server.url, tracer=Tracing(trace="parent", provider=recorder.provider))

        @ff.task
        async def part(ctx: Context, number: int) -> int:
            return number

        @ff.task(retry=Retry(1, initial_delay="1ms"))
        async def whole(ctx: Context) -> int:
            if ctx.attempt_index == 0:
                raise ValueError("not yet")
            return sum(await ctx.map("parts", part, [1]))

        run(main)

    (request,), (submit,) = recorder.named("request"), there.named("submit whole")
    first, second = recorder.named("run whole")
    (children,), (child,) = there.named("submit part"), recorder.named("run part")
    assert parent_of(submit) == id_of(request)
    assert parent_of(first) == parent_of(second) == id_of(submit)
    assert links_of(second) == {"attempt": id_of(first)}
    assert (parent_of(children), parent_of(child)) == (id_of(second), id_of(children))
    assert {trace_of(span) for span in (submit, first, second, children, child)} == {trace_of(request)}


def test_a_signal_through_a_server_is_a_span_of_the_server_with_the_sender_as_its_parent(recorder: Recorder) -> None:
    there = Recorder()

    async def main() -> None:
        async with working(ff):
            handle = await order.submit()
            await seen(lambda: snapshot(ff, handle), lambda found: found.public_state == "suspended")
            with recorder.tracer.start_as_current_span("approval"):
                await handle.signal("go")
            await handle.result()

    with running(tracer=Tracing(provider=there.provider)) as server:
        ff = FlowFabric(server.url, tracer=Tracing(provider=recorder.provider))

        @ff.task(linger=0)
        async def order(ctx: Context) -> None:
            await ctx.wait("go")

        run(main)

    (approval,), (signal,), (before, after) = (
        recorder.named("approval"),
        there.named("signal go"),
        recorder.named("run order"),
    )
    assert parent_of(signal) == id_of(approval)
    assert links_of(after) == {
        "submit": id_of(there.named("submit order")[0]),
        "attempt": id_of(before),
        "signal": id_of(signal),
    }


def test_behind_a_server_that_makes_no_spans_executions_remember_the_span_of_their_caller(recorder: Recorder) -> None:
    tracing = Tracing(provider=recorder.provider)
    with running() as server, open_blocking_engine(server.url, tracer=tracing) as engine:
        with recorder.tracer.start_as_current_span("request"):
            made = engine.create_execution("mail")
        found = engine.describe_execution(made.execution_id)

    (request,) = recorder.named("request")
    assert found is not None
    assert traces_in(found.tags)["submit"].startswith(f"00-{id_of(request)}-")


def test_calls_that_travel_together_keep_their_own_spans(recorder: Recorder) -> None:
    async def main() -> None:
        async with open_engine(server.url, tracer=Tracing(provider=recorder.provider)) as engine:

            async def submit(number: int) -> None:
                with recorder.tracer.start_as_current_span(f"request {number}"):
                    await engine.create_execution(f"mail {number}")

            await asyncio.gather(*map(submit, range(20)))

    there = Recorder()
    with running(tracer=Tracing(provider=there.provider)) as server:
        run(main)

    for number in range(20):
        (request,), (submit,) = recorder.named(f"request {number}"), there.named(f"submit mail {number}")
        assert parent_of(submit) == id_of(request)


@pytest.mark.parametrize("header", ["", "00-1-2-03", f"ff-{'1' * 32}-{'1' * 16}-01", f"00-{'0' * 32}-{'1' * 16}-01"])
def test_a_header_that_names_no_span_is_ignored(header: str, recorder: Recorder) -> None:
    with running(tracer=Tracing(provider=recorder.provider)) as server:
        caller = Caller(server.url, traceparent=header)
        with caller.http:
            caller("create_execution", "mail")

    (submit,) = recorder.named("submit mail")
    assert submit.parent is None


def test_a_caller_without_a_tracer_sends_no_span(recorder: Recorder) -> None:
    there = Recorder()
    with (
        running(tracer=Tracing(provider=there.provider)) as server,
        open_blocking_engine(server.url) as engine,
        recorder.tracer.start_as_current_span("request"),
    ):
        engine.create_execution("mail")

    (submit,) = there.named("submit mail")
    assert submit.parent is None
