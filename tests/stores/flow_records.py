"""Flows, members and edges by number, and a store that is spoken to without an engine."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from msgspec.structs import replace

from flowfabric.app import open_store
from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.joins import ALL_OF
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Writer
from flowfabric.testing import ManualClock
from tests.record_batches import loaded_by, save_by

NOW = 1_700_000_000_000


def flow_id(number: int = 1) -> FlowId:
    return FlowId(uuid_from_hex(f"{number:032x}"))


def member_id(number: int, flow: int = 1) -> ExecutionId:
    return make_execution_id(flow_partition(flow_id(flow)), uuid_from_hex(f"{number:032x}"))


def a_flow(number: int = 1, **fields: Any) -> Flow:
    flow = Flow(flow_id(number), "default", "order", NOW + number, {}, "open")
    return replace(flow, **fields)


def a_member(number: int, flow: int = 1, **fields: Any) -> Execution:
    return replace(_waiting(member_id(number, flow), flow_id(flow)), **fields)


def a_solo(number: int, **fields: Any) -> Execution:
    return replace(
        _waiting(make_execution_id(lane_partition("default"), uuid_from_hex(f"{number:032x}")), None), **fields
    )


def _waiting(execution_id: ExecutionId, flow: FlowId | None) -> Execution:
    return Execution(
        execution_id,
        "default",
        "default",
        flow,
        "mail",
        (),
        DEFAULT_POLICY,
        {},
        None,
        NOW,
        "runnable",
        "eligible_now",
        "pending_first_attempt",
        "none",
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        NOW,
    )


def blocked(number: int, flow: int = 1) -> Execution:
    return a_member(number, flow, eligibility_state="blocked_by_dependencies")


def completed(x: Execution, **fields: Any) -> Execution:
    ended = replace(
        x,
        lifecycle_phase="terminal",
        eligibility_state="not_applicable",
        attempt_state="attempt_terminal",
        terminal_outcome="success",
        terminal_at_ms=NOW,
    )
    return replace(ended, **fields)


def an_edge(upstream: int, downstream: int, edge_id: str | None = None, flow: int = 1, **fields: Any) -> Edge:
    name = f"{upstream}-{downstream}" if edge_id is None else edge_id
    edge = Edge(flow_id(flow), name, member_id(upstream, flow), member_id(downstream, flow), None, NOW)
    return replace(edge, **fields)


def a_group(downstream: int, flow: int = 1, **fields: Any) -> EdgeGroup:
    return replace(EdgeGroup(flow_id(flow), member_id(downstream, flow), ALL_OF), **fields)


class Books:
    """A store, and a writer that takes one batch at a time."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self.store = store
        self.writer = writer

    def save(self, *new: Execution | Flow | Edge | EdgeGroup, reads: Sequence[Needs] = (), **changed: Any) -> None:
        """Write records that are new, and whatever else has changed, after these reads of the same batch."""
        executions = [record for record in new if isinstance(record, Execution)]
        born = Changes(
            executions=[(None, x) for x in executions],
            payloads={x.execution_id: b"payload" for x in executions},
            flows=[(None, record) for record in new if isinstance(record, Flow)],
            edges=[(None, record) for record in new if isinstance(record, Edge)],
            groups=[(None, record) for record in new if isinstance(record, EdgeGroup)],
        )
        save_by(self.writer, replace(born, **changed), *reads)

    def write(self, changes: Changes) -> None:
        """Write what a batch has changed."""
        save_by(self.writer, changes)

    def load(self, needs: Needs, *more: Needs) -> Loaded:
        """What one batch would read, if need be in several turns."""
        return loaded_by(self.writer, needs, *more)


@contextmanager
def opened(url: str) -> Iterator[Books]:
    """The books of the store behind the url."""
    with closing(open_store(url, clock=ManualClock(NOW), migrate=True)) as store, closing(store.writer()) as writer:
        yield Books(store, writer)
