"""Two or three things at once, each from a process of its own, on a flow that is new in every round."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from flowfabric import (
    AnyOf,
    BlockingEngine,
    Claimed,
    ExecutionPolicy,
    FlowGraph,
    Quorum,
    RetryPolicy,
    open_blocking_engine,
)
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Deadlocks, in_group
from tests.chaos.processes import wait_until
from tests.chaos.puppets import Order, Puppets, order, puppets
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

PROCESSES = 3
LEASE_TTL_MS = 300_000
BOTH_WAYS = {"c: Completed", "c: ExecutionNotActive", "add: Created", "add: FlowTerminal"}
"""What a complete and a new member are answered before and after a cancel."""
RETRIED = ExecutionPolicy(retry=RetryPolicy(max_retries=3, initial_delay_ms=0, jitter=0))


def rounds(have_met: Callable[[], bool]) -> Iterator[None]:
    """As many as asked for, and more until the racers have met in every way that there is."""
    for number in range(20 * SIZES.flow_rounds):
        if number >= SIZES.flow_rounds and have_met():
            return
        yield


@pytest.fixture
def engine(url: str) -> Iterator[BlockingEngine]:
    with open_blocking_engine(url, reconcile=False) as engine:
        yield engine


@pytest.fixture
def racers(url: str, engine: BlockingEngine, tmp_path: Path) -> Iterator[Puppets]:
    with puppets(url, PROCESSES, tmp_path) as racers:
        yield racers


@pytest.fixture(autouse=True)
def nothing_is_broken_afterwards(url: str, deadlocks: Deadlocks, engine: BlockingEngine) -> Iterator[None]:
    """Whatever won, every count equals a recount, everything ended once, and no two batches waited for each other."""
    yield
    with opened(url) as store:
        assert_nothing_is_broken(store)
    assert deadlocks() == 0, "rows were not locked in the one order"


def test_of_edges_that_would_close_a_cycle_together_one_is_always_refused(
    engine: BlockingEngine, racers: Puppets
) -> None:
    refused: Counter[str] = Counter()
    for _ in rounds(lambda: len(refused) > 1):
        flow_id, (a, b, c) = members_without_edges(engine, 3)

        # Together they are three cycles of two and two of three.
        (ab, bc), (ba, ca), (cb, ac) = racers.race(
            [link(flow_id, a, b), link(flow_id, b, c)],
            [link(flow_id, b, a), link(flow_id, c, a)],
            [link(flow_id, c, b), link(flow_id, a, c)],
        )

        answers = [ab, ba, bc, cb, ca, ac]
        assert {answer.name for answer in answers} == {"DependencyAdded", "CycleDetected"}
        # The winners order the three: every pair is linked in exactly one direction, unless a longer way forbids both.
        for one, other in ((ab, ba), (bc, cb), (ca, ac)):
            assert {one.name, other.name} == {"DependencyAdded", "CycleDetected"}
        assert is_acyclic(engine, flow_id)
        refused.update(f"edge {number}" for number, answer in enumerate(answers) if answer.name == "CycleDetected")

    assert len(refused) > 1, "the same racer won every time"


def test_siblings_that_complete_at_once_fire_each_join_once(engine: BlockingEngine, racers: Puppets) -> None:
    for _ in range(SIZES.flow_rounds):
        graph = FlowGraph("siblings")
        for number in range(6):
            graph.node(f"part {number}", "part")
        for name in ("all", "any", "most"):
            graph.node(name, name, lane="joined")
            for number in range(6):
                graph.edge(f"part {number}", name, pass_result_as=f"part_{number}")
        graph.join("any", AnyOf("let_run"))
        graph.join("most", Quorum(4, "let_run"))
        flow = engine.submit_flow(graph)
        parts = claim(engine, 6)

        answers = racers.race(*dealt([complete(each) for each in parts]))

        assert {answer.name for own in answers for answer in own} == {"Completed"}
        joined = claim(engine, 4, lane="joined")
        assert sorted(each.kind for each in joined) == ["all", "any", "most"]
        (everything,) = (each.inputs for each in joined if each.kind == "all")
        assert sorted(everything.values()) == sorted(each.execution_id.encode() for each in parts)
        for each in joined:
            engine.complete(each.lease)
        assert state(engine, flow.flow_id) == "completed"


def test_siblings_that_end_well_and_badly_at_once_decide_each_join_once(
    engine: BlockingEngine, racers: Puppets
) -> None:
    for _ in range(SIZES.flow_rounds):
        graph = FlowGraph("siblings")
        for number in range(6):
            graph.node(f"part {number}", "part")
        for name in ("all", "any", "most"):
            graph.node(name, name, lane="joined")
            graph.node(f"after {name}", "part", lane="joined")
            for number in range(6):
                graph.edge(f"part {number}", name)
            graph.edge(name, f"after {name}")
        graph.join("any", AnyOf("let_run"))
        graph.join("most", Quorum(4, "let_run"))
        flow = engine.submit_flow(graph)
        parts = claim(engine, 6)

        well = [complete(each) for each in parts[:3]]
        badly = [order("fail", lease=each.lease, code="broken", retryable=False) for each in parts[3:]]
        racers.race(*dealt([*well, *badly]))

        # One failure is too many for all, and three for four of six; any had three successes.
        impossible = ("all", "after all", "most", "after most")
        assert {outcome(engine, flow.execution_ids[name]) for name in impossible} == {"skipped"}
        for expected in ("any", "after any"):
            (claimed,) = claim(engine, 4, lane="joined")
            assert claimed.execution_id == flow.execution_ids[expected]
            engine.complete(claimed.lease)
        assert state(engine, flow.flow_id) == "failed"


def test_a_quorum_cancels_the_rest_while_the_rest_completes(engine: BlockingEngine, racers: Puppets) -> None:
    late: list[int] = []
    for _ in rounds(lambda: any(late)):
        graph = FlowGraph("quorum")
        for number in range(6):
            graph.node(f"voter {number}", "voter")
        graph.node("joined", "joined", lane="joined")
        for number in range(6):
            graph.edge(f"voter {number}", "joined")
        graph.join("joined", Quorum(2, "cancel_remaining"))
        flow = engine.submit_flow(graph)
        voters = claim(engine, 6)

        answers = [answer for own in racers.race(*dealt([complete(each) for each in voters])) for answer in own]

        told = Counter(answer.name for answer in answers)
        assert told["Completed"] + told["ExecutionNotActive"] == 6
        assert told["Completed"] >= 2
        outcomes = Counter(outcome(engine, each.execution_id) for each in voters)
        # Who was told that it completed has completed; all others were cancelled, and told so.
        assert outcomes == Counter({"completed": told["Completed"], "cancelled": told["ExecutionNotActive"]})
        late.append(told["ExecutionNotActive"])
        (joined,) = claim(engine, 2, lane="joined")
        engine.complete(joined.lease)
        assert state(engine, flow.flow_id) == "completed"

    assert any(late), "no quorum was ever quick enough to cancel anyone"


def test_nothing_of_a_cancelled_flow_comes_back_to_life(engine: BlockingEngine, racers: Puppets) -> None:
    told: Counter[str] = Counter()
    for _ in rounds(lambda: told.keys() >= BOTH_WAYS):
        flow_id, ended, leased, waiting = flow_in_the_middle(engine)

        cancel = order("cancel_flow", flow_id=flow_id, reason="enough")
        first, second, third = racers.race(
            [
                cancel,
                *(order("renew", lease=each.lease) for each in leased),
                order("claim", worker_id="w", worker_instance_id="late", limit=3, lease_ttl_ms=LEASE_TTL_MS),
            ],
            [
                *(complete(each) for each in leased[:2]),
                order("fail", lease=leased[2].lease, code="broken", retryable=True),
                order("release", lease=leased[3].lease),
                order("replay_execution", execution_id=ended),
            ],
            [
                order("add_execution", flow_id=flow_id, kind="late", after=[ended]),
                order("add_execution", flow_id=flow_id, kind="late"),
                order("add_dependency", flow_id=flow_id, upstream=ended, downstream=waiting),
                order("hold", execution_id=waiting),
                order("revoke_lease", execution_id=leased[2].execution_id),
            ],
        )

        assert first[0].name == "FlowCancelled"
        cancelled = first[0].value["member_execution_ids"]
        for each, answer in zip(leased[:2], second[:2], strict=True):
            assert outcome(engine, each.execution_id) == ("completed" if answer.name == "Completed" else "cancelled")
            assert (answer.name == "Completed") == (each.execution_id not in cancelled)
        assert {answer.name for answer in third[:2]} <= {"Created", "FlowTerminal"}
        # After the answer: nobody lives, nobody can be claimed, and nobody is let in.
        states = Counter(x.public_state for x in engine.list_executions(flow_id=flow_id).items)
        assert states.keys() <= {"completed", "cancelled"}
        assert claim(engine, 10) == []
        (late,), (again,), (replayed,) = racers.race(
            [order("add_execution", flow_id=flow_id, kind="late")],
            [cancel],
            [order("replay_execution", execution_id=ended)],
        )
        assert (late.name, replayed.name) == ("FlowTerminal", "FlowTerminal")
        assert again.name == "FlowAlreadyTerminal"
        assert again.value["member_execution_ids"] == cancelled
        told.update(f"{name}: {answer.name}" for name, answer in zip("ccfrp", second, strict=True))
        told.update(f"add: {answer.name}" for answer in third[:2])

    assert told.keys() >= BOTH_WAYS, "nothing was raced"


def test_of_cancels_at_once_one_cancels_and_the_others_tell_what_it_did(
    engine: BlockingEngine, racers: Puppets
) -> None:
    winners: Counter[str] = Counter()
    for _ in rounds(lambda: len(winners) > 1):
        flow_id, *_ = flow_in_the_middle(engine)

        answers = [
            answer
            for (answer,) in racers.race(
                [order("cancel_flow", flow_id=flow_id, reason="a", policy="cancel_all")],
                [order("cancel_flow", flow_id=flow_id, reason="b", policy="cancel_pending")],
                [order("cancel_flow", flow_id=flow_id, reason="c", policy="flow_only")],
            )
        ]

        (won,) = (answer for answer in answers if answer.name == "FlowCancelled")
        told = [answer.value for answer in answers if answer.name == "FlowAlreadyTerminal"]
        assert [each["stored_cancellation_policy"] for each in told] == [won.value["cancellation_policy"]] * 2
        assert [each["member_execution_ids"] for each in told] == [won.value["member_execution_ids"]] * 2
        winners[won.value["cancellation_policy"]] += 1
        for each in claim(engine, 10):  # of a flow that was cancelled by itself only
            engine.release(each.lease)
            engine.cancel_execution(each.execution_id, reason="tidied up")

    assert len(winners) > 1, "the same racer won every time"


def test_a_cancel_that_waits_hears_of_the_workers_of_other_processes(engine: BlockingEngine, racers: Puppets) -> None:
    flow_id, _, leased, _ = flow_in_the_middle(engine)

    racers.send([order("cancel_flow", flow_id=flow_id, reason="enough", wait=True)], [], [])
    wait_until(lambda: state(engine, flow_id) == "cancelled")
    for each in leased:
        engine.ack_cancel_member(flow_id, each.execution_id)

    ((cancelled,), _, _) = racers.answers()
    assert cancelled.name == "FlowCancelled"
    assert {each.execution_id for each in leased} <= set(cancelled.value["member_execution_ids"])


def members_without_edges(engine: BlockingEngine, count: int) -> tuple[str, list[str]]:
    flow_id = engine.create_flow("race").flow_id
    return flow_id, [engine.add_execution(flow_id, "kind", lane="nobody").execution_id for _ in range(count)]


def flow_in_the_middle(engine: BlockingEngine) -> tuple[str, str, list[Claimed], str]:
    """A flow of one member that has completed, four that are leased, one that is ready, and one behind all of them."""
    graph = FlowGraph("middle")
    graph.node("ended", "kind", priority=9)
    for number in range(5):
        graph.node(f"part {number}", "kind", priority=1 if number < 4 else 0, policy=RETRIED)
        graph.edge("ended", f"part {number}")
    graph.node("last", "kind")
    for number in range(5):
        graph.edge(f"part {number}", "last")
    flow = engine.submit_flow(graph)
    (first,) = claim(engine, 1)
    engine.complete(first.lease)
    return flow.flow_id, first.execution_id, claim(engine, 4), flow.execution_ids["last"]


def claim(engine: BlockingEngine, limit: int, lane: str = "default") -> list[Claimed]:
    return engine.claim(worker_id="w", worker_instance_id="test", lanes=[lane], limit=limit, lease_ttl_ms=LEASE_TTL_MS)


def complete(claimed: Claimed) -> Order:
    return order("complete", lease=claimed.lease, result=claimed.execution_id)


def link(flow_id: str, upstream: str, downstream: str) -> Order:
    return order("add_dependency", flow_id=flow_id, upstream=upstream, downstream=downstream)


def dealt(orders: Sequence[Order]) -> list[list[Order]]:
    """One list for each process, in turns."""
    return [list(orders[number::PROCESSES]) for number in range(PROCESSES)]


def state(engine: BlockingEngine, flow_id: str) -> str:
    flow = engine.describe_flow(flow_id)
    assert flow is not None
    return flow.state


def outcome(engine: BlockingEngine, execution_id: str) -> str:
    x = engine.describe_execution(execution_id)
    assert x is not None
    return x.public_state


def is_acyclic(engine: BlockingEngine, flow_id: str) -> bool:
    """Whether members can be taken away one by one, each when nothing that is left leads to it."""
    edges = [(edge.upstream, edge.downstream) for edge in engine.list_edges(flow_id)]
    while edges:
        led_to = {downstream for _, downstream in edges}
        rest = [(upstream, downstream) for upstream, downstream in edges if upstream in led_to]
        if len(rest) == len(edges):
            return False
        edges = rest
    return True
