"""Merge patches as RFC 7396 says, and patches that are merged before they are sent."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.domain import stream_inputs
from flowfabric.domain.commands import PatchSummary
from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.outcomes import Summary
from flowfabric.domain.summaries import SUMMARY_BYTES_MAX, both, depth_of, merged
from tests.domain.streaming_world import StreamingWorld

TABLE: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    # the examples of RFC 7396, appendix A, whose patches are objects
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    # and what others get wrong
    ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}),
    ({"a": []}, {"b": []}, {"a": [], "b": []}),
    ({"a": {}}, {"b": {}}, {"a": {}, "b": {}}),
    ({"a": 1}, {}, {"a": 1}),
    ({"a": 1}, {"a": False, "b": 0, "c": ""}, {"a": False, "b": 0, "c": ""}),
    ({"a": 1}, {"b": [None, {"c": None}]}, {"a": 1, "b": [None, {"c": None}]}),
    ({"a": 1}, {"a": {"b": None, "c": 2}}, {"a": {"c": 2}}),
    ({}, {"a": None}, {}),
    ({"a": "__ff_null__"}, {"b": "__ff_null__"}, {"a": "__ff_null__", "b": "__ff_null__"}),
]


@pytest.mark.parametrize(("document", "patch", "expected"), TABLE)
def test_a_patch_does_what_rfc_7396_says(document: dict[str, Any], patch: dict[str, Any], expected: dict[str, Any]):
    before = json.dumps(document)

    assert merged(document, patch) == expected
    assert json.dumps(document) == before, "what is patched is not changed in place"


# ── random documents ─────────────────────────────────────────────────────────────────────────────

PLAIN = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x"])
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
PATCHES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


def _without_nulls(value: Any) -> Any:
    """A document that patches can have made: no member of an object is null."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(part) for key, part in value.items() if part is not None}
    return value


def _patched_by_the_book(target: Any, patch: Any) -> Any:
    """The pseudo code of RFC 7396, line by line."""
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    target = dict(target)
    for name, value in patch.items():
        if value is None:
            if name in target:
                del target[name]
        else:
            target[name] = _patched_by_the_book(target.get(name), value)
    return target


@given(PATCHES.map(_without_nulls), PATCHES)
def test_a_patch_does_what_the_algorithm_of_the_rfc_does(document: dict[str, Any], patch: dict[str, Any]):
    assert merged(document, patch) == _patched_by_the_book(document, patch)


@given(PATCHES.map(_without_nulls), st.lists(PATCHES, min_size=2, max_size=5))
def test_patches_that_are_merged_do_what_they_do_one_after_the_other(
    document: dict[str, Any], patches: list[dict[str, Any]]
):
    """A sender merges what it can, and sends what it has before it begins anew."""
    one_by_one, merged_first = document, document
    waiting: dict[str, Any] = {}
    for patch in patches:
        one_by_one = merged(one_by_one, patch)
        together = both(waiting, patch)
        if together is None:
            merged_first, together = merged(merged_first, waiting), patch
        waiting = together

    assert merged(merged_first, waiting) == one_by_one


