"""Very many executions that are parked, and what is done beside them. A store must not read more, the more they are."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from benchmarks.many_copies import copy_execution, copy_to_keys
from flowfabric import BlockingEngine, NewExecution, open_blocking_engine
from flowfabric.domain.commands import Envelope, OpenGate
from flowfabric.domain.gates import GateAt
from flowfabric.domain.words import COUNTED_MAX
from flowfabric.reconcilers.duties import Duties
from tests.assembled import Assembled
from tests.sizes import IS_FULL

FEW: Final = COUNTED_MAX + 1_000
MANY: Final = 1_000_000 if IS_FULL else 3 * FEW
"""How many executions are parked at one key. More than are counted, so that counts are no reason for a difference."""
FEW_KEYS: Final = 600
MANY_KEYS: Final = 100_000 if IS_FULL else 2_000
"""At how many keys one execution is parked. More than one look covers."""
TEST_S_MAX: Final = 3_600 if IS_FULL else 300
PARKED_BY_ENGINE: Final = 50
"""The others are copies."""
AT_ONCE: Final = 5
TTL_MS: Final = 3_600_000
CROWDED: Final[GateAt] = ("default", "limit", "tenant", "t-7")
BROKE: Final[GateAt] = ("default", "budget", "team", "")

Kept = dict[str, Any]
"""What a step has found, for those after it."""
Step = tuple[str | None, Callable[[Assembled, Kept], object]]
"""Something that is done, by its name. None: it only prepares the next ones, and may read as much as it likes."""


def make_crowds(url: str, parked: int, keys: int) -> None:
    """Let so many executions wait for one key, as many for a budget, and one for each of so many keys."""
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.set_limit("tenant", concurrency=1)
        engine.set_limit("tenant", key="t-8", concurrency=1_000)
        engine.set_limit("user", concurrency=1)
        engine.set_budget("team", limits={"usd": 10})
        at_key = _parked(engine, "many", limits={"tenant": "t-7"})
        at_budget = _parked(engine, "broke", budgets={"team": {"usd": 10}})
        at_user = _parked(engine, "users", limits={"user": "u"})
    copy_execution(url, at_key, parked - PARKED_BY_ENGINE)
    copy_execution(url, at_budget, parked - PARKED_BY_ENGINE)
    copy_to_keys(url, at_user, "user", "u", keys - 1)


def _parked(engine: BlockingEngine, lane: str, **gates: Any) -> str:
    """Let one execution run, and park some others behind it. Returns the one that is last in the queue."""
    engine.create_executions([NewExecution(kind="job", lane=lane, **gates) for _ in range(PARKED_BY_ENGINE + 1)])
    (running,) = claim(engine, lane, limit=PARKED_BY_ENGINE)
    assert running.lease is not None
    claim(engine, lane, limit=PARKED_BY_ENGINE)
    assert engine.count_executions(lane=lane, public_state="rate_limited") == PARKED_BY_ENGINE
    return str(engine.list_executions(lane=lane, public_state="rate_limited", limit=1).items[0].execution_id)


def claim(engine: BlockingEngine, lane: str, limit: int = 1) -> list[Any]:
    """What a claim gets."""
    return engine.claim(worker_id="w", worker_instance_id="w", lanes=[lane], limit=limit, lease_ttl_ms=TTL_MS)


def look_at(parts: Assembled, gate: GateAt) -> bool:
    """Look at a gate once, as a sweep does."""
    (answer,) = parts.commits.execute_all([Envelope(OpenGate(gate))])
    assert isinstance(answer, bool), answer
    return answer


def beside_them() -> Iterator[Step]:
    """Another tenant works, and one without limits."""
    for name, limits in {"another key": {"tenant": "t-8"}, "no limit": {}}.items():
        new = [NewExecution(kind="job", limits=limits) for _ in range(AT_ONCE)]
        yield f"create, {name}", partial(_create_all, new)
        yield f"claim, {name}", partial(_claim, "default", AT_ONCE, AT_ONCE)
        yield f"complete, {name}", _complete


def at_the_key() -> Iterator[Step]:
    """Executions start, wait and end at the crowded key, while an operator changes its numbers."""
    yield "create at the crowded key", partial(_create, "many", limits={"tenant": "t-7"})
    yield "claim of nothing", partial(_claim, "many", 1, 0)
    yield None, partial(_keep_running, "many")
    yield "end of a lease", lambda parts, kept: parts.engine.revoke_lease(kept["running"], reason="for a test")
    yield "claim of the next", partial(_claim, "many", 10, 1)
    yield "complete at the crowded key", _complete
    yield "raise the limit", lambda parts, _: parts.engine.set_limit("tenant", key="t-7", concurrency=700)
    yield "admit some", lambda parts, _: look_at(parts, CROWDED)
    yield "admit more", lambda parts, _: look_at(parts, CROWDED)
    yield "lower the limit", lambda parts, _: parts.engine.set_limit("tenant", key="t-7", concurrency=1)
    yield "claim of too many", partial(_claim, "many", 100, 1)
    yield None, partial(_keep_parked, "many")
    yield "change a priority", lambda parts, kept: parts.engine.change_priority(kept["parked"][0], 7)
    yield "cancel a parked one", lambda parts, kept: parts.engine.cancel_execution(kept["parked"][1], reason="enough")


def at_the_budget() -> Iterator[Step]:
    """The same at the crowded budget."""
    yield "create at the crowded budget", partial(_create, "broke", budgets={"team": {"usd": 10}})
    yield None, partial(_keep_running, "broke")
    yield (
        "cancel what has reserved",
        lambda parts, kept: parts.engine.cancel_execution(kept["running"], reason="enough"),
    )
    yield "claim on the budget", partial(_claim, "broke", 10, 1)
    yield "raise the budget", lambda parts, _: parts.engine.set_budget("team", limits={"usd": 9_000})
    yield "look at the budget", lambda parts, _: look_at(parts, BROKE)


def by_upkeep() -> Iterator[Step]:
    """What sweeps do."""
    lanes = [("default", "default"), ("default", "many")]
    yield "poll", lambda parts, _: parts.store.poll(lanes)
    yield "find gates to open", lambda parts, _: parts.store.openings(parts.store.now_ms, 500)
    yield "forget idle keys", lambda parts, _: Duties(parts.store, parts.commits).forget_idle_keys()
    yield "change all keys", lambda parts, _: parts.engine.set_limit("user", concurrency=2)
    yield "look at all keys", lambda parts, _: look_at(parts, ("default", "limits", "user", ""))
    yield "look at one key", lambda parts, _: look_at(parts, ("default", "limit", "user", "u"))


def looks() -> Iterator[Step]:
    """What people look at."""
    yield None, partial(_keep_parked, "many")
    yield None, partial(_create, "many", limits={"tenant": "t-7"}, priority=99)
    yield "list what is parked", lambda parts, _: parts.engine.list_executions(public_state="rate_limited", limit=10)
    yield "explain the first", lambda parts, kept: parts.engine.explain(kept["created"])
    yield "explain the last", lambda parts, kept: parts.engine.explain(kept["parked"][0])
    yield "list limits", lambda parts, _: parts.engine.list_limits(limit=10)
    yield "describe a limit", lambda parts, _: parts.engine.describe_limit("tenant", "t-7")
    yield "list budgets", lambda parts, _: parts.engine.list_budgets(limit=10)


STEPS: Final = (beside_them, at_the_key, at_the_budget, by_upkeep, looks)


def _create(lane: str, parts: Assembled, kept: Kept, **gates: Any) -> None:
    kept["created"] = parts.engine.create_execution("job", lane=lane, **gates).execution_id


def _create_all(new: list[NewExecution], parts: Assembled, kept: Kept) -> None:
    parts.engine.create_executions(new)


def _claim(lane: str, limit: int, expected: int, parts: Assembled, kept: Kept) -> None:
    kept["claimed"] = claim(parts.engine, lane, limit)
    assert len(kept["claimed"]) == expected


def _complete(parts: Assembled, kept: Kept) -> None:
    parts.engine.complete_all([(each.lease, b"") for each in kept["claimed"]])


def _keep_running(lane: str, parts: Assembled, kept: Kept) -> None:
    (running,) = parts.engine.list_executions(lane=lane, public_state="active").items
    kept["running"] = running.execution_id


def _keep_parked(lane: str, parts: Assembled, kept: Kept) -> None:
    found = parts.engine.list_executions(lane=lane, public_state="rate_limited", limit=10).items
    kept["parked"] = [each.execution_id for each in found]


def grown(few: Mapping[str, int], many: Mapping[str, int], most: float, plus: int) -> dict[str, tuple[int, int]]:
    """What takes more than so many times as much beside many as beside few, and so much more."""
    assert list(few) == list(many)
    return {name: (few[name], many[name]) for name in many if many[name] > few[name] * most + plus}
