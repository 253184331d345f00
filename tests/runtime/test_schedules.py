"""Schedules as programs declare them, and how a worker fires them."""

import asyncio
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flowfabric import (
    Context,
    Engine,
    FlowFabric,
    InvalidInput,
    ManualClock,
    NewSchedule,
    Retry,
    ScheduleFired,
    StoreUnavailable,
)
from flowfabric.runtime.scheduler import Scheduler
from flowfabric.runtime.tasks import Task
from tests.runtime.working import run, until, working_on
from tests.stores_under_test import on_one_store

MINUTE_MS = 60_000


def a_task(ff: FlowFabric, **options: Any) -> Task[[str], None]:
    @ff.task(name="sync", **options)
    def sync(ctx: Context, region: str = "eu") -> None: ...

    return sync


# ── declaring ────────────────────────────────────────────────────────────────────────────────────


@on_one_store
def test_a_task_with_a_pattern_is_scheduled_under_its_name(ff: FlowFabric) -> None:
    @ff.task(cron="*/5 * * * *", timezone="Europe/Berlin", catch_up="all", lane="mail")
    async def report(ctx: Context) -> None: ...

    schedule = ff.schedules["report"]

    assert (schedule.kind, schedule.lane, schedule.catch_up) == ("report", "mail", "all")
    assert (schedule.cron, schedule.timezone) == ("*/5 * * * *", "Europe/Berlin")
    assert ff.tasks["report"] is report


@on_one_store
def test_by_default_a_pattern_is_in_universal_time_and_the_newest_missed_slot_fires(ff: FlowFabric) -> None:
    @ff.task(cron="@hourly")
    def report(ctx: Context) -> None: ...

    assert (ff.schedules["report"].timezone, ff.schedules["report"].catch_up) == ("UTC", "last")


@on_one_store
def test_a_call_is_scheduled_with_its_arguments_and_options(ff: FlowFabric) -> None:
    sync = a_task(ff, retry=Retry(max_retries=3), deadline="5m", tags={"team.name": "data"})
    call = sync.options(lane="slow", priority=4, capabilities=["net"], retention="1d").bind(region="us")
    anchor = datetime(2026, 1, 1, 3, tzinfo=UTC)

    ff.every("10m", call, name="sync us", anchor=anchor, catch_up="skip")

    schedule = ff.schedules["sync us"]
    assert (schedule.kind, schedule.lane, schedule.priority) == ("sync", "slow", 4)
    assert schedule.payload == b'{"arguments":{"region":"us"}}'
    assert (schedule.every_ms, schedule.anchor_ms) == (600_000, int(anchor.timestamp() * 1000))
    assert (schedule.deadline_after_ms, schedule.policy.retry.max_retries) == (300_000, 3)
    assert (schedule.policy.retention_ms, schedule.required_capabilities) == (86_400_000, ("net",))
    assert (schedule.catch_up, schedule.tags) == ("skip", {"team.name": "data"})


@on_one_store
def test_one_task_can_have_several_schedules(ff: FlowFabric) -> None:
    sync = a_task(ff)

    ff.every(timedelta(minutes=10), sync)
    ff.cron("0 2 * * *", sync.bind("us"), name="nightly us")

    assert sorted(ff.schedules) == ["nightly us", "sync"]


@on_one_store
def test_what_cannot_be_scheduled_is_refused_where_it_is_declared(ff: FlowFabric) -> None:
    sync = a_task(ff)
    other = a_task(FlowFabric("memory://"))

    @ff.task
    def charge(ctx: Context, cents: int) -> None: ...

    wrong: dict[str, Any] = {
        "missing a required argument": lambda: ff.every("1h", charge),
        "minute has '60'": lambda: ff.cron("60 * * * *", sync),
        "timezone is 'Berlin'": lambda: ff.cron("@daily", sync, timezone="Berlin"),
        "interval is '10ms'": lambda: ff.every("10ms", sync),
        "interval is 'soon'": lambda: ff.every("soon", sync),
        "without a time zone": lambda: ff.every("1h", sync, anchor=datetime(2026, 1, 1)),  # noqa: DTZ001
        "catch_up is 'never'": lambda: ff.every("1h", sync, catch_up="never"),  # type: ignore[arg-type]
        "name is ''": lambda: ff.every("1h", sync, name=""),
        "idempotency_key=": lambda: ff.every("1h", sync.options(idempotency_key="once")),
        "a delay=": lambda: ff.every("1h", sync.options(delay="1s")),
        "deadline=": lambda: ff.every("1h", sync.options(deadline=datetime.now(UTC))),
        "cannot be scheduled": lambda: ff.every("1h", sync.function),  # type: ignore[arg-type]
        "another FlowFabric": lambda: ff.every("1h", other),
        "catch_up= belong to cron=": lambda: ff.task(timezone="UTC"),
        "belong to cron=": lambda: ff.task(catch_up="all"),
    }

    for says, declare in wrong.items():
        with pytest.raises(InvalidInput, match=says.removeprefix("also ")):
            declare()
    assert dict(ff.schedules) == {}


