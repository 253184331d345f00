"""The log formats of `ff worker` and its child processes: lines for people, or JSON with one object per line.

Programs that set up logging by themselves can use the formatters, too: `handler.setFormatter(JsonLines())`. Once there
is a formatter, every record that is logged while the code of an attempt runs is written with the facts of the attempt,
whichever library has logged it.
"""

import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, Literal, get_args

LogFormat = Literal["text", "json"]
LOG_FORMATS: Final[tuple[LogFormat, ...]] = get_args(LogFormat)

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_chosen: LogFormat = "text"
_attempt: ContextVar[Mapping[str, object] | None] = ContextVar("flowfabric_attempt", default=None)
"""The facts of the attempt whose code runs."""
_is_used = False
"""Whether a formatter was made, so that it is worth to remember whose code runs."""


def facts_are_used() -> bool:
    """Whether records are written with the facts of the attempt whose code runs."""
    return _is_used


def begin(facts: Mapping[str, object]) -> None:
    """From now on the code in this context is that of an attempt with these facts, until `end`."""
    _attempt.set(facts)


def end() -> None:
    """From now on no code of an attempt runs in this context."""
    _attempt.set(None)


class _Lines(logging.Formatter):
    """What both formats have in common."""

    def __init__(self, line: str | None = None) -> None:
        global _is_used
        _is_used = True
        super().__init__(line)

    def _facts_of(self, record: logging.LogRecord) -> Mapping[str, object]:
        """The fields that the record carries beside its text. Those of the attempt come from the running code."""
        own = {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        attempt = _attempt.get()
        if attempt is None or own.get("execution_id", attempt["execution_id"]) != attempt["execution_id"]:
            return own
        return {**attempt, **own}


def set_up(level: int | str, log_format: LogFormat) -> None:
    """Log to standard error, unless the program has set up logging by itself."""
    global _chosen
    _chosen = log_format
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if log_format == "json" else TextLines())
    logging.basicConfig(level=level, handlers=[handler])


def chosen_format() -> LogFormat:
    """The format that was set up in this process. Child processes use the same."""
    return _chosen


class TextLines(_Lines):
    """One line per record, at its time in UTC, and below it its traceback, indented.

    If a line belongs to an attempt and its text does not name it, the attempt is added. Messages may come from anyone,
    so control characters are escaped: no message can send commands to the terminal, or look like a second log line.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the traceback below it."""
        line, *below = super().format(record).splitlines()
        return "\n".join([line, *(f"    {_shown(each)}" for each in below)])

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The time of the record in UTC, in the format of `ff`."""
        return _utc(record).isoformat(sep=" ", timespec="milliseconds").replace("+00:00", "Z")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line, without a traceback."""
        return _shown(self._whole_line(record))

    def _whole_line(self, record: logging.LogRecord) -> str:
        line = super().formatMessage(record)
        known = self._facts_of(record)
        execution_id = known.get("execution_id")
        if not execution_id or str(execution_id) in record.message:
            return line
        index = known.get("attempt_index")
        attempt = f" attempt {index + 1}" if isinstance(index, int) else ""
        return f"{line} ({known.get('task', '')} {execution_id}{attempt})"


def _shown(text: str) -> str:
    """The text on one line: white space becomes a space, and other unprintable characters become escape sequences."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char.isspace() else char.encode("unicode_escape").decode()
        for char in text
    )


class JsonLines(_Lines):
    """One JSON object per record, on one line, with all fields that the record carries."""

    def __init__(self) -> None:
        super().__init__()

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        fields: dict[str, object] = {
            "time": _utc(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in self._facts_of(record).items():
            fields.setdefault(name, value)
        trace = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else None)
        if trace:
            fields["traceback"] = trace
        return json.dumps(fields, default=repr)


def _utc(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
