"""A password in the url is in no error, no cause of one, and no line of a log."""

import logging
import traceback
from urllib.parse import urlsplit

import pytest

from flowfabric import EngineError, InvalidInput, StoreUnavailable, open_blocking_engine
from flowfabric.engine import limits
from tests.postgres_server import OwnServer, connected
from tests.stores.postgres.conftest import Sql

PASSWORD = "hunter2-is-made-up"


def everything_told(error: BaseException) -> str:
    """What a traceback shows, with all causes and contexts."""
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://app:{PASSWORD}@127.0.0.1:1/jobs",
        f"postgresql://app:{PASSWORD}@no-such-host.invalid/jobs",
        f"postgresql://app:{PASSWORD}@127.0.0.1:1,127.0.0.1:2/jobs",
        f"postgresql:///jobs?host=/no/such/folder&user=app&password={PASSWORD}",
    ],
)
def test_a_server_that_cannot_be_reached_is_named_without_the_password(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        pytest.raises(StoreUnavailable, match=r"could not be opened.*Check the url") as caught,
        open_blocking_engine(url),
    ):
        pass

    assert caught.value.code == "store_unavailable"
    assert PASSWORD not in everything_told(caught.value)
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://app:{PASSWORD}@[::1/jobs",
        f"postgresql://app:{PASSWORD}@127.0.0.1:port/jobs",
        f"postgresql://app:{PASSWORD}@127.0.0.1/jobs?no_such_option=1",
        f"postgresql://app:{PASSWORD}@127.0.0.1/jobs?sslmode=perhaps",
        f"postgresql://app:{PASSWORD}%zz@127.0.0.1/jobs",
        f"postgresql://app:{PASSWORD}@127.0.0.1:99999999/jobs",
        f"postgresql://app:{PASSWORD}@127.0.0.1/jobs?connect_timeout=soon",
        f"postgresql://app:{PASSWORD}\0@127.0.0.1/jobs",
        f"postgresql://app:begins@{PASSWORD}@127.0.0.1/jobs",
        f"postgresql://app:begins@{PASSWORD}/ends@127.0.0.1/jobs",
        f"postgresql://app:beg?ins@{PASSWORD}@127.0.0.1",
        f"mysql://app:{PASSWORD}@127.0.0.1/jobs",
    ],
)
def test_a_url_that_does_not_parse_is_refused_without_showing_it(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(EngineError) as caught, open_blocking_engine(url):
        pass

    assert isinstance(caught.value, (InvalidInput, StoreUnavailable))
    assert PASSWORD not in everything_told(caught.value)
    assert PASSWORD not in caplog.text


@pytest.mark.xdist_group("postgres: a server of its own")
def test_a_password_that_the_server_refuses_is_not_repeated(server: OwnServer) -> None:
    with connected(server.url) as sql:
        sql.execute(f"create role app login password 'not-{PASSWORD}'")
        rules = sql.execute("show hba_file").fetchone()
        assert rules is not None
        sql.execute(f"copy (values ('local all app scram-sha-256'), ('local all all trust')) to '{rules[0]}'")
        sql.execute("select pg_reload_conf()")
        parts = urlsplit(server.url)

        with (
            pytest.raises(StoreUnavailable, match="password authentication failed") as caught,
            open_blocking_engine(f"{parts.scheme}://app:{PASSWORD}@/postgres?{parts.query}"),
        ):
            pass

        sql.execute("drop role app")
    assert PASSWORD not in everything_told(caught.value)


def test_a_connection_that_is_lost_later_is_told_and_logged_without_the_password(
    url: str, sql: Sql, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.2)
    role = urlsplit(url).username or "postgres"
    with_password = url.replace(f"{role}@", f"{role}:{PASSWORD}@", 1)
    with caplog.at_level(logging.DEBUG), open_blocking_engine(with_password, reconcile=False) as engine:
        for _ in range(8):  # with both committers
            engine.create_execution("kind")
        sql.execute(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
        sql.execute("alter table ff_meta rename to ff_meta_away")

        with pytest.raises(EngineError) as caught:
            engine.create_execution("kind")
        with pytest.raises(EngineError) as caught_reading:
            engine.list_executions()

    for error in (caught.value, caught_reading.value):
        assert PASSWORD not in everything_told(error)
    assert "the store is away" in caplog.text
    for record in caplog.records:
        assert PASSWORD not in str(vars(record))
