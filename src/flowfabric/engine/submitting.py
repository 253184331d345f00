"""The engine's methods that make executions: one or many at once, also in the caller's own transaction."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from operator import attrgetter, is_
from typing import Final, TypeVar, cast

from msgspec.structs import replace

from flowfabric.domain import debouncing, gate_inputs, inputs
from flowfabric.domain.commands import Command, CreateExecution, CreateExecutions, creations_in
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.ids import (
    FlowId,
    flow_partition,
    lane_partition,
    make_execution_id,
    parse_execution_id,
    partition_in,
)
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.outcomes import Created, Dropped, Duplicate
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.engine.callers_transaction import decide_joined
from flowfabric.engine.partitions import check_stays_in_one
from flowfabric.engine.scope import Scoped
from flowfabric.ports.joining import CallersConnection

R = TypeVar("R")

_NO_TAGS: Final[Mapping[str, str]] = {}
NO_LIMITS: Final[Mapping[str, str]] = {}
_all_but_payload: Final = attrgetter(*(name for name in NewExecution.__struct_fields__ if name != "payload"))
NO_BUDGETS: Final[Mapping[str, Mapping[str, int]]] = {}


class Submitting(Scoped):
    """The engine's methods that make executions."""

    async def create_execution(
        self,
        kind: str,
        payload: bytes = b"",
        *,
        lane: str = "default",
        namespace: str = DEFAULT_NAMESPACE,
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86_400_000,
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = DEFAULT_POLICY,
        tags: Mapping[str, str] = _NO_TAGS,
        idempotency_on_ended: OnEnded = "return",
        limits: Mapping[str, str] = NO_LIMITS,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = NO_BUDGETS,
        when_full: WhenFull = "wait",
        debounce_ms: int | None = None,
        debounce_key: str = "",
        command_id: str | None = None,
        conn: object = None,
    ) -> Created | Duplicate | Dropped:
        """Make an execution, once per idempotency key and once per id. When this returns, it cannot be lost.

        A key stands for the same execution until the key expires. With `idempotency_on_ended="renew_failed"`, a new
        execution takes the key if the old one has ended without success; with `"renew"`, if the old one has ended at
        all. With `conn`, the caller's own connection, the execution is part of the transaction that is open there.
        With `debounce_ms`, it starts after this time; if another one of its kind and `debounce_key` is made before it
        has started, it is cancelled with the reason `replaced`.
        """
        item = NewExecution(
            kind=kind,
            payload=payload,
            lane=lane,
            namespace=namespace,
            execution_id=execution_id,
            priority=priority,
            delay_until_ms=delay_until_ms,
            deadline_at_ms=deadline_at_ms,
            idempotency_key=idempotency_key,
            idempotency_ttl_ms=idempotency_ttl_ms,
            idempotency_on_ended=idempotency_on_ended,
            required_capabilities=required_capabilities,
            policy=policy,
            tags=tags,
            limits=limits,
            fair_key=fair_key,
            budgets=budgets,
            when_full=when_full,
            debounce_ms=debounce_ms,
            debounce_key=debounce_key,
        )
        return await self.create_from(item, command_id=command_id, conn=conn)

    async def create_from(
        self, item: NewExecution, *, command_id: str | None = None, conn: object = None
    ) -> Created | Duplicate | Dropped:
        """Do what `create_execution` does; the arguments are in one value."""
        if not isinstance(item, NewExecution):
            raise InvalidInput(f"item is a NewExecution, not {type(item).__name__}.")
        _check_not_joined([item], conn)
        return await self._submit(self._creation_of(item), command_id, conn)

    async def create_executions(
        self, items: Sequence[NewExecution], *, command_id: str | None = None, conn: object = None
    ) -> list[Created | Duplicate | Dropped]:
        """Make all items or none, with one answer per item. If an item is refused, the error names its index."""
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
            raise InvalidInput(f"items is a sequence of NewExecution, not {type(items).__name__}.")
        if len(items) > inputs.ITEMS_MAX:
            raise InvalidInput(f"items has {len(items)} entries; the limit is {inputs.ITEMS_MAX}. Send several calls.")
        commands: list[CreateExecution] = []
        checked: tuple[object, ...] = ()
        for index, item in enumerate(items):
            if not isinstance(item, NewExecution):
                raise InvalidInput(f"items[{index}] is a NewExecution, not {type(item).__name__}.")
            given = _all_but_payload(item)
            try:
                # Most items of a call differ from the one before in nothing but the payload, and all else is checked.
                if checked and item.execution_id is None and all(map(is_, given, checked)):
                    commands.append(self._creation_like(commands[-1], item.payload))
                else:
                    commands.append(self._creation_of(item))
            except InvalidInput as error:
                raise InvalidInput(f"items[{index}]: {error} Nothing was created.") from None
            checked = given
        if not commands:
            return []
        _check_not_joined(items, conn)
        inputs.size_of_call((each.payload, each.tags) for each in commands)
        command = CreateExecutions(tuple(commands))
        if self._services.store.batches_stay_in_one_partition:
            check_stays_in_one(command)
        return await self._submit(command, command_id, conn)

    @asynccontextmanager
    async def transaction(self, conn: object) -> AsyncIterator[None]:
        """A transaction on the caller's own connection: committed after the block, rolled back if the block raises.

        On SQLite, a submit with `conn` needs this block; on PostgreSQL any open transaction will do.
        """
        # This bell never rings. It is used to wait in the same way as the caller.
        async with self._callers_connection(conn).transaction(lambda seconds: self._shell.bell().wait(seconds)):
            yield

    async def _submit(self, command: Command[R], command_id: str | None, conn: object) -> R:
        if conn is None:
            return await self._execute(command, command_id)
        if any(each.when_full != "wait" for each in creations_in(command)):
            raise InvalidInput("when_full is for submits without conn=. In another transaction, a submit always waits.")
        with nullcontext() if self._tracer is None else self._tracer.sending(command, self._trace):
            envelope = self._envelope(command, command_id)
            return cast("R", await decide_joined(self._callers_connection(conn), envelope, self._store.name))

    def _callers_connection(self, conn: object) -> CallersConnection:
        self._services.commits.check_usable()
        return self._services.store.callers_connection(conn, is_async=self._shell.is_async)

    def _creation_like(self, last: CreateExecution, payload: bytes) -> CreateExecution:
        """The same creation with another payload, and an id of its own."""
        execution_id = make_execution_id(lane_partition(last.lane), self._new_uuid())
        checked = inputs.payload("payload", payload, self._services.payload_bytes_max)
        return replace(last, execution_id=execution_id, payload=checked)

    def _creation_of(self, item: NewExecution, flow_id: FlowId | None = None) -> CreateExecution:
        lane = inputs.lane(item.lane)
        partition = lane_partition(lane) if flow_id is None else flow_partition(flow_id)
        given = item.execution_id is not None
        execution_id = (
            parse_execution_id(item.execution_id) if given else make_execution_id(partition, self._new_uuid())
        )
        if flow_id is not None and partition_in(execution_id) != partition:
            raise InvalidInput(
                f"execution_id {execution_id} is on partition {partition_in(execution_id)}; members of flow {flow_id} "
                f"are on partition {partition}. Write {{fp:{partition}}}: before the uuid, or leave the id out."
            )
        gates = gate_inputs.gates(item.limits, item.budgets, item.fair_key)
        when_full = gate_inputs.when_full(item.when_full, () if gates is None else gates.limits)
        if flow_id is not None and when_full != "wait":
            raise InvalidInput(
                f"when_full is {when_full!r}, and a member of a flow always waits for its limits. Leave it out."
            )
        if item.debounce_ms is not None or item.debounce_key:
            item = _debounced(item)
        else:
            debouncing.check_not_reserved(item.idempotency_key)
        return CreateExecution(
            execution_id,
            given,
            inputs.name("kind", item.kind),
            inputs.payload("payload", item.payload, self._services.payload_bytes_max),
            lane,
            inputs.namespace_in_scope(item.namespace, self._scope),
            inputs.priority(item.priority),
            inputs.optional_instant("delay_until_ms", item.delay_until_ms),
            inputs.optional_instant("deadline_at_ms", item.deadline_at_ms),
            item.idempotency_key
            if item.debounce_ms is not None
            else inputs.key("idempotency_key", item.idempotency_key),
            inputs.integer("idempotency_ttl_ms", item.idempotency_ttl_ms, 1, inputs.IDEMPOTENCY_TTL_MS_MAX),
            inputs.capabilities("required_capabilities", item.required_capabilities),
            inputs.policy(item.policy),
            inputs.tags(item.tags),
            inputs.on_ended(item.idempotency_on_ended),
            gates,
            when_full,
            item.debounce_ms,
        )


