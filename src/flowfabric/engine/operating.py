"""The engine's methods for operators: for one execution, for all that filters find, for lanes, and for purges."""

from collections.abc import Callable
from typing import Literal, get_args

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    Hold,
    PauseLane,
    PurgeExecution,
    PurgeFlow,
    ReplayExecution,
    ResumeLane,
    RevokeLease,
    SetTag,
    Unhold,
)
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.decide.operating import OPERATOR
from flowfabric.domain.errors import EngineError, InvalidInput, shown
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.listing import Action, ExecutionFilter, ListPosition
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Cancelled,
    Held,
    LanePaused,
    LaneResumed,
    Outcome,
    PriorityChanged,
    Replayed,
    Revoked,
    Unheld,
)
from flowfabric.domain.snapshots import OperatedPage, Purged, Refusal
from flowfabric.domain.states import PublicState
from flowfabric.domain.steps import StepsRule
from flowfabric.engine.reading import Reading
from flowfabric.engine.scope import position_of, position_of_flow


class PurgePosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a purge has come: among executions first, then among flows."""

    phase: Literal["executions", "flows"]
    after: ListPosition


class Operating(Reading):
    """The engine's methods for operators."""

    async def cancel_execution(
        self,
        execution_id: str,
        *,
        reason: str,
        source: str = "operator_override",
        lease_epoch: int | None = None,
        command_id: str | None = None,
    ) -> Cancelled:
        """End the execution for good, running or not. A second cancel changes nothing."""
        if lease_epoch is not None:
            inputs.integer("lease_epoch", lease_epoch, 0, inputs.INSTANT_MS_MAX)
        command = CancelExecution(
            await self._id_of(execution_id),
            inputs.text("reason", reason),
            inputs.name("source", source),
            lease_epoch,
        )
        return await self._execute(command, command_id)

    async def revoke_lease(
        self,
        execution_id: str,
        *,
        worker_instance_id: str = "",
        expected_lease_id: str = "",
        reason: str = "",
        command_id: str | None = None,
    ) -> Revoked | AlreadySatisfied:
        """End the lease, and put the execution back into the queue. The former holder can change nothing any more."""
        command = RevokeLease(
            await self._id_of(execution_id),
            inputs.text("worker_instance_id", worker_instance_id),
            inputs.text("expected_lease_id", expected_lease_id),
            inputs.text("reason", reason),
        )
        return await self._execute(command, command_id)

    async def change_priority(
        self, execution_id: str, priority: int, *, command_id: str | None = None
    ) -> PriorityChanged:
        """Move a waiting execution in its queue."""
        command = ChangePriority(await self._id_of(execution_id), inputs.priority(priority))
        return await self._execute(command, command_id)

    async def replay_execution(
        self,
        execution_id: str,
        *,
        steps: Literal["keep", "clear"] | None = None,
        from_step: str | None = None,
        command_id: str | None = None,
    ) -> Replayed:
        """Bring an ended execution back to life, under the same id, with fresh budgets.

        `steps="keep"`: stored steps do not run again. `steps="clear"`: all steps run again. `from_step`: this step and
        all later ones run again. Without these, an execution that has completed starts from scratch, and any other
        execution keeps its steps.
        """
        command = ReplayExecution(
            await self._id_of(execution_id), inputs.steps_rule(steps), inputs.from_step(from_step, steps)
        )
        return await self._execute(command, command_id)

    async def hold(self, execution_id: str, *, reason: str = "", command_id: str | None = None) -> Held:
        """Keep a runnable execution from being claimed until `unhold`."""
        return await self._execute(Hold(await self._id_of(execution_id), inputs.text("reason", reason)), command_id)

    async def unhold(self, execution_id: str, *, command_id: str | None = None) -> Unheld:
        """End the hold of an execution."""
        return await self._execute(Unhold(await self._id_of(execution_id)), command_id)

    async def pause_lane(
        self, lane: str, *, namespace: str = DEFAULT_NAMESPACE, reason: str = "", command_id: str | None = None
    ) -> LanePaused:
        """Let nothing be claimed from a lane until it is resumed. Running executions go on. A repeat does no harm."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        command = PauseLane(of_namespace, inputs.lane(lane), inputs.text("reason", reason))
        return await self._execute(command, command_id)

    async def resume_lane(
        self, lane: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> LaneResumed:
        """Let executions of a lane be claimed again, and wake the claims that wait there. A repeat does no harm."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ResumeLane(of_namespace, inputs.lane(lane)), command_id)

    async def operate(
        self,
        action: Action,
        *,
        namespace: str | None = None,
        public_state: PublicState | None = None,
        lane: str | None = None,
        flow_id: str | None = None,
        kind: str | None = None,
        tag: tuple[str, str] | None = None,
        created_before_ms: int | None = None,
        reason: str = "",
        priority: int | None = None,
        steps: Literal["keep", "clear"] | None = None,
        cursor: str | None = None,
        limit: int = 500,
    ) -> OperatedPage:
        """Do one action to the next executions that pass the filters, newest first. Call it until there is no cursor.

        Each execution is decided by itself, as the single command would be. Each one that existed at the first call is
        handled once, even if the action changes a field that the filters use. Executions that are created later are
        not handled.
        """
        where = self._filter(namespace, public_state, lane, flow_id, kind, tag, created_before_ms)
        command_for = _command_for(action, inputs.text("reason", reason), priority, inputs.steps_rule(steps))
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "operate", self._store.name, ListPosition)
        found = await self._shell.read(lambda: self._store.executions(where, after, limit + 1))
        page = [x.execution_id for x in found[:limit]]
        answers = await self._execute_all([command_for(key) for key in page])
        refused = [
            refusal
            for key, answer in zip(page, answers, strict=True)
            if (refusal := _refusal_in(key, answer)) is not None
        ]
        position = None
        if len(found) > limit:
            position = pack_cursor("operate", self._store.name, position_of(found[limit - 1]))
        return OperatedPage(len(page) - len(refused), refused, position)

    async def purge(
        self,
        *,
        ended_before_ms: int,
        namespace: str | None = None,
        cursor: str | None = None,
        limit: int = 500,
    ) -> Purged:
        """Remove executions and flows that ended before an instant, with all that belongs to them.

        Their retention need not be over. One call removes at most `limit` executions, or, when none is left, at most
        `limit` flows. Call it until there is no cursor. Nothing that lives is ever removed.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        before_ms = inputs.instant("ended_before_ms", ended_before_ms)
        limit = inputs.limit(limit)
        # Nothing ends before it is created, so newer executions need not be read.
        newest = ExecutionFilter(created_before_ms=before_ms).start(None)
        at = PurgePosition("executions", newest)
        if cursor is not None:
            at = unpack_cursor(cursor, "purge", self._store.name, PurgePosition)
        executions = 0
        store = self._services.store
        if at.phase == "executions":
            solos = await self._shell.read(lambda: store.ended_executions(of_namespace, before_ms, at.after, limit))
            ids = [make_execution_id(each.partition, each.uuid) for each in solos]
            answers = await self._execute_all([PurgeExecution(key, before_ms) for key in ids])
            executions = sum(answer is True for answer in answers)
            if len(solos) == limit:
                return Purged(executions, 0, pack_cursor("purge", store.name, PurgePosition("executions", solos[-1])))
        after = at.after if at.phase == "flows" else newest
        flows = await self._shell.read(lambda: store.ended_flows(of_namespace, before_ms, after, limit))
        answers = await self._execute_all([PurgeFlow(flow.flow_id, before_ms) for flow in flows])
        gone = [flow for flow, answer in zip(flows, answers, strict=True) if answer is True]
        position = None
        if len(flows) == limit:
            position = pack_cursor("purge", store.name, PurgePosition("flows", position_of_flow(flows[-1])))
        return Purged(executions + sum(flow.node_count for flow in gone), len(gone), position)

    async def set_tag(self, execution_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on an execution, or change its value."""
        command = SetTag(await self._id_of(execution_id), inputs.tag_key(key), inputs.tag_value(value))
        await self._execute(command, command_id)


