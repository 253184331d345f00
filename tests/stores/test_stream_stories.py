"""All stores give the same answers to stories of streams and summaries, one by one and in batches."""

import json
import os
from base64 import b64decode
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import get_args

import pytest

from flowfabric.domain.stream_pages import Why
from tests.stores.stream_stories import story_of_streams
from tests.stores.test_stories import Told, _check_same, _kind_of, _tell, passing_troubles
from tests.stores_under_test import STORES

FEW = {"memory": 8, "sqlite": 2, "postgres": 2}
SEEDS = {store: range(int(os.environ.get("FF_STORIES") or FEW[store])) for store in STORES}
FAULTY = {store: seeds[:2] for store, seeds in SEEDS.items()}


@lru_cache(maxsize=64)
def _told_to_memory(seed: int) -> Told:
    return _tell(seed, "memory://", "one by one", of=story_of_streams)


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_a_story_of_streams_breaks_no_invariant_and_its_followers_have_what_others_read(seed: int):
    told = _told_to_memory(seed)

    assert told.broken == []
    assert told.stuck == []


@pytest.mark.parametrize(
    ("store", "seed"), [(store, seed) for store in STORES if store != "memory" for seed in SEEDS[store]]
)
def test_every_store_tells_the_same_story_of_streams(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", of=story_of_streams)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in SEEDS[store]])
def test_a_batch_of_appends_means_what_they_mean_one_by_one(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "in batches", of=story_of_streams)

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store in STORES for seed in FAULTY[store]])
def test_a_story_of_streams_told_through_faults_is_the_same_story(
    store: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trouble = passing_troubles(seed, monkeypatch)

    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", trouble, of=story_of_streams)

    _check_same(told, _told_to_memory(seed))
    assert told.faults > 50


REFUSALS = {"NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired", "InvalidInput"}
REACHED = {
    "append_frames": {"Appended", "Conflict", *REFUSALS},
    "append_all": {"list", "InvalidInput"},
    "patch_summary": {"Summary", *REFUSALS},
    "read_stream": {"page", "NotFound"},
    "read_summary": {"Summary", "NoneType", "NotFound"},
    "follow": {"list", "str", "NotFound"},
}


def test_the_stories_of_streams_reach_their_answers_and_refusals():
    reached: dict[str, Counter[str]] = {method: Counter() for method in REACHED}
    restarts: Counter[str] = Counter()
    trims = 0
    for seed in range(12):
        for account in _told_to_memory(seed).accounts:
            method = getattr(account.step, "method", "")
            if method in reached:
                reached[method][_kind_of(account.answer)] += 1
            if method == "follow" and _kind_of(account.answer) == "list":
                found = [each for each in json.loads(account.answer) if each["kind"] == "restart"]
                restarts.update(json.loads(b64decode(each["payload"]))["why"] for each in found)
            if account.step == "reconcile":
                trims += json.loads(account.answer)["long_streams"]

    assert {method: kinds - reached[method].keys() for method, kinds in REACHED.items()} == {
        method: set() for method in REACHED
    }
    assert restarts.keys() == set(get_args(Why))
    assert trims > 10
