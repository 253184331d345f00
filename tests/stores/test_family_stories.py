"""All stores give the same answers to stories of parents and children, one by one and in batches."""

import json
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from tests.stores.family_stories import story_of_families
from tests.stores.test_stories import Told, _check_same, _kind_of, _tell, passing_troubles
from tests.stores_under_test import STORES

FEW = {"memory": 8, "sqlite": 2, "postgres": 1}
SEEDS = {store: range(int(os.environ.get("FF_STORIES") or FEW[store])) for store in STORES}
FAULTY = {store: SEEDS[store][:1] for store in STORES}
CALM = {store: SEEDS[store][1:] for store in STORES if store != "memory"}
"""One by one, the first story is told through faults only."""


@lru_cache(maxsize=64)
def _told_to_memory(seed: int) -> Told:
    return _tell(seed, "memory://", "one by one", of=story_of_families)


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_a_story_of_families_breaks_no_invariant_and_leaves_nothing_stuck(seed: int):
    told = _told_to_memory(seed)

    assert told.broken == []
    assert told.stuck == []


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store, seeds in CALM.items() for seed in seeds])
def test_every_store_tells_the_same_story_of_families(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", of=story_of_families)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in SEEDS[store]])
def test_a_batch_about_parents_and_children_means_what_its_commands_mean_one_by_one(
    store: str, seed: int, tmp_path: Path
):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "in batches", of=story_of_families)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in FAULTY[store]])
def test_a_story_of_families_told_through_faults_is_the_same_story(
    store: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trouble = passing_troubles(seed, monkeypatch)

    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", trouble, of=story_of_families)

    _check_same(told, _told_to_memory(seed))
    assert told.faults > 50


REACHED = {
    "create_children": {"list", "Conflict", "StaleLease", "ExecutionNotActive", "InvalidInput"},
    "suspend": {"Suspended", "WaitOver", "StaleLease", "ExecutionNotActive"},
    "replay_execution": {"Replayed", "ExecutionNotTerminal", "NotFound"},
    "cancel_execution": {"Cancelled", "InvalidInput", "NotFound"},
}


def test_the_stories_of_families_reach_their_answers_and_refusals():
    reached: dict[str, Counter[str]] = {method: Counter() for method in REACHED}
    made: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    cancelled: Counter[str] = Counter()
    for seed in SEEDS["memory"]:
        told = _told_to_memory(seed)
        for account in told.accounts:
            method = getattr(account.step, "method", "")
            if method not in reached:
                continue
            kind = _kind_of(account.answer)
            reached[method][kind] += 1
            if method == "create_children" and kind == "list":
                made.update(each["type"] for each in json.loads(account.answer))
        for event in told.ending["events"]:
            causes[event["details"].get("cause", "")] += event["event_type"] == "resumed"
            cancelled[event["details"].get("reason", "")] += event["event_type"] == "cancelled"

    assert {method: kinds - reached[method].keys() for method, kinds in REACHED.items()} == {
        method: set() for method in REACHED
    }
    assert made.keys() == {"Created", "Duplicate"}
    assert causes["children"] > 10
    assert min(cancelled[reason] for reason in ("parent_cancelled", "parent_failed", "parent_replayed")) > 0, cancelled
