"""The rules about slots alone come to what the rules about whole records come to."""

from collections import Counter
from collections.abc import Sequence

import pytest

from flowfabric.domain.commands import AnyCommand, Claim, Complete
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import Execution, place_of, queue_order
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, is_idle, unused
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.slots import (
    MoreReadyNeeded,
    RulesNeeded,
    Sharing,
    Waiting,
    are_only_limits,
    gates_admitted,
    gates_leased,
    gates_parked,
)
from tests.domain.gate_world import NS
from tests.domain.limited_world import KEYS, LimitedWorld

BATCHES = 120


class SharedWorld(LimitedWorld):
    """Before the rules decide a batch of claims and completions, its slots are shared out, and both are compared."""

    def __init__(self, seed: int, keys: Sequence[str]) -> None:
        super().__init__(seed, keys)
        self.seen: Counter[str] = Counter()

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        sharing = self._shared_out() if self._is_simple(commands) else None
        before = dict(self.store._executions)
        chosen: list[list[str]] = []
        try:
            for command in commands if sharing is not None else ():
                assert sharing is not None
                if isinstance(command, Complete):
                    sharing.end(_slots(before[command.fence.execution_id]))
                elif isinstance(command, Claim):
                    chosen.append([each.execution_id for each in sharing.claim(command.limit)])
        except RulesNeeded:
            sharing = None
        answers = super().send(*commands)
        if sharing is not None:
            claimed = [answer for answer in answers if isinstance(answer, list)]
            assert [[each.execution_id for each in answer] for answer in claimed] == chosen  # type: ignore[union-attr]
            self._compare(sharing, before)
        return answers

    def _is_simple(self, commands: Sequence[AnyCommand]) -> bool:
        for command in commands:
            if isinstance(command, Complete):
                x = self.store._executions[command.fence.execution_id]
                if x.lease_epoch != command.fence.lease_epoch or (x.lease_expires_at_ms or 0) <= self.store.now_ms:
                    return False
            elif not isinstance(command, Claim):
                return False
        return all(_is_plain(x) for x in self._waiting())

    def _waiting(self) -> list[Execution]:
        there = [x for x in self.executions() if x.eligibility_state in ("eligible_now", "blocked_by_quota")]
        return sorted(there, key=lambda x: queue_order(place_of(x)))

    def _shared_out(self) -> Sharing:
        ready = [_place(x) for x in self._waiting() if x.eligibility_state == "eligible_now"]
        parked: dict[KeyAt, list[Waiting]] = {}
        for x in self._waiting():
            if x.gates is not None and x.gates.parked is not None:
                parked.setdefault((NS, *x.gates.parked[1:]), []).append(_place(x))
        keys = {at for x in self.executions() for at in _slots(x)}
        limits: dict[KeyAt, Limit] = {}
        for at in keys:
            common = self.store._limits[(*at[:2], None)]
            limits[at] = self.store._limits.get(at, common)
        uses = {at: self.store._key_uses.get(at) or unused(at) for at in keys}
        return Sharing(limits, uses, ready, parked, self.store.now_ms, asked=len(ready) + 1)

    def _compare(self, sharing: Sharing, before: dict[str, Execution]) -> None:
        now = self.store.now_ms
        uses = {at: use for at, use in sharing.uses.items() if not is_idle(use, now)}
        assert uses == {at: use for at, use in self.store._key_uses.items() if not is_idle(use, now)}
        for x in self.executions():
            was = before[x.execution_id].gates
            assert was is not None
            if x.execution_id in sharing.parked:
                _, name, key = sharing.parked[x.execution_id]
                expected = gates_parked(was, name, key)
                self.seen["parked"] += 1
            elif x.lifecycle_phase == "active" and before[x.execution_id].lifecycle_phase != "active":
                expected = gates_leased(was)
                self.seen["leased"] += 1
                self.seen["leased at once"] += x.execution_id in sharing.admitted
            elif x.execution_id in sharing.admitted:
                expected = gates_admitted(was)
                self.seen["let in"] += 1
            else:
                continue
            assert x.gates == expected


def _slots(x: Execution) -> list[KeyAt]:
    assert x.gates is not None
    return [(x.namespace, name, key) for name, key in x.gates.limits]


def _place(x: Execution) -> Waiting:
    return Waiting(queue_order(place_of(x)), x.execution_id, _slots(x))


def _is_plain(x: Execution) -> bool:
    return x.attempt_state == "pending_first_attempt" and x.gates is not None and are_only_limits(x.gates)


@pytest.mark.parametrize("keys", KEYS)
def test_slots_are_shared_out_as_the_rules_would_do_it(keys: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(3):
        world = SharedWorld(seed, KEYS[keys])
        world.tell(BATCHES)
        seen += world.seen

    assert seen.keys() >= {"parked", "leased", "leased at once", "let in"}, seen


def test_a_rate_or_a_pause_needs_the_rules() -> None:
    at = (NS, "api", "")
    numbers = Limit(NS, "api", None, 2, None, 1_000, None)
    for limit, use in (
        (Limit(NS, "api", None, 2, 5, 1_000, None), KeyUse(*at)),
        (numbers, KeyUse(*at, paused_until_ms=11)),
        (numbers, KeyUse(*at, busy_until_us=10_001)),
    ):
        with pytest.raises(RulesNeeded):
            Sharing({at: limit}, {at: use}, [], {}, 10, asked=1)


def test_a_claim_that_has_used_up_what_was_read_asks_for_more() -> None:
    at = (NS, "api", "")
    limits = {at: Limit(NS, "api", None, 1, None, 1_000, None)}
    ready = [Waiting((0, 0, number, f"{number}", 0), f"{{fp:0}}:{number}", (at,)) for number in range(2)]  # type: ignore[arg-type]

    with pytest.raises(MoreReadyNeeded):
        Sharing(limits, {at: unused(at)}, ready, {}, 10, asked=2).claim(2)

    assert Sharing(limits, {at: unused(at)}, ready, {}, 10, asked=3).claim(2) == ready[:1]
