"""Stand-ins for the standard library: a simulated process has strands for threads, virtual time and seeded chance.

They take the place of the modules that the package has imported, wherever it holds them: as a module's global, or as a
function's default. Nothing else of the package is touched, so the package knows nothing of the simulation. Outside a
strand a stand-in does what the original does.
"""

import asyncio
import concurrent.futures
import concurrent.futures._base
import os
import queue
import random
import secrets
import socket
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from greenlet import getcurrent

from tests.simulation import strands
from tests.simulation.strands import here

EPOCH_S = 1_700_000_000
"""What the clocks of all machines show about when the world begins."""


class _Module:
    """A module with some of its names replaced."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _Threading(_Module):
    def Lock(self) -> Any:
        return threading.Lock() if here() is None else strands.Lock()

    def RLock(self) -> Any:
        return threading.RLock() if here() is None else strands.Lock(is_reentrant=True)

    def Condition(self, lock: Any = None) -> Any:
        return threading.Condition(lock) if here() is None else strands.Condition(lock)

    def Event(self) -> Any:
        return threading.Event() if here() is None else strands.Event()

    def Thread(self, *args: Any, **kwargs: Any) -> Any:
        return threading.Thread(*args, **kwargs) if here() is None else strands.Thread(*args, **kwargs)

    def current_thread(self) -> Any:
        scheduler = here()
        if scheduler is None or scheduler.current is None:
            return threading.current_thread()
        return scheduler.current.thread

    def get_ident(self) -> int:
        scheduler = here()
        if scheduler is None or scheduler.current is None:
            return threading.get_ident()
        return scheduler.current.number


class _Time(_Module):
    def monotonic(self) -> float:
        scheduler = strands._scheduler  # as in `here`; no stand-in is asked more often
        if scheduler is None or scheduler.current is None or scheduler.current.greenlet is not getcurrent():
            return time.monotonic()
        return scheduler.now

    def time_ns(self) -> int:
        scheduler = here()
        if scheduler is None or scheduler.current is None:
            return time.time_ns()
        return int((EPOCH_S + scheduler.now + scheduler.current.process.skew_s) * 1000) * 1_000_000

    def sleep(self, seconds: float) -> None:
        scheduler = here()
        if scheduler is None:
            time.sleep(seconds)
        else:
            scheduler.wait(seconds)


class _Os(_Module):
    def getpid(self) -> int:
        scheduler = here()
        if scheduler is None or scheduler.current is None:
            return os.getpid()
        return scheduler.current.process.pid

    def urandom(self, size: int) -> bytes:
        scheduler = here()
        return os.urandom(size) if scheduler is None else scheduler.chance.randbytes(size)


class _Secrets(_Module):
    def token_hex(self, size: int = 32) -> str:
        return self.token_bytes(size).hex()

    def token_bytes(self, size: int = 32) -> bytes:
        scheduler = here()
        return secrets.token_bytes(size) if scheduler is None else scheduler.chance.randbytes(size)


class _Socket(_Module):
    def gethostname(self) -> str:
        scheduler = here()
        if scheduler is None or scheduler.current is None:
            return socket.gethostname()
        return f"host-of-{scheduler.current.process.name}"


class _Weakref(_Module):
    def finalize(self, *args: Any, **kwargs: Any) -> Any:
        made, scheduler = weakref.finalize(*args, **kwargs), here()
        if scheduler is not None:
            scheduler.finalizers.append(made)
        return made


def _chance() -> random.Random:
    scheduler = here()
    return random.SystemRandom() if scheduler is None else scheduler.chance


def _executor(*args: Any, **kwargs: Any) -> Any:
    return strands.Executor(*args, **kwargs) if here() else concurrent.futures.ThreadPoolExecutor(*args, **kwargs)


def _uuid4() -> uuid.UUID:
    scheduler = here()
    return uuid.uuid4() if scheduler is None else uuid.UUID(int=scheduler.chance.getrandbits(128), version=4)


def _new_event_loop() -> asyncio.AbstractEventLoop:
    return _new_loop() if here() is None else strands.Loop()


class _SimpleQueue:
    def __class_getitem__(cls, item: object) -> type["_SimpleQueue"]:
        return cls

    def __new__(cls) -> Any:
        return queue.SimpleQueue() if here() is None else strands.Queue()


_TIME = _Time(time)
_new_loop = asyncio.new_event_loop
_STANDINS: list[tuple[object, object]] = [
    (threading, _Threading(threading)),
    (time, _TIME),
    (time.monotonic, _TIME.monotonic),
    (os, _Os(os)),
    (random.SystemRandom, _chance),
    (secrets, _Secrets(secrets)),
    (socket, _Socket(socket)),
    (concurrent.futures.ThreadPoolExecutor, _executor),
    (queue.SimpleQueue, _SimpleQueue),
    (uuid.uuid4, _uuid4),
    (weakref, _Weakref(weakref)),
]


def _standin_for(value: object) -> object | None:
    return next((standin for original, standin in _STANDINS if value is original), None)


@contextmanager
def in_place() -> Iterator[None]:
    """While the block lasts, the package uses the stand-ins."""
    places = _places(tuple(name for name in sorted(sys.modules) if name.partition(".")[0] == "flowfabric"))
    for put, standin, _ in places:
        put(standin)
    try:
        yield
    finally:
        for put, _, original in places:
            put(original)


@cache
def _places(modules: tuple[str, ...]) -> list[tuple[Callable[[object], None], object, object]]:
    """Wherever modules hold something that has a stand-in: how to put something there, what, and what it was."""
    found = [(_to_global(asyncio, "new_event_loop"), _new_event_loop, asyncio.new_event_loop)]
    for module in [*map(sys.modules.__getitem__, modules), concurrent.futures._base]:
        for name, value in list(vars(module).items()):
            standin = _standin_for(value)
            if standin is not None:
                found.append((_to_global(module, name), standin, value))
        for function in _functions_of(module):
            for place, value in enumerate(function.__defaults__ or ()):
                standin = _standin_for(value)
                if standin is not None:
                    found.append((_to_default(function, place), standin, value))
            for name, value in (function.__kwdefaults__ or {}).items():
                standin = _standin_for(value)
                if standin is not None:
                    found.append((_to_keyword(function, name), standin, value))
    return found


def _functions_of(module: ModuleType) -> Iterator[FunctionType]:
    for value in list(vars(module).values()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for member in vars(value).values():
                if isinstance(member, FunctionType):
                    yield member


def _to_global(module: ModuleType, name: str) -> Callable[[object], None]:
    return lambda value: setattr(module, name, value)


def _to_default(function: FunctionType, place: int) -> Callable[[object], None]:
    def put(value: object) -> None:
        defaults = list(function.__defaults__ or ())
        defaults[place] = value
        function.__defaults__ = tuple(defaults)

    return put


def _to_keyword(function: FunctionType, name: str) -> Callable[[object], None]:
    def put(value: object) -> None:
        assert function.__kwdefaults__ is not None
        function.__kwdefaults__[name] = value

    return put
