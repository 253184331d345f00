"""The numbers of one process, in a registry of prometheus-client.

Counts come from what commits say has happened, once for each batch. They are kept as plain numbers, and become metrics
when somebody asks for them.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import AnyCommand, RecordStep, RenewAll
from flowfabric.domain.execution import DueKind, Execution
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import DuplicateSignal, LeaseLost, Renewed, Signalled, Spent, StepRecorded
from flowfabric.domain.states import CLAIM_TYPES, ClaimType
from flowfabric.ports.telemetry import CommittedBatch, Slots, WhyAgain
from flowfabric.telemetry import catalogue
from flowfabric.telemetry.catalogue import PREFIX, Metric
from flowfabric.telemetry.counting import SIZES, Capped, Histogram, Series, SeriesByTask

try:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
    from prometheus_client.core import Metric as Family
    from prometheus_client.exposition import choose_encoder
    from prometheus_client.registry import Collector
except ImportError as error:  # pragma: no cover
    raise ImportError("Metrics need prometheus-client. Install it with: pip install 'flowfabric[metrics]'") from error

Values = Iterable[tuple[tuple[str, ...], float]]
"""Values of a metric, each with the values of its labels."""

_WHY_LOST: Final[Mapping[str | None, str]] = {
    "cancelled": "cancelled",
    "expired": "deadline",
    "retry": "timeout",
    "failed": "timeout",
    "skipped": "cancelled",
}
"""Why a lease was taken from its worker, by the outcome of the attempt. Of interrupted ones, the event says it."""
_NO_SERIES: Final = Series()
_COUNTED_ANSWERS: Final = frozenset({Renewed, Signalled, DuplicateSignal, Spent, StepRecorded, list})


class Rendered(NamedTuple):
    """Metrics as text."""

    body: bytes
    content_type: str


class Metrics(Collector):
    """Counts what engines and workers do: `FlowFabric(telemetry=Metrics())`, `open_engine(telemetry=Metrics())`.

    The metrics are in `registry`: a new one, or the one that is given, such as `prometheus_client.REGISTRY`.
    """

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self._lock = threading.Lock()
        self._series = SeriesByTask()
        self._counts: defaultdict[Metric, defaultdict[tuple[str, ...], int]] = defaultdict(lambda: defaultdict(int))
        self._histograms: dict[tuple[Metric, tuple[str, ...]], Histogram] = {}
        self._commit, self._queue, self._batch = Histogram(), Histogram(), Histogram(SIZES)
        self._codes, self._routes, self._methods = Capped(), Capped(), Capped()
        self._connections = 0
        self._workers: list[Callable[[], Slots]] = []
        self.registry = CollectorRegistry() if registry is None else registry
        self.registry.register(self)

    # ── what engines report ──────────────────────────────────────────────────────────────────────

    def committed(self, batch: CommittedBatch) -> None:
        """Count a batch."""
        with self._lock:
            if not batch.is_empty:
                self._commit.observe(batch.took_s)
                self._batch.observe(len(batch.envelopes))
            if batch.plain:
                self._count_plain(batch.plain)
            if batch.changes is not None:
                self._count_changes(batch.changes, batch.now_ms)
            if not _COUNTED_ANSWERS.isdisjoint({type(answer) for answer in batch.answers}):
                # A claim that was taken along while the batch was decided has no envelope. Changes tell of it.
                for envelope, answer in zip(batch.envelopes, batch.answers, strict=False):
                    if not isinstance(answer, list):
                        self._count_answer(answer, envelope.command)
                    elif isinstance(envelope.command, RenewAll):
                        for each in answer:
                            self._count_answer(each, envelope.command)

    def _count_plain(self, plain: Sequence[PlainStep]) -> None:
        for what, namespace, lane, kind, after_ms in plain:
            series = self._series.of(namespace, lane, kind)
            if what == "created":
                series.submitted += 1
            elif what == "leased":
                series.started["first"] += 1
                series.queue.observe_ms(after_ms)
            else:
                series.ended["success"] += 1
                series.attempts["success"] += 1
                series.attempt.observe_ms(after_ms)

    def _count_changes(self, changes: Changes, now_ms: int) -> None:
        """Count what has become of executions. What came and went within one batch is not seen."""
        attempts = changes.attempts
        by_id: dict[str, Series] = {}
        lost: dict[str, Series] = {}
        namespace = lane = kind = ""
        series = _NO_SERIES
        for before, x in changes.executions:
            if x is None:
                continue
            if x.kind != kind or x.lane != lane or x.namespace != namespace:  # most are like the one before
                namespace, lane, kind = x.namespace, x.lane, x.kind
                series = self._series.of(namespace, lane, kind)
            if attempts:
                by_id[x.execution_id] = series
            if before is None:
                series.submitted += 1
                if x.lifecycle_phase == "active":
                    series.started["first"] += 1
                    series.queue.observe_ms(now_ms - x.ready_at_ms)
            elif x.lease_epoch != before.lease_epoch:
                if before.lifecycle_phase == "active":
                    lost[x.execution_id] = series
                if x.lifecycle_phase == "active":
                    claim_type = CLAIM_TYPES.get(before.attempt_state) or _claim_within_batch(before, x)
                    series.started[claim_type] += 1
                    if claim_type != "resume":  # it keeps the place in the queue that it had before its wait
                        series.queue.observe_ms(now_ms - x.ready_at_ms)
            if x.terminal_outcome != "none" and (before is None or before.terminal_outcome == "none"):
                series.ended[x.terminal_outcome] += 1
        for attempt in attempts.values():
            ended = by_id.get(attempt.execution_id)
            if ended is not None and attempt.outcome is not None:
                ended.attempts[attempt.outcome] += 1
                if attempt.terminal_at_ms is not None and attempt.started_at_ms is not None:
                    ended.attempt.observe_ms(attempt.terminal_at_ms - attempt.started_at_ms)
        if changes.chunks:
            new = [chunk for chunk in changes.chunks.values() if chunk is not None]
            self._counts[catalogue.FRAMES][()] += sum(chunk.count for chunk in new)
            self._counts[catalogue.BYTES][()] += sum(chunk.size for chunk in new)
        if lost:
            self._count_lost(changes, lost)

    def _count_lost(self, changes: Changes, lost: Mapping[str, Series]) -> None:
        outcomes: dict[str, str | None] = {each.execution_id: each.outcome for each in changes.attempts.values()}
        events = {
            event.execution_id: event.event_type
            for event in changes.events
            if event.channel == "lease" and event.execution_id in lost
        }
        for key, series in lost.items():
            why = _WHY_LOST.get(outcomes.get(key)) or events.get(key, "expired")
            series.lost[why] += 1

    def _count_answer(self, answer: object, command: AnyCommand) -> None:
        match answer:
            case Renewed():
                self._counts[catalogue.RENEWALS]["renewed",] += 1
            case LeaseLost():
                self._counts[catalogue.RENEWALS]["lost",] += 1
            case Signalled():
                self._counts[catalogue.SIGNALS][answer.effect,] += 1
            case DuplicateSignal():
                self._counts[catalogue.SIGNALS]["duplicate",] += 1
            case Spent():
                self._counts[catalogue.CHARGES][()] += 1
            case StepRecorded() if isinstance(command, RecordStep) and command.charge is not None:
                self._counts[catalogue.CHARGES][()] += 1

    def waited(self, seconds: float) -> None:
        """Count how long the oldest command of a batch had waited."""
        with self._lock:
            self._queue.observe(seconds)

    def refused(self, codes: Iterable[str]) -> None:
        """Count refusals."""
        with self._lock:
            for code in codes:
                self._counts[catalogue.REFUSALS][self._codes.label(code),] += 1

    def tries_again(self, why: WhyAgain) -> None:
        """Count another try of a batch."""
        with self._lock:
            self._counts[catalogue.RETRIES][why,] += 1

    def in_doubt(self) -> None:
        """Count a commit whose answer was lost."""
        with self._lock:
            self._counts[catalogue.IN_DOUBT][()] += 1

    def handled_due(self, kind: DueKind, late_s: Sequence[float]) -> None:
        """Count how late upkeep came."""
        with self._lock:
            histogram = self._histogram(catalogue.LATE, (kind,))
            for late in late_s:
                histogram.observe(late)

    # ── what workers and servers report ──────────────────────────────────────────────────────────

    def step_stored(self, namespace: str, lane: str, task: str, seconds: float) -> None:
        """Count a step."""
        with self._lock:
            self._series.of(namespace, lane, task).step.observe(seconds)

    @contextmanager
    def watching(self, slots: Callable[[], Slots]) -> Iterator[None]:
        """While the block lasts, show the slots of a worker."""
        with self._lock:
            self._workers.append(slots)
        try:
            yield
        finally:
            with self._lock:
                self._workers.remove(slots)

    def request_ended(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request. `route` is the pattern, such as `/v1/executions/{id}`, never the path."""
        with self._lock:
            at = self._routes.label(route), self._methods.label(method)
            self._counts[catalogue.REQUESTS][(*at, str(status))] += 1
            self._histogram(catalogue.REQUEST, at).observe(seconds)

    @contextmanager
    def reader_connected(self) -> Iterator[None]:
        """While the block lasts, a reader follows events or a stream."""
        with self._lock:
            self._connections += 1
        try:
            yield
        finally:
            with self._lock:
                self._connections -= 1

    def _histogram(self, metric: Metric, labels: tuple[str, ...]) -> Histogram:
        found = self._histograms.get((metric, labels))
        if found is None:
            found = self._histograms[metric, labels] = Histogram()
        return found

    # ── what Prometheus sees ─────────────────────────────────────────────────────────────────────

    def describe(self) -> list[Family]:
        """Nothing: the registry then does not collect when this is registered."""
        return []

    def collect(self) -> list[Family]:
        """All metrics of this process, as they are now."""
        with self._lock:
            workers = list(self._workers)
            families = [*self._of_tasks(), *self._of_engine()]
        slots = [each() for each in workers]
        busy, total = sum(each.busy for each in slots), sum(each.total for each in slots)
        families.append(gauge(catalogue.SLOTS, [(("busy",), busy), (("free",), total - busy)]))
        families.append(gauge(catalogue.BUILD, [((_version(),), 1)]))
        families.append(gauge(catalogue.CONNECTIONS, [((), self._connections)]))
        return families

    def _of_tasks(self) -> Iterator[Family]:
        every = list(self._series)
        yield _counter(catalogue.SUBMITTED, [(labels, series.submitted) for labels, series in every])
        by_word: tuple[tuple[Metric, Callable[[Series], Mapping[str, int]]], ...] = (
            (catalogue.STARTED, lambda series: series.started),
            (catalogue.ENDED, lambda series: series.ended),
            (catalogue.ATTEMPTS, lambda series: series.attempts),
            (catalogue.LEASES_LOST, lambda series: series.lost),
        )
        for metric, counts in by_word:
            yield _counter(
                metric, [((*labels, word), n) for labels, series in every for word, n in counts(series).items()]
            )
        yield _distribution(catalogue.QUEUE, [(labels, series.queue) for labels, series in every])
        yield _distribution(catalogue.ATTEMPT, [(labels, series.attempt) for labels, series in every])
        yield _distribution(
            catalogue.STEP, [(labels, series.step) for labels, series in every if any(series.step.counts)]
        )

    def _of_engine(self) -> Iterator[Family]:
        for metric in _COUNTERS:
            # A counter without labels is there from the start, so that its growth can be seen.
            counts = self._counts.get(metric) or ({} if metric.labels else {(): 0})
            yield _counter(metric, list(counts.items()))
        for metric, histogram in (
            (catalogue.COMMIT, self._commit),
            (catalogue.COMMIT_QUEUE, self._queue),
            (catalogue.BATCH, self._batch),
        ):
            yield _distribution(metric, [((), histogram)])
        for metric in (catalogue.LATE, catalogue.REQUEST):
            yield _distribution(metric, [(at[1], each) for at, each in self._histograms.items() if at[0] == metric])

    def render(self, accept: str = "") -> Rendered:
        """The whole registry as text, in the format that `accept` (a header of the request) asks for."""
        encode, content_type = choose_encoder(accept)
        return Rendered(encode(self.registry), content_type)


