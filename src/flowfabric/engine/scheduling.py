"""The engine's methods about schedules: fire, pause, resume, run, list and forget them."""

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.commands import FireSchedule, ForgetSchedule, PauseSchedule, ResumeSchedule, RunSchedule
from flowfabric.domain.creation import NewSchedule
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.outcomes import ScheduleFired, ScheduleForgotten, SchedulePaused, ScheduleRan, ScheduleResumed
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.domain.schedule import Definition
from flowfabric.domain.snapshots import ScheduleSnapshot, schedule_snapshot_of
from flowfabric.engine.scope import Scoped


class Scheduling(Scoped):
    """The engine's methods about schedules, for programs that have their code and for operators."""

    async def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make one execution for each slot that is due, and note that the schedule's code is alive.

        Each slot fires once, even if several processes call this. The first call makes the schedule known, and no slot
        before it is due. Another definition with the same name fires nothing while the stored one is alive, unless
        `replace` is true.
        """
        return await self._execute(
            FireSchedule(self._definition_of(schedule), inputs.flag("replace", replace)), command_id
        )

    def _definition_of(self, schedule: NewSchedule) -> Definition:
        if not isinstance(schedule, NewSchedule):
            raise InvalidInput(f"schedule is a NewSchedule, not {type(schedule).__name__}.")
        after_ms = schedule.deadline_after_ms
        return Definition(
            inputs.namespace_in_scope(schedule.namespace, self._scope),
            inputs.name("name", schedule.name),
            inputs.name("kind", schedule.kind),
            inputs.payload("payload", schedule.payload, self._services.payload_bytes_max),
            inputs.payload("fingerprint", schedule.fingerprint, inputs.FINGERPRINT_BYTES_MAX),
            inputs.timing(schedule.cron, schedule.timezone, schedule.every_ms, schedule.anchor_ms),
            inputs.catch_up(schedule.catch_up),
            inputs.lane(schedule.lane),
            inputs.priority(schedule.priority),
            None if after_ms is None else inputs.integer("deadline_after_ms", after_ms, 0, DURATION_MS_MAX),
            inputs.capabilities("required_capabilities", schedule.required_capabilities),
            inputs.policy(schedule.policy),
            inputs.schedule_tags(schedule.tags),
            gate_inputs.gates(schedule.limits, schedule.budgets, schedule.fair_key),
        )

    async def pause_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed. The slots in between never fire."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        command = PauseSchedule(of_namespace, inputs.name("name", name), inputs.text("reason", reason))
        return await self._execute(command, command_id)

    async def resume_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleResumed:
        """Let a paused schedule fire again, from its next slot on."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ResumeSchedule(of_namespace, inputs.name("name", name)), command_id)

    async def run_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleRan:
        """Make the execution of a schedule once, now and out of turn. Its slots and a pause stay as they are."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(RunSchedule(of_namespace, inputs.name("name", name), self._new_uuid()), command_id)

    async def forget_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleForgotten:
        """Remove a schedule whose code is gone. Refused if the schedule is not orphaned."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ForgetSchedule(of_namespace, inputs.name("name", name)), command_id)

    async def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        found = await self._shell.read(lambda: self._store.schedules(of_namespace))
        now_ms = await self.server_time_ms()
        return [schedule_snapshot_of(schedule, now_ms) for schedule in found]
