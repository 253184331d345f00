"""Everything that anyone asks for: submitters, flow builders and operators. Each function is one request."""

import asyncio
import random
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from flowfabric import (
    AllOf,
    AnyOf,
    EngineError,
    ExecutionPolicy,
    FlowGraph,
    NewExecution,
    Quorum,
    Refused,
    RetryPolicy,
    StoreUnavailable,
)
from flowfabric.domain.children import Children
from flowfabric.domain.conditions import from_stored
from tests.simulation import work
from tests.simulation.ledger import Letter
from tests.simulation.officers import gates
from tests.simulation.plan import actor
from tests.simulation.processes import Simulated

if TYPE_CHECKING:
    from flowfabric.domain.execution import Execution

KEYS = ("key-a", "key-b", "key-c")
JOINS = (AllOf(), AllOf(), AnyOf(), AnyOf("let_run"), Quorum(2), Quorum(2, "let_run"))


# ── submitters ───────────────────────────────────────────────────────────────────────────────────


@actor(12)
async def submit(process: Simulated, chance: random.Random) -> str:
    item = _item(process, chance)
    answer = (await process.engine.create_executions([item]))[0]
    process.world.ledger.was_created(answer.execution_id)
    return f"{type(answer).__name__} {answer.execution_id}"


@actor(6)
async def submit_some(process: Simulated, chance: random.Random) -> str:
    answers = await process.engine.create_executions([_item(process, chance) for _ in range(chance.randint(2, 6))])
    for answer in answers:
        process.world.ledger.was_created(answer.execution_id)
    return " ".join(answer.execution_id for answer in answers)


@actor(6)
async def submit_with_key(process: Simulated, chance: random.Random) -> str:
    """Somebody who sends the same again and again, until it is answered."""
    key = chance.choice(KEYS)
    payload = work.payload({"n": 1, "pauses_ms": [20]})  # the same each time: another one would be a conflict
    item = NewExecution(kind="roam", payload=payload, idempotency_key=key)
    while True:
        try:
            answer = (await process.engine.create_executions([item]))[0]
        except StoreUnavailable as error:
            if error.is_final:
                raise
            continue
        process.world.ledger.was_created(answer.execution_id, key)
        return f"{type(answer).__name__} {answer.execution_id}"


@actor(4)
async def submit_and_wait(process: Simulated, chance: random.Random) -> str:
    answer = (await process.engine.create_executions([_item(process, chance, policy=ExecutionPolicy())]))[0]
    process.world.ledger.was_created(answer.execution_id)
    ended = await process.engine.wait_for_result(answer.execution_id)
    if ended.public_state not in ("completed", "failed", "cancelled", "expired", "skipped"):
        process.world.fail(f"{answer.execution_id} is {ended.public_state}, and was said to have ended")
    return f"{answer.execution_id} is {ended.public_state}"


@actor(3)
async def submit_in_a_thread(process: Simulated, chance: random.Random) -> str:
    item = _item(process, chance)
    answer = (await asyncio.to_thread(process.blocking_engine.create_executions, [item]))[0]
    process.world.ledger.was_created(answer.execution_id)
    return f"{type(answer).__name__} {answer.execution_id}"


@actor(3)
async def submit_under_a_command_id(process: Simulated, chance: random.Random) -> str:
    """Somebody who does not believe the answer, or has not got one, and asks another process for the same."""
    sends = partial(_send, [_item(process, chance, policy=ExecutionPolicy())], f"command-{chance.getrandbits(32)}")
    chance.choice(process.world.alive()).ask("submit_again", sends, chance)
    return await sends(process, chance)


async def _send(items: list[NewExecution], command_id: str, process: Simulated, chance: random.Random) -> str:
    answers = await process.engine.create_executions(items, command_id=command_id)
    process.world.ledger.was_answered(command_id, answers)
    for answer in answers:
        process.world.ledger.was_created(answer.execution_id)
    return f"{command_id} {' '.join(answer.execution_id for answer in answers)}"


