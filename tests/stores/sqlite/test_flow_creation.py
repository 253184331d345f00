"""A plain flow that statements create is stored as one that the rules have decided."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from flowfabric import Claimed, ManualClock
from flowfabric.domain.commands import Envelope, SubmitFlow
from flowfabric.domain.joins import Join
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import FlowSubmitted
from flowfabric.engine.batch import Batch
from flowfabric.stores.sqlite.store import SqliteStore
from tests.record_batches import answered_undecided
from tests.stores.plain_flows import (
    GRAPHS,
    a_chain,
    a_claim,
    a_completion,
    a_graph,
    a_random_graph,
    as_if_given,
    claimed_in,
)
from tests.stores_under_test import new_sqlite_file

TABLES = ("ff_exec_core", "ff_payload", "ff_event", "ff_flow_core", "ff_edge", "ff_edge_group", "ff_tag")
OF_ONE_ALONE = {"execution_id", "flow_id", "partition_key", "upstream", "downstream"}
"""What two flows never have in common."""
Graph = tuple[int, Sequence[tuple[int, int]], dict[int, Join]]


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[SqliteStore]:
    path.write_bytes(new_sqlite_file())
    with closing(SqliteStore(str(path), clock=clock)) as store:
        yield store


def rows_of(store: SqliteStore, flow: SubmitFlow) -> dict[str, list[dict[str, object]]]:
    """All that is stored about a flow, but for what two flows never have in common, in the order of the members."""
    ids = [bytes.fromhex(creation.execution_id[-36:].replace("-", "")) for _, creation in flow.nodes]
    flow_id = bytes.fromhex(flow.flow.flow_id.replace("-", ""))
    places = {uuid: place for place, uuid in enumerate([flow_id, *ids])}
    found = {}
    with closing(sqlite3.connect(store.path)) as connection:
        for table in TABLES:
            rows = connection.execute(f"select * from {table}")
            columns = [column[0] for column in rows.description]
            records = [dict(zip(columns, row, strict=True)) for row in rows]
            ours = [r for r in records if r.get("flow_id") == flow_id or r.get("execution_id") in ids]
            found[table] = [
                {name: places.get(value) if name in OF_ONE_ALONE else value for name, value in r.items()} for r in ours
            ]
    return {table: sorted(of, key=repr) for table, of in found.items()}


def counted(store: SqliteStore) -> dict[tuple[object, ...], int]:
    with closing(sqlite3.connect(store.path)) as connection:
        rows = connection.execute("select namespace, lane_id, execution_kind, standing, number from ff_counted")
        return {tuple(of): number for *of, number in rows}


def told(store: SqliteStore, *envelopes: Envelope) -> Sequence[object]:
    with closing(store.writer()) as writer:
        return writer.run(Batch(envelopes, store.name)).answers


def undecided(store: SqliteStore, *envelopes: Envelope) -> set[int]:
    """Which commands of a batch the store answers by itself. What it does is taken back."""
    with closing(store.writer()) as writer:
        return set(answered_undecided(writer, store.name, *envelopes))


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("actor", [None, "ann"])
def test_a_flow_that_is_not_decided_is_stored_as_one_that_was_decided(
    store: SqliteStore, graph: Graph, actor: str | None
) -> None:
    nodes, edges, joins = graph
    easy, decided = (a_graph(number, nodes, edges, joins=joins) for number in (1, 2))
    assert undecided(store, Envelope(easy, actor=actor)) == {0}

    [answer] = told(store, Envelope(easy, actor=actor))
    once = counted(store)
    told(store, Envelope(as_if_given(decided), actor=actor))

    ids = {name: creation.execution_id for name, creation in easy.nodes}
    assert answer == FlowSubmitted(easy.flow.flow_id, ids)
    assert rows_of(store, easy) == rows_of(store, decided)
    assert counted(store) == {of: 2 * number for of, number in once.items()}


def test_random_flows_that_are_not_decided_are_stored_as_those_that_were_decided(store: SqliteStore) -> None:
    easy = [a_random_graph(seed, seed) for seed in range(1, 31)]
    decided = [a_random_graph(100 + seed, seed) for seed in range(1, 31)]
    assert undecided(store, *map(Envelope, easy)) == set(range(30))

    told(store, *map(Envelope, easy))
    told(store, *(Envelope(as_if_given(each)) for each in decided))

    assert [rows_of(store, each) for each in easy] == [rows_of(store, each) for each in decided]


def test_a_flow_is_decided_whose_members_are_not_plain(store: SqliteStore) -> None:
    flow = a_chain(1)
    (name, first), *others = flow.nodes
    for other in (
        replace(first, id_was_given=True),
        replace(first, idempotency_key="k"),
        replace(first, delay_until_ms=9_000_000_000_000),
        replace(first, deadline_at_ms=9_000_000_000_000),
        replace(first, required_capabilities=("gpu",)),
        replace(first, tags={"a": "b"}),
        replace(first, namespace="elsewhere"),
    ):
        assert undecided(store, Envelope(replace(flow, nodes=((name, other), *others)))) == set()
    assert undecided(store, Envelope(as_if_given(flow))) == set()


def test_a_repeated_command_id_gets_the_answer_of_the_first_flow(store: SqliteStore) -> None:
    flow, again = a_chain(1), a_chain(2)
    once = Envelope(flow, command_id="once")
    assert undecided(store, once) == {0}
    [first] = told(store, once)

    assert undecided(store, Envelope(again, command_id="once")) == set()
    assert told(store, Envelope(again, command_id="once")) == [first]
    assert rows_of(store, again)["ff_flow_core"] == []


def test_a_claim_in_the_same_batch_takes_the_members_that_wait_for_nobody(store: SqliteStore) -> None:
    flows = [a_chain(number) for number in (1, 2)]
    batch = [*map(Envelope, flows), Envelope(a_claim())]
    assert undecided(store, *batch) == {0, 1, 2}

    *_, answer = told(store, *batch)

    assert {each.execution_id for each in claimed_in(answer)} == {flow.nodes[0][1].execution_id for flow in flows}  # type: ignore[arg-type]


def test_a_claim_that_stands_by_joins_the_batch_of_a_new_flow(store: SqliteStore) -> None:
    flow, asked = a_chain(1), list[Collection[Lane]]()

    def take_along(lanes: Collection[Lane], enough: int | None = None) -> Sequence[Envelope]:
        asked.append(lanes)
        return [Envelope(a_claim())] if ("default", "post") in lanes else []

    with closing(store.writer()) as writer:
        answered = writer.run(Batch([Envelope(flow)], store.name, take_along=take_along, is_told=True))

    assert [each.execution_id for each in claimed_in(answered.answers[1])] == [flow.nodes[0][1].execution_id]  # type: ignore[arg-type]
    assert answered.committed is not None
    assert answered.committed.ready == set()
    steps = [PlainStep("created", "default", "post", "mail")] * 3 + [PlainStep("leased", "default", "post", "mail")]
    assert list(answered.committed.plain) == steps


def test_the_news_of_a_new_flow_names_the_lanes_where_its_members_may_run(store: SqliteStore) -> None:
    with closing(store.writer()) as writer:
        answered = writer.run(Batch([Envelope(a_graph(1, 3, ((0, 1),)))], store.name))

    assert answered.committed is not None
    assert answered.committed.ready == {("default", "lane 0"), ("default", "lane 2")}
    assert not answered.committed.has_events


def test_a_flow_and_ends_of_members_of_another_flow_share_a_batch(store: SqliteStore) -> None:
    told(store, Envelope(a_chain(1)))
    [one] = leased(store)
    batch = [Envelope(a_completion(one)), Envelope(a_chain(2)), Envelope(a_claim())]
    assert undecided(store, *batch) == {0, 1, 2}

    *_, answer = told(store, *batch)

    assert len(claimed_in(answer)) == 2  # type: ignore[arg-type]


def leased(store: SqliteStore) -> list[Claimed]:
    return claimed_in(told(store, Envelope(a_claim()))[0])  # type: ignore[arg-type]
