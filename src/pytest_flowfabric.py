"""Fixtures for tests of tasks and flows. This module imports little, because pytest imports it in every suite."""

import pkgutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flowfabric import FlowFabric
    from flowfabric.testing import Kit

OPTION = "flowfabric"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting that names the tested fabric."""
    parser.addini(OPTION, "the FlowFabric that the fixture ff_kit tests, as module:name, such as shop:ff")


def pytest_configure(config: pytest.Config) -> None:
    """Add the marker for the options of the kit."""
    config.addinivalue_line(
        "markers", "ff_kit(**options): what the fixture ff_kit is made with, as flowfabric.testing.Kit"
    )


@pytest.fixture
def ff_fabric(request: pytest.FixtureRequest) -> "FlowFabric":
    """The tested fabric: the one that pytest's setting `flowfabric` names. Override this fixture to choose another."""
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
