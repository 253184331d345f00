"""Flows in Python: a `with` block that collects members, and submits them in one transaction when it ends well.

with ff.flow("order") as flow:
    paid = flow.add(charge, order_id=7, cents=990)
    flow.add(receipt, charge_id=paid.output)
"""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, Literal, NamedTuple, ParamSpec, Self, TypeVar, cast

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.outcomes import FlowSubmitted
from flowfabric.runtime.durations import Duration
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.flow_handles import SubmittedFlow
from flowfabric.runtime.handles import Handle
from flowfabric.runtime.outputs import Output, source_of
from flowfabric.runtime.task_options import retention_ms
from flowfabric.runtime.tasks import Bound, Task

P = ParamSpec("P")
R = TypeVar("R")
X = TypeVar("X")


class Node(Handle[R], Generic[R]):
    """A member of a flow: a handle once the flow is submitted, and before that a source of arguments."""

    def __init__(self, task: Task[..., R], flow: "Flow", name: str) -> None:
        super().__init__(task.access, task.name, task.result_in, None, payload_of=task.signal_payload)
        self.name = name
        """The member's name within the flow."""
        self._flow = flow
        self._returns = task.signature.returns

    def __repr__(self) -> str:
        return f"<node {self.name}>"

    @property
    def output(self) -> R:
        """The result that the member will return, or a part (`paid.output["id"]`), as an argument of other members.

        Type checkers see the type of the result. While the flow is built, this is only a placeholder for it.
        """
        return cast("R", Output(self, self._returns))

    def is_of(self, flow: "Flow") -> bool:
        """Whether the node is a member of this flow."""
        return self._flow is flow

    def submitted_as(self, execution_id: str) -> None:
        """The flow calls this when it is submitted: from now on the node is a handle."""
        self._execution_id = execution_id


class _Member(NamedTuple):
    node: Node[Any]
    bound: Bound[Any]
    upstreams: Mapping[str, bool]
    """Upstream members by name, and whether each passes its result on."""


