"""Spans of OpenTelemetry: submits, attempts, steps and signals.

A span is one lease: it ends when the attempt completes, fails or is suspended, so nothing stays open for days. Each
attempt is the root of a trace of its own, linked to the submit, to the attempt before it, to the upstream that has
released it and to the signal that has ended its wait. With `trace="parent"` it is a part of the trace of its submit
instead, which suits short jobs.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final, Literal

from flowfabric.domain.commands import AnyCommand, CreateChildren, RunSchedule, SendSignal, SubmitFlow, creations_in
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.traces import MOMENTS, Moment, traces_in

try:
    from opentelemetry import context as contexts
    from opentelemetry import trace as spans
    from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError as error:  # pragma: no cover
    raise ImportError("Tracing needs opentelemetry-api. Install it with: pip install 'flowfabric[otel]'") from error

TraceAs = Literal["linked", "parent"]
_TRACEPARENT: Final = "traceparent"
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_ERRORS: Final = ("retry", "failed", "interrupted", "lost")
Attributes = Mapping[str, str | int]


class Tracing:
    """Makes spans: `FlowFabric(tracer=Tracing())`. Where they go is set up by the program, with an sdk of its choice.

    `trace` says what an attempt is to its submit: "linked" (a trace of its own, with links) or "parent" (a part of the
    trace of the submit). `tasks` says so for single tasks, by name.
    """

    def __init__(
        self,
        *,
        trace: TraceAs = "linked",
        tasks: Mapping[str, TraceAs] | None = None,
        provider: spans.TracerProvider | None = None,
    ) -> None:
        self._tasks = dict(tasks or {})
        for value in (trace, *self._tasks.values()):
            if value not in ("linked", "parent"):
                raise InvalidInput(f"trace is {value!r}; it must be 'linked' or 'parent'.")
        self._trace = trace
        self._tracer = spans.get_tracer("flowfabric", tracer_provider=provider)

    def current(self) -> str | None:
        """The traceparent of the span in which this code runs."""
        return _traceparent_of(spans.get_current_span())

    # ── submits and signals ──────────────────────────────────────────────────────────────────────

    def sending(self, command: AnyCommand, parent: str | None = None) -> AbstractContextManager[object]:
        """A span of a submit or a signal. For other commands there is none, and the current span stays `parent`."""
        return self._sending(command) if parent is None else self._sending_within(command, parent)

    @contextmanager
    def _sending_within(self, command: AnyCommand, parent: str) -> Iterator[None]:
        with within(parent), self._sending(command):
            yield

    def _sending(self, command: AnyCommand) -> AbstractContextManager[object]:
        if isinstance(command, SendSignal):
            facts: Attributes = {"flowfabric.execution_id": command.execution_id, "flowfabric.signal.key": command.key}
            return self._span(f"signal {command.key}", SpanKind.PRODUCER, {**_of_message(command.key, "send"), **facts})
        if isinstance(command, SubmitFlow):
            return self._submit(f"flow {command.flow.kind}", len(command.nodes))
        if isinstance(command, CreateChildren):
            return self._submit(command.items[0].kind, len(command.items))
        if isinstance(command, RunSchedule):
            return self._submit(f"schedule {command.name}", 1)
        made = creations_in(command)
        return self._submit(made[0].kind, len(made)) if made else nullcontext()

    def _submit(self, what: str, count: int) -> AbstractContextManager[object]:
        facts = _of_message(what, "send")
        return self._span(f"submit {what}", SpanKind.PRODUCER, {**facts, "messaging.batch.message_count": count})

    # ── attempts and steps ───────────────────────────────────────────────────────────────────────

    @contextmanager
    def attempting(self, claimed: Claimed) -> Iterator["OpenSpan"]:
        """A span of an attempt. It is the current span while the block lasts, and ends with it."""
        known = traces_in(claimed.tags)
        is_part = self._tasks.get(claimed.kind, self._trace) == "parent" and "submit" in known
        parent = _context_of(known["submit"]) if is_part else contexts.Context()
        linked = [moment for moment in MOMENTS if moment in known and not (is_part and moment == "submit")]
        span = self._tracer.start_span(
            f"run {claimed.kind}",
            context=parent,
            kind=SpanKind.CONSUMER,
            links=[_link(moment, known[moment]) for moment in linked],
            attributes={
                **_of_message(claimed.kind, "process"),
                "flowfabric.execution_id": claimed.execution_id,
                "flowfabric.namespace": claimed.namespace,
                "flowfabric.lane": claimed.lane,
                "flowfabric.attempt": claimed.attempt_index + 1,
                "flowfabric.claim_type": claimed.claim_type,
                "flowfabric.worker": claimed.lease.worker_instance_id,
            },
        )
        with spans.use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
            yield OpenSpan(span)

    def stepping(self, name: str) -> AbstractContextManager[object]:
        """A span of a step. An error of the step is recorded."""
        return self._tracer.start_as_current_span(f"step {name}", attributes={"flowfabric.step": name})

    def step_ended(self, name: str, seconds: float) -> None:
        """A span of a step that ran in a child process."""
        now = time.time_ns()
        span = self._tracer.start_span(
            f"step {name}", attributes={"flowfabric.step": name}, start_time=now - int(seconds * 1e9)
        )
        span.end(now)

    def _span(self, name: str, kind: SpanKind, attributes: Attributes) -> AbstractContextManager[object]:
        return self._tracer.start_as_current_span(name, kind=kind, attributes=attributes)


class OpenSpan:
    """The span of an attempt, while the attempt runs."""

    def __init__(self, span: Span) -> None:
        self._span = span

    @property
    def traceparent(self) -> str | None:
        """The name of the span."""
        return _traceparent_of(self._span)

    def ended(self, outcome: str, cause: str | None) -> None:
        """Note how the attempt ended, and the error that was the cause."""
        self._span.set_attribute("flowfabric.outcome", outcome)
        if outcome not in _ERRORS:
            return
        self._span.set_status(Status(StatusCode.ERROR, cause))
        if cause is not None:
            kind, _, message = cause.partition(": ")
            self._span.add_event("exception", {"exception.type": kind, "exception.message": message})


@contextmanager
def within(traceparent: str) -> Iterator[None]:
    """While the block lasts, new spans belong to this one, which is in another process."""
    token = contexts.attach(_context_of(traceparent))
    try:
        yield
    finally:
        contexts.detach(token)


def _of_message(task: str, operation: str) -> Attributes:
    return {
        "messaging.system": "flowfabric",
        "messaging.destination.name": task,
        "messaging.operation.type": operation,
    }


def _context_of(traceparent: str) -> contexts.Context:
    return _PROPAGATOR.extract({_TRACEPARENT: traceparent}, context=contexts.Context())


def _link(moment: Moment, traceparent: str) -> Link:
    named = spans.get_current_span(_context_of(traceparent)).get_span_context()
    return Link(named, {"flowfabric.link": moment})


def _traceparent_of(span: Span) -> str | None:
    named = span.get_span_context()
    if not named.is_valid:
        return None
    return f"00-{named.trace_id:032x}-{named.span_id:016x}-{int(named.trace_flags):02x}"
