"""An outage of the store in the log: one line when it begins, one when it is over, whoever notices it."""

import asyncio
import logging
from pathlib import Path
from typing import NoReturn

import pytest

from flowfabric import BlockingEngine, Connections, StoreUnavailable
from flowfabric.app import open_store
from flowfabric.domain.connections import no_free_reader
from flowfabric.engine import limits
from flowfabric.engine.outages import BEGIN, READ, WRITE, Outages
from flowfabric.ports.errors import ConnectionLost
from flowfabric.reconcilers.sweep import SWEEP, Sweeper
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX
from tests.engine.test_waiting_for_locks import wait_until
from tests.faulty_store import FaultyStore


class Watch:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def outages(watch: Watch) -> Outages:
    return Outages(watch)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]


AWAY = "the store is away, and is asked again until it answers: gone"


def test_the_beginning_and_the_end_are_one_line_each(
    outages: Outages, watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    for what in (READ, BEGIN, WRITE, READ, SWEEP):
        outages.noticed(what, StoreUnavailable("gone"))
        watch.now += 1.0
    for what in (READ, BEGIN, WRITE, SWEEP, READ):
        outages.over(what)

    assert told(caplog) == [AWAY, "the store is back after 5.0 s; it was away because of this: gone"]
    assert vars(caplog.records[1])["duration_ms"] == 5_000


def test_a_store_that_can_be_read_and_not_written_is_not_back(
    outages: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        outages.noticed(WRITE, StoreUnavailable("gone"))
        outages.over(READ)
        outages.over(BEGIN)

    assert told(caplog) == [AWAY]


def test_the_next_outage_is_told_anew(outages: Outages, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        outages.noticed(WRITE, StoreUnavailable("gone"))
        outages.over(WRITE)

    assert [line.split(",")[0].split(" after")[0] for line in told(caplog)] == [
        "the store is away",
        "the store is back",
    ] * 2


def test_a_cause_of_several_lines_is_told_in_one(outages: Outages, caplog: pytest.LogCaptureFixture) -> None:
    outages.noticed(WRITE, StoreUnavailable("gone:\n  is the server running?\n"))

    assert told(caplog) == [f"{AWAY}: is the server running?"]


@pytest.mark.parametrize("point", ["begin", "load", "save", "before commit", "read"])
def test_many_tries_of_an_engine_are_two_lines(point: str, caplog: pytest.LogCaptureFixture) -> None:
    store = FaultyStore(MemoryStore("memory-faulty"))
    with assembled(store) as parts:
        _use(parts.engine)
        store.breaks(point, ConnectionLost("gone"), times=3)  # type: ignore[arg-type]
        _use(parts.engine)
        _use(parts.engine)

    went, came = told(caplog)
    assert went == AWAY
    assert came.startswith("the store is back after ")


def test_giving_up_is_no_end_of_an_outage(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.01)
    store = FaultyStore(MemoryStore("memory-faulty"))
    with assembled(store) as parts:
        store.breaks("begin", ConnectionLost("gone"), times=1_000)
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                parts.engine.create_execution("kind")
        while_away = told(caplog)
        store.heals()
        _use(parts.engine)

    assert while_away == [AWAY]
    assert len(told(caplog)) == 2


def test_a_claim_that_finds_nothing_does_not_show_that_the_disk_has_room_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FaultyStore(MemoryStore("memory-faulty"))
    with assembled(store) as parts:
        store.breaks("save", StoreUnavailable("gone"), times=3)
        for _ in range(3):
            with pytest.raises(StoreUnavailable):
                parts.engine.create_execution("kind")
            assert parts.engine.claim(worker_id="w", worker_instance_id="w-1") == []
        while_full = told(caplog)
        _use(parts.engine)

    assert while_full == [AWAY]
    assert len(told(caplog)) == 2


def test_a_commit_ends_an_outage_of_reads_so_the_next_outage_is_said(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.01)
    store = FaultyStore(MemoryStore("memory-faulty"))
    with assembled(store) as parts:
        store.breaks("read", StoreUnavailable("gone"))
        with pytest.raises(StoreUnavailable):
            parts.engine.ping()
        parts.engine.create_execution("kind")
        after_the_first = told(caplog)
        store.breaks("begin", ConnectionLost("gone"))
        parts.engine.create_execution("kind")

    assert [line.split(",")[0].split(" after")[0] for line in after_the_first] == [
        "the store is away",
        "the store is back",
    ]
    assert len(told(caplog)) == 4


def test_a_claim_that_finds_nothing_shows_that_the_store_can_be_read(caplog: pytest.LogCaptureFixture) -> None:
    store = FaultyStore(MemoryStore("memory-faulty"))
    with assembled(store) as parts:
        store.breaks("read", StoreUnavailable("gone"))
        with pytest.raises(StoreUnavailable):
            parts.engine.ping()
        assert parts.engine.claim(worker_id="w", worker_instance_id="w-1") == []

    assert len(told(caplog)) == 2


@pytest.mark.parametrize("what", [BEGIN, WRITE, SWEEP])
def test_whatever_works_shows_that_the_store_can_be_read(
    what: str, outages: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    outages.noticed(READ, StoreUnavailable("gone"))
    outages.over(what)

    assert len(told(caplog)) == 2


def test_a_read_that_finds_no_free_connection_is_refused_and_is_no_outage(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> StoreUnavailable:
        one = Connections(read=1, wait_ms=20)
        store = FaultyStore(open_store(f"sqlite:///{tmp_path}/jobs.db", connections=one))
        async with assembled_async(store) as parts, asyncio.timeout(WAIT_S_MAX):
            created = await parts.engine.create_execution("kind")
            with store.reads_held():
                first = asyncio.create_task(parts.engine.ping())
                await asyncio.sleep(0)
                with pytest.raises(StoreUnavailable, match="have been busy") as refusal:
                    await parts.engine.describe_execution(created.execution_id)
            await first
        store.close()
        return refusal.value

    refusal = asyncio.run(main())

    assert (refusal.code, refusal.retryable, refusal.is_final) == ("store_unavailable", True, False)
    assert told(caplog) == []


def test_a_sweep_that_finds_no_free_connection_says_that_and_no_outage(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore("memory-busy")
    with assembled(store) as parts:
        sweeper = Sweeper(store, parts.commits, parts.wakeups, parts.commits.outages)

        def busy(*_: object) -> NoReturn:
            raise no_free_reader(Connections(read=1))

        monkeypatch.setattr(store, "poll", busy)
        with sweeper.running():
            wait_until(lambda: bool(told(caplog)))

    assert told(caplog)[0].startswith("sweep failed; the next one tries again: All 1 read connections")


def _use(engine: BlockingEngine) -> None:
    created = engine.create_execution("kind")
    assert engine.describe_execution(created.execution_id) is not None
