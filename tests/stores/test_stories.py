"""All stores give the same answer to the same story, and a batch means what its commands mean one by one.

A failing test names its seed: the same seed tells the same story again. `FF_STORIES=1000` tells a thousand of them,
and `make soak` fifty.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flowfabric.domain.errors import Contention
from flowfabric.engine import limits
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from tests.faulty_store import FaultyStore, Point
from tests.stores.stories import Scene, rush, story, vigil
from tests.stores.telling import Account, Manner, Trouble, WaitingTeller, teller
from tests.stores_under_test import STORES

FEW = {"memory": 8, "sqlite": 3, "postgres": 2}
SEEDS = {store: range(int(os.environ.get("FF_STORIES") or FEW[store])) for store in STORES}
SCENES = 60
LONG_SEEDS = range(int(os.environ.get("FF_STORIES") or 3))
LONG_SCENES = 150
"""A long story has thousands of steps, and is told to the reference store only."""


class Told(msgspec.Struct):
    """What was answered on the way, what it broke, what can be read at the end, and what could not be finished."""

    accounts: list[Account]
    broken: list[str]
    ending: dict[str, Any]
    stuck: list[str]
    faults: int
    undecided: Counter[str]
    """What the store answered by itself."""


def long_story(seed: int) -> list[Scene]:
    return story(seed, SCENES)


def _tell(
    seed: int,
    url: str,
    manner: Manner,
    trouble: Trouble | None = None,
    of: Callable[[int], list[Scene]] = long_story,
    reads_all: bool = True,
) -> Told:
    with teller(url, manner, trouble) as told:
        told.tell(of(seed))
        told.store.heals()  # what is still to go wrong is not to befall those who look at the end
        broken = told.broken + told.at_rest()
        if isinstance(told, WaitingTeller):
            told.close()
        ending = told.ending(reads_all=reads_all)
        if manner == "in batches" and of is not rush:
            del ending["ends"]  # one that ends and is replayed in one commit is not counted as ended
        undecided = told.store.undecided.copy()
        stuck: list[str] = []
        # A short story that ends as on the reference store would also go on as there; it is to cost little.
        if of is long_story or url == "memory://":
            stuck = told.play_to_the_end()
            broken += told.at_rest()
        return Told(told.accounts, broken, ending, stuck, told.store.struck, undecided)


@lru_cache(maxsize=64)
def _told_to_memory(seed: int) -> Told:
    """The telling that every other one is compared with."""
    return _tell(seed, "memory://", "one by one")


def _first_difference(expected: Told, told: Told) -> str:
    for one, other in zip_longest(expected.accounts, told.accounts):
        if one is None or other is None or (one.scene, one.answer) != (other.scene, other.answer):
            return f"On the memory store, one by one:\n{one}\nand here:\n{other}"
    return ""


def _tellings(*stores: str) -> list[tuple[str, int]]:
    return [(store, seed) for store in stores for seed in SEEDS[store]]


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_a_story_breaks_no_invariant_and_leaves_nothing_stuck(seed: int):
    told = _told_to_memory(seed)

    assert told.broken == []
    assert told.stuck == []


@pytest.mark.parametrize(("store", "seed"), _tellings(*(store for store in STORES if store != "memory")))
def test_every_store_tells_the_same_story(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one")

    _check_same(told, _told_to_memory(seed))


@pytest.mark.parametrize(("store", "seed"), _tellings(*STORES))
def test_a_batch_means_what_its_commands_mean_one_by_one(store: str, seed: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "in batches")

    _check_same(told, _told_to_memory(seed))


FAULTS: list[tuple[Point, Exception, int]] = [
    *[(point, Contention("deadlock"), 2) for point in ("begin", "load", "save", "before commit")],
    *[(point, ConnectionLost("the connection was closed"), 3) for point in ("begin", "load", "save")],
    ("before commit", CommitUnknown("the answer was lost"), 1),
    ("after commit", CommitUnknown("the answer was lost"), 1),
]
"""Everything that can go wrong and pass, and how often in a row."""


def passing_troubles(seed: int, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    """Faults that pass, before every other step."""
    monkeypatch.setattr(limits, "CONTENTION_PAUSES_S", (0.0001, 0.0001))
    monkeypatch.setattr(limits, "RECONNECT_PAUSE_S", (0.0001, 0.001))
    monkeypatch.setattr(limits, "LONG_TRY_S", 600.0)  # a busy machine is no fault
    chance = random.Random(seed)

    def trouble(faulty: FaultyStore) -> None:
        faulty.heals()
        if chance.random() < 0.5:
            point, error, times_max = chance.choice(FAULTS)
            faulty.breaks(point, error, times=chance.randint(1, times_max))

    return trouble


@pytest.mark.parametrize(("store", "seed"), _tellings(*STORES))
def test_a_story_told_through_faults_is_the_same_story(
    store: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    trouble = passing_troubles(seed, monkeypatch)

    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "one by one", trouble)

    _check_same(told, _told_to_memory(seed))
    assert told.faults > 50


def _check_same(told: Told, expected: Told) -> None:
    if difference := _first_difference(expected, told):
        pytest.fail(difference)
    assert told.broken == []
    for subject, read in told.ending.items():
        assert read == expected.ending[subject], subject
    assert told.stuck == []


@pytest.mark.parametrize("seed", LONG_SEEDS)
def test_a_long_story_of_crowded_batches_breaks_no_invariant(seed: int):
    with teller("memory://", "in batches") as told:
        told.tell(story(1_000_000 + seed, LONG_SCENES, ids=120, steps_max=60))

        assert told.broken == []
        assert told.at_rest() == []
        assert told.play_to_the_end() == []
        assert told.at_rest() == []


# ── the short ways ───────────────────────────────────────────────────────────────────────────────


WAYS = {
    "sqlite": ("Complete", "CreateExecution", "CreateExecutions", "Claim"),
    "postgres": (
        *("Complete", "CreateExecution", "CreateExecutions", "Claim"),
        *("fast_create", "create_leased", "complete_at_once"),
    ),
}
"""By store, the commands that it answers undecided, and the statements that are whole batches."""


def _in_turn(seeds: range) -> list[tuple[str, int]]:
    """Every seed on PostgreSQL, which has the most short ways, and some on the others."""
    shares = {"sqlite": 0.4, "postgres": 1.0}
    return [(store, seed) for store in STORES for seed in seeds[: int(len(seeds) * shares.get(store, 0.2))]]


RUSHES = range(int(os.environ.get("FF_STORIES") or 25))
VIGILS = range(int(os.environ.get("FF_STORIES") or 5))
READ_WHOLE = 5
"""Of so many rushes everything is read at the end. They have no steps, waits or frames: lists and log say the rest."""


@pytest.mark.parametrize(("store", "seed"), _in_turn(RUSHES))
def test_crowded_batches_of_creates_claims_and_completes_mean_what_they_mean_one_by_one(
    store: str, seed: int, tmp_path: Path
):
    reads_all = seed < READ_WHOLE
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "in batches", of=rush, reads_all=reads_all)

    _check_same(told, _tell(seed, "memory://", "one by one", of=rush, reads_all=reads_all))


@pytest.mark.parametrize(("store", "seed"), _in_turn(VIGILS))
def test_work_that_arrives_for_those_who_wait_goes_to_the_same_ones_on_every_store(
    store: str, seed: int, tmp_path: Path
):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(seed, url, "to those who wait", of=vigil)

    _check_same(told, _tell(seed, "memory://", "to those who wait", of=vigil))


@pytest.mark.parametrize("store", WAYS)
def test_the_short_stories_take_every_short_way(store: str, tmp_path: Path):
    undecided: Counter[str] = Counter()
    manners: list[tuple[Callable[[int], list[Scene]], Manner]] = [(rush, "in batches"), (vigil, "to those who wait")]
    for of, manner in manners:
        for seed in range(2):
            with STORES[store].empty(tmp_path) as url:
                undecided += _tell(seed, url, manner, of=of).undecided

    assert [way for way in WAYS[store] if not undecided[way]] == []


REACHED = {
    "create_execution": {"Created", "Duplicate", "Conflict", "InvalidInput"},
    "create_executions": {"list", "Conflict", "InvalidInput"},
    "claim": {"list", "InvalidInput", "Conflict"},
    "renew": {"Renewed", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired", "InvalidInput"},
    "complete": {"Completed", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired", "InvalidInput"},
    "fail": {"RetryScheduled", "TerminalFailed", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired"},
    "release": {"Released", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired"},
    "delay": {"Released", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired"},
    "progress": {"NoneType", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired"},
    "cancel_execution": {"Cancelled", "NotFound", "InvalidInput", "StaleLease"},
    "revoke_lease": {"Revoked", "AlreadySatisfied", "NotFound"},
    "change_priority": {"PriorityChanged", "ExecutionNotEligible", "NotFound"},
    "record_step": {"StepRecorded", "Conflict", "NotFound", "ExecutionNotActive", "StaleLease", "LeaseExpired"},
    "replay_execution": {
        *("Replayed", "ExecutionNotTerminal", "MaxReplaysExhausted", "NotFound", "FlowTerminal", "InvalidInput"),
    },
    "hold": {"Held", "ExecutionNotEligible", "NotFound"},
    "unhold": {"Unheld", "ExecutionNotEligible", "NotFound"},
    "set_tag": {"NoneType", "NotFound", "InvalidInput"},
    "operate": {"page", "InvalidInput"},
    "purge": {"page", "InvalidInput"},
    "pause_lane": {"LanePaused", "InvalidInput"},
    "resume_lane": {"LaneResumed", "InvalidInput"},
    "create_flow": {"FlowCreated", "FlowExists", "Conflict", "InvalidInput"},
    "add_execution": {"Created", "Duplicate", "Conflict", "NotFound", "FlowTerminal", "NotAMember", "SelfEdge"},
    "add_dependency": {
        *("DependencyAdded", "NotFound", "FlowTerminal", "SelfEdge", "NotAMember", "StaleGraphRevision"),
        *("EdgeExists", "CycleDetected", "ExecutionNotEligible"),
    },
    "set_edge_group_policy": {"PolicySet", "AlreadySet", "PolicyFixed", "NotAMember", "FlowTerminal", "NotFound"},
    "submit_flow": {"FlowSubmitted", "Conflict", "CycleDetected", "InvalidInput"},
    "cancel_flow": {"FlowCancelled", "FlowAlreadyTerminal", "NotFound"},
    "replay_flow": {
        *("FlowReplayed", "FlowNotTerminal", "NotAMember", "MaxReplaysExhausted", "NotFound", "InvalidInput"),
    },
    "ack_cancel_member": {"NoneType", "NotFound"},
    "set_flow_tag": {"NoneType", "NotFound"},
}


def test_the_stories_reach_every_answer_and_every_refusal():
    reached: dict[str, Counter[str]] = {method: Counter() for method in REACHED}
    for seed in range(16):
        for account in _told_to_memory(seed).accounts:
            method = getattr(account.step, "method", "")
            if method in reached:
                reached[method][_kind_of(account.answer)] += 1

    missing = {method: kinds - reached[method].keys() for method, kinds in REACHED.items()}

    assert missing == {method: set() for method in REACHED}


def _kind_of(answer: str) -> str:
    told = json.loads(answer)
    if isinstance(told, dict):
        return str(told.get("raised") or told.get("type", "page"))
    return type(told).__name__
