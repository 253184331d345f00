"""The pytest plugin, in real sessions of pytest."""

import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SHOP = """
from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("postgresql://nobody@nowhere.invalid/shop")


@ff.task(retry=Retry(max_retries=3, initial_delay="1d", max_delay="9d"))
async def charge(ctx: Context, order_id: int) -> str:
    return await ctx.step("pay", lambda: f"charge-{order_id}")
"""

TESTS = """
import asyncio
import shop


def test_a_retry(ff_kit):
    ff_kit.at_step("pay").fail(ConnectionError())
    handle = shop.charge.submit_sync(7)
    ff_kit.run_to_the_end()
    assert handle.result_sync() == "charge-7"
    assert ff_kit.attempts(handle) == ["retry", "success"]


def test_that_it_begins_empty(ff_kit):
    assert ff_kit.engine.list_executions().items == []


def test_on_a_loop(ff_kit):
    async def main():
        handle = await shop.charge.submit(8)
        await ff_kit.run_until_idle_async()
        return await handle.result()

    assert asyncio.run(main()) == "charge-8"
"""


@pytest.fixture
def session(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with a program and the plugin, and without what this suite has set up for itself."""
    pytester.makepyfile(shop=SHOP)
    pytester.makeini("[pytest]\nflowfabric = shop:ff\npythonpath = .\n")
    return pytester


def run(session: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # The name of the plugin and of its module are the same, so it is loaded once, whether it is installed or not.
    return session.runpytest_subprocess("-p", "pytest_flowfabric", "-p", "no:cacheprovider", *arguments, timeout=60)


def test_the_fixture_tests_the_fabric_that_the_settings_name(session: pytest.Pytester) -> None:
    session.makepyfile(test_shop=TESTS)

    result = run(session, "--strict-markers", "--strict-config", "-W", "error")

    result.assert_outcomes(passed=3)


def test_a_fixture_of_ones_own_chooses_another_fabric_and_a_marker_how_the_kit_is_made(
    session: pytest.Pytester,
) -> None:
    session.makeini("[pytest]\npythonpath = .\n")
    session.makepyfile(
        test_shop="""
import pytest, shop

@pytest.fixture
def ff_fabric():
    return shop.ff

@pytest.mark.ff_kit(lanes=["nowhere"])
def test_nobody_serves_it(ff_kit):
    shop.charge.submit_sync(7)
    assert len(ff_kit.run_until_idle()) == 1
"""
    )

    result = run(session, "--strict-markers")

    result.assert_outcomes(passed=1)


def test_what_is_wrong_with_a_test_is_said_in_its_report(session: pytest.Pytester) -> None:
    session.makepyfile(
        test_shop="""
import pytest, shop

def test_that_waits_for_nobody(ff_kit):
    shop.charge.submit_sync(7).result_sync()

def test_with_a_crash_that_never_comes(ff_kit):
    ff_kit.at_step("bay").crash()
"""
    )

    result = run(session)

    result.assert_outcomes(failed=1, passed=1, errors=1)
    result.stdout.fnmatch_lines(["*Stuck: * has not ended, and nobody works while the test waits.*"])
    result.stdout.fnmatch_lines(["*Stuck: What was planned has not happened*crash at step 'bay'*"])


def test_without_a_fabric_the_fixture_says_what_to_write(session: pytest.Pytester) -> None:
    session.makeini("[pytest]\n")
    session.makepyfile("def test_it(ff_kit): ...")

    result = run(session)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ff_kit does not know which FlowFabric to test*flowfabric = 'shop:ff'*"])


def test_a_suite_that_does_not_use_the_plugin_imports_nothing_of_the_engine(session: pytest.Pytester) -> None:
    session.makepyfile(
        test_alone="""
import sys

def test_it():
    assert "pytest_flowfabric" in sys.modules
    assert not [name for name in sys.modules if name.partition(".")[0] in ("flowfabric", "msgspec", "sqlite3")]
"""
    )

    result = run(session, "test_alone.py")

    result.assert_outcomes(passed=1)


def test_the_package_brings_its_plugin_along() -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())

    named = settings["project"]["entry-points"]["pytest11"]
    packed = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]

    assert named == {"pytest_flowfabric": "pytest_flowfabric"}
    assert "src/pytest_flowfabric.py" in packed
