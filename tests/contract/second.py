"""What there is of `contract-2.pyi` so far. Whoever builds more of it adds its names here, and they are checked."""

from typing import Any, Final

VALUES: Final = ["FlowReplayed"]
"""Classes of values."""

ERRORS: Final = ["FlowNotTerminal"]
"""Classes of refusals."""

METHODS: Final = ["get_payload", "replay_execution", "replay_flow"]
"""Methods of the engine. Their types are in `typed.py`."""

READS: Final = ["get_payload"]
"""Those of them that change nothing, and so take no command id."""

GROWN: Final[dict[str, dict[str, Any]]] = {
    "Claimed": {"attempt_ends_at_ms": None},
    "Replayed": {"steps_kept": 0},
    "ExecutionSnapshot": {"node": None},
    "AttemptSnapshot": {"failure": None},
    "Failure": {"traceback": None},
}
"""Further fields of values of the first contract, in their order, with their defaults."""
