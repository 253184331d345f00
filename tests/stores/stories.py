"""Random stories: what many callers ask for in some order, made from a seed and nothing else.

A story is a list of scenes. The steps of a scene are worked out from what was known when it began, so that it means
the same whether they are told one by one or as one batch.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from flowfabric import (
    AllOf,
    AnyOf,
    ExecutionPolicy,
    FlowGraph,
    InvalidInput,
    Lease,
    NewChild,
    NewExecution,
    NewSchedule,
    Quorum,
    RetryPolicy,
)
from flowfabric.domain import inputs
from flowfabric.domain.ids import (
    ExecutionId,
    FlowId,
    flow_partition,
    lane_partition,
    make_execution_id,
    uuid_from_hex,
)
from flowfabric.domain.lease import lease_id, lease_mark
from flowfabric.domain.states import PUBLIC_STATES
from flowfabric.domain.streams import Said, SpokenIn, StoredFrame, said
from tests.assembled import MARK

LANES = ("default", "mail", "print")
ACTORS = (None, None, "ann", "ü {bob}")
NAMESPACES = ("default", "tenant-a", "tenant-b")
CAPABILITIES: tuple[tuple[str, ...], ...] = ((), (), (), ("gpu",), ("gpu", "ssd"))
POLICIES = (
    *[ExecutionPolicy()] * 3,
    *[ExecutionPolicy(retry=RetryPolicy(max_retries=2, initial_delay_ms=500))] * 3,
    ExecutionPolicy(retry=RetryPolicy(max_retries=1, backoff="fixed", initial_delay_ms=0), max_interruptions=1),
    *[ExecutionPolicy(max_interruptions=0, max_replays=1)] * 2,
    ExecutionPolicy(attempt_timeout_ms=4_000, retry=RetryPolicy(max_retries=1, jitter=1.0)),
    ExecutionPolicy(retention_ms=0),
    ExecutionPolicy(retention_ms=5_000, max_replays=0),
)
PLAIN_POLICIES = (
    *[ExecutionPolicy()] * 2,
    ExecutionPolicy(retention_ms=0),
    ExecutionPolicy(retention_ms=2_500),
    ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=500), retention_ms=2_500),
)
TAG_KEYS = ("team.name", "order.id")
TAG_VALUES = ("a", "b", "ü\n{}")
STEPS = ("reserve", "charge", "ship")
PAYLOADS = (b"", b"payload", b"\x00\xff" * 3000)
KINDS = ("mail", "print")
LEASES_MS = (1, 2_000, 30_000, 30_000, 600_000)
JUMPS_MS = (1, 1, 100, 100, 1_500, 2_000, 10_000, 31_000)
DAY_MS = 86_400_000
FLOWS = 4
MEMBERS = 6
"""So many ids are in play: of flows, and of members of each."""
JOINS: tuple[AllOf | AnyOf | Quorum, ...] = (
    AllOf(),
    AllOf(),
    AnyOf(),
    AnyOf("let_run"),
    Quorum(1, "let_run"),
    Quorum(2),
    Quorum(2, "let_run"),
    Quorum(3),
)
SCHEDULES = ("nightly", "ü hourly")
TIMINGS: tuple[Mapping[str, Any], ...] = (
    {"every_ms": 2_000},
    {"every_ms": 1_000, "anchor_ms": 333},
    {"cron": "* * * * *", "timezone": "Australia/Lord_Howe"},
    {"cron": "@daily", "timezone": "America/New_York"},
)
INPUTS = (None, None, "left", "right")
SEVERAL_COMMANDS = ("operate", "purge")
"""Calls that look first, and then send a command for each of what they have found."""
LOOKS_FIRST = (*SEVERAL_COMMANDS, "signal_alias", "create_waitpoint")
"""Calls whose commands depend on what the store holds when they are made."""


class Known(NamedTuple):
    """What a teller knows when a scene begins."""

    store: str
    now_ms: int
    leases: Sequence[Lease]


class LeaseSeen(NamedTuple):
    """One of the leases handed out so far, sometimes with something wrong about it."""

    number: int
    wrong: Mapping[str, Any]

    def of(self, known: Known) -> object:
        if not known.leases:
            return None
        # Recent leases are the ones that are still worth something.
        lease = known.leases[-1 - self.number % len(known.leases)]
        return Lease(**{field: self.wrong.get(field, getattr(lease, field)) for field in lease.__struct_fields__})


class LeaseGuessed(NamedTuple):
    """The lease that somebody may be given in this very scene, spelled as the store would spell it."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int

    def of(self, known: Known) -> object:
        mark = lease_mark(self.lease_epoch, MARK)
        name = lease_id(known.store, self.execution_id, self.attempt_index, self.lease_epoch, mark)
        return Lease(self.execution_id, self.attempt_index, self.lease_epoch, name, "worker-1/0", 0)


