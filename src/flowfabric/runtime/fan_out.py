"""Children of an attempt: how its code makes them, waits for them, and gets their results.

The results are stored as a step of the parent, so later attempts need not look at the children again. A failure is not
stored: after a replay of the parent its children may have succeeded.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.children import CHILDREN_MAX, GROUP_MAX, Children
from flowfabric.domain.conditions import stored
from flowfabric.domain.creation import NewChild, NewExecution
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.limits import LIMIT_NUMBER_MAX, siblings_limit
from flowfabric.domain.snapshots import EndSnapshot, Failure
from flowfabric.runtime.codecs import Codec, decoded
from flowfabric.runtime.steps import StepShelf
from flowfabric.runtime.wait_desk import Wait

if TYPE_CHECKING:
    from flowfabric.runtime.handles import Handle
    from flowfabric.runtime.tasks import Bound, Task

_NO_LIMIT: Final[Mapping[str, str]] = {}
PIECE_BYTES: Final = 256 * 1024
"""How many bytes of results one step holds, roughly. Further results are steps of their own."""
GONE: Final = "gone"
"""The outcome of a child that has been removed before its parent has read its result."""


class ChildFailed(Exception):
    """A child did not succeed. `outcome` is how it ended, such as `failed` or `cancelled`, and `failure` says why.

    A retry of the parent would raise this again, so no retry follows it. A replay of the parent brings the child back.
    """

    def __init__(self, handle: "Handle[Any]", outcome: str, failure: Failure | None) -> None:
        why = "" if failure is None else f": {failure.code}" + (f", {failure.message}" if failure.message else "")
        super().__init__(f"Child {handle.execution_id} is {outcome}{why}")
        self.handle = handle
        self.outcome = outcome
        self.failure = failure


class ChildEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a child has ended, as it is stored with its parent."""

    execution_id: str
    state: str
    result: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"null"))
    """JSON, before the codec has encoded it."""
    failure: Failure | None = None

    @property
    def has_succeeded(self) -> bool:
        """Whether it has a result."""
        return self.state == "completed"


class ChildEnds(msgspec.Struct, frozen=True):
    """The ends of the children of one call, or the first of them."""

    ends: list[ChildEnd]
    pieces: int = 1
    """How many steps hold all of them."""


