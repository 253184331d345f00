"""Write the types of the blocking engine's methods, which are made from those of `Engine` when it is imported.

    python tools/blocking_stub.py            write src/flowfabric/engine/blocking_methods.pyi
    python tools/blocking_stub.py --check    fail if it is not up to date

Every public coroutine method of `Engine` is written as a plain method of the same signature, with its docstring.
"""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from flowfabric.engine.engine import Engine

STUB: Final = Path(__file__).parents[1] / "src" / "flowfabric" / "engine" / "blocking_methods.pyi"
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

    def plain(self, method: ast.AsyncFunctionDef) -> ast.FunctionDef:
        """The method with its docstring, without `async` and without a body."""
        docstring = method.body[0]
        assert isinstance(docstring, ast.Expr), method.name
        arguments = method.args
        arguments.defaults = [self._shown(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self._shown(default) for default in arguments.kw_defaults]
        return ast.copy_location(ast.FunctionDef(method.name, arguments, [docstring], [], method.returns), method)

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


def written() -> str:
    """The stub as it should be."""
    imports = {"from flowfabric.engine.engine import Engine"}
    methods: list[str] = []
    for owner in reversed(Engine.__mro__[:-1]):
        source = Source(owner)
        for method in source.methods:
            plain = source.plain(method)
            named = {node.id for node in ast.walk(plain) if isinstance(node, ast.Name)}
            imports.update(source.imports(named))
            methods.append(ast.unparse(plain))
    indented = "\n".join("    " + line for method in methods for line in method.splitlines())
    return _formatted(HEAD + "\n".join(sorted(imports)) + "\n" + CLASS + "\n" + indented + "\n")


def _formatted(stub: str) -> str:
    ruff = [sys.executable, "-m", "ruff"]
    for step in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        command = [*ruff, *step, "--stdin-filename", str(STUB), "-"]
        stub = subprocess.run(command, input=stub, capture_output=True, text=True, check=True).stdout
    return stub


def main() -> None:
    """Write the stub, or check it."""
    stub = written()
    if "--check" not in sys.argv:
        STUB.write_text(stub)
    elif STUB.read_text() != stub:
        sys.exit(f"{STUB.name} does not fit Engine any more: run `python tools/blocking_stub.py`")


if __name__ == "__main__":
    main()
