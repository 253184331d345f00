"""Schedules as column values, the same in every SQL store, and back."""

from typing import Any, Final

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.cron import Cron
from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.schedule import Definition, Every, Schedule
from flowfabric.stores._shared.encoding import policy_of, policy_text, tags_of, tags_text

SCHEDULE_COLUMNS: Final = (
    ("namespace", str),
    ("name", str),
    ("execution_kind", str),
    ("payload", bytes),
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
    ("created_at_ms", int),
    ("changed_at_ms", int),
    ("seen_at_ms", int),
    ("settled_until_ms", int),
    ("last_slot_ms", int),
    ("paused_at_ms", int),
    ("pause_reason", str),
    ("event_seq", int),
)
"""The columns of ff_schedule, in the order of the row."""

_TOKENS: Final = msgspec.json.Decoder(tuple[str, ...])


def schedule_row_of(schedule: Schedule) -> tuple[Any, ...]:
    """Every column of ff_schedule."""
    definition, timing = schedule.definition, schedule.definition.timing
    return (
        definition.namespace,
        definition.name,
        definition.kind,
        definition.payload,
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
        schedule.created_at_ms,
        schedule.changed_at_ms,
        schedule.seen_at_ms,
        schedule.settled_until_ms,
        schedule.last_slot_ms,
        schedule.paused_at_ms,
        schedule.pause_reason,
        schedule.event_seq,
    )


def schedule_of(row: tuple[Any, ...]) -> Schedule:
    """The schedule that a row of ff_schedule spells."""
    namespace, name, kind, payload, cron, timezone, every_ms, anchor_ms, catch_up, lane, priority, deadline = row[:12]
    try:
        definition = Definition(
            namespace,
            name,
            kind,
            payload,
            inputs.timing(cron, timezone, every_ms, anchor_ms),
            inputs.catch_up(catch_up),
            lane,
            priority,
            deadline,
            _TOKENS.decode(row[12]),
            policy_of(row[13]),
            tags_of(row[14]),
        )
    except (msgspec.MsgspecError, InvalidInput) as error:
        raise Corruption(
            f"ff_schedule, key {namespace}, {name}: the row does not parse ({error}). Repair or delete it: a worker "
            "that has the schedule's code and starts writes it again."
        ) from error
    return Schedule(definition, *row[15:])
