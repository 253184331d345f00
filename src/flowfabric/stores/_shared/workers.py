"""Workers as column values, the same in every SQL store, and back."""

from typing import Any, Final

import msgspec

from flowfabric.domain.errors import Corruption
from flowfabric.domain.workers import Worker

_TOKENS: Final = msgspec.json.Decoder(tuple[str, ...])


def worker_row_of(worker: Worker) -> tuple[Any, ...]:
    """Every column of ff_worker."""
    return (
        worker.namespace,
        worker.worker_instance_id,
        worker.worker_id,
        worker.host,
        worker.pid,
        msgspec.json.encode(worker.lanes).decode(),
        msgspec.json.encode(worker.capabilities).decode(),
        worker.version,
        worker.started_at_ms,
        worker.seen_at_ms,
        worker.alive_until_ms,
    )


def worker_of(row: tuple[Any, ...]) -> Worker:
    """The worker that a row of ff_worker spells."""
    namespace, instance, worker_id, host, pid, lanes, capabilities, version, started, seen, alive_until = row
    try:
        served, offered = _TOKENS.decode(lanes), _TOKENS.decode(capabilities)
    except msgspec.MsgspecError as error:
        raise Corruption(
            f"ff_worker, key {namespace}, {instance}: column lanes or capabilities does not parse ({error}). "
            "Delete the row: a living worker writes it again."
        ) from error
    return Worker(instance, worker_id, namespace, host, pid, served, offered, version, started, seen, alive_until)
