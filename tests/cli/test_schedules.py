"""`ff schedules`, where it takes more than one look."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import ManualClock, NewSchedule, open_blocking_engine
from tests.cli.running import ff
from tests.stores_under_test import SHARED_STORES, STORES


@pytest.fixture(params=SHARED_STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


def test_an_orphaned_schedule_is_shown_as_one_and_can_be_forgotten(url: str, tmp_path: Path) -> None:
    long_ago = ManualClock(1_700_000_000_000)
    with open_blocking_engine(url, clock=long_ago, reconcile=False, migrate=True) as engine:
        engine.fire_schedule(NewSchedule(name="old", kind="report", cron="@daily", timezone="Asia/Tokyo"))
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.fire_schedule(NewSchedule(name="new", kind="report", every_ms=600_000))

    listed = ff(tmp_path, "schedules", "--url", url)
    forgotten = ff(tmp_path, "schedules", "forget", "old", "--url", url)
    refused = ff(tmp_path, "schedules", "forget", "new", "--url", url)
    left = ff(tmp_path, "schedules", "--url", url)

    new, old = sorted(listed.stdout.splitlines()[1:])
    assert (new.split()[:4], "on" in new.split()) == (["new", "every", "10", "min"], True)
    assert old.split()[:4] == ["old", "@daily", "Asia/Tokyo", "orphaned"]
    assert (forgotten.returncode, forgotten.stdout) == (0, "old is forgotten.\n")
    assert (refused.returncode, "is not orphaned" in refused.stderr) == (1, True)
    assert [line.split()[0] for line in left.stdout.splitlines()[1:]] == ["new"]