@given(PATCHES, PATCHES)
def test_two_patches_that_cannot_be_one_are_only_those_where_an_object_follows_something_else(
    first: dict[str, Any], second: dict[str, Any]
):
    def is_hard(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        return any(
            isinstance(after[key], Mapping)
            and (not isinstance(before[key], Mapping) or is_hard(before[key], after[key]))
            for key in before.keys() & after.keys()
        )

    assert (both(first, second) is None) == is_hard(first, second)


@given(VALUES)
def test_the_depth_is_how_many_objects_and_lists_are_in_each_other(value: Any):
    def depth(part: Any) -> int:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else None
        return 0 if inner is None else 1 + max(map(depth, inner), default=0)

    assert depth_of(value) == depth(value)


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def _deep(depth: int) -> Any:
    return {"in": _deep(depth - 1)} if depth else 1


_CIRCLE: dict[str, Any] = {}
_CIRCLE["self"] = _CIRCLE


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (None, "patch is a mapping, not NoneType"),
        ("{}", "not str"),
        (b"{}", "not bytes"),
        ([("a", 1)], "not list"),
        ({"a": float("nan")}, r"patch\['a'\] is nan, which is no JSON"),
        ({"a": [float("inf")]}, "is inf, which is no JSON"),
        ({"a": {"b": b"bytes"}}, "which is no JSON"),
        ({"a": {1, 2}}, "which is no JSON"),
        ({"a": object()}, "which is no JSON"),
        ({1: 2}, "a key in patch is a string, not int"),
        ({"a": {None: 2}}, "a key in patch.* is a string"),
        ({"a": "lone \ud800"}, "lone surrogate"),
        ({"nul \0": 1}, "NUL"),
        ({"a": "\0"}, "NUL"),
        ({"a": 2**63}, "must be a whole number"),
        (_deep(17), "patch is nested deeper than 16. Make it flatter"),
        (_deep(500), "nested deeper than 16"),
        (_CIRCLE, "nested deeper than 16"),
        ({"a": [[]] * 30_000}, "patch has 90007 bytes as JSON; the limit is 65536"),
        ({"a": "x" * 65_536}, "the limit is 65536"),
    ],
    ids=lambda value: repr(value)[:30] if not isinstance(value, dict) else None,
)
def test_what_is_no_merge_patch_is_refused(patch: object, why: str):
    with pytest.raises(InvalidInput, match=why):
        stream_inputs.patch(patch)


def test_a_patch_may_be_any_mapping_and_is_taken_as_it_is_at_this_moment():
    inner = {"b": (1, 2)}
    patch = stream_inputs.patch(MappingProxyType({"a": MappingProxyType(inner), "big": 2**63 - 1, "x": 1.0}))
    inner["b"] = (3, 4)

    assert patch == {"a": {"b": [1, 2]}, "big": 2**63 - 1, "x": 1.0}
    assert stream_inputs.patch(_deep(16)) == _deep(16)


def test_a_summary_that_would_become_too_large_or_too_deep_stays_as_it_is():
    world = StreamingWorld()
    room = SUMMARY_BYTES_MAX - len('{"a":"","b":""}')
    world.patch({"a": "x" * (room - 10)})

    with pytest.raises(InvalidInput, match="The summary would have 65537 bytes; the limit is 65536"):
        world.patch({"b": "x" * 11})
    assert world.patch({"b": "x" * 10}).version == 2
    with pytest.raises(InvalidInput, match="The summary would have"):
        world.patch({"b": "é" * 10})
    assert world.store.summary(world.x_id)[1].version == 2


# ── the rule ─────────────────────────────────────────────────────────────────────────────────────


def test_versions_count_from_1_and_every_patch_is_answered_with_the_whole_document():
    world = StreamingWorld()

    assert world.patch({"a": {"b": 1}}) == Summary(1, {"a": {"b": 1}})
    assert world.patch({"a": {"c": []}}) == Summary(2, {"a": {"b": 1, "c": []}})
    assert world.patch({}) == Summary(3, {"a": {"b": 1, "c": []}})
    assert world.patch({"a": None}) == Summary(4, {})


def test_a_repeated_patch_counts_once_if_it_has_a_command_id():
    world = StreamingWorld()
    command = PatchSummary(world.fence, {"a": {"deep": [1, None]}})

    answers = [world.send(command, command_id="one") for _ in range(2)]

    assert answers == [Summary(1, {"a": {"deep": [1, None]}})] * 2


def test_only_the_live_lease_patches_and_the_summary_stays_over_attempts():
    world = StreamingWorld()
    world.patch({"a": 1})
    late = PatchSummary(world.fence, {"a": "from the grave"})
    world.lose()
    world.claim()

    with pytest.raises(EngineError) as refusal:
        world.one(late)
    assert refusal.value.code == "stale_lease"
    assert world.patch({"b": 2}) == Summary(2, {"a": 1, "b": 2})


def test_patching_the_summary_removes_no_frames():
    world = StreamingWorld()
    world.say(b"a")
    for number in range(100):
        world.patch({"number": number})

    assert world.effective == [b"a"]
