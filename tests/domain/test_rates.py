"""The rate of a limit, compared with a slow model: a bucket of whole and partial tokens, and every window of starts."""

import random
from fractions import Fraction

import pytest

from flowfabric.domain.commands import Complete, Fail, Release, ResumeExecution
from flowfabric.domain.limits import (
    KeyUse,
    Limit,
    by_present_numbers,
    is_idle,
    opens_at_ms,
    room_in,
    unused,
    why_closed,
    with_slot,
    without_slot,
)
from tests.domain.gate_stage import Stage

AT = ("default", "api", "")


class Bucket:
    """The slow model. It holds at most a burst of tokens, and gets one in each pace."""

    def __init__(self, limit: Limit, now_ms: int) -> None:
        self.limit = limit
        self.tokens = Fraction(limit.starts_at_once)
        self.seen_ms = now_ms
        self.starts: list[int] = []

    def at(self, now_ms: int) -> Fraction:
        gained = Fraction((now_ms - self.seen_ms) * 1000, self.limit.pace_us)
        self.tokens = min(self.tokens + gained, Fraction(self.limit.starts_at_once))
        self.seen_ms = now_ms
        return self.tokens

    def start(self, now_ms: int) -> None:
        self.tokens = self.at(now_ms) - 1
        self.starts.append(now_ms)

    def check_windows(self) -> None:
        """In no window are there more starts than the rate allows for its length, and a burst."""
        rate, per_ms = self.limit.rate, self.limit.per_ms
        assert rate is not None
        for first, since in enumerate(self.starts):
            for number, until in enumerate(self.starts[first:], start=1):
                assert number <= Fraction(rate * (until - since), per_ms) + self.limit.starts_at_once


def _limit(chance: random.Random) -> Limit:
    rate, burst = chance.choice((1, 3, 7, 60, 1000)), chance.choice((None, 1, 2, 10))
    return Limit(*AT[:2], None, None, rate, chance.choice((1_000, 60_000, 3_600_000)), burst)


@pytest.mark.parametrize("seed", range(40))
def test_a_key_starts_exactly_what_a_bucket_of_tokens_would_and_no_window_has_more(seed: int):
    chance = random.Random(seed)
    limit, now_ms = _limit(chance), 1_700_000_000_000
    use, bucket = unused(AT), Bucket(limit, now_ms)
    pace_ms = max(limit.pace_us // 1000, 1)

    for _ in range(120):
        now_ms += chance.choice((0, 0, 0, 1, pace_ms // 2, pace_ms, 3 * pace_ms, limit.per_ms))
        tokens = bucket.at(now_ms)
        assert room_in(limit, use, now_ms, 10**6) == tokens.__floor__()
        if why_closed(limit, use, now_ms) is None:
            assert tokens >= 1
            bucket.start(now_ms)
            use = without_slot(with_slot(limit, use, now_ms, starts=True))
        else:
            assert tokens < 1
            opens_ms = opens_at_ms(limit, use, now_ms)
            assert opens_ms is not None
            assert why_closed(limit, use, opens_ms - 1) == "rate"
            assert why_closed(limit, use, opens_ms) is None
        if is_idle(use, now_ms):
            use = unused(AT)  # an idle key may be forgotten at any time
    bucket.check_windows()


@pytest.mark.parametrize("seed", range(6))
def test_starts_of_claims_keep_to_the_rate_while_attempts_are_retried_released_and_resumed(seed: int):
    chance = random.Random(seed)
    stage = Stage()
    limit = Limit(*AT[:2], None, None, chance.choice((5, 20)), 10_000, chance.choice((None, 2)))
    stage.limit("api", None, limit.rate, limit.burst, per_ms=limit.per_ms)
    bucket = Bucket(limit, stage.store.now_ms)
    suspended = []

    for _ in range(60):
        for _ in range(chance.choice((0, 1, 3))):
            stage.make(limits={"api": ""})
        if suspended and chance.random() < 0.5:
            stage.one(ResumeExecution(suspended.pop(), b"", "", "kid"))
        for lease in stage.claim(limit=5):
            x = stage.x(lease.execution_id)
            if x.inbox is None:
                bucket.start(stage.store.now_ms)
            end = chance.choice(("complete", "retry", "release", "suspend"))
            if end == "suspend" and x.inbox is None:
                stage.one(stage.suspend_command(lease))
                suspended.append(lease.execution_id)
            else:
                ends = {"retry": Fail(lease, "boom", "", True, 0), "release": Release(lease)}
                stage.one(ends.get(end, Complete(lease, None)) if x.inbox is None else Complete(lease, None))
        stage.wait(chance.choice((0, 100, 500, 3_000)))
    assert len(bucket.starts) > 20
    bucket.check_windows()


def test_a_raised_rate_is_felt_after_one_start_at_the_new_pace():
    stage = Stage()
    stage.limit(rate=1, per_ms=86_400_000)
    ids = [stage.make(limits={"api": ""}) for _ in range(3)]
    first = stage.claimed()
    stage.limit(rate=10, per_ms=1_000)
    for _ in range(3):
        stage.wait(0)
    at_once = stage.claimed()
    stage.wait(100)

    assert (first, at_once) == ([ids[0]], [])
    assert stage.claimed() == [ids[1]]


def test_the_use_of_a_key_is_cut_to_what_its_present_numbers_allow_and_never_raised():
    limit = Limit(*AT[:2], None, None, 10, 1_000, None)
    far, near = KeyUse(*AT, busy_until_us=10**9), KeyUse(*AT, busy_until_us=5)

    assert by_present_numbers(limit, far, 1_000).busy_until_us == 2_000_000
    assert by_present_numbers(limit, near, 1_000) is near
    assert by_present_numbers(None, far, 1_000) is far
