"""What is wrong is answered with one sentence on standard error and the exit code of its kind, whatever the verb."""

import io
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from flowfabric.cli.exits import Exit
from flowfabric.cli.hints import VERBS_MEANT
from flowfabric.cli.program import ff as program
from tests.cli.desk import UNKNOWN, UNKNOWN_FLOW, Desk, a_desk
from tests.cli.running import FF, WITHIN_S, Ended, ff, ff_here
from tests.postgres_server import connected, empty_database, empty_store
from tests.stores_under_test import SHARED_STORES

ANY_CALL = {
    "ls": "ls",
    "show": f"show {UNKNOWN}",
    "explain": f"explain {UNKNOWN}",
    "logs": f"logs {UNKNOWN}",
    "tail": "tail --from start --until-idle",
    "workers": "workers",
    "flow ls": "flow ls",
    "flow show": f"flow show {UNKNOWN_FLOW}",
    "flow cancel": f"flow cancel {UNKNOWN_FLOW}",
    "flow replay": f"flow replay {UNKNOWN_FLOW}",
    "lanes": "lanes",
    "stats": "stats",
    "lanes pause": "lanes pause mail",
    "lanes resume": "lanes resume mail",
    "schedules": "schedules",
    "schedules pause": "schedules pause nightly",
    "schedules resume": "schedules resume nightly",
    "schedules run": "schedules run nightly",
    "schedules forget": "schedules forget nightly",
    "submit": "submit charge",
    "purge": "purge --older 30d --yes",
    "cancel": f"cancel {UNKNOWN}",
    "revoke": f"revoke {UNKNOWN}",
    "priority": f"priority 5 {UNKNOWN}",
    "replay": f"replay {UNKNOWN}",
    "hold": f"hold {UNKNOWN}",
    "unhold": f"unhold {UNKNOWN}",
    "waiting": "waiting",
    "waitpoints": f"waitpoints {UNKNOWN}",
    "signal": f"signal {UNKNOWN} editor",
    "approve": f"approve {UNKNOWN} --as ann",
    "reject": f"reject {UNKNOWN} --as ann",
    "resume": f"resume {UNKNOWN}",
    "limits": "limits",
    "limits show": "limits show openai",
    "limits set": "limits set openai --concurrency 2",
    "limits pause": "limits pause openai eu 20s",
    "limits remove": "limits remove openai",
    "budgets": "budgets",
    "budgets show": "budgets show team",
    "budgets spending": "budgets spending team",
    "budgets set": "budgets set team --limit usd=5",
    "budgets charge": "budgets charge team usd=1 --reason bill",
    "budgets reset": "budgets reset team",
    "secrets list": "secrets list",
    "secrets rotate": "secrets rotate --yes",
    "tokens create": "tokens create --role viewer --expires 90d",
    "tokens list": "tokens list",
    "tokens revoke": f"tokens revoke {'a' * 12} --yes",
}
"""One call of each verb that needs a database; what those with ids are about is never there."""
ABOUT_SOMETHING = [verb for verb, call in ANY_CALL.items() if UNKNOWN in call or UNKNOWN_FLOW in call]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


@pytest.fixture(params=SHARED_STORES)
def desk_on(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with a_desk(request.param, tmp_path) as desk:
        yield desk


def is_one_sentence(ended: Ended) -> bool:
    return ended.stdout == "" and bool(
        re.fullmatch(r"ff: \S[^\n]*[.?](?: Try: ff(?: [a-z]+)* --help)?\n", ended.stderr)
    )


@pytest.mark.parametrize("call", [*ANY_CALL.values(), "clock accept", "doctor"])
def test_no_database_is_an_error_and_none_is_made(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    ended = ff_here(*call.split())

    assert ended.returncode == Exit.NO_STORE
    assert ended.stderr.startswith("ff: There is no database at flowfabric.db.")
    assert is_one_sentence(ended)
    assert list(tmp_path.iterdir()) == []


NEWEST = "where version = (select max(version) from ff_schema_version)"
OTHER_VERSIONS = {
    "newer": (
        "Upgrade flowfabric",
        f"update ff_schema_version set version = version + 1, compatible_from = version + 1 {NEWEST}",
    ),
    "older": ("Run `ff migrate`", f"delete from ff_schema_version {NEWEST}"),
}


@pytest.fixture(scope="module")
def other_versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, str], str]]:
    """Databases whose schema is not the one of this version, on each store."""
    with ExitStack() as stack:
        urls = {}
        for which, (_, change) in OTHER_VERSIONS.items():
            file = tmp_path_factory.mktemp(which) / "jobs.db"
            urls[which, "sqlite"] = f"sqlite:///{file}"
            ff_here("migrate", urls[which, "sqlite"], "--yes")
            with sqlite3.connect(file) as connection:
                connection.execute(change)
            connection.close()
            urls[which, "postgres"] = stack.enter_context(empty_store())
            with connected(urls[which, "postgres"]) as server:
                server.execute(change)
        yield urls


