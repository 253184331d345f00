"""A killable server for each group of tests, a database of its own for each test, and their figures at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

from tests.chaos import killable_postgres
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import IS_LONG, SIZES

FIGURES = "figures"


def in_group(name: Literal["servers", "workers", "races"]) -> list[pytest.MarkDecorator]:
    """Marks for all tests of a file.

    The tests of a group run one after the other and share a server: two on one server would only measure each other.
    The groups take about equally long. They run beside each other, because most of the time they wait.
    """
    return [pytest.mark.timeout(SIZES.test_s_max), pytest.mark.xdist_group(f"chaos: {name}")]


@pytest.fixture(scope="session")
def server() -> Iterator[KillablePostgres]:
    with killable_postgres.running() as server:
        yield server


@pytest.fixture
def database(server: KillablePostgres) -> Iterator[str]:
    """The name of a database with our tables and nothing in them."""
    name = server.new_database()
    yield name
    server.drop(name)


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
