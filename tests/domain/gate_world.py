"""Random stories of executions with gates, told to the rules on the memory store and recounted after every batch."""

import random
from collections.abc import Sequence

from flowfabric import ManualClock
from flowfabric.domain.budgets import Amounts, BudgetUse, StepCharge, UseAt, minus, plus
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    ChargeBudget,
    Claim,
    Complete,
    CreateExecution,
    Delay,
    Envelope,
    Fail,
    GiveSlot,
    HandleDue,
    Hold,
    OpenGate,
    ParkAtLimit,
    PauseLimit,
    RecordStep,
    Release,
    RemoveLimit,
    Renew,
    ReplayExecution,
    Reserve,
    ResetBudget,
    ResumeExecution,
    RevokeLease,
    SetBudget,
    SetLimit,
    Spend,
    Suspend,
    TakeSlot,
    Unhold,
)
from flowfabric.domain.conditions import checked, stored
from flowfabric.domain.cron import Cron
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import DUE_KINDS, Execution
from flowfabric.domain.gate_invariants import (
    Books,
    Lease,
    gate_violations_at_rest,
    gate_violations_between,
    spending_miscounted,
)
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id
from flowfabric.domain.invariants import record_violations
from flowfabric.domain.lease import Fence
from flowfabric.domain.limits import Limit
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.engine.batch import Batch
from flowfabric.stores.memory.store import MemoryStore

NS = "default"
LIMITS = ("api", "tenant")
KEYS = ("", "a", "b")
BUDGETS = ("company", "team")
LANES = ("default", "other")
POLICY = ExecutionPolicy(
    retry=RetryPolicy(max_retries=2, initial_delay_ms=100, jitter=0.0), max_interruptions=3, retention_ms=50_000
)


