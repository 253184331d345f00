"""`ff` as an operator runs it: a program of its own, in the folder of the program it is about."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from flowfabric import open_blocking_engine

PROGRAM = """
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context

ff = FlowFabric("sqlite:///shop.db")
other = 1

@ff.task
def double(ctx: Context, number: int) -> int:
    return 2 * number

@ff.task(isolation="process")
def halve(ctx: Context, number: int) -> int:
    ctx.log.info("halving")
    raise ValueError("odd\\nnumber")
"""
FF = "import sys; sys.argv[0] = 'ff'; from flowfabric.cli.main import main; main()"
WITHIN_S = 60.0
EARLIER = Path(__file__).parents[1] / "compatibility/schema_0004/sqlite.db"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(PROGRAM)
    return tmp_path


def ff(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", FF, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=WITHIN_S)


def test_the_plan_names_what_is_to_be_applied_and_changes_nothing(folder: Path) -> None:
    ended = ff(folder, "migrate", "shop:ff", "--plan")

    assert ended.returncode == 0, ended.stderr
    assert "to be applied: 0001_initial.sql" in ended.stdout
    assert not (folder / "shop.db").exists()


def test_the_plan_for_an_earlier_release_says_which_programs_can_go_on_and_the_script_carries_it(folder: Path) -> None:
    shutil.copyfile(EARLIER, folder / "shop.db")

    plan = ff(folder, "migrate", "shop:ff", "--plan").stdout
    told = json.loads(ff(folder, "migrate", "shop:ff", "--plan", "--json").stdout)
    script = ff(folder, "migrate", "shop:ff", "--sql").stdout

    assert "to be applied: 0005_rolling_updates.sql" in plan
    oldest = told["compatible_from"]
    assert f"Programs that know schema version {oldest} or newer can go on meanwhile; stop older ones first." in plan
    assert f"-- compatible_from: {oldest}" in script
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.executescript(script)
        kept = connection.execute("select max(compatible_from) from ff_schema_version").fetchone()
    connection.close()
    assert kept == (oldest,)
    assert ff(folder, "migrate", "shop:ff").stdout == "The database is up to date.\n"


def test_a_database_is_brought_up_to_date_once(folder: Path) -> None:
    first = ff(folder, "migrate", "shop:ff", "--yes")
    second = ff(folder, "migrate", "sqlite:///shop.db")

    assert "applied: 0001_initial.sql" in first.stdout
    assert (second.returncode, second.stdout) == (0, "The database is up to date.\n")


def test_the_script_run_by_hand_makes_a_database_that_can_be_used(folder: Path) -> None:
    script = ff(folder, "migrate", "shop", "--sql").stdout
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.executescript(script)
    connection.close()

    ended = ff(folder, "migrate", "shop:ff")

    assert ended.stdout == "The database is up to date.\n"
    with open_blocking_engine(f"sqlite:///{folder}/shop.db", migrate=False) as engine:
        assert engine.create_execution("kind").public_state == "waiting"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("nowhere:ff", "There is no module 'nowhere' here."),
        ("shop:nothing", "'nothing' in shop does not exist. Name one of: shop:ff."),
        ("shop:other", "'other' in shop is not a FlowFabric. Name one of: shop:ff."),
        (":ff", "':ff' names no module."),
    ],
)
def test_a_target_that_names_nothing_is_answered_with_a_sentence(folder: Path, target: str, says: str) -> None:
    ended = ff(folder, "worker", target)

    assert ended.returncode == 2
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_setting_that_cannot_work_is_answered_with_a_sentence(folder: Path) -> None:
    ended = ff(folder, "worker", "shop:ff", "--concurrency", "0")

    assert ended.returncode == 2
    assert ended.stderr.startswith("ff: concurrency is 0;")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_runs_what_others_submit_and_leaves_with_0_when_told_to(folder: Path, number: int) -> None:
    url = f"sqlite:///{folder}/shop.db"
    with open_blocking_engine(url) as engine:
        payload = b'{"arguments":{"number":21}}'
        key = engine.create_execution("double", payload).execution_id
        command = [sys.executable, "-c", FF, "worker", "shop:ff", "--name", "till"]
        worker = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            done = engine.wait_for_result(key, timeout_ms=int(WITHIN_S * 1000))
            (listed,) = engine.list_workers()
            worker.send_signal(number)
            _, said = worker.communicate(timeout=WITHIN_S)
        finally:
            worker.kill()
            worker.communicate()

        assert (done.public_state, engine.get_result(key)) == ("completed", b"42")
        assert (listed.worker_id, listed.pid) == ("till", worker.pid)
        assert worker.returncode == 0, said
        assert engine.list_workers() == []


def test_a_worker_logs_one_json_object_per_line_if_told_to(folder: Path) -> None:
    with open_blocking_engine(f"sqlite:///{folder}/shop.db") as engine:
        key = engine.create_execution("halve", b'{"arguments":{"number":21}}').execution_id
        command = [sys.executable, "-c", FF, "worker", "shop:ff", "--log-format", "json"]
        worker = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            engine.wait_for_result(key, timeout_ms=int(WITHIN_S * 1000))
            worker.send_signal(signal.SIGTERM)
            _, said = worker.communicate(timeout=WITHIN_S)
        finally:
            worker.kill()
            worker.communicate()

    told = [json.loads(line) for line in said.splitlines()]
    (own,) = [each for each in told if each["logger"] == "flowfabric.task.halve"]
    (end,) = [each for each in told if "outcome" in each]
    for each in (own, end):
        assert (each["task"], each["execution_id"], each["attempt_index"]) == ("halve", key, 0)
    assert (own["level"], own["message"]) == ("info", "halving")
    assert (end["level"], end["outcome"], end["cause"]) == ("error", "failed", "ValueError: odd\nnumber")
    assert "in halve" in end["traceback"]
    assert end["message"].endswith(" s: ValueError: odd number")
