"""Bad input about streams and summaries is refused, and nothing is written. The sentence names what was given."""

from collections.abc import Iterator
from inspect import signature
from typing import Any, Final

import pytest
from msgspec.structs import replace

from flowfabric import BlockingEngine, Frame, InvalidInput, Lease, ManualClock, open_blocking_engine
from flowfabric.domain import inputs
from flowfabric.domain.streams import FRAME_KINDS, StoredFrame, said
from flowfabric_conformance.stage import refusing, start
from tests.engine.test_bad_input import EXECUTION_IDS, KEYS, LIMITS, NAMES, NO_INTEGER

LARGE: Final = bytes(65_537)
FRAMES: Final = [
    None,
    5,
    "text",
    b"bytes",
    bytearray(b"bytes"),
    {b"frame": 1},
    {b"frame"},
    iter([b"frame"]),
    object(),
    [],
    (),
    [None],
    [5],
    ["text"],
    [b"good", "bad"],
    [[b"frame"]],
    [LARGE],
    [Frame],
    [Frame("text")],  # type: ignore[arg-type]
    [Frame(LARGE)],
    [Frame(b"", "restart")],  # type: ignore[arg-type]
    [Frame(b"", "TEXT")],  # type: ignore[arg-type]
    [Frame(b"", "")],  # type: ignore[arg-type]
    [Frame(b"", None)],  # type: ignore[arg-type]
    [Frame(b"", ["text"])],  # type: ignore[arg-type]
    [b"x"] * 10_001,
    [bytes(65_536)] * 16 + [b"x"],
]
NUMBERS: Final = [*NO_INTEGER, -1, 2**53, 2**63, 10**30]
STEPS: Final = [value for value in NAMES if value is not None]
LEASES: Final = [None, 5, "lease", {}, (), object(), Lease]
CURSORS: Final = ["", "garbage", 5, b"x", ["x"], "\ud800", "x" * 100_000, True]
PATCHES: Final = [None, 5, "{}", b"{}", [], [("a", 1)], {1: 2}, {"a": b""}, {"a": float("nan")}, {"a": "\0"}, object()]

BAD: Final[dict[str, dict[str, list[Any]]]] = {
    "append_frames": {"lease": LEASES, "frames": FRAMES, "step": STEPS, "first_seq": NUMBERS, "command_id": KEYS},
    "append_all": {"appends": [None, 5, "text", b"bytes", {}, iter([]), [None], [5], [()]], "command_id": KEYS},
    "append_said": {
        "items": [None, 5, "text", b"bytes", {}, iter([]), [None], [5], [b"frame"], [()]],
        "command_id": KEYS,
    },
    "patch_summary": {"lease": LEASES, "patch": PATCHES, "command_id": KEYS},
    "read_summary": {"execution_id": [None, *EXECUTION_IDS]},
    "read_stream": {
        "execution_id": [None, *EXECUTION_IDS],
        "cursor": CURSORS,
        "limit": LIMITS,
        "view": [None, "", "ALL", "everything", 5, True, b"all", ["all"]],
    },
    "follow_stream": {"execution_id": [None, *EXECUTION_IDS], "cursor": CURSORS},
    "saying": {"said": [None, 5, "text", b"bytes", [], object()]},
}
"""For each method that is about streams and summaries: what it refuses as each of its arguments."""


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[BlockingEngine]:
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        yield engine


def _good(method: str, lease: Lease) -> dict[str, Any]:
    arguments: dict[str, dict[str, Any]] = {
        "append_frames": {"lease": lease, "frames": [b"frame"]},
        "append_all": {"appends": [(lease, [b"frame"], None, None)]},
        "append_said": {"items": [said(inputs.fence(lease), [StoredFrame("text", b"frame", None)])]},
        "patch_summary": {"lease": lease, "patch": {"a": 1}},
        "read_summary": {"execution_id": lease.execution_id},
        "read_stream": {"execution_id": lease.execution_id},
        "follow_stream": {"execution_id": lease.execution_id},
    }
    return arguments.get(method, {})


@pytest.mark.parametrize("method", BAD)
def test_a_call_with_a_bad_argument_is_refused(engine: BlockingEngine, method: str) -> None:
    lease = start(engine)
    good = _good(method, lease)

    for argument, values in BAD[method].items():

        def send_with(value: Any, argument: str = argument) -> object:
            answer = getattr(engine, method)(**{**good, argument: value})
            return next(answer) if method == "follow_stream" else answer

        assert refusing(engine, send_with, values) == [], argument
    assert engine.read_stream(lease.execution_id).frames == ()
    assert engine.read_summary(lease.execution_id) is None


@pytest.mark.parametrize("method", BAD)
def test_every_argument_is_tried(method: str) -> None:
    assert set(BAD[method]) == set(signature(getattr(BlockingEngine, method)).parameters) - {"self"}


def test_every_argument_of_every_append_of_many_is_checked_and_none_is_written(engine: BlockingEngine) -> None:
    lease = start(engine)
    good: tuple[Any, ...] = (lease, [b"frame"], None, None)
    bad: list[Any] = [list(good), good[:3], (*good, None), {}, "four"]
    for place, values in enumerate((LEASES, FRAMES, STEPS, NUMBERS)):
        bad += [(*good[:place], value, *good[place + 1 :]) for value in values]

    assert refusing(engine, lambda value: engine.append_all([good, value]), bad) == []
    with pytest.raises(InvalidInput, match=r"^appends\[1\]: frames\[0\] is bytes, not str\. Encode it first\.$"):
        engine.append_all([good, (lease, ["text"], None, None)])
    assert engine.read_stream(lease.execution_id).frames == ()


def test_one_call_appends_to_a_thousand_streams_and_64_mib_at_most(engine: BlockingEngine) -> None:
    lease = start(engine)
    large = (lease, [bytes(65_536)] * 16, None, None)

    def append(value: Any) -> object:
        return engine.append_all(value)

    assert refusing(engine, append, [[(lease, [b"x"], None, None)] * 1_001, [large] * 64]) == []
    assert engine.append_all([]) == []


def test_a_forged_lease_appends_nothing(engine: BlockingEngine) -> None:
    lease = start(engine)
    forged = [replace(lease, lease_epoch=value) for value in [*NO_INTEGER, None, -1, 2**63]]
    forged += [replace(lease, attempt_index=value) for value in [*NO_INTEGER, None, -1, 2**63]]
    forged += [replace(lease, execution_id=value) for value in [None, *EXECUTION_IDS]]

    assert refusing(engine, lambda value: engine.append_frames(value, [b"x"]), forged) == []
    assert refusing(engine, lambda value: engine.patch_summary(value, {}), forged) == []


def test_what_is_just_within_the_limits_is_taken(engine: BlockingEngine) -> None:
    lease = start(engine)

    engine.append_frames(lease, [b""] * 10_000)
    engine.append_frames(lease, [bytes(65_536)] * 16, step="x" * 128)
    engine.append_frames(lease, [Frame(b"", kind) for kind in FRAME_KINDS])
    engine.append_frames(lease, [bytearray(b"a"), memoryview(b"b")])  # type: ignore[list-item]

    page = engine.read_stream(lease.execution_id, limit=1_000)
    assert len(page.frames) == 1_000