class Words(NamedTuple):
    """What an attempt says together with a command."""

    lease: "LeaseSeen | LeaseGuessed"
    frames: Sequence[tuple[bytes, str | None, int]]
    """Payloads, and the step and the try in which each was written."""
    first_seq: int | None

    def of(self, known: Known) -> Said | None:
        try:
            fence = inputs.fence(self.lease.of(known))
        except InvalidInput:
            return None
        frames = [
            StoredFrame("text", payload, None if step is None else SpokenIn(step, step_try))
            for payload, step, step_try in self.frames
        ]
        return said(fence, frames, self.first_seq)


class Instant(NamedTuple):
    """So many milliseconds from the scene's beginning."""

    after_ms: int

    def of(self, known: Known) -> object:
        return known.now_ms + self.after_ms


class Graph(NamedTuple):
    """A flow to be submitted, with nodes named by their numbers."""

    flow_id: str
    namespace: str
    nodes: Sequence[Mapping[str, Any]]
    edges: Sequence[tuple[int, int, str | None]]
    joins: Mapping[int, AllOf | AnyOf | Quorum]

    def of(self, known: Known) -> FlowGraph:
        graph = FlowGraph("story", namespace=self.namespace, flow_id=self.flow_id, tags={"team.name": "a"})
        for number, arguments in enumerate(self.nodes):
            worked_out = {name: _worked_out(value, known) for name, value in arguments.items()}
            graph.node(str(number), **worked_out)
        for upstream, downstream, name in self.edges:
            graph.edge(str(upstream), str(downstream), pass_result_as=name)
        for downstream, join in self.joins.items():
            graph.join(str(downstream), join)
        return graph


class Step(NamedTuple):
    """One call of one method of the engine, or of the engine of one scope."""

    method: str
    arguments: Mapping[str, Any]
    scope: str | None = None
    said: "Words | Said | None" = None
    """What is said with it."""

    @property
    def actor(self) -> str | None:
        """On whose behalf it is told. It follows from the call, so that every telling has the same one."""
        said = [self.method, *(self.arguments.get(name) for name in ("execution_id", "priority", "lane", "kind"))]
        return ACTORS[crc32(repr(said).encode()) % len(ACTORS)]

    def told_to(self, known: Known) -> "Step":
        """The step with everything in it that depends on what was known."""
        arguments = {name: _worked_out(value, known) for name, value in self.arguments.items()}
        return self._replace(arguments=arguments, said=_worked_out(self.said, known))


class Again(NamedTuple):
    """An earlier step, word for word."""

    number: int


class Sweep(NamedTuple):
    """Whatever is due of one kind, found when the scene begins and handled in its turn."""

    kind: str


class PassOn(NamedTuple):
    """Ends that parents and children have not heard of, found when the scene begins and passed on in its turn."""

    most: int


class Scene(NamedTuple):
    """What happens at one instant; then time goes on."""

    steps: Sequence[Step | Again | Sweep | PassOn]
    reads: Sequence[Step]
    reconcile: bool
    then_ms: int


def _worked_out(value: Any, known: Known) -> Any:
    if isinstance(value, LeaseSeen | LeaseGuessed | Instant | Graph | Words):
        return value.of(known)
    if isinstance(value, NewExecution | NewChild):
        fields = {name: _worked_out(getattr(value, name), known) for name in value.__struct_fields__}
        return type(value)(**fields)
    if isinstance(value, list):
        return [_worked_out(item, known) for item in value]
    if type(value) is tuple:
        return tuple(_worked_out(item, known) for item in value)
    return value


def story(seed: int, scenes: int, *, ids: int = 24, steps_max: int = 10) -> list[Scene]:
    """The story that belongs to a seed. Every other one is about flows."""
    teller = _Imagination(random.Random(seed), ids, _ABOUT_FLOWS if seed % 2 else _CHANCES)
    return [teller.opening(), *(teller.scene(steps_max) for _ in range(scenes - 1))]


