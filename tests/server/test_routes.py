"""Every route, driven once over real HTTP; and what all routes have in common."""

import gzip
import itertools
import time

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator

from flowfabric import (
    Completed,
    Conflict,
    Created,
    Duplicate,
    ExecutionNotActive,
    FlowGraph,
    LeaseExpired,
    ManualClock,
    NewChild,
    NewExecution,
    NewSchedule,
    NotFound,
    Quorum,
    ScheduleNotOrphaned,
    StaleLease,
)
from flowfabric.domain.access import ROLES, Role
from flowfabric.domain.inputs import fence
from flowfabric.domain.streams import Frame, StoredFrame, said
from flowfabric.server.openapi import document
from flowfabric.wire.access import MAY
from flowfabric.wire.operations import OPERATIONS
from flowfabric.wire.routes import Route
from tests.server.running import Caller, Running, running

pytestmark = pytest.mark.xdist_group("server: routes")

MISSING = "{fp:86}:01890000-0000-7000-8000-0000000000ff"
numbers = itertools.count()


def claimed(call: Caller, lane: str, **options: object):
    """The lease of a new execution on a lane of its own."""
    call("create_execution", "job", b"in", lane=lane, **options)
    (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=[lane])
    return claim


class Story:
    """Calls methods, and notes which routes were driven."""

    def __init__(self, call: Caller) -> None:
        self.call = call
        self.driven: set[str] = set()

    def __call__(self, method: str, *args: object, **keywords: object):
        return self.on(method, **keywords)(method, *args, **keywords)

    def on(self, method: str, **keywords: object) -> Caller:
        """The caller for the next call of this method."""
        self.driven.add(method)
        return self.call


class StoryOfRole(Story):
    """Lets a role do everything that it may do, and an admin the rest, after the role was refused it."""

    def __init__(self, role: Role, of_role: Caller, admin: Caller) -> None:
        super().__init__(of_role)
        self._role = role
        self._admin = admin
        self.done: set[str] = set()

    def __call__(self, method: str, *args: object, **keywords: object):
        caller = self.on(method, **keywords)
        if caller is self._admin:
            refused = self.call.send(method, *args, **keywords)
            assert (refused.status_code, refused.json()["code"]) == (403, "access_denied"), method
        return caller(method, *args, **keywords)

    def on(self, method: str, **keywords: object) -> Caller:
        self.driven.add(method)
        if self.may(OPERATIONS[method].route):
            self.done.add(method)
            return self.call
        argument, permission = OPERATIONS[method].route.eased or ("", "manage")
        return self.call if argument in keywords and permission in MAY[self._role] else self._admin

    def may(self, route: Route) -> bool:
        """Whether the role may do this with any arguments."""
        return route.needs in ("anyone", *MAY[self._role]) or (self._role == "submitter" and route.own is not None)


class CheckingCaller(Caller):
    """Compares every answer with what the OpenAPI document says of it."""

    described = document("1.0")

    def send(self, method: str, *args: object, **keywords: object) -> httpx.Response:
        response = super().send(method, *args, **keywords)
        if response.status_code == 200:
            route = OPERATIONS[method].route
            answer = self.described["paths"][route.path][route.verb.lower()]["responses"]["200"]
            schema = answer["content"]["application/json"]["schema"]
            validator = Draft202012Validator({**schema, "components": self.described["components"]})
            assert [error.message for error in validator.iter_errors(response.json())] == [], method
        return response


def test_every_route_answers_as_the_document_says(server):
    call = CheckingCaller(server.url)
    with call.http:
        do = Story(call)
        _tell(do)

    assert set(OPERATIONS) - do.driven == set()


@pytest.mark.parametrize("role", [role for role in ROLES if role != "admin"])
def test_a_role_does_all_that_it_may_and_nothing_else(callers, role):
    """Each call of the story is answered with 200 or 204 to a role that may send it, and with 403 to every other."""
    with running(with_tokens=True) as server:
        do = StoryOfRole(role, callers(server.url, server.token(role, name=role)),
                         callers(server.url, server.token("admin")))  # fmt: skip
        _tell(do)

    assert set(OPERATIONS) - do.driven == set()
    assert do.done == {name for name, each in OPERATIONS.items() if do.may(each.route)}


