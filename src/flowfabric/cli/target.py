"""Where every verb finds its database: by a url, by a program, or as the file in the current folder."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.exits import NoDatabase, NotDone, WrongCall

# Engine, stores and fabric are imported only when a verb runs, so that help is quick.
if TYPE_CHECKING:
    from flowfabric.engine.blocking import BlockingEngine
    from flowfabric.fabric import FlowFabric

URL_VARIABLE: Final = "FLOWFABRIC_URL"
APP_VARIABLE: Final = "FLOWFABRIC_APP"
ACTOR_VARIABLE: Final = "FLOWFABRIC_ACTOR"
PROGRAM: Final = "app"
"""The module that is used if none is named: ./app.py."""
PROGRAM_FILE: Final = f"{PROGRAM}.py"

Url = Annotated[
    str,
    Parameter(
        help=f"The database, such as sqlite:///shop.db. Without it, that of the program. [env var: {URL_VARIABLE}]"
    ),
]
Program = Annotated[
    str,
    Parameter(
        help=f"The program, such as shop:ff for the object ff of shop.py. Without it, ./{PROGRAM_FILE}. "
        f"[env var: {APP_VARIABLE}]"
    ),
]


class Place(NamedTuple):
    """A database, its program if there is one, and the option or variable that named it."""

    url: str
    fabric: "FlowFabric | None"
    named_by: str


@Parameter(name="*")
@dataclass(frozen=True)
class Target:
    """The options by which every verb finds its database."""

    url: Url = ""
    app: Program = ""
    namespace: Annotated[
        str, Parameter(help="Use one namespace only. Without it, that of the program, or all of them.")
    ] = ""
    actor: Annotated[
        str,
        Parameter(
            help="Who does this: events show this name, and so do executions that are made. "
            f"[env var: {ACTOR_VARIABLE}]"
        ),
    ] = ""

    def place(self) -> Place:
        """The database and the program. The command line overrides the environment.

        With a url alone nothing is imported. A program is imported if it is named, or if nothing at all is named.
        """
        url, app = self.url, self.app
        by = "--url" if url else ""
        if not url and not app:
            url, app = os.environ.get(URL_VARIABLE, ""), os.environ.get(APP_VARIABLE, "")
            by = URL_VARIABLE if url else ""
        fabric = fabric_at(app) if app else None if url else fabric_here()
        if url:
            return Place(url, fabric, by)
        if fabric is not None:
            return Place(fabric.url, fabric, app or PROGRAM_FILE)
        from flowfabric.app import DEFAULT_URL

        return Place(DEFAULT_URL, None, "")

    def namespace_at(self, place: Place) -> str | None:
        """The namespace that the verb is limited to; None: all namespaces."""
        return self.namespace or (None if place.fabric is None else place.fabric.namespace)

    def as_its_actor(self, engine: "BlockingEngine") -> "BlockingEngine":
        """The engine, acting for whom the command line or the environment names."""
        actor = self.actor or os.environ.get(ACTOR_VARIABLE, "")
        return engine.acting_as(actor) if actor else engine


HERE: Final = Target()
"""No option: the url or program of the environment, the program in the current folder, or the file there."""


@contextmanager
def opened(at: Target, *, reconcile: bool = False) -> Iterator["BlockingEngine"]:
    """The engine on an existing database. This never creates or migrates a database."""
    with opened_at(at.place(), at, reconcile=reconcile) as engine:
        yield engine


@contextmanager
def opened_at(place: Place, at: Target, *, reconcile: bool = False) -> Iterator["BlockingEngine"]:
    """The same for a known place."""
    from flowfabric.app import open_blocking_engine

    namespace = at.namespace_at(place)
    with open_blocking_engine(existing(place), reconcile=reconcile, migrate=False) as engine:
        yield at.as_its_actor(engine if namespace is None else engine.scoped(namespace))


@contextmanager
def opened_for_all(at: Target) -> Iterator["BlockingEngine"]:
    """The engine on an existing database, for what all namespaces share: that of the program does not limit it."""
    from flowfabric.app import open_blocking_engine

    if at.namespace:
        raise WrongCall("All namespaces share this, so --namespace does not fit here. Leave it out.")
    with open_blocking_engine(existing(at.place()), reconcile=False, migrate=False) as engine:
        yield at.as_its_actor(engine)


def existing(place: Place, *, may_be_made: bool = False) -> str:
    """The url of a database, which must exist, unless it is a file that will be made."""
    from flowfabric.app import is_shared, missing_file

    if not is_shared(place.url):
        raise WrongCall(
            "memory:// is a database inside one process, and every process has its own, so ff cannot see it. "
            "Name a file or a server."
        )
    missing = missing_file(place.url)
    if missing is None or may_be_made:
        return place.url
    if place.fabric is not None and place.named_by not in ("--url", URL_VARIABLE):
        program = "" if place.named_by == PROGRAM_FILE else f" {place.named_by}"
        raise NoDatabase(
            f"There is no database at {missing}, which {place.named_by} names. The first worker or submit makes it; "
            f"start a worker with `ff worker{program}`."
        )
    if place.named_by:
        raise NoDatabase(
            f"There is no database at {missing}, which {place.named_by} names. `ff migrate` makes one there."
        )
    raise NoDatabase(
        f"There is no database at {missing}. Run ff in the folder of your program, say where the database is with "
        "--url or --app, or make one with `ff migrate`."
    )


# ── programs ─────────────────────────────────────────────────────────────────────────────────────


def fabric_here() -> "FlowFabric | None":
    """The fabric of the program in the current folder; None: there is no such program, or it has no fabric."""
    if not os.path.exists(PROGRAM_FILE):
        return None
    fabrics = _fabrics_in(PROGRAM)
    return _only_one_of(fabrics, PROGRAM) if fabrics else None


def fabric_at(target: str) -> "FlowFabric":
    """The fabric that `module:name` names. The module may be in the current folder."""
    module, _, name = target.partition(":")
    if not module:
        raise WrongCall(f"{target!r} names no module. Write module:name, such as shop:ff for the object ff of shop.py.")
    fabrics = _fabrics_in(module)
    if not name:
        return _only_one_of(fabrics, module)
    if name not in fabrics:
        what = "is not a FlowFabric" if hasattr(sys.modules[module], name) else "does not exist"
        raise WrongCall(f"{name!r} in {module} {what}. {_choice(fabrics, module)}")
    return fabrics[name]


def _fabrics_in(module_name: str) -> "dict[str, FlowFabric]":
    """The fabrics of a module, by name. The module is imported, and its own output is kept apart from ours."""
    import importlib

    from flowfabric.fabric import FlowFabric

    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with redirect_stdout(sys.stderr):
            module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        # If the missing module is not the program itself or a package around it, the program imports something missing.
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise _broken(module_name, error) from error
        file = f"{module_name.replace('.', '/')}.py"
        raise WrongCall(
            f"There is no module {module_name!r} here. Run ff in the folder that holds {file}, or install it."
        ) from error
    except (Exception, SystemExit) as error:
        raise _broken(module_name, error) from error
    return {name: value for name, value in vars(module).items() if isinstance(value, FlowFabric)}


def _only_one_of(fabrics: "dict[str, FlowFabric]", module: str) -> "FlowFabric":
    different = list({id(each): each for each in fabrics.values()}.values())
    if len(different) == 1:
        return different[0]
    raise WrongCall(f"{module} has {'several FlowFabrics' if fabrics else 'no FlowFabric'}. {_choice(fabrics, module)}")


def _choice(fabrics: "dict[str, FlowFabric]", module: str) -> str:
    if not fabrics:
        return "Name a program that has one, such as shop:ff for the object ff of shop.py."
    return f"Name one of: {', '.join(f'{module}:{name}' for name in sorted(fabrics))}."


def _broken(module: str, error: BaseException) -> NotDone:
    """The error for a program that cannot be imported, with the line in the program."""
    where = _line_of(error)
    if isinstance(error, SystemExit):
        return NotDone(
            f"{module} ended the process while it was imported ({where}). Put what it runs as a program below "
            '`if __name__ == "__main__":`.'
        )
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return NotDone(f"{module} could not be imported: {type(error).__name__}: {said.rstrip('.')} ({where}).")


def _line_of(error: BaseException) -> str:
    """The line of the user's own code that led to an error, not a line inside a library."""
    import traceback

    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    here = os.path.join(os.getcwd(), "")
    own = [frame for frame in frames if frame.filename.startswith(here) and "site-packages" not in frame.filename]
    frame = (own or frames)[-1]
    return f"{frame.filename}, line {frame.lineno}"