@actor(1)
async def submit_what_not_every_worker_knows(process: Simulated, chance: random.Random) -> str:
    answer = await process.engine.create_execution("rare", work.payload({"n": 1}))
    process.world.ledger.was_created(answer.execution_id)
    return answer.execution_id


@actor(10)
async def submit_what_waits(process: Simulated, chance: random.Random) -> str:
    timeouts_ms = [chance.choice((None, None, 300, 2_000)) for _ in range(chance.randint(1, 3))]
    kind = chance.choice(("ponder", "ponder_elsewhere", "brood"))
    item = _item(process, chance, policy=ExecutionPolicy(retry=RetryPolicy(max_retries=1), max_interruptions=20))
    payload = work.payload({"n": 1, "timeouts_ms": timeouts_ms})
    answer = (await process.engine.create_executions([msgspec.structs.replace(item, kind=kind, payload=payload)]))[0]
    process.world.ledger.was_created(answer.execution_id)
    return f"{kind} {answer.execution_id}"


@actor(9)
async def submit_what_asks_people(process: Simulated, chance: random.Random) -> str:
    """Some of those who are asked get their tokens at once."""
    arguments = {"n": 1, "approvers": chance.randint(1, 2), "timeout_ms": chance.choice((None, None, 1_500))}
    item = _item(process, chance, kind="confer", payload=work.payload(arguments), policy=_PATIENT)
    answer = (await process.engine.create_executions([item]))[0]
    process.world.ledger.was_created(answer.execution_id)
    for person in chance.sample(work.PERSONS, 2):
        issued = await process.engine.issue_token(answer.execution_id, work.BOARD, source=person)
        process.world.ledger.letters.append(Letter(issued.token, answer.execution_id, person))
    return answer.execution_id


@actor(12)
async def submit_parent(process: Simulated, chance: random.Random) -> str:
    kind, payload = _parent(chance)
    deadline_at_ms = process.world.now_ms + chance.randint(200, 5_000) if chance.random() < 0.2 else None
    item = _item(process, chance, kind=kind, payload=payload, policy=_PATIENT, deadline_at_ms=deadline_at_ms)
    answer = (await process.engine.create_executions([item]))[0]
    process.world.ledger.was_created(answer.execution_id)
    return f"{kind} {answer.execution_id}"


_PATIENT = ExecutionPolicy(retry=RetryPolicy(max_retries=1), max_interruptions=20)


def _parent(chance: random.Random) -> tuple[str, bytes]:
    """The kind and the payload of an execution that has children."""
    errands = [_errand(chance, number) for number in range(1, chance.randint(2, 5))]
    if chance.random() < 0.3:
        errands[-1].errands = [_errand(chance, number) for number in range(1, chance.randint(2, 3))]
    arguments = {"errands": errands, "spares": chance.random() < 0.4, "fails": chance.choice((0, 0, 0, 1))}
    return chance.choice(("oversee", "oversee_in_a_thread")), work.payload(arguments)


def _errand(chance: random.Random, number: int) -> work.Errand:
    return work.Errand(
        n=number,
        pause_ms=chance.choice((0, 20, 300, 1_500)),
        fails=chance.choice((0, 0, 0, 0, 1, 2)),
        waits=chance.random() < 0.15,
    )


