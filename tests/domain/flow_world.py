"""A world of flows in dictionaries: commands are decided on it one batch at a time, without an engine and a store."""

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Self

from flowfabric.domain.batch_io import Changes, Loaded, StepKey
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    Complete,
    CreateExecution,
    CreateFlow,
    Envelope,
    Fail,
    HandleDue,
    NewEdge,
    SubmitFlow,
)
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.execution import Execution, due_of
from flowfabric.domain.flow import EdgeGroup, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.joins import Join
from flowfabric.domain.lease import Fence
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.states import TerminalOutcome
from flowfabric.domain.steps import Step, StepPlace, in_stored_order
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE, Answers, a_claim, fence_of, find_candidates

FLOW = FlowId(uuid_from_hex("f" * 32))


@cache
def member_id(name: str, flow_id: FlowId = FLOW) -> ExecutionId:
    """The id of the member of that name; names sort as their ids do."""
    return make_execution_id(flow_partition(flow_id), uuid_from_hex(name.encode().hex().ljust(32, "0")))


def member(
    name: str,
    *,
    flow_id: FlowId = FLOW,
    delay_until_ms: int | None = None,
    deadline_at_ms: int | None = None,
    policy: ExecutionPolicy = DEFAULT_POLICY,
) -> CreateExecution:
    """A member with a lane of its own, so that it can be claimed by its name."""
    return CreateExecution(
        member_id(name, flow_id),
        True,
        "work",
        b"payload",
        name,
        "default",
        0,
        delay_until_ms,
        deadline_at_ms,
        None,
        1000,
        (),
        policy,
        {},
    )


def edge(upstream: str, downstream: str, *, pass_result_as: str | None = None, edge_id: str | None = None) -> NewEdge:
    """An edge between two members, by their names."""
    key = f"{upstream}>{downstream}" if edge_id is None else edge_id
    return NewEdge(key, member_id(upstream), member_id(downstream), pass_result_as)


def submission(
    members: Iterable[CreateExecution], edges: Iterable[NewEdge], joins: Mapping[str, Join] | None = None
) -> SubmitFlow:
    """A flow of these members, submitted at once."""
    return SubmitFlow(
        CreateFlow(FLOW, True, "work", "default", {}),
        tuple((each.lane, each) for each in members),
        tuple(edges),
        tuple((member_id(name), join) for name, join in (joins or {}).items()),
    )


