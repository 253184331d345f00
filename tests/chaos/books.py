"""What must hold in a store at rest whatever happened to it."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from flowfabric import Event
from flowfabric.app import open_store
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import ExecutionId, flow_partition, partition_in, uuid_in
from flowfabric.domain.invariants import Contents, violations_at_rest
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.ports.store import Store
from tests.record_batches import loaded_by

PAGE = 1000


@contextmanager
def opened(url: str) -> Iterator[Store]:
    """The store by itself, for looking; nobody else may be writing to it."""
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def assert_nothing_is_broken(store: Store, flow_id: str | None = None) -> None:
    """Records are legal, their events lead to them without a gap, each life ended once, and all counts are right.

    With a flow's id: of that flow.
    """
    executions = executions_of(store, ExecutionFilter(flow_id=flow_id))
    flows = [flow for flow in all_flows(store) if flow_id in (None, flow.flow_id)]
    views = [view for flow in flows if (view := store.flow_view(flow.flow_id)) is not None]
    with_steps, with_inbox = with_steps_and_with_inbox(store, [x.execution_id for x in executions])
    contents = Contents(
        executions,
        [attempt for x in executions for attempt in store.attempts(x.execution_id)[1]],
        all_events(store, flow_id),
        [x.execution_id for x in executions if store.result(x.execution_id) is not None],
        flows=flows,
        edges=[edge for flow in flows for edge in store.edges(flow.flow_id, None, None)],
        groups=[each.group for view in views for each in view.groups],
        steps=[step for key in with_steps for step in store.steps(key)[1]],
        waitpoints=[each for key in with_inbox for each, _ in store.waitpoints(key)[1]],
        signals=[signal for key in with_inbox for signal in store.signals(key, None)[1]],
    )
    assert violations_at_rest(contents, store.now_ms) == []
    # Whatever ought to be found by a claim or a sweep can be found.
    page = store.side_rows(None, PAGE)
    while True:
        assert [row.execution.execution_id for row in page.rows if not (row.ready_is_right and row.due_is_right)] == []
        if page.next_after is None:
            break
        page = store.side_rows(page.next_after, PAGE)


def with_steps_and_with_inbox(store: Store, keys: Sequence[ExecutionId]) -> tuple[list[ExecutionId], list[ExecutionId]]:
    """Which executions have steps, and which have waitpoints or signals: to ask each one by itself takes long."""
    with_steps: set[ExecutionId] = set()
    with_inbox: set[ExecutionId] = set()
    with closing(store.writer()) as writer:
        for begin in range(0, len(keys), PAGE):
            part = set(keys[begin : begin + PAGE])
            loaded = loaded_by(writer, Needs(executions=part, step_places=part, inboxes=part))
            with_steps |= {key for key, places in loaded.step_places.items() if places}
            with_inbox |= {key for key, inbox in loaded.inboxes.items() if any(inbox)}
    return [key for key in keys if key in with_steps], [key for key in keys if key in with_inbox]


def all_executions(store: Store) -> list[Execution]:
    return executions_of(store, ExecutionFilter())


def executions_of(store: Store, where: ExecutionFilter) -> list[Execution]:
    found: list[Execution] = []
    after = None
    while page := store.executions(where, after, PAGE):
        found += page
        last = page[-1]
        after = ListPosition(last.created_at_ms, uuid_in(last.execution_id), partition_in(last.execution_id))
    return found


def all_flows(store: Store) -> list[Flow]:
    found: list[Flow] = []
    after = None
    while page := store.flows(FlowFilter(), after, PAGE):
        found += page
        last = page[-1]
        after = ListPosition(last.created_at_ms, last.flow_id, flow_partition(last.flow_id))
    return found


def all_events(store: Store, flow_id: str | None = None) -> list[Event]:
    found: list[Event] = []
    cursor = None
    while (page := store.events(cursor, EventFilter(flow_id=flow_id), PAGE)).events:
        found += page.events
        cursor = page.next_cursor
    return found


def events_by_execution(store: Store) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in all_events(store):
        assert event.execution_id is not None
        found.setdefault(event.execution_id, []).append(event)
    return found
