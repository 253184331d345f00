"""`ff submit`."""

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import checked_priority, span_ms, tag_of
from flowfabric.cli.output import Json, document, note, say
from flowfabric.cli.target import HERE, Target, opened_at

if TYPE_CHECKING:
    from flowfabric.domain.creation import NewExecution
    from flowfabric.fabric import FlowFabric


@Parameter(name="*")
@dataclass(frozen=True)
class Options:
    """The options of the new execution. If the program is known, missing options are those of the task."""

    lane: Annotated[str | None, Parameter(help="The lane in which the execution waits.")] = None
    priority: Annotated[int | None, Parameter(help="0 to 9000; the highest goes first.")] = None
    delay: Annotated[str | None, Parameter(help="How long the execution waits before it may run, such as 10m.")] = None
    idempotency_key: Annotated[
        str | None, Parameter(help="A second submit with this key within a day creates nothing.")
    ] = None
    tag: Annotated[tuple[str, ...], Parameter(help="A tag, such as team.name=billing; may be given again.")] = ()

    @property
    def tags(self) -> dict[str, str]:
        """The tags by their keys."""
        return dict(map(tag_of, self.tag))


AS_THE_TASK_SAYS: Final = Options()


def submit(
    kind: Annotated[str, Parameter(help="The name of the task.")],
    arguments: Annotated[
        str,
        Parameter(
            help="Its arguments as a JSON object; - reads them from standard input.",
            allow_leading_hyphen=True,  # for a single hyphen; other texts with a hyphen are refused below
        ),
    ] = "{}",
    /,
    *,
    options: Options = AS_THE_TASK_SAYS,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Submit one execution and print its id. If its program is known, the arguments are checked against the task."""
    from flowfabric.domain.outcomes import Duplicate

    if arguments.startswith("-") and arguments != "-":
        raise WrongCall(f"Unknown option: {arguments}. `ff submit --help` shows those there are.")
    if options.delay is not None:
        span_ms("--delay", options.delay)
    if options.priority is not None:
        checked_priority("--priority", options.priority)
    given = _object_in(_standard_input() if arguments == "-" else arguments)
    place = at.place()
    make = partial(_untyped, kind) if place.fabric is None else partial(_typed, place.fabric, kind)
    with opened_at(place, at) as engine:
        (answer,) = engine.create_executions([make(given, options, engine.server_time_ms())])
    if json:
        document({"execution_id": answer.execution_id, "is_duplicate": isinstance(answer, Duplicate)})
        return
    say(answer.execution_id)
    if isinstance(answer, Duplicate):
        note("It was submitted before, with the same idempotency key.")


def _standard_input() -> bytes:
    # A parent process may have closed the standard input; then there is nothing to read.
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def _object_in(text: str | bytes) -> dict[str, object]:
    import msgspec

    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"The arguments are not JSON: {error}. Write them like '{{\"order_id\": 7}}'.") from error
    if not isinstance(value, dict):
        raise WrongCall(
            "The arguments must be a JSON object, with each argument under its name, like '{\"order_id\": 7}'."
        )
    return value


def _untyped(kind: str, given: dict[str, object], options: Options, now_ms: int) -> "NewExecution":
    """The new execution of a kind that is unknown here. The worker will check the arguments."""
    from flowfabric.domain.creation import NewExecution
    from flowfabric.domain.policies import ExecutionPolicy
    from flowfabric.runtime.durations import instant_ms
    from flowfabric.runtime.payloads import untyped_call
    from flowfabric.runtime.task_options import RETENTION, retention_ms

    return NewExecution(
        kind=kind,
        payload=untyped_call(given),
        lane="default" if options.lane is None else options.lane,
        priority=options.priority or 0,
        delay_until_ms=None if options.delay is None else instant_ms("delay", options.delay, now_ms),
        idempotency_key=options.idempotency_key,
        policy=ExecutionPolicy(retention_ms=retention_ms(RETENTION)),
        tags=options.tags,
    )


def _typed(fabric: "FlowFabric", kind: str, given: dict[str, object], options: Options, now_ms: int) -> "NewExecution":
    """The new execution as the program itself would create it, with checked arguments."""
    from flowfabric.runtime.payloads import untyped_call

    task = fabric.tasks.get(kind)
    if task is None:
        known = ", ".join(sorted(fabric.tasks)) or "none"
        raise WrongCall(f"The program has no task {kind!r}. It has: {known}.")
    task.signature.bind((), given)
    arguments = task.signature.arguments(untyped_call(given), {})
    task = task.options(
        lane=options.lane,
        priority=options.priority,
        delay=options.delay,
        idempotency_key=options.idempotency_key,
        tags=options.tags,
    )
    return task.bound(arguments).creation(now_ms)