def _tell(do: Story) -> None:
    _executions(do)
    _flows(do)
    _the_rest(do)
    _leases(do)
    _limits_and_budgets(do)


def _executions(do):
    made = do("create_execution", "job", b"in", lane="a", tags={"team.name": "x"})
    assert isinstance(made, Created)
    first, second = do("create_executions", [NewExecution(kind="job", lane="a"), NewExecution(kind="other", lane="a")])
    key = made.execution_id
    assert do("describe_execution", key).kind == "job"
    assert len(do("list_executions", tag=("team.name", "x")).items) == 1
    assert do("count_executions", lane="a") == 3
    assert do("find_executions", key.split(":", 2)[2])[0].execution_id == key
    assert [end.result for end in do("get_ends", [key])] == [None]
    assert do("explain", key)
    assert do("view_execution", key, values=True).explanation
    assert do("get_result", key) is None
    assert do("get_payload", key) == b"in"
    with pytest.raises(TimeoutError):
        do("wait_for_result", key, timeout_ms=1)
    assert do("list_attempts", key) == []
    assert do("attempt_deadline_ms", key) is None
    assert do("list_steps", key) == []
    assert do("get_step", key, "none") is None
    assert do("get_wait", key, "none") is None
    assert do("list_waitpoints", key) == []
    assert do("list_signals", key) == []
    assert do("list_children", key).items == []
    assert do("read_stream", key).frames == ()
    assert do("read_summary", key) is None
    assert do("hold", key, reason="look").execution_id == key
    assert do("follow_events", key).events
    assert do("unhold", key).execution_id == key
    assert do("change_priority", key, 5).new_priority == 5
    do("set_tag", key, "team.name", "y")
    assert do("cancel_execution", key, reason="test").public_state == "cancelled"
    assert do("replay_execution", key).public_state == "waiting"
    assert do("revoke_lease", key).reason
    assert do("operate", "cancel", lane="a", reason="all").done == 3
    assert do("purge", ended_before_ms=0).executions == 0
    assert do("list_waiting").items == []
    assert do("resume_execution", first.execution_id).reason == "not_suspended"
    assert {made.execution_id, first.execution_id, second.execution_id}


def _flows(do):
    graph = FlowGraph("flow")
    graph.node("a", "job", lane="flows")
    graph.node("b", "job", lane="flows")
    graph.edge("a", "b", pass_result_as="a")
    submitted = do("submit_flow", graph)
    flow = submitted.flow_id
    a, b = submitted.execution_ids["a"], submitted.execution_ids["b"]
    assert do("describe_flow", flow).node_count == 2
    assert [each.flow_id for each in do("list_flows").items] == [flow]
    picture = do("flow_graph", flow)
    assert [(each.node, each.public_state) for each in picture.nodes] == [("a", "waiting"), ("b", "waiting_children")]
    assert [(each.upstream, each.downstream) for each in picture.edges] == [(a, b)]
    drawn = do("flow_layout", flow, expand=[a])
    assert [(each.label, each.state) for each in drawn.nodes] == [("a", "waiting"), ("b", "waiting_children")]
    assert [(each.source, each.target) for each in drawn.edges] == [(a, b)]
    with pytest.raises(TimeoutError):
        do("wait_for_flow", flow, timeout_ms=1)
    (edge,) = do("list_edges", flow)
    assert do("describe_edge", flow, edge.edge_id) == edge
    c = do("add_execution", flow, "job", lane="flows").execution_id
    d = do("add_execution", flow, "job", lane="flows", after=[c]).execution_id
    assert do("add_dependency", flow, a, d).edge_id
    empty = do("create_flow", "flow").flow_id
    e = do("add_execution", empty, "job", lane="flows").execution_id
    assert do("set_edge_group_policy", empty, e, Quorum(1))
    do("set_flow_tag", flow, "team.name", "x")
    assert b in do("cancel_flow", flow, reason="test").member_execution_ids
    do("ack_cancel_member", flow, a)
    assert do("replay_flow", flow, dry_run=True).execution_ids