@pytest.mark.parametrize("store", SHARED_STORES)
@pytest.mark.parametrize("which", OTHER_VERSIONS)
@pytest.mark.parametrize("verb", ANY_CALL)
def test_a_database_of_another_version_is_left_alone(
    other_versions: dict[tuple[str, str], str], verb: str, which: str, store: str
) -> None:
    says, _ = OTHER_VERSIONS[which]

    ended = ff_here(*ANY_CALL[verb].split(), "--url", other_versions[which, store])

    assert ended.returncode == Exit.WRONG_SCHEMA
    assert says in ended.stderr
    assert is_one_sentence(ended)


def test_a_database_of_somebody_else_is_left_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "theirs.db"
    with sqlite3.connect(file) as connection:
        connection.execute("create table customers (name text)")
    connection.close()
    before = file.read_bytes()

    ended = ff_here("ls", "--url", f"sqlite:///{file}")

    assert ended.returncode == Exit.WRONG_SCHEMA
    assert is_one_sentence(ended)
    assert file.read_bytes() == before


@pytest.mark.parametrize("verb", ABOUT_SOMETHING)
def test_what_is_not_there_is_not_found(desk_on: Desk, verb: str) -> None:
    ended = ff_here(*ANY_CALL[verb].split(), "--url", desk_on.url)

    assert ended.returncode == Exit.NOT_FOUND
    assert ended.stderr.startswith("ff: There is no ")
    assert is_one_sentence(ended)


@pytest.mark.parametrize("verb", [verb for verb, call in ANY_CALL.items() if UNKNOWN in call])
def test_what_belongs_to_another_namespace_is_not_found(desk: Desk, verb: str) -> None:
    call = ANY_CALL[verb].replace(UNKNOWN, desk.waiting)

    ended = ff_here(*call.split(), "--url", desk.url, "--namespace", "elsewhere")

    assert ended.returncode == Exit.NOT_FOUND
    assert is_one_sentence(ended)


