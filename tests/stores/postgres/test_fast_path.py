"""What one statement does is what deciding would have done, in a batch as well as alone."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from flowfabric import BlockingEngine, Claimed, Created, ExecutionPolicy, ManualClock, NewExecution
from flowfabric.app import open_store
from flowfabric.domain.commands import AnyCommand, Claim, CreateExecution, CreateExecutions, Envelope
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import decide_in
from flowfabric.engine.minting import new_uuid
from flowfabric.ports import Store

TABLES = ("ff_exec_core", "ff_payload", "ff_ready", "ff_due", "ff_tag", "ff_event")


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[Store]:
    store = open_store(url, clock=clock)
    yield store
    store.close()


def plain(*, priority: int = 0, key: str | None = None) -> CreateExecution:
    """What asks for no look at anything, unless it has a key."""
    lane = "default"
    execution_id = make_execution_id(lane_partition(lane), new_uuid())
    return CreateExecution(
        execution_id, False, "mail", b"x", lane, "default", priority, None, None, key, 1000, (), DEFAULT_POLICY, {}
    )


def a_claim(limit: int = 10) -> Claim:
    return Claim("w", "w-1", ("default",), "default", frozenset(), limit, 30_000)


def told(store: Store, *commands: AnyCommand) -> list[Outcome]:
    """The answers to one batch."""
    writer = store.writer()
    tx = writer.begin(new_uuid().encode()[:16])
    answers, committed = decide_in(tx, [Envelope(command) for command in commands], store.name)
    if committed is None:
        tx.rollback()
    else:
        tx.commit()
    writer.close()
    return answers  # type: ignore[return-value]


def ids_of(claimed: Outcome) -> list[str]:
    assert isinstance(claimed, list)
    return [each.execution_id for each in claimed if isinstance(each, Claimed)]


def test_a_claim_gets_what_is_made_before_it_in_the_batch(store: Store) -> None:
    one, two = plain(), plain(priority=5)

    answers = told(store, one, CreateExecutions((two,)), a_claim())

    assert answers[:2] == [Created(one.execution_id, "waiting"), [Created(two.execution_id, "waiting")]]
    assert ids_of(answers[2]) == [two.execution_id, one.execution_id]


def test_a_claim_does_not_get_what_is_made_after_it_in_the_batch(store: Store) -> None:
    one, two = plain(), plain()

    answers = told(store, one, a_claim(), two)

    assert ids_of(answers[1]) == [one.execution_id]


def test_what_needs_a_look_is_made_beside_what_needs_none(store: Store) -> None:
    simple, keyed = plain(), plain(key="order-7")

    answers = told(store, simple, keyed, plain(key="order-7"), a_claim())

    assert answers[2].execution_id == keyed.execution_id  # type: ignore[union-attr]
    assert sorted(ids_of(answers[3])) == sorted([simple.execution_id, keyed.execution_id])


def test_what_is_made_easily_is_stored_as_what_was_decided(
    engine: BlockingEngine, url: str, clock: ManualClock
) -> None:
    policy = ExecutionPolicy(retention_ms=5_000)
    easy = engine.create_execution("mail", b"hello", lane="post", priority=3, policy=policy).execution_id
    # With an id of its own a command is remembered, and goes the long way.
    decided = engine.create_execution(
        "mail", b"hello", lane="post", priority=3, policy=policy, command_id="once"
    ).execution_id
    [in_bulk] = engine.create_executions(
        [NewExecution(kind="mail", payload=b"hello", lane="post", priority=3, policy=policy)]
    )

    assert rows_of(url, easy) == rows_of(url, decided) == rows_of(url, in_bulk.execution_id)


def rows_of(url: str, execution_id: str) -> dict[str, list[dict[str, object]]]:
    found = {}
    with psycopg.connect(url, row_factory=dict_row) as connection:
        for table in TABLES:
            rows = connection.execute(
                f"select * from {table} where execution_id = %s", (execution_id[-36:],)
            ).fetchall()
            found[table] = [{name: value for name, value in row.items() if name != "execution_id"} for row in rows]
    return found
