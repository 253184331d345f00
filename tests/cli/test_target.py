"""Where `ff` finds the database: what is typed, what the environment says, the program of the folder, in that order."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flowfabric import FlowFabric, open_blocking_engine
from flowfabric.app import name_of
from flowfabric.cli.exits import Exit
from tests.cli.running import FF, WITHIN_S, Ended, ff, ff_here
from tests.cli.terminal import answered
from tests.postgres_server import empty_database

PROGRAM = """
from flowfabric import Context, FlowFabric

print("imported")
ff = FlowFabric({url}, namespace="shop")

@ff.task
def double(ctx: Context, number: int) -> int:
    return 2 * number
"""
NAMED = {url: f"sqlite:///{url}.db" for url in ("flag", "variable", "program")}


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three databases, each with one execution that has its name."""
    folder = tmp_path_factory.mktemp("databases")
    for name in NAMED:
        with open_blocking_engine(f"sqlite:///{folder}/{name}.db", reconcile=False) as engine:
            engine.create_execution(name, namespace="shop")
    return folder


@pytest.fixture
def folder(databases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of them and a program, in which `ff` runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("app", "other"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in NAMED:
        shutil.copy(databases / f"{name}.db", tmp_path)
    write(tmp_path)
    return tmp_path


def write(folder: Path, url: str = "'sqlite:///program.db'", name: str = "app") -> None:
    (folder / f"{name}.py").write_text(PROGRAM.format(url=url))


def looked_at(*arguments: str) -> str:
    """The database that was looked at: its one execution has its name."""
    ended = ff_here("ls", "--json", *arguments)
    assert ended.returncode == 0, ended.stderr
    (x,) = json.loads(ended.stdout)["executions"]
    return str(x["kind"])


def test_in_a_folder_with_a_program_its_database_is_meant_by_every_verb(folder: Path) -> None:
    submitted = ff_here("submit", "double", '{"number": 4}')
    seen = {verb: ff_here(*verb.split()) for verb in ("ls", "stats", "lanes", "doctor", "migrate", "workers")}

    assert [ended.returncode for ended in seen.values()] == [0, 0, 0, 1, 0, 0]
    assert submitted.stdout.strip() in seen["ls"].stdout
    assert f"Database: the file {folder}/program.db" in seen["migrate"].stderr
    assert "imported" not in submitted.stdout


def test_what_is_typed_beats_the_environment_and_that_beats_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looked_at() == "program"
    monkeypatch.setenv("FLOWFABRIC_URL", NAMED["variable"])
    assert looked_at() == "variable"
    assert looked_at("--app", "app") == "program"
    assert looked_at("--url", NAMED["flag"]) == "flag"
    assert looked_at("--url", NAMED["flag"], "--app", "app") == "flag"
    monkeypatch.delenv("FLOWFABRIC_URL")
    write(folder, "'sqlite:///flag.db'", "other")
    monkeypatch.setenv("FLOWFABRIC_APP", "other")
    assert looked_at() == "flag"
    assert looked_at("--app", "app") == "program"


def test_a_url_imports_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "app.py").write_text("1 / 0")
    (folder / "other.py").write_text("1 / 0")
    monkeypatch.setenv("FLOWFABRIC_APP", "other")

    assert looked_at("--url", NAMED["flag"]) == "flag"
    monkeypatch.delenv("FLOWFABRIC_APP")
    monkeypatch.setenv("FLOWFABRIC_URL", NAMED["variable"])
    assert looked_at() == "variable"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("x = 1\n1 / 0", "app could not be imported: ZeroDivisionError: division by zero ({app}, line 2)."),
        ("x = 1\n\ndef f(:", "app could not be imported: SyntaxError: invalid syntax ({app}, line 3)."),
        (
            "from flowfabric import FlowFabric\nff = FlowFabric(namespace='')",
            "app could not be imported: InvalidInput: namespace is ''; it must be 1 to 128 characters without "
            "control characters ({app}, line 2).",
        ),
        ("\nraise SystemExit(1)", "app ended the process while it was imported ({app}, line 2)."),
    ],
)
def test_a_program_that_raises_is_one_sentence_with_its_line(folder: Path, program: str, says: str) -> None:
    (folder / "app.py").write_text(program)

    ended = ff_here("ls")

    assert ended.returncode == Exit.NOT_DONE
    assert ended.stderr.startswith("ff: " + says.format(app=folder / "app.py"))
    assert len(ended.stderr.splitlines()) == 1


def test_a_program_without_a_fabric_is_passed_over_and_one_with_several_has_to_be_named(folder: Path) -> None:
    (folder / "app.py").write_text("ff = 1")
    nothing = ff_here("ls")
    (folder / "app.py").write_text("from flowfabric import FlowFabric\na, b = FlowFabric(), FlowFabric()")
    sys.modules.pop("app")
    several = ff_here("ls")

    assert nothing.stderr.startswith("ff: There is no database at flowfabric.db.")
    assert several.stderr == "ff: app has several FlowFabrics. Name one of: app:a, app:b.\n"
    assert (nothing.returncode, several.returncode) == (Exit.NO_STORE, Exit.WRONG_CALL)


def test_a_database_that_a_program_names_and_that_is_not_there_is_said_so(folder: Path) -> None:
    (folder / "program.db").unlink()

    ended = ff_here("ls")

    assert ended == Ended(
        Exit.NO_STORE,
        "",
        "imported\n"
        f"ff: There is no database at {folder}/program.db, which app.py names. The first worker or submit makes it; "
        "start a worker with `ff worker`.\n",
    )


