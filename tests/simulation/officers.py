"""Those who submit under limits and budgets, and the officers who steer both. They are in some of the worlds only."""

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from flowfabric import Dropped, EngineError, ExecutionPolicy, NewExecution, NotFound, Refused, RetryPolicy
from tests.simulation import work
from tests.simulation.plan import actor
from tests.simulation.processes import Simulated

if TYPE_CHECKING:
    from flowfabric import BlockingEngine, Claimed

LIMITS = ("api", "calls", "tenant")
BUDGETS = tuple(work.PARENTS)
PLENTY = 1_000_000
WHEN_FULL = "sim.when_full"
"""The tag that says what an execution would rather do than wait."""
_PATIENT = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=50), max_interruptions=20)


def gates(chance: random.Random) -> dict[str, Any]:
    """The gates of a new execution: some limits, and perhaps a budget or a fair key."""
    chosen: dict[str, Any] = {"limits": _limits(chance)}
    if chance.random() < 0.25:
        chosen["budgets"] = _budgets(chance)
    if chance.random() < 0.3:
        chosen["fair_key"] = chance.choice(work.TENANTS)
    return chosen


def _limits(chance: random.Random) -> dict[str, str]:
    return {name: _key(chance, name) for name in chance.sample(LIMITS, chance.choice((1, 1, 1, 2, 3)))}


def _key(chance: random.Random, name: str) -> str:
    """A limit holds for everyone together, or for each tenant by itself."""
    return chance.choice(work.TENANTS) if name == "tenant" else chance.choice(("", "", "", *work.TENANTS[:1]))


def _budgets(chance: random.Random) -> dict[str, dict[str, int]]:
    names = chance.sample(BUDGETS, chance.choice((1, 1, 1, 2)))
    return {name: {"usd": amount} if (amount := chance.randint(0, work.ESTIMATE_MAX)) else {} for name in names}


async def _create(process: Simulated, items: list[NewExecution]) -> str:
    answers = await process.engine.create_executions(items)
    for answer in answers:
        process.world.ledger.was_created(answer.execution_id)
    return " ".join(f"{type(answer).__name__} {answer.execution_id}" for answer in answers)


# ── submitters ───────────────────────────────────────────────────────────────────────────────────


@actor(36, of_gates=True)
async def submit_limited(process: Simulated, chance: random.Random) -> str:
    """Several that want the same at once."""
    named = gates(chance)
    items = [_roam(chance, **named) for _ in range(chance.randint(2, 6))]
    return await _create(process, items)


def _roam(chance: random.Random, **given: Any) -> NewExecution:
    arguments = {"n": 1, "pauses_ms": [chance.choice((20, 300, 900))], "fails": chance.choice((0, 0, 0, 1))}
    chosen: dict[str, Any] = {
        "kind": chance.choice(("roam", "roam", "plod")),
        "payload": work.payload(arguments),
        "lane": chance.choice(("default", "default", "default", "mail")),
        "priority": chance.choice((0, 0, 0, 5)),
        "required_capabilities": ("gpu",) if chance.random() < 0.15 else (),
        "deadline_at_ms": None,
        "policy": _PATIENT,
    }
    return NewExecution(**{**chosen, **given})


@actor(14, of_gates=True)
async def submit_of_tenants(process: Simulated, chance: random.Random) -> str:
    """Tenants with many executions, and others with few."""
    lane, many = chance.choice(work.LANES), chance.choice(work.TENANTS)
    keys = [many] * chance.randint(3, 6) + chance.sample(work.TENANTS, 2)
    return await _create(process, [_roam(chance, fair_key=key, lane=lane, priority=0) for key in keys])


@actor(12, of_gates=True)
async def submit_what_waits_under_limits(process: Simulated, chance: random.Random) -> str:
    """A slot is free while it waits, and a resume needs one again."""
    arguments = {"n": 1, "timeouts_ms": [chance.choice((None, 300, 2_000)) for _ in range(chance.randint(1, 2))]}
    kind = chance.choice(("ponder_elsewhere", "ponder_elsewhere", "brood"))
    named = gates(chance)
    items = [
        _roam(chance, kind=kind, payload=work.payload(arguments), required_capabilities=(), **named)
        for _ in range(chance.randint(1, 3))
    ]
    return await _create(process, items)


