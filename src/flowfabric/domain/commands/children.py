"""The command with which a worker makes children of the execution that it runs."""

from collections.abc import Mapping

import msgspec

from flowfabric.domain.commands.command import Command
from flowfabric.domain.gates import Gates
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Created, Duplicate
from flowfabric.domain.policies import ExecutionPolicy


class ChildCreation(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A child to be made. Its id follows from its place, and its namespace is that of its parent."""

    kind: str
    payload: bytes
    lane: str
    priority: int
    delay_until_ms: int | None
    deadline_at_ms: int | None
    required_capabilities: tuple[str, ...]
    policy: ExecutionPolicy
    tags: Mapping[str, str]
    gates: Gates | None = None
    """The limits and budgets that it must pass at each claim."""


class CreateChildren(Command[list[Created | Duplicate]], frozen=True, tag=True, gc=False):
    """Make a group of children, once: all of them or none."""

    fence: Fence
    name: str
    items: tuple[ChildCreation, ...]
