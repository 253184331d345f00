"""The engine behind a server: the methods of `Engine`, gathered calls, followed events, and leases that are lost."""

import asyncio
import inspect
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice

import pytest

from flowfabric import BlockingEngine, Context, Created, Engine, FlowFabric, InvalidInput, Lease, open_blocking_engine
from flowfabric.app import accept_clock, examine, open_engine_pair, open_store, plan_migrations
from flowfabric.client.engine import RemoteEngine
from flowfabric.domain.errors import EngineError
from flowfabric.testing import ManualClock
from flowfabric.wire.routes import NO_ROUTE
from tests.http_server import Served, serving, the_server
from tests.runtime.working import run, until, working_on


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(reconcile=True) as served:
        yield served


@pytest.fixture
def engine(served: Served) -> Iterator[BlockingEngine]:
    with open_blocking_engine(served.url) as engine:
        yield engine


def test_it_has_the_methods_of_the_engine_with_the_same_parameters() -> None:
    of_servers = {"seals", "authenticate", "log_in", "log_out"}
    assert of_servers == set(NO_ROUTE) - {"create_from"}
    methods = {name: method for name, method in inspect.getmembers(Engine, callable) if not name.startswith("_")}

    for name in methods.keys() - of_servers - {"deciding_as"}:
        ours, theirs = (inspect.signature(getattr(kind, name)).parameters for kind in (RemoteEngine, Engine))
        assert list(ours) == list(theirs), name
        assert [each.kind for each in ours.values()] == [each.kind for each in theirs.values()], name


def test_calls_of_one_moment_go_to_the_server_together(served: Served) -> None:
    async def main() -> list[Created]:
        with ExitStack() as stack:
            engine = open_engine_pair(stack, served.url).engine
            return await asyncio.gather(*(engine.create_execution("job", b"x") for _ in range(200)))  # type: ignore[arg-type]

    with the_server().counting() as counted:
        answers = run(main)

    assert len({answer.execution_id for answer in answers}) == 200
    assert counted["POST /v1/executions"] + counted["POST /v1/calls"] == sum(counted.values()) <= 20


def test_calls_of_many_threads_go_to_the_server_together(served: Served, engine: BlockingEngine) -> None:
    with the_server().counting() as counted, ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda _: engine.create_execution("job"), range(160)))

    assert len({answer.execution_id for answer in answers}) == 160
    assert sum(counted.values()) < 120


def test_one_refusal_among_gathered_calls_is_that_of_its_own_caller(served: Served) -> None:
    async def main() -> list[object]:
        with ExitStack() as stack:
            engine = open_engine_pair(stack, served.url).engine
            kinds = ["good", "", "good", "bad\0", *["good"] * 20]
            return await asyncio.gather(*(engine.create_execution(kind) for kind in kinds), return_exceptions=True)

    answers = run(main)

    assert [isinstance(answer, InvalidInput) for answer in answers] == [False, True, False, True, *[False] * 20]
    assert next(str(answer) for answer in answers if isinstance(answer, EngineError)).startswith("kind")


def test_views_of_several_namespaces_do_not_share_a_request(engine: BlockingEngine) -> None:
    def submit(namespace: str) -> str:
        return engine.scoped(namespace).create_execution("job").execution_id

    names = ["shop", "läden", " press", "utf-8''x"] * 10
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(submit, names))

    found = [x.namespace for x in map(engine.describe_execution, ids) if x is not None]
    assert found == names


def test_a_lease_that_came_over_the_wire_goes_back_as_it_came(engine: BlockingEngine) -> None:
    engine.create_execution("job", b"payload")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w1")
    text = engine._engine._services.leases.codec.lease_out(claimed.lease)  # type: ignore[attr-defined]

    assert text.startswith("ls1.")
    assert isinstance(claimed.lease, Lease)
    assert engine.complete(claimed.lease, b"done").execution_id == claimed.execution_id


def test_a_subscription_goes_on_after_its_connection_was_cut(engine: BlockingEngine) -> None:
    subscription = engine.subscribe(from_now=True)
    engine.hold(engine.create_execution("one").execution_id)
    first = next(subscription)
    the_server().cut_connections()
    engine.hold(engine.create_execution("two").execution_id)

    second = next(subscription)

    assert [first.event_type, second.event_type] == ["held", "held"]
    assert first.execution_id != second.execution_id
    assert [event.event_id for event in islice(engine.subscribe(cursor=None), 2)] == [first.event_id, second.event_id]


def test_a_wait_for_an_event_that_is_given_up_loses_none(served: Served) -> None:
    async def main() -> bool:
        with ExitStack() as stack:
            engine = open_engine_pair(stack, served.url).engine
            subscription = engine.subscribe(from_now=True)
            assert subscription.cursor is not None
            made: list[str] = []
            found: list[str | None] = []
            for _ in range(5):
                waiting = asyncio.ensure_future(subscription.__anext__())
                await asyncio.sleep(0)
                made.append((await engine.create_execution("job")).execution_id)
                held = asyncio.ensure_future(engine.hold(made[-1]))
                if not waiting.cancel():
                    found.append(waiting.result().execution_id)
                await held
                await asyncio.wait({waiting})
            async with asyncio.timeout(10):
                while len(found) < len(made):
                    found.append((await subscription.__anext__()).execution_id)
            return found == made

    assert run(main)


def test_a_worker_runs_tasks_and_hears_that_a_lease_is_lost(served: Served) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()
    ff = FlowFabric(served.url)

    @ff.task
    async def double(ctx: Context, number: int) -> int:
        return number * 2

    @ff.task
    async def endless(ctx: Context) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def main() -> list[int]:
        async with ff, working_on(ff, concurrency=20):
            handles = await double.submit_many([double.bind(number=number) for number in range(50)])
            results = [await handle.result(timeout=30) for handle in handles]
            running = await endless.submit()
            await started.wait()
            await running.cancel(reason="enough")
            await until(stopped.is_set)
            return results

    assert run(main) == [number * 2 for number in range(50)]


def test_what_a_stopped_worker_was_about_to_get_is_not_lost(served: Served, engine: BlockingEngine) -> None:
    async def main() -> None:
        with ExitStack() as stack:
            remote = open_engine_pair(stack, served.url).engine
            waiting = asyncio.ensure_future(remote.wait_for_work(worker_id="w", worker_instance_id="w1"))
            await asyncio.sleep(0.05)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    run(main)
    engine.create_execution("job")

    assert len(engine.wait_for_work(worker_id="w", worker_instance_id="w2", timeout_ms=5_000)) == 1


def test_what_needs_the_database_itself_is_refused() -> None:
    url = "http://127.0.0.1:7433"
    for look in (open_store, plan_migrations, examine, accept_clock):
        with pytest.raises(InvalidInput, match=r"This needs the database itself, and the server http://127.0.0.1:7433"):
            look(url)
    with pytest.raises(InvalidInput, match="clock="), open_blocking_engine(url, clock=ManualClock()):
        pass
    with pytest.raises(InvalidInput, match="migrate="), open_blocking_engine(url, migrate=True):
        pass


def test_a_lease_that_was_over_before_the_server_was_asked_about_it_is_reported_once(engine: BlockingEngine) -> None:
    made = engine.create_execution("job")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    engine.cancel_execution(made.execution_id, reason="enough")
    reported: list[str] = []
    is_reported = threading.Event()

    with engine.watch_leases(lambda: [claimed.lease], lambda ids: (reported.extend(ids), is_reported.set())):  # type: ignore[func-returns-value]
        assert is_reported.wait(60)

    assert reported == [made.execution_id]
