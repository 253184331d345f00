"""What the statements do to plain members of flows is what deciding would have done, and nothing else is done so."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from flowfabric import Claimed, ExecutionPolicy, ManualClock
from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AnyCommand,
    CancelFlow,
    Complete,
    Envelope,
    Fail,
    NewEdge,
    SetFlowTag,
    SubmitFlow,
)
from flowfabric.domain.joins import AnyOf, Join
from flowfabric.domain.lease import Fence, lease_id, mark_in_own_id
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.engine.batch import Batch
from flowfabric.stores.sqlite.store import SqliteStore
from tests.record_batches import answered_undecided
from tests.stores.last_attempts import with_last_attempt_apart
from tests.stores.plain_flows import KEPT, a_chain, a_claim, a_completion, claimed_in
from tests.stores_under_test import new_sqlite_file

TABLES = ("ff_exec_core", "ff_result", "ff_attempt", "ff_event", "ff_flow_core", "ff_edge", "ff_edge_group")
OF_ONE_ALONE = {"execution_id", "event_id", "flow_id", "partition_key", "upstream", "downstream", "details"}
"""What two flows never have in common."""


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[SqliteStore]:
    path.write_bytes(new_sqlite_file())
    with closing(SqliteStore(str(path), clock=clock)) as store:
        yield store


def told(store: SqliteStore, *commands: AnyCommand, is_decided: bool = False) -> list[Outcome]:
    """The answers to one batch. With an id of its own, a command is remembered, and is decided."""
    at = store.now_ms
    batch = [
        Envelope(command, None, f"{at} {type(command).__name__} {place}" if is_decided else None)
        for place, command in enumerate(commands)
    ]
    with closing(store.writer()) as writer:
        return list(writer.run(Batch(batch, store.name)).answers)  # type: ignore[arg-type]


def undecided(store: SqliteStore, *commands: AnyCommand) -> set[int]:
    """Which commands of a batch the store answers by itself. What it does is taken back."""
    with closing(store.writer()) as writer:
        return set(answered_undecided(writer, store.name, *commands))


def leased(store: SqliteStore, limit: int = 10) -> list[Claimed]:
    return claimed_in(told(store, a_claim(limit))[0])


def rows_of(store: SqliteStore, flow: SubmitFlow) -> dict[str, list[dict[str, object]]]:
    """All that is stored about a flow, but for what two flows never have in common."""
    keys = [creation.execution_id for _, creation in flow.nodes]
    ids = [bytes.fromhex(key[-36:].replace("-", "")) for key in keys]
    flow_id = bytes.fromhex(flow.flow.flow_id.replace("-", ""))
    found = {}
    with closing(sqlite3.connect(store.path)) as connection:
        for table in TABLES:
            rows = connection.execute(f"select * from {table}{' order by event_id' if table == 'ff_event' else ''}")
            columns = [column[0] for column in rows.description]
            records = [dict(zip(columns, row, strict=True)) for row in rows]
            found[table] = [r for r in records if r.get("flow_id") == flow_id or r.get("execution_id") in ids]
    order = {id: at for at, id in enumerate(ids)}
    return {
        table: [
            {name: value for name, value in r.items() if name not in OF_ONE_ALONE}
            for r in sorted(of, key=lambda r: order.get(r.get("execution_id") or r.get("downstream"), len(ids)))
        ]
        for table, of in with_last_attempt_apart(found).items()
    }


def counted(store: SqliteStore) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("select * from ff_counted order by 1, 2, 3, 4").fetchall()


@pytest.mark.parametrize("policy", KEPT)
@pytest.mark.parametrize("passes", ["before", None])
@pytest.mark.parametrize("result", [None, b"", b"result"])
def test_a_chain_that_is_not_decided_is_stored_as_one_that_was_decided(
    store: SqliteStore, clock: ManualClock, policy: ExecutionPolicy, passes: str | None, result: bytes | None
) -> None:
    easy, decided = (a_chain(number, passes=passes, policy=policy) for number in (1, 2))
    told(store, easy, decided)
    for at in range(3):
        clock.advance(5)
        assert undecided(store, a_claim(1)) == {0}
        [one] = claimed_in(told(store, a_claim(1))[0])
        [other] = claimed_in(told(store, a_claim(1), is_decided=True)[0])
        assert (one.flow_id, other.flow_id) == (easy.flow.flow_id, decided.flow.flow_id)
        assert one.inputs == other.inputs == ({"before": result} if at and passes and result is not None else {})
        assert rows_of(store, easy) == rows_of(store, decided)
        clock.advance(7)
        assert undecided(store, a_completion(one, result)) == {0}
        assert told(store, a_completion(one, result)) == [Completed(one.execution_id)]
        assert told(store, a_completion(other, result), is_decided=True) == [Completed(other.execution_id)]
        assert rows_of(store, easy) == rows_of(store, decided)

    flows = [row for row in counted(store) if row[1] == ""]
    assert [row[-1] for row in flows] == [2]


def test_a_claim_in_the_same_batch_takes_what_a_completion_lets_run(store: SqliteStore) -> None:
    flows = [a_chain(number) for number in range(1, 6)]
    told(store, *flows)
    ends = [a_completion(each) for each in leased(store)]

    assert undecided(store, *ends, a_claim()) == set(range(6))
    *_, answer = told(store, *ends, a_claim())

    assert [each.execution_id for each in claimed_in(answer)] == [flow.nodes[1][1].execution_id for flow in flows]
    assert all(each.inputs == {"before": b"result"} for each in claimed_in(answer))


def test_a_claim_before_a_completion_in_the_batch_does_not_see_what_that_lets_run(store: SqliteStore) -> None:
    told(store, a_chain(1))
    [one] = leased(store)

    answers = told(store, a_claim(), a_completion(one))

    assert answers == [[], Completed(one.execution_id)]


def test_members_side_by_side_are_counted_together(store: SqliteStore) -> None:
    flow = a_chain(1, 4, across=True)
    told(store, SubmitFlow(flow.flow, flow.nodes, (), ()))
    ends = [a_completion(each) for each in leased(store)]
    assert len(ends) == 4

    assert undecided(store, *ends) == {0, 1, 2, 3}
    told(store, *ends)

    snapshot = rows_of(store, flow)["ff_flow_core"][0]
    assert (snapshot["state"], snapshot["live_count"], snapshot["event_seq"]) == (2, 0, 1)


def test_a_member_that_is_waited_for_in_company_is_left_to_the_rules_with_its_whole_flow(store: SqliteStore) -> None:
    flow, other = a_chain(1, 3, across=True), a_chain(2)
    told(store, flow, other)
    ends = {each.execution_id: a_completion(each) for each in leased(store)}
    batch = [ends[key] for key in sorted(ends)]

    assert undecided(store, *batch) == {
        place for place, key in enumerate(sorted(ends)) if key == other.nodes[0][1].execution_id
    }


def test_a_member_that_two_others_wait_for_is_left_to_the_rules(store: SqliteStore) -> None:
    flow = a_chain(1)
    first, second, third = (creation.execution_id for _, creation in flow.nodes)
    edges = (NewEdge("e0", first, second, None), NewEdge("e1", first, third, None))
    told(store, SubmitFlow(flow.flow, flow.nodes, edges, ()))
    [one] = leased(store)

    assert undecided(store, a_completion(one)) == set()
    told(store, a_completion(one))
    assert {each.execution_id for each in leased(store)} == {second, third}


@pytest.mark.parametrize("join", [AnyOf()])
def test_a_join_of_any_is_left_to_the_rules(store: SqliteStore, join: Join) -> None:
    told(store, a_chain(1, 2, join=join))
    [one] = leased(store)

    assert undecided(store, a_completion(one)) == set()


def test_the_end_of_a_cancelled_flow_is_left_to_the_rules(store: SqliteStore) -> None:
    flow = a_chain(1, 2)
    told(store, flow)
    [one] = leased(store)
    told(store, CancelFlow(flow.flow.flow_id, "enough", "cancel_pending"))

    assert undecided(store, a_completion(one)) == set()
    assert told(store, a_completion(one)) == [Completed(one.execution_id)]


def test_the_last_end_of_a_flow_that_has_lost_a_member_is_left_to_the_rules(store: SqliteStore) -> None:
    flow = a_chain(1, 2)
    told(store, SubmitFlow(flow.flow, flow.nodes, (), ()))
    lost, last = leased(store)
    told(store, Fail(inputs.fence(lost.lease), "boom", "", False, None, None))

    assert undecided(store, a_completion(last)) == set()
    told(store, a_completion(last))
    assert rows_of(store, flow)["ff_flow_core"][0]["state"] == 3


def test_a_member_whose_child_is_named_in_the_batch_is_left_to_the_rules(store: SqliteStore) -> None:
    told(store, a_chain(1, 2))
    [one] = leased(store)
    told(store, a_completion(one))
    [other] = leased(store)
    early = a_chain(2, 2)
    told(store, early)
    [first] = leased(store)
    fence = inputs.fence(other.lease)
    child = Complete(
        type(fence)(early.nodes[1][1].execution_id, fence.attempt_index, fence.lease_epoch, fence.lease_id), None
    )

    assert undecided(store, child, a_completion(first)) == set()


@pytest.mark.parametrize("mark_of_claim", ["m1", ""])
def test_a_completion_is_answered_undecided_only_under_its_lease(store: SqliteStore, mark_of_claim: str) -> None:
    told(store, a_chain(1))
    [one] = claimed_in(told(store, replace(a_claim(), mark=mark_of_claim))[0])
    fence = inputs.fence(one.lease)
    later = fence.lease_epoch + 1
    (mark,) = mark_in_own_id(fence, store.name) or (None,)

    for of in ((0, later, mark), (1, fence.lease_epoch, mark), (0, fence.lease_epoch, f"{fence.lease_epoch}.other")):
        stale = Fence(fence.execution_id, *of[:2], lease_id(store.name, fence.execution_id, *of))
        assert undecided(store, Complete(stale, None)) == set()


def test_a_flow_with_tags_is_as_plain_as_one_without(store: SqliteStore) -> None:
    flow = a_chain(1, 2)
    told(store, flow)
    told(store, SetFlowTag(flow.flow.flow_id, "team", "red"))

    assert undecided(store, a_claim()) == {0}
    [one] = leased(store)
    assert undecided(store, a_completion(one)) == {0}


@pytest.mark.parametrize("size", [0, 4096, 4097, 100_000])
def test_a_claim_brings_results_of_every_size(store: SqliteStore, size: int) -> None:
    told(store, a_chain(1, 2))
    [one] = leased(store)
    told(store, a_completion(one, b"\xff" * size))

    [other] = leased(store)

    assert other.inputs == {"before": b"\xff" * size}
