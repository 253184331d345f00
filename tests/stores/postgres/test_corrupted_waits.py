"""Garbage in a row of waits or signals: it is named by table, key and column, and never shows a secret."""

from collections.abc import Callable, Iterator

import pytest

from flowfabric import Corruption
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.waiting import Alias, KeyRing, SigningKey
from tests.stores.flow_records import Books, opened
from tests.stores.postgres.conftest import Sql
from tests.stores.test_wait_books import a_key, a_signal, a_waitpoint, by_key, waiting

DAMAGED, HEALTHY = waiting(1), waiting(2)
ID, OTHER = DAMAGED.execution_id, HEALTHY.execution_id
ALIAS = ("default", "order-7")

Read = Callable[[Books], object]


@pytest.fixture
def books(url: str) -> Iterator[Books]:
    with opened(url) as books:
        books.save(DAMAGED, HEALTHY)
        for x in (DAMAGED, HEALTHY):
            books.save(**by_key(a_waitpoint(x), a_signal(1, x), a_key("once", x, alias="order-7")))
        books.save(
            **by_key(Alias(*ALIAS, ID, "approval"), KeyRing("waitpoints", (SigningKey("k1", b"a secret of ours"),)))
        )
        yield books


READS: list[tuple[str, str, str, str, Read]] = [
    ("ff_waitpoint", "subjects = 'garbage'", f"{ID}, approval", "subjects", lambda books: books.store.waitpoints(ID)),
    (
        "ff_waitpoint",
        "subjects = '[1]'",
        f"{ID}, approval",
        "subjects",
        lambda books: books.load(Needs(waitpoints={(ID, "approval"), (OTHER, "approval")})),
    ),
    (
        "ff_waitpoint",
        "subjects = '[1]'",
        f"{ID}, approval",
        "subjects",
        lambda books: books.load(Needs(inboxes={ID, OTHER})),
    ),
    ("ff_key_ring", "keys = 'garbage'", "waitpoints", "keys", lambda books: books.store.key_ring("waitpoints")),
    (
        "ff_key_ring",
        """keys = '[{"kid": "k1", "secret": "not base 64 at all"}]'""",
        "waitpoints",
        "keys",
        lambda books: books.load(Needs(key_rings={"waitpoints"})),
    ),
]


@pytest.mark.parametrize(("table", "assignment", "key", "column", "read"), READS)
def test_table_key_and_column_are_named(
    books: Books, sql: Sql, table: str, assignment: str, key: str, column: str, read: Read
):
    read(books)
    where = "" if table == "ff_key_ring" else f" where execution_id = '{ID[-36:]}'"
    assert sql.execute(f"update {table} set {assignment}{where}".encode()).rowcount == 1

    with pytest.raises(Corruption) as found:
        read(books)

    assert f"{table}, key {key}: column {column} " in str(found.value)
    assert "not base 64" not in str(found.value)


def test_the_waitpoints_of_others_are_read_as_before(books: Books, sql: Sql):
    sql.execute(f"update ff_waitpoint set subjects = 'garbage' where execution_id = '{ID[-36:]}'".encode())

    assert books.store.waitpoints(OTHER) == (HEALTHY, [(a_waitpoint(HEALTHY), 1)])


def test_an_alias_whose_execution_is_gone_can_be_taken_over(books: Books, sql: Sql):
    sql.execute(f"delete from ff_exec_core where execution_id = '{ID[-36:]}'".encode())

    found = books.load(Needs(aliases={ALIAS})).aliases[ALIAS]

    assert found.holder_outcome != "none"
    assert books.store.alias(*ALIAS) == found
