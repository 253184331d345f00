"""What a batch sees of its own changes, and how a refused command is undone."""

from msgspec.structs import replace

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.execution import IdempotencyKey, Ready, ready_of
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE, an_execution, an_id, working_set

NEED = ClaimNeed("default", ("default",), frozenset())
KEY = IdempotencyKey("default", "order-7", an_id(1), b"f", NOW + 1)
ANSWER = RememberedAnswer("", "c-1", b"f", b"a", NOW + 1)


def _everything(ws: WorkingSet) -> None:
    """Change one of each kind."""
    x = ws.emit(an_execution(1, priority=9), "operator", "held")
    ws.executions.put(x)
    ws.executions.put(an_execution(5))
    ws.payloads.put_at(an_id(5), b"payload")
    ws.results.put_at((an_id(1), 0), b"result")
    ws.idempotency_keys.put(KEY)
    ws.answers.put(ANSWER)


def _roomy() -> WorkingSet:
    wanted = Needs(
        executions={an_id(1), an_id(5)},
        idempotency_keys={("default", "order-7")},
        answers={("", "c-1")},
        claims={NEED: 10},
    )
    x = an_execution(1)
    ready = ready_of(x)
    assert ready is not None
    loaded = Loaded(executions={x.execution_id: x}, candidates={NEED: [ready]})
    return WorkingSet(loaded, wanted, now_ms=NOW, store=STORE)


def test_undoing_leaves_nothing_of_a_command():
    ws = _roomy()
    ws.begin()
    _everything(ws)

    ws.undo()

    assert ws.changes() == _roomy().changes()
    assert ws.executions.get(an_id(1)) == an_execution(1)
    assert ws.executions.get(an_id(5)) is None
    assert ws.idempotency_key("default", "order-7") is None
    assert ws.answer("", "c-1") is None


def test_undoing_leaves_everything_of_the_commands_before():
    ws, twin = _roomy(), _roomy()
    for each in (ws, twin):
        each.begin()
        _everything(each)
    ws.begin()
    ws.executions.put(an_execution(1, priority=1))
    ws.results.remove((an_id(1), 0))
    ws.idempotency_keys.remove(("default", "order-7"))
    ws.answers.remove(("", "c-1"))
    ws.emit(an_execution(5), "operator", "unheld")
    ws.executions.remove(an_execution(5).execution_id)

    ws.undo()

    assert ws.changes() == twin.changes()


def test_what_was_undone_is_claimed_as_it_was_before():
    ws = _roomy()
    ws.begin()
    ws.executions.put(replace(an_execution(1), eligibility_state="blocked_by_operator"))
    ws.undo()

    assert ws.queue.claimable(NEED, 5, lambda x: x) == [an_execution(1)]


def test_the_same_record_put_several_times_is_claimable_once():
    ws = working_set(executions=[an_execution(1)], claims=[NEED])
    for priority in (3, 9, 3, 9):
        ws.executions.put(an_execution(1, priority=priority))

    taken = ws.queue.claimable(NEED, 5, lambda x: x)

    assert taken == [an_execution(1, priority=9)]


def test_a_claim_that_looks_further_than_it_takes_leaves_the_rest_for_the_next():
    queue = [an_execution(number, ready_at_ms=NOW - 10 + number) for number in (1, 2, 3)]
    ws = working_set(executions=queue, claims=[NEED])

    found = []
    for _ in range(4):
        for x in ws.queue.claimable(NEED, 1, lambda x: x):
            ws.executions.put(replace(x, lifecycle_phase="active", eligibility_state="not_applicable"))
            found.append(x.execution_id)

    assert found == [an_id(1), an_id(2), an_id(3)]


def test_a_place_in_the_queue_that_no_record_stands_behind_is_dropped():
    x = an_execution(1)
    gone = Ready("default", "default", (), 0, NOW, an_id(7))
    moved = Ready("default", "default", (), 5, NOW, x.execution_id)
    right = ready_of(x)
    assert right is not None
    loaded = Loaded(executions={x.execution_id: x}, candidates={NEED: [moved, gone, right]})
    ws = WorkingSet(loaded, Needs(claims={NEED: 5}), now_ms=NOW, store=STORE)

    taken = ws.queue.claimable(NEED, 5, lambda x: x)

    assert taken == [x]
    assert ws.changes().stale_ready == [moved, gone]


def test_a_record_put_back_as_it_was_is_still_written():
    ws = working_set(executions=[an_execution(1)])
    ws.executions.put(an_execution(1, priority=1))
    ws.executions.put(an_execution(1))

    assert ws.changes().executions == [(an_execution(1), an_execution(1))]


def test_nothing_done_is_nothing_to_write():
    ws = working_set(executions=[an_execution(1)], claims=[NEED])
    ws.queue.claimable(NEED, 5, lambda x: x)

    assert ws.changes().is_empty
