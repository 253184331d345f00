"""Flows: how many per second with their dependencies resolved, and how long it takes to cancel many members."""

import asyncio
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from workload import CLAIM_LIMIT, PAYLOAD, RESULT

from flowfabric import AnyOf, Completed, Engine, FlowCancelled, FlowGraph, open_engine

CHAIN = 10
CHAINS = 1000
FAN = 100
FANS = 30
SUBMITTERS = 100
CLAIMERS = 30
CANCELLED = (10, 100, 1000)
SAMPLES = 20


@dataclass(frozen=True)
class Rates:
    """Flows per second: submitting them, running them to their end, and both."""

    submit: float
    run: float
    whole: float


async def measure(url: str) -> tuple[Rates, Rates]:
    """Chains of ten, and fans of one to a hundred to one."""
    async with open_engine(url, reconcile=False) as engine:
        chains = await _run(engine, CHAINS, chain)
        fans = await _run(engine, FANS, fan)
    return chains, fans


def chain() -> FlowGraph:
    """Ten nodes, one after the other."""
    graph = FlowGraph("chain")
    for step in range(CHAIN):
        graph.node(f"step {step}", "noop", PAYLOAD)
        if step:
            graph.edge(f"step {step - 1}", f"step {step}")
    return graph


def fan() -> FlowGraph:
    """One node, then a hundred, then one."""
    graph = FlowGraph("fan")
    graph.node("first", "noop", PAYLOAD)
    graph.node("last", "noop", PAYLOAD)
    for part in range(FAN):
        graph.node(f"part {part}", "noop", PAYLOAD)
        graph.edge("first", f"part {part}")
        graph.edge(f"part {part}", "last")
    return graph


async def _run(engine: Engine, flows: int, make: Callable[[], FlowGraph]) -> Rates:
    left = iter(range(flows))

    async def submitter() -> int:
        nodes = 0
        for _ in left:
            nodes += len((await engine.submit_flow(make())).execution_ids)
        return nodes

    start = time.perf_counter()
    todo = sum(await asyncio.gather(*(submitter() for _ in range(SUBMITTERS))))
    middle = time.perf_counter()

    async def claimer(name: str) -> None:
        nonlocal todo
        while todo > 0:
            claimed = await engine.claim(worker_id="bench", worker_instance_id=name, limit=CLAIM_LIMIT)
            todo -= len(claimed)
            await asyncio.gather(*(engine.complete(one.lease, RESULT) for one in claimed))

    await asyncio.gather(*(claimer(f"bench-{number}") for number in range(CLAIMERS)))
    end = time.perf_counter()
    unfinished = (await engine.list_flows(state="running", limit=1)).items
    assert not unfinished, f"{unfinished} did not end"
    return Rates(flows / (middle - start), flows / (end - middle), flows / (end - start))


async def measure_cancels(url: str) -> dict[str, dict[int, list[float]]]:
    """Milliseconds from the call to the last member cancelled, which is when the call returns."""
    found: dict[str, dict[int, list[float]]] = {"cancel_flow": {}, "cancel_remaining": {}}
    async with open_engine(url, reconcile=False) as engine:
        for members in CANCELLED:
            found["cancel_flow"][members] = [await _cancel_flow_ms(engine, members) for _ in range(SAMPLES)]
            found["cancel_remaining"][members] = [await _cancel_rest_ms(engine, members) for _ in range(SAMPLES)]
    return found


async def _cancel_flow_ms(engine: Engine, members: int) -> float:
    """Half of the members are leased when the cancel comes."""
    submitted = await engine.submit_flow(_race(members))
    await engine.claim(worker_id="bench", worker_instance_id="bench", limit=max(1, members // 2))
    start = time.perf_counter()
    answer = await engine.cancel_flow(submitted.flow_id, reason="bench")
    elapsed = time.perf_counter() - start
    assert isinstance(answer, FlowCancelled)
    assert len(answer.member_execution_ids) == members + 1
    return elapsed * 1000


async def _cancel_rest_ms(engine: Engine, members: int) -> float:
    """The first of the members completes, and the join cancels all others."""
    submitted = await engine.submit_flow(_race(members + 1))
    [first] = await engine.claim(worker_id="bench", worker_instance_id="bench")
    start = time.perf_counter()
    assert isinstance(await engine.complete(first.lease, RESULT), Completed)
    elapsed = time.perf_counter() - start
    cancelled = await engine.list_executions(flow_id=submitted.flow_id, public_state="cancelled", limit=1000)
    assert len(cancelled.items) == members
    await engine.cancel_flow(submitted.flow_id, reason="measured")
    return elapsed * 1000


def _race(members: int) -> FlowGraph:
    graph = FlowGraph("race")
    graph.node("winner", "noop")
    graph.join("winner", AnyOf("cancel_remaining"))
    for number in range(members):
        graph.node(f"runner {number}", "noop", PAYLOAD)
        graph.edge(f"runner {number}", "winner")
    return graph


def show(
    console: Console, store: str, rates: list[tuple[Rates, Rates]], cancels: dict[str, dict[int, list[float]]]
) -> dict[str, object]:
    """Print the medians, and return them."""
    table = Table(title=f"{store}: flows per second (median of {len(rates)} rounds)")
    for column in ("", "submit", "run", "whole life", "spread"):
        table.add_column(column, justify="left" if not column else "right")
    summary: dict[str, object] = {}
    names = (f"chain of {CHAIN}", f"fan of 1 to {FAN} to 1")
    for name, measured in zip(names, zip(*rates, strict=True), strict=True):
        whole = [one.whole for one in measured]
        submit, run = statistics.median(one.submit for one in measured), statistics.median(one.run for one in measured)
        spread = f"{min(whole):,.0f} to {max(whole):,.0f}"
        table.add_row(name, f"{submit:,.0f}", f"{run:,.0f}", f"{statistics.median(whole):,.0f}", spread)
        summary[name] = {"submit": submit, "run": run, "whole": statistics.median(whole), "spread": spread}
    console.print(table)
    table = Table(title=f"{store}: milliseconds until the last member is cancelled ({SAMPLES} samples)")
    for column in ("", "members", "median", "worst"):
        table.add_column(column, justify="left" if not column else "right")
    for name, by_size in cancels.items():
        for members, samples in by_size.items():
            median, worst = statistics.median(samples), max(samples)
            table.add_row(name, str(members), f"{median:.1f}", f"{worst:.1f}")
            summary[f"{name} {members}"] = {"median_ms": median, "worst_ms": worst}
    console.print(table)
    return summary
