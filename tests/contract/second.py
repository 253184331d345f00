"""What there is of `contract-2.pyi` so far. Whoever builds more of it adds its names here, and they are checked."""

from typing import Any, Final

VALUES: Final = [
    "Appended",
    "BudgetSet",
    "BudgetSnapshot",
    "Dropped",
    "DuplicateSignal",
    "FlowReplayed",
    "Frame",
    "LimitSet",
    "LimitSnapshot",
    "On",
    "Reserved",
    "Resumed",
    "SecretRotated",
    "Signal",
    "Signalled",
    "Spent",
    "StreamFrame",
    "StreamPage",
    "Summary",
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
    "BudgetExceeded",
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
    "append_frames",
    "read_stream",
    "follow_stream",
    "append_all",
    "patch_summary",
    "read_summary",
    "set_limit",
    "remove_limit",
    "pause_limit",
    "describe_limit",
    "list_limits",
    "set_budget",
    "describe_budget",
    "list_budgets",
    "list_spending",
    "reset_budget",
    "charge_budget",
    "reserve",
    "spend",
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
    "read_stream",
    "follow_stream",
    "read_summary",
    "describe_limit",
    "list_limits",
    "describe_budget",
    "list_budgets",
    "list_spending",
]
"""Those of them that change nothing, and so take no command id."""

GROWN: Final[dict[str, dict[str, Any]]] = {
    "Claimed": {"attempt_ends_at_ms": None},
    "Renewed": {"pause": False},
    "Replayed": {"steps_kept": 0},
    "ExecutionSnapshot": {"node": None, "waits": (), "parent_id": None, "gates": None, "created_by": None},
    "FlowSnapshot": {"created_by": None},
    "AttemptSnapshot": {"failure": None},
    "Failure": {"traceback": None},
    "LaneSnapshot": {"parked": 0},
    "WaitpointSnapshot": {"alias": None},
    "LimitSnapshot": {"paused_until_ms": None, "namespace": "default", "opens_at_ms": None, "running": ()},
    "BudgetSnapshot": {"namespace": "default", "period": None, "timezone": "UTC"},
    "StreamFrame": {"step_try": 1},
    "ExecutionPolicy": {"stream_max_frames": 10_000, "stream_max_bytes": 8 * 1024 * 1024},
}
"""Further fields of values of both contracts, in their order, with their defaults."""
