"""Spans: what an engine and its workers tell a tracer. Without one, nothing is made: the code asks `is None` once."""

from contextlib import AbstractContextManager
from typing import Protocol

from flowfabric.domain.commands import AnyCommand
from flowfabric.domain.outcomes import Claimed


class AttemptSpan(Protocol):
    """The span of one lease of an attempt."""

    @property
    def traceparent(self) -> str | None:
        """The name of the span, for a child process. None: it is not recorded."""

    def ended(self, outcome: str, cause: str | None) -> None:
        """Note how the attempt ended, and the error that was the cause."""


class Tracer(Protocol):
    """Makes spans. Any thread may call it, and no method raises."""

    def current(self) -> str | None:
        """The traceparent of the span in which this code runs. None: there is none."""

    def sending(self, command: AnyCommand, parent: str | None = None) -> AbstractContextManager[object]:
        """While the block lasts, the current span is that of the command, if it is a submit or a signal.

        `parent` is the traceparent of a span in another process, which has sent the command.
        """

    def attempting(self, claimed: Claimed) -> AbstractContextManager[AttemptSpan]:
        """While the block lasts, the current span is that of an attempt, linked to what the execution remembers."""

    def stepping(self, name: str) -> AbstractContextManager[object]:
        """While the block lasts, the current span is that of a step."""

    def step_ended(self, name: str, seconds: float) -> None:
        """A step in a child process has ended just now, after so many seconds."""
