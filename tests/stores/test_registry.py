"""Which store a url means: ours, those that a program registers, and those that are installed beside ours."""

from importlib.metadata import EntryPoint

import pytest

from flowfabric import InvalidInput, open_blocking_engine
from flowfabric.app import examine, is_shared, missing_file, name_of, open_store, plan_migrations, settled
from flowfabric.stores import registry
from tests.stores.one_partition import OnePartitionKind

URL = "elsewhere://"


def test_a_registered_kind_is_opened_by_its_url() -> None:
    registry.register("elsewhere", OnePartitionKind())

    with open_blocking_engine(URL) as engine:
        engine.create_execution("job")
        assert engine.count_executions() == 1


def test_a_kind_that_says_nothing_of_files_and_schemas_has_none() -> None:
    registry.register("elsewhere", OnePartitionKind())

    assert plan_migrations(URL).migrations == []
    assert (settled(URL), name_of(URL), missing_file(URL), is_shared(URL)) == (URL, "elsewhere", None, False)
    with pytest.raises(InvalidInput, match="cannot look into a store of this kind"):
        examine(URL)


def test_an_installed_kind_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("installed", "tests.stores.one_partition:OnePartitionKind", registry.ENTRY_POINTS)
    asked = []

    def found(**wanted: str) -> list[EntryPoint]:
        asked.append(wanted)
        return [entry]

    monkeypatch.setattr("importlib.metadata.entry_points", found)

    open_store("installed://").close()
    open_store("installed://").close()

    assert asked == [{"group": "flowfabric.stores", "name": "installed"}]  # once


def test_an_installed_kind_that_cannot_be_loaded_is_refused_with_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("broken", "tests.stores.nowhere:Kind", registry.ENTRY_POINTS)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **wanted: [entry])

    with pytest.raises(InvalidInput, match="nowhere:Kind cannot be loaded: ModuleNotFoundError"):
        open_store("broken://")


def test_a_url_that_nobody_knows_is_answered_with_those_that_are_known() -> None:
    registry.register("elsewhere", OnePartitionKind())

    with pytest.raises(InvalidInput, match="starts with 'mysql' and names no store") as refused:
        open_store("mysql://root:secret@localhost/x")

    assert str(refused.value).endswith(
        "Use 'memory://', 'sqlite:///relative.db', 'sqlite:////absolute.db', 'postgresql://…', 'http://host:7433' or "
        "'one-partition://'."
    )
    assert "secret" not in str(refused.value)
