"""How `ff worker` and its child processes write their logs: as lines for people, or as JSON, one object per line."""

import json
import logging
from datetime import UTC, datetime
from typing import Final, Literal, get_args

LogFormat = Literal["text", "json"]
LOG_FORMATS: Final[tuple[LogFormat, ...]] = get_args(LogFormat)

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_chosen: LogFormat = "text"


def set_up(level: int | str, log_format: LogFormat) -> None:
    """Log to standard error, unless the program has set up logging by itself."""
    global _chosen
    _chosen = log_format
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if log_format == "json" else TextLines())
    logging.basicConfig(level=level, handlers=[handler])


def chosen_format() -> LogFormat:
    """What was set up in this process: child processes do the same."""
    return _chosen


class TextLines(logging.Formatter):
    """One line per record, at its time in UTC, and below it its traceback, indented.

    A line that belongs to an attempt says which, if its text does not. Messages come from anyone, so nothing in them
    reaches the terminal as a command, and none of them can look like a line of its own.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, and what follows it."""
        line, *below = super().format(record).splitlines()
        return "\n".join([line, *(f"    {_shown(each)}" for each in below)])

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The time of the record in UTC, as `ff` tells times."""
        return _utc(record).isoformat(sep=" ", timespec="milliseconds").replace("+00:00", "Z")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line, without what follows it."""
        return _shown(self._whole_line(record))

    def _whole_line(self, record: logging.LogRecord) -> str:
        line = super().formatMessage(record)
        known = vars(record)
        execution_id = known.get("execution_id")
        if not execution_id or str(execution_id) in record.message:
            return line
        index = known.get("attempt_index")
        attempt = f" attempt {index + 1}" if isinstance(index, int) else ""
        return f"{line} ({known.get('task', '')} {execution_id}{attempt})"


def _shown(text: str) -> str:
    """The text on one line: what is not printable is a space if it is one, and otherwise its escape sequence."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char.isspace() else char.encode("unicode_escape").decode()
        for char in text
    )


class JsonLines(logging.Formatter):
    """One JSON object per record, on one line, with all fields that the record carries."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        fields: dict[str, object] = {
            "time": _utc(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in vars(record).items():
            if name not in _OF_EVERY_RECORD:
                fields.setdefault(name, value)
        trace = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else None)
        if trace:
            fields["traceback"] = trace
        return json.dumps(fields, default=repr)


def _utc(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)
