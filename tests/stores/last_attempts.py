"""Rows of one execution, with its last attempt where the rules write it.

A plain completion leaves the last attempt in the record. The rules write it as a row of ff_attempt.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from flowfabric.stores._shared.encoding import ATTEMPT_OUTCOME_CODES, PHASE_CODES

LEFT = ("worker_id", "worker_instance_id", "attempt_started_at_ms")
"""The columns of a record that hold its last attempt."""


def with_last_attempt_apart(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The rows by table, as the rules would have written them."""
    found = {table: [dict(row) for row in rows] for table, rows in tables.items()}
    for record in found["ff_exec_core"]:
        if record["lifecycle_phase"] == PHASE_CODES["terminal"] and record["attempt_started_at_ms"] is not None:
            left = {name: record.pop(name) for name in LEFT}
            record |= dict.fromkeys(LEFT)
            shared = ("partition_key", "execution_id", "attempt_index", "lease_epoch", "terminal_at_ms")
            found["ff_attempt"].append(
                {
                    **{name: record[name] for name in shared if name in record},
                    "worker_id": left["worker_id"],
                    "worker_instance_id": left["worker_instance_id"],
                    "started_at_ms": left["attempt_started_at_ms"],
                    "outcome": ATTEMPT_OUTCOME_CODES["success"],
                }
            )
    found["ff_attempt"].sort(key=lambda row: (str(row.get("execution_id")), row["attempt_index"]))
    return found
