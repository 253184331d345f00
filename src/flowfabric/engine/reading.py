"""The engine's reads: executions, attempts, steps, workers and the log of events."""

import math
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from concurrent.futures import Future
from typing import Any, Final

from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import Corruption, InvalidInput, NotFound, StoreUnavailable
from flowfabric.domain.events import Event, EventPage
from flowfabric.domain.execution import Execution, attempt_ends_at_ms, live_attempt
from flowfabric.domain.flow import FLOW_STATES
from flowfabric.domain.ids import bare_uuid, parse_execution_id, parse_uuid
from flowfabric.domain.lane_snapshots import lane_snapshots_of
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.listing import NEWEST_AMONG, EventFilter, ExecutionFilter, ListPosition
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.domain.snapshots import (
    AttemptSnapshot,
    EndsInMinute,
    ExecutionSnapshot,
    FailureGroup,
    LaneSnapshot,
    Page,
    Stats,
    StepSnapshot,
    WorkerSnapshot,
    attempt_snapshot_of,
    snapshot_of,
    step_snapshot_of,
    worker_snapshot_of,
)
from flowfabric.domain.states import PUBLIC_STATES, PublicState
from flowfabric.engine.explaining import Explaining
from flowfabric.engine.scope import position_of
from flowfabric.engine.shared_pages import Wanted

EVENTS_AT_ONCE: Final = 500
"""How many events one read returns, unless the caller says otherwise."""


