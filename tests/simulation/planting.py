"""How a rule is broken on purpose, and mended again.

A mutant is a function of the package with one piece of its text replaced. Its code is swapped in place, so it does not
matter who holds the function. If the text has changed, the test says which mutant has lost its place.
"""

import __future__

import inspect
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, NamedTuple

_START = re.compile(r"(async )?def ")
in_place: "list[Mutant]" = []
"""The mutants that are planted now, for processes that have to have them, too."""


class Mutant(NamedTuple):
    """What is broken, and how."""

    name: str
    where: str
    """The module, a colon, and the function or method."""
    text: str
    instead: str
    seed: int = 0
    """A seed that finds it, and is tried first."""
    more_seeds: tuple[int, ...] = ()
    """Seeds that find it, too, and are tried next. What a seed means changes with each pause in the package."""
    parts: tuple[str, ...] = ()
    """Names of actors and faults. If there are any, it is looked for in small worlds in which nothing else happens."""


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """While the block lasts, the rule is broken."""
    function = _function_at(mutant.where)
    code = function.__code__
    function.__code__ = _mutated(function, mutant)
    in_place.append(mutant)
    try:
        yield
    finally:
        in_place.remove(mutant)
        function.__code__ = code


def _function_at(where: str) -> FunctionType:
    module, _, path = where.partition(":")
    found: Any = import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), where
    return found


def _mutated(function: FunctionType, mutant: Mutant) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    start = _START.search(source)
    assert start is not None
    source = source[start.start() :]  # without decorators, which have done their work
    assert source.count(mutant.text) == 1, f"the mutant {mutant.name!r} has lost its place: {mutant.text!r}"
    compiled = compile(
        source.replace(mutant.text, mutant.instead),
        f"<mutant: {mutant.name}>",
        "exec",
        flags=__future__.annotations.compiler_flag,
    )
    made: dict[str, Any] = {}
    exec(compiled, function.__globals__, made)
    return made[function.__name__].__code__  # type: ignore[no-any-return]
