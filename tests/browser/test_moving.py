"""Moving through the pages: addresses, back and forward, and the keyboard alone."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from tests.browser import shop
from tests.browser.watching import Visit
from tests.browser.world import World

HAS_VISIBLE_FOCUS = """() => {
  const style = getComputedStyle(document.activeElement);
  return document.activeElement !== document.body && style.outlineStyle !== "none" && style.outlineWidth !== "0px";
}"""


def test_filters_are_in_the_address_and_an_address_shows_the_same(visit: Visit, world: World):
    page = visit.open("/executions")
    search = page.locator("main input[type=search]")

    search.fill("state:waiting kind:report tag:team.name=shop")
    search.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(3)
    assert page.url == f"{world.url}/executions?state=waiting&kind=report&tag=team.name%3Dshop"
    page.reload()

    expect(search).to_have_value("state:waiting kind:report tag:team.name=shop")
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.get_by_role("button", name="waiting", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_filter_that_does_not_exist_is_explained(visit: Visit):
    page = visit.open("/executions")
    search = page.locator("main input[type=search]")

    search.fill("colour:red")
    search.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("There is no filter “colour”")


def test_an_id_alone_is_looked_up(visit: Visit, world: World):
    page = visit.open("/executions")
    search = page.locator("main input[type=search]")

    search.fill(world.ids["greeting"])
    search.press("Enter")

    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_contain_text("greet")


def test_while_the_next_page_is_on_its_way_nothing_of_the_last_one_can_be_pressed(visit: Visit, world: World):
    made = world.made("slow")
    page = visit.open("/executions?kind=slow")
    held: list[Route] = []
    is_slow = True
    page.route("**/view*", lambda route: held.append(route) if is_slow else route.continue_())

    with page.expect_request("**/view*"):
        page.locator("tbody").get_by_role("link", name="slow").click()
    expect(page.locator("main")).to_have_attribute("inert", "")
    with pytest.raises(TimeoutError):
        page.locator("main").get_by_role("button", name="Cancel…").click(timeout=300)
    is_slow = False
    for each in held:
        each.continue_()
    visit.press("Cancel…")

    assert "1 execution ends for good" in page.get_by_role("dialog").inner_text()
    assert made in page.get_by_role("dialog").locator(".command code").inner_text()


def test_while_a_filter_is_on_its_way_what_it_leaves_out_cannot_be_pressed(visit: Visit, world: World):
    world.made("sieved")
    page = visit.open("/executions?kind=sieved")
    held: list[Route] = []
    is_slow = True
    page.route("**/v1/executions?*", lambda route: held.append(route) if is_slow else route.continue_())

    with page.expect_request("**/v1/executions?*"):
        page.get_by_role("button", name="waiting", exact=True).click()
    for name in ("link", "button"):
        with pytest.raises(TimeoutError):
            page.locator("tbody, .steer").get_by_role(name, name=re.compile("^(sieved|Cancel…)$")).first.click(
                timeout=300
            )
    page.locator("main input[type=search]").fill("typed meanwhile")
    is_slow = False
    for each in held:
        each.continue_()
    visit.press("Cancel…")

    command = page.get_by_role("dialog").locator(".command code")
    expect(command).to_have_text("ff cancel --state waiting --kind sieved")


def test_back_and_forward_show_what_was_shown(visit: Visit, world: World):
    page = visit.open("/")
    page.locator("#bar").get_by_role("link", name="Executions").click()
    expect(page.locator("h1")).to_have_text("Executions")
    page.get_by_role("button", name="failed", exact=True).click()
    expect(page).to_have_title("Executions: failed · FlowFabric")
    expect(page.locator("main input[type=search]")).to_have_value("state:failed")
    page.locator("tbody a[href*='/executions/']").first.click()
    expect(page.locator("h1")).to_contain_text("failed")
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()

    page.go_back()
    expect(page).to_have_title("Executions: failed · FlowFabric")
    expect(page.locator("main input[type=search]")).to_have_value("state:failed")
    page.go_back()
    expect(page).to_have_title("Executions · FlowFabric")
    page.go_back()
    expect(page).to_have_title("Overview · FlowFabric")
    page.go_forward()
    page.go_forward()
    expect(page).to_have_title("Executions: failed · FlowFabric")


def test_an_address_without_a_thing_says_so(visit: Visit):
    visit.allow("answered: 404")
    page = visit.open(f"/executions/{quote('{fp:1}:01a1ee00-0000-7000-8000-000000000000', safe='')}")

    expect(page.get_by_role("alert")).to_be_visible()


def focus_by_tab(page: Page, name: str) -> None:
    """Go on with Tab until a button of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"Tab never comes to {name}")


def test_the_keyboard_alone_finds_what_has_failed_and_replays_it(visit: Visit, world: World):
    outage = world.outage(60)
    failed = world.wait_for(world.submit(shop.charge, 60, 1, str(outage), tags={"team.name": "keys"}), "failed")
    outage.unlink()
    page = visit.open("/")

    page.keyboard.press("g")
    page.keyboard.press("e")
    expect(page.locator("h1")).to_have_text("Executions")
    page.keyboard.press("/")
    page.keyboard.type("state:failed tag:team.name=keys")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.evaluate(HAS_VISIBLE_FOCUS)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
    focus_by_tab(page, "Replay…")
    assert page.evaluate(HAS_VISIBLE_FOCUS)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name="Replay")).to_be_enabled()
    focus_by_tab(page, "Replay")
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_contain_text("completed")
    assert world.state(failed) == "completed"


def test_escape_leaves_a_dialog_and_the_focus_goes_back(visit: Visit, world: World):
    waiting = world.made()
    page = visit.open(f"/executions/{quote(waiting, safe='')}")

    page.get_by_role("button", name="Cancel…").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel…")).to_be_focused()
    assert world.state(waiting) == "waiting"


def test_a_dialog_can_be_read_by_everybody(visit: Visit, world: World):
    page = visit.open(f"/executions/{quote(world.made(), safe='')}")

    page.get_by_role("button", name="Cancel…").click()
    assert visit.findings() == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("The next row")
    assert visit.findings() == []


def test_arrow_keys_go_from_node_to_node_and_enter_shows_one(visit: Visit, world: World):
    page = visit.open(f"/flows/{world.ids['order']}")
    page.locator(".graph").focus()

    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    expect(page.locator("aside.panel")).to_contain_text("It completed.")
