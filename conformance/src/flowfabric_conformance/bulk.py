"""Bulk: one thing done to many executions, page by page, each decided by itself; and what has ended removed at once."""

from typing import Any, Final, cast

import pytest

from flowfabric import (
    BlockingEngine,
    Created,
    ExecutionPolicy,
    InvalidInput,
    ManualClock,
    OperatedPage,
    Purged,
    Refusal,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import submit
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    an_execution,
    claim,
    create,
    listed,
    listed_flows,
    log,
    look,
    start,
    story,
    unchanged,
    vector,
)


def operated(engine: BlockingEngine, action: str, **arguments: Any) -> list[OperatedPage]:
    """All pages of an action."""
    pages: list[OperatedPage] = []
    cursor = None
    while True:
        pages.append(engine.operate(cast("Any", action), cursor=cursor, **arguments))
        cursor = pages[-1].next_cursor
        if cursor is None:
            return pages


def purged(engine: BlockingEngine, **arguments: Any) -> tuple[int, int]:
    """How many executions and flows a purge removes until nothing is left to remove."""
    executions = flows = 0
    cursor = None
    while True:
        page = engine.purge(cursor=cursor, **arguments)
        executions, flows, cursor = executions + page.executions, flows + page.flows, page.next_cursor
        assert page.has_more == (cursor is not None)
        if cursor is None:
            return executions, flows


# ── operate ──────────────────────────────────────────────────────────────────────────────────────

ACTIONS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "cancel": ("waiting", {"reason": "enough"}),
    "revoke": ("active", {"reason": "enough"}),
    "change_priority": ("waiting", {"priority": 7}),
    "replay": ("failed", {}),
    "hold": ("waiting", {"reason": "enough"}),
    "unhold": ("held", {}),
}
"""A state that each action changes, and its arguments."""
SINGLE: Final = {"cancel": "cancel_execution", "revoke": "revoke_lease", "replay": "replay_execution"}


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_does_what_its_single_command_does(engine: BlockingEngine, clock: ManualClock, action: str) -> None:
    state, arguments = ACTIONS[action]
    one_by_one = an_execution(state, engine.scoped("tenant-a"), clock)
    together = an_execution(state, engine.scoped("tenant-b"), clock)

    getattr(engine, SINGLE.get(action, action))(one_by_one, **arguments)
    page = engine.operate(cast("Any", action), namespace="tenant-b", **arguments)

    assert vector(engine, together) == vector(engine, one_by_one)
    assert story(engine, together) == story(engine, one_by_one)
    assert look(engine, together).priority == look(engine, one_by_one).priority
    assert page == OperatedPage(1, [], None)


