"""The OpenAPI document: valid, complete, equal to the copy, and kept by the server."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import stateful
from hypothesis import strategies as st
from msgspec.structs import fields
from openapi_spec_validator import validate

from flowfabric.domain.errors import EngineError
from flowfabric.server.openapi import SEVERAL, SEVERAL_STATUSES, document, statuses
from flowfabric.wire import several
from flowfabric.wire.operations import OPERATIONS
from flowfabric.wire.problems import status_of
from tests.server.running import Running, running
from tests.sizes import IS_FULL

pytestmark = pytest.mark.xdist_group("server: openapi")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def described() -> dict:
    return document("1.0")


def test_the_document_is_valid(described):
    validate(described)


def test_the_document_names_every_route_once_by_the_name_of_its_method(described):
    found = Counter(
        (operation["operationId"], verb.upper(), path)
        for path, verbs in described["paths"].items()
        for verb, operation in verbs.items()
    )

    routes = [(each.route.method, each.route.verb, each.route.path) for each in OPERATIONS.values()]
    assert found == Counter([*routes, (SEVERAL, "POST", several.PATH)])


def test_the_document_names_the_status_and_the_code_of_every_refusal(described):
    for operation in OPERATIONS.values():
        made = described["paths"][operation.route.path][operation.route.verb.lower()]
        for error in operation.refusals:
            assert issubclass(error, EngineError)
            assert str(status_of(error)) in made["responses"]
            assert error.code in made["description"]


def test_every_type_is_described(described):
    for name, schema in described["components"]["schemas"].items():
        assert "description" in schema or name.endswith(("Request", "Append", "Ended")), name


def test_the_copy_in_the_pages_is_up_to_date():
    written = subprocess.run(
        [sys.executable, "tools/openapi.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert written.returncode == 0, written.stderr


def test_the_server_shows_the_document_and_a_page_of_it(server: Running, described):
    shown = httpx.get(f"{server.url}/v1/openapi.json").json()
    assert shown["paths"].keys() == described["paths"].keys()
    page = httpx.get(f"{server.url}/v1/docs")

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert all(f'id="{method}"' in page.text for method in (*OPERATIONS, SEVERAL))
    assert "<script" not in page.text
    assert "http://" not in page.text.replace(server.url, "")
    assert "https://" not in page.text


# ── the server keeps to it ───────────────────────────────────────────────────────────────────────

WAITING = [operation.route.path for operation in OPERATIONS.values() if operation.route.waits is not None]


@pytest.fixture(scope="module")
def open_server():
    with running() as started:
        yield started


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_generated_requests_get_documented_answers_and_never_500(open_server: Running):
    """Every route, with requests that fit its schema and requests that do not."""
    schema = schemathesis.openapi.from_url(f"{open_server.url}/v1/openapi.json").exclude(path=WAITING)
    seen: Counter[int] = Counter()
    settings = hypothesis.settings(
        max_examples=25 if IS_FULL else 1, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck), phases=[hypothesis.Phase.generate],
    )  # fmt: skip
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in schemathesis.GenerationMode:

            @settings
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def send(case) -> None:
                response = case.call()
                seen[response.status_code] += 1
                _check(case.operation.definition.raw["operationId"], response)

            try:
                send()
            except hypothesis.errors.Unsatisfiable:
                continue  # there is no wrong request of this kind

    assert seen[200] > 20
    assert seen[400] > 20


# ── what was made is used ────────────────────────────────────────────────────────────────────────

OF_EXECUTION = [each for each in OPERATIONS.values() if "execution_id" in each.in_path and each.route.waits is None]
OF_FLOW = [each for each in OPERATIONS.values() if "flow_id" in each.in_path and each.route.waits is None]
REASONED = {"reason": "a story"}


class Story(stateful.RuleBasedStateMachine):
    """Makes executions and flows, and does to them what the document offers, in any order."""

    schema: Any = None
    url = ""
    seen: ClassVar[Counter[tuple[str, int]]] = Counter()
    executions = stateful.Bundle("executions")
    flows = stateful.Bundle("flows")

    def __init__(self) -> None:
        super().__init__()
        self.http = httpx.Client(base_url=self.url, timeout=60)
        self.ended: dict[str, str] = {}
        """How executions have ended, for those that the story has seen ended."""

    def teardown(self) -> None:
        self.http.close()

    @stateful.rule(target=executions, lane=st.sampled_from(["a", "b"]), priority=st.integers(-3, 3))
    def create(self, lane: str, priority: int) -> str:
        return self._made("create_execution", "/v1/executions", {"kind": "k", "lane": lane, "priority": priority})

    @stateful.rule(target=flows)
    def create_flow(self) -> str:
        return self._made("create_flow", "/v1/flows", {"kind": "f"}, "flow_id")

    @stateful.rule(target=executions, flow=flows)
    def add(self, flow: str) -> Any:
        answer = self.http.post(f"/v1/flows/{flow}/executions", json={"kind": "m"})
        self._note("add_execution", answer)
        return answer.json()["execution_id"] if answer.status_code == 200 else stateful.multiple()

    @stateful.rule(target=executions, lane=st.sampled_from(["a", "b"]))
    def work(self, lane: str) -> Any:
        """Claim one and end it."""
        who = {"worker_id": "w", "worker_instance_id": "i", "lanes": [lane]}
        claimed = self.http.post("/v1/leases/claim", json=who)
        self._note("claim", claimed)
        for each in claimed.json():
            done = self.http.post("/v1/leases/complete", json={"lease": each["lease"]})
            self._note("complete", done)
            assert done.status_code == 200, done.text
            self.ended[each["execution_id"]] = "completed"
        return stateful.multiple()

    @stateful.rule(execution=executions)
    def cancel(self, execution: str) -> None:
        answer = self.http.post(f"/v1/executions/{quote(execution)}/cancel", json=REASONED)
        self._note("cancel_execution", answer)
        if answer.status_code == 200:
            self.ended.setdefault(execution, "cancelled")

    @stateful.rule(execution=executions)
    def get(self, execution: str) -> None:
        answer = self.http.get(f"/v1/executions/{quote(execution)}")
        self._note("describe_execution", answer)
        if answer.status_code == 200 and execution in self.ended:
            assert answer.json()["public_state"] == self.ended[execution], answer.text

    @stateful.rule(data=st.data(), execution=executions, flow=st.one_of(st.none(), flows))
    def use(self, data: Any, execution: str, flow: str | None) -> None:
        """Any other route, with arguments that fit its schema."""
        offered = [*OF_EXECUTION, *([] if flow is None else OF_FLOW)]
        operation = data.draw(st.sampled_from(offered), label="operation")
        if operation.route.method in ("replay_execution", "replay_flow", "cancel_flow", "set_tag"):
            self.ended.clear()  # what has ended may live again, or may be about to end
        path = self.schema[operation.route.path][operation.route.verb]
        case = data.draw(path.as_strategy(), label=operation.route.method)
        case.path_parameters = {**case.path_parameters, "execution_id": execution, "flow_id": flow or ""}
        if isinstance(case.body, dict) and data.draw(st.booleans(), label="plain"):
            required = {each.name for each in fields(operation.request) if each.required}
            case.body = {name: value for name, value in case.body.items() if name in required} | (
                REASONED if "reason" in operation.request.__struct_fields__ else {}
            )
        self._note(operation.route.method, case.call())

    def _made(self, method: str, path: str, body: dict[str, Any], field: str = "execution_id") -> str:
        answer = self.http.post(path, json=body)
        self._note(method, answer)
        assert answer.status_code == 200, answer.text
        found: str = answer.json()[field]
        return found

    def _note(self, method: str, answer: Any) -> None:
        self.seen[method, answer.status_code] += 1
        _check(method, answer)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
def test_stories_of_what_was_made_get_documented_answers_and_never_500(open_server: Running):
    Story.schema = schemathesis.openapi.from_url(f"{open_server.url}/v1/openapi.json")
    Story.url = open_server.url
    settings = hypothesis.settings(
        max_examples=200 if IS_FULL else 8, stateful_step_count=20, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck), phases=[hypothesis.Phase.generate],
    )  # fmt: skip

    stateful.run_state_machine_as_test(Story, settings=settings)

    done = {method for method, status in Story.seen if status == 200}
    assert {"create_execution", "create_flow", "add_execution", "cancel_execution", "describe_execution"} <= done
    assert len(done) > 8


def _check(name, response) -> None:
    what = (name, response.status_code, response.text)
    allowed = SEVERAL_STATUSES if name == SEVERAL else statuses(OPERATIONS[name])
    assert response.status_code != 500, what
    assert str(response.status_code) in {*allowed, "405"}, what
    if response.status_code >= 400:
        assert "application/problem+json" in response.headers["content-type"], what
