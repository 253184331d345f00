"""One call of the API: the caller's view of the engine, the arguments, the method, and the answer."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, Literal, NoReturn

from flowfabric.domain.access import ROLES, Role
from flowfabric.domain.errors import AccessDenied, InvalidInput, NotFound
from flowfabric.domain.lease import Lease
from flowfabric.server.beside import Doctor, Overviews, ends, execution_view, questions
from flowfabric.server.guard import Caller
from flowfabric.server.messages import Gone, Request, Response, json_response, problem_response
from flowfabric.server.pictures import Pictures, graph_of
from flowfabric.server.settings import Settings
from flowfabric.wire import leases
from flowfabric.wire.access import MAY, Permission, may
from flowfabric.wire.engine import WireEngine
from flowfabric.wire.operations import Arguments, Operation
from flowfabric.wire.problems import absent
from flowfabric.wire.routes import Route
from flowfabric.wire.shapes import Codec

PAYLOADS: Final[tuple[Literal["base64", "json"], ...]] = ("base64", "json")
SEALS_FRESH_S: Final = 1.0
VIEWS_MAX: Final = 1_000
DRY_RUN: Final = [("dry_run", "true")]
NOTHING_YET: Final = 204
"""The status of a request that has waited as long as it may."""


class OutOfReach(NotFound):
    """There is no such thing, or it belongs to somebody else: both look the same."""

    code = NotFound.code


class Calls:
    """Calls methods of the engine for requests."""

    def __init__(self, engine: WireEngine, settings: Settings, draining: asyncio.Event, doctor: Doctor) -> None:
        self._engine = engine
        self._doctor = doctor
        self._overviews = Overviews()
        self._settings = settings
        self._draining = draining
        self._pictures = Pictures()
        self._views: dict[tuple[str | None, str | None, str | None], WireEngine] = {}
        self._codecs: dict[tuple[str, bool], Codec] = {}
        self._sealed_at_s = -SEALS_FRESH_S

    async def answer(
        self, request: Request, operation: Operation, path: dict[str, str], caller: Caller | None
    ) -> Response:
        """The answer to a request. Raises what the engine raises."""
        codec = await self.codec(request, operation, caller)
        arguments = await self.arguments(request, operation, path, codec, caller)
        try:
            view = await self.view(request, operation, caller, arguments)
        except OutOfReach as error:
            if operation.route.absent != error.entity:
                raise
            return problem_response(absent(error.entity, request.id))
        if operation.route.method == "operate" and request.query == DRY_RUN:
            return json_response({"count": await view.count_executions(**_filters(arguments.keywords))})
        answer = await self._called(request, operation, view, arguments)
        if isinstance(answer, Response):
            return answer
        if answer is None and operation.route.absent is not None:
            return problem_response(absent(operation.route.absent, request.id))
        return Response(200, operation.answered(answer, codec))

    async def arguments(
        self, request: Request, operation: Operation, path: dict[str, str], codec: Codec, caller: Caller | None
    ) -> Arguments:
        """The arguments of the request. The caller must be allowed to send them."""
        route = operation.route
        # The body of a caller that may not call this at all is not read.
        if route.eased is None or not _may(caller, route.eased[1]):
            _check(caller, route.needs, own=route.own is not None)
        body = b""
        if operation.takes_body:
            body = await request.json_body(self._bytes_max(route), self._settings.body_s)
        query = request.query
        if operation.takes_body and query:
            _check_dry_run(route.method, query)
        arguments = operation.received(path, query, body, codec)
        if route.eased is not None:
            name, permission = route.eased
            if not (arguments.keywords.get(name) and _may(caller, permission)):
                _check(caller, route.needs)
        if operation.has_command_id and (command_id := request.text("idempotency-key")) is not None:
            arguments.keywords["command_id"] = command_id
        return arguments

    def _bytes_max(self, route: Route) -> int:
        """How large the body of a request may be."""
        if route.needs == "anyone":
            return self._settings.stranger_bytes_max
        return self._settings.batch_bytes_max if route.is_batch else self._settings.body_bytes_max

    async def view(
        self, request: Request, operation: Operation, caller: Caller | None, arguments: Arguments
    ) -> WireEngine:
        """The engine as the caller may see it."""
        view = await self._view_for(request, operation, caller, arguments)
        if arguments.said is not None:
            view = view.saying(arguments.said)
        trace = request.text("traceparent") if operation.takes_body else None
        return view if trace is None else view.sent_from(trace)

    async def _view_for(
        self, request: Request, operation: Operation, caller: Caller | None, arguments: Arguments
    ) -> WireEngine:
        if caller is None:
            return self._view_of(None, request.text("ff-namespace"), None)
        principal = caller.principal
        actor = request.text("ff-actor")
        if actor is not None and principal.role != "admin":
            raise AccessDenied("Only an admin may act for somebody else. Leave the header FF-Actor out.")
        if actor is None and principal.token_id:
            actor = principal.name
        view = self._view_of(principal.namespace, request.text("ff-namespace"), actor)
        if not await _is_within_reach(view, operation, caller, arguments.keywords):
            raise OutOfReach(operation.route.own or "execution")
        decides = operation.route.needs == "approve" and principal.role == "approver"
        return view.deciding_as(principal) if decides else view

    def _view_of(self, confined_to: str | None, namespace: str | None, actor: str | None) -> WireEngine:
        key = (confined_to, namespace, actor)
        view = self._views.get(key)
        if view is None:
            view = self._engine if confined_to is None else self._engine.scoped(confined_to)
            view = view if namespace is None else view.scoped(namespace)
            view = view if actor is None else view.acting_as(actor)
            if len(self._views) >= VIEWS_MAX:
                self._views.clear()
            self._views[key] = view
        return view

    async def codec(self, request: Request, operation: Operation, caller: Caller | None) -> Codec:
        """How values are written for this caller. The keys that seal leases are asked for once a second."""
        wanted = request.headers.get("accept-payload", "base64").strip().lower()
        if wanted not in PAYLOADS:
            raise InvalidInput("Accept-Payload is base64 or json. Correct the header, or leave it out.")
        if not operation.has_leases:  # the first key is made when it is needed
            return _WITHOUT_LEASES[wanted]
        now_s = time.monotonic()
        if now_s - self._sealed_at_s >= SEALS_FRESH_S:
            seals = await self._engine.seals(leases.PURPOSE)
            self._sealed_at_s = now_s
            self._codecs = {
                (payloads, is_admin): Codec(
                    partial(leases.sealed, seals=seals),
                    partial(leases.verified, seals=seals, may_be_plain=is_admin),
                    payloads,
                )
                for payloads in PAYLOADS
                for is_admin in (False, True)
            }
        return self._codecs[wanted, caller is not None and caller.principal.role == "admin"]

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────

    async def _called(self, request: Request, operation: Operation, view: WireEngine, arguments: Arguments) -> Any:
        method: Callable[..., Coroutine[Any, Any, Any]]
        if operation.route.method == "flow_graph":
            return await graph_of(view, **arguments.keywords)
        if operation.route.method == "flow_layout":
            return await self._pictures.layout(view, **arguments.keywords)
        if operation.route.method == "doctor":
            return await self._doctor.diagnosis(_confinement(request))
        if operation.route.method == "overview":
            return await self._overviews.overview(view, _confinement(request))
        if operation.route.method == "view_execution":
            return await execution_view(view, **arguments.keywords)
        if operation.route.method == "list_questions":
            return await questions(view, **arguments.keywords)
        if operation.route.method == "get_ends":
            return await ends(view, arguments.keywords["execution_ids"], self._settings.batch_bytes_max)
        if operation.route.method == "wait_for_lost":
            return await self._while_here(request, _lost(view, **arguments.keywords), arguments.wait_ms, 0.5)
        method = getattr(view, operation.route.method)
        if operation.route.waits is None:
            return await method(**arguments.keywords)
        # A call that ends its wait by itself gets a little longer than its own time.
        more_s = 0.5 if operation.route.waits == "timeout_ms" else 0.1
        return await self._while_here(request, method(**arguments.keywords), arguments.wait_ms, more_s)

    async def _while_here(
        self, request: Request, waiting: Coroutine[Any, Any, Any], wait_ms: int, more_s: float
    ) -> Any:
        """The answer to a call that waits. The wait ends early if the client goes away, or if the server stops."""
        call = asyncio.ensure_future(waiting)
        gone = asyncio.ensure_future(request.gone())
        draining = asyncio.ensure_future(self._draining.wait())
        try:
            await asyncio.wait({call, gone, draining}, timeout=wait_ms / 1000 + more_s, return_when="FIRST_COMPLETED")
            if call.done():
                return call.result()
            if gone.done():
                raise Gone
            return Response(NOTHING_YET)
        except TimeoutError:
            return Response(NOTHING_YET)
        finally:
            for each in (call, gone, draining):
                each.cancel()
            # What was claimed for this caller is given back before anything else happens.
            await asyncio.gather(call, gone, draining, return_exceptions=True)


def _check_dry_run(method: str, query: list[tuple[str, str]]) -> None:
    """Refuse every query of a command but this one, written like this: a dry run must never be done in earnest."""
    if method != "operate":
        raise InvalidInput(f"{method} takes its arguments in the body. Leave the query out. Nothing was done.")
    if query not in (DRY_RUN, [("dry_run", "false")]):
        raise InvalidInput("The query of operate is dry_run=true or dry_run=false, or nothing. Nothing was done.")


def _no_lease(_: object) -> NoReturn:
    raise AssertionError("a route without leases has met one")


_WITHOUT_LEASES: Final = {payloads: Codec(_no_lease, _no_lease, payloads) for payloads in PAYLOADS}


async def _lost(view: WireEngine, leases: Sequence[Lease], timeout_ms: int) -> list[str]:
    """Wait until some of these leases may be over."""
    loop, lost = asyncio.get_running_loop(), asyncio.Event()
    found: dict[str, None] = {}

    def on_lost(execution_ids: Sequence[str]) -> None:
        loop.call_soon_threadsafe(report, execution_ids)

    def report(execution_ids: Sequence[str]) -> None:
        found.update(dict.fromkeys(execution_ids))
        lost.set()

    with view.watch_leases(lambda: leases, on_lost):
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                await lost.wait()
        except TimeoutError:
            pass
    return list(found)


# ── who may ──────────────────────────────────────────────────────────────────────────────────────


def _may(caller: Caller | None, needs: Permission) -> bool:
    return needs == "anyone" or (caller is not None and may(caller.principal, needs))


def _check(caller: Caller | None, needs: Permission, *, own: bool = False) -> None:
    """Raise AccessDenied unless the caller may do this. `own`: a submitter may, to what it has made."""
    if _may(caller, needs):
        return
    assert caller is not None
    role = caller.principal.role
    if not (own and role == "submitter"):
        raise AccessDenied(_denial(role, needs))


def _denial(role: Role, needs: Permission) -> str:
    """What the role lacks, and what to do about it. A token has one role."""
    roles = [each for each in ROLES if needs in MAY[each]]
    denial = f"The role {role} may not {needs}. Use a token of the role {' or '.join(roles)}."
    if role == "worker" and needs == "submit":
        return f"{denial} A task may start children with this one: ctx.run, ctx.map."
    return denial


async def _is_within_reach(view: WireEngine, operation: Operation, caller: Caller, keywords: dict[str, Any]) -> bool:
    """Whether the execution or flow of the request exists for this caller. For a submitter, only its own do."""
    route, principal = operation.route, caller.principal
    if route.own is None or principal.role != "submitter":
        return True
    return principal.has_made(await _maker(view, route.own, keywords))


async def _maker(view: WireEngine, what: str, keywords: dict[str, Any]) -> str | None:
    """Who has made the execution or flow of the request. None: nobody knows, or there is none."""
    if what == "execution":
        found = await view.describe_execution(keywords["execution_id"])
        return None if found is None else found.created_by
    flow = await view.describe_flow(keywords["flow_id"])  # not its members: anybody may have added some
    return None if flow is None else flow.created_by


def _confinement(request: Request) -> str | None:
    """The only namespace that the caller sees. None: all."""
    caller: Caller = request.scope["flowfabric.caller"]
    return caller.principal.namespace or request.text("ff-namespace")


def _filters(keywords: dict[str, Any]) -> dict[str, Any]:
    """The filters of a bulk verb, without what it would do."""
    others = ("action", "reason", "priority", "steps", "cursor", "limit")
    return {name: value for name, value in keywords.items() if name not in others}
