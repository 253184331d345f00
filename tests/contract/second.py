"""What there is of `contract-2.pyi` so far. Whoever builds more of it adds its names here, and they are checked."""

from typing import Any, Final

VALUES: Final = [
    "DuplicateSignal",
    "FlowReplayed",
    "On",
    "Resumed",
    "SecretRotated",
    "Signal",
    "Signalled",
    "Suspended",
    "WaitOpened",
    "WaitOver",
    "WaitSnapshot",
    "Waitpoint",
    "WaitpointSnapshot",
]
"""Classes of values."""

ITEMS: Final = ["NewChild"]
"""Classes of values that the contract describes by other ones."""

CONDITIONS: Final = ["AtLeast", "Either", "Every", "OperatorOnly"]
"""Classes of conditions that are not built from their fields."""

ERRORS: Final = [
    "FlowNotTerminal",
    "InvalidToken",
    "NoWaiter",
    "NotSignalable",
    "SignalLimitExceeded",
    "WaitpointClosed",
]
"""Classes of refusals."""

METHODS: Final = [
    "get_payload",
    "replay_execution",
    "replay_flow",
    "acting_as",
    "create_waitpoint",
    "open_wait",
    "suspend",
    "create_children",
    "get_wait",
    "signal",
    "signal_by_token",
    "signal_alias",
    "resume_execution",
    "close_waitpoint",
    "list_waitpoints",
    "list_waiting",
    "list_signals",
    "issue_token",
    "rotate_waitpoint_secret",
    "list_waitpoint_kids",
]
"""Methods of the engine. Their types are in `typed.py`."""

READS: Final = [
    "get_payload",
    "acting_as",
    "get_wait",
    "list_waitpoints",
    "list_waiting",
    "list_signals",
    "list_waitpoint_kids",
]
"""Those of them that change nothing, and so take no command id."""

GROWN: Final[dict[str, dict[str, Any]]] = {
    "Claimed": {"attempt_ends_at_ms": None},
    "Replayed": {"steps_kept": 0},
    "ExecutionSnapshot": {"node": None, "waits": (), "parent_id": None},
    "AttemptSnapshot": {"failure": None},
    "Failure": {"traceback": None},
    "WaitpointSnapshot": {"alias": None},
}
"""Further fields of values of both contracts, in their order, with their defaults."""
