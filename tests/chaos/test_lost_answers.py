"""A commit whose answer is lost: the engine finds out what became of it, and callers notice nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import pytest

from flowfabric import Claimed, Engine
from tests.assembled import assembled_async_at
from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.lives import (
    COMMANDS,
    COMMANDS_AT_GATES,
    Expected,
    Life,
    LifeBroken,
    expected_life,
    live,
    live_at_gates,
    normal_events,
)
from tests.chaos.lossy_proxy import Fault, LossyProxy
from tests.chaos.processes import wait_until
from tests.chaos.sizes import SIZES

pytestmark = in_group("servers")

AT_ONCE = 40


class Told(NamedTuple):
    lives: Sequence[Life]
    broken: Sequence[str]
    ambiguous: int
    resolved: int


async def tell_lives(
    url: str,
    proxy: LossyProxy,
    *,
    at_least: int,
    faults: int = 0,
    live: Callable[[Engine, str], Awaitable[Life]] = live,
) -> Told:
    """Tell lives, many at once, until there are enough of them and enough has gone wrong."""
    lives: list[Life] = []
    broken: list[str] = []
    begun = 0

    async def tell() -> None:
        nonlocal begun
        while begun < at_least or proxy.faults < faults:
            begun += 1
            try:
                lives.append(await live(engine, f"life-{begun}"))
            except LifeBroken as error:
                broken.append(str(error))

    async with assembled_async_at(url, reconcile=False) as parts:
        engine, commits = parts.engine, parts.commits
        await asyncio.gather(*(tell() for _ in range(AT_ONCE)))
        return Told(lives, broken, commits.ambiguous, commits.resolved)


def assert_told_as_if_nothing_had_happened(url: str, told: Told) -> None:
    expected: Expected = asyncio.run(expected_life())
    assert told.broken == []
    for life in told.lives:
        assert life.answers == expected.answers
    with opened(url) as store:
        happened = events_by_execution(store)
        assert_nothing_is_broken(store)
    assert happened.keys() == {life.execution_id for life in told.lives}
    for life in told.lives:
        assert normal_events(happened[life.execution_id]) == expected.events


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced"])
def test_answers_lost_after_the_commit_change_no_answer_and_no_effect(
    server: KillablePostgres, database: str, figures: Figures, fault: Fault
) -> None:
    proxy = LossyProxy(server.socket, fault, one_in=50)

    with proxy.running():
        told = asyncio.run(tell_lives(proxy.url(database), proxy, at_least=SIZES.commands // COMMANDS, faults=1))

    assert_told_as_if_nothing_had_happened(server.url(database), told)
    assert told.ambiguous == told.resolved == proxy.faults - proxy.faults_of_questions
    figures(
        commands=COMMANDS * len(told.lives),
        commits=proxy.commits,
        answers_lost=proxy.faults,
        ambiguous=told.ambiguous,
        resolved=told.resolved,
        answers_differ=0,
        effects_twice=0,
    )


@pytest.mark.parametrize(
    ("fault", "faults"), [("commit late", SIZES.late_commits), ("commit stranded", SIZES.stranded_commits)]
)
def test_a_commit_that_was_still_on_its_way_when_the_connection_broke_is_waited_for(
    server: KillablePostgres, database: str, figures: Figures, fault: Fault, faults: int
) -> None:
    proxy = LossyProxy(server.socket, fault, one_in=10, most=faults)

    with proxy.running():
        told = asyncio.run(tell_lives(proxy.url(database), proxy, at_least=0, faults=faults))

    assert_told_as_if_nothing_had_happened(server.url(database), told)
    assert told.ambiguous == told.resolved == faults - proxy.faults_of_questions
    figures(
        commands=COMMANDS * len(told.lives),
        faults=faults,
        faults_of_questions=proxy.faults_of_questions,
        ambiguous=told.ambiguous,
        resolved=told.resolved,
    )


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced", "commit late"])
def test_nothing_that_a_limit_or_a_budget_counts_is_counted_twice_or_lost_with_a_commit(
    server: KillablePostgres, database: str, figures: Figures, fault: Fault
) -> None:
    """A claim takes slots, an end of a lease gives them back, a spend is recorded: the last answers are what counts."""
    faults = SIZES.late_commits // 2
    proxy = LossyProxy(server.socket, fault, one_in=5, most=faults, one_read_in=20)

    with proxy.running():
        telling = tell_lives(proxy.url(database), proxy, at_least=AT_ONCE // 2, faults=faults, live=live_at_gates)
        told = asyncio.run(telling)

    expected: Expected = asyncio.run(expected_life(live_at_gates))
    assert told.broken == []
    assert [life.answers for life in told.lives] == [expected.answers] * len(told.lives)
    # A claim that has found nothing, and a read, have written nothing: where the answer is lost, nothing is in doubt.
    assert 0 < told.ambiguous == told.resolved <= faults - proxy.faults_of_questions
    with opened(server.url(database)) as store:
        assert_nothing_is_broken(store)
    figures(commands=COMMANDS_AT_GATES * len(told.lives), faults=faults, ambiguous=told.ambiguous)


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced"])
def test_a_claim_that_has_found_nothing_is_answered_whatever_becomes_of_its_commit(
    server: KillablePostgres, database: str, fault: Fault
) -> None:
    async def claim() -> list[list[Claimed]]:
        async with assembled_async_at(proxy.url(database), reconcile=False) as parts:
            return [await parts.engine.claim(worker_id="w", worker_instance_id="w/0") for _ in range(20)]

    proxy = LossyProxy(server.socket, fault, one_in=2, most=5)

    with proxy.running():
        answers = asyncio.run(claim())

    assert (answers, proxy.faults) == ([[]] * 20, 5)


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced"])
def test_a_read_is_made_again_whatever_becomes_of_its_answer(
    server: KillablePostgres, database: str, fault: Fault
) -> None:
    async def read() -> list[int]:
        async with assembled_async_at(proxy.url(database), reconcile=False) as parts:
            await parts.engine.set_budget("team", limits={"usd": 7})
            return [(await parts.engine.describe_budget("team")).limits["usd"] for _ in range(20)]

    proxy = LossyProxy(server.socket, fault, one_in=2, most=5, one_read_in=2)

    with proxy.running():
        answers = asyncio.run(read())

    assert (answers, proxy.faults) == ([7] * 20, 5)


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced"])
def test_a_creation_that_finds_others_parked_at_its_limit_is_decided_whatever_becomes_of_the_answer(
    server: KillablePostgres, database: str, fault: Fault
) -> None:
    """The one statement for such creations writes nothing then, not even the batch's marker."""
    gates: Any = {"limits": {"tight": "key"}}

    async def create() -> set[str]:
        async with (
            assembled_async_at(proxy.url(database), reconcile=False) as parts,
            assembled_async_at(server.url(database), reconcile=False) as others,
        ):
            await parts.engine.set_limit("tight", concurrency=1)
            for engine in (others.engine, parts.engine, others.engine):  # from its second one on it knows enough
                await engine.create_execution("kind", **gates)
            await others.engine.claim(worker_id="w", worker_instance_id="w/0", limit=3)
            states = set[str]()
            while not proxy.faults and len(states) < 2:  # a batch that is decided for another reason is hit by nothing
                states.add((await parts.engine.create_execution("kind", **gates)).public_state)
            return states

    proxy = LossyProxy(server.socket, fault, one_in=1, most=1, of_whole_batches=True)

    with proxy.running():
        states = asyncio.run(create())

    assert (states, proxy.faults) == ({"waiting"}, 1)


