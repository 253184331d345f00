"""Garbage in a schedule's row: it is named, and the other schedules go on."""

import sqlite3
from pathlib import Path

import psycopg
import pytest

from flowfabric import BlockingEngine, Corruption, ManualClock, NewSchedule, open_blocking_engine
from tests.stores_under_test import SHARED_STORES, STORES

HOURLY = NewSchedule(name="hourly", kind="tick", cron="@hourly")
DAMAGE = [
    ("cron = 'garbage'", "cron"),
    ("cron = null", "cron"),
    ("every_ms = 0, anchor_ms = 0", "every_ms"),
    ("every_ms = 5000", "every_ms"),
    ("catch_up = 'sometimes'", "catch_up"),
    ("required_capabilities = '{}'", "required_capabilities"),
    ("policy = 'garbage'", "policy"),
    ("tags = '[1]'", "tags"),
    ("gates = '[1]'", "gates"),
]


def damage(url: str, assignment: str) -> None:
    run_on(url, f"update ff_schedule set {assignment} where name = 'hourly'")


def run_on(url: str, statement: str) -> None:
    """Run a statement on a database behind the back of its engine."""
    if url.startswith("sqlite:"):
        connection = sqlite3.connect(url.removeprefix("sqlite:///"))
        connection.execute(statement)
        connection.commit()
        connection.close()
    else:
        with psycopg.connect(url) as database:
            database.execute(statement.encode())


def other_fires(engine: BlockingEngine, clock: ManualClock) -> bool:
    other = NewSchedule(name="other", kind="tick", cron="@hourly")
    engine.fire_schedule(other)
    clock.advance(3_600_000)
    return len(engine.fire_schedule(other).execution_ids) == 1


@pytest.mark.parametrize("store", SHARED_STORES)
def test_a_damaged_schedule_is_named_and_the_others_fire(store: str, tmp_path: Path, clock: ManualClock) -> None:
    with STORES[store].empty(tmp_path) as url:
        for assignment, column in DAMAGE:
            with open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine:
                engine.fire_schedule(HOURLY)
                damage(url, assignment)

                for use in (
                    lambda engine=engine: engine.fire_schedule(HOURLY),
                    lambda engine=engine: engine.pause_schedule("hourly"),
                    engine.list_schedules,
                ):
                    with pytest.raises(Corruption, match=f"ff_schedule, key default, hourly: column {column} "):
                        use()
                assert other_fires(engine, clock)
                damage(
                    url,
                    "tags = null, gates = null, policy = null, every_ms = null, cron = '@hourly', catch_up = 'last'",
                )
                damage(url, "required_capabilities = '[]'")
                assert len(engine.list_schedules()) == 2


@pytest.mark.parametrize("store", SHARED_STORES)
def test_a_time_zone_that_is_not_known_here_hides_no_schedule(store: str, tmp_path: Path, clock: ManualClock) -> None:
    with (
        STORES[store].empty(tmp_path) as url,
        open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine,
    ):
        engine.fire_schedule(HOURLY)
        damage(url, "timezone = 'Mars/Olympus'")

        (listed,) = engine.list_schedules()
        engine.pause_schedule("hourly")
        resumed = engine.resume_schedule("hourly")

    assert (listed.timezone, listed.next_slot_ms, resumed.next_slot_ms) == ("Mars/Olympus", None, None)
