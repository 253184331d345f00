"""Children: executions that an attempt of another execution has made, and the groups in which their parent counts them.

Parent and children share a partition. The id of a child follows from its parent and its place, so every attempt of the
parent makes the same children.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Final

import msgspec

from flowfabric.domain.ids import ExecutionId, make_execution_id, partition_in, uuid_from_hex

DEPTH_MAX: Final = 16
"""How deep children nest: an execution without a parent has depth 0."""
CHILDREN_MAX: Final = 10_000
"""How many children one life of an execution has at most."""
GROUP_MAX: Final = 1_000
"""How many children one group has at most: they are made in one command."""
GROUPS_KEPT: Final = 64
"""From so many groups on, a parent forgets those whose children have all succeeded."""


class ChildPlace(msgspec.Struct, frozen=True, gc=False):
    """The place of a child among the children of its parent."""

    group: str
    index: int
    """Its place in the group, from 0 on."""
    life: int
    """The life of its parent's inbox that has made it."""
    depth: int
    """How many ancestors it has."""


class ChildGroup(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How many children of a group have ended."""

    name: str
    total: int
    kinds: str
    """What its children are, so that another group of the same name is noticed."""
    succeeded: int = 0
    failed: int = 0
    """Children that have ended in any other way."""
    after_step: int = 0
    """The number of the parent's last step when the group was made or counted afresh. The end of a wait that was stored
    up to then knows nothing about this group."""

    @property
    def is_over(self) -> bool:
        """Whether all of its children have ended."""
        return self.succeeded + self.failed >= self.total


@dataclass(frozen=True)
class Children:
    """The end of all children of these groups. Workers wait for it; nobody else makes it.

    With `all_ended=False`, the first child that does not succeed ends the wait, too.
    """

    names: tuple[str, ...]
    all_ended: bool = False


def kinds_of(kinds: Sequence[str]) -> str:
    """The kinds of the children of a group, in their order, as a short text."""
    return blake2b("\0".join(kinds).encode(), digest_size=8).hexdigest()


def with_group(groups: Sequence[ChildGroup], group: ChildGroup) -> tuple[ChildGroup, ...]:
    """The groups with this one, in the place of the group of its name. If there are many, some are forgotten."""
    if any(each.name == group.name for each in groups):
        return _remembered([group if each.name == group.name else each for each in groups])
    return _remembered([*groups, group])


def _remembered(groups: Sequence[ChildGroup]) -> tuple[ChildGroup, ...]:
    if len(groups) <= GROUPS_KEPT:
        return tuple(groups)
    return tuple(group for group in groups if group.succeeded < group.total)


def child_id(parent_id: ExecutionId, life: int, group: str, index: int) -> ExecutionId:
    """The id of a child. In the order of their ids, the children of a group are in the order of their places."""
    # Only the last part may hold a NUL, so different parts never make the same text.
    of_group = f"child\0{parent_id}\0{life}\0{group}"
    first = sha256(of_group.encode()).hexdigest()[:8]
    rest = sha256(f"{of_group}\0{index}".encode()).hexdigest()
    # Version 8 is the version of uuids that a program derives in its own way.
    digits = f"{first}{index:04x}8{rest[13:16]}{8 | int(rest[16], 16) & 3:x}{rest[17:32]}"
    return make_execution_id(partition_in(parent_id), uuid_from_hex(digits))


@lru_cache(maxsize=16)
def child_ids(parent_id: ExecutionId, life: int, group: str, total: int) -> tuple[ExecutionId, ...]:
    """The ids of all children of a group, in the order of their places."""
    return tuple(child_id(parent_id, life, group, index) for index in range(total))


def are_over(names: Iterable[str], groups: Iterable[ChildGroup], *, all_ended: bool) -> bool:
    """Whether the children of these groups have ended, or one has failed and not all need to have ended.

    A group that is not among `groups` has no child that is still awaited.
    """
    known = {group.name: group for group in groups}
    named = [known[name] for name in names if name in known]
    return all(group.is_over for group in named) or (not all_ended and any(group.failed for group in named))
