"""The engine's methods for workers: claims, renewals, steps, and the ends of attempts."""

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from random import SystemRandom
from typing import Final, cast

from msgspec.structs import replace

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.commands import (
    Claim,
    Complete,
    Delay,
    Envelope,
    Fail,
    Heartbeat,
    RecordStep,
    Release,
    Renew,
    RenewAll,
    ReportProgress,
    SayGoodbye,
)
from flowfabric.domain.errors import EngineError, InvalidInput, StoreUnavailable
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.outcomes import (
    Claimed,
    Completed,
    LeaseLost,
    Released,
    Renewed,
    RetryScheduled,
    StepRecorded,
    TerminalFailed,
)
from flowfabric.domain.policies import DURATION_MS_MAX, RETRIES_MAX
from flowfabric.engine.partitions import part_of, places_by_partition
from flowfabric.engine.scope import Scoped
from flowfabric.engine.shells import Waiting

log = logging.getLogger("flowfabric.engine")

_NOTHING: Final[Mapping[str, int]] = {}
AWAY_PAUSE_S: Final = (0.1, 5.0)
"""How long a wait for work pauses before it tries a store that is away again: longer each time, with jitter."""

HELD_PAUSES_S: Final = (0.005, 0.02, 0.1)
"""How long a claim that has found nothing, although there is work, pauses before it is sent again."""


