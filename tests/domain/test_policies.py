"""How long a retry waits, and which policies cannot be followed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.policies import DURATION_MS_MAX, RETRIES_MAX, ExecutionPolicy, RetryPolicy
from tests.domain.records import an_id

EXACT = {"jitter": 0.0}


@pytest.mark.parametrize(
    ("policy", "delays"),
    [
        (RetryPolicy(backoff="fixed", initial_delay_ms=500, **EXACT), [500, 500, 500, 500]),
        (RetryPolicy(initial_delay_ms=1000, **EXACT), [1000, 2000, 4000, 8000]),
        (RetryPolicy(initial_delay_ms=1000, multiplier=3.0, **EXACT), [1000, 3000, 9000, 27_000]),
        (RetryPolicy(initial_delay_ms=1000, multiplier=1.0, **EXACT), [1000, 1000, 1000, 1000]),
        (RetryPolicy(initial_delay_ms=1000, max_delay_ms=3000, **EXACT), [1000, 2000, 3000, 3000]),
        (RetryPolicy(initial_delay_ms=9000, max_delay_ms=3000, backoff="fixed", **EXACT), [3000, 3000, 3000, 3000]),
        (RetryPolicy(initial_delay_ms=0, **EXACT), [0, 0, 0, 0]),
        (RetryPolicy(max_delay_ms=0), [0, 0, 0, 0]),
        (RetryPolicy(initial_delay_ms=3, multiplier=1.5, **EXACT), [3, 5, 7, 11]),
    ],
)
def test_delays_grow_by_the_policy_up_to_its_cap(policy: RetryPolicy, delays: list[int]):
    assert [policy.delay_ms(retry, an_id(), 0) for retry in (1, 2, 3, 4)] == delays


@given(
    st.integers(1, RETRIES_MAX),
    st.integers(0, DURATION_MS_MAX),
    st.integers(0, DURATION_MS_MAX),
    st.one_of(st.floats(1.0, 1_000_000.0), st.integers(1, 1_000_000)),
    st.floats(0.0, 1.0),
    st.sampled_from(["fixed", "exponential"]),
)
def test_every_delay_is_whole_finite_and_within_its_cap(retry, initial, cap, multiplier, jitter, backoff):
    policy = RetryPolicy(
        backoff=backoff, initial_delay_ms=initial, max_delay_ms=cap, multiplier=multiplier, jitter=jitter
    )

    delay = policy.delay_ms(retry, an_id(), 3)

    assert type(delay) is int
    assert min(initial, cap) <= delay <= cap


@pytest.mark.parametrize("retry", [1, 2, 310, 1024, 1025, RETRIES_MAX])
@pytest.mark.parametrize("multiplier", [1.0, 2.0, 1_000_000.0, 2, 1_000_000])
def test_the_millionth_retry_is_still_finite_and_quick_to_compute(retry: int, multiplier: float):
    policy = RetryPolicy(initial_delay_ms=10, max_delay_ms=60_000, multiplier=multiplier, jitter=0.0)

    assert 10 <= policy.delay_ms(retry, an_id(), 0) <= 60_000


@pytest.mark.parametrize("retry", [1, 2, 1024, 1025, RETRIES_MAX])
def test_no_delay_stays_no_delay_however_often_it_is_multiplied(retry: int):
    assert RetryPolicy(initial_delay_ms=0).delay_ms(retry, an_id(), 0) == 0


@given(st.integers(1, 10_000), st.integers(0, 1000))
def test_jitter_only_adds_and_never_more_than_its_fraction(number: int, attempt: int):
    policy = RetryPolicy(backoff="fixed", initial_delay_ms=1000, max_delay_ms=5000, jitter=0.25)

    delay = policy.delay_ms(1, an_id(number), attempt)

    assert 1000 <= delay <= 1250


def test_jitter_spreads_executions_and_attempts_apart():
    policy = RetryPolicy(backoff="fixed", initial_delay_ms=100_000, jitter=1.0)

    by_execution = {policy.delay_ms(1, an_id(number), 0) for number in range(1000)}
    by_attempt = {policy.delay_ms(1, an_id(1), attempt) for attempt in range(1000)}

    assert len(by_execution) > 900
    assert len(by_attempt) > 900


def test_jitter_is_the_same_at_every_asking():
    policy = RetryPolicy(jitter=1.0)

    assert policy.delay_ms(2, an_id(7), 3) == policy.delay_ms(2, an_id(7), 3) == 2646


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_retries": -1},
        {"max_retries": RETRIES_MAX + 1},
        {"max_retries": 1.0},
        {"max_retries": True},
        {"max_retries": None},
        {"max_retries": "3"},
        {"max_retries": 10**5000},
        {"backoff": "linear"},
        {"backoff": None},
        {"backoff": ["fixed"]},
        {"initial_delay_ms": -1},
        {"initial_delay_ms": DURATION_MS_MAX + 1},
        {"max_delay_ms": -1},
        {"max_delay_ms": 0.5},
        {"multiplier": 0.99},
        {"multiplier": math.nan},
        {"multiplier": math.inf},
        {"multiplier": "2"},
        {"multiplier": True},
        {"multiplier": 10**5000},
        {"jitter": -0.1},
        {"jitter": 1.1},
        {"jitter": math.nan},
    ],
)
def test_a_retry_policy_that_cannot_be_followed_is_refused(wrong: dict[str, object]):
    with pytest.raises(InvalidInput):
        RetryPolicy(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"retry": None},
        {"retry": {"max_retries": 3}},
        {"attempt_timeout_ms": 0},
        {"attempt_timeout_ms": -1},
        {"attempt_timeout_ms": 1.5},
        {"max_interruptions": -1},
        {"max_interruptions": None},
        {"max_replays": -1},
        {"retention_ms": -1},
        {"retention_ms": "1d"},
    ],
)
def test_an_execution_policy_that_cannot_be_followed_is_refused(wrong: dict[str, object]):
    with pytest.raises(InvalidInput):
        ExecutionPolicy(**wrong)
