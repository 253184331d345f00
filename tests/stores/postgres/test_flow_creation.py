"""A plain flow that one statement creates is stored as one that the rules have decided."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.rows import dict_row

from flowfabric import ManualClock
from flowfabric.domain.commands import Envelope, SubmitFlow
from flowfabric.domain.errors import EngineError
from flowfabric.domain.joins import Join
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import FlowSubmitted
from flowfabric.engine.batch import Batch
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.flow_creation import FlowCreation
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.writer import PostgresWriter
from tests.stores.plain_flows import GRAPHS, a_chain, a_claim, a_graph, a_random_graph, as_if_given, claimed_in

TABLES = ("ff_exec_core", "ff_payload", "ff_ready", "ff_due", "ff_event", "ff_flow_core", "ff_edge", "ff_edge_group")
OF_ONE_ALONE = {"execution_id", "flow_id", "partition_key", "upstream", "downstream"}
"""What two flows never have in common."""
Graph = tuple[int, Sequence[tuple[int, int]], dict[int, Join]]


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        yield store


@pytest.fixture
def writer(store: PostgresStore) -> Iterator[PostgresWriter]:
    with closing(store.writer()) as writer:
        yield writer


def rows_of(url: str, flow: SubmitFlow) -> dict[str, list[dict[str, object]]]:
    """All that is stored about a flow, but for what two flows never have in common, in the order of the members."""
    ids = [flow.flow.flow_id, *(creation.execution_id[-36:] for _, creation in flow.nodes)]
    places = {uuid: place for place, uuid in enumerate(ids)}
    found = {}
    with psycopg.connect(url, row_factory=dict_row) as connection:
        for table in TABLES:
            columns = {column.name for column in connection.execute(f"select * from {table} limit 0").description or ()}
            of = " or ".join(f"{column}::text = any (%(ids)s)" for column in columns & {"flow_id", "execution_id"})
            rows = connection.execute(f"select * from {table} where {of}", {"ids": ids}).fetchall()
            found[table] = [
                {name: places.get(str(value)) if name in OF_ONE_ALONE else value for name, value in row.items()}
                for row in rows
            ]
    return {table: sorted(of, key=repr) for table, of in found.items()}


def counted(url: str) -> dict[tuple[object, ...], int]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("select namespace, lane_id, execution_kind, standing, number from ff_counted")
        return {tuple(of): int(number) for *of, number in rows}


def is_one_statement(writer: PostgresWriter, *envelopes: Envelope) -> bool:
    """Whether the batch is one statement. It is committed."""
    writer.run(Batch(envelopes, writer.store.name))
    return isinstance(writer.plan, FlowCreation)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("actor", [None, "ann"])
def test_a_flow_that_is_not_decided_is_stored_as_one_that_was_decided(
    writer: PostgresWriter, url: str, graph: Graph, actor: str | None
) -> None:
    nodes, edges, joins = graph
    easy, decided = (a_graph(number, nodes, edges, joins=joins) for number in (1, 2))

    [answer] = writer.run(Batch([Envelope(easy, actor=actor)], writer.store.name)).answers
    assert isinstance(writer.plan, FlowCreation)
    once = counted(url)
    assert not is_one_statement(writer, Envelope(as_if_given(decided), actor=actor))

    ids = {name: creation.execution_id for name, creation in easy.nodes}
    assert answer == FlowSubmitted(easy.flow.flow_id, ids)
    assert rows_of(url, easy) == rows_of(url, decided)
    assert counted(url) == {of: 2 * number for of, number in once.items()}


def test_random_flows_that_are_not_decided_are_stored_as_those_that_were_decided(
    writer: PostgresWriter, url: str
) -> None:
    easy = [a_random_graph(seed, seed) for seed in range(1, 31)]
    decided = [a_random_graph(100 + seed, seed) for seed in range(1, 31)]

    assert is_one_statement(writer, *map(Envelope, easy))
    assert not is_one_statement(writer, *(Envelope(as_if_given(each)) for each in decided))

    assert [rows_of(url, each) for each in easy] == [rows_of(url, each) for each in decided]


def test_a_batch_is_decided_that_does_more_than_to_create_plain_flows(writer: PostgresWriter) -> None:
    flow = a_chain(1)
    (name, first), *others = flow.nodes

    assert not is_one_statement(
        writer, Envelope(replace(flow, nodes=((name, replace(first, tags={"a": "b"})), *others)))
    )
    assert not is_one_statement(writer, Envelope(a_chain(2), command_id="once"))
    assert not is_one_statement(writer, Envelope(a_chain(3)), Envelope(a_claim()))
    assert is_one_statement(writer, Envelope(a_chain(4)))


def test_a_claim_that_stands_by_joins_the_batch_of_a_new_flow(writer: PostgresWriter) -> None:
    flow = a_chain(1)

    def take_along(lanes: Collection[Lane], enough: int | None = None) -> Sequence[Envelope]:
        return [Envelope(a_claim())] if ("default", "post") in lanes else []

    answered = writer.run(Batch([Envelope(flow)], writer.store.name, take_along=take_along))

    assert [each.execution_id for each in claimed_in(answered.answers[1])] == [flow.nodes[0][1].execution_id]  # type: ignore[arg-type]


def test_the_news_of_a_new_flow_names_its_members_and_the_lanes_where_they_may_run(writer: PostgresWriter) -> None:
    answered = writer.run(Batch([Envelope(a_graph(1, 3, ((0, 1),)))], writer.store.name, is_told=True))

    assert answered.committed is not None
    assert answered.committed.ready == {("default", "lane 0"), ("default", "lane 2")}
    assert answered.committed.plain == [
        PlainStep("created", "default", f"lane {at}", kind) for at, kind in enumerate(("kind 0", "kind 1", "kind 0"))
    ]


def test_a_claim_finds_new_members_before_which_the_queue_was_empty(writer: PostgresWriter) -> None:
    writer.run(Batch([Envelope(a_claim())], writer.store.name))
    flow = a_chain(1)
    assert is_one_statement(writer, Envelope(flow))

    [answer] = writer.run(Batch([Envelope(a_claim())], writer.store.name)).answers

    assert [each.execution_id for each in claimed_in(answer)] == [flow.nodes[0][1].execution_id]  # type: ignore[arg-type]


def test_a_flow_whose_answer_is_lost_is_found_by_its_marker(writer: PostgresWriter) -> None:
    flow = a_chain(1)
    batch = Batch([Envelope(flow)], writer.store.name)
    writer.run(batch)

    assert writer.was_committed(batch.batch_id)
    assert batch.prepared is not None
    ids = {name: creation.execution_id for name, creation in flow.nodes}
    assert batch.prepared.answers == [FlowSubmitted(flow.flow.flow_id, ids)]


def test_a_statement_that_comes_after_its_marker_was_looked_for_creates_nothing(
    writer: PostgresWriter, url: str
) -> None:
    flow = a_chain(1)
    batch = Batch([Envelope(flow)], writer.store.name)
    assert not writer.was_committed(batch.batch_id)

    with pytest.raises(EngineError) as failed:
        writer.run(batch)

    assert not isinstance(failed.value, CommitUnknown | ConnectionLost)
    assert rows_of(url, flow)["ff_flow_core"] == []


def test_a_flow_is_decided_in_a_batch_that_waits_for_locks_in_its_own_way(writer: PostgresWriter) -> None:
    writer.run(Batch([Envelope(a_chain(1))], writer.store.name, lock_wait_ms=10))
    assert isinstance(writer.plan, DecidedBatch)
