"""A step that spends: its result and its charge are stored together, once."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from flowfabric import (
    BudgetSnapshot,
    Claimed,
    Engine,
    ExecutionNotActive,
    InvalidInput,
    ManualClock,
    NotFound,
    Spending,
    open_engine,
)


def told(story: Callable[[Engine], Coroutine[Any, Any, None]]) -> None:
    """Tell the story to an engine on a memory store."""

    async def main() -> None:
        async with open_engine("memory://", clock=ManualClock(), reconcile=False) as engine:
            await engine.set_budget("org", limits={"tokens": 1_000})
            await engine.set_budget("team", limits={"tokens": 100}, parent="org")
            await story(engine)

    asyncio.run(main())


async def claimed(engine: Engine, **gates: Any) -> Claimed:
    await engine.create_execution("agent", **gates)
    (found,) = await engine.claim(worker_id="w", worker_instance_id="w-1")
    return found


async def budget(engine: Engine, name: str) -> BudgetSnapshot:
    found = await engine.describe_budget(name)
    assert found is not None
    return found


def test_a_step_is_charged_once_and_frees_the_rest_of_its_reservation() -> None:
    async def story(engine: Engine) -> None:
        lease = (await claimed(engine)).lease
        await engine.reserve(lease, "team", {"tokens": 60})
        for _ in range(2):
            answer = await engine.record_step(
                lease, "ask", b"1", budget="team", spent={"tokens": 7}, reserved={"tokens": 40}
            )
            assert not answer.pause
        for name in ("team", "org"):
            found = await budget(engine, name)
            assert (found.used, found.reserved) == ({"tokens": 7}, {"tokens": 20})
        (line,) = (await engine.list_spending("team", by="execution")).items
        assert isinstance(line, Spending)
        assert line.amounts == {"tokens": 7}
        await engine.complete(lease, None)
        assert (await budget(engine, "org")).reserved == {"tokens": 0}

    told(story)


def test_a_step_may_cost_nothing_or_more_than_was_reserved() -> None:
    async def story(engine: Engine) -> None:
        lease = (await claimed(engine)).lease
        await engine.reserve(lease, "team", {"tokens": 60})
        await engine.record_step(lease, "free", b"1", budget="team", reserved={"tokens": 10})
        found = await budget(engine, "team")
        assert (found.used, found.reserved) == ({"tokens": 0}, {"tokens": 50})
        await engine.record_step(lease, "dear", b"1", budget="team", spent={"tokens": 70}, reserved={"tokens": 10})
        found = await budget(engine, "team")
        assert (found.used, found.reserved) == ({"tokens": 70}, {"tokens": 0})

    told(story)


def test_what_a_step_frees_lets_another_execution_start() -> None:
    async def story(engine: Engine) -> None:
        lease = (await claimed(engine)).lease
        await engine.reserve(lease, "team", {"tokens": 90})
        await engine.create_execution("agent", budgets={"team": {"tokens": 50}})
        assert await engine.claim(worker_id="w", worker_instance_id="w-1") == []
        await engine.record_step(lease, "ask", b"1", budget="team", spent={"tokens": 1}, reserved={"tokens": 90})
        assert len(await engine.claim(worker_id="w", worker_instance_id="w-1")) == 1

    told(story)


def test_a_refused_charge_stores_no_step() -> None:
    async def story(engine: Engine) -> None:
        first = await claimed(engine)
        with pytest.raises(NotFound):
            await engine.record_step(first.lease, "ask", b"1", budget="nobody", spent={"tokens": 1})
        with pytest.raises(InvalidInput, match="no dimension 'usd'"):
            await engine.record_step(first.lease, "ask", b"1", budget="team", spent={"usd": 1})
        assert await engine.get_step(first.execution_id, "ask") is None
        await engine.release(first.lease)
        with pytest.raises(ExecutionNotActive):
            await engine.record_step(first.lease, "ask", b"1", budget="team", spent={"tokens": 1})
        assert (await budget(engine, "team")).used == {"tokens": 0}

    told(story)


@pytest.mark.parametrize(("budgets", "pauses"), [({"team": {}}, True), ({"org": {}}, True), ({}, False)])
def test_a_step_that_exceeds_a_budget_says_that_the_attempt_is_to_pause(
    budgets: dict[str, dict[str, int]], pauses: bool
) -> None:
    async def story(engine: Engine) -> None:
        lease = (await claimed(engine, budgets=budgets)).lease
        answer = await engine.record_step(lease, "ask", b"1", budget="team", spent={"tokens": 100})
        assert answer.pause is pauses
        assert (await engine.renew(lease)).pause is pauses

    told(story)


def test_an_attempt_on_a_budget_that_cancels_does_not_pause() -> None:
    async def story(engine: Engine) -> None:
        await engine.set_budget("team", limits={"tokens": 100}, parent="org", on_exceeded="cancel")
        lease = (await claimed(engine, budgets={"team": {}})).lease
        await engine.spend(lease, "team", {"tokens": 100})
        assert not (await engine.renew(lease)).pause

    told(story)


def test_siblings_are_limited_without_anyone_setting_the_limit() -> None:
    async def story(engine: Engine) -> None:
        for _ in range(3):
            await engine.create_execution("child", limits={"ff.siblings-2": "parent/each"})
        assert len(await engine.claim(worker_id="w", worker_instance_id="w-1", limit=10)) == 2
        for name in ("ff.siblings-0", "ff.siblings-", "ff.siblings-x", "ff.siblings-99999999999999"):
            with pytest.raises(NotFound):
                await engine.create_execution("child", limits={name: ""})

    told(story)
