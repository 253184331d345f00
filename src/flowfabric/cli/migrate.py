"""`ff migrate`."""

import sys
from typing import Annotated

from cyclopts import Parameter

from flowfabric.cli.output import Json, counted, document, say
from flowfabric.cli.target import HERE, Target, fabric_at


def migrate(
    target: Annotated[str, Parameter(help="A url, or where the tasks are, such as app:ff; --url or --app.")] = "",
    /,
    *,
    plan: Annotated[bool, Parameter(help="Only say what is to be applied.")] = False,
    sql: Annotated[bool, Parameter(help="Only print it as a script.")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Bring a database up to date, or make one."""
    from flowfabric.app import open_store, plan_migrations

    url = target if "://" in target else fabric_at(target).url if target else at.url_or_default()
    todo = plan_migrations(url)
    names = [each.name for each in todo.migrations]
    if sql:
        if todo.script:
            sys.stdout.write(f"{todo.script}\n")
            say("-- Afterwards run `ff migrate` once: it finds nothing to apply, and gives the store its name.")
        return
    if not plan:
        open_store(url, migrate=True).close()
    if json:
        document({"migrations": names, "applied": not plan, "compatible_from": todo.compatible_from})
        return
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
