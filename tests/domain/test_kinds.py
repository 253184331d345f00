"""Each kind of record is declared once: it is then asked for, loaded, changed, undone and saved like every other."""

from typing import Any

import pytest

from flowfabric.domain.batch_io import KINDS, Changes, Loaded, Needs
from flowfabric.domain.tables import Kind, MoreNeeded, NotLoaded, Table
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE, an_execution, an_id

AnyKind = Kind[Any, Any, Any]
ANY = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
ASKED = pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.is_asked], ids=lambda kind: kind.name)
UNASKED = pytest.mark.parametrize(
    "kind", [kind for kind in KINDS.values() if not kind.is_asked], ids=lambda kind: kind.name
)


def _working_set(loaded: Loaded | None = None, needs: Needs | None = None) -> WorkingSet:
    return WorkingSet(loaded or Loaded(), needs or Needs(), now_ms=NOW, store=STORE)


def _table(ws: WorkingSet, kind: AnyKind) -> Table[Any, Any]:
    table = getattr(ws, kind.name)
    assert isinstance(table, Table)
    return table


@ANY
def test_a_change_of_any_kind_is_something_to_save(kind: AnyKind):
    ws = _working_set()

    _table(ws, kind).put_at("key", "record")

    assert not ws.changes().is_empty


@ANY
def test_a_change_of_any_kind_is_undone(kind: AnyKind):
    ws = _working_set()
    ws.begin()
    _table(ws, kind).put_at("key", "record")

    ws.undo()

    assert ws.changes() == Changes()
    assert ws.changes().is_empty


@ANY
def test_undoing_a_change_of_any_kind_leaves_the_change_before_it(kind: AnyKind):
    ws, twin = _working_set(), _working_set()
    for each in (ws, twin):
        _table(each, kind).put_at("key", "record")
    ws.begin()
    _table(ws, kind).put_at("key", "other")
    _table(ws, kind).remove("key")

    ws.undo()

    assert ws.changes() == twin.changes()


@ASKED
def test_a_record_that_nobody_asked_for_is_asked_for(kind: AnyKind):
    ws = _working_set()

    with pytest.raises(MoreNeeded):
        _table(ws, kind).get("key")

    assert ws.missing == Needs(**{kind.name: {"key"}})


@ASKED
def test_a_record_that_was_asked_for_is_the_one_that_was_found(kind: AnyKind):
    wanted = Needs(**{kind.name: {"there", "not there"}})
    table = _table(_working_set(Loaded(**{kind.name: {"there": "record"}}), wanted), kind)

    assert (table.get("there"), table.get("not there")) == ("record", None)


@ASKED
def test_a_record_is_seen_as_the_batch_has_left_it(kind: AnyKind):
    table = _table(_working_set(Loaded(**{kind.name: {"key": "record", "gone": "record"}})), kind)

    table.put_at("key", "other")
    table.put_at("new", "record")
    table.remove("gone")

    assert [table.get(key) for key in ("key", "new", "gone")] == ["other", "record", None]
    assert [table.is_new(key) for key in ("key", "new", "gone")] == [False, True, False]


@UNASKED
def test_to_read_a_record_of_a_kind_that_is_not_asked_for_is_a_bug(kind: AnyKind):
    with pytest.raises(NotLoaded):
        _table(_working_set(), kind).get("key")


@pytest.mark.parametrize("field", [name for name in Changes.__struct_fields__ if name not in KINDS])
def test_what_is_no_record_is_something_to_save_too(field: str):
    change = 0 if field.endswith("_ms") else ["something"]

    assert not Changes(**{field: change}).is_empty


def test_a_record_is_put_under_the_key_that_it_names():
    ws = _working_set()

    ws.executions.put(an_execution(7))

    assert ws.changes().executions == [(None, an_execution(7))]
    assert ws.executions.get(an_id(7)) == an_execution(7)


def test_what_does_not_name_its_key_cannot_be_put_without_one():
    with pytest.raises(AssertionError, match="put_at"):
        _working_set().payloads.put(b"payload")


def test_a_record_that_is_gone_is_saved_with_what_it_was():
    ws = _working_set(Loaded(executions={an_id(1): an_execution(1)}))

    ws.executions.remove(an_id(1))

    assert ws.changes().executions == [(an_execution(1), None)]
