"""A sample of `make histories`: every answer of concurrent clients is explained, and a broken store is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric import Appended, Cancelled, Lease, Released, StreamPage
from tests.histories import history, telling
from tests.histories.breaking import CALLS, Broken, HandsOutTwice, assert_found, let_lie
from tests.histories.telling import tell
from tests.simulation.gate_mutants import GATE_MUTANTS, MORE_GATE_MUTANTS
from tests.simulation.planting import Mutant, planted
from tests.stores_under_test import SHARED_STORES, STORES


@pytest.mark.parametrize("kind", telling.MODELS)
@pytest.mark.parametrize("store", SHARED_STORES)
def test_an_order_of_the_calls_explains_every_answer(store: str, kind: str, tmp_path: Path) -> None:
    with STORES[store].empty(tmp_path) as url:
        for number in range(3):
            checked = tell(url, tmp_path / str(number), f"sample-{number}", CALLS, kind=kind)

            assert [str(each) for each in checked.unexplained] == []
            assert checked.calls == CALLS * telling.CLIENTS


def test_a_rule_that_lets_any_lease_speak_is_found(tmp_path: Path) -> None:
    mutant = Mutant(
        "any lease may speak for an execution",
        "flowfabric.domain.decide.leasing:is_lease_of",
        "fence.lease_epoch == x.lease_epoch",
        "True or fence.lease_epoch == x.lease_epoch",
    )
    with planted(mutant):
        assert_found(tmp_path)


def test_a_rule_that_lets_frames_be_written_over_is_found(tmp_path: Path) -> None:
    mutant = Mutant(
        "frames that were written before are not compared",
        "flowfabric.domain.decide.streaming:_check_same",
        "chunk.data != said.data",
        "False",
    )
    with planted(mutant):
        assert_found(tmp_path)


@pytest.mark.parametrize(
    "name", ["one more than the limit may run", "a slot is never given back", "a lease takes no slot"]
)
def test_a_broken_rule_of_limits_is_found(name: str, tmp_path: Path) -> None:
    (mutant,) = [each for each in [*GATE_MUTANTS, *MORE_GATE_MUTANTS] if each.name == name]
    with planted(mutant):
        assert_found(tmp_path, "limits")


class CompletesUnderOldLeases(Broken):
    def complete(self, lease: Lease, result: bytes) -> Any:
        seen = self._inner.describe_execution(lease.execution_id)
        assert seen is not None
        if seen.public_state == "active":
            return type("Completed", (), {})()
        return self._inner.complete(lease, result)


class ForgetsCancels(Broken):
    def cancel_execution(self, execution_id: str, *, reason: str) -> Cancelled:
        return Cancelled(execution_id, "cancelled")


class ReadsThePast(Broken):
    seen: dict[str, Any]

    def describe_execution(self, execution_id: str) -> Any:
        kept = self.__dict__.setdefault("seen", {})
        if execution_id not in kept:
            kept[execution_id] = self._inner.describe_execution(execution_id)
        return kept[execution_id]


class SaysItTwice(Broken):
    """It forgets where frames were to stand, and appends them again."""

    def append_frames(self, lease: Lease, frames: list[bytes], *, first_seq: int | None) -> Appended:
        appended: Appended = self._inner.append_frames(lease, frames)
        return appended if first_seq is None else Appended(first_seq, first_seq + len(frames))


class ForgetsFrames(Broken):
    """Every tenth append is acknowledged and not made."""

    appends = 0

    def append_frames(self, lease: Lease, frames: list[bytes], *, first_seq: int | None) -> Appended:
        ForgetsFrames.appends += 1
        if first_seq is not None and ForgetsFrames.appends % 10 == 0:
            return Appended(first_seq, first_seq + len(frames))
        appended: Appended = self._inner.append_frames(lease, frames, first_seq=first_seq)
        return appended


class HidesTheLastFrame(Broken):
    """Readers do not get the frame that was written last."""

    def read_stream(self, execution_id: str, *, cursor: str | None, view: Any) -> StreamPage:
        page: StreamPage = self._inner.read_stream(execution_id, cursor=cursor, view=view)
        return replace(page, frames=page.frames[:-1])


@pytest.mark.parametrize(
    "broken",
    [
        HandsOutTwice,
        CompletesUnderOldLeases,
        ForgetsCancels,
        ReadsThePast,
        SaysItTwice,
        ForgetsFrames,
        HidesTheLastFrame,
    ],
)
def test_a_store_that_lies_is_found(broken: Callable[..., Broken], tmp_path: Path, monkeypatch: Any) -> None:
    let_lie(broken, monkeypatch)
    assert_found(tmp_path)


class HandsOutAtLimitsTwice(HandsOutTwice):
    """It leases somebody who is running already, where others share a key with it."""


class ForgetsReleases(Broken):
    def release(self, lease: Lease) -> Released:
        return Released(lease.execution_id)


class CountsThePast(Broken):
    def describe_limit(self, name: str, key: str) -> Any:
        kept: dict[str, Any] = self.__dict__.setdefault("kept", {})
        return kept.setdefault(key, self._inner.describe_limit(name, key))


@pytest.mark.parametrize("broken", [HandsOutAtLimitsTwice, ForgetsReleases, CountsThePast])
def test_a_store_that_lies_about_a_limit_is_found(
    broken: Callable[..., Broken], tmp_path: Path, monkeypatch: Any
) -> None:
    let_lie(broken, monkeypatch)
    assert_found(tmp_path, "limits")


def test_a_client_that_is_killed_leaves_a_call_that_may_have_happened(tmp_path: Path) -> None:
    log = tmp_path / "c.jsonl"
    begun = '{"number": 1, "about": "0", "verb": "hold", "given": {}, "begun": 1.0, "begun_ms": 1}\n'
    log.write_text(begun + '{"number": 1, "answ')

    (call,) = history.read([log])

    assert call.answer is None
    assert call.told == "c #1 hold() → its answer was lost"
