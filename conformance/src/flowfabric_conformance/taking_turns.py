"""Fair keys: executions of one lane and priority take turns by their keys, and nobody waits for a crowd."""

from typing import Any, Final

from flowfabric import BlockingEngine, ManualClock, NewExecution
from flowfabric_conformance.gate_stage import RETRIED, claims, gated
from flowfabric_conformance.stage import claim_ids, create, look

HOUR_MS: Final = 3_600_000


def _made(engine: BlockingEngine, keys: str, **arguments: Any) -> dict[str, str]:
    """Executions with these fair keys, one after another. Returns the key of each, in the order of the letters."""
    found: dict[str, str] = {}
    for key in keys:
        found[create(engine, fair_key=key, **arguments)] = key
    return found


def _order(engine: BlockingEngine, of: dict[str, str], **arguments: Any) -> str:
    """The keys of what claims get, one at a time."""
    came = ""
    while ids := claim_ids(engine, limit=1, **arguments):
        came += of[ids[0]]
    return came


def test_a_crowd_of_one_key_lets_another_key_go_between(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aaaabb")

    assert _order(engine, of) == "ababaa"


def test_three_keys_take_turns_in_the_order_in_which_they_came(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aaabbbccc")

    assert _order(engine, of) == "abcabcabc"


def test_one_claim_of_many_takes_the_same_order(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aaabbc")

    assert "".join(of[key] for key in claim_ids(engine)) == "abcaba"


def test_a_key_that_comes_late_does_not_catch_up_on_turns_it_never_waited_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    of = _made(engine, "aaaaaaaa")
    first = "".join(of[key] for key in claim_ids(engine, limit=5))
    of |= _made(engine, "bbbb")

    assert first == "aaaaa"
    # Three of `a` are left, in the turns 6 to 8. Those of `b` begin with turn 5, which was claimed last.
    assert _order(engine, of) == "bababab"


def test_an_execution_without_a_key_stands_in_the_turn_that_runs_now(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    of = _made(engine, "aaa")
    of[create(engine)] = "-"

    assert _order(engine, of)[:2] in ("a-", "-a")


def test_priorities_come_first_and_have_turns_of_their_own(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aab")
    of |= {key: name.upper() for key, name in _made(engine, "aab", priority=5).items()}

    assert _order(engine, of) == "ABAaba"


def test_lanes_have_turns_of_their_own(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aaaa", lane="mail")
    for _ in range(3):
        claim_ids(engine, limit=1, lanes=["mail"])
    of |= {key: name.upper() for key, name in _made(engine, "bb", lane="print").items()}
    of |= _made(engine, "cc", lane="mail")

    came = _order(engine, of, lanes=["mail", "print"])

    assert sorted(came) == sorted("aBBcc")
    assert came.index("B") < 3
    assert came.index("c") < 3


def test_a_released_execution_gets_a_new_turn_and_a_resumed_one_keeps_its_own(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    of = _made(engine, "aaab", policy=RETRIED)
    (first,) = claims(engine, limit=1)
    engine.suspend(first.lease, "approval", "editor")
    engine.signal(first.execution_id, "editor")

    assert claim_ids(engine, limit=1) == [first.execution_id]
    assert _order(engine, of) == "baa"


def test_turns_and_limits_hold_together(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    of: dict[str, str] = {}
    for key in "aaabb":
        of[gated(engine, fair_key=key)] = key
    came = ""
    for _ in range(5):
        (running,) = claims(engine, limit=3)
        came += of[running.execution_id]
        engine.complete(running.lease)

    assert came == "ababa"


def test_parked_executions_come_back_in_the_order_of_their_turns(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine, fair_key="z")
    (running,) = claims(engine)
    of: dict[str, str] = {}
    for key in "aaab":
        clock.advance(1)
        of[gated(engine, fair_key=key)] = key
    claims(engine)
    came = ""
    for _ in range(4):
        engine.complete(running.lease)
        (running,) = claims(engine)
        came += of[running.execution_id]

    assert came == "abaa"


def test_many_of_one_key_delay_another_by_one_turn(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_executions([NewExecution(kind="job", fair_key="crowd") for _ in range(500)])
    claim_ids(engine, limit=40)
    lone = create(engine, fair_key="lone")

    assert lone in claim_ids(engine, limit=2)
    assert look(engine, lone).public_state == "active"


def test_fair_keys_that_are_idle_are_forgotten_and_nothing_changes_for_them(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    of = _made(engine, "abcaa")
    for each in claims(engine):
        engine.complete(each.lease)
    clock.advance(HOUR_MS - 1)
    early = engine.reconcile()["idle_turns"]
    clock.advance(1)
    done = engine.reconcile()["idle_turns"]
    again = engine.reconcile()["idle_turns"]
    of |= _made(engine, "aabbc")

    assert (early, done, again) == (0, 3, 0)
    assert _order(engine, of) == "abcab"


def test_a_fair_key_with_a_backlog_is_not_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    of = _made(engine, "aaaa")
    (first,) = claims(engine, limit=1)
    engine.complete(first.lease)
    clock.advance(2 * HOUR_MS)
    done = engine.reconcile()["idle_turns"]
    of |= _made(engine, "abb")

    assert done == 0
    assert _order(engine, of) == "babaaa"
