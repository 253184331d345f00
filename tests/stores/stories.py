"""Random stories: what many callers ask for in some order, made from a seed and nothing else.

A story is a list of scenes. The steps of a scene are worked out from what was known when it began, so that it means
the same whether they are told one by one or as one batch.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flowfabric import ExecutionPolicy, Lease, NewExecution, RetryPolicy
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.lease import lease_id
from flowfabric.domain.states import PUBLIC_STATES

LANES = ("default", "mail", "print")
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
TAG_KEYS = ("team.name", "order.id")
TAG_VALUES = ("a", "b", "ü\n{}")
PAYLOADS = (b"", b"payload", b"\x00\xff" * 3000)
KINDS = ("mail", "print")
LEASES_MS = (1, 2_000, 30_000, 30_000, 600_000)
JUMPS_MS = (1, 1, 100, 100, 1_500, 2_000, 10_000, 31_000)
DAY_MS = 86_400_000


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
        name = lease_id(known.store, self.execution_id, self.attempt_index, self.lease_epoch)
        return Lease(self.execution_id, self.attempt_index, self.lease_epoch, name, "worker-1/0", 0)


class Instant(NamedTuple):
    """So many milliseconds from the scene's beginning."""

    after_ms: int

    def of(self, known: Known) -> object:
        return known.now_ms + self.after_ms


class Step(NamedTuple):
    """One call of one method of the engine, or of the engine of one scope."""

    method: str
    arguments: Mapping[str, Any]
    scope: str | None = None

    def told_to(self, known: Known) -> "Step":
        """The step with everything in it that depends on what was known."""
        return self._replace(arguments={name: _worked_out(value, known) for name, value in self.arguments.items()})


class Again(NamedTuple):
    """An earlier step, word for word."""

    number: int


class Sweep(NamedTuple):
    """Whatever is due of one kind, found when the scene begins and handled in its turn."""

    kind: str


class Scene(NamedTuple):
    """What happens at one instant; then time goes on."""

    steps: Sequence[Step | Again | Sweep]
    reads: Sequence[Step]
    reconcile: bool
    then_ms: int


def _worked_out(value: Any, known: Known) -> Any:
    if isinstance(value, LeaseSeen | LeaseGuessed | Instant):
        return value.of(known)
    if isinstance(value, NewExecution):
        fields = {name: _worked_out(getattr(value, name), known) for name in value.__struct_fields__}
        return NewExecution(**fields)
    if isinstance(value, list):
        return [_worked_out(item, known) for item in value]
    return value


def story(seed: int, scenes: int, *, ids: int = 24, steps_max: int = 10) -> list[Scene]:
    """The story that belongs to a seed."""
    teller = _Imagination(random.Random(seed), ids)
    return [teller.opening(), *(teller.scene(steps_max) for _ in range(scenes - 1))]


class _Imagination:
    def __init__(self, chance: random.Random, ids: int) -> None:
        self.chance = chance
        self.ids = [self._an_id(number) for number in range(ids)]

    def _an_id(self, number: int) -> ExecutionId:
        # Some share their uuid and differ in their partition, of one digit and of two.
        partition = self.chance.choice([lane_partition(lane) for lane in LANES] + [9, 10, 255])
        return make_execution_id(partition, uuid_from_hex(f"018bcfe5680070008000{number // 2:012x}"))

    def opening(self) -> Scene:
        """Enough to begin with."""
        return Scene([Step("create_execution", self.create_execution()) for _ in self.ids], (), False, 1)

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
            return Sweep(chance.choice(("lease", "delay", "attempt_timeout", "deadline", "retention")))
        method = chance.choices(_METHODS, _WEIGHTS)[0]
        arguments = getattr(self, method)()
        if chance.random() < 0.04:
            self._spoil(arguments)
        if chance.random() < 0.08:
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
        arguments: dict[str, Any] = {
            "kind": chance.choice(KINDS) if chance.random() < 0.2 else KINDS[0],
            "payload": chance.choice(PAYLOADS) if chance.random() < 0.2 else PAYLOADS[1],
            "lane": chance.choice(LANES),
            "execution_id": self.id(),
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
        if chance.random() < 0.3:
            arguments["tags"] = {key: chance.choice(TAG_VALUES) for key in TAG_KEYS if chance.random() < 0.7}
        return self.namespace(arguments)

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
        return {"execution_id": self.id()}

    def hold(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "reason": "look first"}

    def unhold(self) -> dict[str, Any]:
        return {"execution_id": self.id()}

    def set_tag(self) -> dict[str, Any]:
        return {
            "execution_id": self.id(),
            "key": self.chance.choice(TAG_KEYS),
            "value": self.chance.choice(TAG_VALUES),
        }

    # ── what callers look at ─────────────────────────────────────────────────────────────────────

    def read(self) -> Step:
        chance = self.chance
        method = chance.choice(_READS)
        scope = None if chance.random() < 0.8 else "tenant-a"
        if method == "list_executions":
            return Step(method, self._filters(), scope)
        if method == "read_events":
            arguments: dict[str, Any] = {"limit": 1000}
            if chance.random() < 0.5:
                arguments["channels"] = chance.choice((["lease"], ["completion", "operator"], [], ["leases"]))
            if chance.random() < 0.5:
                arguments["execution_id"] = self.id()
            return Step(method, self.namespace(arguments), scope)
        arguments = {"execution_id": self.id()}
        if method == "wait_for_result":
            arguments["timeout_ms"] = 0
        return Step(method, arguments, scope)

    def _filters(self) -> dict[str, Any]:
        chance = self.chance
        every = {
            "namespace": chance.choice(NAMESPACES),
            "public_state": chance.choice(PUBLIC_STATES),
            "lane": chance.choice(LANES),
            "kind": chance.choice(KINDS),
            "tag": (chance.choice(TAG_KEYS), chance.choice(TAG_VALUES)),
            "flow_id": "f" * 32,
            "limit": chance.choice((1, 3, 1000)),
        }
        return {name: value for name, value in every.items() if chance.random() < 0.25}


_READS = (
    "describe_execution",
    "get_result",
    "list_attempts",
    "explain",
    "list_executions",
    "read_events",
    "wait_for_result",
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
    "cancel_execution": 4,
    "revoke_lease": 4,
    "change_priority": 5,
    "replay_execution": 7,
    "hold": 4,
    "unhold": 5,
    "set_tag": 3,
}
_METHODS = tuple(_CHANCES)
_WEIGHTS = tuple(_CHANCES.values())
