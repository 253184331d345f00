"""Opening a file: what is made, with which rights, and which sentence says why it cannot be."""

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from flowfabric import Corruption, FlowFabric, InvalidInput, SchemaMismatch, StoreUnavailable, open_blocking_engine
from flowfabric.app import examine, open_store, plan_migrations
from flowfabric.stores.sqlite import connection, migrating
from flowfabric.stores.sqlite.store import SqliteStore
from tests.stores.sqlite.processes import report_of, run, running


@pytest.fixture
def liberal() -> None:
    """A umask that would let everyone read what is made."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("liberal")
def test_only_the_owner_may_read_the_database_its_log_and_the_files_beside_it(url: str, path: Path) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind", b"secret")
        engine.list_executions()

        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}

    assert modes == dict.fromkeys(("shop.db", "shop.db-wal", "shop.db-shm", "shop.db-lock", "shop.db-turn"), 0o600)


def test_the_rights_of_a_file_that_exists_are_its_owners_business(url: str, path: Path) -> None:
    path.touch(0o640)
    path.chmod(0o640)

    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_execution("kind")

        assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(("option", "level"), [("", 2), ("?synchronous=full", 2), ("?synchronous=NORMAL", 1)])
def test_every_commit_reaches_the_disk_unless_the_url_opts_out(url: str, option: str, level: int) -> None:
    opened = open_store(url + option)
    writer = opened.writer()

    # 2 is FULL: the log is synced at every commit. 1 is NORMAL: only at checkpoints.
    assert writer.connection.execute("pragma synchronous").fetchone() == (level,)

    writer.close()
    opened.close()


def test_the_file_is_in_wal_mode(url: str, path: Path) -> None:
    open_store(url).close()

    looking = sqlite3.connect(path)
    assert looking.execute("pragma journal_mode").fetchone() == ("wal",)
    looking.close()


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite://shop.db",
        "sqlite://host/shop.db",
        "sqlite://[host/shop.db",
        "sqlite:///shop.db\0",
        "sqlite:///shop.db\n",
        "sqlite:///\x1b[2J.db",
        "sqlite:///shop\x9b.db",
        "sqlite:///shop\ud800.db",
        "sqlite:///shop.db/",
        "sqlite:///.",
        "sqlite:///..",
        "sqlite:///shop.db?mode=ro",
        "sqlite:///shop.db?mode",
        "sqlite:///shop.db?synchronous=off",
        "sqlite:///shop.db?synchronous=",
        "sqlite:///shop.db?synchronous=full&synchronous=off",
        "sqlite",
        "shop.db",
        "",
        "mysql://localhost/shop",
        None,
        Path("shop.db"),
    ],
)
def test_a_url_that_names_no_file_is_invalid_input(
    url: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidInput, match="url"):
        open_store(url)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["sqlite:///:memory:", "sqlite:///:memory:?synchronous=normal"])
def test_a_fabric_makes_no_file_that_is_called_memory(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidInput, match=r"names no file.*'memory://'"):
        FlowFabric(url).blocking_engine()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("opened", [open_store, FlowFabric, plan_migrations])
def test_a_relative_url_in_a_folder_that_was_deleted_is_refused_in_a_sentence(
    opened: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    with pytest.raises(InvalidInput, match=r"that folder was deleted\. Write an absolute path"):
        opened("sqlite:///jobs.db")


def test_a_relative_url_means_the_folder_it_was_opened_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    with open_blocking_engine("sqlite:///shop.db", reconcile=False) as engine:
        monkeypatch.chdir(elsewhere)

        known = engine.create_execution("kind").execution_id

        assert engine.describe_execution(known) is not None
    assert (tmp_path / "shop.db").exists()
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["with space.db", "per%20cent.db", "ümlaut.db", "semi;colon.db", "a&b=c.db", "hash#tag.db", "not utf-8 \udcff.db"],
)
def test_a_file_may_be_called_anything(tmp_path: Path, name: str) -> None:
    with open_blocking_engine(f"sqlite:///{tmp_path}/{name}", reconcile=False) as engine:
        engine.create_execution("kind")

    assert {file.name for file in tmp_path.iterdir()} == {name, f"{name}-lock", f"{name}-turn"}


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"nowhere/shop\.db cannot be created: No such file or directory"):
        open_store(f"sqlite:///{tmp_path}/nowhere/shop.db")


def test_a_folder_may_have_a_question_mark_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "what?synchronous=off"
    folder.mkdir()
    monkeypatch.chdir(folder)

    for url in (f"sqlite:///{folder}/absolute.db", f"{FlowFabric('sqlite:///relative.db').url}?synchronous=normal"):
        open_store(url).close()

    assert {file.name for file in folder.iterdir()} >= {"absolute.db", "relative.db"}


def made_folder(path: Path) -> str:
    path.mkdir()
    return "is a folder"


def made_pipe(path: Path) -> str:
    os.mkfifo(path)
    return "is no ordinary file"


@pytest.mark.parametrize("made", [made_folder, made_pipe])
@pytest.mark.parametrize("use", [open_store, plan_migrations, examine])
def test_only_a_file_is_a_database(
    url: str, path: Path, made: Callable[[Path], str], use: Callable[[str], object]
) -> None:
    what = made(path)

    with pytest.raises(StoreUnavailable, match=rf"shop\.db {what}, and a database is a file"):
        use(url)

    assert [file.name for file in path.parent.iterdir()] == ["shop.db"]


@pytest.mark.parametrize("lock", ["shop.db-lock", "shop.db-turn"])
def test_a_lock_file_that_is_a_link_is_not_followed(url: str, path: Path, lock: str) -> None:
    others = path.with_name("others")
    others.write_text("not yours")
    path.with_name(lock).symlink_to(others)

    with pytest.raises(StoreUnavailable, match=rf"{lock} is a symbolic link\. Remove it"):
        open_store(url)

    assert others.read_text() == "not yours"


def test_a_folder_that_may_not_be_written_gets_a_sentence() -> None:
    # In a process of its own, because root has to step down before a folder can refuse anything.
    report = run("open_in_read_only_folders")

    assert report["new file"].startswith("store_unavailable: The database file ")
    assert "cannot be created: Permission denied. Check that its folder exists and is writable." in report["new file"]
    assert report["existing file"].startswith("store_unavailable: The lock file ")
    assert (
        "cannot be opened: Permission denied. Check that you may write to it and its folder." in report["existing file"]
    )
    assert report["existing database"].startswith("store_unavailable: ")
    assert "cannot be used: " in report["existing database"]


def test_a_file_that_is_no_database_is_left_as_it_is(url: str, path: Path) -> None:
    path.write_text("Dear diary, today I wrote no SQL.\n" * 100)
    before = path.read_bytes()

    with pytest.raises(Corruption, match=r"shop\.db is not a healthy SQLite database .*Restore it from a backup\."):
        open_store(url)

    assert path.read_bytes() == before


def test_a_newer_schema_is_refused(url: str, path: Path) -> None:
    open_store(url).close()
    change(path, "insert into ff_schema_version values (99, 'from the future', 0, 99)")

    with pytest.raises(
        SchemaMismatch,
        match=r"has schema version 99, which .* version 99 or newer .*, and this version of flowfabric knows \d+\. Up",
    ):
        open_store(url)


def test_a_schema_whose_file_was_changed_is_refused(url: str, path: Path) -> None:
    open_store(url).close()
    change(path, "update ff_schema_version set checksum = 'another' where version = 1")

    with pytest.raises(SchemaMismatch, match=r"was migrated with a 0001_initial\.sql that differs from this version's"):
        open_store(url)


def test_without_leave_to_migrate_an_empty_file_is_refused_and_stays_empty(url: str, path: Path) -> None:
    with pytest.raises(
        SchemaMismatch,
        match=r"lacks the migrations from 0001_initial\.sql on\. Run `ff migrate`, or open it with migrate=True",
    ):
        open_store(url, migrate=False)

    looking = sqlite3.connect(path)
    assert looking.execute("select name from sqlite_schema").fetchall() == []
    looking.close()


def test_without_leave_to_migrate_a_current_file_is_opened(url: str) -> None:
    first = open_store(url)

    second = open_store(url, migrate=False)

    assert second.name == first.name
    second.close()
    first.close()


def test_a_migration_that_fails_half_way_leaves_nothing_behind(
    url: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [migrating.migrations_of("flowfabric.stores.sqlite")[0]]
    broken[0] = type(broken[0])(1, "0001_initial.sql", "create table one (a);\ncreate table two (;\n")
    monkeypatch.setattr(migrating, "migrations_of", lambda package: broken)

    with pytest.raises(Exception, match="syntax error"):
        open_store(url)

    looking = sqlite3.connect(path)
    assert looking.execute("select name from sqlite_schema").fetchall() == []
    looking.close()


def test_an_old_sqlite_is_refused_before_anything_is_made(
    url: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 2))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.37.2")

    with pytest.raises(SchemaMismatch, match=r"links SQLite 3\.37\.2; flowfabric needs 3\.38\.0 or newer"):
        open_store(url)

    assert not path.exists()


def test_a_program_that_holds_the_file_exclusively_makes_it_unavailable(
    url: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    with open_blocking_engine(url, reconcile=False) as engine:
        known = engine.create_execution("kind").execution_id
        foreign = sqlite3.connect(path, isolation_level=None)
        foreign.execute("begin exclusive")

        with pytest.raises(StoreUnavailable, match="locked by a program that writes it without flowfabric") as refused:
            engine.create_execution("kind")
        with pytest.raises(StoreUnavailable, match="locked by a program that writes it without flowfabric"):
            open_store(url)

        assert "database is locked" not in str(refused.value)
        assert refused.value.retryable
        assert engine.describe_execution(known) is not None
        foreign.execute("rollback")
        foreign.close()
        assert engine.create_execution("kind").public_state == "waiting"


def test_two_openers_of_a_new_file_agree_on_its_name(url: str) -> None:
    with running("name_of", url) as one, running("name_of", url) as other:
        reports = [report_of(one), report_of(other)]

    mine = SqliteStore(url.removeprefix("sqlite:///"))

    assert [report["name"] for report in reports] == [mine.name, mine.name]
    mine.close()


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()