class Reading(Explaining):
    """Reads never wait for writes, and change nothing."""

    async def describe_execution(self, execution_id: str) -> ExecutionSnapshot | None:
        """The execution as it is now. None: there is no such execution."""
        try:
            x = await self._find(await self._id_of(execution_id))
        except NotFound:
            return None
        return None if x is None else await self._with_traceback(x)

    async def _with_traceback(self, x: Execution, *, until: float | None = None) -> ExecutionSnapshot:
        """The snapshot with the traceback of the failure, which is stored in another row."""
        if x.failure_code is None:
            return snapshot_of(x)
        last = await self._shell.read(lambda: self._store.last_failure(x.execution_id), until=until)
        return snapshot_of(x, last)

    async def find_executions(self, uuid: str) -> list[ExecutionSnapshot]:
        """The executions whose id ends with this uuid: one, unless callers have used the uuid in several ids."""
        return [snapshot_of(x) for x in await self._executions_of(parse_uuid(uuid))]

    async def get_result(self, execution_id: str) -> bytes | None:
        """The exact bytes of the execution's result. None: there is no result yet."""
        key = await self._id_of(execution_id)
        x = await self._known(key)
        return await self._shell.read(lambda: self._store.result(key)) if x.has_ended else None

    async def get_payload(self, execution_id: str) -> bytes:
        """The exact bytes of the execution's payload."""
        key = await self._id_of(execution_id)
        await self._known(key)
        payload = await self._shell.read(lambda: self._store.payload(key))
        if payload is None:
            await self._known(key)  # NotFound, if it was purged just now
            raise Corruption(f"ff_payload, key {key}: the row is gone. Restore it from a backup.")
        return payload

    async def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        """Wait until the execution has ended, and return it. Raises TimeoutError after `timeout_ms`.

        If the store is away, this waits until it is back.
        """
        key = await self._id_of(execution_id)
        if timeout_ms is not None:
            inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX)
        # How long a caller waits does not concern the store, so only here the local clock is used.
        give_up_at = math.inf if timeout_ms is None else time.monotonic() + timeout_ms / 1000
        bell = self._shell.bell()
        with self._services.wakeups.listening(key, bell.ring):
            while True:
                try:
                    x = await self._known(key, until=give_up_at)
                    if not x.counts_as_live:
                        return await self._with_traceback(x, until=give_up_at)
                except StoreUnavailable as error:
                    self._services.commits.check_usable()
                    if time.monotonic() < give_up_at:
                        raise  # the engine is closed, and waiting longer does not help
                    raise TimeoutError(
                        f"It is unknown whether {key} has ended, because the store is away: {error} The wait was for "
                        f"{timeout_ms} ms. Wait longer."
                    ) from error
                left = give_up_at - time.monotonic()
                if left <= 0:
                    raise TimeoutError(
                        f"{key} is still {x.public_state} after {timeout_ms} ms. Wait longer, or ask explain() why."
                    )
                await self._wait_for_news(bell, left)

    async def list_attempts(self, execution_id: str) -> list[AttemptSnapshot]:
        """Every attempt of the execution, first to last."""
        key = await self._id_of(execution_id)
        x, written, failed = await self._shell.read(lambda: self._store.attempts(key))
        self._check_known(key, x)
        assert x is not None
        attempts = {attempt.attempt_index: attempt for attempt in written}
        live = live_attempt(x)
        if live is not None:
            attempts[live.attempt_index] = live
        failures = {failure.attempt_index: failure for failure in failed}
        return [attempt_snapshot_of(attempts[index], x, failures.get(index)) for index in sorted(attempts)]

    async def attempt_deadline_ms(self, execution_id: str) -> int | None:
        """When the running attempt is over at the latest, by its timeout or the execution's deadline. None: never."""
        return attempt_ends_at_ms(await self._known(await self._id_of(execution_id)))

    async def list_steps(self, execution_id: str) -> list[StepSnapshot]:
        """The stored steps of the execution, first to last."""
        key = await self._id_of(execution_id)
        x, steps = await self._shell.read(lambda: self._store.steps(key))
        self._check_known(key, x)
        return [step_snapshot_of(step) for step in steps]

    async def get_step(self, execution_id: str, name: str) -> StepSnapshot | None:
        """One stored step of the execution. None: there is no such step. This reads no other step."""
        key, of_name = await self._id_of(execution_id), inputs.name("name", name, inputs.KEY_CHARS_MAX)
        x, step = await self._shell.read(lambda: self._store.step(key, of_name))
        self._check_known(key, x)
        return None if step is None else step_snapshot_of(step)

    async def list_workers(self, *, namespace: str | None = None) -> list[WorkerSnapshot]:
        """Workers that are alive or have died within the last day, by namespace and instance id."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        found = await self._shell.read(lambda: self._store.workers(of_namespace))
        now_ms = await self.server_time_ms()
        return [worker_snapshot_of(worker, now_ms) for worker in found]

    async def list_lanes(self, *, namespace: str | None = None) -> list[LaneSnapshot]:
        """Every lane that has executions or recent ends, that a worker serves, or that is paused.

        Its counts are kept, so this takes milliseconds, however many executions there are.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        store = self._store
        now_ms = await self.server_time_ms()
        return lane_snapshots_of(
            await self._shell.read(lambda: store.lane_counts(of_namespace)),
            await self._shell.read(lambda: store.recent_ends(of_namespace, now_ms - MINUTE_MS)),
            await self._shell.read(lambda: store.lane_switches(of_namespace)),
            await self._shell.read(lambda: store.workers(of_namespace)),
            now_ms,
        )

    async def stats(self, *, namespace: str | None = None) -> Stats:
        """The store in numbers. They are kept, so this takes milliseconds, however many executions there are."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        counted = await self._shell.read(lambda: self._store.tally(of_namespace))
        workers = await self.list_workers(namespace=of_namespace)
        return Stats(
            executions={state: counted.executions.get(state, 0) for state in PUBLIC_STATES},
            flows={state: counted.flows.get(state, 0) for state in FLOW_STATES},
            oldest_ready_at_ms=counted.oldest_ready_at_ms,
            pending_cancel_acks=counted.pending_acks,
            live_workers=sum(worker.is_alive for worker in workers),
            log=counted.log,
            schema_version=counted.schema_version,
            kept=counted.kept,
            parked_at_limits=counted.executions.get("rate_limited", 0) - counted.parked_at_budgets,
            parked_at_budgets=counted.parked_at_budgets,
        )

    async def throughput(
        self, *, since_ms: int, until_ms: int | None = None, namespace: str | None = None
    ) -> list[EndsInMinute]:
        """How many executions have ended in each minute, by state: from the minute of `since_ms` to that of `until_ms`.

        A minute in which none has ended is missing. Ends are kept for a day. `until_ms` None: until now. An execution
        that ends and is replayed in the same commit is not counted as ended.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        since = inputs.instant("since_ms", since_ms)
        until = await self.server_time_ms() if until_ms is None else inputs.instant("until_ms", until_ms)
        return await self._shell.read(lambda: self._store.ends_per_minute(of_namespace, since, until))

    async def recent_failures(
        self, *, since_ms: int, namespace: str | None = None, limit: int = 100
    ) -> list[FailureGroup]:
        """What has failed after an instant, by kind, code and message, the most frequent first.

        It looks at the newest 10,000 executions that have a failure, so it takes milliseconds.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        since, most = inputs.instant("since_ms", since_ms), inputs.limit(limit)
        return await self._shell.read(lambda: self._store.recent_failures(of_namespace, since, most))

    async def list_executions(
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
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        after = None
        if cursor is not None:
            after = unpack_cursor(cursor, "executions", self._store.name, ListPosition)
        limit = inputs.limit(limit)
        found = await self._shell.read(lambda: self._store.executions(where, after, limit + 1))
        shown = found[:limit]
        position = None
        if len(found) > limit:
            position = pack_cursor("executions", self._store.name, position_of(shown[-1]))
        return Page([snapshot_of(x) for x in shown], position)

    async def count_executions(
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
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        return await self._shell.read(lambda: self._store.count_executions(where))

    def _filter(
        self,
        namespace: str | None,
        public_state: PublicState | None,
        lane: str | None,
        flow_id: str | None,
        kind: str | None,
        tag: tuple[str, str] | None,
        created_before_ms: int | None,
    ) -> ExecutionFilter:
        return ExecutionFilter(
            inputs.optional_namespace_in_scope(namespace, self._scope),
            inputs.public_state(public_state),
            None if lane is None else inputs.lane(lane),
            None if flow_id is None else parse_uuid(flow_id),
            None if kind is None else inputs.name("kind", kind),
            None if tag is None else _tag(tag),
            inputs.optional_instant("created_before_ms", created_before_ms),
        )

    async def read_events(
        self,
        *,
        cursor: str | None = None,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
        limit: int = EVENTS_AT_ONCE,
    ) -> EventPage:
        """The next events after the cursor, in order. An empty page: there are no later events yet."""
        of_execution = None if execution_id is None else await self._id_of(execution_id)
        where = self._event_filter(channels, namespace, of_execution, flow_id)
        limit = inputs.limit(limit)
        return await self._shell.read(lambda: self._store.events(cursor, where, limit))

    async def newest_events(
        self, *, channels: Sequence[str] | None = None, namespace: str | None = None, limit: int = 100
    ) -> EventPage:
        """The newest events, oldest first, and the cursor of the end of the log: `subscribe` goes on from it.

        It looks at the last 10,000 events of the log, so a filter may find fewer than there are.
        """
        where = self._event_filter(channels, namespace, None, None)
        limit = inputs.limit(limit)
        return await self._shell.read(lambda: self._store.newest_events(where, NEWEST_AMONG, limit))

    def _event_filter(
        self, channels: Sequence[str] | None, namespace: str | None, execution_id: str | None, flow_id: str | None
    ) -> EventFilter:
        return EventFilter(
            inputs.channels(channels),
            inputs.optional_namespace_in_scope(namespace, self._scope),
            None if execution_id is None else parse_execution_id(execution_id),
            None if flow_id is None else parse_uuid(flow_id),
        )

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> "Subscription":
        """Every event after the cursor, once and in order, while the iteration goes on.

        `from_now`: all events that this engine commits after this call, and all events that other engines commit after
        the store has answered. The store is asked at once, and the event loop is not blocked.
        """
        if from_now and cursor is not None:
            raise InvalidInput("Give either a cursor or from_now=True, not both.")
        uuid = bare_uuid(execution_id)
        where = self._event_filter(channels, namespace, None if uuid else execution_id, flow_id)
        # The start is read here and not at the first step: events between the two belong to the subscription.
        start = self._shell.read_ahead(self._store.events_from_now) if from_now else None
        return Subscription(self, cursor, where, start, uuid)


class Subscription(AsyncIterator[Event]):
    """An endless sequence of events. Keep `cursor` to go on later, also in another process."""

    def __init__(
        self,
        engine: Reading,
        cursor: str | None,
        where: EventFilter,
        start: Future[str] | None = None,
        uuid: str | None = None,
    ) -> None:
        self._engine = engine
        self._where = where
        self._uuid = uuid
        """The uuid of the execution whose events are wanted, until its whole id is known."""
        self._start = start
        """The cursor to start from, while it is being read."""
        self._before = self._after = cursor
        self._page: EventPage | None = None
        self._delivered = 0

    @property
    def cursor(self) -> str | None:
        """The cursor after the last delivered event. None: the start of the log.

        With `from_now`, this waits before the first event until the store has answered where the log ends.
        """
        if self._start is not None:
            self._begin_at(self._start.result())
        page = self._page
        if page is None or self._delivered == len(page.events):
            return self._after
        if self._delivered == 0:
            return self._before
        return self._engine._store.cursor_within(self._before, page, page.events[self._delivered - 1])

    @property
    def has_more(self) -> bool:
        """Whether the next event is there already."""
        return self._page is not None and self._delivered < len(self._page.events)

    async def __anext__(self) -> Event:
        """The next event. Waits for it if necessary."""
        engine = self._engine
        if self._start is not None:
            self._begin_at(await self._started_at(self._start))
        if self._page is None or self._delivered == len(self._page.events):
            bell = engine._shell.bell()
            with engine._services.pages.waiting(engine._services.wakeups, bell.ring):
                while not (page := await self._next_page()).events:
                    await engine._wait_for_news(bell, math.inf)
        else:
            page = self._page
        self._delivered += 1
        return page.events[self._delivered - 1]

    async def _started_at(self, start: Future[str]) -> str:
        try:
            return await self._engine._shell.answer_of(start)
        except StoreUnavailable as error:
            self._engine._services.commits.check_usable()
            # A later beginning would skip the events that were committed in between.
            raise StoreUnavailable(
                f"It is unknown where the event log ended when you subscribed, because the store was away: {error} "
                "Subscribe again."
            ) from error

    def _begin_at(self, cursor: str) -> None:
        self._start = None
        self._before = self._after = cursor

    async def _next_page(self) -> EventPage:
        after, engine = self._after, self._engine
        if self._uuid is not None:
            self._where = replace(self._where, execution_id=await engine._id_of(self._uuid))
            self._uuid = None

        def read() -> Coroutine[Any, Any, EventPage]:
            return engine._shell.read(lambda: engine._store.events(after, self._where, EVENTS_AT_ONCE), until=math.inf)

        page = await (
            engine._services.pages.page(Wanted(after, self._where), read) if engine._shell.is_async else read()
        )
        self._before, self._after, self._page, self._delivered = self._after, page.next_cursor, page, 0
        return page


def _tag(tag: object) -> tuple[str, str]:
    if not isinstance(tag, tuple) or len(tag) != 2:
        raise InvalidInput("tag is a pair of key and value, such as ('team.name', 'billing').")
    return inputs.tag_key(tag[0]), inputs.tag_value(tag[1])
