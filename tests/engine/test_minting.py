"""Fresh ids: version 7, ascending, and never twice."""

import os
import subprocess
import sys
import threading
import time
from uuid import RFC_4122, UUID

import pytest

from flowfabric.engine.minting import new_uuid
from tests.engine.commands import WAIT_S_MAX


def test_a_fresh_uuid_is_of_version_7_and_tells_the_time():
    before_ms = time.time_ns() // 1_000_000
    uuid = UUID(new_uuid())
    after_ms = time.time_ns() // 1_000_000

    assert uuid.version == 7
    assert uuid.variant == RFC_4122
    # It counts on within a millisecond, so it may be a little ahead.
    assert before_ms - 1 <= uuid.int >> 80 <= after_ms + 1


def test_fresh_uuids_are_canonical():
    assert all(str(UUID(uuid)) == uuid for uuid in (new_uuid() for _ in range(1000)))


def test_fresh_uuids_ascend():
    uuids = [new_uuid() for _ in range(20_000)]

    assert uuids == sorted(uuids)
    assert len(set(uuids)) == len(uuids)


def test_fresh_uuids_ascend_in_every_thread_and_are_unique_over_all_of_them():
    made: list[list[str]] = [[] for _ in range(8)]

    def mint(into: list[str]) -> None:
        into.extend(new_uuid() for _ in range(5000))

    threads = [threading.Thread(target=mint, args=(into,)) for into in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S_MAX)

    assert all(into == sorted(into) for into in made)
    assert len({uuid for into in made for uuid in into}) == 40_000


def test_a_clock_that_steps_back_does_not_take_the_ids_back(monkeypatch: pytest.MonkeyPatch):
    first = new_uuid()
    monkeypatch.setattr(time, "time_ns", lambda: 1_000_000_000_000_000_000)

    later = [new_uuid() for _ in range(100)]

    assert [first, *later] == sorted([first, *later])


def test_a_forked_child_does_not_repeat_what_its_parent_mints():
    program = (
        "import os, sys\n"
        "from flowfabric.engine.minting import new_uuid\n"
        "new_uuid()\n"
        "child = os.fork()\n"
        "made = [new_uuid()[-12:] for _ in range(20)]\n"
        "if child: os.waitpid(child, 0)\n"
        "os.write(1, (' '.join(made) + ' ').encode())\n"
        "os._exit(0)\n"
    )

    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True, env=os.environ
    ).stdout.split()

    assert len(told) == 40
    assert len(set(told)) == 40