@pytest.mark.parametrize(
    ("call", "of", "says"),
    [
        ("cancel", "completed", "has already ended as completed"),
        ("priority 5", "active", "is active"),
        ("replay", "waiting", "has not ended"),
        ("hold", "completed", "is completed"),
        ("unhold", "active", "is active"),
    ],
)
def test_the_wrong_state_is_refused(desk_on: Desk, call: str, of: str, says: str) -> None:
    ended = ff_here(*call.split(), getattr(desk_on, of), "--url", desk_on.url)

    assert ended.returncode == Exit.NOT_DONE
    assert says in ended.stderr
    assert is_one_sentence(ended)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("nothing", 'Unknown command "nothing". Try: ff --help'),
        ("show", "Try: ff show --help"),
        ("flow nothing", 'Unknown command "nothing"'),
        ("show", "EXECUTION_ID is missing. An execution's id, or the uuid in it."),
        ("show {fp:300}:x", "partitions are 0 to 255"),
        ("show charge", "'charge' is not a uuid"),
        ("show 4f5ea782ace6", "Copy the whole id from `ff ls`."),
        ("cancel {fp:86}:01a1e2ad-f4d4", "Copy the whole id from `ff ls`."),
        ("flow show 4f5ea782ace6", "Copy the whole id from `ff flow ls`."),
        ("flow show charge", "'charge' is not a uuid"),
        ("cancel", "Choose executions by their ids, or by filters"),
        ("cancel {fp:86}:x --lane mail", "Choose executions by their ids, or by filters"),
        (
            "cancel --lane mail",
            "2 executions will be cancelled, and ff cannot ask, because its input is not a terminal",
        ),
        ("purge", "--older needs a value"),
        ("purge --older soon", "--older is 'soon'"),
        ("purge --older 0s", "ff cannot ask"),
        ("cancel {fp:86}:x", "is not a uuid"),
        ("priority high 1", "Invalid value"),
        ("ls --state running", 'Did you mean "active"?'),
        ("ls --state gone", '"skipped". Try: ff ls --help'),
        ("flow ls --state active", 'Did you mean "running"?'),
        ("restart ID", 'Unknown command "restart". Did you mean "replay"? Try: ff --help'),
        ("retry", 'Did you mean "replay"?'),
        ("kill", 'Did you mean "cancel" or "revoke"?'),
        ("deny", 'Did you mean "reject"?'),
        ("token", 'Did you mean "tokens list" or "waitpoints"?'),
        ("log", 'Did you mean "logs" or "tail"?'),
        ("ps", 'Did you mean "ls"?'),
        ("status", 'Did you mean "stats"?'),
        ("cancle", 'Did you mean "cancel"?'),
        ("flow kill", 'Did you mean "cancel"? There are: ls, show, cancel, replay. Try: ff flow --help'),
        ("ls --older soon", "--older is 'soon'"),
        ("ls --tag team", "'team' is not a tag"),
        ("ls --tag Team=x", "tag key"),
        ("ls --flow film", "'film' is not a uuid"),
        ("ls --lane " + "x" * 65, "lane is"),
        ("ls --limit 0", "limit is 0"),
        ("ls --cursor x", "not a cursor"),
        ("ls --colour", "Unknown option"),
        ("tail --from x", "--from is 'x'; write start, now, or the cursor"),
        ("tail --count 0", "--count is 0"),
        ("tail --channel gossip", "Invalid value"),
        ("flow cancel x --policy some", "Invalid value"),
        ("submit charge {", "The arguments are not JSON"),
        ("submit charge [7]", "The arguments must be a JSON object"),
        ('submit charge {"a":NaN}', "The arguments are not JSON"),
        ('submit charge {"a":"\\ud800"}', "The arguments are not JSON"),
        ('submit charge {"a":"\udcff"}', "The arguments are not JSON"),
        ('submit charge {"a":' + "[" * 5000 + "]" * 5000 + "}", "The arguments are not JSON"),
        ("submit charge --lanes", "Unknown option: --lanes"),
        ("submit charge --delay soon", "--delay is 'soon'"),
        ("submit charge --tag x", "'x' is not a tag"),
        ("lanes pause " + "x" * 65, "lane is"),
        ("waiting --limit 0", "limit is 0"),
        ("waiting --cursor x", "not a cursor"),
        ("waiting --key " + "x" * 257, "key is"),
        ("signal ID", "KEY is missing. The key of the waitpoint, such as editor; `ff waiting` shows it."),
        ("signal {fp:86}:x editor", "is not a uuid"),
        ("signal {fp:86}:x editor --data yes", "--data is not JSON"),
        ("signal {fp:86}:x editor --data --name", "--data is '--name'; write JSON"),
        ("approve ID", "--as needs a value. Who decides: the source of the signal."),
        ("approve {fp:86}:x --as", "Try: ff approve --help"),
        ("approve {fp:86}:x --as=", "--as needs a name"),
        ("limits set openai", "A limit needs concurrency or rate, or both."),
        ("limits set openai --concurrency 0", "concurrency is 0"),
        ("limits set openai --concurrency -1", "concurrency is -1"),
        ("limits set openai --concurrency 1.5", "--concurrency is '1.5'; write a whole number."),
        ("limits set openai --concurrency true", "--concurrency is 'true'; write a whole number."),
        ("limits set openai --rate 2.0", "--rate is '2.0'; write a whole number."),
        ("limits set openai --rate 9 --burst 99999999999999999999", "burst is 99999999999999999999"),
        ("limits set openai --rate 5 --per 0s", "--per is '0s'; it must be from 1ms to 366d."),
        ("limits set openai --rate 5 --per 9999d", "--per is '9999d'; it must be from 1ms to 366d."),
        ("limits set openai --rate 5 --per soon", "--per is 'soon'"),
        ("limits set openai --concurrency 1 --burst 5", "Give a rate, or leave burst out."),
        ("limits set " + "x" * 257 + " --concurrency 1", "name is 'xxx"),
        ("limits set openai --concurrency 1 --key " + "x" * 257, "key is 'xxx"),
        ("limits set ff.siblings-3 --concurrency 1", "belong to built-in limits"),
        ("limits pause openai", "KEY is missing."),
        ("limits pause openai eu", "TIME is missing."),
        ("limits pause openai eu 0s", "TIME is '0s'; it must be from 1ms to 366d."),
        ("limits pause openai eu 400d", "TIME is '400d'; it must be from 1ms to 366d."),
        ("limits --limit 0", "limit is 0"),
        ("limits --cursor x", "not a cursor"),
        ("budgets set team", "--limit needs a value"),
        ("budgets set team --limit usd=-1", "limits['usd'] is -1"),
        ("budgets set team --limit usd=1.5", "--limit is 'usd=1.5'; write a dimension and a whole number"),
        ("budgets set team --limit usd=5 --soft usd=6", "soft_limits['usd'] is 6, and the limit is 5"),
        ("budgets set team --limit usd=5 --period 0d", "period is '0d'; a span must be from 1 minute to 366 days"),
        ("budgets set team --limit usd=5 --timezone Mars", "timezone is 'Mars'"),
        ("budgets set team --limit usd=5 --parent team", "team → team is a ring"),
        ("budgets set team --limit usd=5 --on-exceeded stop", "Invalid value"),
        ("budgets charge team usd=1", "--reason needs a value"),
        ("budgets charge team usd=0 --reason bill", "amounts holds nothing but 0"),
        ("budgets spending team --by week", "Invalid value"),
        ("secrets", "Try: ff secrets --help"),
        ("secrets rotate", "A new secret will sign tokens, and ff cannot ask"),
        ("secrets rotate --yes --grace soon", "--grace is 'soon'"),
        ("secrets rotate --yes --kid Spring", "kid is 'Spring'"),
        ("tokens", "Try: ff tokens --help"),
        ("tokens create --expires 90d", "--role needs a value"),
        ("tokens create --role viewer", "--expires needs a value"),
        ("tokens create --role root --expires 90d", "Invalid value"),
        ("tokens create --role viewer --expires soon", "--expires is 'soon'"),
        ("tokens create --role viewer --expires 0s", "expires_in_ms is 0"),
        ("tokens create --role viewer --expires 90d --approves-own", "--approves-own is for --role approver"),
        ("tokens revoke", "is missing"),
        ("tokens revoke K5 --yes", "token_id is no id of an access token"),
        (
            "tokens revoke aaaaaaaaaaaa",
            "Token aaaaaaaaaaaa will be worthless, for everyone who uses it, and ff cannot ask",
        ),
        ("ls --app shops.tills:ff", "Run ff in the folder that holds shops/tills.py"),
        ("ls --url memory://", "memory:// is a database inside one process"),
        ("ls --url mysql://x", "names no store"),
    ],
)
def test_what_cannot_work_as_it_is_written_is_a_wrong_call(desk: Desk, call: str, says: str) -> None:
    url = [] if "--url" in call or "--app" in call else ["--url", desk.url]

    ended = ff_here(*call.split(), *url)

    assert ended.returncode == Exit.WRONG_CALL
    assert says in ended.stderr
    assert is_one_sentence(ended)


