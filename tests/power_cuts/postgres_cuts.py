"""Power cuts of PostgreSQL servers: record a workload, then start a server on what is left."""

import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psycopg

from flowfabric.stores.postgres.store import PostgresStore
from tests.chaos.killable_postgres import KillablePostgres
from tests.power_cuts import workload
from tests.power_cuts.checking import Told, Verdict, examined, written
from tests.power_cuts.disk import Image
from tests.power_cuts.recording import Record, environment, records
from tests.power_cuts.workload import Plan

DATABASE: Final = "postgres"
LOCK: Final = "postmaster.pid"
"""Names a process. After a power cut there is another process of that number or none, so it is not put back."""
OTHERS: Final = ("template0", "template1")
"""Databases that nobody uses. Without them an image is a third as large."""
RECORDED: Final = (
    # All that reaches the disk goes through functions that the recorder sees.
    "io_method=sync",
    "wal_sync_method=fdatasync",
    # Pages leave memory early, the log is used again soon, and there are many checkpoints: a cut may meet any of them.
    "shared_buffers=1MB",
    "bgwriter_delay=10ms",
    "bgwriter_lru_maxpages=1000",
    "min_wal_size=2MB",
    "max_wal_size=3MB",
    "checkpoint_timeout=30s",
    "checkpoint_completion_target=0.1",
    "autovacuum_naptime=1s",
)
RECOVERING: Final = ("io_method=sync", "fsync=off", "shared_buffers=4MB", "autovacuum=off", "max_wal_size=64MB")
"""Nobody cuts the power of a server that only shows what is left."""


def base(folder: Path) -> Image:
    """The files of a new server with an empty store, which was stopped in good order."""
    folder.mkdir()
    server = KillablePostgres(folder)
    server.create("--wal-segsize=1")
    server.start()
    PostgresStore(server.url(DATABASE), migrate=True).close()
    with psycopg.connect(server.url(DATABASE), autocommit=True) as connection:
        for name in OTHERS:
            connection.execute(f"alter database {name} is_template false")
            connection.execute(f"drop database {name}")
    server.stop()
    data = folder / "data"
    return {path.relative_to(data).as_posix(): None if path.is_dir() else path.read_bytes() for path in data.rglob("*")}


def recorded(folder: Path, base: Image, seed: str, rounds: int, settings: Sequence[str] = ()) -> list[Record]:
    """Run a workload on a server that starts from a base, until the server has stopped; return what it did."""
    folder.mkdir()
    log = folder.with_suffix(".log")
    log.touch()
    log.chmod(0o666)  # the server may run as somebody else
    server = KillablePostgres(folder, (*RECORDED, *settings), environment(folder / "data", log))
    with server.as_its_user():
        written(base, folder / "data")
    server.start()
    try:
        plan = Plan(topic="", url=server.url(DATABASE), seed=seed, rounds=rounds)
        workload.run(plan, log)
    finally:
        server.stop()
    return list(records(log))


class PostgresImages:
    """Checks images of the folder of a server."""

    def __init__(self, folder: Path, told: Told) -> None:
        folder.mkdir()
        self._folder = folder
        self._told = told
        self.examined = 0

    def check(self, image: Image, position: int) -> Verdict:
        """What is wrong with the image of a cut at this position."""
        self.examined += 1
        image.pop(LOCK, None)
        server = KillablePostgres(self._folder, RECOVERING)
        with server.as_its_user():
            written(image, self._folder / "data")
        try:
            server.start()
        except AssertionError:
            log = (self._folder / "log").read_text(errors="replace")
            return Verdict(damage=f"the server does not start: {log[-2000:]}")
        try:
            found = examined(server.url(DATABASE), self._told)
        finally:
            server.stop(signal.SIGQUIT)
            (self._folder / "log").unlink()
        return found if isinstance(found, Verdict) else Verdict(lost=self._told.lost(found, position))
