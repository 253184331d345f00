"""What belongs to a member of a flow is read before its lock, and again after it: nothing that came between is lost."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from flowfabric import BlockingEngine, Every, On, Signalled, StepRecorded, Suspended, WaitOpened, WaitOver
from flowfabric.domain.commands import IssueToken, OpenWait, RecordStep, SendSignal
from flowfabric.domain.conditions import stored
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.inputs import fence
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
from tests.postgres_server import connected
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.test_flow_locks import Batch, claimed, core, flow_row, submitted

BOTH = Every(On("ann"), On("bob"))


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        yield store


@pytest.fixture
def other(url: str) -> Iterator[Sql]:
    """A second connection of someone else."""
    with connected(url) as connection:
        yield connection


def a_signal(execution_id: str, key: str) -> SendSignal:
    return SendSignal(parse_execution_id(execution_id), key, b"yes", "", key, "", None, "k1")


def test_two_signals_that_both_waited_for_the_flow_end_the_wait_together(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.suspend(running.lease, "vote", BOTH), Suspended)
    first, second = Batch(store, a_signal(ids["a"], "ann")), Batch(store, a_signal(ids["a"], "bob"))

    with flow_row(ids["flow"]).held(other):
        first.start(sql)
        second.start(sql, behind=1)
    answers = [*first.answers(), *second.answers()]

    assert [answer.effect for answer in answers if isinstance(answer, Signalled)] == ["counted", "resumed"]
    over = engine.get_wait(ids["a"], "vote")
    assert over is not None
    assert [signal.key for signal in over.signals] == ["ann", "bob"]


def test_two_tokens_issued_at_once_are_both_noted(engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    engine.create_waitpoint(running.lease, "editor")
    execution_id = parse_execution_id(ids["a"])
    first = Batch(store, IssueToken(execution_id, "editor", "ann", "k1"))
    second = Batch(store, IssueToken(execution_id, "editor", "bob", "k1"))

    with core(ids["a"]).held(other):
        first.start(sql)
        second.start(sql, behind=1)
    first.answers()
    second.answers()

    assert store.waitpoints(execution_id)[1][0][0].subjects == ("ann", "bob")


def test_a_step_that_is_stored_beside_the_end_of_a_wait_gets_a_number_of_its_own(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.open_wait(running.lease, "wait", "ann"), WaitOpened)
    signal = Batch(store, a_signal(ids["a"], "ann"))
    step = Batch(store, RecordStep(fence(running.lease), "draft", b"f", b"text"))

    with core(ids["a"]).held(other):
        signal.start(sql)
        step.start(sql, behind=1)
    (told,), (recorded,) = signal.answers(), step.answers()

    assert isinstance(told, Signalled)
    assert isinstance(recorded, StepRecorded)
    steps = store.steps(parse_execution_id(ids["a"]))[1]
    assert [(each.name, each.number) for each in steps] == [("wait", 1), ("draft", 2)]


def test_a_wait_that_ends_while_it_is_opened_again_is_answered_with_its_end(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql
):
    ids = submitted(engine, ("a", "b"))
    (running,) = claimed(engine, "a")
    assert isinstance(engine.open_wait(running.lease, "wait", "ann"), WaitOpened)
    signal = Batch(store, a_signal(ids["a"], "ann"))
    again = Batch(store, OpenWait(fence(running.lease), "wait", stored(On("ann")), None, None, "resume", "", "k1"))

    with flow_row(ids["flow"]).held(other):
        signal.start(sql)
        again.start(sql, behind=1)
    signal.answers()

    (answer,) = again.answers()
    assert isinstance(answer, WaitOver)
    assert [each.key for each in answer.signals] == ["ann"]