def test_words_of_other_tools_lead_to_verbs_that_there_are() -> None:
    for word, verbs in VERBS_MEANT.items():
        assert word not in program
        for verb in verbs:
            assert program.parse_commands(verb.split())[2] == []


@pytest.mark.parametrize(
    ("call", "stdin", "says"),
    [
        ("submit charge -", io.TextIOWrapper(io.BytesIO(b"\xff")), "The arguments are not JSON"),
        ("submit charge -", None, "The arguments are not JSON"),
        ("cancel --lane mail", None, "ff cannot ask"),
    ],
)
def test_standard_input_may_hold_anything_or_be_closed(
    desk: Desk, call: str, stdin: io.TextIOWrapper | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)

    ended = ff_here(*call.split(), "--url", desk.url)

    assert ended.returncode == Exit.WRONG_CALL
    assert says in ended.stderr
    assert is_one_sentence(ended)


def test_of_several_executions_those_that_can_are_done_and_the_others_told(desk: Desk) -> None:
    ended = ff_here("cancel", desk.completed, desk.waiting, UNKNOWN, "--url", desk.url)

    assert ended.stdout == f"{desk.waiting} is cancelled\n"
    assert len(ended.stderr.splitlines()) == 2
    assert ended.returncode == Exit.NOT_DONE


