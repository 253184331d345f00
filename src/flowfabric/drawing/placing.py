"""Where the boxes and edges of an acyclic graph are drawn: layers from left to right, edges in channels between them.

Each box stands in the layer after the last of its upstreams. An edge that passes layers has a virtual vertex in each
of them, which keeps a strip free for it, so that no edge runs through a box. The order inside a layer comes from
barycenter sweeps; the order with the fewest crossings counts. Then each vertex moves as near to its neighbours as the
others of its layer allow. The same graph in the same order is always drawn in the same way.
"""

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

MARGIN: Final = 24.0
"""The space around the drawing."""
GAP: Final = 18.0
"""The space between two boxes of a layer."""
STRIP: Final = 12.0
"""The space that an edge keeps free on both sides where it passes a layer."""
CHANNEL_MIN: Final = 48.0
CHANNEL_MAX: Final = 160.0
"""How far two layers are apart. The steeper the edges between them are, the more room they get."""
SWEEPS: Final = 8
PASSES: Final = 6
VIRTUAL_MAX: Final = 30_000
"""How many virtual vertices there are at most. Where more were needed, the longest edges go above all boxes."""
STRAIGHTNESS: Final = 4.0
"""How much more a virtual vertex insists on its place than a box does."""


class Box(NamedTuple):
    """What is to be placed."""

    width: float
    height: float
    lead: float = 0.0
    """The space that is kept free on its left, where its edges end."""


class Placed(NamedTuple):
    """A drawing. Boxes and edges are in the order in which they were given."""

    width: float
    height: float
    corners: list[tuple[float, float]]
    """The upper left corner of each box."""
    paths: list[str]
    """The way of each edge, as the path of an SVG: lines and cubic curves."""
    layers: list[int]
    """The layer of each box, from 0 on."""


def place(boxes: Sequence[Box], edges: Sequence[tuple[int, int]]) -> Placed:
    """Place boxes and edges. An edge is a pair of positions in `boxes`; the graph must have no cycle."""
    if not boxes:
        return Placed(2 * MARGIN, 2 * MARGIN, [], [], [])
    layer_of = _layers(len(boxes), edges)
    graph = _Layered(boxes, edges, layer_of)
    graph.order()
    return _drawn(graph, _heights(graph), edges)


