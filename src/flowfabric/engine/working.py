"""What workers ask: leases, renewals, steps, and how an attempt ended."""

import logging
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, cast

from msgspec.structs import replace

from flowfabric.domain import inputs
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
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.engine.partitions import part_of, places_by_partition
from flowfabric.engine.scope import Scoped
from flowfabric.engine.shells import Waiting

log = logging.getLogger("flowfabric.engine")

AWAY_PAUSE_S: Final = (0.1, 5.0)
"""How long a wait for work pauses before it asks a store again that is away: longer each time, with jitter."""


class Working(Scoped):
    """What workers ask of the engine."""

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
        """Lease what may run now, highest priority first, then oldest. Never waits: empty means nothing may run."""
        command = self._claim_of(worker_id, worker_instance_id, lanes, namespace, capabilities, limit, lease_ttl_ms)
        claimed = await self._execute(command, command_id)
        if self._services.store.batches_stay_in_one_partition:
            return await self._claim_elsewhere(command, command_id, claimed)
        return claimed

    async def _claim_elsewhere(self, command: Claim, command_id: str | None, claimed: list[Claimed]) -> list[Claimed]:
        """Go on claiming: one claim finds what one partition has, and the next one finds what another has."""
        more = claimed
        try:
            while more and len(claimed) < command.limit:
                rest = replace(command, limit=command.limit - len(claimed), mark=self._services.new_mark())
                envelope = Envelope(rest, self._scope, part_of(command_id, len(claimed)))
                more = cast("list[Claimed]", await self._shell.execute(envelope))
                claimed = [*claimed, *more]
        except EngineError as error:
            log.debug("a claim has found less than there may be: %s", error)  # what it has found is leased already
        except BaseException:
            self._services.commits.give_back(list(claimed))  # the caller has gone away
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
        """`claim`, which waits until something may run. Empty: the timeout is over, and nothing could.

        What is submitted in this process meanwhile is created and leased in the same transaction. What others make
        ready is noticed by wake-ups, and whether there were any or not, it looks once per poll interval.

        A store that is away is waited for, too; if it still is when the timeout is over, that is raised.
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
            await self._shell.pause(min(left_s, pause_s * random.uniform(0.5, 1.0)))
            pause_s = min(pause_s * 2, pause_s_max)
            waiting = waiting._replace(timeout_s=None if timeout_s is None else max(0.0, give_up_at - time.monotonic()))

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
        """Keep a live lease. Never revives one that is over."""
        if lease_ttl_ms is not None:
            inputs.integer("lease_ttl_ms", lease_ttl_ms, 1, inputs.LEASE_TTL_MS_MAX)
        return await self._execute(Renew(inputs.fence(lease), lease_ttl_ms), command_id)

    async def renew_all(
        self, leases: Sequence[Lease], *, lease_ttl_ms: int | None = None, command_id: str | None = None
    ) -> list[Renewed | LeaseLost]:
        """Keep many live leases in one command; each is answered for itself, in order."""
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
        """While the block lasts, have `on_lost` called as soon as leases may have been taken away, by any process.

        `held` says which leases are held now, and `on_lost` is given the ids of the executions among them that are
        concerned. Both are called from any thread. Renew those leases: the answer says which are over. A call may
        be lost, so go on renewing all leases at their time.
        """
        return self._services.wakeups.watching_leases(held, on_lost)

    async def record_step(
        self, lease: Lease, name: str, result: bytes, *, fingerprint: bytes = b"", command_id: str | None = None
    ) -> StepRecorded:
        """Keep what a named step has returned. The same name and fingerprint again keep the first result."""
        command = RecordStep(
            inputs.fence(lease),
            inputs.name("name", name),
            inputs.payload("fingerprint", fingerprint, inputs.FINGERPRINT_BYTES_MAX),
            inputs.payload("result", result, self._services.payload_bytes_max),
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
        """Say that a worker lives and what it serves; not heard of for `ttl_ms`, it is taken for dead."""
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
        """Take a worker off the list, because it stops. Saying it twice is fine."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        name = inputs.name("worker_instance_id", worker_instance_id, inputs.KEY_CHARS_MAX)
        await self._execute(SayGoodbye(of_namespace, name), command_id)

    async def complete(self, lease: Lease, result: bytes | None = None, *, command_id: str | None = None) -> Completed:
        """End the execution well. The same lease again gets the same answer, and nothing happens twice."""
        return await self._execute(self._completion_of(lease, result), command_id)

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many, sent together. Each is answered for itself, in order: a refusal is among the answers."""
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
        """Report a failed attempt; the execution's policy decides whether another one follows."""
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
        """Hand the execution back without counting a retry or an interruption."""
        return await self._execute(Release(inputs.fence(lease)), command_id)

    async def delay(self, lease: Lease, *, until_ms: int, command_id: str | None = None) -> Released:
        """Hand the execution back, to be claimed again from the given instant on."""
        return await self._execute(Delay(inputs.fence(lease), inputs.instant("until_ms", until_ms)), command_id)

    async def progress(
        self,
        lease: Lease,
        *,
        percent: int | None = None,
        message: str | None = None,
        command_id: str | None = None,
    ) -> None:
        """Note how far the attempt has come. What is left out stays as it was."""
        if percent is not None:
            inputs.integer("percent", percent, 0, 100)
        if message is not None:
            inputs.text("message", message)
        await self._execute(ReportProgress(inputs.fence(lease), percent, message), command_id)
