"""A batch that parks executions itself: who is let in by its later commands, and how much its claims ask for."""

import pytest

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.commands import ChangePriority, Claim, Complete, CreateExecutions, Envelope
from flowfabric.domain.decide import foreseeing
from flowfabric.domain.decide.creating import new_execution
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import ready_of
from flowfabric.domain.limits import KeyUse, Limit
from flowfabric.domain.queue import PARKED_MAX
from flowfabric.engine import batch as engine_batch
from tests.domain.gate_stage import LEASE_MS, Stage
from tests.domain.gate_world import NS


def a_claim(limit: int = 10, mark: str = "") -> Claim:
    return Claim("w", "w", ("default",), NS, frozenset(), limit, LEASE_MS, mark)


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.limit(concurrency=1)
    return stage


def test_the_end_of_a_lease_lets_in_the_first_of_those_that_its_batch_has_parked(stage: Stage) -> None:
    running = stage.make(limits={"api": ""})
    (fence,) = stage.claim()
    second, third = stage.make(limits={"api": ""}), stage.make(limits={"api": ""})

    stage.send(a_claim(), Complete(fence, None))

    assert stage.states(running, second, third) == ["completed", "waiting", "rate_limited"]


def test_a_changed_priority_counts_for_those_that_the_batch_has_parked(stage: Stage) -> None:
    stage.make(limits={"api": ""})
    (fence,) = stage.claim()
    second, third = stage.make(limits={"api": ""}), stage.make(limits={"api": ""})

    stage.send(a_claim(), ChangePriority(third, 5), Complete(fence, None))

    assert stage.states(second, third) == ["rate_limited", "waiting"]


def test_one_that_a_refused_command_would_have_replaced_keeps_its_place_in_the_room(stage: Stage) -> None:
    stage.make(limits={"api": ""})
    (fence,) = stage.claim()
    second, third = stage.make(limits={"api": ""}), stage.make(limits={"api": ""})
    replaces = stage.creation(limits={"api": ""}, when_full="cancel_oldest")
    unknown = stage.creation(limits={"nobody-set-this": ""})

    _, refused, _ = stage.send(a_claim(), CreateExecutions((replaces, unknown)), Complete(fence, None))

    assert isinstance(refused, EngineError)
    assert stage.states(second, third) == ["waiting", "rate_limited"]


@pytest.mark.parametrize(
    ("in_use", "there", "expected"),
    [
        (2, 50, 5 * PARKED_MAX),  # none of them may run
        (0, 50, 2 + 5 * PARKED_MAX),  # two of them may, so no claim gets all that it wants
        (2, 49, None),  # there are no more than these
    ],
)
def test_claims_at_a_full_limit_ask_at_once_for_all_that_they_may_park(
    in_use: int, there: int, expected: int | None
) -> None:
    stage, need = Stage(), ClaimNeed(NS, ("default",), frozenset())
    wanted, loaded = Needs(), Loaded()
    wanted.claims[need] = 50
    made = [new_execution(stage.creation(limits={"api": ""}), None, None, None, now_ms=0, era=0) for _ in range(there)]
    loaded.executions.update((x.execution_id, x) for x in made)
    loaded.candidates[need] = [ready for x in made if (ready := ready_of(x)) is not None]
    loaded.limits[NS, "api", None] = Limit(NS, "api", None, 2, None, 60_000, None)
    loaded.key_uses[NS, "api", ""] = KeyUse(NS, "api", "", in_use)

    found = foreseeing.foreseen_candidates([Envelope(a_claim())] * 5, wanted, loaded, 0)

    assert found == ({} if expected is None else {need: expected})


def test_claims_that_park_are_decided_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(PARKED_MAX + 20):
        stage.make(limits={"api": ""})
    decided = 0
    apply_batch = engine_batch.apply_batch

    def counted(*args: object) -> object:
        nonlocal decided
        decided += 1
        return apply_batch(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(engine_batch, "apply_batch", counted)
    stage.send(a_claim())

    assert decided == 1
