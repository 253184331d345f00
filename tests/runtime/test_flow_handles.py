"""Flows that were submitted before, had again by their ids, here or in another process."""

import asyncio
from pathlib import Path

import pytest

from flowfabric import Context, Engine, FlowFabric, FlowReplayed, FlowSnapshot, InvalidInput, ManualClock, NotFound
from flowfabric.domain.decide import ending
from flowfabric.runtime.tasks import Task
from tests.runtime.by_hand import claim, work
from tests.stores_under_test import on_one_store


@pytest.fixture
def ff(still_ff: FlowFabric) -> FlowFabric:
    return still_ff


def tasks_of(ff: FlowFabric) -> tuple[Task[[int], str], Task[[str], str]]:
    @ff.task
    def charge(ctx: Context, order_id: int) -> str:
        return f"charge-{order_id}"

    @ff.task
    def ship(ctx: Context, charge_id: str) -> str:
        return f"parcel for {charge_id}"

    return charge, ship


def submitted(ff: FlowFabric) -> str:
    charge, ship = tasks_of(ff)
    with ff.flow("order") as flow:
        flow.add(ship, charge_id=flow.add(charge, order_id=7).output)
    return flow.flow_id


def test_another_process_has_the_nodes_by_their_names(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/shop.db"
    with FlowFabric(url, reconcile=False) as first:
        flow_id = submitted(first)
        work(first)
        work(first)
    with FlowFabric(url, reconcile=False) as second:
        tasks_of(second)
        flow = second.flow_handle(flow_id.upper())

        nodes = flow.nodes_sync()

        assert list(nodes) == ["charge", "ship"]
        assert nodes["ship"].result_sync(timeout=5) == "parcel for charge-7"
        assert flow.node_sync("charge").result_sync(timeout=5) == "charge-7"
        assert flow.state_sync() == flow.wait_sync(timeout=5) == "completed"
        assert repr(flow) == f"<FlowHandle: {flow_id}>"


@on_one_store
def test_a_flow_handle_serves_an_event_loop_too(ff: FlowFabric) -> None:
    flow = ff.flow_handle(submitted(ff))

    async def main() -> tuple[str, bool, str]:
        node = await flow.node("charge")
        cancelled = await flow.cancel("enough")
        assert await node.state() == "cancelled"
        return await flow.wait(timeout=5), cancelled, (await flow.describe()).kind

    assert asyncio.run(main()) == ("cancelled", True, "order")


@on_one_store
def test_an_unknown_flow_and_an_unknown_node_are_not_found(ff: FlowFabric) -> None:
    flow_id = submitted(ff)

    with pytest.raises(NotFound, match=r"no node 'pack'. There are 'charge', 'ship'"):
        ff.flow_handle(flow_id).node_sync("pack")
    with pytest.raises(NotFound, match="no flow"):
        ff.flow_handle("00000000-0000-7000-8000-000000000000").nodes_sync()
    with pytest.raises(InvalidInput):
        ff.flow_handle("no id")


@on_one_store
def test_the_result_of_a_task_that_is_not_known_here_cannot_be_read(ff: FlowFabric) -> None:
    flow_id = submitted(ff)
    work(ff)
    del ff._registry.tasks["charge"]  # as in a program that does not import it
    node = ff.flow_handle(flow_id).node_sync("charge")

    assert node.state_sync() == "completed"
    with pytest.raises(InvalidInput, match="no task 'charge' in this program"):
        node.result_sync(timeout=5)


@on_one_store
def test_members_that_were_added_one_by_one_have_no_name(ff: FlowFabric) -> None:
    flow_id = submitted(ff)
    ff.blocking_engine().add_execution(flow_id, "charge")

    assert list(ff.flow_handle(flow_id).nodes_sync()) == ["charge", "ship"]


def test_a_flow_is_replayed_by_its_handle_and_waited_for_again(ff: FlowFabric) -> None:
    flow_id = submitted(ff)
    flow = ff.flow_handle(flow_id)
    charge, ship = flow.nodes_sync().values()
    (claimed,) = claim(ff)
    ff.blocking_engine().fail(claimed.lease, code="boom", retryable=False)
    failed = flow.wait_sync(timeout=5)

    answer = flow.replay_sync()
    work(ff)
    work(ff)

    assert failed == "failed"
    assert answer == FlowReplayed(flow_id, tuple(sorted((charge.execution_id, ship.execution_id))))
    assert flow.wait_sync(timeout=5) == "completed"
    assert ship.result_sync(timeout=5) == "parcel for charge-7"


@on_one_store
def test_members_to_replay_are_named_by_their_handles_or_ids(ff: FlowFabric) -> None:
    charge, ship = tasks_of(ff)
    with ff.flow("order") as flow:
        paid = flow.add(charge, order_id=7)
        sent = flow.add(ship, charge_id=paid.output)
    work(ff)
    work(ff)

    by_handle = flow.replay_sync([sent])
    work(ff)
    by_id = asyncio.run(flow.replay([sent.execution_id], steps="keep"))

    assert by_handle == by_id == FlowReplayed(flow.flow_id, (sent.execution_id,))
    with pytest.raises(InvalidInput, match="'failed', 'all' or a sequence"):
        flow.replay_sync(sent.execution_id)  # type: ignore[arg-type]


@on_one_store
def test_who_waits_for_a_flow_waits_for_members_that_were_added_since(ff: FlowFabric, clock: ManualClock) -> None:
    charge, _ = tasks_of(ff)
    with ff.flow("order") as flow:
        flow.add(charge, order_id=7)
    ff.blocking_engine().add_execution(flow.flow_id, "charge", b"[]", lane="later")
    work(ff)

    with pytest.raises(TimeoutError):
        flow.wait_sync(timeout="1ms")


@on_one_store
def test_who_waits_for_a_flow_waits_for_members_that_are_coming_back_since(
    ff: FlowFabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "CASCADE_MAX", 1)
    charge, _ = tasks_of(ff)
    with ff.flow("order") as flow:
        flow.add(charge, order_id=7)
        flow.add(charge, order_id=8)
    work(ff)
    work(ff)
    looks = 0
    describe = Engine.describe_flow

    async def replayed_just_before(engine: Engine, flow_id: str) -> FlowSnapshot | None:
        nonlocal looks
        looks += 1
        if looks == 1:
            await engine.replay_flow(flow_id, what="all")
            (claimed,) = await engine.claim(worker_id="w", worker_instance_id="w")
            await engine.complete(claimed.lease)
        return await describe(engine, flow_id)

    monkeypatch.setattr(Engine, "describe_flow", replayed_just_before)

    with pytest.raises(TimeoutError, match="Wait longer"):
        asyncio.run(asyncio.wait_for(flow.wait(timeout="100ms"), 5))

    assert looks == 1


@on_one_store
def test_who_waits_for_a_flow_without_members_waits_no_longer_than_it_said(ff: FlowFabric) -> None:
    flow_id = ff.blocking_engine().create_flow("order").flow_id

    with pytest.raises(TimeoutError, match="is still open after 10 ms"):
        asyncio.run(asyncio.wait_for(ff.flow_handle(flow_id).wait(timeout="10ms"), 5))


def test_a_handle_replays_its_execution(ff: FlowFabric) -> None:
    charge, _ = tasks_of(ff)
    handle = charge.submit_sync(7)
    work(ff)

    answers = [handle.replay_sync(steps="keep").public_state]
    work(ff)
    answers.append(asyncio.run(handle.replay()).public_state)

    assert answers == ["waiting", "waiting"]
    assert handle.describe_sync().replay_count == 2
