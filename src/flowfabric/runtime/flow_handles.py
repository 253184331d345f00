"""Handles on submitted flows: to wait for a flow, inspect it, cancel it and replay it.

Each verb is written once, as a coroutine over an engine; `..._sync` runs the same coroutine in the caller's thread.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, Never, cast

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, NotFound
from flowfabric.domain.flow import FlowState
from flowfabric.domain.flow_snapshots import FlowSnapshot
from flowfabric.domain.outcomes import FlowAlreadyTerminal, FlowReplayed
from flowfabric.domain.snapshots import ExecutionSnapshot
from flowfabric.domain.steps import StepsRule
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.handles import CANCEL_REASON, Handle, check_may_wait
from flowfabric.runtime.tasks import Task

MEMBERS_AT_ONCE: Final = 1000

What = Literal["failed", "all"] | Sequence["str | Handle[Any]"]
"""Which members are replayed: those that did not complete, all, or these and everything downstream of them."""


class SubmittedFlow(ABC):
    """The verbs of a submitted flow: wait, describe, cancel, replay."""

    _access: EngineProvider

    @property
    @abstractmethod
    def flow_id(self) -> str:
        """The flow's id."""

    # ── following ────────────────────────────────────────────────────────────────────────────────

    async def state(self) -> FlowState:
        """The flow's state now."""
        return (await self.describe()).state

    def state_sync(self) -> FlowState:
        """`state` for synchronous code."""
        return self.describe_sync().state

    async def describe(self) -> FlowSnapshot:
        """Everything known about the flow now, and for what its members wait."""
        return await self._describe(await self._access.engine())

    def describe_sync(self) -> FlowSnapshot:
        """`describe` for synchronous code."""
        return self._access.run(self._describe)

    async def _describe(self, engine: CallerEngine) -> FlowSnapshot:
        found = await engine.describe_flow(self.flow_id)
        if found is None:
            raise NotFound("flow", f"There is no flow {self.flow_id} (any more). Check its retention.")
        return found

    async def wait(self, timeout: Duration | None = None) -> FlowState:
        """Wait until all members have ended, and return the flow's state.

        Raises TimeoutError if that takes too long.
        """
        return await self._wait(await self._access.engine(), timeout)

    def wait_sync(self, timeout: Duration | None = None) -> FlowState:
        """`wait` for synchronous code."""
        check_may_wait("wait")
        return self._access.run(lambda engine: self._wait(engine, timeout))

    async def _wait(self, engine: CallerEngine, timeout: Duration | None) -> FlowState:
        timeout_ms = None if timeout is None else milliseconds("timeout", timeout)
        return (await engine.wait_for_flow(self.flow_id, timeout_ms=timeout_ms)).state

    async def _listed(self, engine: CallerEngine) -> list[ExecutionSnapshot]:
        """All members, oldest first."""
        members: list[ExecutionSnapshot] = []
        cursor = None
        while True:
            page = await engine.list_executions(flow_id=self.flow_id, cursor=cursor, limit=MEMBERS_AT_ONCE)
            members += cast("Sequence[ExecutionSnapshot]", page.items)
            cursor = page.next_cursor
            if cursor is None:
                return members[::-1]

    # ── cancelling ───────────────────────────────────────────────────────────────────────────────

    async def cancel(self, reason: str = CANCEL_REASON, *, wait: bool = False) -> bool:
        """End the flow and all its members for good. False: the flow had ended in another way before.

        With `wait`, this returns once every worker has acknowledged that its code has stopped, or is lost.
        """
        return await self._cancel(await self._access.engine(), reason, wait)

    def cancel_sync(self, reason: str = CANCEL_REASON, *, wait: bool = False) -> bool:
        """`cancel` for synchronous code."""
        return self._access.run(lambda engine: self._cancel(engine, reason, wait))

    async def _cancel(self, engine: CallerEngine, reason: str, wait: bool) -> bool:
        answer = await engine.cancel_flow(self.flow_id, reason=reason, wait=wait)
        return not isinstance(answer, FlowAlreadyTerminal) or answer.stored_cancellation_policy is not None

    # ── replaying ────────────────────────────────────────────────────────────────────────────────

    async def replay(self, what: What = "failed", *, steps: StepsRule | None = None) -> FlowReplayed:
        """Bring members back to life in one transaction, also members of a cancelled flow.

        Without arguments it replays the members that did not complete, including skipped ones; they keep stored steps.
        """
        return await self._replay(await self._access.engine(), what, steps)

    def replay_sync(self, what: What = "failed", *, steps: StepsRule | None = None) -> FlowReplayed:
        """`replay` for synchronous code."""
        return self._access.run(lambda engine: self._replay(engine, what, steps))

    async def _replay(self, engine: CallerEngine, what: What, steps: StepsRule | None) -> FlowReplayed:
        return await engine.replay_flow(self.flow_id, what=_with_ids(what), steps=steps)


def _with_ids(what: Any) -> Any:
    """The same with ids instead of handles. The engine refuses wrong values."""
    if not isinstance(what, (list, tuple)):
        return what
    return [each.execution_id if isinstance(each, Handle) else each for each in what]


class FlowHandle(SubmittedFlow):
    """A flow that was submitted before, here or elsewhere: `await ff.flow_handle(flow_id).wait(timeout=30)`."""

    def __init__(self, access: EngineProvider, flow_id: str, tasks: Mapping[str, Task[..., Any]]) -> None:
        self._access = access
        self._flow_id = inputs.flow_id(flow_id)
        self._tasks = tasks

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._flow_id}>"

    @property
    def flow_id(self) -> str:
        """The flow's id."""
        return self._flow_id

    async def nodes(self) -> dict[str, Handle[Any]]:
        """The members by the names of their nodes, in the order in which they were added.

        Members that were added to the flow one by one have no name, and are left out.
        """
        return await self._nodes(await self._access.engine())

    def nodes_sync(self) -> dict[str, Handle[Any]]:
        """`nodes` for synchronous code."""
        return self._access.run(self._nodes)

    async def _nodes(self, engine: CallerEngine) -> dict[str, Handle[Any]]:
        await self._describe(engine)
        members = await self._listed(engine)
        return {x.node: self._handle_on(x) for x in members if x.node is not None}

    async def node(self, name: str) -> Handle[Any]:
        """The member with this name."""
        return self._named(name, await self.nodes())

    def node_sync(self, name: str) -> Handle[Any]:
        """`node` for synchronous code."""
        return self._named(name, self.nodes_sync())

    def _named(self, name: str, nodes: Mapping[str, Handle[Any]]) -> Handle[Any]:
        if name not in nodes:
            there_are = ", ".join(map(repr, list(nodes)[:20])) or "none with a name"
            raise NotFound("node", f"Flow {self._flow_id} has no node {name!r}. There are {there_are}.")
        return nodes[name]

    def _handle_on(self, x: ExecutionSnapshot) -> Handle[Any]:
        task = self._tasks.get(x.kind)
        if task is None:
            return Handle(self._access, x.kind, partial(_read_without, x.kind), x.execution_id)
        return task.handle(x.execution_id)


def _read_without(kind: str, data: bytes | None) -> Never:
    """Refuse to read a result whose task is unknown here: only the task knows the type of its results."""
    raise InvalidInput(
        f"There is no task {kind!r} in this program, so its result cannot be read. Import the module that "
        "defines it, or read the bytes with the engine's get_result."
    )
