"""What must hold in a store at rest whatever happened to it."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from flowfabric import Event
from flowfabric.app import open_store
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Flow
from flowfabric.domain.gate_invariants import budget_violations_at_rest, limit_violations_at_rest
from flowfabric.domain.gate_snapshots import KeyView
from flowfabric.domain.ids import ExecutionId, flow_partition, partition_in, uuid_in
from flowfabric.domain.invariants import Contents, violations_at_rest
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.streams import Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.ports.store import Store
from tests.record_batches import chunks_of, loaded_by

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
    more = with_more(store, [x.execution_id for x in executions])
    contents = Contents(
        executions,
        [attempt for x in executions for attempt in store.attempts(x.execution_id)[1]],
        all_events(store, flow_id),
        [x.execution_id for x in executions if store.result(x.execution_id) is not None],
        flows=flows,
        edges=[edge for flow in flows for edge in store.edges(flow.flow_id, None, None)],
        groups=[each.group for view in views for each in view.groups],
        steps=[step for key in more.steps for step in store.steps(key)[1]],
        waitpoints=[each for key in more.inboxes for each, _ in store.waitpoints(key)[1]],
        signals=[signal for key in more.inboxes for signal in store.signals(key, None)[1]],
        streams=more.streams,
        chunks=[chunk for stream in more.streams for chunk in chunks_of(store, stream.execution_id)],
        summaries=more.summaries,
    )
    assert violations_at_rest(contents, store.now_ms) == []
    # Whatever ought to be found by a claim or a sweep can be found.
    page = store.side_rows(None, PAGE)
    while True:
        assert [row.execution.execution_id for row in page.rows if not (row.ready_is_right and row.due_is_right)] == []
        if page.next_after is None:
            break
        page = store.side_rows(page.next_after, PAGE)
    if any(x.gates is not None for x in executions):
        assert_gates_add_up(store)


def assert_gates_add_up(store: Store) -> None:
    """What is in use and reserved equals a recount of what runs, and nobody is parked where nobody will look.

    A limit that was removed is not looked at: what is in use of it cannot be read.
    """
    executions = all_executions(store)
    views = all_keys(store)
    limits = list({view.numbers: None for view in views})
    known = {(limit.namespace, limit.name) for limit in limits}
    named = {(x.namespace, name) for x in executions if x.gates is not None for name, _ in x.gates.slots}
    assert named <= known, "set removed limits again before you look"
    openings = dict.fromkeys(store.openings(_FAR_MS, PAGE), 0)
    wrong = list(limit_violations_at_rest(executions, limits, [view.use for view in views], openings, store.now_ms))
    budgets = [budget for budget, _ in store.budgets(None, None, PAGE)]
    periods = {(each.namespace, each.name, each.period_at(store.now_ms)) for each in budgets}
    uses = store.budget_uses(sorted(periods | reserved_periods(executions)))
    wrong += budget_violations_at_rest(executions, budgets, uses, openings, store.now_ms)
    assert wrong == []


_FAR_MS = 2**60


def all_keys(store: Store) -> list[KeyView]:
    """Every key of every limit."""
    found: list[KeyView] = []
    after = None
    while page := store.limit_keys(None, after, PAGE):
        found += page
        after = page[-1].use.at
    return found


def reserved_periods(executions: Collection[Execution]) -> set[tuple[str, str, int]]:
    """The periods of budgets in which something is reserved."""
    return {
        (x.namespace, name, period_ms)
        for x in executions
        if x.gates is not None
        for reservation in x.gates.reservations
        for name, period_ms in reservation.chain
    }


class More(NamedTuple):
    """What only some executions have: steps, waitpoints or signals, a stream, a summary."""

    steps: list[ExecutionId]
    inboxes: list[ExecutionId]
    streams: list[Stream]
    summaries: list[StoredSummary]


def with_more(store: Store, keys: Sequence[ExecutionId]) -> More:
    """Which executions have more. To ask each one by itself takes long."""
    found = More([], [], [], [])
    with closing(store.writer()) as writer:
        for begin in range(0, len(keys), PAGE):
            part = set(keys[begin : begin + PAGE])
            wanted = Needs(executions=part, step_places=part, inboxes=part, streams=part, summaries=part)
            loaded = loaded_by(writer, wanted)
            found.steps.extend(key for key, places in loaded.step_places.items() if places)
            found.inboxes.extend(key for key, inbox in loaded.inboxes.items() if any(inbox))
            found.streams.extend(loaded.streams.values())
            found.summaries.extend(loaded.summaries.values())
    return found


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
