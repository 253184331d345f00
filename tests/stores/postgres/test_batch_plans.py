"""Each batch has one plan, which is chosen before anything is sent."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import msgspec
import psycopg
import pytest

from flowfabric import ExecutionPolicy, ManualClock
from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    Envelope,
    ForgetBatches,
    Renew,
    SendSignal,
)
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id
from flowfabric.domain.lease import Fence, lease_id
from flowfabric.domain.outcomes import Created
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.domain.streams import StoredFrame, said
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.ports.errors import Overtaken
from flowfabric.stores.postgres.single_statement import SingleStatement
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.writer import PostgresWriter
from tests.stores.postgres.processes import wait_until

NEVER_MADE = make_execution_id(lane_partition("default"), "00000000-0000-7000-8000-000000000001")


@pytest.fixture
def writer(url: str, clock: ManualClock) -> Iterator[PostgresWriter]:
    with closing(PostgresStore(url, clock=clock)) as store, closing(store.writer()) as writer:
        yield writer


def creation(*, key: str | None = None, policy: ExecutionPolicy = DEFAULT_POLICY) -> CreateExecution:
    execution_id = make_execution_id(lane_partition("default"), new_uuid())
    return CreateExecution(
        execution_id, False, "mail", b"", "default", "default", 0, None, None, key, 1000, (), policy, {}
    )


def claim(lane: str = "default") -> Claim:
    return Claim("w", "w-1", (lane,), "default", frozenset(), 10, 30_000)


def completion(writer: PostgresWriter, execution_id: ExecutionId = NEVER_MADE) -> Complete:
    return Complete(Fence(execution_id, 0, 1, lease_id(writer.store.name, execution_id, 0, 1)), None)


def with_frames(command: AnyCommand, fence: Fence) -> Envelope:
    return Envelope(command, said=said(fence, [StoredFrame("text", b"last words", None)]))


def plan_of(writer: PostgresWriter, *commands: AnyCommand | Envelope, lock_wait_ms: int | None = None) -> str:
    """Which plan a batch takes, and by which statement if it is one."""
    batch = [each if isinstance(each, Envelope) else Envelope(each) for each in commands]
    writer.run(Batch(batch, writer.store.name, lock_wait_ms=lock_wait_ms))
    plan = writer.plan
    return plan.statement if isinstance(plan, SingleStatement) else type(plan).__name__


def test_what_only_makes_plain_executions_is_one_statement(writer: PostgresWriter) -> None:
    assert plan_of(writer, creation(), creation()) == "fast_create"


def test_what_is_made_under_ids_is_one_statement_that_keeps_the_answers(writer: PostgresWriter) -> None:
    one, other = Envelope(creation(), None, "one"), Envelope(creation(), None, "other")

    assert plan_of(writer, one, creation(), other) == "create_remembered"
    assert plan_of(writer, Envelope(creation(), "default", "one")) == "create_remembered"  # in another scope


def test_ids_are_taken_in_their_order_so_that_no_two_batches_wait_for_each_other(
    writer: PostgresWriter, url: str
) -> None:
    writer.connection.execute("set lock_timeout = 10000")
    batch = Batch([Envelope(creation(), None, name) for name in ("b", "a")], writer.store.name)
    with psycopg.connect(url) as other, ThreadPoolExecutor(1) as threads:
        other.execute("set lock_timeout = 50")
        keep = (
            "insert into ff_command (scope, command_id, fingerprint, answer, expires_at_ms) values ('', %s, '', '', 0)"
        )
        other.execute(keep, ["a"])
        running = threads.submit(writer.run, batch)
        wait_until(lambda: running.done() or _waits_for(other))

        other.execute(keep, ["b"])  # fails if the batch has taken this id before it waits for the other one
        other.rollback()

        assert len(running.result(10).answers) == 2


def _waits_for(connection: psycopg.Connection[Any]) -> bool:
    blocked = "select exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)))"
    return connection.execute(blocked).fetchone() == (True,)


def test_an_id_that_is_in_use_lets_the_batch_be_decided(writer: PostgresWriter) -> None:
    made = creation()
    first, again = Envelope(made, None, "one"), [Envelope(creation(), None, "new"), Envelope(made, None, "one")]
    (answer,) = writer.run(Batch([first], writer.store.name)).answers
    with pytest.raises(Overtaken):
        plan_of(writer, *again)

    answers = writer.run(Batch(again, writer.store.name)).answers

    assert type(writer.plan).__name__ == "DecidedBatch"
    assert answers[1] == answer
    assert [answers[0]] == [Created(again[0].command.execution_id, "waiting")]  # type: ignore[union-attr]
    assert plan_of(writer, Envelope(creation(), None, "newer")) == "create_remembered"


@pytest.mark.parametrize("ids", [("one", "one"), ("one", None)])
def test_an_id_that_comes_twice_or_beside_a_claim_is_not_one_statement(
    writer: PostgresWriter, ids: tuple[str | None, str | None]
) -> None:
    made = creation()
    beside = Envelope(made, None, ids[1]) if ids[1] else Envelope(claim())

    assert plan_of(writer, Envelope(made, None, ids[0]), beside) in ("DecidedBatch", "FastBatch")


def test_what_is_made_for_claims_of_an_idle_lane_is_one_statement(writer: PostgresWriter) -> None:
    plan_of(writer, claim())  # finds nothing: the lane is known to be idle

    assert plan_of(writer, creation(), claim()) == "create_leased"


def test_what_is_made_for_claims_with_a_time_limit_is_not_one_statement(writer: PostgresWriter) -> None:
    plan_of(writer, claim())

    assert plan_of(writer, creation(policy=ExecutionPolicy(attempt_timeout_ms=5)), claim()) == "FastBatch"


def test_a_lane_that_is_not_known_to_be_idle_is_read(writer: PostgresWriter) -> None:
    assert plan_of(writer, creation(), claim()) == "FastBatch"


def test_claims_of_a_lane_that_is_known_to_be_idle_are_decided(writer: PostgresWriter) -> None:
    assert [plan_of(writer, claim()) for _ in range(2)] == ["FastBatch", "DecidedBatch"]


def test_completions_are_fast_also_beside_what_is_not(writer: PostgresWriter) -> None:
    assert plan_of(writer, completion(writer)) == "FastBatch"
    assert plan_of(writer, completion(writer), creation(key="order-7")) == "FastBatch"


def test_while_most_of_what_is_claimed_has_an_inbox_claims_and_completions_are_decided(writer: PostgresWriter) -> None:
    waiting, plain = creation(), creation()
    plan_of(writer, waiting)
    plan_of(writer, SendSignal(waiting.execution_id, "editor", b"", "", "", "", None, "k1"))

    assert plan_of(writer, claim()) == "FastBatch"  # and finds out
    assert plan_of(writer, completion(writer, waiting.execution_id)) == "DecidedBatch"
    plan_of(writer, plain)
    assert plan_of(writer, claim()) == "DecidedBatch"  # and finds out
    assert plan_of(writer, completion(writer, plain.execution_id)) == "FastBatch"


def test_one_command_of_another_kind_lets_the_whole_batch_be_decided(writer: PostgresWriter) -> None:
    fence = completion(writer).fence

    assert plan_of(writer, creation(), Renew(fence, None)) == "DecidedBatch"
    assert plan_of(writer, ForgetBatches()) == "DecidedBatch"


def test_a_completion_that_carries_frames_is_decided(writer: PostgresWriter) -> None:
    fence = completion(writer).fence

    assert plan_of(writer, with_frames(completion(writer), fence)) == "DecidedBatch"
    assert plan_of(writer, with_frames(claim(), fence)) == "DecidedBatch"
    assert plan_of(writer, with_frames(creation(), fence)) == "DecidedBatch"


def test_a_completion_that_carries_frames_does_not_slow_down_its_neighbours(
    writer: PostgresWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sorted(creation().execution_id for _ in range(3))
    plan_of(writer, *(msgspec.structs.replace(creation(), execution_id=key) for key in made))
    plan_of(writer, claim())
    first, silent, last = (completion(writer, key) for key in made)
    decided: list[int] = []
    decide = Batch.decide
    monkeypatch.setattr(
        Batch,
        "decide",
        lambda batch, tx, fast, lock: (
            decided.append(len(batch.envelopes) - len(fast)),
            decide(batch, tx, fast, lock),
        )[1],
    )

    speaking = [with_frames(first, first.fence), silent, with_frames(last, last.fence)]

    assert plan_of(writer, *speaking) == "FastBatch"
    assert decided == [2]
    states = [x.public_state for x in writer.store.executions_named(made)]
    ends = writer.store.stream_ends(made)
    assert states == ["completed"] * 3
    assert [ends[key][:2] for key in made] == [(1, 1), (0, 0), (1, 1)]


def test_a_completion_is_decided_if_another_command_carries_frames_of_its_execution(writer: PostgresWriter) -> None:
    made = creation()
    plan_of(writer, made)
    plan_of(writer, claim())
    last = completion(writer, made.execution_id)

    assert plan_of(writer, with_frames(creation(), last.fence), last) == "DecidedBatch"
    assert writer.store.stream_ends([made.execution_id]) == {made.execution_id: (1, 1, 1, "completed")}


def test_what_waits_for_locks_in_its_own_way_has_a_transaction(writer: PostgresWriter) -> None:
    assert plan_of(writer, creation(), lock_wait_ms=2) == "FastBatch"


def test_behind_a_pooler_every_batch_has_a_transaction(writer: PostgresWriter) -> None:
    writer.store.connector.is_pooled = True

    assert plan_of(writer, creation()) == "FastBatch"
