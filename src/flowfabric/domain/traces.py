"""Traces that an execution remembers, so that the spans of its attempts can be linked to what came before them.

They are kept in one tag, which an execution without a trace does not have. Each is a `traceparent` of the W3C: it names
a trace and a span in it, and says nothing else.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, get_args

from msgspec.structs import replace

from flowfabric.domain.commands import (
    AddExecution,
    AnyCommand,
    Complete,
    CreateChildren,
    CreateExecution,
    CreateExecutions,
    Delay,
    Fail,
    FireSchedule,
    Release,
    RunSchedule,
    SendSignal,
    SubmitFlow,
    Suspend,
)
from flowfabric.domain.execution import Execution

TRACE_TAG: Final = "flowfabric.trace"
Moment = Literal["submit", "attempt", "upstream", "signal"]
"""What the span was: the submit of the execution, its last attempt, the attempt of the upstream whose end has released
it, or the signal that has ended its last wait."""
MOMENTS: Final[tuple[Moment, ...]] = get_args(Moment)
CARRIERS: Final[frozenset[type[AnyCommand]]] = frozenset(
    {
        *(CreateExecution, CreateExecutions, CreateChildren, AddExecution, SubmitFlow, FireSchedule, RunSchedule),
        *(SendSignal, Suspend, Fail, Release, Delay, Complete),
    }
)
"""The commands that carry the trace of their sender."""
_TRACEPARENT: Final = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
"""Only zeros name no trace, and no span."""


def is_traceparent(text: str) -> bool:
    """Whether the text names a span."""
    return _TRACEPARENT.fullmatch(text) is not None


def traced(x: Execution, moment: Moment, trace: str | None) -> Execution:
    """The execution that remembers this span. None: nothing is remembered."""
    if trace is None:
        return x
    known = {**traces_in(x.tags), moment: trace}
    text = " ".join(f"{name}={known[name]}" for name in MOMENTS if name in known)
    return replace(x, tags={**x.tags, TRACE_TAG: text})


def traces_in(tags: Mapping[str, str]) -> dict[Moment, str]:
    """The spans that an execution remembers. What is no traceparent is left out: anybody may write a tag."""
    found: dict[Moment, str] = {}
    for part in tags.get(TRACE_TAG, "").split():
        name, _, trace = part.partition("=")
        for moment in MOMENTS:
            if moment == name and is_traceparent(trace):
                found[moment] = trace
    return found
