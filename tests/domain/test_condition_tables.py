"""Every condition against every order of signals. What must happen is said by the model."""

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from flowfabric.domain.condition_words import missing
from flowfabric.domain.conditions import (
    DISTINCT,
    AtLeast,
    Condition,
    Either,
    Every,
    On,
    checked,
    from_stored,
    keys_of,
    oldest_needed,
    satisfied,
    stored,
)
from flowfabric.domain.waiting import SignalMark
from tests.domain.condition_model import taken_by
from tests.sizes import IS_FULL

Kind = tuple[str, str, str]
"""The key, the name and the source of a signal."""
GROUPS = (Every, Either)
KEYS = ("a", "b", "c")
BARE: Sequence[Kind] = [(key, "", "") for key in KEYS]
NAMED: Sequence[Kind] = list(product(("a", "b"), ("", "x"), ("ann", "bob")))
MIXED: Sequence[Kind] = [("a", "x", "ann"), ("a", "y", "bob"), ("b", "x", "ann"), ("b", "", ""), ("c", "x", "bob")]

LEAVES = [On("a"), On("b", name="x"), On("b", name="")] + [
    AtLeast(n, *keys, name=name, distinct=distinct)
    for n in (1, 2, 3)
    for keys in (("a",), ("b", "a"))
    for name in (None, "x")
    for distinct in DISTINCT
    if distinct != "waitpoints" or n <= len(keys)
]
RICH = [
    On("a"),
    On("c", name="x"),
    AtLeast(2, "a", "b", "c"),
    AtLeast(3, "c", "b", "a"),
    AtLeast(2, "a", "b", name="x"),
    AtLeast(2, "a", distinct="signals"),
    AtLeast(3, "a", "b", distinct="signals"),
    AtLeast(2, "b", "a", distinct="sources"),
    AtLeast(2, *KEYS, name="x", distinct="sources"),
]


def _trees(leaves: Sequence[Condition], depth: int) -> list[Condition]:
    """All trees to this depth whose groups have one or two parts."""
    if depth == 1:
        return list(leaves)
    parts = _trees(leaves, depth - 1)
    groups = [group(*some) for group in GROUPS for number in (1, 2) for some in product(parts, repeat=number)]
    return list(dict.fromkeys([*parts, *groups]))


def _marks(kinds: Sequence[Kind]) -> list[SignalMark]:
    # Numbers have gaps: other waits have taken signals in between.
    return [SignalMark(3 * at + 5, *kind) for at, kind in enumerate(kinds)]


def _orders(condition: Condition, kinds: Sequence[Kind], most: int, so_far: tuple[Kind, ...] = ()) -> Iterator[int]:
    """Compare code and model over every order of at most so many signals. Yields 1 for each order.

    If an order satisfies the condition, what comes later must not change what is taken. Then one order is tried of each
    length, with each kind as the next signal.
    """
    marks = _marks(so_far)
    expected = taken_by(condition, marks)
    assert satisfied(condition, marks) == expected, (condition, marks)
    yield 1
    if len(so_far) == most:
        return
    for kind in kinds:
        if expected is None:
            yield from _orders(condition, kinds, most, (*so_far, kind))
        else:
            later = _marks((*so_far, kind, *kinds)[:most])
            assert satisfied(condition, later) == expected, (condition, later)


def test_all_trees_to_depth_3_take_what_the_model_says_in_all_orders_of_5_signals():
    trees = _trees([On(key) for key in KEYS], depth=3)
    # Keys differ in nothing but their names, so of trees that differ only by names the first is enough.
    by_shape = [tree for tree in trees if keys_of(tree) == KEYS[: len(keys_of(tree))]]

    tried = trees if IS_FULL else by_shape

    orders = sum(count for tree in tried for count in _orders(tree, BARE, most=5))

    assert len(trees) == 3 + 2 * (27 + 27**2)
    assert len(by_shape) > len(trees) / 6
    assert orders > 10_000


def test_all_leaves_take_what_the_model_says_for_all_names_and_sources():
    orders = sum(count for leaf in LEAVES for count in _orders(leaf, NAMED, most=5 if IS_FULL else 3))

    assert orders > 5_000


def test_all_pairs_of_leaves_take_what_the_model_says_and_each_counts_for_itself():
    pairs = [group(*some) for group in GROUPS for some in product(RICH, repeat=2)]

    orders = sum(count for pair in pairs for count in _orders(pair, MIXED, most=5 if IS_FULL else 3))

    assert orders > 5_000


def _random_tree(chance: random.Random, depth: int) -> Condition:
    if depth == 1 or chance.random() < 0.3:
        return chance.choice(RICH)
    return chance.choice(GROUPS)(*(_random_tree(chance, depth - 1) for _ in range(chance.randint(1, 3))))


@pytest.mark.parametrize("seed", range(400 if IS_FULL else 40))
def test_deep_trees_take_what_the_model_says_and_survive_being_stored(seed: int):
    chance = random.Random(seed)
    for _ in range(20):
        tree = _random_tree(chance, depth=4)
        marks = _marks([chance.choice(MIXED) for _ in range(chance.randint(0, 7))])
        expected = taken_by(tree, marks)

        assert checked(tree) == tree
        assert from_stored(stored(tree)) == tree
        assert satisfied(tree, marks) == expected
        assert satisfied(tree, chance.sample(marks, len(marks))) == expected
        assert (missing(tree, marks) == "") == (expected is not None)
        assert satisfied(tree, _oldest(tree, marks)) == expected


def _oldest(tree: Condition, marks: Sequence[SignalMark]) -> list[SignalMark]:
    """Only so many of each key as the condition says it needs."""
    needed = oldest_needed(tree)
    return [mark for key, most in needed.items() for mark in [each for each in marks if each.key == key][:most]]
