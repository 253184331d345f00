"""A picture of a flow as the text of an SVG file, which any browser shows."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from flowfabric.domain.states import PublicState
from flowfabric.drawing.picture import DrawnEdge, DrawnJoin, DrawnNode, FlowLayout, join_width, shortened
from flowfabric.drawing.placing import number

SMALL_CHAR_WIDTH: Final = 5.7
"""How wide a character of the second line of a node is, about."""
_RING: Final = "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z"
SHAPES: Final[Mapping[PublicState, str]] = {
    "waiting": _RING,
    "delayed": f"{_RING}M8 5v3.5l2.5 1.5",
    "rate_limited": "M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.5v.5",
    "waiting_children": "M2.5 4h4v4h-4zM9.5 8h4v4h-4zM4.5 8v2h5",
    "suspended": f"{_RING}M6.5 5.5v5M9.5 5.5v5",
    "resumable": f"{_RING}M6.5 5.5v5l4-2.5z",
    "active": "M4.5 2.5v11l9-5.5z",
    "completed": "M2.5 8.5l4 4 7-9",
    "failed": "M3 3l10 10M13 3L3 13",
    "cancelled": f"{_RING}M4.2 4.2l7.6 7.6",
    "expired": "M4 2.5h8l-4 5.5 4 5.5H4l4-5.5z",
    "skipped": "M2.5 8h9M8.5 4.5 12 8l-3.5 3.5",
}
"""The sign of each state, as a path in a square of 16, so that a reader need not see colours. The dashboard draws
the same signs."""

_COLOURS: Final[Mapping[PublicState, tuple[str, str]]] = {
    "waiting": ("#5b6472", "#a6b0bf"),
    "delayed": ("#5b6472", "#a6b0bf"),
    "rate_limited": ("#8a5a00", "#e0ab4a"),
    "waiting_children": ("#5b6472", "#a6b0bf"),
    "active": ("#0b62c4", "#6cb2ff"),
    "suspended": ("#7a3fb5", "#c79bf2"),
    "resumable": ("#7a3fb5", "#c79bf2"),
    "completed": ("#1c7a3d", "#5ecb85"),
    "failed": ("#bf2330", "#ff7b83"),
    "cancelled": ("#6b5a52", "#b8a79e"),
    "expired": ("#a6480f", "#f2935c"),
    "skipped": ("#6b7280", "#949ca9"),
}
"""The colour of each state on a light and on a dark ground."""

_STYLE: Final = """
svg{color-scheme:light dark;background:#fff;--ink:#1c2430;--muted:#5b6472;--line:#9aa3b0;--box:#f7f8fa;--path:#0b3d91}
text{font:12px system-ui,sans-serif;fill:var(--ink);unicode-bidi:isolate}
.small{font-size:10.5px;fill:var(--muted)}
.box{fill:var(--box);stroke:var(--colour);stroke-width:1.5}
.sign{fill:none;stroke:var(--colour);stroke-width:1.6;stroke-linejoin:round}
.active .sign{fill:var(--colour)}
.waiting_children .box,.skipped .box,.cancelled .box{stroke-dasharray:4 3}
.critical .box{stroke-width:3}
.edge{fill:none;stroke:var(--line);stroke-width:1.3}
.edge.pending{stroke-dasharray:5 4}
.edge.impossible{stroke-dasharray:1.5 4}
.edge.critical{stroke:var(--path);stroke-width:2.6}
.join{fill:var(--box);stroke:var(--muted)}
.joined{font-size:10.5px;text-anchor:middle}
"""


def svg_of(layout: FlowLayout) -> str:
    """The picture as a file. Whatever comes from others is escaped."""
    return "".join(f"{line}\n" for line in _lines(layout))


def _lines(layout: FlowLayout) -> Iterator[str]:
    width, height = f"{number(layout.width)}", f"{number(layout.height)}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img">'
    )
    yield f"<title>{_text(f'{layout.kind} {layout.flow_id}: {layout.state}')}</title>"
    yield f"<desc>{_text(_progress(layout))}</desc>"
    yield f"<style>{_STYLE}{_colours(0)}@media(prefers-color-scheme:dark){{{_DARK}{_colours(1)}}}</style>"
    yield (
        '<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5l7.5 3.5l-7.5 3.5z" fill="context-stroke"/></marker>'
        "</defs>"
    )
    for edge in sorted(layout.edges, key=lambda each: each.on_critical_path):
        yield _edge(edge)
    for node in layout.nodes:
        yield from _node(node)
    yield "</svg>"


_DARK: Final = "svg{background:#12161d;--ink:#e8ecf2;--muted:#a6b0bf;--line:#5c6675;--box:#1c222c;--path:#9cc4ff}"


def _colours(which: int) -> str:
    return "".join(f".{state}{{--colour:{colours[which]}}}" for state, colours in _COLOURS.items())


def _progress(layout: FlowLayout) -> str:
    states = ", ".join(f"{count} {words(state)}" for state, count in layout.progress.states.items())
    return f"{layout.progress.ended} of {layout.progress.total} have ended: {states or 'there are no members yet'}"


def _edge(edge: DrawnEdge) -> str:
    critical = " critical" if edge.on_critical_path else ""
    return f'<path class="edge {edge.state}{critical}" d="{edge.path}" marker-end="url(#to)"/>'


def _node(node: DrawnNode) -> Iterator[str]:
    critical = " critical" if node.on_critical_path else ""
    yield f'<g class="{node.state}{critical}" transform="translate({number(node.x)} {number(node.y)})">'
    yield f"<title>{_text(_about(node))}</title>"
    if node.join is not None:
        yield from _join(node.join, node.height)
    box = f'width="{number(node.width)}" height="{number(node.height)}" rx="7"'
    if node.count > 1:  # more cards behind the first
        yield f'<rect class="box" x="4" y="4" {box}/>'
    yield f'<rect class="box" {box}/>'
    yield f'<path class="sign" transform="translate(10 6)" d="{SHAPES[node.state]}"/>'
    yield f'<text x="34" y="18">{_text(node.label)}</text>'
    if node.count > 1:
        yield from _bar(node)
    else:
        said = words(node.state)
        if node.cause is not None:
            said = shortened(f"{said}: {node.cause.name}", int((node.width - 40) / SMALL_CHAR_WIDTH))
        yield f'<text class="small" x="34" y="34">{_text(said)}</text>'
    yield "</g>"


def _bar(node: DrawnNode) -> Iterator[str]:
    """How many members of a group are in each state, side by side."""
    x, room = 10.0, node.width - 20
    for state, count in node.states.items():
        width = room * count / node.count
        yield (
            f'<rect class="{state}" x="{number(x)}" y="28" width="{number(width)}" height="8" fill="var(--colour)">'
            f"<title>{count} {words(state)}</title></rect>"
        )
        x += width


def _join(join: DrawnJoin, height: float) -> Iterator[str]:
    """The mark of a join: a box for all, a round one for any, a hexagon for a number of them."""
    width = join_width(join) - 6
    left, top, middle = -width - 6, height / 2 - 10, height / 2
    if join.rule == "quorum":
        right = left + width
        corners = (
            f"M{number(left)} {number(middle)}l7 -10H{number(right - 7)}l7 10l-7 10H{number(left + 7)}z"  # six corners
        )
        yield f'<path class="join" d="{corners}"/>'
    else:
        rounded = 10 if join.rule == "any" else 2
        place = f'x="{number(left)}" y="{number(top)}" width="{number(width)}" height="20"'
        yield f'<rect class="join" {place} rx="{rounded}"/>'
    yield f'<path class="edge" d="M-6 {number(middle)}H0"/>'
    yield f'<text class="joined" x="{number(left + width / 2)}" y="{number(middle + 4)}">{_text(join.label)}</text>'


def _about(node: DrawnNode) -> str:
    """What is shown when the pointer rests on a node."""
    name = node.label if node.count > 1 or node.label == node.kind else f"{node.label} ({node.kind})"
    states = ", ".join(f"{count} {words(state)}" for state, count in node.states.items())
    parts = [f"{name}: {states if node.count > 1 else words(node.state)}"]
    if node.join is not None:
        parts.append(f"after {node.join.label}, {node.join.completed} completed")
    if node.on_critical_path:
        parts.append("on the critical path")
    if node.failure is not None:
        parts.append(node.failure)
    if node.cause is not None:
        parts.append(f"skipped because of {node.cause.name}, which is {words(node.cause.state)}")
    return "\n".join([*parts, node.id])


def words(state: str) -> str:
    """The name of a state as people write it."""
    return state.replace("_", " ")


_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(text: str) -> str:
    """The text, so that it can only be text. What XML cannot hold, or a terminal would obey, is replaced."""
    return escape(_NOT_IN_XML.sub("\ufffd", text))
