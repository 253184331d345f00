"""All orders of a few commands about one stream: one by one and in one batch they come to the same.

After each batch all invariants hold, whatever came first: a flush or the end of its lease, a step or the end.
"""

from itertools import permutations
from typing import Any

import pytest

from flowfabric.domain.commands import (
    AppendFrames,
    CancelExecution,
    Complete,
    Envelope,
    Fail,
    HandleDue,
    PatchSummary,
    RecordStep,
    Release,
    RevokeLease,
)
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import Due
from tests.domain.streaming_world import StreamingWorld
from tests.sizes import IS_FULL

NAMES = (
    "flush",
    "flush again",
    "flush other frames there",
    "flush the next",
    "step with frames",
    "step again",
    "complete with frames",
    "fail",
    "release",
    "revoke",
    "expire",
    "cancel",
    "patch",
)
ORDERS = list(permutations(NAMES, 4 if IS_FULL else 3))


def _spoken() -> StreamingWorld:
    """An execution that has said one frame, and whose lease has a second left."""
    world = StreamingWorld(starts=False)
    world.claim(lease_ttl_ms=1_000)
    world.say(b"zero")
    return world


def _commands(world: StreamingWorld) -> dict[str, Envelope]:
    fence = world.fence
    expires_at_ms = world.x.lease_expires_at_ms
    assert expires_at_ms is not None
    step = RecordStep(fence, "a", b"", b"result")
    return {
        "flush": Envelope(AppendFrames(world.said(b"one", first_seq=1))),
        "flush again": Envelope(AppendFrames(world.said(b"one", first_seq=1))),
        "flush other frames there": Envelope(AppendFrames(world.said(b"uno", first_seq=1))),
        "flush the next": Envelope(AppendFrames(world.said(b"next"))),
        "step with frames": Envelope(step, said=world.said(b"in a", step="a")),
        "step again": Envelope(step, said=world.said(b"in a", step="a", first_seq=1)),
        "complete with frames": Envelope(Complete(fence, b"result"), said=world.said(b"bye")),
        "fail": Envelope(Fail(fence, "boom", "", True, 0)),
        "release": Envelope(Release(fence)),
        "revoke": Envelope(RevokeLease(world.x_id, "", "", "")),
        "expire": Envelope(HandleDue(Due("lease", expires_at_ms, world.x_id))),
        "cancel": Envelope(CancelExecution(world.x_id, "not wanted", "operator_override", None)),
        "patch": Envelope(PatchSummary(fence, {"a": 1})),
    }


def _words(answers: list[Any]) -> list[Any]:
    return [answer.code if isinstance(answer, EngineError) else answer for answer in answers]


def _everything(world: StreamingWorld) -> tuple[object, ...]:
    store = world.store
    return store._executions, store._steps, store._streams, store._chunks, store._summaries


@pytest.mark.parametrize("is_over", [False, True], ids=["lease alive", "lease over"])
@pytest.mark.parametrize("first", NAMES)
def test_commands_in_any_order_come_to_the_same_one_by_one_and_in_one_batch(first: str, is_over: bool):
    start = _spoken()
    if is_over:
        start.advance(1_000)
    commands = _commands(start)
    for order in (each for each in ORDERS if each[0] == first):
        alone, together = start.copy(), start.copy()

        one_by_one = [alone.decide(commands[name])[0] for name in order]
        at_once = together.decide(*(commands[name] for name in order))

        assert _words(at_once) == _words(one_by_one), order
        assert _everything(together) == _everything(alone), order
        texts = alone.effective
        assert texts[0] == b"zero", order
        # Only frames with a number can be known to be the same.
        assert len(texts) == len(set(texts)) or {"step with frames", "step again"} <= set(order), order
        if is_over:
            assert texts == [b"zero"], order
        if alone.store._steps.get(alone.x_id):
            assert b"in a" in texts, order
        if alone.x.terminal_outcome == "success":
            assert texts[-1] == b"bye", order
