"""Suggestions for people who use the words of other tools."""

from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cyclopts import CoercionError, UnknownCommandError

VERBS_MEANT: Final = {
    "abort": ("cancel",),
    "accept": ("approve",),
    "approvals": ("waiting",),
    "decline": ("reject",),
    "delete": ("cancel", "purge"),
    "deny": ("reject",),
    "describe": ("show", "explain"),
    "events": ("tail",),
    "flows": ("flow ls",),
    "keys": ("secrets list",),
    "kids": ("secrets list",),
    "kill": ("cancel", "revoke"),
    "list": ("ls",),
    "log": ("logs", "tail"),
    "output": ("logs",),
    "pause": ("hold", "lanes pause"),
    "ps": ("ls",),
    "queues": ("lanes",),
    "quota": ("limits",),
    "quotas": ("limits",),
    "release": ("unhold", "revoke"),
    "rerun": ("replay",),
    "restart": ("replay",),
    "retry": ("replay",),
    "rm": ("cancel", "purge"),
    "rotate": ("secrets rotate",),
    "run": ("submit", "worker"),
    "send": ("signal",),
    "spend": ("budgets spending",),
    "spending": ("budgets spending",),
    "start": ("worker", "submit"),
    "status": ("stats",),
    "stop": ("cancel", "hold"),
    "stream": ("logs",),
    "suspended": ("waiting",),
    "terminate": ("cancel",),
    "throttle": ("limits set",),
    "token": ("tokens list", "waitpoints"),
    "users": ("tokens list",),
    "wait": ("waiting",),
    "waits": ("waiting",),
    "wake": ("resume", "signal"),
    "why": ("explain",),
}
STATES_MEANT: Final = {
    "active": "running",
    "blocked": "rate_limited",
    "canceled": "cancelled",
    "done": "completed",
    "error": "failed",
    "parked": "rate_limited",
    "pending": "waiting",
    "queued": "waiting",
    "ready": "waiting",
    "retrying": "delayed",
    "running": "active",
    "scheduled": "delayed",
    "started": "active",
    "succeeded": "completed",
    "success": "completed",
}


def for_verb(error: "UnknownCommandError") -> str:
    """The sentence for an unknown verb, with suggestions, and with all verbs if there are few."""
    word = (error.unused_tokens or [""])[0]
    known = [name for name in error.app or () if not name.startswith("-")]
    meant = [verb for verb in VERBS_MEANT.get(word, ()) if verb.split()[0] in known]
    hint = _did_you_mean(meant or get_close_matches(word, known, n=1))
    listed = f" There are: {', '.join(known)}." if error.command_chain else ""
    return f'Unknown command "{word}".{hint}{listed}'


def for_value(error: "CoercionError", said: str) -> str:
    """A suggestion for a wrong state; empty if there is none, or if the error makes one already."""
    word = "" if error.token is None else error.token.value
    meant = STATES_MEANT.get(word, "")
    return "" if f'"{meant}"' not in said or "Did you mean" in said else _did_you_mean([meant])


def for_waiting(execution_id: str) -> str:
    """What can be done with an execution that waits, in words that follow a semicolon."""
    return f"it waits, `ff explain {execution_id}` says for what, and `ff resume {execution_id}` ends its waits"


def for_resume(name: str) -> str:
    """A sentence for somebody who resumes something that is no execution."""
    return f"`ff lanes resume {quote(name)}` resumes a lane, and `ff schedules resume {quote(name)}` a schedule."


def _did_you_mean(words: list[str]) -> str:
    quoted = [f'"{word}"' for word in words]
    return f" Did you mean {' or '.join(quoted)}?" if quoted else ""