def _item(process: Simulated, chance: random.Random, inputs: tuple[str, ...] = (), **given: Any) -> NewExecution:
    now_ms = process.world.now_ms
    arguments: dict[str, Any] = {
        "n": chance.randint(1, 9),
        "pauses_ms": [chance.choice((0, 1, 20, 300, 1_200)) for _ in range(chance.randint(0, 3))],
    }
    if chance.random() < 0.3:
        arguments["fails"] = chance.randint(1, 3)
    chosen: dict[str, Any] = {
        "kind": chance.choice(("roam", "roam", "plod")),
        "payload": work.payload(arguments, inputs),
        "lane": chance.choice(("default", "default", "mail")),
        "priority": chance.choice((0, 0, 0, 5)),
        "required_capabilities": ("gpu",) if chance.random() < 0.15 else (),
        "delay_until_ms": now_ms + chance.randint(1, 3_000) if chance.random() < 0.2 else None,
        "deadline_at_ms": now_ms + chance.randint(500, 8_000) if chance.random() < 0.1 else None,
        "policy": ExecutionPolicy(
            retry=RetryPolicy(
                max_retries=chance.randint(0, 3), initial_delay_ms=chance.choice((0, 50, 800)), max_delay_ms=2_000
            ),
            attempt_timeout_ms=chance.choice((None, None, None, 900)),
            max_interruptions=chance.choice((10, 10, 0, 1)),
            max_replays=chance.choice((None, None, 1)),
            retention_ms=chance.choice((None, None, None, None, 2_000)),
        ),
    }
    if process.world.plan.has_gates and chance.random() < 0.4:
        chosen |= gates(chance)
    return NewExecution(**{**chosen, **given})


# ── flow builders ────────────────────────────────────────────────────────────────────────────────


@actor(8)
async def submit_flow(process: Simulated, chance: random.Random) -> str:
    graph = FlowGraph("order")
    names = [f"node-{number}" for number in range(chance.randint(2, 6))]
    for place, name in enumerate(names):
        upstreams = chance.sample(names[:place], min(place, chance.choice((0, 1, 1, 2, 2))))
        passing = {upstream: passed for upstream, passed in zip(upstreams, "ab", strict=False) if chance.random() < 0.5}
        item = _member(process, chance, tuple(passing.values()))
        named = {"limits": item.limits, "budgets": item.budgets, "fair_key": item.fair_key}
        graph.node(name, item.kind, item.payload, lane=item.lane, policy=item.policy, **named)
        for upstream in upstreams:
            graph.edge(upstream, name, pass_result_as=passing.get(upstream))
        if len(upstreams) > 1:
            graph.join(name, chance.choice(JOINS))
    answer = await process.engine.submit_flow(graph)
    process.world.ledger.flows.append(answer.flow_id)
    for execution_id in answer.execution_ids.values():
        process.world.ledger.was_created(execution_id)
    return f"{answer.flow_id} with {len(names)} members"


@actor(3)
async def build_flow(process: Simulated, chance: random.Random) -> str:
    """A flow that grows while its first members run already."""
    flow_id = (await process.engine.create_flow("growing")).flow_id
    process.world.ledger.flows.append(flow_id)
    members: list[str] = []
    for _ in range(chance.randint(1, 4)):
        item = _member(process, chance)
        after = chance.sample(members, min(len(members), chance.choice((0, 1, 2))))
        join = chance.choice(JOINS[:4]) if after else None
        try:
            added = await process.engine.add_execution(
                flow_id, item.kind, item.payload, after=after, join=join, lane=item.lane, policy=item.policy
            )
        except EngineError as error:
            return f"{flow_id} with {len(members)} members, then {type(error).__name__}"
        members.append(added.execution_id)
        process.world.ledger.was_created(added.execution_id)
    return f"{flow_id} with {len(members)} members"


@actor(2)
async def add_dependency(process: Simulated, chance: random.Random) -> str:
    flow_id, members = await _members(process, chance)
    if len(members) < 2:
        return "no flow"
    upstream, downstream = chance.sample(members, 2)
    answer = await process.engine.add_dependency(flow_id, upstream, downstream)
    return f"{flow_id} {type(answer).__name__}"


def _member(process: Simulated, chance: random.Random, inputs: tuple[str, ...] = ()) -> NewExecution:
    """What has no deadline and is not removed by itself: both belong to flows as a whole."""
    given = dict(zip(("kind", "payload"), _parent(chance), strict=True)) if not inputs and chance.random() < 0.1 else {}
    item = _item(process, chance, inputs, **given, deadline_at_ms=None, delay_until_ms=None, required_capabilities=())
    policy = ExecutionPolicy(retry=item.policy.retry, max_interruptions=item.policy.max_interruptions)
    return msgspec.structs.replace(item, policy=policy, priority=0)


