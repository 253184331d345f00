"""Markup, text that runs the other way, and a megabyte in every field: shown as text, and the page stays a page."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser import odd
from tests.browser.watching import NARROW, Visit
from tests.browser.world import World

PLACES = {
    "/": "question",
    "/executions?state=suspended": "kind",
    "/executions?state=failed": "error",
    "/waiting": "question",
    "/schedules": "schedule",
    "/limits": "limit",
    "/budgets": "budget",
}


@pytest.mark.parametrize("path", PLACES)
def test_a_list_shows_markup_as_text(visit: Visit, path: str):
    page = visit.open(path)

    expect(page.locator("main")).to_contain_text(odd.MARKUP)
    assert not visit.has_planted()


def test_a_lane_shows_markup_as_text(visit: Visit):
    page = visit.open("/lanes")

    expect(page.locator("main")).to_contain_text(odd.MARKUP[:64])
    assert not visit.has_planted()


@pytest.mark.parametrize("name", ["odd", "odd failure", "odd question"])
def test_an_execution_shows_markup_as_text_wherever_it_stands(visit: Visit, world: World, name: str):
    page = visit.open(f"/executions/{quote(world.ids[name], safe='')}")

    expect(page.locator("h1")).to_contain_text(odd.MARKUP)
    expect(page.locator("#payload")).to_contain_text(odd.MARKUP)
    expect(page.locator(".output")).to_contain_text("M" * 1000)
    expect(page.locator("main")).to_contain_text(f"{odd.MARKUP}{odd.TURNED} step")
    expect(page.locator(".tag").first).to_contain_text(odd.MARKUP)
    if name == "odd failure":
        expect(page.locator(".failure").first).to_contain_text(f"ValueError: {odd.MARKUP}")
    if name == "odd question":
        expect(page.locator(".card")).to_contain_text(odd.MARKUP)
    page.set_viewport_size(NARROW)
    assert visit.overflow() == 0
    assert not visit.has_planted()


def test_long_texts_are_shown_whole_on_demand(visit: Visit, world: World):
    page = visit.open(f"/executions/{quote(world.ids['odd'], safe='')}")
    whole = f"Show all {len(odd.LARGE):,} characters"
    expect(page.locator("#result")).to_contain_text(whole)
    assert len(page.locator("#result").inner_text()) < 1_000

    page.locator("#result").get_by_role("button", name=whole).click()

    expect(page.locator("#result")).to_contain_text("L" * 900_000)
    assert visit.overflow() == 0


@pytest.mark.parametrize(
    "path",
    [
        "/executions?kind={}",
        "/executions?id={}",
        "/executions/{}",
        "/flows/{}",
        "/events?execution={}",
        "/login?next={}",
    ],
)
def test_an_address_with_markup_is_only_text(visit: Visit, path: str):
    visit.allow("answered: 40[04] ")
    visit.open(path.format(quote(odd.PLANTED, safe="")))

    assert not visit.has_planted()
