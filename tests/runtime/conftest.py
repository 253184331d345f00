"""A fabric on every store that one process can have to itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric.fabric import FlowFabric


@pytest.fixture(params=["memory", "sqlite"])
def ff(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FlowFabric]:
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/shop.db"
    with FlowFabric(url) as fabric:
        yield fabric