class GateWorld:
    """A store, its clock, and everything that was claimed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.clock = ManualClock(1_700_000_000_000)
        self.store = MemoryStore("s", self.clock)
        self.fences: list[Fence] = []
        self.made = 0
        self.corrections: dict[UseAt, tuple[Amounts, Amounts]] = {}
        self._before = self.books()

    # ── telling ──────────────────────────────────────────────────────────────────────────────────

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        batch = Batch([Envelope(command) for command in commands], self.store.name)
        answers = self.store.writer().run(batch).answers
        claimed = [each for answer in answers if isinstance(answer, list) for each in answer]
        claimed = [each for each in claimed if isinstance(each, Claimed)]
        self.fences += [_fence(each) for each in claimed]
        self.check(commands, claimed)
        return answers

    def turn_over(self, steps: int) -> None:
        """Tell a random story of so many batches."""
        for _ in range(steps):
            commands = [self._anything() for _ in range(self.random.choice((1, 1, 2, 5)))]
            if any(isinstance(command, ChargeBudget) for command in commands):
                for command in commands:
                    self.send(command)
            else:
                self.send(*commands)
            if self.random.random() < 0.4:
                self.clock.advance(self.random.choice((1, 20, 300, 5_000, 40_000)))
            if self.random.random() < 0.4:
                self.sweep()

    def sweep(self) -> None:
        """Do what the reconcilers would do."""
        for gate in self.store.openings(self.store.now_ms, 100):
            self.send(OpenGate(gate))
        for kind in DUE_KINDS:
            for due in self.store.due(kind, self.store.now_ms, None, 100):
                self.send(HandleDue(due))

    def finish(self) -> None:
        """Open all gates and work until nothing is left."""
        for name in LIMITS:
            self.send(RemoveLimit(NS, name, None))
        for name in BUDGETS:
            self.send(_budget(name, {"usd": 10**9, "tokens": 10**9}))
        for x in self.executions():
            if x.eligibility_state == "blocked_by_operator":
                self.send(Unhold(x.execution_id))
            if x.lifecycle_phase == "suspended":
                self.send(Unhold(x.execution_id), ResumeExecution(x.execution_id, b"", "", "kid"))
        for _ in range(200):
            self.clock.advance(60_000)
            for _ in range(5):
                self.sweep()
            self.fences = []
            self.send(self._claim(20))
            self.send(*(Complete(fence, None) for fence in self.fences))
            if all(x.has_ended for x in self.executions()):
                return
        raise AssertionError(f"still alive: {[x for x in self.executions() if not x.has_ended][:3]}")

    # ── looking ──────────────────────────────────────────────────────────────────────────────────

    def executions(self) -> list[Execution]:
        return list(self.store._executions.values())

    def books(self) -> Books:
        store = self.store
        return Books(
            dict(store._executions),
            dict(store._limits),
            dict(store._key_uses),
            dict(store._budgets),
            dict(store._budget_uses),
            dict(store._openings),
            list(store._ledger.values()),
            store.now_ms,
        )

    def check(self, commands: Sequence[AnyCommand], claimed: Sequence[Claimed]) -> None:
        """Everything that must hold after a batch holds: the invariants L1 to L8."""
        before, after = self._before, self.books()
        wrong = [
            text
            for key, x in after.executions.items()
            if x is not before.executions.get(key)
            for text in record_violations(x)
        ]
        wrong += gate_violations_at_rest(after)
        begun = [
            Lease(x, each.claim_type != "resume")
            for each in claimed
            if (x := after.executions[each.execution_id]).gates is not None
        ]
        if not any(isinstance(command, SetLimit | RemoveLimit | SetBudget | ResetBudget) for command in commands):
            taking = (command for command in commands if isinstance(command, TakeSlot | ParkAtLimit))
            with_blocks = {(NS, command.limit, command.key) for command in taking} | {
                (x.namespace, *x.gates.waits_at)
                for x in before.alive
                if x.gates is not None and x.gates.waits_at is not None
            }
            wrong += gate_violations_between(before, after, begun, with_blocks)
        self._note_corrections(commands, before, after)
        wrong += spending_miscounted(after, self.corrections, has_all_lines=not self.store._daily_sums)
        assert not wrong, (wrong, commands)
        self._before = after

    def _note_corrections(self, commands: Sequence[AnyCommand], before: Books, after: Books) -> None:
        """A correction is told by itself, so that the difference is what it has done."""
        if any(isinstance(command, ChargeBudget) for command in commands):
            for at, use in after.budget_uses.items():
                was = before.budget_uses.get(at, BudgetUse(*at))
                more, less = self.corrections.get(at, ({}, {}))
                self.corrections[at] = (
                    plus(more, minus(use.used, was.used)),
                    plus(less, minus(was.used, use.used)),
                )

    # ── commands ─────────────────────────────────────────────────────────────────────────────────

    def _anything(self) -> AnyCommand:
        choose = self.random.choices(
            (
                self._create,
                lambda: self._claim(self.random.choice((1, 3, 10))),
                self._of_a_lease,
                self._of_an_operator,
                self._of_a_limit,
                self._of_a_budget,
            ),
            (30, 25, 30, 10, 4, 4),
        )[0]
        return choose()

    def _create(self) -> AnyCommand:
        self.made += 1
        lane = self.random.choice(LANES)
        limits = tuple(
            (name, self.random.choice(KEYS)) for name in LIMITS if self.random.random() < 0.5 and self._has_limit(name)
        )
        budgets = tuple(
            (name, {"usd": self.random.choice((0, 3, 10))} if self.random.random() < 0.7 else {})
            for name in BUDGETS
            if self.random.random() < 0.3 and (NS, name) in self.store._budgets
        )
        budgets = tuple((name, {key: n for key, n in of.items() if n}) for name, of in budgets)
        fair_key = self.random.choice((None, None, "x", "y"))
        gates = Gates(limits, budgets, fair_key) if limits or budgets or fair_key else None
        when_full = self.random.choice(("wait", "wait", "wait", "drop_new", "cancel_oldest")) if limits else "wait"
        return CreateExecution(
            make_execution_id(lane_partition(lane), f"00000000-0000-7000-8000-{self.made:012x}"),
            False,
            "k",
            b"",
            lane,
            NS,
            self.random.choice((0, 0, 0, 5)),
            self.store.now_ms + 100 if self.random.random() < 0.1 else None,
            self.store.now_ms + 3_000 if self.random.random() < 0.1 else None,
            None,
            1,
            ("gpu",) if self.random.random() < 0.1 else (),
            POLICY,
            {},
            "return",
            gates,
            when_full,
        )

    def _has_limit(self, name: str) -> bool:
        return (NS, name, None) in self.store._limits

    def _claim(self, limit: int) -> Claim:
        capabilities = frozenset({"gpu"}) if self.random.random() < 0.7 else frozenset[str]()
        lanes = LANES if self.random.random() < 0.7 else LANES[:1]
        return Claim("w", "w", lanes, NS, capabilities, limit, 10_000, f"m{self.made}-{self.random.random()}")

    def _of_a_lease(self) -> AnyCommand:
        if not self.fences:
            return self._create()
        fence = self.random.choice(self.fences[-10:])
        budget = self.random.choice(BUDGETS)
        choices: list[AnyCommand] = [
            Complete(fence, b"r"),
            Fail(fence, "boom", "", True, None),
            Fail(fence, "boom", "", False, None),
            Release(fence),
            Delay(fence, self.store.now_ms + 200),
            Renew(fence, None),
            Suspend(fence, "editor", stored(checked("editor")), None, None, "resume", "waiting_for_signal", "kid"),
        ]
        limit, key = self.random.choice(LIMITS), self.random.choice(KEYS)
        choices += self.random.choices((TakeSlot(fence, limit, key, 1), GiveSlot(fence, limit, key)), k=3)
        choices.append(ParkAtLimit(fence, limit, key, 1))
        if (NS, budget) in self.store._budgets:
            choices += [
                Spend(fence, budget, {"usd": self.random.choice((1, 5))}, self.random.choice((None, "k1"))),
                Reserve(fence, budget, {self.random.choice(("usd", "usd", "tokens")): self.random.choice((1, 5))}),
                RecordStep(
                    fence, f"s{self.random.randrange(9)}", b"", b"", 1, StepCharge(budget, {"usd": 1}, {"usd": 5})
                ),
            ]
        return self.random.choice(choices)

    def _of_an_operator(self) -> AnyCommand:
        executions = self.executions()
        if not executions:
            return self._create()
        key = self.random.choice(executions).execution_id
        return self.random.choice(
            (
                CancelExecution(key, "r", "operator_override", None),
                RevokeLease(key, "", "", ""),
                ChangePriority(key, self.random.choice((0, 5))),
                Hold(key, ""),
                Unhold(key),
                ReplayExecution(key),
                ResumeExecution(key, b"", "", "kid"),
                ResumeExecution(key, b"", "", "kid"),
            )
        )

    def _of_a_limit(self) -> AnyCommand:
        name = self.random.choice(LIMITS)
        key = self.random.choice((None, None, *KEYS))
        if self.random.random() < 0.15:
            return RemoveLimit(NS, name, key)
        if self.random.random() < 0.2:
            return PauseLimit(NS, name, self.random.choice(KEYS), 2_000)
        return SetLimit(
            Limit(NS, name, key, self.random.choice((None, 1, 2, 3)), self.random.choice((2, 5)), 1_000, None), False
        )

    def _of_a_budget(self) -> AnyCommand:
        name = self.random.choice(BUDGETS)
        roll = self.random.random()
        if roll < 0.2:
            return ResetBudget(NS, name)
        if roll < 0.3:
            return ChargeBudget(NS, name, {"usd": self.random.choice((-20, 20))}, "")
        limits = {"usd": self.random.choice((5, 20, 60))}
        if name != "team" or self.random.random() < 0.6:
            limits["tokens"] = 100  # the dimensions of a budget may change while something is reserved
        return _budget(name, limits, self.random.choice(("pause", "cancel")))


def _budget(name: str, limits: dict[str, int], on_exceeded: str = "pause") -> SetBudget:
    parent = "company" if name == "team" else None
    period = Cron("* * * * *", "UTC")
    return SetBudget(NS, name, limits, {"usd": 4}, period, parent, on_exceeded, False)


def _fence(claimed: Claimed) -> Fence:
    lease = claimed.lease
    return Fence(ExecutionId(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id)
