"""What stopped people who used the pages without having read about them."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser import shop
from tests.browser.watching import READS_AFTER_EVENTS_ONLY, Visit, Visitor
from tests.browser.world import World

PHONE = {"width": 390, "height": 800}


def test_rows_of_executions_show_their_tags(visit: Visit, world: World):
    world.made("told-apart", tags={"shop.order": "4711"})

    page = visit.open("/executions?kind=told-apart")

    expect(page.locator("tbody tr")).to_contain_text("shop.order=4711")


def test_rows_of_flows_show_their_tags(visit: Visit, world: World):
    page = visit.open("/flows")

    row = page.locator("tbody tr").filter(has=page.locator(f"a[href='/flows/{world.ids['order']}']"))
    expect(row).to_contain_text("shop.order=6")


def test_the_search_says_that_arguments_are_not_searched(visit: Visit):
    page = visit.open("/executions")

    expect(page.locator("main input[type=search]")).to_have_attribute("placeholder", re.compile("not arguments"))


def test_a_time_to_come_is_not_shorter_than_it_is(visit: Visit):
    """A question that ends in almost two days does not end in one day."""
    page = visit.open("/waiting")

    card = page.locator(".card").filter(has_text="Publish article 12?")
    expect(card).to_contain_text(re.compile(r"ends in 1 d 23 h"))
    expect(card).not_to_contain_text("until in")


def test_a_telephone_shows_the_whole_menu_and_the_current_page(visitor: Visitor):
    page = visitor(viewport=PHONE).open("/doctor")

    for link in page.locator("#bar nav a").all():
        expect(link).to_be_in_viewport(ratio=1)
    expect(page.locator("#bar a[aria-current]")).to_have_text("Doctor")


def test_the_events_begin_with_the_newest_ones_and_go_on(visit: Visit, world: World):
    known = world.made("known")
    world.do(lambda: world.engine.cancel_execution(known, reason="before anybody looked"))

    page = visit.open("/events")

    rows = page.locator("tbody tr")
    expect(rows.filter(has_text="before anybody looked")).to_have_count(1)
    assert rows.count() > 10
    world.do(lambda: world.engine.replay_execution(known))
    of_known = rows.filter(has=page.locator(f"a[href='/executions/{quote(known, safe='')}']"))
    expect(of_known.first).to_contain_text("replayed")
    expect(rows.filter(has_text="before anybody looked")).to_have_count(1)


def test_a_channel_in_which_nothing_has_happened_says_so(visit: Visit, world: World):
    page = visit.open("/events?channel=signal&execution=" + quote(world.made(), safe=""))

    expect(page.locator("main")).to_contain_text("There are no such events.")


@pytest.mark.parametrize("name", ["publish", "greeting", "failed", "crawl"])
def test_an_execution_shows_itself_with_five_calls_at_most(visit: Visit, world: World, name: str):
    """With the streams of its events and of its output, and what the bar asks for."""
    ids = {**world.ids, "failed": world.failed_charge()}
    called: list[str] = []
    visit.page.add_init_script(READS_AFTER_EVENTS_ONLY)
    visit.page.on("request", lambda request: called.append(request.url) if "/v1/" in request.url else None)

    with visit.page.expect_request("**/v1/questions*"):
        page = visit.open(f"/executions/{quote(ids[name], safe='')}")

    visit.expect_live()
    expect(page.locator("#payload")).not_to_have_text("…")
    expect(page.locator("#result")).not_to_have_text("…")
    assert len(called) <= 5, called
    assert len(set(called)) == len(called)


def test_whole_numbers_are_exact_however_large_they_are(visit: Visit, world: World):
    number = 2**63 - 1
    page = visit.open(f"/executions/{quote(world.submit(shop.resize, number, lane=shop.UNSERVED), safe='')}")

    expect(page.locator("#payload")).to_contain_text(str(number))


def test_a_failed_flow_is_found_and_brought_back_with_four_clicks(visit: Visit, world: World):
    outage = world.outage(61)
    flow = world.wait_for_flow(world.order(61, outage=str(outage)), "failed")
    page = visit.open("/")

    page.locator(".numbers a", has_text="Flows").click()
    page.locator(f"tbody a[href='/flows/{flow}']").click()
    expect(page.locator("main")).to_contain_text("1 member skipped because of charge (failed)")
    outage.unlink()
    visit.press("Replay…")
    visit.confirm("Replay")

    world.wait_for_flow(flow, "completed")


def test_the_doctor_says_the_worst_first(visit: Visit, world: World):
    world.made("unserved", lane="nobody serves it")
    page = visit.open("/doctor")

    expect(page.locator(".card h3").filter(has_text="warning").first).to_be_visible()
    severities = [each.split()[0] for each in page.locator(".card h3").all_inner_texts()]
    assert severities == sorted(severities, key=["error", "warning", "advice"].index)


@pytest.mark.parametrize("width", [360, 650, 780, 970, 1280])
def test_the_labels_of_a_timeline_stand_apart(visitor: Visitor, world: World, width: int):
    visit = visitor(viewport={"width": width, "height": 800})
    page = visit.open(f"/executions/{quote(world.ids['publish'], safe='')}")

    page.locator(".axis text").evaluate_all(
        "all => all.forEach((each, at) => { each.textContent = at ? '23 h 59 min' : '0' })"
    )
    ends = page.locator(".axis text:visible").evaluate_all(
        "all => all.flatMap((each) => { const box = each.getBoundingClientRect(); return [box.left, box.right] })"
    )

    assert len(ends) >= 6
    assert ends == sorted(ends)


def test_what_has_not_begun_shows_no_empty_tables(visit: Visit, world: World):
    page = visit.open(f"/executions/{quote(world.made(), safe='')}")

    expect(page.locator("main")).to_contain_text("Facts")
    expect(page.locator("main")).not_to_contain_text("There is nothing here")


def test_an_instant_stands_on_one_line(visit: Visit):
    page = visit.open("/events")

    heights = page.locator("tbody time").evaluate_all("all => all.map((each) => each.getClientRects().length)")
    assert set(heights) == {1}
