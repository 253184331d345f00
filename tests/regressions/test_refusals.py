"""Whoever is refused can tell by the class whether to send it again."""

import re
from collections.abc import Iterator

import pytest

import flowfabric
from flowfabric import (
    BudgetExceeded,
    EngineError,
    ExecutionNotActive,
    ExecutionPolicy,
    InvalidToken,
    NotFound,
    RetryPolicy,
)

WORTH_A_RETRY = {"Contention", "RetryExhausted", "StoreUnavailable"}


def _classes(root: type[EngineError] = EngineError) -> Iterator[type[EngineError]]:
    yield root
    for child in root.__subclasses__():
        yield from _classes(child)


PUBLIC = [each for each in _classes() if getattr(flowfabric, each.__name__, None) is each]


def _made(refusal: type[EngineError]) -> EngineError:
    if refusal is NotFound:
        return NotFound("execution")
    if refusal is ExecutionNotActive:
        return ExecutionNotActive("completed", 3)
    if refusal is InvalidToken:
        return InvalidToken()
    if refusal is BudgetExceeded:
        return BudgetExceeded("usd", 3)
    return refusal("why")


def test_only_contention_and_an_unavailable_store_are_worth_a_retry() -> None:
    assert {each.__name__ for each in PUBLIC if _made(each).retryable} == WORTH_A_RETRY


@pytest.mark.parametrize("refusal", PUBLIC, ids=lambda each: each.__name__)
def test_every_refusal_has_the_code_of_its_own_name(refusal: type[EngineError]) -> None:
    spelled = re.sub(r"(?<!^)(?=[A-Z])", "_", refusal.__name__).lower()

    assert _made(refusal).code == spelled
    assert len({_made(each).code for each in PUBLIC}) == len(PUBLIC)


@pytest.mark.parametrize("policy", [ExecutionPolicy, RetryPolicy])
def test_a_policy_has_no_field_that_does_nothing(policy: type) -> None:
    with pytest.raises(TypeError):
        policy(unheard_of=1)
    fields = {
        *("attempt_timeout_ms", "max_interruptions", "max_replays", "retention_ms", "retry"),
        *("stream_max_bytes", "stream_max_frames"),
    }
    of_retry = {"backoff", "initial_delay_ms", "jitter", "max_delay_ms", "max_retries", "multiplier"}
    assert set(policy.__struct_fields__) in (fields, of_retry)
