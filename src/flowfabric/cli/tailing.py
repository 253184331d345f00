"""`ff tail`."""

import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypeVar, cast

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import execution_id_of, flow_id_of
from flowfabric.cli.output import Json, State, clock_time, document, note, say, say_fitting, width_seen
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.timeline import WHY, details_in_words, happened, listed, step_in_words
from flowfabric.domain.errors import InvalidInput

if TYPE_CHECKING:
    from flowfabric.domain.events import Event
    from flowfabric.domain.snapshots import ExecutionSnapshot, StepSnapshot
    from flowfabric.engine.blocking import BlockingEngine

T = TypeVar("T")

PAGE: Final = 500
EVERY_S: Final = 0.25
SUBMITS_AT_ONCE: Final = 100
"""How many executions one read returns, in the search for new ones."""
SUBMITS_MAX: Final = 1000
"""How many new executions one poll shows. Others are shown with their first event."""
KNOWN_MAX: Final = 20_000
"""For how many executions the kind is remembered."""
RUNNING_MAX: Final = 20
"""For how many running executions each poll looks for steps. Steps of others are shown when their attempt ends."""
BELOW: Final = " " * 14
"""The indent of a continued line: it starts below the text after the time."""
WHY_COLUMNS_MIN: Final = 20


def tail(
    *,
    from_: Annotated[
        str, Parameter(name="--from", help="start, now, or the cursor that an earlier tail has ended with.")
    ] = "now",
    channel: Annotated[
        tuple[Literal["lease", "completion", "operator", "signal"], ...],
        Parameter(help="Only events of this channel, without submits and steps; may be given again."),
    ] = (),
    execution: Annotated[str | None, Parameter(help="Only events of this execution.")] = None,
    flow: Annotated[str | None, Parameter(help="Only events of this flow and its members.")] = None,
    count: Annotated[int | None, Parameter(help="End after this many events.")] = None,
    until_idle: Annotated[bool, Parameter(help="End when everything there is has been shown.")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Show what happens, as it happens, until Ctrl-C: submits, events, and steps. In JSON: events alone."""
    if count is not None and count < 1:
        raise WrongCall(f"--count is {count}; it must be at least 1.")
    with opened(at) as engine:
        where: dict[str, Any] = {
            "channels": list(channel) or None,
            "execution_id": None if execution is None else execution_id_of(engine, execution, instead="ff tail --flow"),
            "flow_id": None if flow is None else flow_id_of(engine, flow, instead="ff tail --execution"),
        }
        cursor = _beginning(engine, from_)
        shown_whole = not channel and not json
        since_ms = {"start": 0, "now": engine.server_time_ms()}.get(from_)
        kinds = Kinds(engine)
        story = Story(engine, kinds, where, since_ms) if shown_whole else None
        left = float("inf") if count is None else count
        try:
            while left:
                limit = int(min(left, PAGE))
                page = engine.read_events(cursor=cursor, limit=limit, **where)
                cursor = page.next_cursor
                has_more = len(page.events) == limit
                for moment in map(_of_event, page.events) if story is None else story.moments(page.events, has_more):
                    document(moment.event) if json else _say(moment, kinds)
                sys.stdout.flush()
                left -= len(page.events)
                if not page.events:
                    if until_idle:
                        break
                    time.sleep(EVERY_S)
        except KeyboardInterrupt:
            note(f"To go on from here: --from {cursor or 'start'}")
            raise
    note(f"To go on from here: --from {cursor or 'start'}")


def _beginning(engine: "BlockingEngine", from_: str) -> str | None:
    if from_ == "now":
        return engine.subscribe(from_now=True).cursor
    if from_ == "start":
        return None
    try:
        engine.read_events(cursor=from_, limit=1)
    except InvalidInput as error:
        raise WrongCall(
            f"--from is {from_!r}; write start, now, or the cursor with which an earlier tail of this database ended."
        ) from error
    return from_


class Moment(NamedTuple):
    """One line of output: something that happened to an execution, to a flow, or to neither."""

    at_ms: int
    what: str
    execution_id: str | None
    flow_id: str | None
    details: str
    why: str = ""
    """The details that say why. The other details are cut first."""
    others: str = ""
    event: "Event | None" = None


def _of_event(event: "Event") -> Moment:
    why = {key: value for key, value in event.details.items() if key in WHY}
    others = {key: value for key, value in event.details.items() if key not in WHY}
    return Moment(
        event.occurred_at_ms,
        happened(event),
        event.execution_id,
        event.flow_id,
        details_in_words(event),
        listed(why),
        listed(others),
        event,
    )


def _say(moment: Moment, kinds: "Kinds") -> None:
    width = width_seen()
    at = clock_time(moment.at_ms)
    about = moment.execution_id or moment.flow_id or ""
    kind = kinds.of(moment)
    # On a terminal the day is left out, and the uuid alone is shown: every verb accepts it.
    start = f"{at}  " if width is None else f"{at[11:]}  "
    if about:
        start += f"{about:<44}  " if width is None else f"{about.rpartition(':')[2]}  "
    if kind:
        start += f"{kind} "
    if width is None or not moment.why:
        _say_line(start, moment.what, moment.details)
    else:
        _say_why(start, moment, width)


def _say_why(start: str, moment: Moment, width: int) -> None:
    """Print a line that says why. Other details make room for the reason, and a long reason continues below."""
    room = width - len(f"{start}{moment.what}: ")
    if len(moment.details) <= room:
        _say_line(start, moment.what, moment.details)
    elif len(moment.why) <= room and (moment.execution_id or moment.flow_id):  # others name their lane or schedule
        _say_line(start, moment.what, f"{moment.why}, {moment.others}" if moment.others else moment.why)
    else:
        _say_line(start, moment.what, moment.others)
        for line in wrap(moment.why, max(WHY_COLUMNS_MIN, width - len(BELOW))):
            say(f"{BELOW}{line}")


def _say_line(start: str, what: str, details: str) -> None:
    say_fitting(start, State(what), f": {details}" if details else "")


class Kinds:
    """The kinds of the executions and flows that are shown. Each is read once."""

    def __init__(self, engine: "BlockingEngine") -> None:
        self._engine = engine
        self._known: OrderedDict[str, str] = OrderedDict()

    def of(self, moment: Moment) -> str:
        """The kind; empty if there is neither an execution nor a flow, or if it is removed."""
        key = moment.execution_id or moment.flow_id
        if key is None:
            return ""
        if key not in self._known:
            about = self._engine.describe_execution(key) if moment.execution_id else self._engine.describe_flow(key)
            self.learn(key, "" if about is None else about.kind)
        return self._known[key]

    def learn(self, key: str, kind: str) -> None:
        """Remember a kind that was read for another reason."""
        _keep(self._known, key, kind)


class Story:
    """Events, together with what the log does not hold: submits and stored steps."""

    def __init__(self, engine: "BlockingEngine", kinds: Kinds, where: dict[str, Any], since_ms: int | None) -> None:
        self._engine = engine
        self._kinds = kinds
        self._execution_id: str | None = where["execution_id"]
        self._flow_id: str | None = where["flow_id"]
        self._since_ms = since_ms
        """Submits since this instant are shown; None: since the first event."""
        self._listed_from_ms: int | None = None
        """Submits since this instant are searched for; None: the end of the log is not reached yet."""
        self._read_until_ms = 0
        """When the last shown event happened."""
        self._announced: OrderedDict[str, None] = OrderedDict()
        self._running: OrderedDict[str, None] = OrderedDict()
        self._steps: OrderedDict[str, set[str]] = OrderedDict()
        """The names of the steps that were shown, by execution."""

    def moments(self, events: "Sequence[Event]", has_more: bool) -> Iterator[Moment]:
        """What happened until now, in order: these events, with the submits and steps between them.

        Until the end of the log is reached for the first time, a submit is shown with the first event of its execution:
        the newest executions do not belong beside the oldest events.
        """
        if self._since_ms is None:
            self._since_ms = events[0].occurred_at_ms if events else self._engine.server_time_ms()
        if self._listed_from_ms is None and not has_more:
            self._listed_from_ms = max(self._since_ms, self._read_until_ms)
        self._read_until_ms = events[-1].occurred_at_ms if events else self._read_until_ms
        submits = [] if self._listed_from_ms is None else self._new_submits(self._listed_from_ms)
        for event in events:
            while submits and submits[0].created_at_ms <= event.occurred_at_ms:
                yield from self._announce(submits.pop(0))
            if event.execution_id is not None:
                yield from self._before(event, event.execution_id)
            yield _of_event(event)
        for x in submits:
            yield from self._announce(x)
        if not events:
            for execution_id in list(self._running)[-RUNNING_MAX:]:
                yield from self._new_steps(execution_id, None)

    def _before(self, event: "Event", execution_id: str) -> Iterator[Moment]:
        if event.seq == 1 and execution_id not in self._announced:  # old entries were forgotten
            x = self._engine.describe_execution(execution_id)
            if x is not None:
                yield from self._announce(x)
        if event.event_type == "acquired":
            _keep(self._running, execution_id, None)
        elif execution_id in self._running:
            yield from self._new_steps(execution_id, event.occurred_at_ms)
            if event.channel in ("lease", "completion"):  # these events end the attempt
                del self._running[execution_id]

    def _announce(self, x: "ExecutionSnapshot") -> Iterator[Moment]:
        if x.execution_id in self._announced:
            return
        _keep(self._announced, x.execution_id, None)
        self._kinds.learn(x.execution_id, x.kind)
        if self._since_ms is not None and x.created_at_ms >= self._since_ms:
            lane = "" if x.lane == "default" else f"lane {x.lane}"
            yield Moment(x.created_at_ms, "submitted", x.execution_id, x.flow_id, lane)

    def _new_submits(self, since_ms: int) -> "list[ExecutionSnapshot]":
        """Executions that were created since this instant and not shown yet, oldest first."""
        new: list[ExecutionSnapshot] = []
        for page in self._newest():
            unseen = [x for x in page if x.created_at_ms >= since_ms and x.execution_id not in self._announced]
            new += unseen
            if not unseen or len(new) >= SUBMITS_MAX:
                break
        return new[::-1]

    def _newest(self) -> "Iterator[Sequence[ExecutionSnapshot]]":
        if self._execution_id is not None:
            x = self._engine.describe_execution(self._execution_id)
            yield [] if x is None else [x]
            return
        cursor = None
        while True:
            page = self._engine.list_executions(flow_id=self._flow_id, cursor=cursor, limit=SUBMITS_AT_ONCE)
            yield cast("Sequence[ExecutionSnapshot]", page.items)
            cursor = page.next_cursor
            if cursor is None:
                return

    def _new_steps(self, execution_id: str, until_ms: int | None) -> Iterator[Moment]:
        assert self._since_ms is not None
        shown = self._steps.get(execution_id, set())
        steps: Sequence[StepSnapshot] = self._engine.list_steps(execution_id)
        for step in sorted(steps, key=lambda step: step.recorded_at_ms):
            at_ms = step.recorded_at_ms
            if step.is_wait:  # an event tells of it
                continue
            if step.name not in shown and at_ms >= self._since_ms and (until_ms is None or at_ms <= until_ms):
                shown.add(step.name)
                yield Moment(at_ms, "step", execution_id, None, step_in_words(step))
        _keep(self._steps, execution_id, shown)


def _keep(known: OrderedDict[str, T], key: str, value: T) -> None:
    """Remember an entry, and forget the oldest if there are too many."""
    known[key] = value
    if len(known) > KNOWN_MAX:
        known.popitem(last=False)
