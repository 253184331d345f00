"""kill -9 of workers that hold a slot of a limit and a reservation of a budget."""

from pathlib import Path

from flowfabric import BlockingEngine, Claimed, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import running, wait_until
from tests.chaos.sizes import SIZES

pytestmark = in_group("workers")

LEASE_TTL_MS = 300
LONG_MS = 300_000
ESTIMATE = {"usd": 3}


def test_what_a_killed_worker_held_is_free_and_paid_when_its_lease_is_over_and_the_next_one_starts(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    kills = SIZES.gate_kills
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.set_limit("api", concurrency=1)
        engine.set_budget("company", limits={"usd": 1_000})
        engine.set_budget("team", limits={"usd": 1_000}, parent="company")
        ids = [
            engine.create_execution("job", limits={"api": ""}, budgets={"team": ESTIMATE}).execution_id
            for _ in range(kills + 1)
        ]
        for number in range(kills):
            with running("complete_when_told", url, LEASE_TTL_MS, folder=tmp_path) as worker:
                # The head of those that are parked: what was lost goes behind them.
                assert worker.line() == ids[number]
                assert held(engine) == (1, number * 3, 3)
                worker.kill()
            wait_until(lambda: is_free(engine))
            # Paid in full, because nobody can say what it had spent.
            assert held(engine) == (0, 3 * (number + 1), 0)
        next_one = claim(engine)
        assert next_one.execution_id == ids[kills]
        engine.spend(next_one.lease, "team", {"usd": 2})
        engine.complete(next_one.lease)
        for number in range(kills):
            again = claim(engine)
            assert (again.execution_id, again.attempt_index) == (ids[number], 1)
            engine.complete(again.lease)
        for name in ("team", "company"):
            found = engine.describe_budget(name)
            assert found is not None
            assert (found.used["usd"], found.assumed["usd"], found.reserved["usd"]) == (3 * kills + 2, 3 * kills, 0)

    with opened(url) as store:
        assert_nothing_is_broken(store)
    figures(kills=kills, slots_lost=0, reservations_lost=0)


def held(engine: BlockingEngine) -> tuple[int, int, int]:
    """How many slots are in use, what is assumed to be spent, and what is reserved."""
    limit, budget = engine.describe_limit("api"), engine.describe_budget("team")
    assert limit is not None
    assert budget is not None
    return limit.in_use, budget.assumed["usd"], budget.reserved["usd"]


def is_free(engine: BlockingEngine) -> bool:
    """Whether the lease of the one that was killed is over."""
    engine.reconcile()
    return held(engine)[0] == 0


def claim(engine: BlockingEngine) -> Claimed:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=LONG_MS)
    return claimed
