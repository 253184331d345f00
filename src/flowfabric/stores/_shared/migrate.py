"""Numbered SQL files, applied in order, forward only, each with the checksum it was applied with.

Each migration names the oldest schema version whose code may still use the database, and the database stores that
number. So older code, which does not have the file, can read whether it may go on, and programs can be updated one by
one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import msgspec

from flowfabric.domain.errors import SchemaMismatch

SAYS_SINCE: Final = 5
"""The migration that gave the versions table its column `compatible_from`; from it on, each one says its own."""
_SAYS: Final = re.compile(r"-- compatible_from: (\d+)\n")


class Migration(msgspec.Struct, frozen=True):
    """One numbered step of a schema."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """The checksum that shows whether a file was changed after it was applied."""
        return sha256(self.sql.encode()).hexdigest()

    @property
    def compatible_from(self) -> int:
        """Code whose newest migration has this number, or a greater one, may use the schema that this one leaves."""
        said = _SAYS.match(self.sql)
        assert said or self.version < SAYS_SINCE, f"The first line of {self.name} must be `-- compatible_from: N`."
        return int(said[1]) if said else self.version


class Applied(msgspec.Struct, frozen=True):
    """What a database stores about a migration that was applied to it."""

    checksum: str
    compatible_from: int


class Plan(msgspec.Struct, frozen=True):
    """The migrations that a database still lacks, and the same as a script for someone who may change its schema."""

    migrations: list[Migration]
    script: str

    @property
    def is_for_a_new_database(self) -> bool:
        """Whether the database has no schema yet."""
        return bool(self.migrations) and self.migrations[0].version == 1

    @property
    def compatible_from(self) -> int | None:
        """The oldest schema version whose code may go on after these migrations; None: no migrations or no schema."""
        if not self.migrations or self.is_for_a_new_database:
            return None
        return max(each.compatible_from for each in self.migrations)


def plan_of(migrations: list[Migration], *, versions_table: str, **also: object) -> Plan:
    """The plan for these migrations; `also` are further columns of the versions table, with their values in SQL."""
    if not migrations:
        return Plan([], "")
    parts = [f"{versions_table};"]
    parts += [f"-- {each.name}\nbegin;\n{each.sql.strip()}\n{noting(each, **also)};\ncommit;" for each in migrations]
    return Plan(migrations, "\n\n".join(parts) + "\n")


def noting(migration: Migration, **also: object) -> str:
    """The statement that notes a migration in the versions table."""
    values: dict[str, object] = {"version": migration.version, "checksum": f"'{migration.checksum}'", **also}
    if migration.version >= SAYS_SINCE:
        values["compatible_from"] = migration.compatible_from
    columns, given = ", ".join(values), ", ".join(map(str, values.values()))
    return " ".join(["insert into ff_schema_version", f"({columns}) values ({given})"])


def applied_in(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[int, Applied]:
    """The applied migrations by version, from rows of the versions table. An old table lacks `compatible_from`."""
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    return {
        each["version"]: Applied(each["checksum"], each.get("compatible_from") or each["version"]) for each in found
    }


def migrations_of(package: str) -> list[Migration]:
    """A store's migrations, in order."""
    found = []
    for file in files(package).joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            found.append(Migration(int(file.name.split("_")[0]), file.name, file.read_text("utf-8")))
    found.sort(key=lambda migration: migration.version)
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))
    return found


def pending(known: list[Migration], applied: Mapping[int, Applied], where: str) -> list[Migration]:
    """The migrations still to be applied. Refuses a schema that this code may not use, and changed migration files."""
    newest = max(applied, default=0)
    needed = max((each.compatible_from for version, each in applied.items() if version > len(known)), default=0)
    if needed > len(known):
        raise SchemaMismatch(
            f"{where} has schema version {newest}, which only programs that know version {needed} or newer may use, "
            f"and this version of flowfabric knows {len(known)}. Upgrade flowfabric, or open another database."
        )
    for migration in known[:newest]:
        if migration.version not in applied or applied[migration.version].checksum != migration.checksum:
            raise SchemaMismatch(
                f"{where} was migrated with a {migration.name} that differs from this version's. "
                "Use the release of flowfabric that made it."
            )
    return known[newest:]
