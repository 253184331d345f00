"""The checker by itself: histories written by hand that can be explained, and some that cannot."""

from typing import Any

from tests.histories.checker import check
from tests.histories.history import Call
from tests.histories.model import ExecutionModel

LEASE = {"lease_epoch": 1, "lease_id": "one"}
CLAIMED = {"is": "Claimed", "attempt_index": 0, "lease_epoch": 1, "lease_id": "one", "claim_type": "first"}
CLAIMED |= {"expires_at_ms": 1_000_000}
SUBMITTED = ("submit", {"payload": "p"}, {"is": "Created", "execution_id": "x", "public_state": "waiting"})
TOOK = ("claim", {"ttl_ms": 60_000}, CLAIMED)


def call(begun: float, ended: float | None, verb: str, given: dict[str, Any], answer: dict[str, Any]) -> Call:
    if ended is None:
        return Call("c", int(begun * 10), "x", verb, given, begun, int(begun))
    return Call("c", int(begun * 10), "x", verb, given, begun, int(begun), answer, ended, ended)


def found(*calls: Call) -> str | None:
    """The verb and the time of the call that nothing explains."""
    unexplained = check(calls, ExecutionModel())
    return None if unexplained is None else f"{unexplained.call.verb} at {unexplained.call.begun:g}"


COMPLETED = ("complete", {"lease": LEASE, "result": "r"}, {"is": "Completed"})
CANCELLED = ("cancel", {"reason": "stop"}, {"is": "Cancelled", "public_state": "cancelled"})


def test_calls_one_after_the_other_are_explained_in_that_order() -> None:
    result = ("result", {}, {"is": "Result", "value": "r"})

    assert found(call(0, 1, *SUBMITTED), call(2, 3, *TOOK), call(4, 5, *COMPLETED), call(6, 7, *result)) is None


def test_a_read_that_overlaps_a_write_may_see_either_and_a_later_one_may_not() -> None:
    before = ("result", {}, {"is": "Result", "value": None})
    begin = (call(0, 1, *SUBMITTED), call(2, 3, *TOOK), call(4, 8, *COMPLETED))

    assert found(*begin, call(5, 9, *before)) is None
    assert found(*begin, call(9, 10, *before)) == "result at 9"


def test_a_claim_that_is_handed_out_twice_is_found() -> None:
    assert found(call(0, 1, *SUBMITTED), call(2, 5, *TOOK), call(3, 6, *TOOK)) == "claim at 3"


def test_a_completion_under_a_lease_that_was_taken_away_is_found() -> None:
    revoked = ("revoke", {}, {"is": "Revoked", "lease_id": "one", "lease_epoch": 2})
    begin = (call(0, 1, *SUBMITTED), call(2, 3, *TOOK), call(4, 6, *revoked))

    assert found(*begin, call(7, 8, *COMPLETED)) == "complete at 7"


def test_two_outcomes_are_found_whatever_their_order() -> None:
    begin = (call(0, 1, *SUBMITTED), call(2, 3, *TOOK))

    assert found(*begin, call(4, 9, *COMPLETED), call(5, 10, *CANCELLED)) == "cancel at 5"


def test_a_lost_call_may_have_happened_late_or_never_but_not_before_it_began() -> None:
    begin = (call(0, 1, *SUBMITTED), call(2, 3, *TOOK))
    refused = ("complete", COMPLETED[1], {"refused": "ExecutionNotActive", "public_state": "cancelled"})
    fenced = (refused[0], refused[1], {**refused[2], "lease_epoch": 2})
    lost = call(4, None, *CANCELLED)

    assert found(*begin, lost, call(8, 9, *COMPLETED)) is None
    assert found(*begin, lost, call(8, 9, *fenced)) is None
    assert found(*begin, call(10, None, *CANCELLED), call(8, 9, *fenced)) == "complete at 8"


def test_a_completion_after_the_end_of_its_lease_is_found() -> None:
    short = ("claim", {"ttl_ms": 5}, {**CLAIMED, "expires_at_ms": 7})

    assert found(call(0, 1, *SUBMITTED), call(2, 3, *short), call(4, 8, *COMPLETED)) is None
    assert found(call(0, 1, *SUBMITTED), call(2, 3, *short), call(8, 9, *COMPLETED)) == "complete at 8"


def test_a_claim_that_finds_nothing_although_nobody_is_in_its_way_is_found() -> None:
    nothing = ("claim", {"ttl_ms": 5}, {"is": "nothing"})

    assert found(call(0, 2, *SUBMITTED), call(1, 3, *nothing)) is None
    assert found(call(0, 1, *SUBMITTED), call(2, 3, *nothing)) == "claim at 2"


def test_what_is_found_is_said_in_words() -> None:
    told = str(check([call(0, 1, *SUBMITTED), call(2, 5, *TOOK), call(3, 6, *TOOK)], ExecutionModel()))

    assert "No order of the calls explains this answer about x" in told
    assert "claim(ttl_ms=60000) → Claimed(" in told
