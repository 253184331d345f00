"""What goes over HTTP: every method has a route, every value comes back as it was, every error is raised again."""

import inspect
from urllib.parse import unquote

import msgspec
import pytest

from flowfabric import Engine, InvalidInput, NewExecution, StaleLease
from flowfabric.domain import conditions, errors
from flowfabric.domain.errors import EngineError
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.joins import Quorum
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.seals import Seals
from flowfabric.domain.streams import Frame, Said, SpokenIn, StoredFrame, said
from flowfabric.domain.waiting import SigningKey
from flowfabric.wire import leases
from flowfabric.wire.engine import ServerMethods, WireEngine
from flowfabric.wire.operations import OPERATIONS
from flowfabric.wire.problems import KINDS, Problem, error_of, problem_of
from flowfabric.wire.routes import NO_ROUTE, ROUTES
from flowfabric.wire.shapes import Codec

ID = "{fp:86}:01890000-0000-7000-8000-000000000001"
LEASE = Lease(ID, 0, 1, "store:x:0:1:mark", "worker-1", 1_000)
SEALS = Seals(leases.PURPOSE, (SigningKey("k1", b"s" * 32),))
SERVER = Codec(lambda lease: leases.sealed(lease, SEALS), lambda text: leases.verified(text, SEALS, may_be_plain=True))
CLIENT = Codec(leases.plain, leases.fields_of)


def sent_and_received(method: str, *args: object, **keywords: object) -> dict[str, object]:
    """The keywords with which a server calls the engine."""
    operation = OPERATIONS[method]
    request = operation.sent(args, keywords, CLIENT)
    places = zip(operation.route.path.split("/"), request.path.split("/"), strict=True)
    path = {place.strip("{}"): unquote(part) for place, part in places if place.startswith("{")}
    return operation.received(path, request.query, request.body or b"", SERVER).keywords


# ── the table ────────────────────────────────────────────────────────────────────────────────────


def test_every_method_of_the_engine_has_a_route_or_a_reason_for_having_none():
    methods = {name for name, _ in inspect.getmembers(Engine, inspect.iscoroutinefunction) if not name.startswith("_")}
    offered = {route.method for route in ROUTES}

    beside = {"wait_for_lost", "flow_graph", "flow_layout", "doctor", "overview", "list_questions", "view_execution"}
    assert offered | set(NO_ROUTE) == methods | beside
    assert not offered & set(NO_ROUTE)


def test_server_and_client_see_the_signatures_of_the_engine():
    for route in ROUTES:
        if not hasattr(ServerMethods, route.method):
            theirs = inspect.signature(getattr(Engine, route.method)).parameters
            ours = inspect.signature(getattr(WireEngine, route.method)).parameters
            assert list(ours) == list(theirs), route.method


def test_no_two_routes_answer_the_same_request():
    patterns = [(route.verb, "/".join("*" if part.startswith("{") else part for part in route.path.split("/")))
                for route in ROUTES]  # fmt: skip

    assert len(set(patterns)) == len(patterns)


# ── values ───────────────────────────────────────────────────────────────────────────────────────

GRAPH = FlowGraph("checkout", tags={"team.name": "x"})
GRAPH.node("pay", "charge", b"\x00", priority=3)
GRAPH.node("ship", "send")
GRAPH.edge("pay", "ship", pass_result_as="paid")
GRAPH.join("ship", Quorum(1))


@pytest.mark.parametrize(
    ("method", "keywords"),
    [
        ("create_execution", {"kind": "k", "payload": b"\xff\x00", "tags": {"a.b": "c"}, "namespace": "shop"}),
        ("create_executions", {"items": [NewExecution(kind="k", payload=b"p", limits={"a": ""})]}),
        ("list_executions", {"tag": ("a.b", "c=d"), "limit": 7, "public_state": "failed"}),
        ("list_executions", {"tag": ("a=b", "c"), "kind": "null"}),
        ("read_events", {"channels": ["lease", "attempt"], "cursor": "x"}),
        ("add_execution", {"flow_id": "f", "kind": "k", "after": ["a", ("b", "name")], "join": Quorum(2)}),
        ("describe_execution", {"execution_id": ID}),
        ("get_step", {"execution_id": ID, "name": "a/b c?#%é"}),
        ("pause_lane", {"lane": ".."}),
        ("complete", {"lease": LEASE, "result": None}),
        ("complete_all", {"ended": [(LEASE, b"x"), (LEASE, None)]}),
        ("append_all", {"appends": [(LEASE, [Frame(b"x", "json")], "step", 4)]}),
        ("suspend", {"lease": LEASE, "name": "w", "condition": conditions.Every("a", conditions.AtLeast(2, "b", "c"))}),
        ("suspend", {"lease": LEASE, "name": "w", "condition": "key"}),
        ("replay_flow", {"flow_id": "f", "what": ["a", "b"]}),
        ("replay_flow", {"flow_id": "f", "what": "all"}),
    ],
)
def test_arguments_arrive_as_they_were_sent(method, keywords):
    assert sent_and_received(method, **keywords) == keywords