class Flow(SubmittedFlow):
    """A flow that is built in a `with` (or `async with`) block, and a handle on it afterwards."""

    def __init__(
        self,
        access: EngineProvider,
        kind: str,
        *,
        flow_id: str | None = None,
        tags: Mapping[str, str] | None = None,
        command_id: str | None = None,
        retention: Duration | UnsetType | None = UNSET,
    ) -> None:
        self._access = access
        self._kind = inputs.name("kind", kind)
        self._given_id = None if flow_id is None else inputs.flow_id(flow_id)
        self._tags = inputs.tags({} if tags is None else tags)
        self._command_id = inputs.key("command_id", command_id)
        self._retention_ms = retention if retention is UNSET else retention_ms(retention)
        """UNSET: each member has its own retention."""
        self._members: dict[str, _Member] = {}
        self._last_numbers: dict[str, int] = {}
        self._flow_id: str | None = None
        self._phase: Literal["new", "open", "over"] = "new"

    def __repr__(self) -> str:
        return f"<flow {self._kind}: {self._flow_id or 'not submitted'}>"

    # ── building ─────────────────────────────────────────────────────────────────────────────────

    def add(self, task: Task[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Node[R]:
        """A member that runs the task with these arguments.

        The member waits for members whose output is among its arguments, and for those in `task.options(after=[...])`.
        """
        if self._phase != "open":
            raise InvalidInput(
                f"Members are added to a flow inside its block: `with ff.flow({self._kind!r}) as flow:`, once."
            )
        if not isinstance(task, Task):
            raise InvalidInput(f"{shown(task)} is not a task. Decorate the function with @ff.task.")
        if task.access is not self._access:
            raise InvalidInput(f"Task {task.name!r} belongs to another FlowFabric than the flow. Use one for both.")
        if task.call.conn is not None:
            raise InvalidInput(
                f"Task {task.name!r} has conn=, and a flow is submitted in a transaction of its own. Leave conn= out."
            )
        task.check_suits("a member of a flow")
        upstreams = {self._own(each, "after").name: False for each in task.call.after}

        def name_input(output: Output) -> str:
            name = self._own(source_of(output), "an argument").name
            upstreams[name] = True
            return name

        bound = task.bound(task.signature.bind(args, kwargs), name_input)
        if task.call.join is not None and not upstreams:
            raise InvalidInput(
                f"Task {task.name!r} has join={task.call.join!r} and nothing to join. Give it outputs of other members "
                "as arguments, or after=[...]."
            )
        node = Node(task, self, self._free_name(task.name))
        self._members[node.name] = _Member(node, bound, upstreams)
        return node

    def map(
        self, task: Task[Concatenate[X, P], R], items: Iterable[X], /, *args: P.args, **kwargs: P.kwargs
    ) -> list[Node[R]]:
        """One member per item. The item is its first argument; further arguments are the same for all members."""
        add: Any = self.add
        return [add(task, item, *args, **kwargs) for item in items]

    def _own(self, node: object, what: str) -> Node[Any]:
        if not isinstance(node, Node) or not node.is_of(self):
            raise InvalidInput(
                f"{what} names {shown(node)}, which is not a member of this flow. Add it with flow.add(...)."
            )
        return node

    def _free_name(self, wanted: str) -> str:
        if wanted not in self._members:
            return wanted
        number = self._last_numbers.get(wanted, 1) + 1
        while (name := f"{wanted[:100]}-{number}") in self._members:
            number += 1
        self._last_numbers[wanted] = number
        return name

    # ── submitting ───────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._phase = "over"
        if kind is None:
            self._take(self._access.run(self._submit))

    async def __aenter__(self) -> Self:
        self._open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._phase = "over"
        if kind is None:
            self._take(await self._submit(await self._access.engine()))

    def _open(self) -> None:
        if self._phase != "new":
            raise InvalidInput(f"This flow was built before. Start another with ff.flow({self._kind!r}).")
        self._phase = "open"

    async def _submit(self, engine: CallerEngine) -> FlowSubmitted:
        if not self._members:
            raise InvalidInput(
                f"The flow {self._kind!r} has no members, so it could never end. Nothing was submitted; add a member, "
                "or do not begin the block."
            )
        now_ms = 0
        if any(member.bound.needs_time for member in self._members.values()):
            now_ms = await engine.server_time_ms()
        graph = self._graph(now_ms)
        gates = next(iter(self._members.values())).bound.task.gates
        return await gates.stated(engine, lambda: engine.submit_flow(graph, command_id=self._command_id))

    def _graph(self, now_ms: int) -> FlowGraph:
        graph = FlowGraph(self._kind, flow_id=self._given_id, tags=self._tags)
        for name, member in self._members.items():
            creation = member.bound.creation(now_ms)
            if self._retention_ms is not UNSET:
                creation = replace(creation, policy=replace(creation.policy, retention_ms=self._retention_ms))
            graph.nodes[name] = creation
        for name, member in self._members.items():
            for upstream, passes_result in member.upstreams.items():
                graph.edge(upstream, name, pass_result_as=upstream if passes_result else None)
            join = member.bound.task.call.join
            if join is not None:
                graph.join(name, join)
        return graph

    def _take(self, submitted: FlowSubmitted) -> None:
        self._flow_id = submitted.flow_id
        for name, execution_id in submitted.execution_ids.items():
            self._members[name].node.submitted_as(execution_id)

    # ── after the submit ─────────────────────────────────────────────────────────────────────────

    @property
    def flow_id(self) -> str:
        """The flow's id, once it is submitted."""
        if self._flow_id is None:
            raise InvalidInput(
                f"The flow {self._kind!r} is not submitted: that happens at the end of its `with` block."
            )
        return self._flow_id

    @property
    def nodes(self) -> Sequence[Node[Any]]:
        """The members of the flow, in the order in which they were added."""
        return [member.node for member in self._members.values()]
