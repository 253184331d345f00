"""A task for child processes, which import it from here. The test gives the fabric its tracer."""

from opentelemetry import trace

from flowfabric import Context, FlowFabric

ff = FlowFabric("memory://")


def span_here() -> str:
    named = trace.get_current_span().get_span_context()
    return f"{named.trace_id:032x}-{named.span_id:016x}"


@ff.task(isolation="process")
def plain(ctx: Context) -> str:
    return ctx.step_sync("look", span_here)


@ff.task(isolation="process")
async def on_a_loop(ctx: Context) -> str:
    return await ctx.step("look", span_here)
