"""Limits and budgets in programs: what a task names, what a submit answers, and what an attempt spends."""

import asyncio
import logging
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flowfabric import (
    BudgetExceeded,
    BudgetSnapshot,
    Context,
    ExecutionNotCompleted,
    FlowFabric,
    InvalidInput,
    LimitReached,
    LimitSnapshot,
    NotFound,
    RateLimited,
    Retry,
)
from tests.runtime import isolated_gates
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working


class Order(NamedTuple):
    tenant: str
    cents: int


@pytest.fixture
def ff() -> Any:
    with FlowFabric("memory://") as fabric:
        yield fabric


async def budget_of(ff: FlowFabric, name: str) -> BudgetSnapshot:
    found = await (await ff.engine()).describe_budget(name)
    assert found is not None
    return found


async def limit_of(ff: FlowFabric, name: str, key: str = "") -> LimitSnapshot:
    found = await (await ff.engine()).describe_limit(name, key)
    assert found is not None
    return found


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def test_no_more_run_at_a_time_than_a_limit_allows(ff: FlowFabric) -> None:
    openai = ff.limit("openai", concurrency=2)
    running, most = 0, 0

    @ff.task(limits=[openai])
    async def ask(ctx: Context, question: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return question

    async def main() -> list[int]:
        async with working(ff, concurrency=8):
            handles = await ask.submit_many([ask.bind(number) for number in range(10)])
            return [await handle.result(timeout=WAIT_S_MAX) for handle in handles]

    assert run(main) == list(range(10))
    assert most == 2


def test_a_key_follows_from_the_arguments_of_the_call(ff: FlowFabric) -> None:
    everyone, tenant = ff.limit("everyone", concurrency=9), ff.limit("tenant", concurrency=1, rate=100, per="1h")
    started, may_end = asyncio.Event(), asyncio.Event()

    @ff.task(limits=[everyone, tenant(lambda order: order.tenant)], fair_by=lambda order: order.tenant)
    async def serve(ctx: Context, order: Order) -> str:
        started.set()
        await may_end.wait()
        return order.tenant

    async def main() -> list[Any]:
        async with working(ff):
            handle = await serve.submit(Order("t-7", 5))
            await started.wait()
            uses = [(await limit_of(ff, "everyone")).in_use, (await limit_of(ff, "tenant", "t-7")).in_use]
            uses.append((await limit_of(ff, "tenant", "t-8")).in_use)
            may_end.set()
            return [*uses, await handle.result(timeout=WAIT_S_MAX)]

    assert run(main) == [1, 1, 0, "t-7"]


def test_the_numbers_of_an_operator_stay(ff: FlowFabric) -> None:
    openai = ff.limit("openai", concurrency=2)

    @ff.task(limits=[openai])
    async def ask(ctx: Context) -> None: ...

    engine = ff.blocking_engine()
    engine.set_limit("openai", concurrency=7)
    ask.submit_sync()
    with ff.flow("asks") as flow:
        flow.add(ask)
    found = engine.describe_limit("openai")
    assert found is not None
    assert (found.concurrency, flow.nodes[0].execution_id != "") == (7, True)


@pytest.mark.parametrize("how", ["submit", "submit_many", "flow"])
def test_the_first_submit_writes_what_the_program_declares(ff: FlowFabric, how: str) -> None:
    company = ff.budget("company", tokens=100)
    team = ff.budget("team", tokens=10, parent=company, soft={"tokens": 5}, period="day")
    openai = ff.limit("openai", concurrency=2, rate=60, burst=3)

    @ff.task(limits=[openai("eu")], budgets={team: {"tokens": 4}})
    async def ask(ctx: Context) -> None: ...

    if how == "submit":
        ask.submit_sync()
    elif how == "submit_many":
        ask.submit_many_sync([ask.bind()])
    else:
        with ff.flow("asks") as flow:
            flow.add(ask)
    engine = ff.blocking_engine()
    limit, budget = engine.describe_limit("openai", "eu"), engine.describe_budget("team")
    assert limit is not None
    assert budget is not None
    assert (limit.concurrency, limit.rate, limit.per_ms, limit.burst) == (2, 60, 60_000, 3)
    assert (budget.limits, budget.soft_limits, budget.parent) == ({"tokens": 10}, {"tokens": 5}, "company")


def test_a_task_that_names_an_unknown_budget_is_not_submitted(ff: FlowFabric) -> None:
    @ff.task(budgets={"nobody": {}})
    async def ask(ctx: Context) -> None: ...

    with pytest.raises(NotFound, match="nobody"):
        ask.submit_sync()


def test_when_a_limit_is_full_a_submit_may_be_refused(ff: FlowFabric) -> None:
    one = ff.limit("one", concurrency=1)
    started, may_end = asyncio.Event(), asyncio.Event()

    @ff.task(limits=[one], when_full="drop_new")
    async def work(ctx: Context) -> str:
        started.set()
        await may_end.wait()
        return "done"

    async def main() -> list[Any]:
        async with working(ff):
            first = await work.submit()
            await started.wait()
            with pytest.raises(LimitReached) as refused:
                await work.submit()
            waits = await work.options(when_full="wait").submit()
            may_end.set()
            ends = [await each.result(timeout=WAIT_S_MAX) for each in (first, waits)]
            return [refused.value.execution_id == first.execution_id, *ends]

    assert run(main) == [True, "done", "done"]


def test_what_cannot_be_dropped_waits(ff: FlowFabric) -> None:
    one = ff.limit("one", concurrency=1)

    @ff.task(limits=[one], when_full="drop_new")
    async def work(ctx: Context) -> None: ...

    with pytest.raises(InvalidInput, match="submit_many makes all or none"):
        work.submit_many_sync([work.bind()])
    with pytest.raises(InvalidInput, match="another transaction"):
        work.options(conn=object()).submit_sync()
    with ff.flow("works") as flow:
        with pytest.raises(InvalidInput, match="a member of a flow always waits"):
            flow.add(work)
        flow.add(work.options(when_full="wait"))
    with pytest.raises(InvalidInput, match="always waits for its limits"):
        ff.cron("0 2 * * *", work)


def test_a_schedule_has_the_limits_of_its_task_with_keys_made_of_its_arguments(ff: FlowFabric) -> None:
    openai, tenant = ff.limit("openai", concurrency=2), ff.limit("tenant", concurrency=1)
    team = ff.budget("team", tokens=100)

    @ff.task(
        limits=[openai, tenant(lambda region: region)], budgets={team: {"tokens": 7}}, fair_by=lambda region: region
    )
    async def sync(ctx: Context, region: str = "eu") -> None: ...

    ff.cron("0 2 * * *", sync.bind("us"), name="us")
    ff.every("10m", sync, name="eu")

    us, eu = ff.schedules["us"], ff.schedules["eu"]
    assert (us.limits, us.fair_key, us.budgets) == ({"openai": "", "tenant": "us"}, "us", {"team": {"tokens": 7}})
    assert (eu.limits, eu.fair_key, eu.budgets) == ({"openai": "", "tenant": "eu"}, "eu", {"team": {"tokens": 7}})


def test_a_key_that_the_arguments_of_a_schedule_do_not_give_is_refused_where_it_is_declared(ff: FlowFabric) -> None:
    tenant = ff.limit("tenant", concurrency=1)

    @ff.task(limits=[tenant(lambda order: order.tenant)])
    async def bill(ctx: Context, order: Order | None = None) -> None: ...

    with pytest.raises(InvalidInput, match=r"Task 'bill': the key of limit 'tenant' could not be made"):
        ff.every("10m", bill)

    assert dict(ff.schedules) == {}


def test_a_worker_states_what_its_schedules_name_and_states_it_again_after_an_operator_removed_it(
    ff: FlowFabric,
) -> None:
    one = ff.limit("one", concurrency=1)
    ticks = 0

    @ff.task(limits=[one])
    async def tick(ctx: Context) -> None:
        nonlocal ticks
        ticks += 1

    async def main() -> list[Any]:
        async with working(ff):
            await until(lambda: ticks >= 1)
            engine = await ff.engine()
            await engine.remove_limit("one")
            so_far = ticks
            await until(lambda: ticks > so_far)
            return [await engine.describe_limit("one"), (await engine.list_executions(limit=1)).items[0]]

    ff.every("1s", tick)
    limit, last = run(main)

    assert limit.concurrency == 1
    assert last.gates.limits == {"one": ""}


def test_members_of_a_flow_have_the_limits_of_their_tasks(ff: FlowFabric) -> None:
    tenant = ff.limit("tenant", concurrency=1)
    team = ff.budget("team", tokens=100)

    @ff.task(limits=[tenant(lambda order: order.tenant)], fair_by=lambda order: order.tenant, budgets={team: {}})
    async def bill(ctx: Context, order: Order) -> int:
        return order.cents

    async def main() -> list[Any]:
        async with ff.flow("bills") as flow:
            nodes = [flow.add(bill, Order(tenant, 5)) for tenant in ("t-1", "t-2")]
        return [(await snapshot(ff, node)).gates for node in nodes]

    assert [(each.limits, each.fair_key, each.budgets) for each in run(main)] == [
        ({"tenant": "t-1"}, "t-1", {"team": {}}),
        ({"tenant": "t-2"}, "t-2", {"team": {}}),
    ]


def test_an_error_in_a_key_names_the_task_and_the_limit(ff: FlowFabric) -> None:
    tenant = ff.limit("tenant", concurrency=1)

    @ff.task(limits=[tenant(lambda order: order.nothing)])
    async def broken(ctx: Context, order: Order) -> None: ...

    @ff.task(fair_by=lambda order: order.cents)
    async def numbered(ctx: Context, order: Order) -> None: ...

    with pytest.raises(InvalidInput, match=r"Task 'broken': the key of limit 'tenant' .*AttributeError"):
        broken.submit_sync(Order("t-7", 5))
    with pytest.raises(InvalidInput, match=r"Task 'numbered': fair_by .*it returned 5"):
        numbered.submit_sync(Order("t-7", 5))
    with pytest.raises(InvalidInput, match="the key of limit 'tenant' is called with the task's parameters"):
        broken.options(limits=[tenant(lambda wrong: wrong)])


def test_wrong_declarations_are_refused(ff: FlowFabric) -> None:
    openai = ff.limit("openai", concurrency=2)
    assert ff.limit("openai", concurrency=2) == openai
    with pytest.raises(InvalidInput, match="with other numbers"):
        ff.limit("openai", concurrency=3)
    with pytest.raises(InvalidInput, match="needs concurrency or rate"):
        ff.limit("nothing")
    team = ff.budget("team", tokens=1)
    with pytest.raises(InvalidInput, match="it is another one"):
        ff.budget("team", tokens=2)
    with pytest.raises(InvalidInput, match="at least one dimension"):
        ff.budget("empty")
    with pytest.raises(InvalidInput, match="limits holds 'openai'"):
        ff.task(limits=["openai"])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="names 'openai' twice"):
        ff.task(limits=[openai, openai("eu")])
    with pytest.raises(InvalidInput, match="is not a budget"):
        ff.task(budgets={7: {}})  # type: ignore[dict-item]
    with pytest.raises(InvalidInput, match="names no limit"):
        ff.task(budgets={team: {}}, when_full="drop_new")


