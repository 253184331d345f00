"""The engine behind a server: every method of the route table, as a request.

A method checks nothing itself: the engine behind the server does, and its refusals come back as the same exceptions.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from functools import partial, update_wrapper
from random import SystemRandom
from typing import Any, Final, NamedTuple, cast
from uuid import uuid4

from msgspec.structs import fields

from flowfabric.client.address import Address
from flowfabric.client.callers import AsyncCaller, BlockingCaller, Caller
from flowfabric.client.calling import PAUSE_S, Calls, Headers, TooMuch
from flowfabric.client.following import Feed, RemoteStream, RemoteSubscription
from flowfabric.client.gathering import Gathered, Gatherer
from flowfabric.client.http1 import Answer
from flowfabric.client.leases import KnownLeases
from flowfabric.client.line import Line
from flowfabric.client.own_sockets import BODY_BYTES_MAX, OwnSockets
from flowfabric.client.watching import watching
from flowfabric.domain import inputs, stream_inputs
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.errors import EngineError, InvalidInput, StoreUnavailable
from flowfabric.domain.events import Event
from flowfabric.domain.ids import parse_uuid
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Claimed, Completed, Created, Dropped, Duplicate
from flowfabric.domain.snapshots import EndSnapshot
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Said
from flowfabric.domain.traces import is_traceparent
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.ports.tracing import Tracer
from flowfabric.wire.engine import WireEngine
from flowfabric.wire.headers import header_of
from flowfabric.wire.operations import OPERATIONS, Operation, Request
from flowfabric.wire.routes import WAIT_MS_MAX
from flowfabric.wire.shapes import Codec

REPEATABLE: Final = frozenset(
    {"complete", "complete_all", "renew", "renew_all", "record_step", "heartbeat", "say_goodbye", "progress"}
    | {"give_slot", "claim"}
)
"""What may be sent twice without a key: the second time it changes nothing.

