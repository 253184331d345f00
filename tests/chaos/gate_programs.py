"""What the processes of the tests of limits and budgets do, each in a process of its own (`processes.py`).

A program writes `ready` when it is set up, and reports one line of JSON at its end.
"""

import asyncio
import json
import os
import sys
import time
from contextlib import suppress
from typing import Any

from flowfabric import (
    BudgetExceeded,
    Claimed,
    Engine,
    EngineError,
    ExecutionNotActive,
    InvalidInput,
    LeaseExpired,
    NotFound,
    StaleLease,
    open_engine,
)
from tests.chaos.racing import Contestant

LEASE_TTL_MS = 300_000
"""Longer than any of these tests, so that no lease runs out on a busy machine."""


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# ── one at a time ────────────────────────────────────────────────────────────────────────────────


def take_turns(url: str, door: str, name: str) -> None:
    """Work until told to stop. Each execution makes a file that must not be there yet, and removes it at its end."""
    done: list[str] = []
    met: list[str] = []

    async def work(engine: Engine, claimed: Claimed) -> None:
        try:
            os.close(os.open(door, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            met.append(claimed.execution_id)
        await asyncio.sleep(0.001)  # long enough to be met by another process
        with suppress(FileNotFoundError):
            os.unlink(door)
        await engine.complete(claimed.lease)
        done.append(claimed.execution_id)

    async def main() -> None:
        async with open_engine(url) as engine:
            _say("ready")
            told = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
            while not told.done():
                claimed = await engine.wait_for_work(
                    worker_id="w",
                    worker_instance_id=name,
                    limit=4,
                    lease_ttl_ms=LEASE_TTL_MS,
                    poll_ms=100,
                    timeout_ms=200,
                )
                await asyncio.gather(*(work(engine, each) for each in claimed))
        _say(json.dumps({"done": done, "met": met}))

    asyncio.run(main())


# ── changes under load ───────────────────────────────────────────────────────────────────────────

LIMIT = "api"
KEYS = ("a", "b")
BUDGET = "team"
PARENT = "company"
CONCURRENCIES = (1, 2, 3, 6)
LEASE_REFUSALS = (StaleLease, LeaseExpired, ExecutionNotActive)
NAMED_REFUSALS: dict[str, tuple[type[EngineError], ...]] = {
    "create": (NotFound,),  # the limit was removed
    "claim": (),
    "complete": LEASE_REFUSALS,
    "release": LEASE_REFUSALS,
    "spend": LEASE_REFUSALS,
    "reserve": (*LEASE_REFUSALS, BudgetExceeded),
    "cancel": (InvalidInput,),  # already terminal
    "revoke": (),
    "set_limit": (NotFound,),  # the numbers of one key need a limit
    "remove_limit": (NotFound,),
    "pause_limit": (NotFound,),
    "set_budget": (),
    "reset_budget": (),
    "charge_budget": (),
    "reconcile": (),
}


class GateRace(Contestant):
    """Works under limits and budgets that everyone changes meanwhile, and notes when it did what.

    All processes of a machine share the clock of these notes.
    """

    answers_min = 150

    def __init__(self, engine: Engine, name: str, seconds: float) -> None:
        super().__init__(engine, name, seconds, NAMED_REFUSALS)
        self.leases: list[Any] = []
        """Of each lease: its key, when its claim was sent and answered, and when its end was sent."""
        self.numbers: list[Any] = []
        """Of each change of the limit: when it was sent and answered, for which key, and the number that it states."""
        self.spent = self.charged = 0
        self._ours: list[str] = []

    async def run(self) -> None:
        verbs = (
            (self._create, 2),
            (self._work, 4),
            (self._set_limit, 1),
            (self._set_budget, 1),
            (self._reset_or_charge, 1),
            (self._stop_one, 1),
            (self._reconcile, 1),
        )
        await self._send(verbs, pause_s=0.02)

    async def _create(self) -> None:
        key = self._chance.choice(KEYS)
        estimate = {"usd": self._chance.choice((1, 2))} if self._chance.random() < 0.7 else {}
        creation = self._engine.create_execution(
            "job",
            key.encode(),
            limits={LIMIT: key},
            budgets={BUDGET: estimate},
            fair_key=self._chance.choice((None, "x", "y")),
            priority=self._chance.choice((0, 1)),
        )
        made = await self._ask("create", creation)
        if made is not None:
            self._ours.append(made.execution_id)

    async def _work(self) -> None:
        sent_at = time.monotonic()
        claim = self._engine.claim(worker_id="w", worker_instance_id=self._name, limit=3, lease_ttl_ms=LEASE_TTL_MS)
        claimed: list[Claimed] = await self._ask("claim", claim) or []
        answered_at = time.monotonic()
        await asyncio.gather(*(self._finish(each, sent_at, answered_at) for each in claimed))

    async def _finish(self, claimed: Claimed, sent_at: float, answered_at: float) -> None:
        lease = claimed.lease
        if self._chance.random() < 0.3:
            await self._ask("reserve", self._engine.reserve(lease, BUDGET, {"usd": 1}))
        if self._chance.random() < 0.5 and await self._ask("spend", self._engine.spend(lease, BUDGET, {"usd": 1})):
            self.spent += 1
        await asyncio.sleep(self._chance.uniform(0, 0.03))  # so that others claim while it runs
        end_at = time.monotonic()
        if self._chance.random() < 0.8:
            ended = await self._ask("complete", self._engine.complete(lease))
        else:
            ended = await self._ask("release", self._engine.release(lease))
        if ended is not None:  # else somebody else has ended it, and nobody knows when
            self.leases.append([claimed.payload.decode(), sent_at, answered_at, end_at])

    async def _set_limit(self) -> None:
        key = self._chance.choice((None, None, *KEYS))
        number = self._chance.choice(CONCURRENCIES)
        sent_at = time.monotonic()
        match self._chance.choice(("set", "set", "set", "remove", "pause")):
            case "set":
                told = await self._ask("set_limit", self._engine.set_limit(LIMIT, key=key, concurrency=number))
                if told is not None:
                    self.numbers.append([sent_at, time.monotonic(), key, number])
            case "remove":
                before = self.answers["remove_limit: NoneType"]
                await self._ask("remove_limit", self._engine.remove_limit(LIMIT, key=key))
                if self.answers["remove_limit: NoneType"] > before:
                    self.numbers.append([sent_at, time.monotonic(), key, None])
            case "pause":
                await self._ask("pause_limit", self._engine.pause_limit(LIMIT, KEYS[0], for_ms=20))

    async def _set_budget(self) -> None:
        name, parent = self._chance.choice(((BUDGET, PARENT), (BUDGET, None), (PARENT, None)))
        usd = self._chance.choice((5, 20, 10_000))
        await self._ask("set_budget", self._engine.set_budget(name, limits={"usd": usd}, parent=parent))

    async def _reset_or_charge(self) -> None:
        if self._chance.random() < 0.5:
            await self._ask("reset_budget", self._engine.reset_budget(self._chance.choice((BUDGET, PARENT))))
        elif await self._ask("charge_budget", self._engine.charge_budget(BUDGET, {"usd": 1}, reason=self._name)):
            self.charged += 1

    async def _stop_one(self) -> None:
        if not self._ours:
            return
        key = self._chance.choice(self._ours)
        if self._chance.random() < 0.5:
            await self._ask("cancel", self._engine.cancel_execution(key, reason=self._name))
        else:
            await self._ask("revoke", self._engine.revoke_lease(key, reason=self._name))

    async def _reconcile(self) -> None:
        await self._ask("reconcile", self._engine.reconcile())


def change_under_load(url: str, seconds: str, name: str) -> None:
    """Race with others on one limit and two budgets; report every answer, and when what happened."""

    async def main() -> None:
        async with open_engine(url) as engine:
            _say("ready")
            await asyncio.to_thread(sys.stdin.readline)
            racer = GateRace(engine, name, float(seconds))
            await racer.run()
        report = {
            "answers": racer.answers,
            "surprises": racer.surprises,
            "leases": racer.leases,
            "numbers": racer.numbers,
            "spent": racer.spent,
            "charged": racer.charged,
        }
        _say(json.dumps(report))

    asyncio.run(main())
