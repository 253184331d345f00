"""The engine's methods for waiting: waitpoints and waits, for workers and operators. Signals are in `signalling`."""

import time
from collections.abc import Mapping
from functools import partial

from flowfabric.domain import inputs, wait_inputs
from flowfabric.domain.children import Children
from flowfabric.domain.commands import (
    CloseWaitpoint,
    CreateWaitpoint,
    OpenWait,
    ResumeExecution,
    Suspend,
)
from flowfabric.domain.conditions import Condition, from_stored
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.execution import Execution
from flowfabric.domain.explaining_waits import keys_waited_for
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    LeaseGivenUp,
    Resumed,
    Suspended,
    WaitBegun,
    WaitOpened,
    WaitOver,
    Waitpoint,
    WaitpointMade,
)
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.domain.remembered_answers import unpack_wait_over
from flowfabric.domain.snapshots import Page, snapshot_of
from flowfabric.domain.wait_snapshots import WaitpointSnapshot, waitpoint_snapshot_of
from flowfabric.domain.waiting import OnTimeout, StoredWaitpoint
from flowfabric.engine.signalling import Signalling
from flowfabric.engine.wakeups import waits_of

_Wait = tuple[Fence, str, str, int | None, int | None, OnTimeout, str]
"""The checked fields of a wait, in the order of `OpenWait` and `Suspend`."""