async def _members(process: Simulated, chance: random.Random) -> tuple[str, list[str]]:
    flow_id = _flow(process, chance)
    if flow_id is None:
        return "", []
    return flow_id, await _members_of(process, flow_id)


async def _members_of(process: Simulated, flow_id: str) -> list[str]:
    page = await process.engine.list_executions(flow_id=flow_id)
    return sorted(x.execution_id for x in page.items)


@actor(1)
async def set_join(process: Simulated, chance: random.Random) -> str:
    flow_id, members = await _members(process, chance)
    if not members:
        return "no flow"
    answer = await process.engine.set_edge_group_policy(flow_id, chance.choice(members), chance.choice(JOINS))
    return f"{flow_id} {type(answer).__name__}"


# ── who works by hand ────────────────────────────────────────────────────────────────────────────


@actor(4)
async def work_by_hand(process: Simulated, chance: random.Random) -> str:
    """Somebody who claims in a thread, without a worker, and does not always do what a worker does."""
    return await asyncio.to_thread(_work_by_hand, process, chance)


def _work_by_hand(process: Simulated, chance: random.Random) -> str:
    engine = process.blocking_engine
    claimed = engine.wait_for_work(
        worker_id="by-hand",
        worker_instance_id=f"by-hand-{process.pid}",
        lanes=work.LANES,
        limit=chance.randint(1, 2),
        lease_ttl_ms=1_000,
        timeout_ms=chance.choice((0, 300)),
    )
    done = []
    for each in claimed:
        lease, how = each.lease, chance.choice(("complete", "late", "twice", "fail", "release", "delay", "forget"))
        result = msgspec.json.encode(work.Result(0, lease.lease_epoch))
        answer: object = None
        try:
            if how == "late":
                process.world.scheduler.wait(1.5)
            if how in ("complete", "late", "twice"):
                answer = engine.complete(lease, result)
            if how == "twice" and engine.complete(lease, result) != answer:
                process.world.fail(f"{each.execution_id} was completed twice, with two answers")
            if how == "fail":
                answer = engine.fail(lease, code="by_hand")
            if how == "release":
                answer = engine.release(lease)
            if how == "delay":
                answer = engine.delay(lease, until_ms=process.world.now_ms + 500)
        except EngineError as error:
            answer = error
        done.append(f"{each.execution_id} {how} {type(answer).__name__}")
    return ", ".join(done) or "nothing"


# ── operators ────────────────────────────────────────────────────────────────────────────────────


def _execution(process: Simulated, chance: random.Random) -> str | None:
    """One of the executions that callers know of, rather a new one, or a child."""
    known = process.world.ledger.created
    found = known[-1 - min(int(chance.expovariate(0.3)), len(known) - 1)] if known else None
    if found is not None and chance.random() < 0.3:
        children = [x.execution_id for x in process.world.children(found)]
        return chance.choice(children) if children else found
    return found


def _flow(process: Simulated, chance: random.Random) -> str | None:
    known = process.world.ledger.flows
    return known[-1 - min(int(chance.expovariate(0.5)), len(known) - 1)] if known else None


def _parents(process: Simulated, *, has_ended: bool) -> list[str]:
    """The executions that have children, or only those whose children have not ended, if there are some."""
    world = process.world
    parents = [x.execution_id for x in world.executions() if x.has_children and x.has_ended == has_ended]
    return sorted([key for key in parents if any(not x.has_ended for x in world.children(key))] or parents)


def _ended_children(process: Simulated) -> list[str]:
    """The children that have ended, of parents that have not."""
    live = _parents(process, has_ended=False)
    return sorted(x.execution_id for key in live for x in process.world.children(key) if x.has_ended)


