"""Repeating what concerns limits and budgets: a repeated command id gets its first answer, and counts once."""

from collections.abc import Callable
from typing import Final, NamedTuple

from flowfabric import BlockingEngine, Conflict, Lease, ManualClock
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.gate_stage import claims, gated
from flowfabric_conformance.stage import refused, unchanged

Send = Callable[[BlockingEngine, Lease, str | None], object]


class GateWrite(NamedTuple):
    """A write method, and something that happens between its first call and the repeated one."""

    send: Send
    meanwhile: Callable[[BlockingEngine, Lease], object]


def _lower(engine: BlockingEngine, lease: Lease) -> object:
    return engine.set_limit("api", concurrency=1)


def _set_again(engine: BlockingEngine, lease: Lease) -> object:
    return engine.set_limit("spare", concurrency=3)


def _spend_more(engine: BlockingEngine, lease: Lease) -> object:
    return engine.spend(lease, "team", {"usd": 7})


GATE_WRITES: Final[dict[str, GateWrite]] = {
    "set_limit": GateWrite(
        lambda engine, lease, command_id: engine.set_limit("api", concurrency=9, command_id=command_id), _lower
    ),
    "remove_limit": GateWrite(
        lambda engine, lease, command_id: engine.remove_limit("spare", command_id=command_id), _set_again
    ),
    "pause_limit": GateWrite(
        lambda engine, lease, command_id: engine.pause_limit("api", for_ms=5_000, command_id=command_id), _lower
    ),
    "set_budget": GateWrite(
        lambda engine, lease, command_id: engine.set_budget("team", limits={"usd": 500}, command_id=command_id),
        lambda engine, lease: engine.set_budget("team", limits={"usd": 600}),
    ),
    "reset_budget": GateWrite(
        lambda engine, lease, command_id: engine.reset_budget("team", command_id=command_id), _spend_more
    ),
    "charge_budget": GateWrite(
        lambda engine, lease, command_id: engine.charge_budget(
            "team", {"usd": 4}, reason="late", command_id=command_id
        ),
        _spend_more,
    ),
    "take_slot": GateWrite(
        lambda engine, lease, command_id: engine.take_slot(lease, "spare", command_id=command_id),
        lambda engine, lease: engine.give_slot(lease, "spare"),
    ),
    "give_slot": GateWrite(
        lambda engine, lease, command_id: engine.give_slot(lease, "third", command_id=command_id),
        lambda engine, lease: engine.take_slot(lease, "third"),
    ),
    "reserve": GateWrite(
        lambda engine, lease, command_id: engine.reserve(lease, "team", {"usd": 3}, command_id=command_id), _spend_more
    ),
    "spend": GateWrite(
        lambda engine, lease, command_id: engine.spend(lease, "team", {"usd": 5}, command_id=command_id), _spend_more
    ),
}
every_gate_write = rule_cases("method", list(GATE_WRITES))


def _scene(engine: BlockingEngine) -> Lease:
    """A running execution with a limit and a budget, and another limit."""
    for name in ("api", "spare", "third"):
        engine.set_limit(name, concurrency=2)
    engine.set_budget("team", limits={"usd": 100})
    gated(engine, budgets={"team": {"usd": 10}})
    lease = claims(engine)[0].lease
    engine.take_slot(lease, "third")
    return lease


def _gates(engine: BlockingEngine) -> list[object]:
    return [*engine.list_limits().items, *engine.list_budgets().items, *engine.list_spending("team", by="day").items]


@every_gate_write
def test_the_same_command_id_gets_the_first_answer_about_limits_and_budgets(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    write, lease = GATE_WRITES[method], _scene(engine)
    first = write.send(engine, lease, "once")
    write.meanwhile(engine, lease)
    clock.advance(1)
    before = _gates(engine)

    with unchanged(engine):
        again = write.send(engine, lease, "once")

    assert again == first
    assert type(again) is type(first)
    assert _gates(engine) == before


@every_gate_write
def test_a_command_id_means_one_command_about_limits_and_budgets(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    lease = _scene(engine)
    engine.set_limit("fourth", concurrency=1, command_id="taken")
    before = _gates(engine)

    with refused(engine, Conflict):
        GATE_WRITES[method].send(engine, lease, "taken")

    assert _gates(engine) == before
