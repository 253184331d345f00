"""Commands about schedules."""

from msgspec.structs import replace

from flowfabric.domain.commands.command import Command
from flowfabric.domain.outcomes import ScheduleFired, ScheduleForgotten, SchedulePaused, ScheduleRan, ScheduleResumed
from flowfabric.domain.schedule import Definition


class FireSchedule(Command[ScheduleFired], frozen=True, tag=True, gc=False):
    """Make an execution for each slot that is due, and note that the schedule's code is alive."""

    definition: Definition
    replaces: bool
    """Whether this definition replaces another one that is alive."""


class PauseSchedule(Command[SchedulePaused], frozen=True, tag=True, gc=False):
    """Let a schedule fire nothing."""

    namespace: str
    name: str
    reason: str


class ResumeSchedule(Command[ScheduleResumed], frozen=True, tag=True, gc=False):
    """Let a schedule fire again, from its next slot on."""

    namespace: str
    name: str


class RunSchedule(Command[ScheduleRan], frozen=True, tag=True, gc=False):
    """Make the execution of a schedule once, now and out of turn."""

    namespace: str
    name: str
    uuid: str
    """The uuid that was minted for the execution. Its partition follows from the schedule's lane."""

    def as_request(self) -> "RunSchedule":
        """The same without the uuid."""
        return replace(self, uuid="")


class ForgetSchedule(Command[ScheduleForgotten], frozen=True, tag=True, gc=False):
    """Remove a schedule whose code is gone."""

    namespace: str
    name: str
