"""`ff bench`: measures the user's own database and machine: five numbers, and what limits each."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from flowfabric.cli.output import Column, Json, document, note, progress, say, table

if TYPE_CHECKING:
    from flowfabric.cli.measuring import Report


def bench(
    *,
    url: Annotated[
        str,
        Parameter(env_var="FLOWFABRIC_URL", help="The database. Without it a SQLite file is made here, and removed."),
    ] = "",
    json: Json = False,
) -> None:
    """Measure this machine and a database, for about twenty seconds: five numbers, and what limits each.

    The work is done in a namespace of its own, and all its records are removed in the end.
    """
    import secrets

    from flowfabric.cli.measuring import PHASES, limits_of, measure

    namespace = f"ff-bench-{secrets.token_hex(4)}"
    with _database(url) as database:
        if not json:
            note(f"Measuring in namespace {namespace!r} of {'this database' if url else 'a temporary SQLite file'}.")
        with progress("measuring", len(PHASES)) as advance:
            report = measure(database, namespace, lambda phase: advance(1))
    limits = limits_of(report)
    if json:
        document({"measured": report, "limits": limits})
        return
    columns = [Column("what", is_whole=True), Column("measured", is_whole=True, is_number=True), Column("its limit")]
    table(columns, [(what, measured, limits[name]) for name, what, measured in _rows(report)])
    say("Everything that was made is removed again.")


def _rows(report: "Report") -> list[tuple[str, str, str]]:
    return [
        ("commit", "one commit", f"{report.commit_ms:.2f} ms"),
        ("engine", "jobs through the engine", f"{report.engine.jobs_per_s:,.0f} /s"),
        ("worker", "tasks through one worker", f"{report.worker.jobs_per_s:,.0f} /s"),
        ("start", "submit to start, p50 / p99", f"{report.start_p50_ms:.1f} / {report.start_p99_ms:.1f} ms"),
        ("one_caller", "jobs by one caller", f"{report.one_caller.jobs_per_s:,.0f} /s"),
    ]


@contextmanager
def _database(url: str) -> Iterator[str]:
    """The database to measure: the given one, or a new file in a temporary folder inside the current one."""
    import tempfile
    from pathlib import Path

    from flowfabric.app import open_store

    if url:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="ff-bench-", dir=Path.cwd()) as folder:
        made = f"sqlite:///{folder}/bench.db"
        open_store(made, migrate=True).close()
        yield made
