"""What the verbs that look show to people: how far a flow is, what failed, what an id is, again and again."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from flowfabric import (
    BlockingEngine,
    Claimed,
    Context,
    ExecutionPolicy,
    FlowFabric,
    FlowGraph,
    ManualClock,
    NewExecution,
    RetryPolicy,
    open_blocking_engine,
)
from flowfabric.cli import tailing, watching
from flowfabric.cli.exits import Exit
from flowfabric.cli.tailing import SUBMITS_AT_ONCE
from tests.cli.desk import UNKNOWN_FLOW, Desk, a_desk
from tests.cli.running import FF, WITHIN_S, ff_here
from tests.cli.terminal import answered
from tests.postgres_server import connected, empty_store, name_in, the_server

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


class Film:
    """A flow that splits a film, encodes its scenes side by side, and shows them."""

    def __init__(self, engine: BlockingEngine, clock: ManualClock, scenes: int) -> None:
        self.engine, self.clock = engine, clock
        graph = FlowGraph("film")
        split, show = graph.node("split", "split"), graph.node("show", "show")
        for number in range(scenes):
            encode = graph.node(f"encode{number}", "encode")
            graph.edge(split, encode)
            graph.edge(encode, show)
        submitted = engine.submit_flow(graph)
        self.flow, self.ids = submitted.flow_id, submitted.execution_ids

    def claimed(self, count: int) -> list[Claimed]:
        return self.engine.claim(worker_id="w", worker_instance_id="w-1", limit=count)


@pytest.fixture
def film(tmp_path: Path) -> Iterator[Film]:
    """A film of ten scenes: seven are encoded, one failed, two are being encoded."""
    clock = ManualClock()
    with open_blocking_engine(f"sqlite:///{tmp_path}/film.db", clock=clock, reconcile=False) as engine:
        film = Film(engine, clock, 10)
        (split,) = film.claimed(1)
        clock.advance(1_500)
        engine.complete(split.lease)
        *done, failed = film.claimed(8)
        for each in done:
            clock.advance(100)
            engine.complete(each.lease)
        engine.fail(failed.lease, code="BadScene", message="scene 8 is dark", retryable=False)
        film.claimed(1)
        yield film


def test_a_flow_is_shown_with_how_far_it_is_and_many_alike_in_one_line(film: Film, tmp_path: Path) -> None:
    ended = ff_here("flow", "show", film.flow, "--url", f"sqlite:///{tmp_path}/film.db")

    lines = ended.stdout.splitlines()
    short = [re.sub(r" \{fp:\d+\}:[0-9a-f-]{36}", "", line) for line in lines]
    assert lines[0] == (f"film {film.flow} is running: 8 of 12 completed, 1 failed, 1 skipped, 1 active, 1 waiting")
    assert short[2:] == [
        "completed split, took 1.5 s",
        "├─ 7 × completed encode, 100 ms to 700 ms each",
        "│  └─ skipped show (after all 10)",
        "├─ failed encode7, took 700 ms, BadScene: scene 8 is dark",
        "│  └─ ↑ show",
        "├─ active encode8, for " + short[7].rpartition("for ")[2],
        "│  └─ ↑ show",
        "└─ waiting encode9",
        "   └─ ↑ show",
    ]


def test_a_member_that_failed_is_shown_with_its_arguments_if_they_are_short(tmp_path: Path) -> None:
    ff = FlowFabric(f"sqlite:///{tmp_path}/jobs.db")

    @ff.task
    def count(ctx: Context, partition: int, note: str = "") -> None:
        return

    with ff, ff.flow("census") as flow:
        flow.add(count, 7)
        flow.add(count, 8, note="x" * 100)
        flow.add(count, 9)
    with open_blocking_engine(ff.url, reconcile=False) as engine:
        for claimed in engine.claim(worker_id="w", worker_instance_id="w-1", limit=2):
            engine.fail(claimed.lease, code="NoData", retryable=False)

    said = ff_here("flow", "show", flow.flow_id, "--url", ff.url).stdout

    lines = [re.sub(r" \{fp:\d+\}:[0-9a-f-]{36}|, took [^,]*", "", line) for line in said.splitlines()[2:]]
    assert lines == ['failed count {"partition":7}, NoData', "failed count-2, NoData", "waiting count-3"]


def test_a_flow_is_printed_as_a_picture(film: Film, tmp_path: Path) -> None:
    at = ("--url", f"sqlite:///{tmp_path}/film.db")
    ended = ff_here("flow", "show", film.flow, "--svg", *at)
    assert ended.returncode == 0
    picture = ElementTree.fromstring(ended.stdout)
    assert picture.tag.endswith("svg")
    labels = [each.text or "" for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert [label for label in labels if label.startswith("encode")] == ["encode × 10"]
    every = ff_here("flow", "show", film.flow, "--svg", "--all", *at).stdout
    assert every.count(">encode") == 2 * 10  # a label, and what shows when one points at it
    both = ff_here("flow", "show", film.flow, "--svg", "--json", *at)
    assert (both.returncode, "Give one of them" in both.stderr) == (2, True)


def test_every_member_of_a_flow_can_be_shown(film: Film, tmp_path: Path) -> None:
    ended = ff_here("flow", "show", film.flow, "--all", "--url", f"sqlite:///{tmp_path}/film.db")

    assert sum(bool(re.search(r" encode\d \{fp:", line)) for line in ended.stdout.splitlines()) == 10


def test_what_failed_is_listed_with_its_code(film: Film, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/film.db"

    failed = ff_here("ls", "--state", "failed", "--url", url).stdout.splitlines()
    waiting = ff_here("ls", "--state", "waiting", "--url", url).stdout.splitlines()

    assert failed[0].split() == ["ID", "STATE", "CODE", "KIND", "LANE", "CREATED", "ATTEMPT"]
    assert failed[1].split()[1:4] == ["failed", "BadScene", "encode"]
    assert (failed[1].split()[-1], waiting[1].split()[-1]) == ("1", "-")
    assert "CODE" not in waiting[0]


def test_what_went_well_in_the_end_is_listed_without_a_code(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    retry = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=0))
    with open_blocking_engine(url, reconcile=False) as engine:
        job = engine.create_execution("order", policy=retry).execution_id
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
        engine.fail(claimed.lease, code="Away", message="", retryable=True)
        retried = ff_here("ls", "--url", url).stdout
        engine.reconcile()
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
        engine.complete(claimed.lease)

    assert "Away" in retried
    listed = ff_here("ls", "--url", url).stdout
    assert job in listed
    assert "Away" not in listed


def test_the_first_attempt_is_number_1(desk: Desk) -> None:
    shown = ff_here("show", desk.completed, "--url", desk.url).stdout

    assert re.search(r"^ +1  success", shown, re.MULTILINE)
    assert "acquired   attempt 1, token 1, worker till-1" in shown
    assert "charge, attempt 1" in shown
    assert "It is running as attempt 1 on worker" in ff_here("explain", desk.active, "--url", desk.url).stdout


def test_a_worker_that_missed_a_beat_is_called_silent_everywhere(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    six_minutes_ago = ManualClock(time.time_ns() // 1_000_000 - 360_000)
    with open_blocking_engine(url, clock=six_minutes_ago, reconcile=False) as engine:
        engine.heartbeat(worker_id="till", worker_instance_id="till-1", ttl_ms=600_000)
        job = engine.create_execution("stay").execution_id
        engine.claim(worker_id="till", worker_instance_id="till-1", lease_ttl_ms=600_000)

    workers, lanes, stats, why = (
        ff_here(*verb, "--url", url).stdout for verb in (["workers"], ["lanes"], ["stats"], ["explain", job])
    )

    assert workers.splitlines()[1].split()[:2] == ["till-1", "silent"]
    assert lanes.splitlines()[1].split()[:6] == ["default", "0", "-", "1", "0", "0"]
    assert re.search(r"^live workers +0$", stats, re.MULTILINE)
    assert "on worker 'till-1', which was last heard of 6 min ago and is probably dead" in why
    assert why.endswith(f"then it goes back to the queue (interruption 1 of 10); `ff revoke {job}` does that now.\n")


def test_stats_count_one_flow_as_one_flow(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.cancel_flow(engine.create_flow("film").flow_id, reason="never mind")

    assert re.search(
        r"^ended, kept for ever +0 executions, 1 flow$", ff_here("stats", "--url", url).stdout, re.MULTILINE
    )


def test_a_result_is_shown_as_json(desk: Desk) -> None:
    shown = ff_here("show", desk.completed, "--url", desk.url).stdout

    assert re.search(r'^result +\{"total":42\}$', shown, re.MULTILINE)


# ── ids of something else ────────────────────────────────────────────────────────────────────────


def test_show_shows_a_flow_too_and_says_so(desk: Desk) -> None:
    shown = ff_here("show", desk.flow, "--url", desk.url)

    assert shown.stdout == ff_here("flow", "show", desk.flow, "--url", desk.url).stdout
    assert shown.stderr == f"{desk.flow} is a flow; this is what `ff flow show` says.\n"
    assert json.loads(ff_here("show", desk.flow, "--json", "--url", desk.url).stdout).keys() == {
        "flow",
        "members",
        "edges",
    }


@pytest.mark.parametrize("verb", ["explain", "cancel", "hold", "tail --execution"])
def test_other_verbs_say_that_an_id_is_a_flows(desk: Desk, verb: str) -> None:
    ended = ff_here(*verb.split(), desk.flow, "--url", desk.url)

    assert ended.returncode == Exit.WRONG_CALL
    assert ended.stderr.startswith(f"ff: {desk.flow} is a flow and not an execution. Write `ff ")


@pytest.mark.parametrize("verb", ["flow show", "flow cancel", "ls --flow", "tail --flow"])
def test_verbs_of_flows_say_that_an_id_is_an_executions(desk: Desk, verb: str) -> None:
    with desk.engine() as engine:
        member = engine.list_executions(flow_id=desk.flow).items[0].execution_id

    alone = ff_here(*verb.split(), desk.waiting[-36:], "--url", desk.url)
    of_flow = ff_here(*verb.split(), member, "--url", desk.url)
    unknown = ff_here(*verb.split(), UNKNOWN_FLOW, "--url", desk.url)

    assert [each.returncode for each in (alone, of_flow, unknown)] == [2, 2, 3]
    assert alone.stderr.startswith(f"ff: {desk.waiting[-36:]} is an execution, and not a flow itself. Write `ff ")
    assert f"is an execution, which belongs to flow {desk.flow}, and not a flow itself" in of_flow.stderr


# ── tail ─────────────────────────────────────────────────────────────────────────────────────────


def happened(said: str) -> list[str]:
    """The lines of a tail without times and ids."""
    return [re.sub(r"\S*[0-9a-f]{12}  ", "", line[25:]) for line in said.splitlines()]


def test_a_tail_tells_submits_and_steps_between_the_events(desk: Desk) -> None:
    said = ff_here("tail", "--from", "start", "--until-idle", "--execution", desk.completed, "--url", desk.url)
    held = ff_here("tail", "--from", "start", "--until-idle", "--execution", desk.held, "--url", desk.url)

    assert happened(said.stdout) == [
        "completed submitted: lane completed",
        "completed acquired: attempt 1, token 1, worker till-1",
        "completed step: charge, attempt 1",
        "completed completed",
    ]
    assert happened(held.stdout) == ["charge submitted: lane mail", "charge held"]


def test_a_step_of_an_earlier_attempt_is_told_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("order")
        for step, end in (("charge", engine.release), ("pack", engine.complete)):
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
            engine.record_step(claimed.lease, step, b"1", tries=3 if step == "pack" else 1)
            end(claimed.lease)

    said = ff_here("tail", "--from", "start", "--until-idle", "--url", url).stdout

    assert [line for line in happened(said) if " step: " in line] == [
        "order step: charge, attempt 1",
        "order step: pack, attempt 2, 3 tries",
    ]


def test_a_tail_of_many_tells_every_submit_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_executions([NewExecution(kind=f"job {number}") for number in range(2 * SUBMITS_AT_ONCE + 5)])
        engine.claim(worker_id="w", worker_instance_id="w-1", limit=3)

    said = ff_here("tail", "--from", "start", "--until-idle", "--url", url).stdout

    submits = [line for line in happened(said) if line.endswith(" submitted")]
    assert submits == [f"job {number} submitted" for number in range(2 * SUBMITS_AT_ONCE + 5)]


def test_a_tail_of_a_log_that_is_longer_than_its_memory_repeats_no_submit_and_keeps_the_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tailing, "KNOWN_MAX", 5)
    monkeypatch.setattr(tailing, "PAGE", 10)
    url, clock = f"sqlite:///{tmp_path}/jobs.db", ManualClock()
    with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
        engine.create_execution("first", lane="slow")
        (first,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["slow"], lease_ttl_ms=600_000)
        for number in range(20):
            clock.advance(1_000)
            engine.create_execution(f"job {number}")
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
            engine.complete(claimed.lease)
        engine.complete(first.lease)
        clock.advance(1_000)
        engine.create_execution("last")

    said = ff_here("tail", "--from", "start", "--until-idle", "--url", url).stdout

    submits = [line.split(" submitted")[0] for line in happened(said) if " submitted" in line]
    times = [line[:23] for line in said.splitlines()]
    assert submits == ["first", *(f"job {number}" for number in range(20)), "last"]
    assert times == sorted(times)


def test_a_tail_shows_what_was_submitted_and_never_ran(desk: Desk) -> None:
    said = ff_here("tail", "--from", "start", "--until-idle", "--url", desk.url).stdout

    with desk.engine() as engine:
        assert said.count(" submitted") == engine.count_executions()


def test_a_tail_shows_submits_and_steps_while_they_happen(desk: Desk) -> None:
    command = [sys.executable, "-c", FF, "tail", "--from", "start", "--url", desk.url]
    tail = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    told: list[str] = []

    def hear(line: str) -> None:
        assert tail.stdout is not None
        while not told or told[-1] != line:
            told.extend(happened(tail.stdout.readline()))

    try:
        hear("charge held")  # from here on it follows
        with desk.engine() as engine:
            engine.create_execution("late", lane="late")
            hear("late submitted: lane late")
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["late"])
            engine.record_step(claimed.lease, "print", b"1")
            hear("late step: print, attempt 1")
            engine.record_step(claimed.lease, "send", b"1")
            engine.complete(claimed.lease)
            hear("late completed")
    finally:
        tail.kill()
        tail.communicate()

    assert [line for line in told if line.startswith("late ")] == [
        "late submitted: lane late",
        "late acquired: attempt 1, token 1, worker w-1",
        "late step: print, attempt 1",
        "late step: send, attempt 1",
        "late completed",
    ]


def test_a_line_of_a_tail_fits_the_terminal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    lines = ff_here("tail", "--from", "start", "--until-idle", "--url", desk.url).stdout.splitlines()

    assert max(map(len, lines)) <= 80
    assert any(desk.completed[-36:] in line and line.endswith("…") for line in lines)


REASON = "the customer has asked to wait until the bank has confirmed the transfer of Monday, so nobody is to touch it"


@pytest.mark.parametrize("columns", ["80", "120", "300"])
def test_a_reason_is_whole_however_narrow_the_terminal_is(
    desk: Desk, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk.engine() as engine:
        engine.hold(desk.waiting, reason=REASON)
        engine.pause_lane("mail", reason=REASON)
    monkeypatch.setenv("COLUMNS", columns)

    ended = ff_here(*["tail", "--from", "start", "--until-idle", "--channel", "operator", "--url"], desk.url)

    assert max(map(len, ended.stdout.splitlines())) <= int(columns)
    assert " ".join(ended.stdout.split()).count(f"reason {REASON}") == 2
    assert "lane_paused: lane mail" in ended.stdout


def test_other_details_give_way_to_the_reason(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with desk.engine() as engine:
        engine.cancel_flow(desk.flow, reason="it is withdrawn")
    monkeypatch.setenv("COLUMNS", "120")

    ended = ff_here(*["tail", "--from", "start", "--until-idle", "--channel", "operator", "--url"], desk.url)

    last = ended.stdout.splitlines()[-1]
    assert "film flow_cancel_requested: reason it is withdrawn, " in last
    assert last.endswith("…")


def test_a_lease_that_expired_does_not_look_like_an_execution_that_did(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    clock = ManualClock()
    with open_blocking_engine(url, clock=clock, reconcile=False, migrate=True) as engine:
        job = engine.create_execution("charge").execution_id
        engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=1_000)
        clock.advance(5_000)
        engine.reconcile()

    assert "  lease expired" in ff_here("show", job, "--url", url).stdout
    tail = ff_here("tail", "--from", "start", "--until-idle", "--url", url)
    assert "charge lease expired\n" in tail.stdout
    events = ff_here("tail", "--from", "start", "--until-idle", "--json", "--url", url).stdout.splitlines()
    assert [json.loads(line)["event_type"] for line in events] == ["acquired", "expired"]


# ── colours ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("call", ["ls", "flow show FLOW", "show ID", "tail --from start --until-idle"])
def test_states_have_colours_on_a_terminal(desk: Desk, call: str, tmp_path: Path) -> None:
    words = call.replace("FLOW", desk.flow).replace("ID", desk.completed).split()

    shown, _ = answered(tmp_path, "", *words, "--url", desk.url, NO_COLOR="")

    assert "\x1b[33mwaiting\x1b[0m" in shown or "\x1b[32mcompleted\x1b[0m" in shown
    assert "\x1b" not in ff_here(*words, "--url", desk.url).stdout


@pytest.mark.parametrize("variable", ["NO_COLOR=1", "TERM=dumb"])
def test_who_wants_no_colours_gets_none(desk: Desk, variable: str, tmp_path: Path) -> None:
    name, _, value = variable.partition("=")

    shown, code = answered(tmp_path, "", "ls", "--url", desk.url, **{name: value})

    assert code == 0
    assert desk.completed in shown
    assert ESCAPE.search(shown) is None


# ── again and again ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "call",
    ["ls", "show ID", "explain ID", "flow ls", "flow show FLOW", "lanes", "schedules", "workers", "stats", "doctor"],
)
def test_a_verb_that_looks_can_look_again_until_it_is_stopped(
    desk: Desk, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [*call.replace("FLOW", desk.flow).replace("ID", desk.waiting).split(), "--url", desk.url, "--json"]
    paused: list[float] = []

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(watching, "pause", pause)

    ended = ff_here(*words, "--watch")

    looks = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ended.returncode == Exit.INTERRUPTED
    assert looks[0].keys() == looks[1].keys() == json.loads(ff_here(*words).stdout).keys()
    assert paused == [watching.EVERY_S] * 2


def test_a_watch_goes_on_when_the_database_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with empty_store() as url, connected(the_server().url) as sql:
        paused: list[float] = []

        def pause(seconds: float) -> None:
            paused.append(seconds)
            if len(paused) == 3:
                raise KeyboardInterrupt
            is_back = len(paused) == 2
            sql.execute(f"alter database {name_in(url)} allow_connections {is_back}")

        monkeypatch.setattr(watching, "pause", pause)

        ended = ff_here("stats", "--json", "--watch", "--url", url)

    assert ended.returncode == Exit.INTERRUPTED
    assert len([json.loads(line) for line in ended.stdout.splitlines()]) == 2
    assert ended.stderr.startswith("ff: The database could not be opened: ")
    assert ended.stderr.count("\n") == 1


def test_a_watch_ends_when_the_first_look_finds_no_database() -> None:
    ended = ff_here("stats", "--watch", "--url", "postgresql://nobody@127.0.0.1:1/none")

    assert (ended.returncode, ended.stdout) == (Exit.NO_STORE, "")


# ── help ─────────────────────────────────────────────────────────────────────────────────────────


def test_help_tells_defaults_where_there_are_some() -> None:
    said = " ".join(ff_here("ls", "--help").stdout.split())

    assert "How many at most, up to 1000. [default: 50]" in said
    assert said.count("[default:") == 1


@pytest.mark.parametrize(("verb", "argument"), [("worker", "PROGRAM"), ("migrate", "URL | PROGRAM")])
def test_help_calls_an_argument_the_same_twice(verb: str, argument: str) -> None:
    said = ff_here(verb, "--help").stdout

    assert said.splitlines()[0].endswith(f"[{argument}]")
    assert f"│ {argument}  " in said
    assert "TARGET" not in said


@pytest.mark.parametrize(("verb", "takes"), [("cancel", "[ID...]"), ("submit", "KIND [ARGUMENTS]")])
def test_help_names_what_a_verb_takes(verb: str, takes: str) -> None:
    assert ff_here(verb, "--help").stdout.splitlines()[0] == f"Usage: ff {verb} [OPTIONS] {takes}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_be_taught_the_verbs(shell: str) -> None:
    script = ff_here("completion", shell).stdout

    assert "schedules" in script
    assert "--idempotency-key" in script or "idempotency-key" in script


def test_bash_accepts_the_script(tmp_path: Path) -> None:
    (tmp_path / "ff").write_text(ff_here("completion", "bash").stdout)

    ended = subprocess.run(
        ["bash", "-c", f"source {tmp_path}/ff && complete -p ff"], capture_output=True, text=True, timeout=WITHIN_S
    )

    assert ended.stdout.rstrip().endswith(" ff"), ended.stderr
