"""Effects in the outside world, as a file that takes part in fencing.

It stands for a payment provider: for each execution it remembers the highest fencing token that it has seen, and
refuses lower ones. So a worker whose lease has passed to another worker can have no effect.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec


class Effect(msgspec.Struct, frozen=True):
    """One attempt to have an effect, accepted or refused."""

    execution_id: str
    token: int
    worker: str
    accepted: bool


class Ledger:
    """All effects that were tried, in order. Several processes may write to it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, execution_id: str, *, token: int, worker: str) -> bool:
        """Record the effect of an execution. False: the ledger has seen a higher token, so there is no effect."""
        with self._alone():
            accepted = all(effect.token <= token for effect in self.effects() if effect.execution_id == execution_id)
            line = msgspec.json.encode(Effect(execution_id, token, worker, accepted))
            with self._path.open("ab") as file:
                file.write(line + b"\n")
                file.flush()
                os.fsync(file.fileno())
        return accepted

    def effects(self) -> list[Effect]:
        """All effects that were tried so far."""
        if not self._path.exists():
            return []
        return msgspec.json.decode(b"[" + b",".join(self._path.read_bytes().splitlines()) + b"]", type=list[Effect])

    @contextmanager
    def _alone(self) -> Iterator[None]:
        file = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)
