"""What a recorded database has seen: every state of an execution, every join half-way, every kind of event and of wait.

Later releases record the same life, and add to it what they can do more.
"""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from flowfabric import (
    AllOf,
    AnyOf,
    AtLeast,
    BlockingEngine,
    Claimed,
    ExecutionPolicy,
    FlowGraph,
    Frame,
    Lease,
    ManualClock,
    NewChild,
    NewSchedule,
    OperatorOnly,
    Quorum,
    RetryPolicy,
    Signalled,
)
from flowfabric.domain.children import Children
from flowfabric.domain.ids import flow_partition, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.streams import FRAME_KINDS

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
NO_JITTER = RetryPolicy(max_retries=2, initial_delay_ms=1_000, jitter=0.0)


class Lived(msgspec.Struct):
    """What whoever lived it remembers: names, a lease, and what was answered."""

    executions: dict[str, str] = {}
    """Ids by what the executions stand for."""
    flows: dict[str, str] = {}
    lease: Lease | None = None
    """Still held at the end."""
    command_answers: dict[str, Any] = {}
    """By command id."""
    tokens: dict[str, str] = {}
    """Tokens that were handed out, by what they are for."""
    signals: dict[str, str] = {}
    """Ids of signals, by their idempotency keys."""


class Life:
    """One engine, used by an application, two workers and an operator, by a clock that they set."""

    def __init__(self, engine: BlockingEngine, clock: ManualClock) -> None:
        self.engine = engine
        self.clock = clock
        self.lived = Lived()
        self.numbers = count(1)

    def live(self) -> Lived:
        """All of it. At the end time stands still; what has come due since the last reconcile is still to be done."""
        self._forgotten()
        self._schedules()
        self._ended()
        self._come_back()
        self._workers()
        self._half_way_through_joins()
        self._ended_flows()
        self._lanes_and_tenants()
        self._waits_that_are_over()
        self._open_waits()
        self._families()
        self._streams()
        self._limits_and_budgets()
        self.engine.reconcile()
        self._left_at_the_end()
        return self.lived

    # ── executions ───────────────────────────────────────────────────────────────────────────────

    def _created(self, name: str, **options: Any) -> str:
        """A new execution, in a lane of its own unless another one is given."""
        lane = options.setdefault("lane", name.replace(" ", "-"))
        uuid = uuid_from_hex(f"018bcfe5680070008000{next(self.numbers):012x}")
        execution_id = make_execution_id(lane_partition(lane), uuid)
        self.engine.create_execution(options.pop("kind", "mail"), name.encode(), execution_id=execution_id, **options)
        self.lived.executions[name] = execution_id
        return execution_id

    def _claimed(self, name: str, *, lease_ttl_ms: int = 30_000, **options: Any) -> Claimed:
        """The execution of that name, leased."""
        lane = options.pop("lane", name.replace(" ", "-"))
        (claimed,) = self.engine.claim(
            worker_id="worker-1", worker_instance_id="worker-1/a", lanes=[lane], lease_ttl_ms=lease_ttl_ms, **options
        )
        assert claimed.execution_id == self.lived.executions[name]
        return claimed

    def _completed(self, name: str, result: bytes | None) -> None:
        self.engine.complete(self._claimed(name).lease, result)

    def _forgotten(self) -> None:
        """Something whose retention is over, so that the log does not begin with its first event."""
        forgotten = self._created("forgotten", policy=ExecutionPolicy(retention_ms=1_000))
        self._completed("forgotten", b"gone")
        self.clock.advance(2_000)
        self.engine.reconcile()
        assert self.engine.describe_execution(forgotten) is None
        del self.lived.executions["forgotten"]

    def _ended(self) -> None:
        engine, clock = self.engine, self.clock
        self._created("completed", idempotency_key="order-1", tags={"order.id": "1", "team.name": "ü\n{}"})
        self._completed("completed", b"\x00\xff result")
        self._created("completed without a result", policy=ExecutionPolicy(retention_ms=30 * 24 * HOUR_MS))
        self._completed("completed without a result", None)
        self._created("failed", policy=ExecutionPolicy(retry=NO_JITTER))
        for _ in range(3):
            engine.fail(self._claimed("failed").lease, code="smtp_down", message="no answer")
            clock.advance(10_000)
            engine.reconcile()
        self._created("failed for good at once")
        engine.fail(self._claimed("failed for good at once").lease, code="bad_address", retryable=False)
        self._created("timed out", policy=ExecutionPolicy(attempt_timeout_ms=1_000))
        self._claimed("timed out")
        self._created("lost", policy=ExecutionPolicy(max_interruptions=0))
        self._claimed("lost", lease_ttl_ms=1_000)
        self._created("expired", deadline_at_ms=clock.now_ms + 1_000)
        clock.advance(2_000)
        engine.reconcile()
        cancelled = self._created("cancelled")
        answer = engine.cancel_execution(cancelled, reason="not wanted", command_id="cancel-1")
        self.lived.command_answers["cancel-1"] = answer
        running = self._created("cancelled while it ran")
        self._claimed("cancelled while it ran")
        engine.cancel_execution(running, reason="stop", source="application", lease_epoch=1)
        # Ended twice: the result of the second life counts.
        again = self._created("completed twice")
        self._completed("completed twice", b"first")
        engine.replay_execution(again)
        self._completed("completed twice", b"second")

    def _come_back(self) -> None:
        """What somebody has had and no longer has."""
        engine, clock = self.engine, self.clock
        self._created("released")
        engine.release(self._claimed("released").lease)
        self._created("put off")
        engine.delay(self._claimed("put off").lease, until_ms=clock.now_ms + HOUR_MS)
        revoked = self._created("revoked")
        self._claimed("revoked")
        engine.revoke_lease(revoked, reason="drain")
        self._created("interrupted")
        self._claimed("interrupted", lease_ttl_ms=1_000)
        clock.advance(2_000)
        engine.reconcile()
        replayed = self._created("replayed")
        self._completed("replayed", b"before")
        engine.replay_execution(replayed)
        let_go = self._created("held and let go")
        engine.hold(let_go, reason="look first")
        engine.unhold(let_go)

    def _lanes_and_tenants(self) -> None:
        engine = self.engine
        self._created("in a paused lane", lane="paused")
        engine.pause_lane("paused", reason="provider is down")
        self._created("in a resumed lane", lane="resumed")
        engine.pause_lane("resumed", reason="for a moment")
        engine.resume_lane("resumed")
        self._created("of a tenant", namespace="tenant-a", tags={"team.name": "a"})
        engine.pause_lane("default", namespace="tenant-a")

    def _left_at_the_end(self) -> None:
        engine, clock = self.engine, self.clock
        self._created("waiting", lane="default", tags={"order.id": "2"})
        engine.change_priority(self.lived.executions["waiting"], 7)
        uuid = uuid_from_hex(f"018bcfe5680070008000{999:012x}")
        kept = make_execution_id(lane_partition("default"), uuid)
        created = engine.create_execution("mail", b"kept", execution_id=kept, command_id="create-1")
        self.lived.executions["created with a command id"] = kept
        self.lived.command_answers["create-1"] = created
        self._created("waiting for a gpu", lane="default", required_capabilities=["gpu", "ssd"])
        self._created("waiting with a deadline", lane="default", deadline_at_ms=clock.now_ms + 24 * HOUR_MS)
        self._created("delayed", delay_until_ms=clock.now_ms + HOUR_MS)
        held = self._created("held")
        engine.hold(held, reason="ask first")
        self._created("waiting for its retry", policy=ExecutionPolicy(retry=NO_JITTER))
        engine.fail(self._claimed("waiting for its retry").lease, code="smtp_down", retry_after_ms=HOUR_MS)
        self._created("active", policy=ExecutionPolicy(attempt_timeout_ms=2 * HOUR_MS), kind="print")
        active = self._claimed("active", lease_ttl_ms=HOUR_MS)
        engine.record_step(active.lease, "fetch", b'{"pages": 3}', fingerprint=b"f1")
        engine.record_step(active.lease, "render", b"", fingerprint=b"f2")
        engine.progress(active.lease, percent=40, message="half way")
        self.lived.lease = active.lease
        # Nobody reconciles any more: these are over and due, and not yet done.
        self._created("active with an expired lease")
        self._claimed("active with an expired lease", lease_ttl_ms=1_000)
        self._created("delayed and due", delay_until_ms=clock.now_ms + 1_000)
        self._created("past its deadline", deadline_at_ms=clock.now_ms + 1_000)
        clock.advance(2_000)

    # ── waits ────────────────────────────────────────────────────────────────────────────────────

    def _suspended(self, name: str, condition: Any = "editor", **options: Any) -> str:
        """A new execution that waits."""
        execution_id = self._created(name)
        self.engine.suspend(self._claimed(name).lease, "wait", condition, **options)
        return execution_id

    def _waits_that_are_over(self) -> None:
        engine = self.engine
        for number, kid in enumerate(("first", "second")):
            engine.rotate_waitpoint_secret(kid=kid, secret=bytes(range(number, 32 + number)))
            if not number:
                # Its token keeps the first key, which is still good for a week.
                self._created("waiting for an editor")
                lease = self._claimed("waiting for an editor").lease
                about = {"title": "Publish?", "choices": ["yes", "no"]}
                ticket = engine.create_waitpoint(lease, "editor", about=about, alias="article-7")
                self.lived.tokens["anybody"] = ticket.token
                engine.suspend(lease, "wait", "editor", reason="an editor reads it")
        of_ann = engine.issue_token(self.lived.executions["waiting for an editor"], "editor", source="ann")
        self.lived.tokens["ann"] = of_ann.token
        waited = self._suspended("completed after a wait")
        sent = engine.signal(waited, "editor", b"\x00\xff fine", name="verdict", source="bob", idempotency_key="mail-1")
        assert isinstance(sent, Signalled)
        self.lived.signals["mail-1"] = sent.signal_id
        engine.signal(waited, "typo", b"never read")
        lease = self._claimed("completed after a wait").lease
        engine.record_step(lease, "publish", b"published", fingerprint=b"p")
        engine.complete(lease, b"done")
        timed_out = self._suspended("resumed by its timeout", timeout_ms=1_000)
        self._suspended("failed by the timeout of a wait", timeout_ms=1_000, on_timeout="fail")
        self._suspended("escalated", timeout_ms=1_000, on_timeout="escalate")
        self.clock.advance(2_000)
        engine.reconcile()
        assert engine.get_wait(timed_out, "wait") is not None
        cancelled = self._suspended("cancelled while it waited")
        engine.cancel_execution(cancelled, reason="not wanted")

    def _open_waits(self) -> None:
        engine = self.engine
        votes = self._suspended("waiting for votes", AtLeast(2, "vote", distinct="sources"))
        engine.signal(votes, "vote", b"yes", source="ann")
        engine.signal(votes, "vote", b"yes again", source="ann")
        self._suspended("sleeping", OperatorOnly(), timeout_ms=HOUR_MS, reason="sleeping")
        self._suspended("waiting with a timeout", timeout_ms=30 * 24 * HOUR_MS, on_timeout="cancel")
        resumable = self._suspended("resumable")
        engine.signal(resumable, "editor", b"go on")
        held = self._suspended("suspended and held")
        engine.hold(held, reason="ask first")
        closed = self._suspended("waiting at a closed waitpoint")
        self.lived.tokens["closed"] = engine.issue_token(closed, "editor").token
        engine.close_waitpoint(closed, "editor", reason="the editor has left")
        early = self._created("signalled before it waits")
        engine.signal(early, "editor", b"early")
        self._created("lingering")
        lingering = self._claimed("lingering", lease_ttl_ms=HOUR_MS).lease
        engine.open_wait(lingering, "first", "a", timeout_ms=24 * HOUR_MS)
        engine.open_wait(lingering, "second", "b")
        engine.signal(lingering.execution_id, "a", b"over, and the worker does not know it yet")

    def _families(self) -> None:
        engine = self.engine
        self._created("parent")
        lease = self._claimed("parent").lease
        items = [NewChild(kind="mail", payload=b"page %d" % page, lane=f"child-{page}") for page in range(3)]
        made = engine.create_children(lease, "pages", items)
        for page, answer in enumerate(made):
            self.lived.executions[f"child {page}"] = answer.execution_id
        engine.suspend(lease, "pages", Children(("pages",)), reason="waiting_for_children")
        engine.complete(self._claimed("child 0").lease, b"read")
        engine.fail(self._claimed("child 1").lease, code="not_found", retryable=False)

    # ── streams ──────────────────────────────────────────────────────────────────────────────────

    def _streams(self) -> None:
        """Frames of every kind, some of them void and some removed, and summaries."""
        engine = self.engine
        self._created("speaking", policy=ExecutionPolicy(retry=NO_JITTER))
        lease = self._claimed("speaking").lease
        engine.append_frames(lease, [b"lost with the attempt", Frame(b"\x00\xff", "blob")])
        engine.append_frames(lease, [Frame(b'{"tokens": 3}', "json")], step="draft")
        engine.record_step(lease, "draft", b"drafted", fingerprint=b"d")
        engine.patch_summary(lease, {"stage": "drafted", "tokens": {"in": 7}})
        engine.fail(lease, code="smtp_down", retry_after_ms=0)
        lease = self._claimed("speaking", lease_ttl_ms=HOUR_MS).lease
        engine.append_frames(lease, [Frame(kind.encode(), kind) for kind in FRAME_KINDS], first_seq=0)
        engine.patch_summary(lease, {"stage": "again", "tokens": {"in": None, "out": [1, "ü"]}})
        self._created("fell silent", policy=ExecutionPolicy(stream_max_frames=3))
        lease = self._claimed("fell silent").lease
        for number in range(5):
            engine.append_frames(lease, [b"%d" % number, b"."])
        engine.complete(lease, b"said")

    # ── limits and budgets ───────────────────────────────────────────────────────────────────────

    def _limits_and_budgets(self) -> None:
        """Somebody runs under a limit and a budget, with others behind, and another budget is spent."""
        engine = self.engine
        engine.set_limit("provider", concurrency=1)
        engine.set_limit("provider", key="large", concurrency=3)
        engine.set_limit("calls", rate=1, per_ms=HOUR_MS)
        engine.pause_limit("calls", for_ms=MINUTE_MS)
        engine.set_budget("company", limits={"usd": 100, "tokens": 1_000}, soft_limits={"usd": 50})
        engine.set_budget("team", limits={"usd": 20}, parent="company", on_exceeded="cancel")
        engine.set_budget("trial", limits={"usd": 5}, period="month")
        engine.charge_budget("company", {"usd": 7}, reason="carried over")
        first = {"limits": {"provider": "small"}, "budgets": {"team": {"usd": 2}}}
        self._created("under a limit", **first, fair_key="a")
        lease = self._claimed("under a limit", lease_ttl_ms=HOUR_MS).lease
        engine.reserve(lease, "team", {"usd": 5})
        engine.spend(lease, "team", {"usd": 3}, idempotency_key="bill-1")
        for name, fair_key in (("behind a limit", "a"), ("behind a limit, in another turn", "b")):
            self._created(name, **first, fair_key=fair_key)
            assert not engine.claim(
                worker_id="worker-1", worker_instance_id="worker-1/a", lanes=[name.replace(" ", "-")]
            )
        self._created("in a block", limits={})
        engine.take_slot(self._claimed("in a block", lease_ttl_ms=HOUR_MS).lease, "provider", "large")
        spender = self._created("spender", budgets={"trial": {}})
        engine.spend(self._claimed("spender").lease, "trial", {"usd": 5})
        engine.cancel_execution(spender, reason="enough")
        for name, given in (
            ("behind a budget", {"budgets": {"trial": {}}}),
            ("behind a pause", {"limits": {"calls": ""}}),
        ):
            self._created(name, **given)
            assert not engine.claim(
                worker_id="worker-1", worker_instance_id="worker-1/a", lanes=[name.replace(" ", "-")]
            )

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def _flow(
        self,
        name: str,
        nodes: Mapping[str, Mapping[str, Any]],
        edges: Mapping[tuple[str, str], str | None],
        **joins: Any,
    ) -> None:
        """A flow of that name, whose nodes are executions named `flow/node`, each in a lane of that name."""
        number = len(self.lived.flows) + 1
        flow_id = uuid_from_hex(f"018bcfe56800700080ff{number:012x}")
        graph = FlowGraph(name.replace(" ", "-"), flow_id=flow_id, tags={"order.id": str(number)})
        for place, (node, options) in enumerate(nodes.items(), 1):
            uuid = uuid_from_hex(f"018bcfe56800700080{number:02x}{place:012x}")
            key = f"{name}/{node}"
            lane = key.replace(" ", "-").replace("/", "-")
            execution_id = make_execution_id(flow_partition(flow_id), uuid)
            graph.node(node, "mail", key.encode(), lane=lane, execution_id=execution_id, **options)
            self.lived.executions[key] = execution_id
        for (upstream, downstream), passed_as in edges.items():
            graph.edge(upstream, downstream, pass_result_as=passed_as)
        for downstream, join in joins.items():
            graph.join(downstream, join)
        self.engine.submit_flow(graph)
        self.lived.flows[name] = flow_id

    def _three_into_one(self, name: str, join: AllOf | AnyOf | Quorum) -> None:
        nodes: dict[str, dict[str, Any]] = {node: {} for node in ("a", "b", "c", "d")}
        self._flow(name, nodes, {("a", "d"): "left", ("b", "d"): "right", ("c", "d"): None}, d=join)

    def _member(self, name: str, **options: Any) -> Claimed:
        return self._claimed(name, lane=name.replace(" ", "-").replace("/", "-"), **options)

    def _half_way_through_joins(self) -> None:
        engine = self.engine
        joins: dict[str, AllOf | AnyOf | Quorum] = {
            "all of": AllOf(),
            "any of": AnyOf(),
            "any of let run": AnyOf("let_run"),
            "quorum": Quorum(2),
            "quorum let run": Quorum(2, "let_run"),
        }
        for name, join in joins.items():
            self._three_into_one(name, join)
        engine.complete(self._member("all of/a").lease, b"one")
        engine.fail(self._member("any of/a").lease, code="boom", retryable=False)
        engine.complete(self._member("any of let run/b").lease, b"first")
        engine.complete(self._member("quorum/a").lease, b"one of two")
        engine.complete(self._member("quorum let run/a").lease, b"one")
        engine.complete(self._member("quorum let run/b").lease, b"two")
        self._member("quorum let run/c", lease_ttl_ms=HOUR_MS)

    def _ended_flows(self) -> None:
        engine = self.engine
        two: dict[str, dict[str, Any]] = {"a": {}, "b": {}}
        for name in (
            "completed flow",
            "failed flow",
            "reopened flow",
            "cancelled flow",
            "cancelled pending",
            "flow only",
        ):
            self._flow(name, two, {("a", "b"): "before"})
        engine.complete(self._member("completed flow/a").lease, b"a")
        engine.complete(self._member("completed flow/b").lease, b"b")
        for name in ("failed flow", "reopened flow"):
            engine.fail(self._member(f"{name}/a").lease, code="boom", retryable=False)
        engine.replay_execution(self.lived.executions["reopened flow/a"])
        for name, policy in (
            ("cancelled flow", "cancel_all"),
            ("cancelled pending", "cancel_pending"),
            ("flow only", "flow_only"),
        ):
            self._member(f"{name}/a", lease_ttl_ms=HOUR_MS)
            engine.cancel_flow(self.lived.flows[name], reason="enough", policy=policy)
        # Built piece by piece, with an edge of a given id, and still open.
        flow_id = uuid_from_hex(f"018bcfe56800700080ff{99:012x}")
        engine.create_flow("by-hand", flow_id=flow_id)
        engine.set_flow_tag(flow_id, "team.name", "a")
        self.lived.flows["by hand"] = flow_id
        for place, node in enumerate(("a", "b"), 1):
            key = f"by hand/{node}"
            uuid = uuid_from_hex(f"018bcfe5680070008063{place:012x}")
            self.lived.executions[key] = make_execution_id(flow_partition(flow_id), uuid)
            engine.add_execution(
                flow_id, "mail", key.encode(), lane=f"by-hand-{node}", execution_id=self.lived.executions[key]
            )
        first, second = (self.lived.executions[f"by hand/{node}"] for node in ("a", "b"))
        engine.add_dependency(flow_id, first, second, edge_id="by-hand-1", pass_result_as="before")

    # ── what is neither ──────────────────────────────────────────────────────────────────────────

    def _schedules(self) -> None:
        engine, clock = self.engine, self.clock
        nightly = NewSchedule(
            name="nightly", kind="report", cron="0 3 * * *", timezone="Europe/Berlin", tags={"team.name": "a"}
        )
        often = NewSchedule(
            name="often", kind="report", payload=b"often", every_ms=MINUTE_MS, lane="reports", catch_up="last"
        )
        paused = NewSchedule(name="paused", kind="report", every_ms=HOUR_MS, anchor_ms=333)
        gone = NewSchedule(name="gone", kind="report", every_ms=HOUR_MS)
        for each in (nightly, often, paused, gone):
            engine.fire_schedule(each)
        engine.pause_schedule("paused", reason="look first")
        engine.pause_schedule("often", reason="for a moment")
        engine.resume_schedule("often")
        clock.advance(200_000)
        assert engine.fire_schedule(often).execution_ids
        engine.fire_schedule(
            NewSchedule(name="nightly", kind="report", cron="30 3 * * *", timezone="Europe/Berlin"), replace=True
        )
        engine.forget_schedule("gone")

    def _workers(self) -> None:
        engine = self.engine
        for instance, capabilities in (("a", []), ("b", ["gpu"]), ("c", [])):
            engine.heartbeat(
                worker_id="worker-1", worker_instance_id=f"worker-1/{instance}", lanes=["default", "reports"],
                capabilities=capabilities, host="host-1", pid=4711, version="1.0", ttl_ms=HOUR_MS,
            )  # fmt: skip
        engine.say_goodbye("worker-1/c")