@actor(4)
async def cancel(process: Simulated, chance: random.Random) -> str:
    parents = _parents(process, has_ended=False)
    execution_id = chance.choice(parents) if parents and chance.random() < 0.4 else _execution(process, chance)
    if execution_id is None:
        return "nothing"
    await process.engine.cancel_execution(execution_id, reason="asked for")
    return execution_id


@actor(8)
async def cancel_flow(process: Simulated, chance: random.Random) -> str:
    """Rather one that is not over: any other stays as it is."""
    live = [flow.flow_id for flow in (await process.engine.list_flows()).items if flow.terminal_at_ms is None]
    flow_id = chance.choice(sorted(live)) if live else _flow(process, chance)
    if flow_id is None:
        return "nothing"
    policy = chance.choice(("cancel_all", "cancel_all", "cancel_pending", "flow_only"))
    answer = await process.engine.cancel_flow(flow_id, reason="asked for", policy=policy, wait=chance.random() < 0.3)
    return f"{flow_id} {policy} {type(answer).__name__}"


@actor(6)
async def revoke(process: Simulated, chance: random.Random) -> str:
    """Rather a lease that is held; the holder may be frozen, and speak for the execution later."""
    active = [x.execution_id for x in (await process.engine.list_executions(public_state="active")).items]
    execution_id = chance.choice(sorted(active)) if active else _execution(process, chance)
    if execution_id is None:
        return "nothing"
    answer = await process.engine.revoke_lease(execution_id, reason="asked for")
    return f"{execution_id} {type(answer).__name__}"


@actor(4)
async def hold(process: Simulated, chance: random.Random) -> str:
    if (execution_id := _execution(process, chance)) is None:
        return "nothing"
    await process.engine.hold(execution_id)
    return execution_id


@actor(2)
async def unhold(process: Simulated, chance: random.Random) -> str:
    if (execution_id := _execution(process, chance)) is None:
        return "nothing"
    await process.engine.unhold(execution_id)
    return execution_id


@actor(6)
async def replay(process: Simulated, chance: random.Random) -> str:
    """Rather a parent, or a child for which its parent waits."""
    found = chance.choice((_parents(process, has_ended=True), _ended_children(process), []))
    execution_id = chance.choice(found) if found else _execution(process, chance)
    if execution_id is None:
        return "nothing"
    steps = chance.choice((None, "keep", "clear", "clear", "from step-1"))
    if steps == "from step-1":
        await process.engine.replay_execution(execution_id, from_step="step-1")
    else:
        await process.engine.replay_execution(execution_id, steps=steps)
    return f"{execution_id} {steps}"


@actor(6)
async def replay_flow(process: Simulated, chance: random.Random) -> str:
    """Rather one that is over: any other is refused."""
    over = [flow.flow_id for flow in (await process.engine.list_flows()).items if flow.terminal_at_ms is not None]
    flow_id = chance.choice(sorted(over)) if over else None
    members = [] if flow_id is None else await _members_of(process, flow_id)
    if flow_id is None or not members:
        return "nothing"
    answer = await process.engine.replay_flow(flow_id, what=chance.choice(("failed", "all", chance.sample(members, 1))))
    return f"{flow_id} {type(answer).__name__}"


@actor(3)
async def reprioritise(process: Simulated, chance: random.Random) -> str:
    if (execution_id := _execution(process, chance)) is None:
        return "nothing"
    await process.engine.change_priority(execution_id, chance.randint(0, 9))
    return execution_id


@actor(30)
async def signal(process: Simulated, chance: random.Random) -> str:
    """Rather to one that waits. Somebody who gets no answer sends the same again."""
    waiting = [x.execution_id for x in process.world.executions() if x.inbox is not None and not x.has_ended]
    execution_id = chance.choice(sorted(waiting)) if waiting else _execution(process, chance)
    if execution_id is None:
        return "nothing"
    key, number = chance.choice(work.WAITPOINTS), chance.getrandbits(40)
    repeated, life = f"signal-{number}", process.world.ledger.life_of(execution_id)
    while True:
        try:
            answer = await process.engine.signal(
                execution_id, key, b"%d" % number, source=chance.choice(("ann", "bob")), idempotency_key=repeated
            )
        except StoreUnavailable as error:
            if error.is_final:
                raise
            continue
        process.world.ledger.was_signalled(execution_id, life, repeated, answer.signal_id)
        if chance.random() < 0.7:
            return f"{execution_id} {key} {answer}"