def rush(seed: int) -> list[Scene]:
    """A short story of crowded batches, in which executions are only made, claimed and completed, mostly plain ones."""
    teller = _Rush(random.Random(seed), 4, _RUSH)
    look = Step("claim", teller.claim() | {"lanes": (LANES[2],), "namespace": "default"})
    return [Scene([look], (), False, 0), *(teller.scene(8) for _ in range(8))]


def vigil(seed: int) -> list[Scene]:
    """A short story in which workers wait for work while it arrives, and operators disturb them."""
    teller = _Rush(random.Random(seed), 4, _VIGIL)
    return [teller.scene(6) for _ in range(12)]


class _Imagination:
    def __init__(self, chance: random.Random, ids: int, chances: Mapping[str, int]) -> None:
        self.chance = chance
        self.chances = chances
        self.solo = [self._an_id(number) for number in range(ids)]
        self.flows = [FlowId(uuid_from_hex(f"f10{number:029x}")) for number in range(FLOWS)]
        # Flows share the uuids of their members, and differ in their partition.
        self.members = {key: [self._a_member(key, number) for number in range(MEMBERS)] for key in self.flows}
        of_flows = [key for members in self.members.values() for key in members]
        self.ids = [*self.solo[:3], *of_flows] if chances is _ABOUT_FLOWS else [*self.solo, *of_flows[: ids // 4]]
        self.edges = 0

    def _an_id(self, number: int) -> ExecutionId:
        # Some share their uuid and differ in their partition, of one digit and of two.
        partition = self.chance.choice([lane_partition(lane) for lane in LANES] + [9, 10, 255])
        return make_execution_id(partition, uuid_from_hex(f"018bcfe5680070008000{number // 2:012x}"))

    def _a_member(self, flow_id: FlowId, number: int) -> ExecutionId:
        return make_execution_id(flow_partition(flow_id), uuid_from_hex(f"018bcfe5680070008000{number:012x}"))

    def opening(self) -> Scene:
        """Enough to begin with."""
        steps = [Step("create_execution", self.create_execution()) for each in self.ids if each in self.solo]
        steps += [Step("submit_flow", {"graph": self._graph(flow_id)}) for flow_id in self.flows[:-1]]
        steps += [Step("create_flow", {"kind": "story", "flow_id": flow_id}) for flow_id in self.flows[-1:]]
        steps += [Step("add_execution", self.add_execution()) for _ in range(2 * FLOWS)]
        return Scene(steps, (), False, 1)

    def scene(self, steps_max: int) -> Scene:
        chance = self.chance
        steps = [self.step() for _ in range(chance.randint(0, steps_max))]
        reads = [self.read() for _ in range(chance.choice((0, 0, 1, 2)))]
        then_ms = chance.choice(JUMPS_MS) if chance.random() < 0.6 else 0
        if chance.random() < 0.005:
            then_ms = DAY_MS
        return Scene(steps, reads, chance.random() < 0.3, then_ms)

    def step(self) -> Step | Again | Sweep:
        chance = self.chance
        if chance.random() < 0.05:
            return Again(chance.randrange(1000))
        if chance.random() < 0.08:
            return Sweep(chance.choice(("lease", "delay", "attempt_timeout", "deadline", "retention", "resolution")))
        method = chance.choices(tuple(self.chances), tuple(self.chances.values()))[0]
        arguments = getattr(self, method)()
        if chance.random() < 0.04:
            self._spoil(arguments)
        if chance.random() < 0.08 and method not in SEVERAL_COMMANDS:
            arguments["command_id"] = f"c-{chance.randrange(30)}"
        scope = None if chance.random() < 0.9 else chance.choice(("tenant-a", "tenant-b"))
        return Step(method, arguments, scope)

    def _spoil(self, arguments: dict[str, Any]) -> None:
        """Make one argument something that no engine may take."""
        name = self.chance.choice(sorted(arguments))
        # Not None, which where it is allowed means that the store may choose.
        arguments[name] = self.chance.choice(("", "\x00", -1, 1.5, 2**80, object, [], "x" * 5000))

    # ── what callers send ────────────────────────────────────────────────────────────────────────

    def id(self) -> str:
        known = self.chance.choice(self.ids)
        if self.chance.random() < 0.1:
            return known.replace("-", "").upper().replace("{FP:", "{fp:")
        if self.chance.random() < 0.03:
            return make_execution_id(86, uuid_from_hex("f" * 32))
        return known

    def lease(self) -> LeaseSeen | LeaseGuessed:
        chance = self.chance
        if chance.random() < 0.15:
            return LeaseGuessed(chance.choice(self.ids), chance.choice((0, 0, 1)), chance.choice((1, 1, 2, 3)))
        wrong: dict[str, Any] = {}
        if chance.random() < 0.1:
            wrong = chance.choice(
                (
                    {"lease_epoch": 1},
                    {"lease_epoch": 99},
                    {"attempt_index": 5},
                    {"lease_id": "another lease"},
                    {"execution_id": self.id()},
                    {"expires_at_ms": 0, "worker_instance_id": "somebody else"},
                )
            )
        return LeaseSeen(int(chance.expovariate(0.25)), wrong)

    def namespace(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, with a namespace more often than not left out."""
        if self.chance.random() < 0.2:
            arguments["namespace"] = self.chance.choice(NAMESPACES)
        return arguments

    def create_execution(self) -> dict[str, Any]:
        chance = self.chance
        return self.namespace(self._creation(chance.choice(self.solo) if chance.random() < 0.9 else self.id()))

    def _creation(self, execution_id: str) -> dict[str, Any]:
        chance = self.chance
        arguments: dict[str, Any] = {
            "kind": chance.choice(KINDS) if chance.random() < 0.2 else KINDS[0],
            "payload": chance.choice(PAYLOADS) if chance.random() < 0.2 else PAYLOADS[1],
            "lane": chance.choice(LANES),
            "execution_id": execution_id,
            "priority": chance.choice((-5, 0, 0, 0, 1, 7, 10_000)),
            "policy": chance.choice(POLICIES),
            "required_capabilities": chance.choice(CAPABILITIES),
        }
        if chance.random() < 0.2:
            arguments["delay_until_ms"] = Instant(chance.choice((-5, 0, 1, 1_500, 20_000)))
        if chance.random() < 0.2:
            arguments["deadline_at_ms"] = Instant(chance.choice((-5, 0, 1, 2_500, 40_000)))
        if chance.random() < 0.25:
            arguments["idempotency_key"] = f"order-{chance.randrange(5)}"
            arguments["idempotency_ttl_ms"] = chance.choice((1, 5_000, DAY_MS))
            arguments["idempotency_on_ended"] = chance.choice(("return", "renew_failed", "renew"))
        if chance.random() < 0.3:
            arguments["tags"] = {key: chance.choice(TAG_VALUES) for key in TAG_KEYS if chance.random() < 0.7}
        return arguments

    def create_executions(self) -> dict[str, Any]:
        items: list[Any] = [NewExecution(**self.create_execution()) for _ in range(self.chance.randint(0, 4))]
        if self.chance.random() < 0.1:
            items.append("not an item")
        return {"items": items}

    def claim(self) -> dict[str, Any]:
        chance = self.chance
        return self.namespace(
            {
                "worker_id": "worker-1",
                "worker_instance_id": f"worker-1/{chance.randrange(3)}",
                "lanes": chance.choice((LANES, LANES, ("mail",), ("print", "default"), ("nowhere",))),
                "capabilities": chance.choice(((), ("gpu",), ("ssd", "gpu"), ("ssd", "gpu"))),
                "limit": chance.choice((1, 1, 2, 3, 5)),
                "lease_ttl_ms": chance.choice(LEASES_MS),
            }
        )

    def renew(self) -> dict[str, Any]:
        return {"lease": self.lease(), "lease_ttl_ms": self.chance.choice((None, None, 1, 60_000))}

    def complete(self) -> dict[str, Any]:
        return {"lease": self.lease(), "result": self.chance.choice((None, b"", b"result", b"\xff" * 9000))}

    def fail(self) -> dict[str, Any]:
        chance = self.chance
        return {
            "lease": self.lease(),
            "code": chance.choice(("boom", "attempt_timeout", "worker_lost")),
            "message": chance.choice(("", "it broke", "ü\n")),
            "retryable": chance.random() < 0.8,
            "retry_after_ms": chance.choice((None, None, 0, 1, 3_000)),
        }

    def release(self) -> dict[str, Any]:
        return {"lease": self.lease()}

    def delay(self) -> dict[str, Any]:
        return {"lease": self.lease(), "until_ms": Instant(self.chance.choice((-5, 0, 1, 3_000)))}

    def record_step(self) -> dict[str, Any]:
        chance = self.chance
        lease, name = self.lease(), chance.choice(STEPS)
        return {
            "lease": lease,
            "name": name,
            "result": chance.choice(PAYLOADS),
            "fingerprint": b"" if chance.random() < 0.6 else b"other arguments",
            "tries": 1 + STEPS.index(name),
        }

    def progress(self) -> dict[str, Any]:
        chance = self.chance
        return {
            "lease": self.lease(),
            "percent": chance.choice((None, 0, 50, 100)),
            "message": chance.choice((None, "half way")),
        }

    def cancel_execution(self) -> dict[str, Any]:
        chance = self.chance
        arguments: dict[str, Any] = {"execution_id": self.id(), "reason": chance.choice(("", "not wanted"))}
        if chance.random() < 0.4:
            arguments["source"] = "lease_holder"
            arguments["lease_epoch"] = chance.choice((None, 1, 2, 3))
        return arguments

    def revoke_lease(self) -> dict[str, Any]:
        chance = self.chance
        return {
            "execution_id": self.id(),
            "worker_instance_id": chance.choice(("", "", "worker-1/0")),
            "expected_lease_id": chance.choice(("", "", "", "another lease")),
            "reason": "drain",
        }

    def change_priority(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "priority": self.chance.choice((-1, 0, 3, 9, 9_001))}

    def replay_execution(self) -> dict[str, Any]:
        return {"execution_id": self.id(), **self._about_steps(may_name_one=True)}

    def _about_steps(self, *, may_name_one: bool = False) -> dict[str, Any]:
        """What a replay says of stored steps, if anything."""
        chance = self.chance
        if may_name_one and chance.random() < 0.2:
            return {"from_step": chance.choice(STEPS)}
        return {"steps": chance.choice(("keep", "clear"))} if chance.random() < 0.3 else {}

    def hold(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "reason": "look first"}

    def unhold(self) -> dict[str, Any]:
        return {"execution_id": self.id()}

    def pause_lane(self) -> dict[str, Any]:
        chance = self.chance
        return self.namespace({"lane": chance.choice((*LANES, "nowhere")), "reason": chance.choice(("", "stop"))})

    def resume_lane(self) -> dict[str, Any]:
        return self.namespace({"lane": self.chance.choice(LANES)})

    def operate(self) -> dict[str, Any]:
        chance = self.chance
        action = chance.choice(("cancel", "revoke", "change_priority", "replay", "hold", "unhold", "unhold"))
        arguments = {**self._filters(), "action": action, "limit": chance.choice((1, 3, 3, 1000))}
        # Whatever passes every filter would be too much of a story at once.
        arguments.setdefault("lane", chance.choice(LANES))
        if action == "change_priority":
            arguments["priority"] = chance.choice((0, 3, None))
        elif action == "replay":
            arguments |= self._about_steps()
        elif chance.random() < 0.3:
            arguments["reason"] = "sweep"
        return arguments

    def purge(self) -> dict[str, Any]:
        chance = self.chance
        ended_before_ms = Instant(chance.choice((-30_000, -2_000, -100, 0)))
        return self.namespace({"ended_before_ms": ended_before_ms, "limit": chance.choice((1, 3, 1000))})

    def set_tag(self) -> dict[str, Any]:
        return {
            "execution_id": self.id(),
            "key": self.chance.choice(TAG_KEYS),
            "value": self.chance.choice(TAG_VALUES),
        }

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def flow(self) -> str:
        known = self.chance.choice(self.flows)
        if self.chance.random() < 0.05:
            return known.replace("-", "").upper()
        return known if self.chance.random() < 0.98 else "f" * 32

    def _member_of(self, flow_id: str) -> str:
        """One of its members, now and then somebody else."""
        canonical = FlowId(uuid_from_hex(flow_id.replace("-", "").lower()))
        if canonical not in self.members or self.chance.random() < 0.03:
            return self.id()
        return self.chance.choice(self.members[canonical])

    def create_flow(self) -> dict[str, Any]:
        kind = "story" if self.chance.random() < 0.9 else "another"
        return self.namespace({"kind": kind, "flow_id": self.flow(), "tags": {"order.id": "b"}})

    def add_execution(self) -> dict[str, Any]:
        chance = self.chance
        flow_id = self.flow()
        arguments = {"flow_id": flow_id, **self._creation(self._member_of(flow_id))}
        upstreams = [self._member_of(flow_id) for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))]
        arguments["after"] = [each if (name := chance.choice(INPUTS)) is None else (each, name) for each in upstreams]
        if chance.random() < 0.5:
            arguments["join"] = chance.choice(JOINS)
        return arguments if chance.random() < 0.95 else self.namespace(arguments)

    def add_dependency(self) -> dict[str, Any]:
        chance = self.chance
        flow_id = self.flow()
        ends = [self._member_of(flow_id), self._member_of(flow_id)]
        if ends[0] == ends[1]:
            ends[1] = self._member_of(flow_id)
        self.edges += 1
        number = self.edges if chance.random() < 0.8 else chance.randint(max(1, self.edges - 5), self.edges)
        arguments = {
            "flow_id": flow_id,
            # Mostly from lower to higher, so that not everything is a cycle.
            "upstream": min(ends) if chance.random() < 0.8 else ends[0],
            "downstream": max(ends) if chance.random() < 0.8 else ends[1],
            "edge_id": chance.choice((f"edge-{number}", f"00000000-0000-7000-8000-{number:012x}")),
            "pass_result_as": chance.choice(INPUTS),
        }
        if chance.random() < 0.2:
            arguments["expected_graph_revision"] = chance.randrange(8)
        return arguments

    def set_edge_group_policy(self) -> dict[str, Any]:
        flow_id = self.flow()
        return {"flow_id": flow_id, "downstream": self._member_of(flow_id), "policy": self.chance.choice(JOINS)}

    def submit_flow(self) -> dict[str, Any]:
        return {"graph": self._graph(self.chance.choice(self.flows))}

    def _graph(self, flow_id: FlowId) -> Graph:
        chance = self.chance
        count = 0 if chance.random() < 0.05 else chance.randint(4, MEMBERS)
        nodes = [self._creation(each) for each in self.members[flow_id][:count]]
        for node in nodes:
            if chance.random() < 0.9:  # a key that is taken would refuse the whole flow
                node.pop("idempotency_key", None)
        pairs = [(one, other) for other in range(len(nodes)) for one in range(other) if chance.random() < 0.4]
        if nodes and chance.random() < 0.05:
            pairs.append((1, 0))
        joins = {}
        for number in range(len(nodes)):
            edges = sum(downstream == number for _, downstream in pairs)
            fitting = [join for join in JOINS if not isinstance(join, Quorum) or join.k <= edges]
            if edges and chance.random() < 0.6:
                joins[number] = chance.choice(fitting if chance.random() < 0.95 else JOINS)
        passed = [(one, other, chance.choice(INPUTS)) for one, other in pairs]
        namespace = chance.choice(NAMESPACES) if chance.random() < 0.1 else NAMESPACES[0]
        return Graph(flow_id, namespace, nodes, passed, joins)

    def cancel_flow(self) -> dict[str, Any]:
        policy = self.chance.choice(("cancel_all", "cancel_pending", "flow_only"))
        return {"flow_id": self.flow(), "reason": self.chance.choice(("", "enough")), "policy": policy}

    def replay_flow(self) -> dict[str, Any]:
        chance = self.chance
        flow_id = self.flow()
        some = [self._member_of(flow_id) for _ in range(chance.choice((0, 1, 1, 2)))]
        arguments = {"flow_id": flow_id, "what": chance.choice(("failed", "failed", "all", some))}
        if chance.random() < 0.1:
            arguments["dry_run"] = True
        return arguments | self._about_steps()

    def ack_cancel_member(self) -> dict[str, Any]:
        flow_id = self.flow()
        return {"flow_id": flow_id, "execution_id": self._member_of(flow_id)}

    def set_flow_tag(self) -> dict[str, Any]:
        chance = self.chance
        return {"flow_id": self.flow(), "key": chance.choice(TAG_KEYS), "value": chance.choice(TAG_VALUES)}

    # ── schedules ────────────────────────────────────────────────────────────────────────────────

    def fire_schedule(self) -> dict[str, Any]:
        chance = self.chance
        fields = self.namespace(
            {
                "name": chance.choice(SCHEDULES),
                "kind": chance.choice(KINDS) if chance.random() < 0.1 else KINDS[0],
                "lane": chance.choice(LANES) if chance.random() < 0.1 else LANES[0],
                "catch_up": "skip" if chance.random() < 0.1 else "last",
                **(chance.choice(TIMINGS) if chance.random() < 0.2 else TIMINGS[0]),
            }
        )
        return {"schedule": NewSchedule(**fields), "replace": chance.random() < 0.2}

    def pause_schedule(self) -> dict[str, Any]:
        return self.namespace({"name": self.chance.choice(SCHEDULES), "reason": "look first"})

    def resume_schedule(self) -> dict[str, Any]:
        return self.namespace({"name": self.chance.choice(SCHEDULES)})

    def run_schedule(self) -> dict[str, Any]:
        return self.namespace({"name": self.chance.choice(SCHEDULES)})

    def forget_schedule(self) -> dict[str, Any]:
        return self.namespace({"name": self.chance.choice(SCHEDULES)})

    # ── what callers look at ─────────────────────────────────────────────────────────────────────

    def read(self) -> Step:
        chance = self.chance
        method = chance.choice(_READS)
        scope = None if chance.random() < 0.8 else "tenant-a"
        if method == "list_lanes":
            return Step(method, self.namespace({}), scope)
        if method in ("list_executions", "count_executions"):
            filters = self._filters()
            if method == "list_executions" and chance.random() < 0.3:
                filters["limit"] = chance.choice((1, 3, 1000))
            return Step(method, filters, scope)
        if method == "list_flows":
            states = ("open", "running", "completed", "failed", "cancelled", "lost")
            listed: dict[str, Any] = {"limit": chance.choice((1, 1000))}
            if chance.random() < 0.3:
                listed["state"] = chance.choice(states)
            return Step(method, self.namespace(listed), scope)
        if method == "list_schedules":
            return Step(method, self.namespace({}), scope)
        if method in ("describe_flow", "describe_edge", "list_edges"):
            return Step(method, self._of_a_flow(method), scope)
        if method == "read_events":
            arguments: dict[str, Any] = {"limit": 1000}
            if chance.random() < 0.5:
                arguments["channels"] = chance.choice((["lease"], ["completion", "operator"], [], ["leases"]))
            if chance.random() < 0.5:
                arguments["execution_id"] = self.id()
            if chance.random() < 0.3:
                arguments["flow_id"] = self.flow()
            return Step(method, self.namespace(arguments), scope)
        arguments = {"execution_id": self.id()}
        if method == "wait_for_result":
            arguments["timeout_ms"] = 0
        return Step(method, arguments, scope)

    def _of_a_flow(self, method: str) -> dict[str, Any]:
        arguments: dict[str, Any] = {"flow_id": self.flow()}
        if method == "describe_edge":
            arguments["edge_id"] = f"edge-{self.chance.randint(0, self.edges)}"
        if method == "list_edges" and self.chance.random() < 0.5:
            arguments[self.chance.choice(("upstream", "downstream"))] = self._member_of(arguments["flow_id"])
        return arguments

    def _filters(self) -> dict[str, Any]:
        chance = self.chance
        every = {
            "namespace": chance.choice(NAMESPACES),
            "public_state": chance.choice(PUBLIC_STATES),
            "lane": chance.choice(LANES),
            "kind": chance.choice(KINDS),
            "tag": (chance.choice(TAG_KEYS), chance.choice(TAG_VALUES)),
            "flow_id": self.flow(),
            "created_before_ms": Instant(chance.choice((-10_000, -100, 0, 1))),
        }
        return {name: value for name, value in every.items() if chance.random() < 0.25}


class _Rush(_Imagination):
    """Someone who thinks mostly of plain executions in a few lanes, as most callers do."""

    def scene(self, steps_max: int) -> Scene:
        chance = self.chance
        if chance.random() < 0.3:
            return Scene(self._delivery(), (), False, chance.choice((0, 1, 100)))
        steps = [self.step() for _ in range(chance.randint(1, steps_max))]
        if chance.random() < 0.5:
            # As a busy process does it: what is made comes first, and then those who ask for it.
            steps.sort(key=lambda step: ("create" not in step.method, step.method != "claim"))
        then_ms = chance.choice((0, 0, 0, 1, 100, 2_500))
        return Scene(steps, (), chance.random() < 0.15, then_ms)

    def _delivery(self) -> list[Step]:
        """Plain work for a lane that is idle as a rule, and those who take all of it, or nearly."""
        chance = self.chance
        asker = "claim" if "wait_for_work" not in self.chances else "wait_for_work"
        asking = Step(asker, self.claim() | {"lanes": (LANES[2],), "namespace": "default", "limit": 3})
        plain = {"kind": KINDS[0], "lane": LANES[2]}
        made = [
            NewExecution(**plain, priority=chance.choice((0, 1, 7)), policy=chance.choice(PLAIN_POLICIES))
            for _ in range(chance.randint(2, 5))
        ]
        making = Step("create_executions", {"items": made})
        # Whoever waits has to be there first, and whoever only looks has to come afterwards.
        return [asking, asking, making] if asker == "wait_for_work" else [making, asking, asking]

    def step(self) -> Step:
        chance = self.chance
        method = chance.choices(tuple(self.chances), tuple(self.chances.values()))[0]
        arguments = getattr(self, method)()
        if chance.random() < 0.03 and method != "wait_for_work":
            arguments["command_id"] = f"c-{chance.randrange(30)}"
        return Step(method, arguments, None if chance.random() < 0.95 else "tenant-a")

    def create_execution(self) -> dict[str, Any]:
        chance = self.chance
        if chance.random() < 0.1:
            return super().create_execution()
        arguments: dict[str, Any] = {
            "kind": KINDS[0],
            "payload": PAYLOADS[1],
            "lane": chance.choice(LANES[:2]),
            # Nobody gives an id: the engine does, and the execution is known to be new.
            "execution_id": None,
            "priority": chance.choice((0, 0, 0, 1, 7)),
            "policy": chance.choice(PLAIN_POLICIES),
        }
        if chance.random() < 0.1:
            arguments["policy"] = chance.choice(POLICIES)
        return self.namespace(arguments) if chance.random() < 0.2 else arguments

    def claim(self) -> dict[str, Any]:
        chance = self.chance
        lanes = (chance.choice(LANES[:2]),) if chance.random() < 0.7 else LANES
        return super().claim() | {"lanes": lanes, "lease_ttl_ms": chance.choice((2_000, 30_000, 30_000))}

    def wait_for_work(self) -> dict[str, Any]:
        return self.claim()


_READS = (
    "describe_execution",
    "get_result",
    "list_attempts",
    "explain",
    "list_executions",
    "count_executions",
    "list_lanes",
    "read_events",
    "wait_for_result",
    "describe_flow",
    "describe_flow",
    "list_flows",
    "list_edges",
    "describe_edge",
    "list_schedules",
)
_CHANCES = {
    "create_execution": 22,
    "create_executions": 3,
    "claim": 20,
    "renew": 5,
    "complete": 10,
    "fail": 9,
    "release": 4,
    "delay": 4,
    "progress": 4,
    "record_step": 10,
    "cancel_execution": 4,
    "revoke_lease": 4,
    "change_priority": 5,
    "replay_execution": 7,
    "hold": 4,
    "unhold": 5,
    "pause_lane": 2,
    "resume_lane": 6,
    "operate": 2,
    "purge": 1,
    "set_tag": 3,
    "create_flow": 3,
    "add_execution": 14,
    "add_dependency": 10,
    "set_edge_group_policy": 3,
    "submit_flow": 4,
    "cancel_flow": 1,
    "replay_flow": 3,
    "ack_cancel_member": 1,
    "set_flow_tag": 1,
    "fire_schedule": 6,
    "pause_schedule": 1,
    "resume_schedule": 1,
    "run_schedule": 1,
    "forget_schedule": 1,
}
_ABOUT_FLOWS = _CHANCES | {
    "create_execution": 3,
    "create_executions": 1,
    "renew": 2,
    "progress": 1,
    "complete": 18,
    "replay_execution": 12,
    "replay_flow": 6,
    "add_execution": 20,
    "add_dependency": 20,
}
_RUSH = {"create_execution": 10, "create_executions": 3, "claim": 8, "complete": 9}
_VIGIL = {
    "wait_for_work": 7,
    "create_execution": 12,
    "create_executions": 3,
    "submit_flow": 1,
    "claim": 1,
    "complete": 9,
    "fail": 3,
    "release": 2,
    "revoke_lease": 1,
    "replay_execution": 1,
    "hold": 1,
    "unhold": 2,
    "pause_lane": 1,
    "resume_lane": 3,
    "cancel_execution": 1,
}
