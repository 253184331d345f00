"""Named steps of an execution: one attempt has done them, and the next attempts need not do them again."""

from collections.abc import Iterable
from heapq import merge
from typing import Final, Literal, Protocol, TypeVar, get_args

import msgspec

from flowfabric.domain.ids import ExecutionId

StepsRule = Literal["keep", "clear"]
"""What a replay does with the steps that are stored."""
STEPS_RULES: Final[tuple[StepsRule, ...]] = get_args(StepsRule)


def rule_after(outcome: str, steps: StepsRule | None) -> StepsRule:
    """What a replay does with stored steps. By default an execution that completed starts anew; any other goes on."""
    if steps is not None:
        return steps
    return "clear" if outcome == "success" else "keep"


class Step(msgspec.Struct, frozen=True, gc=False):
    """The stored result of one step. It stays until a replay clears it, or the execution is purged."""

    execution_id: ExecutionId
    name: str
    fingerprint: bytes
    """The fingerprint of the step's arguments. The same name with other arguments is a different step."""
    result: bytes
    attempt_index: int
    recorded_at_ms: int
    number: int | None = None
    """Its place among the steps of its execution; None: stored by a release that did not number them."""
    is_wait: bool = False
    """Whether it is the end of a wait. Then its result is a packed `WaitOver`."""
    tries: int = 1
    """How often the attempt that stored it had called its function."""
    lease_epoch: int | None = None
    """The lease under which it was stored. None: it is the end of a wait, or an older release has stored it."""


NO_STEP: Final = ""
"""A name that no step has. If a batch asks for this step, the number of the last step is loaded, and nothing else."""


class Placed(Protocol):
    """The fields that give the place of a step."""

    @property
    def name(self) -> str:
        """The step's name."""

    @property
    def recorded_at_ms(self) -> int:
        """When it was stored."""

    @property
    def number(self) -> int | None:
        """Its number, if it has one."""


S = TypeVar("S", bound=Placed)


class StepPlace(msgspec.Struct, frozen=True, gc=False):
    """The place of a step, without its result."""

    name: str
    recorded_at_ms: int
    number: int | None


def in_stored_order(steps: Iterable[S]) -> list[S]:
    """The steps, first to last.

    Numbers decide the order. Steps without a number are sorted by their times, and by their names within one instant.
    If an older release and a newer one have both stored steps, times decide how the two orders are merged.
    """
    by_number: list[tuple[int, S]] = []
    by_time: list[S] = []
    for step in steps:
        if step.number is None:
            by_time.append(step)
        else:
            by_number.append((step.number, step))
    numbered = [step for _, step in sorted(by_number, key=_number)]
    if not by_time:
        return numbered
    by_time.sort(key=_time_and_name)
    return list(merge(by_time, numbered, key=_time))


def _time(step: Placed) -> int:
    return step.recorded_at_ms


def _time_and_name(step: Placed) -> tuple[int, str]:
    return step.recorded_at_ms, step.name


def _number(numbered: tuple[int, object]) -> int:
    return numbered[0]