class WaitingMethods(Signalling):
    """The engine's methods for waiting."""

    # ── for workers ──────────────────────────────────────────────────────────────────────────────

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
        fence = inputs.fence(lease)
        checked = (
            wait_inputs.expires_in_ms(expires_in_ms),
            wait_inputs.about(about),
            wait_inputs.optional_alias(alias),
        )
        key = wait_inputs.key(key)
        namespace = "" if alias is None else await self._namespace_of(fence.execution_id)
        command = CreateWaitpoint(fence, key, await self._signing.current_kid(), *checked, namespace)
        return await self._signing.waitpoint(await self._execute(command, command_id))

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
        wait = _wait_of(lease, name, condition, timeout_ms, timeout_at_ms, on_timeout, reason)
        if (over := self._just_over(wait, command_id)) is not None:
            return over
        answer = await self._execute(OpenWait(*wait, await self._signing.current_kid()), command_id)
        if isinstance(answer, WaitBegun):
            return WaitOpened(await self._signing.waitpoints(answer.waitpoints))
        return answer

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
        wait = _wait_of(lease, name, condition, timeout_ms, timeout_at_ms, on_timeout, reason)
        if (over := self._just_over(wait, command_id)) is not None:
            return over
        answer = await self._execute(Suspend(*wait, await self._signing.current_kid()), command_id)
        if isinstance(answer, LeaseGivenUp):
            return Suspended(answer.execution_id, await self._signing.waitpoints(answer.waitpoints))
        return answer

    async def wait_for_wait(self, lease: Lease, name: str, *, timeout_ms: int) -> WaitOver | None:
        """Wait, under a lease, until the wait of this name is over, and return its end. The lease is not given up.

        None: the time is over, or the lease is. A commit of this process, a report of another process's commit, or
        the poll of this process ends the wait. This is a read: the engine does not learn that the worker knows the
        end, so a later `suspend` may answer AlreadySatisfied("another_wait_is_over") because of it.
        """
        fence, name = inputs.fence(lease), wait_inputs.wait_name(name)
        timeout_s = inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX) / 1000
        give_up_at = time.monotonic() + timeout_s
        bell = self._shell.bell()
        with self._services.wakeups.listening(waits_of(fence.execution_id), bell.ring):
            while True:
                if (known := self._services.wakeups.wait_ends.watched(fence, name, self._scope)) is not None:
                    return known
                x, over = await self._wait_in(fence.execution_id, name, until=give_up_at)
                if over is not None or x is None or x.lease_epoch != fence.lease_epoch or x.lifecycle_phase != "active":
                    return over
                left_s = give_up_at - time.monotonic()
                if left_s <= 0:
                    return None
                await self._wait_for_news(bell, left_s)

    async def get_wait(self, execution_id: str, name: str) -> WaitOver | None:
        """The end of a wait. None: the execution has no wait of this name that is over."""
        key, name = await self._id_of(execution_id), wait_inputs.wait_name(name)
        x, over = await self._wait_in(key, name)
        self._check_known(key, x)
        return over

    async def _wait_in(
        self, execution_id: ExecutionId, name: str, *, until: float | None = None
    ) -> tuple[Execution | None, WaitOver | None]:
        """The execution, and the end of its wait of this name, if that is over."""
        x, step = await self._shell.read(lambda: self._store.step(execution_id, name), until=until)
        if x is None or self._scope not in (None, x.namespace):
            return None, None
        return x, None if step is None or not step.is_wait else unpack_wait_over(step.result)

    # ── for operators ────────────────────────────────────────────────────────────────────────────

    async def resume_execution(
        self, execution_id: str, payload: bytes = b"", *, reason: str = "", command_id: str | None = None
    ) -> Resumed | AlreadySatisfied:
        """End all open waits of a suspended execution, whatever they wait for, so that it goes on.

        Each wait gets one signal with this payload, the name `resumed` and the source `operator`.
        AlreadySatisfied("not_suspended"): the execution is not suspended.
        """
        command = ResumeExecution(
            await self._id_of(execution_id),
            wait_inputs.signal_payload(payload),
            wait_inputs.reason(reason),
            await self._signing.current_kid(),
        )
        return await self._execute(command, command_id)

    async def close_waitpoint(
        self, execution_id: str, key: str, *, reason: str = "", command_id: str | None = None
    ) -> None:
        """Take no more signals at a waitpoint. Signals that are there stay, and a repeat does no harm."""
        command = CloseWaitpoint(await self._id_of(execution_id), wait_inputs.key(key), wait_inputs.reason(reason))
        await self._execute(command, command_id)

    async def list_waitpoints(self, execution_id: str) -> list[WaitpointSnapshot]:
        """The waitpoints of the execution, oldest first. No token is shown, only its kid and its fingerprint."""
        whole_id = await self._id_of(execution_id)
        x, waitpoints = await self._shell.read(lambda: self._store.waitpoints(whole_id))
        self._check_known(whole_id, x)
        assert x is not None
        now_ms = await self.server_time_ms()
        found: list[WaitpointSnapshot] = []
        for waitpoint, waiting_signals in waitpoints:
            kid, fingerprint = await self._signing.shown(_made(waitpoint, x))
            found.append(
                waitpoint_snapshot_of(
                    waitpoint,
                    x,
                    now_ms,
                    waiting_signals=waiting_signals,
                    kid=kid,
                    fingerprint=fingerprint,
                )
            )
        return found

    async def list_waiting(
        self,
        *,
        namespace: str | None = None,
        key: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Suspended executions, the one that has waited longest first. `key`: only those that wait at this key.

        Keys have no index: with a key, all suspended executions are looked at until enough are found.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        of_key = wait_inputs.optional_key(key)
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "waiting", self._store.name, ListPosition)
        found: list[Execution] = []
        while len(found) <= limit:
            page = await self._shell.read(partial(self._store.suspended, of_namespace, of_key, after, limit + 1))
            # The store looks for the waitpoint. An execution that has waited there may wait elsewhere now.
            found += page if of_key is None else [x for x in page if of_key in keys_waited_for(x)]
            if len(page) <= limit:
                break
            after = position_of_wait(page[-1])
        next_cursor = None
        if len(found) > limit:
            next_cursor = pack_cursor("waiting", self._store.name, position_of_wait(found[limit - 1]))
        return Page([snapshot_of(x) for x in found[:limit]], next_cursor)

    # ── parts ────────────────────────────────────────────────────────────────────────────────────

    def _just_over(self, wait: _Wait, command_id: str | None) -> WaitOver | None:
        """The end of a wait that this process has committed. Then nothing has to be read or written.

        An engine that carries frames has to write them.
        """
        fence, name, stored_condition, *_ = wait
        if command_id is not None or self._said is not None:
            return None
        over = self._services.wakeups.wait_ends.asked(fence, name, stored_condition, self._scope)
        # Children may have been brought back since, and then the wait begins anew.
        return None if over is None or isinstance(from_stored(stored_condition), Children) else over

    async def _namespace_of(self, execution_id: ExecutionId) -> str:
        x = await self._known(execution_id)
        return x.namespace


def _wait_of(
    lease: Lease,
    name: str,
    condition: Condition | str,
    timeout_ms: int | None,
    timeout_at_ms: int | None,
    on_timeout: OnTimeout,
    reason: str,
) -> _Wait:
    """Check the fields of a wait."""
    timeout = wait_inputs.timeout(timeout_ms, timeout_at_ms)
    return (
        inputs.fence(lease),
        wait_inputs.wait_name(name),
        wait_inputs.condition(condition),
        timeout.after_ms,
        timeout.at_ms,
        wait_inputs.on_timeout(on_timeout, has_timeout=timeout != (None, None)),
        wait_inputs.reason(reason),
    )


def _made(waitpoint: StoredWaitpoint, x: Execution) -> WaitpointMade:
    return WaitpointMade(
        waitpoint.waitpoint_id,
        waitpoint.key,
        waitpoint.execution_id,
        waitpoint.life,
        waitpoint.token_kid,
        x.namespace,
    )


def position_of_wait(x: Execution) -> ListPosition:
    """The position of a suspended execution in the list of those that wait."""
    assert x.inbox is not None
    return ListPosition(x.inbox.waits[0].since_ms, uuid_in(x.execution_id), partition_in(x.execution_id))
