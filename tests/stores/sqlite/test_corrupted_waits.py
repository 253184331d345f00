"""Garbage in a row of waits or signals: it is named by table, key and column, and other rows are read as before."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import Corruption
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.news import Waits
from flowfabric.domain.waiting import Alias, KeyRing, SigningKey
from tests.stores.flow_records import Books, opened
from tests.stores.test_wait_books import a_key, a_signal, a_waitpoint, by_key, running, waiting

NOT_UTF8 = "cast(x'6bff64' as text)"
DAMAGED, HEALTHY = waiting(1), waiting(2)
ID, OTHER = DAMAGED.execution_id, HEALTHY.execution_id
ALIAS = ("default", "order-7")

Read = Callable[[Books], object]
Damage = Callable[..., None]


@pytest.fixture
def books(path: Path) -> Iterator[Books]:
    with opened(f"sqlite:///{path}") as books:
        books.save(DAMAGED, HEALTHY)
        for x in (DAMAGED, HEALTHY):
            books.save(**by_key(a_waitpoint(x), a_signal(1, x), a_key("once", x, alias="order-7")))
        books.save(
            **by_key(Alias(*ALIAS, ID, "approval"), KeyRing("waitpoints", (SigningKey("k1", b"a secret of ours"),)))
        )
        yield books


@pytest.fixture
def damage(books: Books, path: Path) -> Damage:
    """Write garbage into rows of one table, past every check."""

    def damage(table: str, assignment: str) -> None:
        has_execution = table not in ("ff_alias", "ff_key_ring")
        where = f" where execution_id = x'{ID[-36:].replace('-', '')}'" if has_execution else ""
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("pragma wal_autocheckpoint = 0")
            connection.execute("pragma ignore_check_constraints = on")
            assert connection.execute(f"update {table} set {assignment}{where}").rowcount == 1

    return damage


READS: list[tuple[str, str, str, str, Read]] = [
    ("ff_waitpoint", "subjects = 'garbage'", f"{ID}, approval", "subjects", lambda books: books.store.waitpoints(ID)),
    ("ff_waitpoint", "subjects = '[1]'", f"{ID}, approval", "subjects", lambda books: books.store.waitpoints(ID)),
    ("ff_waitpoint", f"about = {NOT_UTF8}", f"{ID}, approval", "about", lambda books: books.store.waitpoints(ID)),
    (
        "ff_waitpoint",
        f"token_kid = {NOT_UTF8}",
        f"{ID}, approval",
        "token_kid",
        lambda books: books.load(Needs(waitpoints={(ID, "approval"), (OTHER, "approval")})),
    ),
    (
        "ff_waitpoint",
        f"alias = {NOT_UTF8}",
        f"{ID}, approval",
        "alias",
        lambda books: books.load(Needs(inboxes={ID, OTHER})),
    ),
    ("ff_signal", f"source = {NOT_UTF8}", f"{ID}, 1", "source", lambda books: books.store.signals(ID, None)),
    (
        "ff_signal",
        f"taken_by = {NOT_UTF8}",
        f"{ID}, 1",
        "taken_by",
        lambda books: books.load(Needs(signals={(ID, 1), (OTHER, 1)})),
    ),
    (
        "ff_signal",
        f"name = {NOT_UTF8}",
        f"{ID}, 1",
        "name",
        lambda books: books.load(Needs(kept_signals={(ID, "approval", 1)})),
    ),
    (
        "ff_signal_key",
        f"signal_id = {NOT_UTF8}",
        f"{ID}, approval, once",
        "signal_id",
        lambda books: books.load(Needs(signal_keys={(ID, "approval", "once")})),
    ),
    ("ff_alias", f"key = {NOT_UTF8}", "default, order-7", "key", lambda books: books.store.alias(*ALIAS)),
    ("ff_exec_core", "terminal_outcome = 9", ID, "terminal_outcome", lambda books: books.store.alias(*ALIAS)),
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
    books: Books, damage: Damage, table: str, assignment: str, key: str, column: str, read: Read
):
    read(books)
    damage(table, assignment)

    with pytest.raises(Corruption) as found:
        read(books)

    assert f"{table}, key {key}: column {column} " in str(found.value)
    assert "not base 64" not in str(found.value)


def test_the_waitpoints_and_signals_of_others_are_read_as_before(books: Books, damage: Damage):
    damage("ff_waitpoint", f"about = {NOT_UTF8}")
    damage("ff_signal", f"name = {NOT_UTF8}")

    assert books.store.waitpoints(OTHER) == (HEALTHY, [(a_waitpoint(HEALTHY), 1)])
    assert books.store.signals(OTHER, None) == (HEALTHY, [a_signal(1, HEALTHY)])


@pytest.mark.parametrize("garbage", ["'garbage'", NOT_UTF8])
def test_a_worker_that_lingers_is_woken_by_an_inbox_that_does_not_parse(books: Books, damage: Damage, garbage: str):
    leased = running(3, inbox=HEALTHY.inbox)
    books.save(leased, executions=[(None, leased), (DAMAGED, running(1, inbox=DAMAGED.inbox))])
    damage("ff_exec_core", f"inbox = {garbage}")

    news = books.store.news(Waits((), (), False, lingering=(ID, leased.execution_id)))

    assert list(news.waits_over) == [ID]