@pytest.mark.parametrize("fault", ["answer lost", "answer replaced", "commit late", "commit stranded"])
def test_what_is_sent_together_with_its_commit_is_made_once_and_handed_out_once(
    server: KillablePostgres, database: str, figures: Figures, fault: Fault
) -> None:
    faults = SIZES.late_commits
    proxy = LossyProxy(server.socket, fault, one_in=5, most=faults, of_whole_batches=True)

    with proxy.running():
        made, done, ambiguous = asyncio.run(make_and_work(proxy.url(database), proxy, faults))
        wait_until(lambda: server.sessions(database) == 0)

    assert len(set(made)) == len(made)
    assert sorted(done) == sorted(made)
    with opened(server.url(database)) as store:
        happened = events_by_execution(store)
        assert_nothing_is_broken(store)
    for execution_id in made:
        assert [event.event_type for event in happened[execution_id]] == ["acquired", "completed"]
    assert ambiguous == faults
    figures(made=len(made), faults=faults, ambiguous=ambiguous)


async def make_and_work(url: str, proxy: LossyProxy, faults: int) -> tuple[list[str], list[str], int]:
    """Make executions one by one for a worker that waits, until enough has gone wrong, and let it do all of them."""
    made: list[str] = []
    done: list[str] = []
    all_are_made = False
    async with assembled_async_at(url, reconcile=False) as parts:
        engine = parts.engine

        async def work() -> None:
            while not all_are_made or len(done) < len(made):
                claimed = await engine.wait_for_work(
                    worker_id="w", worker_instance_id="w-1", limit=5, poll_ms=100, timeout_ms=300
                )
                for each in claimed:
                    await engine.complete(each.lease)
                    done.append(each.execution_id)

        working = asyncio.create_task(work())
        while proxy.faults < faults:
            made.append((await engine.create_execution("noop")).execution_id)
        all_are_made = True
        await working
        return made, done, parts.commits.ambiguous
