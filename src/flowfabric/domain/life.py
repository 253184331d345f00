"""The history of an execution, folded from its events one by one, and compared with its record.

This finds a change without its event, and an event without its change.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from flowfabric.domain.events import Event
from flowfabric.domain.execution import Execution
from flowfabric.domain.lease import ERA_STRIDE
from flowfabric.domain.states import Channel

Stage = Literal[
    "waiting",
    "held",
    "active",
    "suspended",
    "suspended and held",
    "completed",
    "failed",
    "cancelled",
    "expired",
    "skipped",
]
"""The state of an execution as its events show it. Waiting includes delayed: a delay ends without an event."""

_ENDED: Final[tuple[Stage, ...]] = ("completed", "failed", "cancelled", "expired", "skipped")
_LIVE: Final[tuple[Stage, ...]] = ("waiting", "held", "active", "suspended", "suspended and held")
_NOT_LEASED: Final[tuple[Stage, ...]] = ("waiting", "held", "suspended", "suspended and held")

STEPS: Final[dict[tuple[Channel, str], dict[Stage, Stage]]] = {
    ("lease", "acquired"): {"waiting": "active"},
    ("lease", "released"): {"active": "waiting"},
    ("lease", "revoked"): {"active": "waiting"},
    ("lease", "expired"): {"active": "waiting"},
    # The time of a wait may be over while nobody runs the execution. Then a retry is counted all the same.
    ("lease", "retry_scheduled"): {
        "active": "waiting",
        "waiting": "waiting",
        "held": "held",
        "suspended": "waiting",
        "suspended and held": "held",
    },
    ("lease", "suspended"): {"active": "suspended"},
    ("completion", "completed"): {"active": "completed"},
    ("completion", "failed"): dict.fromkeys(_LIVE, "failed"),
    ("completion", "expired"): dict.fromkeys(_LIVE, "expired"),
    ("completion", "cancelled"): dict.fromkeys(_NOT_LEASED, "cancelled"),
    ("completion", "skipped"): {"waiting": "skipped", "held": "skipped"},
    ("operator", "priority_changed"): {stage: stage for stage in _NOT_LEASED if stage != "held"},
    ("operator", "held"): {"waiting": "held", "suspended": "suspended and held"},
    ("operator", "unheld"): {"held": "waiting", "suspended and held": "suspended"},
    ("operator", "escalated"): {stage: stage for stage in _LIVE},
    ("operator", "waitpoint_closed"): {stage: stage for stage in _LIVE},
    ("operator", "replayed"): dict.fromkeys(_ENDED, "waiting"),
    ("signal", "delivered"): {stage: stage for stage in _LIVE},
    ("signal", "resumed"): {
        "waiting": "waiting",
        "held": "held",
        "active": "active",
        "suspended": "waiting",
        "suspended and held": "held",
    },
}
"""The closed state machine: which event may happen in which state, and to which state it leads."""

_BY_TIMEOUT: Final = ("attempt_timeout", "wait_timeout")
"""The failure codes of attempts that the clock has ended."""


class Life(msgspec.Struct):
    """The history of an execution, folded from its events."""

    stage: Stage = "waiting"
    seq: int = 0
    epoch: int = 0
    epoch_max: int = 0
    """The highest possible epoch. A timed-out attempt raises the epoch, but a worker that reports its own failure with
    the same code does not. The log shows no difference, so up to the next claim only bounds are known."""
    attempt_index: int = 0
    retry_count: int = 0
    replay_count: int = 0
    priority: int | None = None
    worker_instance_id: str | None = None
    started_at_ms: int | None = None
    ended_at_ms: int | None = None
    failure_code: str | None = None
    cancellation: tuple[object, object] | None = None
    just_lost_its_lease: bool = False


def life_of(x: Execution) -> Life:
    """The life that a record says the execution has had."""
    return Life(
        stage=_stage_of(x),
        seq=x.event_seq,
        epoch=x.lease_epoch,
        epoch_max=x.lease_epoch,
        attempt_index=x.attempt_index,
        retry_count=x.retry_count,
        replay_count=x.replay_count,
        priority=x.priority,
        worker_instance_id=x.worker_instance_id,
        started_at_ms=x.started_at_ms,
        ended_at_ms=x.terminal_at_ms,
        failure_code=x.failure_code if x.terminal_outcome == "failed" else None,
        cancellation=(x.cancellation_reason, x.cancelled_by) if x.terminal_outcome == "cancelled" else None,
    )


def _stage_of(x: Execution) -> Stage:
    if x.lifecycle_phase == "active":
        return "active"
    for stage in _ENDED:
        if x.public_state == stage:
            return stage
    if x.lifecycle_phase == "suspended":
        return "suspended and held" if x.inbox is not None and x.inbox.held else "suspended"
    return "held" if x.eligibility_state == "blocked_by_operator" else "waiting"


def log_leads_to_the_record(life: Life, happened: Iterable[Event], x: Execution) -> Iterator[str]:
    """The event numbers have no gap, each event is legal where it happens, and together they lead to the record."""
    for event in happened:
        yield from _step(life, event)
    yield from _same_as_the_record(life, x)


def _step(life: Life, event: Event) -> Iterator[str]:
    where = f"{event.execution_id}, event {event.seq} ({event.channel} {event.event_type})"
    if event.seq != life.seq + 1:
        yield f"{where} follows event {life.seq}"
    life.seq = event.seq
    step = STEPS.get((event.channel, event.event_type))
    if step is None:
        yield f"{where} is not in the state machine"
        return
    if life.stage not in step:
        yield f"{where} happened while {life.stage}"
    stage = step.get(life.stage, next(iter(step.values())))
    if event.event_type in ("failed", "retry_scheduled") and life.stage != "active":
        is_lost = life.just_lost_its_lease and event.event_type == "failed"
        if not is_lost and event.details.get("code") != "wait_timeout":
            yield f"{where} happened to an execution that was not running"
    yield from _count(life, event, where)
    life.just_lost_its_lease = event.channel == "lease" and event.event_type in ("revoked", "expired")
    if stage != "active":
        life.worker_instance_id = None
    if stage in _ENDED:
        life.ended_at_ms = event.occurred_at_ms
    life.stage = stage


def _count(life: Life, event: Event, where: str) -> Iterator[str]:
    details = event.details
    match event.channel, event.event_type:
        case "lease", "acquired":
            yield from _acquire(life, event, where)
        case "lease", "released":
            life.epoch_max += life.stage == "active" and details.get("code") in _BY_TIMEOUT
        case "lease", "revoked" | "expired":
            life.epoch += 1
            life.epoch_max += 1
        case "lease", "retry_scheduled":
            if details.get("next_attempt_index") != life.attempt_index + 1:
                yield f"{where} promises attempt {details.get('next_attempt_index')} after {life.attempt_index}"
            life.retry_count += 1
            life.epoch_max += life.stage == "active" and details.get("code") in _BY_TIMEOUT
        case "completion", "failed":
            life.failure_code = str(details.get("code"))
            life.epoch_max += life.stage == "active" and details.get("code") in _BY_TIMEOUT
        case "completion", "expired":
            life.epoch += life.stage == "active"
            life.epoch_max += life.stage == "active"
        case "completion", "cancelled":
            life.cancellation = (details.get("reason"), details.get("source"))
        case "operator", "priority_changed":
            if life.priority is not None and details.get("old_priority") != life.priority:
                yield f"{where} says the priority was {details.get('old_priority')}, not {life.priority}"
            new = details.get("new_priority")
            life.priority = new if isinstance(new, int) else None
        case "operator", "replayed":
            if details.get("previous_attempt") != life.attempt_index:
                yield f"{where} names attempt {details.get('previous_attempt')}, not {life.attempt_index}"
            life.epoch += 1
            life.epoch_max += 1
            life.retry_count = 0
            life.replay_count += 1
            life.ended_at_ms = life.failure_code = life.cancellation = None
        case _:
            return


def _acquire(life: Life, event: Event, where: str) -> Iterator[str]:
    details = event.details
    epoch, index, claim_type = details.get("lease_epoch"), details.get("attempt_index"), details.get("claim_type")
    jumped = isinstance(epoch, int) and epoch >= life.epoch + ERA_STRIDE
    if not isinstance(epoch, int) or not (life.epoch + 1 <= epoch <= life.epoch_max + 1 or jumped):
        yield f"{where} is under epoch {epoch} after {life.epoch} to {life.epoch_max}"
    if index != (life.attempt_index if claim_type in ("first", "replay", "resume") else life.attempt_index + 1):
        yield f"{where} is attempt {index}, a {claim_type} after attempt {life.attempt_index}"
    if (claim_type == "first") != (life.started_at_ms is None and life.replay_count == 0):
        yield f"{where} is a {claim_type}, and the execution had {life.attempt_index} attempts before"
    life.epoch = life.epoch_max = epoch if isinstance(epoch, int) else life.epoch
    life.attempt_index = index if isinstance(index, int) else life.attempt_index
    life.worker_instance_id = str(details.get("worker_instance_id"))
    life.started_at_ms = event.occurred_at_ms if life.started_at_ms is None else life.started_at_ms


def _same_as_the_record(life: Life, x: Execution) -> Iterator[str]:
    compared: list[tuple[str, object, object]] = [
        ("stage", life.stage, _stage_of(x)),
        ("event_seq", life.seq, x.event_seq),
        ("attempt_index", life.attempt_index, x.attempt_index),
        ("retry_count", life.retry_count, x.retry_count),
        ("replay_count", life.replay_count, x.replay_count),
        ("worker_instance_id", life.worker_instance_id, x.worker_instance_id),
        ("started_at_ms", life.started_at_ms, x.started_at_ms),
        ("terminal_at_ms", life.ended_at_ms, x.terminal_at_ms),
    ]
    if life.priority is not None:
        compared.append(("priority", life.priority, x.priority))
    if life.failure_code is not None:
        compared.append(("failure_code", life.failure_code, x.failure_code))
    if life.cancellation is not None:
        compared.append(("cancellation", life.cancellation, (x.cancellation_reason, x.cancelled_by)))
    for field, by_log, by_record in compared:
        if by_log != by_record:
            yield f"{x.execution_id}: by its events {field} is {by_log}, by its record {by_record}"
    if not life.epoch <= x.lease_epoch <= life.epoch_max:
        yield f"{x.execution_id}: by its events the epoch is {life.epoch}, by its record {x.lease_epoch}"


def lease_epochs_ascend(happened: Iterable[Event]) -> Iterator[str]:
    """No two leases of an execution ever share an epoch."""
    last = 0
    for event in happened:
        if (event.channel, event.event_type) == ("lease", "acquired"):
            epoch = event.details.get("lease_epoch")
            if not isinstance(epoch, int) or epoch <= last:
                yield f"{event.execution_id} was leased under epoch {epoch} after {last}"
            else:
                last = epoch


def one_ending_per_generation(happened: Iterable[Event]) -> Iterator[str]:
    """After an end, only a replay may happen."""
    ended = False
    for event in happened:
        if ended and event.event_type != "replayed":
            yield f"{event.execution_id}: {event.channel} {event.event_type} happened after the end"
        ended = event.channel == "completion"
