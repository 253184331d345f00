"""What the sentences of the suite are made of: short ways to act on an engine, and to see what came of it."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

import pytest

from flowfabric import (
    AttemptSnapshot,
    BlockingEngine,
    Claimed,
    Created,
    EdgeSnapshot,
    EngineError,
    Event,
    ExecutionPolicy,
    ExecutionSnapshot,
    FlowGraph,
    FlowSnapshot,
    InvalidInput,
    Lease,
    ManualClock,
    RetryPolicy,
    ScheduleSnapshot,
    Signal,
    StreamFrame,
    Summary,
    WaitpointSnapshot,
)

E = TypeVar("E", bound=EngineError)
T = TypeVar("T")

ANSWER_S_MAX: Final = 60.0
"""How long a call in another thread may take: far longer than it ever does."""
CLOSELY_MAX: Final = 40
"""Of so many executions, everything that can be read of them is compared."""

UNKNOWN: Final = "{fp:86}:00000000-0000-7000-8000-000000000000"
PLAIN: Final = ExecutionPolicy()
RETRIED: Final = ExecutionPolicy(retry=RetryPolicy(max_retries=3, backoff="fixed", initial_delay_ms=1_000, jitter=0.0))
"""Three retries, a second apart to the millisecond."""

CODES: Final = {
    "NotFound": "not_found",
    "InvalidInput": "invalid_input",
    "StaleLease": "stale_lease",
    "LeaseExpired": "lease_expired",
    "ExecutionNotActive": "execution_not_active",
    "ExecutionNotEligible": "execution_not_eligible",
    "ExecutionNotTerminal": "execution_not_terminal",
    "MaxReplaysExhausted": "max_replays_exhausted",
    "Conflict": "conflict",
    "FlowTerminal": "flow_terminal",
    "FlowNotTerminal": "flow_not_terminal",
    "StaleGraphRevision": "stale_graph_revision",
    "CycleDetected": "cycle_detected",
    "SelfEdge": "self_edge",
    "NotAMember": "not_a_member",
    "EdgeExists": "edge_exists",
    "PolicyFixed": "policy_fixed",
    "ScheduleNotOrphaned": "schedule_not_orphaned",
    "InvalidToken": "invalid_token",
    "NotSignalable": "not_signalable",
    "WaitpointClosed": "waitpoint_closed",
    "NoWaiter": "no_waiter",
    "SignalLimitExceeded": "signal_limit_exceeded",
    "BudgetExceeded": "budget_exceeded",
}


# ── acting ───────────────────────────────────────────────────────────────────────────────────────


def create(engine: BlockingEngine, kind: str = "job", payload: bytes = b"", **arguments: Any) -> str:
    """A new execution's id."""
    answer = engine.create_execution(kind, payload, **arguments)
    assert isinstance(answer, Created)
    return answer.execution_id


def claim(engine: BlockingEngine, worker: str = "w1", **arguments: Any) -> Claimed:
    """The one execution that a claim of one gets."""
    (claimed,) = engine.claim(worker_id="worker", worker_instance_id=worker, **arguments)
    return claimed


def claim_ids(engine: BlockingEngine, limit: int = 1000, **arguments: Any) -> list[str]:
    """The ids that a claim gets, in the order it gets them."""
    found = engine.claim(worker_id="worker", worker_instance_id="w1", limit=limit, **arguments)
    return [claimed.execution_id for claimed in found]


def start(engine: BlockingEngine, **arguments: Any) -> Lease:
    """The lease of a new execution that has been claimed."""
    create(engine, **arguments)
    return claim(engine).lease


