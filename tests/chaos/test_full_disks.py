"""No room on the disk of PostgreSQL: callers hear so, nothing acknowledged is lost, and the same engine goes on."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, StoreUnavailable, open_blocking_engine
from flowfabric.stores.postgres.store import PostgresStore
from tests.chaos import killable_postgres
from tests.chaos.books import all_executions, assert_nothing_is_broken, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import SIZES
from tests.preloading import compiled

pytestmark = in_group("servers")

BEFORE = 20
"""How many executions are made while there is room."""
REFUSED = 2
"""How many are refused before there is room again."""
WRITES_NO_MORE = "The database cannot write now"
IS_AWAY = "The store could not be reached"
"""A server that cannot write its log ends itself, and does not start before there is room."""
MADE_MAX = 400
"""More than find room in what the files have already."""
PAYLOAD_BYTES = 20_000
chance = random.Random()


class FullServer:
    """A PostgreSQL server with a disk that is full when we say so."""

    def __init__(self, server: KillablePostgres, is_full: Path, refusal: str) -> None:
        self.server = server
        self._is_full = is_full
        self.refusal = refusal
        """How the refusals begin that callers get."""

    def fill(self) -> None:
        """From now on no file of the disk grows."""
        self._is_full.touch()

    def free(self) -> None:
        """There is room again, and somebody starts the server where it has stopped."""
        self._is_full.unlink()
        self.server.start_if_it_has_ended()


@pytest.fixture(
    params=[("base", WRITES_NO_MORE), ("pg_wal", IS_AWAY), ("", WRITES_NO_MORE)], ids=["tables", "log", "all files"]
)
def full(request: pytest.FixtureRequest) -> Iterator[FullServer]:
    """A new server. What is named is on a disk of its own: the tables, the log, or all that the server has."""
    part, refusal = request.param
    library = str(compiled(Path(__file__).with_name("full_disk.c")))
    with killable_postgres._folder() as folder:
        is_full = folder / "disk-is-full"
        disk = folder.resolve() / "data" / part
        preloaded = {"LD_PRELOAD": library, "FF_DISK": str(disk).rstrip("/"), "FF_DISK_IS_FULL": str(is_full)}
        settings = ("min_wal_size=2MB", "wal_recycle=off")  # the log has no room in advance
        server = KillablePostgres(folder, settings, {**os.environ, **preloaded})
        server.create("--wal-segsize=1")
        server.start()
        try:
            yield FullServer(server, is_full, refusal)
        finally:
            is_full.unlink(missing_ok=True)
            server.start_if_it_has_ended()
            server.stop()


def test_callers_of_a_server_whose_disk_is_full_may_try_again_and_find_everything_when_there_is_room(
    full: FullServer, figures: Figures
) -> None:
    url = full.server.url("postgres")
    PostgresStore(url, migrate=True).close()
    acknowledged: dict[str, tuple[str, bytes]] = {}
    refusals: list[StoreUnavailable] = []
    for _ in range(SIZES.full_disks):
        refused: dict[str, bytes] = {}
        with open_blocking_engine(url, reconcile=False) as engine:
            for _ in range(BEFORE):
                make(engine, f"job {len(acknowledged)}", acknowledged)
            (claimed, *_) = engine.claim(worker_id="w", worker_instance_id="i", lease_ttl_ms=600_000)

            full.fill()
            for _ in range(MADE_MAX):
                key, payload = f"job {len(acknowledged) + len(refused)}", chance.randbytes(PAYLOAD_BYTES)
                try:
                    make(engine, key, acknowledged, payload)
                except StoreUnavailable as refusal:
                    refusals.append(refusal)
                    refused[key] = payload
                if len(refused) == REFUSED:
                    break
            assert len(refused) == REFUSED, "the disk was never full"
            full.free()

            # The same engine, and the same calls again. A key says that a call is the same.
            for key, payload in refused.items():
                make(engine, key, acknowledged, payload)
            assert engine.complete(claimed.lease, b"done").execution_id == claimed.execution_id
            assert engine.get_result(claimed.execution_id) == b"done"
    for refusal in refusals:
        assert refusal.retryable
        assert not refusal.is_final
        assert str(refusal).startswith(full.refusal)
        assert "send it again" in str(refusal)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        stored = {x.execution_id: store.payload(x.execution_id) for x in all_executions(store)}
    assert stored == dict(acknowledged.values())
    figures(filled=SIZES.full_disks, acknowledged=len(stored), refused=len(refusals), lost=0, twice=0)


def make(engine: BlockingEngine, key: str, acknowledged: dict[str, tuple[str, bytes]], payload: bytes = b"x") -> None:
    made = engine.create_execution("kind", payload, idempotency_key=key)
    acknowledged[key] = (made.execution_id, payload)