@pytest.mark.parametrize("per", ["0s", 0, "9999d"])
def test_the_time_of_a_rate_has_bounds(ff: FlowFabric, per: Any) -> None:
    with pytest.raises(InvalidInput, match=f"per is {per!r}; it must be from 1 ms to 366 days"):
        ff.limit("openai", rate=5, per=per)


def test_a_ring_of_declared_budgets_is_refused_where_it_is_closed(ff: FlowFabric) -> None:
    ff.budget("team", tokens=1, parent="company")

    with pytest.raises(InvalidInput, match="company → team → company is a ring"):
        ff.budget("company", tokens=1, parent="team")
    with pytest.raises(InvalidInput, match="self → self is a ring"):
        ff.budget("self", tokens=1, parent="self")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"tokens": 5, "soft": {"tokens": 6}}, r"soft\['tokens'\] is 6, and the limit is 5"),
        ({"tokens": 5, "soft": {"usd": 6}}, "soft names 'usd', which has no limit"),
        ({"tokens": 5, "timezone": "Mars"}, "timezone is 'Mars'"),
        ({"tokens": 5, "parent": 7}, "parent is 7, which is not a budget"),
        ({"tokens": True}, r"limits\['tokens'\] is True; it must be a whole number"),
    ],
)
def test_a_budget_says_which_argument_is_wrong(ff: FlowFabric, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        ff.budget("team", **arguments)


def test_a_key_that_is_no_key_is_refused_with_the_name_of_the_task(ff: FlowFabric) -> None:
    tenant = ff.limit("tenant", concurrency=1)
    answers: list[Any] = [7, "x" * 257]

    @ff.task(limits=[tenant(lambda: answers.pop(0))])
    async def work(ctx: Context) -> None: ...

    with pytest.raises(InvalidInput, match="the key of limit 'tenant' is made by a function, and it returned 7"):
        work.submit_sync()
    with pytest.raises(InvalidInput, match=r"Task 'work': the key of limit 'tenant' is 'xxx.* 1 to 256 characters"):
        work.submit_sync()


def test_however_long_a_service_asks_to_wait_the_pause_has_a_length_that_can_be_kept() -> None:
    assert RateLimited("openai", retry_after=0).retry_after_ms == 1
    assert RateLimited("openai", retry_after="9999d").retry_after_ms == 366 * 86_400_000


# ── rate limits of others ────────────────────────────────────────────────────────────────────────


def test_a_rate_limited_task_pauses_the_limit_and_burns_nothing(ff: FlowFabric) -> None:
    openai = ff.limit("openai", concurrency=5)
    tries: list[int] = []

    async def call() -> None:
        raise RateLimited(openai, retry_after="50ms", key="eu")

    @ff.task(limits=[openai("eu")])
    async def ask(ctx: Context) -> int:
        tries.append(ctx.attempt_index)
        if len(tries) == 1:
            await ctx.options(retry=Retry(5)).step("call", call)
        return len(tries)

    async def main() -> Any:
        async with working(ff):
            handle = await ask.submit()
            result = await handle.result(timeout=WAIT_S_MAX)
            events = await (await ff.engine()).read_events()
            return result, await snapshot(ff, handle), [event.event_type for event in events.events]

    result, x, events = run(main)
    assert (result, len(tries), x.retry_count, x.interruption_count) == (2, 2, 0, 0)
    assert "limit_paused" in events


def test_a_rate_limited_task_is_delayed(ff: FlowFabric) -> None:
    ff.limit("openai", concurrency=5)

    @ff.task
    async def ask(ctx: Context) -> None:
        raise RateLimited("openai", retry_after="1h")

    async def main() -> Any:
        async with working(ff):
            handle = await ask.submit()
            return await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "delayed")

    x = run(main)
    assert (x.retry_count, x.interruption_count) == (0, 0)


