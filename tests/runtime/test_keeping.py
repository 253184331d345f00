"""How long tasks and flows are kept after their end."""

from typing import Any

import pytest

from flowfabric import Context, ExecutionPolicy, FlowFabric, InvalidInput, Kept, ManualClock
from flowfabric.runtime.handles import Handle
from tests.runtime.by_hand import work

DAY_MS = 86_400_000


@pytest.fixture
def ff(still_ff: FlowFabric) -> FlowFabric:
    return still_ff


def days_kept(ff: FlowFabric, handle: Handle[Any], clock: ManualClock) -> int | None:
    """After how many days it is removed, counted from now; None: not within a year."""
    start = clock.now_ms
    for day in (1, 7, 30, 365):
        clock.advance(start + day * DAY_MS - 1 - clock.now_ms)
        ff.blocking_engine().reconcile()
        assert ff.blocking_engine().describe_execution(handle.execution_id) is not None
        clock.advance(1)
        ff.blocking_engine().reconcile()
        if ff.blocking_engine().describe_execution(handle.execution_id) is None:
            return day
    return None


@pytest.mark.parametrize(
    ("of_the_task", "of_the_call", "days"),
    [
        ({}, {}, 30),
        ({"retention": "7d"}, {}, 7),
        ({"retention": None}, {}, None),
        ({"retention": "7d"}, {"retention": None}, None),
        ({"retention": None}, {"retention": "1d"}, 1),
        ({"retention": "7d"}, {"priority": 5}, 7),
    ],
)
def test_a_task_is_kept_for_thirty_days_unless_it_or_a_call_says_otherwise(
    ff: FlowFabric, clock: ManualClock, of_the_task: dict[str, Any], of_the_call: dict[str, Any], days: int | None
) -> None:
    @ff.task(**of_the_task)
    def charge(ctx: Context) -> None: ...

    handle = charge.options(**of_the_call).submit_sync()
    work(ff)

    assert days_kept(ff, handle, clock) == days


@pytest.mark.parametrize(("retention", "kept_ms"), [(None, None), ("1h", 3_600_000), (0, 0)])
def test_a_fabric_says_how_long_its_tasks_are_kept(retention: Any, kept_ms: int | None) -> None:
    with FlowFabric("memory://", retention=retention) as ff:

        @ff.task
        def charge(ctx: Context) -> None: ...
        @ff.task(retention="2h")
        def refund(ctx: Context) -> None: ...

        ff.every("1h", charge)

    assert charge.bind().creation(0).policy == ExecutionPolicy(retention_ms=kept_ms)
    assert refund.bind().creation(0).policy.retention_ms == 7_200_000
    assert ff.schedules["charge"].policy.retention_ms == kept_ms


@pytest.mark.parametrize(("of_the_flow", "days"), [({}, 30), ({"retention": "1d"}, 1), ({"retention": None}, None)])
def test_a_flow_is_kept_as_long_as_it_says_or_else_as_its_tasks_do(
    ff: FlowFabric, clock: ManualClock, of_the_flow: dict[str, Any], days: int | None
) -> None:
    @ff.task(retention="7d")
    def charge(ctx: Context) -> str:
        return "paid"

    @ff.task
    def receipt(ctx: Context, paid: str) -> None: ...

    with ff.flow("order", **of_the_flow) as flow:
        flow.add(receipt, paid=flow.add(charge).output)
    work(ff)
    work(ff)

    assert flow.state_sync() == "completed"
    assert days_kept(ff, flow.nodes[0], clock) == days


def test_what_was_submitted_before_keeps_its_policy(ff: FlowFabric, clock: ManualClock) -> None:
    @ff.task
    def charge(ctx: Context) -> None: ...

    engine = ff.blocking_engine()
    before = engine.create_execution("charge", charge.bind().creation(0).payload).execution_id
    after = charge.submit_sync()
    work(ff)
    clock.advance(30 * DAY_MS)
    engine.reconcile()

    assert engine.describe_execution(before) is not None
    assert engine.describe_execution(after.execution_id) is None
    assert engine.stats().kept == Kept(executions_for_ever=1)


def test_a_key_may_not_be_meant_to_live_longer_than_its_execution_is_kept(ff: FlowFabric) -> None:
    def charge(ctx: Context) -> None: ...

    with pytest.raises(
        InvalidInput, match=r"^idempotency_ttl is 90 days, and an execution is removed 30 days after its"
    ):
        ff.task(idempotency_ttl="90d")(charge)
    kept = ff.task(idempotency_ttl="90d", retention="90d")(charge)
    with pytest.raises(InvalidInput, match="retention=None to keep executions for ever"):
        kept.options(retention="89d")
    assert kept.options(retention=None).bind().creation(0).idempotency_ttl_ms == 90 * DAY_MS
    assert ff.task(retention="1h")(charge).bind().creation(0).idempotency_ttl_ms == DAY_MS


@pytest.mark.parametrize("wrong", ["soon", -1, True])
def test_a_retention_that_is_no_span_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^retention is "):
        FlowFabric("memory://", retention=wrong)
    with pytest.raises(InvalidInput, match=r"^retention is "):
        FlowFabric("memory://").flow("order", retention=wrong)
