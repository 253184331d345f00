"""Clients that do everything at once to the same few executions, and write down what they ask and what they hear."""

import random
from pathlib import Path
from typing import Any
from uuid import UUID

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    Lease,
    RetryPolicy,
    open_blocking_engine,
)
from tests.histories.client import Client, as_told
from tests.histories.flow_clients import OfFlows
from tests.histories.limit_model import AT_ONE_KEY, SLOTS
from tests.histories.model import MAX_INTERRUPTIONS, MAX_REPLAYS, MAX_RETRIES

POLICY = ExecutionPolicy(
    retry=RetryPolicy(max_retries=MAX_RETRIES, backoff="fixed", initial_delay_ms=5, jitter=0),
    max_interruptions=MAX_INTERRUPTIONS,
    max_replays=MAX_REPLAYS,
)
SHORT_MS, LONG_MS = 40, 60_000
VERBS = {
    "submit": 3,
    "claim": 14,
    "renew": 4,
    "record_step": 6,
    "complete": 5,
    "fail": 5,
    "release": 2,
    "suspend": 6,
    "append": 18,
    "signal": 6,
    "resume": 2,
    "cancel": 2,
    "revoke": 3,
    "priority": 4,
    "hold": 2,
    "unhold": 4,
    "replay": 5,
    "describe": 6,
    "result": 2,
    "step": 3,
    "frames": 9,
}
EXECUTIONS = 3
VERBS_AT_LIMITS = {
    "submit": 6,
    "claim": 14,
    "complete": 6,
    "release": 6,
    "cancel": 2,
    "revoke": 5,
    "replay": 8,
    "count": 6,
    "look": 6,
}
KEYS = 2
MANY_LIVES = ExecutionPolicy(max_interruptions=1_000, max_replays=1_000)
OF_HOLDERS = ("renew", "record_step", "complete", "fail", "release", "suspend", "append")


