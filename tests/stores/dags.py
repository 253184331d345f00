"""Random flows, each made from a seed and nothing else, and driven by workers and operators until they come to rest.

What is done next depends on the seed and on what was answered, so a flow has the same story on every store that
answers the same.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from flowfabric import (
    AllOf,
    AnyOf,
    AtLeast,
    Claimed,
    ExecutionPolicy,
    FlowGraph,
    FlowSubmitted,
    Lease,
    OperatorOnly,
    Quorum,
    RetryPolicy,
)
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, make_execution_id, uuid_from_hex
from tests.stores.stories import Step
from tests.stores.telling import BatchTeller

SIZES = ((60, 2, 12), (25, 13, 40), (12, 41, 100), (3, 101, 200))
"""How often a flow has how many nodes."""
POLICIES = (
    *[ExecutionPolicy()] * 4,
    *[ExecutionPolicy(retry=RetryPolicy(max_retries=2, initial_delay_ms=500))] * 3,
    ExecutionPolicy(retry=RetryPolicy(max_retries=1, backoff="fixed", initial_delay_ms=0), max_interruptions=1),
    ExecutionPolicy(max_interruptions=0, max_replays=1),
    ExecutionPolicy(attempt_timeout_ms=4_000, retry=RetryPolicy(max_retries=1)),
)
SHORT_LIVED = tuple(
    ExecutionPolicy(retry=policy.retry, max_interruptions=policy.max_interruptions, retention_ms=kept_ms)
    for policy, kept_ms in zip(POLICIES, (0, 10_000, 900_000) * 4, strict=False)
)
LANE = "default"
STEPS = ("reserve", "charge", "ship")
KEYS = ("editor", "bank")
CONDITIONS: Mapping[str, Any] = {"verdict": "editor", "both": AtLeast(2, *KEYS), "nap": OperatorOnly()}
"""By the name of a wait."""
LONG_MS = 700_000
"""Longer than any lease, delay and deadline."""


class Dag:
    """One flow and its story."""

    def __init__(self, teller: BatchTeller, seed: int) -> None:
        self.teller = teller
        self.seed = seed
        self.chance = random.Random(seed)
        self.flow_id = FlowId(uuid_from_hex(f"da{seed:06x}" + "0" * 24))
        self.namespace = f"dag-{seed}"
        self.ids: list[ExecutionId] = []
        self.leases: list[Lease] = []
        self.told: list[Step] = []
        self.handed_out: dict[str, Mapping[str, bytes]] = {}
        self.edges = 0
        chance = self.chance
        _, least, most = chance.choices(SIZES, [size[0] for size in SIZES])[0]
        self.size = chance.randint(least, most)
        self.policies = SHORT_LIVED if chance.random() < 0.08 else POLICIES
        # Some flows live a quiet life, some an eventful one; and where nearly all goes well, other things happen.
        self.unrest = chance.choice((0.05, 0.2, 0.5))
        self.luck = chance.choice((0.0, 0.6, 0.95))
        self.cancelled_at = chance.randrange(12) if chance.random() < 0.25 else None
        self.holds_stay = chance.random() < 0.5

    def tell(self) -> None:
        """From the first node to the end of the last."""
        self._build()
        for turn in range(6 + self.size // 6):
            self._turn(turn)
        self._finish()
        if self.chance.random() < 0.5:
            self._revive()
            self._finish()

    # ── building ─────────────────────────────────────────────────────────────────────────────────

    def _build(self) -> None:
        at_once = self.chance.random() < 0.75
        if at_once:
            self._submit(max(1, int(self.size * self.chance.uniform(0.6, 1))))
        else:
            arguments = {"kind": "dag", "namespace": self.namespace, "flow_id": self.flow_id}
            self._send([Step("create_flow", arguments)])
            self._send([self._add_execution() for _ in range(self.size // 2 + 1)])

    def _submit(self, nodes: int) -> None:
        chance = self.chance
        graph = FlowGraph("dag", namespace=self.namespace, flow_id=self.flow_id)
        names = [self._node_into(graph) for _ in range(nodes)]
        for number, name in enumerate(names):
            upstreams = self._some_of(names[:number])
            for upstream in upstreams:
                graph.edge(upstream, name, pass_result_as=self._input_name())
            if upstreams and chance.random() < 0.6:
                graph.join(name, self._join(len(upstreams)))
        (answer,) = self._send([Step("submit_flow", {"graph": graph})])
        assert isinstance(answer, FlowSubmitted), answer

    def _node_into(self, graph: FlowGraph) -> str:
        execution_id = self._new_id()
        return graph.node(f"n{len(self.ids)}", "node", execution_id=execution_id, **self._creation())

    def _new_id(self) -> ExecutionId:
        uuid = uuid_from_hex(f"da{self.seed:06x}7000800000000000{len(self.ids):08x}")
        self.ids.append(make_execution_id(flow_partition(self.flow_id), uuid))
        return self.ids[-1]

    def _creation(self) -> dict[str, Any]:
        chance = self.chance
        arguments: dict[str, Any] = {
            "payload": f"{len(self.ids)}".encode(),
            "policy": chance.choice(self.policies),
            "priority": chance.choice((0, 0, 0, 5)),
        }
        if chance.random() < 0.1:
            arguments["delay_until_ms"] = self.teller.clock.now_ms + chance.choice((0, 1_000, 20_000))
        if chance.random() < 0.06:
            arguments["deadline_at_ms"] = self.teller.clock.now_ms + chance.choice((0, 2_000, 60_000))
        return arguments

    def _some_of(self, candidates: Sequence[Any]) -> list[Any]:
        """A few upstreams, mostly recent ones, sometimes the same one twice."""
        chance = self.chance
        count = chance.choices((0, 1, 2, 3, 5, 9), (3, 8, 5, 3, 2, 1))[0]
        near = candidates[-12:] if chance.random() < 0.8 else candidates
        return [chance.choice(near) for _ in range(count)] if near else []

    def _input_name(self) -> str | None:
        return self.chance.choice((None, None, "left", "right"))

    def _join(self, edges: int) -> AllOf | AnyOf | Quorum:
        rest = self.chance.choice(("cancel_remaining", "let_run"))
        return self.chance.choice((AllOf(), AnyOf(rest), Quorum(self.chance.randint(1, edges), rest)))

    # ── living ───────────────────────────────────────────────────────────────────────────────────

    def _turn(self, turn: int) -> None:
        chance = self.chance
        steps: list[Step] = []
        if chance.random() < 0.8:
            steps.append(self._claim(chance.choice((1, 3, 10, 40)), chance.choice((1, 2_000, 30_000, 600_000))))
        at_work = [lease for lease in self.leases if chance.random() < 0.7]
        self.leases = [lease for lease in self.leases if lease not in at_work]
        steps += [step for lease in at_work for step in self._work(lease)]
        steps += [self._interfere() for _ in range(6) if chance.random() < self.unrest]
        steps += [self._signal() for _ in range(3) if chance.random() < 0.5]
        if turn == self.cancelled_at:
            steps += [self._cancel_flow() for _ in range(chance.choice((1, 1, 2)))]
        chance.shuffle(steps)
        self._send(steps)
        self.teller.clock.advance(chance.choice((0, 1, 500, 1_500, 10_000, 31_000)))
        if chance.random() < 0.5:
            self.teller.reconcile()

    def _claim(self, limit: int, lease_ttl_ms: int) -> Step:
        return Step(
            "claim",
            {
                "worker_id": "worker-1",
                "worker_instance_id": "worker-1/0",
                "namespace": self.namespace,
                "limit": limit,
                "lease_ttl_ms": lease_ttl_ms,
            },
        )

    def _work(self, lease: Lease) -> list[Step]:
        """What a worker does with what it has; nothing at all where it died."""
        what = self.chance.choices(tuple(_WORK), tuple(_WORK.values()))[0]
        if self.chance.random() < self.luck and what not in _WAITING:
            what = "complete"
        steps = [self._step_of(lease) for _ in range(3) if self.chance.random() < 0.2]
        return [*steps, *self._end(lease, what)]

    def _step_of(self, lease: Lease) -> Step:
        name = self.chance.choice(STEPS)
        return Step("record_step", {"lease": lease, "name": name, "result": name.encode()})

    def _end(self, lease: Lease, what: str) -> list[Step]:
        complete = Step("complete", {"lease": lease, "result": lease.execution_id[-4:].encode()})
        match what:
            case "complete":
                return [complete]
            case "complete twice":
                return [complete, complete]
            case "complete with nothing":
                return [Step("complete", {"lease": lease})]
            case "fail":
                return [Step("fail", {"lease": lease, "code": "boom"})]
            case "fail for good":
                return [Step("fail", {"lease": lease, "code": "boom", "retryable": False})]
            case "release":
                return [Step("release", {"lease": lease})]
            case "delay":
                return [Step("delay", {"lease": lease, "until_ms": self.teller.clock.now_ms + 3_000})]
            case "renew":
                self.leases.append(lease)
                return [Step("renew", {"lease": lease})]
            case "suspend":
                return [Step("suspend", self._wait(lease))]
            case "linger":
                # Several waits at once, and the worker keeps its lease.
                self.leases.append(lease)
                return [Step("open_wait", self._wait(lease)) for _ in range(self.chance.choice((1, 1, 2)))]
            case "hand out":
                self.leases.append(lease)
                return [Step("create_waitpoint", {"lease": lease, "key": self.chance.choice(KEYS)})]
            case _:
                return []

    def _wait(self, lease: Lease) -> dict[str, Any]:
        chance = self.chance
        name = chance.choice(tuple(CONDITIONS))
        arguments: dict[str, Any] = {"lease": lease, "name": name, "condition": CONDITIONS[name]}
        if name == "nap" or chance.random() < 0.4:
            arguments["timeout_ms"] = chance.choice((0, 1, 1_500, 20_000))
            arguments["on_timeout"] = chance.choice(("resume", "resume", "fail", "cancel", "expire", "escalate"))
        return arguments

    def _interfere(self) -> Step:
        """What an operator, another caller or a repeated message does."""
        chance = self.chance
        what = chance.choices(tuple(_INTERFERENCE), tuple(_INTERFERENCE.values()))[0]
        if what == "again" and self.told:
            return chance.choice(self.told[-60:])
        if what == "add_execution":
            return self._add_execution()
        if what == "add_dependency":
            return self._add_dependency()
        one = chance.choice(self.ids)
        if what == "set_edge_group_policy":
            arguments: dict[str, Any] = {"flow_id": self.flow_id, "downstream": one, "policy": self._join(3)}
            return Step(what, arguments)
        if what == "ack_cancel_member":
            return Step(what, {"flow_id": self.flow_id, "execution_id": one})
        if what == "change_priority":
            return Step(what, {"execution_id": one, "priority": chance.randrange(9)})
        if what == "cancel_execution":
            return Step(what, {"execution_id": one, "reason": "not wanted"})
        if what == "signal":
            return self._signal()
        if what == "close_waitpoint":
            return Step(what, {"execution_id": one, "key": chance.choice(KEYS), "reason": "enough"})
        if what in ("hold", "unhold", "revoke_lease", "resume_execution"):
            return Step(what, {"execution_id": one})
        if what == "replay_flow":
            return self._replay_flow()
        return self._replay(one)

    def _signal(self) -> Step:
        key = {"execution_id": self.chance.choice(self.ids), "key": self.chance.choice(KEYS)}
        return Step("signal", {**key, "payload": b"yes"})

    def _replay(self, one: str) -> Step:
        chance = self.chance
        arguments: dict[str, Any] = {"execution_id": one}
        if chance.random() < 0.3:
            arguments["steps"] = chance.choice(("keep", "clear"))
        elif chance.random() < 0.3:
            arguments["from_step"] = chance.choice((*STEPS, *CONDITIONS))
        return Step("replay_execution", arguments)

    def _replay_flow(self) -> Step:
        chance = self.chance
        some = chance.sample(self.ids, min(len(self.ids), chance.randint(1, 3)))
        arguments: dict[str, Any] = {"flow_id": self.flow_id, "what": chance.choice(("failed", "failed", "all", some))}
        if chance.random() < 0.3:
            arguments["steps"] = chance.choice(("keep", "clear"))
        return Step("replay_flow", arguments)

    def _add_execution(self) -> Step:
        chance = self.chance
        known = list(self.ids)
        arguments: dict[str, Any] = {"flow_id": self.flow_id, "kind": "node", **self._creation()}
        arguments["execution_id"] = chance.choice(known) if known and chance.random() < 0.05 else self._new_id()
        after = self._some_of(known)
        arguments["after"] = [
            upstream if (name := self._input_name()) is None else (upstream, name) for upstream in after
        ]
        if chance.random() < 0.5:
            arguments["join"] = self._join(len(after) + 1)
        return Step("add_execution", arguments)

    def _add_dependency(self) -> Step:
        upstream, downstream = self.chance.choice(self.ids), self.chance.choice(self.ids)
        if self.chance.random() < 0.8:
            upstream, downstream = min(upstream, downstream), max(upstream, downstream)
        self.edges += self.chance.random() < 0.95
        arguments = {
            "flow_id": self.flow_id,
            "upstream": upstream,
            "downstream": downstream,
            "edge_id": f"late-{self.edges}",
            "pass_result_as": self._input_name(),
        }
        return Step("add_dependency", arguments)

    def _cancel_flow(self) -> Step:
        policy = self.chance.choice(("cancel_all", "cancel_pending", "flow_only"))
        return Step("cancel_flow", {"flow_id": self.flow_id, "reason": "enough", "policy": policy})

    def _revive(self) -> None:
        """Bring some back to life after the end, among other things that come too late."""
        some = self.chance.sample(self.ids, min(len(self.ids), self.chance.randint(1, 8)))
        steps = [self._replay(each) for each in some]
        steps += [self._replay_flow() for _ in range(self.chance.choice((0, 0, 1)))]
        steps += [self._interfere() for _ in range(self.chance.randint(0, 6))]
        self.chance.shuffle(steps)
        self._send(steps)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    def _finish(self) -> None:
        """Work on until nothing is left to do."""
        if not self.holds_stay:
            self._send([Step("unhold", {"execution_id": each}) for each in self.ids])
        quiet = 0
        for _ in range(2 * len(self.ids) + 20):
            self.teller.clock.advance(LONG_MS)
            self.teller.reconcile()
            waiting = self.teller.engine.list_waiting(namespace=self.namespace, limit=1000).items
            self._send([Step("resume_execution", {"execution_id": x.execution_id}) for x in waiting])
            self.leases = []
            self._send([self._claim(1000, 30_000)])
            quiet = 0 if self.leases else quiet + 1
            if quiet == 2:  # an attempt that timed out in the first of them is retried in the second
                return
            ends = [
                Step("fail", {"lease": lease, "code": "boom", "retryable": False})
                if self.chance.random() > max(self.luck, 0.8)
                else Step("complete", {"lease": lease, "result": b"at last"})
                for lease in self.leases
            ]
            self._send(ends)
        raise AssertionError(f"dag {self.seed} never comes to rest")

    def _send(self, steps: Sequence[Step]) -> list[object]:
        """Tell the steps, in batches of some size."""
        answers: list[object] = []
        self.told += steps
        while len(answers) < len(steps):
            size = self.chance.choice((1, 2, 5, 20))
            answers += self.teller.play(self.seed, steps[len(answers) : len(answers) + size])
        for claimed in (one for answer in answers if isinstance(answer, list) for one in answer):
            if isinstance(claimed, Claimed):
                self.leases.append(claimed.lease)
                self._check_inputs(claimed)
        return answers

    def _check_inputs(self, claimed: Claimed) -> None:
        """A further attempt gets what the one before it got, whatever became of the upstreams since."""
        before = self.handed_out.get(claimed.execution_id, {})
        goes_on = claimed.claim_type in ("retry", "reclaim", "resume")
        if goes_on and any(claimed.inputs.get(name) != value for name, value in before.items()):
            self.teller.broken.append(f"{claimed.execution_id} was handed {claimed.inputs} after {before}")
        self.handed_out[claimed.execution_id] = claimed.inputs


_WORK: Mapping[str, int] = {
    "complete": 60,
    "complete twice": 5,
    "complete with nothing": 5,
    "fail": 10,
    "fail for good": 6,
    "release": 3,
    "delay": 3,
    "renew": 4,
    "die": 4,
    "suspend": 12,
    "linger": 6,
    "hand out": 2,
}
_WAITING = ("suspend", "linger", "hand out")
_INTERFERENCE: Mapping[str, int] = {
    "again": 6,
    "add_execution": 4,
    "add_dependency": 8,
    "set_edge_group_policy": 2,
    "ack_cancel_member": 2,
    "change_priority": 1,
    "cancel_execution": 3,
    "hold": 4,
    "unhold": 4,
    "replay_execution": 9,
    "replay_flow": 2,
    "revoke_lease": 2,
    "signal": 10,
    "resume_execution": 3,
    "close_waitpoint": 1,
}