class ChildDesk(StepShelf, Protocol):
    """Makes the children of one attempt. `..._sync` is for threads that run no event loop."""

    async def make_children(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """Make a group of children, or find it. Returns their ids."""

    async def child_ends(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """How these children have ended, with their results."""

    def make_children_sync(self, name: str, items: Sequence[NewChild]) -> Sequence[str]:
        """The same as `make_children`."""

    def child_ends_sync(self, execution_ids: Sequence[str]) -> Sequence[ChildEnd]:
        """The same as `child_ends`."""


class FanOut:
    """One call of `run` or `map`: the children that it makes, and what it returns."""

    def __init__(
        self,
        name: str,
        task: "Task[..., Any]",
        calls: "Iterable[Bound[Any]]",
        now_ms: int,
        *,
        returns_failures: bool,
        at_a_time: Mapping[str, str] = _NO_LIMIT,
    ) -> None:
        self.name = inputs.name("name", name)
        self._task = task
        self._returns_failures = returns_failures
        self._items = [_child_of(call.creation(now_ms), at_a_time) for call in calls]
        if len(self._items) > CHILDREN_MAX:
            raise InvalidInput(
                f"{self.name!r} has {len(self._items)} items; the limit of children of one execution is "
                f"{CHILDREN_MAX}. Give each child a part of the items, and let it make children of its own."
            )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self._items

    @property
    def groups(self) -> "list[tuple[str, list[NewChild]]]":
        """The groups in which the children are made, each under a name of its own."""
        starts = range(0, len(self._items), GROUP_MAX)
        return [
            (self.name if not start else f"{self.name}[{start // GROUP_MAX + 1}]", self._items[start:][:GROUP_MAX])
            for start in starts
        ]

    @property
    def wait(self) -> Wait:
        """The wait for all of them."""
        names = tuple(name for name, _ in self.groups)
        condition = stored(Children(names, all_ended=self._returns_failures))
        return Wait(f"{self.name} (children)", condition, reason="waiting_for_children")

    @property
    def arguments(self) -> tuple[str, str, bool]:
        """What distinguishes this call from another one of the same name."""
        digest = blake2b(digest_size=16)
        for item in self._items:
            digest.update(len(item.payload).to_bytes(8, "big") + item.payload)
        return self._task.name, digest.hexdigest(), self._returns_failures

    def checked(self, ends: Sequence[ChildEnd]) -> Sequence[ChildEnd]:
        """The ends, if they may be returned. Otherwise raises the first failure, in the order of the items."""
        if self._returns_failures:
            return ends
        lost = [end for end in ends if not end.has_succeeded]
        if lost:
            # Children that were not asked to stop may still run beside the one that has failed.
            raise self._failure_of(next((end for end in lost if end.failure is not None or _is_over(end)), lost[0]))
        return ends

    def values_in(self, ends: Sequence[ChildEnd]) -> list[Any]:
        """What the call returns: the results of the children, and failures among them if they are wanted."""
        signature = self._task.signature
        return [signature.result_in(bytes(end.result)) if end.has_succeeded else self._failure_of(end) for end in ends]

    def _failure_of(self, end: ChildEnd) -> ChildFailed:
        return ChildFailed(self._task.handle(end.execution_id), end.state, end.failure)


def siblings(execution_id: str, name: str, concurrency: int | None) -> Mapping[str, str]:
    """The limit of children of one call that run at a time. Its key is the call, so that no other work counts."""
    if concurrency is None:
        return _NO_LIMIT
    number = inputs.integer("concurrency", concurrency, 1, LIMIT_NUMBER_MAX)
    return {siblings_limit(number): f"{execution_id}/{name}"}


def _child_of(creation: NewExecution, at_a_time: Mapping[str, str]) -> NewChild:
    return NewChild(
        kind=creation.kind,
        payload=creation.payload,
        lane=creation.lane,
        priority=creation.priority,
        delay_until_ms=creation.delay_until_ms,
        deadline_at_ms=creation.deadline_at_ms,
        required_capabilities=tuple(creation.required_capabilities),
        policy=creation.policy,
        tags=dict(creation.tags),
        limits={**creation.limits, **at_a_time},
        fair_key=creation.fair_key,
        budgets=dict(creation.budgets),
    )


def end_of(execution_id: str, end: EndSnapshot | None, codec: Codec) -> ChildEnd:
    """How a child has ended, with its result as it was before the codec encoded it."""
    if end is None:
        return ChildEnd(execution_id, GONE)
    state = end.execution.public_state
    if state != "completed" or end.result is None:
        return ChildEnd(execution_id, state, failure=end.execution.failure)
    return ChildEnd(execution_id, state, msgspec.Raw(decoded(codec, end.result, f"the result of child {execution_id}")))


def _is_over(end: ChildEnd) -> bool:
    return end.state in ("failed", "cancelled", "expired", "skipped", GONE)


# ── pieces ───────────────────────────────────────────────────────────────────────────────────────


def in_pieces(ends: Sequence[ChildEnd]) -> list[list[ChildEnd]]:
    """The ends in pieces. Each piece fits into one step, unless a single result is too large."""
    pieces: list[list[ChildEnd]] = [[]]
    size = 0
    for end in ends:
        adds = len(bytes(end.result)) + (0 if end.failure is None else len(str(end.failure))) + 200
        if pieces[-1] and size + adds > PIECE_BYTES:
            pieces.append([])
            size = 0
        pieces[-1].append(end)
        size += adds
    return pieces


def piece_name(name: str, number: int) -> str:
    """The name of the step that holds a piece."""
    return f"{name} (part {number})"


def packed(ends: Sequence[ChildEnd]) -> bytes:
    """A piece as it is stored."""
    return msgspec.json.encode(ends)


_ENDS: Final = msgspec.json.Decoder(list[ChildEnd])


def unpacked(data: bytes) -> list[ChildEnd]:
    """A piece that was stored."""
    return _ENDS.decode(data)
