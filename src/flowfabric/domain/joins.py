"""When an execution with several upstreams may run: all of them, any of them, or so many of them."""

from typing import Final, Literal

import msgspec

OnSatisfied = Literal["cancel_remaining", "let_run"]
GroupState = Literal["pending", "satisfied", "impossible"]


class AllOf(msgspec.Struct, frozen=True, tag="all_of"):
    """Every upstream must complete. The first that does not makes the join impossible."""


class AnyOf(msgspec.Struct, frozen=True, tag="any_of"):
    """One upstream must complete; what becomes of the others is said by `on_satisfied`."""

    on_satisfied: OnSatisfied = "cancel_remaining"


class Quorum(msgspec.Struct, frozen=True, tag="quorum"):
    """So many upstreams must complete; what becomes of the others is said by `on_satisfied`."""

    k: int
    on_satisfied: OnSatisfied = "cancel_remaining"


Join = AllOf | AnyOf | Quorum

ALL_OF: Final = AllOf()


def state_of(join: Join, total: int, successes: int, losses: int) -> GroupState:
    """What follows from how many upstreams completed, and how many ended otherwise. Satisfied is decided first.

    A quorum of more than there are upstreams waits: further edges may come.
    """
    if total == 0:
        return "pending"
    match join:
        case AllOf():
            if successes == total:
                return "satisfied"
            return "impossible" if losses else "pending"
        case AnyOf():
            if successes:
                return "satisfied"
            return "impossible" if losses >= total else "pending"
        case Quorum():
            if successes >= join.k:
                return "satisfied"
            return "impossible" if total >= join.k > total - losses else "pending"


def cancels_the_rest(join: Join) -> bool:
    """Whether upstreams that are no longer needed are cancelled once the join is decided."""
    return not isinstance(join, AllOf) and join.on_satisfied == "cancel_remaining"
