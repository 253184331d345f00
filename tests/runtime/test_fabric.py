import asyncio
import re
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric import Context, FlowFabric, InvalidInput, NotFound, StoreUnavailable
from flowfabric.app import EnginePair, open_engine_pair, open_store
from flowfabric.process_engine import ProcessEngine
from flowfabric.runtime.tasks import Task
from flowfabric.testing import Kit
from tests.runtime.by_hand import claim, work

FORKS_ON_PURPOSE = "ignore::DeprecationWarning"
"""Newer Pythons warn of a fork while there are threads."""


def greeting_of(ff: FlowFabric) -> Task[[str], str]:
    @ff.task
    def greet(ctx: Context, name: str) -> str:
        return f"Hello, {name}"

    return greet


OF_OTHER_TESTS = "flowfabric-test-step"
"""Contexts for tests keep the threads of their plain steps for a while, whichever test has used them."""


def threads() -> set[str]:
    names = {thread.name for thread in threading.enumerate() if thread.name.startswith("flowfabric")}
    return {name for name in names if not name.startswith(OF_OTHER_TESTS)}


def run(program: str, folder: Path, warnings: str = "error") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", warnings, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")
    greet = greeting_of(ff)
    greet.options(priority=1).bind("Ada")
    before = list(tmp_path.iterdir())

    with ff:
        opened = (tmp_path / "jobs.db").exists()

    assert (before, opened) == ([], True)


def test_the_default_is_a_file_in_the_working_directory(tmp_path: Path) -> None:
    ended = run(
        """
from flowfabric import FlowFabric
ff = FlowFabric()
@ff.task
def greet(ctx, name: str) -> str: ...
greet.submit_sync("Ada")
""",
        tmp_path,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "flowfabric.db").exists()


def test_loops_and_threads_share_one_engine() -> None:
    with FlowFabric("memory://") as ff:
        greet = greeting_of(ff)
        handles = [greet.submit_sync("thread")]
        for _ in range(2):
            handles.append(asyncio.run(greet.submit("loop")))

        work(ff)

        assert [handle.result_sync() for handle in handles] == ["Hello, thread", "Hello, loop", "Hello, loop"]


