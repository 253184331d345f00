"""What runs while the disk is recorded: everybody notes what they were told, the moment they are told.

`python -m tests.power_cuts.workload` takes its plans as JSON. It must be a new process, because a recorder is loaded
when a program starts.
"""

import asyncio
import os
import random
import sys
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from flowfabric import (
    Claimed,
    Corruption,
    Created,
    Engine,
    FlowGraph,
    InvalidInput,
    NewExecution,
    Refused,
    Suspended,
    open_engine,
)
from flowfabric.stores.sqlite import writer
from tests.power_cuts import facts, mutants
from tests.power_cuts.facts import Fact
from tests.power_cuts.recording import Notes

CHECKPOINT_BYTES = 96 * 1024
"""Of SQLite: small, so that many cuts meet a checkpoint."""
LEASE_MS = 3_600_000
IDLE_S = 0.001


class Plan(msgspec.Struct):
    """One workload on one store."""

    topic: str
    """Which notes are of this workload."""
    url: str
    seed: str
    rounds: int
    """How often each actor does something in one life of the engine."""
    lives: int = 2
    """How often the engine is opened and closed. The last close of a SQLite file removes its log."""
    processes: int = 1
    mutant: str = ""


class Actors:
    """Those who use one engine at the same time."""

    def __init__(self, engine: Engine, notes: Notes, seed: str, rounds: int) -> None:
        self._engine = engine
        self._notes = notes
        self._chance = random.Random(seed)
        self._rounds = rounds
        self._made: list[str] = []
        self._cursor: str | None = None
        self._name = seed

    async def run(self) -> None:
        """Do everything, each actor in its own pace."""
        await asyncio.gather(
            self._often(self._submit), self._often(self._work), self._often(self._work), self._often(self._operate)
        )
        await self._read()

    async def _often(self, act: Callable[[], Awaitable[None]]) -> None:
        for _ in range(self._rounds):
            try:
                await act()
            except Corruption:  # which is an InvalidInput, too
                raise
            except (Refused, InvalidInput):
                pass  # somebody else was there first
            await asyncio.sleep(IDLE_S * self._chance.random())

    def _told(self, *what: Fact) -> None:
        self._notes.add(facts.packed(list(what)))

    def _bytes(self) -> bytes:
        return self._chance.randbytes(self._chance.choice((0, 8, 200, 3_000, 12_000)))

    async def _submit(self) -> None:
        match self._chance.randrange(4):
            case 0:
                await self._submit_flow()
            case 1:
                items = [NewExecution(kind="many", payload=self._bytes()) for _ in range(self._chance.randint(2, 6))]
                answers = await self._engine.create_executions(items)
                made = [answer.execution_id for answer in answers if isinstance(answer, Created)]
                self._made += made
                self._told(*(facts.execution(key, item.payload) for key, item in zip(made, items, strict=True)))
            case _:
                payload = self._bytes()
                key = f"{self._name}-{len(self._made)}" if self._chance.random() < 0.5 else None
                answer = await self._engine.create_execution("one", payload, idempotency_key=key)
                assert isinstance(answer, Created)
                self._made.append(answer.execution_id)
                self._told(facts.execution(answer.execution_id, payload))

    async def _submit_flow(self) -> None:
        graph = FlowGraph("flow")
        first, second = graph.node("first", "one", b"1"), graph.node("second", "one", b"2")
        last = graph.node("last", "one", b"3")
        graph.edge(first, last)
        graph.edge(second, last)
        submitted = await self._engine.submit_flow(graph)
        payloads = {"first": b"1", "second": b"2", "last": b"3"}
        members = [facts.execution(submitted.execution_ids[name], data) for name, data in payloads.items()]
        self._told(facts.flow(submitted.flow_id), *members)

    async def _work(self) -> None:
        claim = self._engine.claim(worker_id="w", worker_instance_id=self._name, limit=2, lease_ttl_ms=LEASE_MS)
        claimed = await claim
        self._told(*(facts.lease(each.execution_id, each.lease.lease_epoch) for each in claimed))
        for each in claimed:
            await self._attempt(each)

    async def _attempt(self, claimed: Claimed) -> None:
        lease, key = claimed.lease, claimed.execution_id
        if self._chance.random() < 0.4:
            data = self._bytes()
            name = f"step {lease.lease_epoch}"
            await self._engine.record_step(lease, name, data)
            self._told(facts.step(key, name, data))
        if self._chance.random() < 0.3:
            said = await self._engine.append_frames(lease, [b"a word", self._bytes()])
            self._told(*(facts.frame(key, lease.lease_epoch, seq) for seq in range(said.first_seq, said.next_seq)))
        match self._chance.randrange(8):
            case 0:
                await self._engine.fail(lease, code="broken", message="on purpose", retryable=False)
                self._told(facts.end(key, "failed", None))
            case 1:
                await self._engine.release(lease)
            case 2:
                if isinstance(await self._engine.suspend(lease, "wait", "answer"), Suspended):
                    signalled = await self._engine.signal(key, "answer", self._bytes())
                    self._told(facts.signal(key, signalled.signal_id))
            case _:
                result = self._bytes()
                await self._engine.complete(lease, result)
                self._told(facts.end(key, "completed", result))

    async def _operate(self) -> None:
        if self._made and self._chance.random() < 0.3:
            key = self._chance.choice(self._made)
            await self._engine.cancel_execution(key, reason="changed my mind")
            self._told(facts.end(key, "cancelled", None))
        elif self._chance.random() < 0.2:
            await self._read()

    async def _read(self) -> None:
        """What a reader has seen may have had effects elsewhere, so it must stay."""
        while (page := await self._engine.read_events(cursor=self._cursor)).events:
            self._told(*(facts.event(each.event_id, each.event_type, each.subject, each.seq) for each in page.events))
            self._cursor = page.next_cursor


async def _live(plan: Plan, notes: Notes, seed: str) -> None:
    async with open_engine(plan.url) as engine:
        await Actors(engine, notes, seed, plan.rounds).run()


def run(plan: Plan, log: Path) -> None:
    """Run a workload to its end in this process."""
    notes = Notes(log, plan.topic)
    try:
        for life in range(plan.lives):
            asyncio.run(_live(plan, notes, f"{plan.seed}-{os.getpid()}-{life}"))
    finally:
        notes.close()


def _in_children(plan: Plan, log: Path) -> None:
    """Run a workload in processes of its own, which share its store."""
    children = []
    for _ in range(plan.processes):
        child = os.fork()
        if child == 0:
            writer.CHECKPOINT_BYTES = CHECKPOINT_BYTES
            mutants.plant(plan.mutant)
            try:
                run(plan, log)
            except BaseException:
                if not plan.mutant:  # a broken store may do anything
                    traceback.print_exc()
                    os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * plan.processes, f"{plan.topic} has failed"


if __name__ == "__main__":
    for each in msgspec.json.decode(sys.argv[2], type=list[Plan]):
        _in_children(each, Path(sys.argv[1]))
