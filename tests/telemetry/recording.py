"""Spans that are kept in memory, and what a test asks of them."""

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Recorder:
    """Keeps the spans that have ended."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer = self.provider.get_tracer("test")

    def named(self, name: str) -> list[ReadableSpan]:
        """The spans of this name, in the order of their starts."""
        found = [span for span in self._exporter.get_finished_spans() if span.name == name]
        return sorted(found, key=lambda span: span.start_time or 0)


def id_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}-{span.context.span_id:016x}"


def trace_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.trace_id


def links_of(span: ReadableSpan) -> dict[object, str]:
    return {
        (link.attributes or {})["flowfabric.link"]: f"{link.context.trace_id:032x}-{link.context.span_id:016x}"
        for link in span.links
    }
