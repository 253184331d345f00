"""Every statement in a .sql file is used, says what it is for, and is one that its database understands."""

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

from flowfabric.domain.execution import Execution
from flowfabric.stores._shared.encoding import StoredExecution
from flowfabric.stores._shared.statements import Statements
from tests.architecture.databases import DATABASES

SOURCES = Path(str(files("flowfabric")))


def _package(store: str) -> str:
    return f"flowfabric.stores.{store}"


def _strings_in(store: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Every text in the store's code, and every pattern of a text that is put together."""
    texts: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for file in (SOURCES / "stores" / store).glob("*.py"):
        tree = ast.parse(file.read_text())
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"(\w+)" for part in node.values
                ]
                patterns.append(re.compile("".join(parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                texts.add(node.value)
    return texts, patterns


@pytest.mark.parametrize("store", DATABASES)
def test_every_statement_is_used(store: str):
    texts, patterns = _strings_in(store)

    def is_used(name: str) -> bool:
        matches = [match for pattern in patterns if (match := pattern.fullmatch(name))]
        # A name that is put together counts if its parts are words of the code, such as a table in a list of tables.
        return name in texts or any(match.groups() and set(match.groups()) <= texts for match in matches)

    assert [name for name in Statements(_package(store)).names if not is_used(name)] == []


@pytest.mark.parametrize("store", DATABASES)
def test_every_statement_prepares_on_a_real_database(store: str, tmp_path: Path):
    statements = Statements(_package(store))
    refused: dict[str, str] = {}
    with DATABASES[store](tmp_path) as database:
        for name in statements.names:
            try:
                database.prepare(statements[name])
            except Exception as error:
                refused[name] = str(error)

    assert refused == {}


@pytest.mark.parametrize("store", DATABASES)
def test_a_statement_is_one_statement(store: str):
    statements = Statements(_package(store))

    assert [name for name in statements.names if ";" in statements[name]] == []


STORED_AS = {
    "execution_id": ("partition_key", "execution_id"),
    "lane": ("lane_id",),
    "kind": ("execution_kind",),
    "required_capabilities": ("capability_set",),
}
"""Fields whose columns have other names; every other field has a column of its own name."""
DERIVED = {"sqlite": {"public_state", "due_kind", "due_at_ms"}, "postgres": {"public_state"}}
"""Columns that follow from the record and are there to be searched."""


@pytest.mark.parametrize("store", DATABASES)
def test_the_columns_of_an_execution_are_its_fields(store: str, tmp_path: Path):
    fields = [column for field in Execution.__struct_fields__ for column in STORED_AS.get(field, (field,))]

    with DATABASES[store](tmp_path) as database:
        columns = database.columns("ff_exec_core")

    assert len(columns) == len(set(columns))
    assert set(columns) - DERIVED[store] == set(fields)
    assert set(columns) >= DERIVED[store]


def test_a_stored_execution_has_every_field():
    fields = [column for field in Execution.__struct_fields__ for column in STORED_AS.get(field, (field,))]
    read_beside = {"payload", "damaged"}

    assert set(StoredExecution.__struct_fields__) - read_beside == set(fields)


@pytest.mark.parametrize("store", DATABASES)
def test_partition_key_leads_every_key_by_which_records_are_found(store: str, tmp_path: Path):
    tables = (
        "ff_exec_core",
        "ff_payload",
        "ff_result",
        "ff_tag",
        "ff_attempt",
        "ff_idempotency",
        "ff_flow_core",
        "ff_edge",
        "ff_edge_group",
        "ff_cancel_backlog",
        "ff_cancel_backlog_member",
        "ff_flow_cancel",
    )

    with DATABASES[store](tmp_path) as database:
        first_columns = {table: database.columns(table)[0] for table in tables}

    assert first_columns == dict.fromkeys(tables, "partition_key")
