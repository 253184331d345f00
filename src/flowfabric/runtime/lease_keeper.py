"""Every third of a lease, one beat renews all leases of a worker, and keeps the worker on the list of workers.

An attempt is stopped at once when its lease is over: the store says so, or no renewal was confirmed for the whole
length of a lease, after which the store would not accept its result either. When the engine reports that leases may
have been taken away, these are renewed at once, and the answers show which are over. If that report is lost, the next
beat finds out.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, Protocol

from flowfabric.domain.errors import (
    Contention,
    Corruption,
    ExecutionNotActive,
    LeaseExpired,
    NotFound,
    StaleLease,
    StoreError,
    StoreUnavailable,
)
from flowfabric.domain.inputs import LIMIT_MAX
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import LeaseLost
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.engines import WorkerEngine

log = logging.getLogger("flowfabric.worker")

LEASE_IS_OVER: Final = (StaleLease, LeaseExpired, ExecutionNotActive, NotFound)
"""The refusals of a command whose lease is over."""
SENT_AT_ONCE: Final = 8
"""How many commands are under way at once, and into how many parts a group is split after it was refused.

The commands share a batch of the engine. So the engine soon finds out which of the executions another transaction
holds, and then goes on with the commands of others.
"""


class Leased(Protocol):
    """Something that runs under a lease, such as an attempt."""

    @property
    def lease(self) -> Lease:
        """The lease."""

    def lose(self, code: str) -> None:
        """Stop: the lease is over."""

    def pause(self) -> None:
        """Stop at the next step, and release the lease: a budget is exceeded."""


class LeaseKeeper:
    """Renews all leases of one worker together."""

    def __init__(
        self,
        engine: WorkerEngine,
        *,
        lease_ttl_ms: int,
        heartbeat: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._ttl_s = lease_ttl_ms / 1000
        self._heartbeat = heartbeat
        self._monotonic = monotonic
        self._failing_since: float | None = None
        """Since when leases could not be renewed, although the store is there."""
        self._held: dict[Leased, float] = {}
        self._group_sizes: dict[Leased, int] = {}
        """For each refused lease, the size of the group with which it is renewed next; the one tried last comes last.

        This survives a beat, so that after a beat that took too long the next one need not start from the beginning.
        """
        self._doubtful: set[str] = set()
        """Executions whose lease may have been taken away."""
        self._doubt = asyncio.Event()

    @contextmanager
    def holding(self, leased: Leased) -> Iterator[None]:
        """Renew the lease while the block lasts, and no longer, whichever way the block ends.

        The block begins after the answer to the claim, so the store's lease began before our own count.
        """
        self.hold([leased])
        try:
            yield
        finally:
            self.let_go(leased)

    def hold(self, several: Iterable[Leased]) -> None:
        """Renew leases until each is let go."""
        self._held.update(dict.fromkeys(several, self._monotonic() + self._ttl_s))

    def let_go(self, leased: Leased) -> None:
        """Stop renewing the lease, although its block goes on."""
        self._held.pop(leased, None)
        self._group_sizes.pop(leased, None)

    def is_over(self, leased: Leased) -> bool:
        """Whether the lease is over for certain, by our own count."""
        until = self._held.get(leased)
        return until is None or self._monotonic() >= until

    async def run(self) -> None:
        """Report the worker, and renew every third of a lease until cancelled, or until the engine is gone for good."""
        loop = asyncio.get_running_loop()

        def suspect(execution_ids: Sequence[str]) -> None:
            with suppress(RuntimeError):  # the loop is closed: nothing runs any more
                loop.call_soon_threadsafe(self._suspect, execution_ids)

        with self._engine.watch_leases(self._leases, suspect):
            # Before the first report: what is claimed while it is under way may be taken away, too.
            looking = asyncio.create_task(self._check_doubtful_leases())
            try:
                await self._report_first()
                await self._beat_until_cancelled()
            finally:
                looking.cancel()
                await asyncio.wait([looking])

    async def _report_first(self) -> None:
        try:
            await self._heartbeat()
        except (StoreError, Contention) as error:
            if not isinstance(error, StoreUnavailable):
                log.warning("this worker could not report itself yet: %s", error, extra={"cause": str(error)})

    def _leases(self) -> list[Lease]:
        """The leases that are held now. From any thread."""
        return [leased.lease for leased in list(self._held)]

    def _suspect(self, execution_ids: Sequence[str]) -> None:
        self._doubtful.update(execution_ids)
        self._doubt.set()

    async def _check_doubtful_leases(self) -> None:
        """Renew leases at once when the engine reports that they may have been taken away.

        If the store does not answer, they are tried again after a pause: the next beat may be far away.
        """
        backoff = Backoff()
        while True:
            await self._doubt.wait()
            self._doubt.clear()
            doubtful, self._doubtful = self._doubtful, set()
            held = [leased for leased in self._held if leased.lease.execution_id in doubtful]
            try:
                refused = await self._renew_in_groups(held)
            except (StoreError, Contention) as error:
                log.debug("leases that may be over could not be checked yet: %s", error)
                refused = held
            except Exception:
                log.exception("leases that may be over could not be checked; the next renewal checks them")
                continue
            if not refused:
                backoff.reset()
                continue
            await asyncio.sleep(backoff.next_s())
            self._suspect([leased.lease.execution_id for leased in refused])

    async def _beat_until_cancelled(self) -> None:
        interval_s = self._ttl_s / 3
        backoff = Backoff()
        next_at = self._monotonic() + interval_s
        while True:
            await asyncio.sleep(max(0.0, next_at - self._monotonic()))
            late_s = self._monotonic() - next_at
            if late_s > interval_s:
                log.warning(
                    "the worker could not renew its leases for %.1f s: its event loop or its process was held up. "
                    "Use a plain function for code that blocks, and isolation='process' for code that computes.",
                    late_s + interval_s,
                )
            next_at = self._monotonic() + interval_s
            try:
                # A store that does not answer must not keep us from noticing that leases are over.
                async with asyncio.timeout(interval_s):
                    await self.beat()
                backoff.reset()
                self._note_success()
            except (StoreError, Contention, TimeoutError) as error:
                if isinstance(error, StoreUnavailable) and error.is_final:
                    raise
                self._note_trouble(error)
                next_at = min(next_at, self._monotonic() + backoff.next_s())

    def _note_trouble(self, error: Exception) -> None:
        """Log once that leases cannot be renewed. The engine itself logs that the store is unavailable."""
        if self._failing_since is not None or isinstance(error, StoreUnavailable):
            return
        self._failing_since = self._monotonic()
        cause = str(error) or "the store does not answer in time"
        log.warning(
            "the leases of this worker cannot be renewed; trying again until they can: %s",
            cause,
            extra={"cause": cause},
        )

    def _note_success(self) -> None:
        if self._failing_since is not None:
            failing_s, self._failing_since = self._monotonic() - self._failing_since, None
            log.warning(
                "the leases of this worker are renewed again after %.1f s",
                failing_s,
                extra={"duration_ms": round(failing_s * 1000)},
            )

    async def beat(self) -> None:
        """Renew all leases once, and report that the worker lives. An attempt that has lost its lease is stopped."""
        self._lose_expired()
        await asyncio.gather(self._heartbeat(), self._renew_in_groups(self._held.keys()))

    async def _renew_in_groups(self, held: Collection[Leased]) -> list[Leased]:
        """Renew leases in groups. A group is split if one of its leases cannot be renewed.

        Another transaction may hold an execution, a record may be damaged, and a server may not know a seal any more.
        Large groups go first: as far as is known, nobody holds their executions. Returns those that were refused even
        alone.
        """
        by_size: dict[int, list[Leased]] = {LIMIT_MAX: [leased for leased in held if leased not in self._group_sizes]}
        for leased, size in self._group_sizes.items():
            if leased in held:
                by_size.setdefault(size, []).append(leased)
        groups = [group for size, alike in by_size.items() for group in _in_groups(alike, size)]
        refused_alone: list[Leased] = []
        while groups:
            groups.sort(key=len, reverse=True)
            now, groups = groups[:SENT_AT_ONCE], groups[SENT_AT_ONCE:]
            for refused in await asyncio.gather(*(self._renew(group) for group in now)):
                if len(refused) > 1:
                    groups += _in_groups(refused, _part_of(len(refused)))
                else:
                    refused_alone += refused
        return refused_alone

    async def _renew(self, held: list[Leased]) -> list[Leased]:
        """Renew leases together. Returns the refused ones: all of them or none."""
        try:
            answers = await self._engine.renew_all([leased.lease for leased in held])
        except (Contention, Corruption, StaleLease) as error:
            if len(held) == 1:
                self._note_refusal(held[0], error)
            still_held = [leased for leased in held if leased in self._held]
            for leased in still_held:
                self._group_sizes.pop(leased, None)
                self._group_sizes[leased] = _part_of(len(held))
            return still_held
        until = self._monotonic() + self._ttl_s
        for leased, answer in zip(held, answers, strict=True):
            if leased not in self._held:
                continue  # the attempt has ended meanwhile, which may be the reason
            if isinstance(answer, LeaseLost):
                self._lose(leased, answer.code)
            else:
                self._held[leased] = until
                self._group_sizes.pop(leased, None)
                if answer.pause:
                    leased.pause()
        return []

    def _note_refusal(self, leased: Leased, error: Contention | Corruption | StaleLease) -> None:
        """Log that this lease was refused.

        If its record is damaged, or its seal is not good, the lease is given up: later renewals would fail, too.
        """
        execution_id = leased.lease.execution_id
        extra = {"execution_id": execution_id, "cause": str(error)}
        if isinstance(error, Contention):
            log.warning("the lease of %s could not be renewed now: %s", execution_id, error, extra=extra)
        elif leased in self._held and isinstance(error, StaleLease):
            log.warning("the lease of %s is given up: %s", execution_id, error, extra=extra)
            self._lose(leased, error.code)
        elif leased in self._held:
            log.error(
                "the lease of %s is given up, because its record is damaged: %s", execution_id, error, extra=extra
            )
            self._lose(leased, error.code)

    def _lose_expired(self) -> None:
        now = self._monotonic()
        for leased in [leased for leased, until in self._held.items() if until <= now]:
            self._lose(leased, "lease_expired")

    def _lose(self, leased: Leased, code: str) -> None:
        self.let_go(leased)
        leased.lose(code)


def _part_of(size: int) -> int:
    """The size of the parts into which a refused group is split."""
    return -(-size // SENT_AT_ONCE)


def _in_groups(leases: list[Leased], size: int) -> list[list[Leased]]:
    return [leases[start : start + size] for start in range(0, len(leases), size)]