def _command_for(
    action: object, reason: str, priority: int | None, steps: StepsRule | None
) -> Callable[[ExecutionId], AnyCommand]:
    """The command that an action sends for each execution. Arguments that the action does not use are refused."""
    if action != "change_priority" and priority is not None:
        raise InvalidInput(f"priority belongs to the action change_priority, not to {shown(action)}. Leave it out.")
    if action != "replay" and steps is not None:
        raise InvalidInput(f"steps belongs to the action replay, not to {shown(action)}. Leave it out.")
    if action in ("change_priority", "replay", "unhold") and reason:
        raise InvalidInput(f"The action {action} takes no reason. Leave it out.")
    match action:
        case "cancel":
            return lambda key: CancelExecution(key, reason, OPERATOR, None)
        case "revoke":
            return lambda key: RevokeLease(key, "", "", reason)
        case "change_priority":
            moved_to = inputs.priority(priority)
            return lambda key: ChangePriority(key, moved_to)
        case "replay":
            return lambda key: ReplayExecution(key, steps)
        case "hold":
            return lambda key: Hold(key, reason)
        case "unhold":
            return Unhold
        case _:
            raise InvalidInput(f"action is one of {', '.join(get_args(Action))}, not {shown(action)}.")


def _refusal_in(execution_id: ExecutionId, answer: Outcome | EngineError) -> Refusal | None:
    if isinstance(answer, EngineError):
        return Refusal(execution_id, answer.code, str(answer))
    if isinstance(answer, AlreadySatisfied):
        return Refusal(execution_id, answer.reason, f"{execution_id} had no lease that could be taken away.")
    return None