def _debounced(item: NewExecution) -> NewExecution:
    """The item with the key under which the last execution of its kind and debounce key is found."""
    if item.debounce_ms is None:
        raise InvalidInput(
            f"debounce_key is {shown(item.debounce_key)}, but debounce_ms is left out. Say how long to wait for the "
            "next one."
        )
    span_ms = debouncing.debounce_ms("debounce_ms", item.debounce_ms)
    others = {
        "delay_until_ms": item.delay_until_ms is not None,
        "idempotency_key": item.idempotency_key is not None,
        "when_full": item.when_full != "wait",
    }
    for field, is_given in others.items():
        if is_given:
            raise InvalidInput(f"A debounced execution cannot have {field}. Leave out one of the two.")
    key = debouncing.key_of(inputs.name("kind", item.kind), debouncing.debounce_key(item.debounce_key))
    return replace(item, idempotency_key=key, idempotency_ttl_ms=debouncing.kept_ms(span_ms))


def _check_not_joined(items: Sequence[NewExecution], conn: object) -> None:
    """Refuse debounced executions in a transaction of the caller's own: it might end long after the last one."""
    if conn is not None and any(item.debounce_ms is not None for item in items):
        raise InvalidInput(
            "A debounced execution cannot be part of another transaction, because it replaces the last one at once. "
            "Leave conn= out, or debounce_ms."
        )
