"""Who may do what: every role on every route, in every namespace; and what a browser may not."""

import re
from collections.abc import Iterator

import httpx
import pytest
from msgspec.structs import replace

from flowfabric import AccessDenied, AllOf, AlreadySatisfied, NewSchedule, StaleLease
from flowfabric.domain.access import ROLES
from flowfabric.server import dashboard
from flowfabric.server.application import _ROOT as ROUTER
from flowfabric.server.application import _Node as Node
from flowfabric.server.guard import FREE_TRIES
from flowfabric.wire.access import MAY
from flowfabric.wire.operations import OPERATIONS, Operation
from flowfabric.wire.routes import ROUTES
from tests.server.running import Running, running

pytestmark = pytest.mark.xdist_group("server: access")

MISSING = "{fp:86}:01890000-0000-7000-8000-0000000000ff"
MISSING_FLOW = "01890000-0000-7000-8000-0000000000ff"
FILLED = {"execution_id": MISSING, "flow_id": MISSING_FLOW, "token": "x"}


def address(operation: Operation, **ids: str) -> str:
    """The path of a route, with ids of what does not exist where none is given."""
    known = {**FILLED, **ids}
    return re.sub(r"\{(\w+)\}", lambda match: known.get(match[1], "x"), operation.route.path)


def sent(http: httpx.Client, operation: Operation, body: dict[str, object] | None = None, **ids: str) -> httpx.Response:
    body = {} if body is None else body
    return http.request(
        operation.route.verb, address(operation, **ids), json=body if operation.takes_body else None,
        headers={"x-request-id": "the-same"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def clients(guarded: Running):
    """A client for each role, and one without a token."""
    tokens = {role: guarded.token(role, name=role) for role in ROLES}
    made = {role: httpx.Client(base_url=guarded.url, headers={"authorization": f"Bearer {token}"}, timeout=60)
            for role, token in tokens.items()}  # fmt: skip
    made["nobody"] = httpx.Client(base_url=guarded.url, timeout=60)
    yield made
    for client in made.values():
        client.close()


WAITING = {"wait_for_work", "wait_until_ready", "wait_for_lost"}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_exactly_what_the_table_says(clients, role):
    for operation in OPERATIONS.values():
        route = operation.route
        if route.method in WAITING and route.needs in MAY[role]:
            continue  # an empty body is refused before; what waits is driven elsewhere
        if route.eased is not None and route.eased[1] in MAY[role] and route.needs not in MAY[role]:
            continue  # it depends on an argument
        response = sent(clients[role], operation)
        is_allowed = route.needs == "anyone" or route.needs in MAY[role]
        is_own = role == "submitter" and route.own is not None
        is_denied = response.status_code == 403
        assert is_denied != (is_allowed or is_own), (role, route.method, response.text)
        if is_denied:
            assert response.json()["code"] == "access_denied"
        assert response.status_code not in (401, 500, 503), (route.method, response.text)


def test_without_a_token_only_what_needs_none_is_open(clients):
    for operation in OPERATIONS.values():
        response = sent(clients["nobody"], operation)
        if operation.route.needs == "anyone":
            assert response.status_code == 400, operation.route.method
        else:
            assert response.status_code == 401
            assert response.headers["www-authenticate"] == "Bearer"
            assert response.json()["code"] == "unauthenticated"


OPEN = {"/healthz", "/readyz", "/v1/openapi.json", "/v1/docs", "/static/{name}", "/static/{build}/{name}", "/w/{token}",
        "/login", *dashboard.ADDRESSES}  # fmt: skip
"""What is no route of the table, and is open to everybody. It shows nothing of what is stored."""


def every_address(node: Node) -> Iterator[tuple[str, str]]:
    """The verbs and paths of everything that a router answers."""
    yield from ((verb, node.pattern) for verb in node.verbs)
    for each in (*node.fixed.values(), *(() if node.named is None else (node.named[1],))):
        yield from every_address(each)


def test_nothing_else_is_open_without_a_token(clients):
    """Everything that the router knows: a route of the table, or one of the few that are open, or refused."""
    table = {(each.route.verb, each.route.path) for each in OPERATIONS.values()}
    others = set(every_address(ROUTER)) - table
    assert len(others) + len(table) == len(list(every_address(ROUTER)))
    for verb, path in others:
        answer = clients["nobody"].request(verb, re.sub(r"\{\w+\}", "x", path), json={} if verb == "POST" else None)
        if (verb, path) == ("POST", "/v1/session"):  # who has no token yet logs in here
            assert answer.status_code == 400
        elif path not in OPEN:
            assert answer.status_code in (401, 404), path
    for path in ("/healthz", "/readyz", "/v1/openapi.json", "/v1/docs", "/static/style.css"):
        assert clients["nobody"].get(path).status_code == 200


def test_what_has_a_name_in_another_namespace_looks_as_if_it_did_not_exist(guarded: Running):
    engine = guarded.engine
    guarded.run(engine.set_limit("theirs", concurrency=1, namespace="theirs"))
    guarded.run(engine.set_budget("theirs", limits={"usd": 1}, namespace="theirs"))
    guarded.run(engine.fire_schedule(NewSchedule(name="theirs", kind="job", every_ms=1000, namespace="theirs")))
    token = guarded.token("admin", namespace="ours")
    with httpx.Client(base_url=guarded.url, headers={"authorization": f"Bearer {token}"}, timeout=60) as http:
        for path, body in (
            ("/v1/limits/{}", None),
            ("/v1/limits/{}/remove", {}),
            ("/v1/limits/{}/pause", {"for_ms": 1}),
            ("/v1/budgets/{}", None),
            ("/v1/budgets/{}/spending?by=kind", None),
            ("/v1/budgets/{}/reset", {}),
            ("/v1/budgets/{}/charge", {"amounts": {"usd": 1}, "reason": "x"}),
            ("/v1/schedules/{}/pause", {}),
            ("/v1/schedules/{}/run", {}),
            ("/v1/schedules/{}/forget", {}),
        ):
            foreign, missing = (
                http.request(
                    "GET" if body is None else "POST", path.format(name), json=body, headers={"x-request-id": "same"}
                )
                for name in ("theirs", "nobody")
            )
            told = foreign.text.replace("theirs", "nobody")
            assert (foreign.status_code, told) == (missing.status_code, missing.text), path
            assert foreign.status_code == 404, (path, foreign.text)


def test_a_request_that_may_not_be_made_is_refused_before_its_body_is_read(guarded: Running):
    """The body would be too large, and would say so."""
    headers = {"authorization": f"Bearer {guarded.token('viewer')}", "content-type": "application/json"}
    response = httpx.post(f"{guarded.url}/v1/executions", content=b"x" * 3_000_000, headers=headers)

    assert response.status_code == 403


# ── namespaces ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ["admin", "operator", "worker", "approver", "viewer", "submitter"])
def test_what_belongs_to_another_namespace_looks_as_if_it_did_not_exist_byte_for_byte(guarded: Running, role):
    engine = guarded.engine.acting_as(role)
    theirs = guarded.run(engine.create_execution("job", namespace="theirs")).execution_id
    flow = guarded.run(engine.create_flow("flow", namespace="theirs")).flow_id
    member = guarded.run(engine.add_execution(flow, "job", namespace="theirs")).execution_id
    token = guarded.token(role, namespace="ours", name=role)
    with httpx.Client(base_url=guarded.url, headers={"authorization": f"Bearer {token}"}, timeout=60) as http:
        for operation in OPERATIONS.values():
            if not {"execution_id", "flow_id"} & set(operation.in_path):
                continue
            body = {"reason": "x", "kind": "x", "key": "x", "value": "x", "priority": 1, "policy": {"type": "all_of"},
                    "upstream": "x", "downstream": "x"}  # fmt: skip
            given = {name: value for name, value in body.items() if name in operation.request.__struct_fields__}
            if operation.route.method == "cancel_flow":
                given["policy"] = "cancel_all"
            foreign = sent(http, operation, given, execution_id=member if "flow_id" in operation.in_path else theirs,
                           flow_id=flow)  # fmt: skip
            missing = sent(http, operation, given)
            told = foreign.text
            for real, made_up in ((member, MISSING), (theirs, MISSING), (flow, MISSING_FLOW)):
                told = told.replace(real, made_up)
            assert (foreign.status_code, told) == (missing.status_code, missing.text), operation.route.method
            assert foreign.status_code in (400, 403, 404), (operation.route.method, foreign.text)


def test_lists_of_a_confined_token_show_its_namespace_only(guarded: Running, callers):
    guarded.run(guarded.engine.create_execution("job", namespace="elsewhere"))
    mine = callers(guarded.url, guarded.token("admin", namespace="mine"))
    made = mine("create_execution", "job")

    assert [each.execution_id for each in mine("list_executions").items] == [made.execution_id]
    assert mine("stats").executions["waiting"] == 1
    assert {event.namespace for event in mine("read_events").events} <= {"mine"}
    other = mine.send("create_execution", "job", namespace="elsewhere")
    assert other.status_code == 400


# ── who has made it ──────────────────────────────────────────────────────────────────────────────


def test_a_submitter_sees_and_cancels_what_it_has_made_and_nothing_else(guarded: Running, callers):
    ann = callers(guarded.url, guarded.token("submitter", name="ann"))
    bob = callers(guarded.url, guarded.token("submitter", name="bob"))
    made = ann("create_execution", "job")

    assert ann("describe_execution", made.execution_id).created_by == "ann"
    assert bob("describe_execution", made.execution_id) is None
    assert ann("view_execution", made.execution_id).execution.created_by == "ann"
    assert bob.send("explain", made.execution_id).status_code == 404
    assert bob("view_execution", made.execution_id) is None
    assert bob.send("cancel_execution", made.execution_id, reason="x").status_code == 404
    with pytest.raises(AccessDenied):
        ann("list_executions")
    assert ann("cancel_execution", made.execution_id, reason="x").public_state == "cancelled"


def test_a_submitter_sees_and_cancels_its_own_flows(guarded: Running, callers):
    ann = callers(guarded.url, guarded.token("submitter", name="ann"))
    bob = callers(guarded.url, guarded.token("submitter", name="bob"))
    flow = ann("create_flow", "flow").flow_id
    ann("add_execution", flow, "job")

    assert ann("describe_flow", flow).node_count == 1
    assert bob("describe_flow", flow) is None
    assert bob.send("cancel_flow", flow, reason="x").status_code == 404
    for method, *given in (
        ("add_execution", "job"),
        ("add_dependency", MISSING, MISSING),
        ("set_edge_group_policy", MISSING, AllOf()),
    ):
        refused = bob.send(method, flow, *given)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found"), method
    assert ann("describe_flow", flow).node_count == 1
    assert ann("cancel_flow", flow, reason="x").member_execution_ids


def test_an_approver_does_not_approve_what_it_has_made_itself(guarded: Running, callers):
    made = guarded.run(guarded.engine.acting_as("ann").create_execution("job"))
    ann = callers(guarded.url, guarded.token("approver", name="ann"))
    bob = callers(guarded.url, guarded.token("approver", name="bob"))

    with pytest.raises(AccessDenied, match="yourself"):
        ann("signal", made.execution_id, "ok")
    assert bob("signal", made.execution_id, "ok").effect == "buffered"
    (signal,) = guarded.run(guarded.engine.list_signals(made.execution_id))
    assert signal.source == "bob"


def test_an_approver_does_not_approve_its_own_work_through_an_alias_either(guarded: Running, callers):
    made = guarded.run(guarded.engine.acting_as("ann").create_execution("job", lane="by alias"))
    worker = callers(guarded.url, guarded.token("worker"))
    (claim,) = worker("claim", worker_id="w", worker_instance_id="i", lanes=["by alias"])
    worker("create_waitpoint", claim.lease, "ok", alias="order 7")
    ann = callers(guarded.url, guarded.token("approver", name="ann"))
    bob = callers(guarded.url, guarded.token("approver", name="bob"))
    bold = callers(guarded.url, guarded.token("approver", name="ann", approves_own=True))

    with pytest.raises(AccessDenied, match="yourself"):
        ann("signal_alias", "order 7")
    assert guarded.run(guarded.engine.list_signals(made.execution_id)) == []
    assert bob("signal_alias", "order 7").effect == "buffered"
    assert bold("signal_alias", "order 7").effect == "buffered"


def test_a_refusal_names_the_roles_that_may_and_says_what_a_task_can_do(guarded: Running, callers):
    viewer, worker = callers(guarded.url, guarded.token("viewer")), callers(guarded.url, guarded.token("worker"))

    with pytest.raises(AccessDenied, match=r"viewer may not submit\. Use a token of the role submitter or admin\.$"):
        viewer("create_execution", "job")
    with pytest.raises(AccessDenied, match=r"submitter or admin\. A task may start children with this one: ctx\.run"):
        worker("create_execution", "job")


def test_operator_events_name_the_holder_of_the_token(guarded: Running, callers):
    made = guarded.run(guarded.engine.create_execution("job"))
    ann = callers(guarded.url, guarded.token("operator", name="ann"))
    ann("hold", made.execution_id)

    events = guarded.run(guarded.engine.read_events(execution_id=made.execution_id)).events
    assert [event.details["actor"] for event in events if event.event_type == "held"] == ["ann"]


def test_only_an_admin_acts_for_somebody_else(guarded: Running, callers):
    made = guarded.run(guarded.engine.create_execution("job"))
    operator = callers(guarded.url, guarded.token("operator"), **{"ff-actor": "the boss"})
    with pytest.raises(AccessDenied):
        operator("hold", made.execution_id)

    admin = callers(guarded.url, guarded.token("admin"), **{"ff-actor": "the boss"})
    admin("hold", made.execution_id)
    events = guarded.run(guarded.engine.read_events(execution_id=made.execution_id)).events
    assert [event.details["actor"] for event in events if event.event_type == "held"] == ["the boss"]


def test_a_worker_presents_leases_with_a_seal_only(guarded: Running, callers):
    guarded.run(guarded.engine.create_execution("job", lane="sealed"))
    worker = callers(guarded.url, guarded.token("worker"))
    (claim,) = worker("claim", worker_id="w", worker_instance_id="i", lanes=["sealed"])

    forged = replace(claim.lease, expires_at_ms=0)
    with pytest.raises(StaleLease):
        worker("complete", forged, b"r")
    assert worker("complete", claim.lease, b"r").execution_id == claim.execution_id


def test_a_worker_declares_limits_and_takes_back_its_own_lease(guarded: Running, callers):
    worker = callers(guarded.url, guarded.token("worker"))

    assert worker("set_limit", "declared", concurrency=1, if_new=True).name == "declared"
    with pytest.raises(AccessDenied):
        worker("set_limit", "declared", concurrency=9)
    with pytest.raises(AccessDenied):
        worker("revoke_lease", MISSING)
    made = guarded.run(guarded.engine.create_execution("job"))
    assert isinstance(worker("revoke_lease", made.execution_id, expected_lease_id="x"), AlreadySatisfied)


# ── wrong tokens, browsers, hosts ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("value", ["Bearer fft_aaaaaaaaaaaa_" + "x" * 43, "Bearer x", "Basic eDp4", "Bearer", "é"])
def test_a_wrong_token_is_401_and_nothing_says_why(value):
    with running(with_tokens=True) as server:
        response = httpx.get(f"{server.url}/v1/stats", headers={"authorization": value.encode()})

    assert response.status_code == 401


def test_a_revoked_token_is_worthless(guarded: Running, callers):
    made = guarded.run(guarded.engine.create_access_token("viewer"))
    caller = callers(guarded.url, made.secret)
    assert caller("stats")

    guarded.run(guarded.engine.revoke_access_token(made.token.token_id))

    assert caller.send("stats").status_code == 401


def test_a_token_that_has_expired_is_worthless(guarded: Running, callers):
    made = guarded.run(guarded.engine.create_access_token("viewer", expires_in_ms=1))
    while guarded.run(guarded.engine.server_time_ms()) <= made.token.expires_at_ms:
        pass

    assert callers(guarded.url, made.secret).send("stats").status_code == 401


def test_wrong_tokens_of_an_address_are_slowed_down_and_good_ones_go_on():
    with running(with_tokens=True) as server, httpx.Client(base_url=server.url) as http:
        good = {"authorization": f"Bearer {server.token('viewer')}"}
        assert http.get("/v1/stats", headers=good).status_code == 200
        for _ in range(FREE_TRIES):
            assert http.get("/v1/stats", headers={"authorization": "Bearer wrong"}).status_code == 401

        slowed = http.get("/v1/stats", headers={"authorization": "Bearer wrong"})

        assert slowed.status_code == 429
        assert int(slowed.headers["retry-after"]) >= 1
        assert http.get("/v1/stats", headers=good).status_code == 200
        assert http.post("/v1/session", json={"token": "wrong"}).status_code == 429


def test_what_is_remembered_of_wrong_tokens_is_bounded():
    from flowfabric.server import guard

    known: guard.OrderedDict[int, int] = guard.OrderedDict()
    for number in range(guard.KNOWN_MAX + 10):
        guard._remember(known, number, number)

    assert len(known) == guard.KNOWN_MAX


def test_a_browser_logs_in_with_a_token_and_out_again(guarded: Running):
    token = guarded.token("operator", name="ann")
    with httpx.Client(base_url=guarded.url) as http:
        opened = http.post("/v1/session", json={"token": token})
        assert {name: opened.json()[name] for name in ("name", "role", "namespace")} == {
            "name": "ann", "role": "operator", "namespace": None,
        }  # fmt: skip
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert token not in cookie
        assert http.get("/v1/session").json()["name"] == "ann"
        assert http.get("/v1/stats").status_code == 200

        without_header = http.post("/v1/lanes/x/pause", json={})
        assert (without_header.status_code, without_header.json()["code"]) == (403, "csrf")
        assert http.post("/v1/lanes/x/pause", json={}, headers={"ff-csrf": "1"}).status_code == 200
        assert http.delete("/v1/session", headers={"ff-csrf": "1"}).status_code == 204
        http.cookies.set(*cookie.partition(";")[0].split("=", 1))
        assert http.get("/v1/stats").status_code == 401


@pytest.mark.parametrize(
    ("host", "name"),
    [("localhost:7433", "ff_session_7433"), ("localhost", "ff_session"), ("[::1]:7434", "ff_session_7434"),
     ("[::1]", "ff_session")],
)  # fmt: skip
def test_a_session_is_that_of_one_port(guarded: Running, host: str, name: str):
    """Two dashboards on one host, or one reader would log the other out."""
    with httpx.Client(base_url=guarded.url, headers={"host": host}) as http:
        cookie = http.post("/v1/session", json={"token": guarded.token("viewer", name="ann")}).headers["set-cookie"]
        secret = cookie.partition(";")[0].removeprefix(f"{name}=")

        mine, other = (
            http.get("/v1/session", headers={"cookie": f"ff_session_1=x; {each}={secret}"})
            for each in (name, "ff_session_2")
        )

    assert (mine.status_code, other.status_code) == (200, 401)


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"},
     {"origin": "null"}],
)  # fmt: skip
def test_a_page_of_another_site_can_do_nothing_on_an_open_server(server: Running, headers):
    """Without tokens the only thing between a page and the server is where the page comes from."""
    for method, path in (("POST", "/v1/lanes/x/pause"), ("GET", "/v1/executions"), ("POST", "/v1/session")):
        response = httpx.request(method, server.url + path, headers=headers, json={} if method == "POST" else None)
        assert (response.status_code, response.json()["code"]) == (403, "foreign_origin")


def test_a_page_of_the_server_itself_may(server: Running):
    response = httpx.get(f"{server.url}/v1/stats", headers={"origin": server.url, "sec-fetch-site": "same-origin"})

    assert response.status_code == 200


def test_a_name_that_the_server_does_not_have_is_not_answered(server: Running):
    """A page of a stranger may let its own name point at this machine."""
    for path in ("/v1/stats", "/healthz", "/w/x"):
        response = httpx.get(server.url + path, headers={"host": "evil.example"})
        assert (response.status_code, response.json()["code"]) == (421, "wrong_host")
    for host in ("localhost", "LOCALHOST:7433", "[::1]:7433", "127.0.0.1"):
        assert httpx.get(f"{server.url}/healthz", headers={"host": host}).status_code == 200


def test_every_route_has_a_permission_that_some_role_has():
    for route in ROUTES:
        assert route.needs == "anyone" or any(route.needs in MAY[role] for role in ROLES)
