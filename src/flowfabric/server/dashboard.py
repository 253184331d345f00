"""The dashboard: a page that never changes, and the files that it loads. All data comes from the routes of the API."""

import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from flowfabric.server.messages import HttpError, Response

HTML: Final = "text/html; charset=utf-8"
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}
"""The kinds of files that are served, by the ends of their names."""

ADDRESSES: Final = (
    "",
    "/",
    "/login",
    "/executions",
    "/executions/{id}",
    "/flows",
    "/flows/{id}",
    "/waiting",
    "/schedules",
    "/lanes",
    "/workers",
    "/limits",
    "/budgets",
    "/events",
    "/doctor",
)
"""The addresses of the dashboard. The same page answers at each of them; its scripts look at the address."""


def shell(prefix: str, *, may_be_known: bool) -> Response:
    """The page. It holds no data, so it needs no token. `may_be_known`: the reader may have a session."""
    text = _read("index.html").decode()
    text = text.replace("{session}", "maybe" if may_be_known else "none")
    text = text.replace("{prefix}", escape(prefix)).replace("{build}", build())
    return Response(200, text.encode(), HTML)


def asset(name: str, of_build: str | None = None) -> Response:
    """One of the files that pages use.

    With the right build, the address stands for this content for ever. During an update a page of another server may
    ask for another build: it gets what is here, and keeps nothing.
    """
    if name not in names():
        raise HttpError(404, "no_such_address", "There is no such file. Look at /v1/docs.")
    if of_build == build():
        keep = "public, max-age=31536000, immutable"
    else:
        keep = "max-age=3600" if of_build is None else "no-store"
    return Response(200, _read(name), _TYPES[name.rpartition(".")[2]], cache_control=keep)


@cache
def names() -> frozenset[str]:
    """The files that are served by name."""
    return frozenset(each.name for each in _folder().iterdir() if each.name.rpartition(".")[2] in _TYPES)


@cache
def build() -> str:
    """A name for the content of all files together. Modules load each other from the same build."""
    content = hashlib.sha256()
    for name in sorted(names() | {"index.html"}):
        content.update(name.encode() + b"\0" + _read(name) + b"\0")
    return content.hexdigest()[:16]


@cache
def _read(name: str) -> bytes:
    return _folder().joinpath(name).read_bytes()


def _folder() -> Traversable:
    return files("flowfabric.server").joinpath("static")
