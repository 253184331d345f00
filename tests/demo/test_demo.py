import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from flowfabric import PublicState, StreamFrame
from flowfabric.demo.__main__ import main, show, tell
from flowfabric.demo.film import Drawn, Picture
from flowfabric.demo.ledger import Effect, Ledger
from flowfabric.demo.notes import Notebook, Ran, Refusal, notes_in
from flowfabric.demo.proof import Claim, Evidence, claims, verdict
from flowfabric.demo.reader import text_of
from flowfabric.demo.screen import Screen
from flowfabric.demo.shop import CHARGE, CHECK, ENOUGH, GREET, PACK, PARTS, PUBLISH, RETURN, SPLIT, Order, Shop
from flowfabric.domain.flow import FlowState
from tests.runtime.working import WAIT_S_MAX, run, seen, working

DEMO = [sys.executable, "-m", "flowfabric.demo"]

# In one process, so that the story is told once.
pytestmark = pytest.mark.xdist_group("demo")


class Listener(Screen):
    """Remembers what it was told and shown, and shows it on the poorest terminal."""

    def __init__(self) -> None:
        self._paper = TextIOWrapper(BytesIO(), "ascii")
        super().__init__(Console(file=self._paper, width=40, highlight=False))
        self.said: list[str] = []
        self.pictures: list[Picture] = []
        self.heard: list[str] = []

    def say(self, what: str) -> None:
        self.said.append(what)
        super().say(what)

    @contextmanager
    def drawing(self) -> Iterator[Callable[[Picture], None]]:
        with super().drawing() as draw:

            def keep(picture: Picture) -> None:
                self.pictures.append(picture)
                draw(picture)

            yield keep

    @contextmanager
    def live(self) -> Iterator[Callable[[str], None]]:
        with super().live() as show:

            def keep(text: str) -> None:
                self.heard.append(text)
                show(text)

            yield keep

    @property
    def lines(self) -> list[str]:
        """All that is on the terminal."""
        self._paper.seek(0)
        return self._paper.read().splitlines()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Listener, Evidence]:
    folder = tmp_path_factory.mktemp("demo")
    listener = Listener()
    return listener, tell(f"sqlite:///{folder / 'demo.db'}", folder, listener)


@pytest.fixture(scope="module")
def evidence(told: tuple[Listener, Evidence]) -> Evidence:
    return told[1]


def test_the_last_line_says_what_was_proven_on_the_poorest_terminal(told: tuple[Listener, Evidence]) -> None:
    listener, evidence = told

    holds = show(evidence, listener)

    lines = listener.lines
    assert holds
    assert all(len(line) <= 40 for line in lines[:-1])
    assert any("kill -9 ada" in line for line in lines)
    assert lines.count("film: completed") == 1
    assert lines[-1].startswith("PROVEN: 61 executions, 62 outcomes")


def test_an_unknown_store_is_named_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--store", "clay"])

    shown = capsys.readouterr()
    assert code == 2
    assert shown.out == ""
    assert shown.err == "The demo does not know the store 'clay'; use --store sqlite or --store postgres.\n"


