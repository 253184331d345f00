"""Read by pytest in `make matrix ARGS="--every 8"`: of the tests that were selected, one in eight runs.

Which one, the names of the row and of the test decide: a row repeats the same tests, and rows have different ones.
"""

import os
from zlib import crc32

import pytest

ROW = os.environ["FF_MATRIX_ROW"]
EVERY = int(os.environ["FF_MATRIX_EVERY"])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = [item for item in items if crc32(f"{ROW} {item.nodeid}".encode()) % EVERY == 0]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept
