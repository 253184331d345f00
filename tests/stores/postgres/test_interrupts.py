"""Ctrl-C in the middle of a read is Ctrl-C, and the next read is not disturbed by it."""

from contextlib import closing
from typing import NoReturn

import pytest

from flowfabric.stores.postgres.connection import Connection
from flowfabric.stores.postgres.store import PostgresStore


def test_an_interrupt_while_a_query_is_under_way_stays_an_interrupt_and_the_next_read_answers(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        with pytest.raises(KeyboardInterrupt), store.readers.reading() as connection:
            _interrupt_a_query(connection)

        store.ping()

        assert connection.closed


def _interrupt_a_query(connection: Connection) -> NoReturn:
    connection.pgconn.send_query(b"select pg_sleep(60)")
    raise KeyboardInterrupt


def test_a_failure_between_two_reads_keeps_the_connection(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        with pytest.raises(ZeroDivisionError), store.readers.reading() as connection:
            raise ZeroDivisionError

        with store.readers.reading() as again:
            assert again is connection
