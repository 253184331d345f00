"""Whether the package gets time, threads and chance from the simulator, all of it, and only while a world runs."""

import ast
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import flowfabric
from tests.simulation import standins
from tests.simulation.plan import plan_of
from tests.simulation.world import run

STOOD_IN_FOR = {
    "time": {"monotonic", "sleep", "time_ns"},
    "threading": {"Condition", "Event", "Lock", "RLock", "Thread", "current_thread", "get_ident"},
    "secrets": {"token_bytes", "token_hex"},
    "weakref": {"finalize"},
}
ELSEWHERE = {"threading": {"Semaphore", "local", "main_thread"}, "weakref": {"WeakSet"}}
"""What no engine or worker of the simulation asks for: what a process has once, and sockets of blocking callers."""
BY_NAME = {("random", "SystemRandom"), ("uuid", "UUID"), ("uuid", "uuid4")}
"""What may be imported by name of modules that know of time, threads or chance: it has none of them, or a stand-in."""
SIMULATED = [
    "engine",
    "runtime",
    "reconcilers",
    "stores/memory",
    "domain",
    "app.py",
    "ports",
    "client",
    "server",
    "wire",
]


def test_nothing_of_time_threads_or_chance_is_without_a_standin() -> None:
    package = Path(flowfabric.__file__).parent
    files = [
        file for name in SIMULATED for file in ([package / name] if "." in name else (package / name).glob("**/*.py"))
    ]
    used: dict[str, set[str]] = {}
    by_name: set[tuple[str | None, str]] = set()
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in (*STOOD_IN_FOR, "random", "uuid"):
                by_name |= {(node.module, alias.name) for alias in node.names}
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
                used.setdefault(node.value.id, set()).add(node.attr)
    for module, names in STOOD_IN_FOR.items():
        assert used[module] <= names | ELSEWHERE.get(module, set()), f"{module} needs a stand-in in standins.py"
    assert used.keys().isdisjoint({"random", "uuid", "datetime"})
    assert by_name <= BY_NAME, "a name that was imported has no stand-in: import the module"


def test_standins_are_there_only_while_a_world_runs() -> None:
    before = _holders(time)
    assert len(before) > 5
    with standins.in_place():
        assert _holders(time) == []
    run(plan_of(1))
    assert _holders(time) == before


def test_outside_a_world_a_standin_does_what_the_original_does() -> None:
    module = sys.modules[_holders(threading)[0]]
    with standins.in_place():
        assert module.threading is not threading
        assert isinstance(module.threading.Event(), threading.Event)


def _holders(module: ModuleType) -> list[str]:
    """The modules of the package that have imported it."""
    return [
        name
        for name, each in sorted(sys.modules.items())
        if name.partition(".")[0] == "flowfabric" and any(value is module for value in vars(each).values())
    ]