_COUNTERS: Final = (
    *(catalogue.REFUSALS, catalogue.RENEWALS, catalogue.SIGNALS, catalogue.CHARGES, catalogue.FRAMES),
    *(catalogue.BYTES, catalogue.RETRIES, catalogue.IN_DOUBT, catalogue.REQUESTS),
)


def _claim_within_batch(before: Execution, x: Execution) -> ClaimType:
    """The type of a claim, if the state that it found was made in the same batch."""
    if before.attempt_state != "running_attempt":
        return "replay"
    return "retry" if x.retry_count > before.retry_count else "reclaim"


def _counter(metric: Metric, values: Values) -> Family:
    family = CounterMetricFamily(PREFIX + metric.name, metric.help, labels=metric.labels)
    for labels, value in values:
        family.add_metric(labels, value)
    return family


def gauge(metric: Metric, values: Values) -> Family:
    """A gauge with these values."""
    family = GaugeMetricFamily(PREFIX + metric.name, metric.help, labels=metric.labels)
    for labels, value in values:
        family.add_metric(labels, value)
    return family


def _distribution(metric: Metric, values: Iterable[tuple[tuple[str, ...], Histogram]]) -> Family:
    family = HistogramMetricFamily(PREFIX + metric.name, metric.help, labels=metric.labels)
    for labels, histogram in values:
        family.add_metric(labels, histogram.buckets(), histogram.sum)
    return family


def _version() -> str:
    try:
        return version("flowfabric")
    except PackageNotFoundError:  # flowfabric runs from its sources
        return ""
