"""`ff doctor` as an operator runs it; what it finds is planted in tests of stores and rules, store by store."""

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from flowfabric import ExecutionPolicy, FlowGraph, ManualClock, open_blocking_engine
from flowfabric.cli import doctor
from flowfabric.cli.target import Target
from tests.cli.running import WITHIN_S, ff, ff_here, started
from tests.postgres_server import connected
from tests.stores_under_test import SHARED_STORES, STORES

PROGRAM = """
import time
from flowfabric import Context, FlowFabric

ff = FlowFabric("sqlite:///jobs.db")

@ff.task
def stay(ctx: Context) -> None:
    time.sleep(60)
"""


@contextmanager
def closing_process(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=WITHIN_S)


@pytest.fixture(params=SHARED_STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        with open_blocking_engine(url, migrate=True):
            pass
        yield url


def test_a_healthy_database_is_told_healthy(tmp_path: Path, url: str) -> None:
    ended = ff(tmp_path, "doctor", "--url", url)

    assert (ended.returncode, ended.stdout) == (0, "Nothing is wrong.\n"), ended.stderr


def test_a_problem_is_one_sentence_and_exit_code_1(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind", lane="mail")

    ended = ff_here("doctor", "--url", url)

    assert ended.returncode == 1
    first, last = ended.stdout.splitlines()
    assert first.startswith(
        "warning: lane_unserved: 1 execution waits in lane 'mail' of namespace 'default' for up to "
    )
    assert first.endswith("start a worker with `ff worker --lanes mail`.")
    assert last == "Found: 0 errors, 1 warning."


def test_advice_alone_is_no_failure(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.heartbeat(worker_id="till", worker_instance_id="till-1", lanes=["mail"])
        engine.create_execution("kind", lane="mail")
        engine.pause_lane("mail", reason="holidays")

    ended = ff_here("doctor", "--url", url)
    told = json.loads(ff_here("doctor", "--json", "--url", url).stdout)

    assert ended.returncode == 0
    assert ended.stdout.startswith("advice: lane_paused: ")
    assert ended.stdout.endswith("Found: 0 errors, 0 warnings, 1 piece of advice.\n")
    assert (told["healthy"], told["problems"][0]["severity"]) == (True, "advice")


def test_what_is_held_and_what_failed_is_advice_with_the_verbs_for_it(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.heartbeat(worker_id="till", worker_instance_id="till-1")
        held = engine.create_execution("kind").execution_id
        engine.hold(held, reason="wait for the bank")
        graph = FlowGraph("film")
        graph.node("cut", "cut")
        engine.submit_flow(graph)
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1")
        engine.fail(claimed.lease, code="torn", retryable=False)
        engine.reconcile()

    ended = ff_here("doctor", "--url", url)
    listed = ff_here("ls", "--state", "waiting", "--url", url).stdout.splitlines()
    failed = ff_here("ls", "--state", "failed", "--url", url).stdout.splitlines()
    elsewhere = ff_here("doctor", "--namespace", "elsewhere", "--url", url)

    assert (ended.returncode, elsewhere.stdout) == (0, "Nothing is wrong.\n")
    first, second, _ = ended.stdout.splitlines()
    assert first.startswith("advice: work_held: 1 execution of namespace 'default' is held by an operator, for ")
    assert first.endswith(f"run `ff unhold {held[-36:]}`.")
    assert second.startswith("advice: work_failed: 1 flow and 1 execution of namespace 'default' failed in the last ")
    assert (listed[0].split()[:3], listed[1].split()[1:3]) == (["ID", "STATE", "HELD"], ["waiting", "held"])
    assert "HELD" not in failed[0]
    assert ff_here("unhold", held[-36:], "--url", url).returncode == 0


def test_a_wait_that_nothing_ends_is_advice_after_thirty_days(url: str) -> None:
    with open_blocking_engine(url, clock=ManualClock(1_700_000_000_000), reconcile=False) as engine:
        waiting = engine.create_execution("kind").execution_id
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1")
        engine.suspend(claimed.lease, "editor", "editor")

    ended = ff_here("doctor", "--url", url)
    elsewhere = ff_here("doctor", "--namespace", "elsewhere", "--url", url)

    assert (ended.returncode, elsewhere.stdout) == (0, "Nothing is wrong.\n")
    assert ended.stdout.startswith("advice: wait_endless: 1 execution of namespace 'default' has waited for ")
    assert f"run `ff cancel {waiting[-36:]}`" in ended.stdout
    assert ff_here("cancel", waiting[-36:], "--url", url).returncode == 0


def test_the_doctor_says_where_secrets_are(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    none_yet = ff_here("doctor", "--url", url)
    before = json.loads(ff_here("doctor", "--json", "--url", url).stdout)
    ff_here("secrets", "rotate", "--yes", "--url", url)
    stored = ff_here("doctor", "--url", url)
    in_store = json.loads(ff_here("doctor", "--json", "--url", url).stdout)
    monkeypatch.setenv("FLOWFABRIC_SIGNING_KEYS", "ours:" + "A" * 44)
    configured = ff_here("doctor", "--url", url)
    in_environment = json.loads(ff_here("doctor", "--json", "--url", url).stdout)

    assert none_yet.stderr == ""
    assert stored.stderr.startswith("1 secret that signs tokens is kept in the database: ")
    assert configured.stderr.startswith("The secrets that sign tokens come from the environment of this process. The ")
    assert [said["secrets_in"] for said in (before, in_store, in_environment)] == [None, "database", "environment"]
    assert stored.returncode == configured.returncode == 0


def test_as_json_a_problem_has_its_parts(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind", lane="mail")

    ended = ff_here("doctor", "--url", url, "--json")

    told = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert told["healthy"] is False
    assert [list(problem) for problem in told["problems"]] == [["problem", "severity", "what", "why", "advice"]]
    assert told["problems"][0]["problem"] == "lane_unserved"


def test_it_says_how_much_is_kept_of_what_has_ended_and_what_goes_next(url: str) -> None:
    policy = ExecutionPolicy(retention_ms=5 * 86_400_000)
    with open_blocking_engine(url, reconcile=False) as engine:
        for job in (engine.create_execution("a", policy=policy), engine.create_execution("b")):
            engine.cancel_execution(job.execution_id, reason="test")

    ended, elsewhere = (ff_here("doctor", "--url", url, *more) for more in ((), ("--namespace", "other")))
    as_json = ff_here("doctor", "--url", url, "--json")

    assert "Of what has ended, 1 execution will be removed when its retention is over, the next one in " in ended.stderr
    assert "1 execution is kept for ever" in ended.stderr
    assert "Of what has ended" not in elsewhere.stderr
    kept = json.loads(as_json.stdout)["kept"]
    assert (kept["executions_to_go"], kept["executions_for_ever"], kept["flows_to_go"]) == (1, 1, 0)


def test_counts_that_somebody_has_spoiled_are_found_and_put_right_on_request(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.cancel_execution(engine.create_execution("a").execution_id, reason="test")
    with closing(sqlite3.connect(tmp_path / "jobs.db", isolation_level=None)) as connection:
        connection.execute("delete from ff_exec_core")

    found, elsewhere = (ff_here("doctor", "--url", url, *more) for more in ((), ("--namespace", "other")))
    mended = ff_here("doctor", "--url", url, "--mend")

    assert found.returncode == 1
    assert found.stdout.startswith(
        "warning: counts_wrong: 1 kept count differs from what there is: of 'a' in lane 'default' that are cancelled, "
        "1 were counted in namespace 'default', and there are 0"
    )
    assert "run `ff doctor --mend`" in found.stdout
    assert (elsewhere.returncode, mended.returncode) == (0, 0)
    assert "1 kept count put right." in mended.stderr
    assert mended.stdout == "Nothing is wrong.\n"


def test_a_newer_schema_is_a_problem_like_others(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url):
        pass
    with closing(sqlite3.connect(tmp_path / "jobs.db", isolation_level=None)) as connection:
        connection.execute("insert into ff_schema_version values (99, 'of the future', 0, 99)")

    ended = ff_here("doctor", "--url", url)

    assert ended.returncode == 1
    assert ended.stdout.startswith(
        "error: schema_newer: The schema has version 99, and this version of flowfabric knows "
    )
    assert "can be looked at once the schema" in ended.stderr


def test_another_namespaces_problems_can_be_left_out(url: str) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind", namespace="theirs")

    ours, theirs = (ff_here("doctor", "--url", url, "--namespace", name) for name in ("ours", "theirs"))

    assert (ours.returncode, theirs.returncode) == (0, 1)


def test_a_transaction_is_long_from_when_the_operator_says(tmp_path: Path) -> None:
    with STORES["postgres"].empty(tmp_path) as url, connected(url) as other, other.transaction():
        other.execute("select 1")

        patient, impatient = (ff_here("doctor", "--url", url, "--long-transaction", span) for span in ("1h", "1ms"))

    assert patient.returncode == 0
    assert impatient.stdout.startswith("warning: long_transaction: Session ")


def test_a_database_that_is_not_there_is_a_sentence_and_exit_code_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for url in ("sqlite:///nothing.db", "postgresql://nobody@127.0.0.1:1/nothing"):
        ended = ff_here("doctor", "--url", url)

        assert (ended.returncode, ended.stdout) == (4, "")
        assert ended.stderr.startswith("ff: The")
        assert len(ended.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "value"), [("--long-transaction", "soon"), ("--url", "memory://")])
def test_what_cannot_be_asked_is_a_sentence_and_exit_code_2(option: str, value: str) -> None:
    ended = ff_here("doctor", option, value)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Traceback" not in ended.stderr


def test_a_killed_worker_and_what_it_held_is_found(tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text(PROGRAM)
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("stay", b'{"arguments":{}}')
        with started(tmp_path, "worker", "jobs:ff", "--lease", "1s", "--name", "till") as worker:
            give_up_at = time.monotonic() + WITHIN_S
            while not engine.list_executions(public_state="active").items:
                assert time.monotonic() < give_up_at
                time.sleep(0.02)  # a bounded wait for a real process
            healthy = ff_here("doctor", "--url", url)
            worker.send_signal(signal.SIGKILL)
            worker.wait(timeout=WITHIN_S)
        while any(each.is_alive for each in engine.list_workers()):
            assert time.monotonic() < give_up_at
            time.sleep(0.02)  # a bounded wait for the end of a real lease

        ended = ff_here("doctor", "--url", url)

    assert healthy.returncode == 0, healthy.stdout
    assert ended.returncode == 1
    assert ended.stdout.startswith("warning: dead_worker: Worker 'till-")
    assert f"(pid {worker.pid})" in ended.stdout
    assert "holds 1 lease" in ended.stdout


@pytest.mark.parametrize(
    ("process", "namespace", "is_found"),
    [
        ("ended", doctor.FIRST_PID_NAMESPACE, True),
        ("younger", doctor.FIRST_PID_NAMESPACE, True),
        ("there", doctor.FIRST_PID_NAMESPACE, False),
        ("ended", "pid:[4026532206]", False),
    ],
)
def test_a_worker_of_this_machine_whose_process_is_gone_is_found_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, process: str, namespace: str, is_found: bool
) -> None:
    (tmp_path / "ns").symlink_to(namespace)
    monkeypatch.setattr(doctor, "PID_NAMESPACE", str(tmp_path / "ns"))
    url = f"sqlite:///{tmp_path}/jobs.db"
    with closing_process(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)) as other:
        if process == "ended":
            other.kill()
            other.wait(timeout=WITHIN_S)
        clock = ManualClock(time.time_ns() // 1_000_000 - (4_000 if process == "younger" else 0))
        with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
            engine.heartbeat(
                worker_id="till", worker_instance_id="till-1", host=socket.gethostname(), pid=other.pid, ttl_ms=600_000
            )
            job = engine.create_execution("kind").execution_id
            engine.claim(worker_id="till", worker_instance_id="till-1", lease_ttl_ms=600_000)

        told = ff_here("doctor", "--url", url)

    assert told.returncode == is_found, told.stdout
    if is_found:
        assert told.stdout.startswith("warning: dead_worker: Worker 'till-1'")
        assert f"(pid {other.pid}) has no process any more, was last heard of " in told.stdout
        assert f"run `ff revoke {job[-36:]}`" in told.stdout
    else:
        assert told.stdout == "Nothing is wrong.\n"


def test_a_file_on_a_network_file_system_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url):
        pass
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nnas:/jobs {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(doctor, "MOUNTS", str(mounts))

    with pytest.raises(SystemExit) as ended:
        doctor.doctor(at=Target(url=url))

    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith(
        f"error: network_file_system: {tmp_path}/jobs.db is on a network file system (nfs4)"
    )


def test_a_clock_that_was_ahead_by_mistake_is_accepted_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False):
        pass
    ahead_ms = time.time_ns() // 1_000_000 + 3 * 86_400_000
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as connection, connection:
        connection.execute("insert into ff_meta values ('clock', ?)", (json.dumps({"highest_ms": ahead_ms}),))

    before = ff_here("doctor", "--url", url)
    accepted = ff_here("clock", "accept", "--url", url)
    after = ff_here("doctor", "--url", url)

    assert before.stdout.startswith(
        "warning: clock_set_back: The clock of this machine is 2 d behind the time of the database"
    )
    assert (accepted.returncode, accepted.stdout) == (0, "Accepted. Time has gone back by 2 d.\n")
    assert after.stdout == "Nothing is wrong.\n"
