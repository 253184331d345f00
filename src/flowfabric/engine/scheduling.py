"""Schedules: fired by whoever has their code, paused, resumed, listed and forgotten."""

from flowfabric.domain import inputs
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
    """Whoever has the code of a schedule speaks to this, and whoever steers one."""

    async def fire_schedule(
        self, schedule: NewSchedule, *, replace: bool = False, command_id: str | None = None
    ) -> ScheduleFired:
        """Make an execution for each slot that is due, once, whoever else asks; and say that its code is alive.

        The first call makes the schedule known, and nothing is due before it. Another definition under the same name
        fires nothing while the stored one is alive, unless it is to replace it.
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
        )

    async def pause_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, reason: str = "", command_id: str | None = None
    ) -> SchedulePaused:
        """Let a schedule fire nothing until it is resumed; the slots in between are passed over."""
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
        """Make the execution of a schedule once, now and out of turn; its slots, and a pause, are left as they are."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(RunSchedule(of_namespace, inputs.name("name", name), self._new_uuid()), command_id)

    async def forget_schedule(
        self, name: str, *, namespace: str = DEFAULT_NAMESPACE, command_id: str | None = None
    ) -> ScheduleForgotten:
        """Take a schedule off the list whose code is gone. One that is not orphaned is refused."""
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        return await self._execute(ForgetSchedule(of_namespace, inputs.name("name", name)), command_id)

    async def list_schedules(self, *, namespace: str | None = None) -> list[ScheduleSnapshot]:
        """Every schedule that is known, by namespace and name."""
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        found = await self._shell.read(lambda: self._store.schedules(of_namespace))
        now_ms = await self.server_time_ms()
        return [schedule_snapshot_of(schedule, now_ms) for schedule in found]
