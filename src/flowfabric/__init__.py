"""FlowFabric: durable executions on the database you already have.

A name is imported from where it lives when it is first used, so that `ff --help` need not wait for engine and stores.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    """The version of the installed distribution, such as `1.2.0`."""

    from flowfabric.app import open_blocking_engine as open_blocking_engine, open_engine as open_engine
    from flowfabric.domain.access import (
        AccessTokenSnapshot as AccessTokenSnapshot,
        NewAccessToken as NewAccessToken,
        Principal as Principal,
        Session as Session,
        TokenRevoked as TokenRevoked,
    )
    from flowfabric.domain.conditions import (
        AtLeast as AtLeast,
        Condition as Condition,
        Either as Either,
        Every as Every,
        On as On,
        OperatorOnly as OperatorOnly,
    )
    from flowfabric.domain.connections import Connections as Connections
    from flowfabric.domain.creation import (
        NewChild as NewChild,
        NewExecution as NewExecution,
        NewSchedule as NewSchedule,
    )
    from flowfabric.domain.errors import (
        AccessDenied as AccessDenied,
        BudgetExceeded as BudgetExceeded,
        Conflict as Conflict,
        Contention as Contention,
        Corruption as Corruption,
        CycleDetected as CycleDetected,
        EdgeExists as EdgeExists,
        EngineError as EngineError,
        ExecutionNotActive as ExecutionNotActive,
        ExecutionNotCompleted as ExecutionNotCompleted,
        ExecutionNotEligible as ExecutionNotEligible,
        ExecutionNotTerminal as ExecutionNotTerminal,
        FlowNotTerminal as FlowNotTerminal,
        FlowTerminal as FlowTerminal,
        InvalidInput as InvalidInput,
        InvalidToken as InvalidToken,
        LeaseExpired as LeaseExpired,
        LimitReached as LimitReached,
        MaxReplaysExhausted as MaxReplaysExhausted,
        NoWaiter as NoWaiter,
        NotAMember as NotAMember,
        NotFound as NotFound,
        NotSignalable as NotSignalable,
        PolicyFixed as PolicyFixed,
        Refused as Refused,
        RetryExhausted as RetryExhausted,
        ScheduleNotOrphaned as ScheduleNotOrphaned,
        SchemaMismatch as SchemaMismatch,
        SelfEdge as SelfEdge,
        SignalLimitExceeded as SignalLimitExceeded,
        StaleGraphRevision as StaleGraphRevision,
        StaleLease as StaleLease,
        StoreError as StoreError,
        StoreUnavailable as StoreUnavailable,
        WaitpointClosed as WaitpointClosed,
    )
    from flowfabric.domain.events import Event as Event, EventPage as EventPage
    from flowfabric.domain.flow_snapshots import (
        EdgeGroupSnapshot as EdgeGroupSnapshot,
        EdgeSnapshot as EdgeSnapshot,
        FlowSnapshot as FlowSnapshot,
    )
    from flowfabric.domain.gate_snapshots import (
        BudgetSnapshot as BudgetSnapshot,
        GatesSnapshot as GatesSnapshot,
        LimitSnapshot as LimitSnapshot,
        Spending as Spending,
    )
    from flowfabric.domain.graph import FlowGraph as FlowGraph
    from flowfabric.domain.joins import AllOf as AllOf, AnyOf as AnyOf, Quorum as Quorum
    from flowfabric.domain.lease import Lease as Lease
    from flowfabric.domain.outcomes import (
        AlreadySatisfied as AlreadySatisfied,
        AlreadySet as AlreadySet,
        Appended as Appended,
        BudgetSet as BudgetSet,
        Cancelled as Cancelled,
        Claimed as Claimed,
        Completed as Completed,
        Created as Created,
        DependencyAdded as DependencyAdded,
        Dropped as Dropped,
        Duplicate as Duplicate,
        DuplicateSignal as DuplicateSignal,
        FlowAlreadyTerminal as FlowAlreadyTerminal,
        FlowCancelled as FlowCancelled,
        FlowCreated as FlowCreated,
        FlowExists as FlowExists,
        FlowReplayed as FlowReplayed,
        FlowSubmitted as FlowSubmitted,
        Held as Held,
        LanePaused as LanePaused,
        LaneResumed as LaneResumed,
        LeaseLost as LeaseLost,
        LimitFull as LimitFull,
        LimitSet as LimitSet,
        Parked as Parked,
        PolicySet as PolicySet,
        PriorityChanged as PriorityChanged,
        Released as Released,
        Renewed as Renewed,
        Replayed as Replayed,
        Reserved as Reserved,
        Resumed as Resumed,
        RetryScheduled as RetryScheduled,
        Revoked as Revoked,
        ScheduleFired as ScheduleFired,
        ScheduleForgotten as ScheduleForgotten,
        SchedulePaused as SchedulePaused,
        ScheduleRan as ScheduleRan,
        ScheduleResumed as ScheduleResumed,
        SecretRotated as SecretRotated,
        Signal as Signal,
        Signalled as Signalled,
        SlotTaken as SlotTaken,
        Spent as Spent,
        StepRecorded as StepRecorded,
        Summary as Summary,
        Suspended as Suspended,
        TerminalFailed as TerminalFailed,
        Unheld as Unheld,
        WaitOpened as WaitOpened,
        WaitOver as WaitOver,
        Waitpoint as Waitpoint,
    )
    from flowfabric.domain.policies import ExecutionPolicy as ExecutionPolicy, RetryPolicy as RetryPolicy
    from flowfabric.domain.snapshots import (
        AttemptSnapshot as AttemptSnapshot,
        EndSnapshot as EndSnapshot,
        EndsInMinute as EndsInMinute,
        FailureGroup as FailureGroup,
        ExecutionSnapshot as ExecutionSnapshot,
        Failure as Failure,
        Kept as Kept,
        LaneSnapshot as LaneSnapshot,
        LogExtent as LogExtent,
        OperatedPage as OperatedPage,
        Page as Page,
        Purged as Purged,
        Refusal as Refusal,
        ScheduleSnapshot as ScheduleSnapshot,
        Stats as Stats,
        StepSnapshot as StepSnapshot,
        WorkerSnapshot as WorkerSnapshot,
    )
    from flowfabric.domain.states import PublicState as PublicState
    from flowfabric.domain.stream_pages import (
        StreamFrame as StreamFrame,
        StreamPage as StreamPage,
        Transcript as Transcript,
    )
    from flowfabric.domain.streams import Frame as Frame, FrameKind as FrameKind
    from flowfabric.domain.wait_snapshots import (
        WaitpointSnapshot as WaitpointSnapshot,
        WaitSnapshot as WaitSnapshot,
    )
    from flowfabric.engine.blocking import BlockingEngine as BlockingEngine
    from flowfabric.engine.engine import Engine as Engine
    from flowfabric.fabric import FlowFabric as FlowFabric
    from flowfabric.domain.approvals import Approval as Approval
    from flowfabric.runtime.context import AttemptCancelled as AttemptCancelled, Context as Context
    from flowfabric.runtime.declared_gates import Budget as Budget, Limit as Limit
    from flowfabric.runtime.failures import Permanent as Permanent, RateLimited as RateLimited
    from flowfabric.runtime.flow_builder import Flow as Flow, Node as Node
    from flowfabric.runtime.flow_handles import FlowHandle as FlowHandle
    from flowfabric.runtime.handles import Handle as Handle
    from flowfabric.runtime.codecs import Codec as Codec
    from flowfabric.runtime.task_options import Retry as Retry
    from flowfabric.runtime.standstill import AttemptSuspended as AttemptSuspended
    from flowfabric.runtime.tasks import Task as Task
    from flowfabric.runtime.fan_out import ChildFailed as ChildFailed
    from flowfabric.runtime.tries import StepTimeout as StepTimeout
    from flowfabric.runtime.waits import WaitTimeout as WaitTimeout
    from flowfabric.testing.clock import ManualClock as ManualClock

_NAMES_OF = {
    "app": "open_blocking_engine open_engine",
    "domain.access": "AccessTokenSnapshot NewAccessToken Principal Session TokenRevoked",
    "domain.approvals": "Approval",
    "domain.conditions": "AtLeast Condition Either Every On OperatorOnly",
    "domain.connections": "Connections",
    "domain.creation": "NewChild NewExecution NewSchedule",
    "domain.errors": (
        "AccessDenied BudgetExceeded Conflict Contention Corruption CycleDetected EdgeExists EngineError "
        "ExecutionNotActive ExecutionNotCompleted ExecutionNotEligible ExecutionNotTerminal FlowNotTerminal "
        "FlowTerminal InvalidInput InvalidToken LeaseExpired LimitReached MaxReplaysExhausted NoWaiter NotAMember "
        "NotFound NotSignalable PolicyFixed Refused RetryExhausted ScheduleNotOrphaned SchemaMismatch SelfEdge "
        "SignalLimitExceeded StaleGraphRevision StaleLease StoreError StoreUnavailable WaitpointClosed"
    ),
    "domain.events": "Event EventPage",
    "domain.flow_snapshots": "EdgeGroupSnapshot EdgeSnapshot FlowSnapshot",
    "domain.gate_snapshots": "BudgetSnapshot GatesSnapshot LimitSnapshot Spending",
    "domain.graph": "FlowGraph",
    "domain.joins": "AllOf AnyOf Quorum",
    "domain.lease": "Lease",
    "domain.outcomes": (
        "AlreadySatisfied AlreadySet Appended BudgetSet Cancelled Claimed Completed Created DependencyAdded Dropped "
        "Duplicate DuplicateSignal FlowAlreadyTerminal FlowCancelled FlowCreated FlowExists FlowReplayed FlowSubmitted "
        "Held LanePaused LaneResumed LeaseLost LimitFull LimitSet Parked PolicySet PriorityChanged Released Renewed "
        "Replayed Reserved Resumed RetryScheduled Revoked ScheduleFired ScheduleForgotten SchedulePaused ScheduleRan "
        "ScheduleResumed SecretRotated Signal Signalled SlotTaken Spent "
        "StepRecorded Summary Suspended TerminalFailed Unheld WaitOpened WaitOver Waitpoint"
    ),
    "domain.policies": "ExecutionPolicy RetryPolicy",
    "domain.snapshots": (
        "AttemptSnapshot EndSnapshot EndsInMinute ExecutionSnapshot Failure FailureGroup Kept LaneSnapshot LogExtent "
        "OperatedPage Page Purged Refusal ScheduleSnapshot Stats StepSnapshot WorkerSnapshot"
    ),
    "domain.states": "PublicState",
    "domain.stream_pages": "StreamFrame StreamPage Transcript",
    "domain.streams": "Frame FrameKind",
    "domain.wait_snapshots": "WaitSnapshot WaitpointSnapshot",
    "engine.blocking": "BlockingEngine",
    "engine.engine": "Engine",
    "fabric": "FlowFabric",
    "runtime.context": "AttemptCancelled Context",
    "runtime.declared_gates": "Budget Limit",
    "runtime.failures": "Permanent RateLimited",
    "runtime.flow_builder": "Flow Node",
    "runtime.flow_handles": "FlowHandle",
    "runtime.handles": "Handle",
    "runtime.codecs": "Codec",
    "runtime.standstill": "AttemptSuspended",
    "runtime.task_options": "Retry",
    "runtime.tasks": "Task",
    "runtime.fan_out": "ChildFailed",
    "runtime.tries": "StepTimeout",
    "runtime.waits": "WaitTimeout",
    "testing.clock": "ManualClock",
}
_HOME_OF = {name: f"flowfabric.{module}" for module, names in _NAMES_OF.items() for name in names.split()}
__all__ = sorted(_HOME_OF)

if not TYPE_CHECKING:  # a checker that saw this would take any name for one that exists

    def __getattr__(name: str) -> object:
        if name == "__version__":
            # Asked for rarely, and reading the metadata takes longer than importing this module.
            try:
                value = _import_module("importlib.metadata").version(__name__)
            except ImportError as error:  # run from its sources; nobody who asks by hasattr expects another error
                raise AttributeError(f"{__name__} is not installed, so it has no version") from error
        elif name in _HOME_OF:
            value = getattr(_import_module(_HOME_OF[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*globals(), *_HOME_OF, "__version__"]
