"""The options of a submit about limits and budgets, and what becomes of them with the arguments of a call."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from flowfabric.domain import gate_inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.limits import LIMITS_MAX, WhenFull
from flowfabric.runtime.declared_gates import Budget, KeyedLimit, Limit, budget_name


class GateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The limits and budgets of all executions of a task. A call may override them."""

    limits: tuple[KeyedLimit, ...] = ()
    fair_by: Callable[..., str] | None = None
    """The key by which executions take turns, as a function of the task's arguments."""
    budgets: tuple[tuple[str, Mapping[str, int]], ...] = ()
    """Names of budgets with what is reserved of each when an attempt starts."""
    when_full: WhenFull = "wait"

    def __bool__(self) -> bool:
        return bool(self.limits or self.budgets) or self.fair_by is not None

    @property
    def functions(self) -> "list[tuple[str, Callable[..., Any]]]":
        """The functions of the task's arguments, and what each is for."""
        keyed = [(f"the key of limit {each.limit!r}", each.key) for each in self.limits]
        found = [(what, key) for what, key in keyed if not isinstance(key, str)]
        return found if self.fair_by is None else [*found, ("fair_by", self.fair_by)]


class CallGates(msgspec.Struct, frozen=True):
    """The limits and budgets of one call, with the keys that follow from its arguments."""

    limits: Mapping[str, str] = msgspec.field(default_factory=dict)
    fair_key: str | None = None
    budgets: Mapping[str, Mapping[str, int]] = msgspec.field(default_factory=dict)


NO_GATES: Final = GateOptions()
NO_CALL_GATES: Final = CallGates()


def changed_gates(
    options: GateOptions,
    *,
    limits: Sequence[Limit | KeyedLimit] | None = None,
    fair_by: Callable[..., str] | None = None,
    budgets: Mapping[Budget | str, Mapping[str, int]] | None = None,
    when_full: WhenFull | None = None,
) -> GateOptions:
    """The options with the given ones changed and checked."""
    if limits is not None:
        options = replace(options, limits=_limits(limits))
    if fair_by is not None:
        if not callable(fair_by):
            raise InvalidInput("fair_by is a function of the task's arguments that returns a key.")
        options = replace(options, fair_by=fair_by)
    if budgets is not None:
        options = replace(options, budgets=_budgets(budgets))
    if when_full is not None:
        named = tuple((each.limit, "") for each in options.limits)
        options = replace(options, when_full=gate_inputs.when_full(when_full, named))
    elif options.when_full != "wait" and not options.limits:
        options = replace(options, when_full="wait")  # limits=[] has removed what it was about
    return options


def _limits(given: object) -> tuple[KeyedLimit, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise InvalidInput(f"limits is {shown(given)}; it must be a list of limits, such as [openai, tenant('t-7')].")
    found: dict[str, KeyedLimit] = {}
    for each in given:
        keyed = KeyedLimit(each.name) if isinstance(each, Limit) else each
        if not isinstance(keyed, KeyedLimit):
            raise InvalidInput(f"limits holds {shown(each)}; it must hold what ff.limit(...) returns.")
        if keyed.limit in found:
            raise InvalidInput(f"limits names {keyed.limit!r} twice. An execution has one key of each limit.")
        found[keyed.limit] = keyed
    if len(found) > LIMITS_MAX:
        raise gate_inputs.too_many_limits(len(found))
    return tuple(found.values())


def _budgets(given: object) -> tuple[tuple[str, Mapping[str, int]], ...]:
    if not isinstance(given, Mapping):
        raise InvalidInput(
            f"budgets is {shown(given)}; it must be a mapping of budgets to estimates, such as "
            "{team: {'tokens': 1000}}."
        )
    named = {budget_name(each): estimate for each, estimate in given.items()}
    checked = gate_inputs.gates({}, named, None)
    return () if checked is None else checked.budgets


def call_gates(task: str, options: GateOptions, arguments: Callable[[], Mapping[str, object]]) -> CallGates:
    """The limits and budgets of one call. `arguments` gives all arguments of the call by name."""
    if not options:
        return NO_CALL_GATES
    by_name = arguments() if options.functions else {}
    limits = {
        each.limit: each.key
        if isinstance(each.key, str)
        else _key_of(task, f"the key of limit {each.limit!r}", each.key, by_name)
        for each in options.limits
    }
    fair_by = options.fair_by
    return CallGates(
        limits, None if fair_by is None else _key_of(task, "fair_by", fair_by, by_name), dict(options.budgets)
    )


def _key_of(task: str, what: str, function: Callable[..., str], arguments: Mapping[str, object]) -> str:
    try:
        key: object = function(**arguments)
    except Exception as error:
        raise InvalidInput(
            f"Task {task!r}: {what} could not be made of the arguments: {type(error).__name__}: {error}. The function "
            "takes the arguments of the task, and returns a text."
        ) from error
    if not isinstance(key, str):
        raise InvalidInput(
            f"Task {task!r}: {what} is made by a function, and it returned {shown(key)}. Let it return a text."
        )
    return gate_inputs.limit_key(key, f"Task {task!r}: {what}")
