"""Every statement in a .sql file is used, says what it is for, and is one that its database understands."""

import ast
import re
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from flowfabric.domain.access import AccessToken
from flowfabric.domain.batch_io import Changes
from flowfabric.domain.budgets import Budget, BudgetUse, LedgerLine, SpendKey
from flowfabric.domain.children import ChildPlace
from flowfabric.domain.execution import Execution
from flowfabric.domain.fairness import KeyTurn, LaneTurn
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, Flow, PendingAck
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import make_execution_id, uuid_in
from flowfabric.domain.limits import KeyUse, Limit
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.domain.steps import STEPS_RULES, Step
from flowfabric.domain.streams import Chunk, Stream
from flowfabric.domain.summaries import StoredSummary
from flowfabric.domain.waiting import Alias, Inbox, KeyRing, SignalKey, StoredSignal, StoredWaitpoint
from flowfabric.stores._shared.encoding import (
    ATTEMPT_STATES,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    TERMINAL_OUTCOMES,
    StoredExecution,
    execution_of,
    writes_of,
)
from flowfabric.stores._shared.flows import StoredEdge, StoredFlow, StoredGroup
from flowfabric.stores._shared.statements import Statements, _squeezed
from flowfabric.stores._shared.streams import CHUNK_COLUMNS, STREAM_COLUMNS, SUMMARY_COLUMNS
from tests.architecture.databases import DATABASES
from tests.domain.records import an_execution

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


def test_only_spaces_that_nobody_needs_are_left_out_of_statements():
    written = "select a, \n  -b as \"x ,  y\"\n  from ( t )\n where c = 'one ,  two' and d >= -1"

    assert _squeezed(written) == "select a,-b as \"x ,  y\" from (t) where c = 'one ,  two' and d >= -1"


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
DERIVED = {
    "sqlite": {"public_state", "due_kind", "due_at_ms", "waiting_since_ms", "turn"},
    "postgres": {"public_state", "waiting_since_ms", "turn"},
}
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


ENCODED = {
    "lifecycle_phase": (LIFECYCLE_PHASES.index("runnable"), "runnable"),
    "eligibility_state": (ELIGIBILITY_STATES.index("eligible_now"), "eligible_now"),
    "attempt_state": (ATTEMPT_STATES.index("pending_first_attempt"), "pending_first_attempt"),
    "terminal_outcome": (TERMINAL_OUTCOMES.index("none"), "none"),
    "policy": (None, DEFAULT_POLICY),
    "tags": (None, {}),
    "unsettled": (1, True),
    "coming_back": (1, STEPS_RULES[1]),
    "inbox": ('{"signals":2}', Inbox(signals=2)),
    "partition_key": (7, 7),
    "parent_id": (uuid_in(an_execution().execution_id), make_execution_id(7, uuid_in(an_execution().execution_id))),
    "child_place": ('{"group":"page","index":1,"life":2,"depth":3}', ChildPlace("page", 1, 2, 3)),
    "gates": ('{"limits":[["api","k"]],"turn":3}', Gates((("api", "k"),), turn=3)),
}
"""Columns that are not stored as their fields are: a value of each, and what it means."""


def test_every_column_is_read_into_the_field_of_its_name():
    values: dict[str, object] = {
        field.name: number if "int" in str(field.type) else str(number)
        for number, field in enumerate(msgspec.structs.fields(StoredExecution), 1)
    }
    values |= {column: stored for column, (stored, _) in ENCODED.items()} | {"damaged": None}
    row = StoredExecution(**values)  # type: ignore[arg-type]

    x = execution_of(row, an_execution().execution_id, "a flow", ("a capability",))

    beside = {"execution_id", "flow_id", "required_capabilities"}
    expected = {field: ENCODED[field][1] for field in ENCODED} | {"lane": row.lane_id, "kind": row.execution_kind}
    read = {field: getattr(x, field) for field in Execution.__struct_fields__ if field not in beside}
    assert read == {field: expected[field] if field in expected else getattr(row, field) for field in read}


FIXED = {
    "execution_id",
    "namespace",
    "lane",
    "flow_id",
    "kind",
    "required_capabilities",
    "policy",
    "idempotency_key",
    "created_at_ms",
    "node",
    "parent_id",
    "child_place",
    "created_by",
}
"""What an execution is born with, and keeps."""
ASSIGNED = re.compile(r"(?:\bset |,)(\w+) = n\.")
"""A column that an update writes."""
INSERTED = {"tags", "priority", "delay_until_ms", "deadline_at_ms"}
"""Of the columns that only the wide update writes, those that an insert takes from the record."""


