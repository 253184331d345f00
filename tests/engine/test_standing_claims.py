"""A claim that waits: what becomes ready is leased to it in the very commit that made it ready."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from flowfabric import BlockingEngine, Claimed, Created, FlowGraph, InvalidInput, NewExecution, StoreUnavailable
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention
from flowfabric.engine.standing_claims import StandingClaims
from flowfabric.engine.tickets import Ticket
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric_conformance.stage import Started
from tests.assembled import Assembled, assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, a_claim, an_id, answers, creation, sent
from tests.faulty_store import FaultyStore

NEVER_MS = 3_600_000
"""A poll that no test waits for: only being called wakes these claims."""


def wait_for_work(engine: BlockingEngine, **arguments: object) -> list[Claimed]:
    wanted = {"worker_id": "w", "worker_instance_id": "w-1", "limit": 10, "poll_ms": NEVER_MS, **arguments}
    return engine.wait_for_work(**wanted)


@contextmanager
def standing_by(parts: Assembled, store: FaultyStore, **arguments: object) -> Iterator[Started[list[Claimed]]]:
    """A claim that has found nothing, and waits."""
    started = Started(lambda: wait_for_work(parts.engine, **arguments))
    stands = threading.Event()
    while not parts.commits.standing:
        stands.wait(0.001)
    store.begun = 0
    yield started


def ids_of(claimed: list[Claimed]) -> list[str]:
    return [each.execution_id for each in claimed]


def by_claims(needs: Needs) -> bool:
    return bool(needs.claims) and an_id(1) in needs.executions


# ── one commit ───────────────────────────────────────────────────────────────────────────────────


def test_what_is_submitted_is_leased_in_the_same_transaction(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]
    assert store.begun == 1


def test_its_caller_is_told_that_it_was_created_waiting(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        (told,) = answers(sent(parts.commits, creation(1)))
        waiting.answer()

    assert told == Created(an_id(1), "waiting")


def test_the_end_of_an_upstream_leases_what_it_unblocks_in_the_same_transaction(store: FaultyStore):
    graph = FlowGraph("order")
    graph.node("first", "step")
    graph.node("second", "step")
    graph.edge("first", "second")
    with assembled(store) as parts:
        flow = parts.engine.submit_flow(graph)
        (running,) = wait_for_work(parts.engine)
        with standing_by(parts, store) as waiting:
            parts.engine.complete(running.lease)
            claimed = waiting.answer()

    assert ids_of(claimed) == [flow.execution_ids["second"]]
    assert store.begun == 1


def test_a_claim_in_a_paused_lane_waits_until_the_lane_is_resumed(store: FaultyStore):
    with assembled(store) as parts:
        parts.engine.pause_lane("default")
        with standing_by(parts, store) as waiting:
            answers(sent(parts.commits, creation(1)))
            while_paused = parts.engine.describe_execution(an_id(1))
            parts.engine.resume_lane("default")
            claimed = waiting.answer()

    assert while_paused is not None
    assert while_paused.public_state == "waiting"
    assert ids_of(claimed) == [an_id(1)]


def test_what_is_there_already_needs_no_wait(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        claimed = wait_for_work(parts.engine)

    assert ids_of(claimed) == [an_id(1)]


def test_what_was_leased_at_birth_is_stored_as_if_it_had_been_leased_later(store: FaultyStore):
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))
        wait_for_work(parts.engine)
        with standing_by(parts, store) as waiting:
            answers(sent(parts.commits, creation(2)))
            waiting.answer()
        one, two = (parts.engine.describe_execution(an_id(number)) for number in (1, 2))

    assert one is not None
    assert two is not None
    assert {**vars_of(one), "execution_id": ""} == {**vars_of(two), "execution_id": ""}


def vars_of(snapshot: object) -> dict[str, object]:
    names = type(snapshot).__struct_fields__  # type: ignore[attr-defined]
    return {name: getattr(snapshot, name) for name in names}


# ── who gets it ──────────────────────────────────────────────────────────────────────────────────


def test_of_two_that_wait_one_gets_it_and_the_other_goes_on_waiting(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as one, standing_by(parts, store) as other:
        answers(sent(parts.commits, creation(1)))
        answers(sent(parts.commits, creation(2)))
        got = [ids_of(one.answer()), ids_of(other.answer())]

    assert sorted(got) == [[an_id(1)], [an_id(2)]]


def test_what_it_cannot_run_leaves_it_waiting(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        parts.engine.create_execution("render", required_capabilities=["gpu"])
        answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]


def test_other_lanes_and_namespaces_do_not_concern_it(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        parts.engine.create_execution("mail", lane="other")
        parts.engine.create_execution("mail", namespace="elsewhere")
        answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]
    assert store.begun == 3


def test_it_takes_no_more_than_it_asked_for(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store, limit=2) as waiting:
        parts.engine.create_executions([NewExecution(kind="mail") for _ in range(5)])
        claimed = waiting.answer()
        left = parts.engine.list_executions(public_state="waiting").items

    assert len(claimed) == 2
    assert len(left) == 3


# ── how a wait ends ──────────────────────────────────────────────────────────────────────────────


def test_when_the_time_is_over_the_answer_is_empty(store: FaultyStore):
    with assembled(store) as parts:
        claimed = wait_for_work(parts.engine, timeout_ms=1)
        (told,) = answers(sent(parts.commits, creation(1)))
        left = parts.engine.list_executions(public_state="waiting").items

    assert claimed == []
    assert told == Created(an_id(1), "waiting")
    assert ids_of(left) == [an_id(1)]


def test_it_looks_by_itself_once_per_poll_interval(store: FaultyStore):
    """Wake-ups are lost here, and another process has made something ready."""
    with (
        assembled(store, on_commit=lambda _: None) as parts,
        assembled(store, on_commit=lambda _: None) as elsewhere,
        standing_by(parts, store, poll_ms=5) as waiting,
    ):
        answers(sent(elsewhere.commits, creation(1)))
        claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]


def test_a_cancelled_wait_leases_nothing_later(store: FaultyStore):
    async def main() -> str:
        async with assembled_async(store) as parts:
            waiting = asyncio.ensure_future(
                parts.engine.wait_for_work(worker_id="w", worker_instance_id="w-1", poll_ms=NEVER_MS)
            )
            while not parts.commits.standing:  # noqa: ASYNC110 - it stands by a moment later, and tells nobody
                await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            answer = await parts.engine.create_execution("mail")
            found = await parts.engine.describe_execution(answer.execution_id)
            assert found is not None
            return found.public_state

    assert asyncio.run(main()) == "waiting"


def test_an_engine_that_closes_tells_those_who_wait(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        parts.commits.close()

        with pytest.raises(StoreUnavailable, match="closed"):
            waiting.answer()


@pytest.mark.parametrize("wrong", [{"poll_ms": 0}, {"poll_ms": "1s"}, {"timeout_ms": -1}, {"limit": 0}, {"lanes": []}])
def test_a_wait_with_a_wrong_argument_is_refused(store: FaultyStore, wrong: dict[str, object]):
    with assembled(store) as parts, pytest.raises(InvalidInput):
        wait_for_work(parts.engine, **wrong)


# ── when the store fails ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("point", ["load", "save", "before commit"])
def test_contention_that_passes_costs_neither_the_creation_nor_the_claim(store: FaultyStore, point: str):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        store.breaks(point, Contention("deadlock"), times=2, when=by_claims)  # type: ignore[arg-type]
        (told,) = answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert told == Created(an_id(1), "waiting")
    assert ids_of(claimed) == [an_id(1)]
    assert store.struck == 2


def test_a_claim_that_cannot_be_decided_with_the_creation_is_decided_alone(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        store.breaks("load", Contention("somebody else has it"), times=10_000, when=by_claims)
        (told,) = answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert told == Created(an_id(1), "waiting")
    assert ids_of(claimed) == [an_id(1)]


def test_a_commit_whose_answer_was_lost_is_answered_to_both(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        store.breaks("after commit", CommitUnknown("the line went dead"))
        (told,) = answers(sent(parts.commits, creation(1)))
        claimed = waiting.answer()

    assert told == Created(an_id(1), "waiting")
    assert ids_of(claimed) == [an_id(1)]
    assert claimed[0].lease.lease_epoch == 1


def test_a_store_that_stays_away_is_told_to_whoever_submits_and_whoever_waits_for_work_waits_on(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        store.breaks("save", ConnectionLost("gone"), times=10_000)
        (told,) = answers(sent(parts.commits, creation(1)))
        store.heals()
        answers(sent(parts.commits, creation(2)))

        claimed = waiting.answer()

    assert isinstance(told, StoreUnavailable)
    assert ids_of(claimed) == [an_id(2)]


# ── nothing is overlooked ────────────────────────────────────────────────────────────────────────


def test_whatever_several_threads_submit_is_leased_once_without_a_poll(store: FaultyStore):
    jobs, threads = 60, 4
    leased: list[str] = []
    all_leased = threading.Event()

    def work(engine: BlockingEngine) -> None:
        while True:
            claimed = wait_for_work(engine, limit=3)
            leased.extend(ids_of(claimed))
            if len(leased) >= jobs * threads:
                all_leased.set()

    def submit(engine: BlockingEngine) -> None:
        for _ in range(jobs):
            engine.create_execution("mail")

    with assembled(store) as parts:
        workers = [Started(lambda: work(parts.engine)) for _ in range(3)]
        submitters = [Started(lambda: submit(parts.engine)) for _ in range(threads)]
        for submitter in submitters:
            submitter.answer()
        assert all_leased.wait(WAIT_S_MAX)

    for worker in workers:
        with pytest.raises(StoreUnavailable):
            worker.answer()
    assert len(set(leased)) == len(leased) == jobs * threads


def test_a_call_that_comes_while_a_claim_is_looking_makes_it_look_again():
    standing = StandingClaims()
    ticket = Ticket(Envelope(a_claim()), lanes=[("default", "default")])
    standing.enter(ticket)

    told = [standing.call(ticket), standing.stand_by(ticket), standing.stand_by(ticket), standing.call(ticket)]

    assert told == [False, "is_called_again", "stands_by", True]
