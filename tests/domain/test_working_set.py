"""What a batch sees of its own changes, and how a refused command is undone."""

from msgspec.structs import replace

from flowfabric.domain.exchange import ClaimNeed, Loaded, Needs
from flowfabric.domain.execution import IdempotencyKey, Ready, ready_of
from flowfabric.domain.outcomes import RememberedAnswer
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE, an_execution, an_id, working_set

NEED = ClaimNeed("default", ("default",), frozenset())
KEY = IdempotencyKey("default", "order-7", an_id(1), b"f", NOW + 1)
ANSWER = RememberedAnswer("", "c-1", b"f", b"a", NOW + 1)


def _everything(ws: WorkingSet) -> None:
    """Change one of each kind."""
    x = ws.emit(an_execution(1, priority=9), "operator", "held")
    ws.put(x)
    ws.put(an_execution(5))
    ws.put_payload(an_id(5), b"payload")
    ws.put_result(an_execution(1), b"result")
    ws.put_idempotency_key(KEY)
    ws.put_answer(ANSWER)


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
    assert ws.find(an_id(1)) == an_execution(1)
    assert ws.find(an_id(5)) is None
    assert ws.idempotency_key("default", "order-7") is None
    assert ws.answer("", "c-1") is None


def test_undoing_leaves_everything_of_the_commands_before():
    ws, twin = _roomy(), _roomy()
    for each in (ws, twin):
        each.begin()
        _everything(each)
    ws.begin()
    ws.put(an_execution(1, priority=1))
    ws.put_result(an_execution(1), None)
    ws.forget_idempotency_key("default", "order-7")
    ws.forget_answer("", "c-1")
    ws.emit(an_execution(5), "operator", "unheld")
    ws.remove(an_execution(5))

    ws.undo()

    assert ws.changes() == twin.changes()


def test_what_was_undone_is_claimed_as_it_was_before():
    ws = _roomy()
    ws.begin()
    ws.put(replace(an_execution(1), eligibility_state="blocked_by_operator"))
    ws.undo()

    assert ws.claimable(NEED, 5) == [an_execution(1)]


def test_the_same_record_put_several_times_is_claimable_once():
    ws = working_set(executions=[an_execution(1)], claims=[NEED])
    for priority in (3, 9, 3, 9):
        ws.put(an_execution(1, priority=priority))

    taken = ws.claimable(NEED, 5)

    assert taken == [an_execution(1, priority=9)]


def test_a_claim_that_looks_further_than_it_takes_leaves_the_rest_for_the_next():
    queue = [an_execution(number, ready_at_ms=NOW - 10 + number) for number in (1, 2, 3)]
    ws = working_set(executions=queue, claims=[NEED])

    found = []
    for _ in range(4):
        for x in ws.claimable(NEED, 1):
            ws.put(replace(x, lifecycle_phase="active", eligibility_state="not_applicable"))
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

    taken = ws.claimable(NEED, 5)

    assert taken == [x]
    assert ws.changes().stale_ready == [moved, gone]


def test_a_record_put_back_as_it_was_is_still_written():
    ws = working_set(executions=[an_execution(1)])
    ws.put(an_execution(1, priority=1))
    ws.put(an_execution(1))

    assert ws.changes().executions == [(an_execution(1), an_execution(1))]


def test_nothing_done_is_nothing_to_write():
    ws = working_set(executions=[an_execution(1)], claims=[NEED])
    ws.claimable(NEED, 5)

    assert ws.changes().is_empty
