"""Everything that can be raised, drawn once.

EngineError                       .code (stable, snake_case) · .retryable
├── NotFound(entity)
├── InvalidInput                  the caller can correct it
│   ├── InvalidToken              every reason has the same message
│   └── Corruption                what is stored does not parse
├── AccessDenied                  a server knows no such token, or the token does not allow this
├── Refused                       understood and declined, state unchanged
│   ├── StaleLease · LeaseExpired · ExecutionNotActive
│   ├── ExecutionNotEligible · ExecutionNotTerminal · MaxReplaysExhausted
│   ├── FlowNotTerminal
│   ├── FlowTerminal · StaleGraphRevision · CycleDetected · SelfEdge · NotAMember · EdgeExists · PolicyFixed
│   ├── ScheduleNotOrphaned
│   ├── NotSignalable · WaitpointClosed · NoWaiter · SignalLimitExceeded
│   ├── LimitReached · BudgetExceeded
│   └── Conflict                  same id, different content
├── ExecutionNotCompleted         it ended without success, so there is no result to wait for
├── Contention                    retryable
│   └── RetryExhausted
└── StoreError
    ├── StoreUnavailable          retryable
    └── SchemaMismatch            migrate, then restart

A message says what happened, why, and what to do.
"""

import re
from typing import ClassVar

from flowfabric.domain.states import PublicState


class EngineError(Exception):
    """The root of every error this package raises on purpose."""

    code: str = "engine_error"
    retryable: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Give each class its stable code: its own name in snake_case, unless it names one itself."""
        if "code" not in cls.__dict__:
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class NotFound(EngineError):
    """There is no such thing, or it belongs to another namespace."""

    def __init__(self, entity: str, message: str | None = None) -> None:
        super().__init__(message or f"There is no such {entity}. Check the id and the namespace.")
        self.entity = entity


class InvalidInput(EngineError):
    """The caller sent something that can never work as it is."""

    def __init__(self, message: str = "", *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class Corruption(InvalidInput):
    """What is stored does not parse; the message names table, key and column."""


class InvalidToken(InvalidInput):
    """The token opens no waitpoint here. A wrong token, a forged one and a foreign one look the same."""

    def __init__(self) -> None:
        super().__init__("This token is not valid here. Ask for a new one.")
        self.code = type(self).code


class AccessDenied(EngineError):
    """The token is missing or not good, or what it allows does not include this."""

    def __init__(self, message: str = "", *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class Refused(EngineError):
    """Understood and declined; nothing was changed."""


class StaleLease(Refused):
    """The lease presented is not the execution's current lease."""


class LeaseExpired(Refused):
    """The lease presented was the current one, and its time is over."""


class ExecutionNotActive(Refused):
    """The execution is not running, so no lease can speak for it."""

    def __init__(self, public_state: PublicState, lease_epoch: int, message: str | None = None) -> None:
        super().__init__(
            message
            or f"The execution is {public_state}, not active (lease epoch {lease_epoch}). "
            "The former holder of its lease must stop; nothing was changed."
        )
        self.public_state = public_state
        self.lease_epoch = lease_epoch


class ExecutionNotEligible(Refused):
    """The execution is in a state that this command does not apply to."""


class ExecutionNotTerminal(Refused):
    """Only an execution that has ended can be replayed."""


class MaxReplaysExhausted(Refused):
    """The execution's policy allows no further replay."""


class FlowTerminal(Refused):
    """The flow was cancelled; nothing can be added to it."""


class FlowNotTerminal(Refused):
    """Only members that have ended can be replayed."""


class StaleGraphRevision(Refused):
    """The flow's graph has changed since the caller read its revision."""


class CycleDetected(Refused):
    """The dependency would make the flow's graph cyclic."""


class SelfEdge(Refused):
    """An execution cannot depend on itself."""


class NotAMember(Refused):
    """The execution does not belong to the flow."""


class EdgeExists(Refused):
    """The edge id is taken."""


class PolicyFixed(Refused):
    """The join policy cannot change once the group has an edge."""


class ScheduleNotOrphaned(Refused):
    """A schedule whose code is alive cannot be forgotten."""


class Conflict(Refused):
    """The same id came with different content."""


class ExecutionNotCompleted(EngineError):
    """The execution has ended without a result: failed, cancelled, expired or skipped."""

    def __init__(
        self,
        public_state: PublicState,
        message: str | None = None,
        *,
        failure_code: str | None = None,
        failure_message: str | None = None,
        failure_traceback: str | None = None,
    ) -> None:
        super().__init__(message or f"The execution is {public_state}, so there is no result.")
        self.public_state = public_state
        self.failure_code = failure_code
        """The failure code of a failed execution."""
        self.failure_message = failure_message
        self.failure_traceback = failure_traceback
        """The traceback of the last attempt, if it was stored. It is also a note of this error."""
        if failure_traceback is not None:
            self.add_note(f"The last attempt failed with:\n{failure_traceback.rstrip()}")


class Contention(EngineError):
    """Others were changing the same records at the same time."""

    retryable = True


class RetryExhausted(Contention):
    """The command met contention on every try; it changed nothing and can be sent again."""


class StoreError(EngineError):
    """The store cannot serve the command."""


class StoreUnavailable(StoreError):
    """The store cannot be reached or cannot write now. It may be back soon, unless the error is final."""

    retryable = True

    def __init__(self, message: str = "", *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final
        """Whether this engine will never work again: it was closed, or its database was replaced. Open a new one."""


class SchemaMismatch(StoreError):
    """The database's schema and this code do not fit together."""


def shown(value: object) -> str:
    """A value as messages show it: short. A value that cannot be shown does not raise another error."""
    try:
        text = repr(value)
    except Exception:  # an integer of ten thousand digits, a list that holds itself a thousand times over
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else text[:77] + "..."


def with_place(error: EngineError, why: str) -> EngineError:
    """The refusal of a call that makes several things, because one of them was refused. `why` names that one.

    It is of the same kind, as far as a caller acts on the kind: what is not there, what can never work, or a conflict.
    """
    if isinstance(error, NotFound):
        return NotFound(error.entity, why)
    return InvalidInput(why, code=error.code) if isinstance(error, InvalidInput) else Conflict(why)


class NotSignalable(Refused):
    """The execution has ended, so no wait can take the signal."""

    def __init__(self, public_state: PublicState, message: str | None = None) -> None:
        super().__init__(
            message
            or f"The execution is {public_state}, and takes no signals any more. "
            "To use the signal, replay the execution and send the signal again."
        )
        self.public_state = public_state


class WaitpointClosed(Refused):
    """The waitpoint takes no signals any more: it was closed, has expired, or belongs to a former life."""


class NoWaiter(Refused):
    """No open waitpoint has this alias."""


class SignalLimitExceeded(Refused):
    """The execution has taken as many signals as it may."""


class BudgetExceeded(Refused):
    """What is left of a budget, or of an ancestor of it, is not enough."""

    def __init__(self, dimension: str, remaining: int, message: str | None = None) -> None:
        super().__init__(message or f"Only {remaining} of {dimension} is left. Wait for the next period, or raise it.")
        self.dimension = dimension
        self.remaining = remaining


class LimitReached(Refused):
    """A limit of the task is full, so nothing was submitted. `execution_id` is the execution in the way."""

    def __init__(self, execution_id: str, message: str | None = None) -> None:
        super().__init__(message or f"A limit is full, and {execution_id} is in the way. Nothing was submitted.")
        self.execution_id = execution_id
