"""The engine for synchronous code: the same methods, the same code, waiting in the caller's thread."""

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

from flowfabric.domain.events import Event
from flowfabric.domain.lease import Lease
from flowfabric.engine.engine import Engine
from flowfabric.engine.reading import Subscription
from flowfabric.engine.shells import blocking_block, run_now

P = ParamSpec("P")
R = TypeVar("R")


def _blocking(
    method: Callable[Concatenate[Engine, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["BlockingEngine", P], R]:
    """The method of `Engine`, run to its end in the caller's thread."""

    def call(self: "BlockingEngine", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return run_now(method(self._engine, *args, **kwargs))

    update_wrapper(call, method)
    call.__qualname__ = f"BlockingEngine.{method.__name__}"
    return call


class BlockingEngine:
    """`Engine` without async: each method returns when its answer is there."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def scoped(self, namespace: str) -> "BlockingEngine":
        """The same engine confined to one namespace: everything of other namespaces is unknown to it."""
        return BlockingEngine(self._engine.scoped(namespace))

    create_execution = _blocking(Engine.create_execution)
    create_from = _blocking(Engine.create_from)
    create_executions = _blocking(Engine.create_executions)

    @contextmanager
    def transaction(self, conn: object) -> Iterator[None]:
        """A transaction on a connection of the caller's own: committed after the block, rolled back if it raises."""
        with blocking_block(self._engine.transaction(conn)):
            yield

    claim = _blocking(Engine.claim)
    wait_for_work = _blocking(Engine.wait_for_work)
    renew = _blocking(Engine.renew)
    renew_all = _blocking(Engine.renew_all)

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, have `on_lost` called as soon as leases may have been taken away."""
        return self._engine.watch_leases(held, on_lost)

    record_step = _blocking(Engine.record_step)
    heartbeat = _blocking(Engine.heartbeat)
    say_goodbye = _blocking(Engine.say_goodbye)
    complete = _blocking(Engine.complete)
    complete_all = _blocking(Engine.complete_all)
    fail = _blocking(Engine.fail)
    release = _blocking(Engine.release)
    delay = _blocking(Engine.delay)
    progress = _blocking(Engine.progress)
    cancel_execution = _blocking(Engine.cancel_execution)
    revoke_lease = _blocking(Engine.revoke_lease)
    change_priority = _blocking(Engine.change_priority)
    replay_execution = _blocking(Engine.replay_execution)
    replay_flow = _blocking(Engine.replay_flow)
    hold = _blocking(Engine.hold)
    unhold = _blocking(Engine.unhold)
    pause_lane = _blocking(Engine.pause_lane)
    resume_lane = _blocking(Engine.resume_lane)
    operate = _blocking(Engine.operate)
    purge = _blocking(Engine.purge)
    set_tag = _blocking(Engine.set_tag)
    create_flow = _blocking(Engine.create_flow)
    add_execution = _blocking(Engine.add_execution)
    add_dependency = _blocking(Engine.add_dependency)
    set_edge_group_policy = _blocking(Engine.set_edge_group_policy)
    submit_flow = _blocking(Engine.submit_flow)
    cancel_flow = _blocking(Engine.cancel_flow)
    ack_cancel_member = _blocking(Engine.ack_cancel_member)
    set_flow_tag = _blocking(Engine.set_flow_tag)
    fire_schedule = _blocking(Engine.fire_schedule)
    pause_schedule = _blocking(Engine.pause_schedule)
    resume_schedule = _blocking(Engine.resume_schedule)
    run_schedule = _blocking(Engine.run_schedule)
    forget_schedule = _blocking(Engine.forget_schedule)
    list_schedules = _blocking(Engine.list_schedules)
    describe_flow = _blocking(Engine.describe_flow)
    list_flows = _blocking(Engine.list_flows)
    list_edges = _blocking(Engine.list_edges)
    describe_edge = _blocking(Engine.describe_edge)
    describe_execution = _blocking(Engine.describe_execution)
    find_executions = _blocking(Engine.find_executions)
    get_result = _blocking(Engine.get_result)
    get_payload = _blocking(Engine.get_payload)
    wait_for_result = _blocking(Engine.wait_for_result)
    wait_for_flow = _blocking(Engine.wait_for_flow)
    list_attempts = _blocking(Engine.list_attempts)
    attempt_deadline_ms = _blocking(Engine.attempt_deadline_ms)
    list_steps = _blocking(Engine.list_steps)
    list_workers = _blocking(Engine.list_workers)
    list_lanes = _blocking(Engine.list_lanes)
    stats = _blocking(Engine.stats)
    list_executions = _blocking(Engine.list_executions)
    count_executions = _blocking(Engine.count_executions)
    explain = _blocking(Engine.explain)
    read_events = _blocking(Engine.read_events)
    follow_events = _blocking(Engine.follow_events)
    reconcile = _blocking(Engine.reconcile)
    server_time_ms = _blocking(Engine.server_time_ms)
    ping = _blocking(Engine.ping)

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> "BlockingSubscription":
        """Every event after the cursor, once and in order, for as long as the iteration goes on."""
        return BlockingSubscription(
            self._engine.subscribe(
                cursor=cursor,
                from_now=from_now,
                channels=channels,
                namespace=namespace,
                execution_id=execution_id,
                flow_id=flow_id,
            )
        )


class BlockingSubscription(Iterator[Event]):
    """An endless run of events; each step waits for the next one."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    @property
    def cursor(self) -> str | None:
        """Where to go on after the last event delivered."""
        return self._subscription.cursor

    def __next__(self) -> Event:
        """The next event, waiting for it if need be."""
        return run_now(self._subscription.__anext__())
