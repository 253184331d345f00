"""The server of the chaos tests, here behind the system's own PgBouncer, and what else these tests need."""

import pytest

from tests.chaos.conftest import database, figures, server
from tests.system.programs import check_that_all_are_there

__all__ = ["database", "figures", "server"]


@pytest.fixture(scope="session", autouse=True)
def _what_pip_does_not_bring() -> None:
    """Said before anything else is started."""
    check_that_all_are_there()
