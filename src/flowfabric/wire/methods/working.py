"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from flowfabric.domain.conditions import Condition
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Appended,
    Claimed,
    Completed,
    LeaseLost,
    LimitFull,
    Parked,
    Released,
    Renewed,
    Resumed,
    RetryScheduled,
    SlotTaken,
    StepRecorded,
    Summary,
    Suspended,
    TerminalFailed,
    WaitOpened,
    WaitOver,
    Waitpoint,
)
from flowfabric.domain.snapshots import Page
from flowfabric.domain.stream_pages import StreamPage
from flowfabric.domain.streams import Append, Frame, Said
from flowfabric.domain.wait_snapshots import WaitpointSnapshot
from flowfabric.domain.waiting import OnTimeout


class Working(Protocol):
    """Methods of `Engine`, by the same names."""

    async def claim(
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

    async def wait_for_work(
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

    async def wait_until_ready(
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

    async def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None, command_id: str | None = None) -> Renewed:
        """Keep a live lease. A lease that is over is never revived."""

    async def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command. Each lease gets its own answer, in order."""

    async def record_step(
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

    async def heartbeat(
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

    async def say_goodbye(
        self, worker_instance_id: str, *, namespace: str = "default", command_id: str | None = None
    ) -> None:
        """Remove a worker from the list of workers, because it stops. A repeat does no harm."""

    async def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution with success. A repeat with the same lease gets the same answer and changes nothing."""

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many executions. Each gets its own answer, in order. A refusal is one of the answers."""

    async def fail(
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

    async def release(self, lease: Lease, *, command_id: str | None = None) -> Released:
        """Give the execution back. Neither a retry nor an interruption is counted."""

    async def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Give the execution back, to be claimed again from the given instant on."""

    async def progress(
        self, lease: Lease, *, percent: int | None = None, message: str | None = None, command_id: str | None = None
    ) -> None:
        """Store the progress of the attempt. A field that is left out stays as it was."""

    async def take_slot(
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

    async def give_slot(self, lease: Lease, limit: str, key: str = "", *, command_id: str | None = None) -> None:
        """Give back the slot of a block of code. A slot of a limit that the execution names is kept with the lease."""

    async def wait_for_slot(self, lease: Lease, limit: str, key: str = "", *, timeout_ms: int) -> bool:
        """Wait, under a lease, until a limit may have room. The lease is kept, and nothing is taken.

        False: the time is over, or the lease is.
        """

    async def create_waitpoint(
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

    async def open_wait(
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

    async def suspend(
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

    async def wait_for_wait(self, lease: Lease, name: str, *, timeout_ms: int) -> WaitOver | None:
        """Wait, under a lease, until the wait of this name is over, and return its end. The lease is not given up.

        None: the time is over, or the lease is. A commit of this process, a report of another process's commit, or
        the poll of this process ends the wait. This is a read: the engine does not learn that the worker knows the
        end, so a later `suspend` may answer AlreadySatisfied("another_wait_is_over") because of it.
        """

    async def get_wait(self, execution_id: str, name: str) -> WaitOver | None:
        """The end of a wait. None: the execution has no wait of this name that is over."""

    async def resume_execution(
        self, execution_id: str, payload: bytes = b"", *, reason: str = "", command_id: str | None = None
    ) -> Resumed | AlreadySatisfied:
        """End all open waits of a suspended execution, whatever they wait for, so that it goes on.

        Each wait gets one signal with this payload, the name `resumed` and the source `operator`.
        AlreadySatisfied("not_suspended"): the execution is not suspended.
        """

    async def close_waitpoint(
        self, execution_id: str, key: str, *, reason: str = "", command_id: str | None = None
    ) -> None:
        """Take no more signals at a waitpoint. Signals that are there stay, and a repeat does no harm."""

    async def list_waitpoints(self, execution_id: str) -> list[WaitpointSnapshot]:
        """The waitpoints of the execution, oldest first. No token is shown, only its kid and its fingerprint."""

    async def list_waiting(
        self, *, namespace: str | None = None, key: str | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page:
        """Suspended executions, the one that has waited longest first. `key`: only those that wait at this key.

        Keys have no index: with a key, all suspended executions are looked at until enough are found.
        """

    async def append_frames(
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

    async def append_all(
        self, appends: Sequence[Append], *, command_id: str | None = None
    ) -> list[Appended | LeaseLost]:
        """`append_frames` for many executions in one command. Each gets its own answer, in order."""

    async def append_said(self, items: Sequence[Said], *, command_id: str | None = None) -> list[Appended | LeaseLost]:
        """`append_all` for frames that are packed already, as a worker's are.

        Wait for the answer before you send more frames of the same execution: only then it is certain that these come
        first.
        """

    async def patch_summary(
        self, lease: Lease, patch: Mapping[str, object], *, command_id: str | None = None
    ) -> Summary:
        """Merge a patch into the summary of a leased execution: None removes a member, objects are merged."""

    async def read_summary(self, execution_id: str) -> Summary | None:
        """The summary of an execution. None: it has none."""

    async def read_stream(
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
