"""kill -9 of the database server, again and again, under engines that never restart."""

import random
import time
from pathlib import Path

from tests.chaos.conftest import CHAOS, Figures
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import SIZES
from tests.chaos.surviving import surviving

pytestmark = CHAOS


def test_the_server_dies_again_and_again_and_engines_go_on_as_if_nothing_had_happened(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    chance = random.Random()
    outages_s: list[float] = []

    with surviving(url, tmp_path) as engines:
        for _ in range(SIZES.server_kills):
            engines.wait_for_progress()
            time.sleep(chance.uniform(0, 0.05))  # so that a kill meets any step of a batch
            killed_at = time.monotonic()
            server.kill()
            server.start()
            outages_s.append(time.monotonic() - killed_at)
            assert engines.are_running
        engines.wait_for_progress()
        counted = engines.stop_and_compare(url)

    figures(kills=SIZES.server_kills, outage_max_s=f"{max(outages_s):.1f}", **counted)
