"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Mapping, Sequence
from typing import Literal

from flowfabric.domain.access import NewAccessToken, Principal, Role, Session, TokenKind, TokenRevoked
from flowfabric.domain.conditions import Condition
from flowfabric.domain.creation import NewChild, NewExecution, NewSchedule
from flowfabric.domain.errors import EngineError
from flowfabric.domain.events import EventPage
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
from flowfabric.domain.gate_snapshots import BudgetSnapshot, LimitSnapshot
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.lease import Lease
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.listing import Action
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    AlreadySet,
    Appended,
    BudgetSet,
    Cancelled,
    Claimed,
    Completed,
    Created,
    DependencyAdded,
    Dropped,
    Duplicate,
    DuplicateSignal,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowReplayed,
    FlowSubmitted,
    Held,
    LanePaused,
    LaneResumed,
    LeaseLost,
    LimitFull,
    LimitSet,
    Parked,
    PolicySet,
    PriorityChanged,
    Released,
    Renewed,
    Replayed,
    Reserved,
    Resumed,
    RetryScheduled,
    Revoked,
    ScheduleFired,
    ScheduleForgotten,
    SchedulePaused,
    ScheduleRan,
    ScheduleResumed,
    SecretRotated,
    Signal,
    Signalled,
    SlotTaken,
    Spent,
    StepRecorded,
    Summary,
    Suspended,
    TerminalFailed,
    Unheld,
    WaitOpened,
    WaitOver,
    Waitpoint,
)
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.seals import Seals
from flowfabric.domain.snapshots import (
    AttemptSnapshot,
    EndsInMinute,
    EndSnapshot,
    ExecutionSnapshot,
    FailureGroup,
    LaneSnapshot,
    OperatedPage,
    Page,
    Purged,
    ScheduleSnapshot,
    Stats,
    StepSnapshot,
    WorkerSnapshot,
)
from flowfabric.domain.states import PublicState
from flowfabric.domain.stream_pages import StreamPage
from flowfabric.domain.streams import Append, Frame, Said
from flowfabric.domain.wait_snapshots import WaitpointSnapshot
from flowfabric.domain.waiting import OnTimeout
from flowfabric.engine.engine import Engine