@actor(12, of_gates=True)
async def submit_what_has_chores(process: Simulated, chance: random.Random) -> str:
    """Children under a limit of their own, and some under one of siblings."""
    chores = [
        work.Errand(n=number, pause_ms=chance.choice((0, 20, 300)), fails=chance.choice((0, 0, 0, 1)))
        for number in range(1, chance.randint(3, 6))
    ]
    payload = work.payload({"chores": chores, "at_a_time": chance.choice((None, 1, 2))})
    return await _create(process, [_roam(chance, kind="supervise", payload=payload, required_capabilities=())])


@actor(40, of_gates=True)
async def submit_what_spends(process: Simulated, chance: random.Random) -> str:
    return await _create(process, [_spender(chance) for _ in range(chance.randint(1, 4))])


def _spender(chance: random.Random) -> NewExecution:
    bills = [
        work.Bill(
            budget=chance.choice(BUDGETS),
            usd=chance.randint(1, 7),
            how=chance.choice(("spend", "once", "reserve", "metered")),
            pause_ms=chance.choice((0, 20, 300, 900)),
        )
        for _ in range(chance.randint(1, 3))
    ]
    budgets = _budgets(chance) if chance.random() < 0.8 else {}
    arguments = {
        "n": 1,
        "bills": bills,
        "named": sorted(budgets),
        "throttles": chance.choice((0, 0, 0, 0, 1, 2)),
        "fails": chance.choice((0, 0, 0, 1)),
    }
    limits = _limits(chance) if chance.random() < 0.3 else {}
    kind = chance.choice(("pay", "pay", "pay_in_a_thread"))
    payload = work.payload(arguments)
    return _roam(chance, kind=kind, payload=payload, budgets=budgets, limits=limits, required_capabilities=())


@actor(24, of_gates=True)
async def submit_unless_full(process: Simulated, chance: random.Random) -> str:
    """Rather under a limit at which somebody waits or runs."""
    world, (name, key) = process.world, _limit(process, chance)
    limits = {**(_limits(chance) if chance.random() < 0.3 else {}), name: key}
    when_full = chance.choice(("drop_new", "cancel_oldest"))
    item = _roam(chance, limits=limits, when_full=when_full, tags={WHEN_FULL: when_full})
    asked_after, answered = world.batches, []
    for answer in await process.engine.create_executions([item] * chance.choice((1, 1, 2))):
        answered.append(f"{type(answer).__name__} {answer.execution_id}")
        if not isinstance(answer, Dropped):
            world.ledger.was_created(answer.execution_id)
        elif all(world.gates.full_at.get(("default", *each), -1) < asked_after for each in limits.items()):
            world.fail(f"an execution was dropped because of {answer.execution_id}, and none of {limits} was full")
    return " ".join(answered)


@actor(22, of_gates=True)
async def submit_what_visits(process: Simulated, chance: random.Random) -> str:
    """Blocks of code under limits, of executions that may name others. Some of them enter in different orders."""
    visits = [_visit(process, chance) for _ in range(chance.randint(1, 3))]
    named = gates(chance) if chance.random() < 0.3 else {}
    how = chance.choice(("in a row", "nested", "nested", "at once"))
    items = []
    for _ in range(chance.randint(1, 4)):
        payload = work.payload({"n": 1, "visits": chance.sample(visits, len(visits)), "how": how})
        kind = chance.choice(("visit", "visit_elsewhere", "visit_in_a_thread"))
        items.append(_roam(chance, kind=kind, payload=payload, required_capabilities=(), **named))
    return await _create(process, items)


def _visit(process: Simulated, chance: random.Random) -> work.Visit:
    name, key = _limit(process, chance)
    return work.Visit(limit=name, key=key, pause_ms=chance.choice((0, 20, 300, 900)))


# ── who works by hand ────────────────────────────────────────────────────────────────────────────


@actor(12, of_gates=True)
async def spend_by_hand(process: Simulated, chance: random.Random) -> str:
    """Somebody who claims in a thread, reserves and spends, and may never be heard of again."""
    return await asyncio.to_thread(_spend_by_hand, process, chance)


