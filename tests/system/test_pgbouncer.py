"""Behind the real PgBouncer in transaction mode, while its server connections, itself and the server are ended."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from flowfabric import open_blocking_engine
from tests.chaos.conftest import Figures
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.surviving import surviving
from tests.stores.postgres.test_roles import a_whole_life
from tests.stores.postgres.test_settings import SETTINGS, assert_what_is_written_is_read, set_for_new_sessions
from tests.system import pgbouncer
from tests.system.pgbouncer import PgBouncer

Fault = Callable[[KillablePostgres, PgBouncer, str], None]


def end_server_connections(server: KillablePostgres, pooler: PgBouncer, database: str) -> None:
    """Some of them, as an administrator does; PgBouncer opens others."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        for _ in range(20):
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = %s and state <> 'idle' order by random() limit 1",
                (database,),
            )
            time.sleep(random.uniform(0, 0.02))  # so that it meets any step of a batch


def kill_pooler(server: KillablePostgres, pooler: PgBouncer, database: str) -> None:
    pooler.kill()
    pooler.start()


def kill_server(server: KillablePostgres, pooler: PgBouncer, database: str) -> None:
    server.kill()
    server.start()


@pytest.mark.parametrize(("fault", "times"), [(end_server_connections, 4), (kill_pooler, 4), (kill_server, 1)])
def test_engines_go_on_behind_it_as_if_nothing_had_happened(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures, fault: Fault, times: int
) -> None:
    url = server.url(database)

    with pgbouncer.running(server) as pooler, surviving(pooler.url(database), tmp_path) as engines:
        for _ in range(times):
            engines.wait_for_progress()
            time.sleep(random.uniform(0, 0.05))  # so that it meets any step of a batch
            fault(server, pooler, database)
            assert engines.are_running
        engines.wait_for_progress()

        counted = engines.stop_and_compare(url)

    figures(faults=times, **counted)


def test_an_engine_works_the_same_behind_it_whatever_a_database_is_set_to(
    server: KillablePostgres, database: str
) -> None:
    with psycopg.connect(server.url(database), autocommit=True) as sql:
        set_for_new_sessions(sql, client_encoding="latin1", **SETTINGS)

    with (
        pgbouncer.running(server) as pooler,
        open_blocking_engine(pooler.url(database), reconcile=False) as engine,
    ):
        a_whole_life(engine)
        assert_what_is_written_is_read(engine)
