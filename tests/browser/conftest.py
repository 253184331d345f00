"""One server, one worker and one browser for all tests; contexts of its own for each test."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import odd
from tests.browser import world as worlds
from tests.browser.watching import WITHIN_MS, Visit, Visitor, launched, visiting
from tests.browser.world import World


@pytest.fixture(scope="session", autouse=True)
def _what_pip_does_not_bring() -> None:
    """Said before anything else is started."""
    if shutil.which("chromium") is None:
        pytest.exit("These tests need chromium: Debian, Ubuntu: apt install chromium.", returncode=1)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with worlds.world(tmp_path_factory.mktemp("world"), odd, odd.one_of_everything) as made:
        yield made


@pytest.fixture(scope="session")
def browser(world: World) -> Iterator[Browser]:
    """Started after the world: while Playwright runs, this thread has an event loop."""
    expect.set_options(timeout=WITHIN_MS)
    with sync_playwright() as playwright:
        started = launched(playwright)
        yield started
        started.close()


@pytest.fixture
def visitor(browser: Browser, world: World) -> Iterator[Visitor]:
    """Makes visits of readers. If anything goes wrong in one of them, the test fails."""
    with visiting(browser, world.url, world.tokens) as made:
        yield made


@pytest.fixture
def visit(visitor: Visitor) -> Visit:
    """The visit of an admin."""
    return visitor()
