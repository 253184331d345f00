"""Summarising: an attempt patches one small document, as RFC 7396 says, and it stays with its execution."""

from typing import Any

from flowfabric import BlockingEngine, InvalidInput, Lease, ManualClock, Summary
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import RETRIED, refused, refusing, start
from flowfabric_conformance.stream_stage import again, end_lease

RFC_7396: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    ({"e": 1}, {"a": 1}, {"e": 1, "a": 1}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    (
        {
            "title": "Goodbye!",
            "author": {"givenName": "John", "familyName": "Doe"},
            "tags": ["example", "sample"],
            "content": "This will be unchanged",
        },
        {
            "title": "Hello!",
            "phoneNumber": "+01-123-456-7890",
            "author": {"familyName": None},
            "tags": ["example"],
        },
        {
            "title": "Hello!",
            "author": {"givenName": "John"},
            "tags": ["example"],
            "content": "This will be unchanged",
            "phoneNumber": "+01-123-456-7890",
        },
    ),
    ({"a": {"b": 1}}, {"a": 7}, {"a": 7}),
    ({"a": 7}, {"a": {"b": 1, "c": None}}, {"a": {"b": 1}}),
    ({"a": 1}, {}, {"a": 1}),
]
"""A document, a patch, and the document after it: those of RFC 7396 that are objects, and some more."""


@rule_cases(("document", "patch", "after"), RFC_7396)
def test_a_patch_is_merged_into_the_document(
    engine: BlockingEngine, clock: ManualClock, document: dict[str, Any], patch: dict[str, Any], after: dict[str, Any]
) -> None:
    lease = start(engine)
    engine.patch_summary(lease, document)

    answer = engine.patch_summary(lease, patch)

    assert answer == Summary(2, after)
    assert engine.read_summary(lease.execution_id) == answer


def test_every_value_of_json_comes_back(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    document = {
        "": "an empty name",
        "whole": [0, -1, 2**53, -(2**53)],
        "real": [0.5, -1.25e-9],
        "words": ["", "ÿ€😀", 'quotes " and \\', "two\nlines\ttabs", "\u2028"],
        "flags": [True, False, None],
        "nested": {"list": [[], {}, [[{"x": [None]}]]]},
        "ключ": "value",
    }

    answer = engine.patch_summary(lease, document)

    assert answer == engine.read_summary(lease.execution_id) == Summary(1, document)


def test_each_patch_counts_a_version(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    assert engine.read_summary(lease.execution_id) is None

    answers = [engine.patch_summary(lease, patch) for patch in ({}, {"a": 1}, {"a": 1}, {"a": None})]

    assert answers == [Summary(1, {}), Summary(2, {"a": 1}), Summary(3, {"a": 1}), Summary(4, {})]


def test_a_summary_stays_when_attempts_end(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=RETRIED)
    for number, how in enumerate(("released", "revoked", "lost", "retried", "resumed", "replayed"), 1):
        engine.patch_summary(lease, {how: number})
        lease = again(engine, clock, lease, how)
        summary = engine.read_summary(lease.execution_id)
        assert summary is not None
        assert (summary.version, summary.document[how]) == (number, number)
    engine.patch_summary(lease, {"released": None})
    engine.complete(lease)

    assert engine.read_summary(lease.execution_id) == Summary(
        7, {"revoked": 2, "lost": 3, "retried": 4, "resumed": 5, "replayed": 6}
    )


def test_a_repeated_command_id_patches_once(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    first = engine.patch_summary(lease, {"a": {"b": [1, None, "ÿ"]}}, command_id="once")
    engine.patch_summary(lease, {"a": 2})
    end_lease(engine, clock, lease, "revoked")

    assert engine.patch_summary(lease, {"a": {"b": [1, None, "ÿ"]}}, command_id="once") == first
    assert engine.read_summary(lease.execution_id) == Summary(2, {"a": 2})


def _deep(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels - 1):
        found = {"in": found}
    return found


def test_a_summary_has_a_largest_size(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    most = 65_536 - len('{"text":""}')

    assert engine.patch_summary(lease, {"text": "x" * most}).version == 1
    for patch in ({"text": "x" * (most + 1)}, {"text": "ÿ" * (most // 2 + 1)}, {"more": 1}):
        with refused(engine, InvalidInput) as refusal:
            engine.patch_summary(lease, patch)
        assert "65536" in str(refusal.value)
    assert engine.patch_summary(lease, {"text": None, "more": 1}) == Summary(2, {"more": 1})


def test_a_summary_has_a_largest_depth(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    assert engine.patch_summary(lease, _deep(16)) == Summary(1, _deep(16))
    for patch in (_deep(17), {"list": [[[_deep(14)]]]}, _deep(1000)):
        with refused(engine, InvalidInput):
            engine.patch_summary(lease, patch)


def test_what_is_no_patch_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.patch_summary(lease, {"before": 1})
    itself: dict[str, Any] = {}
    itself["itself"] = itself
    nonsense: list[Any] = [None, 1, "text", b"bytes", [], [("a", 1)], {"a": object()}, {"a": "\ud800"}, itself]
    nonsense += [{(1, 2): "a tuple as a name"}]

    assert refusing(engine, lambda value: engine.patch_summary(lease, value), nonsense) == []
    assert refusing(engine, lambda value: engine.patch_summary(value, {"a": 1}), [None, "lease", {}]) == []


def test_each_execution_has_a_summary_of_its_own(engine: BlockingEngine, clock: ManualClock) -> None:
    leases: list[Lease] = [start(engine) for _ in range(3)]

    for number, lease in enumerate(leases[:2]):
        engine.patch_summary(lease, {"number": number})

    found = [engine.read_summary(lease.execution_id) for lease in leases]
    assert found == [Summary(1, {"number": 0}), Summary(1, {"number": 1}), None]
