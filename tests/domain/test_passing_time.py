"""The time of a store: it follows the machine's clock forward, and goes on without it when that is set back."""

import pytest

from flowfabric.domain.passing_time import STEP_MS, KeptTime, TimeReading, read_time

NOW = 1_700_000_000_000
HOUR = 3_600_000


@pytest.mark.parametrize(
    ("last", "highest_ms", "wall_ms", "expected"),
    [
        (None, 0, NOW, TimeReading(NOW, 500)),
        (None, NOW, NOW + HOUR, TimeReading(NOW + HOUR, 500)),
        # Behind by so little that it is waited for.
        (None, NOW, NOW - STEP_MS, TimeReading(NOW, 500)),
        (TimeReading(NOW, 450), 0, NOW - 200, TimeReading(NOW, 500)),
        # Behind by more: time goes on from the highest that was kept or read, whichever is higher.
        (None, NOW, NOW - HOUR, TimeReading(NOW, 500, HOUR)),
        (TimeReading(NOW, 400), 0, NOW - HOUR, TimeReading(NOW + 100, 500, HOUR + 100)),
        (TimeReading(NOW, 400), NOW + 7_000, NOW - HOUR, TimeReading(NOW + 7_000, 500, HOUR + 7_000)),
        (TimeReading(NOW, 400, HOUR), NOW, NOW - HOUR, TimeReading(NOW + 100, 500, HOUR + 100)),
        # Set right again.
        (TimeReading(NOW, 400, HOUR), NOW, NOW + 100, TimeReading(NOW + 100, 500)),
    ],
)
def test_time_follows_the_machine_unless_that_is_behind(
    last: TimeReading | None, highest_ms: int, wall_ms: int, expected: TimeReading
) -> None:
    assert read_time(last, KeptTime(highest_ms), wall_ms=wall_ms, monotonic_ms=500, boot_id="") == expected


@pytest.mark.parametrize(
    ("last", "boot_id", "monotonic_ms", "expected"),
    [
        # A process that is started later counts on from the moment at which the highest time was kept.
        (None, "this", 60_500, TimeReading(NOW + 60_000, 60_500, HOUR + 60_000)),
        (TimeReading(NOW, 60_400), "this", 60_500, TimeReading(NOW + 60_000, 60_500, HOUR + 60_000)),
        # After another boot, or where no boot is known, nobody can tell how much time has passed.
        (None, "another", 60_500, TimeReading(NOW, 60_500, HOUR)),
        (None, "", 60_500, TimeReading(NOW, 60_500, HOUR)),
        # A clock that claims to have gone back is not believed.
        (None, "this", 400, TimeReading(NOW, 400, HOUR)),
    ],
)
def test_time_goes_on_since_it_was_kept_if_the_machine_has_not_booted_since(
    last: TimeReading | None, boot_id: str, monotonic_ms: int, expected: TimeReading
) -> None:
    kept = KeptTime(NOW, 0, 500, "this")

    assert read_time(last, kept, wall_ms=NOW - HOUR, monotonic_ms=monotonic_ms, boot_id=boot_id) == expected


def test_a_clock_that_is_not_behind_is_followed_whatever_has_passed_since() -> None:
    kept = KeptTime(NOW, 0, 500, "this")

    assert read_time(None, kept, wall_ms=NOW + 59_500, monotonic_ms=60_500, boot_id="this") == TimeReading(
        NOW + 59_500, 60_500
    )


def test_the_highest_time_is_kept_once_per_second_of_it() -> None:
    kept = KeptTime(NOW, 3, 500, "this")

    assert kept.at(NOW + STEP_MS - 1, monotonic_ms=1_499, boot_id="this") is kept
    assert kept.at(NOW + STEP_MS, monotonic_ms=1_500, boot_id="this") == KeptTime(NOW + STEP_MS, 3, 1_500, "this")
    assert kept.at(NOW + STEP_MS, monotonic_ms=1_500, boot_id="") == KeptTime(NOW + STEP_MS, 3)
    assert kept.at(NOW - HOUR, monotonic_ms=1_500, boot_id="this") is kept
