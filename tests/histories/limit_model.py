"""What the contract says about the executions that share a key of a limit, in as few lines as it takes.

It is written from the contract alone and shares no code with the package. Nobody here waits for a time, and leases are
so long that none ends by itself.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, NamedTuple

from tests.histories.history import Call

SLOTS: Final = 2
"""How many of a key may run at once."""
AT_ONE_KEY: Final = 5
"""How many executions share a key."""
ENDED: Final = ("completed", "cancelled")


class One(NamedTuple):
    """How one of the executions stands."""

    phase: str = "absent"
    epoch: int = 0
    lease_id: str | None = None
    """Of the live lease, or of the one that completed it; "?" if nobody was told."""


State = tuple[One, ...]


def _told(call: Call, name: str, **fields: Any) -> bool:
    """Whether the answer is this one, or was lost."""
    answer = call.answer
    return answer is None or (answer.get("is") == name and all(answer.get(k) == v for k, v in fields.items()))


def _refused(call: Call, *names: str) -> bool:
    return call.answer is not None and call.answer.get("refused") in names


class LimitModel:
    """The model that the checker asks."""

    first: State = (One(),) * AT_ONE_KEY

    def words(self, state: Any) -> str:
        return ", ".join(f"{at}: {one.phase} in epoch {one.epoch}" for at, one in enumerate(state))

    def after(self, state: Any, call: Call, alone: bool) -> Iterator[State]:
        if call.verb == "claim":
            yield from _claim(state, call, alone)
        elif call.verb in ("count", "look"):
            if _is_seen(state, call):
                yield state
        else:
            at = call.given["number"]
            for one in getattr(self, f"_{call.verb}")(state[at], call):
                yield (*state[:at], one, *state[at + 1 :])

    def _submit(self, one: One, call: Call) -> Iterator[One]:
        if one.phase == "absent":
            if _told(call, "Created"):
                yield One("waiting")
        elif _told(call, "Duplicate"):
            yield one

    def _complete(self, one: One, call: Call) -> Iterator[One]:
        if _is_its(one, call) and one.phase in ("active", "completed"):
            if _told(call, "Completed"):
                yield one._replace(phase="completed")
        elif _is_fenced(one, call):
            yield one

    def _release(self, one: One, call: Call) -> Iterator[One]:
        if _is_its(one, call) and one.phase == "active":
            if _told(call, "Released"):
                yield One("waiting", one.epoch)
        elif _is_fenced(one, call):
            yield one

    def _cancel(self, one: One, call: Call) -> Iterator[One]:
        if one.phase == "absent" or one.phase == "completed":
            if _refused(call, "NotFound" if one.phase == "absent" else "InvalidInput"):
                yield one
        elif _told(call, "Cancelled"):
            yield one if one.phase == "cancelled" else One("cancelled", one.epoch + (one.phase == "active"))

    def _revoke(self, one: One, call: Call) -> Iterator[One]:
        if one.phase == "absent":
            if _refused(call, "NotFound"):
                yield one
        elif one.phase != "active":
            if _told(call, "AlreadySatisfied"):
                yield one
        elif _told(call, "Revoked", lease_epoch=one.epoch + 1):
            taken = (call.answer or {}).get("lease_id")
            if taken is None or one.lease_id in ("?", taken):
                yield One("waiting", one.epoch + 1)

    def _replay(self, one: One, call: Call) -> Iterator[One]:
        if one.phase in ENDED:
            if _told(call, "Replayed"):
                yield One("waiting", one.epoch + 1)
        elif _refused(call, "NotFound" if one.phase == "absent" else "ExecutionNotTerminal"):
            yield one


def _is_seen(state: State, call: Call) -> bool:
    """The numbers of a key are of one moment, and the ids of those who run are of another, a little later."""
    running = [at for at, one in enumerate(state) if one.phase == "active"]
    if call.verb == "look":
        return _told(call, "Running", running=running)
    parked = 0 if call.answer is None else call.answer["parked"]
    return _told(call, "Counts", in_use=len(running)) and parked <= sum(one.phase == "waiting" for one in state)


def _claim(state: State, call: Call, alone: bool) -> Iterator[State]:
    """No more than there are slots. Who asks alone, and could get somebody, gets at least one."""
    waiting = [at for at, one in enumerate(state) if one.phase == "waiting"]
    room = min(SLOTS - sum(one.phase == "active" for one in state), call.given["limit"])
    if call.answer is None:
        for size in range(room + 1):
            for some in combinations(waiting, size):
                yield _leased(state, {at: (state[at].epoch + 1, "?") for at in some})
    elif "leases" in call.answer:
        leases = {at: (epoch, lease_id) for at, epoch, lease_id in call.answer["leases"]}
        is_good = all(at in waiting and epoch == state[at].epoch + 1 for at, (epoch, _) in leases.items())
        if is_good and len(leases) <= room and not (alone and not leases and room and waiting):
            yield _leased(state, leases)


def _leased(state: State, leases: dict[int, tuple[int, str]]) -> State:
    return tuple(One("active", *leases[at]) if at in leases else one for at, one in enumerate(state))


def _is_its(one: One, call: Call) -> bool:
    lease = call.given["lease"]
    return (lease["lease_epoch"], lease["lease_id"]) == (one.epoch, one.lease_id)


def _is_fenced(one: One, call: Call) -> bool:
    return _refused(call, "StaleLease") or (one.phase != "active" and _refused(call, "ExecutionNotActive"))
