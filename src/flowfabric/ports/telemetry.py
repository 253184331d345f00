"""What an engine, its upkeep and its workers report about themselves while they work.

Without a `Telemetry` nothing is reported: the code asks `if telemetry is not None` once for each batch, each step or
each sweep, and makes no object.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import EngineError
from flowfabric.domain.execution import DueKind
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import Outcome

WhyAgain = Literal["contention", "connection", "overtaken"]
"""Why a batch is tried again: others were faster, the connection was lost, or a lane was filled meanwhile."""


class CommittedBatch(NamedTuple):
    """A batch after its commit."""

    envelopes: Sequence[Envelope]
    answers: Sequence[Outcome | EngineError]
    """In the order of the commands. Claims that were taken along come last, and have no envelope."""
    changes: Changes | None
    """What the rules have changed. None: the store has answered every command by itself."""
    plain: Sequence[PlainStep]
    """What the store has done by itself."""
    now_ms: int
    """The store's time of the decision."""
    took_s: float
    """From the begin of the transaction to the answer of the store."""
    is_empty: bool
    """Whether nothing had to be written, so that there was no commit."""


class Slots(NamedTuple):
    """How many attempts a worker can run at once, and how many it runs."""

    total: int
    busy: int


class Telemetry(Protocol):
    """Takes what happens. Any thread may call it; no method waits, and none raises."""

    def committed(self, batch: CommittedBatch) -> None:
        """A batch is committed, or has changed nothing. This is called once for all its commands."""

    def waited(self, seconds: float) -> None:
        """The oldest command of a batch has waited so long for its turn."""

    def refused(self, codes: Iterable[str]) -> None:
        """Commands were refused, with these codes."""

    def tries_again(self, why: WhyAgain) -> None:
        """A batch has changed nothing yet, and is tried again."""

    def in_doubt(self) -> None:
        """The answer to a commit was lost, so that it is unknown for now whether the commit happened."""

    def handled_due(self, kind: DueKind, late_s: Sequence[float]) -> None:
        """Upkeep has handled due moments. `late_s`: how late it came for each."""

    def step_stored(self, namespace: str, lane: str, task: str, seconds: float) -> None:
        """A step has run for so long, and its result is stored."""

    def watching(self, slots: Callable[[], Slots]) -> AbstractContextManager[None]:
        """While the block lasts, a worker can be asked for its slots."""
