"""Where the database is, which every verb has to know: a url, a program, or the file in the current folder."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import NoDatabase, NotDone, WrongCall

# Engine, stores and fabric are imported when a verb runs, so that help comes at once.
if TYPE_CHECKING:
    from flowfabric.engine.blocking import BlockingEngine
    from flowfabric.fabric import FlowFabric


@Parameter(name="*")
@dataclass(frozen=True)
class Target:
    """The options with which every verb is told where to look."""

    url: Annotated[
        str,
        Parameter(env_var="FLOWFABRIC_URL", help="The database. Without it that of --app, or ./flowfabric.db."),
    ] = ""
    app: Annotated[
        str, Parameter(env_var="FLOWFABRIC_APP", help="The program, such as app:ff for the object ff of app.py.")
    ] = ""
    namespace: Annotated[str, Parameter(help="Keep to one namespace. Without it that of --app, or all of them.")] = ""

    def fabric(self) -> "FlowFabric | None":
        """The program's fabric, if a program was named."""
        return fabric_at(self.app) if self.app else None

    def url_or_default(self) -> str:
        """The url of the database: given, or the program's, or the file in the current folder."""
        if self.url:
            return self.url
        from flowfabric.app import DEFAULT_URL

        fabric = self.fabric()
        return DEFAULT_URL if fabric is None else fabric.url


HERE: Final = Target()
"""Nothing said: the environment's url or program, or the file in the current folder."""


@contextmanager
def opened(at: Target, *, reconcile: bool = False) -> Iterator["BlockingEngine"]:
    """The engine on the database that is there. None is ever made or migrated by looking at it."""
    from flowfabric.app import open_blocking_engine

    url = existing(at)
    fabric = at.fabric()
    namespace = at.namespace or (None if fabric is None else fabric.namespace)
    with open_blocking_engine(url, reconcile=reconcile, migrate=False) as engine:
        yield engine if namespace is None else engine.scoped(namespace)


def existing(at: Target) -> str:
    """The url of a database that is there."""
    from flowfabric.app import missing_file

    url = at.url_or_default()
    if url.startswith("memory:"):
        raise WrongCall("memory:// is a store of its own in every process, so there is nothing to see from here.")
    missing = missing_file(url)
    if missing is not None:
        raise NoDatabase(
            f"There is no database at {missing}. Say where it is with --url or --app, or make one with `ff migrate`."
        )
    return url


def fabric_at(target: str) -> "FlowFabric":
    """The fabric that `module:name` names. The module is also looked for in the current folder."""
    from flowfabric.fabric import FlowFabric

    module_name, _, name = target.partition(":")
    if not module_name:
        raise WrongCall(f"{target!r} names no module. Write module:name, such as app:ff.")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # Not there is the program itself, or a package that it is in; otherwise something that it imports.
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise _broken(module_name, error) from error
        file = f"{module_name.replace('.', '/')}.py"
        raise WrongCall(
            f"There is no module {module_name!r} here. Run ff in the folder that holds {file}, or install it."
        ) from error
    except Exception as error:
        raise _broken(module_name, error) from error
    if not name:
        return _only_one_in(vars(module), module_name)
    found = getattr(module, name, None)
    if not isinstance(found, FlowFabric):
        raise WrongCall(f"{target!r} is {'nothing' if found is None else 'no FlowFabric'}. Write module:name.")
    return found


def _only_one_in(names: dict[str, object], module: str) -> "FlowFabric":
    from flowfabric.fabric import FlowFabric

    found = {name: value for name, value in names.items() if isinstance(value, FlowFabric)}
    fabrics = list({id(value): value for value in found.values()}.values())
    if len(fabrics) != 1:
        known = ", ".join(f"{module}:{name}" for name in sorted(found)) or "none"
        raise WrongCall(f"{module} has not exactly one FlowFabric. Name it; there are: {known}.")
    return fabrics[0]


def _broken(module: str, error: Exception) -> NotDone:
    """What went wrong while a program was imported, and where in it."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    return NotDone(
        f"{module} could not be imported: {type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})."
    )