def test_a_uuid_that_two_executions_share_is_not_enough(desk: Desk) -> None:
    with desk.engine() as engine:
        twin = engine.create_execution("twin", execution_id="{fp:1}:" + desk.waiting[-36:]).execution_id

    ended = ff_here("cancel", desk.waiting[-36:], "--url", desk.url)

    assert ended.returncode == Exit.WRONG_CALL
    assert twin in ended.stderr
    assert desk.waiting in ended.stderr


def test_a_flow_that_has_ended_otherwise_is_not_cancelled(desk: Desk) -> None:
    with desk.engine() as engine:
        flow = engine.create_flow("empty").flow_id
        member = engine.add_execution(flow, "one").execution_id
        engine.change_priority(member, 9)
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
        engine.complete(claimed.lease)

    ended = ff_here("flow", "cancel", flow, "--url", desk.url)

    assert ended.returncode == Exit.NOT_DONE
    assert ended.stderr == f"ff: Flow {flow} has already ended as completed; there is nothing left to cancel.\n"


def test_without_the_packages_that_it_needs_it_says_how_to_get_them(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules['cyclopts'] = None; {FF}", "ls"],
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )

    assert ended.returncode == Exit.WRONG_CALL
    assert ended.stderr == (
        "ff: The command line needs two packages that are not installed. Run: pip install 'flowfabric[cli]'\n"
    )


# ── PostgreSQL, and programs ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("call", [*ANY_CALL.values(), "migrate", "migrate --plan", "doctor", "bench --json"])
def test_a_server_that_is_not_there_is_no_store(call: str) -> None:
    ended = ff_here(*call.split(), "--url", "postgresql://127.0.0.1:1/jobs")

    assert ended.returncode == Exit.NO_STORE
    assert ended.stderr.startswith("ff: The database could not be ")
    assert is_one_sentence(ended)


def test_the_clock_of_a_server_is_not_ours_to_accept() -> None:
    ended = ff_here("clock", "accept", "--url", "postgresql://127.0.0.1:1/jobs")

    assert ended.returncode == Exit.WRONG_CALL
    assert "Set that clock" in ended.stderr
    assert is_one_sentence(ended)


def test_a_database_without_our_tables_is_the_wrong_schema(tmp_path: Path) -> None:
    with empty_database() as url:
        ended = ff(tmp_path, "ls", "--url", url)

    assert ended.returncode == Exit.WRONG_SCHEMA
    assert "ff migrate" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("program", "call", "code", "says"),
    [
        ("1 / 0", "ls", Exit.NOT_DONE, "shop could not be imported: ZeroDivisionError"),
        ("import nowhere", "ls", Exit.NOT_DONE, "shop could not be imported: ModuleNotFoundError"),
        ("import sho", "ls", Exit.NOT_DONE, "shop could not be imported: ModuleNotFoundError: No module named 'sho'"),
        ("ff = 1", "ls", Exit.WRONG_CALL, "'ff' in shop is not a FlowFabric"),
        ("from tests.cli.shop import ff", "submit doubel", Exit.WRONG_CALL, "no task 'doubel'. It has: double"),
        ("from tests.cli.shop import ff", "submit double", Exit.WRONG_CALL, "missing a required argument: 'number'"),
        ("from tests.cli.shop import ff", 'submit double {"number":"x"}', Exit.WRONG_CALL, "Expected `int`, got `str`"),
    ],
)
def test_a_program_that_does_not_fit_is_answered_with_a_sentence(
    program: str,
    call: str,
    code: Exit,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "shop.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    ff_here("migrate", "sqlite:///shop.db", "--yes")

    ended = ff_here(*call.split(), "--app", "shop:ff")

    assert ended.returncode == code
    assert says in ended.stderr
    assert is_one_sentence(ended)
