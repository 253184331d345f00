"""What is asked of a store about streams and summaries."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.news import StreamEnd
from flowfabric.domain.stream_pages import StreamPart
from flowfabric.domain.streams import Position
from flowfabric.domain.summaries import StoredSummary


class StreamReads(Protocol):
    """What executions say."""

    def stream_part(self, execution_id: ExecutionId, after: Position, most: int) -> StreamPart | None:
        """The next chunks of a stream, and what says which of their frames count, all as of one moment.

        At most `most` chunks that end after the position, or fewer if they are large: at least one, and then until
        their payloads have `PAGE_BYTES_MAX` bytes. None: there is no such execution.
        """

    def summary(self, execution_id: ExecutionId) -> tuple[Execution | None, StoredSummary | None]:
        """The execution and its summary, as of one moment."""


class StreamFinds(Protocol):
    """What upkeep searches."""

    def long_streams(self, limit: int) -> Sequence[ExecutionId]:
        """Some executions whose streams are too long."""


class StreamWatches(Protocol):
    """What callers that follow streams ask."""

    def stream_ends(self, execution_ids: Collection[ExecutionId]) -> Mapping[ExecutionId, StreamEnd]:
        """Where the streams of these executions end now, in one read. An execution that is gone is missing."""
