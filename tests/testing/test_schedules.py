"""Schedules in the kit: they fire as time passes."""

from datetime import UTC, datetime, timedelta

import pytest

from flowfabric import Context, FlowFabric, InvalidInput
from flowfabric.domain.schedule import CatchUp
from flowfabric.testing import Kit

START = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)


def nightly(catch_up: CatchUp = "last") -> tuple[FlowFabric, list[datetime | None]]:
    ff = FlowFabric("postgresql://nobody@nowhere.invalid/shop")
    slots: list[datetime | None] = []

    @ff.task(cron="30 2 * * *", timezone="Europe/Berlin", catch_up=catch_up)
    def report(ctx: Context) -> None:
        slots.append(ctx.scheduled_at)

    return ff, slots


def test_time_that_passes_fires_each_slot_at_its_moment() -> None:
    ff, slots = nightly()
    moments: list[datetime] = []
    with Kit(ff, start=START) as kit:
        kit.at_attempt(times=3).do(lambda ctx: moments.append(kit.now))

        left = kit.run_for("3d")

    assert left == []
    assert slots == moments
    # In the first night the clocks go from two to three, which stands in for the missing half past two.
    assert moments == [
        datetime(2026, 3, 29, 1, 0, tzinfo=UTC),
        datetime(2026, 3, 30, 0, 30, tzinfo=UTC),
        datetime(2026, 3, 31, 0, 30, tzinfo=UTC),
    ]


@pytest.mark.parametrize(("catch_up", "times"), [("skip", 0), ("last", 1), ("all", 3)])
def test_a_jump_is_as_if_no_worker_had_been_there(catch_up: CatchUp, times: int) -> None:
    ff, slots = nightly(catch_up)
    with Kit(ff, start=START) as kit:
        kit.advance("3d")
        kit.run_until_idle()

    assert len(slots) == times


def test_on_the_way_to_the_end_nothing_new_is_made() -> None:
    ff, slots = nightly()

    @ff.task
    def wait(ctx: Context) -> None: ...

    with Kit(ff, start=START) as kit:
        wait.options(delay="9d").submit_sync()
        kit.run_to_the_end()

        assert (kit.ran, kit.now - START) == (["wait"], timedelta(days=9))
    assert slots == []


def test_intervals_fire_while_code_takes_its_time() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def beat(ctx: Context) -> None: ...

    @ff.task
    async def work(ctx: Context) -> None: ...

    ff.every("10m", beat)
    with Kit(ff, start=START) as kit:
        work.submit_sync()
        kit.at_attempt(of=work).advance("35m")
        kit.run_until_idle()

        assert kit.ran == ["work", "beat", "beat", "beat"]


def test_a_schedule_that_is_refused_leaves_the_fabric_where_it_was() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    def tell(ctx: Context, text: str) -> None: ...

    with ff:
        handle = tell.submit_sync("before")
        ff.every("1h", tell.bind(text="x" * 2_000_000))

        with pytest.raises(InvalidInput, match="payload is"), Kit(ff):
            pass

        assert handle.state_sync() == "waiting"