def _spend_by_hand(process: Simulated, chance: random.Random) -> str:
    engine = process.blocking_engine
    claimed = engine.wait_for_work(
        worker_id="cashier",
        worker_instance_id=f"cashier-{process.pid}",
        lanes=work.LANES,
        capabilities=chance.choice(((), work.CAPABILITIES)),
        limit=chance.randint(1, 3),
        lease_ttl_ms=1_000,
        timeout_ms=chance.choice((0, 300)),
    )
    return ", ".join([_handled(process, engine, each, chance) for each in claimed]) or "nothing"


def _handled(process: Simulated, engine: "BlockingEngine", each: "Claimed", chance: random.Random) -> str:
    lease, budget, usd = each.lease, chance.choice(BUDGETS), chance.randint(1, 6)
    how = chance.choice(("complete", "release", "delay", "forget", "forget", "late", "fail"))
    book = process.world.ledger.book_of(each.execution_id, lease.lease_epoch, [])
    try:
        with suppress(Refused):
            engine.reserve(lease, budget, {"usd": usd})
        if chance.random() < 0.5:
            _spend_twice(process, engine, each, budget, usd, chance)
        if how == "late":
            process.world.scheduler.wait(1.5)
            book.asks(budget, 1, None)
            engine.spend(lease, budget, {"usd": 1})
            book.was_charged(budget, 1, f"late under {lease.lease_epoch}")
        if how in ("complete", "late"):
            engine.complete(lease, msgspec.json.encode(work.Result(0, lease.lease_epoch)))
        if how == "fail":
            engine.fail(lease, code="by_hand")
        if how == "release":
            engine.release(lease)
        if how == "delay":
            engine.delay(lease, until_ms=process.world.now_ms + 500)
    except EngineError as error:
        return f"{each.execution_id} {how} {type(error).__name__}"
    return f"{each.execution_id} {how}"


def _spend_twice(
    process: Simulated,
    engine: "BlockingEngine",
    each: "Claimed",
    budget: str,
    usd: int,
    chance: random.Random,
) -> None:
    """Spend under a key and send the same again, as somebody does who got no answer."""
    key = f"by-hand-{chance.getrandbits(40)}"
    book = process.world.ledger.book_of(each.execution_id, each.lease.lease_epoch, [])
    book.asks(budget, usd, key)
    first = engine.spend(each.lease, budget, {"usd": usd}, idempotency_key=key)
    book.was_charged(budget, usd, key)
    if engine.spend(each.lease, budget, {"usd": usd}, idempotency_key=key) != first:
        process.world.fail(f"{each.execution_id} was told two different things about {key}")


# ── officers ─────────────────────────────────────────────────────────────────────────────────────


def _limit(process: Simulated, chance: random.Random) -> tuple[str, str]:
    """A limit and a key of it, rather one at which somebody is parked, or of which a slot is in use."""
    alive = [x.gates for x in process.world.executions() if x.gates is not None and not x.has_ended]
    parked = [
        (each.parked[1], each.parked[2]) for each in alive if each.parked is not None and each.parked[0] == "limit"
    ]
    wanted = sorted(at for at in parked or [at for each in alive for at in each.slots] if at[0] in LIMITS)
    if wanted and chance.random() < 0.8:
        return chance.choice(wanted)
    name = chance.choice(LIMITS)
    return name, _key(chance, name)


def _budget(process: Simulated, chance: random.Random) -> str:
    """A budget, rather one at which somebody is parked."""
    alive = [x.gates for x in process.world.executions() if x.gates is not None and not x.has_ended]
    parked = sorted(each.parked[1] for each in alive if each.parked is not None and each.parked[0] == "budget")
    return chance.choice(parked) if parked and chance.random() < 0.7 else chance.choice(BUDGETS)


@actor(16, of_gates=True)
async def set_limit(process: Simulated, chance: random.Random) -> str:
    """Raise it, lower it, or set it again after it was removed."""
    (name, _), numbers = _limit(process, chance), _numbers(chance)
    await process.engine.set_limit(name, **numbers)
    return f"{name} {numbers}"


@actor(14, of_gates=True)
async def override_key(process: Simulated, chance: random.Random) -> str:
    """Give one key numbers of its own, or take them back."""
    name, key = _limit(process, chance)
    if chance.random() < 0.25:
        await process.engine.remove_limit(name, key=key)
        return f"{name}[{key}] as all others"
    numbers = _numbers(chance)
    await process.engine.set_limit(name, key=key, **numbers)
    return f"{name}[{key}] {numbers}"


