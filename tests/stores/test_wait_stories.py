"""All stores give the same answers to stories of waits and signals, one by one and in batches."""

import json
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from tests.stores.test_stories import Told, _check_same, _kind_of, _tell, passing_troubles
from tests.stores.wait_stories import story_of_waits, vigil_of_waits
from tests.stores_under_test import STORES

FEW = {"memory": 8, "sqlite": 2, "postgres": 2}
SEEDS = {store: range(int(os.environ.get("FF_STORIES") or FEW[store])) for store in STORES}
FAULTY = {store: seeds[:2] for store, seeds in SEEDS.items()}


@lru_cache(maxsize=64)
def _told_to_memory(seed: int) -> Told:
    return _tell(seed, "memory://", "one by one", of=story_of_waits)


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_a_story_of_waits_breaks_no_invariant_and_leaves_nothing_stuck(seed: int):
    told = _told_to_memory(seed)

    assert told.broken == []
    assert told.stuck == []


@pytest.mark.parametrize(
    ("store", "seed"), [(store, seed) for store in STORES if store != "memory" for seed in SEEDS[store]]
)
def test_every_store_tells_the_same_story_of_waits(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", of=story_of_waits)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in SEEDS[store]])
def test_a_batch_of_waits_and_signals_means_what_they_mean_one_by_one(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "in batches", of=story_of_waits)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in FAULTY[store]])
def test_a_story_of_waits_told_through_faults_is_the_same_story(
    store: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trouble = passing_troubles(seed, monkeypatch)

    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", trouble, of=story_of_waits)

    _check_same(told, _told_to_memory(seed))
    assert told.faults > 50


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in SEEDS[store]])
def test_what_is_resumed_goes_to_the_same_ones_who_wait_for_work_on_every_store(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "to those who wait", of=vigil_of_waits)

    _check_same(told, _tell(seed, "memory://", "to those who wait", of=vigil_of_waits))


def test_what_is_resumed_goes_to_those_who_wait_for_work():
    claims: Counter[str] = Counter()
    for seed in range(12):
        told = _tell(seed, "memory://", "to those who wait", of=vigil_of_waits)
        for account in told.accounts:
            if str(account.step).endswith("is answered"):
                answer = json.loads(account.answer)
                claims.update(each["claim_type"] for each in answer if isinstance(each, dict))

    assert claims["resume"] > 10, claims


REACHED = {
    "open_wait": {"WaitOpened", "WaitOver", "Conflict", "StaleLease", "ExecutionNotActive", "InvalidInput"},
    "suspend": {"Suspended", "WaitOver", "AlreadySatisfied", "Conflict", "StaleLease", "ExecutionNotActive"},
    "create_waitpoint": {"Waitpoint", "Conflict", "StaleLease", "ExecutionNotActive"},
    "signal": {"Signalled", "DuplicateSignal", "Conflict", "NotSignalable", "WaitpointClosed", "NotFound"},
    "signal_alias": {"Signalled", "DuplicateSignal", "NoWaiter"},
    "resume_execution": {"Resumed", "AlreadySatisfied", "NotFound"},
    "close_waitpoint": {"NoneType", "NotFound"},
}


def test_the_stories_of_waits_reach_their_answers_and_refusals():
    reached: dict[str, Counter[str]] = {method: Counter() for method in REACHED}
    effects: Counter[str] = Counter()
    for seed in range(12):
        for account in _told_to_memory(seed).accounts:
            method = getattr(account.step, "method", "")
            if method in reached:
                kind = _kind_of(account.answer)
                reached[method][kind] += 1
                if kind == "Signalled":
                    effects[json.loads(account.answer)["effect"]] += 1

    assert {method: kinds - reached[method].keys() for method, kinds in REACHED.items()} == {
        method: set() for method in REACHED
    }
    assert effects.keys() == {"resumed", "counted", "buffered"}
