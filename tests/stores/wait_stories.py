"""Random stories in which executions wait and others send them signals, made from a seed and nothing else."""

import random
from collections.abc import Mapping
from typing import Any

from flowfabric import AtLeast, Either, Every, On, OperatorOnly
from tests.stores.stories import (
    _CHANCES,
    _VIGIL,
    LANES,
    Again,
    Instant,
    LeaseGuessed,
    LeaseSeen,
    Scene,
    Step,
    Sweep,
    _Imagination,
)

KEYS = ("approval", "payment", "ü")
WAITS = ("editor", "votes", "nap")
CONDITIONS: Mapping[str, tuple[Any, ...]] = {
    "editor": ("approval", "approval", On("approval", name="yes")),
    "votes": (
        AtLeast(2, *KEYS),
        AtLeast(2, *KEYS),
        AtLeast(3, "payment", distinct="signals"),
        AtLeast(2, "payment", distinct="sources"),
        Every("approval", Either(On("payment", name="yes"), "ü")),
    ),
    "nap": (OperatorOnly(),),
}
"""By wait: the first is what most ask for; another one is a conflict."""
TIMEOUTS = ("resume", "resume", "fail", "cancel", "expire", "escalate")
READS = ("list_waitpoints", "list_signals", "list_waiting", "get_wait", "describe_execution", "explain", "list_steps")


def story_of_waits(seed: int) -> list[Scene]:
    """The story that belongs to a seed."""
    teller = _Waiting(random.Random(seed), 6, _ABOUT_WAITS)
    return [teller.opening(), *(teller.scene(10) for _ in range(70))]


def vigil_of_waits(seed: int) -> list[Scene]:
    """A short story in which workers wait for work, and what they get has often been suspended."""
    teller = _Vigil(random.Random(seed), 4, _VIGIL_OF_WAITS)
    return [teller.opening(), *(teller.scene(6) for _ in range(25))]


