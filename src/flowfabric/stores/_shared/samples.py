"""The after-states of the fast statements, as column values: the rules decide them once, for a sample execution."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.counting import standing_of
from flowfabric.domain.execution import due_of, gate_rows_of
from flowfabric.domain.plain import (
    COMPLETED,
    CREATED,
    CREATED_AT_LIMIT,
    LEASED,
    LEASED_AT_LIMIT,
    PARKED_AT_LIMIT,
    Transition,
)
from flowfabric.stores._shared.encoding import (
    ATTEMPT_OUTCOME_CODES,
    ATTEMPT_STATE_CODES,
    CHANNEL_CODES,
    DUE_KIND_CODES,
    ELIGIBILITY_CODES,
    OUTCOME_CODES,
    PHASE_CODES,
    PUBLIC_STATE_CODES,
)
from flowfabric.stores._shared.flow_samples import FLOW_SAMPLES
from flowfabric.stores._shared.gates import GATE_STATE_CODES


def _columns_of(step: Transition) -> Mapping[str, int | str]:
    x = step.after
    before_epoch, before_seq = (0, 0) if step.before is None else (step.before.lease_epoch, step.before.event_seq)
    columns: dict[str, int | str] = {
        "lifecycle_phase": PHASE_CODES[x.lifecycle_phase],
        "eligibility_state": ELIGIBILITY_CODES[x.eligibility_state],
        "attempt_state": ATTEMPT_STATE_CODES[x.attempt_state],
        "terminal_outcome": OUTCOME_CODES[x.terminal_outcome],
        "public_state": PUBLIC_STATE_CODES[x.public_state],
        "attempt_index": x.attempt_index,
        "lease_epoch": x.lease_epoch,
        "retry_count": x.retry_count,
        "interruption_count": x.interruption_count,
        "replay_count": x.replay_count,
        "event_seq": x.event_seq,
        "epochs": x.lease_epoch - before_epoch,
        "events": x.event_seq - before_seq,
    }
    if (due := due_of(x)) is not None:
        columns["due_kind"] = DUE_KIND_CODES[due.kind]
    if step.event is not None:
        columns |= {"channel": CHANNEL_CODES[step.event.channel], "event_type": f"'{step.event.event_type}'"}
    if step.attempt is not None and step.attempt.outcome is not None:
        columns["attempt_outcome"] = ATTEMPT_OUTCOME_CODES[step.attempt.outcome]
    return columns


_FOR_EVER: Final = replace(COMPLETED.after, policy=replace(COMPLETED.after.policy, retention_ms=None))
STANDINGS: Final = {
    "created": standing_of(CREATED.after),
    "leased": standing_of(LEASED.after),
    "completed_to_go": standing_of(COMPLETED.after),
    "completed_for_ever": standing_of(_FOR_EVER),
}
"""How a plain execution is counted after each step."""


def _gate_state(step: Transition) -> int:
    (at_limit,) = gate_rows_of(step.after)
    return GATE_STATE_CODES[at_limit.state]


SAMPLES: Final = {
    **FLOW_SAMPLES,
    "created": {
        **_columns_of(CREATED),
        "standing": STANDINGS["created"],
        "gate_state": _gate_state(CREATED_AT_LIMIT),
    },
    "leased": {
        **_columns_of(LEASED),
        "standing": STANDINGS["leased"],
        "gate_state": _gate_state(LEASED_AT_LIMIT),
    },
    "parked": {
        **_columns_of(PARKED_AT_LIMIT),
        "standing": standing_of(PARKED_AT_LIMIT.after),
        "gate_state": _gate_state(PARKED_AT_LIMIT),
    },
    "completed": {
        **_columns_of(COMPLETED),
        "standing_to_go": STANDINGS["completed_to_go"],
        "standing_for_ever": STANDINGS["completed_for_ever"],
    },
}
"""By step, the values that a statement writes: states, counters, how far epoch and events move on, the next due, and
how it stands at its limits. A standing says how it is counted."""