@actor(3)
async def resume_what_waits(process: Simulated, chance: random.Random) -> str:
    waiting = [x.execution_id for x in (await process.engine.list_waiting()).items]
    if not waiting:
        return "nothing"
    execution_id = chance.choice(sorted(waiting))
    return f"{execution_id} {type(await process.engine.resume_execution(execution_id, b'0')).__name__}"


@actor(1)
async def close_waitpoint(process: Simulated, chance: random.Random) -> str:
    if (execution_id := _execution(process, chance)) is None:
        return "nothing"
    await process.engine.close_waitpoint(execution_id, chance.choice(work.WAITPOINTS), reason="asked for")
    return execution_id


@actor(3)
async def pause_lane(process: Simulated, chance: random.Random) -> str:
    return (await process.engine.pause_lane(chance.choice(work.LANES))).lane


@actor(3)
async def resume_lane(process: Simulated, chance: random.Random) -> str:
    return (await process.engine.resume_lane(chance.choice(work.LANES))).lane


@actor(2)
async def steer_schedule(process: Simulated, chance: random.Random) -> str:
    steer = chance.choice((process.engine.pause_schedule, process.engine.resume_schedule, process.engine.run_schedule))
    return type(await steer("tick")).__name__


@actor(2)
async def look_around(process: Simulated, chance: random.Random) -> str:
    """Somebody who only reads. What is read may be a moment old, and never makes no sense."""
    engine = process.engine
    seen = [f"{len(await engine.list_workers())} workers", f"{len(await engine.list_lanes())} lanes"]
    await engine.stats()
    await engine.list_schedules()
    if (execution_id := _execution(process, chance)) is not None:
        seen.append(await engine.explain(execution_id))
    if (flow_id := _flow(process, chance)) is not None:
        await engine.describe_flow(flow_id)
        await engine.list_edges(flow_id)
    return ", ".join(seen)


@actor(2)
async def reconcile(process: Simulated, chance: random.Random) -> str:
    done = await process.engine.reconcile()
    return " ".join(f"{name}={count}" for name, count in done.items() if count)


@actor(1)
async def cancel_many(process: Simulated, chance: random.Random) -> str:
    return f"{(await process.engine.operate('cancel', lane='mail', reason='asked for')).done} of lane mail"


@actor(1)
async def purge(process: Simulated, chance: random.Random) -> str:
    process.world.may_purge = True
    return f"{await process.engine.purge(ended_before_ms=process.world.now_ms - 1_000)}"


# ── when everything is over ──────────────────────────────────────────────────────────────────────


async def let_all_run(process: Simulated, chance: random.Random) -> str:
    """Take back whatever keeps an execution waiting for a person."""
    for lane in work.LANES:
        await process.engine.resume_lane(lane)
    held = [x.execution_id for x in process.world.executions() if x.eligibility_state == "blocked_by_operator"]
    for execution_id in held:
        with suppress(Refused):  # it may have ended meanwhile
            await process.engine.unhold(execution_id)
    waiting = [x.execution_id for x in process.world.executions() if _waits_for_a_person(x)]
    for execution_id in waiting:
        with suppress(Refused):
            await process.engine.resume_execution(execution_id, b"0")
    return f"{len(held)} were held, {len(waiting)} were suspended"


def _waits_for_a_person(x: "Execution") -> bool:
    """Whether it is suspended, and not only because its children have not ended."""
    if x.lifecycle_phase != "suspended" or x.inbox is None:
        return False
    return not any(isinstance(from_stored(wait.condition), Children) for wait in x.inbox.waits)
