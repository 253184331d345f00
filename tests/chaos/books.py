"""What must hold in a store at rest whatever happened to it."""

from collections.abc import Iterator
from contextlib import contextmanager

from flowfabric import Event
from flowfabric.app import open_store
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import partition_in, uuid_in
from flowfabric.domain.invariants import Contents, violations_at_rest
from flowfabric.ports import EventFilter, ExecutionFilter, ListPosition, Store

PAGE = 1000


@contextmanager
def opened(url: str) -> Iterator[Store]:
    """The store by itself, for looking; nobody else may be writing to it."""
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def assert_nothing_is_broken(store: Store) -> None:
    """Every record is legal, every execution's events lead to it without a gap, and each generation ended once."""
    executions = all_executions(store)
    contents = Contents(
        executions,
        [attempt for x in executions for attempt in store.attempts(x.execution_id)[1]],
        all_events(store),
        [x.execution_id for x in executions if store.result(x.execution_id) is not None],
    )
    assert violations_at_rest(contents, store.now_ms) == []
    # Whatever ought to be found by a claim or a sweep can be found.
    after = None
    while page := store.side_rows(after, PAGE):
        assert [row.execution.execution_id for row in page if not (row.ready_is_right and row.due_is_right)] == []
        after = page[-1].execution.execution_id


def all_executions(store: Store) -> list[Execution]:
    found: list[Execution] = []
    after = None
    while page := store.executions(ExecutionFilter(), after, PAGE):
        found += page
        last = page[-1]
        after = ListPosition(last.created_at_ms, uuid_in(last.execution_id), partition_in(last.execution_id))
    return found


def all_events(store: Store) -> list[Event]:
    found: list[Event] = []
    cursor = None
    while (page := store.events(cursor, EventFilter(), PAGE)).events:
        found += page.events
        cursor = page.next_cursor
    return found


def events_by_execution(store: Store) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in all_events(store):
        assert event.execution_id is not None
        found.setdefault(event.execution_id, []).append(event)
    return found
