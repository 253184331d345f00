"""What belongs to a member of a flow is read before its lock, and again after it: nothing that came between is lost."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from flowfabric import BlockingEngine, Every, On, Signalled, StepRecorded, Suspended, WaitOpened, WaitOver
from flowfabric.domain.commands import AnyCommand, IssueToken, OpenWait, RecordStep, SendSignal
from flowfabric.domain.conditions import stored
from flowfabric.domain.errors import EngineError
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.inputs import fence
from flowfabric.domain.outcomes import Outcome
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
from tests.postgres_server import connected
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.test_flow_locks import Batch, Row, claimed, core, flow_row, submitted

BOTH = Every(On("ann"), On("bob"))


LOCK_WAIT_MS = 30_000


@pytest.fixture
def stores(url: str, clock: ManualClock) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """The stores of two processes. Neither has met members of flows, so both read before they lock a flow."""
    with closing(PostgresStore(url, clock=clock)) as one, closing(PostgresStore(url, clock=clock)) as two:
        yield one, two


def at_once(
    stores: tuple[PostgresStore, PostgresStore], first: AnyCommand, second: AnyCommand, row: Row, sql: Sql, other: Sql
) -> list[Outcome | EngineError]:
    """The answers to two commands of two processes, both of which have waited for the same row."""
    batches = [
        Batch(store, command, lock_wait_ms=LOCK_WAIT_MS) for store, command in zip(stores, (first, second), strict=True)
    ]
    with row.held(other):
        for behind, batch in enumerate(batches):
            batch.start(sql, behind=behind)
    return [answer for batch in batches for answer in batch.answers()]


@pytest.fixture
def other(url: str) -> Iterator[Sql]:
    """A second connection of someone else."""
    with connected(url) as connection:
        yield connection


def a_signal(execution_id: str, key: str) -> SendSignal:
    return SendSignal(parse_execution_id(execution_id), key, b"yes", "", key, "", None, "k1")


def test_two_signals_that_both_waited_for_the_flow_end_the_wait_together(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.suspend(running.lease, "vote", BOTH), Suspended)
    first, second = a_signal(ids["a"], "ann"), a_signal(ids["a"], "bob")

    answers = at_once(stores, first, second, flow_row(ids["flow"]), sql, other)

    assert [answer.effect for answer in answers if isinstance(answer, Signalled)] == ["counted", "resumed"]
    over = engine.get_wait(ids["a"], "vote")
    assert over is not None
    assert [signal.key for signal in over.signals] == ["ann", "bob"]


def test_two_tokens_issued_at_once_are_both_noted(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    engine.create_waitpoint(running.lease, "editor")
    execution_id = parse_execution_id(ids["a"])
    first, second = (IssueToken(execution_id, "editor", subject, "k1") for subject in ("ann", "bob"))

    at_once(stores, first, second, core(ids["a"]), sql, other)

    assert stores[0].waitpoints(execution_id)[1][0][0].subjects == ("ann", "bob")


def test_a_step_that_is_stored_beside_the_end_of_a_wait_gets_a_number_of_its_own(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.open_wait(running.lease, "wait", "ann"), WaitOpened)
    step = RecordStep(fence(running.lease), "draft", b"f", b"text")

    told, recorded = at_once(stores, a_signal(ids["a"], "ann"), step, core(ids["a"]), sql, other)

    assert isinstance(told, Signalled)
    assert isinstance(recorded, StepRecorded)
    steps = stores[0].steps(parse_execution_id(ids["a"]))[1]
    assert [(each.name, each.number) for each in steps] == [("wait", 1), ("draft", 2)]


def test_a_wait_that_ends_while_it_is_opened_again_is_answered_with_its_end(
    engine: BlockingEngine, stores: tuple[PostgresStore, PostgresStore], sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.open_wait(running.lease, "wait", "ann"), WaitOpened)
    again = OpenWait(fence(running.lease), "wait", stored(On("ann")), None, None, "resume", "", "k1")

    _, answer = at_once(stores, a_signal(ids["a"], "ann"), again, flow_row(ids["flow"]), sql, other)

    assert isinstance(answer, WaitOver)
    assert [each.key for each in answer.signals] == ["ann"]
