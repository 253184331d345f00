"""The methods of `Engine` for synchronous code, made by a loop. Their types are written by `tools/blocking_stub.py`."""

import inspect
from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any

from flowfabric.engine.engine import Engine
from flowfabric.engine.shells import run_now


class BlockingMethods:
    """Every method of `Engine` that waits for an answer, waiting in the caller's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


def _blocking(method: Callable[..., Coroutine[Any, Any, object]]) -> Callable[..., object]:
    """The method of the engine, run to its end in the caller's thread. An engine behind a server has its own."""
    name = method.__name__

    def call(self: BlockingMethods, /, *args: object, **kwargs: object) -> object:
        return run_now(getattr(self._engine, name)(*args, **kwargs))

    update_wrapper(call, method)
    call.__qualname__ = f"BlockingEngine.{method.__name__}"
    return call


for _name, _method in inspect.getmembers(Engine, inspect.iscoroutinefunction):
    if not _name.startswith("_"):
        setattr(BlockingMethods, _name, _blocking(_method))