def _the_rest(do):
    assert do("server_time_ms") > 0
    do("ping")
    assert do("doctor").is_healthy is None
    do("overview")
    do("list_questions")
    assert do("stats").executions["cancelled"] >= 1
    assert do("throughput", since_ms=0)
    do("recent_failures", since_ms=0)
    assert do("recount") == 0
    assert do("reconcile")
    do("rotate_waitpoint_secret", grace_ms=60_000)
    assert len(do("list_waitpoint_kids")) == 2
    assert do("list_lanes")
    assert do("pause_lane", "rest", reason="x").lane == "rest"
    assert do("resume_lane", "rest").paused_since_ms
    schedule = NewSchedule(name="nightly", kind="job", every_ms=3_600_000, lane="rest")
    do("fire_schedule", schedule)
    assert [each.name for each in do("list_schedules")] == ["nightly"]
    assert do("pause_schedule", "nightly").paused_at_ms
    assert do("resume_schedule", "nightly").name == "nightly"
    assert do("run_schedule", "nightly").execution_id
    with pytest.raises(ScheduleNotOrphaned):
        do("forget_schedule", "nightly")
    do("heartbeat", worker_id="w", worker_instance_id="i")
    assert [each.worker_id for each in do("list_workers")] == ["w"]
    do("say_goodbye", "i")
    assert do("read_events", limit=1).events
    assert do("newest_events", limit=1).events
    made = do("create_access_token", "viewer", name="ann")
    assert do("has_access_tokens") is True
    assert do("list_access_tokens").items[0].name == "ann"
    assert do("revoke_access_token", made.token.token_id).token_id == made.token.token_id
    assert do("create_login_token").secret.startswith("fft_")


def _leases(do):
    for _ in range(9):
        do("create_execution", "job", lane="work")
    leases = [each.lease for each in do("claim", worker_id="w", worker_instance_id="i", lanes=["work"], limit=8)]
    lease, other = leases[0], leases[1]
    (last,) = do("wait_for_work", worker_id="w", worker_instance_id="i", lanes=["work"], timeout_ms=10)
    assert do("wait_for_lost", [lease], timeout_ms=1) == []
    with pytest.raises(TimeoutError):
        _ready(do, ["empty"])
    assert do("renew", lease).expires_at_ms
    assert len(do("renew_all", leases)) == 8
    do("progress", lease, percent=50)
    assert do("record_step", lease, "one", b"result").name == "one"
    assert do("append_frames", lease, [b"x"]).next_seq == 1
    assert do("append_all", [(lease, [Frame(b"y", "json")], None, None)])[0].next_seq == 2
    assert do("append_said", [said(fence(lease), [StoredFrame("text", b"z", None)])])[0].next_seq == 3
    assert do("patch_summary", lease, {"n": 1}).document == {"n": 1}
    assert len(do("create_children", lease, "group", [NewChild(kind="job", lane="kids")])) == 1
    waitpoint = do("create_waitpoint", lease, "key", about={"title": "Well?"}, alias="order-1")
    assert do("describe_token", waitpoint.token).about == {"title": "Well?"}
    do("issue_token", lease.execution_id, "key", source="ann")
    assert do("signal", lease.execution_id, "key", b"1").effect == "buffered"
    assert do("signal_alias", "order-1", b"2").effect == "buffered"
    assert do("signal_by_token", waitpoint.token, b"3").effect == "buffered"
    assert do("open_wait", lease, "wait", "later").waitpoints
    assert do("wait_for_wait", lease, "wait", timeout_ms=1) is None
    assert do("suspend", lease, "wait", "later").execution_id == lease.execution_id
    do("close_waitpoint", lease.execution_id, "later")
    assert do("complete", other, b"done") == Completed(other.execution_id)
    done, refused = do("complete_all", [(leases[2], b"x"), (other, b"y")])
    assert done == Completed(leases[2].execution_id)
    assert isinstance(refused, Completed | ExecutionNotActive)
    assert do("fail", leases[3], code="boom").execution_id
    assert do("release", leases[4]).execution_id
    assert do("delay", leases[5], until_ms=int(time.time() * 1000) + 60_000).execution_id
    do("set_limit", "slots", concurrency=1)
    assert do("take_slot", leases[6], "slots", "k").block == 1
    assert do("wait_for_slot", leases[7], "slots", "k", timeout_ms=1) is False
    do("give_slot", leases[6], "slots", "k")
    do("set_budget", "money", limits={"usd": 100})
    assert do("reserve", leases[6], "money", {"usd": 1}, command_id="r1").remaining == {"usd": 99}
    assert do("spend", leases[6], "money", {"usd": 2}).remaining == {"usd": 98}
    assert last.lease


