"""The route table: one row for each method of the engine that is offered over HTTP.

A row names the method, the verb, the path, and what the caller must be allowed to do. The rest follows from the
method's signature: arguments that the path names come from the path, the others of a GET from the query, and those of a
POST from the body, which is a JSON object. `command_id` is the header `Idempotency-Key`, and `conn` does not travel.
"""

from typing import Any, Final, Literal

import msgspec

from flowfabric.domain import errors
from flowfabric.domain.access import AccessTokenSnapshot
from flowfabric.domain.errors import EngineError
from flowfabric.domain.flow_snapshots import FlowSnapshot
from flowfabric.domain.gate_snapshots import BudgetSnapshot, LimitSnapshot, Spending
from flowfabric.domain.snapshots import ExecutionSnapshot
from flowfabric.wire.access import Permission
from flowfabric.wire.engine import OpenQuestion

WAIT_MS_MAX: Final = 30_000
"""How long one request waits at most. A client that waits longer asks again."""

Refusals = tuple[type[EngineError], ...]


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table."""

    method: str
    """The name of the engine's method. It is the operation's id in the OpenAPI document."""
    verb: Literal["GET", "POST"]
    path: str
    needs: Permission
    refusals: Refusals = ()
    """The refusals of this method. `Operation.refusals` adds those that follow from its arguments."""
    waits: Literal["timeout_ms", "cut"] | None = None
    """Whether it waits. `timeout_ms`: the method has this argument, and the server allows at most 30 s. `cut`: the
    method waits without end, so the server ends the wait after `wait_ms` of the request. 204 answers that the
    time is over."""
    absent: str | None = None
    """If the method answers None, the server answers 404: there is no such thing."""
    items: Any = None
    """What a `Page` of this method holds."""
    is_batch: bool = False
    """Whether the body may be large."""
    own: Literal["execution", "flow"] | None = None
    """A submitter may do this to an execution or a flow that it has made itself."""
    eased: tuple[str, Permission] | None = None
    """With this argument, another permission is enough."""
    streams: str | None = None
    """The method whose items are sent as Server-Sent Events, if the caller accepts these."""


def _get(method: str, path: str, needs: Permission = "look", **more: Any) -> Route:
    return Route(method=method, verb="GET", path=path, needs=needs, **more)


def _post(method: str, path: str, needs: Permission, *refusals: type[EngineError], **more: Any) -> Route:
    return Route(method=method, verb="POST", path=path, needs=needs, refusals=refusals, **more)


_LEASE: Final[Refusals] = (
    errors.NotFound, errors.StaleLease, errors.LeaseExpired, errors.ExecutionNotActive, errors.Conflict,
)  # fmt: skip
_SIGNAL: Final[Refusals] = (
    errors.NotFound, errors.NotSignalable, errors.WaitpointClosed, errors.SignalLimitExceeded, errors.Conflict,
)  # fmt: skip
_STEER: Final[Refusals] = (errors.NotFound, errors.ExecutionNotEligible, errors.Conflict)
_CREATE: Final[Refusals] = (errors.Conflict, errors.LimitReached, errors.NotFound)
_GRAPH: Final[Refusals] = (
    errors.NotFound, errors.FlowTerminal, errors.StaleGraphRevision, errors.CycleDetected, errors.SelfEdge,
    errors.NotAMember, errors.EdgeExists, errors.PolicyFixed, errors.ExecutionNotEligible, errors.Conflict,
)  # fmt: skip
_REPLAY: Final[Refusals] = (
    errors.NotFound, errors.ExecutionNotTerminal, errors.FlowNotTerminal, errors.FlowTerminal,
    errors.MaxReplaysExhausted, errors.NotAMember, errors.ExecutionNotEligible, errors.Conflict,
)  # fmt: skip

_ONE: Final = "/v1/executions/{execution_id}"
_FLOW: Final = "/v1/flows/{flow_id}"
_LIMIT: Final = "/v1/limits/{name}"
_BUDGET: Final = "/v1/budgets/{name}"
_MINE: Final[dict[str, Any]] = {"own": "execution"}

ROUTES: Final[tuple[Route, ...]] = (
    # the server and its store
    _get("server_time_ms", "/v1/time", "known"),
    _get("ping", "/v1/ping", "known"),
    _get("stats", "/v1/stats"),
    _get("doctor", "/v1/doctor"),
    _get("overview", "/v1/overview"),
    _get("throughput", "/v1/throughput"),
    _get("recent_failures", "/v1/failures"),
    _post("reconcile", "/v1/upkeep", "steer"),
    _post("recount", "/v1/upkeep/counts", "steer"),
    _get("list_waitpoint_kids", "/v1/secrets", "manage"),
    _post("rotate_waitpoint_secret", "/v1/secrets/rotate", "manage", errors.Conflict, errors.Refused),
    _post("create_access_token", "/v1/tokens", "manage", errors.Conflict),
    _get("list_access_tokens", "/v1/tokens", "manage", items=AccessTokenSnapshot),
    _get("has_access_tokens", "/v1/tokens:any", "manage"),
    _post("revoke_access_token", "/v1/tokens/{token_id}/revoke", "manage", errors.NotFound),
    _post("create_login_token", "/v1/tokens:login", "manage"),
    # executions
    _post("create_execution", "/v1/executions", "submit", *_CREATE),
    _post("create_executions", "/v1/executions:batch", "submit", *_CREATE, is_batch=True),
    _get("list_executions", "/v1/executions", items=ExecutionSnapshot),
    _get("count_executions", "/v1/executions:count"),
    _get("find_executions", "/v1/executions:find"),
    _post("get_ends", "/v1/executions:ends", "look", is_batch=True),
    _post("operate", "/v1/executions:operate", "steer"),
    _post("purge", "/v1/executions:purge", "manage"),
    _get("list_waiting", "/v1/waiting", items=ExecutionSnapshot),
    _get("list_questions", "/v1/questions", items=OpenQuestion),
    _get("describe_execution", _ONE, absent="execution", **_MINE),
    _get("view_execution", _ONE + "/view", absent="execution", **_MINE),
    _get("explain", _ONE + "/explain", **_MINE),
    _get("get_result", _ONE + "/result", **_MINE),
    _get("get_payload", _ONE + "/payload", **_MINE),
    _get("wait_for_result", _ONE + "/end", waits="timeout_ms", **_MINE),
    _get("list_attempts", _ONE + "/attempts", **_MINE),
    _get("attempt_deadline_ms", _ONE + "/deadline", **_MINE),
    _get("list_steps", _ONE + "/steps", **_MINE),
    _get("get_step", _ONE + "/steps/{name}", absent="step", **_MINE),
    _get("get_wait", _ONE + "/waits/{name}", **_MINE),
    _get("list_waitpoints", _ONE + "/waitpoints", **_MINE),
    _get("list_signals", _ONE + "/signals", **_MINE),
    _get("list_children", _ONE + "/children", items=ExecutionSnapshot, **_MINE),
    _get("follow_events", _ONE + "/events", waits="cut", **_MINE),
    _get("read_stream", _ONE + "/stream", streams="follow_stream", **_MINE),
    _get("read_summary", _ONE + "/summary", **_MINE),
    _post("cancel_execution", _ONE + "/cancel", "steer", *_STEER, errors.StaleLease, own="execution"),
    _post("revoke_lease", _ONE + "/revoke", "steer", *_STEER, errors.StaleLease, eased=("expected_lease_id", "work")),
    _post("change_priority", _ONE + "/priority", "steer", *_STEER),
    _post("replay_execution", _ONE + "/replay", "steer", *_REPLAY),
    _post("hold", _ONE + "/hold", "steer", *_STEER),
    _post("unhold", _ONE + "/unhold", "steer", *_STEER),
    _post("resume_execution", _ONE + "/resume", "steer", *_STEER),
    _post("set_tag", _ONE + "/tags/{key}", "steer", *_STEER),
    _post("signal", _ONE + "/signal", "approve", *_SIGNAL),
    _post("close_waitpoint", _ONE + "/waitpoints/{key}/close", "steer", *_STEER),
    _post("issue_token", _ONE + "/waitpoints/{key}/token", "steer", *_SIGNAL, errors.ExecutionNotEligible),
    _post("signal_alias", "/v1/aliases/{alias}/signal", "approve", *_SIGNAL, errors.NoWaiter),
    _post("signal_by_token", "/v1/signals/{token}", "anyone", *_SIGNAL, errors.InvalidToken),
    _get("describe_token", "/v1/signals/{token}", "anyone", refusals=(errors.InvalidToken, errors.WaitpointClosed)),
    # flows
    _post("create_flow", "/v1/flows", "submit", errors.Conflict),
    _post("submit_flow", "/v1/flows:submit", "submit", *_CREATE, *_GRAPH, is_batch=True),
    _get("list_flows", "/v1/flows", items=FlowSnapshot),
    _get("describe_flow", _FLOW, absent="flow", own="flow"),
    _get("flow_graph", _FLOW + "/graph", absent="flow", own="flow"),
    _get("flow_layout", _FLOW + "/layout", absent="flow", own="flow"),
    _get("wait_for_flow", _FLOW + "/end", waits="timeout_ms", own="flow"),
    _get("list_edges", _FLOW + "/edges", own="flow"),
    _get("describe_edge", _FLOW + "/edges/{edge_id}", absent="edge", own="flow"),
    _post("add_execution", _FLOW + "/executions", "submit", *_CREATE, *_GRAPH, own="flow"),
    _post("add_dependency", _FLOW + "/edges", "submit", *_GRAPH, own="flow"),
    _post("set_edge_group_policy", _FLOW + "/joins/{downstream}", "submit", *_GRAPH, own="flow"),
    _post("cancel_flow", _FLOW + "/cancel", "steer", *_GRAPH, own="flow", waits="cut"),
    _post("replay_flow", _FLOW + "/replay", "steer", *_REPLAY),
    _post("set_flow_tag", _FLOW + "/tags/{key}", "steer"),
    _post("ack_cancel_member", _FLOW + "/members/{execution_id}/ack", "work", *_GRAPH),
    # lanes, schedules, workers
    _get("list_lanes", "/v1/lanes"),
    _post("pause_lane", "/v1/lanes/{lane}/pause", "steer"),
    _post("resume_lane", "/v1/lanes/{lane}/resume", "steer"),
    _get("list_schedules", "/v1/schedules"),
    _post("fire_schedule", "/v1/schedules:fire", "work", *_CREATE),
    _post("pause_schedule", "/v1/schedules/{name}/pause", "steer", errors.NotFound),
    _post("resume_schedule", "/v1/schedules/{name}/resume", "steer", errors.NotFound),
    _post("run_schedule", "/v1/schedules/{name}/run", "steer", *_CREATE),
    _post("forget_schedule", "/v1/schedules/{name}/forget", "steer", errors.NotFound, errors.ScheduleNotOrphaned),
    _get("list_workers", "/v1/workers"),
    _post("heartbeat", "/v1/workers", "work"),
    _post("say_goodbye", "/v1/workers/{worker_instance_id}/goodbye", "work"),
    # limits and budgets
    _get("list_limits", "/v1/limits", items=LimitSnapshot),
    _get("describe_limit", _LIMIT, absent="limit"),
    _post("set_limit", _LIMIT, "manage", errors.NotFound, eased=("if_new", "work")),
    _post("remove_limit", _LIMIT + "/remove", "manage", errors.NotFound),
    _post("pause_limit", _LIMIT + "/pause", "steer", errors.NotFound, eased=("for_ms", "work")),
    _get("list_budgets", "/v1/budgets", items=BudgetSnapshot),
    _get("describe_budget", _BUDGET, absent="budget"),
    _get("list_spending", _BUDGET + "/spending", items=Spending, refusals=(errors.NotFound,)),
    _post("set_budget", _BUDGET, "manage", errors.NotFound, errors.Conflict, eased=("if_new", "work")),
    _post("reset_budget", _BUDGET + "/reset", "manage", errors.NotFound),
    _post("charge_budget", _BUDGET + "/charge", "manage", errors.NotFound),
    # the log
    _get("read_events", "/v1/events", streams="subscribe", refusals=(errors.NotFound,)),
    _get("newest_events", "/v1/events:newest"),
    # workers, and everything that needs a lease
    _post("claim", "/v1/leases/claim", "work"),
    _post("wait_for_work", "/v1/leases/wait", "work", waits="timeout_ms"),
    _post("wait_until_ready", "/v1/leases/ready", "work", waits="cut"),
    _post("wait_for_lost", "/v1/leases/lost", "work", waits="timeout_ms", is_batch=True),
    _post("renew", "/v1/leases/renew", "work", *_LEASE),
    _post("renew_all", "/v1/leases/renew:batch", "work", is_batch=True),
    _post("complete", "/v1/leases/complete", "work", *_LEASE),
    _post("complete_all", "/v1/leases/complete:batch", "work", is_batch=True),
    _post("fail", "/v1/leases/fail", "work", *_LEASE),
    _post("release", "/v1/leases/release", "work", *_LEASE),
    _post("delay", "/v1/leases/delay", "work", *_LEASE),
    _post("progress", "/v1/leases/progress", "work", *_LEASE),
    _post("record_step", "/v1/leases/step", "work", *_LEASE),
    _post("create_children", "/v1/leases/children", "work", *_LEASE, errors.LimitReached, is_batch=True),
    _post("append_frames", "/v1/leases/frames", "work", *_LEASE),
    _post("append_all", "/v1/leases/frames:batch", "work", is_batch=True),
    _post("append_said", "/v1/leases/said", "work", is_batch=True),
    _post("patch_summary", "/v1/leases/summary", "work", *_LEASE),
    _post("reserve", "/v1/leases/reserve", "work", *_LEASE, errors.BudgetExceeded),
    _post("spend", "/v1/leases/spend", "work", *_LEASE, errors.BudgetExceeded),
    _post("take_slot", "/v1/leases/slots/take", "work", *_LEASE),
    _post("give_slot", "/v1/leases/slots/give", "work", *_LEASE),
    _post("wait_for_slot", "/v1/leases/slots/wait", "work", *_LEASE, waits="timeout_ms"),
    _post("create_waitpoint", "/v1/leases/waitpoint", "work", *_LEASE, errors.WaitpointClosed),
    _post("open_wait", "/v1/leases/waits/open", "work", *_LEASE, errors.WaitpointClosed),
    _post("suspend", "/v1/leases/suspend", "work", *_LEASE, errors.WaitpointClosed),
    _post("wait_for_wait", "/v1/leases/waits/end", "work", *_LEASE, waits="timeout_ms"),
)

NO_ROUTE: Final[dict[str, str]] = {
    "create_from": "`create_execution` does the same: its arguments are the fields of the item",
    "seals": "keys never leave the server",
    "authenticate": "the server does this with every request",
    "log_in": "a browser sends its token to /v1/session",
    "log_out": "a browser sends DELETE to /v1/session",
}
"""The coroutine methods of the engine that have no route, and why."""
