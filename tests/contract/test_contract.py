"""The package against `contract.pyi`, which other programs are written against."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any, get_args

import pytest

import flowfabric
from flowfabric import BlockingEngine, Engine, FlowGraph, ManualClock, NewExecution, open_blocking_engine
from flowfabric.testing import ManualClock as ManualClockForTests
from tests.contract.second import GROWN

HERE = Path(__file__).parent
CONTRACT = ast.parse((HERE / "contract.pyi").read_text())
CLASSES = {node.name: node for node in CONTRACT.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in CONTRACT.body if isinstance(node, ast.FunctionDef)}

READS = {
    "describe_edge",
    "describe_execution",
    "describe_flow",
    "explain",
    "get_payload",
    "get_result",
    "list_attempts",
    "list_edges",
    "list_executions",
    "list_flows",
    "ping",
    "read_events",
    "reconcile",
    "scoped",
    "server_time_ms",
    "subscribe",
    "wait_for_result",
}

AS_CREATE_EXECUTION = "as_create_execution"
"""What the contract writes where a method takes all keywords of `create_execution`."""

Method = ast.FunctionDef | ast.AsyncFunctionDef


def methods_of(name: str) -> dict[str, Method]:
    return {node.name: node for node in CLASSES[name].body if isinstance(node, Method)}


def fields_of(name: str) -> list[str]:
    return [ast.unparse(node.target) for node in CLASSES[name].body if isinstance(node, ast.AnnAssign)]


def is_error(name: str) -> bool:
    return bool(CLASSES[name].bases)


ERRORS = sorted(name for name in CLASSES if is_error(name))
VALUES = sorted(name for name in CLASSES if fields_of(name) and not is_error(name))
WITHOUT_FIELDS = ["AllOf", "AlreadySet", "PolicySet"]
KEYWORD_ONLY = ["ExecutionPolicy", "NewExecution", "RetryPolicy"]
METHODS = list(methods_of("Engine"))


def test_nothing_of_the_contract_is_missing() -> None:
    missing = {name for name in {*CLASSES, *FUNCTIONS} if not hasattr(flowfabric, name)}
    for engine in (Engine, BlockingEngine):
        missing |= {f"{engine.__name__}.{name}" for name in METHODS if not hasattr(engine, name)}

    assert missing == set()


def test_every_class_of_the_contract_is_checked_below() -> None:
    checked = {*VALUES, *WITHOUT_FIELDS, *ERRORS, *KEYWORD_ONLY, "Engine", "FlowGraph", "ManualClock"}

    assert checked == set(CLASSES)


def test_public_states_are_those_of_the_contract() -> None:
    (node,) = (
        node.value
        for node in CONTRACT.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PublicState"
    )
    assert isinstance(node, ast.Subscript)

    assert get_args(flowfabric.PublicState) == ast.literal_eval(node.slice)


# ── values ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", VALUES)
def test_a_value_has_the_fields_of_the_contract_in_their_order(name: str) -> None:
    cls = getattr(flowfabric, name)
    parameters = inspect.signature(cls).parameters

    assert list(parameters) == [*fields_of(name), *GROWN.get(name, {})]
    for field, default in GROWN.get(name, {}).items():
        assert parameters[field].default == default


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_built_by_position_or_by_keyword_and_compares_by_value(name: str) -> None:
    cls = getattr(flowfabric, name)
    fields = fields_of(name)
    values = [f"value of {field}" for field in fields]

    by_position = cls(*values)
    by_keyword = cls(**dict(zip(fields, values, strict=True)))

    assert by_position == by_keyword
    assert [getattr(by_position, field) for field in fields] == values
    for index in range(len(values)):
        assert cls(*values[:index], "another", *values[index + 1 :]) != by_position


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_immutable(name: str) -> None:
    fields = fields_of(name)
    value = getattr(flowfabric, name)(*fields)

    for field in fields:
        with pytest.raises(AttributeError):
            setattr(value, field, "another")


@pytest.mark.parametrize("name", WITHOUT_FIELDS)
def test_a_value_without_fields_equals_every_other_of_its_class_and_none_of_another(name: str) -> None:
    cls = getattr(flowfabric, name)

    assert list(inspect.signature(cls).parameters) == []
    assert cls() == cls()
    assert [other for other in WITHOUT_FIELDS if getattr(flowfabric, other)() == cls()] == [name]
    with pytest.raises(AttributeError):
        cls().anything = 1


@pytest.mark.parametrize("name", ["ExecutionPolicy", "RetryPolicy"])
def test_a_policy_has_the_arguments_and_defaults_of_the_contract(name: str) -> None:
    signature = inspect.signature(getattr(flowfabric, name))
    further = GROWN.get(name, {})
    of_contract = [each for each in signature.parameters.values() if each.name not in further]

    check_parameters(signature.replace(parameters=of_contract), methods_of(name)["__init__"], extras=False)
    assert {field: signature.parameters[field].default for field in further} == further


def test_a_new_execution_has_the_arguments_and_defaults_of_create_execution() -> None:
    wanted = inspect.signature(Engine.create_execution).parameters
    found = inspect.signature(NewExecution).parameters

    assert list(found) == [name for name in wanted if name not in ("self", "command_id", "conn")]
    mappings = {"tags", "limits", "budgets"}  # one of its own for each item
    for name in found.keys() - mappings:
        assert found[name].default == wanted[name].default
    assert all(getattr(NewExecution(kind="a"), name) == {} for name in mappings)


@pytest.mark.parametrize("name", KEYWORD_ONLY)
def test_policies_and_new_executions_are_built_by_keyword_only_are_immutable_and_compare_by_value(name: str) -> None:
    cls: Any = getattr(flowfabric, name)
    examples: dict[str, dict[str, object]] = {
        "ExecutionPolicy": {"max_replays": 1},
        "NewExecution": {"kind": "a"},
        "RetryPolicy": {"max_retries": 1},
    }
    given = examples[name]
    (field,) = given
    value = cls(**given)

    assert value == cls(**given)
    assert value != cls(**{field: "b" if field == "kind" else 2})
    with pytest.raises(TypeError):
        cls(*given.values())
    with pytest.raises(AttributeError):
        setattr(value, field, given[field])


# ── methods ──────────────────────────────────────────────────────────────────────────────────────


def check_parameters(found: inspect.Signature, wanted: Method, *, extras: bool) -> None:
    """The contract's parameters with their kinds and defaults, in order; more is fine if it may be left out.

    Where the contract takes any keyword, these are the keywords of `create_execution`.
    """
    args = wanted.args
    assert args.posonlyargs == []
    assert args.vararg is None
    expected: list[tuple[str, Any, ast.expr | None]] = []
    padding: list[ast.expr | None] = [None] * (len(args.args) - len(args.defaults))
    for arg, default in zip(args.args, [*padding, *args.defaults], strict=True):
        expected.append((arg.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, default))
    for arg, kw_default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        expected.append((arg.arg, inspect.Parameter.KEYWORD_ONLY, kw_default))
    if args.kwarg is not None:
        assert args.kwarg.arg == AS_CREATE_EXECUTION
        more = methods_of("Engine")["create_execution"].args
        for arg, kw_default in zip(more.kwonlyargs, more.kw_defaults, strict=True):
            expected.append((arg.arg, inspect.Parameter.KEYWORD_ONLY, kw_default))
    expected = [parameter for parameter in expected if parameter[0] != "self"]
    parameters = {name: p for name, p in found.parameters.items() if name != "self"}

    names = [name for name, _, _ in expected]
    assert [name for name in parameters if name in names] == names
    for name, kind, default in expected:
        assert parameters[name].kind == kind, name
        check_default(parameters[name], default)
    further = [parameter for name, parameter in parameters.items() if name not in names]
    assert extras or not further
    for parameter in further:
        assert parameter.kind == inspect.Parameter.KEYWORD_ONLY, parameter.name
        assert parameter.default is not inspect.Parameter.empty, parameter.name


def check_default(found: inspect.Parameter, wanted: ast.expr | None) -> None:
    if wanted is None:
        assert found.default is inspect.Parameter.empty, found.name
    elif isinstance(wanted, ast.Constant) and wanted.value is ...:
        assert found.default is not inspect.Parameter.empty, found.name
    else:
        assert found.default == ast.literal_eval(wanted), found.name


@pytest.mark.parametrize("cls", [Engine, BlockingEngine])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_parameters_of_the_contract(cls: type, name: str) -> None:
    method = getattr(cls, name)

    check_parameters(inspect.signature(method), methods_of("Engine")[name], extras=True)


@pytest.mark.parametrize("cls", [Engine, BlockingEngine])
@pytest.mark.parametrize("name", METHODS)
def test_every_write_takes_a_command_id_and_no_read_does(cls: type, name: str) -> None:
    parameters = inspect.signature(getattr(cls, name)).parameters

    if name in READS:
        assert "command_id" not in parameters
    else:
        assert parameters["command_id"].kind == inspect.Parameter.KEYWORD_ONLY
        assert parameters["command_id"].default is None


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_async_where_the_contract_says_so_and_never_in_the_blocking_engine(name: str) -> None:
    is_async = isinstance(methods_of("Engine")[name], ast.AsyncFunctionDef)

    assert inspect.iscoroutinefunction(getattr(Engine, name)) is is_async
    assert not inspect.iscoroutinefunction(getattr(BlockingEngine, name))


def test_opening_takes_what_the_contract_says() -> None:
    wanted = FUNCTIONS["open_engine"]

    check_parameters(inspect.signature(flowfabric.open_engine), wanted, extras=True)
    check_parameters(inspect.signature(flowfabric.open_blocking_engine), wanted, extras=True)


def test_the_manual_clock_is_that_of_the_contract() -> None:
    check_parameters(inspect.signature(ManualClock), methods_of("ManualClock")["__init__"], extras=False)
    check_parameters(inspect.signature(ManualClock.advance), methods_of("ManualClock")["advance"], extras=False)
    clock = ManualClock(5)
    clock.advance(3)

    assert clock.now_ms == 8
    assert ManualClockForTests is ManualClock


def test_a_graph_is_drawn_as_the_contract_says() -> None:
    wanted = methods_of("FlowGraph")

    check_parameters(inspect.signature(FlowGraph), wanted["__init__"], extras=False)
    check_parameters(inspect.signature(FlowGraph.edge), wanted["edge"], extras=False)
    check_parameters(inspect.signature(FlowGraph.join), wanted["join"], extras=False)
    node = inspect.signature(FlowGraph.node).parameters
    assert [name for name in node if name != "self"] == ["name", "kind", "payload", AS_CREATE_EXECUTION]
    assert node["payload"].default == b""
    assert node[AS_CREATE_EXECUTION].kind == inspect.Parameter.VAR_KEYWORD
    assert {name for name in vars(FlowGraph) if name in wanted} == set(wanted)


def test_a_node_takes_every_keyword_of_create_execution_but_the_namespace_of_its_flow() -> None:
    graph = FlowGraph("kind")
    keywords = [arg.arg for arg in methods_of("Engine")["create_execution"].args.kwonlyargs]

    for keyword in keywords:
        if keyword != "namespace":
            assert graph.node(keyword, "kind", b"", **{keyword: None}) == keyword

    assert list(graph.nodes) == [keyword for keyword in keywords if keyword != "namespace"]


def test_lists_are_real_lists() -> None:
    with open_blocking_engine("memory://", reconcile=False) as engine:
        created = engine.create_executions([NewExecution(kind="a", required_capabilities=["gpu"])])
        claimed = engine.claim(worker_id="w", worker_instance_id="w-1", capabilities=["gpu"])
        attempts = engine.list_attempts(created[0].execution_id)
        page = engine.list_executions()
        events = engine.read_events()
        snapshot = engine.describe_execution(created[0].execution_id)
        graph = FlowGraph("kind")
        graph.edge(graph.node("a", "a", lane="a"), graph.node("b", "b"))
        flow_id = engine.submit_flow(graph).flow_id
        (of_flow,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["a"])
        edges = engine.list_edges(flow_id)
        flows = engine.list_flows()
        engine.add_dependency(flow_id, of_flow.execution_id, edges[0].downstream)
        cancelled = engine.cancel_flow(flow_id, reason="stop")
        again = engine.cancel_flow(flow_id, reason="stop")
        flow = engine.describe_flow(flow_id)

    assert snapshot is not None
    assert flow is not None
    for members in (cancelled.member_execution_ids, again.member_execution_ids):
        assert type(members) is list
        assert len(members) == 2
    for found in (
        created,
        claimed,
        attempts,
        page.items,
        events.events,
        snapshot.required_capabilities,
        edges,
        flows.items,
        flow.groups,
        flow.pending_cancel_acks,
    ):
        assert type(found) is list
        assert len(found) == 1


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_has_the_base_the_code_and_the_fields_of_the_contract(name: str) -> None:
    cls = getattr(flowfabric, name)
    error = make(cls)

    assert [base.__name__ for base in cls.__bases__] == [ast.unparse(base) for base in CLASSES[name].bases]
    assert error.code == re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    assert type(error.retryable) is bool
    for field in fields_of(name):
        assert hasattr(error, field)


@pytest.mark.parametrize("name", ERRORS)
def test_only_what_may_pass_by_itself_is_retryable(name: str) -> None:
    error = make(getattr(flowfabric, name))

    assert error.retryable is (name in ("Contention", "RetryExhausted", "StoreUnavailable"))


def make(cls: Any) -> flowfabric.EngineError:
    arguments: dict[str, tuple[object, ...]] = {
        "NotFound": ("execution",),
        "ExecutionNotActive": ("completed", 2),
        "NotSignalable": ("completed",),
        "InvalidToken": (),
        "BudgetExceeded": ("usd", 2),
    }
    error = cls(*arguments.get(cls.__name__, ("what happened, why, what to do",)))
    assert isinstance(error, flowfabric.EngineError)
    return error


# ── types ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("blocking", [False, True])
def test_the_types_that_mypy_checks_are_those_of_the_contract(blocking: bool) -> None:
    protocols = {
        node.name: node for node in ast.parse((HERE / "typed.py").read_text()).body if isinstance(node, ast.ClassDef)
    }
    protocol = protocols["BlockingEngineOfTheContract" if blocking else "EngineOfTheContract"]

    found = [ast.unparse(node) for node in protocol.body]

    wanted = [_as_it_is_now(methods_of("Engine")[name]) for name in METHODS if name != "add_execution"]
    if blocking:
        wanted = [_without_async(method) for method in wanted]
    assert found == wanted


def _as_it_is_now(method: Method) -> str:
    """A method of the contract. With the second contract, a creation may also answer that it made nothing."""
    text = ast.unparse(method)
    creates = method.name in ("create_execution", "create_executions")
    return text.replace("Created | Duplicate", "Created | Duplicate | Dropped") if creates else text


def _without_async(method: str) -> str:
    return (
        method.replace("async def", "def")
        .replace("AsyncIterator[", "Iterator[")
        .replace("'Engine'", "'BlockingEngine'")
    )