@on_one_store
def test_two_schedules_of_one_name_are_refused_unless_they_are_the_same(ff: FlowFabric) -> None:
    sync = a_task(ff)
    ff.every("10m", sync)
    ff.every("600s", sync)

    with pytest.raises(InvalidInput, match="another name"):
        ff.every("10m", sync.bind("us"))

    assert ff.schedules["sync"].payload == b'{"arguments":{}}'


@on_one_store
def test_a_task_that_is_declared_again_brings_its_pattern(ff: FlowFabric) -> None:
    a_task(ff, cron="@daily")

    a_task(ff, cron="@hourly")

    assert ff.schedules["sync"].cron == "@hourly"


def test_arguments_that_are_encrypted_stay_the_same_schedule() -> None:
    class Salted:
        def encode(self, data: bytes) -> bytes:
            return os.urandom(8) + data

        def decode(self, data: bytes) -> bytes:
            return data[8:]

    one, other = (FlowFabric("memory://", codec=Salted()) for _ in range(2))
    for ff in (one, other):
        ff.every("1h", a_task(ff).bind("us"))

    assert one.schedules["sync"].payload != other.schedules["sync"].payload
    assert one.schedules["sync"].fingerprint == other.schedules["sync"].fingerprint


# ── running ──────────────────────────────────────────────────────────────────────────────────────


def test_a_worker_fires_its_schedules_and_the_task_is_told_the_slot() -> None:
    slots: list[datetime | None] = []
    ff = FlowFabric("memory://")

    @ff.task
    async def tick(ctx: Context) -> None:
        slots.append(ctx.scheduled_at)

    async def main() -> None:
        async with ff, working_on(ff):
            await until(lambda: len(slots) >= 2)

    ff.every("1s", tick)
    run(main)

    first, second, *_ = slots
    assert first is not None
    assert second is not None
    assert (first.microsecond, second - first) == (0, timedelta(seconds=1))


def test_what_no_schedule_made_has_no_slot() -> None:
    plain, made_up = Context.for_test(), Context.for_test()
    made_up.tags = {"schedule.slot": "yesterday"}

    assert (plain.scheduled_at, made_up.scheduled_at) == (None, None)


class Looking:
    """A scheduler whose own clock goes with the store's, and the looks it has taken."""

    def __init__(self, engine: Engine, clock: ManualClock, *schedules: NewSchedule) -> None:
        self.looks: list[tuple[int, str, bool]] = []
        self.is_away = False
        self._engine = engine
        self._clock = clock
        self._scheduler = Scheduler(self, schedules, monotonic=lambda: clock.now_ms / 1000)
        self._again_at_ms = 0

    async def fire_schedule(self, schedule: NewSchedule, *, replace: bool) -> ScheduleFired:
        self.looks.append((self._clock.now_ms, schedule.name, replace))
        if self.is_away:
            raise StoreUnavailable("away")
        return await self._engine.fire_schedule(schedule, replace=replace)

    async def look_if_it_is_time(self) -> None:
        if self._clock.now_ms >= self._again_at_ms:
            pause_s = await self._scheduler.poll()
            self._again_at_ms = self._clock.now_ms + max(1, round(pause_s * 1000))


async def pass_time(clock: ManualClock, ms: int, *schedulers: Looking, step_ms: int = 500) -> None:
    end_ms = clock.now_ms + ms
    while clock.now_ms < end_ms:
        for scheduler in schedulers:
            await scheduler.look_if_it_is_time()
        clock.advance(min(step_ms, end_ms - clock.now_ms))


def schedule(name: str = "report", **fields: Any) -> NewSchedule:
    return NewSchedule(**{"name": name, "kind": "report", "every_ms": 10 * MINUTE_MS, **fields})


def made(ff: FlowFabric, name: str = "report") -> list[Any]:
    """The executions that a schedule has made, by their slots."""
    found = ff.blocking_engine().list_executions(tag=("schedule.name", name), limit=1000).items
    return sorted(found, key=slot_ms)


def slot_ms(x: Any) -> int:
    return int(datetime.fromisoformat(x.tags["schedule.slot"]).timestamp() * 1000)


