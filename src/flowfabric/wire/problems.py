"""Errors as problems (RFC 9457), and back: a client raises what the engine has raised, with the same attributes."""

import inspect
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from flowfabric.domain import errors
from flowfabric.domain.errors import EngineError
from flowfabric.domain.known_types import known
from flowfabric.domain.states import PublicState

MEDIA_TYPE: Final = "application/problem+json"
_URN: Final = "urn:flowfabric:problem:"

STATUS: Final[dict[type[EngineError], int]] = {
    errors.NotFound: 404,
    errors.InvalidInput: 400,
    errors.InvalidToken: 400,
    errors.Corruption: 500,
    errors.AccessDenied: 403,
    errors.Refused: 409,
    errors.ExecutionNotCompleted: 409,
    errors.Contention: 503,
    errors.StoreUnavailable: 503,
    errors.StoreError: 500,
    EngineError: 500,
}
"""The status of each error. A class that is not here has the status of the nearest class above it."""

RETRY_AFTER_S: Final = 1
"""After how long a caller may try again what answers 429 or 503."""


@known
class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not done. `code` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool = False
    request_id: str = ""
    absent: bool = False
    """There is no such thing, and nothing else is wrong: a client in Python answers None."""
    entity: str | UnsetType = UNSET
    public_state: PublicState | UnsetType = UNSET
    lease_epoch: int | UnsetType = UNSET
    failure_code: str | UnsetType | None = UNSET
    failure_message: str | UnsetType | None = UNSET
    failure_traceback: str | UnsetType | None = UNSET
    dimension: str | UnsetType = UNSET
    remaining: int | UnsetType = UNSET
    execution_id: str | UnsetType = UNSET
    is_final: bool | UnsetType = UNSET


class RefusedItem(msgspec.Struct, frozen=True, tag_field="type", tag="Problem"):
    """One item of a list of answers, which was refused."""

    problem: Problem


_COMMON: Final = ("type", "title", "status", "detail", "code", "retryable", "request_id", "absent")
FIELDS: Final = tuple(name for name in Problem.__struct_fields__ if name not in _COMMON)
"""The attributes that some errors have."""


def _classes(root: type[EngineError] = EngineError) -> list[type[EngineError]]:
    """Every class of the tree in `domain/errors.py`."""
    own = [each for each in root.__subclasses__() if each.__module__ == errors.__name__]
    return [root, *(found for each in own for found in _classes(each))]


KINDS: Final = {kind.__dict__.get("code", kind.code): kind for kind in _classes()}
"""The classes by the code of the class. A problem's `type` ends with it."""


def kind_of(error: type[EngineError]) -> type[EngineError]:
    """The nearest class that both sides know."""
    return next(kind for kind in error.__mro__ if kind in KINDS.values())


def status_of(error: type[EngineError]) -> int:
    """The status that answers an error of this class."""
    return next(STATUS[kind] for kind in error.__mro__ if kind in STATUS)


def title_of(kind: type[EngineError]) -> str:
    """What all errors of a class have in common, in a sentence."""
    return (kind.__doc__ or "").split("\n", 1)[0]


def problem_of(error: EngineError, request_id: str = "", *, status: int | None = None) -> Problem:
    """The problem that says the same as an error."""
    kind = kind_of(type(error))
    own = {name: getattr(error, name) for name in FIELDS if hasattr(error, name)}
    return Problem(
        type=_URN + kind.code,
        title=title_of(kind),
        status=status_of(kind) if status is None else status,
        detail=str(error),
        code=error.code,
        retryable=error.retryable,
        request_id=request_id,
        **own,
    )


def absent(entity: str, request_id: str = "") -> Problem:
    """The problem for a read that finds nothing."""
    return msgspec.structs.replace(problem_of(errors.NotFound(entity), request_id), absent=True)


def error_of(problem: Problem) -> EngineError:
    """The error that a problem was made from. If the problem lacks what this error has, it is a plain EngineError."""
    kind = KINDS.get(problem.type.removeprefix(_URN), EngineError)
    own = {name: value for name in FIELDS if (value := getattr(problem, name)) is not UNSET}
    parameters = inspect.signature(kind.__init__).parameters
    if any(each.default is each.empty and name in FIELDS and name not in own for name, each in parameters.items()):
        kind, parameters = EngineError, inspect.signature(EngineError.__init__).parameters
    make: Any = kind
    known: dict[str, Any] = {name: value for name, value in own.items() if name in parameters}
    error: EngineError = (
        make(**known, message=problem.detail) if "message" in parameters else _plain(kind, problem.detail)
    )
    if error.code != problem.code or isinstance(error, errors.InvalidToken):
        error.code = problem.code
    return error


def _plain(kind: type[EngineError], detail: str) -> EngineError:
    """An error whose class takes nothing but its message, or nothing at all."""
    error = kind.__new__(kind)
    Exception.__init__(error, detail)
    return error


def refused_item(error: EngineError) -> RefusedItem:
    """An error as one item of a list of answers."""
    return RefusedItem(problem_of(error))
