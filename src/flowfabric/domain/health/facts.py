"""The facts that are collected of a database and its workers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from flowfabric.domain.execution import DueKind
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import Kept
from flowfabric.domain.workers import Worker

FAILED_MS: Final = 86_400_000
"""What has failed longer ago is old news."""


class Schema(msgspec.Struct, frozen=True):
    """Which migrations a database has seen."""

    found: int
    """The newest one; 0: none."""
    known: int
    """The newest one of this version of the code."""
    refusal: str | None = None
    """Why this version must not touch it."""

    @property
    def is_current(self) -> bool:
        """Whether this version can use its tables; newer ones may allow that."""
        return self.found >= self.known and self.refusal is None


class Clocks(msgspec.Struct, frozen=True):
    """What time it is, by whom."""

    machine_ms: int
    store_ms: int
    round_trip_ms: float
    """How long the store took to answer, which is how much the comparison may be off."""
    newest_record_ms: int = 0
    """When the newest thing in the store was written, by the store's clock of then."""
    behind_ms: int = 0
    """By how much the machine's clock is behind the store's time, which goes on without it; 0: it is followed."""


class HeldLeases(msgspec.Struct, frozen=True):
    """What one worker holds."""

    namespace: str
    worker_instance_id: str
    count: int
    first_expiry_ms: int
    last_expiry_ms: int
    ids: Sequence[str] = ()
    """The uuids of the first and the last execution."""


class HeldWork(msgspec.Struct, frozen=True):
    """What operators keep from being claimed."""

    namespace: str
    count: int
    since_ms: int | None
    """Since when the first one is held, if its events tell."""
    ids: Sequence[str] = ()
    """The uuids of the first and the last one."""


class Failures(msgspec.Struct, frozen=True):
    """How much has failed within FAILED_MS."""

    namespace: str
    executions: int
    flows: int


class Queue(msgspec.Struct, frozen=True):
    """What waits in one lane for workers with the same capabilities."""

    namespace: str
    lane: str
    required_capabilities: tuple[str, ...]
    count: int
    oldest_ms: int


class Overdue(msgspec.Struct, frozen=True):
    """What upkeep should have handled by now."""

    kind: DueKind | Literal["acknowledgement"]
    count: int
    oldest_ms: int


class Work(msgspec.Struct, frozen=True):
    """What there is to do, and who is there to do it."""

    workers: Sequence[Worker] = ()
    leases: Sequence[HeldLeases] = ()
    queues: Sequence[Queue] = ()
    overdue: Sequence[Overdue] = ()
    schedules: Sequence[Schedule] = ()
    lanes: Sequence[LaneState] = ()
    kept: Mapping[str, Kept] = msgspec.field(default_factory=dict)
    """What has ended and is still there, by namespace."""
    held: Sequence[HeldWork] = ()
    failures: Sequence[Failures] = ()


class Host(msgspec.Struct, frozen=True):
    """What the machine tells on which all this is asked."""

    mounts: str = ""
    """As in /proc/mounts."""
    gone: Collection[str] = ()
    """The instance ids of workers that said to be on this machine, and whose process is certainly not there."""


class StoreFacts(msgspec.Struct, frozen=True):
    """What only one kind of store can tell, with the rules that judge it. A kind of store has a class of its own."""

    def findings(self, host: Host, *, long_transaction_ms: int) -> Iterator[Finding]:
        """What is wrong with it."""
        yield from ()

    def unknowns(self, host: Host) -> Iterator[str]:
        """What could not be looked at, and what would make it visible."""
        yield from ()


class Facts(msgspec.Struct, frozen=True):
    """Everything that the rules look at, as of about one moment."""

    schema: Schema
    clocks: Clocks
    work: Work | None = None
    """None: the tables are not those that this version knows."""
    store: StoreFacts | None = None
    """What only this kind of store can tell."""
    host: Host = Host()
