"""Schedules as column values, the same in every SQL store, and back."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.cron import Cron
from flowfabric.domain.cron import parsed as pattern
from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.intervals import Every
from flowfabric.domain.schedule import Definition, Schedule
from flowfabric.stores._shared.encoding import policy_of, policy_text, tags_of, tags_text
from flowfabric.stores._shared.gates import gates_of, gates_text

T = TypeVar("T")

SCHEDULE_COLUMNS: Final = (
    ("namespace", str),
    ("name", str),
    ("execution_kind", str),
    ("payload", bytes),
    ("fingerprint", bytes),
    ("cron", str),
    ("timezone", str),
    ("every_ms", int),
    ("anchor_ms", int),
    ("catch_up", str),
    ("lane_id", str),
    ("priority", int),
    ("deadline_after_ms", int),
    ("required_capabilities", str),
    ("policy", str),
    ("tags", str),
    ("gates", str),
    ("created_at_ms", int),
    ("changed_at_ms", int),
    ("seen_at_ms", int),
    ("settled_until_ms", int),
    ("last_slot_ms", int),
    ("paused_at_ms", int),
    ("pause_reason", str),
    ("event_seq", int),
    ("created_by", str),
)
"""The columns of ff_schedule, in the order of the row."""
FIRST_CHANGING_COLUMN: Final = 17
"""The columns before this one are the definition of the schedule."""

_TOKENS: Final = msgspec.json.Decoder(tuple[str, ...])


def schedule_row_of(schedule: Schedule) -> tuple[Any, ...]:
    """Every column of ff_schedule."""
    definition, timing = schedule.definition, schedule.definition.timing
    return (
        definition.namespace,
        definition.name,
        definition.kind,
        definition.payload,
        definition.fingerprint,
        timing.text if isinstance(timing, Cron) else None,
        timing.timezone if isinstance(timing, Cron) else None,
        timing.interval_ms if isinstance(timing, Every) else None,
        timing.anchor_ms if isinstance(timing, Every) else None,
        definition.catch_up,
        definition.lane,
        definition.priority,
        definition.deadline_after_ms,
        msgspec.json.encode(definition.required_capabilities).decode(),
        policy_text(definition.policy),
        tags_text(definition.tags),
        gates_text(definition.gates),
        schedule.created_at_ms,
        schedule.changed_at_ms,
        schedule.seen_at_ms,
        schedule.settled_until_ms,
        schedule.last_slot_ms,
        schedule.paused_at_ms,
        schedule.pause_reason,
        schedule.event_seq,
        schedule.created_by,
    )


def schedule_of(row: tuple[Any, ...]) -> Schedule:
    """The schedule that a row of ff_schedule spells."""
    stored = dict(zip((name for name, _ in SCHEDULE_COLUMNS), row, strict=True))

    def parsed(column: str, parse: Callable[[Any], T]) -> T:
        try:
            return parse(stored[column])
        except (msgspec.MsgspecError, InvalidInput) as error:
            raise Corruption(
                f"ff_schedule, key {stored['namespace']}, {stored['name']}: column {column} does not parse ({error}). "
                "Repair or delete the row: a worker that has the schedule's code writes it again when it starts."
            ) from error

    definition = Definition(
        stored["namespace"],
        stored["name"],
        stored["execution_kind"],
        stored["payload"],
        stored["fingerprint"],
        parsed("cron" if stored["every_ms"] is None else "every_ms", partial(_timing_of, stored)),
        parsed("catch_up", inputs.catch_up),
        stored["lane_id"],
        stored["priority"],
        stored["deadline_after_ms"],
        parsed("required_capabilities", _TOKENS.decode),
        parsed("policy", policy_of),
        parsed("tags", tags_of),
        parsed("gates", gates_of),
    )
    return Schedule(definition, *row[FIRST_CHANGING_COLUMN:])


def _timing_of(stored: Mapping[str, Any], _: object) -> Cron | Every:
    if stored["every_ms"] is not None:
        return inputs.interval(stored["every_ms"], stored["anchor_ms"])
    # This machine may lack a time zone that the machine of the schedule's worker knows.
    pattern(stored["cron"] or "")
    return Cron(stored["cron"], stored["timezone"] or "")
