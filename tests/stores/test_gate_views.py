"""Limits, parked executions and budgets as people see them who open the database with their own tools."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, cast

import psycopg
import pytest

from flowfabric import BlockingEngine, BudgetSnapshot, LimitSnapshot, ManualClock, open_blocking_engine
from tests.stores_under_test import SHARED_STORES, STORES

DAY_MS = 86_400_000


class Opened(NamedTuple):
    engine: BlockingEngine
    url: str

    def read(self, statement: str) -> list[tuple[Any, ...]]:
        """What a reader finds that does not know the engine."""
        if self.url.startswith("sqlite:"):
            path = self.url.removeprefix("sqlite:///")
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                return connection.execute(statement).fetchall()
        with psycopg.connect(self.url) as database:
            return database.execute(statement.encode()).fetchall()


@pytest.fixture(params=SHARED_STORES)
def opened(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[Opened]:
    with (
        STORES[request.param].empty(tmp_path) as url,
        open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine,
    ):
        yield Opened(engine, url)


def _claim(engine: BlockingEngine) -> list[str]:
    found = engine.claim(worker_id="w", worker_instance_id="w1", limit=10, lease_ttl_ms=10 * DAY_MS)
    return [each.execution_id for each in found]


def test_views_show_limits_with_who_runs_and_who_is_parked(opened: Opened, clock: ManualClock) -> None:
    engine = opened.engine
    engine.set_limit("api", concurrency=1, rate=60, per_ms=500, burst=7)
    engine.set_limit("tenant", concurrency=1)
    engine.set_limit("tenant", key="vip", concurrency=5)
    engine.pause_limit("tenant", "late", for_ms=1_000)
    made = [
        engine.create_execution("job", limits={"tenant": key}, lane=lane, priority=4).execution_id
        for key, lane in (("a", "default"), ("a", "default"), ("late", "default"), ("a", "mail"))
    ]
    running = _claim(engine)
    engine.claim(worker_id="w", worker_instance_id="w1", limit=10, lanes=["mail"])
    engine.set_limit("gone", concurrency=1)
    engine.remove_limit("gone")

    limits = opened.read("select * from ff_limit_status order by namespace, name, key")
    parked = opened.read("select name, key, execution_id, lane, priority from ff_parked_execution order by 3")
    holders = opened.read("select gate, name, key, execution_id, kind, lane, worker_id from ff_slot_holder")

    listed = cast("list[LimitSnapshot]", engine.list_limits().items)
    assert limits == [
        (*(each.namespace, each.name, each.key, each.concurrency, each.rate, each.per_ms, each.burst), *_now(each))
        for each in listed
    ]
    assert [each.parked for each in listed if each.parked] == [2, 1]
    assert running == [made[0]]
    assert holders == [("limit", "tenant", "a", made[0], "job", "default", "w")]
    lanes = {made[1]: ("a", "default"), made[2]: ("late", "default"), made[3]: ("a", "mail")}
    assert parked == sorted(
        (("tenant", key, each, lane, 4) for each, (key, lane) in lanes.items()), key=lambda row: row[2]
    )


def _now(snapshot: LimitSnapshot) -> tuple[int, int, int | None]:
    return snapshot.in_use, snapshot.parked, snapshot.paused_until_ms


def test_views_show_budgets_by_dimension_and_period(opened: Opened, clock: ManualClock) -> None:
    engine = opened.engine
    engine.set_budget("company", limits={"usd": 100}, on_exceeded="cancel")
    engine.set_budget(
        "team", limits={"usd": 10, 'a "token"': 5}, soft_limits={"usd": 8}, period="day", parent="company"
    )
    first, second = (engine.create_execution("ask", budgets={"team": {"usd": 6}}).execution_id for _ in range(2))
    clock.advance(DAY_MS - clock.now_ms % DAY_MS)
    today_ms = clock.now_ms
    (running,) = engine.claim(worker_id="w", worker_instance_id="w1", limit=10, lease_ttl_ms=10 * DAY_MS)
    engine.spend(running.lease, "team", {"usd": 2})
    today = opened.read("select * from ff_budget_status order by name, dimension, period_ms")
    parked = opened.read("select gate, name, key, execution_id, kind from ff_parked_execution")
    on_it = opened.read("select gate, name, key, execution_id from ff_slot_holder")
    team = cast("BudgetSnapshot", engine.describe_budget("team"))
    engine.complete(running.lease)
    clock.advance(DAY_MS)
    engine.charge_budget("team", {"usd": 1}, reason="late")

    tomorrow = opened.read(
        "select dimension, period_ms, used, reserved from ff_budget_status where name = 'team' order by 1, 2"
    )

    assert today == [
        ("default", "company", "usd", 0, 2, 4, 0, 100, None, None, "cancel", 0),
        ("default", "team", 'a "token"', today_ms, 0, 0, 0, 5, None, "company", "pause", 1),
        ("default", "team", "usd", today_ms, 2, 4, 0, 10, 8, "company", "pause", 1),
    ]
    assert (team.used["usd"], team.reserved["usd"], team.parked) == (2, 4, 1)
    assert running.execution_id == first
    assert parked == [("budget", "team", "", second, "ask")]
    assert on_it == [("budget", "team", "", first)]
    assert tomorrow == [
        ('a "token"', today_ms, 0, 0),
        ('a "token"', today_ms + DAY_MS, 0, 0),
        ("usd", today_ms, 2, 0),
        ("usd", today_ms + DAY_MS, 1, 0),
    ]


def test_a_budget_that_nobody_has_used_is_shown(opened: Opened, clock: ManualClock) -> None:
    opened.engine.set_budget("team", limits={"usd": 10})

    assert opened.read("select name, dimension, period_ms, used, hard_limit, parked from ff_budget_status") == [
        ("team", "usd", None, 0, 10, 0)
    ]
