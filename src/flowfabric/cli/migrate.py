"""`ff migrate`."""

import sys

from flowfabric.app import DEFAULT_URL, open_store, plan_migrations
from flowfabric.cli.target import errors_as_sentences, fabric_at


def migrate(target: str, *, plan: bool, sql: bool) -> None:
    """Bring a database up to date, or show what that would take."""
    with errors_as_sentences():
        url = target if "://" in target else fabric_at(target).url if target else DEFAULT_URL
        todo = plan_migrations(url)
        if sql:
            if todo.script:
                _say(todo.script)
                _say("-- Afterwards run `ff migrate` once: it finds nothing to apply, and gives the store its name.")
            return
        if plan:
            for each in todo.migrations:
                _say(f"to be applied: {each.name}")
            _say(_count(len(todo.migrations), "to be applied"))
            return
        open_store(url, migrate=True).close()
        for each in todo.migrations:
            _say(f"applied: {each.name}")
        _say(_count(len(todo.migrations), "applied"))


def _count(number: int, what: str) -> str:
    if not number:
        return "The database is up to date."
    return f"{number} migration{'' if number == 1 else 's'} {what}."


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