@pytest.mark.parametrize("store", DATABASES)
def test_what_the_narrow_update_does_not_write_is_written_by_the_wide_one(store: str):
    statements = Statements(_package(store))
    hot = set(ASSIGNED.findall(statements["update_hot_columns"]))
    waiting = set(ASSIGNED.findall(statements["update_waiting_columns"]))
    only_wide = set(ASSIGNED.findall(statements["update_executions"])) - hot - DERIVED[store]
    by_itself = set(ASSIGNED.findall(statements["update_gates"])) - DERIVED[store]
    before = an_execution()
    changed = {column: replace(before, event_seq=1, **{column: object()}) for column in only_wide}

    def forgotten(before: Execution | None) -> set[str]:
        found = {column: writes_of(Changes(executions=[(before, x)])) for column, x in changed.items()}
        return {
            column
            for column, x in changed.items()
            if [x] not in (found[column].wide, found[column].waiting if column in waiting else ())
        }

    assert hot < waiting
    assert waiting - hot - DERIVED[store] == {"inbox"}
    assert (hot - DERIVED[store]) | only_wide | by_itself == set(Execution.__struct_fields__) - FIXED
    assert "worker_id" in hot
    assert by_itself == {"gates"}
    assert forgotten(before) == set()
    assert forgotten(None) == INSERTED


FLOW_TABLES: dict[str, tuple[type[msgspec.Struct], dict[str, tuple[str, ...]], set[str]]] = {
    "ff_flow_core": (Flow, {"kind": ("flow_kind",)}, {"purge_at_ms"}),
    "ff_edge": (Edge, {}, set()),
    "ff_edge_group": (EdgeGroup, {"join": ("policy_kind", "policy_k", "policy_on_satisfied")}, set()),
    "ff_cancel_backlog": (CancelBacklog, {}, set()),
    "ff_cancel_backlog_member": (PendingAck, {}, set()),
}
"""The record of each table of flows, fields whose columns have other names, and columns that follow from the record."""


@pytest.mark.parametrize("store", DATABASES)
def test_the_columns_of_what_flows_consist_of_are_the_fields_of_their_records(store: str, tmp_path: Path):
    expected = {
        table: {
            "partition_key",
            *derived,
            *(column for field in record.__struct_fields__ for column in named.get(field, (field,))),
        }
        for table, (record, named, derived) in FLOW_TABLES.items()
    }

    with DATABASES[store](tmp_path) as database:
        columns = {table: set(database.columns(table)) for table in FLOW_TABLES}

    assert columns == expected


WAIT_TABLES: dict[str, tuple[type[msgspec.Struct], set[str], set[str]]] = {
    "ff_waitpoint": (StoredWaitpoint, {"partition_key"}, set()),
    "ff_signal": (StoredSignal, {"partition_key"}, set()),
    "ff_signal_key": (SignalKey, {"partition_key"}, set()),
    "ff_alias": (Alias, {"partition_key"}, {"holder_outcome"}),
    "ff_key_ring": (KeyRing, set(), set()),
    "ff_access_token": (AccessToken, {"ends_at_ms"}, set()),
}
"""The record of each table of waits and tokens, the columns that are no fields, and the fields that are not stored."""


@pytest.mark.parametrize("store", DATABASES)
def test_the_columns_of_what_waits_consist_of_are_the_fields_of_their_records(store: str, tmp_path: Path):
    expected = {
        table: more | set(record.__struct_fields__) - not_stored
        for table, (record, more, not_stored) in WAIT_TABLES.items()
    }

    with DATABASES[store](tmp_path) as database:
        columns = {table: set(database.columns(table)) for table in WAIT_TABLES}

    assert columns == expected


GATE_TABLES: dict[str, tuple[type[msgspec.Struct], dict[str, str], set[str]]] = {
    "ff_limit_override": (Limit, {}, set()),
    "ff_limit_key": (KeyUse, {}, {"idle_at_ms"}),
    "ff_lane_turn": (LaneTurn, {"lane": "lane_id"}, set()),
    "ff_key_turn": (KeyTurn, {"lane": "lane_id"}, set()),
    "ff_budget": (Budget, {}, set()),
    "ff_budget_use": (BudgetUse, {}, set()),
    "ff_ledger": (LedgerLine, {}, {"partition_key"}),
    "ff_spend_key": (SpendKey, {}, {"partition_key"}),
}
"""The record of each table of limits and budgets, fields whose columns have other names, and columns that are none."""


@pytest.mark.parametrize("store", DATABASES)
def test_the_columns_of_limits_and_budgets_are_the_fields_of_their_records(store: str, tmp_path: Path):
    expected = {
        table: more | {named.get(field, field) for field in record.__struct_fields__}
        for table, (record, named, more) in GATE_TABLES.items()
    }
    expected["ff_limit"] = expected["ff_limit_override"] - {"key"}

    with DATABASES[store](tmp_path) as database:
        columns = {table: set(database.columns(table)) for table in expected}

    assert columns == expected


STREAM_TABLES: dict[str, tuple[type[msgspec.Struct], dict[str, str], tuple[str, ...]]] = {
    "ff_stream": (Stream, {}, STREAM_COLUMNS),
    "ff_stream_chunk": (Chunk, {"count": "frame_count", "size": "byte_count"}, CHUNK_COLUMNS),
    "ff_summary": (StoredSummary, {}, SUMMARY_COLUMNS),
}
"""The record of each table of streams, fields whose columns have other names, and the columns as rows spell them."""


