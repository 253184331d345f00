"""The list of what waits: suspended executions, the one that has waited longest first."""

from typing import Any

from flowfabric import BlockingEngine, ExecutionSnapshot, InvalidInput, ManualClock
from flowfabric_conformance.stage import create, refused, refusing
from flowfabric_conformance.wait_stage import opened, resumed, started, suspend, waiting


def listed(engine: BlockingEngine, limit: int = 1000, **filters: Any) -> list[str]:
    """The ids of what waits, page by page."""
    found: list[str] = []
    cursor = None
    while True:
        page = engine.list_waiting(cursor=cursor, limit=limit, **filters)
        for item in page.items:
            assert isinstance(item, ExecutionSnapshot)
            found.append(item.execution_id)
        assert len(page.items) <= limit
        cursor = page.next_cursor
        if cursor is None:
            return found


def test_suspended_executions_are_listed_oldest_wait_first(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, lane="other")
    younger = started(engine)
    clock.advance(10)
    older = waiting(engine)
    clock.advance(10)
    suspend(engine, younger, "editor")

    assert listed(engine) == [older.execution_id, younger.execution_id]


def test_the_oldest_of_several_waits_counts(engine: BlockingEngine, clock: ManualClock) -> None:
    first = started(engine)
    opened(engine, first, "alice", "early")
    clock.advance(10)
    second = waiting(engine)
    clock.advance(10)
    suspend(engine, first, "bob", "late")

    assert listed(engine) == [first.execution_id, second.execution_id]


def test_only_what_is_suspended_is_listed(engine: BlockingEngine, clock: ManualClock) -> None:
    lingering = started(engine)
    opened(engine, lingering, "editor")
    paused = waiting(engine)
    cancelled = waiting(engine)
    engine.cancel_execution(cancelled.execution_id, reason="no")

    assert listed(engine) == [paused.execution_id]
    engine.signal(paused.execution_id, "editor")
    assert listed(engine) == []
    resumed(engine, paused.execution_id)
    assert listed(engine) == []


def test_pages_show_every_execution_once(engine: BlockingEngine, clock: ManualClock) -> None:
    wanted = []
    for number in range(7):
        wanted.append(waiting(engine).execution_id)
        clock.advance(number % 2)

    for limit in (1, 2, 3, 7, 8):
        assert sorted(listed(engine, limit)) == sorted(wanted)
        assert listed(engine, limit) == listed(engine)
    assert len(set(listed(engine))) == 7


def test_a_page_goes_on_where_the_last_one_ended_even_if_that_execution_was_resumed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    wanted = []
    for _ in range(4):
        wanted.append(waiting(engine).execution_id)
        clock.advance(1)
    page = engine.list_waiting(limit=2)
    engine.signal(wanted[1], "editor")

    assert listed(engine) == [wanted[0], wanted[2], wanted[3]]
    after = engine.list_waiting(cursor=page.next_cursor)
    assert [item.execution_id for item in after.items if isinstance(item, ExecutionSnapshot)] == wanted[2:]


def test_the_list_of_a_key_leaves_out_what_waits_elsewhere_now(engine: BlockingEngine, clock: ManualClock) -> None:
    moved_on = [waiting(engine, "editor") for _ in range(3)]
    for each in moved_on:
        engine.signal(each.execution_id, "editor")
        suspend(engine, resumed(engine, each.execution_id).lease, "author", "next")
    clock.advance(1)
    there = [waiting(engine, "editor").execution_id for _ in range(2)]

    for limit in (1, 2, 1000):
        assert sorted(listed(engine, limit, key="editor")) == sorted(there)
        assert sorted(listed(engine, limit, key="author")) == sorted(each.execution_id for each in moved_on)


def test_a_list_may_show_one_key_or_one_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    editor, author = waiting(engine, "editor"), waiting(engine, "author")
    tenant = waiting(engine, "editor", namespace="tenant")

    assert sorted(listed(engine, key="editor")) == sorted([editor.execution_id, tenant.execution_id])
    assert listed(engine, key="author") == [author.execution_id]
    assert listed(engine, key="nobody") == []
    assert listed(engine, namespace="tenant") == [tenant.execution_id]
    assert listed(engine, namespace="tenant", key="author") == []
    assert listed(engine.scoped("tenant")) == [tenant.execution_id]
    with refused(engine, InvalidInput):
        engine.scoped("tenant").list_waiting(namespace="default")


def test_bad_input_of_the_list_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    waiting(engine)
    foreign = engine.list_executions(limit=1000).next_cursor

    assert foreign is None
    assert refusing(engine, lambda limit: engine.list_waiting(limit=limit), [0, -1, 1001, "1", True]) == []
    assert refusing(engine, lambda cursor: engine.list_waiting(cursor=cursor), ["", "x", "%%", 7]) == []
    assert refusing(engine, lambda key: engine.list_waiting(key=key), ["", "k" * 257, 7]) == []
