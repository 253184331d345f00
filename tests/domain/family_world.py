"""A parent and its children, in a memory store. Every batch is checked, and so is the store after it."""

from typing import Any

from flowfabric.domain.children import Children, child_id
from flowfabric.domain.commands import (
    CancelExecution,
    ChildCreation,
    Complete,
    CreateChildren,
    Fail,
    HandleDue,
    PassOnEnd,
    ReplayExecution,
)
from flowfabric.domain.execution import Execution, due_of
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.records import a_claim
from tests.domain.waiting_world import WaitingWorld

LANE = "children"


def a_child(kind: str = "page", *, lane: str = LANE, policy: ExecutionPolicy | None = None) -> ChildCreation:
    return ChildCreation(kind, b"item", lane, 0, None, None, (), policy or ExecutionPolicy(), {})


class FamilyWorld(WaitingWorld):
    """A parent that runs, and shorter ways to send commands about its children, which have a lane of their own."""

    def children_command(self, number: int, name: str = "page", **how: Any) -> CreateChildren:
        return CreateChildren(self.fence, name, tuple(a_child(**how) for _ in range(number)))

    def make(self, number: int, name: str = "page", **how: Any) -> list[Any]:
        answers = self.one(self.children_command(number, name, **how))
        assert isinstance(answers, list)
        return answers

    def wait_for(self, *names: str, all_ended: bool = False, suspends: bool = True, wait: str = "wait") -> Any:
        condition = Children(names or ("page",), all_ended)
        return self.suspend(condition, wait) if suspends else self.open_wait(condition, wait)

    def id_of(self, index: int, name: str = "page") -> ExecutionId:
        return child_id(self.x_id, self.inbox.life, name, index)

    def child(self, index: int, name: str = "page") -> Execution:
        found = self.store.execution(self.id_of(index, name))
        assert found is not None
        return found

    @property
    def live(self) -> list[Execution]:
        return [x for x in self.store._executions.values() if not x.has_ended and x.parent_id is not None]

    def claim_children(self, limit: int = 1, lane: str = LANE) -> list[Fence]:
        found = self.one(a_claim(limit, lanes=[lane]))
        leases = [claimed.lease for claimed in found]
        return [Fence(ExecutionId(x.execution_id), x.attempt_index, x.lease_epoch, x.lease_id) for x in leases]

    def complete_children(self, limit: int = 1) -> list[ExecutionId]:
        """Let the first children complete. Their parent does not know it yet."""
        fences = self.claim_children(limit)
        self.decide(*(Complete(fence, b"result") for fence in fences))
        return [fence.execution_id for fence in fences]

    def fail_child(self) -> ExecutionId:
        """Let the first child fail for good. Its parent does not know it yet."""
        (fence,) = self.claim_children()
        self.one(Fail(fence, "boom", "it broke", False, None))
        return fence.execution_id

    def pass_on(self, execution_id: ExecutionId) -> Any:
        x = self.store.execution(execution_id)
        assert x is not None
        return self.one(PassOnEnd(x.parent_id or x.execution_id, x.execution_id))

    def settle(self) -> int:
        """Pass on all ends that nobody has passed on, as upkeep does. Returns how many batches that took."""
        batches = 0
        while unsettled := [x for x in self.store._executions.values() if x.unsettled]:
            dues = [due for x in unsettled if (due := due_of(x)) is not None]
            assert all(due.kind == "resolution" for due in dues)
            assert self.decide(*map(HandleDue, dues)) == [True] * len(dues)
            batches += 1
        return batches

    def counts(self) -> dict[str, tuple[int, int]]:
        """How many children of each group have succeeded and failed, as the parent has counted them."""
        if self.x.inbox is None:
            return {}
        return {group.name: (group.succeeded, group.failed) for group in self.inbox.groups}

    def recounts(self) -> dict[str, tuple[int, int]]:
        """The same, counted anew: the children of this life whose ends have been passed on."""
        if self.x.inbox is None:
            return {}
        found: dict[str, tuple[int, int]] = {}
        for group in self.inbox.groups:
            children = [self.child(index, group.name) for index in range(group.total)]
            ended = [x.terminal_outcome == "success" for x in children if x.has_ended and not x.unsettled]
            found[group.name] = (sum(ended), len(ended) - sum(ended))
        return found

    def cancel_child(self, index: int) -> Any:
        return self.one(CancelExecution(self.id_of(index), "not wanted", "operator_override", None))

    def replay_child(self, execution_id: ExecutionId) -> Any:
        return self.one(ReplayExecution(execution_id))

    def sweep_retention(self) -> None:
        """Remove the parent, because its retention is over."""
        due = due_of(self.x)
        assert due is not None
        assert due.kind == "retention"
        assert self.one(HandleDue(due)) is True
