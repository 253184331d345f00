"""kill -9 in the middle of writes: the file stays whole, and what was acknowledged stays true."""

import random
import time
from hashlib import sha256
from pathlib import Path

import pytest

from flowfabric import NewExecution, open_blocking_engine
from tests.chaos.processes import Process, running, wait_until
from tests.chaos.sizes import SIZES
from tests.stores.sqlite.books import connected, violations

PROGRAMS = "tests.stores.sqlite.programs"
ANSWERS_BEFORE_DEATH = 60
UUID = "lower(hex(execution_id))"
REFUSALS = {
    "completed_before_the_cancel",
    "execution_not_active",  # cancelled before it was completed
    "lease_expired",  # on a busy machine
    "stale_lease",
}


@pytest.mark.xdist_group("sqlite: sudden death")
def test_kills_in_the_middle_of_writes_damage_nothing_and_lose_nothing_acknowledged(
    url: str, path: Path, tmp_path: Path
) -> None:
    chance = random.Random()
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_executions([NewExecution(kind="kind")] * 20)
    notes = [tmp_path / f"acknowledged-{number}" for number in range(SIZES.file_kills)]

    # Two at a time, so that one dies while the other writes, waits for the lock, or brings the log into the file.
    for first, second in zip(notes[::2], notes[1::2], strict=True):
        with (
            running("work_until_killed", url, first, first.name, folder=tmp_path, module=PROGRAMS) as one,
            running("work_until_killed", url, second, second.name, folder=tmp_path, module=PROGRAMS) as other,
        ):
            kill_at_some_moment(one, first, chance)
            assert_nothing_is_damaged(path)
            kill_at_some_moment(other, second, chance)
        assert_nothing_is_damaged(path)
        assert_nothing_is_missing(path, [first, second])

    assert_nothing_is_missing(path, notes)
    with open_blocking_engine(url) as engine:  # and the file goes on
        engine.create_execution("kind")
        claimed = engine.claim(worker_id="w", worker_instance_id="i")[0]
        assert engine.complete(claimed.lease).execution_id == claimed.execution_id


def kill_at_some_moment(process: Process, notes: Path, chance: random.Random) -> None:
    """Kill it after some answers, and then some milliseconds."""
    answers = chance.randrange(1, ANSWERS_BEFORE_DEATH)
    wait_until(lambda: not process.is_running or count_of(notes) >= answers)
    time.sleep(chance.uniform(0, 0.02))  # so that a kill meets any step of a write
    process.kill()


def count_of(notes: Path) -> int:
    return notes.read_bytes().count(b"\n") if notes.exists() else 0


def assert_nothing_is_damaged(path: Path) -> None:
    books = connected(path)
    assert violations(books) == []
    books.close()


def assert_nothing_is_missing(path: Path, notes: list[Path]) -> None:
    books = connected(path)
    payloads = {
        uuid: sha256(data).hexdigest() for uuid, data in books.execute(f"select {UUID}, payload from ff_payload")
    }
    results = {uuid: sha256(data).hexdigest() for uuid, data in books.execute(f"select {UUID}, result from ff_result")}
    states = dict(books.execute("select replace(substr(execution_id, -36), '-', ''), public_state from ff_execution"))
    books.close()
    # What follows the last end of a line was not written whole, so nobody has read it as an answer.
    for line in (line for file in notes for line in file.read_text().split("\n")[:-1]):
        verb, execution_id, *rest = line.split(" ")
        uuid = execution_id[-36:].replace("-", "")
        match verb:
            case "created":
                assert payloads.get(uuid) == rest[0], line
                assert uuid in states, line
            case "completed":
                assert (states[uuid], results.get(uuid)) == ("completed", rest[0]), line
            case "cancelled":
                assert states[uuid] == "cancelled", line
            case "refused":
                assert rest[0] in REFUSALS, line
