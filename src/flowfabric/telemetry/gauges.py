"""Gauges that are read from the store: they exist even if no worker runs.

A read is kept for five seconds, and longer if it took long: reading takes a tenth of the time at most. So a large store
is not counted all the time, however many ask.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from prometheus_client.core import Metric as Family
from prometheus_client.registry import Collector

from flowfabric.domain.errors import EngineError
from flowfabric.domain.gate_snapshots import BudgetSnapshot, LimitSnapshot
from flowfabric.domain.snapshots import LaneSnapshot, Page, ScheduleSnapshot, Stats
from flowfabric.telemetry import catalogue
from flowfabric.telemetry.counting import NAMES_MAX, OTHER
from flowfabric.telemetry.metrics import Metrics, Rendered, gauge

if TYPE_CHECKING:
    from flowfabric.telemetry.catalogue import Metric

KEPT_S: Final = 5.0
"""How long a read is kept at least."""
SHARE: Final = 10
"""A read is kept so many times longer than it took."""
LIMIT_KEYS_MAX: Final = 1_000
"""How many keys of limits are read, by name and key."""


class StoreReads(Protocol):
    """What the gauges ask of an engine."""

    async def stats(self) -> Stats:
        """The store in numbers."""

    async def list_lanes(self) -> list[LaneSnapshot]:
        """All lanes."""

    async def list_schedules(self) -> list[ScheduleSnapshot]:
        """All schedules."""

    async def list_limits(self, *, limit: int) -> Page:
        """The first keys of limits."""

    async def list_budgets(self, *, limit: int) -> Page:
        """The first budgets."""

    async def server_time_ms(self) -> int:
        """The store's time."""


class StoreGauges(Collector):
    """The gauges of one store. They are shown in the registry of the metrics until `close`."""

    def __init__(
        self, metrics: Metrics, engine: StoreReads, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._engine = engine
        self._monotonic = monotonic
        self._families: list[Family] = []
        self._read_at: float | None = None
        self._kept_s = KEPT_S
        self._is_reading = False
        metrics.registry.register(self)

    def close(self) -> None:
        """Show them no longer."""
        self._metrics.registry.unregister(self)

    async def rendered(self, accept: str = "") -> Rendered:
        """The text for a scrape: the metrics of this process, and the gauges of the store."""
        await self.refresh()
        return self._metrics.render(accept)

    async def refresh(self) -> None:
        """Read the store, unless the last read is fresh enough, or another caller reads."""
        began_at = self._monotonic()
        if self._is_reading or (self._read_at is not None and began_at < self._read_at + self._kept_s):
            return
        self._is_reading = True
        try:
            self._families = await self._read()
        except EngineError:
            self._families = [gauge(catalogue.STORE_UP, [((), 0)])]
        finally:
            self._is_reading = False
        self._read_at = self._monotonic()
        self._kept_s = max(KEPT_S, SHARE * (self._read_at - began_at))

    def describe(self) -> list[Family]:
        """Nothing: the registry then does not collect when this is registered."""
        return []

    def collect(self) -> list[Family]:
        """The gauges as they were read last."""
        return self._families

    async def _read(self) -> list[Family]:
        engine = self._engine
        stats = await engine.stats()
        lanes = await engine.list_lanes()
        limits = (await engine.list_limits(limit=LIMIT_KEYS_MAX)).items
        budgets = (await engine.list_budgets(limit=NAMES_MAX)).items
        schedules = await engine.list_schedules()
        now_ms = await engine.server_time_ms()
        families = [
            gauge(catalogue.STORE_UP, [((), 1)]),
            gauge(catalogue.EXECUTIONS, [((state,), count) for state, count in stats.executions.items()]),
            *_of_lanes(lanes, now_ms),
            *_of_limits([each for each in limits if isinstance(each, LimitSnapshot)]),
            gauge(catalogue.SPENT, [at for each in budgets if isinstance(each, BudgetSnapshot) for at in _spent(each)]),
            gauge(catalogue.SCHEDULE_LAG, _lags(schedules[:NAMES_MAX], now_ms)),
        ]
        if stats.schema_version is not None:
            families.append(gauge(catalogue.SCHEMA, [((), stats.schema_version)]))
        if stats.log is not None:
            families.append(gauge(catalogue.EVENTS, [((), stats.log.last_event_id - stats.log.first_event_id + 1)]))
        return families


def _of_lanes(lanes: Sequence[LaneSnapshot], now_ms: int) -> list[Family]:
    """The gauges of lanes. The lanes after the first ones are added up as one, `other`."""
    sums: defaultdict[tuple[Metric, tuple[str, str]], float] = defaultdict(float)
    for place, lane in enumerate(lanes):
        at = (lane.namespace, lane.lane) if place < NAMES_MAX else (OTHER, OTHER)
        counts: tuple[tuple[Metric, int], ...] = (
            (catalogue.READY, lane.waiting),
            (catalogue.DELAYED, lane.delayed),
            (catalogue.ACTIVE, lane.active),
            (catalogue.BLOCKED, lane.blocked),
            (catalogue.SUSPENDED, lane.suspended),
            (catalogue.PARKED_IN, lane.parked),
            (catalogue.PAUSED, lane.is_paused),
            (catalogue.SERVED, lane.live_workers),
        )
        for metric, count in counts:
            sums[metric, at] += count
        for metric, since_ms in (
            (catalogue.OLDEST_READY, lane.oldest_ready_at_ms),
            (catalogue.OLDEST_SUSPENDED, lane.oldest_suspended_at_ms),
        ):
            age_s = 0.0 if since_ms is None else max(0, now_ms - since_ms) / 1000
            sums[metric, at] = max(sums[metric, at], age_s)
    by_metric: dict[Metric, list[tuple[tuple[str, ...], float]]] = {}
    for (metric, at), value in sums.items():
        by_metric.setdefault(metric, []).append((at, value))
    return [gauge(metric, values) for metric, values in by_metric.items()]


def _of_limits(limits: Sequence[LimitSnapshot]) -> list[Family]:
    """The keys of a limit are added up: there may be one for each customer."""
    parked: defaultdict[tuple[str, ...], float] = defaultdict(float)
    running: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for each in limits:
        parked[each.namespace, each.name] += each.parked
        running[each.namespace, each.name] += each.in_use
    return [gauge(catalogue.PARKED, parked.items()), gauge(catalogue.RUNNING, running.items())]


def _spent(budget: BudgetSnapshot) -> list[tuple[tuple[str, ...], float]]:
    return [
        (
            (budget.namespace, budget.name, dimension),
            (budget.used.get(dimension, 0) + budget.reserved.get(dimension, 0)) / most,
        )
        for dimension, most in budget.limits.items()
        if most > 0
    ]


def _lags(schedules: Sequence[ScheduleSnapshot], now_ms: int) -> list[tuple[tuple[str, ...], float]]:
    return [
        (
            (each.namespace, each.name),
            0.0 if each.next_slot_ms is None or each.is_paused else max(0, now_ms - each.next_slot_ms) / 1000,
        )
        for each in schedules
    ]
