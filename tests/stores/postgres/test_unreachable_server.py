"""A server that goes away: everyone is told within the bound, nobody hangs, and all goes on when it is back."""

import threading
import time
from collections.abc import Iterator

import pytest

from flowfabric import BlockingEngine, Created, EngineError, StoreUnavailable, open_blocking_engine
from flowfabric.engine import limits
from tests.postgres_server import OwnServer
from tests.stores.postgres.conftest import Sql

BOUND_S = 0.5

pytestmark = pytest.mark.xdist_group("postgres: a server of its own")


@pytest.fixture
def engine(server: OwnServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockingEngine]:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", BOUND_S)
    with open_blocking_engine(server.url, reconcile=False) as engine:
        yield engine


def test_commands_and_reads_are_refused_in_time_and_served_again_when_it_is_back(
    engine: BlockingEngine, server: OwnServer
) -> None:
    created = engine.create_execution("kind").execution_id
    server.stop()

    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"could not be reached.*Nothing was changed") as caught:
        engine.create_execution("kind")
    took = time.monotonic() - began
    with pytest.raises(StoreUnavailable, match="could not be read") as caught_reading:
        engine.describe_execution(created)
    with pytest.raises(StoreUnavailable):
        engine.ping()
    with pytest.raises(StoreUnavailable):
        engine.reconcile()
    server.start()

    assert BOUND_S <= took < BOUND_S + 30
    for error in (caught.value, caught_reading.value):
        assert (type(error), error.code, error.retryable) == (StoreUnavailable, "store_unavailable", True)
    assert engine.describe_execution(created) is not None
    assert isinstance(engine.create_execution("kind"), Created)
    engine.ping()


def test_a_command_sent_while_it_is_away_is_answered_when_it_is_back_in_time(
    engine: BlockingEngine, server: OwnServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 100.0)
    engine.create_execution("kind")
    server.stop()
    answers: list[object] = []
    waiting = threading.Thread(target=lambda: answers.append(engine.create_execution("kind")))

    waiting.start()
    server.start()
    waiting.join(100)

    assert [type(answer) for answer in answers] == [Created]


def test_connections_that_were_cut_while_idle_are_replaced_unnoticed(url: str, sql: Sql) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        created = [engine.create_execution("kind").execution_id for _ in range(8)]  # both committers, and a reader
        engine.describe_execution(created[0])

        for execution_id in created:
            sql.execute(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
            assert engine.describe_execution(execution_id) is not None
            engine.change_priority(execution_id, 7)


def test_nobody_can_open_a_store_whose_server_is_away(server: OwnServer) -> None:
    server.stop()
    try:
        with pytest.raises(EngineError) as caught, open_blocking_engine(server.url):
            pass
    finally:
        server.start()

    assert (type(caught.value), caught.value.retryable) == (StoreUnavailable, True)