def _ready(do, lanes):
    """A wait that only the server ends."""
    call = do.on("wait_until_ready")
    request = OPERATIONS["wait_until_ready"].sent((), {"lanes": lanes}, call.codec, wait_ms=1)
    response = call.http.post(request.path, content=request.body, headers={"content-type": "application/json"})
    assert response.status_code == 204
    raise TimeoutError


def _limits_and_budgets(do):
    assert do("describe_limit", "slots").concurrency == 1
    assert do("list_limits").items
    do("pause_limit", "slots", for_ms=10)
    do("remove_limit", "slots")
    assert do("describe_budget", "money").used == {"usd": 2}
    assert do("list_budgets").items
    assert do("list_spending", "money", by="kind").items
    assert do("charge_budget", "money", {"usd": 5}, reason="by hand").remaining
    do("reset_budget", "money")


# ── what all routes have in common ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("verb", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "no_such_address"),
        ("POST", "/", 405, "method_not_allowed"),
        ("GET", "/v2/executions", 404, "no_such_address"),
        ("GET", "/v1/executions/a/b/c", 404, "no_such_address"),
        ("GET", "/v1//executions", 404, "no_such_address"),
        ("GET", "/v1/executions/%ff", 404, "no_such_address"),
        ("GET", "/v1/executions/not-an-id/explain/", 404, "no_such_address"),
        ("PUT", "/v1/executions", 405, "method_not_allowed"),
        ("POST", "/v1/stats", 405, "method_not_allowed"),
        ("OPTIONS", "/v1/executions", 405, "method_not_allowed"),
        ("GET", "/v1/executions?limit=x", 400, "invalid_input"),
        ("GET", "/v1/executions?limit=0", 400, "invalid_input"),
        ("GET", "/v1/executions?nonsense=1", 400, "invalid_input"),
        ("GET", "/v1/executions?kind=%ff", 400, "invalid_input"),
        ("GET", "/v1/executions/not-an-id", 400, "invalid_input"),
        ("GET", "/v1/executions/", 400, "invalid_input"),
        ("GET", f"/v1/executions/{MISSING}", 404, "not_found"),
        ("GET", f"/v1/executions/{MISSING}/explain", 404, "not_found"),
        ("POST", "/v1/executions?kind=x", 400, "invalid_input"),
        ("GET", "/metrics", 404, "no_such_address"),
    ],
)
def test_whatever_is_wrong_is_a_problem_with_a_code(call, verb, path, status, code):
    response = call.http.request(verb, path)

    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert (response.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]


def test_a_wrong_method_says_which_are_right(call):
    assert call.http.delete("/v1/executions").headers["allow"] == "GET, POST"


def test_a_head_request_has_the_headers_of_a_get(call):
    response = call.http.head("/v1/stats")

    assert response.status_code == 200
    assert response.content == b""


