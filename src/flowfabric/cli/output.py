"""The output of `ff`: lines, tables that fit the terminal, states in colours, JSON, and progress on standard error."""

import os
import shutil
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.exits import on_one_line
from flowfabric.domain.words import span, span_ahead

# Rich is imported only where it draws something, so that help and JSON need not wait for it.
if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

Json = Annotated[bool, Parameter(name="--json", help="Print JSON, with exact times, for programs to read.")]

WIDTH_OF_A_FILE: Final = 10_000
"""The width of output that goes to no terminal: lines are never cut."""
_CALENDAR_MS_MAX: Final = 253_402_300_799_999

STYLES: Final = {
    "active": "36",
    "running": "36",
    "completed": "32",
    "success": "32",
    "failed": "1;31",
    "expired": "31",
    "interrupted": "31",
    "cancelled": "35",
    "skipped": "35",
    "waiting": "33",
    "waiting_children": "33",
    "delayed": "33",
    "retry": "33",
    "suspended": "33",
    "resumable": "33",
    "paused": "33",
    "orphaned": "31",
    "error": "1;31",
    "warning": "33",
    "advice": "36",
}
"""The colours of states on a terminal, as numbers of escape sequences."""


class Column(NamedTuple):
    """A column of a table. A whole column is never cut or folded, so that its cells can be copied."""

    name: str
    is_whole: bool = False
    is_number: bool = False
    is_state: bool = False


class State(str):
    """A word that is shown in its colour if the terminal has colours."""


def say(*parts: str) -> None:
    """Print one line on standard output. On a terminal, states among its parts have their colours."""
    has_colours = _has_colours()
    sys.stdout.write("".join(_painted(part, has_colours) for part in parts) + "\n")


def say_fitting(*parts: str) -> None:
    """The same, cut at the width of the terminal."""
    left = width_seen()
    shown: list[str] = []
    for part in parts:
        if left is not None and len(part) > left:
            shown += [f"{part[: left - 1].rstrip()}…"] if left else []
            break
        shown.append(part)
        left = None if left is None else left - len(part)
    say(*shown)


def width_seen() -> int | None:
    """The width of the terminal; None: the output goes to no terminal, and lines are never cut."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else None


def note(line: str) -> None:
    """Print one line on standard error: for people, not for programs that read the output."""
    sys.stderr.write(on_one_line(line) + "\n")


def document(value: object) -> None:
    """Print one JSON document, on one line. Control characters, which a terminal would obey, are escaped."""
    import json

    import msgspec

    text = msgspec.json.encode(value, enc_hook=str).decode()
    if not text.isprintable():
        text = "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
    sys.stdout.write(text + "\n")


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under the names of their columns.

    If the terminal is too narrow, cells fold, and last columns are left out.
    """
    from rich.table import Table

    console = _console()
    if columns[0].is_whole:
        console.width = max(console.width, _width(columns, rows, 0))
    shown = _fitting(columns, rows, console.width)
    drawn = Table(box=None, pad_edge=False, header_style="bold" if _has_colours() else "", padding=(0, 2, 0, 0))
    for column in columns[:shown]:
        drawn.add_column(
            column.name,
            justify="right" if column.is_number else "left",
            no_wrap=column.is_whole,
            overflow="ignore" if column.is_whole else "fold",
            min_width=_width(columns, rows, columns.index(column)) if column.is_whole else None,
        )
    for row in rows:
        drawn.add_row(*(_cell(cell, column) for cell, column in zip(row[:shown], columns, strict=False)))
    _print(console, drawn)


def facts(values: Mapping[str, object]) -> None:
    """Print one line for each fact, uncut, so that it can be copied. None is left out."""
    width = max(map(len, values))
    for name, value in values.items():
        if value is not None:
            say(f"{name:<{width}}  ", value if isinstance(value, State) else str(value))


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while the block lasts; the block calls it with each amount done. Only on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


# ── times and values ─────────────────────────────────────────────────────────────────────────────


def when(at_ms: int | None, now_ms: int) -> str:
    """An instant as seen from now: '3 min ago', 'in 2 h 30 min'."""
    if at_ms is None:
        return "-"
    if 0 <= now_ms - at_ms < 1_000:
        return "just now"
    return f"{span(now_ms - at_ms)} ago" if at_ms <= now_ms else f"in {span_ahead(at_ms - now_ms)}"


def clock_time(at_ms: int) -> str:
    """An instant to the millisecond, in UTC. An instant beyond the calendar is shown as a number."""
    if at_ms > _CALENDAR_MS_MAX:
        return f"{at_ms} ms"
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def pairs(values: Mapping[str, object]) -> str:
    """Tags in a line: 'team.name=billing team.lead=ada'."""
    return " ".join(f"{key}={value}" for key, value in values.items())


def took(started_at_ms: int | None, ended_at_ms: int | None, now_ms: int) -> str:
    """How long something ran, or has been running; empty if it has not begun."""
    if started_at_ms is None:
        return ""
    return f"for {span(now_ms - started_at_ms)}" if ended_at_ms is None else f"took {span(ended_at_ms - started_at_ms)}"


def in_json(value: object) -> str:
    """A value as readable JSON."""
    import json

    return json.dumps(value, ensure_ascii=False)


def readable(data: bytes | None) -> object:
    """Stored bytes as a value: parsed JSON, or text, or otherwise base64."""
    import msgspec

    if data is None:
        return None
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):  # no JSON, or too deeply nested
        pass
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


# ── helpers ──────────────────────────────────────────────────────────────────────────────────────


def _has_colours() -> bool:
    # https://no-color.org: any value of the variable counts, unless it is empty.
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _painted(part: str, has_colours: bool) -> str:
    text = on_one_line(part)
    style = STYLES.get(text.split(" ", 1)[0]) if has_colours and isinstance(part, State) else None
    return text if style is None else f"\x1b[{style}m{text}\x1b[0m"


def _cell(text: str, column: Column) -> "Text":
    from rich.text import Text

    cell = on_one_line(text)
    return Text.from_ansi(_painted(State(cell), True)) if column.is_state and _has_colours() else Text(cell)


def _console() -> "Console":
    from rich.console import Console

    is_seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if is_seen else WIDTH_OF_A_FILE, highlight=False, emoji=False, markup=False)


def _print(console: "Console", what: "RenderableType") -> None:
    # Captured and written by ourselves, because Rich ends the program by itself when the reader is gone.
    with console.capture() as captured:
        console.print(what, soft_wrap=False)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _width(columns: Sequence[Column], rows: Sequence[Sequence[str]], index: int) -> int:
    return max([len(columns[index].name), *(len(row[index]) for row in rows)])


def _fitting(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> int:
    """How many columns fit: a whole column needs its full width, another one that of its longest word, or 12."""
    left = width
    for index, column in enumerate(columns):
        needed = _width(columns, rows, index)
        left -= (needed if column.is_whole else min(needed, 12)) + 2
        if left < -2 and index > 0:
            return index
    return len(columns)
