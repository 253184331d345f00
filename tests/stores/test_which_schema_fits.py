"""Which code may use which schema: the applied migrations tell, also to code that does not have their files."""

import pytest

from flowfabric import SchemaMismatch
from flowfabric.stores._shared.migrate import Applied, Migration, Plan, applied_in, noting, pending


def migration(version: int, compatible_from: int | None = None) -> Migration:
    header = "" if compatible_from is None else f"-- compatible_from: {compatible_from}\n"
    return Migration(version, f"{version:04}_step.sql", f"{header}select {version};")


def applied(*migrations: Migration) -> dict[int, Applied]:
    return {each.version: Applied(each.checksum, each.compatible_from) for each in migrations}


FIRST = [migration(version) for version in range(1, 5)]
FIVE, SIX, SEVEN = migration(5, 5), migration(6, 5), migration(7, 6)
EIGHT = migration(8, 8)


@pytest.mark.parametrize(
    ("known", "there"),
    [
        pytest.param([FIVE], [FIVE, SIX], id="one that it does not know and that allows it"),
        pytest.param([FIVE, SIX], [FIVE, SIX, SEVEN], id="one that allows the newest it knows"),
        pytest.param([FIVE, SIX, SEVEN, EIGHT], [FIVE, SIX, SEVEN, EIGHT], id="all that it knows"),
    ],
)
def test_code_uses_a_schema_whose_newer_migrations_allow_it(known: list[Migration], there: list[Migration]) -> None:
    assert pending([*FIRST, *known], applied(*FIRST, *there), "The database") == []


@pytest.mark.parametrize(
    ("known", "there", "needed"),
    [
        pytest.param([], [FIVE], 5, id="one from before the rule"),
        pytest.param([FIVE], [FIVE, SIX, SEVEN], 6, id="one of two forbids it"),
        pytest.param(
            [FIVE, SIX], [FIVE, SIX, SEVEN, EIGHT, migration(9, 5)], 8, id="a later one does not allow it again"
        ),
    ],
)
def test_code_refuses_a_schema_with_a_migration_that_does_not_allow_it(
    known: list[Migration], there: list[Migration], needed: int
) -> None:
    with pytest.raises(SchemaMismatch, match=f"only programs that know version {needed} or newer may use"):
        pending([*FIRST, *known], applied(*FIRST, *there), "The database")


def test_a_changed_file_is_refused_also_below_migrations_that_are_not_known() -> None:
    there = {**applied(*FIRST, FIVE, SIX), 2: Applied("another", 2)}

    with pytest.raises(SchemaMismatch, match=r"0002_step\.sql that differs"):
        pending([*FIRST, FIVE], there, "The database")


def test_rows_from_before_the_column_are_for_code_that_knows_them() -> None:
    before = applied_in(["version", "checksum", "applied_at_ms"], [(1, "a", 0), (2, "b", 0)])
    since = applied_in(["version", "checksum", "compatible_from"], [(4, "d", None), (6, "f", 5)])

    assert before == {1: Applied("a", 1), 2: Applied("b", 2)}
    assert since == {4: Applied("d", 4), 6: Applied("f", 5)}


def test_what_a_migration_allows_is_noted_from_the_migration_on_that_made_the_column() -> None:
    assert noting(FIRST[3], applied_at_ms=7) == (
        f"insert into ff_schema_version (version, checksum, applied_at_ms) values (4, '{FIRST[3].checksum}', 7)"
    )
    assert noting(SIX) == (
        f"insert into ff_schema_version (version, checksum, compatible_from) values (6, '{SIX.checksum}', 5)"
    )


def test_a_plan_names_the_oldest_code_that_may_go_on_beside_it() -> None:
    assert Plan([SIX, SEVEN], "").compatible_from == 6
    assert Plan([], "").compatible_from is None
    assert Plan([*FIRST, FIVE], "").compatible_from is None


def test_a_later_migration_that_does_not_say_is_a_mistake_of_the_release() -> None:
    with pytest.raises(AssertionError, match=r"first line of 0009_step\.sql must be"):
        _ = migration(9).compatible_from
