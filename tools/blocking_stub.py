"""Write the signatures of the engine's methods for those who cannot see `Engine` itself.

    python tools/blocking_stub.py            write the files
    python tools/blocking_stub.py --check    fail if one of them is not up to date

`engine/blocking_methods.pyi` has every public coroutine method of `Engine` as a plain method of the same signature,
with its docstring. `wire/methods/` has the same methods as protocols, for server and client, which do not see the
engine.
"""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from flowfabric.engine.access import AccessMethods
from flowfabric.engine.blocks import BlockMethods
from flowfabric.engine.engine import Engine
from flowfabric.engine.explaining import Explaining
from flowfabric.engine.families import Families
from flowfabric.engine.flows import Flows
from flowfabric.engine.following import Following
from flowfabric.engine.gates import GateMethods
from flowfabric.engine.operating import Operating
from flowfabric.engine.reading import Reading
from flowfabric.engine.scheduling import Scheduling
from flowfabric.engine.scope import Scoped
from flowfabric.engine.signalling import Signalling
from flowfabric.engine.streaming import Streaming
from flowfabric.engine.submitting import Submitting
from flowfabric.engine.waiting import WaitingMethods
from flowfabric.engine.working import Working

PACKAGE: Final = Path(__file__).parents[1] / "src" / "flowfabric"
STUB: Final = PACKAGE / "engine" / "blocking_methods.pyi"
PROTOCOLS: Final = {
    "making": (Scoped, Submitting, Flows, AccessMethods),
    "looking": (Explaining, Reading, Following, Families),
    "steering": (Operating, Scheduling, Signalling, GateMethods),
    "working": (Working, BlockMethods, WaitingMethods, Streaming),
}
"""Which parts of the engine each file of `wire/methods` shows."""
HEAD: Final = '"""Written by `python tools/blocking_stub.py`; do not edit. Change `Engine`, and run it again."""\n'
CLASS: Final = '''
class BlockingMethods:
    """Every method of `Engine` that waits for an answer, waiting in the caller's thread."""

    _engine: Engine

    def __init__(self, engine: Engine) -> None: ...
'''


class Source:
    """One file that defines methods of `Engine`."""

    def __init__(self, owner: type) -> None:
        module = inspect.getmodule(owner)
        assert module is not None
        self.module = module
        self.tree = ast.parse(inspect.getsource(module))
        (found,) = (node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == owner.__name__)
        self.methods = [
            node for node in found.body if isinstance(node, ast.AsyncFunctionDef) and _is_to_block(node.name)
        ]

    def imports(self, names: Iterable[str]) -> Iterator[str]:
        """How a stub comes by names that mean something in this file."""
        origins = {
            alias.asname or alias.name: f"from {node.module} import {ast.unparse(alias)}"
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        origins |= {
            alias.name: f"import {alias.name}"
            for node in self.tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        own = {
            target.id
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        } | {node.name for node in self.tree.body if isinstance(node, ast.ClassDef)}
        for name in names:
            if name in origins:
                yield origins[name]
            elif name in own:
                yield f"from {self.module.__name__} import {name}"

    def without_body(self, method: ast.AsyncFunctionDef, *, blocking: bool) -> ast.FunctionDef | ast.AsyncFunctionDef:
        """The method with its docstring and without a body. `blocking`: without `async`, too."""
        docstring = method.body[0]
        assert isinstance(docstring, ast.Expr), method.name
        arguments = method.args
        arguments.defaults = [self._shown(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self._shown(default) for default in arguments.kw_defaults]
        kind = ast.FunctionDef if blocking else ast.AsyncFunctionDef
        return ast.copy_location(kind(method.name, arguments, [docstring], [], method.returns), method)

    def _shown(self, default: ast.expr) -> ast.expr:
        """A default as its value, where a reader understands that at once; otherwise three dots."""
        value = getattr(self.module, default.id) if isinstance(default, ast.Name) else ...
        return (
            default
            if isinstance(default, ast.Constant)
            else ast.Constant(value if isinstance(value, str | int) else ...)
        )


def _is_to_block(name: str) -> bool:
    return not name.startswith("_") and inspect.iscoroutinefunction(getattr(Engine, name))


def written() -> dict[Path, str]:
    """The files as they should be."""
    owners = tuple(reversed(Engine.__mro__[:-1]))
    files = {STUB: HEAD + _signatures(owners, CLASS, {"from flowfabric.engine.engine import Engine"}, blocking=True)}
    for name, parts in PROTOCOLS.items():
        protocol = f'\nclass {name.capitalize()}(Protocol):\n    """Methods of `Engine`, by the same names."""\n'
        files[PACKAGE / "wire" / "methods" / f"{name}.py"] = HEAD + _signatures(
            parts, protocol, {"from typing import Protocol"}, blocking=False
        )
    return {path: _formatted(text, path) for path, text in files.items()}


def _signatures(owners: Iterable[type], head: str, imports: set[str], *, blocking: bool) -> str:
    """The imports, the head of a class, and the methods of these owners."""
    methods: list[str] = []
    for source in map(Source, owners):
        for method in source.methods:
            shown = source.without_body(method, blocking=blocking)
            imports.update(source.imports({node.id for node in ast.walk(shown) if isinstance(node, ast.Name)}))
            methods.append(ast.unparse(shown))
    indented = "\n".join("    " + line for method in methods for line in method.splitlines())
    return "\n".join(sorted(imports)) + "\n" + head + "\n" + indented + "\n"


def _formatted(text: str, path: Path) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    for step in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        command = [*ruff, *step, "--stdin-filename", str(path), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return text


def main() -> None:
    """Write the files, or check them."""
    for path, text in written().items():
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path.name} does not fit Engine any more: run `python tools/blocking_stub.py`")


if __name__ == "__main__":
    main()