class World:
    """Everything there is, and what was broken on the way."""

    def __init__(self) -> None:
        self.now_ms = NOW
        self.loaded = Loaded()
        self.attempts: dict[Any, Any] = {}
        self.steps: dict[StepKey, Step] = {}
        self.events: list[Any] = []
        self.broken: list[str] = []

    def fork(self) -> Self:
        """The same world, from where it goes on by itself."""
        other = type(self)()
        other.now_ms = self.now_ms
        other.steps = dict(self.steps)
        other.attempts, other.events, other.broken = dict(self.attempts), list(self.events), list(self.broken)
        for field in Loaded.__struct_fields__:
            setattr(other.loaded, field, getattr(self.loaded, field).copy())
        return other

    def decide(self, *commands: AnyCommand) -> Answers:
        """Decide the commands as one batch, and keep what they change."""
        answers, changes = self._decided(commands)
        self.broken += violations(changes, self.now_ms)
        self._keep(changes)
        return answers

    def changed(self, *commands: AnyCommand) -> Changes:
        """What the commands would change."""
        return self._decided(commands)[1]

    def _decided(self, commands: Sequence[AnyCommand]) -> tuple[Answers, Changes]:
        batch = [Envelope(command) for command in commands]
        wanted = needs(batch)
        while True:
            find_candidates(self.loaded, wanted, self.loaded.executions)
            ws = WorkingSet(self.loaded, wanted, now_ms=self.now_ms, store=STORE)
            answers = apply_batch(ws, batch)
            if ws.missing.is_empty:
                return answers, ws.changes()
            wanted.add(ws.missing)

    def _keep(self, changes: Changes) -> None:
        loaded = self.loaded
        loaded.candidates.clear()
        loaded.executions.update((x.execution_id, x) for _, x in changes.executions if x is not None)
        loaded.payloads.update(changes.payloads)
        loaded.flows.update((flow.flow_id, flow) for _, flow in changes.flows if flow is not None)
        for before, after in changes.edges:
            loaded.edges[after.key] = after
            if before is None:
                for at, end in ((loaded.outgoing, after.upstream), (loaded.incoming, after.downstream)):
                    at[end] = list(at.get(end, ()))
                    insort(at[end], after.key)
                loaded.passing[after.downstream] = [
                    key for key in loaded.incoming[after.downstream] if loaded.edges[key].pass_result_as is not None
                ]
        for _, x in changes.executions:
            if x is not None and x.flow_id is not None:
                for at in (loaded.outgoing, loaded.incoming, loaded.passing):
                    at.setdefault(x.execution_id, [])
                known = loaded.members.get(FlowId(x.flow_id), [])
                if x.execution_id not in known:
                    loaded.members[FlowId(x.flow_id)] = sorted([*known, x.execution_id])
        loaded.groups.update((group.downstream, group) for _, group in changes.groups)
        for flow_id in changes.dropped_cancels:
            loaded.cancelled_members.pop(flow_id, None)
            loaded.backlogs.pop(flow_id, None)
            for key in [key for key in loaded.acks if key[0] == flow_id]:
                del loaded.acks[key]
        loaded.cancelled_members.update(changes.cancelled_members)
        for table, changed in (
            (loaded.results, changes.results),
            (loaded.backlogs, changes.backlogs),
            (loaded.acks, changes.acks),
        ):
            for key, value in changed.items():
                if value is None:
                    table.pop(key, None)
                else:
                    table[key] = value
        self._keep_steps(changes)
        self.attempts.update(changes.attempts)
        self.events += changes.events

    def _keep_steps(self, changes: Changes) -> None:
        gone = {*changes.dropped_steps, *(key for key in self.steps if key[0] in changes.cleared_steps)}
        self.steps = {key: step for key, step in self.steps.items() if key not in gone} | dict(changes.steps)
        self.loaded.steps = self.steps
        for key in {key for key, _ in (*gone, *changes.steps)}:
            steps = in_stored_order(step for at, step in self.steps.items() if at[0] == key)
            self.loaded.step_places[key] = [StepPlace(step.name, step.recorded_at_ms, step.number) for step in steps]
            self.loaded.last_step_numbers[key] = max((step.number or 0 for step in steps), default=0)

    # ── looking ──────────────────────────────────────────────────────────────────────────────────

    def find(self, name: str) -> Execution:
        return self.loaded.executions[member_id(name)]

    def state(self, name: str) -> str:
        return self.find(name).public_state

    def group(self, name: str) -> EdgeGroup:
        return self.loaded.groups[member_id(name)]

    @property
    def flow(self) -> Flow:
        return self.loaded.flows[FLOW]

    def at_rest(self) -> list[str]:
        """What is broken in what there is now."""
        return violations_at_rest(self.contents(), self.now_ms)

    def contents(self) -> Contents:
        """Everything there is now."""
        loaded = self.loaded
        return Contents(
            executions=list(loaded.executions.values()),
            attempts=list(self.attempts.values()),
            events=[_numbered(event, number) for number, event in enumerate(self.events, 1)],
            with_result={
                key for key, generation in loaded.results if generation == loaded.executions[key].replay_count
            },
            flows=list(loaded.flows.values()),
            edges=list(loaded.edges.values()),
            groups=list(loaded.groups.values()),
            backlogs=list(loaded.backlogs.values()),
            acks=list(loaded.acks.values()),
        )

    # ── what happens to a member, by its name ────────────────────────────────────────────────────

    def claim(self, *names: str) -> None:
        self.decide(*(a_claim(lanes=(name,)) for name in names))

    def end(self, name: str, how: TerminalOutcome) -> None:
        """Bring a runnable or active member to that end."""
        x = self.find(name)
        if how in ("success", "failed") and x.lifecycle_phase != "active":
            self.decide(a_claim(lanes=(name,)), _end_of(x, how, fence_of(x, epoch=1)))
        else:
            self.decide(_end_of(x, how, fence_of(x)))
        assert self.find(name).terminal_outcome == how


def _end_of(x: Execution, how: TerminalOutcome, fence: Fence) -> AnyCommand:
    if how == "success":
        return Complete(fence, x.lane.encode())
    if how == "failed":
        return Fail(fence, "boom", "", False, None)
    if how == "cancelled":
        return CancelExecution(x.execution_id, "not wanted", "operator_override", None)
    assert how == "expired"
    due = due_of(x)
    assert due is not None
    return HandleDue(due)


def _numbered(event: Any, number: int) -> Any:
    return type(event)(number, *(getattr(event, field) for field in event.__struct_fields__[1:]))


def names(prefix: str, count: int) -> Sequence[str]:
    """That many names."""
    return [f"{prefix}{number}" for number in range(count)]
