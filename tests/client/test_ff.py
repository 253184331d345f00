"""`ff` on a store that is behind a server, and a server on a file that is not there yet."""

import json
from pathlib import Path

import pytest

from flowfabric import Created, open_blocking_engine
from tests.cli.running import ff_here
from tests.server.ff_server import Served

pytestmark = pytest.mark.xdist_group("client: ff")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("served")
    served = Served(f"sqlite:///{folder}/new.db", folder, ())
    try:
        served.start()
        yield served
    finally:
        served.kill()


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Served) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLOWFABRIC_URL", server.url)


@pytest.fixture
def execution_id(server: Served) -> str:
    with open_blocking_engine(server.url) as engine:
        made = engine.create_execution("ship", b'{"order": 7}', tags={"team.name": "billing"})
    assert isinstance(made, Created)
    return made.execution_id


@pytest.mark.parametrize(
    "verb", ["ls", "stats", "lanes", "workers", "schedules", "limits", "budgets", "tokens list", "waiting", "flow ls"]
)
def test_a_verb_that_looks_works_through_a_server(verb: str):
    looked = ff_here(*verb.split(), "--json")

    assert (looked.returncode, looked.stderr) == (0, "")
    json.loads(looked.stdout)


def test_lists_are_filtered_through_a_server(execution_id: str):
    found = ff_here("ls", "--tag", "team.name=billing", "--state", "waiting", "--json")
    others = ff_here("ls", "--tag", "team.name=shipping", "--json")

    assert execution_id in [each["execution_id"] for each in json.loads(found.stdout)["executions"]]
    assert json.loads(others.stdout)["executions"] == []


def test_one_execution_is_shown_steered_and_explained_through_a_server(execution_id: str):
    shown = ff_here("show", execution_id)
    held = ff_here("hold", execution_id, "--reason", "stock", "--yes")
    why = ff_here("explain", execution_id)
    cancelled = ff_here("cancel", execution_id, "--reason", "test", "--yes")
    gone = ff_here("ls", "--state", "waiting", "--json")

    assert [each.returncode for each in (shown, held, why, cancelled)] == [0, 0, 0, 0], (shown, held, why, cancelled)
    assert '{"order": 7}' in shown.stdout or '{"order":7}' in shown.stdout
    assert "held by an operator" in why.stdout
    assert execution_id not in gone.stdout


def test_what_needs_the_database_itself_is_refused_in_one_sentence(server: Served):
    refused = ff_here("doctor")

    assert refused.returncode != 0
    assert server.url in refused.stderr
    assert "needs the database itself" in refused.stderr
