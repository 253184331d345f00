"""Clients that do everything at once to the same few executions, and write down what they ask and what they hear."""

import json
import os
import random
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from flowfabric import (
    BlockingEngine,
    Contention,
    EngineError,
    ExecutionPolicy,
    Lease,
    RetryPolicy,
    StoreError,
    open_blocking_engine,
)
from tests.histories.model import MAX_INTERRUPTIONS, MAX_REPLAYS, MAX_RETRIES

POLICY = ExecutionPolicy(
    retry=RetryPolicy(max_retries=MAX_RETRIES, backoff="fixed", initial_delay_ms=5, jitter=0),
    max_interruptions=MAX_INTERRUPTIONS,
    max_replays=MAX_REPLAYS,
)
SHORT_MS, LONG_MS = 40, 60_000
LOST_ONE_IN = 60
VERBS = {
    "submit": 3,
    "claim": 14,
    "renew": 4,
    "record_step": 6,
    "complete": 5,
    "fail": 5,
    "release": 2,
    "suspend": 6,
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
}
OF_HOLDERS = ("renew", "record_step", "complete", "fail", "release", "suspend")


class Client:
    """One client with an engine of its own."""

    def __init__(self, engine: BlockingEngine, log: Path, story: str, executions: int, seed: str) -> None:
        self._engine = engine
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._name = log.stem
        self._story = story
        self._executions = executions
        self._chance = random.Random(f"{seed} {log.stem}")
        self._ids: dict[int, str] = {}
        self._leases: dict[int, list[Lease]] = {}
        self._number = 0

    def close(self) -> None:
        os.close(self._log)

    def run(self, calls: int) -> None:
        for _ in range(calls):
            self._call()

    def _call(self) -> None:
        chance = self._chance
        place = chance.randrange(self._executions)
        verb = chance.choices([*VERBS], [*VERBS.values()])[0]
        if place % 2 and place not in self._ids:
            verb = "submit"  # its id is known to those who have asked for it
        if verb in OF_HOLDERS and not self._leases.get(place):
            verb = "claim"
        given = getattr(self, f"_for_{verb}", lambda place: {})(place)
        self._number += 1
        self._note(about=str(place), verb=verb, given=given, begun=time.monotonic(), begun_ms=_now_ms())
        try:
            answer = self._asked(verb, place, given)
        except (Contention, StoreError):
            return  # it may have happened
        except EngineError as error:
            answer = {"refused": type(error).__name__}
            answer |= {name: getattr(error, name) for name in ("public_state", "lease_epoch") if hasattr(error, name)}
        except Exception as error:
            answer = {"refused": f"never heard of: {error!r}"}
        ended, ended_ms = time.monotonic(), _now_ms()
        if chance.randrange(LOST_ONE_IN) == 0:
            return  # the answer is lost: from here on nobody knows
        self._note(answer=answer, ended=ended, ended_ms=ended_ms + 1)
        if answer.get("is") == "Claimed":
            self._leases.setdefault(place, []).append(self._last_lease)
        if "execution_id" in answer and verb == "submit":
            self._ids[place] = answer["execution_id"]

    def _note(self, **noted: Any) -> None:
        os.write(self._log, (json.dumps({"number": self._number, **noted}) + "\n").encode())

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

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _asked(self, verb: str, place: int, given: dict[str, Any]) -> dict[str, Any]:
        engine = self._engine
        lane = f"{self._story}-{place}"
        if verb == "submit":
            by = {"idempotency_key": lane} if place % 2 else {"execution_id": self._id(place)}
            payload = given["payload"].encode()
            return _as_told(engine.create_execution("kind", payload, lane=lane, policy=POLICY, **by))
        if verb == "claim":
            claimed = engine.claim(
                worker_id="w", worker_instance_id=self._name, lanes=(lane,), lease_ttl_ms=given["ttl_ms"]
            )
            if not claimed:
                return {"is": "nothing"}
            self._last_lease = claimed[0].lease
            return {**_as_told(self._last_lease), "is": "Claimed", "claim_type": claimed[0].claim_type}
        if verb in OF_HOLDERS:
            return self._asked_as_holder(verb, Lease(**given["lease"]), given)
        execution_id = self._id(place)
        match verb:
            case "signal":
                key, payload = given["key"], given["payload"].encode()
                return _as_told(engine.signal(execution_id, "go", payload, idempotency_key=key))
            case "cancel":
                return _as_told(engine.cancel_execution(execution_id, reason=given["reason"]))
            case "revoke":
                return _as_told(engine.revoke_lease(execution_id))
            case "priority":
                return _as_told(engine.change_priority(execution_id, given["priority"]))
            case "replay":
                return _as_told(engine.replay_execution(execution_id))
            case "resume":
                return _as_told(engine.resume_execution(execution_id))
            case "describe":
                return _as_told(engine.describe_execution(execution_id))
            case "result":
                result = engine.get_result(execution_id)
                return {"is": "Result", "value": None if result is None else result.decode()}
            case "step":
                step = engine.get_step(execution_id, given["name"])
                return {"is": "Step", "value": None if step is None else step.result.decode()}
        return _as_told(getattr(engine, verb)(execution_id))

    def _asked_as_holder(self, verb: str, lease: Lease, given: dict[str, Any]) -> dict[str, Any]:
        engine = self._engine
        match verb:
            case "renew":
                return _as_told(engine.renew(lease, lease_ttl_ms=given["ttl_ms"]))
            case "record_step":
                return _as_told(engine.record_step(lease, given["name"], given["value"].encode()))
            case "complete":
                return _as_told(engine.complete(lease, given["result"].encode()))
            case "fail":
                return _as_told(engine.fail(lease, code="broken", retryable=given["retryable"]))
            case "suspend":
                answer = engine.suspend(lease, given["name"], "go")
                payloads = [signal.payload.decode() for signal in getattr(answer, "signals", ())]
                return {**_as_told(answer), "payloads": payloads}
        return _as_told(engine.release(lease))


def _as_told(answer: Any) -> dict[str, Any]:
    fields = {name: getattr(answer, name) for name in getattr(answer, "__struct_fields__", ())}
    plain = {name: value for name, value in fields.items() if value is None or isinstance(value, (str, int))}
    return {"is": type(answer).__name__, **plain}


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def run_client(url: str, log: Path, story: str, executions: int, calls: int, seed: str) -> None:
    """Be one client, from opening an engine to closing it."""
    with open_blocking_engine(url, migrate=False) as engine:
        client = Client(engine, log, story, executions, seed)
        try:
            client.run(calls)
        finally:
            client.close()
