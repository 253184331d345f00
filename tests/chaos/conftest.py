"""One killable server for all of these tests, a database of its own for each, and their figures at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flowfabric import open_blocking_engine
from tests.chaos import killable_postgres
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import IS_LONG, SIZES

FIGURES = "figures"


CHAOS = [
    pytest.mark.timeout(SIZES.test_s_max),
    # All in one process: they share a server, and two of them at once would only measure each other.
    pytest.mark.xdist_group("chaos"),
]


@pytest.fixture(scope="session")
def server() -> Iterator[KillablePostgres]:
    with killable_postgres.running() as server:
        yield server


@pytest.fixture
def database(server: KillablePostgres) -> str:
    """The name of a database with our tables and nothing in them."""
    name = server.new_database()
    with open_blocking_engine(server.url(name), migrate=True, reconcile=False):
        return name


@pytest.fixture(params=["postgres", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store that several processes can share."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/shop.db"
    database: str = request.getfixturevalue("database")
    return str(request.getfixturevalue("server").url(database))


Deadlocks = Callable[[], int]


@pytest.fixture
def deadlocks(url: str, request: pytest.FixtureRequest) -> Deadlocks:
    """How many deadlocks the store has had to break; one that has a single lock knows none."""
    if url.startswith("sqlite:"):
        return lambda: 0
    server: KillablePostgres = request.getfixturevalue("server")
    database: str = request.getfixturevalue("database")
    return lambda: server.deadlocks(database)


Figures = Callable[..., None]


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Figures:
    """Keep what was counted, to be shown in one line when all is over."""

    def keep(**counted: object) -> None:
        record_property(FIGURES, " ".join(f"{name}={value}" for name, value in counted.items()))

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not IS_LONG:
        return
    terminalreporter.section("chaos")
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, line in report.user_properties:
                if name == FIGURES:
                    terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {line}")
