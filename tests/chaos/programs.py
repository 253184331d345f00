"""What the processes of these tests do, each in a process of its own (`processes.py`).

A program writes `ready` when it is set up and reports one line of JSON at its end. One without an end of its own works
until it is told a line.
"""

import asyncio
import itertools
import json
import os
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from flowfabric import (
    AlreadySatisfied,
    Claimed,
    Engine,
    EngineError,
    ExecutionNotActive,
    ExecutionNotEligible,
    ExecutionNotTerminal,
    InvalidInput,
    LeaseExpired,
    Revoked,
    StaleLease,
    open_blocking_engine,
    open_engine,
)
from flowfabric.cli.main import main as run_ff
from flowfabric.engine import limits
from tests.assembled import assembled_async_at
from tests.chaos.lives import LifeBroken, live
from tests.chaos.racing import Contestant


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _report(**facts: object) -> None:
    _say(json.dumps(facts))


async def _told() -> None:
    """Return when a line comes, or when whoever sends lines is gone."""
    await asyncio.to_thread(sys.stdin.readline)


# ── racing ───────────────────────────────────────────────────────────────────────────────────────

NAMED_REFUSALS: dict[str, tuple[type[EngineError], ...]] = {
    "claim": (),
    "renew": (StaleLease, LeaseExpired, ExecutionNotActive),
    "complete": (StaleLease, LeaseExpired, ExecutionNotActive),
    "cancel": (InvalidInput,),  # already terminal
    "revoke": (),
    "hold": (ExecutionNotEligible,),
    "unhold": (ExecutionNotEligible,),
    "change_priority": (ExecutionNotEligible,),
    "replay": (ExecutionNotTerminal,),
    "reconcile": (),
}


class Race(Contestant):
    """Sends every verb to executions that everyone else sends every verb to, and keeps all answers."""

    def __init__(self, engine: Engine, name: str, execution_ids: list[str], seconds: float) -> None:
        super().__init__(engine, name, seconds, NAMED_REFUSALS)
        self._ids = execution_ids
        self.effects: dict[str, list[Any]] = {
            verb: [] for verb in ("acquired", "completed", "cancelled", "revoked", "held", "priority", "replayed")
        }

    async def work(self) -> None:
        """Claim and complete only, as most processes do, so that batches hold nothing else."""
        await self._send([(self._work, 10)])

    async def do_everything(self) -> None:
        """Workers and replays in numbers, or everything would be cancelled most of the time."""
        verbs = (
            (self._work, 4),
            (self._cancel, 1),
            (self._revoke, 2),
            (self._hold, 1),
            (self._unhold, 2),
            (self._move, 1),
            (self._replay, 4),
            (self._reconcile, 1),
        )
        await self._send(verbs)

    def _one(self) -> str:
        return self._chance.choice(self._ids)

    def _new_word(self) -> str:
        return f"{self._name}-{next(self._numbers)}"

    async def _work(self) -> None:
        ttl_ms = self._chance.choice((40, 200, 2_000))
        claim = self._engine.claim(worker_id="w", worker_instance_id=self._name, limit=4, lease_ttl_ms=ttl_ms)
        claimed: list[Claimed] = await self._ask("claim", claim) or []
        for each in claimed:
            self.effects["acquired"].append([each.execution_id, each.lease.lease_epoch])
        await asyncio.gather(*(self._finish(each) for each in claimed))
        if not claimed:
            await asyncio.sleep(0.002)

    async def _finish(self, claimed: Claimed) -> None:
        fate = self._chance.choice(("complete", "complete", "renew and complete", "complete late", "leave it"))
        if fate == "leave it":
            return
        if fate == "renew and complete" and not await self._ask("renew", self._engine.renew(claimed.lease)):
            return
        if fate == "complete late":
            await asyncio.sleep(0.3)
        if await self._ask("complete", self._engine.complete(claimed.lease, b"done")):
            self.effects["completed"].append(claimed.execution_id)

    async def _cancel(self) -> None:
        key, word = self._one(), self._new_word()
        if await self._ask("cancel", self._engine.cancel_execution(key, reason=word)):
            self.effects["cancelled"].append([key, word])

    async def _revoke(self) -> None:
        key, word = self._one(), self._new_word()
        got = await self._ask("revoke", self._engine.revoke_lease(key, reason=word))
        assert isinstance(got, (Revoked, AlreadySatisfied, type(None)))
        if isinstance(got, Revoked):
            self.effects["revoked"].append([key, word])

    async def _hold(self) -> None:
        key, word = self._one(), self._new_word()
        if await self._ask("hold", self._engine.hold(key, reason=word)):
            self.effects["held"].append([key, word])

    async def _unhold(self) -> None:
        await self._ask("unhold", self._engine.unhold(self._one()))

    async def _move(self) -> None:
        changed = await self._ask(
            "change_priority", self._engine.change_priority(self._one(), self._chance.randrange(9000))
        )
        if changed:
            self.effects["priority"].append([changed.execution_id, changed.old_priority, changed.new_priority])

    async def _replay(self) -> None:
        key = self._one()
        if await self._ask("replay", self._engine.replay_execution(key)):
            self.effects["replayed"].append(key)

    async def _reconcile(self) -> None:
        await self._ask("reconcile", self._engine.reconcile())


def race(url: str, execution_ids: str, seconds: str, name: str, role: str) -> None:
    """Race with others on the executions in a file; report every answer and every effect that was acknowledged."""

    ids = json.loads(Path(execution_ids).read_text())

    async def main() -> None:
        async with open_engine(url) as engine:
            _say("ready")
            await _told()
            racer = Race(engine, name, ids, float(seconds))
            await (racer.work() if role == "worker" else racer.do_everything())
        _report(answers=racer.answers, surprises=racer.surprises, effects=racer.effects)

    asyncio.run(main())


