"""Numbers as people read them."""

import pytest

from flowfabric.domain.words import counted, span, times


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (-5, "0 ms"),
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1 s"),
        (9_949, "9.9 s"),
        (119_999, "119 s"),
        (120_000, "2 min"),
        (7_200_000, "2 h"),
        (172_800_000, "2 d"),
    ],
)
def test_a_span_is_said_in_one_unit(ms: int, said: str) -> None:
    assert span(ms) == said


def test_one_thing_is_not_said_in_the_plural() -> None:
    assert [counted(number, "flow") for number in (0, 1, 2)] == ["0 flows", "1 flow", "2 flows"]
    assert [times(number) for number in (0, 1, 2)] == ["0 times", "once", "2 times"]
