"""The time of a store: it follows the machine's clock forward, and goes on without it when that is set back."""

import pytest

from flowfabric.domain.passing_time import STEP_MS, KeptTime, Told, told

NOW = 1_700_000_000_000
HOUR = 3_600_000


@pytest.mark.parametrize(
    ("last", "highest_ms", "wall_ms", "expected"),
    [
        (None, 0, NOW, Told(NOW, 500)),
        (None, NOW, NOW + HOUR, Told(NOW + HOUR, 500)),
        # Behind by so little that it is waited for.
        (None, NOW, NOW - STEP_MS, Told(NOW, 500)),
        (Told(NOW, 450), 0, NOW - 200, Told(NOW, 500)),
        # Behind by more: time goes on from the highest that was kept, or told, whichever is higher.
        (None, NOW, NOW - HOUR, Told(NOW, 500, HOUR)),
        (Told(NOW, 400), 0, NOW - HOUR, Told(NOW + 100, 500, HOUR + 100)),
        (Told(NOW, 400), NOW + 7_000, NOW - HOUR, Told(NOW + 7_000, 500, HOUR + 7_000)),
        (Told(NOW, 400, HOUR), NOW, NOW - HOUR, Told(NOW + 100, 500, HOUR + 100)),
        # Set right again.
        (Told(NOW, 400, HOUR), NOW, NOW + 100, Told(NOW + 100, 500)),
    ],
)
def test_time_follows_the_machine_unless_that_is_behind(
    last: Told | None, highest_ms: int, wall_ms: int, expected: Told
) -> None:
    assert told(last, highest_ms, wall_ms=wall_ms, monotonic_ms=500) == expected


def test_the_highest_time_is_kept_once_per_second_of_it() -> None:
    kept = KeptTime(NOW, 3)

    assert kept.at(NOW + STEP_MS - 1) is kept
    assert kept.at(NOW + STEP_MS) == KeptTime(NOW + STEP_MS, 3)
    assert kept.at(NOW - HOUR) is kept
