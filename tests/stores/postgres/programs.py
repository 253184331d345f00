"""What the processes of these tests do. Each program is a function, called by name from the command line.

A program writes `ready` when it is set up, may wait for a line of JSON, and reports one line of JSON at its end.
"""

import asyncio
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from flowfabric import BlockingEngine, Engine, EngineError, NewExecution, StoreError, open_blocking_engine, open_engine

sys.path.insert(0, str(Path(__file__).parents[3]))
from tests.assembled import assembled_at


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def _told() -> Any:
    return json.loads(sys.stdin.readline())


def _report(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")


def _in_threads(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def migrate_and_create(url: str) -> None:
    """Migrate when told, and use the result."""
    _ready()
    _told()
    with assembled_at(url, migrate=True) as parts:
        parts.engine.create_execution("kind")
        _report(store=parts.store.name)


# ── claiming ─────────────────────────────────────────────────────────────────────────────────────


def claim_everything(url: str, name: str) -> None:
    """Claim and complete with four workers until the queue is empty; report every run and every error."""
    ran: list[str] = []
    errors: list[str] = []

    async def work(engine: Engine, instance: str) -> None:
        while True:
            try:
                claimed = await engine.claim(worker_id=name, worker_instance_id=instance, limit=50)
                if not claimed:
                    return
                ran.extend(each.execution_id for each in claimed)
                await asyncio.gather(*(engine.complete(each.lease, name.encode()) for each in claimed))
            except EngineError as error:
                errors.append(f"{error.code}: {error}")
                return

    async def main() -> None:
        async with open_engine(url, reconcile=False) as engine:
            _ready()
            await asyncio.to_thread(_told)
            await asyncio.gather(*(work(engine, f"{name}-{index}") for index in range(4)))

    asyncio.run(main())
    _report(ran=ran, errors=errors)


# ── creating the same at once ────────────────────────────────────────────────────────────────────


def create_the_same(url: str) -> None:
    """Create what is told, in an order of its own, with several threads; report each answer."""
    with open_blocking_engine(url, reconcile=False) as engine:
        _ready()
        told = _told()
        answers: list[list[list[str]]] = [[] for _ in told]

        def create(number: int) -> None:
            # Everyone goes through the same few at the same time, but not in the same order.
            for start in range(0, len(told), 10):
                here = range(start, min(start + 10, len(told)))
                for index in random.sample(here, len(here)):
                    answers[index].append(_created(engine, told[index]))

        _in_threads(create, 2)
    _report(answers=answers)


def _created(engine: BlockingEngine, items: list[dict[str, Any]]) -> list[str]:
    """The class of each answer, and the id that it names."""
    try:
        if len(items) == 1:
            answers = [engine.create_execution(**items[0])]
        else:
            answers = engine.create_executions([NewExecution(**item) for item in random.sample(items, len(items))])
        return [f"{type(answer).__name__} {answer.execution_id}" for answer in answers]
    except EngineError as error:
        return [f"{error.code}: {error}"]


# ── everything at once ───────────────────────────────────────────────────────────────────────────


def hammer(url: str, seed: str, count: str) -> None:
    """Send every kind of command at the same few executions, from four threads; count the answers."""
    sent: Counter[str] = Counter()
    told_by: Counter[str] = Counter()
    with open_blocking_engine(url) as engine:
        _ready()
        ids = _told()

        def work(number: int) -> None:
            chance = random.Random(f"{seed}-{number}")
            leases: list[Any] = []
            for _ in range(int(count)):
                verb, answer = _one_of_many(engine, chance, ids, leases)
                sent[verb] += 1
                told_by[answer] += 1

        _in_threads(work, 4)
    _report(sent=dict(sent), answers=dict(told_by))


def _one_of_many(engine: BlockingEngine, chance: random.Random, ids: list[str], leases: list[Any]) -> tuple[str, str]:
    some = chance.choice(ids)
    verbs: dict[str, Callable[[], object]] = {
        "claim": lambda: leases.extend(
            claimed.lease
            for claimed in engine.claim(
                worker_id="w", worker_instance_id=f"i{id(leases)}", limit=chance.randint(1, 8), lease_ttl_ms=200
            )
        ),
        "complete": lambda: leases and engine.complete(leases.pop(chance.randrange(len(leases))), b"done"),
        "fail": lambda: leases and engine.fail(leases.pop(), code="boom"),
        "renew": lambda: leases and engine.renew(chance.choice(leases)),
        "release": lambda: leases and engine.release(leases.pop()),
        "cancel": lambda: engine.cancel_execution(some, reason="race"),
        "replay": lambda: engine.replay_execution(some),
        "revoke": lambda: engine.revoke_lease(some),
        "hold": lambda: engine.hold(some),
        "unhold": lambda: engine.unhold(some),
        "priority": lambda: engine.change_priority(some, chance.randrange(9000)),
        "tag": lambda: engine.set_tag(some, "team.name", str(chance.random())),
        # Several executions and keys in one command, in any order.
        "create": lambda: engine.create_executions(
            [
                NewExecution(kind="kind", execution_id=each, idempotency_key=f"key-{each}")
                for each in chance.sample(ids, 20)
            ]
        ),
        "reconcile": engine.reconcile,
    }
    verb = chance.choice(["claim", "complete", "complete", "replay", "create", "create", *verbs])
    try:
        verbs[verb]()
        return verb, verb
    except EngineError as refusal:
        return verb, refusal.code


# ── a wrong clock ────────────────────────────────────────────────────────────────────────────────


def work_with_a_wrong_clock(url: str, off_by_s: str) -> None:
    """Do what workers and reconcilers do, in a process whose clock is wrong; report every time that was told."""
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + int(off_by_s)
    time.time_ns = lambda: right_ns() + int(off_by_s) * 1_000_000_000
    with open_blocking_engine(url, reconcile=False) as engine:
        delayed = engine.create_execution("kind", lane="delayed", delay_until_ms=engine.server_time_ms() + 3_600_000)
        engine.create_executions([NewExecution(kind="kind")] * 2)
        (long,) = engine.claim(worker_id="w", worker_instance_id="i", lease_ttl_ms=60_000)
        (short,) = engine.claim(worker_id="w", worker_instance_id="i", lease_ttl_ms=1)
        give_up_at = time.monotonic() + 20
        while not (done := engine.reconcile())["expired_leases"] and time.monotonic() < give_up_at:
            pass
        renewed = engine.renew(long.lease)
        states = {
            name: (x.public_state, x.created_at_ms, x.started_at_ms)
            for name, execution_id in (
                ("long", long.execution_id),
                ("short", short.execution_id),
                ("delayed", delayed.execution_id),
            )
            if (x := engine.describe_execution(execution_id)) is not None
        }
        engine.complete(long.lease)
        _report(
            server_time_ms=engine.server_time_ms(),
            leased_until_ms=long.lease.expires_at_ms,
            renewed_until_ms=renewed.expires_at_ms,
            done=dict(done),
            states=states,
            occurred_at_ms=[event.occurred_at_ms for event in engine.read_events().events],
        )


# ── forking ──────────────────────────────────────────────────────────────────────────────────────


def fork_and_leave(url: str) -> None:
    """Fork inside an engine's block; the child uses that engine, one of its own, and leaves the block, too."""
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("before the fork")
        engine.list_executions()
        _ready()
        _told()
        child = os.fork()
        if child == 0:
            with suppress(StoreError):
                engine.create_execution("in vain")
            with open_blocking_engine(url, reconcile=False) as own:
                own.create_execution("in the child")
            sys.exit(0)
        ended_well = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        engine.create_execution("after the fork")
        kinds = sorted(each.kind for each in engine.list_executions().items)
        _ready()
        _told()
    _report(ended_well=ended_well, kinds=kinds)


def fork_inside_a_transaction(url: str) -> None:
    """Fork inside a transaction on an own connection; both leave it, and report what the child met there."""
    answers, child_writes = os.pipe()
    with psycopg.connect(url) as own, open_blocking_engine(url, reconcile=False) as engine:
        child = -1
        try:
            with engine.transaction(own):
                engine.create_execution("in the transaction", conn=own)
                child = os.fork()
        except StoreError as refusal:
            os.write(child_writes, str(refusal).encode())
            os._exit(0)
        os.waitpid(child, 0)
        kinds = [each.kind for each in engine.list_executions().items]
    _report(met=os.read(answers, 10_000).decode(), kinds=kinds)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
