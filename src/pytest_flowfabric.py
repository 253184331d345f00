"""Fixtures for tests of tasks and flows. A module of its own, so that suites that do not use it import nothing else."""

import pkgutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flowfabric import FlowFabric
    from flowfabric.testing import Kit

OPTION = "flowfabric"


def pytest_addoption(parser: pytest.Parser) -> None:
    """One setting: which fabric is tested."""
    parser.addini(OPTION, "the FlowFabric that the fixture ff_kit tests, as module:name, such as shop:ff")


def pytest_configure(config: pytest.Config) -> None:
    """One marker: how the kit is made."""
    config.addinivalue_line(
        "markers", "ff_kit(**options): what the fixture ff_kit is made with, as flowfabric.testing.Kit"
    )


@pytest.fixture
def ff_fabric(request: pytest.FixtureRequest) -> "FlowFabric":
    """The fabric that is tested: the one that pytest's setting `flowfabric` names. Define it anew to choose another."""
    target: str = request.config.getini(OPTION)
    if not target:
        raise pytest.UsageError(
            "ff_kit does not know which FlowFabric to test: name it in pytest's settings, flowfabric = 'shop:ff', "
            "or define a fixture ff_fabric that returns it."
        )
    fabric: FlowFabric = pkgutil.resolve_name(target)
    return fabric


@pytest.fixture
def ff_kit(request: pytest.FixtureRequest, ff_fabric: "FlowFabric") -> "Iterator[Kit]":
    """The fabric on an engine in memory, with time that stands still, for one test: see `flowfabric.testing.Kit`."""
    from flowfabric.testing import Kit

    marker = request.node.get_closest_marker("ff_kit")
    with Kit(ff_fabric, **({} if marker is None else marker.kwargs)) as kit:
        yield kit
