"""Every verb at once, from several processes, on the same few executions."""

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flowfabric import Event, NewExecution, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.processes import FINISH_S_MAX, running
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

ROLES = ("everything", "everything", "worker", "worker")
EXECUTIONS = 200


def test_everything_races_and_callers_meet_only_the_refusals_they_know(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    with open_blocking_engine(url, reconcile=False) as engine:
        created = engine.create_executions([NewExecution(kind="kind")] * EXECUTIONS)
    ids = tmp_path / "ids"
    ids.write_text(json.dumps([each.execution_id for each in created]))

    with ExitStack() as stack:
        racers = [
            stack.enter_context(running("race", url, ids, SIZES.race_s, f"racer-{number}", role, folder=tmp_path))
            for number, role in enumerate(ROLES)
        ]
        for racer in racers:
            assert racer.line() == "ready"
        for racer in racers:
            racer.tell("go")
        reports = [racer.report(within_s=SIZES.race_s + FINISH_S_MAX) for racer in racers]

    assert [report["surprises"] for report in reports] == [[]] * len(ROLES)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    acknowledged = {
        verb: [_as_key(effect) for report in reports for effect in report["effects"][verb]]
        for verb in reports[0]["effects"]
    }
    assert_each_effect_happened_once(happened, acknowledged)
    told: Counter[str] = sum((Counter(report["answers"]) for report in reports), Counter())
    deadlocks = server.deadlocks(database)
    assert deadlocks == 0, "rows were not locked in the one order"
    figures(
        seconds=SIZES.race_s,
        commands=sum(told.values()),
        outcomes=sum(event.channel == "completion" for event in _all(happened)),
        expiries=sum(event.event_type == "expired" for event in _all(happened)),
        surprises=0,
        deadlocks=deadlocks,
    )
    # Each verb won some of the races, or it took no part.
    for answer in (
        "complete: Completed",
        "cancel: Cancelled",
        "revoke: Revoked",
        "hold: Held",
        "unhold: Unheld",
        "change_priority: PriorityChanged",
        "replay: Replayed",
        "complete: stale_lease",
        "complete: execution_not_active",
    ):
        assert told[answer] > 0, told
    assert any(event.event_type == "expired" for event in _all(happened))


def assert_each_effect_happened_once(
    happened: dict[str, list[Event]], acknowledged: dict[str, list[tuple[Any, ...]]]
) -> None:
    """What callers were told is what happened: nothing is missing, nothing came twice, nothing came of itself."""
    events: dict[str, list[tuple[Any, ...]]] = {verb: [] for verb in acknowledged}
    for event in _all(happened):
        key, details = event.execution_id, event.details
        match event.channel, event.event_type:
            case "lease", "acquired":
                events["acquired"].append((key, details["lease_epoch"]))
            case "completion", "completed":
                events["completed"].append((key,))
            case "completion", "cancelled":
                events["cancelled"].append((key, details["reason"]))
            case "lease", "revoked":
                events["revoked"].append((key, details["reason"]))
            case "operator", "held":
                events["held"].append((key, details["reason"]))
            case "operator", "priority_changed":
                events["priority"].append((key, details["old_priority"], details["new_priority"]))
            case "operator", "replayed":
                events["replayed"].append((key,))
    for verb in ("acquired", "completed", "priority", "replayed"):
        assert Counter(events[verb]) == Counter(acknowledged[verb]), verb
    # A cancel takes the lease away too, and says so under its own reason.
    revoked = Counter(events["revoked"])
    assert revoked - Counter(events["cancelled"]) == Counter(acknowledged["revoked"])
    # Cancelling what is cancelled, and holding what is held, is answered the same and has no effect.
    for verb in ("cancelled", "held"):
        assert max(Counter(events[verb]).values()) == 1
        assert set(events[verb]) <= set(acknowledged[verb])


def _as_key(effect: Any) -> tuple[Any, ...]:
    return tuple(effect) if isinstance(effect, list) else (effect,)


def _all(happened: dict[str, list[Event]]) -> Iterable[Event]:
    return (event for events in happened.values() for event in events)
