"""Numbers as people read them."""

import pytest

from flowfabric.domain.words import counted, span, span_ahead, times


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


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (340, "340 ms"),
        (3_449, "3.4 s"),
        (9_960, "10 s"),
        (29_600, "30 s"),
        (119_600, "2 min"),
        (150_000, "2 min 30 s"),
        (45 * 60_000 + 40_000, "46 min"),
        (3_600_000 - 1, "60 min"),
        (8 * 3_600_000 - 90_000, "7 h 59 min"),
        (8 * 3_600_000 - 1_000, "8 h"),
        (86_400_000 - 1_000, "24 h"),
        (2 * 86_400_000 - 1_000, "2 d"),
        (3 * 86_400_000 - 1_000, "3 d"),
        (3 * 86_400_000 - 3_600_000, "2 d 23 h"),
        (14 * 86_400_000 - 3_600_000, "14 d"),
    ],
)
def test_a_span_that_is_still_to_come_is_rounded_to_the_nearest(ms: int, words: str) -> None:
    assert span_ahead(ms) == words
