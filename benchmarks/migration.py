"""A migration under load: how long do writers wait while a store with many executions gets a newer schema? `make soak`.

The older version is the code of this tree, which goes on writing. The newer one is a copy of it that knows three more
migrations, one after the other: a new column in every table, then a value in that column of every execution, with an
index of it, then both are dropped. Older programs may go on beside the first two, and are refused after the third.

    python benchmarks/migration.py [--executions 1000000] [--stores postgres,sqlite]
"""

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from databases import postgres_database, postgres_server, sqlite_file
from history import finish_one, multiply
from rich.console import Console
from rich.table import Table
from workload import PAYLOAD, RESULT

import flowfabric
from flowfabric import SchemaMismatch, StoreUnavailable, open_blocking_engine
from flowfabric.stores._shared.migrate import migrations_of

CODE = Path(flowfabric.__file__).parent
KNOWN = len(migrations_of("flowfabric.stores.sqlite"))
WRITERS = 2
BEFORE_S = 2.0
"""How long writers write before the first migration, and after each."""
EXPAND, BACKFILL, CONTRACT = "a column in every table", "a value for every execution, and an index", "both dropped"


@dataclass
class Written:
    """What one writer has seen."""

    completed: list[str] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each whole life began, and how long it took."""
    refusals: list[float] = field(default_factory=list)
    """When a command was refused because the store was away for too long; it was sent again."""
    failures: list[str] = field(default_factory=list)


def check_migration(console: Console, url: str, executions: int) -> bool:
    """Migrate while others write; whether nobody lost anything, and older programs could go on as long as promised."""
    asyncio.run(finish_one(url))
    multiply(console, url, 1, executions - 1)
    with tempfile.TemporaryDirectory(prefix="ff-migration-") as folder:
        code = _newer_code(Path(folder))
        seen = [Written() for _ in range(WRITERS)]
        table = Table(
            title=f"{url.partition(':')[0]}: migrations of {executions:,} executions beside {WRITERS} writers"
        )
        for column in ("", "the migration, s", "longest wait of a writer, s", "before it, s", "sent again"):
            table.add_column(column, justify="left" if not column else "right")
        with _writing(url, seen):
            time.sleep(BEFORE_S)
            for number, name in enumerate((EXPAND, BACKFILL), 1):
                began_at = time.monotonic()
                with console.status(name):
                    _migrate(url, code, KNOWN + number)
                took_s = time.monotonic() - began_at
                time.sleep(BEFORE_S)
                usual = max(_waits_in(seen, 0, began_at), default=0.0)
                longest = max(_waits_in(seen, began_at, began_at + took_s), default=0.0)
                again = sum(at >= began_at for each in seen for at in each.refusals)
                table.add_row(name, f"{took_s:.1f}", f"{longest:.2f}", f"{usual:.2f}", str(again))
        began_at = time.monotonic()
        _migrate(url, code, KNOWN + 3)
        table.add_row(CONTRACT, f"{time.monotonic() - began_at:.1f}", "–", "–", "–")
        console.print(table)
        wrong = [failure for each in seen for failure in each.failures] + _wrong_at_the_end(url, code, seen, executions)
    for what in wrong:
        console.print(what, markup=False)
    return not wrong


def _newer_code(folder: Path) -> Path:
    """A folder with a package for each number of further migrations."""
    for known in range(KNOWN + 1, KNOWN + 4):
        made = folder / str(known) / "flowfabric"
        shutil.copytree(CODE, made, ignore=shutil.ignore_patterns("*.pyc.*"))
        for store in ("sqlite", "postgres"):
            for version, sql in _migrations(store)[: known - KNOWN]:
                (made / "stores" / store / "migrations" / f"{version:04}_later.sql").write_text(sql)
    return folder


def _migrations(store: str) -> list[tuple[int, str]]:
    made = "".join(each.sql for each in migrations_of(f"flowfabric.stores.{store}"))
    tables = sorted(set(re.findall(r"create table (ff_\w+)", made)))
    expand = "\n".join(f"alter table {table} add column later bigint;" for table in tables)
    contract = "\n".join(f"alter table {table} drop column later;" for table in tables)
    if store == "sqlite":
        expand = expand.replace("bigint", "integer")
    backfill = (
        "update ff_exec_core set later = created_at_ms;\ncreate index ff_exec_core_later on ff_exec_core (later);"
    )
    return [
        (KNOWN + 1, f"-- compatible_from: {KNOWN}\n\n{expand}\n"),
        (KNOWN + 2, f"-- compatible_from: {KNOWN}\n\n{backfill}\n"),
        (KNOWN + 3, f"-- compatible_from: {KNOWN + 3}\n\ndrop index ff_exec_core_later;\n{contract}\n"),
    ]


def _migrate(url: str, code: Path, version: int) -> None:
    subprocess.run(
        [sys.executable, "-m", "flowfabric.cli", "migrate", url],
        env={**os.environ, "PYTHONPATH": str(code / str(version))},
        check=True,
        stdout=subprocess.DEVNULL,
    )


@contextmanager
def _writing(url: str, seen: list[Written]) -> Iterator[None]:
    """Writers of this version, each with an engine of its own, for as long as the block lasts."""
    stopping = threading.Event()
    threads = [threading.Thread(target=_write, args=(url, each, stopping)) for each in seen]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def _write(url: str, seen: Written, stopping: threading.Event) -> None:
    lane = f"writer-{threading.get_ident()}"
    try:
        with open_blocking_engine(url, reconcile=False) as engine:
            while not stopping.is_set():
                began_at = time.monotonic()
                key = f"{lane}-{len(seen.waits)}"
                made = _sent(
                    seen, lambda key=key: engine.create_execution("noop", PAYLOAD, lane=lane, idempotency_key=key)
                )
                claimed = _sent(
                    seen,
                    lambda key=key: engine.claim(
                        worker_id="w", worker_instance_id=lane, lanes=[lane], lease_ttl_ms=600_000, command_id=key
                    ),
                )
                _sent(seen, lambda claimed=claimed: engine.complete(claimed[0].lease, RESULT))
                seen.waits.append((began_at, time.monotonic() - began_at))
                seen.completed.append(made.execution_id)
    except Exception as error:
        seen.failures.append(f"a writer ended: {error!r}")


def _sent(seen: Written, command: object) -> object:
    """The answer of a command, which is sent again for as long as the store is away."""
    while True:
        try:
            return command()
        except StoreUnavailable as error:
            if error.is_final:
                raise
            seen.refusals.append(time.monotonic())


def _waits_in(seen: list[Written], start: float, end: float) -> list[float]:
    """The waits of those lives that were under way in this time."""
    return [took for each in seen for at, took in each.waits if at < end and at + took > start]


def _wrong_at_the_end(url: str, code: Path, seen: list[Written], executions: int) -> list[str]:
    """What is not as it must be."""
    wrong: list[str] = []
    try:
        with open_blocking_engine(url, migrate=False, reconcile=False):
            wrong.append("an older program is not refused after the last migration")
    except SchemaMismatch:
        pass
    written = sum(len(each.completed) for each in seen)
    counted = subprocess.run(
        [sys.executable, "-c", _COUNT, url],
        env={**os.environ, "PYTHONPATH": str(code / str(KNOWN + 3))},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    if list(map(int, counted)) != [executions + written, executions + written]:
        wrong.append(f"{counted} are counted and completed, {executions + written} were written")
    if not written:
        wrong.append("nobody has written anything")
    return wrong


_COUNT = """
import sys
from flowfabric import open_blocking_engine
with open_blocking_engine(sys.argv[1], reconcile=False) as engine:
    before = engine.count_executions(public_state="completed")
    engine.recount()
    print(before, engine.count_executions(public_state="completed"))
"""


def main() -> int:
    """Measure this alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executions", default=1_000_000, type=int)
    parser.add_argument("--stores", default="postgres,sqlite", type=lambda text: text.split(","))
    options = parser.parse_args()
    console = Console(width=120)
    checks = []
    with ExitStack() as stack:
        for store in options.stores:
            if store == "sqlite":
                url, _ = stack.enter_context(sqlite_file())
            else:
                url = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
            checks.append(check_migration(console, url, options.executions))
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
