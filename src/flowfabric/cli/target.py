"""Finding the program that a command is about, and ending with a sentence where that fails."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from flowfabric.domain.errors import EngineError
from flowfabric.fabric import FlowFabric


class WrongTarget(Exception):
    """What the command was given names no fabric; the message says what to write."""


def fabric_at(target: str) -> FlowFabric:
    """The fabric that `module:name` names. The module is also looked for in the current folder."""
    module_name, _, name = target.partition(":")
    if not module_name:
        raise WrongTarget(f"{target!r} names no module. Write module:name, such as app:ff.")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise  # the module is there, and something that it imports is not
        raise WrongTarget(
            f"There is no module {module_name!r} here. Run ff in the folder that holds {module_name}.py, or install it."
        ) from error
    if not name:
        return _only_one_in(vars(module), module_name)
    found = getattr(module, name, None)
    if not isinstance(found, FlowFabric):
        raise WrongTarget(f"{target!r} is {'nothing' if found is None else 'no FlowFabric'}. Write module:name.")
    return found


def _only_one_in(names: dict[str, object], module: str) -> FlowFabric:
    found = {name: value for name, value in names.items() if isinstance(value, FlowFabric)}
    if len(set(map(id, found.values()))) != 1:
        known = ", ".join(f"{module}:{name}" for name in sorted(found)) or "none"
        raise WrongTarget(f"{module} has not exactly one FlowFabric. Name it; there are: {known}.")
    return next(iter(found.values()))


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """End the program with the message of what went wrong: 2 for a wrong call, 1 for the rest."""
    try:
        yield
    except WrongTarget as error:
        _end(str(error), 2)
    except EngineError as error:
        _end(str(error), 1)


def _end(message: str, code: int) -> None:
    sys.stderr.write(f"ff: {message}\n")
    raise SystemExit(code)
