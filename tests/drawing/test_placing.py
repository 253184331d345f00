"""Where boxes and edges are drawn: what holds for every graph."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowfabric.drawing import placing
from flowfabric.drawing.placing import Box, Placed, place

Edges = list[tuple[int, int]]
PART = re.compile(r"([MHC])([-0-9. ]+)")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Box], Edges]:
    """A random graph. Its numbers come from a seed: drawn one by one they would take most of the time."""
    count, density = draw(st.integers(1, 24)), draw(st.integers(0, 3))
    chance = random.Random(draw(st.integers(0, 2**32)))
    boxes = [Box(chance.choice((40.0, 132.0, 250.5)), 44.0, chance.choice((0.0, 60.0))) for _ in range(count)]
    pairs = [sorted((chance.randrange(count), chance.randrange(count))) for _ in range(count * density)]
    shuffled = chance.sample(range(count), count)  # the order of the boxes says nothing about the edges
    return boxes, sorted({(shuffled[a], shuffled[b]) for a, b in pairs if a != b})


def points(path: str) -> list[tuple[float, float]]:
    """The corners of a path: where its lines and curves begin and end."""
    found: list[tuple[float, float]] = []
    for letter, text in PART.findall(path):
        numbers = [float(each) for each in text.split()]
        found.append((numbers[0], found[-1][1]) if letter == "H" else (numbers[-2], numbers[-1]))
    return found


def overlap(boxes: list[Box], placed: Placed, one: int, other: int) -> bool:
    """Whether two boxes overlap, or are too close below each other."""
    (ax, ay), (bx, by) = placed.corners[one], placed.corners[other]
    beside = ax + boxes[one].width <= bx - boxes[other].lead or bx + boxes[other].width <= ax - boxes[one].lead
    gap = placing.GAP - 0.2  # places are rounded
    return not (beside or ay + boxes[one].height + gap <= by or by + boxes[other].height + gap <= ay)


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_no_two_boxes_overlap_and_all_are_inside_the_frame(graph: tuple[list[Box], Edges]) -> None:
    boxes, edges = graph
    placed = place(boxes, edges)
    for number, (box, (x, y)) in enumerate(zip(boxes, placed.corners, strict=True)):
        assert x - box.lead >= 0
        assert y >= 0
        assert x + box.width <= placed.width
        assert y + box.height <= placed.height
        assert not any(overlap(boxes, placed, number, other) for other in range(number))


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_every_edge_leads_from_its_source_to_the_right_and_ends_at_its_target(graph: tuple[list[Box], Edges]) -> None:
    boxes, edges = graph
    placed = place(boxes, edges)
    for (source, target), path in zip(edges, placed.paths, strict=True):
        way = points(path)
        assert all(before[0] < after[0] for before, after in pairwise(way))
        assert all(0 <= y <= placed.height for _, y in way)
        (sx, sy), (tx, ty) = placed.corners[source], placed.corners[target]
        assert way[0] == pytest.approx((sx + boxes[source].width, sy + 22), abs=0.11)
        assert way[-1] == pytest.approx((tx - boxes[target].lead, ty + 22), abs=0.11)


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_no_edge_runs_through_a_box(graph: tuple[list[Box], Edges]) -> None:
    boxes, edges = graph
    placed = place(boxes, edges)
    for (source, target), path in zip(edges, placed.paths, strict=True):
        way = points(path)
        for (ax, ay), (bx, by) in pairwise(way):
            for number, (box, (x, y)) in enumerate(zip(boxes, placed.corners, strict=True)):
                if number not in (source, target) and ax < x + box.width and x < bx:
                    # A curve stays between the heights at which it begins and ends.
                    assert max(ay, by) <= y or min(ay, by) >= y + box.height, (number, path)


@given(graphs())
@settings(max_examples=10, deadline=None)
def test_the_same_graph_is_drawn_in_the_same_way(graph: tuple[list[Box], Edges]) -> None:
    assert place(*graph) == place(*graph)


def test_a_box_stands_in_the_layer_after_the_last_of_its_upstreams() -> None:
    boxes = [Box(100, 44)] * 4
    assert place(boxes, [(0, 1), (1, 2), (0, 2), (3, 2)]).layers == [0, 1, 2, 0]


def test_a_chain_is_one_straight_line() -> None:
    placed = place([Box(100, 44)] * 5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    assert len({y for _, y in placed.corners}) == 1
    assert all("C" not in path for path in placed.paths)


def test_edges_that_need_not_cross_do_not_cross() -> None:
    """0 and 1 lead to 3 and 2: in the order in which they were given they would cross."""
    placed = place([Box(100, 44)] * 4, [(0, 3), (1, 2)])
    tops = [y for _, y in placed.corners]
    assert (tops[0] < tops[1]) == (tops[3] < tops[2])


def test_the_longest_edges_go_above_all_boxes_when_there_are_too_many_virtual_vertices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(placing, "VIRTUAL_MAX", 3)
    boxes, chain = [Box(100, 44)] * 6, [(number, number + 1) for number in range(5)]
    placed = place(boxes, [*chain, (0, 5), (0, 2)])
    highest_box = min(y for _, y in placed.corners)
    assert min(y for _, y in points(placed.paths[5])) < highest_box
    assert min(y for _, y in points(placed.paths[6])) >= highest_box - placing.STRIP
    assert points(placed.paths[5])[-1][0] == placed.corners[5][0]


def test_a_long_flow_with_the_worst_edges_is_drawn() -> None:
    """Many layers, and edges that would need more virtual vertices than there may be."""
    count = 2_000
    edges = [(number, number + 1) for number in range(count - 1)]
    placed = place([Box(100, 44)] * count, [*edges, *((0, number) for number in range(2, count, 20))])
    assert placed.layers == list(range(count))


def test_nothing_is_drawn_of_no_boxes_and_a_cycle_is_refused() -> None:
    assert place([], []).corners == []
    with pytest.raises(ValueError, match="has a cycle"):
        place([Box(1, 1)] * 3, [(0, 1), (1, 2), (2, 1)])
