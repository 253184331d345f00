"""Whose turn it is to walk: the holder's until its time is over, then that of whoever asks first."""

from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.turns import Turn, turn_after

NOW = 1_000
SOMEWHERE = parse_execution_id("{fp:7}:0197a3b0-0000-7000-8000-000000000001")
ELSEWHERE = parse_execution_id("{fp:9}:0197a3b0-0000-7000-8000-000000000001")


def test_the_first_who_asks_has_the_turn() -> None:
    asked = Turn("a", NOW + 60, None)

    assert turn_after(None, asked, NOW) == asked


def test_the_holder_extends_its_turn_and_notes_how_far_it_has_come() -> None:
    asked = Turn("a", NOW + 60, ELSEWHERE)

    assert turn_after(Turn("a", NOW + 10, SOMEWHERE), asked, NOW) == asked


def test_a_turn_that_is_not_over_stays_where_it_is() -> None:
    kept = Turn("a", NOW + 1, SOMEWHERE)

    assert turn_after(kept, Turn("b", NOW + 60, None), NOW) == kept


def test_a_turn_that_is_over_passes_on_and_the_walk_goes_on_where_it_was() -> None:
    assert turn_after(Turn("a", NOW, SOMEWHERE), Turn("b", NOW + 60, None), NOW) == Turn("b", NOW + 60, SOMEWHERE)