class Working(Scoped):
    """The engine's methods for workers."""

    async def claim(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30_000,
        command_id: str | None = None,
    ) -> list[Claimed]:
        """Lease executions that may run now: highest priority first, then oldest. Empty: none may run. Never waits."""
        command = self._claim_of(worker_id, worker_instance_id, lanes, namespace, capabilities, limit, lease_ttl_ms)
        claimed = await self._execute(command, command_id)
        if self._services.store.batches_stay_in_one_partition:
            return await self._claim_elsewhere(command, command_id, claimed)
        # A claim that is sent again under its command id must answer the same, so it is decided once.
        if not claimed and command_id is None and self._services.store.committers > 1:
            return await self._claim_what_was_held(command)
        return claimed

    async def _claim_what_was_held(self, command: Claim) -> list[Claimed]:
        """Claim again while there is work: a claim passes over executions that another transaction holds just then.

        An engine holds some for a moment by itself, when it passes on the end of a child.
        """
        lanes = [(command.namespace, lane) for lane in command.lanes]
        for pause_s in HELD_PAUSES_S:
            if not await self._shell.read(lambda: self._is_ready(lanes, command.capabilities)):
                break
            await self._shell.pause(pause_s)
            if claimed := await self._execute(replace(command, mark=self._services.new_mark()), None):
                return claimed
        return []

    async def _claim_elsewhere(self, command: Claim, command_id: str | None, claimed: list[Claimed]) -> list[Claimed]:
        """Send further claims: each claim finds the work of one partition, and the next claim that of another."""
        more = claimed
        try:
            while more and len(claimed) < command.limit:
                rest = replace(command, limit=command.limit - len(claimed), mark=self._services.new_mark())
                envelope = Envelope(rest, self._scope, part_of(command_id, len(claimed)))
                more = cast("list[Claimed]", await self._shell.execute(envelope))
                claimed = [*claimed, *more]
        except EngineError as error:
            log.debug("a claim may have missed some work: %s", error)  # what it has found is leased already
        except BaseException:
            self._services.commits.give_back(list(claimed))  # the caller no longer waits
            raise
        return claimed

    async def wait_for_work(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        limit: int = 1,
        lease_ttl_ms: int = 30_000,
        poll_ms: int = 1_000,
        timeout_ms: int | None = None,
    ) -> list[Claimed]:
        """The same as `claim`, but waits until something may run. Empty: the timeout is over, and nothing may run.

        An execution that is submitted in this process meanwhile is created and leased in the same transaction. Wake-ups
        report work that other processes make ready, and in any case there is a poll once per poll interval.

        If the store is away, this waits until it is back. It raises StoreUnavailable if the timeout is over before.
        """
        command = self._claim_of(worker_id, worker_instance_id, lanes, namespace, capabilities, limit, lease_ttl_ms)
        poll_s = inputs.integer("poll_ms", poll_ms, 1, DURATION_MS_MAX) / 1000
        timeout_s = None if timeout_ms is None else inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX) / 1000
        wanted = [(command.namespace, lane) for lane in command.lanes]
        listen = partial(self._services.wakeups.listening_for_work, wanted)
        envelope = Envelope(command, self._scope)
        waiting = Waiting(wanted, listen, self._services.wakeups.polled_within, poll_s, timeout_s)
        give_up_at = math.inf if timeout_s is None else time.monotonic() + timeout_s
        pause_s, pause_s_max = AWAY_PAUSE_S
        while True:
            try:
                return cast("list[Claimed]", await self._shell.wait_for_work(envelope, waiting))
            except StoreUnavailable as error:
                if error.is_final:
                    raise
                self._services.commits.check_usable()
                left_s = give_up_at - time.monotonic()
                if left_s <= 0:
                    raise
            await self._shell.pause(min(left_s, pause_s * SystemRandom().uniform(0.5, 1.0)))
            pause_s = min(pause_s * 2, pause_s_max)
            waiting = waiting._replace(timeout_s=None if timeout_s is None else max(0.0, give_up_at - time.monotonic()))

    async def wait_until_ready(
        self,
        *,
        lanes: Sequence[str],
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        poll_ms: int = 1_000,
    ) -> None:
        """Wait until one of the lanes has something that a worker with these capabilities can claim. Claim nothing.

        It may be gone when this returns.
        """
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        wanted = [(of_namespace, lane) for lane in inputs.lanes(lanes)]
        able = frozenset(inputs.capabilities("capabilities", capabilities))
        poll_s = inputs.integer("poll_ms", poll_ms, 1, DURATION_MS_MAX) / 1000
        bell = self._shell.bell()
        with self._services.wakeups.listening_for_work(wanted, bell.ring):
            while not await self._shell.read(lambda: self._is_ready(wanted, able)):
                await bell.wait(poll_s)

    def _is_ready(self, lanes: Sequence[Lane], capabilities: frozenset[str]) -> bool:
        store = self._services.store
        ready = store.poll(lanes).ready
        return any(capabilities.issuperset(needed) for lane in ready for needed in store.ready_needs(lane))

    def _claim_of(
        self,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str],
        namespace: str,
        capabilities: Sequence[str],
        limit: int,
        lease_ttl_ms: int,
    ) -> Claim:
        return Claim(
            inputs.name("worker_id", worker_id, inputs.KEY_CHARS_MAX),
            inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX),
            inputs.lanes(lanes),
            inputs.namespace_in_scope(namespace, self._scope),
            frozenset(inputs.capabilities("capabilities", capabilities)),
            inputs.limit(limit),
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX),
            self._services.new_mark(),
        )

    async def renew(self, lease: Lease, *, lease_ttl_ms: int | None = None, command_id: str | None = None) -> Renewed:
        """Keep a live lease. A lease that is over is never revived."""
        if lease_ttl_ms is not None:
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX)
        return await self._execute(Renew(inputs.fence(lease), lease_ttl_ms), command_id)

    async def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command. Each lease gets its own answer, in order."""
        if isinstance(leases, (str, bytes, Mapping)) or not isinstance(leases, Sequence):
            raise InvalidInput(f"leases is a sequence of leases, not {type(leases).__name__}.")
        if len(leases) > inputs.ITEMS_MAX:
            raise InvalidInput(
                f"leases has {len(leases)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls."
            )
        if lease_ttl_ms is not None:
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX)
        fences = tuple(inputs.fence(lease) for lease in leases)
        if self._services.store.batches_stay_in_one_partition:
            return await self._renew_by_partition(fences, lease_ttl_ms, inputs.key("command_id", command_id))
        return await self._execute(RenewAll(fences, lease_ttl_ms), command_id) if fences else []

    async def _renew_by_partition(
        self, fences: Sequence[Fence], lease_ttl_ms: int | None, command_id: str | None
    ) -> list[Renewed | LeaseLost]:
        parts = places_by_partition(fences)
        answers = await self._shell.execute_all(
            [
                Envelope(
                    RenewAll(tuple(fences[place] for place in places), lease_ttl_ms),
                    self._scope,
                    part_of(command_id, places[0]),
                )
                for places in parts
            ]
        )
        renewed: dict[int, Renewed | LeaseLost] = {}
        for places, answer in zip(parts, answers, strict=True):
            if isinstance(answer, EngineError):
                raise answer
            renewed.update(zip(places, cast("list[Renewed | LeaseLost]", answer), strict=True))
        return [renewed[place] for place in range(len(fences))]

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, `on_lost` is called as soon as any process may have ended held leases.

        `held` returns the leases that are held now. `on_lost` gets the ids of those executions whose lease may be over.
        Both are called from any thread. Renew these leases: the answer says which are over. A call may be lost, so go
        on renewing all leases at their usual time.
        """
        return self._services.wakeups.watching_leases(held, on_lost)

    async def record_step(
        self,
        lease: Lease,
        name: str,
        result: bytes,
        *,
        fingerprint: bytes = b"",
        tries: int = 1,
        budget: str | None = None,
        spent: Mapping[str, int] = _NOTHING,
        reserved: Mapping[str, int] = _NOTHING,
        command_id: str | None = None,
    ) -> StepRecorded:
        """Store the result of a named step. If the same name and fingerprint come again, the first result stays.

        `tries` says how often this attempt has called the step's function. It is shown to people. With `budget`, what
        the step has `spent` is charged together with the result, once; what was `reserved` for it and not spent is
        reserved no longer.
        """
        command = RecordStep(
            inputs.fence(lease),
            inputs.name("name", name),
            inputs.payload("fingerprint", fingerprint, inputs.FINGERPRINT_BYTES_MAX),
            inputs.payload("result", result, self._services.payload_bytes_max),
            inputs.integer("tries", tries, 1, RETRIES_MAX + 1),
            None if budget is None else gate_inputs.step_charge(budget, spent, reserved),
        )
        return await self._execute(command, command_id)

    async def heartbeat(
        self,
        *,
        worker_id: str,
        worker_instance_id: str,
        lanes: Sequence[str] = ("default",),
        namespace: str = DEFAULT_NAMESPACE,
        capabilities: Sequence[str] = (),
        host: str = "",
        pid: int = 0,
        version: str = "",
        ttl_ms: int = 30_000,
        command_id: str | None = None,
    ) -> None:
        """Report that a worker lives and what it serves. Without a heartbeat for `ttl_ms` it counts as dead."""
        command = Heartbeat(
            inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX),
            inputs.name("worker_id", worker_id, inputs.KEY_CHARS_MAX),
            inputs.namespace_in_scope(namespace, self._scope),
            inputs.text("host", host, inputs.TAG_VALUE_BYTES_MAX),
            inputs.integer("pid", pid, 0, 2**31 - 1),
            inputs.lanes(lanes),
            inputs.capabilities("capabilities", capabilities),
            inputs.text("version", version, inputs.TAG_VALUE_BYTES_MAX),
            inputs.integer("ttl_ms", ttl_ms, 1, inputs.LEASE_TTL_MS_MAX),
        )
        await self._execute(command, command_id)

    async def say_goodbye(
        self, worker_instance_id: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> None:
        """Remove a worker from the list of workers, because it stops. A repeat does no harm."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        name = inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX)
        await self._execute(SayGoodbye(of_namespace, name), command_id)

    async def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution with success. A repeat with the same lease gets the same answer and changes nothing."""
        return await self._execute(self._completion_of(lease, result), command_id)

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many executions. Each gets its own answer, in order. A refusal is one of the answers."""
        if isinstance(ended, (str, bytes, Mapping)) or not isinstance(ended, Sequence):
            raise InvalidInput(f"ended is a sequence of (lease, result), not {type(ended).__name__}.")
        if len(ended) > inputs.ITEMS_MAX:
            raise InvalidInput(f"ended has {len(ended)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls.")
        given = [self._completion_in(index, each) for index, each in enumerate(ended)]
        answers = iter(await self._shell.execute_all([each for each in given if isinstance(each, Envelope)]))
        return [
            cast("Completed | EngineError", next(answers)) if isinstance(each, Envelope) else each for each in given
        ]

    def _completion_in(self, index: int, each: tuple[Lease, bytes | None]) -> Envelope | InvalidInput:
        try:
            lease, result = each
            return Envelope(self._completion_of(lease, result), self._scope)
        except InvalidInput as error:
            return InvalidInput(f"ended[{index}]: {error}")
        except (TypeError, ValueError):
            return InvalidInput(f"ended[{index}] is a pair of a lease and a result, not {type(each).__name__}.")

    def _completion_of(self, lease: Lease, result: bytes | None) -> Complete:
        if result is not None:
            result = inputs.payload("result", result, self._services.payload_bytes_max)
        return Complete(inputs.fence(lease), result)

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
        if retry_after_ms is not None:
            inputs.integer("retry_after_ms", retry_after_ms, 0, DURATION_MS_MAX)
        command = Fail(
            inputs.fence(lease),
            inputs.name("code", code),
            inputs.text("message", message),
            inputs.flag("retryable", retryable),
            retry_after_ms,
            None if traceback is None else inputs.text("traceback", traceback, inputs.TRACEBACK_BYTES_MAX),
        )
        return await self._execute(command, command_id)

    async def release(self, lease: Lease, *, command_id: str | None = None) -> Released:
        """Give the execution back. Neither a retry nor an interruption is counted."""
        return await self._execute(Release(inputs.fence(lease)), command_id)

    async def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Give the execution back, to be claimed again from the given instant on."""
        return await self._execute(Delay(inputs.fence(lease), inputs.instant("until_ms", until_ms)), command_id)

    async def progress(
        self,
        lease: Lease,
        *,
        percent: int | None = None,
        message: str | None = None,
        command_id: str | None = None,
    ) -> None:
        """Store the progress of the attempt. A field that is left out stays as it was."""
        if percent is not None:
            inputs.integer("percent", percent, 0, 100)
        if message is not None:
            inputs.text("message", message)
        await self._execute(ReportProgress(inputs.fence(lease), percent, message), command_id)
