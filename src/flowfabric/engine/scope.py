"""The base of every part of the engine: the shared services, and the namespace to which the engine is confined."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar, cast

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.access import Principal
from flowfabric.domain.commands import AnyCommand, Command, Envelope, TendCounts
from flowfabric.domain.errors import EngineError, InvalidInput, NotFound, StoreError
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    FlowId,
    bare_uuid,
    flow_partition,
    make_execution_id,
    parse_execution_id,
    partition_in,
    uuid_in,
)
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.streams import Said
from flowfabric.domain.traces import CARRIERS
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.known_tokens import KnownTokens
from flowfabric.engine.minting import new_mark, new_uuid
from flowfabric.engine.shared_pages import SharedPages
from flowfabric.engine.shells import Bell, Shell
from flowfabric.engine.signing import KnownKeys
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports.store import Store
from flowfabric.ports.tracing import Tracer
from flowfabric.ports.upkeep import Upkeep

if TYPE_CHECKING:
    from flowfabric.ports.reading import Reads

R = TypeVar("R")

POLL_S: Final = 1.0
"""After this time a waiting caller polls by itself, if there was no shared poll."""


class Services(msgspec.Struct, frozen=True):
    """What an engine and all its scoped views share."""

    commits: GroupCommit
    wakeups: Wakeups
    upkeep: Upkeep
    shell: Shell
    payload_bytes_max: int
    new_uuid: Callable[[], str] = new_uuid
    """Makes new ids."""
    new_mark: Callable[[], str] = new_mark
    """Makes the marks of claims."""
    keys: KnownKeys = msgspec.field(default_factory=KnownKeys)
    """The keys that sign tokens."""
    tokens: KnownTokens = msgspec.field(default_factory=KnownTokens)
    """The access tokens that were read lately."""
    tracer: Tracer | None = None
    pages: SharedPages = msgspec.field(default_factory=SharedPages)
    """The pages of the event log that subscribers share."""

    @property
    def store(self) -> Store:
        """The store of this engine."""
        return self.commits.store


class Scoped:
    """An engine's view of its store: all namespaces, or only one; and the person for whom it acts, if it is known."""

    def __init__(
        self,
        services: Services,
        scope: str | None = None,
        actor: str | None = None,
        said: Said | None = None,
        trace: str | None = None,
        decider: Principal | None = None,
    ) -> None:
        self._actor = actor
        self._services = services
        self._shell = services.shell
        self._store: Reads = services.store
        self._new_uuid = services.new_uuid
        self._tracer = services.tracer
        self._scope = scope
        self._said = said
        """What is appended together with the next command."""
        self._trace = trace
        """The span of another process that sends the next command."""
        self._decider = decider
        """Who sends signals, if it depends on the execution whether they may."""

    async def reconcile(self) -> Mapping[str, int]:
        """Run every due duty once, for the whole store. Returns how much each duty did."""
        return await self._shell.read(self._services.upkeep.run_once)

    async def recount(self) -> int:
        """Count everything, and put right the kept counts that differ, for the whole store. Returns how many differed.

        It reads every execution, so a large store takes seconds. Commits wait for it on SQLite, not on PostgreSQL.
        """
        wrong = await self._shell.read(self._services.store.miscounts)
        if wrong:
            await self._execute(TendCounts("recount"), None)
        return len(wrong)

    async def server_time_ms(self) -> int:
        """The store's time."""
        return await self._shell.read(lambda: self._store.now_ms)

    async def ping(self) -> None:
        """Raise StoreUnavailable if the store cannot be reached."""
        await self._shell.read(self._store.ping, until=0.0)  # a health check is answered at once

    async def _execute(self, command: Command[R], command_id: str | None) -> R:
        if self._tracer is None:
            return cast("R", await self._shell.execute(self._envelope(command, command_id)))
        with self._tracer.sending(command, self._trace):
            return cast("R", await self._shell.execute(self._envelope(command, command_id)))

    def _envelope(self, command: Command[R], command_id: str | None) -> Envelope:
        trace = self._trace if self._tracer is None else self._tracer.current()
        if trace is not None and type(command) not in CARRIERS:
            trace = None
        return Envelope(command, self._scope, inputs.key("command_id", command_id), self._actor, self._said, trace)

    async def _execute_all(self, commands: Sequence[AnyCommand]) -> Sequence[Outcome | EngineError]:
        """Send commands together. A refusal is one of the answers. Raises StoreUnavailable if the store is away."""
        if not commands:
            return []
        answers = await self._shell.execute_all(
            [Envelope(command, self._scope, actor=self._actor) for command in commands]
        )
        for answer in answers:
            if isinstance(answer, StoreError):
                raise answer
        return answers

    async def _id_of(self, execution_id: object) -> ExecutionId:
        """The whole id of an execution. A uuid without a partition is searched in all partitions, in one read."""
        uuid = bare_uuid(execution_id)
        if uuid is None:
            return parse_execution_id(execution_id)
        found = [x.execution_id for x in await self._executions_of(uuid)]
        if len(found) > 1:
            raise InvalidInput(
                f"The uuid {uuid} is not enough to tell which execution is meant: there are {', '.join(found)}. "
                "Give the whole id."
            )
        if not found:
            raise NotFound("execution", f"There is no execution {uuid}. Check the id and the namespace.")
        return found[0]

    async def _executions_of(self, uuid: str) -> list[Execution]:
        """The executions whose id ends with a uuid: one, unless callers have used the uuid in several ids."""
        ids = [make_execution_id(partition, uuid) for partition in range(PARTITIONS)]
        found = await self._shell.read(lambda: self._store.executions_named(ids))
        return [x for x in found if self._scope in (None, x.namespace)]

    async def _find(self, execution_id: ExecutionId, *, until: float | None = None) -> Execution | None:
        x = await self._shell.read(lambda: self._store.execution(execution_id), until=until)
        return None if x is None or (self._scope is not None and x.namespace != self._scope) else x

    async def _find_flow(self, flow_id: FlowId) -> Flow | None:
        flow = await self._shell.read(lambda: self._store.flow(flow_id))
        return None if flow is None or (self._scope is not None and flow.namespace != self._scope) else flow

    async def _known_flow(self, flow_id: str) -> FlowId:
        key = inputs.flow_id(flow_id)
        if await self._find_flow(key) is None:
            raise NotFound("flow", f"There is no flow {key}. Check the id and the namespace.")
        return key

    async def _known(self, execution_id: ExecutionId, *, until: float | None = None) -> Execution:
        x = await self._find(execution_id, until=until)
        self._check_known(execution_id, x)
        assert x is not None
        return x

    async def _wait_for_news(self, bell: Bell, left_s: float) -> None:
        """Wait until the bell rings or the time is over. Returns earlier if this caller has to poll by itself."""
        wakeups = self._services.wakeups
        wakeups.expect_others()
        give_up_at = time.monotonic() + left_s
        while not await bell.wait(max(0.0, min(POLL_S, give_up_at - time.monotonic()))):
            if time.monotonic() >= give_up_at or not wakeups.polled_for_news_within(POLL_S):
                return

    def _check_known(self, execution_id: ExecutionId, x: Execution | None) -> None:
        if x is None or (self._scope is not None and x.namespace != self._scope):
            raise NotFound("execution", f"There is no execution {execution_id}. Check the id and the namespace.")


def position_of(x: Execution) -> ListPosition:
    """The position of an execution in a list, newest first."""
    return ListPosition(x.created_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id))


def position_of_flow(flow: Flow) -> ListPosition:
    """The same for a flow."""
    return ListPosition(flow.created_at_ms, flow.flow_id, flow_partition(flow.flow_id))