def _numbers(chance: random.Random) -> dict[str, Any]:
    concurrency = chance.choice((None, 1, 1, 2, 3, 5))
    if concurrency is not None and chance.random() < 0.6:
        return {"concurrency": concurrency}
    rate = {"rate": chance.choice((2, 4, 7)), "per_ms": 1_000, "burst": chance.choice((None, 1, 2))}
    return {"concurrency": concurrency, **rate}


@actor(7, of_gates=True)
async def remove_limit(process: Simulated, chance: random.Random) -> str:
    name, _ = _limit(process, chance)
    await process.engine.remove_limit(name)
    return name


@actor(12, of_gates=True)
async def pause_limit(process: Simulated, chance: random.Random) -> str:
    name, key = _limit(process, chance)
    for for_ms in chance.choice(((100,), (700,), (3_000,), (3_000, 200))):
        await process.engine.pause_limit(name, key, for_ms=for_ms)
    return f"{name}[{key}] for {for_ms} ms"


@actor(16, of_gates=True)
async def set_budget(process: Simulated, chance: random.Random) -> str:
    """Raise or lower it, with another parent or another way to act, now and then."""
    name, usd = _budget(process, chance), chance.choice((6, 10, 20, 60, 200))
    stated: dict[str, Any] = {"limits": {"usd": usd, **({"tokens": 40} if name == "team" else {})}}
    stated["on_exceeded"] = chance.choice(("pause", "pause", "cancel"))
    stated["parent"] = work.PARENTS[name] if chance.random() < 0.9 else None
    stated["period"] = "* * * * *" if name == "trial" else None
    await process.engine.set_budget(name, **stated)
    return f"{name} {stated}"


@actor(8, of_gates=True)
async def reset_budget(process: Simulated, chance: random.Random) -> str:
    name = _budget(process, chance)
    await process.engine.reset_budget(name)
    return name


@actor(10, of_gates=True)
async def charge_budget(process: Simulated, chance: random.Random) -> str:
    name, usd = _budget(process, chance), chance.choice((-20, -5, 5, 10, 30))
    await process.engine.charge_budget(name, {"usd": usd}, reason="asked for")
    return f"{name} {usd:+d}"


@actor(5, of_gates=True)
async def look_at_gates(process: Simulated, chance: random.Random) -> str:
    """Somebody who only reads."""
    engine, seen = process.engine, []
    for limit in (await engine.list_limits()).items:
        described = await engine.describe_limit(limit.name, limit.key)
        seen.append(f"{limit.name}[{limit.key}]" if described is not None else "none")
    for budget in (await engine.list_budgets()).items:
        by = chance.choice(("execution", "flow", "kind", "day"))
        seen.append(f"{budget.name} {len((await engine.list_spending(budget.name, by=by)).items)}")
    parked = [x.execution_id for x in process.world.executions() if x.gates is not None and x.gates.parked is not None]
    if parked:
        seen.append(await engine.explain(chance.choice(sorted(parked))))
    return ", ".join(seen)


# ── when everything is over ──────────────────────────────────────────────────────────────────────


async def open_gates(process: Simulated, chance: random.Random) -> str:
    """Raise budgets, so that nobody waits for money. Time raises one that has periods, and limits need nobody."""
    opened = []
    for name in BUDGETS:
        if name != "trial" or chance.random() < 0.6:
            await _raise_budget(process, name)
            opened.append(name)
    if chance.random() < 0.4:
        for name in LIMITS:
            with suppress(NotFound):  # an officer may have removed it
                await process.engine.remove_limit(name)
                opened.append(name)
    return " ".join(opened)


async def raise_all_budgets(process: Simulated, chance: random.Random) -> str:
    """Let nobody wait for money any more."""
    for name in BUDGETS:
        await _raise_budget(process, name)
    return " ".join(BUDGETS)


async def _raise_budget(process: Simulated, name: str) -> None:
    limits = {"usd": PLENTY, **({"tokens": PLENTY} if name == "team" else {})}
    await process.engine.set_budget(name, limits=limits, parent=work.PARENTS[name])