def _layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each box: the length of the longest path that leads to it."""
    below: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for source, target in edges:
        below[source].append(target)
        missing[target] += 1
    layer_of = [0] * count
    ready = [box for box in range(count) if not missing[box]]
    done = 0
    while done < len(ready):
        box = ready[done]
        done += 1
        for target in below[box]:
            layer_of[target] = max(layer_of[target], layer_of[box] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    if done < count:
        raise ValueError("The graph has a cycle, so it has no layers.")
    return layer_of


class _Layered:
    """The graph with virtual vertices: every edge leads from one layer to the next."""

    def __init__(self, boxes: Sequence[Box], edges: Sequence[tuple[int, int]], layer_of: list[int]) -> None:
        self.boxes = boxes
        self.layer_of = list(layer_of)
        self.above: list[list[int]] = [[] for _ in boxes]
        self.below: list[list[int]] = [[] for _ in boxes]
        self.ways: list[list[int] | None] = [None] * len(edges)
        """The vertices of each edge, from its source to its target. None: it goes above all boxes."""
        spans = [layer_of[target] - layer_of[source] for source, target in edges]
        left = VIRTUAL_MAX
        # The short edges come first: if there is not enough for all, the longest go above.
        for number in sorted(range(len(edges)), key=spans.__getitem__):
            if spans[number] - 1 > left:
                break
            left -= spans[number] - 1
            source, target = edges[number]
            way = [source]
            for layer in range(layer_of[source] + 1, layer_of[target]):
                way.append(self._virtual(layer))
                self._join(way[-2], way[-1])
            self._join(way[-1], target)
            way.append(target)
            self.ways[number] = way
        self.layers: list[list[int]] = [[] for _ in range(max(layer_of) + 1)]

    def _virtual(self, layer: int) -> int:
        self.layer_of.append(layer)
        self.above.append([])
        self.below.append([])
        return len(self.layer_of) - 1

    def _join(self, source: int, target: int) -> None:
        self.below[source].append(target)
        self.above[target].append(source)

    def is_virtual(self, vertex: int) -> bool:
        return vertex >= len(self.boxes)

    # ── the order inside the layers ──────────────────────────────────────────────────────────────

    def order(self) -> None:
        """Put the vertices of each layer in an order with few crossings."""
        for vertex in self._depth_first():
            self.layers[self.layer_of[vertex]].append(vertex)
        best, fewest = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(SWEEPS):
            if not fewest:
                break
            self._sweep(forwards=sweep % 2 == 0)
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self.layers], crossings
        self.layers = best

    def _depth_first(self) -> Iterator[int]:
        seen = bytearray(len(self.layer_of))
        for root in range(len(self.boxes)):
            stack = [] if self.above[root] else [root]
            while stack:
                vertex = stack.pop()
                if not seen[vertex]:
                    seen[vertex] = 1
                    yield vertex
                    stack += reversed(self.below[vertex])

    def _sweep(self, *, forwards: bool) -> None:
        """Sort each layer by where the neighbours of its vertices are in the layer before it."""
        near = self.above if forwards else self.below
        place = [0.0] * len(self.layer_of)
        for layer in self.layers if forwards else reversed(self.layers):
            middle = (len(layer) - 1) / 2
            for index, vertex in enumerate(layer):
                neighbours = near[vertex]
                if not neighbours:
                    place[vertex] = index - middle
                elif len(neighbours) == 1:
                    place[vertex] = place[neighbours[0]]
                else:
                    place[vertex] = sum([place[each] for each in neighbours]) / len(neighbours)
            layer.sort(key=place.__getitem__)
            for index, vertex in enumerate(layer):
                place[vertex] = index - middle

    def _crossings(self) -> int:
        """How many pairs of edges cross."""
        position = [0] * len(self.layer_of)
        for layer in self.layers:
            for index, vertex in enumerate(layer):
                position[vertex] = index
        found = 0
        for layer in self.layers:
            seen: list[int] = []
            for vertex in layer:
                ends = [position[each] for each in self.below[vertex]]
                if seen:
                    for end in ends:
                        found += len(seen) - bisect_right(seen, end)
                for end in ends:
                    insort(seen, end)
        return found


# ── how high each vertex stands ──────────────────────────────────────────────────────────────────


def _heights(graph: _Layered) -> list[float]:
    """The middle of each vertex. The topmost edge of everything is at 0."""
    middle = [0.0] * len(graph.layer_of)
    offsets = [_offsets(graph, layer) for layer in graph.layers]
    weights = [[STRAIGHTNESS if graph.is_virtual(vertex) else 1.0 for vertex in layer] for layer in graph.layers]
    for layer, offset in zip(graph.layers, offsets, strict=True):
        for vertex, each in zip(layer, offset, strict=True):
            middle[vertex] = each - offset[-1] / 2
    numbers = range(len(graph.layers))
    for number in range(PASSES):
        forwards = number % 2 == 0
        near = graph.above if forwards else graph.below
        for index in numbers if forwards else reversed(numbers):
            layer = graph.layers[index]
            wanted = [_wanted(middle, near[vertex], middle[vertex]) for vertex in layer]
            _settle(middle, layer, wanted, offsets[index], weights[index])
    top = min(middle[vertex] - _half(graph, vertex) for layer in graph.layers for vertex in (layer[0],))
    return [each - top for each in middle]


def _half(graph: _Layered, vertex: int) -> float:
    return 0.0 if graph.is_virtual(vertex) else graph.boxes[vertex].height / 2


def _offsets(graph: _Layered, layer: Sequence[int]) -> list[float]:
    """How far the middle of each vertex is at least below that of the first."""
    found = [0.0]
    for upper, lower in pairwise(layer):
        space = STRIP if graph.is_virtual(upper) or graph.is_virtual(lower) else GAP
        found.append(found[-1] + _half(graph, upper) + space + _half(graph, lower))
    return found


def _wanted(middle: Sequence[float], neighbours: Sequence[int], otherwise: float) -> float:
    if len(neighbours) == 1:
        return middle[neighbours[0]]
    if not neighbours:
        return otherwise
    return sum([middle[each] for each in neighbours]) / len(neighbours)


def _settle(
    middle: list[float],
    layer: Sequence[int],
    wanted: Sequence[float],
    offsets: Sequence[float],
    weights: Sequence[float],
) -> None:
    """Move the vertices of a layer as near to where they want to be as their order and their distances allow.

    Vertices that would come too close form a block, which stands where its members want it on the average. This is the
    least sum of squares, found in one run (isotonic regression).
    """
    blocks: list[tuple[float, float, int]] = []  # where, weight, how many
    for at, offset, weight in zip(wanted, offsets, weights, strict=True):
        where, total, count = at - offset, weight, 1
        while blocks and blocks[-1][0] >= where:
            upper, upper_weight, upper_count = blocks.pop()
            where = (upper * upper_weight + where * total) / (upper_weight + total)
            total += upper_weight
            count += upper_count
        blocks.append((where, total, count))
    index = 0
    for where, _, count in blocks:
        for _ in range(count):
            middle[layer[index]] = where + offsets[index]
            index += 1


# ── the drawing ──────────────────────────────────────────────────────────────────────────────────


def _drawn(graph: _Layered, middle: Sequence[float], edges: Sequence[tuple[int, int]]) -> Placed:
    """Put everything into the frame."""
    goes_above = any(way is None for way in graph.ways)
    top = MARGIN + (2 * STRIP if goes_above else 0.0)
    at = [round(top + each, 1) for each in middle]
    boxes, real = graph.boxes, range(len(graph.boxes))
    leads, widths = [0.0] * len(graph.layers), [0.0] * len(graph.layers)
    for box in real:
        layer = graph.layer_of[box]
        leads[layer] = max(leads[layer], boxes[box].lead)
        widths[layer] = max(widths[layer], boxes[box].width)
    lefts, rights, x = [], [], MARGIN
    for number, layer_vertices in enumerate(graph.layers):
        lefts.append(round(x, 1))
        rights.append(round(x + leads[number] + widths[number], 1))
        steepest = max([abs(at[v] - at[w]) for v in layer_vertices for w in graph.below[v]], default=0.0)
        x = rights[-1] + min(CHANNEL_MAX, CHANNEL_MIN + steepest * 0.12)
    corners = [
        (round(lefts[graph.layer_of[box]] + leads[graph.layer_of[box]], 1), round(at[box] - boxes[box].height / 2, 1))
        for box in real
    ]
    paths = []
    for (source, target), way in zip(edges, graph.ways, strict=True):
        start = round(corners[source][0] + boxes[source].width, 1)
        end = round(corners[target][0] - boxes[target].lead, 1)
        first, last = graph.layer_of[source], graph.layer_of[target]
        pen = _Pen(start, at[source])
        if way is None:
            pen.curve(rights[first], lefts[first + 1], MARGIN)
            pen.curve(rights[last - 1], lefts[last], at[target])
        else:
            for layer, vertex in enumerate(way[1:], first):
                pen.curve(rights[layer], lefts[layer + 1], at[vertex])
        paths.append(pen.path_to(end))
    bottom = max(at[vertex] + _half(graph, vertex) for layer in graph.layers for vertex in (layer[-1],))
    return Placed(
        round(rights[-1] + MARGIN, 1), round(bottom + MARGIN, 1), corners, paths, graph.layer_of[: len(boxes)]
    )


def number(value: float) -> str:
    """A number as it is written in an SVG: never with an exponent."""
    return f"{value:.1f}".removesuffix(".0")


class _Pen:
    """Draws one edge: a line to where a channel begins, a curve through it, and so on."""

    def __init__(self, x: float, y: float) -> None:
        self._x = x
        self._y = y
        self._parts = [f"M{number(x)} {number(y)}"]

    def curve(self, begin: float, end: float, y: float) -> None:
        """Go on straight to where the channel begins, and in a curve to its end at this height."""
        if abs(y - self._y) < 0.1:
            return  # straight on; the next part or the end draws the line
        self._line(begin)
        half, to = number((begin + end) / 2), number(y)
        self._parts.append(f"C{half} {number(self._y)} {half} {to} {number(end)} {to}")
        self._x, self._y = end, y

    def _line(self, x: float) -> None:
        if x > self._x:
            self._parts.append(f"H{number(x)}")
            self._x = x

    def path_to(self, x: float) -> str:
        """The path, with a line to its end."""
        self._line(x)
        return "".join(self._parts)
