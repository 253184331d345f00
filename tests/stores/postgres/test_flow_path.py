"""What the statements do to plain members of flows is what deciding would have done, and nothing else is done so."""

import re
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.rows import dict_row

from flowfabric import Claimed, ExecutionPolicy, ManualClock
from flowfabric.domain import inputs
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, CancelFlow, Complete, Envelope, Fail, NewEdge, SetFlowTag, SubmitFlow
from flowfabric.domain.joins import AnyOf
from flowfabric.domain.lease import Fence, lease_id, mark_in_own_id
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.engine.batch import Batch
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.flow_batch import PAUSE
from flowfabric.stores.postgres.store import PostgresStore
from tests.record_batches import answered_undecided, loaded_by
from tests.stores.last_attempts import with_last_attempt_apart
from tests.stores.plain_flows import KEPT, a_chain, a_claim, a_completion, claimed_in

STATEMENTS = Statements("flowfabric.stores.postgres")
TABLES = {
    "ff_exec_core": "execution_id",
    "ff_ready": "execution_id",
    "ff_due": "execution_id",
    "ff_result": "execution_id",
    "ff_attempt": "execution_id",
    "ff_event": "event_id",
    "ff_flow_core": "flow_id",
    "ff_edge": "edge_id",
    "ff_edge_group": "downstream",
}
"""With the column that tells their order."""
OF_ONE_ALONE = {
    *("execution_id", "event_id", "txid", "flow_id", "partition_key", "upstream", "downstream", "details"),
}
"""What two flows never have in common."""


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        store.meets_members = True
        yield store


def told(store: PostgresStore, *commands: AnyCommand, is_decided: bool = False) -> list[Outcome]:
    """The answers to one batch. With an id of its own, a command is remembered, and is decided."""
    at = store.given_now_ms
    batch = [
        Envelope(command, None, f"{at} {type(command).__name__} {place}" if is_decided else None)
        for place, command in enumerate(commands)
    ]
    store.meets_members = True
    with closing(store.writer()) as writer:
        return list(writer.run(Batch(batch, store.name)).answers)  # type: ignore[arg-type]


def undecided(store: PostgresStore, *commands: AnyCommand) -> set[int]:
    """Which commands of a batch the store answers by itself. What it does is taken back."""
    store.meets_members, store.members_pause = True, 0
    with closing(store.writer()) as writer:
        found = set(answered_undecided(writer, store.name, *commands))
    store.members_pause = 0
    return found


def leased(store: PostgresStore, limit: int = 10) -> list[Claimed]:
    return claimed_in(told(store, a_claim(limit))[0])


def rows_of(url: str, flow: SubmitFlow) -> dict[str, list[dict[str, object]]]:
    """All that is stored about a flow, but for what two flows never have in common."""
    keys = [creation.execution_id[-36:] for _, creation in flow.nodes]
    found = {}
    with psycopg.connect(url, row_factory=dict_row) as connection:
        for table, order in TABLES.items():
            columns = [
                column.name
                for column in connection.execute(f"select * from {table} limit 0").description or ()
                if column.name in ("flow_id", "execution_id")
            ]
            of = " or ".join(f"{column}::text = any (%(keys)s)" for column in columns)
            found[table] = connection.execute(
                f"select * from {table} where {of} order by {order}", {"keys": [*keys, flow.flow.flow_id]}
            ).fetchall()
    return {
        table: [{name: row[name] for name in row if name not in OF_ONE_ALONE} for row in rows]
        for table, rows in with_last_attempt_apart(found).items()
    }