def test_a_task_that_is_rate_limited_by_a_limit_that_nobody_has_set_fails_and_says_what_to_do(ff: FlowFabric) -> None:
    tries: list[int] = []

    @ff.task(retry=Retry(1, initial_delay="10ms"))
    def ask(ctx: Context) -> None:
        tries.append(ctx.attempt_index)
        raise RateLimited("opneai", retry_after="1h")

    async def main() -> Any:
        async with working(ff):
            handle = await ask.submit()
            with pytest.raises(ExecutionNotCompleted):
                await handle.result(timeout=WAIT_S_MAX)
            return await snapshot(ff, handle)

    x = run(main)
    assert (tries, x.public_state, x.failure.code) == ([0, 1], "failed", "RateLimited")
    assert x.failure.message == (
        "It raised RateLimited for limit 'opneai', and there is no such limit in namespace 'default', so nothing was "
        "paused. Correct the name in the code, or set the limit: `ff limits set opneai --concurrency 10`."
    )


def test_a_task_whose_own_limit_was_removed_is_delayed_and_nothing_is_paused(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    openai = ff.limit("openai", concurrency=5)
    tries: list[int] = []

    @ff.task(limits=[openai])
    async def ask(ctx: Context) -> int:
        tries.append(ctx.attempt_index)
        if len(tries) == 1:
            await (await ff.engine()).remove_limit("openai")
            raise RateLimited(openai, retry_after="10ms")
        return len(tries)

    async def main() -> int:
        async with working(ff):
            return await (await ask.submit()).result(timeout=WAIT_S_MAX)

    with caplog.at_level(logging.WARNING, "flowfabric"):
        assert run(main) == 2
    assert "cannot pause limit 'openai'" in caplog.text


# ── spending ─────────────────────────────────────────────────────────────────────────────────────


def test_an_attempt_reserves_and_spends(ff: FlowFabric) -> None:
    team = ff.budget("team", tokens=100, usd=10)

    @ff.task
    async def on_a_loop(ctx: Context) -> list[Any]:
        reserved = await ctx.reserve(team, tokens=40)
        spent = await ctx.spend("team", tokens=30, idempotency_key="once")
        again = await ctx.spend(team, tokens=30, idempotency_key="once")
        try:
            await ctx.reserve(team, usd=11)
        except BudgetExceeded as error:
            return [reserved.remaining, spent.remaining, again == spent, error.dimension, error.remaining]
        return []

    @ff.task
    def in_a_thread(ctx: Context) -> list[Any]:
        with pytest.raises(NotFound, match="nobody"):
            ctx.spend_sync("nobody", tokens=40)
        reserved = ctx.reserve_sync(team, tokens=40)
        return [reserved.remaining, ctx.spend_sync(team, usd=1).remaining]

    async def main() -> list[Any]:
        async with working(ff):
            first = await (await on_a_loop.submit()).result(timeout=WAIT_S_MAX)
            second = await (await in_a_thread.submit()).result(timeout=WAIT_S_MAX)
            return [first, second, await budget_of(ff, "team")]

    first, second, budget = run(main)
    assert first == [{"tokens": 60, "usd": 10}, {"tokens": 60, "usd": 10}, True, "usd", 10]
    assert second == [{"tokens": 30, "usd": 10}, {"tokens": 30, "usd": 9}]
    assert (budget.used, budget.reserved) == ({"tokens": 30, "usd": 1}, {"tokens": 0, "usd": 0})


@pytest.mark.parametrize("is_async", [True, False])
def test_a_metered_step_charges_once_with_its_result(ff: FlowFabric, is_async: bool) -> None:
    team = ff.budget("team", tokens=100)
    calls: list[str] = []

    def ask(question: str) -> dict[str, int]:
        calls.append(question)
        if len(calls) == 1:
            raise ConnectionError("once")
        return {"tokens": 7}

    async def ask_on_loop(question: str) -> dict[str, int]:
        return ask(question)

    if is_async:

        @ff.task(retry=Retry(3, initial_delay=0))
        async def agent(ctx: Context) -> list[int]:
            meter = ctx.metered(team, reserve={"tokens": 60}, cost=lambda answer: answer)
            try:
                answer = await meter.step("ask", ask_on_loop, "why")
            except ConnectionError:
                answer = await meter.step("ask", ask, "why")  # what the first try has reserved is enough for this one
            if ctx.attempt_index == 0:
                calls.append("stored")
                raise ConnectionError("after the step")
            spent = await ctx.spend(team, tokens=1)
            return [answer["tokens"], spent.remaining["tokens"]]
    else:

        @ff.task(retry=Retry(3, initial_delay=0))
        def agent(ctx: Context) -> list[int]:
            meter = ctx.metered("team", reserve={"tokens": 60}, cost=lambda answer: answer)
            try:
                answer = meter.step_sync("ask", ask, "why")
            except ConnectionError:
                answer = meter.step_sync("ask", ask, "why")
            if ctx.attempt_index == 0:
                calls.append("stored")
                raise ConnectionError("after the step")
            spent = ctx.spend_sync(team, tokens=1)
            return [answer["tokens"], spent.remaining["tokens"]]

    async def main() -> list[Any]:
        async with working(ff):
            result = await (await agent.submit()).result(timeout=WAIT_S_MAX)
            return [result, (await budget_of(ff, "team")).used]

    assert run(main) == [[7, 92], {"tokens": 8}]
    assert calls == ["why", "why", "stored"]


def test_a_metered_step_frees_what_it_has_not_spent(ff: FlowFabric) -> None:
    team = ff.budget("team", tokens=100)

    @ff.task
    async def agent(ctx: Context) -> dict[str, int]:
        for number in range(5):
            meter = ctx.metered(team, reserve={"tokens": 60}, cost=lambda _: {"tokens": 1})
            await meter.step(f"ask-{number}", lambda: None)
        return dict((await budget_of(ff, "team")).reserved)

    async def main() -> list[Any]:
        async with working(ff):
            result = await (await agent.submit()).result(timeout=WAIT_S_MAX)
            return [result, (await budget_of(ff, "team")).used]

    assert run(main) == [{"tokens": 0}, {"tokens": 5}]


def test_a_metered_step_that_does_not_fit_does_not_run(ff: FlowFabric) -> None:
    team = ff.budget("team", tokens=100)
    ran: list[str] = []

    @ff.task
    async def agent(ctx: Context) -> str:
        try:
            meter = ctx.metered(team, reserve={"tokens": 101}, cost=lambda _: {})
            await meter.step("ask", lambda: ran.append("ask"))
        except BudgetExceeded as error:
            return f"{error.dimension} {error.remaining}"
        return ""

    async def main() -> str:
        async with working(ff):
            return await (await agent.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == "tokens 100"
    assert ran == []


# ── pausing ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["spend", "metered", "thread", "renewal"])
def test_an_exceeded_budget_stops_the_attempt_at_its_next_step(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    team = ff.budget("team", tokens=10)
    ran: list[str] = []

    def step(word: str) -> str:
        ran.append(word)
        return word

    async def spend(ctx: Context) -> None:
        if how == "metered":
            await ctx.metered(team, cost=lambda _: {"tokens": 10}).step("spend", lambda: None)
        elif how == "renewal":
            await ctx.step("spend", lambda: None)
            engine = await ff.engine()
            await engine.charge_budget("team", {"tokens": 10}, reason="a test")
            await until(lambda: ctx.steps.standstill.must_pause)
        else:
            await ctx.spend(team, tokens=10, idempotency_key="spend")

    if how == "thread":

        @ff.task(budgets={team: {}})
        def agent(ctx: Context) -> str:
            try:
                if not ran:
                    ctx.step_sync("first", step, "first")
                    ctx.spend_sync(team, tokens=10)
                return ctx.step_sync("second", step, "second")
            finally:
                ran.append("finally")
    else:

        @ff.task(budgets={team: {}})
        async def agent(ctx: Context) -> str:
            try:
                if not ran:
                    await ctx.step("first", step, "first")
                    await spend(ctx)
                return await ctx.step("second", step, "second")
            finally:
                ran.append("finally")

    async def main() -> list[Any]:
        async with working(ff, lease="3s"):
            handle = await agent.submit()
            parked = await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "rate_limited")
            engine = await ff.engine()
            await engine.set_budget("team", limits={"tokens": 1000})
            result = await handle.result(timeout=WAIT_S_MAX)
            x = await ended(ff, handle)
            return [parked.public_state, result, x.retry_count, x.interruption_count]

    with caplog.at_level(logging.INFO, "flowfabric"):
        assert run(main) == ["rate_limited", "second", 0, 0]
    assert ran == ["first", "finally", "second", "finally"]
    assert "pauses after" in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING and "agent" in record.message]


# ── children ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_async", [True, False])
def test_so_many_children_of_a_map_run_at_a_time(ff: FlowFabric, is_async: bool) -> None:
    lock, running, most = threading.Lock(), 0, 0

    @ff.task
    async def child(ctx: Context, item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return item

    if is_async:

        @ff.task
        async def parent(ctx: Context) -> list[int]:
            return await ctx.map("each", child, range(8), concurrency=3)
    else:

        @ff.task
        def parent(ctx: Context) -> list[int]:
            with lock:
                return ctx.map_sync("each", child, range(8), concurrency=3)

    async def main() -> list[int]:
        async with working(ff, concurrency=16):
            return await (await parent.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == list(range(8))
    assert most == 3


def test_children_have_the_limits_of_their_task(ff: FlowFabric) -> None:
    one = ff.limit("one", concurrency=1)
    running, most = 0, 0

    @ff.task(limits=[one(lambda item: f"{item % 2}")])
    async def child(ctx: Context, item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return item

    @ff.task
    async def parent(ctx: Context) -> list[int]:
        return await ctx.map("each", child, range(6))

    async def main() -> list[int]:
        async with working(ff, concurrency=16):
            return await (await parent.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == list(range(6))
    assert most <= 2


# ── child processes ──────────────────────────────────────────────────────────────────────────────


def test_functions_in_child_processes_spend(tmp_path: Path) -> None:
    ff = isolated_gates.ff

    async def main() -> list[Any]:
        async with working(ff):
            plain = await (await isolated_gates.plain.submit()).result(timeout=WAIT_S_MAX)
            on_a_loop = await (await isolated_gates.on_a_loop.submit()).result(timeout=WAIT_S_MAX)
            handle = await isolated_gates.rate_limited.submit(str(tmp_path / "notes"))
            limited = await handle.result(timeout=WAIT_S_MAX)
            return [plain, on_a_loop, limited, (await snapshot(ff, handle)).retry_count]

    plain, on_a_loop, limited, retries = run(main)
    assert plain == [{"tokens": 60}, 5, {"tokens": 55}, "budget"]
    assert on_a_loop == ["tokens", 94, {"tokens": 92}]
    assert (limited, retries) == ("second", 0)


def test_a_function_in_a_child_process_pauses(tmp_path: Path) -> None:
    ff, notes = isolated_gates.ff, tmp_path / "notes"

    async def main() -> str:
        async with working(ff):
            handle = await isolated_gates.pausing.submit(str(notes))
            await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "rate_limited")
            await (await ff.engine()).set_budget("purse", limits={"tokens": 1000})
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "second"
    assert notes.read_text().split() == ["first", "finally", "second", "finally"]