def test_a_url_that_names_no_database_is_said_so_whatever_program_is_named_beside_it(folder: Path) -> None:
    (folder / "program.db").unlink()

    ended = ff_here("ls", "--url", f"sqlite:///{folder}/program.db", "--app", "app")

    assert f"There is no database at {folder}/program.db, which --url names. `ff migrate` makes" in ended.stderr


def test_the_variable_means_the_same_to_a_program_that_names_no_database(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FlowFabric().url == f"sqlite:///{folder}/flowfabric.db"
    monkeypatch.setenv("FLOWFABRIC_URL", NAMED["variable"])

    assert FlowFabric().url == f"sqlite:///{folder}/variable.db"
    assert FlowFabric(NAMED["program"]).url == f"sqlite:///{folder}/program.db"
    write(folder, "None", "other")
    assert looked_at("--app", "other") == "variable"


# ── migrate ──────────────────────────────────────────────────────────────────────────────────────


def test_a_new_database_is_not_made_where_nobody_can_be_asked(tmp_path: Path) -> None:
    ended = ff(tmp_path, "migrate")

    assert ended.returncode == Exit.WRONG_CALL
    assert ended.stderr == (
        f"ff: There is no database at the file {tmp_path}/flowfabric.db, and one will be made, and ff cannot ask, "
        "because its input is not a terminal. Add --yes to agree.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("answer", "code", "is_made"), [("y", 0, True), ("n", 1, False), ("", 1, False)])
def test_a_new_database_is_made_if_somebody_agrees(tmp_path: Path, answer: str, code: int, is_made: bool) -> None:
    said, returncode = answered(tmp_path, f"{answer}\n", "migrate")

    assert f"There is no database at the file {tmp_path}/flowfabric.db, and one will be made. Go on? [y/N]" in said
    assert (returncode, (tmp_path / "flowfabric.db").exists()) == (code, is_made)


def test_on_postgres_tables_are_only_made_if_somebody_agrees(tmp_path: Path) -> None:
    with empty_database() as url:
        refused = ff(tmp_path, "migrate", url)
        made = ff(tmp_path, "migrate", url, "--yes")
        again = ff(tmp_path, "migrate", url)

    assert refused.returncode == Exit.WRONG_CALL
    assert "There are no tables of flowfabric in the PostgreSQL database " in refused.stderr
    assert (made.returncode, again.returncode) == (0, 0)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////srv/shop.db?synchronous=normal", "the file /srv/shop.db"),
        ("postgresql://ada:secret@db.example:5432/shop?x=1", "the PostgreSQL database shop on db.example:5432"),
        ("postgresql://ada:s@cret@one:1,two:2/shop", "the PostgreSQL database shop on one:1,two:2"),
        ("postgresql:///shop", "the PostgreSQL database shop"),
        ("postgresql://", "the PostgreSQL database"),
        ("postgresql://ada:sec/ret@db/shop", "the PostgreSQL database of the url"),
        ("postgresql://ada:12/34@db/shop", "the PostgreSQL database of the url"),
        ("postgresql://ada:secret?x@db/shop", "the PostgreSQL database of the url"),
    ],
)
def test_a_database_is_named_without_its_password(url: str, name: str) -> None:
    assert name_of(url) == name


# ── the worker ───────────────────────────────────────────────────────────────────────────────────


def ran_one(folder: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    """Run a worker until it serves; what it said, and the database in which it is listed."""
    command = [sys.executable, "-c", FF, "worker", "--name", "till", *arguments]
    worker = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        assert worker.stderr is not None
        said = ""
        while " serves " not in said:
            line = worker.stderr.readline()
            assert line, said
            said += line
        until = time.monotonic() + WITHIN_S
        listed: list[str] = []
        while not listed and time.monotonic() < until:  # it is listed a moment later
            listed = [name for name, url in NAMED.items() if "till" in ff_here("workers", "--url", url).stdout]
        worker.terminate()
        worker.communicate(timeout=WITHIN_S)
    finally:
        worker.kill()
        worker.communicate()
    return said, " ".join(listed)


def test_a_worker_is_on_the_database_of_its_program_unless_a_url_is_typed(folder: Path) -> None:
    said, listed = ran_one(folder, FLOWFABRIC_URL=NAMED["variable"])
    assert listed == "program"
    assert "FLOWFABRIC_URL names another database than the program does" in said
    assert ran_one(folder, "--app", "app:ff", "--url", NAMED["flag"])[1] == "flag"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("worker app --app app", "Name the program once: 'app' without an option, or --app."),
        ("migrate app --url sqlite:///x.db", "Name the database once: 'app' without an option, or --url, or --app."),
        ("worker --url sqlite:///flag.db --processes 2", "--url does not reach child processes (--processes)"),
        ("worker nowhere", "There is no module 'nowhere' here."),
    ],
)
def test_what_is_named_twice_or_out_of_reach_is_a_wrong_call(
    folder: Path, call: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOWFABRIC_URL", "")  # so that it is put back afterwards

    ended = ff_here(*call.split())

    assert ended.returncode == Exit.WRONG_CALL
    assert says in ended.stderr


def test_secrets_are_those_of_all_namespaces_also_in_the_folder_of_a_program(folder: Path) -> None:
    rotated = ff_here("secrets", "rotate", "--kid", "spring", "--yes")
    confined = ff_here("secrets", "rotate", "--yes", "--namespace", "shop")

    assert (rotated.returncode, rotated.stdout) == (0, "Secret spring signs tokens from now on.\n")
    assert "spring" in ff_here("secrets", "list").stdout
    assert confined.returncode == Exit.WRONG_CALL
    assert "All namespaces share this, so --namespace does not fit here. Leave it out." in confined.stderr