def test_a_graph_arrives_as_it_was_sent():
    received = sent_and_received("submit_flow", GRAPH)["graph"]

    assert vars(received) == vars(GRAPH)


def test_a_namespace_that_was_not_given_is_not_sent():
    """An engine that is confined to a namespace refuses another one, and takes its own where none is given."""
    assert b"namespace" not in OPERATIONS["submit_flow"].sent((GRAPH,), {}, CLIENT).body
    items = [NewExecution(kind="k")]
    assert b"namespace" not in OPERATIONS["create_executions"].sent((items,), {}, CLIENT).body


def test_filters_that_are_none_are_left_out_of_a_query():
    given = {"tag": None, "lane": None, "public_state": None, "cursor": None, "limit": 5}

    assert OPERATIONS["list_executions"].sent((), given, CLIENT).query == [("limit", "5")]


def test_bytes_of_a_frame_are_a_text():
    assert sent_and_received("append_frames", LEASE, [b"x"])["frames"] == [Frame(b"x", "text")]


def test_json_is_taken_as_it_is_written_and_given_where_it_was_asked_for():
    operation = OPERATIONS["create_execution"]
    given = operation.received({}, [], b'{"kind":"k","payload":{"json":{"n": 12345678901234567890}}}', SERVER)
    assert given.keywords["payload"] == b'{"n": 12345678901234567890}'

    wants_json = SERVER._replace(payloads="json")
    result = OPERATIONS["get_result"]
    assert result.answered(b'{"n": 1}', wants_json) == b'{"json":{"n": 1}}'
    for no_json in (b"", b"{", b"1 2", b"\xff", b"[" * 5000):
        assert b"base64" in result.answered(no_json, wants_json)
    assert result.answered(b'{"n": 1}', SERVER) == b'{"base64":"eyJuIjogMX0="}'


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'{"kind":1}', b'{"kind":"k","nonsense":1}', b'{"kind":"k","payload":{}}', b"\xff",
     b'{"kind":"k","payload":{"json":1,"base64":""}}', b'{"kind":"k","payload":"eA=="}',
     b'{"kind":"k","tags":' + b"[" * 100_000, b'{"kind":"k","policy":{"max_replays":-1}}'],
)  # fmt: skip
def test_a_body_that_does_not_fit_is_invalid_input(body):
    with pytest.raises(InvalidInput):
        OPERATIONS["create_execution"].received({}, [], body, SERVER)


def test_a_query_that_names_something_twice_or_something_unknown_is_invalid_input():
    for query in ([("limit", "1"), ("limit", "2")], [("nonsense", "1")], [("limit", "x")], [("tag", "x")]):
        with pytest.raises(InvalidInput):
            OPERATIONS["list_executions"].received({}, query, b"", SERVER)


def test_a_connection_does_not_travel():
    with pytest.raises(InvalidInput, match="conn="):
        OPERATIONS["create_execution"].sent(("k",), {"conn": object()}, CLIENT)


# ── leases, and what is said under them ──────────────────────────────────────────────────────────


def test_a_sealed_lease_keeps_its_fields_and_no_other_text_is_taken_for_it():
    text = leases.sealed(LEASE, SEALS)
    assert leases.fields_of(text) == leases.verified(text, SEALS, may_be_plain=False) == LEASE

    other_key = Seals(leases.PURPOSE, (SigningKey("k1", b"t" * 32),))
    other_purpose = Seals("something else", SEALS.keys)
    head, mac = text.rsplit(".", 1)
    forgeries = [leases.plain(LEASE), "ls1." + other_purpose.seal(b"x"), leases.sealed(LEASE, other_key), text + "="]
    for forged in [*forgeries, f"{head}.{mac[::-1]}", head, "", "ls1.", "ls0.x", "ls1.k1.é.x", "ls2" + text[3:]]:
        with pytest.raises(StaleLease):
            leases.verified(forged, SEALS, may_be_plain=False)


