"""`ff bench`: every number is there and told in words, and nothing is left behind. How fast it is, is nobody's test."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from flowfabric import open_blocking_engine
from flowfabric.cli import bench, measuring
from flowfabric.cli.exits import NotDone
from flowfabric.cli.measuring import Rate, Report, limits_of
from tests.cli.running import ff
from tests.stores_under_test import SHARED_STORES, STORES

BUSY, IDLE = Rate(5_000.0, 0.9), Rate(5_000.0, 0.3)
REPORT = Report(0.1, 2, 0.0, 1.0, BUSY, IDLE, 4.0, 9.0, Rate(200.0, 0.2))


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SUBMIT_S", "SINGLE_S", "COMMITS_S", "STARTS_S"):
        monkeypatch.setattr(measuring, name, 0.05)
    monkeypatch.setattr(measuring, "CALLERS", 8)


@pytest.fixture(params=SHARED_STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        with open_blocking_engine(url, migrate=True):
            pass
        yield url


def test_every_number_is_told_and_what_was_there_stays(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        known = engine.create_execution("mine").execution_id

        bench.bench(url=url, json=True)

        told = json.loads(capsys.readouterr().out)
        assert [each.execution_id for each in engine.list_executions().items] == [known]
        assert engine.list_workers() == []
    report = msgspec.convert(told["measured"], Report)
    assert min(report.commit_ms, report.start_p50_ms, report.start_p99_ms) > 0
    assert min(rate.jobs_per_s for rate in (report.engine, report.worker, report.one_caller)) > 0
    assert list(told["limits"]) == ["commit", "engine", "worker", "start", "one_caller"]


def test_what_an_interrupted_measurement_has_left_is_removed_too(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"

    def interrupt(phase: str) -> None:
        if phase == "the engine":
            raise NotDone("somebody pressed Ctrl-C")

    with open_blocking_engine(url, reconcile=False) as engine:
        for _ in range(2):
            engine.create_execution("noop", namespace="bench", lane="left")
        engine.claim(worker_id="w", worker_instance_id="w-1", namespace="bench", lanes=["left"])

        with pytest.raises(NotDone, match="Ctrl-C"):
            measuring.measure(url, "bench", interrupt)

        assert engine.list_executions().items == []


def test_without_a_database_a_file_is_made_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    bench.bench()

    told = capsys.readouterr()
    assert list(tmp_path.iterdir()) == []
    assert [line.split("  ")[0] for line in told.out.splitlines()] == [
        "what",
        "one commit",
        "jobs through the engine",
        "tasks through one worker",
        "submit to start, p50 / p99",
        "jobs by one caller",
        "Everything that was made is removed again.",
    ]
    assert "a temporary SQLite file" in told.err


def test_a_database_that_is_not_there_is_a_sentence_and_none_is_made(tmp_path: Path) -> None:
    ended = ff(tmp_path, "bench", "--url", "sqlite:///nothing.db")

    assert (ended.returncode, ended.stdout) == (4, "")
    assert "There is no database at" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_database_with_another_schema_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as connection:
        connection.execute("create table theirs (a)")

    ended = ff(tmp_path, "bench", "--url", "sqlite:///jobs.db")

    assert (ended.returncode, ended.stdout) == (5, "")
    assert "lacks the migrations" in ended.stderr


@pytest.mark.parametrize(
    ("measured", "name", "limit"),
    [
        ({}, "commit", "The disk:"),
        ({"round_trip_ms": 0.6}, "commit", "The way to the database: a round trip alone takes 0.60 ms."),
        ({"round_trip_ms": 0.1}, "commit", "The server's disk: of this a round trip takes only 0.10 ms."),
        ({}, "engine", "This process: it computes 90% of the time"),
        ({}, "worker", "The database: this process computes only 30% of the time"),
        ({"load": 5.0}, "worker", "Other programs: this process computes only 30% of the time, and 5.0 of them"),
        ({}, "start", "Commits: two of them, the submit's and the claim's, are 50% of the median."),
        ({"commit_ms": 0.4}, "start", "Waking the worker up: the two commits of submit and claim are only 20%"),
        ({}, "one_caller", "Commits: three for each job, one after the other, are 60% of the time."),
        ({"commit_ms": 0.1, "one_caller": BUSY}, "one_caller", "Commits: three"),
        ({"commit_ms": 0.01, "one_caller": BUSY}, "one_caller", "This process: it computes 90% of the time."),
        ({"commit_ms": 0.01, "one_caller": IDLE, "load": 3.0}, "one_caller", "Other programs: this process computes"),
        ({"commit_ms": 0.01, "one_caller": IDLE}, "one_caller", "Waiting for answers: commits are 15%"),
    ],
)
def test_a_limit_follows_from_what_was_measured(measured: dict[str, object], name: str, limit: str) -> None:
    report = msgspec.structs.replace(REPORT, **measured)

    assert limits_of(report)[name].startswith(limit)
