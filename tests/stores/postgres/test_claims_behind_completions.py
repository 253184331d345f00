"""A claim behind completions takes the members that these make ready, and nothing is decided twice for it."""

from collections.abc import Sequence
from contextlib import closing

import pytest

from flowfabric import BlockingEngine, Claimed, FlowGraph, ManualClock
from flowfabric.domain.commands import AnyCommand, Claim, Complete, Envelope
from flowfabric.domain.decide import apply_batch
from flowfabric.domain.inputs import fence
from flowfabric.domain.outcomes import Completed
from flowfabric.engine import batch
from flowfabric.engine.batch import Batch
from flowfabric.engine.tickets import Ticket, claims_last
from flowfabric.stores.postgres import decided_batch
from flowfabric.stores.postgres.store import PostgresStore
from tests.domain.records import an_execution, fence_of

CLAIM = Claim("w", "w-1", ("default",), "default", frozenset(), 10, 30_000)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands were decided each time."""
    found: list[int] = []

    def counting(ws: object, commands: Sequence[Envelope]) -> object:
        found.append(len(commands))
        return apply_batch(ws, commands)  # type: ignore[arg-type]

    monkeypatch.setattr(batch, "apply_batch", counting)
    return found


def leased_chains(engine: BlockingEngine, count: int) -> list[Claimed]:
    """The leased first members of so many chains. Each passes its result to the member behind it."""
    for _ in range(count):
        graph = FlowGraph("chain")
        graph.node("first", "job", b"1")
        graph.node("second", "job", b"2")
        graph.edge("first", "second", pass_result_as="before")
        engine.submit_flow(graph)
    return engine.claim(worker_id="w", worker_instance_id="w-1", limit=count)


def answers_to(store: PostgresStore, *commands: AnyCommand) -> Sequence[object]:
    with closing(store.writer()) as writer:
        return writer.run(Batch(list(map(Envelope, commands)), store.name)).answers


def handed_out(answer: object) -> list[tuple[bytes, dict[str, bytes]]]:
    assert isinstance(answer, list)
    return sorted((each.payload, dict(each.inputs)) for each in answer if isinstance(each, Claimed))


def test_a_claim_behind_completions_takes_the_next_members_with_their_inputs(
    engine: BlockingEngine, url: str, clock: ManualClock, sizes: list[int]
) -> None:
    done = leased_chains(engine, 2)
    sizes.clear()

    with closing(PostgresStore(url, clock=clock)) as store:
        *ended, claimed = answers_to(store, *(Complete(fence(each.lease), b"7") for each in done), CLAIM)

    assert ended == [Completed(each.execution_id) for each in done]
    assert handed_out(claimed) == [(b"2", {"before": b"7"})] * 2
    assert sizes == [2, 1]


def test_if_a_lock_was_waited_for_everything_is_decided_again(
    engine: BlockingEngine, url: str, clock: ManualClock, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (done,) = leased_chains(engine, 1)
    monkeypatch.setattr(decided_batch, "UNNOTICED_WAIT_MS", -60_000)  # every wait is noticed
    sizes.clear()

    with closing(PostgresStore(url, clock=clock)) as store:
        ended, claimed = answers_to(store, Complete(fence(done.lease), b"7"), CLAIM)

    assert (ended, handed_out(claimed)) == (Completed(done.execution_id), [(b"2", {"before": b"7"})])
    assert sizes == [1, 1, 1]


def test_a_claim_before_a_completion_takes_nothing_of_what_the_completion_makes_ready(
    engine: BlockingEngine, url: str, clock: ManualClock
) -> None:
    (done,) = leased_chains(engine, 1)

    with closing(PostgresStore(url, clock=clock)) as store:
        answers = answers_to(store, CLAIM, Complete(fence(done.lease), b"7"))

    assert answers == [[], Completed(done.execution_id)]
    assert len(engine.claim(worker_id="w", worker_instance_id="w-1", limit=10)) == 1


def test_the_claims_of_a_batch_come_last_and_all_commands_keep_their_order_otherwise() -> None:
    first, second = (Ticket(Envelope(CLAIM)) for _ in range(2))
    ends = [Ticket(Envelope(Complete(fence_of(an_execution(number)), None))) for number in (1, 2)]

    assert claims_last([first, ends[0], second, ends[1]]) == [*ends, first, second]
