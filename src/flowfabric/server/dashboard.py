"""The dashboard: a page that never changes, and the files that it loads. All data comes from the routes of the API.

What the scripts in static/ are, said here so that readers of pages need not load it:

app.js         the bar at the top, and which module shows which address
router.js      shows the page of an address; docs/internals.md says what a page is
api.js         calls the public API: whatever a page does, a program can do with the same calls
live.js        follows the event log: one stream for each page
h.js           builds and updates what is on the page. Text stays text: nothing in it reads markup from a string
ui.js          tables, filters, bars and lists: what several pages share
format.js      how values look: times, durations, numbers, ids, states
values.js      values of users: JSON that folds, long texts, tracebacks. All of it is text, whatever it says
verbs.js       asks before something is done, and says what has come of it
says.js        one line that says what has just been done, also to a screen reader
keys.js        the keyboard: shortcuts of all pages and of the page that is shown; `?` lists both
search.js      the search box: the words of `ff ls`, and the fields of the address
login.js       logs in with a token, or with a link: its secret stands after the #
overview.js    is it healthy, how much is there to do, what has failed, who is asked
executions.js  executions, newest first: found, and steered one by one or many at once
execution.js   one execution: why it does not run, its life to scale, and what one can do
timeline.js    the life of an execution, to scale, until its end or until now
output.js      what an execution says while it runs: its stream
flow.js        one flow: its graph, live; the same as a list; and the chosen node
graph.js       the picture of a flow: draws what the server has laid out, and lets people move in it. An update changes
               classes and texts only; places stay until the graph itself changes
questions.js   what people are asked: one question with its buttons
events.js      the event log, as it grows, with the filters of `ff tail`
lists.js       pages that are one list each
"""

import hashlib
import re
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

_FIRST_PAGE: Final = ("overview.js", "ui.js")
"""What the first page needs besides. `ui.js` is on nearly every page."""
_EARLY: Final = '<link rel="modulepreload" href="{prefix}/static/{build}/{name}">\n'

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
    text = text.replace("{early}", "".join(_EARLY.replace("{name}", each) for each in early()))
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
def early() -> tuple[str, ...]:
    """The modules that every page needs. A browser that knows them loads them at once, and not one after the other."""
    found = ["app.js", *_FIRST_PAGE]
    for name in found:  # which grows
        imported = re.findall(r'^import .* from "\./([\w.]+)";$', _read(name).decode(), re.MULTILINE)
        found += [each for each in imported if each not in found]
    return tuple(sorted(found))


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
