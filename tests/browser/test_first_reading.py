"""What stopped people who used the pages without having read about them."""

import re

from playwright.sync_api import expect

from tests.browser.watching import Visit, Visitor
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
