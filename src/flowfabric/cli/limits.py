"""The verbs about limits: `limits`, and below it `show`, `set`, `pause` and `remove`."""

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final, cast

from cyclopts import App, Parameter

from flowfabric.cli.filters import span_within_ms, whole_number
from flowfabric.cli.output import Column, Json, clock_time, document, facts, note, say, table, when
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import counted, counted_up_to_max, span, span_ahead

if TYPE_CHECKING:
    from flowfabric.domain.gate_snapshots import LimitSnapshot
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.engine.blocking import BlockingEngine

Name = Annotated[str, Parameter(help="The limit's name.")]
Key = Annotated[str, Parameter(help="A key of the limit. Without it: the key of those that have none.")]
OneKey = Annotated[str | None, Parameter(help="Only for this key, which then has numbers of its own.")]
DAYS_MAX: Final = 366
"""The longest time of a rate, and the longest pause."""

limits: Final = App(name="limits", help="List limits, set, pause and remove them.")


@limits.default
@watchable
def ls(
    *,
    limit: Annotated[int, Parameter(help="How many at most, up to 1000.")] = 100,
    cursor: Annotated[str | None, Parameter(help="Go on where an earlier list ended.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List limits, each with its keys that are in use, paused or waited for."""
    with opened(at) as engine:
        page = engine.list_limits(cursor=cursor, limit=limit)
        found = cast("Sequence[LimitSnapshot]", page.items)
        now_ms = engine.server_time_ms()
    if json:
        document({"limits": found, "next_cursor": page.next_cursor})
        return
    if not found:
        say("There are no limits. `ff limits set NAME --concurrency 10` makes one.")
        return
    table(
        [
            Column("LIMIT", is_whole=True),
            Column("KEY"),
            Column("IN USE", is_number=True),
            Column("RATE"),
            Column("PARKED", is_number=True),
            Column("PAUSED"),
            Column("NAMESPACE"),
        ],
        [_row(each, now_ms) for each in found],
    )
    if page.next_cursor is not None:
        note(f"There are more: --cursor {page.next_cursor}")


@limits.command
@watchable
def show(name: Name, key: Key = "", /, *, at: Target = HERE, json: Json = False) -> None:
    """Show a limit, or one key of it: its numbers, which executions run under it, and how many wait."""
    with opened(at) as engine:
        found = _known(engine, name, key)
        runs = [engine.describe_execution(execution_id) for execution_id in found.running]
        now_ms = engine.server_time_ms()
    if json:
        document({"limit": found})
        return
    facts(
        {
            "limit": found.name,
            "key": found.key or None,
            "namespace": found.namespace,
            "in use": _in_use(found),
            "rate": _rate(found),
            "burst": found.burst,
            "parked": found.parked,
            "paused until": None if found.paused_until_ms is None else _instant(found.paused_until_ms, now_ms),
            "next start": None if found.opens_at_ms is None else when(found.opens_at_ms, now_ms),
        }
    )
    if runs:
        say("")
        columns = [Column("RUNNING", is_whole=True), Column("KIND"), Column("LANE"), Column("STARTED")]
        table(columns, [_run_row(x, now_ms) for x in runs if x is not None])
        if found.in_use > len(runs):
            say(f"These are the oldest {len(runs)} of {found.in_use}.")


@limits.command(name="set")
def set_(
    name: Name,
    /,
    *,
    key: OneKey = None,
    concurrency: Annotated[
        int | None, Parameter(help="How many may run at once. Left out: any number.", converter=whole_number)
    ] = None,
    rate: Annotated[
        int | None, Parameter(help="How many attempts may start in the time of --per.", converter=whole_number)
    ] = None,
    per: Annotated[str, Parameter(help="The time of the rate, such as 1s, 1m or 1h.")] = "1m",
    burst: Annotated[
        int | None,
        Parameter(
            help="How many may start at once after a pause. Left out: as many as the rate.", converter=whole_number
        ),
    ] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Set all numbers of a limit, or of one key. They hold at once, and what is left out is unlimited."""
    per_ms = span_within_ms("--per", per, DAYS_MAX)
    with opened(at) as engine:
        answer = engine.set_limit(name, key=key, concurrency=concurrency, rate=rate, per_ms=per_ms, burst=burst)
        found = engine.describe_limit(name, key or "")
    if json:
        document({"answer": answer, "limit": found})
        return
    allowed = [f"{concurrency} at once"] if concurrency is not None else []
    if rate is not None:
        allowed.append(f"{counted(rate, 'start')} in {span(per_ms)}")
    if rate is not None and burst is not None:
        allowed.append(f"at most {burst} of them together")
    for_whom = " for those that have no key" if key == "" else ""
    say(f"{_title(name, key)} allows {', '.join(allowed)}{for_whom}.")


@limits.command
def pause(
    name: Name,
    key: Annotated[str, Parameter(help='A key of the limit; "" for those that have none.')],
    time: Annotated[str, Parameter(help="For how long, such as 20s.")],
    /,
    *,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Let nothing start under a key of a limit for some time. What runs goes on."""
    for_ms = span_within_ms("TIME", time, DAYS_MAX)
    with opened(at) as engine:
        engine.pause_limit(name, key, for_ms=for_ms)
        found = _known(engine, name, key)
    if json:
        document({"limit": found})
    elif found.paused_until_ms is not None:
        say(f"{_title(name, key)} is paused until {clock_time(found.paused_until_ms)} UTC.")
    else:
        say(f"{_title(name, key)} was paused, and the pause is over.")


@limits.command
def remove(
    name: Name,
    /,
    *,
    key: Annotated[str | None, Parameter(help="Remove the own numbers of this key only.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Make a limit unlimited at once. What waits for it goes on. With --key: that key has the common numbers again."""
    with opened(at) as engine:
        engine.remove_limit(name, key=key)
    if json:
        document({"name": name, "key": key, "removed": True})
    elif key is None:
        say(f"Limit {name} is removed; what waited for it goes on.")
    else:
        say(f"{_title(name, key)} has the numbers of limit {name} again.")


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def _known(engine: "BlockingEngine", name: str, key: str) -> "LimitSnapshot":
    from flowfabric.domain.errors import NotFound

    found = engine.describe_limit(name, key)
    if found is None:
        raise NotFound("limit", f"There is no limit {quote(name)} here. `ff limits` lists those that there are.")
    return found


def _run_row(x: "ExecutionSnapshot", now_ms: int) -> Sequence[str]:
    return (x.execution_id, x.kind, x.lane, when(x.started_at_ms, now_ms))


def _title(name: str, key: str | None) -> str:
    return f"Limit {name}[{key}]" if key else f"Limit {name}"


def _row(each: "LimitSnapshot", now_ms: int) -> Sequence[str]:
    return (
        each.name,
        each.key,
        _in_use(each),
        _rate(each) or "-",
        counted_up_to_max(each.parked),
        "no" if each.paused_until_ms is None else f"for another {span_ahead(each.paused_until_ms - now_ms)}",
        each.namespace,
    )


def _in_use(each: "LimitSnapshot") -> str:
    return str(each.in_use) if each.concurrency is None else f"{each.in_use} of {each.concurrency}"


def _rate(each: "LimitSnapshot") -> str | None:
    return None if each.rate is None else f"{each.rate} in {span(each.per_ms)}"


def _instant(at_ms: int, now_ms: int) -> str:
    return f"{clock_time(at_ms)} UTC ({when(at_ms, now_ms)})"
