"""A database in which executions wait."""

from typing import NamedTuple

from flowfabric import Condition, Lease, open_blocking_engine
from flowfabric.domain.waiting import OnTimeout
from tests.cli.running import Ended, ff_here


class Press(NamedTuple):
    """A database in which things wait."""

    url: str

    def suspended(
        self,
        condition: Condition | str = "editor",
        *,
        name: str = "editor",
        about: dict[str, object] | None = None,
        alias: str | None = None,
        timeout_ms: int | None = None,
        on_timeout: OnTimeout = "resume",
        reason: str = "waiting_for_signal",
    ) -> str:
        """An execution that waits."""
        with open_blocking_engine(self.url, reconcile=False) as engine:
            lease = self.leased()
            if about is not None:
                engine.create_waitpoint(lease, "editor", about=about, alias=alias)
            engine.suspend(lease, name, condition, timeout_ms=timeout_ms, on_timeout=on_timeout, reason=reason)
            return lease.execution_id

    def leased(self) -> Lease:
        """An execution that runs."""
        with open_blocking_engine(self.url, reconcile=False) as engine:
            engine.create_execution("publish", lane="press")
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["press"])
            return claimed.lease

    def ff(self, *arguments: str) -> Ended:
        return ff_here(*arguments, "--url", self.url)

    def state(self, execution_id: str) -> str:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            found = engine.describe_execution(execution_id)
            assert found is not None
            return found.public_state

    def signals(self, execution_id: str) -> list[tuple[str, str, bytes, str]]:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            return [(each.key, each.name, each.payload, each.source) for each in engine.list_signals(execution_id)]

    def tokens(self, execution_id: str) -> list[str]:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            return [engine.issue_token(execution_id, "editor", source=name).token for name in ("", "ann")]
