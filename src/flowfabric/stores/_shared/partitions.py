"""For stores whose batches stay in one partition: what a batch changes, and what a claim may take."""

from collections.abc import Sequence

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.execution import Ready
from flowfabric.domain.ids import flow_partition, partition_in


def changed_partitions(changes: Changes) -> set[int]:
    """The partitions whose records a batch changes.

    Keys, kept answers, lanes, schedules, workers, aliases and key rings have none.
    """
    executions = [x.execution_id for pair in changes.executions for x in pair if x is not None]
    executions += [group.downstream for _, group in changes.groups]
    executions += [key for key, _ in (*changes.results, *changes.steps, *changes.dropped_steps)]
    executions += [*changes.payloads, *changes.cleared_steps, *changes.cleared_inboxes]
    executions += [key for key, _ in (*changes.dropped_waitpoints, *changes.waitpoints)]
    executions += [key for key, _ in (*changes.signals, *changes.takings)]
    executions += [key for key, *_ in changes.signal_keys]
    flows = [flow.flow_id for pair in changes.flows for flow in pair if flow is not None]
    flows += [edge.flow_id for _, edge in changes.edges]
    flows += [flow_id for flow_id, _ in changes.acks]
    flows += [*changes.backlogs, *changes.cancelled_members, *changes.dropped_cancels]
    return {*map(partition_in, executions), *map(flow_partition, flows)}


def in_first_partition(candidates: Sequence[Ready]) -> list[Ready]:
    """The candidates of a claim that lie in the partition of the first candidate, in the same order."""
    if not candidates:
        return []
    partition = partition_in(candidates[0].execution_id)
    return [ready for ready in candidates if partition_in(ready.execution_id) == partition]
