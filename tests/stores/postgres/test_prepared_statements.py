"""What a write connection prepares stays prepared, for as long as the way to the server keeps it."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from flowfabric.domain.commands import Claim, Envelope, Hold
from flowfabric.domain.ids import ExecutionId
from flowfabric.engine.batch import Batch
from flowfabric.ports.errors import ConnectionLost
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import send
from flowfabric.stores.postgres.writer import PostgresWriter

NOBODY = ExecutionId("{fp:1}:01890000-0000-7000-8000-000000000001")


@pytest.fixture
def writer(url: str) -> Iterator[PostgresWriter]:
    with closing(PostgresStore(url)) as store, closing(store.writer()) as writer:
        yield writer


def claim_in_vain(writer: PostgresWriter, *, capabilities: frozenset[str] = frozenset()) -> None:
    claim = Claim("w", "w-1", ("empty",), "default", capabilities, 5, 1_000)
    answered = writer.run(Batch([Envelope(claim)], writer.store.name))
    assert (answered.answers, answered.committed) == ([[]], None)


def prepared(writer: PostgresWriter) -> set[str]:
    found = writer.connection.execute("select name, statement from pg_prepared_statements", prepare=False)
    return {f"{name}: {statement}" for name, statement in found.fetchall()}


@pytest.mark.parametrize("capabilities", [frozenset(), frozenset({"gpu"})])
def test_a_claim_that_finds_nothing_keeps_what_is_prepared(
    writer: PostgresWriter, capabilities: frozenset[str]
) -> None:
    claim_in_vain(writer, capabilities=capabilities)
    before = prepared(writer)

    claim_in_vain(writer, capabilities=capabilities)

    assert prepared(writer) == before
    assert len(before) >= 4


def test_a_claim_that_finds_nothing_leaves_nothing_behind(writer: PostgresWriter) -> None:
    claim_in_vain(writer)

    rows = writer.connection.execute("select count(*) from ff_batch", prepare=False).fetchone()

    assert rows == (0,)


def test_once_a_prepared_statement_is_gone_nothing_is_prepared_any_more(writer: PostgresWriter) -> None:
    claim_in_vain(writer)
    writer.connection.pgconn.exec_(b"deallocate all")  # behind the driver's back, as a pooler would

    with pytest.raises(ConnectionLost, match="lost a prepared statement"):
        claim_in_vain(writer)
    writer.reconnect()
    claim_in_vain(writer)

    assert prepared(writer) == set()


def test_a_batch_that_changes_nothing_keeps_what_is_prepared_and_leaves_nothing_behind(writer: PostgresWriter) -> None:
    refused = Batch([Envelope(Hold(NOBODY, "why"))], writer.store.name)
    assert writer.run(refused).committed is None
    before = prepared(writer)

    writer.run(Batch([Envelope(Hold(NOBODY, "why"))], writer.store.name))

    assert prepared(writer) == before
    assert any("insert into ff_batch" in statement for statement in before)
    assert writer.connection.execute("select count(*) from ff_batch", prepare=False).fetchone() == (0,)


def test_a_value_that_a_statement_names_twice_is_sent_once(writer: PostgresWriter) -> None:
    asked = "select %(b)s::text || %(a)s::text || %(b)s::text, 8 %% 5, 'a %% b'"

    found = send(writer.connection, asked, {"a": "1", "b": "2", "another": "3"})

    assert found.fetchone() == ("212", 3, "a % b")
    assert "$2::text||" in "".join(prepared(writer)).replace(" ", "")


def test_a_statement_without_values_is_sent_as_it_is(writer: PostgresWriter) -> None:
    assert send(writer.connection, "select 'a % b'", None).fetchone() == ("a % b",)
