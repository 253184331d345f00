"""Clients that do everything at once to the same few flows."""

import random
from binascii import crc_hqx
from pathlib import Path
from typing import Any
from uuid import UUID

from flowfabric import AllOf, AnyOf, BlockingEngine, ExecutionPolicy, FlowGraph, Lease, Quorum, RetryPolicy
from tests.histories.client import Client, as_told
from tests.histories.flow_shapes import ADDED, RETRIES, SHAPES, Join

FLOWS = 3
SHORT_MS, LONG_MS = 40, 600_000
POLICY = ExecutionPolicy(
    retry=RetryPolicy(max_retries=RETRIES, backoff="fixed", initial_delay_ms=0, jitter=0), max_interruptions=1_000
)
VERBS_AT_FLOWS = {
    "submit": 3,
    "add": 2,
    "link": 3,
    "claim": 18,
    "complete": 16,
    "fail": 8,
    "release": 2,
    "revoke": 2,
    "cancel": 4,
    "cancel_flow": 3,
    "acknowledge": 3,
    "replay": 5,
    "replay_flow": 6,
    "describe": 9,
    "look": 6,
    "edges": 4,
}
OF_HOLDERS = ("complete", "fail", "release")


class OfFlows(Client):
    """A client that does everything to a few small flows of different shapes."""

    def __init__(self, engine: BlockingEngine, log: Path, story: str, seed: str) -> None:
        super().__init__(engine, log, story, seed)
        self._shapes = random.Random(f"shapes {story}").sample([*SHAPES], FLOWS)
        self._leases: list[tuple[int, str, Lease]] = []
        """The flows and members that this client was given, with their leases."""

    def _about(self, place: int) -> str:
        return f"{place} {self._shapes[place]}"

    def _chosen(self) -> tuple[int, str]:
        place = self._chance.randrange(FLOWS)
        verb = self._chance.choices([*VERBS_AT_FLOWS], [*VERBS_AT_FLOWS.values()])[0]
        if verb in OF_HOLDERS and not any(at == place for at, _, _ in self._leases):
            verb = "claim"
        return place, verb

    def _heard(self, verb: str, place: int, given: dict[str, Any], answer: dict[str, Any]) -> None:
        if answer.get("is") == "Leases":
            self._leases += self._last

    # ── ids that the clients have agreed on ──────────────────────────────────────────────────────

    def _uuid(self, words: str) -> UUID:
        return UUID(bytes=random.Random(f"{self._story} {words}").randbytes(16), version=4)

    def _flow_id(self, place: int) -> str:
        return str(self._uuid(f"flow {place}"))

    def _id(self, place: int, member: str) -> str:
        partition = crc_hqx(self._uuid(f"flow {place}").bytes, 0) % 256
        return f"{{fp:{partition}}}:{self._uuid(f'member {place} {member}')}"

    def _names(self, place: int) -> dict[str, str]:
        members = [*SHAPES[self._shapes[place]].members, ADDED]
        return {self._id(place, member): member for member in members}

    # ── what is asked ────────────────────────────────────────────────────────────────────────────

    def _some_member(self, place: int) -> str:
        return self._chance.choice(SHAPES[self._shapes[place]].members + ADDED)

    def _for_submit(self, place: int) -> dict[str, Any]:
        return {"is_named": self._chance.randrange(3) > 0}

    def _for_add(self, place: int) -> dict[str, Any]:
        return {"after": sorted(self._chance.sample(SHAPES[self._shapes[place]].members, self._chance.randint(1, 2)))}

    def _for_link(self, place: int) -> dict[str, Any]:
        """A pair may have one edge more than the flow was made with."""
        return {"edge": "".join(self._chance.sample(SHAPES[self._shapes[place]].members + ADDED, 2)) + "+"}

    def _for_claim(self, place: int) -> dict[str, Any]:
        ttl_ms = SHORT_MS if self._chance.randrange(5) == 0 else LONG_MS
        return {"limit": self._chance.randint(1, 2), "ttl_ms": ttl_ms}

    def _for_complete(self, place: int) -> dict[str, Any]:
        """Mostly the last lease of this client, and now and then one from before."""
        mine = [(member, lease) for at, member, lease in self._leases if at == place]
        member, lease = mine[-1] if self._chance.randrange(3) else self._chance.choice(mine)
        return {"member": member, "lease": {name: getattr(lease, name) for name in lease.__struct_fields__}}

    _for_release = _for_complete

    def _for_fail(self, place: int) -> dict[str, Any]:
        return {**self._for_complete(place), "retryable": self._chance.randrange(2) > 0}

    def _one(self, place: int) -> dict[str, Any]:
        return {"member": self._some_member(place)}

    _for_revoke = _for_acknowledge = _for_replay = _for_look = _one

    def _for_cancel(self, place: int) -> dict[str, Any]:
        return {"member": self._some_member(place), "reason": f"{self._name} {self._number}"}

    def _for_cancel_flow(self, place: int) -> dict[str, Any]:
        policy = self._chance.choice(["cancel_all", "cancel_pending", "flow_only"])
        return {"policy": policy, "reason": f"{self._name} {self._number}"}

    def _for_replay_flow(self, place: int) -> dict[str, Any]:
        members = SHAPES[self._shapes[place]].members
        some = sorted(self._chance.sample(members, self._chance.randint(1, 2)))
        what = self._chance.choice(["failed", "failed", "failed", "all", some])
        return {"what": what, "dry_run": self._chance.randrange(6) == 0}

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _asked(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        engine, flow_id, lane = self._engine, self._flow_id(place), f"{self._story}-{place}"
        if verb in OF_HOLDERS:
            return self._asked_as_holder(verb, Lease(**given["lease"]), given)
        if "member" in given:
            return self._asked_about_member(verb, place, given)
        match verb:
            case "submit":
                named = f"submit {flow_id}" if given["is_named"] else None
                return as_told(engine.submit_flow(self._graph(place), command_id=named))
            case "add":
                after = [self._id(place, upstream) for upstream in given["after"]]
                by = {"execution_id": self._id(place, ADDED), "lane": lane, "policy": POLICY}
                return as_told(engine.add_execution(flow_id, "kind", after=after, **by))
            case "link":
                upstream, downstream = (self._id(place, member) for member in given["edge"][:2])
                return as_told(engine.add_dependency(flow_id, upstream, downstream, edge_id=given["edge"]))
            case "claim":
                return self._claimed(place, lane, given["limit"], given["ttl_ms"])
            case "cancel_flow":
                return self._with_names(place, engine.cancel_flow(flow_id, **given))
            case "replay_flow":
                what = given["what"]
                chosen = what if isinstance(what, str) else [self._id(place, member) for member in what]
                return self._with_names(place, engine.replay_flow(flow_id, what=chosen, dry_run=given["dry_run"]))
            case "describe":
                return self._described(place)
        edges = engine.list_edges(flow_id)
        names = self._names(place)
        told = sorted([names[each.upstream] + names[each.downstream], each.state] for each in edges)
        return {"is": "Edges", "edges": told}

    def _asked_as_holder(self, verb: str, lease: Lease, given: dict[str, Any]) -> dict[str, Any]:
        if verb == "fail":
            return as_told(self._engine.fail(lease, code="broken", retryable=given["retryable"]))
        return as_told(getattr(self._engine, verb)(lease))

    def _asked_about_member(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        execution_id = self._id(place, given["member"])
        match verb:
            case "cancel":
                return as_told(self._engine.cancel_execution(execution_id, reason=given["reason"]))
            case "revoke":
                return as_told(self._engine.revoke_lease(execution_id))
            case "replay":
                return as_told(self._engine.replay_execution(execution_id))
            case "acknowledge":
                answer: object = self._engine.ack_cancel_member(self._flow_id(place), execution_id)
                return as_told(answer)
        return as_told(self._engine.describe_execution(execution_id))

    def _claimed(self, place: int, lane: str, limit: int, ttl_ms: int) -> dict[str, Any]:
        claimed = self._engine.claim(
            worker_id="w", worker_instance_id=self._name, lanes=(lane,), limit=limit, lease_ttl_ms=ttl_ms
        )
        names = self._names(place)
        self._last = [(place, names[each.execution_id], each.lease) for each in claimed]
        leases = []
        for each in claimed:
            lease = each.lease
            told = (lease.lease_epoch, lease.lease_id, each.claim_type, lease.expires_at_ms)
            leases.append([names[each.execution_id], *told])
        return {"is": "Leases", "leases": sorted(leases)}

    def _with_names(self, place: int, answer: Any) -> dict[str, Any]:
        """An answer that has the ids of members, with their letters."""
        ids = answer.execution_ids if hasattr(answer, "execution_ids") else answer.member_execution_ids
        names = self._names(place)
        return {**as_told(answer), "members": sorted(names[each] for each in ids)}

    def _described(self, place: int) -> dict[str, Any]:
        flow = self._engine.describe_flow(self._flow_id(place))
        if flow is None:
            return as_told(flow)
        names = self._names(place)
        groups = [
            [names[g.downstream], g.total, g.success_count, g.fail_count, g.skip_count, g.running_count, g.state]
            for g in flow.groups
        ]
        unacknowledged = sorted(names[each] for each in flow.pending_cancel_acks)
        return {**as_told(flow), "unacknowledged": unacknowledged, "groups": sorted(groups)}

    def _graph(self, place: int) -> FlowGraph:
        shape = SHAPES[self._shapes[place]]
        graph = FlowGraph("flow", flow_id=self._flow_id(place))
        at = {"lane": f"{self._story}-{place}", "policy": POLICY}
        for member in shape.members:
            graph.node(member, "kind", execution_id=self._id(place, member), **at)
        for upstream, downstream in shape.edges:
            graph.edge(upstream, downstream)
        for member, join in shape.joins:
            graph.join(member, _policy(join))
        return graph


def _policy(join: Join) -> AllOf | AnyOf | Quorum:
    rest = "cancel_remaining" if join.cancels else "let_run"
    if join.needed is None:
        return AllOf()
    return AnyOf(rest) if join.needed == 1 else Quorum(join.needed, rest)
