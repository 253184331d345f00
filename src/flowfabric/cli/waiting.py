"""The verbs that show what waits: `waiting`, `waitpoints`. They change nothing."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from flowfabric.cli.filters import execution_id_of
from flowfabric.cli.output import Column, Json, clock_time, document, note, say, table, when
from flowfabric.cli.stored import codec_of, in_a_line, value_in
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.wait_words import open_keys, then, title_of, until, whom
from flowfabric.cli.watching import watchable

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Signal
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot
    from flowfabric.engine.blocking import BlockingEngine
    from flowfabric.runtime.codecs import Codec

Id = Annotated[str, Parameter(help="An execution's id, or the uuid in it.")]


@watchable
def waiting(
    *,
    key: Annotated[str | None, Parameter(help="Only those that wait at a waitpoint of this key.")] = None,
    limit: Annotated[int, Parameter(help="How many executions at most, up to 1000.")] = 50,
    cursor: Annotated[str | None, Parameter(help="Go on where an earlier list ended.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List suspended executions: for whom each waits, since when, and until when. The longest wait comes first.

    `ff explain` says of one of them what has come, what is missing, and what you can type.
    """
    with opened(at) as engine:
        page = engine.list_waiting(key=key, cursor=cursor, limit=limit)
        found = cast("Sequence[ExecutionSnapshot]", page.items)
        if json:
            document({"executions": found, "next_cursor": page.next_cursor})
            return
        now_ms = engine.server_time_ms()
        closed = {x.execution_id: _closed_keys(engine, x) for x in found}
    if not found:
        say("Nothing waits." if key is None else f"Nothing waits at a waitpoint {key!r}.")
        return
    show_waits(found, now_ms, in_a_list=True, closed=closed)
    if any(closed.values()):
        note(
            "No signal can come to a closed waitpoint. `ff resume ID` ends its wait, and `ff cancel ID` the execution."
        )
    if page.next_cursor is not None:
        note(f"There are more: --cursor {page.next_cursor}")


@watchable
def waitpoints(execution_id: Id, /, *, at: Target = HERE, json: Json = False) -> None:
    """List the waitpoints of an execution, and the signals that were sent to them. Tokens are never shown."""
    with opened(at) as engine:
        execution_id = execution_id_of(engine, execution_id)
        found = engine.list_waitpoints(execution_id)
        signals = engine.list_signals(execution_id)
        now_ms = engine.server_time_ms()
    codec = codec_of(at)
    if json:
        sent = [signal_in_json(each, codec) for each in signals]
        document({"execution_id": execution_id, "waitpoints": found, "signals": sent})
        return
    if not found:
        say("It has no waitpoints: it has never waited for a signal, and none was sent to it.")
        return
    _show_waitpoints(found, now_ms)
    if signals:
        say("")
        _show_signals(signals, codec)


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def show_waits(
    found: "Sequence[ExecutionSnapshot]",
    now_ms: int,
    *,
    in_a_list: bool,
    closed: Mapping[str, Collection[str]] | None = None,
) -> None:
    """A line for each open wait. For several executions, each line also names its execution.

    `closed` has the keys of closed waitpoints, by execution.
    """
    closed = closed or {}
    waits = [(x, wait) for x in found for wait in x.waits]
    columns: list[tuple[Column, Sequence[str]]] = [
        (Column("ID", is_whole=True), [x.execution_id if in_a_list else "" for x, _ in waits]),
        (Column("WAITS FOR"), [whom(wait, closed.get(x.execution_id, ())) for x, wait in waits]),
        (Column("SINCE"), [when(wait.since_ms, now_ms) for _, wait in waits]),
        (Column("UNTIL"), [until(wait, now_ms) for _, wait in waits]),
        (Column("THEN IT"), [then(wait) for _, wait in waits]),
        (Column("WAIT"), ["" if [wait.name] == [*wait.keys] else wait.name for _, wait in waits]),
        (Column("KIND"), [x.kind if in_a_list else "" for x, _ in waits]),
        (Column("LANE"), [x.lane if in_a_list else "" for x, _ in waits]),
    ]
    # Columns without any content, such as what follows if nothing has an end, are left out.
    shown = [(column, cells) for column, cells in columns if any(cells)]
    table([column for column, _ in shown], list(zip(*(cells for _, cells in shown), strict=True)))


def _closed_keys(engine: "BlockingEngine", x: "ExecutionSnapshot") -> list[str]:
    """The keys of closed waitpoints at which the execution waits."""
    keys = open_keys(x)
    return [each.key for each in engine.list_waitpoints(x.execution_id) if each.state == "closed"] if keys else []


def _show_waitpoints(found: "Sequence[WaitpointSnapshot]", now_ms: int) -> None:
    columns: list[tuple[Column, Sequence[str]]] = [
        (Column("KEY", is_whole=True), [each.key for each in found]),
        (Column("ALIAS", is_whole=True), [each.alias or "" for each in found]),
        (Column("STATE"), [_state(each) for each in found]),
        (Column("KEPT", is_number=True), [str(each.waiting_signals) for each in found]),
        (Column("ABOUT"), [title_of(each) for each in found]),
        (Column("CREATED"), [when(each.created_at_ms, now_ms) for each in found]),
        (Column("EXPIRES"), [when(each.expires_at_ms, now_ms) for each in found]),
        (Column("SECRET"), [each.token_kid for each in found]),
        (Column("FINGERPRINT"), [each.token_fingerprint for each in found]),
    ]
    shown = [(column, cells) for column, cells in columns if any(cells)]
    table([column for column, _ in shown], list(zip(*(cells for _, cells in shown), strict=True)))


def _state(waitpoint: "WaitpointSnapshot") -> str:
    return f"{waitpoint.state}: {waitpoint.closed_reason}" if waitpoint.closed_reason else waitpoint.state


def _show_signals(signals: "Sequence[Signal]", codec: "Codec | None") -> None:
    table(
        [
            Column("TIME (UTC)", is_whole=True),
            Column("KEY"),
            Column("NAME"),
            Column("FROM"),
            Column("VALUE"),
        ],
        [
            (
                clock_time(each.delivered_at_ms),
                each.key,
                each.name or "-",
                _sender(each),
                in_a_line(value_in(each.payload, codec, "the signal") if each.payload else None) or "-",
            )
            for each in signals
        ],
    )


def _sender(signal: "Signal") -> str:
    """Who sent it. What strangers say about themselves is marked as unverified."""
    claimed = f"{signal.claimed_source} (unverified)" if signal.claimed_source else ""
    return f"{signal.source}: {claimed}" if signal.source and claimed else signal.source or claimed or "-"


def signal_in_json(signal: "Signal", codec: "Codec | None") -> Mapping[str, object]:
    """A signal with its value instead of its bytes."""
    return {
        "signal_id": signal.signal_id,
        "key": signal.key,
        "name": signal.name,
        "source": signal.source,
        "claimed_source": signal.claimed_source,
        "delivered_at_ms": signal.delivered_at_ms,
        "value": value_in(signal.payload, codec, "the signal") if signal.payload else None,
    }
