"""Random stories in which executions make children and wait for them, made from a seed and nothing else."""

import random
from collections.abc import Mapping
from typing import Any

from flowfabric import NewChild
from flowfabric.domain.children import Children, child_id
from flowfabric.domain.ids import ExecutionId
from tests.stores.stories import (
    KINDS,
    LANES,
    PAYLOADS,
    POLICIES,
    Again,
    Instant,
    LeaseGuessed,
    LeaseSeen,
    PassOn,
    Scene,
    Step,
    Sweep,
)
from tests.stores.wait_stories import _ABOUT_WAITS, _Waiting

GROUPS = {"page": 2, "ü": 3}
"""How many children most groups of a name have."""
WAITS: Mapping[str, Any] = {
    "pages": Children(("page",)),
    "all pages": Children(("page",), all_ended=True),
    "both": Children(("page", "ü")),
    "approval": "approval",
}
READS = ("list_children", "list_children", "get_ends", "describe_execution", "explain")
PARENTS = 2


def story_of_families(seed: int) -> list[Scene]:
    """The story that belongs to a seed."""
    teller = _Families(random.Random(seed), PARENTS, _ABOUT_FAMILIES)
    return [teller.opening(), *(teller.scene(10) for _ in range(60))]


class _Families(_Waiting):
    """Someone who thinks mostly of parents and children."""

    def opening(self) -> Scene:
        scene = super().opening()
        members = [each for several in self.members.values() for each in several[:1]]
        self.parents = [*self.solo, *members[:1]]
        children = [key for parent in self.parents for key in self._children_of(parent)]
        later = [*self._children_of(self.parents[0], life=1), *self._children_of(children[0])]
        self.ids = [*self.parents * 4, *children, *later]
        return scene

    def _children_of(self, parent: ExecutionId, life: int = 0) -> list[ExecutionId]:
        return [child_id(parent, life, name, index) for name, total in GROUPS.items() for index in range(total)]

    def create_execution(self) -> dict[str, Any]:
        return super().create_execution() | {"execution_id": self.chance.choice(self.solo)}

    def step(self) -> Step | Again | Sweep | PassOn:
        chance = self.chance
        if chance.random() < 0.12:
            return PassOn(chance.choice((1, 2, 500)))
        return Sweep("resolution") if chance.random() < 0.05 else super().step()

    def claim(self) -> dict[str, Any]:
        return super().claim() | {"limit": self.chance.choice((1, 3, 5)), "capabilities": ("gpu", "ssd")}

    def lease(self) -> LeaseSeen | LeaseGuessed:
        chance = self.chance
        return LeaseSeen(int(chance.expovariate(0.3)), {}) if chance.random() < 0.9 else super().lease()

    def read(self) -> Step:
        chance = self.chance
        if chance.random() < 0.4:
            return super().read()
        method = chance.choice(READS)
        if method == "get_ends":
            return Step(method, {"execution_ids": [self.id() for _ in range(3)]})
        return Step(method, {"execution_id": self.id()}, None if chance.random() < 0.8 else "tenant-a")

    def create_children(self) -> dict[str, Any]:
        chance = self.chance
        name = chance.choice(tuple(GROUPS))
        number = GROUPS[name] if chance.random() < 0.9 else chance.randint(0, 4)
        return {"lease": self.lease(), "name": name, "items": [self._child() for _ in range(number)]}

    def _child(self) -> NewChild:
        chance = self.chance
        return NewChild(
            kind=KINDS[0] if chance.random() < 0.97 else KINDS[1],
            payload=PAYLOADS[1],
            lane=chance.choice(LANES),
            priority=chance.choice((0, 0, 7)),
            policy=chance.choice(POLICIES),
            delay_until_ms=Instant(chance.choice((0, 1_500))) if chance.random() < 0.1 else None,
            deadline_at_ms=Instant(chance.choice((1, 2_500))) if chance.random() < 0.1 else None,
        )

    def replay_execution(self) -> dict[str, Any]:
        """Mostly of a parent, and often from scratch."""
        chance = self.chance
        arguments = super().replay_execution()
        if chance.random() < 0.6:
            arguments["execution_id"] = chance.choice(self.parents)
        return arguments

    def _wait(self) -> dict[str, Any]:
        chance = self.chance
        name = chance.choice(tuple(WAITS))
        arguments: dict[str, Any] = {"lease": self.lease(), "name": name, "condition": WAITS[name]}
        if chance.random() < 0.2:
            arguments |= {
                "timeout_ms": chance.choice((1, 1_500)),
                "on_timeout": chance.choice(("resume", "fail", "cancel", "expire")),
            }
        return arguments


_ABOUT_FAMILIES = {method: min(weight, 3) for method, weight in _ABOUT_WAITS.items()} | {
    "create_execution": 8,
    "create_children": 40,
    "claim": 70,
    "open_wait": 12,
    "suspend": 24,
    "create_waitpoint": 2,
    "signal": 6,
    "signal_alias": 1,
    "resume_execution": 8,
    "complete": 40,
    "fail": 14,
    "cancel_execution": 14,
    "replay_execution": 30,
    "purge": 2,
    "submit_flow": 1,
    "cancel_flow": 1,
    "replay_flow": 2,
    "add_execution": 2,
    "add_dependency": 1,
    "issue_token": 1,
}
