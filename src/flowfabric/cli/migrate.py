"""`ff migrate`."""

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from flowfabric.cli.consent import ask
from flowfabric.cli.exits import WrongCall
from flowfabric.cli.output import Json, document, note, say
from flowfabric.cli.target import HERE, Target
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.stores._shared.migrate import Plan


def migrate(
    target: Annotated[
        str,
        Parameter(name="URL | PROGRAM", help="A url or a program, such as shop:ff: the same as --url or --app."),
    ] = "",
    /,
    *,
    plan: Annotated[bool, Parameter(help="Only list the migrations that would be applied.")] = False,
    sql: Annotated[bool, Parameter(help="Only print these migrations as a script.")] = False,
    yes: Annotated[bool, Parameter(help="Do not ask before a new database is made.")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Bring a database up to date, or make one."""
    from flowfabric.app import missing_file, name_of, open_store, plan_migrations

    url = _at(target, at).place().url
    todo = plan_migrations(url)
    names = [each.name for each in todo.migrations]
    if sql:
        if todo.script:
            sys.stdout.write(f"{todo.script}\n")
            say("-- Afterwards run `ff migrate` once: it finds nothing to apply, and gives the store its name.")
        return
    name = name_of(url)
    if not plan:
        if todo.is_for_a_new_database and not yes:
            made = (
                f"There is no database at {name}, and one will be made"
                if missing_file(url)
                else f"There are no tables of flowfabric in {name}, and they will be made"
            )
            ask(made, "--yes to agree")
        open_store(url, migrate=True).close()
    if json:
        document({"migrations": names, "applied": not plan, "compatible_from": todo.compatible_from, "database": name})
        return
    note(f"Database: {name}")
    _tell(todo, names, plan)


def _at(target: str, at: Target) -> Target:
    if not target:
        return at
    if at.url or at.app:
        raise WrongCall(f"Name the database once: {target!r} without an option, or --url, or --app.")
    return Target(url=target) if "://" in target else Target(app=target)


def _tell(todo: "Plan", names: list[str], plan: bool) -> None:
    done = "to be applied" if plan else "applied"
    for name in names:
        say(f"{done}: {name}")
    say(f"{counted(len(names), 'migration')} {done}." if names else "The database is up to date.")
    if todo.compatible_from is not None:
        oldest = f"schema version {todo.compatible_from} or newer"
        say(
            f"Programs that know {oldest} can go on meanwhile; stop older ones first."
            if plan
            else f"Programs that know {oldest} can go on; restart older ones with a newer flowfabric."
        )
