"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Mapping
from typing import Literal, Protocol

from flowfabric.domain.creation import NewSchedule
from flowfabric.domain.gate_snapshots import BudgetSnapshot, LimitSnapshot
from flowfabric.domain.lease import Lease
from flowfabric.domain.listing import Action
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    BudgetSet,
    Cancelled,
    DuplicateSignal,
    Held,
    LanePaused,
    LaneResumed,
    LimitSet,
    PriorityChanged,
    Replayed,
    Reserved,
    Revoked,
    ScheduleFired,
    ScheduleForgotten,
    SchedulePaused,
    ScheduleRan,
    ScheduleResumed,
    SecretRotated,
    Signal,
    Signalled,
    Spent,
    Unheld,
    Waitpoint,
)
from flowfabric.domain.seals import Seals
from flowfabric.domain.snapshots import OperatedPage, Page, Purged, ScheduleSnapshot
from flowfabric.domain.states import PublicState
from flowfabric.domain.wait_snapshots import WaitpointSnapshot


class Steering(Protocol):
    """Methods of `Engine`, by the same names."""

    async def cancel_execution(
        self,
        execution_id: str,
        *,
        reason: str,
        source: str = "operator_override",
        lease_epoch: int | None = None,
        command_id: str | None = None,
    ) -> Cancelled:
        """End the execution for good, running or not. A second cancel changes nothing."""

    async def revoke_lease(
        self,
        execution_id: str,
        *,
        worker_instance_id: str = "",
        expected_lease_id: str = "",
        reason: str = "",
        command_id: str | None = None,
    ) -> Revoked | AlreadySatisfied:
        """End the lease, and put the execution back into the queue. The former holder can change nothing any more."""

    async def change_priority(
        self, execution_id: str, priority: int, *, command_id: str | None = None
    ) -> PriorityChanged:
        """Move a waiting execution in its queue."""

    async def replay_execution(
        self,
        execution_id: str,
        *,
        steps: Literal["keep", "clear"] | None = None,
        from_step: str | None = None,
        command_id: str | None = None,
    ) -> Replayed:
        """Bring an ended execution back to life, under the same id, with fresh budgets.

        `steps="keep"`: stored steps do not run again. `steps="clear"`: all steps run again. `from_step`: this step and
        all later ones run again. Without these, an execution that has completed starts from scratch, and any other
        execution keeps its steps.
        """

    async def hold(self, execution_id: str, *, reason: str = "", command_id: str | None = None) -> Held:
        """Keep a runnable execution from being claimed until `unhold`."""

    async def unhold(self, execution_id: str, *, command_id: str | None = None) -> Unheld:
        """End the hold of an execution."""

    async def pause_lane(
        self, lane: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> LanePaused:
        """Let nothing be claimed from a lane until it is resumed. Running executions go on. A repeat does no harm."""

    async def resume_lane(self, lane: str, *, namespace: str = "default", command_id: str | None = None) -> LaneResumed:
        """Let executions of a lane be claimed again, and wake the claims that wait there. A repeat does no harm."""

    async def operate(
        self,
        action: Action,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        reason: str = "",
        priority: int | None = None,
        steps: Literal["keep", "clear"] | None = None,
        cursor: str | None = None,
        limit: int = 500,
    ) -> OperatedPage:
        """Do one action to the next executions that pass the filters, newest first. Call it until there is no cursor.

        Each execution is decided by itself, as the single command would be. Each one that existed at the first call is
        handled once, even if the action changes a field that the filters use. Executions that are created later are
        not handled.
        """

    async def purge(
        self, *, ended_before_ms: int, namespace: str | None = None, cursor: str | None = None, limit: int = 500
    ) -> Purged:
        """Remove executions and flows that ended before an instant, with all that belongs to them.

        Their retention need not be over. One call removes at most `limit` executions, or, when none is left, at most
        `limit` flows. Call it until there is no cursor. Nothing that lives is ever removed.
        """

    async def set_tag(self, execution_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on an execution, or change its value."""

    async def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make one execution for each slot that is due, and note that the schedule's code is alive.

        Each slot fires once, even if several processes call this. The first call makes the schedule known, and no slot
        before it is due. Another definition with the same name fires nothing while the stored one is alive, unless
        `replace` is true.
        """

    async def pause_schedule(
        self, name: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed. The slots in between never fire."""

    async def resume_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleResumed:
        """Let a paused schedule fire again, from its next slot on."""

    async def run_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleRan:
        """Make the execution of a schedule once, now and out of turn. Its slots and a pause stay as they are."""

    async def forget_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleForgotten:
        """Remove a schedule whose code is gone. Refused if the schedule is not orphaned."""

    async def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""

    async def signal(
        self,
        execution_id: str,
        key: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to a waitpoint of an execution. If nobody waits there yet, it is kept for a later wait.

        A signal is taken by one wait, once. The same idempotency key at the same waitpoint is DuplicateSignal, also
        after the end of the execution; with another payload it is refused as Conflict. NotSignalable: the execution
        has ended. WaitpointClosed: the waitpoint has expired, or an operator has closed it.
        """

    async def signal_by_token(
        self,
        token: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to the waitpoint of a token. The sender may be a stranger, so `source` is only claimed.

        The signal comes from the person for whom the token was issued, or else from the fingerprint of the token.
        Every token that is wrong is refused with the same InvalidToken, before anything is written. Otherwise the
        answers are those of `signal`.
        """

    async def describe_token(self, token: str) -> WaitpointSnapshot:
        """The waitpoint that the token opens, for the page behind a link: it says what is asked. Nothing changes.

        Every token that is wrong is InvalidToken. WaitpointClosed: the waitpoint is gone, because of a replay.
        """

    async def signal_alias(
        self,
        alias: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        namespace: str = "default",
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to the waitpoint that has this alias. NoWaiter: no open waitpoint has it.

        Otherwise the answers are those of `signal`.
        """

    async def list_signals(self, execution_id: str, *, key: str | None = None) -> list[Signal]:
        """All signals of this life of the execution, in the order of their arrival: also those that a wait has taken.

        `key`: only the signals of this waitpoint.
        """

    async def issue_token(
        self, execution_id: str, key: str, *, source: str = "", command_id: str | None = None
    ) -> Waitpoint:
        """A token of a waitpoint. `source`: it is issued for this person, and signals by it come from this person.

        If the execution has no waitpoint of this key, one is made. Without a source, this is the same token that
        `create_waitpoint` returns. A waitpoint has tokens for 1,000 persons at most; one more is InvalidInput.
        """

    async def rotate_waitpoint_secret(
        self,
        *,
        kid: str | None = None,
        secret: bytes | None = None,
        grace_ms: int = 604800000,
        command_id: str | None = None,
    ) -> SecretRotated:
        """Sign tokens with a new key from now on. Tokens of the former key are good for another `grace_ms`.

        Those of still older keys are good for that long at most. So with 0 no earlier token is good any more.
        Without a secret a new one is made. The same kid and secret again change nothing; the same kid with another
        secret is refused as Conflict. Keys that come from the environment are rotated there, so this is refused.
        """

    async def list_waitpoint_kids(self) -> Mapping[str, int | None]:
        """The keys whose tokens are good, by their names, with the end of their grace. None: it is the current one."""

    async def seals(self, purpose: str) -> Seals:
        """Seals for what a server hands out, with the keys that sign tokens. Use them for a second at most."""

    async def set_limit(
        self,
        name: str,
        *,
        key: str | None = None,
        concurrency: int | None = None,
        rate: int | None = None,
        per_ms: int = 60000,
        burst: int | None = None,
        namespace: str = "default",
        if_new: bool = False,
        command_id: str | None = None,
    ) -> LimitSet:
        """State how many executions may run at once and how many attempts may start, for each key by itself.

        The whole definition is stated: what is left out is unlimited. It holds at once. With `key`, these numbers hold
        for that key alone. With `if_new`, nothing changes if there are numbers already.
        """

    async def remove_limit(
        self, name: str, *, key: str | None = None, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Make a limit unlimited at once; what was parked at it goes on. With `key`, remove that key's own numbers."""

    async def pause_limit(
        self, name: str, key: str = "", *, for_ms: int, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Let nothing start under a key for some time. What runs goes on. A longer pause is not shortened."""

    async def describe_limit(self, name: str, key: str = "", *, namespace: str = "default") -> LimitSnapshot | None:
        """One key of a limit: its numbers, what is used and by which executions, and how many wait.

        None: there is no such limit.
        """

    async def list_limits(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All limits by namespace, name and key, page by page: each with the key "", and with every key in use."""

    async def set_budget(
        self,
        name: str,
        *,
        limits: Mapping[str, int],
        soft_limits: Mapping[str, int] = ...,
        period: str | None = None,
        timezone: str = "UTC",
        parent: str | None = None,
        on_exceeded: Literal["pause", "cancel"] = "pause",
        namespace: str = "default",
        if_new: bool = False,
        command_id: str | None = None,
    ) -> BudgetSet:
        """State how much may be spent in each dimension, within a period. It holds at once.

        `period`: `"day"`, `"week"`, `"month"`, a span such as `"7d"`, or a cron pattern. What is spent counts in the
        parent and its ancestors, too. With `if_new`, nothing changes if the budget exists.
        """

    async def reset_budget(self, name: str, *, namespace: str = "default", command_id: str | None = None) -> None:
        """Begin a new period of a budget now, so that nothing of it is used."""

    async def charge_budget(
        self,
        name: str,
        amounts: Mapping[str, int],
        *,
        reason: str,
        namespace: str = "default",
        command_id: str | None = None,
    ) -> Spent:
        """Correct what is used of a budget and of its ancestors. Amounts may be negative; nothing goes below 0."""

    async def describe_budget(self, name: str, *, namespace: str = "default") -> BudgetSnapshot | None:
        """One budget: its limits, what is used and reserved in this period, and how many wait. None: there is none."""

    async def list_budgets(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All budgets by namespace and name, page by page."""

    async def list_spending(
        self,
        name: str,
        *,
        by: Literal["execution", "flow", "kind", "day"],
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """What was spent of a budget, summed up by execution, flow, kind or day, page by page."""

    async def reserve(
        self, lease: Lease, budget: str, amounts: Mapping[str, int], *, command_id: str | None = None
    ) -> Reserved:
        """Reserve a part of a budget for the running attempt, or raise BudgetExceeded. It ends with the lease."""

    async def spend(
        self,
        lease: Lease,
        budget: str,
        amounts: Mapping[str, int],
        *,
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Spent:
        """Charge a budget with what the attempt has spent. It always counts; what was reserved pays first.

        The same idempotency key again, within the execution and the budget, gets the first answer.
        """
