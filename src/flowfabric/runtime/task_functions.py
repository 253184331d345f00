"""What a function must be to become a task: its first parameter takes a context, and a child process can import it."""

import inspect
import sys
from collections.abc import Callable
from types import SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from flowfabric.domain.errors import InvalidInput
from flowfabric.runtime.annotations import signature_of
from flowfabric.runtime.context import Context


def check_context(function: Callable[..., Any], name: str) -> None:
    """Refuse a function whose first parameter is annotated as something that a Context is not."""
    first = next(iter(signature_of(function).parameters.values()), None)
    if first is None or first.annotation is inspect.Parameter.empty:
        return
    hint = first.annotation
    try:
        globalns = getattr(inspect.unwrap(function), "__globals__", {})
        hint = get_type_hints(SimpleNamespace(__annotations__={"ctx": hint}), globalns=globalns)["ctx"]
    except (NameError, AttributeError):
        return  # the type of the context need not be importable
    if not _admits_context(hint):
        called = getattr(hint, "__name__", None) if isinstance(hint, type) and not get_args(hint) else None
        raise InvalidInput(
            f"Task {name!r}: its first parameter, {first.name!r}, is annotated as {called or hint}, and the first "
            f"parameter of a task is its Context. Write def {function.__name__}(ctx: Context, ...); what submit takes "
            "comes after it."
        )


def _admits_context(hint: Any) -> bool:
    """Whether a parameter with this annotation may get a Context. In doubt it may."""
    if get_origin(hint) in (Union, UnionType):
        return any(_admits_context(each) for each in get_args(hint))
    kind = get_origin(hint) or hint
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return kind is not Literal
    return issubclass(Context, kind) or issubclass(kind, Context)


def check_importable(function: Callable[..., Any], name: str) -> None:
    """Refuse a function that a spawned process could not import by its module and name."""
    why = None
    if function.__name__ == "<lambda>":
        why = "it is a lambda, which has no name"
    elif "<locals>" in function.__qualname__:
        why = f"it is defined inside {function.__qualname__.split('.<locals>')[0]!r}, not at the top of a module"
    elif function.__module__ == "__main__" and not hasattr(sys.modules["__main__"], "__file__"):
        why = "it was typed into an interpreter, and there is no file to import it from"
    if why is not None:
        raise InvalidInput(
            f"Task {name!r} cannot run with isolation='process': {why}, and the process that runs it has to "
            "import it. Write it with `def` at the top level of a module, or leave isolation out."
        )