class BlockingMethods:
    """Every method of `Engine` that waits for an answer, waiting in the caller's thread."""

    _engine: Engine

    def __init__(self, engine: Engine) -> None: ...
    def reconcile(self) -> Mapping[str, int]:
        """Run every due duty once, for the whole store. Returns how much each duty did."""
    def recount(self) -> int:
        """Count everything, and put right the kept counts that differ, for the whole store. Returns how many differed.

        It reads every execution, so a large store takes seconds. Commits wait for it on SQLite, not on PostgreSQL.
        """
    def server_time_ms(self) -> int:
        """The store's time."""
    def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be reached."""
    def create_access_token(
        self,
        role: Role,
        *,
        namespace: str | None = None,
        name: str | None = None,
        expires_in_ms: int | None = None,
        approves_own: bool = False,
        command_id: str | None = None,
    ) -> NewAccessToken:
        """Make an access token. Its secret is in the answer, and nowhere else: only a hash is stored.

        Without a namespace it opens all of them. `name` says who holds it, and is the actor of what it does; without
        one it is called by its id. With `approves_own`, an approver may also approve what it has made itself.
        """
    def create_login_token(
        self, role: Role = "admin", *, namespace: str | None = None, name: str = "local"
    ) -> NewAccessToken:
        """Make a login link: it opens one session, within ten minutes. A server on this machine prints one."""
    def log_in(self, secret: str) -> Session | None:
        """Open a session with a token or a login link: for twelve hours, and not longer than its token is good.

        None: this opens no session, and nothing says why. A login link is used up. A token has at most twenty sessions:
        a further one ends the oldest.
        """
    def log_out(self, secret: str) -> None:
        """End a session. A repeat does no harm, and neither does a token that is no session. Its token stays good."""
    def authenticate(self, secret: str) -> Principal | None:
        """Who sent this token. None: it is not good, for whatever reason. A login link is not.

        What was read of a token is used for at most a second. An engine that is confined to a namespace lets tokens of
        that namespace in, and tokens for all namespaces, confined as well.
        """
    def list_access_tokens(
        self,
        *,
        namespace: str | None = None,
        kind: TokenKind | None = "access",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Access tokens, newest first, page by page, also those that are no good any more. None of them has its secret.

        `kind`: `"access"`, `"session"`, `"login"`, or None for all. A token that is no good is kept for thirty days.
        """
    def revoke_access_token(
        self, token_id: str, *, reason: str = "", command_id: str | None = None
    ) -> TokenRevoked | AlreadySatisfied:
        """Make a token or a session worthless, and the sessions that the token has opened.

        In this engine that holds at once, in others within a second.
        """
    def has_access_tokens(self) -> bool:
        """Whether there is any access token, good or not, in any namespace. Sessions and login links do not count."""
    def append_frames(
        self,
        lease: Lease,
        frames: Sequence[Frame | bytes],
        *,
        step: str | None = None,
        first_seq: int | None = None,
        command_id: str | None = None,
    ) -> Appended:
        """Append frames to the stream of a leased execution. Bytes are the frame of a text.

        With `first_seq`, the number of the first frame, the same frames may be sent again: they count once.
        """
    def append_all(self, appends: Sequence[Append], *, command_id: str | None = None) -> list[Appended | LeaseLost]:
        """`append_frames` for many executions in one command. Each gets its own answer, in order."""
    def append_said(self, items: Sequence[Said], *, command_id: str | None = None) -> list[Appended | LeaseLost]:
        """`append_all` for frames that are packed already, as a worker's are.

        Wait for the answer before you send more frames of the same execution: only then it is certain that these come
        first.
        """
    def patch_summary(self, lease: Lease, patch: Mapping[str, object], *, command_id: str | None = None) -> Summary:
        """Merge a patch into the summary of a leased execution: None removes a member, objects are merged."""
    def read_summary(self, execution_id: str) -> Summary | None:
        """The summary of an execution. None: it has none."""
    def read_stream(
        self,
        execution_id: str,
        *,
        cursor: str | None = None,
        limit: int = 500,
        view: Literal["effective", "all"] = "effective",
    ) -> StreamPage:
        """The next frames of a stream, in order. An empty page: there are no more for now.

        `effective`: the frames that count. If frames that were read before the cursor no longer count, the page begins
        with a `restart` frame, which is not counted for `limit`. `all`: every frame that was written and is kept.
        """
    def take_slot(
        self,
        lease: Lease,
        limit: str,
        key: str = "",
        *,
        block: int = 1,
        park: bool = False,
        command_id: str | None = None,
    ) -> SlotTaken | LimitFull | Parked | AlreadySatisfied:
        """Take a slot and a start of a limit for a block of code. The slot ends with the lease, or with `give_slot`.

        LimitFull: there is no room, and the lease is kept. With `park`, the lease is given up instead, with everything
        that it holds; the answer is Parked, and the execution is claimed again when there is room, with this slot and
        those that it held, as the same attempt. AlreadySatisfied("another_wait_is_over"): one of its waits has ended
        meanwhile, so the lease is kept. An execution holds one slot of a key: if it has one, it goes on. `block` is
        the number of the block among those that the attempt has entered on this key.
        """
    def give_slot(self, lease: Lease, limit: str, key: str = "", *, command_id: str | None = None) -> None:
        """Give back the slot of a block of code. A slot of a limit that the execution names is kept with the lease."""
    def wait_for_slot(self, lease: Lease, limit: str, key: str = "", *, timeout_ms: int) -> bool:
        """Wait, under a lease, until a limit may have room. The lease is kept, and nothing is taken.

        False: the time is over, or the lease is.
        """
    def set_limit(
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
    def remove_limit(
        self, name: str, *, key: str | None = None, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Make a limit unlimited at once; what was parked at it goes on. With `key`, remove that key's own numbers."""
    def pause_limit(
        self, name: str, key: str = "", *, for_ms: int, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Let nothing start under a key for some time. What runs goes on. A longer pause is not shortened."""
    def describe_limit(self, name: str, key: str = "", *, namespace: str = "default") -> LimitSnapshot | None:
        """One key of a limit: its numbers, what is used and by which executions, and how many wait.

        None: there is no such limit.
        """
    def list_limits(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All limits by namespace, name and key, page by page: each with the key "", and with every key in use."""
    def set_budget(
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
    def reset_budget(self, name: str, *, namespace: str = "default", command_id: str | None = None) -> None:
        """Begin a new period of a budget now, so that nothing of it is used."""
    def charge_budget(
        self,
        name: str,
        amounts: Mapping[str, int],
        *,
        reason: str,
        namespace: str = "default",
        command_id: str | None = None,
    ) -> Spent:
        """Correct what is used of a budget and of its ancestors. Amounts may be negative; nothing goes below 0."""
    def describe_budget(self, name: str, *, namespace: str = "default") -> BudgetSnapshot | None:
        """One budget: its limits, what is used and reserved in this period, and how many wait. None: there is none."""
    def list_budgets(self, *, namespace: str | None = None, cursor: str | None = None, limit: int = 100) -> Page:
        """All budgets by namespace and name, page by page."""
    def list_spending(
        self,
        name: str,
        *,
        by: Literal["execution", "flow", "kind", "day"],
        namespace: str = "default",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """What was spent of a budget, summed up by execution, flow, kind or day, page by page."""
    def reserve(
        self, lease: Lease, budget: str, amounts: Mapping[str, int], *, command_id: str | None = None
    ) -> Reserved:
        """Reserve a part of a budget for the running attempt, or raise BudgetExceeded. It ends with the lease."""
    def spend(
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
    def create_children(
        self, lease: Lease, name: str, items: Sequence[NewChild], *, command_id: str | None = None
    ) -> list[Created | Duplicate]:
        """Make a group of children of the leased execution: all items or none, with one answer per item.

        Their ids follow from the parent, the name and their places, so every attempt makes the same children once.
        Another number of items or other kinds under the same name are a Conflict. After a replay of the parent that
        keeps its steps, children that did not succeed are replayed by this. A parent has at most 10,000 children, a
        group at most 1,000, and children nest at most 16 deep.
        """
    def list_children(self, execution_id: str, *, cursor: str | None = None, limit: int = 100) -> Page:
        """The children of an execution as snapshots, oldest first; those of one group in the order of its items."""
    def get_ends(self, execution_ids: Sequence[str]) -> list[EndSnapshot | None]:
        """How executions have ended, with their results, in the given order and in one read. None: there is none."""
    def signal(
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
    def signal_by_token(
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
    def describe_token(self, token: str) -> WaitpointSnapshot:
        """The waitpoint that the token opens, for the page behind a link: it says what is asked. Nothing changes.

        Every token that is wrong is InvalidToken. WaitpointClosed: the waitpoint is gone, because of a replay.
        """
    def signal_alias(
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
    def list_signals(self, execution_id: str, *, key: str | None = None) -> list[Signal]:
        """All signals of this life of the execution, in the order of their arrival: also those that a wait has taken.

        `key`: only the signals of this waitpoint.
        """
    def issue_token(self, execution_id: str, key: str, *, source: str = "", command_id: str | None = None) -> Waitpoint:
        """A token of a waitpoint. `source`: it is issued for this person, and signals by it come from this person.

        If the execution has no waitpoint of this key, one is made. Without a source, this is the same token that
        `create_waitpoint` returns. A waitpoint has tokens for 1,000 persons at most; one more is InvalidInput.
        """
    def rotate_waitpoint_secret(
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
    def list_waitpoint_kids(self) -> Mapping[str, int | None]:
        """The keys whose tokens are good, by their names, with the end of their grace. None: it is the current one."""
    def seals(self, purpose: str) -> Seals:
        """Seals for what a server hands out, with the keys that sign tokens. Use them for a second at most."""
    def create_waitpoint(
        self,
        lease: Lease,
        key: str,
        *,
        expires_in_ms: int | None = None,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
        command_id: str | None = None,
    ) -> Waitpoint:
        """Make a waitpoint of the execution before anybody waits there, so that its token can be handed out.

        Every later call with the same key returns the same waitpoint and the same token, in every attempt. `about`
        is shown to people, and `alias` is a business key under which `signal_alias` finds the waitpoint: no other open
        waitpoint of the namespace may have it. What is given first stays. After `expires_in_ms` it takes no signals.
        """
    def open_wait(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: OnTimeout = "resume",
        reason: str = "waiting_for_signal",
        command_id: str | None = None,
    ) -> WaitOpened | WaitOver:
        """Wait for a condition and keep the lease. WaitOver: the wait of this name is over, now or from before.

        A wait is a step that others complete: signals that the condition takes, its timeout, or an operator. Its end
        is stored, so no later attempt waits again. What was stored first stands, also the timeout. The same name with
        another condition is refused as Conflict. `wait_for_wait` waits for the end.
        """
    def suspend(
        self,
        lease: Lease,
        name: str,
        condition: Condition | str,
        *,
        timeout_ms: int | None = None,
        timeout_at_ms: int | None = None,
        on_timeout: OnTimeout = "resume",
        reason: str = "waiting_for_signal",
        command_id: str | None = None,
    ) -> Suspended | WaitOver | AlreadySatisfied:
        """The same as `open_wait`, but if the wait is not over, the lease is given up. Nothing is held meanwhile.

        The execution goes on when any of its open waits is over. WaitOver: this wait is over, and the lease is kept.
        AlreadySatisfied("another_wait_is_over"): another wait has ended under this lease, and no `open_wait` or
        `suspend` has answered its end. The lease is kept, too. Ask `open_wait` for all waits before you suspend again:
        this answer comes again until you have asked for the wait that is over.
        """
    def wait_for_wait(self, lease: Lease, name: str, *, timeout_ms: int) -> WaitOver | None:
        """Wait, under a lease, until the wait of this name is over, and return its end. The lease is not given up.

        None: the time is over, or the lease is. A commit of this process, a report of another process's commit, or
        the poll of this process ends the wait. This is a read: the engine does not learn that the worker knows the
        end, so a later `suspend` may answer AlreadySatisfied("another_wait_is_over") because of it.
        """
    def get_wait(self, execution_id: str, name: str) -> WaitOver | None:
        """The end of a wait. None: the execution has no wait of this name that is over."""
    def resume_execution(
        self, execution_id: str, payload: bytes = b"", *, reason: str = "", command_id: str | None = None
    ) -> Resumed | AlreadySatisfied:
        """End all open waits of a suspended execution, whatever they wait for, so that it goes on.

        Each wait gets one signal with this payload, the name `resumed` and the source `operator`.
        AlreadySatisfied("not_suspended"): the execution is not suspended.
        """
    def close_waitpoint(self, execution_id: str, key: str, *, reason: str = "", command_id: str | None = None) -> None:
        """Take no more signals at a waitpoint. Signals that are there stay, and a repeat does no harm."""
    def list_waitpoints(self, execution_id: str) -> list[WaitpointSnapshot]:
        """The waitpoints of the execution, oldest first. No token is shown, only its kid and its fingerprint."""
    def list_waiting(
        self, *, namespace: str | None = None, key: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page:
        """Suspended executions, the one that has waited longest first. `key`: only those that wait at this key.

        Keys have no index: with a key, all suspended executions are looked at until enough are found.
        """
    def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make one execution for each slot that is due, and note that the schedule's code is alive.

        Each slot fires once, even if several processes call this. The first call makes the schedule known, and no slot
        before it is due. Another definition with the same name fires nothing while the stored one is alive, unless
        `replace` is true.
        """
    def pause_schedule(
        self, name: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed. The slots in between never fire."""
    def resume_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleResumed:
        """Let a paused schedule fire again, from its next slot on."""
    def run_schedule(self, name: str, *, namespace: str = "default", command_id: str | None = None) -> ScheduleRan:
        """Make the execution of a schedule once, now and out of turn. Its slots and a pause stay as they are."""
    def forget_schedule(
        self, name: str, *, namespace: str = "default", command_id: str | None = None
    ) -> ScheduleForgotten:
        """Remove a schedule whose code is gone. Refused if the schedule is not orphaned."""
    def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""
    def explain(self, execution_id: str) -> str:
        """One sentence: why the execution is not running, or what it waits for."""
    def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now. None: there is no such execution."""
    def find_executions(self, uuid: str) -> list[ExecutionSnapshot]:
        """The executions whose id ends with this uuid: one, unless callers have used the uuid in several ids."""
    def get_result(self, execution_id: str) -> bytes | None:
        """The exact bytes of the execution's result. None: there is no result yet."""
    def get_payload(self, execution_id: str) -> bytes:
        """The exact bytes of the execution's payload."""
    def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended, and return it. Raises TimeoutError after `timeout_ms`.

        If the store is away, this waits until it is back.
        """
    def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]:
        """Every attempt of the execution, first to last."""
    def attempt_deadline_ms(self, execution_id: str) -> int | None:
        """When the running attempt is over at the latest, by its timeout or the execution's deadline. None: never."""
    def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution, first to last."""
    def get_step(self, execution_id: str, name: str) -> StepSnapshot | None:
        """One stored step of the execution. None: there is no such step. This reads no other step."""
    def list_workers(self, *, namespace: str | None = None) -> list[WorkerSnapshot]:
        """Workers that are alive or have died within the last day, by namespace and instance id."""
    def list_lanes(self, *, namespace: str | None = None) -> list[LaneSnapshot]:
        """Every lane that has executions or recent ends, that a worker serves, or that is paused.

        Its counts are kept, so this takes milliseconds, however many executions there are.
        """
    def stats(self, *, namespace: str | None = None) -> Stats:
        """The store in numbers. They are kept, so this takes milliseconds, however many executions there are."""
    def throughput(
        self, *, since_ms: int, until_ms: int | None = None, namespace: str | None = None
    ) -> list[EndsInMinute]:
        """How many executions have ended in each minute, by state: from the minute of `since_ms` to that of `until_ms`.

        A minute in which none has ended is missing. Ends are kept for a day. `until_ms` None: until now. An execution
        that ends and is replayed in the same commit is not counted as ended.
        """
    def recent_failures(self, *, since_ms: int, namespace: str | None = None, limit: int = 100) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message, the most frequent first.

        It looks at the newest 10,000 executions that have a failure, so it takes milliseconds.
        """
    def list_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Executions as snapshots, newest first."""
    def count_executions(
        self,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
    ) -> int:
        """How many executions a list with these filters would show."""
    def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = 500,
    ) -> EventPage:
        """The next events after the cursor, in order. An empty page: there are no later events yet."""
    def newest_events(
        self, *, channels: Sequence[str] | None = None, namespace: str | None = None, limit: int = 100
    ) -> EventPage:
        """The newest events, oldest first, and the cursor of the end of the log: `subscribe` goes on from it.

        It looks at the last 10,000 events of the log, so a filter may find fewer than there are.
        """
    def cancel_execution(
        self,
        execution_id: str,
        *,
        reason: str,
        source: str = "operator_override",
        lease_epoch: int | None = None,
        command_id: str | None = None,
    ) -> Cancelled:
        """End the execution for good, running or not. A second cancel changes nothing."""
    def revoke_lease(
        self,
        execution_id: str,
        *,
        worker_instance_id: str = "",
        expected_lease_id: str = "",
        reason: str = "",
        command_id: str | None = None,
    ) -> Revoked | AlreadySatisfied:
        """End the lease, and put the execution back into the queue. The former holder can change nothing any more."""
    def change_priority(self, execution_id: str, priority: int, *, command_id: str | None = None) -> PriorityChanged:
        """Move a waiting execution in its queue."""
    def replay_execution(
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
    def hold(self, execution_id: str, *, reason: str = "", command_id: str | None = None) -> Held:
        """Keep a runnable execution from being claimed until `unhold`."""
    def unhold(self, execution_id: str, *, command_id: str | None = None) -> Unheld:
        """End the hold of an execution."""
    def pause_lane(
        self, lane: str, *, namespace: str = "default", reason: str = "", command_id: str | None = None
    ) -> LanePaused:
        """Let nothing be claimed from a lane until it is resumed. Running executions go on. A repeat does no harm."""
    def resume_lane(self, lane: str, *, namespace: str = "default", command_id: str | None = None) -> LaneResumed:
        """Let executions of a lane be claimed again, and wake the claims that wait there. A repeat does no harm."""
    def operate(
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
    def purge(
        self, *, ended_before_ms: int, namespace: str | None = None, cursor: str | None = None, limit: int = 500
    ) -> Purged:
        """Remove executions and flows that ended before an instant, with all that belongs to them.

        Their retention need not be over. One call removes at most `limit` executions, or, when none is left, at most
        `limit` flows. Call it until there is no cursor. Nothing that lives is ever removed.
        """
    def set_tag(self, execution_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on an execution, or change its value."""
    def create_execution(
        self,
        kind: str,
        payload: bytes = b"",
        *,
        lane: str = "default",
        namespace: str = "default",
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86400000,
        required_capabilities: Sequence[str] = ...,
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
        idempotency_on_ended: OnEnded = "return",
        limits: Mapping[str, str] = ...,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = ...,
        when_full: WhenFull = "wait",
        debounce_ms: int | None = None,
        debounce_key: str = "",
        command_id: str | None = None,
        conn: object = None,
    ) -> Created | Duplicate | Dropped:
        """Make an execution, once per idempotency key and once per id. When this returns, it cannot be lost.

        A key stands for the same execution until the key expires. With `idempotency_on_ended="renew_failed"`, a new
        execution takes the key if the old one has ended without success; with `"renew"`, if the old one has ended at
        all. With `conn`, the caller's own connection, the execution is part of the transaction that is open there.
        With `debounce_ms`, it starts after this time; if another one of its kind and `debounce_key` is made before it
        has started, it is cancelled with the reason `replaced`.
        """
    def create_from(
        self, item: NewExecution, *, command_id: str | None = None, conn: object = None
    ) -> Created | Duplicate | Dropped:
        """Do what `create_execution` does; the arguments are in one value."""
    def create_executions(
        self, items: Sequence[NewExecution], *, command_id: str | None = None, conn: object = None
    ) -> list[Created | Duplicate | Dropped]:
        """Make all items or none, with one answer per item. If an item is refused, the error names its index."""
    def create_flow(
        self,
        kind: str,
        *,
        namespace: str = "default",
        flow_id: str | None = None,
        tags: Mapping[str, str] = ...,
        command_id: str | None = None,
    ) -> FlowCreated | FlowExists:
        """Make an empty flow, once per id."""
    def add_execution(
        self,
        flow_id: str,
        kind: str,
        payload: bytes = b"",
        *,
        after: Sequence[str | tuple[str, str]] = ...,
        join: AllOf | AnyOf | Quorum | None = None,
        lane: str = "default",
        namespace: str = "default",
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86400000,
        required_capabilities: Sequence[str] = ...,
        policy: ExecutionPolicy = ...,
        tags: Mapping[str, str] = ...,
        idempotency_on_ended: OnEnded = "return",
        limits: Mapping[str, str] = ...,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = ...,
        when_full: WhenFull = "wait",
        command_id: str | None = None,
    ) -> Created | Duplicate:
        """Make a member of a flow that waits for other members. An upstream with a name passes its result on.

        The keywords are those of `create_execution`. A member always waits for its limits: `when_full` is `"wait"`.
        """
    def add_dependency(
        self,
        flow_id: str,
        upstream: str,
        downstream: str,
        *,
        edge_id: str | None = None,
        condition: Literal["success_only"] = "success_only",
        pass_result_as: str | None = None,
        expected_graph_revision: int | None = None,
        command_id: str | None = None,
    ) -> DependencyAdded:
        """Let one member wait for another. Refused if it has already started: use `add_execution(after=...)`."""
    def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum, *, command_id: str | None = None
    ) -> PolicySet | AlreadySet:
        """Set how the edges that lead to a member are joined. This is possible only before the first edge."""
    def submit_flow(self, graph: FlowGraph, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow in one transaction: all of it, or nothing."""
    def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
        command_id: str | None = None,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good. With `wait`, return when the code of every member has stopped, or its worker is lost."""
    def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> FlowReplayed:
        """Bring members of a flow back to life, in one decision; also members of a cancelled flow.

        `failed`: the members that did not complete, also the skipped ones. `all`: all members, from scratch unless
        `steps` says otherwise. A sequence of ids: these members and everything downstream of them. With `dry_run`
        nothing is changed, and the answer or the refusal is the same.
        """
    def ack_cancel_member(self, flow_id: str, execution_id: str, *, command_id: str | None = None) -> None:
        """Acknowledge that the code of a member that was cancelled while it ran has stopped. A repeat does no harm."""
    def set_flow_tag(self, flow_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on a flow, or change its value."""
    def describe_flow(self, flow_id: str) -> FlowSnapshot | None:
        """The flow as it is now, with what its members wait for. None: there is no such flow."""
    def list_flows(
        self, *, namespace: str | None = None, state: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page:
        """Flows as snapshots, newest first. `describe_flow` also shows what the members wait for."""
    def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]:
        """The flow's edges, by id: all, or those from one execution, or to one."""
    def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None:
        """One edge as it is now. None: there is no such edge, or no such flow."""
    def follow_events(self, execution_id: str, *, cursor: str | None = None) -> EventPage:
        """Wait for the next events of one execution. An empty page: it has ended, and there are no more events."""
    def wait_for_flow(self, flow_id: str, *, timeout_ms: int | None = None) -> FlowSnapshot:
        """Wait until all members have ended, and return the flow. Raises TimeoutError after `timeout_ms`.

        A flow without members is not over: a member may still be added.
        """
    def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        limit: int = 1,
        lease_ttl_ms: int = 30000,
        command_id: str | None = None,
    ) -> list[Claimed]:
        """Lease executions that may run now: highest priority first, then oldest. Empty: none may run. Never waits."""
    def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        limit: int = 1,
        lease_ttl_ms: int = 30000,
        poll_ms: int = 1000,
        timeout_ms: int | None = None,
    ) -> list[Claimed]:
        """The same as `claim`, but waits until something may run. Empty: the timeout is over, and nothing may run.

        An execution that is submitted in this process meanwhile is created and leased in the same transaction. Wake-ups
        report work that other processes make ready, and in any case there is a poll once per poll interval.

        If the store is away, this waits until it is back. It raises StoreUnavailable if the timeout is over before.
        """
    def wait_until_ready(
        self,
        *,
        lanes: Sequence[str],
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        poll_ms: int = 1000,
    ) -> None:
        """Wait until one of the lanes has something that a worker with these capabilities can claim. Claim nothing.

        It may be gone when this returns.
        """
    def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None, command_id: str | None = None) -> Renewed:
        """Keep a live lease. A lease that is over is never revived."""
    def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command. Each lease gets its own answer, in order."""
    def record_step(
        self,
        lease: Lease,
        name: str,
        result: bytes,
        *,
        fingerprint: bytes = b"",
        tries: int = 1,
        budget: str | None = None,
        spent: Mapping[str, int] = ...,
        reserved: Mapping[str, int] = ...,
        command_id: str | None = None,
    ) -> StepRecorded:
        """Store the result of a named step. If the same name and fingerprint come again, the first result stays.

        `tries` says how often this attempt has called the step's function. It is shown to people. With `budget`, what
        the step has `spent` is charged together with the result, once; what was `reserved` for it and not spent is
        reserved no longer.
        """
    def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ...,
        namespace: str = "default",
        capabilities: Sequence[str] = ...,
        host: str = "",
        pid: int = 0,
        version: str = "",
        ttl_ms: int = 30000,
        command_id: str | None = None,
    ) -> None:
        """Report that a worker lives and what it serves. Without a heartbeat for `ttl_ms` it counts as dead."""
    def say_goodbye(
        self, worker_instance_id: str, *, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Remove a worker from the list of workers, because it stops. A repeat does no harm."""
    def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution with success. A repeat with the same lease gets the same answer and changes nothing."""
    def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many executions. Each gets its own answer, in order. A refusal is one of the answers."""
    def fail(
        self,
        lease: Lease,
        *,
        code: str,
        message: str = "",
        retryable: bool = True,
        retry_after_ms: int | None = None,
        traceback: str | None = None,
        command_id: str | None = None,
    ) -> RetryScheduled | TerminalFailed:
        """Report a failed attempt. The execution's policy decides whether another attempt follows."""
    def release(self, lease: Lease, *, command_id: str | None = None) -> Released:
        """Give the execution back. Neither a retry nor an interruption is counted."""
    def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Give the execution back, to be claimed again from the given instant on."""
    def progress(
        self, lease: Lease, *, percent: int | None = None, message: str | None = None, command_id: str | None = None
    ) -> None:
        """Store the progress of the attempt. A field that is left out stays as it was."""
