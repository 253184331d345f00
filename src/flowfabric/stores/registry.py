"""Which kind of store a url means, by its first word.

A store from another package is found in the entry point group `flowfabric.stores`, where each name is the scheme of a
url; or the program that uses the store registers it:

    register("valkey", ValkeyKind())
"""

import re
from typing import Final

from flowfabric.domain.errors import InvalidInput
from flowfabric.stores.kinds import StoreKind
from flowfabric.stores.memory.kind import MemoryKind
from flowfabric.stores.postgres.kind import PostgresKind
from flowfabric.stores.sqlite.kind import SqliteKind

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,19})://")
ENTRY_POINTS: Final = "flowfabric.stores"

_POSTGRES: Final = PostgresKind()
_kinds: Final[dict[str, StoreKind]] = {
    "memory": MemoryKind(),
    "sqlite": SqliteKind(),
    "postgresql": _POSTGRES,
    "postgres": _POSTGRES,
}


def register(scheme: str, kind: StoreKind) -> None:
    """Let urls that begin with `scheme://` mean stores of this kind. A later registration replaces an earlier one."""
    _kinds[scheme] = kind


def find_kind(url: str) -> StoreKind | None:
    """The kind of store that a url means; None: no kind is registered for it."""
    scheme, separator, _ = url.partition("://")
    if separator and scheme not in _kinds:
        from importlib.metadata import entry_points  # most programs never need it

        for found in entry_points(group=ENTRY_POINTS, name=scheme):
            try:
                register(scheme, found.load()())
            except Exception as error:
                raise InvalidInput(
                    f"The store for urls that start with {scheme!r} is installed, and {found.value} cannot be loaded: "
                    f"{type(error).__name__}: {error}. Repair its installation."
                ) from error
    return _kinds.get(scheme) if separator else None


def kind_of(url: str) -> StoreKind:
    """The kind of store that a url means. InvalidInput: no kind is registered for the url."""
    kind = find_kind(url)
    if kind is None:
        raise names_no_store(url)
    return kind


def names_no_store(url: str) -> InvalidInput:
    """The error for a url that names no store. The url itself is not shown, because it may hold a password."""
    *first, last = dict.fromkeys(repr(example) for kind in _kinds.values() for example in kind.examples)
    scheme = _SCHEME.match(url)
    beginning = f"starts with {scheme[1]!r} and" if scheme else "has no scheme and"
    return InvalidInput(f"The url {beginning} names no store. Use {', '.join(first)} or {last}.")