A claim is among them: the leases of an answer that was lost end by themselves, and a kept answer would hold payloads.
"""
AT_TIMEOUT: Final[Mapping[str, object]] = {
    "wait_for_work": [], "wait_for_slot": False, "wait_for_wait": None, "wait_for_lost": [],
}  # fmt: skip
"""What a wait answers when its time is over. Those that are not here raise TimeoutError."""
GIVEN_BACK: Final = frozenset({"claim", "wait_for_work"})
"""What is given back if its caller no longer waits for the answer."""
RESULT_BYTES_MAX: Final = 64 * 1024 * 1024
"""More than any server accepts. A smaller limit of the engine is checked there, for each result by itself."""
_OVER: Final = object()
"""A request has waited for as long as it may."""
_BLANK: Final = {field.name: field.default for field in fields(NewExecution)}


class Services(NamedTuple):
    """What an engine and all its scoped views share."""

    line: Line
    calls: Calls
    gatherer: Gatherer
    leases: KnownLeases
    ahead: set[Future[str]]
    """Answers that new requests have to wait for: where the log ended when somebody subscribed from now on."""
    tracer: Tracer | None
    sockets: OwnSockets | None


def open_remote(
    address: Address, token: str | None, tracer: Tracer | None = None, *, own_sockets: bool = False
) -> tuple["RemoteEngine", "RemoteEngine"]:
    """The engine of a server, for async and for blocking callers. Both share the line. Nothing is sent yet.

    With `own_sockets`, a blocking caller that finds nothing under way sends by itself, in its own thread.
    """
    _check_token(token)
    line = Line(address)
    calls = Calls(line, token or None)
    sockets = OwnSockets(address, line.tls) if own_sockets else None
    services = Services(line, calls, Gatherer(line, calls), KnownLeases(), set(), tracer, sockets)
    return RemoteEngine(services, AsyncCaller()), RemoteEngine(services, BlockingCaller(sockets))


class RemoteEngine:
    """An engine whose store is behind a server. Its methods are those of `WireEngine`."""

    def __init__(
        self,
        services: Services,
        caller: Caller,
        scope: str | None = None,
        actor: str | None = None,
        said: Said | None = None,
        trace: str | None = None,
    ) -> None:
        self._services = services
        self._caller = caller
        self._scope = scope
        self._actor = actor
        self._said = said
        self._trace = trace
        self._headers: Headers = [
            (name, header_of(name, value))
            for name, value in (("ff-namespace", scope), ("ff-actor", actor))
            if value is not None
        ]

    def close(self) -> None:
        """Wait for the requests under way, and end all connections."""
        if self._services.sockets is not None:
            self._services.sockets.close()
        self._services.line.close()

    # ── views ────────────────────────────────────────────────────────────────────────────────────

    def scoped(self, namespace: str) -> "RemoteEngine":
        """The same engine, confined to one namespace. It finds nothing in other namespaces."""
        return self._like(inputs.namespace_in_scope(namespace, self._scope), self._actor, None)

    def acting_as(self, actor: str) -> "RemoteEngine":
        """The same engine, acting for a person. Operator events name this person as `actor`."""
        return self._like(self._scope, inputs.name("actor", actor, inputs.KEY_CHARS_MAX), None)

    def saying(self, said: Said) -> "RemoteEngine":
        """The same engine for one command of a worker: these frames are appended in the transaction of the command."""
        return self._like(self._scope, self._actor, stream_inputs.packed(said))

    def sent_from(self, traceparent: str) -> "RemoteEngine":
        """The same engine for one command, which a span of another process sends."""
        trace = traceparent if is_traceparent(traceparent) else None
        return RemoteEngine(self._services, self._caller, self._scope, self._actor, self._said, trace)

    def _like(self, scope: str | None, actor: str | None, said: Said | None) -> "RemoteEngine":
        return RemoteEngine(self._services, self._caller, scope, actor, said, self._trace)

    # ── one call ─────────────────────────────────────────────────────────────────────────────────

    async def _call(self, operation: Operation, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Send a call, and return what the method returns, or raise what it raises."""
        if operation.has_command_id and keywords.get("command_id") is None and not _is_repeatable(operation, args):
            keywords = {**keywords, "command_id": uuid4().hex}
        try:
            if operation.route.waits is None:
                return await self._ask(operation, args, keywords)
            return await self._wait(operation, args, keywords)
        except TooMuch as error:
            raise InvalidInput(str(error)) from None

    async def _ask(
        self,
        operation: Operation,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        *,
        wait_ms: int | None = None,
        until: float | None = None,
    ) -> Any:
        """One request. `_OVER`: it has waited for as long as it may."""
        services, route = self._services, operation.route
        for start in list(services.ahead):
            await self._caller.shared_result_of(start)
        codec = services.leases.codec
        cut_ms = wait_ms if route.waits == "cut" else None
        request = operation.sent(args, keywords, codec, said=self._said, wait_ms=cut_ms)
        if operation.takes_body and (trace := self._span()) is not None:
            request = request._replace(traceparent=trace)
        gathers = operation.takes_body and route.waits is None and not route.is_batch and route.method != "claim"
        if (sockets := self._may_send_by_itself(request, wait_ms, route.method, gathers=gathers)) is not None:
            try:
                written = services.calls.written(request, self._headers)
                answer = await services.calls.answer_to(written, until=until, by=sockets)
            finally:
                sockets.leave(alone=gathers)
        elif gathers:
            call = partial(Gathered, request, self._headers)
            answer = await self._caller.answer_by(lambda waiter: services.gatherer.send(call(waiter)))
        else:
            asked = services.calls.answer_to(
                services.calls.written(request, self._headers), until=until, wait_s=(wait_ms or 0) / 1000
            )
            unwanted = partial(self._give_back, operation) if route.method in GIVEN_BACK else None
            work = services.line.begin(asked, is_brief=wait_ms is None, unwanted=unwanted)
            answer = await self._caller.result_of(work, unwanted)
        if answer.status == 204:
            return _OVER
        if not services.calls.is_given(answer):
            return None
        try:
            return operation.answer_in(answer.body, codec)
        except UNDECODABLE:
            raise services.calls.not_understood() from None

    def _may_send_by_itself(
        self, request: Request, wait_ms: int | None, method: str, *, gathers: bool
    ) -> OwnSockets | None:
        """The sockets of a blocking caller, if it may use them for this request. It has to leave them then.

        A request that waits can only be given up on the line, and one that gathers joins those that are under way.
        """
        sockets = self._caller.sockets
        if sockets is None or wait_ms is not None or method in GIVEN_BACK:
            return None
        if (gathers and not self._services.gatherer.is_idle) or len(request.body or b"") > BODY_BYTES_MAX:
            return None
        return sockets if sockets.enter(alone=gathers) else None

    def _span(self) -> str | None:
        """The span that sends the request. Without a tracer there is none."""
        tracer = self._services.tracer
        return self._trace if tracer is None or self._trace is not None else tracer.current()

    async def _wait(self, operation: Operation, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A request that waits, again and again until its own time is over."""
        method = operation.route.method
        timeout_ms: Any = keywords.get("timeout_ms")
        is_bounded = type(timeout_ms) is int  # anything else is refused by the engine
        give_up_at = time.monotonic() + timeout_ms / 1000 if is_bounded else math.inf
        pause_s, pause_s_max = PAUSE_S
        while True:
            began_at = time.monotonic()
            wait_ms = int(min(max(0.0, (give_up_at - began_at) * 1000), WAIT_MS_MAX))
            piece = {**keywords, "timeout_ms": wait_ms} if is_bounded and timeout_ms > 0 else keywords
            try:
                answer = await self._ask(operation, args, piece, wait_ms=wait_ms, until=give_up_at)
            except StoreUnavailable as error:
                if error.is_final or time.monotonic() >= give_up_at:
                    if error.is_final or method in AT_TIMEOUT:
                        raise
                    raise TimeoutError(f"It is unknown whether it has ended after {timeout_ms} ms: {error}") from error
                await self._pause(min(pause_s * SystemRandom().uniform(0.5, 1.0), give_up_at - time.monotonic()))
                pause_s = min(pause_s * 2, pause_s_max)
                continue
            is_over = answer is _OVER or (method in AT_TIMEOUT and answer == AT_TIMEOUT[method])
            if not is_over:
                return answer
            if answer is not _OVER and time.monotonic() < began_at + wait_ms / 1000:
                return answer  # the lease is over, not the time
            if time.monotonic() >= give_up_at:
                if method in AT_TIMEOUT:
                    return AT_TIMEOUT[method]
                raise TimeoutError(await self._still(method, args, keywords, timeout_ms))

    async def _still(
        self, method: str, args: Sequence[Any], keywords: Mapping[str, Any], timeout_ms: int | None
    ) -> str:
        """What has not ended in time."""
        key = args[0] if args else next(value for name, value in keywords.items() if name.endswith("_id"))
        engine = cast("WireEngine", self)
        if method == "wait_for_flow":
            flow = await engine.describe_flow(key)
            return f"Flow {key} is still {flow and flow.state} after {timeout_ms} ms. Wait longer."
        x = await engine.describe_execution(key)
        return f"{key} is still {x and x.public_state} after {timeout_ms} ms. Wait longer, or ask explain() why."

    async def _pause(self, pause_s: float) -> None:
        await self._caller.result_of(self._services.line.begin(asyncio.sleep(max(0.0, pause_s))))

    def _give_back(self, operation: Operation, answer: Answer) -> None:
        """Release what was claimed for a caller that no longer waits."""
        if answer.status != 200:
            return
        services, release = self._services, OPERATIONS["release"]
        for claimed in cast("list[Claimed]", operation.answer_in(answer.body, services.leases.codec)):
            request = release.sent((claimed.lease,), {"command_id": uuid4().hex}, services.leases.codec)
            with suppress(StoreUnavailable):
                services.line.begin(
                    services.calls.answer_to(services.calls.written(request, self._headers)), is_brief=True
                )

    # ── methods that are more than one request ───────────────────────────────────────────────────

    async def create_from(
        self, item: NewExecution, *, command_id: str | None = None, conn: object = None
    ) -> Created | Duplicate | Dropped:
        """Do what `create_execution` does; the arguments are in one value."""
        if not isinstance(item, NewExecution):
            raise InvalidInput(f"item is a NewExecution, not {type(item).__name__}.")
        own = {name: value for name in _BLANK if (value := getattr(item, name)) is not _BLANK[name]}
        answer = await self._call(OPERATIONS["create_execution"], (), {**own, "command_id": command_id, "conn": conn})
        return cast("Created | Duplicate | Dropped", answer)

    async def complete_all(self, ended: Sequence[tuple[Lease, bytes | None]]) -> list[Completed | EngineError]:
        """`complete` for many executions. Each gets its own answer, in order. A refusal is one of the answers."""
        refused: dict[int, EngineError] = {}
        if isinstance(ended, list | tuple):
            for place, each in enumerate(ended):
                try:
                    lease, result = each
                    self._services.leases.codec.lease_out(lease)
                    inputs.payload("result", b"" if result is None else result, RESULT_BYTES_MAX)
                except (InvalidInput, TypeError, ValueError) as error:
                    refused[place] = InvalidInput(f"ended[{place}]: {error}")
            ended = [each for place, each in enumerate(ended) if place not in refused]
        answers = iter(await self._call(OPERATIONS["complete_all"], (ended,), {}))
        return [refused.get(place) or next(answers) for place in range(len(ended) + len(refused))]

    async def get_ends(self, execution_ids: Sequence[str]) -> list[EndSnapshot | None]:
        """How executions have ended, with their results, in the given order. None: there is none.

        They are read together, unless their results are too much for one answer.
        """
        try:
            found = await self._ask(OPERATIONS["get_ends"], (execution_ids,), {})
            return cast("list[EndSnapshot | None]", found)
        except TooMuch as error:
            half = len(execution_ids) // 2
            if not half:
                raise InvalidInput(str(error)) from None
        return [*await self.get_ends(execution_ids[:half]), *await self.get_ends(execution_ids[half:])]

    @asynccontextmanager
    async def transaction(self, conn: object) -> AsyncIterator[None]:
        """A transaction of the caller's own cannot hold what a server does."""
        if conn is not self:  # which no connection is
            raise InvalidInput(
                "A transaction of yours and a server have nothing in common: conn= works only with a store that is "
                "opened directly. Leave conn out."
            )
        yield

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, `on_lost` is called as soon as held leases may have been ended, from any thread."""
        return watching(self._services.line, self._lost_of, held, on_lost)

    async def _lost_of(self, leases: Sequence[Lease], wait_ms: int) -> Sequence[str]:
        """Which of these leases may be over. Runs on the line's own thread."""
        calls, codec, operation = self._services.calls, self._services.leases.codec, OPERATIONS["wait_for_lost"]
        request = operation.sent((leases,), {"timeout_ms": wait_ms}, codec)
        answer = await calls.answer_to(calls.written(request, self._headers), wait_s=wait_ms / 1000)
        return [] if answer.status == 204 else cast("list[str]", operation.answer_in(answer.body, codec))

    # ── what is followed ─────────────────────────────────────────────────────────────────────────

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> RemoteSubscription:
        """Every event after the cursor, once and in order, while the iteration goes on.

        `from_now`: all events that this engine commits after this call, and all events that other engines commit after
        the server has answered. The server is asked at once, and the event loop is not blocked.
        """
        if from_now and cursor is not None:
            raise InvalidInput("Give either a cursor or from_now=True, not both.")
        wanted = {
            "channels": inputs.channels(channels) and channels,
            "namespace": inputs.optional_namespace_in_scope(namespace, self._scope) and namespace,
            "execution_id": execution_id,
            "flow_id": None if flow_id is None else parse_uuid(flow_id),
        }
        feed = self._feed("read_events", wanted, cursor, [("from_now", "true")] if from_now else [])
        subscription = RemoteSubscription(feed, *self._following(Event, cursor))
        if from_now:
            start = self._services.line.begin(feed.begin())
            self._services.ahead.add(start)
            start.add_done_callback(self._services.ahead.discard)
            subscription.start = start
        return subscription

    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> RemoteStream:
        """The frames that count, as they are written, until the execution has ended. Its end ends the iteration."""
        feed = self._feed("read_stream", {"execution_id": execution_id}, cursor, [])
        stream = RemoteStream(feed, *self._following(StreamFrame, cursor))
        stream.is_there = partial(self._has, execution_id)
        return stream

    async def _has(self, execution_id: str) -> bool:
        return await cast("WireEngine", self).describe_execution(execution_id) is not None

    def _following(self, item: type, cursor: str | None) -> tuple[Line, Caller, type, Codec, str | None]:
        return self._services.line, self._caller, item, self._services.leases.codec, cursor

    def _feed(
        self, method: str, wanted: Mapping[str, object], cursor: str | None, start: Sequence[tuple[str, str]]
    ) -> Feed:
        """The Server-Sent Events of a route. `start` says where they begin if there is no cursor."""
        services, operation = self._services, OPERATIONS[method]
        keywords = {name: value for name, value in wanted.items() if value is not None}
        headers = [*self._headers, ("accept", "text/event-stream")]

        def written(after: str | None) -> bytes:
            given = keywords if after is None else {**keywords, "cursor": after}
            request = operation.sent((), given, services.leases.codec)
            if after is None:
                request = request._replace(query=[*request.query, *start])
            return services.calls.written(request, headers)

        return Feed(services.line, services.calls, written, cursor)


# ── the methods of the route table ───────────────────────────────────────────────────────────────


def _method(operation: Operation) -> Callable[..., Coroutine[Any, Any, Any]]:
    """A method that sends its call."""

    async def call(self: RemoteEngine, /, *args: Any, **keywords: Any) -> Any:
        return await self._call(operation, args, keywords)

    update_wrapper(call, getattr(WireEngine, operation.route.method))
    call.__qualname__ = f"RemoteEngine.{operation.route.method}"
    return call


for _operation in OPERATIONS.values():
    if hasattr(WireEngine, _operation.route.method) and not hasattr(RemoteEngine, _operation.route.method):
        setattr(RemoteEngine, _operation.route.method, _method(_operation))


def _is_repeatable(operation: Operation, args: Sequence[Any]) -> bool:
    method = operation.route.method
    if method == "append_said" and args and isinstance(args[0], list | tuple):
        return all(isinstance(said, Said) and said.first_seq is not None for said in args[0])
    return method in REPEATABLE


def _check_token(token: str | None) -> None:
    given: object = token
    if given is not None and not (
        isinstance(given, str) and given.isascii() and given.isprintable() and " " not in given
    ):
        raise InvalidInput("token is the access token that `ff tokens create` has shown: one word of plain letters.")
