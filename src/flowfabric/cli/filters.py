"""Which executions a verb is about: the filters that lists and bulk verbs share, and how people write ids and tags."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.domain.states import PublicState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import Token

    from flowfabric.domain.flow_snapshots import FlowSnapshot
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.engine.blocking import BlockingEngine

PAGE: Final = 1000


@Parameter(name="*")
@dataclass(frozen=True)
class Filters:
    """Options that choose executions. An option that is left out matches all."""

    state: Annotated[PublicState | None, Parameter(help="In this state, such as waiting, active or failed.")] = None
    lane: Annotated[str | None, Parameter(help="In this lane.")] = None
    kind: Annotated[str | None, Parameter(help="Of this kind: the name of the task.")] = None
    flow: Annotated[str | None, Parameter(help="Members of this flow.")] = None
    tag: Annotated[str | None, Parameter(help="With this tag, such as team.name=billing.")] = None
    older: Annotated[str | None, Parameter(help="Created longer ago than this, such as 2h or 90s.")] = None

    @property
    def are_given(self) -> bool:
        """Whether any filter is given."""
        return any(value is not None for value in asdict(self).values())

    def for_engine(self, engine: "BlockingEngine") -> dict[str, Any]:
        """The same as arguments of `list_executions`."""
        return {
            "public_state": self.state,
            "lane": self.lane,
            "kind": self.kind,
            "flow_id": None if self.flow is None else flow_id_of(engine, self.flow),
            "tag": None if self.tag is None else tag_of(self.tag),
            "created_before_ms": None if self.older is None else ago(engine, "--older", self.older),
        }


ANY: Final = Filters()


def span_ms(option: str, text: str) -> int:
    """The span of time in an option, in milliseconds."""
    from flowfabric.domain.errors import InvalidInput
    from flowfabric.runtime.durations import milliseconds

    try:
        return milliseconds(option, text)
    except InvalidInput as error:
        raise WrongCall(f"{option} is {text!r}; write a span of time, such as 500ms, 90s, 2h or 1d12h.") from error


def span_within_ms(option: str, text: str, days_max: int) -> int:
    """The span of time in an option, which is at least a millisecond and at most so many days."""
    ms = span_ms(option, text)
    if not 1 <= ms <= days_max * 86_400_000:
        raise WrongCall(f"{option} is {text!r}; it must be from 1ms to {days_max}d.")
    return ms


def whole_number(hint: object, tokens: "Sequence[Token]") -> int:
    """The whole number of an option. Without this, 1.5 would be rounded to 2, and nobody would notice."""
    token = tokens[-1]
    try:
        return int(token.value)
    except ValueError as error:
        raise WrongCall(f"{token.keyword or 'The number'} is {token.value!r}; write a whole number.") from error


def ago(engine: "BlockingEngine", option: str, text: str) -> int:
    """The instant that lies this span before now, by the store's clock."""
    return max(0, engine.server_time_ms() - span_ms(option, text))


def flow_of_that_id(engine: "BlockingEngine", text: str) -> "FlowSnapshot | None":
    """The flow with this id; None: it is no flow's id."""
    from flowfabric.domain.errors import InvalidInput

    try:
        return engine.describe_flow(text)
    except InvalidInput:
        return None


def flow_id_of(engine: "BlockingEngine", text: str, *, instead: str = "ff show") -> str:
    """The id of an existing flow. If the id belongs to an execution, the error names the command `instead`."""
    from flowfabric.domain.errors import InvalidInput, NotFound
    from flowfabric.domain.ids import parse_execution_id, parse_uuid

    with _advice_on_copying("ff flow ls"):
        uuid = parse_execution_id(text).rpartition(":")[2] if text.startswith("{fp:") else parse_uuid(text)
    if not text.startswith("{fp:") and engine.describe_flow(uuid) is not None:
        return uuid
    member_of = [x.flow_id for x in engine.find_executions(uuid)]
    if not member_of:
        raise NotFound("flow", f"There is no flow {text}. Check the id and the namespace.")
    belongs = f", which belongs to flow {member_of[0]}" if member_of[0] else ""
    raise InvalidInput(f"{text} is an execution{belongs}, and not a flow itself. Write `{instead} {text}`.")


def execution_id_of(engine: "BlockingEngine", text: str, *, instead: str = "ff flow show") -> str:
    """The whole id of an execution. A bare uuid is looked up on all partitions, in one read.

    If the id belongs to a flow, the error names the command `instead`.
    """
    from flowfabric.domain.errors import InvalidInput, NotFound
    from flowfabric.domain.ids import parse_execution_id, parse_uuid

    with _advice_on_copying("ff ls"):
        if text.startswith("{fp:"):
            return parse_execution_id(text)
        uuid = parse_uuid(text)
    found = [x.execution_id for x in engine.find_executions(uuid)]
    if not found and flow_of_that_id(engine, text) is not None:
        raise InvalidInput(
            f"{text} is a flow and not an execution. Write `{instead} {text}`; "
            f"`ff ls --flow {text}` lists its executions."
        )
    if not found:
        raise NotFound("execution", f"There is no execution {text}. Check the id and the namespace.")
    if len(found) > 1:
        raise InvalidInput(f"{text} is in the ids of several executions: {', '.join(found)}. Write the whole id.")
    return found[0]


def members_of(
    engine: "BlockingEngine", flow_id: str, public_state: PublicState | None = None
) -> "list[ExecutionSnapshot]":
    """All members of a flow, or those in one state, oldest first."""
    members: list[ExecutionSnapshot] = []
    cursor = None
    while True:
        page = engine.list_executions(flow_id=flow_id, public_state=public_state, cursor=cursor, limit=PAGE)
        members += cast("Sequence[ExecutionSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return members[::-1]


@contextmanager
def _advice_on_copying(lists: str) -> Iterator[None]:
    """Add to an error about an id where to copy the right one: most wrong ids were cut."""
    from flowfabric.domain.errors import InvalidInput

    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{error} Copy the whole id from `{lists}`.") from error


def tag_of(text: str) -> tuple[str, str]:
    """A tag as `key=value` says it."""
    key, equals, value = text.partition("=")
    if not equals:
        raise WrongCall(f"{text!r} is not a tag. Write key=value, such as team.name=billing.")
    return key, value


def checked_priority(name: str, number: int) -> int:
    """A priority within the range. The engine would move others into the range, but a person has mistyped them."""
    from flowfabric.domain.inputs import PRIORITY_MAX

    if not 0 <= number <= PRIORITY_MAX:
        raise WrongCall(f"{name} is {number}; it must be 0 to {PRIORITY_MAX}, and the highest goes first.")
    return number
