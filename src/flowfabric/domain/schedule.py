"""Schedules make executions by the clock. This file says which slots are due, and what a slot becomes.

A slot is an instant at which a schedule fires. It is missed if no process fires it within a minute. The schedule's
catch-up policy decides about missed slots. Every other slot fires under every policy.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Final, Literal, get_args

import msgspec
from msgspec.structs import replace

from flowfabric.domain.cron import Cron
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.intervals import Every
from flowfabric.domain.policies import ExecutionPolicy

CatchUp = Literal["skip", "last", "all"]
"""Which missed slots fire: none of them, the newest one, or each."""
CATCH_UPS: Final[tuple[CatchUp, ...]] = get_args(CatchUp)

GRACE_MS: Final = 60_000
"""A slot that no process has fired within this time is missed."""
POLL_MS: Final = 60_000
"""A process that has a schedule's code polls the schedule at least this often."""
ORPHANED_MS: Final = 150_000
"""If no process has polled a schedule for this long, its code counts as gone."""
UNSEEN_MS: Final = 30_000
"""A poll that follows another one sooner than this is not written, so that many workers cost no more than a few."""
SLOTS_MAX: Final = 100
"""How many slots one command fires at most. The next command fires the rest."""
SLOTS_BYTES_MAX: Final = 16 * 1024 * 1024
"""How many bytes the payloads of one command have together at most, unless a single payload has more."""
INTERVAL_MS_MIN: Final = 1_000

NAME_TAG: Final = "schedule.name"
SLOT_TAG: Final = "schedule.slot"
OWN_TAGS: Final = 2

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Definition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A schedule as its code states it: when it fires, and what it makes then."""

    namespace: str
    name: str
    kind: str
    payload: bytes
    fingerprint: bytes
    """Compared instead of the payload, if the same payload is written differently each time. Empty: the payload is."""
    timing: Cron | Every
    catch_up: CatchUp
    lane: str
    priority: int
    deadline_after_ms: int | None
    """Counted from the moment at which a slot fires."""
    required_capabilities: tuple[str, ...]
    policy: ExecutionPolicy
    tags: Mapping[str, str]
    gates: Gates | None = None
    """The limits, the budgets and the fair key of its executions. A default that is omitted: without gates, the
    fingerprint of a request is the same in all releases."""

    def means_the_same_as(self, other: "Definition") -> bool:
        """Whether both make the same executions at the same slots."""
        return self == (replace(other, payload=self.payload) if self.fingerprint else other)


class Schedule(msgspec.Struct, frozen=True):
    """A schedule as it is stored."""

    definition: Definition
    created_at_ms: int
    changed_at_ms: int
    """When this definition replaced another one."""
    seen_at_ms: int
    """When a process that has its code last polled it."""
    settled_until_ms: int
    """Every slot up to this instant has fired or was skipped. It never goes back, so no slot fires twice."""
    last_slot_ms: int | None = None
    """The last slot that fired."""
    paused_at_ms: int | None = None
    pause_reason: str | None = None
    event_seq: int = 0
    created_by: str | None = None
    """The person on whose behalf this definition was declared. Its executions are made on behalf of the same person."""

    def is_orphaned(self, now_ms: int) -> bool:
        """Whether no live process has its code. Then nothing fires it."""
        return self.seen_at_ms + ORPHANED_MS <= now_ms

    def next_slot_ms(self, now_ms: int) -> int | None:
        """The first slot that is not settled. For a paused schedule: the first slot that is not past.

        None: there is none before the calendar ends, or its time zone is not known on this machine.
        """
        settled_ms = self.settled_until_ms
        if self.paused_at_ms is not None:
            settled_ms = max(settled_ms, now_ms)
        try:
            return self.definition.timing.next_after(settled_ms)
        except InvalidInput:
            return None


def slots_to_fire(schedule: Schedule, now_ms: int) -> tuple[list[int], int]:
    """The slots that fire now, in order, and the instant up to which all slots are settled. A pause skips all slots."""
    timing, catch_up = schedule.definition.timing, schedule.definition.catch_up
    settled_ms = schedule.settled_until_ms
    if schedule.paused_at_ms is not None:
        return [], max(settled_ms, now_ms)
    slots: list[int] = []
    missed_until_ms = now_ms - GRACE_MS
    if catch_up != "all" and missed_until_ms > settled_ms:
        newest = timing.latest(settled_ms, missed_until_ms) if catch_up == "last" else None
        if newest is not None:
            slots.append(newest)
        settled_ms = missed_until_ms
    slots_max = min(SLOTS_MAX, max(1, SLOTS_BYTES_MAX // max(1, len(schedule.definition.payload))))
    while len(slots) < slots_max:
        slot = timing.next_after(settled_ms)
        if slot is None or slot > now_ms:
            return slots, max(settled_ms, now_ms)
        slots.append(slot)
        settled_ms = slot
    return slots, settled_ms


def execution_id_of(schedule: Schedule, slot_ms: int) -> ExecutionId:
    """The id of the execution that a slot becomes. It is a function of the slot, so that it is the same everywhere."""
    definition = schedule.definition
    of = f"{definition.namespace}\0{definition.name}\0{schedule.created_at_ms}\0{slot_ms}"
    chance = int.from_bytes(blake2b(of.encode(), digest_size=10).digest(), "big")
    # A uuid of version 7: the instant, the version, twelve bits, the variant, 62 bits.
    number = (slot_ms % 2**48) << 80 | 7 << 76 | (chance >> 64) % 2**12 << 64 | 2 << 62 | chance % 2**62
    return make_execution_id(lane_partition(definition.lane), uuid_from_hex(f"{number:032x}"))


def tags_of(definition: Definition, slot_ms: int) -> Mapping[str, str]:
    """The tags of the execution that a slot becomes: those of the definition, and those that name schedule and slot."""
    return {**definition.tags, NAME_TAG: definition.name, SLOT_TAG: slot_text(slot_ms)}


def slot_text(slot_ms: int) -> str:
    """A slot as its tag spells it: `2026-11-15T03:00:00.000Z`."""
    at = _EPOCH + timedelta(milliseconds=slot_ms)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def slot_in(tags: Mapping[str, str]) -> datetime | None:
    """The slot that the tags name, if they name one."""
    text = tags.get(SLOT_TAG)
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:  # anyone may set a tag
        return None
    return at if at.tzinfo is not None else None
