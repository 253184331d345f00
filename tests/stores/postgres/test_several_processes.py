"""Several processes on one database: who claims, who creates first, and who waits for whom."""

import random
import threading
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest

from flowfabric import BlockingEngine, NewExecution, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import report_of, running, tell, wait_until, wait_until_ready

EXECUTIONS = 10_000
COMMANDS = 250
"""How many each of eight threads sends."""
DEADLOCKS = "select deadlocks from pg_stat_database where datname = current_database()"
OTHERS = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"


# ── claims ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.xdist_group("postgres: ten thousand claims")
def test_two_processes_claim_ten_thousand_executions_and_each_runs_exactly_once(url: str, sql: Sql) -> None:
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
    # Neither starved: on two cores they are about even, on a busy machine not quite.
    assert min(len(report["ran"]) for report in reports) > EXECUTIONS // 20
    assert sql.execute("select public_state, attempt_index, count(*) from ff_execution group by 1, 2").fetchall() == [
        ("completed", 0, EXECUTIONS)
    ]
    assert sql.execute("select event_type, count(*) from ff_event group by 1 order by 1").fetchall() == [
        ("acquired", EXECUTIONS),
        ("completed", EXECUTIONS),
    ]
    assert sql.execute("select (select count(*) from ff_ready), (select count(*) from ff_due)").fetchone() == (0, 0)


@pytest.mark.parametrize("capabilities", [(), ("gpu",)])
def test_a_claim_takes_the_next_ones_where_another_holds_the_first(
    engine: BlockingEngine, sql: Sql, capabilities: tuple[str, ...]
) -> None:
    item = NewExecution(kind="kind", required_capabilities=capabilities)
    created = [answer.execution_id for answer in engine.create_executions([item] * 20)]
    held = [each[-36:] for each in created[:10]]
    with sql.transaction(force_rollback=True):
        sql.execute("select from ff_exec_core where execution_id = any(%s) for update", (held,))

        meanwhile = engine.claim(worker_id="w", worker_instance_id="i", capabilities=capabilities, limit=4)

    afterwards = engine.claim(worker_id="w", worker_instance_id="i", capabilities=capabilities, limit=20)
    assert [each.execution_id for each in meanwhile] == created[10:14]
    assert [each.execution_id for each in afterwards] == [*created[:10], *created[14:]]


def test_a_claim_does_not_wait_for_whoever_holds_all_there_is(engine: BlockingEngine, sql: Sql) -> None:
    engine.create_executions([NewExecution(kind="kind")] * 3)
    with sql.transaction(force_rollback=True):
        sql.execute("select from ff_exec_core for update")

        assert engine.claim(worker_id="w", worker_instance_id="i", limit=3) == []
    assert len(engine.claim(worker_id="w", worker_instance_id="i", limit=3)) == 3


# ── the same at once ─────────────────────────────────────────────────────────────────────────────


def answers_of_two(url: str, rounds: list[list[dict[str, Any]]]) -> list[list[list[str]]]:
    """What two processes with two threads each are told when all of them create the same."""
    with running("create_the_same", url) as a, running("create_the_same", url) as b:
        wait_until_ready(a)
        wait_until_ready(b)
        tell(a, rounds)
        tell(b, rounds)
        reports = [report_of(a)["answers"], report_of(b)["answers"]]
    return [first + second for first, second in zip(*reports, strict=True)]


def assert_created_once(answers: list[list[str]], items: int) -> None:
    """Of everyone who asked, one was told Created and all others Duplicate, and all of the same ids."""
    told = Counter(answer for one in answers for answer in one)
    created = {answer.split(" ")[1] for answer in told if answer.startswith("Created ")}
    expected = {f"Created {each}": 1 for each in created} | {f"Duplicate {each}": len(answers) - 1 for each in created}
    assert dict(told) == expected
    assert len(created) == items


@pytest.mark.xdist_group("postgres: the same at once")
def test_one_id_created_by_two_processes_at_once_is_created_once(url: str) -> None:
    rounds = [[{"kind": "kind", "execution_id": f"{{fp:7}}:{uuid4()}"}] for _ in range(150)]

    for answers in answers_of_two(url, rounds):
        assert_created_once(answers, 1)


@pytest.mark.xdist_group("postgres: the same at once")
def test_one_idempotency_key_used_by_two_processes_at_once_means_one_execution(url: str) -> None:
    rounds = [[{"kind": "kind", "idempotency_key": f"order-{number}"}] for number in range(150)]

    for answers in answers_of_two(url, rounds):
        assert_created_once(answers, 1)