# ── living through the death of the server ───────────────────────────────────────────────────────


RECONNECT_S_MAX = 90.0


class Survivor:
    """Tells lives and shares a queue with others, and keeps what was acknowledged."""

    def __init__(self, engine: Engine, name: str, answered: int) -> None:
        self._engine = engine
        self._name = name
        self._answered = answered
        self._stopping = False
        self._numbers = itertools.count()
        self.lives: list[Any] = []
        self.surprises: list[str] = []
        self.created: list[str] = []
        self.acquired: list[Any] = []
        self.completed: list[str] = []

    async def run(self) -> None:
        async def until_told() -> None:
            await _told()
            self._stopping = True

        await asyncio.gather(
            until_told(), *(self._repeat(self._live) for _ in range(12)), *(self._repeat(self._share) for _ in range(6))
        )

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while not self._stopping:
            try:
                await step()
            except LifeBroken as broken:
                self.surprises.append(str(broken))
            except EngineError as surprise:
                self.surprises.append(f"{surprise.code}: {surprise}")
            os.write(self._answered, b".")

    async def _live(self) -> None:
        life = await live(self._engine, f"{self._name}-{next(self._numbers)}")
        self.lives.append([life.execution_id, life.answers])

    async def _share(self) -> None:
        payload = f"{self._name}-{next(self._numbers)}".encode()
        made = await asyncio.gather(
            *(self._engine.create_execution("shared", payload, lane="shared") for _ in range(5))
        )
        self.created += [each.execution_id for each in made]
        claimed = await self._engine.claim(
            worker_id="w", worker_instance_id=self._name, lanes=["shared"], limit=5, lease_ttl_ms=300_000
        )
        self.acquired += [[each.execution_id, each.lease.lease_epoch] for each in claimed]
        done = await asyncio.gather(*(self._engine.complete(each.lease, each.payload) for each in claimed))
        self.completed += [each.execution_id for each in done]


def survive(url: str, answered: str, name: str) -> None:
    """Work until told to stop, whatever happens to the server; report all that was acknowledged."""
    file = os.open(answered, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    # How long a busy machine takes to start a server again is not what is asked here.
    limits.RECONNECT_S_MAX = RECONNECT_S_MAX

    async def main() -> None:
        async with assembled_async_at(url, reconcile=True) as parts:
            survivor = Survivor(parts.engine, name, file)
            _say("ready")
            await survivor.run()
            _report(
                lives=survivor.lives,
                surprises=survivor.surprises,
                created=survivor.created,
                acquired=survivor.acquired,
                completed=survivor.completed,
                ambiguous=parts.commits.ambiguous,
                resolved=parts.commits.resolved,
            )

    asyncio.run(main())


# ── working ──────────────────────────────────────────────────────────────────────────────────────

LEASE_TTL_MS = 1_000


def work(url: str, notes: str, name: str) -> None:
    """Claim, work for a moment, complete, until told to stop; note each completion the moment it is acknowledged."""
    file = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    chance = random.Random(name)
    refusals: list[str] = []

    async def main() -> None:
        async with open_engine(url) as engine:
            _say("ready")
            told = asyncio.ensure_future(_told())
            while not told.done():
                claimed = await engine.claim(worker_id="w", worker_instance_id=name, limit=3, lease_ttl_ms=LEASE_TTL_MS)
                # The work itself: long enough to be killed in the middle of, short beside the lease.
                await asyncio.sleep(chance.uniform(0.005, 0.05))
                for each in claimed:
                    try:
                        await engine.complete(each.lease, name.encode())
                    except (StaleLease, LeaseExpired, ExecutionNotActive) as refusal:
                        refusals.append(refusal.code)  # on a busy machine
                    else:
                        os.write(file, f"{each.execution_id} {each.lease.lease_epoch} {name}\n".encode())
        _report(refusals=refusals)

    asyncio.run(main())


# ── being frozen ─────────────────────────────────────────────────────────────────────────────────


def complete_when_told(url: str, lease_ttl_ms: str) -> None:
    """Claim one execution, say so, and complete it once told to, however late that is; report the answer."""
    with open_blocking_engine(url, reconcile=False) as engine:
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="frozen", lease_ttl_ms=int(lease_ttl_ms))
        _say(claimed.execution_id)
        sys.stdin.readline()
        try:
            answer = type(engine.complete(claimed.lease, b"late")).__name__
        except EngineError as refusal:
            answer = type(refusal).__name__
    _report(answer=answer)


def move_without_end(url: str, execution_ids: str, rounds: str) -> None:
    """Change the priority of the same executions again and again until told to stop; report what was refused.

    The length of a file counts the rounds.
    """
    ids = json.loads(Path(execution_ids).read_text())
    count = os.open(rounds, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    async def main() -> None:
        surprises: list[str] = []
        async with open_engine(url, reconcile=False) as engine:
            _say("ready")
            told = asyncio.ensure_future(_told())
            while not told.done():
                moves = (engine.change_priority(key, random.randrange(9000)) for key in ids)
                answers = await asyncio.gather(*moves, return_exceptions=True)
                surprises += [repr(answer) for answer in answers if isinstance(answer, BaseException)]
                os.write(count, b".")
        _report(surprises=surprises)

    asyncio.run(main())


# ── the command line ─────────────────────────────────────────────────────────────────────────────


def ff(environment: str, *words: str) -> None:
    """`ff` and these words, in an environment with these variables."""
    os.environ.update(json.loads(environment))
    sys.argv = ["ff", *words]
    run_ff()
