"""Several processes on one file are normal: a web app, two workers, the command line."""

import random
from collections import Counter
from pathlib import Path

import pytest

from flowfabric import ExecutionPolicy, NewExecution, open_blocking_engine
from tests.stores.sqlite.books import connected, violations
from tests.stores.sqlite.processes import report_of, running, tell, wait_until_ready

EXECUTIONS = 10_000


@pytest.mark.xdist_group("sqlite: ten thousand claims")
def test_two_processes_claim_ten_thousand_executions_and_each_runs_exactly_once(url: str, path: Path) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        created = engine.create_executions([NewExecution(kind="kind")] * EXECUTIONS)

    with running("claim_everything", url, "a") as a, running("claim_everything", url, "b") as b:
        wait_until_ready(a)
        wait_until_ready(b)
        tell(a, "go")
        tell(b, "go")
        reports = [report_of(a), report_of(b)]

    assert [report["errors"] for report in reports] == [[], []]
    ran = [*reports[0]["ran"], *reports[1]["ran"]]
    assert Counter(ran) == Counter(answer.execution_id for answer in created)
    assert min(len(report["ran"]) for report in reports) > 0
    books = connected(path)
    assert violations(books) == []
    assert books.execute("select public_state, attempt_index, count(*) from ff_execution group by 1, 2").fetchall() == [
        ("completed", 0, EXECUTIONS)
    ]
    assert books.execute("select event_type, count(*) from ff_event group by 1 order by 1").fetchall() == [
        ("acquired", EXECUTIONS),
        ("completed", EXECUTIONS),
    ]
    books.close()


@pytest.mark.xdist_group("sqlite: races")
def test_complete_cancel_revoke_expiry_and_claims_race_and_every_execution_has_one_outcome(
    url: str, path: Path
) -> None:
    # With no interruption allowed a revoke or an expiry ends the execution, so that all verbs race for the one ending.
    policies = [ExecutionPolicy(max_interruptions=0), ExecutionPolicy(max_interruptions=10)]
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_executions([NewExecution(kind="kind", policy=policy) for policy in policies * 150])
        with running("race", url) as a, running("race", url) as b:
            wait_until_ready(a)
            wait_until_ready(b)
            # Some leases are over before the race begins, some run out while it is on, some live through it.
            leases = [
                claimed.lease
                for ttl_ms in (20, 150, 60_000)
                for claimed in engine.claim(worker_id="w", worker_instance_id="i", limit=100, lease_ttl_ms=ttl_ms)
            ]
            random.shuffle(leases)
            message = [
                (x.execution_id, x.attempt_index, x.lease_epoch, x.lease_id, x.worker_instance_id, x.expires_at_ms)
                for x in leases
            ]
            tell(a, message)
            tell(b, message)
            reports = [report_of(a), report_of(b)]

        told: dict[str, set[str]] = {lease.execution_id: set() for lease in leases}
        for _, execution_id, answer in [*reports[0]["answers"], *reports[1]["answers"]]:
            told[execution_id].add(answer)
        for execution_id, answers in told.items():
            snapshot = engine.describe_execution(execution_id)
            assert snapshot is not None
            assert snapshot.terminal_outcome == outcome_told_by(answers), answers
            if snapshot.terminal_outcome == "success":
                # Whoever completed it held the last lease there was.
                _store, _uuid, _attempt, epoch, _mark = engine.get_result(execution_id).decode().split(":")
                assert int(epoch) == snapshot.lease_epoch

    books = connected(path)
    assert violations(books) == []
    endings = dict(books.execute("select event_type, count(*) from ff_event where channel = 1 group by 1").fetchall())
    assert sum(endings.values()) == len(leases) == 300
    # Each verb won some of the races, or it took no part.
    won = {event_type for (event_type,) in books.execute("select distinct event_type from ff_event")}
    assert won == {"acquired", "completed", "cancelled", "failed", "revoked", "expired"}
    books.close()


def outcome_told_by(answers: set[str]) -> str:
    """The one ending that the callers were told of. A cancel ends whatever is left, so there always is one."""
    assert not answers >= {"Completed", "Cancelled"}, answers
    if "Completed" in answers:
        return "success"
    if "Cancelled" in answers:
        return "cancelled"
    # Everyone was refused: the lease was lost first, and the policy allowed no interruption.
    return "failed"
