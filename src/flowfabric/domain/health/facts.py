"""The facts that are collected about a database and its workers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from flowfabric.domain.counting import Miscount
from flowfabric.domain.execution import DueKind
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.health.gates import GateFacts
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import Kept
from flowfabric.domain.workers import Worker

FAILED_MS: Final = 86_400_000
"""Failures that are older than this are not reported."""
ENDLESS_MS: Final = 30 * 86_400_000
"""A wait without an end is reported when it is older than this."""


class Schema(msgspec.Struct, frozen=True):
    """Which migrations a database has."""

    found: int
    """The newest one; 0: none."""
    known: int
    """The newest one of this version of the code."""
    refusal: str | None = None
    """Why this version must not write to the database."""

    @property
    def is_current(self) -> bool:
        """Whether this version can use the tables. A newer schema may still allow this."""
        return self.found >= self.known and self.refusal is None


class Clocks(msgspec.Struct, frozen=True):
    """The time by the machine's clock and by the store's clock."""

    machine_ms: int
    store_ms: int
    round_trip_ms: float
    """How long the store took to answer. The comparison may be wrong by this much."""
    newest_record_ms: int = 0
    """When the newest record in the store was written, by the store's clock at that time."""
    behind_ms: int = 0
    """By how much the machine's clock is behind the store's time. 0: the store follows the machine's clock."""


class HeldLeases(msgspec.Struct, frozen=True):
    """The leases that one worker holds."""

    namespace: str
    worker_instance_id: str
    count: int
    first_expiry_ms: int
    last_expiry_ms: int
    ids: Sequence[str] = ()
    """The uuids of the first and the last execution."""


class HeldWork(msgspec.Struct, frozen=True):
    """The executions that operators hold."""

    namespace: str
    count: int
    since_ms: int | None
    """Since when the first one is held, if its events show this."""
    ids: Sequence[str] = ()
    """The uuids of the first and the last one."""


class EndlessWaits(msgspec.Struct, frozen=True):
    """The suspended executions that have waited for longer than ENDLESS_MS, and that nothing ends by itself."""

    namespace: str
    count: int
    since_ms: int
    """Since when the first one waits."""
    ids: Sequence[str] = ()
    """The uuids of the first and the last one."""


class Failures(msgspec.Struct, frozen=True):
    """How much has failed within FAILED_MS."""

    namespace: str
    executions: int
    flows: int


class Queue(msgspec.Struct, frozen=True):
    """The executions that wait in one lane for workers with the same capabilities."""

    namespace: str
    lane: str
    required_capabilities: tuple[str, ...]
    count: int
    oldest_ms: int


class Overdue(msgspec.Struct, frozen=True):
    """What upkeep should have handled by now."""

    kind: DueKind | Literal["acknowledgement", "gate"]
    count: int
    oldest_ms: int


class Work(msgspec.Struct, frozen=True):
    """The work of a store, and its workers."""

    workers: Sequence[Worker] = ()
    leases: Sequence[HeldLeases] = ()
    queues: Sequence[Queue] = ()
    overdue: Sequence[Overdue] = ()
    schedules: Sequence[Schedule] = ()
    lanes: Sequence[LaneState] = ()
    kept: Mapping[str, Kept] = msgspec.field(default_factory=dict)
    """The ended executions and flows that are still stored, by namespace."""
    held: Sequence[HeldWork] = ()
    failures: Sequence[Failures] = ()
    endless: Sequence[EndlessWaits] = ()
    secrets_stored: int = 0
    """How many secrets the store keeps whose tokens are good."""
    gates: GateFacts = GateFacts()
    miscounts: Sequence[Miscount] = ()


class Host(msgspec.Struct, frozen=True):
    """Facts about the machine on which the facts are collected."""

    mounts: str = ""
    """As in /proc/mounts."""
    gone: Collection[str] = ()
    """The instance ids of workers of this machine whose process certainly no longer exists."""


class StoreFacts(msgspec.Struct, frozen=True):
    """Facts that only one kind of store has, with the rules that judge them. Each kind of store has its own class."""

    def findings(self, host: Host, *, long_transaction_ms: int) -> Iterator[Finding]:
        """The problems that these facts show."""
        yield from ()

    def unknowns(self, host: Host) -> Iterator[str]:
        """What could not be examined, and how to make it visible."""
        yield from ()


class Facts(msgspec.Struct, frozen=True):
    """Everything that the rules judge, as of about one moment."""

    schema: Schema
    clocks: Clocks
    work: Work | None = None
    """None: the tables are not those that this version knows."""
    store: StoreFacts | None = None
    """The facts that only this kind of store has."""
    host: Host = Host()
