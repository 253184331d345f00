"""Commands about what a running execution says: its frames and its summary."""

from typing import Any

from flowfabric.domain.commands.command import Command
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Appended, LeaseLost, Summary
from flowfabric.domain.streams import Said


class AppendFrames(Command[Appended], frozen=True, tag=True, gc=False):
    """Append frames to the stream of an execution."""

    said: Said


class AppendAll(Command[list[Appended | LeaseLost]], frozen=True, tag=True, gc=False):
    """Append frames to many streams at once. Each gets its own answer."""

    items: tuple[Said, ...]


class PatchSummary(Command[Summary], frozen=True, tag=True, gc=False):
    """Merge a patch into the summary of an execution."""

    fence: Fence
    patch: dict[str, Any]


class TrimStream(Command[bool], frozen=True, tag=True, gc=False):
    """Remove the oldest frames of a stream that is too long. False: it is not. Some may be left for the next time."""

    execution_id: ExecutionId
