"""The tasks that speak. They write down what they say, and which steps they run."""

import msgspec

from flowfabric import Context
from flowfabric.runtime.tries import spoken_in
from tests.simulation import ledger
from tests.simulation.work import Result, ff
from tests.talks import Line, narrate_in_thread, write
from tests.talks import narrate as narrate_on_loop


def _says(ctx: Context, text: str) -> None:
    ledger.current().says(ctx.execution_id, ctx.fencing_token, spoken_in(), text)
    write(ctx, text)


def _ran(ctx: Context, step: str) -> None:
    ledger.current().step_runs(ctx.execution_id, ctx.fencing_token, step)


@ff.task
async def narrate(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """Says its script on the event loop; some of its steps run in threads."""
    await narrate_on_loop(ctx, script, fails, _says, _ran)
    return Result(n, ctx.fencing_token)


@ff.task(linger=0)
async def narrate_elsewhere(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """The same, and suspended at once."""
    await narrate_on_loop(ctx, script, fails, _says, _ran)
    return Result(n, ctx.fencing_token)


@ff.task
def narrate_in_a_thread(ctx: Context, n: int, script: list[Line], fails: int = 0) -> Result:
    """The same in a thread, one step after the other."""
    narrate_in_thread(ctx, script, fails, _says, _ran)
    return Result(n, ctx.fencing_token)


NARRATORS = ("narrate", "narrate_elsewhere", "narrate_in_a_thread")


class _Arguments(msgspec.Struct):
    script: list[Line]


class _Call(msgspec.Struct):
    arguments: _Arguments


def script_in(payload: bytes) -> list[Line]:
    """The script of an execution."""
    return msgspec.json.decode(payload, type=_Call).arguments.script
