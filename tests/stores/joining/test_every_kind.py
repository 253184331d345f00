"""A submit on any kind of connection is part of the caller's own transaction: there with it, or not at all."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import pytest

from flowfabric import Conflict, Context, FlowFabric, Handle, InvalidInput
from tests.stores.joining.kinds import KINDS, ON_POSTGRES, Kind, begin, commit, database, execute, rollback


class Shop:
    """A program with a table of its own, and tasks on the same database."""

    def __init__(self, ff: FlowFabric, kind: Kind, conn: Any) -> None:
        self.ff, self.kind, self.conn = ff, kind, conn

        @ff.task
        def mail(ctx: Context, name: str) -> str:
            return name

        self.mail = mail

    async def transaction(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work in a block of `ff.transaction`."""
        async with AsyncExitStack() as stack:
            block = self.ff.transaction(self.conn)
            if self.kind.is_async:
                await stack.enter_async_context(block)
            else:
                stack.enter_context(block)
            await work()

    async def forget_orders(self) -> None:
        """Whatever an earlier test has left in the table."""
        await execute(self.conn, "delete from orders")

    async def order(self, name: str) -> None:
        await execute(self.conn, f"insert into orders values ('{name}')")

    async def submit(self, name: str, **options: Any) -> Handle[str]:
        task = self.mail.options(conn=self.conn, **options)
        return await task.submit(name) if self.kind.is_async else task.submit_sync(name)

    async def submit_many(self, *names: str) -> list[Handle[str]]:
        task = self.mail.options(conn=self.conn)
        calls = [task.bind(name) for name in names]
        return await task.submit_many(calls) if self.kind.is_async else task.submit_many_sync(calls)

    def submitted(self) -> list[str]:
        """The ids of all executions that are there, for everyone."""
        return [x.execution_id for x in self.ff.blocking_engine().list_executions().items]

    async def orders(self) -> list[str]:
        return [name for (name,) in await execute(self.conn, "select name from orders")]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """One database of each store for all tests: each is a tenant of its own."""
    folder = tmp_path_factory.mktemp("shop")
    with ExitStack() as stack:
        yield {store: stack.enter_context(database(store, folder)) for store in ("sqlite", "postgres")}


Run = Callable[[Callable[[Shop], Awaitable[None]]], None]


@pytest.fixture
def run(kind: Kind, urls: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Run]:
    url = urls[kind.store]
    with FlowFabric(url, migrate=True, reconcile=False, namespace=request.node.name[-64:]) as ff:

        def run(test: Callable[[Shop], Awaitable[None]]) -> None:
            async def in_shop() -> None:
                async with kind.open(url) as conn:
                    shop = Shop(ff, kind, conn)
                    await shop.transaction(shop.forget_orders)
                    await test(shop)

            asyncio.run(in_shop())

        yield run


def test_what_is_committed_is_there_once_and_with_it_what_was_submitted(run: Run) -> None:
    async def test(shop: Shop) -> None:
        handles: list[Handle[str]] = []

        async def work() -> None:
            await shop.order("pen")
            handles.append(await shop.submit("pen"))
            assert shop.submitted() == []

        await shop.transaction(work)

        assert await shop.orders() == ["pen"]
        assert shop.submitted() == [handles[0].execution_id]
        assert handles[0].state_sync() == "waiting"

    run(test)


def test_what_is_rolled_back_was_never_submitted(run: Run) -> None:
    async def test(shop: Shop) -> None:
        async def work() -> None:
            await shop.order("pen")
            await shop.submit("pen", capabilities=["ink"], tags={"team.name": "mail"}, idempotency_key="pen")
            raise ValueError("no pens")

        with pytest.raises(ValueError, match="no pens"):
            await shop.transaction(work)

        assert await shop.orders() == []
        assert shop.submitted() == []

        await shop.transaction(lambda: _submit_only(shop, capabilities=["paper"], idempotency_key="pen"))
        assert len(shop.submitted()) == 1

    run(test)


async def _submit_only(shop: Shop, **options: Any) -> None:
    await shop.submit("pen", **options)


def test_several_are_submitted_together(run: Run) -> None:
    async def test(shop: Shop) -> None:
        handles: list[Handle[str]] = []

        async def work() -> None:
            handles.extend(await shop.submit_many("pen", "ink", "paper"))

        await shop.transaction(work)

        assert sorted(shop.submitted()) == sorted(handle.execution_id for handle in handles)

    run(test)


def test_a_key_means_one_execution_within_a_transaction_and_after_it(run: Run) -> None:
    async def test(shop: Shop) -> None:
        handles: list[Handle[str]] = []

        async def work() -> None:
            handles.append(await shop.submit("pen", idempotency_key="order-7"))
            handles.append(await shop.submit("pen", idempotency_key="order-7"))

        await shop.transaction(work)
        await shop.transaction(work)

        assert len({handle.execution_id for handle in handles}) == 1
        assert [handle.is_duplicate for handle in handles] == [False, True, True, True]
        assert shop.submitted() == [handles[0].execution_id]

    run(test)


def test_a_refusal_leaves_the_transaction_as_it_was(run: Run) -> None:
    async def test(shop: Shop) -> None:
        async def work() -> None:
            await shop.order("pen")
            await shop.submit("pen", idempotency_key="order-7")
            with pytest.raises(Conflict, match="belongs to"):
                await shop.submit("ink", idempotency_key="order-7")
            with pytest.raises(InvalidInput, match="limit"):
                await shop.submit("ink" * 1_000_000)
            await shop.order("ink")

        await shop.transaction(work)

        assert await shop.orders() == ["pen", "ink"]
        assert len(shop.submitted()) == 1

    run(test)


def test_a_worker_claims_what_was_committed(run: Run) -> None:
    async def test(shop: Shop) -> None:
        engine = shop.ff.blocking_engine()

        async def work() -> None:
            await shop.submit("pen", capabilities=["ink"])

        await shop.transaction(work)

        claim = {"worker_id": "w", "worker_instance_id": "w-1"}
        assert engine.claim(**claim) == []
        (claimed,) = engine.claim(**claim, capabilities=["ink", "paper"])
        assert (claimed.execution_id, claimed.payload) == (shop.submitted()[0], b'{"arguments":{"name":"pen"}}')

    run(test)


@pytest.mark.parametrize("kind", [KINDS[name] for name in ON_POSTGRES], ids=ON_POSTGRES)
def test_on_postgres_any_open_transaction_will_do(run: Run) -> None:
    async def test(shop: Shop) -> None:
        await begin(shop.conn)
        await shop.submit("ink")
        await rollback(shop.conn)
        await begin(shop.conn)
        await shop.order("pen")
        handle = await shop.submit("pen")
        assert shop.submitted() == []
        await commit(shop.conn)

        assert shop.submitted() == [handle.execution_id]

    run(test)
