"""A small world of limits and budgets, in which a test says what happens. Every batch is checked against L1 to L8."""

from collections.abc import Mapping, Sequence
from typing import Any

from flowfabric.domain.budgets import Amounts, BudgetUse
from flowfabric.domain.commands import (
    AddExecution,
    AnyCommand,
    Claim,
    CreateExecution,
    CreateFlow,
    HandleDue,
    OpenGate,
    SetBudget,
    SetLimit,
    Spend,
    Suspend,
)
from flowfabric.domain.conditions import checked, stored
from flowfabric.domain.cron import Cron
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import Execution, due_of
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, lane_partition, make_execution_id
from flowfabric.domain.lease import Fence
from flowfabric.domain.limits import KeyUse, Limit, WhenFull, unused
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.outcomes import Spent
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from tests.domain.gate_world import NS, GateWorld

LONG_MS = 3_600_000
LEASE_MS = 10_000
TIMEOUT_MS = 60_000
PATIENT = ExecutionPolicy(
    retry=RetryPolicy(max_retries=9, initial_delay_ms=1_000, jitter=0.0),
    attempt_timeout_ms=TIMEOUT_MS,
    max_interruptions=9,
)


class Stage(GateWorld):
    """A store with limits and budgets, and what a worker does with what it claims."""

    def __init__(self) -> None:
        super().__init__(0)
        self.claims = 0

    def one(self, command: AnyCommand) -> Any:
        """Send one command. Its refusal is raised."""
        (answer,) = self.send(command)
        if isinstance(answer, EngineError):
            raise answer
        return answer

    # ── what there is ────────────────────────────────────────────────────────────────────────────

    def limit(
        self,
        name: str = "api",
        concurrency: int | None = None,
        rate: int | None = None,
        burst: int | None = None,
        key: str | None = None,
        per_ms: int = 60_000,
    ) -> None:
        self.one(SetLimit(Limit(NS, name, key, concurrency, rate, per_ms, burst), False))

    def budget(
        self,
        name: str = "team",
        limits: Amounts | None = None,
        *,
        soft: Amounts | None = None,
        period: Cron | int | None = None,
        parent: str | None = None,
        on_exceeded: Any = "pause",
    ) -> None:
        self.one(SetBudget(NS, name, limits or {"usd": 100}, soft or {}, period, parent, on_exceeded, False))

    def creation(
        self,
        *,
        limits: Mapping[str, str] | None = None,
        budgets: Mapping[str, Amounts] | None = None,
        fair_key: str | None = None,
        lane: str = "default",
        priority: int = 0,
        deadline_in_ms: int | None = None,
        when_full: WhenFull = "wait",
        capabilities: tuple[str, ...] = (),
        partition: int | None = None,
    ) -> CreateExecution:
        self.made += 1
        partition = lane_partition(lane) if partition is None else partition
        gates = Gates(tuple(sorted((limits or {}).items())), tuple(sorted((budgets or {}).items())), fair_key)
        return CreateExecution(
            make_execution_id(partition, f"00000000-0000-7000-8000-{self.made:012x}"),
            False,
            "k",
            b"",
            lane,
            NS,
            priority,
            None,
            None if deadline_in_ms is None else self.store.now_ms + deadline_in_ms,
            None,
            1,
            capabilities,
            PATIENT,
            {},
            "return",
            gates if gates.must_pass else None,
            when_full,
        )

    def make(self, **what: Any) -> ExecutionId:
        """Make an execution that names gates. Returns its id."""
        creation = self.creation(**what)
        self.one(creation)
        return creation.execution_id

    def make_member(self, flow_id: FlowId, **what: Any) -> ExecutionId:
        """Make an execution of a new flow."""
        self.send(CreateFlow(flow_id, True, "f", NS, {}))
        creation = self.creation(partition=flow_partition(flow_id), **what)
        self.one(AddExecution(flow_id, creation, (), None))
        return creation.execution_id

    @staticmethod
    def flow_id() -> FlowId:
        return FlowId("00000000-0000-7000-8000-00000000f10f")

    # ── a worker ─────────────────────────────────────────────────────────────────────────────────

    def claim(
        self, limit: int = 10, ttl_ms: int = LEASE_MS, lanes: tuple[str, ...] = ("default",), able: tuple[str, ...] = ()
    ) -> list[Fence]:
        """The leases that a claim gets."""
        self.claims += 1
        before = len(self.fences)
        self.one(Claim("w", "w", lanes, NS, frozenset(able), limit, ttl_ms, f"m{self.claims}"))
        return self.fences[before:]

    def claimed(self, **how: Any) -> list[ExecutionId]:
        """The executions that a claim gets."""
        return [fence.execution_id for fence in self.claim(**how)]

    def spend(self, fence: Fence, amounts: Amounts, budget: str = "team", key: str | None = None) -> Spent:
        answer = self.one(Spend(fence, budget, amounts, key))
        assert isinstance(answer, Spent)
        return answer

    def suspend_command(self, fence: Fence) -> Suspend:
        return Suspend(fence, "editor", stored(checked("editor")), None, None, "resume", "waiting_for_signal", "kid")

    def wait(self, ms: int) -> None:
        """Let time pass, and do what is due then."""
        self.clock.advance(ms)
        self.sweep()

    def what_is_due(self, execution_id: ExecutionId) -> HandleDue:
        due = due_of(self.x(execution_id))
        assert due is not None
        return HandleDue(due)

    def look(self) -> Sequence[Any]:
        """Look at all gates that are to be looked at now."""
        return [self.one(OpenGate(gate)) for gate in self.store.openings(self.store.now_ms, 100)]

    # ── what became of it ────────────────────────────────────────────────────────────────────────

    def x(self, execution_id: ExecutionId) -> Execution:
        return self.store._executions[execution_id]

    def states(self, *ids: ExecutionId) -> list[str]:
        return [self.x(key).public_state for key in ids]

    def key(self, name: str = "api", key: str = "") -> KeyUse:
        return self.store._key_uses.get((NS, name, key), unused((NS, name, key)))

    def use(self, name: str = "team") -> BudgetUse:
        """What is used of a budget in its present period."""
        budget = self.store._budgets[NS, name]
        at = (NS, name, budget.period_at(self.store.now_ms))
        return self.store._budget_uses.get(at, BudgetUse(*at))

    @property
    def events(self) -> list[str]:
        found = self.store.events(None, EventFilter(), 100_000).events
        return [event.event_type for event in found if event.channel == "operator"]
