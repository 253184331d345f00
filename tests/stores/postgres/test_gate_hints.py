"""What a process remembers of the keys of limits at which somebody is parked."""

import pytest

from flowfabric.domain.decide.admitting import limit_gate
from flowfabric.stores.postgres.gate_hints import GateHints

HERE, THERE = ("default", "here"), ("default", "there")
API, DB = ("default", "api", ""), ("default", "db", "")


@pytest.fixture
def hints() -> GateHints:
    return GateHints()


def test_claims_of_a_lane_are_called_where_all_are_parked_who_wait_for_the_freed_keys(hints: GateHints) -> None:
    hints.note_crowds([API, DB], HERE)
    hints.note_crowds([API])

    assert hints.lane_of_crowd([API, DB]) == HERE


@pytest.mark.parametrize("lane", [None, THERE])
def test_nobody_is_called_to_a_key_where_others_wait_too_or_may_wait(hints: GateHints, lane: tuple[str, str]) -> None:
    hints.note_crowds([API], HERE)
    hints.note_crowds([DB], lane)

    assert hints.lane_of_crowd([API, DB]) is None


def test_nobody_is_called_to_a_key_where_several_lanes_wait(hints: GateHints) -> None:
    for lane in (HERE, THERE, HERE):
        hints.note_crowds([API], lane)

    assert hints.lane_of_crowd([API]) is None

    hints.note_parked({limit_gate(API): ()})
    hints.note_crowds([API], HERE)

    assert hints.lane_of_crowd([API]) == HERE
