"""Random flows come to rest, no join flips, every counter is a recount, and all stores end the same.

A failing test names its seeds: the same seeds make the same flows again. `FLOWFABRIC_DAGS=2000` makes two thousand.
"""

import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flowfabric.domain.decide import ending
from flowfabric.domain.flow import Edge
from flowfabric.domain.invariants import Contents, violations_at_rest
from tests.stores.dags import Dag
from tests.stores.resting import restless
from tests.stores.telling import Account, BatchTeller, contents_of, in_order_of_executions, teller
from tests.stores_under_test import STORES

FLOWS_PER_STORE = 10
FEW = {"memory": 120, "sqlite": 20, "postgres": 20}
BOOKS = {store: range(int(os.environ.get("FLOWFABRIC_DAGS") or few) // FLOWS_PER_STORE) for store, few in FEW.items()}
"""Ten flows, one after the other in one store, are a book."""
SMALL = {"memory": 5, "sqlite": 2, "postgres": 1}
"""How many books are told in small steps."""


class Told(msgspec.Struct):
    """What was answered on the way, what it broke, and what is there at the end."""

    accounts: list[Account]
    broken: list[str]
    contents: Contents


def _tell(url: str, book: int) -> Told:
    with teller(url, "in batches") as told:
        assert isinstance(told, BatchTeller)
        for seed in range(book * FLOWS_PER_STORE, (book + 1) * FLOWS_PER_STORE):
            Dag(told, seed).tell()
        contents = contents_of(told.store)
        return Told(told.accounts, told.broken + violations_at_rest(contents, told.clock.now_ms), contents)


@lru_cache(maxsize=16)
def _told_to_memory(book: int) -> Told:
    """The telling that every other one is compared with."""
    return _tell("memory://", book)


@pytest.mark.parametrize("book", BOOKS["memory"])
def test_random_flows_come_to_rest_and_break_no_invariant(book: int):
    told = _told_to_memory(book)

    assert told.broken == []
    assert list(restless(told.contents)) == []


@pytest.mark.parametrize(
    ("store", "book"), [(store, book) for store in STORES if store != "memory" for book in BOOKS[store]]
)
def test_random_flows_end_the_same_on_every_store(store: str, book: int, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        told = _tell(url, book)

    _check_same(told, _told_to_memory(book))


@pytest.mark.parametrize(
    ("store", "book"), [(store, book) for store in STORES for book in BOOKS[store][: SMALL[store]]]
)
def test_ends_that_are_told_in_many_small_steps_lead_to_rest_on_every_store(
    store: str, book: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ending, "CASCADE_MAX", 2)
    expected = _tell("memory://", book)

    with STORES[store].empty(tmp_path) as url:
        told = _tell(url, book)

    _check_same(told, expected)
    assert list(restless(told.contents)) == []


def _check_same(told: Told, expected: Told) -> None:
    for one, other in zip(expected.accounts, told.accounts, strict=False):
        assert (one.scene, one.answer) == (other.scene, other.answer), f"{one}\nand here\n{other}"
    assert told.broken == []
    assert _comparable(told.contents) == _comparable(expected.contents)


def _comparable(contents: Contents) -> dict[str, Any]:
    """Everything, without the numbers and ids that differ from telling to telling."""
    told = msgspec.structs.asdict(contents)
    told["events"] = in_order_of_executions(contents.events)
    told["edges"] = sorted((_without_minted_id(edge) for edge in contents.edges), key=msgspec.json.encode)
    # An era is one store's own.
    executions = [msgspec.structs.replace(x, lease_era=None) for x in contents.executions]
    told["executions"] = sorted(executions, key=lambda x: x.execution_id)
    told["attempts"] = sorted(contents.attempts, key=lambda attempt: (attempt.execution_id, attempt.attempt_index))
    told["groups"] = sorted(contents.groups, key=lambda group: group.downstream)
    return told


def _without_minted_id(edge: Edge) -> Edge:
    return edge if edge.edge_id.startswith("late-") else msgspec.structs.replace(edge, edge_id="")


def test_the_flows_reach_every_end_and_every_state():
    reached: Counter[str] = Counter()
    for book in BOOKS["memory"][:10]:
        contents = _told_to_memory(book).contents
        reached.update(x.public_state for x in contents.executions)
        reached.update(f"flow {flow.state}" for flow in contents.flows)
        reached.update(f"flow by {flow.cancellation_policy}" for flow in contents.flows)
        reached.update(f"replayed {x.terminal_outcome}" for x in contents.executions if x.replay_count)
        reached.update(str(x.cancelled_by) for x in contents.executions)
        reached.update(event.event_type for event in contents.events)
        reached.update(str(x.cancellation_reason) for x in contents.executions)
        reached.update("taken" for signal in contents.signals if signal.taken_by is not None)

    missing = REACHED - reached.keys()

    assert missing == set()


REACHED = {
    *("completed", "failed", "cancelled", "expired", "skipped", "waiting", "waiting_children"),
    *("flow completed", "flow failed", "flow cancelled"),
    *("flow by cancel_all", "flow by cancel_pending", "flow by flow_only"),
    *("replayed success", "replayed failed", "replayed cancelled", "replayed skipped"),
    *("engine", "cancel_flow", "operator_override"),
    *("suspended", "resumed", "delivered", "escalated", "wait_timeout", "taken"),
    *("flow_reopened", "flow_completed", "flow_failed", "flow_cancelled", "retry_scheduled", "revoked", "held"),
}
