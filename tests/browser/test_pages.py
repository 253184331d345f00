"""Every page: it opens, nothing goes wrong in it, and everybody can read it."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.watching import NARROW, Visitor
from tests.browser.world import World

PAGES = {
    "/": "Overview",
    "/executions": "Executions",
    "/flows": "Flows",
    "/waiting": "Waiting for people",
    "/schedules": "Schedules",
    "/lanes": "Lanes",
    "/workers": "Workers",
    "/limits": "Limits",
    "/budgets": "Budgets",
    "/events": "Events",
    "/events?from=start&channel=operator": "Events",
    "/doctor": "Doctor",
    "/executions/{failed}": "charge failed",
    "/executions/{publish}": "publish suspended",
    "/executions/{crawl}": "crawl active",
    "/executions/{sign}": "sign suspended",
    "/flows/{failed order}": "order",
    "/flows/{pictures}": "pictures",
}


@pytest.fixture(scope="module")
def ids(world: World) -> dict[str, str]:
    """With the member that failed the flow."""
    return {**world.ids, "failed": world.failed_charge()}


def path_of(page: str, ids: dict[str, str]) -> str:
    for name, each in ids.items():
        page = page.replace(f"{{{name}}}", quote(each, safe=""))
    return page


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_its_title_and_can_be_read_by_everybody(visitor: Visitor, ids: dict[str, str], page: str):
    """Light and dark, wide and narrow. That nothing goes wrong in it is checked by the visitor."""
    visit = visitor(color_scheme="light")
    shown = visit.open(path_of(page, ids))
    expect(shown).to_have_title(f"{PAGES[page]} · FlowFabric")

    assert visit.findings() == []
    shown.emulate_media(color_scheme="dark")
    assert visit.findings("color-contrast") == []
    assert visit.overflow() == 0
    shown.set_viewport_size(NARROW)
    assert visit.overflow() == 0
    assert not visit.has_planted()


@pytest.mark.parametrize("width", [1024, 1200, 2560])
def test_every_page_can_be_reached_from_the_bar(visitor: Visitor, width: int):
    page = visitor(viewport={"width": width, "height": 700}).open("/doctor")
    links = page.locator("#bar nav a")
    expect(links).to_have_count(11)

    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
