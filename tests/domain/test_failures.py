"""Which failure belongs to what: rows of earlier runs, and of releases that know no such rows, must mislead nobody."""

import pytest
from msgspec.structs import replace

from flowfabric.domain.execution import Attempt, FailedAttempt
from flowfabric.domain.snapshots import Failure, attempt_snapshot_of, snapshot_of
from flowfabric.domain.states import AttemptOutcome
from tests.domain.records import an_execution, an_id

ROW = FailedAttempt(an_id(), 2, 5, "Boom", "it broke", "line 1")
RAN = Attempt(an_id(), 2, 5, "w", "w-1", 1, 2, "retry")


@pytest.mark.parametrize("outcome", ["retry", "failed"])
def test_a_failed_attempt_shows_its_failure(outcome: AttemptOutcome) -> None:
    shown = attempt_snapshot_of(replace(RAN, outcome=outcome), an_execution(), ROW)

    assert shown.failure == Failure("Boom", "it broke", "line 1")


@pytest.mark.parametrize(
    "attempt",
    [
        replace(RAN, lease_epoch=6),
        replace(RAN, attempt_index=1),
        replace(RAN, outcome="success"),
        replace(RAN, outcome="interrupted"),
        replace(RAN, outcome=None),
    ],
)
def test_a_failure_of_another_run_is_not_shown(attempt: Attempt) -> None:
    assert attempt_snapshot_of(attempt, an_execution(), ROW).failure is None


def test_an_execution_shows_the_traceback_of_the_failure_that_it_tells() -> None:
    failed = an_execution(failure_code="Boom", failure_message="it broke")

    assert snapshot_of(failed, ROW).failure == Failure("Boom", "it broke", "line 1")
    assert snapshot_of(replace(failed, failure_message="otherwise"), ROW).failure == Failure("Boom", "otherwise")
    assert snapshot_of(failed).failure == Failure("Boom", "it broke")
    assert snapshot_of(an_execution(), ROW).failure is None
