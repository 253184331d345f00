"""When an execution with several upstreams may run: after all of them, any of them, or a given number of them."""

from typing import Final, Literal

import msgspec

OnSatisfied = Literal["cancel_remaining", "let_run"]
GroupState = Literal["pending", "satisfied", "impossible"]


class AllOf(msgspec.Struct, frozen=True, tag="all_of"):
    """Every upstream must complete. The first one that ends otherwise makes the join impossible."""


class AnyOf(msgspec.Struct, frozen=True, tag="any_of"):
    """One upstream must complete. `on_satisfied` says what happens to the others."""

    on_satisfied: OnSatisfied = "cancel_remaining"


class Quorum(msgspec.Struct, frozen=True, tag="quorum"):
    """`k` upstreams must complete. `on_satisfied` says what happens to the others."""

    k: int
    on_satisfied: OnSatisfied = "cancel_remaining"


Join = AllOf | AnyOf | Quorum

ALL_OF: Final = AllOf()


def state_of(join: Join, total: int, successes: int, losses: int) -> GroupState:
    """The state that follows from how many upstreams completed and how many ended otherwise. Satisfied is tried first.

    A quorum that is larger than the number of upstreams stays pending: more edges may be added.
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
