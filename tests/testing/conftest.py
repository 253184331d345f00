"""An empty world for each test."""

import pytest

from tests.testing import shop


@pytest.fixture(autouse=True)
def _nothing_is_paid() -> None:
    shop.bank.clear()
