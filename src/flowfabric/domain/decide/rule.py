"""One command, one declaration: it stands above the rule, and says all that the engine must know of the command.

    @rule(Hold, sees=its_executions, leaves_queue=True)
    def hold(ws: WorkingSet, command: Hold, scope: str | None) -> Held: ...

A rule takes the working set and the command, and if it has to check the namespace of what it finds, also the scope.
"""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeVar

import msgspec

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, Command
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.working_set import WorkingSet

BatchClass = Literal["any", "removals", "lanes"]

BYTES_PER_WEIGHT: Final = 8192
"""Payloads count too, so that what waits for a commit is bounded in memory and not only in number."""

P = ParamSpec("P")
C = TypeVar("C", bound=Command[Any])
A = TypeVar("A", bound=Outcome)


class Rule(msgspec.Struct, Generic[C], frozen=True):
    """What there is to know of a command. In which order commands are kept follows from the ids that they name."""

    decide: Callable[[WorkingSet, C, str | None], Outcome]
    """Answers the command, or raises why not; what it changes, it changes in the working set."""
    sees: Callable[[C, Needs], None]
    """Adds what has to be loaded for it."""
    enters_queue: bool
    """The executions that it names may be ready afterwards, so that a claim in the same batch can take them."""
    leaves_queue: bool
    """It may take one execution out of the queue, or move it, so that a claim in the same batch needs one more."""
    batch_class: BatchClass | Callable[[C], BatchClass]
    """With which others it shares a batch: those of the same class."""
    weight: Callable[[C], int] | None
    """How much of a batch it takes up. None: as much as one execution."""
    comes_again: bool
    """Its sender sends it again by itself, and has other things to do than to wait for a lock."""
    is_renewal: bool
    """It keeps leases, so it goes first where others have to wait."""
    ends_attempt: bool
    """It says how an attempt has ended, so it counts even if its sender has gone away."""


RULES: Final[dict[type[AnyCommand], Rule[Any]]] = {}
"""The rule of every command, filled by `rule`."""


def sees_nothing(command: AnyCommand, wanted: Needs) -> None:
    """What a command needs that reads no record."""


def rule(
    command: type[C],
    *,
    sees: Callable[[C, Needs], None] = sees_nothing,
    enters_queue: bool = False,
    leaves_queue: bool = False,
    batch_class: BatchClass | Callable[[C], BatchClass] = "any",
    weight: Callable[[C], int] | None = None,
    comes_again: bool = False,
    is_renewal: bool = False,
    ends_attempt: bool = False,
) -> Callable[[Callable[Concatenate[WorkingSet, C, P], A]], Callable[Concatenate[WorkingSet, C, P], A]]:
    """Declare that a function is the rule of a command, and what else there is to know of the command."""

    def declare(decide: Callable[Concatenate[WorkingSet, C, P], A]) -> Callable[Concatenate[WorkingSet, C, P], A]:
        assert command not in RULES, f"{command.__name__} has two rules"
        RULES[command] = Rule(
            _with_scope(decide),
            sees,
            enters_queue,
            leaves_queue,
            batch_class,
            weight,
            comes_again,
            is_renewal,
            ends_attempt,
        )
        return decide

    return declare


def _with_scope(decide: Callable[..., A]) -> Callable[[WorkingSet, C, str | None], A]:
    _, _, *more = inspect.signature(decide).parameters.values()
    if more and more[0].name == "scope":
        return decide

    def decide_in_any_scope(ws: WorkingSet, command: AnyCommand, scope: str | None) -> A:
        return decide(ws, command)

    return update_wrapper(decide_in_any_scope, decide)


def rule_of(command: AnyCommand) -> Rule[Any]:
    """What was declared for a command."""
    return RULES[type(command)]


def batch_class(command: AnyCommand) -> BatchClass:
    """With which others a command may share a batch.

    Removals go by themselves, so that no store has to delete and write the same rows at once, and no command finds a
    key or an id taken by what is just going away. So do the switches of lanes: a claim then finds each lane as it is
    stored, and need not even look at the queue of one that is paused.
    """
    found = rule_of(command).batch_class
    return found if isinstance(found, str) else found(command)


def weight_of(command: AnyCommand) -> int:
    """How much of a batch a command takes up."""
    weight = rule_of(command).weight
    return 1 if weight is None else weight(command)


def weight_of_data(data: bytes | None) -> int:
    """How much of a batch one execution takes up that comes with this payload or result."""
    return 1 if data is None else 1 + len(data) // BYTES_PER_WEIGHT
