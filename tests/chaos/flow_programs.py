"""What the processes of the tests of flows do, each in a process of its own (`processes.py`).

A program writes `ready` when it is set up, and reports one line of JSON at its end.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from flowfabric import (
    AllOf,
    AnyOf,
    Claimed,
    Connections,
    Created,
    CycleDetected,
    Engine,
    EngineError,
    ExecutionNotActive,
    ExecutionNotEligible,
    ExecutionNotTerminal,
    FlowTerminal,
    InvalidInput,
    Lease,
    LeaseExpired,
    NewChild,
    Quorum,
    SelfEdge,
    StaleLease,
    open_engine,
)
from flowfabric.domain.decide import ending
from tests.chaos.racing import Contestant

PATIENT = Connections(wait_ms=60_000)
"""Hundreds of answers may need a read at once, and a busy machine takes long for them."""


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# ── doing as one is told ─────────────────────────────────────────────────────────────────────────


def obey(url: str) -> None:
    """Send the commands of each line that comes, all at once, and write one line with their answers, until told `end`.

    A line is a list of [method, arguments]. Leases and new children are spelled as their fields, a result as text.
    """

    async def main() -> None:
        async with open_engine(url, reconcile=False, connections=PATIENT) as engine:
            await engine.ping()
            _say("ready")
            while (line := await asyncio.to_thread(sys.stdin.readline)).strip() not in ("", "end"):
                orders = msgspec.json.decode(line, type=list[tuple[str, dict[str, Any]]])
                answers = await asyncio.gather(*(_answer(engine, method, given) for method, given in orders))
                _say(json.dumps(answers))
        _say("{}")

    asyncio.run(main())


async def _answer(engine: Engine, method: str, given: dict[str, Any]) -> dict[str, Any]:
    if "lease" in given:
        given["lease"] = msgspec.convert(given["lease"], Lease)
    if "result" in given:
        given["result"] = given["result"].encode()
    if "items" in given:
        given["items"] = msgspec.convert(given["items"], list[NewChild])
    try:
        answer = await getattr(engine, method)(**given)
    except EngineError as refusal:
        return {"name": type(refusal).__name__, "message": str(refusal)}
    except Exception as surprise:
        return {"name": "surprise", "message": repr(surprise)}
    return {"name": type(answer).__name__, "value": msgspec.to_builtins(answer)}


# ── being killed in the middle of a cascade ──────────────────────────────────────────────────────


def start_a_cascade(url: str, cascade_max: str) -> None:
    """Once told a command as for `obey`, send it and drive what follows from it to its end; report when that is done.

    A smaller bound than usual makes many small steps of a cascade, each of them a transaction.
    """
    # Bounds are read when they are needed, so this is the rule itself with another number.
    ending.CASCADE_MAX = int(cascade_max)

    async def main() -> None:
        async with open_engine(url, reconcile=False, connections=PATIENT) as engine:
            await engine.ping()
            _say("ready")
            method, given = msgspec.json.decode(
                await asyncio.to_thread(sys.stdin.readline), type=tuple[str, dict[str, Any]]
            )
            answer = await _answer(engine, method, given)
            await engine.reconcile()
            _say(json.dumps(answer))

    asyncio.run(main())


# ── racing ───────────────────────────────────────────────────────────────────────────────────────

LEASE_REFUSALS = (StaleLease, LeaseExpired, ExecutionNotActive)
NAMED_REFUSALS: dict[str, tuple[type[EngineError], ...]] = {
    "claim": (),
    "renew": LEASE_REFUSALS,
    "complete": LEASE_REFUSALS,
    "fail": LEASE_REFUSALS,
    "release": LEASE_REFUSALS,
    "add_execution": (FlowTerminal,),
    "add_dependency": (FlowTerminal, SelfEdge, CycleDetected, ExecutionNotEligible),
    "cancel": (InvalidInput,),  # already terminal
    "revoke": (),
    "hold": (ExecutionNotEligible,),
    "unhold": (ExecutionNotEligible,),
    "replay": (ExecutionNotTerminal, FlowTerminal),
    "cancel_flow": (),
    "ack": (),
    "reconcile": (),
}
JOINS = (None, None, AllOf(), AnyOf("let_run"), AnyOf("cancel_remaining"), Quorum(2, "cancel_remaining"))


class FlowRace(Contestant):
    """Sends every verb to flows that everyone else sends every verb to, and keeps all answers."""

    def __init__(self, engine: Engine, name: str, flows: dict[str, list[str]], seconds: float) -> None:
        super().__init__(engine, name, seconds, NAMED_REFUSALS)
        self._flows = flows

    async def run(self) -> None:
        verbs = (
            (self._work, 6),
            (self._add, 2),
            (self._link, 2),
            (self._cancel, 1),
            (self._revoke, 1),
            (self._hold, 1),
            (self._unhold, 1),
            (self._replay, 3),
            (self._cancel_flow, 1),
            (self._reconcile, 1),
        )
        await self._send(verbs, pause_s=0.005)

    def _flow(self) -> str:
        return self._chance.choice(list(self._flows))

    def _member(self) -> str:
        return self._chance.choice(self._flows[self._flow()])

    async def _work(self) -> None:
        claim = self._engine.claim(
            worker_id="w", worker_instance_id=self._name, limit=4, lease_ttl_ms=self._chance.choice((40, 200, 2_000))
        )
        claimed: list[Claimed] = await self._ask("claim", claim) or []
        await asyncio.gather(*(self._finish(each) for each in claimed))

    async def _finish(self, claimed: Claimed) -> None:
        lease = claimed.lease
        match self._chance.choice(("complete", "complete", "complete", "renew", "fail", "release", "leave it")):
            case "complete":
                await self._ask("complete", self._engine.complete(lease, b"done"))
            case "renew":
                if await self._ask("renew", self._engine.renew(lease)):
                    await self._ask("complete", self._engine.complete(lease, b"done"))
            case "fail":
                await self._ask("fail", self._engine.fail(lease, code="broken", retryable=False))
            case "release":
                await self._ask("release", self._engine.release(lease))
        if claimed.flow_id is not None and self._chance.random() < 0.3:
            await self._ask("ack", self._engine.ack_cancel_member(claimed.flow_id, claimed.execution_id))

    async def _add(self) -> None:
        flow_id = self._flow()
        members = self._flows[flow_id]
        after = self._chance.sample(members, min(len(members), self._chance.randrange(4)))
        join = self._chance.choice(JOINS) if after else None
        made = await self._ask("add_execution", self._engine.add_execution(flow_id, "kind", after=after, join=join))
        if isinstance(made, Created):
            # Only the newest are sent anything, so that racers keep meeting each other.
            members[self._chance.randrange(len(members))] = made.execution_id

    async def _link(self) -> None:
        flow_id = self._flow()
        upstream, downstream = self._chance.choices(self._flows[flow_id], k=2)
        name = self._chance.choice((None, "passed"))
        await self._ask(
            "add_dependency", self._engine.add_dependency(flow_id, upstream, downstream, pass_result_as=name)
        )

    async def _cancel(self) -> None:
        await self._ask("cancel", self._engine.cancel_execution(self._member(), reason=self._name))

    async def _revoke(self) -> None:
        await self._ask("revoke", self._engine.revoke_lease(self._member(), reason=self._name))

    async def _hold(self) -> None:
        await self._ask("hold", self._engine.hold(self._member()))

    async def _unhold(self) -> None:
        await self._ask("unhold", self._engine.unhold(self._member()))

    async def _replay(self) -> None:
        await self._ask("replay", self._engine.replay_execution(self._member()))

    async def _cancel_flow(self) -> None:
        """Seldom, and not half of the flows: a cancelled one takes no more part."""
        if self._chance.random() < 0.01:
            flow_id = self._chance.choice(list(self._flows)[::2])
            policy = self._chance.choice(("cancel_all", "cancel_pending", "flow_only"))
            await self._ask("cancel_flow", self._engine.cancel_flow(flow_id, reason=self._name, policy=policy))

    async def _reconcile(self) -> None:
        await self._ask("reconcile", self._engine.reconcile())


def race(url: str, flows: str, seconds: str, name: str, cascade_max: str) -> None:
    """Race with others on the flows in a file, and report every answer. For the bound, see `start_a_cascade`."""
    known = json.loads(Path(flows).read_text())
    ending.CASCADE_MAX = int(cascade_max)

    async def main() -> None:
        async with open_engine(url) as engine:
            _say("ready")
            await asyncio.to_thread(sys.stdin.readline)
            racer = FlowRace(engine, name, known, float(seconds))
            await racer.run()
        _say(json.dumps({"answers": racer.answers, "surprises": racer.surprises}))

    asyncio.run(main())
