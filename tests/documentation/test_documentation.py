"""What the pages say is true: their code runs, what they name exists, and what exists is named."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import flowfabric
from flowfabric import (
    BlockingEngine,
    Claimed,
    Engine,
    EngineError,
    Event,
    ExecutionPolicy,
    FlowGraph,
    Lease,
    ManualClock,
    NewSchedule,
    RetryPolicy,
    open_blocking_engine,
)

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "conformance" / "README.md"]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "conformance" / "README.md"]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
IN_OTHER_LANGUAGES = sorted([*(ROOT / "examples").glob("*.go"), *(ROOT / "examples").glob("*.mjs")])
EXAMPLES_OF_TESTS = [example for example in EXAMPLES if example.name.startswith("test_")]
PROGRAMS = [example for example in EXAMPLES if example not in EXAMPLES_OF_TESTS]
ROOMS_THAT_REFUSE = ("domain", "engine", "reconcilers", "stores")
SOURCES = [source for room in ROOMS_THAT_REFUSE for source in (ROOT / "src" / "flowfabric" / room).rglob("*.py")]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAKE = re.compile(r"(?:^|`)make ([a-z-]+)", re.MULTILINE)


def words_in_docs() -> str:
    return "\n".join(page.read_text() for page in DOCS)


def program_in(page: Path) -> str:
    """The page's Python, with every other line blank, so that a traceback names the page's own lines."""
    text = page.read_text()
    program = re.sub(r"[^\n]", "", text)
    lines = program.split("\n")
    for block in FENCE.finditer(text):
        if block[1] == "python":
            first = text.count("\n", 0, block.start(2))
            code = block[2].split("\n")
            lines[first : first + len(code) - 1] = code[:-1]
    return "\n".join(lines)


def run(program: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", str(program)], cwd=folder, capture_output=True, text=True, timeout=60
    )


class Ran(NamedTuple):
    """How an example ended, what it said, and the files that it left behind."""

    returncode: int
    stdout: str
    stderr: str
    left: list[Path]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ran]:
    """Each example runs once, for all tests that read what it says."""

    @cache
    def ran(name: str) -> Ran:
        folder = tmp_path_factory.mktemp(name)
        ended = run(ROOT / "examples" / f"{name}.py", folder)
        return Ran(ended.returncode, ended.stdout, ended.stderr, list(folder.iterdir()))

    return ran


of_examples = pytest.mark.xdist_group("examples")


# The README has several programs; `test_readme.py` runs them as it says.
@pytest.mark.parametrize("page", [page for page in DOCS if program_in(page).strip()], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    program = tmp_path / f"page_{page.stem}.py"
    program.write_text(program_in(page))

    ended = run(program, tmp_path)

    assert ended.returncode == 0, ended.stderr


@of_examples
@pytest.mark.parametrize("example", [program.stem for program in PROGRAMS])
def test_an_example_ends_well_by_itself_and_says_what_it_did(example: str, ran: Callable[[str], Ran]) -> None:
    ended = ran(example)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout
    assert ended.left == []


@pytest.mark.parametrize("example", EXAMPLES_OF_TESTS, ids=lambda example: example.stem)
def test_an_example_of_tests_passes_under_pytest(example: Path, tmp_path: Path) -> None:
    (tmp_path / example.name).write_text(example.read_text())
    options = ["-p", "pytest_flowfabric", "-p", "no:cacheprovider", "-W", "error"]

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert ended.returncode == 0, ended.stdout
    assert " passed in " in ended.stdout


@of_examples
def test_the_greeting_is_retried_until_it_works(ran: Callable[[str], Ran]) -> None:
    ended = ran("hello")

    assert ended.stdout.count("nobody opens the door") == 2
    assert "submitted once: True" in ended.stdout
    assert "Hello, Ada!" in ended.stdout


@of_examples
def test_the_order_is_charged_once_and_the_late_attempt_is_refused(ran: Callable[[str], Ran]) -> None:
    ended = ran("order")

    assert ended.stdout.count("order 7: attempt 0 charges") == 1
    assert "order 7: attempt 1 charges" not in ended.stdout
    assert "order 7: attempt 1 ships" in ended.stdout
    assert "order 8: the bank refuses attempt 0" in ended.stdout
    assert ended.stdout.endswith("the bank took [990, 120]\n")


@of_examples
def test_the_film_is_published_with_two_subtitles_of_three_and_the_other_film_is_stopped(
    ran: Callable[[str], Ran],
) -> None:
    ended = ran("media_pipeline")

    assert ended.stdout.startswith(
        "metropolis: metropolis-480p.mp4, metropolis-720p.mp4, metropolis-1080p.mp4, "
        "metropolis-english.vtt, metropolis-french.vtt\nthe flow is completed\n"
    )
    assert "translate-3 is cancelled" in ended.stdout
    assert ended.stdout.endswith("cancelled: True\nthe flow is cancelled\n")


@of_examples
def test_the_first_mirror_that_answers_is_used_and_the_others_are_stopped(ran: Callable[[str], Ran]) -> None:
    ended = ran("hedged_calls")

    assert ended.stdout.count("cancelled sibling_quorum_satisfied") == 2
    # They are stopped as soon as they are not needed any more, so it may be before the rest is done, or after.
    lines = ended.stdout.splitlines()
    assert {"unpacked atlas.zip from oslo", "paris: stopped", "rome: stopped"} <= set(lines)


@of_examples
def test_the_shop_keeps_neither_order_nor_payment_of_a_request_that_failed(ran: Callable[[str], Ran]) -> None:
    ended = ran("fastapi_orders")

    assert ended.stdout == ("pen: 201; umbrella: 409, sold out\norder 1: 250 cents paid\norders: pen; payments: 1\n")


@of_examples
def test_a_link_decides_only_when_the_button_is_pressed_and_the_first_decision_counts(
    ran: Callable[[str], Ran],
) -> None:
    ended = ran("approval_by_mail")

    assert ended.stdout == (
        "a mail scanner opens the link: 200; decisions: 0\n"
        "somebody changes the link: 404\n"
        "the editor presses yes: <p>Publish article 7?</p><p>Recorded: yes</p>\n"
        "the editor presses yes: <p>Publish article 7?</p><p>Recorded: yes</p>\n"
        "the editor presses no: <p>Publish article 7?</p><p>Recorded: yes</p>\n"
        "article 7: yes (well done)\n"
    )


@of_examples
def test_the_agent_deletes_only_what_the_human_allows(ran: Callable[[str], Ran]) -> None:
    ended = ran("agent_asks_human")

    assert "agent: May I delete notes.txt? ann: yes\nagent: May I delete draft.txt? ann: no\n" in ended.stdout
    assert ended.stdout.endswith(
        "notes.txt is deleted\nann does not want me to delete draft.txt: I still need it\nleft: draft.txt\n"
    )


@of_examples
def test_the_crawler_reads_each_page_once_and_skips_what_is_not_there(ran: Callable[[str], Ran]) -> None:
    ended = ran("crawler")

    assert ended.stdout.startswith("4 pages, 25 words; the longest page is /books\n")
    assert ended.stdout.count("read_page  pages    completed") == 4
    assert ended.stdout.count("read_page  pages    failed") == 1


@of_examples
def test_a_webhook_that_comes_twice_counts_once_and_one_that_never_comes_is_not_waited_for(
    ran: Callable[[str], Ran],
) -> None:
    ended = ran("payment_webhook")

    assert ended.stdout == (
        "webhook evt_1: 200, Signalled\n"
        "webhook evt_1: 200, DuplicateSignal\n"
        "webhook evt_2: 404, nobody waits for order-9\n"
        "order-7: 990 cents are there, so it is sent\n"
        "order-8: nobody has paid, so nothing is sent\n"
    )


@of_examples
def test_three_workers_together_make_no_more_calls_than_the_service_allows(ran: Callable[[str], Ran]) -> None:
    ended = ran("shared_api")

    assert ended.stdout == "70 answers; Rome: sunny\n71 calls, 1 refused; more than 60 in 300ms: False\n"


@of_examples
def test_tenants_who_come_later_do_not_wait_for_all_letters_of_the_first_one(ran: Callable[[str], Ran]) -> None:
    ended = ran("fair_tenants")

    last = [int(number) for number in re.findall(r"the last letter was number (\d+)\n", ended.stdout)]
    most = re.search(r"most letters under way: (.*)\n", ended.stdout)
    assert ended.stdout.startswith("106 letters wait, 100 of them of one tenant\n")
    assert len(last) == 2
    assert max(last) <= 12  # nine are the turns; more if the worker has started them in another order
    assert most is not None
    assert max(map(int, re.findall(r"\d+", most[1]))) == 2
    assert ended.stdout.endswith("big: 0 of 6 in use\nann: 0 of 2 in use\n")


@of_examples
def test_two_readers_get_every_word_once_although_the_worker_is_killed(ran: Callable[[str], Ran]) -> None:
    ended = ran("streamed_answer")

    before = "Why is the sky blue? I have read two pages. "
    answer = (
        "Air scatters the short waves of light more than the long ones, and blue has short waves. (Rayleigh, 1871) "
    )
    lines = ended.stdout.splitlines()
    assert lines[0] == f"killed; ann has read: {before}Air scatters the short waves of light "
    assert sorted(lines[1:3]) == [f"{name}: attempt 2 begins, worker_lost; left: {before}" for name in ("ann", "ben")]
    assert lines[3:] == [f"ann: {before}{answer}", f"ben: {before}{answer}", "summary: {'source': 'Rayleigh, 1871'}"]


@of_examples
def test_the_stalled_worker_is_refused_by_ledger_and_engine(ran: Callable[[str], Ran]) -> None:
    ended = ran("pipeline_worker")

    assert "the ledger takes its effect: False" in ended.stdout
    assert "the engine refuses its result: execution_not_active" in ended.stdout


def test_every_duty_has_a_row() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", (ROOT / "docs" / "operating.md").read_text(), re.MULTILINE)

    with open_blocking_engine("memory://", reconcile=False) as engine:
        duties = engine.reconcile()

    assert sorted(duty for row in rows for duty in re.findall(r"`(\w+)`", row)) == sorted(duties)


def test_the_engine_in_twenty_lines_works_when_it_is_pasted_twice(tmp_path: Path) -> None:
    block = next(block[2] for block in FENCE.finditer((ROOT / "docs" / "embedding.md").read_text()))
    program = tmp_path / "hello.py"
    program.write_text(block)

    first, second = run(program, tmp_path), run(program, tmp_path)

    assert len(block.strip().split("\n")) <= 21
    assert first.returncode == second.returncode == 0
    assert first.stdout.startswith("completed b'Hello, Ada'\n1 lease acquired")


def test_the_readme_shows_two_targets() -> None:
    shell = "".join(block[2] for block in FENCE.finditer(README.read_text()) if block[1] == "sh")

    assert MAKE.findall(shell) == ["demo", "test"]


def test_every_make_target_that_is_mentioned_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    mentioned = {target for page in PAGES for target in MAKE.findall(page.read_text())}

    assert {"demo", "test", "check"} <= mentioned
    assert mentioned <= targets


def test_the_readme_names_every_page_and_every_example() -> None:
    words = README.read_text()

    folders = list((ROOT / "docs").glob("*/index.md"))
    others = [page for page in ROOT.glob("*.md") if page != README]
    named = [str(page.relative_to(ROOT)) for page in (*DOCS, *folders, *others)]
    assert [page for page in named if page not in words] == []
    examples = [f"examples/{example.name}" for example in (*EXAMPLES, *IN_OTHER_LANGUAGES)]
    assert [example for example in examples if example not in words] == []


def test_every_public_name_is_documented() -> None:
    words = words_in_docs()

    assert [name for name in flowfabric.__all__ if not re.search(rf"\b{name}\b", words)] == []


@pytest.mark.parametrize("engine", [Engine, BlockingEngine])
def test_every_method_of_the_engine_is_documented(engine: type) -> None:
    methods = [name for name, _ in inspect.getmembers(engine, inspect.isfunction) if not name.startswith("_")]

    words = words_in_docs()

    assert methods
    assert [name for name in methods if not re.search(rf"\b{name}\b", words)] == []


def test_every_error_and_its_code_has_a_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| \S", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE)

    errors = [getattr(flowfabric, name) for name in flowfabric.__all__ if _is_error(getattr(flowfabric, name))]

    assert sorted(rows) == sorted((error.__name__, error.code) for error in errors)


def test_every_code_that_is_given_to_an_error_by_hand_is_documented() -> None:
    given = {code for source in SOURCES for code in re.findall(r'\bcode="(\w+)"', source.read_text())}

    words = (ROOT / "docs" / "errors.md").read_text()

    assert "cursor_gone" in given
    assert [code for code in given if f"`{code}`" not in words] == []


def test_every_event_and_its_details_have_a_row() -> None:
    words = (ROOT / "docs" / "events.md").read_text()
    rows = {
        (channel, event_type, frozenset(re.findall(r"`(\w+)`", details)))
        for channel, event_type, details in re.findall(
            r"^\|[^|]+\| `(\w+)` \| `(\w+)` \|([^|]*)\|$", words, re.MULTILINE
        )
    }

    written = {(event.channel, event.event_type, frozenset(event.details)) for event in _one_of_each()}

    assert written == rows


def _one_of_each() -> Sequence[Event]:
    """A story in which everything happens that writes an event."""
    clock = ManualClock()
    once_more = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=0))
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:

        def claimed(**options: Any) -> Claimed:
            engine.create_execution("a", **options)
            (found,) = engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=1_000)
            return found

        done = claimed()
        engine.complete(done.lease)
        engine.replay_execution(done.execution_id)
        (again,) = engine.claim(worker_id="w", worker_instance_id="w-1")
        engine.fail(again.lease, code="b")
        engine.fail(claimed(policy=once_more).lease, code="b")
        engine.complete(engine.claim(worker_id="w", worker_instance_id="w-1")[0].lease)
        for give_back in (engine.release, lambda lease: engine.delay(lease, until_ms=clock.now_ms)):
            held = claimed()
            give_back(held.lease)
            engine.hold(held.execution_id)
            engine.unhold(held.execution_id)
            engine.change_priority(held.execution_id, 1)
            engine.cancel_execution(held.execution_id, reason="c")
        revoked = claimed()
        engine.revoke_lease(revoked.execution_id)
        engine.cancel_execution(revoked.execution_id, reason="c")
        _everything_that_happens_to_waits(engine, claimed, clock)
        _everything_that_happens_to_flows(engine)
        engine.pause_lane("mail")
        engine.resume_lane("mail")
        engine.fire_schedule(NewSchedule(name="nightly", kind="report", every_ms=86_400_000))
        engine.run_schedule("nightly")
        _everything_that_happens_to_limits_and_budgets(engine, claimed().lease)
        _everything_that_happens_to_tokens(engine)
        claimed(deadline_at_ms=clock.now_ms + 1_500)
        clock.advance(1_000)
        engine.reconcile()
        clock.advance(500)
        engine.reconcile()
        return engine.read_events().events


def _everything_that_happens_to_tokens(engine: BlockingEngine) -> None:
    token = engine.create_access_token("viewer")
    session = engine.log_in(token.secret)
    assert session is not None
    engine.log_out(session.secret)
    engine.revoke_access_token(token.token.token_id, reason="c")


def _everything_that_happens_to_waits(
    engine: BlockingEngine, claimed: Callable[..., Claimed], clock: ManualClock
) -> None:
    answered, resumed, escalated = claimed().lease, claimed().lease, claimed().lease
    engine.suspend(answered, "editor", "editor")
    engine.signal(answered.execution_id, "editor")
    engine.close_waitpoint(answered.execution_id, "editor", reason="c")
    engine.suspend(resumed, "editor", "editor")
    engine.resume_execution(resumed.execution_id, reason="c")
    engine.suspend(escalated, "editor", "editor", timeout_ms=1, on_timeout="escalate")
    clock.advance(1)
    engine.reconcile()
    for lease in (answered, resumed, escalated):
        engine.cancel_execution(lease.execution_id, reason="c")


def _everything_that_happens_to_limits_and_budgets(engine: BlockingEngine, lease: Lease) -> None:
    engine.set_limit("openai", rate=60)
    engine.pause_limit("openai", for_ms=1)
    engine.take_slot(lease, "openai", park=True)
    engine.cancel_execution(lease.execution_id, reason="c")
    engine.set_limit("openai", key="k", concurrency=1)
    engine.pause_limit("openai", "k", for_ms=1)
    engine.remove_limit("openai", key="k")
    engine.remove_limit("openai")
    engine.set_budget("team", limits={"usd": 10}, soft_limits={"usd": 5})
    engine.charge_budget("team", {"usd": 12}, reason="c")
    engine.reset_budget("team")


def _everything_that_happens_to_flows(engine: BlockingEngine) -> None:
    done, failed, cancelled = (FlowGraph("f") for _ in range(3))
    for graph in (done, failed, cancelled):
        graph.edge(graph.node("first", "a"), graph.node("last", "a"))

    members = engine.submit_flow(done).execution_ids
    for _ in members:
        engine.complete(engine.claim(worker_id="w", worker_instance_id="w-1")[0].lease)
    engine.replay_execution(members["last"])
    engine.complete(engine.claim(worker_id="w", worker_instance_id="w-1")[0].lease)

    engine.submit_flow(failed)
    engine.fail(engine.claim(worker_id="w", worker_instance_id="w-1")[0].lease, code="b")

    flow_id = engine.submit_flow(cancelled).flow_id
    (spared,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    engine.cancel_flow(flow_id, reason="c", policy="cancel_pending")
    engine.fail(spared.lease, code="b")


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, EngineError)
