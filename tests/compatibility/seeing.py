"""Everything that an engine shows of its store, as plain values that fit into a JSON file."""

from functools import partial
from typing import Any

import msgspec

from flowfabric import BlockingEngine

SPENT_BY = ("execution", "flow", "kind", "day")


def seen_through(engine: BlockingEngine) -> dict[str, Any]:
    """Every execution with its attempts, steps, waits, stream and result, every flow with its edges, and the rest."""
    executions = {each.execution_id: each for each in _listed(engine.list_executions)}
    flows = {each.flow_id: engine.describe_flow(each.flow_id) for each in _listed(engine.list_flows)}
    seen = {
        "executions": {
            key: {
                "described": engine.describe_execution(key),
                "attempts": engine.list_attempts(key),
                "steps": engine.list_steps(key),
                "result": engine.get_result(key),
                "waitpoints": engine.list_waitpoints(key),
                "signals": engine.list_signals(key),
                "waits": {
                    step.name: engine.get_wait(key, step.name) for step in engine.list_steps(key) if step.is_wait
                },
                "children": _listed(partial(engine.list_children, key)),
                "stream": engine.read_stream(key, limit=1000).frames,
                "all frames": engine.read_stream(key, limit=1000, view="all").frames,
                "summary": engine.read_summary(key),
            }
            for key in executions
        },
        "flows": {key: {"described": flow, "edges": engine.list_edges(key)} for key, flow in flows.items()},
        "events": events_through(engine),
        "workers": engine.list_workers(),
        "schedules": engine.list_schedules(),
        "lanes": engine.list_lanes(),
        "waiting": [each.execution_id for each in _listed(engine.list_waiting)],
        "kids": engine.list_waitpoint_kids(),
        "limits": _listed(engine.list_limits),
        "budgets": _listed(engine.list_budgets),
        "spending": {
            budget.name: {by: _listed(partial(engine.list_spending, budget.name, by=by)) for by in SPENT_BY}
            for budget in _listed(engine.list_budgets)
        },
    }
    return msgspec.json.decode(msgspec.json.encode(seen))


def events_through(engine: BlockingEngine, cursor: str | None = None) -> list[Any]:
    """The log from a cursor on, page by page."""
    found: list[Any] = []
    while True:
        page = engine.read_events(cursor=cursor, limit=50)
        if not page.events:
            return found
        found += page.events
        cursor = page.next_cursor


def _listed(listing: Any) -> list[Any]:
    found: list[Any] = []
    cursor: str | None = None
    while True:
        page = listing(cursor=cursor, limit=50)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


def first_difference(recorded: Any, seen: Any, where: str = "") -> str | None:
    """Where what is seen lacks something that was recorded; what a later release shows in addition is no difference."""
    if isinstance(recorded, dict) and isinstance(seen, dict):
        for key, value in recorded.items():
            if key not in seen:
                return f"{where}/{key} is missing"
            if difference := first_difference(value, seen[key], f"{where}/{key}"):
                return difference
        return None
    if isinstance(recorded, list) and isinstance(seen, list) and len(recorded) == len(seen):
        differences = (
            first_difference(one, other, f"{where}/{index}")
            for index, (one, other) in enumerate(zip(recorded, seen, strict=True))
        )
        return next(filter(None, differences), None)
    return None if recorded == seen else f"{where} was {recorded!r} and is {seen!r}"
