"""The after-states of the fast statements about flows, as column values: the rules decide them once, for a sample."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.counting import standing_of, standing_of_flow
from flowfabric.domain.flow import EdgeGroup
from flowfabric.domain.plain_members import FIRST_COMPLETED, FIRST_LEASED, FLOW_ENDED, LAST_COMPLETED, SUBMITTED
from flowfabric.stores._shared.encoding import (
    ATTEMPT_STATE_CODES,
    CHANNEL_CODES,
    ELIGIBILITY_CODES,
    OUTCOME_CODES,
    PHASE_CODES,
    PUBLIC_STATE_CODES,
)
from flowfabric.stores._shared.flows import FLOW_STATE_CODES, GROUP_STATE_CODES, join_columns


def _group_columns(group: EdgeGroup) -> dict[str, int | str]:
    return {
        "policy_kind": join_columns(group.join)[0],
        "total": group.total,
        "success_count": group.success_count,
        "fail_count": group.fail_count,
        "skip_count": group.skip_count,
        "state": GROUP_STATE_CODES[group.state],
    }


_BLOCKED: Final = SUBMITTED.second
_UNBLOCKED: Final = FIRST_COMPLETED.second
_OVER: Final = LAST_COMPLETED.flow
FLOW_STANDINGS: Final = {
    "blocked": standing_of(_BLOCKED),
    "unblocked": standing_of(_UNBLOCKED),
    "member_leased": standing_of(FIRST_LEASED.first),
    "member_completed": standing_of(FIRST_COMPLETED.first),
    "flow_submitted": standing_of_flow(SUBMITTED.flow),
    "flow_started": standing_of_flow(FIRST_LEASED.flow),
    "flow_completed_to_go": standing_of_flow(_OVER),
    "flow_completed_for_ever": standing_of_flow(replace(_OVER, retention_ms=None)),
}
"""How plain members and their flow are counted at each moment."""

FLOW_SAMPLES: Final[dict[str, dict[str, int | str]]] = {
    "blocked": {
        "lifecycle_phase": PHASE_CODES[_BLOCKED.lifecycle_phase],
        "eligibility_state": ELIGIBILITY_CODES[_BLOCKED.eligibility_state],
        "attempt_state": ATTEMPT_STATE_CODES[_BLOCKED.attempt_state],
        "terminal_outcome": OUTCOME_CODES[_BLOCKED.terminal_outcome],
        "public_state": PUBLIC_STATE_CODES[_BLOCKED.public_state],
        "standing": FLOW_STANDINGS["blocked"],
    },
    "unblocked": {
        "eligibility_state": ELIGIBILITY_CODES[_UNBLOCKED.eligibility_state],
        "public_state": PUBLIC_STATE_CODES[_UNBLOCKED.public_state],
        "standing": FLOW_STANDINGS["unblocked"],
    },
    "member_completed": {"standing": FLOW_STANDINGS["member_completed"]},
    "edge_pending": {
        "outcome": OUTCOME_CODES[SUBMITTED.edge.outcome],
        "generation": SUBMITTED.edge.generation,
    },
    "edge_resolved": {
        "outcome": OUTCOME_CODES[FIRST_COMPLETED.edge.outcome],
        "generation": FIRST_COMPLETED.edge.generation,
    },
    "group_pending": _group_columns(SUBMITTED.group),
    "group_satisfied": _group_columns(FIRST_COMPLETED.group),
    "flow_submitted": {
        "state": FLOW_STATE_CODES[SUBMITTED.flow.state],
        "graph_revision": SUBMITTED.flow.graph_revision,
        "lost_sinks": SUBMITTED.flow.lost_sinks,
        "event_seq": SUBMITTED.flow.event_seq,
        "standing": FLOW_STANDINGS["flow_submitted"],
    },
    "flow_started": {
        "state": FLOW_STATE_CODES[FIRST_LEASED.flow.state],
        "standing": FLOW_STANDINGS["flow_started"],
    },
    "flow_completed": {
        "state": FLOW_STATE_CODES[_OVER.state],
        "events": _OVER.event_seq - FIRST_LEASED.flow.event_seq,
        "channel": CHANNEL_CODES[FLOW_ENDED.channel],
        "event_type": f"'{FLOW_ENDED.event_type}'",
        "standing_to_go": FLOW_STANDINGS["flow_completed_to_go"],
        "standing_for_ever": FLOW_STANDINGS["flow_completed_for_ever"],
    },
}
"""By moment, the values that a statement compares or writes: states, counters, how far events move on, and how it is
counted."""
