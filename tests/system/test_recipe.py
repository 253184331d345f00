"""The recipe of the image works: what it builds starts, is healthy, and has no more than it needs."""

import json
from pathlib import Path

import pytest
import yaml

from flowfabric import open_blocking_engine
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.processes import wait_until
from tests.server.ff_server import free_port
from tests.system.recipe import ROOT, Image, instructions, is_part_of_the_image

# The image is built from packages that are downloaded: minutes, where the network or the machine is slow.
pytestmark = pytest.mark.timeout(900)

A_TOKEN = ("tokens", "create", "--role", "admin", "--expires", "1d")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    image = Image(tmp_path_factory.mktemp("image"))
    image.build()
    return image


def test_the_image_has_what_runs_and_nothing_that_builds(image: Image) -> None:
    assert {"flowfabric", "psycopg", "psycopg_binary", "cyclopts", "uvicorn", "prometheus_client"} <= image.packages
    assert {"pip", "hatchling", "pytest"} & image.packages == set()


def test_the_server_of_the_image_starts_with_a_token_and_is_healthy(image: Image, tmp_path: Path) -> None:
    url, port = f"sqlite:///{tmp_path}/shop.db", free_port()
    image.run(image.command("migrate", "--yes"), FLOWFABRIC_URL=url)

    refused = image.run(image.command(), check=False, FLOWFABRIC_URL=url)
    image.run(image.command(*A_TOKEN), FLOWFABRIC_URL=url)
    assert image.health_check(port) != 0
    with image.running(here(image.command(), url, port), FLOWFABRIC_URL=url) as server:
        wait_until(lambda: server.poll() is not None or image.health_check(port) == 0)
        assert server.poll() is None, image.said
        server.terminate()
        ended = server.wait(60)

    assert refused.returncode == 2
    assert "Make a token first" in refused.stderr
    assert ended == 0
    assert image.health_check(port) != 0


def test_the_services_of_the_compose_file_work_together(image: Image, server: KillablePostgres, database: str) -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    url, port = server.url(database), free_port()
    commands = {
        name: here(image.command(*service["command"]), url, port)
        for name, service in services.items()
        if service["image"] == "flowfabric"
    }
    program = ROOT / "src" / "flowfabric" / "cli" / "example"

    image.run(commands["migrate"], FLOWFABRIC_URL=url)
    image.run(image.command(*A_TOKEN), FLOWFABRIC_URL=url)
    with (
        image.running(commands["server"], FLOWFABRIC_URL=url) as http,
        image.running(commands["worker"], program, FLOWFABRIC_URL=url) as worker,
        open_blocking_engine(url, reconcile=False) as engine,
    ):
        wait_until(lambda: image.health_check(port) == 0)
        submit = image.command("submit", "fulfil", '{"order_id": 1, "cents": 990}', "--json")
        made = json.loads(image.run(submit, FLOWFABRIC_URL=url).stdout)["execution_id"]
        engine.wait_for_result(made, timeout_ms=60_000)
        http.terminate()
        worker.terminate()

        assert (http.wait(60), worker.wait(60)) == (0, 0), image.said


def here(words: list[str], url: str, port: int) -> list[str]:
    """A command of a container, for this machine alone."""
    places = {"0.0.0.0": "127.0.0.1", "7433": str(port), "postgresql://flowfabric@postgres/flowfabric": url}
    return [places.get(word, word) for word in words]


def test_what_is_secret_or_large_stays_out_of_the_image() -> None:
    for name in (".env", ".git/config", ".venv/bin/python", "docs/http.md", "tests/conftest.py", "flowfabric.db"):
        assert not is_part_of_the_image(ROOT / name)
    assert not is_part_of_the_image(ROOT / "src/flowfabric/__pycache__/app.cpython-313.pyc")
    assert is_part_of_the_image(ROOT / "src/flowfabric/py.typed")
    # Docker reads the same file under the name that it knows.
    assert (ROOT / ".dockerignore").resolve() == ROOT / ".containerignore"


def test_nothing_runs_as_root() -> None:
    words = [each.word for each in instructions()]
    last_stage = words[len(words) - words[::-1].index("FROM") :]

    assert last_stage.index("USER") < last_stage.index("ENTRYPOINT")
    assert "RUN" not in last_stage[last_stage.index("USER") :]
