"""Numbered SQL files, applied in order, forward only, each with the checksum it was applied with."""

from hashlib import sha256
from importlib.resources import files

import msgspec

from flowfabric.domain.errors import SchemaMismatch


class Migration(msgspec.Struct, frozen=True):
    """One numbered step of a schema."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """What tells a file that was changed after it was applied."""
        return sha256(self.sql.encode()).hexdigest()


class Plan(msgspec.Struct, frozen=True):
    """What is still to be applied to a database, and the same as a script for whoever may change its schema."""

    migrations: list[Migration]
    script: str


def plan_of(migrations: list[Migration], *, versions_table: str, new_version: str) -> Plan:
    """The plan for these migrations; `new_version` is the statement that notes one, with its version and checksum."""
    if not migrations:
        return Plan([], "")
    parts = [f"{versions_table};"]
    for each in migrations:
        noted = new_version.format(version=each.version, checksum=each.checksum)
        parts.append(f"-- {each.name}\nbegin;\n{each.sql.strip()}\n{noted};\ncommit;")
    return Plan(migrations, "\n\n".join(parts) + "\n")


def migrations_of(package: str) -> list[Migration]:
    """A store's migrations, in order."""
    found = []
    for file in files(package).joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            found.append(Migration(int(file.name.split("_")[0]), file.name, file.read_text("utf-8")))
    found.sort(key=lambda migration: migration.version)
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))
    return found


def pending(known: list[Migration], applied: dict[int, str], where: str) -> list[Migration]:
    """What is still to be applied. Refuses a schema from the future and one whose files were changed."""
    newest = max(applied, default=0)
    if newest > len(known):
        raise SchemaMismatch(
            f"{where} has schema version {newest}, and this version of flowfabric knows {len(known)}. "
            "Upgrade flowfabric, or open another database."
        )
    for migration in known[:newest]:
        if applied.get(migration.version) != migration.checksum:
            raise SchemaMismatch(
                f"{where} was migrated with a {migration.name} that differs from this version's. "
                "Use the release of flowfabric that made it."
            )
    return known[newest:]