def test_many_who_come_at_once_open_it_once(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")
    greet = greeting_of(ff)

    async def all_at_once() -> None:
        await asyncio.gather(*(greet.submit(str(n)) for n in range(20)), *(asyncio.to_thread(greet.submit_sync, "t"),))

    asyncio.run(all_at_once())
    committers = {name for name in threads() if "committer" in name}
    claimed = claim(ff)
    ff.close()

    assert (len(committers), len(claimed)) == (1, 21)


def test_a_closed_one_is_opened_anew_by_the_next_use(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")
    greet = greeting_of(ff)
    with ff:
        handle = greet.submit_sync("Ada")
    closed = threads()

    async def again() -> str:
        async with ff:
            return await handle.state()

    assert (closed, asyncio.run(again()), threads()) == (set(), "waiting", set())
    ff.close()


def test_an_engine_that_was_kept_is_closed_with_it() -> None:
    with FlowFabric("memory://") as ff:
        engine = ff.blocking_engine()

    with pytest.raises(StoreUnavailable, match="closed"):
        engine.create_execution("late")


def test_what_cannot_be_opened_is_told_and_may_be_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    ff = FlowFabric(f"sqlite:///{folder}/jobs.db")
    greet = greeting_of(ff)
    with pytest.raises(StoreUnavailable):
        greet.submit_sync("Ada")
    with pytest.raises(InvalidInput, match="names no store"):
        greeting_of(FlowFabric("mongodb://somewhere")).submit_sync("Ada")

    folder.mkdir()
    with ff:
        state = greet.submit_sync("Ada").state_sync()

    assert state == "waiting"


def test_the_end_of_the_program_closes_it(tmp_path: Path) -> None:
    program = """
import asyncio
from flowfabric import FlowFabric
ff = FlowFabric("sqlite:///jobs.db")
@ff.task
async def greet(ctx, name: str) -> str: ...
asyncio.run(greet.submit("Ada"))
greet.submit_sync("Bob")
"""

    ended = run(program, tmp_path)
    with FlowFabric(f"sqlite:///{tmp_path}/jobs.db") as ff:
        greeting_of(ff)
        claimed = claim(ff)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(claimed) == 2


def test_the_process_that_opened_it_closes_it_at_its_end_and_a_forked_child_does_not(tmp_path: Path) -> None:
    program = """
import os, sys
from flowfabric.app import open_engine_pair
from flowfabric.process_engine import ProcessEngine

def open_telling_who_closes(stack):
    stack.callback(lambda: os.write(1, b"closed by %d" % os.getpid()))
    return open_engine_pair(stack, "memory://")

engines = ProcessEngine(open_telling_who_closes, is_shared=True)
engines.opened()
os.write(1, b"opened by %d, " % os.getpid())
if os.fork() == 0:
    sys.exit(0)
os.wait()
"""

    ended = run(program, tmp_path, FORKS_ON_PURPOSE)

    assert re.fullmatch(r"opened by (\d+), closed by \1", ended.stdout), ended


def test_a_relative_url_means_the_folder_in_which_the_fabric_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    fabrics = [FlowFabric(), FlowFabric("sqlite:///jobs.db?synchronous=normal")]
    monkeypatch.chdir(tmp_path / "elsewhere")

    for ff in fabrics:
        with ff:
            greeting_of(ff).submit_sync("Ada")
        open_store(ff.url).close()

    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert {file.name for file in tmp_path.glob("*.db")} == {"flowfabric.db", "jobs.db"}


def test_what_was_begun_is_taken_back_when_the_rest_cannot_be_opened() -> None:
    taken_back = []

    def open_half(stack: ExitStack) -> EnginePair:
        stack.callback(taken_back.append, True)
        raise StoreUnavailable("not today")

    engines = ProcessEngine(open_half, is_shared=True)

    with pytest.raises(StoreUnavailable):
        engines.opened()
    assert taken_back == [True]


def test_a_forked_child_opens_its_own_and_leaves_that_of_its_parent_alone(tmp_path: Path) -> None:
    program = """
import os, sys
from flowfabric import FlowFabric
ff = FlowFabric("sqlite:///jobs.db")
@ff.task
def greet(ctx, name: str) -> str: ...
first = greet.submit_sync("parent")
child = os.fork()
if child == 0:
    assert first.state_sync() == "waiting"
    greet.submit_sync("child")
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
greet.submit_sync("parent again")
assert len(ff.blocking_engine().list_executions().items) == 3
"""

    ended = run(program, tmp_path, FORKS_ON_PURPOSE)

    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("url", ["memory://", "sqlite:///jobs.db"])
def test_a_forked_child_leaves_the_block_of_its_parent_without_a_word(url: str, tmp_path: Path) -> None:
    program = f"""
import asyncio, os, signal
from flowfabric import FlowFabric
ff = FlowFabric({url!r})
async def main():
    async with ff:
        child = os.fork()
        if child == 0:
            signal.alarm(20)
    if child == 0:
        ff.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
asyncio.run(main())
"""

    ended = run(program, tmp_path, FORKS_ON_PURPOSE)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_is_in_memory_cannot_follow_a_fork(tmp_path: Path) -> None:
    program = """
import os, sys
from flowfabric import FlowFabric, StoreError
ff = FlowFabric("memory://")
@ff.task
def greet(ctx, name: str) -> str: ...
greet.submit_sync("parent")
child = os.fork()
if child == 0:
    try:
        greet.submit_sync("child")
    except StoreError as error:
        os._exit(0 if "after a fork" in str(error) else 1)
    os._exit(1)
assert os.waitpid(child, 0)[1] == 0
"""

    ended = run(program, tmp_path, FORKS_ON_PURPOSE)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_namespaces_do_not_see_each_other(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with FlowFabric(url, namespace="a") as a, FlowFabric(url, namespace="b") as b:
        handle = greeting_of(a).submit_sync("Ada")
        with a.flow("greetings") as flow:
            flow.add(a.tasks["greet"], "Bob")
        stranger = greeting_of(b).handle(handle.execution_id)

        with pytest.raises(NotFound):
            stranger.state_sync()

        assert claim(b) == []
        assert [claimed.namespace for claimed in claim(a)] == ["a", "a"]
        assert flow.describe_sync().namespace == "a"


class Masked:
    """No good cipher, but its text cannot be read by who does not expect it."""

    def encode(self, data: bytes) -> bytes:
        return bytes(byte ^ 0x2A for byte in data)

    def decode(self, data: bytes) -> bytes:
        return self.encode(data)


def test_a_codec_hides_what_is_stored_from_arguments_to_results(tmp_path: Path) -> None:
    with FlowFabric("memory://", codec=Masked()) as ff:
        greet = greeting_of(ff)
        with ff.flow("greetings") as flow:
            first = flow.add(greet, "Ada")
            second = flow.add(greet, first.output)
        (claimed,) = claim(ff)
        ff.blocking_engine().release(claimed.lease)
        work(ff)
        work(ff)
        stored = ff.blocking_engine().get_result(second.execution_id)

        result = second.result_sync()

    assert b"Ada" not in claimed.payload
    assert stored is not None
    assert b"Ada" not in stored
    assert result == "Hello, Hello, Ada"


def test_a_key_is_kept_with_a_codec_that_is_a_function() -> None:
    with FlowFabric("memory://", codec=Masked()) as ff:
        once = greeting_of(ff).options(idempotency_key="ada")

        first, second = once.submit_sync("Ada"), once.submit_sync("Ada")

    assert (first.is_duplicate, second.is_duplicate) == (False, True)


def test_a_namespace_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="namespace is ''"):
        FlowFabric("memory://", namespace="")


def test_a_rebound_fabric_leaves_its_own_engine_alone(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/never/made.db")
    greet = greeting_of(ff)

    with ff.rebound(lambda stack: open_engine_pair(stack, "memory://")):
        handle = greet.submit_sync("Ada")
        work(ff)
        result = handle.result_sync()

    assert result == "Hello, Ada"
    assert list(tmp_path.iterdir()) == []


def test_after_being_rebound_a_fabric_has_the_engine_from_before(tmp_path: Path) -> None:
    with FlowFabric(f"sqlite:///{tmp_path}/jobs.db") as ff:
        greet = greeting_of(ff)
        before = greet.submit_sync("Ada")

        with ff.rebound(lambda stack: open_engine_pair(stack, "memory://")), pytest.raises(NotFound):
            before.state_sync()

        assert before.state_sync() == "waiting"


def test_a_program_acts_under_its_name_also_in_the_kit(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db", actor="billing")
    greet = greeting_of(ff)

    with ff:
        made = ff.blocking_engine().describe_execution(greet.submit_sync("Ada").execution_id)
        ff.blocking_engine().pause_lane("mail")
        (paused,) = ff.blocking_engine().read_events().events
    with Kit(ff) as kit:
        tried = kit.engine.describe_execution(greet.submit_sync("Ada").execution_id)

    assert made is not None
    assert tried is not None
    assert (made.created_by, paused.details["actor"], tried.created_by) == ("billing", "billing", "billing")


@pytest.mark.parametrize("actor", ["", 7, "a\nb", "x" * 257])
def test_a_name_that_no_event_can_show_is_refused_at_once(actor: str) -> None:
    with pytest.raises(InvalidInput, match="actor"):
        FlowFabric("memory://", actor=actor)