def test_a_lease_of_a_former_key_is_good_while_the_key_is():
    both = Seals(leases.PURPOSE, (*SEALS.keys, SigningKey("k2", b"t" * 32)))

    assert leases.verified(leases.sealed(LEASE, SEALS), both, may_be_plain=False) == LEASE
    assert leases.sealed(LEASE, both).startswith("ls1.k2.")


def a_said() -> Said:
    frames = [StoredFrame("text", b"a", SpokenIn("step", 2)), StoredFrame("json", b"1", None)]
    return said(Fence(ID, 0, 1, LEASE.lease_id), frames, 5)


def test_frames_that_travel_with_a_command_arrive_as_they_were_sent():
    operation = OPERATIONS["complete"]
    request = operation.sent((LEASE, b"r"), {}, CLIENT, said=a_said())

    assert operation.received({}, [], request.body, SERVER).said == a_said()


def test_packed_frames_of_a_stranger_are_checked():
    too_big = said(Fence(ID, 0, 1, "x"), [StoredFrame("text", b"x" * 65_537, None)], None)
    no_frames = msgspec.structs.replace(a_said(), data=msgspec.msgpack.encode(([], [])))
    for wrong in (too_big, no_frames, msgspec.structs.replace(a_said(), data=b"\x00")):
        body = OPERATIONS["append_said"].sent(([wrong],), {}, CLIENT).body
        with pytest.raises(InvalidInput):
            OPERATIONS["append_said"].received({}, [], body, SERVER)


# ── errors ───────────────────────────────────────────────────────────────────────────────────────

SAMPLES = [
    errors.NotFound("flow"),
    errors.NotFound("flow", "There is no flow."),
    errors.InvalidInput("no", code="too_large"),
    errors.InvalidToken(),
    errors.Corruption("damaged"),
    errors.AccessDenied("no", code="unauthenticated"),
    errors.ExecutionNotActive("completed", 4),
    errors.ExecutionNotCompleted("failed", failure_code="boom", failure_message="m", failure_traceback="t"),
    errors.NotSignalable("failed"),
    errors.BudgetExceeded("usd", 3),
    errors.LimitReached(ID),
    errors.StoreUnavailable("gone", is_final=True),
]


PLAIN = [kind("why") for kind in KINDS.values() if kind.__init__ is Exception.__init__]


@pytest.mark.parametrize("error", [*SAMPLES, *PLAIN], ids=lambda error: type(error).__name__)
def test_a_client_raises_the_same_error(error):
    data = msgspec.json.encode(problem_of(error, "request-1"))

    raised = error_of(msgspec.json.decode(data, type=Problem))

    assert type(raised) is type(error)
    assert (str(raised), raised.code, raised.retryable) == (str(error), error.code, error.retryable)
    assert vars(raised) == vars(error)
    assert getattr(raised, "__notes__", None) == getattr(error, "__notes__", None)


def test_every_error_has_a_status_and_a_problem():
    for kind in KINDS.values():
        assert kind.code in {each.code for each in (*map(type, SAMPLES), *KINDS.values())}
    assert problem_of(errors.StoreUnavailable("x")).status == 503
    assert problem_of(errors.StaleLease("x")).status == 409
    assert problem_of(errors.Corruption("x")).status == 500, "what is stored is damaged: no caller can correct it"


def test_an_error_of_a_class_that_only_the_server_knows_is_raised_as_the_class_above():
    class Inner(errors.StoreUnavailable):
        """An error inside the server."""

    assert type(error_of(problem_of(Inner("x")))) is errors.StoreUnavailable


def test_an_answer_may_hold_a_refusal():
    operation = OPERATIONS["complete_all"]
    data = operation.answered([StaleLease("old")], SERVER)

    (refusal,) = operation.answer_in(data, CLIENT)
    assert isinstance(refusal, EngineError)
    assert (type(refusal), str(refusal)) == (StaleLease, "old")
