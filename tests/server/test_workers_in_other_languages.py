"""Workers in JavaScript and in Go, as the examples have them, against a real server: also when they are killed."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from flowfabric import Context, ExecutionNotCompleted, FlowFabric, Handle, Retry, open_blocking_engine
from flowfabric.domain.access import ROLES, Role
from tests.chaos.processes import wait_until
from tests.server import ff_server, toolchains
from tests.server.ff_server import Served
from tests.server.services import Services
from tests.server.services import running as running_services

# All share a server and what is compiled. The first compilation in an environment takes long on a busy machine.
pytestmark = [pytest.mark.xdist_group("workers in other languages"), pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
SHORT_LEASE_MS = 1_000
"""Where a lease has to end, or would without renewals. Elsewhere it is long, so that a slow machine ends none."""
WITHIN_S = 60.0
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def token_of(folder: Path) -> Callable[[Role], str]:
    """A token of each role. As soon as there is one, the server lets nobody in without."""
    with open_blocking_engine(f"sqlite:///{folder}/shop.db") as engine:
        tokens = {role: engine.create_access_token(role).secret for role in ROLES}
    return tokens.__getitem__


@pytest.fixture(scope="module")
def server(folder: Path, token_of: Callable[[Role], str]) -> Iterator[Served]:
    with ff_server.running(f"sqlite:///{folder}/shop.db", folder) as server:
        yield server


@pytest.fixture
def services() -> Iterator[Services]:
    with running_services() as services:
        yield services


@pytest.fixture(scope="module")
def command_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """How each worker is started; that in Go is compiled once."""
    commands: dict[str, list[str]] = {}

    def command_of(language: str) -> list[str]:
        if language not in commands:
            folder = tmp_path_factory.mktemp(language)
            commands[language] = toolchains.go_worker(folder) if language == "go" else toolchains.node_worker()
        return commands[language]

    return command_of


@pytest.fixture(params=["node", "go"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def lane(request: pytest.FixtureRequest) -> str:
    """A lane that only one test uses."""
    return re.sub(r"\W+", "-", request.node.name)[-60:]


@pytest.fixture
def start(
    language: str,
    lane: str,
    server: Served,
    token_of: Callable[[Role], str],
    command_of: Callable[[str], list[str]],
) -> Iterator[Start]:
    """Start a worker. None outlives its test."""
    with ExitStack() as stack:

        def start(**settings: object) -> "subprocess.Popen[str]":
            environment = {
                "FLOWFABRIC_SERVER": server.url,
                "FLOWFABRIC_TOKEN": token_of("worker"),
                "LANES": lane,
                "FAREWELL_MS": "60000",
                "PATH": os.defpath,
                **{name: str(value) for name, value in settings.items()},
            }
            return stack.enter_context(started(command_of(language), environment))

        yield start


@contextmanager
def started(command: list[str], environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class Shop:
    """A program in Python that submits orders, and looks at them. It has no worker, and leaves upkeep to the server."""

    def __init__(self, ff: FlowFabric, lane: str, services: Services) -> None:
        self._services = services

        @ff.task(name="order", lane=lane, retry=Retry(max_retries=1, initial_delay="10ms"))
        def order(ctx: Context, bank: str, warehouse: str, cents: int) -> dict[str, str]:
            raise AssertionError("it runs elsewhere")

        self._order = order
        self.engine = ff.blocking_engine()

    def submit(self) -> Handle[dict[str, str]]:
        return self._order.submit_sync(**self._services.arguments)


@pytest.fixture
def shop(server: Served, lane: str, services: Services) -> Iterator[Shop]:
    with FlowFabric(server.store, reconcile=False) as ff:
        yield Shop(ff, lane, services)


DONE = {"receipt": "receipt", "parcel": "parcel"}


def test_a_worker_that_is_killed_in_its_second_step_is_replaced_by_one_that_goes_on_after_the_first(
    shop: Shop, services: Services, start: Start
) -> None:
    order = shop.submit()
    first = start(LEASE_MS=SHORT_LEASE_MS)
    services.wait_until_called("warehouse", 1)

    first.kill()
    services.warehouse_is_open.set()
    start()

    assert order.result_sync(timeout=WITHIN_S) == DONE
    key = order.execution_id
    assert services.calls == {f"bank: {key} charge": 1, f"warehouse: {key} pack": 2}
    steps = shop.engine.list_steps(key)
    assert [(step.name, step.result, step.attempt_index) for step in steps] == [
        ("charge", b'"receipt"', 0),
        ("pack", b'"parcel"', 1),
    ]
    attempts = shop.engine.list_attempts(key)
    assert [attempt.outcome for attempt in attempts] == ["interrupted", "success"]


def test_a_worker_that_is_told_to_stop_hands_back_what_does_not_end_in_time(
    shop: Shop, services: Services, start: Start
) -> None:
    order = shop.submit()
    worker = start(GRACE_MS=50)
    services.wait_until_called("warehouse", 1)

    worker.terminate()

    assert worker.wait(WITHIN_S) == 0
    found = shop.engine.describe_execution(order.execution_id)
    assert found is not None
    assert found.public_state == "waiting"
    assert [attempt.outcome for attempt in shop.engine.list_attempts(order.execution_id)] == ["released"]
    assert [each for each in shop.engine.list_workers() if each.lanes == (found.lane,)] == []


def test_a_worker_that_is_told_to_stop_finishes_what_ends_in_time(shop: Shop, services: Services, start: Start) -> None:
    order = shop.submit()
    worker = start()
    services.wait_until_called("warehouse", 1)

    worker.terminate()
    services.warehouse_is_open.set()

    assert worker.wait(WITHIN_S) == 0
    assert order.result_sync(timeout=WITHIN_S) == DONE


def test_leases_of_all_that_runs_are_kept_for_longer_than_they_last(
    shop: Shop, services: Services, start: Start
) -> None:
    orders = [shop.submit() for _ in range(5)]
    start(LEASE_MS=2 * SHORT_LEASE_MS)
    services.wait_until_called("warehouse", 5)
    all_are_claimed_ms = shop.engine.server_time_ms()

    wait_until(lambda: shop.engine.server_time_ms() > all_are_claimed_ms + 2 * SHORT_LEASE_MS)
    services.warehouse_is_open.set()

    assert [order.result_sync(timeout=WITHIN_S) for order in orders] == [DONE] * 5
    assert services.count("bank") == services.count("warehouse") == 5


def test_an_attempt_is_stopped_when_its_execution_is_cancelled(shop: Shop, services: Services, start: Start) -> None:
    order = shop.submit()
    worker = start(GRACE_MS=600_000, LEASE_MS=2 * SHORT_LEASE_MS)
    services.wait_until_called("warehouse", 1)

    shop.engine.cancel_execution(order.execution_id, reason="changed my mind")
    worker.terminate()

    # The warehouse is still closed: a worker that waited for it would wait for ten times as long.
    assert worker.wait(WITHIN_S) == 0
    assert [step.name for step in shop.engine.list_steps(order.execution_id)] == ["charge"]


def test_what_a_worker_says_is_read_while_it_runs(shop: Shop, services: Services, start: Start) -> None:
    order = shop.submit()
    start()

    services.wait_until_called("warehouse", 1)

    page = shop.engine.read_stream(order.execution_id)
    assert [(frame.kind, frame.payload) for frame in page.frames] == [("text", b"charged: receipt\n")]


def test_an_attempt_that_fails_is_tried_again_unless_that_would_not_help(
    shop: Shop, services: Services, start: Start
) -> None:
    services.warehouse_is_open.set()
    services.bank_answers = [503, 200, 402]

    start()
    tried_again = shop.submit().result_sync(timeout=WITHIN_S)
    with pytest.raises(ExecutionNotCompleted) as refused:
        shop.submit().result_sync(timeout=WITHIN_S)

    assert tried_again == DONE
    assert refused.value.failure_code == "card_refused"
    assert services.count("bank") == 3


def test_the_commands_of_the_page_run_one_after_the_other(server: Served, token_of: Callable[[Role], str]) -> None:
    page = (ROOT / "docs" / "workers-in-other-languages.md").read_text()
    script = "".join(re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))

    ended = subprocess.run(
        ["sh", "-eu", "-c", script],
        env={"FLOWFABRIC_SERVER": server.url, "FLOWFABRIC_TOKEN": token_of("admin"), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    for answer in ("Created", "Claimed", "Renewed", "StepRecorded", "Appended", "Completed"):
        assert f'"type":"{answer}"' in ended.stdout
    assert '{"json":"sent to Ada"}' in ended.stdout


def test_the_worker_in_go_is_formatted_as_go_code_is() -> None:
    assert toolchains.gofmt(ROOT / "examples" / "worker.go") == ""
