"""What of flows is asked of SQLite, and how often."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric.domain.batch_io import ClaimNeed, Needs
from flowfabric.stores.sqlite.writer import SqliteWriter
from tests.stores.flow_records import (
    Books,
    a_flow,
    a_group,
    a_member,
    a_solo,
    an_edge,
    blocked,
    flow_id,
    member_id,
    opened,
)

ANY_WORK = ClaimNeed("default", ("default",), frozenset())
GRAPH_TABLES = ("ff_flow_core", "ff_edge", "ff_cancel_backlog", "ff_flow_cancel")


@pytest.fixture
def books(path: Path) -> Iterator[Books]:
    with opened(f"sqlite:///{path}") as books:
        yield books


def statements(books: Books) -> list[str]:
    """Every statement that the writer runs from now on."""
    heard: list[str] = []
    assert isinstance(books.writer, SqliteWriter)
    assert books.writer.connection is not None
    books.writer.connection.set_trace_callback(heard.append)
    return heard


def ids(*numbers: int) -> set:
    return {member_id(number) for number in numbers}


@pytest.fixture
def chain(books: Books) -> Books:
    """A flow of two, one waiting for the other, and another flow."""
    books.save(a_flow(), a_member(1), blocked(2), an_edge(1, 2), a_group(2, total=1), a_flow(2), a_member(11, 2))
    return books


def test_a_second_turn_adds_to_the_first_and_reads_nothing_twice(chain: Books) -> None:
    first = Needs(executions=ids(1), flows_of=ids(1), claims={ANY_WORK: 5}, answers={("scope", "id")})
    chain.load(Needs(executions=ids(1)))
    heard = statements(chain)

    loaded = chain.load(first, Needs(executions=ids(1), incoming=ids(2)))

    assert set(loaded.executions) >= ids(1, 2)
    assert (set(loaded.incoming), set(loaded.flows)) == (ids(2), {flow_id(), flow_id(2)})
    assert len(loaded.candidates[ANY_WORK]) == 2
    assert sum("from ff_command" in statement for statement in heard) == 1
    assert sum("indexed by ff_exec_core_ready" in statement and "limit" in statement for statement in heard) == 1


def test_a_batch_of_solo_executions_never_asks_for_flows(books: Books) -> None:
    solo = [a_solo(n) for n in range(100)]
    books.save(*solo)
    named = {x.execution_id for x in solo}
    heard = statements(books)

    loaded = books.load(
        Needs(
            executions=named,
            flows_of=named,
            outgoing=named,
            reach=named,
            incoming=named,
            groups=named,
            inputs=named,
            claims={ANY_WORK: 100},
        )
    )

    assert not [statement for statement in heard for table in GRAPH_TABLES if table in statement]
    assert loaded.outgoing == loaded.incoming == loaded.passing == {key: [] for key in named}


def test_a_hundred_completions_in_chains_of_ten_take_five_reads(books: Books) -> None:
    for flow in range(1, 101):
        first = 10 * flow
        books.save(
            a_flow(flow),
            *[a_member(first + n, flow) for n in range(10)],
            *[an_edge(first + n, first + n + 1, flow=flow) for n in range(9)],
            *[a_group(first + n + 1, flow, total=1) for n in range(9)],
        )
    named = {member_id(10 * flow, flow) for flow in range(1, 101)}
    heard = statements(books)

    loaded = books.load(Needs(executions=named, flows_of=named, outgoing=named))

    # What time it is, is asked once by every batch.
    reads = [statement for statement in heard if statement.startswith("select") and "ff_meta" not in statement]
    assert len(reads) == 5
    assert len(loaded.flows) == len(loaded.edges) == len(loaded.groups) == 100
    assert len(loaded.executions) == 200