def counted(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("select * from ff_counted order by 1, 2, 3, 4").fetchall()


@pytest.mark.parametrize("policy", KEPT)
@pytest.mark.parametrize(("passes", "result"), [("before", b"result"), ("before", None), ("before", b""), (None, b"r")])
def test_a_chain_that_is_not_decided_is_stored_as_one_that_was_decided(
    store: PostgresStore,
    url: str,
    clock: ManualClock,
    policy: ExecutionPolicy,
    passes: str | None,
    result: bytes | None,
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
        assert rows_of(url, easy) == rows_of(url, decided)
        clock.advance(7)
        assert undecided(store, a_completion(one, result)) == {0}
        assert told(store, a_completion(one, result)) == [Completed(one.execution_id)]
        assert told(store, a_completion(other, result), is_decided=True) == [Completed(other.execution_id)]
        assert rows_of(url, easy) == rows_of(url, decided)

    flows = [row for row in counted(url) if row[1] == ""]
    assert [row[-1] for row in flows] == [2]


def test_a_claim_in_the_same_batch_takes_what_a_completion_lets_run(store: PostgresStore) -> None:
    flows = [a_chain(number) for number in range(1, 6)]
    told(store, *flows)
    ends = [a_completion(each) for each in leased(store)]

    assert undecided(store, *ends, a_claim()) == set(range(6))
    *_, answer = told(store, *ends, a_claim())

    claimed = claimed_in(answer)
    assert [each.execution_id for each in claimed] == [flow.nodes[1][1].execution_id for flow in flows]
    assert all(each.inputs == {"before": b"result"} for each in claimed)


def test_a_second_claim_that_finds_nothing_is_answered_too(store: PostgresStore) -> None:
    told(store, a_chain(1))
    [one] = leased(store)

    assert undecided(store, a_completion(one), a_claim(), a_claim()) == {0, 1, 2}
    assert told(store, a_completion(one), a_claim(), a_claim())[2] == []


def test_a_claim_that_meets_what_is_not_plain_is_left_to_the_rules_and_the_ends_before_it_stand(
    store: PostgresStore,
) -> None:
    flow = a_chain(1)
    told(store, flow)
    [one] = leased(store)
    hasty = replace(a_chain(2, 1).nodes[0][1], deadline_at_ms=2**50)
    told(store, hasty)

    assert undecided(store, a_completion(one), a_claim()) == {0}
    ended, answer = told(store, a_completion(one), a_claim())

    assert ended == Completed(one.execution_id)
    found = {each.execution_id: dict(each.inputs) for each in claimed_in(answer)}
    assert found == {hasty.execution_id: {}, flow.nodes[1][1].execution_id: {"before": b"result"}}


def test_members_side_by_side_are_counted_together(store: PostgresStore, url: str) -> None:
    flow = a_chain(1, 4, across=True)
    told(store, SubmitFlow(flow.flow, flow.nodes, (), ()))
    ends = [a_completion(each) for each in leased(store)]
    assert len(ends) == 4

    assert undecided(store, *ends) == {0, 1, 2, 3}
    told(store, *ends)

    [row] = rows_of(url, flow)["ff_flow_core"]
    assert (row["state"], row["live_count"], row["event_seq"]) == (2, 0, 1)


def test_one_that_is_not_plain_leaves_the_whole_batch_and_some_after_it_to_the_rules(store: PostgresStore) -> None:
    flow, other = a_chain(1, 3, across=True), a_chain(2)
    told(store, flow, other)
    ends = [a_completion(each) for each in leased(store)]

    assert undecided(store, *ends) == set()
    assert told(store, *ends) == [Completed(each.fence.execution_id) for each in ends]
    assert store.members_pause == PAUSE


def test_a_member_that_two_others_wait_for_is_left_to_the_rules(store: PostgresStore) -> None:
    flow = a_chain(1)
    first, second, third = (creation.execution_id for _, creation in flow.nodes)
    edges = (NewEdge("e0", first, second, None), NewEdge("e1", first, third, None))
    told(store, SubmitFlow(flow.flow, flow.nodes, edges, ()))
    [one] = leased(store)

    assert undecided(store, a_completion(one)) == set()
    told(store, a_completion(one))
    assert {each.execution_id for each in leased(store)} == {second, third}


def test_a_batch_without_commands_is_left_to_the_rules(store: PostgresStore) -> None:
    with closing(store.writer()) as writer:
        loaded_by(writer, Needs())

        assert isinstance(writer.plan, DecidedBatch)


def test_a_join_of_any_is_left_to_the_rules(store: PostgresStore) -> None:
    told(store, a_chain(1, 2, join=AnyOf()))
    [one] = leased(store)

    assert undecided(store, a_completion(one)) == set()


def test_the_end_of_a_cancelled_flow_is_left_to_the_rules(store: PostgresStore) -> None:
    flow = a_chain(1, 2)
    told(store, flow)
    [one] = leased(store)
    told(store, CancelFlow(flow.flow.flow_id, "enough", "cancel_pending"))

    assert undecided(store, a_completion(one)) == set()
    assert told(store, a_completion(one)) == [Completed(one.execution_id)]


def test_the_last_end_of_a_flow_that_has_lost_a_member_is_left_to_the_rules(store: PostgresStore, url: str) -> None:
    flow = a_chain(1, 2)
    told(store, SubmitFlow(flow.flow, flow.nodes, (), ()))
    lost, last = leased(store)
    told(store, Fail(inputs.fence(lost.lease), "boom", "", False, None, None))

    assert undecided(store, a_completion(last)) == set()
    told(store, a_completion(last))
    assert rows_of(url, flow)["ff_flow_core"][0]["state"] == 3


@pytest.mark.parametrize("mark_of_claim", ["m1", ""])
def test_a_completion_is_answered_undecided_only_under_its_lease(store: PostgresStore, mark_of_claim: str) -> None:
    told(store, a_chain(1))
    [one] = claimed_in(told(store, replace(a_claim(), mark=mark_of_claim))[0])
    fence = inputs.fence(one.lease)
    later = fence.lease_epoch + 1
    (mark,) = mark_in_own_id(fence, store.name) or (None,)

    for of in ((0, later, mark), (1, fence.lease_epoch, mark), (0, fence.lease_epoch, f"{fence.lease_epoch}.other")):
        stale = Fence(fence.execution_id, *of[:2], lease_id(store.name, fence.execution_id, *of))
        assert undecided(store, Complete(stale, None)) == set()


def test_a_flow_with_tags_is_as_plain_as_one_without(store: PostgresStore) -> None:
    flow = a_chain(1, 2)
    told(store, flow)
    told(store, SetFlowTag(flow.flow.flow_id, "team", "red"))

    assert undecided(store, a_claim()) == {0}
    [one] = leased(store)
    assert undecided(store, a_completion(one)) == {0}


def test_the_statements_about_members_set_what_those_about_others_set() -> None:
    for statement, like in (("claim_members", "fast_claim"), ("complete_members", "fast_complete")):
        ours, others = (
            set(re.findall(r"(\w+) = ", STATEMENTS[name].partition("updated as")[2].partition("from plain")[0]))
            for name in (statement, like)
        )
        assert ours == others
