"""Several engines on one store submit with the same debounce keys at the same moment: one execution of each stays."""

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, ManualClock, open_blocking_engine
from tests.stores_under_test import SHARED_STORES, STORES

ENGINES = 3
ROUNDS = 6
KEYS = ("a", "b")


@pytest.mark.parametrize("store", SHARED_STORES)
def test_of_many_that_are_made_at_once_one_of_each_key_stays(store: str, tmp_path: Path, clock: ManualClock) -> None:
    made: dict[str, list[str]] = {key: [] for key in KEYS}
    errors: list[Exception] = []
    barrier = threading.Barrier(ENGINES)

    def submit(engine: BlockingEngine, keys: tuple[str, ...]) -> None:
        try:
            for _ in range(ROUNDS):
                barrier.wait(timeout=60)
                for key in keys:
                    answer = engine.create_execution("save", debounce_ms=1_000, debounce_key=key)
                    made[key].append(answer.execution_id)
        except Exception as error:
            errors.append(error)
            barrier.abort()

    with STORES[store].empty(tmp_path) as url, ExitStack() as stack:
        engines = [
            stack.enter_context(open_blocking_engine(url, clock=clock, reconcile=False, migrate=True))
            for _ in range(ENGINES)
        ]
        # In different orders, so that two that lock several rows could meet crosswise.
        orders = [KEYS, KEYS[::-1], KEYS]
        threads = [threading.Thread(target=submit, args=pair) for pair in zip(engines, orders, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = {
            key: [x.public_state for each in ids if (x := engines[0].describe_execution(each)) is not None]
            for key, ids in made.items()
        }

    assert errors == []
    for states in found.values():
        assert sorted(states) == ["cancelled"] * (ENGINES * ROUNDS - 1) + ["delayed"]
