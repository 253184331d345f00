"""What clients have asked and what they were told, as they wrote it down themselves.

Every client appends lines to a file of its own: one before a call, one when it has the answer. A client that is killed
leaves a call without an answer.
"""

import json
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

Answer = dict[str, Any]
"""`{"is": "Completed", ...}` for an answer, `{"refused": "StaleLease", ...}` for a refusal; the rest are its fields."""


class Call(NamedTuple):
    """One call of one client about one execution."""

    client: str
    number: int
    about: str
    """The execution, by the name that the clients have agreed on."""
    verb: str
    given: dict[str, Any]
    begun: float
    """Seconds of a clock that never goes back and is the same for all clients."""
    begun_ms: int
    """The same moment on the clock that leases and delays are measured by."""
    answer: Answer | None = None
    """None: it was lost. The call may have happened, at any time since it began, or never."""
    ended: float = inf
    ended_ms: float = inf

    @property
    def told(self) -> str:
        """The call in words."""
        given = ", ".join(f"{name}={_short(value)}" for name, value in self.given.items())
        if self.answer is None:
            came = "its answer was lost"
        else:
            rest = ", ".join(f"{k}={_short(v)}" for k, v in self.answer.items() if k not in ("is", "refused"))
            came = f"{self.answer.get('is') or 'refused: ' + self.answer['refused']}({rest})"
        return f"{self.client} #{self.number} {self.verb}({given}) → {came}"


def _short(value: object) -> str:
    if isinstance(value, dict) and "lease_epoch" in value:
        return f"lease {value['lease_epoch']}/{str(value['lease_id'])[-6:]}"
    return str(value)


def read(files: Iterable[Path]) -> list[Call]:
    """All calls of all clients. The last line of a killed client may be torn, and does not count."""
    calls: dict[tuple[str, int], Call] = {}
    for file in files:
        for line in file.read_text().splitlines(keepends=True):
            if not line.endswith("\n"):
                continue
            noted = json.loads(line)
            key = (file.stem, noted["number"])
            if "verb" in noted:
                calls[key] = Call(file.stem, **noted)
            else:
                del noted["number"]
                calls[key] = calls[key]._replace(**noted)
    return list(calls.values())