@pytest.mark.parametrize("store", DATABASES)
def test_the_columns_of_streams_are_the_fields_of_their_records(store: str, tmp_path: Path):
    expected = {
        table: {"partition_key", *(named.get(field, field) for field in record.__struct_fields__)}
        for table, (record, named, _) in STREAM_TABLES.items()
    }
    expected["ff_step"] = {"partition_key", *Step.__struct_fields__}

    with DATABASES[store](tmp_path) as database:
        columns = {table: database.columns(table) for table in expected}

    assert {table: set(found) for table, found in columns.items()} == expected
    in_order = {table: row for table, (_, _, row) in STREAM_TABLES.items()}
    assert {table: tuple(columns[table][2:]) for table in STREAM_TABLES} == in_order


@pytest.mark.parametrize("store", DATABASES)
def test_stored_flows_edges_and_groups_have_every_column(store: str, tmp_path: Path):
    stored = {"ff_flow_core": StoredFlow, "ff_edge": StoredEdge, "ff_edge_group": StoredGroup}
    read_beside = {"damaged", "result", "result_bytes", "downstream_has_ended", "running_count"}

    with DATABASES[store](tmp_path) as database:
        columns = {table: set(database.columns(table)) - {"purge_at_ms"} for table in stored}

    assert columns == {table: set(kind.__struct_fields__) - read_beside for table, kind in stored.items()}


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
        "ff_waitpoint",
        "ff_signal",
        "ff_signal_key",
        "ff_ledger",
        "ff_spend_key",
        "ff_at_gate",
        "ff_step",
        "ff_stream",
        "ff_stream_chunk",
        "ff_summary",
    )

    with DATABASES[store](tmp_path) as database:
        first_columns = {table: database.columns(table)[0] for table in tables}

    assert first_columns == dict.fromkeys(tables, "partition_key")


STATE_COLUMNS = (
    *("lifecycle_phase", "eligibility_state", "attempt_state", "terminal_outcome", "public_state"),
    *("state", "outcome", "channel", "due_kind", "gate_state", "gate_kind"),
)
"""Columns that hold a state as a number."""
_ANY_STATE = "|".join(STATE_COLUMNS)
_COMPARED = re.compile(rf"\b(?:{_ANY_STATE})\b(?: \+ 0)?\s*(?:<>|!=|[<>]=?|=|\bin\b|\bbetween\b)\s*\(?\s*\d+")
_NAMED = re.compile(rf"\b\d+(?:::\w+)?\s+as\s+(?:{_ANY_STATE})\b")
_INSERT = re.compile(r"insert into \w+ \(([^)]*)\)\s*(?:values(?: /\* rows \*/)? \(|select\s)(.*)", re.DOTALL)


def _values_of(text: str) -> list[str]:
    """The values of a list that ends with a bracket, or where the rows come from."""
    values, depth = [""], 0
    for word in re.split(r"(\(|\)|,|\bfrom\b)", text):
        if depth == 0 and word in (")", "from"):
            break
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            values.append("")
        else:
            values[-1] += word
    return [value.strip() for value in values]


def _numerals_inserted(statement: str) -> list[str]:
    """The columns of states into which a statement inserts a bare number."""
    found: list[str] = []
    for part in re.split(r"(?=insert into )", statement):
        if (insert := _INSERT.match(part)) is not None:
            columns, values = [column.strip() for column in insert[1].split(",")], _values_of(insert[2])
            pairs = zip(reversed(columns), reversed(values), strict=False)  # n.* stands for all columns before the last
            found += [f"{column} {value}" for column, value in pairs if column in STATE_COLUMNS and value.isdigit()]
    return found


def _bare_states(statement: str) -> list[str]:
    return [*_COMPARED.findall(statement), *_NAMED.findall(statement), *_numerals_inserted(statement)]


@pytest.mark.parametrize("store", DATABASES)
def test_a_state_has_its_name_in_statements(store: str):
    bare: dict[str, list[str]] = {}
    for file in (SOURCES / "stores" / store / "statements").glob("*.sql"):
        for statement in re.sub(r"^\s*--(?! name).*\n", "", file.read_text(), flags=re.MULTILINE).split("-- name: ")[
            1:
        ]:
            name, _, text = statement.partition("\n")
            if found := _bare_states(text):
                bare[name] = found

    assert bare == {}


@pytest.mark.parametrize(
    "statement",
    [
        "select 1 from ff_exec_core c where c.lifecycle_phase + 0 = 0",
        "update ff_exec_core set public_state = 7",
        "select 1 from ff_flow_core where state >= 2",
        "select 2::smallint as due_kind",
        "insert into ff_due (due_kind, due_at_ms) select 4, now_ms from easy",
        "insert into ff_exec_core (a, b, attempt_state, event_seq) select n.*, 0, 0 from unnest(1, 2) as n",
        "insert into ff_event (channel, seq) values /* rows */ (1, ?)",
    ],
)
def test_a_state_without_a_name_is_found(statement: str):
    assert len(_bare_states(statement)) == 1
