"""One life of an execution, told command by command, and what must be true of it on any store on any day.

A life has a lane of its own, so nobody else touches it, and every answer is known before it is asked for: it is the
answer that a store gave to which nothing happens. An effect that is missing, or that happened twice, changes an answer.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from flowfabric import Claimed, Engine, EngineError, Event, open_engine

LEASE_TTL_MS = 300_000
"""Longer than any of these tests, so that no lease of a life ever runs out."""
FREE_AGAIN_S_MAX = 30.0
"""For how long a lock of a lost session may last. Only a hang reaches this."""
COMMANDS = 22
"""How many commands a life is made of."""
COMMANDS_AT_GATES = 21
"""How many commands and reads a life of two executions at gates is made of."""


class Life(NamedTuple):
    execution_id: str
    answers: list[object]


class Expected(NamedTuple):
    answers: list[object]
    events: list[object]


async def live(engine: Engine, lane: str) -> Life:
    """Send every command of one life, each after the answer to the one before."""
    answers: list[object] = []

    async def ask(answer: Any) -> Any:
        try:
            got = await answer
        except EngineError as refusal:
            answers.append(f"{refusal.code}: {refusal}")
            raise LifeBroken(answers) from refusal
        answers.append(normal(got))
        return got

    async def claimed() -> Claimed:
        found = await ask(
            engine.claim(worker_id="w", worker_instance_id=lane, lanes=[lane], limit=5, lease_ttl_ms=LEASE_TTL_MS)
        )
        if len(found) != 1:
            raise LifeBroken(answers)
        one: Claimed = found[0]
        return one

    key = (await ask(engine.create_execution("kind", lane.encode(), lane=lane, idempotency_key=lane))).execution_id
    await ask(engine.change_priority(key, 10))
    await ask(engine.change_priority(key, 20))
    await ask(engine.hold(key))
    await ask(engine.unhold(key))
    one = await claimed()
    await ask(engine.progress(one.lease, percent=50))
    await ask(engine.release(one.lease))
    one = await claimed()
    await ask(engine.revoke_lease(key, expected_lease_id=one.lease.lease_id))
    one = await claimed()
    await ask(engine.fail(one.lease, code="broken", retryable=False))
    await ask(engine.replay_execution(key))
    one = await claimed()
    await ask(engine.complete(one.lease, lane.encode()))
    await ask(engine.replay_execution(key))
    await ask(engine.cancel_execution(key, reason="changed my mind"))
    await ask(engine.replay_execution(key))
    await ask(engine.set_tag(key, "chaos.lane", "same"))
    one = await claimed()
    await ask(engine.complete(one.lease, lane.encode()))
    await ask(engine.create_execution("kind", lane.encode(), lane=lane, idempotency_key=lane))
    assert len(answers) == COMMANDS
    return Life(key, answers)


async def live_at_gates(engine: Engine, lane: str) -> Life:
    """Send every command of two executions that share a limit and a budget. Nobody else uses these."""
    answers: list[object] = []

    async def ask(answer: Any) -> Any:
        try:
            got = await answer
        except EngineError as refusal:
            answers.append(f"{refusal.code}: {refusal}")
            raise LifeBroken(answers) from refusal
        answers.append(normal(got))
        return got

    async def found_by_claims() -> list[Claimed]:
        """A claim passes over what is locked, as by a session that has lost its client and is not over yet."""
        found: list[Claimed] = []
        give_up_at = time.monotonic() + FREE_AGAIN_S_MAX
        while not found and time.monotonic() < give_up_at:
            found = await engine.claim(
                worker_id="w", worker_instance_id=lane, lanes=[lane], limit=5, lease_ttl_ms=LEASE_TTL_MS
            )
        return found

    async def claimed() -> Claimed:
        found = await ask(found_by_claims())
        if len(found) != 1:  # the limit lets one of the two run at a time
            raise LifeBroken(answers)
        one: Claimed = found[0]
        return one

    gates: Any = {"lane": lane, "limits": {lane: "key"}, "budgets": {lane: {"usd": 5}}, "fair_key": lane}
    await ask(engine.set_limit(lane, concurrency=1))
    await ask(engine.set_budget(lane, limits={"usd": 1_000}))
    key = (await ask(engine.create_execution("kind", priority=1, **gates))).execution_id
    await ask(engine.create_execution("kind", **gates))
    one = await claimed()
    await ask(engine.reserve(one.lease, lane, {"usd": 3}))
    await ask(engine.spend(one.lease, lane, {"usd": 2}))
    await ask(engine.spend(one.lease, lane, {"usd": 4}, idempotency_key="call"))
    await ask(engine.spend(one.lease, lane, {"usd": 4}, idempotency_key="call"))
    await ask(engine.release(one.lease))
    one = await claimed()
    await ask(engine.revoke_lease(one.execution_id, expected_lease_id=one.lease.lease_id))
    await ask(engine.charge_budget(lane, {"usd": -1}, reason="a refund"))
    one = await claimed()
    await ask(engine.spend(one.lease, lane, {"usd": 1}))
    await ask(engine.complete(one.lease))
    one = await claimed()
    await ask(engine.cancel_execution(one.execution_id, reason="changed my mind"))
    await ask(engine.describe_limit(lane, "key"))
    await ask(engine.describe_budget(lane))
    await ask(engine.list_spending(lane, by="kind"))
    assert len(answers) == COMMANDS_AT_GATES
    return Life(key, answers)


class LifeBroken(Exception):
    """An answer was not what it is when nothing happens; the answers up to there tell which."""

    def __init__(self, answers: list[object]) -> None:
        super().__init__(f"answer {len(answers)} was {answers[-1]}")
        self.answers = answers


async def expected_life(live: Callable[[Engine, str], Awaitable[Life]] = live) -> Expected:
    """A life on a store to which nothing happens."""
    async with open_engine("memory://", reconcile=False) as engine:
        life = await live(engine, "lane")
        page = await engine.read_events(execution_id=life.execution_id)
        return Expected(life.answers, normal_events(page.events))


def normal(answer: object) -> object:
    """An answer without what differs from one life to the next: names and times."""
    if isinstance(answer, list):
        return [normal(each) for each in answer]
    if isinstance(answer, Claimed):
        return ["Claimed", answer.attempt_index, answer.lease.lease_epoch, answer.claim_type]
    fields = {name: getattr(answer, name) for name in getattr(answer, "__struct_fields__", ())}
    for of_one_life in ("execution_id", "name", "by"):
        fields.pop(of_one_life, None)
    if "lease_id" in fields:  # <store>:<uuid>:<attempt_index>:<epoch>:<mark>
        fields["lease_id"] = fields["lease_id"].split(":")[2:4]
    return [type(answer).__name__, fields]


def normal_events(events: Sequence[Event]) -> list[object]:
    """What happened in a life, as it is the same in every life."""
    return [
        [event.seq, event.channel, event.event_type, {**event.details, "worker_instance_id": ""}] for event in events
    ]
