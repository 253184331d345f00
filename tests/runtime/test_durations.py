from datetime import UTC, datetime, timedelta

import pytest

from flowfabric import InvalidInput
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("500ms", 500),
        ("2m", 120_000),
        ("1h30m", 5_400_000),
        ("1d 12h", 129_600_000),
        ("1.5s", 1_500),
        ("0s", 0),
        (30, 30_000),
        (0.29, 290),
        (0.0001, 1),
        (timedelta(minutes=2), 120_000),
        (timedelta(microseconds=1), 1),
    ],
)
def test_a_span_is_whole_milliseconds_and_never_rounded_to_nothing(written: Duration, ms: int) -> None:
    assert milliseconds("timeout", written) == ms


@pytest.mark.parametrize(
    "written",
    ["", "2", "2 minutes", "m2", "-2m", "2mm", "1e3s", -1, -0.5, True, None, timedelta(-1), float("nan"), float("inf"),
     10**30, "99999999999999d", b"2m", [2]],
)  # fmt: skip
def test_what_is_no_span_is_refused_by_the_name_of_its_option(written: Duration) -> None:
    with pytest.raises(InvalidInput, match=r"^timeout is .* it must be a span of time up to 100 years"):
        milliseconds("timeout", written)


def test_a_span_counts_from_now_and_an_instant_stands_for_itself() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)

    assert instant_ms("delay", "5s", 1_000) == 6_000
    assert instant_ms("delay", noon, 1_000) == int(noon.timestamp()) * 1_000


def test_an_instant_needs_a_time_zone() -> None:
    with pytest.raises(InvalidInput, match=r"^delay is 2026-01-01T12:00:00 without a time zone"):
        instant_ms("delay", datetime(2026, 1, 1, 12), 0)  # noqa: DTZ001
