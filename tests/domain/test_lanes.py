"""What lanes hold, put together from what was counted."""

import pytest

from flowfabric.domain.lanes import RecentEnds

NOW = 1_700_000_000_000


@pytest.mark.parametrize(
    ("counted_for_ms", "ended", "expected"),
    [(60_000, 7, 7), (600_000, 7, 7), (30_000, 7, 14), (1_000, 500, 30_000), (0, 3, 180_000)],
)
def test_ends_that_were_counted_for_less_than_a_minute_are_scaled_up_to_one(
    counted_for_ms: int, ended: int, expected: int
):
    ends = RecentEnds({("default", "mail"): ended}, NOW - counted_for_ms)

    assert ends.in_last_minute("default", "mail", NOW) == expected
    assert ends.in_last_minute("default", "print", NOW) == 0
