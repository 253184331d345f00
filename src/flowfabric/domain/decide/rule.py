"""One command, one declaration: it stands above the rule, and says all that the engine must know about the command.

    @rule(Hold, sees=its_executions, leaves_queue=True)
    def hold(ws: WorkingSet, command: Hold, scope: str | None) -> Held: ...

A rule takes the working set and the command. A rule that has to check the namespace of records takes the scope as well.
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
"""Payloads count, too: this bounds the memory of the commands that wait for a commit, and not only their number."""

P = ParamSpec("P")
C = TypeVar("C", bound=Command[Any])
A = TypeVar("A", bound=Outcome)


class Rule(msgspec.Struct, Generic[C], frozen=True):
    """All that is declared about a command. The ids that commands name decide which commands must keep their order."""

    decide: Callable[[WorkingSet, C, str | None], Outcome]
    """Answers the command, or raises its refusal. It makes all changes in the working set."""
    sees: Callable[[C, Needs], None]
    """Adds everything that has to be loaded for the command."""
    enters_queue: bool
    """The command may make the executions that it names ready, so that a claim in the same batch can take them."""
    leaves_queue: bool
    """The command may remove one execution from the queue, or move it. A claim in the same batch then needs one more
    candidate."""
    batch_class: BatchClass | Callable[[C], BatchClass]
    """The command shares a batch only with commands of the same class."""
    weight: Callable[[C], int] | None
    """How much of a batch the command takes up. None: as much as one execution."""
    comes_again: bool
    """The sender repeats the command by itself, so the command need not wait for a lock."""
    is_renewal: bool
    """The command keeps leases, so it goes before commands that have to wait."""
    ends_attempt: bool
    """The command reports the end of an attempt, so it is carried out even if its sender no longer waits."""


RULES: Final[dict[type[AnyCommand], Rule[Any]]] = {}
"""The rule of every command, filled by `rule`."""


def sees_nothing(command: AnyCommand, wanted: Needs) -> None:
    """The needs of a command that reads no record."""


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
    """Declare that a function is the rule of a command, and everything else about the command."""

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
    """The class of a command: commands of the same class may share a batch.

    Removals have a class of their own, so that no store has to delete and write the same rows at once, and no command
    finds a key or an id taken by a record that is just being removed. Pauses and resumes of lanes have one, too: a
    claim then finds each lane as it is stored, and need not read the queue of a paused lane.
    """
    found = rule_of(command).batch_class
    return found if isinstance(found, str) else found(command)


def weight_of(command: AnyCommand) -> int:
    """How much of a batch a command takes up."""
    weight = rule_of(command).weight
    return 1 if weight is None else weight(command)


def weight_of_data(data: bytes | None) -> int:
    """How much of a batch one execution with this payload or result takes up."""
    return 1 if data is None else 1 + len(data) // BYTES_PER_WEIGHT
