"""Commands about limits and budgets."""

from collections.abc import Mapping

from flowfabric.domain.budgets import Amounts, OnExceeded
from flowfabric.domain.commands.command import Command
from flowfabric.domain.cron import Cron
from flowfabric.domain.gates import GateAt
from flowfabric.domain.lease import Fence
from flowfabric.domain.limits import Limit
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    BudgetSet,
    LimitFull,
    LimitSet,
    Parked,
    Reserved,
    SlotTaken,
    Spent,
)


class SetLimit(Command[LimitSet], frozen=True, tag=True, gc=False):
    """State the numbers of a limit, or of one key of it."""

    limit: Limit
    if_new: bool
    """Change nothing if there are numbers already: a program's numbers do not replace an operator's."""


class RemoveLimit(Command[None], frozen=True, tag=True, gc=False):
    """Make a limit unlimited, or give a key the numbers of all others again."""

    namespace: str
    name: str
    key: str | None


class PauseLimit(Command[None], frozen=True, tag=True, gc=False):
    """Let nothing start under a key for some time."""

    namespace: str
    name: str
    key: str
    for_ms: int


class SetBudget(Command[BudgetSet], frozen=True, tag=True, gc=False):
    """State a budget."""

    namespace: str
    name: str
    limits: Amounts
    soft_limits: Amounts
    period: Cron | int | None
    """A pattern, or the milliseconds of a span, which begins when the budget is first set. None: no periods."""
    parent: str | None
    on_exceeded: OnExceeded
    if_new: bool


class ResetBudget(Command[None], frozen=True, tag=True, gc=False):
    """Begin a new period of a budget now."""

    namespace: str
    name: str


class ChargeBudget(Command[Spent], frozen=True, tag=True, gc=False):
    """Correct what is used of a budget."""

    namespace: str
    name: str
    amounts: Mapping[str, int]
    """They may be negative."""
    reason: str


class Reserve(Command[Reserved], frozen=True, tag=True, gc=False):
    """Reserve a part of a budget for the running attempt."""

    fence: Fence
    budget: str
    amounts: Amounts


class Spend(Command[Spent], frozen=True, tag=True, gc=False):
    """Charge a budget with what the running attempt has spent."""

    fence: Fence
    budget: str
    amounts: Amounts
    idempotency_key: str | None


class TakeSlot(Command[SlotTaken | LimitFull], frozen=True, tag=True, gc=False):
    """Take a slot of a limit for a block of code of the running attempt, and keep the lease if there is none."""

    fence: Fence
    limit: str
    key: str
    block: int
    """The number of the block among those that the attempt has entered on this key."""


class ParkAtLimit(Command[SlotTaken | Parked | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """Take a slot of a limit for a block of code, or give up the lease until there is one."""

    fence: Fence
    limit: str
    key: str
    block: int


class GiveSlot(Command[None], frozen=True, tag=True, gc=False):
    """Give back the slot of a block of code that has ended. If the attempt holds none for a block, nothing changes."""

    fence: Fence
    limit: str
    key: str


class OpenGate(Command[bool], frozen=True, tag=True, gc=False):
    """Look at a gate, and let parked executions back into the queue if it has room. False: nobody was parked."""

    gate: GateAt


class ForgetKeyUse(Command[bool], frozen=True, tag=True, gc=False):
    """Remove the record of a key of a limit, if the key is idle."""

    namespace: str
    name: str
    key: str


class ForgetKeyTurn(Command[bool], frozen=True, tag=True, gc=False):
    """Remove the record of the last turn of a fair key, if the key is idle."""

    namespace: str
    lane: str
    priority: int
    fair_key: str


class ForgetBudgetUse(Command[bool], frozen=True, tag=True, gc=False):
    """Remove what was used of a budget in a period, if the period has long been over and nothing is reserved in it."""

    namespace: str
    name: str
    period_ms: int