@pytest.mark.parametrize("limit", [1, 2, 5, 6, 1000])
def test_everything_is_met_once_also_what_is_no_longer_found_afterwards(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    made = []
    for number in range(5):
        made.append(create(engine, lane="mail", tags={"t.t": "x"}))
        clock.advance(number % 2)
    other = create(engine)

    pages = operated(engine, "cancel", reason="enough", lane="mail", public_state="waiting", limit=limit)

    assert sum(page.done for page in pages) == 5
    assert [page.refused for page in pages] == [[]] * len(pages)
    assert {story(engine, key)[-1] for key in made} == {"completion.cancelled"}
    assert [len(story(engine, key)) for key in made] == [1] * 5
    assert look(engine, other).public_state == "waiting"


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_what_stays_as_it_was_found_is_not_met_again(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    made = [create(engine) for _ in range(3)]

    pages = operated(engine, "change_priority", priority=5, public_state="waiting", limit=limit)

    assert sum(page.done for page in pages) == 3
    assert [story(engine, key) for key in made] == [["operator.priority_changed"]] * 3


def test_what_is_created_meanwhile_is_left_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    for _ in range(4):
        create(engine)
    first = engine.operate("cancel", reason="enough", limit=2)
    clock.advance(1)
    late = create(engine)

    second = engine.operate("cancel", reason="enough", limit=2, cursor=first.next_cursor)

    assert (first.done, second.done, second.next_cursor) == (2, 2, None)
    assert look(engine, late).public_state == "waiting"


def test_one_that_is_refused_does_not_disturb_its_neighbours(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine)
    clock.advance(1)
    active = an_execution("active", engine, clock)
    clock.advance(1)
    last = create(engine)

    page = engine.operate("change_priority", priority=3)

    (refusal,) = page.refused
    assert isinstance(refusal, Refusal)
    assert (refusal.execution_id, refusal.code) == (active, "execution_not_eligible")
    assert active in refusal.message
    assert page.done == 2
    assert [look(engine, key).priority for key in (first, last)] == [3, 3]


def test_a_revoke_without_a_lease_is_told_as_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    waiting = create(engine)

    with unchanged(engine):
        page = engine.operate("revoke")

    assert [(refusal.execution_id, refusal.code) for refusal in page.refused] == [(waiting, "no_active_lease")]
    assert page.done == 0


def test_an_action_on_nothing_is_over_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.operate("cancel", reason="enough") == OperatedPage(0, [], None)


def test_members_of_flows_are_operated_on_with_all_that_follows(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b c")

    page = engine.operate("cancel", reason="enough", flow_id=dag.flow_id, lane="a")

    assert page.done == 1
    assert dag.states("a", "b", "c") == ["cancelled", "skipped", "waiting"]


def test_an_action_stays_within_its_scope(engine: BlockingEngine, clock: ManualClock) -> None:
    own, foreign = create(engine, namespace="tenant-a"), create(engine, namespace="tenant-b")

    page = engine.scoped("tenant-a").operate("cancel", reason="enough")

    assert page.done == 1
    assert [look(engine, key).public_state for key in (own, foreign)] == ["cancelled", "waiting"]


@rule_cases(
    ("action", "arguments"),
    [
        ("change_priority", {}),
        ("change_priority", {"priority": "high"}),
        ("change_priority", {"priority": 5, "reason": "because"}),
        ("cancel", {"priority": 5}),
        ("replay", {"reason": "because"}),
        ("unhold", {"reason": "because"}),
        *((action, {}) for action in ("", "complete", "Cancel", None, 5, ["cancel"])),
    ],
)
def test_an_action_that_is_none_or_has_wrong_arguments_is_refused(
    engine: BlockingEngine, clock: ManualClock, action: Any, arguments: dict[str, Any]
) -> None:
    create(engine)

    with unchanged(engine), pytest.raises(InvalidInput):
        engine.operate(action, **arguments)


def test_cursors_of_lists_actions_and_purges_are_not_mistaken_for_each_other(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    for _ in range(3):
        engine.cancel_execution(create(engine), reason="enough")
    of_list = engine.list_executions(limit=1).next_cursor
    of_action = engine.operate("cancel", reason="enough", limit=1).next_cursor
    clock.advance(1)
    of_purge = engine.purge(ended_before_ms=clock.now_ms, limit=1).next_cursor

    for cursor in (of_list, of_purge):
        with unchanged(engine), pytest.raises(InvalidInput):
            engine.operate("cancel", reason="enough", cursor=cursor)
    for cursor in (of_list, of_action):
        with unchanged(engine), pytest.raises(InvalidInput):
            engine.purge(ended_before_ms=clock.now_ms, cursor=cursor)


# ── purge ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("retention_ms", [None, 10**9])
@pytest.mark.parametrize("state", [state for state in ENDED if state != "skipped"])
def test_what_has_ended_is_removed_with_all_that_belongs_to_it(
    engine: BlockingEngine, clock: ManualClock, state: str, retention_ms: int | None
) -> None:
    execution_id = an_execution(state, engine, clock, ExecutionPolicy(retention_ms=retention_ms))
    clock.advance(1)

    page = engine.purge(ended_before_ms=clock.now_ms)

    assert page == Purged(1, 0, None)
    assert engine.describe_execution(execution_id) is None
    assert (listed(engine), log(engine)) == ([], [])


@pytest.mark.parametrize("state", [state for state in LIVE if state != "blocked"])
def test_what_lives_is_never_removed(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    an_execution(state, engine, clock)
    clock.advance(1)

    with unchanged(engine):
        page = engine.purge(ended_before_ms=clock.now_ms + 10**9)

    assert page == Purged(0, 0, None)


def test_what_ended_at_the_instant_or_later_stays(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("completed", engine, clock)
    ended_at_ms = look(engine, execution_id).terminal_at_ms
    assert ended_at_ms is not None

    assert purged(engine, ended_before_ms=ended_at_ms) == (0, 0)
    assert purged(engine, ended_before_ms=ended_at_ms + 1) == (1, 0)


@pytest.mark.parametrize("limit", [1, 2, 5, 1000])
def test_a_purge_comes_to_its_end_whatever_its_pages(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    live = [create(engine, lane="spare") for _ in range(2)]
    for number in range(5):
        engine.cancel_execution(create(engine), reason="enough")
        submit(engine, "a>b").fail("a")
        clock.advance(number % 2)
    clock.advance(1)

    gone = purged(engine, ended_before_ms=clock.now_ms, limit=limit)

    assert gone == (5 + 2 * 5, 5)
    assert sorted(x.execution_id for x in listed(engine)) == sorted(live)
    assert (listed_flows(engine), log(engine)) == ([], [])


def test_a_flow_goes_as_a_whole_and_not_before_it_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")
    clock.advance(1)
    while_running = purged(engine, ended_before_ms=clock.now_ms)
    dag.complete("b")
    clock.advance(1)

    assert while_running == (0, 0)
    assert purged(engine, ended_before_ms=clock.now_ms - 1) == (0, 0)
    assert purged(engine, ended_before_ms=clock.now_ms) == (2, 1)
    assert engine.describe_flow(dag.flow_id) is None
    assert listed(engine) == []


def test_a_cancelled_flow_whose_members_go_on_stays_until_they_have_ended(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a")
    engine.cancel_flow(dag.flow_id, reason="enough", policy="flow_only")
    clock.advance(1)
    while_a_member_lives = purged(engine, ended_before_ms=clock.now_ms)
    dag.complete("a")
    clock.advance(1)

    assert while_a_member_lives == (0, 0)
    assert purged(engine, ended_before_ms=clock.now_ms) == (1, 1)


def test_a_cancelled_flow_without_members_is_removed_and_an_open_one_is_not(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    empty, cancelled = (engine.create_flow("pipeline").flow_id for _ in range(2))
    engine.cancel_flow(cancelled, reason="enough")
    clock.advance(1)

    assert purged(engine, ended_before_ms=clock.now_ms) == (0, 1)
    assert [flow.flow_id for flow in listed_flows(engine)] == [empty]


def test_ids_and_keys_of_what_was_removed_are_free_again(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, "old", idempotency_key="order-7")
    engine.cancel_execution(execution_id, reason="enough")
    clock.advance(1)

    engine.purge(ended_before_ms=clock.now_ms)

    again = engine.create_execution("new", execution_id=execution_id, idempotency_key="order-7")
    assert isinstance(again, Created)


def test_a_reader_of_the_log_is_told_that_a_purge_was_faster(engine: BlockingEngine, clock: ManualClock) -> None:
    cursor = engine.read_events().next_cursor
    engine.complete(start(engine))
    clock.advance(1)
    engine.purge(ended_before_ms=clock.now_ms)

    with pytest.raises(InvalidInput) as caught:
        engine.read_events(cursor=cursor)

    assert caught.value.code == "cursor_gone"


def test_a_late_worker_learns_that_its_execution_is_gone(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.cancel_execution(lease.execution_id, reason="enough")
    clock.advance(1)
    engine.purge(ended_before_ms=clock.now_ms)

    answers = engine.renew_all([lease])

    assert [type(answer).__name__ for answer in answers] == ["LeaseLost"]
    assert engine.claim(worker_id="w", worker_instance_id="w1") == []


def test_a_purge_stays_within_its_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    for namespace in ("tenant-a", "tenant-b"):
        create(engine, namespace=namespace)
        engine.complete(claim(engine, namespace=namespace).lease)
        submit(engine, "a", namespace=namespace).complete("a")
    clock.advance(1)

    gone = purged(engine.scoped("tenant-a"), ended_before_ms=clock.now_ms)

    assert gone == (2, 1)
    assert {x.namespace for x in listed(engine)} == {flow.namespace for flow in listed_flows(engine)} == {"tenant-b"}
    assert purged(engine, ended_before_ms=clock.now_ms, namespace="tenant-b") == (2, 1)