def test_an_idle_process_looks_at_all_its_schedules_once_a_minute(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> Looking:
        schedules = [schedule(f"report {number}", cron="@yearly", every_ms=None) for number in range(3)]
        looking = Looking(await still_ff.engine(), clock, *schedules)
        await pass_time(clock, 60 * MINUTE_MS, looking)
        return looking

    looking = run(main)

    moments = sorted({at for at, _, _ in looking.looks})
    assert len(looking.looks) == 3 * len(moments)
    assert len(moments) == 60


def test_a_process_looks_again_at_each_slot_and_fires_it_in_time(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> Looking:
        looking = Looking(await still_ff.engine(), clock, schedule(every_ms=45_000), schedule("other"))
        await pass_time(clock, 10 * MINUTE_MS, looking)
        return looking

    looking = run(main)

    late = [x.created_at_ms - slot_ms(x) for x in made(still_ff)]
    assert len(late) == (clock.now_ms - 1) // 45_000 - (clock.now_ms - 10 * MINUTE_MS) // 45_000
    assert max(late) <= 500
    assert len([name for _, name, _ in looking.looks if name == "other"]) <= 11


def test_a_definition_replaces_another_only_when_its_process_starts(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> Looking:
        looking = Looking(await still_ff.engine(), clock, schedule())
        await pass_time(clock, 5 * MINUTE_MS, looking)
        return looking

    looking = run(main)

    assert [replace for _, _, replace in looking.looks] == [True, *[False] * (len(looking.looks) - 1)]


def test_two_versions_side_by_side_neither_take_turns_nor_fire_twice(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> None:
        engine = await still_ff.engine()
        old = Looking(engine, clock, schedule(kind="old"))
        await pass_time(clock, 30 * MINUTE_MS, old)
        new = Looking(engine, clock, schedule(kind="new"))
        await pass_time(clock, 60 * MINUTE_MS, new, old)

    run(main)

    changes = [event.event_type for event in still_ff.blocking_engine().read_events().events]
    assert changes == ["schedule_changed"]
    assert [x.kind for x in made(still_ff)] == ["old"] * 3 + ["new"] * 6
    assert len(set(map(slot_ms, made(still_ff)))) == 9


def test_the_version_that_stays_takes_over_when_the_other_is_gone(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> None:
        engine = await still_ff.engine()
        new = Looking(engine, clock, schedule(kind="new"))
        await pass_time(clock, MINUTE_MS, new)
        restarted_old = Looking(engine, clock, schedule(kind="old"))
        await pass_time(clock, 5 * MINUTE_MS, restarted_old, new)
        await pass_time(clock, 4 * MINUTE_MS, new)

    run(main)

    (listed,) = still_ff.blocking_engine().list_schedules()
    assert (listed.kind, listed.is_orphaned) == ("new", False)


def test_an_outage_of_the_store_is_waited_for_and_caught_up(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> Looking:
        looking = Looking(await still_ff.engine(), clock, schedule(catch_up="all"))
        looking.is_away = True
        await pass_time(clock, MINUTE_MS, looking)
        looking.is_away = False
        await pass_time(clock, MINUTE_MS, looking)
        looking.is_away = True
        await pass_time(clock, 30 * MINUTE_MS, looking)
        looking.is_away = False
        await pass_time(clock, MINUTE_MS, looking)
        return looking

    looking = run(main)

    assert len(made(still_ff)) == 3
    # Six seconds between two tries at most, and one that replaces until one has succeeded.
    assert 30 * 60 / 6 < len(looking.looks) < 30 * 60 * 2
    assert all(replace for at, _, replace in looking.looks if at < looking.looks[0][0] + MINUTE_MS)


def test_a_schedule_that_is_refused_does_not_stop_the_others(still_ff: FlowFabric, clock: ManualClock) -> None:
    async def main() -> Looking:
        too_large = schedule("too large", payload=bytes(1024 * 1024 + 1))
        looking = Looking(await still_ff.engine(), clock, too_large, schedule())
        await pass_time(clock, 30 * MINUTE_MS, looking)
        return looking

    looking = run(main)

    assert len(made(still_ff)) == 3
    assert len([name for _, name, _ in looking.looks if name == "too large"]) <= 61


def test_a_worker_without_schedules_has_no_scheduler() -> None:
    ff = FlowFabric("memory://")
    a_task(ff)

    async def main() -> set[str]:
        async with ff, working_on(ff):
            await asyncio.sleep(0)
            return {task.get_name() for task in asyncio.all_tasks()}

    assert "flowfabric scheduler" not in run(main)