@pytest.mark.xdist_group("postgres: the same at once")
def test_an_expired_idempotency_key_used_anew_by_two_at_once_means_one_new_execution(url: str, sql: Sql) -> None:
    rounds = [[{"kind": "kind", "idempotency_key": f"order-{number}"}] for number in range(100)]
    with open_blocking_engine(url, reconcile=False) as engine:
        first = {engine.create_execution(**items[0]).execution_id for items in rounds}
    sql.execute("update ff_idempotency set expires_at_ms = 1")

    told = answers_of_two(url, rounds)

    for answers in told:
        assert_created_once(answers, 1)
        assert answers[0][0].split(" ")[1] not in first


@pytest.mark.xdist_group("postgres: the same at once")
def test_batches_of_the_same_keys_and_ids_in_any_order_end_with_each_of_them_once(url: str, sql: Sql) -> None:
    rounds = [
        [
            {"kind": "kind", "execution_id": f"{{fp:{number % 3}}}:{uuid4()}", "idempotency_key": f"{batch}-{number}"}
            for number in range(12)
        ]
        for batch in range(40)
    ]

    for answers in answers_of_two(url, rounds):
        assert_created_once(answers, 12)
    assert sql.execute("select count(*) from ff_exec_core").fetchone() == (480,)


@pytest.mark.xdist_group("postgres: the same at once")
def test_one_command_id_sent_by_two_processes_at_once_gets_one_answer(url: str, sql: Sql) -> None:
    rounds = [[{"kind": "kind", "command_id": f"command-{number}"}] for number in range(100)]

    for answers in answers_of_two(url, rounds):
        assert len({answer for one in answers for answer in one}) == 1
        assert answers[0][0].startswith("Created ")
    assert sql.execute("select count(*) from ff_exec_core").fetchone() == (100,)


def test_a_new_capability_set_is_stored_once_though_two_engines_use_it_at_once(url: str, open_another: Open) -> None:
    engines = [open_another() for _ in range(2)]
    sets = [[f"token-{number}", "gpu"] for number in range(30)]

    def create(engine: BlockingEngine) -> None:
        for capabilities in random.sample(sets, len(sets)):
            engine.create_execution("kind", required_capabilities=capabilities)

    threads = [threading.Thread(target=create, args=(engine,)) for engine in engines for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for capabilities in sets:
        claimed = engines[0].claim(worker_id="w", worker_instance_id="i", capabilities=capabilities, limit=10)
        assert len(claimed) == 4


# ── everything at once ───────────────────────────────────────────────────────────────────────────

REFUSALS = {
    "execution_not_active",
    "execution_not_eligible",
    "execution_not_terminal",
    "invalid_input",
    "lease_expired",
    "stale_lease",
}


@pytest.mark.xdist_group("postgres: everything at once")
def test_two_processes_hammer_the_same_executions_and_never_lock_each_other_out(url: str, sql: Sql) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        items = [NewExecution(kind="kind", execution_id=f"{{fp:{n % 5}}}:{uuid4()}") for n in range(40)]
        ids = [answer.execution_id for answer in engine.create_executions(items)]

    with running("hammer", url, "a", COMMANDS) as a, running("hammer", url, "b", COMMANDS) as b:
        wait_until_ready(a)
        wait_until_ready(b)
        tell(a, ids)
        tell(b, ids)
        reports = report_of(a), report_of(b)

    sent, told = (sum((Counter(report[what]) for report in reports), Counter()) for what in ("sent", "answers"))
    verbs = {"claim", "complete", "fail", "renew", "release", "cancel", "replay", "revoke", "hold", "unhold"}
    verbs |= {"priority", "tag", "create", "reconcile"}
    assert told.total() == 2 * 4 * COMMANDS
    assert set(sent) == verbs
    assert set(told) <= verbs | REFUSALS
    # Which others are accepted is a matter of chance.
    assert {"claim", "complete", "create", "priority", "reconcile"} <= set(told)
    # A session counts its deadlocks at the latest when it ends.
    wait_until(lambda: sql.execute(OTHERS).fetchone() == (0,))
    assert sql.execute(DEADLOCKS).fetchone() == (0,)
    with opened(url) as store:
        assert_nothing_is_broken(store)