class OfExecutions(Client):
    """A client that does everything to the same few executions."""

    def __init__(self, engine: BlockingEngine, log: Path, story: str, seed: str) -> None:
        super().__init__(engine, log, story, seed)
        self._ids: dict[int, str] = {}
        self._leases: dict[int, list[Lease]] = {}
        self._said: dict[str, tuple[int, list[str], int]] = {}
        """By lease: what was appended last and heard of, with the numbers of its first frame and of the next one."""
        self._read: dict[int, tuple[str | None, list[int] | None]] = {}
        """The cursor of this reader, and the last frame that it has read."""

    def _chosen(self) -> tuple[int, str]:
        place = self._chance.randrange(EXECUTIONS)
        verb = self._chance.choices([*VERBS], [*VERBS.values()])[0]
        if place % 2 and place not in self._ids:
            verb = "submit"  # its id is known to those who have asked for it
        if verb in OF_HOLDERS and not self._leases.get(place):
            verb = "claim"
        return place, verb

    def _heard(self, verb: str, place: int, given: dict[str, Any], answer: dict[str, Any]) -> None:
        if answer.get("is") == "Appended":
            self._said[given["lease"]["lease_id"]] = answer["first_seq"], given["frames"], answer["next_seq"]
        if answer.get("is") == "Frames":
            last = answer["frames"][-1][:2] if answer["frames"] else given["after"]
            self._read[place] = self._next_cursor, last
        if answer.get("is") == "Claimed":
            self._leases.setdefault(place, []).append(self._last_lease)
        if "execution_id" in answer and verb == "submit":
            self._ids[place] = answer["execution_id"]

    def _id(self, place: int) -> str:
        """Agreed on for every second execution, and for the others whatever the first submit was told."""
        if place % 2 == 0:
            return f"{{fp:7}}:{UUID(bytes=random.Random(f'{self._story} {place}').randbytes(16), version=4)}"
        return self._ids[place]

    # ── what is asked ────────────────────────────────────────────────────────────────────────────

    def _for_submit(self, place: int) -> dict[str, Any]:
        return {"payload": "other" if self._chance.randrange(6) == 0 and place in self._ids else "first"}

    def _for_claim(self, place: int) -> dict[str, Any]:
        return {"ttl_ms": SHORT_MS if self._chance.randrange(4) == 0 else LONG_MS}

    def _for_signal(self, place: int) -> dict[str, Any]:
        key = f"key-{self._chance.randrange(4)}" if self._chance.randrange(2) else None
        return {"key": key, "payload": f"of {key}" if key else f"{self._name} {self._number}"}

    def _for_cancel(self, place: int) -> dict[str, Any]:
        return {"reason": f"{self._name} {self._number}"}

    def _for_priority(self, place: int) -> dict[str, Any]:
        return {"priority": self._chance.randrange(-10, 9_100)}

    def _for_step(self, place: int) -> dict[str, Any]:
        return {"name": f"step-{self._chance.randrange(3)}"}

    def _lease(self, place: int) -> dict[str, Any]:
        """Mostly the last lease that this client was given, and now and then one from before."""
        leases = self._leases[place]
        lease = leases[-1] if self._chance.randrange(4) else self._chance.choice(leases)
        return {name: getattr(lease, name) for name in lease.__struct_fields__}

    def _for_renew(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place), **self._for_claim(place)}

    def _for_record_step(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place), **self._for_step(place), "value": f"{self._name} {self._number}"}

    def _for_complete(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place), "result": f"{self._name} {self._number}"}

    def _for_fail(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place), "retryable": self._chance.randrange(4) > 0}

    def _for_release(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place)}

    def _for_suspend(self, place: int) -> dict[str, Any]:
        return {"lease": self._lease(place), "name": f"wait {self._name} {self._number}"}

    def _for_append(self, place: int) -> dict[str, Any]:
        """New frames at the end, or at the number that should be next; or at a place of before, or after a gap."""
        lease = self._lease(place)
        first, again, following = self._said.get(lease["lease_id"], (0, [], 0))
        new = [f"{self._name} {self._number} {each}" for each in range(self._chance.randint(1, 3))]
        kind = self._chance.choices(["at the end", "next", "again", "instead", "after a gap"], [4, 6, 2, 2, 1])[0]
        if kind == "again" and again:
            return {"lease": lease, "frames": again, "first_seq": first}
        first_seq = {"next": following, "instead": first, "after a gap": following + 1}.get(kind)
        return {"lease": lease, "frames": new, "first_seq": first_seq}

    def _for_frames(self, place: int) -> dict[str, Any]:
        """From the beginning, or from where this reader has come to."""
        return {"after": None if self._chance.randrange(4) == 0 else self._read.get(place, (None, None))[1]}

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _asked(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        engine = self._engine
        lane = f"{self._story}-{place}"
        if verb == "submit":
            by = {"idempotency_key": lane} if place % 2 else {"execution_id": self._id(place)}
            payload = given["payload"].encode()
            return as_told(engine.create_execution("kind", payload, lane=lane, policy=POLICY, **by))
        if verb == "claim":
            claimed = engine.claim(
                worker_id="w", worker_instance_id=self._name, lanes=(lane,), lease_ttl_ms=given["ttl_ms"]
            )
            if not claimed:
                return {"is": "nothing"}
            self._last_lease = claimed[0].lease
            return {**as_told(self._last_lease), "is": "Claimed", "claim_type": claimed[0].claim_type}
        if verb in OF_HOLDERS:
            return self._asked_as_holder(verb, Lease(**given["lease"]), given)
        execution_id = self._id(place)
        match verb:
            case "signal":
                key, payload = given["key"], given["payload"].encode()
                return as_told(engine.signal(execution_id, "go", payload, idempotency_key=key))
            case "cancel":
                return as_told(engine.cancel_execution(execution_id, reason=given["reason"]))
            case "revoke":
                return as_told(engine.revoke_lease(execution_id))
            case "priority":
                return as_told(engine.change_priority(execution_id, given["priority"]))
            case "replay":
                return as_told(engine.replay_execution(execution_id))
            case "resume":
                return as_told(engine.resume_execution(execution_id))
            case "describe":
                return as_told(engine.describe_execution(execution_id))
            case "frames":
                cursor = None if given["after"] is None else self._read[place][0]
                page = engine.read_stream(execution_id, cursor=cursor, view="all")
                self._next_cursor = page.next_cursor
                return {"is": "Frames", "frames": [[f.lease_epoch, f.seq, f.payload.decode()] for f in page.frames]}
            case "result":
                result = engine.get_result(execution_id)
                return {"is": "Result", "value": None if result is None else result.decode()}
            case "step":
                step = engine.get_step(execution_id, given["name"])
                return {"is": "Step", "value": None if step is None else step.result.decode()}
        return as_told(getattr(engine, verb)(execution_id))

    def _asked_as_holder(self, verb: str, lease: Lease, given: dict[str, Any]) -> dict[str, Any]:
        engine = self._engine
        match verb:
            case "renew":
                return as_told(engine.renew(lease, lease_ttl_ms=given["ttl_ms"]))
            case "record_step":
                return as_told(engine.record_step(lease, given["name"], given["value"].encode()))
            case "complete":
                return as_told(engine.complete(lease, given["result"].encode()))
            case "fail":
                return as_told(engine.fail(lease, code="broken", retryable=given["retryable"]))
            case "append":
                frames = [each.encode() for each in given["frames"]]
                return as_told(engine.append_frames(lease, frames, first_seq=given["first_seq"]))
            case "suspend":
                answer = engine.suspend(lease, given["name"], "go")
                payloads = [signal.payload.decode() for signal in getattr(answer, "signals", ())]
                return {**as_told(answer), "payloads": payloads}
        return as_told(engine.release(lease))


class OfLimits(Client):
    """A client that does everything to executions that share the slots of two keys of a limit."""

    def __init__(self, engine: BlockingEngine, log: Path, story: str, seed: str) -> None:
        super().__init__(engine, log, story, seed)
        self._leases: list[tuple[int, int, Lease]] = []
        """The keys and the executions that this client was given, with their leases."""
        engine.set_limit(story, concurrency=SLOTS, if_new=True)

    def _chosen(self) -> tuple[int, str]:
        place = self._chance.randrange(KEYS)
        verb = self._chance.choices([*VERBS_AT_LIMITS], [*VERBS_AT_LIMITS.values()])[0]
        mine = [at for at, _, _ in self._leases if at == place]
        return place, "claim" if verb in ("complete", "release") and not mine else verb

    def _id(self, place: int, number: int) -> str:
        drawn = random.Random(f"{self._story} {place} {number}").randbytes(16)
        return f"{{fp:7}}:{UUID(bytes=drawn, version=4)}"

    def _one(self, place: int) -> dict[str, Any]:
        return {"number": self._chance.randrange(AT_ONE_KEY)}

    _for_submit = _for_cancel = _for_revoke = _for_replay = _one

    def _for_claim(self, place: int) -> dict[str, Any]:
        return {"limit": self._chance.randint(1, 2)}

    def _for_complete(self, place: int) -> dict[str, Any]:
        """Mostly the last lease of this client, and now and then one from before."""
        mine = [(number, lease) for at, number, lease in self._leases if at == place]
        number, lease = mine[-1] if self._chance.randrange(4) else self._chance.choice(mine)
        return {"number": number, "lease": {name: getattr(lease, name) for name in lease.__struct_fields__}}

    _for_release = _for_complete

    def _asked(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        engine, lane, key = self._engine, f"{self._story}-{place}", f"key-{place}"
        numbers = {self._id(place, number): number for number in range(AT_ONE_KEY)}
        if verb == "claim":
            claimed = engine.claim(
                worker_id="w",
                worker_instance_id=self._name,
                lanes=(lane,),
                limit=given["limit"],
                lease_ttl_ms=10 * LONG_MS,
            )
            self._last = [(place, numbers[each.execution_id], each.lease) for each in claimed]
            leases = [[number, lease.lease_epoch, lease.lease_id] for _, number, lease in self._last]
            return {"is": "Leases", "leases": sorted(leases)}
        if verb in ("count", "look"):
            seen = engine.describe_limit(self._story, key)
            assert seen is not None
            if verb == "count":
                return {"is": "Counts", "in_use": seen.in_use, "parked": seen.parked}
            return {"is": "Running", "running": sorted(numbers[each] for each in seen.running)}
        if verb in ("complete", "release"):
            return as_told(getattr(engine, verb)(Lease(**given["lease"])))
        execution_id = self._id(place, given["number"])
        match verb:
            case "submit":
                at = {"lane": lane, "limits": {self._story: key}, "policy": MANY_LIVES}
                return as_told(engine.create_execution("kind", execution_id=execution_id, **at))
            case "cancel":
                return as_told(engine.cancel_execution(execution_id, reason="stop"))
            case "revoke":
                return as_told(engine.revoke_lease(execution_id))
        return as_told(engine.replay_execution(execution_id))

    def _heard(self, verb: str, place: int, given: dict[str, Any], answer: dict[str, Any]) -> None:
        if answer.get("is") == "Leases":
            self._leases += self._last


KINDS: dict[str, type[Client]] = {"executions": OfExecutions, "limits": OfLimits, "flows": OfFlows}
"""What a history is about."""


def run_client(url: str, log: Path, story: str, kind: str, calls: int, seed: str) -> None:
    """Be one client, from opening an engine to closing it."""
    with open_blocking_engine(url, migrate=False) as engine:
        client = KINDS[kind](engine, log, story, seed)
        try:
            client.run(calls)
        finally:
            client.close()