class Started(Generic[T]):
    """A call that waits in a thread of its own. One that never returns fails its test and does not hang it."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._answer: Future[T] = Future()
        self._call = call
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._answer.set_result(self._call())
        except BaseException as error:
            self._answer.set_exception(error)

    @property
    def has_answered(self) -> bool:
        """Whether the call is over."""
        return self._answer.done()

    def answer(self) -> T:
        """What the call returned, or raised."""
        return self._answer.result(timeout=ANSWER_S_MAX)


# ── executions in every state ────────────────────────────────────────────────────────────────────


def _waiting(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    return create(engine, policy=policy)


def _delayed(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    return create(engine, policy=policy, delay_until_ms=clock.now_ms + 60_000)


def _held(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = create(engine, policy=policy)
    engine.hold(execution_id)
    return execution_id


def _active(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = create(engine, policy=policy, priority=9000)
    assert claim(engine).execution_id == execution_id
    return execution_id


def _retrying(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    create(engine, policy=RETRIED, priority=9000)
    claimed = claim(engine)
    engine.fail(claimed.lease, code="boom")
    return claimed.execution_id


def _suspended(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    create(engine, policy=policy, priority=9000)
    claimed = claim(engine)
    engine.suspend(claimed.lease, "wait", "editor")
    return claimed.execution_id


def _resumable(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = _suspended(engine, clock, policy)
    engine.signal(execution_id, "editor")
    return execution_id


def _interrupted(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = _active(engine, clock, policy)
    engine.revoke_lease(execution_id)
    return execution_id


def _completed(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    create(engine, policy=policy, priority=9000)
    claimed = claim(engine)
    engine.complete(claimed.lease, b"done")
    return claimed.execution_id


def _failed(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    create(engine, policy=policy, priority=9000)
    claimed = claim(engine)
    engine.fail(claimed.lease, code="boom", message="it broke", retryable=False)
    return claimed.execution_id


def _cancelled(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = create(engine, policy=policy)
    engine.cancel_execution(execution_id, reason="no longer wanted")
    return execution_id


def _expired(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    execution_id = create(engine, policy=policy, deadline_at_ms=clock.now_ms)
    engine.reconcile()
    return execution_id


def _blocked(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    return _waiting_for_another(engine, policy)["it"]


def _skipped(engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy) -> str:
    ids = _waiting_for_another(engine, policy)
    engine.cancel_execution(ids["upstream"], reason="no longer wanted")
    return ids["it"]


def _waiting_for_another(engine: BlockingEngine, policy: ExecutionPolicy) -> Mapping[str, str]:
    graph = FlowGraph("pair")
    graph.edge(graph.node("upstream", "job", lane="upstream"), graph.node("it", "job", policy=policy))
    return engine.submit_flow(graph).execution_ids


Maker = Callable[[BlockingEngine, ManualClock, ExecutionPolicy], str]

LIVE: Final[dict[str, Maker]] = {
    "waiting": _waiting,
    "delayed": _delayed,
    "blocked": _blocked,
    "held": _held,
    "active": _active,
    "retrying": _retrying,
    "interrupted": _interrupted,
    "suspended": _suspended,
    "resumable": _resumable,
}
ENDED: Final[dict[str, Maker]] = {
    "completed": _completed,
    "failed": _failed,
    "cancelled": _cancelled,
    "expired": _expired,
    "skipped": _skipped,
}


def an_execution(state: str, engine: BlockingEngine, clock: ManualClock, policy: ExecutionPolicy = PLAIN) -> str:
    """The id of an execution in the named state."""
    return {**LIVE, **ENDED}[state](engine, clock, policy)


# ── looking ──────────────────────────────────────────────────────────────────────────────────────


def look(engine: BlockingEngine, execution_id: str) -> ExecutionSnapshot:
    """The execution as it is now."""
    snapshot = engine.describe_execution(execution_id)
    assert snapshot is not None
    return snapshot


def vector(engine: BlockingEngine, execution_id: str) -> str:
    """The six columns of its state, as one text."""
    x = look(engine, execution_id)
    return "/".join(
        (
            x.lifecycle_phase,
            x.ownership_state,
            x.eligibility_state,
            x.attempt_state,
            x.terminal_outcome,
            x.public_state,
        )
    )


def events_of(engine: BlockingEngine, execution_id: str) -> list[Event]:
    """Its events, first to last."""
    return list(engine.read_events(execution_id=execution_id, limit=1000).events)


def story(engine: BlockingEngine, execution_id: str) -> list[str]:
    """What happened to it, as `channel.type`."""
    return [f"{event.channel}.{event.event_type}" for event in events_of(engine, execution_id)]


def last_event(engine: BlockingEngine, execution_id: str) -> tuple[str, str, dict[str, object]]:
    """The channel, type and details of what happened last."""
    event = events_of(engine, execution_id)[-1]
    return event.channel, event.event_type, dict(event.details)


def outcomes(engine: BlockingEngine, execution_id: str) -> list[str | None]:
    """How each of its attempts ended."""
    return [attempt.outcome for attempt in engine.list_attempts(execution_id)]


def listed(engine: BlockingEngine, **filters: Any) -> list[ExecutionSnapshot]:
    """Every execution that a list shows, page by page."""
    found: list[ExecutionSnapshot] = []
    cursor = None
    while True:
        page = engine.list_executions(cursor=cursor, limit=1000, **filters)
        found += cast("list[ExecutionSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


def listed_flows(engine: BlockingEngine, **filters: Any) -> list[FlowSnapshot]:
    """Every flow that a list shows, page by page."""
    found: list[FlowSnapshot] = []
    cursor = None
    while True:
        page = engine.list_flows(cursor=cursor, **{"limit": 1000, **filters})
        found += cast("list[FlowSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


def log(engine: BlockingEngine, **filters: Any) -> list[Event]:
    """The whole event log, page by page."""
    found: list[Event] = []
    cursor = None
    while (page := engine.read_events(cursor=cursor, limit=1000, **filters)).events:
        found += page.events
        cursor = page.next_cursor
    return found


class Everything(NamedTuple):
    """All that can be read from a store."""

    executions: list[ExecutionSnapshot]
    attempts: dict[str, list[AttemptSnapshot]]
    results: dict[str, bytes | None]
    flows: dict[str, FlowSnapshot | None]
    edges: dict[str, list[EdgeSnapshot]]
    schedules: list[ScheduleSnapshot]
    events: list[Event]
    waitpoints: dict[str, list[WaitpointSnapshot]]
    signals: dict[str, list[Signal]]
    streams: dict[str, list[StreamFrame]]
    summaries: dict[str, Summary | None]


def everything(engine: BlockingEngine) -> Everything:
    """All that can be read from the store now. Of a crowd, only some are looked at more closely."""
    executions = listed(engine)
    seen_closely = [x.execution_id for x in executions[:: len(executions) // CLOSELY_MAX + 1]]
    flows = [flow.flow_id for flow in listed_flows(engine)]
    return Everything(
        executions,
        {each: engine.list_attempts(each) for each in seen_closely},
        {each: engine.get_result(each) for each in seen_closely},
        {flow_id: engine.describe_flow(flow_id) for flow_id in flows},
        {flow_id: engine.list_edges(flow_id) for flow_id in flows},
        engine.list_schedules(),
        log(engine),
        {each: engine.list_waitpoints(each) for each in seen_closely},
        {each: engine.list_signals(each) for each in seen_closely},
        {each: _stream(engine, each) for each in seen_closely},
        {each: engine.read_summary(each) for each in seen_closely},
    )


def _stream(engine: BlockingEngine, execution_id: str) -> list[StreamFrame]:
    """Every frame that was written and is kept."""
    found: list[StreamFrame] = []
    cursor = None
    while (page := engine.read_stream(execution_id, cursor=cursor, limit=1000, view="all")).frames:
        found += page.frames
        cursor = page.next_cursor
    return found


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def refused(engine: BlockingEngine, refusal: type[E]) -> Iterator[pytest.ExceptionInfo[E]]:
    """The block is refused with exactly this class, its code says so, a retry is pointless, and nothing was written."""
    before = everything(engine)
    with pytest.raises(refusal) as caught:
        yield caught
    assert type(caught.value) is refusal
    assert caught.value.code == CODES[refusal.__name__]
    assert caught.value.retryable is False
    assert str(caught.value)
    assert everything(engine) == before


def all_refused(engine: BlockingEngine, refusal: type[E], calls: Mapping[str, Callable[[], object]]) -> dict[str, E]:
    """What each call was refused with, by the call's name: as `refused`, for calls that can share one scene.

    A refused call changes nothing, so the next one meets the same scene.
    """
    caught: dict[str, E] = {}
    unexpected: dict[str, object] = {}
    with unchanged(engine):
        for name, call in calls.items():
            try:
                unexpected[name] = call()
            except EngineError as error:
                if type(error) is refusal:
                    caught[name] = error
                else:
                    unexpected[name] = error
    assert unexpected == {}
    for each in caught.values():
        assert (each.code, each.retryable) == (CODES[refusal.__name__], False)
        assert str(each)
    return caught


@contextmanager
def unchanged(engine: BlockingEngine) -> Iterator[None]:
    """The block changes nothing that can be read."""
    before = everything(engine)
    yield
    assert everything(engine) == before


def refusing(engine: BlockingEngine, call: Callable[[Any], object], values: Iterable[object]) -> list[object]:
    """The values that were taken although they should have been refused; and nothing was written by any of them."""
    taken: list[object] = []
    before = everything(engine)
    for value in values:
        try:
            call(value)
        except InvalidInput as refusal:
            assert type(refusal) is InvalidInput
            assert (refusal.code, refusal.retryable) == ("invalid_input", False)
            assert str(refusal)
        else:
            taken.append(value)
    assert everything(engine) == before
    return taken
