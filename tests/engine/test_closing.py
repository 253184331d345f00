"""Closing commits what is queued; whoever comes later is refused, and nobody waits for ever."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from flowfabric import Created, EngineError, StoreUnavailable, open_blocking_engine, open_engine
from tests.assembled import assembled
from tests.engine.commands import WAIT_S_MAX, an_id, answers, creation, one_batch_under_way, sent
from tests.faulty_store import FaultyStore


def test_closing_commits_what_is_queued(store: FaultyStore):
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(10)))
            closing = threading.Thread(target=parts.commits.close)
            closing.start()
        closing.join(WAIT_S_MAX)
        told = answers(futures)

    assert told == [Created(an_id(number), "waiting") for number in range(10)]
    assert all(store.execution(an_id(number)) is not None for number in range(10))


class Doorway(threading.Condition):
    """A lock that tells when another thread comes to it."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = threading.get_ident()
        self.approached = threading.Event()

    def __enter__(self) -> bool:
        if threading.get_ident() != self.owner:
            self.approached.set()
        return super().__enter__()


def test_a_command_that_meets_the_closing_is_refused_and_not_left_waiting(store: FaultyStore):
    told: list[object] = []

    def caller() -> None:
        try:
            told.append(parts.engine.create_execution("mail"))
        except StoreUnavailable as refusal:
            told.append(refusal)

    with assembled(store) as parts:
        parts.commits._room = doorway = Doorway()
        thread = threading.Thread(target=caller, daemon=True)
        with doorway:
            # The caller has found the engine open, and gets no further before it is closed.
            thread.start()
            assert doorway.approached.wait(WAIT_S_MAX)
            parts.commits.close()
        thread.join(WAIT_S_MAX)

    assert [type(answer) for answer in told] == [StoreUnavailable]


@pytest.mark.parametrize("url", ["memory://", "sqlite"])
def test_a_closed_blocking_engine_refuses_everything(url: str, tmp_path: Path):
    with open_blocking_engine(url if url == "memory://" else f"sqlite:///{tmp_path}/jobs.db") as engine:
        made = engine.create_execution("mail")

    for call in (
        lambda: engine.create_execution("mail"),
        lambda: engine.claim(worker_id="w", worker_instance_id="w/1"),
        lambda: engine.describe_execution(made.execution_id),
        lambda: engine.list_executions(),
        lambda: engine.read_events(),
        lambda: engine.subscribe(from_now=True),
        lambda: next(engine.subscribe()),
        lambda: engine.wait_for_result(made.execution_id),
        lambda: engine.reconcile(),
        lambda: engine.ping(),
    ):
        with pytest.raises(StoreUnavailable):
            call()


@pytest.mark.parametrize("url", ["memory://", "sqlite"])
def test_a_closed_async_engine_refuses_everything(url: str, tmp_path: Path):
    async def main() -> list[type[BaseException] | None]:
        async with open_engine(url if url == "memory://" else f"sqlite:///{tmp_path}/jobs.db") as engine:
            made = await engine.create_execution("mail")
        met: list[type[BaseException] | None] = []
        for call in (
            engine.create_execution("mail"),
            engine.claim(worker_id="w", worker_instance_id="w/1"),
            engine.describe_execution(made.execution_id),
            engine.read_events(),
            anext(engine.subscribe()),
            engine.wait_for_result(made.execution_id),
            engine.reconcile(),
            engine.ping(),
        ):
            try:
                await asyncio.wait_for(call, WAIT_S_MAX)
                met.append(None)
            except EngineError as refusal:
                met.append(type(refusal))
        return met

    assert asyncio.run(main()) == [StoreUnavailable] * 8


def test_closing_twice_is_fine(store: FaultyStore):
    with assembled(store) as parts:
        parts.engine.create_execution("mail")
        parts.commits.close()
        parts.commits.close()


FORKING = """
import os, sys
from flowfabric import StoreError, open_blocking_engine

url = sys.argv[1]
with open_blocking_engine(url) as engine:
    made = engine.create_execution("mail")
    child = os.fork()
    if child == 0:
        met = []
        for call in (
            lambda: engine.create_execution("mail"),
            lambda: engine.describe_execution(made.execution_id),
            lambda: engine.read_events(),
            lambda: engine.reconcile(),
        ):
            try:
                call()
                met.append("nothing")
            except StoreError as refusal:
                met.append("fork" if "after a fork" in str(refusal) and "Open an engine" in str(refusal) else "?")
        own = "memory://" if url == "memory://" else url
        with open_blocking_engine(own) as other:
            met.append(type(other.create_execution("mail")).__name__)
        sys.stdout.write(" ".join(met))
        sys.stdout.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    after = engine.create_execution("mail")
    sys.stdout.write(f" | {os.waitstatus_to_exitcode(status)} {type(after).__name__}")
"""

LEAVING = """
import os, sys
from flowfabric import open_blocking_engine

with open_blocking_engine(sys.argv[1]) as engine:
    engine.create_execution("mail")
    child = os.fork()
if child == 0:
    sys.stdout.write("the child left the block")
    sys.stdout.flush()
    os._exit(0)
_, status = os.waitpid(child, 0)
sys.stdout.write(f" | {os.waitstatus_to_exitcode(status)}")
"""


def _run(program: str, url: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, url],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("url", ["memory://", "sqlite"])
def test_an_engine_used_after_a_fork_says_what_to_do_and_its_parent_goes_on(url: str, tmp_path: Path):
    told = _run(FORKING, url if url == "memory://" else f"sqlite:///{tmp_path}/jobs.db")

    assert told == "fork fork fork fork Created | 0 Created"


@pytest.mark.parametrize("url", ["memory://", "sqlite"])
def test_a_child_may_leave_the_block_that_its_parent_entered(url: str, tmp_path: Path):
    told = _run(LEAVING, url if url == "memory://" else f"sqlite:///{tmp_path}/jobs.db")

    assert told == "the child left the block | 0"