class _Waiting(_Imagination):
    """Someone who thinks mostly of waits."""

    def scene(self, steps_max: int) -> Scene:
        """Mostly a short one: signals and timeouts are to meet while somebody waits."""
        then_ms = self.chance.choice((0, 0, 1, 1, 100, 1_500))
        scene = super().scene(steps_max)
        return scene if self.chance.random() < 0.15 else scene._replace(then_ms=then_ms)

    def claim(self) -> dict[str, Any]:
        anything = {"lanes": LANES, "capabilities": ("gpu", "ssd"), "lease_ttl_ms": 60_000}
        return super().claim() | (anything if self.chance.random() < 0.8 else {})

    def lease(self) -> LeaseSeen | LeaseGuessed:
        chance = self.chance
        return LeaseSeen(int(chance.expovariate(0.7)), {}) if chance.random() < 0.8 else super().lease()

    def step(self) -> Step | Again | Sweep:
        return Sweep("wait") if self.chance.random() < 0.04 else super().step()

    def read(self) -> Step:
        chance = self.chance
        if chance.random() < 0.3:
            return super().read()
        method = chance.choice(READS)
        scope = None if chance.random() < 0.8 else "tenant-a"
        if method == "list_waiting":
            listed: dict[str, Any] = {"limit": chance.choice((1, 1000))}
            if chance.random() < 0.3:
                listed["key"] = chance.choice(KEYS)
            return Step(method, self.namespace(listed), scope)
        arguments: dict[str, Any] = {"execution_id": self.id()}
        if method == "get_wait":
            arguments["name"] = chance.choice(WAITS)
        if method == "list_signals" and chance.random() < 0.5:
            arguments["key"] = chance.choice(KEYS)
        return Step(method, arguments, scope)

    def _wait(self) -> dict[str, Any]:
        chance = self.chance
        name = chance.choice(WAITS)
        conditions = CONDITIONS[name]
        arguments: dict[str, Any] = {
            "lease": self.lease(),
            "name": name,
            "condition": conditions[0] if chance.random() < 0.9 else chance.choice(conditions),
            "on_timeout": chance.choice(TIMEOUTS),
        }
        if name == "nap" or chance.random() < 0.4:
            arguments["timeout_ms"] = chance.choice((0, 1, 1_500, 20_000))
        elif chance.random() < 0.2:
            arguments["timeout_at_ms"] = Instant(chance.choice((-5, 0, 3_000)))
        else:
            del arguments["on_timeout"]  # it is refused without a timeout
        return arguments

    def open_wait(self) -> dict[str, Any]:
        return self._wait()

    def suspend(self) -> dict[str, Any]:
        return self._wait()

    def create_waitpoint(self) -> dict[str, Any]:
        chance = self.chance
        arguments: dict[str, Any] = {"lease": self.lease(), "key": chance.choice(KEYS)}
        if chance.random() < 0.3:
            arguments["alias"] = f"order-{chance.randrange(3)}"
        if chance.random() < 0.2:
            arguments["about"] = {"title": "Publish?"}
        if chance.random() < 0.2:
            arguments["expires_in_ms"] = chance.choice((0, 1, 5_000))
        return arguments

    def _message(self) -> dict[str, Any]:
        chance = self.chance
        message: dict[str, Any] = {
            "payload": chance.choice((b"", b"yes", b"\x00\xff" * 3000)),
            "name": chance.choice(("", "yes")),
            "source": chance.choice(("", "ann", "bob")),
        }
        if chance.random() < 0.3:
            message["idempotency_key"] = f"once-{chance.randrange(3)}"
            message["payload"] = b"yes"
        return message

    def signal(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "key": self.chance.choice(KEYS), **self._message()}

    def signal_alias(self) -> dict[str, Any]:
        chance = self.chance
        message = self._message()
        if chance.random() < 0.5:
            message |= {"idempotency_key": "once-0", "payload": b"yes", "name": ""}
        # An alias belongs to a namespace, and most executions are in the first one.
        arguments = {"alias": f"order-{chance.randrange(3)}", **message}
        return arguments if chance.random() < 0.8 else self.namespace(arguments)

    def resume_execution(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "payload": self.chance.choice((b"", b"go")), "reason": "enough"}

    def close_waitpoint(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "key": self.chance.choice(KEYS), "reason": "enough"}

    def issue_token(self) -> dict[str, Any]:
        return {"execution_id": self.id(), "key": self.chance.choice(KEYS), "source": self.chance.choice(("", "ann"))}

    def replay_execution(self) -> dict[str, Any]:
        arguments = super().replay_execution()
        if "from_step" in arguments and self.chance.random() < 0.7:
            arguments["from_step"] = self.chance.choice(WAITS)
        return arguments


class _Vigil(_Waiting):
    """Someone who thinks of waits and of those who wait for work."""

    def opening(self) -> Scene:
        """Without flows: signals are to find those that wait."""
        self.ids = self.solo
        return Scene(
            [Step("create_execution", {"kind": "mail", "execution_id": each}) for each in self.ids], (), False, 1
        )

    def step(self) -> Step:
        chance = self.chance
        method = chance.choices(tuple(self.chances), tuple(self.chances.values()))[0]
        return Step(method, getattr(self, method)(), None if chance.random() < 0.95 else "tenant-a")

    def wait_for_work(self) -> dict[str, Any]:
        return self.claim() | {"limit": 1}


_ABOUT_WAITS = _CHANCES | {
    "create_execution": 14,
    "claim": 40,
    "open_wait": 24,
    "suspend": 30,
    "create_waitpoint": 16,
    "signal": 40,
    "signal_alias": 12,
    "resume_execution": 12,
    "close_waitpoint": 4,
    "issue_token": 4,
    "replay_execution": 12,
    "complete": 10,
    "fail": 5,
    "cancel_execution": 2,
    "cancel_flow": 1,
    "fire_schedule": 1,
    "purge": 1,
    "add_execution": 5,
    "add_dependency": 3,
    "record_step": 5,
}
_VIGIL_OF_WAITS = _VIGIL | {
    "wait_for_work": 24,
    "create_execution": 3,
    "create_executions": 1,
    "complete": 2,
    "fail": 1,
    "open_wait": 5,
    "suspend": 40,
    "create_waitpoint": 2,
    "signal": 30,
    "signal_alias": 2,
    "resume_execution": 16,
}