def test_a_head_request_for_a_stream_has_its_headers_and_ends(call):
    key = call("create_execution", "job").execution_id

    for path in ("/v1/events", f"/v1/executions/{key}/stream"):
        response = call.http.head(path, headers={"accept": "text/event-stream"})
        assert (response.status_code, response.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert call.http.head("/v1/events?cursor=x", headers={"accept": "text/event-stream"}).status_code == 400


def test_the_request_id_of_the_caller_is_kept_if_it_is_one(call):
    assert call.http.get("/healthz", headers={"x-request-id": "mine-1"}).headers["x-request-id"] == "mine-1"
    assert call.http.get("/healthz", headers={"x-request-id": "a b"}).headers["x-request-id"] != "a b"


def test_every_response_has_headers_that_protect(call):
    for path in ("/healthz", "/v1/stats", "/nope", "/v1/docs", "/w/x", "/static/style.css"):
        headers = call.http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == ("max-age=3600" if path.startswith("/static") else "no-store")
        assert "server" not in headers


def test_a_body_must_say_that_it_is_json(call):
    for media_type in ("text/plain", "application/x-www-form-urlencoded", ""):
        response = call.http.post("/v1/executions", content=b'{"kind":"k"}', headers={"content-type": media_type})
        assert (response.status_code, response.json()["code"]) == (415, "not_json")


def test_a_body_that_is_packed_is_refused_as_that(call):
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    response = call.http.post("/v1/executions", content=gzip.compress(b'{"kind":"k"}'), headers=headers)

    assert (response.status_code, response.json()["code"]) == (415, "not_json")
    assert "Content-Encoding" in response.json()["detail"]
    headers["content-encoding"] = "identity"
    assert call.http.post("/v1/executions", content=b'{"kind":"k"}', headers=headers).status_code == 200


def test_a_time_that_makes_no_sense_is_named_as_the_caller_wrote_it(call):
    body = {"worker_id": "w", "worker_instance_id": "i", "timeout_ms": -5}

    assert call.http.post("/v1/leases/wait", json=body).json()["detail"].startswith("timeout_ms is ")
    assert (
        call.http.post("/v1/leases/ready", json={"lanes": ["x"], "wait_ms": -5})
        .json()["detail"]
        .startswith("wait_ms is ")
    )


def test_names_with_any_character_reach_the_engine(call):
    claim = claimed(call, "odd")
    for name in ("a/b", "..", "a b?#%", "é{}"):
        call("record_step", claim.lease, name, b"r")
        assert call("get_step", claim.execution_id, name).name == name


def test_an_idempotency_key_makes_a_command_once(call):
    first = call.send("create_execution", "job", lane="once", command_id="order-7")
    second = call.send("create_execution", "job", lane="once", command_id="order-7")

    assert first.content == second.content
    assert call("count_executions", lane="once") == 1
    with pytest.raises(Conflict):
        call("create_execution", "another", lane="once", command_id="order-7")


def test_the_same_key_of_an_execution_is_a_duplicate(call):
    first = call("create_execution", "job", lane="keys", idempotency_key="k")

    assert call("create_execution", "job", lane="keys", idempotency_key="k") == Duplicate(first.execution_id)


def test_a_dry_run_of_a_bulk_verb_counts_and_changes_nothing(call):
    call("create_execution", "job", lane="bulk")

    response = call.http.post("/v1/executions:operate?dry_run=true", json={"action": "cancel", "lane": "bulk"})

    assert response.json() == {"count": 1}
    assert call("list_executions", lane="bulk").items[0].public_state == "waiting"


@pytest.mark.parametrize(
    "query", ["dry_run=True", "dry_run=1", "dry_run", "dry_run=true&dry_run=false", "dry-run=true"]
)
def test_what_may_mean_a_dry_run_and_is_none_does_nothing(call, query):
    call("create_execution", "job", lane="bulk")
    was = call("count_executions", lane="bulk", public_state="waiting")

    refused = call.http.post(f"/v1/executions:operate?{query}", json={"action": "cancel", "lane": "bulk"})

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    assert call("count_executions", lane="bulk", public_state="waiting") == was


def test_a_dry_run_of_anything_else_does_nothing(call):
    """Who asks for one does not want it done."""
    key = call("create_execution", "job").execution_id

    for path, body in (
        (f"/v1/executions/{key}/cancel", {"reason": "x"}),
        ("/v1/executions:purge", {"ended_before_ms": 1}),
        ("/v1/executions", {"kind": "job"}),
    ):
        refused = call.http.post(f"{path}?dry_run=true", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input"), path
    assert call("describe_execution", key).public_state == "waiting"


def test_frames_travel_with_the_command_that_they_belong_to(call):
    claim = claimed(call, "speaks")
    words = said(fence(claim.lease), [StoredFrame("text", b"last words", None)])
    request = OPERATIONS["complete"].sent((claim.lease, b"r"), {}, call.codec, said=words)

    assert call.http.post(request.path, content=request.body, headers={"content-type": "application/json"}).is_success
    assert [frame.payload for frame in call("read_stream", claim.execution_id).frames] == [b"last words"]


def test_an_expired_lease_is_reported_as_that(callers):
    clock = ManualClock()
    with running(clock=clock, reconcile=False) as server:
        call = callers(server.url)
        claim = claimed(call, "late")
        clock.advance(60_000)
        with pytest.raises(LeaseExpired):
            call("complete", claim.lease, b"r")


def test_a_lease_of_another_execution_is_stale(call):
    claim = claimed(call, "stale")

    with pytest.raises(StaleLease):
        call("complete", msgspec.structs.replace(claim.lease, lease_epoch=claim.lease.lease_epoch + 1), b"r")
    with pytest.raises(NotFound):
        call("complete", msgspec.structs.replace(claim.lease, execution_id=MISSING), b"r")


def test_pages_of_a_list_lead_to_each_other(call):
    for _ in range(5):
        call("create_execution", "job", lane="pages")

    first = call("list_executions", lane="pages", limit=2)
    second = call("list_executions", lane="pages", limit=2, cursor=first.next_cursor)
    third = call("list_executions", lane="pages", limit=2, cursor=second.next_cursor)

    found = [each.execution_id for page in (first, second, third) for each in page.items]
    assert (len(found), len(set(found)), third.next_cursor) == (5, 5, None)


def test_health_and_readiness_are_two_things(call):
    assert call.http.get("/healthz").json() == {"status": "ok"}
    assert call.http.get("/readyz").json() == {"status": "ready"}


def test_a_scoped_caller_sees_only_its_namespace(server, callers):
    everywhere = callers(server.url)
    shop = callers(server.url, **{"ff-namespace": "shop"})
    made = shop("create_execution", "job")

    assert everywhere("describe_execution", made.execution_id).namespace == "shop"
    assert shop("describe_execution", made.execution_id) is not None
    assert callers(server.url, **{"ff-namespace": "other"})("describe_execution", made.execution_id) is None


def test_a_wait_ends_as_soon_as_there_is_something(call, server: Running):
    with httpx.Client(base_url=server.url, timeout=60) as http:
        made = call("create_execution", "job", lane="waits")
        (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=["waits"])
        began_at = time.monotonic()
        server.loop.call_soon_threadsafe(
            server.loop.call_later, 0.2, lambda: server.loop.create_task(server.engine.complete(claim.lease, b"r"))
        )
        response = http.get(f"/v1/executions/{made.execution_id}/end")
        assert response.json()["public_state"] == "completed"
        assert time.monotonic() - began_at < 20


def test_what_was_claimed_for_a_caller_that_has_gone_is_given_back(call, server: Running):
    body = {"worker_id": "gone", "worker_instance_id": "gone", "lanes": ["gone"], "timeout_ms": 30_000}
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{server.url}/v1/leases/wait", json=body, timeout=0.3)
    call("create_execution", "job", lane="gone")

    (claim,) = call("wait_for_work", worker_id="w", worker_instance_id="i", lanes=["gone"], timeout_ms=20_000)

    assert claim.attempt_index == 0


def test_a_lost_lease_is_reported_to_the_one_who_waits_for_it(call, server: Running):
    claim = claimed(call, "lost")
    server.loop.call_soon_threadsafe(
        server.loop.call_later,
        0.2,
        lambda: server.loop.create_task(server.engine.cancel_execution(claim.execution_id, reason="x")),
    )

    assert call("wait_for_lost", [claim.lease], timeout_ms=20_000) == [claim.execution_id]


def test_one_of_several_calls_that_fails_leaves_the_others_their_answers(
    server: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def fail(**_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(server.engine, "create_flow", fail)
    calls = [{"path": f"/v1/{what}", "body": {"kind": "k"}} for what in ("executions", "flows", "executions")]

    answer = httpx.post(f"{server.url}/v1/calls", json=calls, headers={"x-request-id": "of-three"})

    assert [each["status"] for each in answer.json()] == [200, 500, 200]
    assert answer.json()[1]["body"]["code"] == "internal_error"
    assert "request of-three failed" in caplog.text
    assert "a bug" in caplog.text
