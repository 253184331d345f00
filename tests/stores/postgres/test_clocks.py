"""Time is the server's: a process whose own clock is an hour off changes nothing."""

import time

import pytest

from tests.stores.postgres.processes import report_of, running

HOUR_S = 3600
RESOLUTION_MS = 1


@pytest.mark.parametrize("off_by_s", [-HOUR_S, HOUR_S])
def test_a_worker_whose_clock_is_an_hour_off_leases_renews_and_expires_by_the_servers_time(
    url: str, off_by_s: int
) -> None:
    began_ms = int(time.time() * 1000) - RESOLUTION_MS
    with running("work_with_a_wrong_clock", url, off_by_s) as process:
        told = report_of(process)
    ended_ms = int(time.time() * 1000) + RESOLUTION_MS

    assert began_ms <= told["server_time_ms"] <= ended_ms
    assert began_ms + 60_000 <= told["leased_until_ms"] <= told["renewed_until_ms"] <= ended_ms + 60_000
    assert told["done"]["expired_leases"] == 1
    assert told["done"]["due_delays"] == 0
    states = {name: state for name, (state, _, _) in told["states"].items()}
    assert states == {"long": "active", "short": "waiting", "delayed": "delayed"}
    times = [at for _, *times in told["states"].values() for at in times if at is not None]
    assert [at for at in [*times, *told["occurred_at_ms"]] if not began_ms <= at <= ended_ms] == []