def test_an_interrupted_demo_leaves_no_worker_and_no_folder_behind(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        DEMO,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        # A run in the background ignores interrupts, and so would everything that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert demo.stdout is not None
    told = ""
    while "kill -9" not in told:
        told = demo.stdout.readline().decode()
    workers = _children_of(demo.pid)

    demo.send_signal(signal.SIGINT)

    rest = demo.stdout.read().decode()
    demo.stdout.close()
    assert demo.wait(timeout=20) == 130, rest
    assert workers
    assert not any(_is_running(pid) for pid in workers)
    assert list(tmp_path.iterdir()) == []


def test_what_the_story_left_behind_speaks_against_no_claim(evidence: Evidence) -> None:
    found = claims(evidence)

    assert [objection for claim in found for objection in claim.against] == []
    assert verdict(evidence, found).startswith("PROVEN")


def _lose_an_event(e: Evidence) -> Evidence:
    first = e.events_of(e.roles.replayed)[1]
    return replace(e, events=[event for event in e.events if event is not first])


def _end_twice(e: Evidence) -> Evidence:
    last = e.events_of(e.roles.moved, "completed")[-1]
    return replace(e, events=[*e.events, replace(last, seq=last.seq + 1)])


def _lose_an_outcome(e: Evidence) -> Evidence:
    gone = e.events_of(e.roles.cancelled, "cancelled")[0]
    return replace(e, events=[event for event in e.events if event is not gone])


def _lease_under_an_old_epoch(e: Evidence) -> Evidence:
    old, new = e.events_of(e.roles.revoked, "acquired")
    changed = replace(new, details={**new.details, "lease_epoch": old.details["lease_epoch"]})
    return replace(e, events=[changed if event is new else event for event in e.events])


def _leave_an_orphan(e: Evidence) -> Evidence:
    orphan = e.roles.orphans[0]
    return replace(e, attempts={**e.attempts, orphan: e.attempts[orphan][:1]})


def _let_the_late_charge_through(e: Evidence) -> Evidence:
    return replace(e, effects=[replace(effect, accepted=True) for effect in e.effects])


def _charge_what_was_cancelled(e: Evidence) -> Evidence:
    return replace(e, effects=[*e.effects, Effect(e.roles.cancelled, 1, "ada", True)])


def _charge_under_another_token(e: Evidence) -> Evidence:
    return replace(e, effects=[replace(effect, token=effect.token + 1) for effect in e.effects])


def _let_the_late_step_through(e: Evidence) -> Evidence:
    return replace(e, notes=[note for note in e.notes if not isinstance(note, Refusal)])


def _pack_an_orphan_again(e: Evidence) -> Evidence:
    orphan = e.roles.orphans[0]
    return replace(e, notes=[*e.notes, Ran(orphan, e.attempts[orphan][-1].lease_epoch, PACK)])


def _store_a_step_that_never_ran(e: Evidence) -> Evidence:
    return replace(e, notes=[note for note in e.notes if note.execution_id != e.roles.moved])


def _forget_a_step(e: Evidence) -> Evidence:
    return replace(e, steps={**e.steps, e.roles.moved: e.steps[e.roles.moved][:1]})


def _let_another_worker_pack_an_orphan(e: Evidence) -> Evidence:
    orphan = e.roles.orphans[0]
    later = [replace(step, attempt_index=1) for step in e.steps[orphan]]
    again = Ran(orphan, e.attempts[orphan][1].lease_epoch, PACK)
    return replace(e, steps={**e.steps, orphan: later}, notes=[*e.notes, again])


def _let_the_killed_worker_charge(e: Evidence) -> Evidence:
    orphan = e.roles.orphans[0]
    return replace(e, effects=[Effect(orphan, e.attempts[orphan][0].lease_epoch, "ada", True), *e.effects])


def _run_what_was_cancelled(e: Evidence) -> Evidence:
    claimed = e.events_of(e.roles.moved, "acquired")[0]
    return replace(e, events=[*e.events, replace(claimed, execution_id=e.roles.cancelled)])


def _claim_the_moved_one_last(e: Evidence) -> Evidence:
    moved = e.events_of(e.roles.moved, "acquired")
    return replace(e, events=[*(event for event in e.events if event not in moved), *moved])


def _forget_the_replay(e: Evidence) -> Evidence:
    x = replace(e.executions[e.roles.replayed], replay_count=0)
    return replace(e, executions={**e.executions, e.roles.replayed: x})


@pytest.mark.parametrize(
    "tampered",
    [
        _lose_an_event,
        _end_twice,
        _lose_an_outcome,
        _lease_under_an_old_epoch,
        _leave_an_orphan,
        _let_the_late_charge_through,
        _charge_what_was_cancelled,
        _charge_under_another_token,
        _let_the_late_step_through,
        _run_what_was_cancelled,
        _claim_the_moved_one_last,
        _forget_the_replay,
    ],
)
def test_evidence_to_the_contrary_is_noticed(evidence: Evidence, tampered: Callable[[Evidence], Evidence]) -> None:
    changed = tampered(evidence)

    found = claims(changed)

    assert any(claim.against for claim in found)
    assert verdict(changed, found).startswith("NOT PROVEN")


@pytest.mark.parametrize(
    "tampered",
    [
        _pack_an_orphan_again,
        _store_a_step_that_never_ran,
        _forget_a_step,
        _let_another_worker_pack_an_orphan,
        _let_the_killed_worker_charge,
    ],
)
def test_evidence_against_the_steps_is_noticed(evidence: Evidence, tampered: Callable[[Evidence], Evidence]) -> None:
    changed = tampered(evidence)

    found = claims(changed)

    assert _the_steps(claims(evidence)).against == []
    assert _the_steps(found).against


def _the_steps(found: list[Claim]) -> Claim:
    (claim,) = (claim for claim in found if "stored steps" in claim.sentence)
    return claim


def _the_approval(found: list[Claim]) -> Claim:
    (claim,) = (claim for claim in found if "for an approval" in claim.sentence)
    return claim


def _approve_twice(e: Evidence) -> Evidence:
    return replace(e, events=[*e.events, *e.events_of(e.roles.approved, "delivered")])


def _let_another_approve(e: Evidence) -> Evidence:
    (given,) = e.events_of(e.roles.approved, "delivered")
    other = replace(given, details={**given.details, "source_identity": "eve"})
    return replace(e, events=[other if event is given else event for event in e.events])


def _go_on_without_waiting(e: Evidence) -> Evidence:
    waits = e.events_of(e.roles.approved, "suspended", "resumed")
    return replace(e, events=[event for event in e.events if event not in waits])


def _keep_the_lease_while_it_waits(e: Evidence) -> Evidence:
    _, second = e.events_of(e.roles.approved, "acquired")
    changed = replace(second, details={**second.details, "claim_type": "retry"})
    return replace(e, events=[changed if event is second else event for event in e.events])


def _check_the_refund_again(e: Evidence) -> Evidence:
    return replace(e, notes=[*e.notes, Ran(e.roles.approved, 2, CHECK)])


def _give_no_money_back(e: Evidence) -> Evidence:
    return replace(e, notes=[note for note in e.notes if note.step != RETURN])


def _use_up_an_attempt_for_the_wait(e: Evidence) -> Evidence:
    key = e.roles.approved
    return replace(e, attempts={**e.attempts, key: [*e.attempts[key], *e.attempts[key]]})


def _kill_before_it_waits(e: Evidence) -> Evidence:
    return replace(e, roles=replace(e.roles, killed_at_ms=1))


@pytest.mark.parametrize(
    "tampered",
    [
        _approve_twice,
        _let_another_approve,
        _go_on_without_waiting,
        _keep_the_lease_while_it_waits,
        _check_the_refund_again,
        _give_no_money_back,
        _use_up_an_attempt_for_the_wait,
        _kill_before_it_waits,
    ],
)
def test_evidence_against_the_approval_is_noticed(evidence: Evidence, tampered: Callable[[Evidence], Evidence]) -> None:
    changed = tampered(evidence)

    found = claims(changed)

    assert _the_approval(claims(evidence)).against == []
    assert _the_approval(found).against


def test_the_refund_waits_for_the_whole_story_and_is_approved_at_its_end(told: tuple[Listener, Evidence]) -> None:
    listener, _ = told

    (waits,) = [number for number, line in enumerate(listener.said) if "waits for an approval" in line]
    (killed,) = [number for number, line in enumerate(listener.said) if line.startswith("kill -9 ada")]
    (approved,) = [number for number, line in enumerate(listener.said) if line.startswith("ff approve --as mia")]
    assert waits < killed < approved


def _the_reader(found: list[Claim]) -> Claim:
    (claim,) = (claim for claim in found if "1 reader of live output" in claim.sentence)
    return claim


def _heard(e: Evidence, frames: Iterable[StreamFrame]) -> Evidence:
    return replace(e, roles=replace(e.roles, heard=list(frames)))


def _lose_a_word(e: Evidence) -> Evidence:
    return replace(e, counting=[*e.counting[:3], *e.counting[4:]])


def _say_a_word_twice(e: Evidence) -> Evidence:
    return replace(e, counting=[*e.counting[:3], *e.counting[2:]])


def _say_nothing(e: Evidence) -> Evidence:
    return replace(e, counting=[])


def _miss_a_word(e: Evidence) -> Evidence:
    return _heard(e, e.roles.heard[:-1])


def _read_a_word_twice(e: Evidence) -> Evidence:
    return _heard(e, [*e.roles.heard, e.roles.heard[-1]])


def _send_no_restart(e: Evidence) -> Evidence:
    return _heard(e, [frame for frame in e.roles.heard if frame.kind != "restart"])


def _read_only_after_the_kill(e: Evidence) -> Evidence:
    (restart,) = (place for place, frame in enumerate(e.roles.heard) if frame.kind == "restart")
    return _heard(e, [e.roles.heard[0], *e.roles.heard[restart:]])


def _blame_a_failure(e: Evidence) -> Evidence:
    return _heard(
        e,
        [
            replace(frame, payload=frame.payload.replace(b"worker_lost", b"retried"))
            if frame.kind == "restart"
            else frame
            for frame in e.roles.heard
        ],
    )


def _greet_again(e: Evidence) -> Evidence:
    later = [replace(frame, attempt_index=1) if frame.step == GREET else frame for frame in e.counting]
    return _heard(replace(e, counting=later), [later[0], *e.roles.heard[1:]])


def _lose_words_of_the_second_attempt(e: Evidence) -> Evidence:
    return replace(e, said=[*e.said, replace(e.said[-1], seq=e.said[-1].seq + 1)])


@pytest.mark.parametrize(
    "tampered",
    [
        _lose_a_word,
        _say_a_word_twice,
        _say_nothing,
        _miss_a_word,
        _read_a_word_twice,
        _send_no_restart,
        _read_only_after_the_kill,
        _blame_a_failure,
        _greet_again,
        _lose_words_of_the_second_attempt,
    ],
)
def test_evidence_against_the_reader_is_noticed(evidence: Evidence, tampered: Callable[[Evidence], Evidence]) -> None:
    changed = tampered(evidence)

    found = claims(changed)

    assert _the_reader(claims(evidence)).against == []
    assert _the_reader(found).against


def test_the_commentary_is_shown_while_it_is_said_and_starts_over_after_the_kill(
    told: tuple[Listener, Evidence],
) -> None:
    listener, evidence = told

    starts_over = [place for place, (one, next_one) in enumerate(pairwise(listener.heard), 1) if one > next_one]

    grown, again = listener.heard[: starts_over[0]], listener.heard[starts_over[0] :]
    assert len(starts_over) == 1
    assert all(later.startswith(earlier) for part in (grown, again) for earlier, later in pairwise(part))
    assert len(set(grown)) > 2
    assert len(set(again)) > 2
    assert again[-1] == text_of(evidence.counting)


def test_a_terminal_shows_the_end_of_a_growing_text_on_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown, file = StringIO(), StringIO()

    for console in (
        Console(file=shown, force_terminal=True, width=20, color_system=None),
        Console(file=file, width=20),
    ):
        screen = Screen(console)
        with screen.live() as show:
            show("one two")
            show("one two three four five")
            screen.say("hello")

    lines = [line for line in shown.getvalue().replace("\x1b[2K", "").splitlines() if line.strip()]
    assert "live: one two" in shown.getvalue()
    assert "two three four five" in shown.getvalue()
    assert max(len(re.sub(r"\x1b\[[0-9?]*[A-Za-z]|\r", "", line)) for line in lines) <= 20
    assert file.getvalue().split() == ["0.0", "s", "hello"]


def _the_join(found: list[Claim]) -> Claim:
    (claim,) = (claim for claim in found if "a join of" in claim.sentence)
    return claim


def _lost_part(e: Evidence) -> str:
    return next(key for key in e.roles.members.values() if e.executions[key].public_state == "cancelled")


def _encode_another_part(e: Evidence) -> Evidence:
    lost = _lost_part(e)
    return replace(e, executions={**e.executions, lost: replace(e.executions[lost], public_state="completed")})


def _wait_for_one_part_more_than_needed(e: Evidence) -> Evidence:
    more = _encode_another_part(_satisfy_another_edge(e))
    parts = [name for name in PARTS if more.executions[e.roles.members[name]].public_state == "completed"]
    groups = [
        replace(group, success_count=group.success_count + 1, fail_count=group.fail_count - 1)
        for group in e.film.groups
        if group.total == len(PARTS)
    ]
    return replace(more, published=msgspec.json.encode(parts), film=replace(e.film, groups=groups))


def _cancel_a_part_on_a_whim(e: Evidence) -> Evidence:
    lost = _lost_part(e)
    return replace(e, executions={**e.executions, lost: replace(e.executions[lost], cancellation_reason="a whim")})


def _publish_another_part(e: Evidence) -> Evidence:
    return replace(e, published=msgspec.json.encode([*PARTS[: ENOUGH - 1], e.roles.names[_lost_part(e)]]))


def _publish_nothing(e: Evidence) -> Evidence:
    return replace(e, published=None)


def _publish_too_early(e: Evidence) -> Evidence:
    (start,) = e.events_of(e.roles.members[PUBLISH], "acquired")
    return replace(e, events=[replace(event, event_id=0) if event is start else event for event in e.events])


def _publish_twice(e: Evidence) -> Evidence:
    return replace(e, events=[*e.events, *e.events_of(e.roles.members[PUBLISH], "acquired")])


def _miscount(e: Evidence) -> Evidence:
    groups = [replace(group, success_count=group.success_count + 1) for group in e.film.groups]
    return replace(e, film=replace(e.film, groups=groups))


def _satisfy_another_edge(e: Evidence) -> Evidence:
    lost = _lost_part(e)
    return replace(e, edges=[replace(edge, state="satisfied") if edge.upstream == lost else edge for edge in e.edges])


def _fail_the_flow(e: Evidence) -> Evidence:
    return replace(e, film=replace(e.film, state="failed"))


def _end_the_flow_twice(e: Evidence) -> Evidence:
    return replace(e, events=[*e.events, *(event for event in e.events if event.event_type == "flow_completed")])


@pytest.mark.parametrize(
    "tampered",
    [
        _encode_another_part,
        _wait_for_one_part_more_than_needed,
        _cancel_a_part_on_a_whim,
        _publish_another_part,
        _publish_nothing,
        _publish_too_early,
        _publish_twice,
        _miscount,
        _satisfy_another_edge,
        _fail_the_flow,
        _end_the_flow_twice,
    ],
)
def test_evidence_against_the_join_is_noticed(evidence: Evidence, tampered: Callable[[Evidence], Evidence]) -> None:
    changed = tampered(evidence)

    found = claims(changed)

    assert _the_join(claims(evidence)).against == []
    assert _the_join(found).against


def test_the_film_is_drawn_while_it_is_made(told: tuple[Listener, Evidence]) -> None:
    listener, evidence = told

    pictures = listener.pictures

    assert [picture.is_over for picture in pictures] == [False] * (len(pictures) - 1) + [True]
    assert all(earlier.parts_there <= later.parts_there for earlier, later in pairwise(pictures))
    assert any(node.state == "active" for picture in pictures for node in picture.nodes.values())
    assert {name: node.state for name, node in pictures[-1].nodes.items()} == {
        name: evidence.executions[key].public_state for name, key in evidence.roles.members.items()
    }


def _a_picture(state: FlowState, of_steps: PublicState, percent: int) -> Picture:
    return Picture(state, 0, {name: Drawn(name, of_steps, percent, "ada") for name in (SPLIT, *PARTS, PUBLISH)})


def _drawn_on(console: Console) -> None:
    with Screen(console).drawing() as draw:
        draw(_a_picture("open", "waiting_children", 0))
        draw(_a_picture("completed", "completed", 100))


def test_a_terminal_shows_each_picture_over_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    shown = StringIO()

    _drawn_on(Console(file=shown, force_terminal=True, width=60, height=30, color_system=None))

    first, _, rest = shown.getvalue().partition("film: completed")
    assert "film: open" in first
    assert f"publish waits, 0 of {ENOUGH} there" in first
    assert first.endswith("\x1b[1A\x1b[2K")
    assert "publish ########## completed ada" in rest


def test_a_file_gets_the_last_picture_only_and_no_control_characters() -> None:
    shown = StringIO()

    _drawn_on(Console(file=shown, width=40))

    first, *_, last, nothing = shown.getvalue().split("\n")
    assert first == "film: completed"
    assert last.endswith("publish ########## completed ada")
    assert nothing == ""
    assert "\x1b" not in shown.getvalue()


def test_an_order_that_is_cancelled_while_it_is_packed_is_not_charged(tmp_path: Path) -> None:
    shop = Shop("memory://", tmp_path, "ada")

    async def main() -> str:
        async with working(shop.ff, lease="1s"):
            handle = await shop.charge.submit(Order("order-01", pack_ms=600_000))
            await seen(handle.state, lambda state: state == "active")
            await handle.cancel("the customer changed her mind")
            return await handle.state()

    # The worker stops before its grace is over, because the packing was told to.
    assert run(main) == "cancelled"
    assert shop.ledger.effects() == []


def test_a_charge_under_a_lease_that_is_over_is_refused_by_the_ledger_and_its_step_by_the_engine(
    tmp_path: Path,
) -> None:
    shop = Shop("memory://", tmp_path, "ada")

    async def main() -> str:
        async with working(shop.ff, lease="10m"):
            handle = await shop.charge.submit(Order("order-01", pack_ms=0, charge_ms=300))
            await seen(handle.describe, lambda x: x.progress_percent == 50)
            await (await shop.ff.engine()).revoke_lease(handle.execution_id, reason="it takes so long")
            shop.ledger.write(handle.execution_id, token=3, worker="bea")
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "parcel of order-01, paid"
    # The two attempts run at once after the lease was revoked: on a busy machine, either may be the first to write.
    first, *others = [(effect.token, effect.accepted) for effect in shop.ledger.effects()]
    assert (first, sorted(others)) == ((3, True), [(1, False), (3, True)])
    packed, *charged = [(note.step, note.token) for note in notes_in(tmp_path) if isinstance(note, Ran)]
    assert (packed, sorted(charged)) == ((PACK, 1), [(CHARGE, 1), (CHARGE, 3)])
    assert [(note.step, note.token) for note in notes_in(tmp_path) if isinstance(note, Refusal)] == [(CHARGE, 1)]


def test_a_worker_of_the_demo_stops_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    shop = Shop(f"sqlite:///{tmp_path / 'demo.db'}", tmp_path)
    command = [sys.executable, "-m", "flowfabric.cli", "worker", "flowfabric.demo.worker:ff"]
    starter = (
        "import subprocess, sys, time; child = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True); "
        "print(child.pid, child.stderr.readline(), flush=True); time.sleep(60)"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", starter, *command],
        stdout=subprocess.PIPE,
        env={**os.environ, **shop.address_for("ada")},
    )
    assert started.stdout is not None
    pid = int(started.stdout.readline().split()[0])

    started.kill()

    try:
        # The worker has the same standard output: once it is at its end, both are gone.
        started.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.kill(pid, signal.SIGKILL)
        raise
    assert started.returncode == -signal.SIGKILL


def test_notes_of_all_workers_are_read_in_the_order_of_each(tmp_path: Path) -> None:
    ada, bea = Notebook(tmp_path / "ada.notes"), Notebook(tmp_path / "bea.notes")
    bea.write(Ran("a", 1, PACK))
    ada.write(Ran("b", 1, PACK))
    ada.write(Refusal("b", 1, PACK, "stale_lease"))

    found = notes_in(tmp_path)

    assert found == [Ran("b", 1, PACK), Refusal("b", 1, PACK, "stale_lease"), Ran("a", 1, PACK)]


def test_the_ledger_refuses_a_token_lower_than_one_it_has_seen(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    ledger.write("a", token=3, worker="bea")

    late, other, same, next_one = (
        ledger.write("a", token=1, worker="ada"),
        ledger.write("b", token=1, worker="ada"),
        ledger.write("a", token=3, worker="bea"),
        ledger.write("a", token=5, worker="cyd"),
    )

    assert (late, other, same, next_one) == (False, True, True, True)
    assert [effect.token for effect in ledger.effects() if effect.accepted] == [3, 1, 3, 5]


def _children_of(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in listed.stdout.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == pid]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
