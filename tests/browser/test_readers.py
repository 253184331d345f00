"""Who reads the pages: log-in, log-out, sessions that end, and what each role sees."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.proxy import proxied
from tests.browser.watching import NARROW, Visit, Visitor
from tests.browser.world import World

LISTS = ("/", "/executions?state=waiting", "/flows", "/waiting", "/schedules", "/lanes", "/limits", "/budgets")
VERBS = {"Cancel…", "Replay…", "Revoke…", "Hold…", "Unhold", "Priority…", "Resume…", "Send it…", "Pause", "Resume",
         "Run now", "New period", "yes", "no"}  # fmt: skip


@pytest.fixture
def stranger(visitor: Visitor) -> Visit:
    """Somebody who is not logged in."""
    return visitor("")


def verbs_on(page: Page) -> set[str]:
    """The verbs that the page offers."""
    return set(page.locator("main button").all_inner_texts()) & VERBS


def type_token(page: Page, token: str) -> None:
    page.get_by_label("Access token").fill(token)
    page.get_by_role("button", name="Log in").click()


def test_the_log_in_can_be_read_by_everybody(stranger: Visit):
    page = stranger.open("/login")

    assert stranger.findings() == []
    page.emulate_media(color_scheme="dark")
    assert stranger.findings("color-contrast") == []
    page.set_viewport_size(NARROW)
    assert stranger.overflow() == 0


def test_a_wrong_token_says_why_and_a_right_one_goes_on_to_where_one_wanted(stranger: Visit, world: World):
    stranger.allow("answered: 401 .*/v1/session")
    page = stranger.open("/executions?state=failed")
    expect(page).to_have_url(f"{world.url}/login?next=%2Fexecutions%3Fstate%3Dfailed")

    type_token(page, "fft_wrong")
    expect(page.get_by_role("alert")).to_contain_text("token")
    type_token(page, world.tokens["viewer"])

    expect(page).to_have_url(f"{world.url}/executions?state=failed")
    expect(page.locator("#bar")).to_contain_text("viewer-ann (viewer)")
    assert "fft_" not in str(stranger.context.cookies()[0]["name"])
    assert page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])").count("fft_") == 0


@pytest.mark.parametrize("wanted", ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)"])
def test_a_log_in_goes_on_to_nothing_but_the_dashboard(stranger: Visit, world: World, wanted: str):
    page = stranger.open(f"/login?next={quote(wanted, safe='')}")

    type_token(page, world.tokens["viewer"])

    expect(page).to_have_url(f"{world.url}/")


def test_a_link_logs_in_once_and_its_secret_leaves_the_address(visitor: Visitor, world: World):
    secret = world.do(lambda: world.engine.create_login_token()).secret
    first, second = visitor(""), visitor("")
    second.allow("answered: 401 .*/v1/session")

    page = first.open(f"/login#{secret}")
    expect(page).to_have_url(f"{world.url}/")
    expect(page.locator("#bar")).to_contain_text("(admin)")
    again = second.open(f"/login#{secret}")

    expect(again.get_by_role("alert")).to_be_visible()
    expect(again).to_have_url(f"{world.url}/login")


def test_the_dashboards_of_one_host_know_different_readers(visitor: Visitor, world: World):
    """A browser sends the cookies of a host to each of its ports."""
    visit = visitor("operator")
    with proxied(world.server.port) as other:
        answer = visit.context.request.post(f"{other.url}/v1/session", data={"token": world.tokens["viewer"]})
        assert answer.ok
        visit.page.goto(other.url)
        expect(visit.page.locator("#bar")).to_contain_text("viewer-ann (viewer)")

        visit.open("/")

        expect(visit.page.locator("#bar")).to_contain_text("operator-ann (operator)")


def test_after_a_log_out_nothing_is_shown_any_more(visit: Visit, world: World):
    visit.allow("answered: 401")
    page = visit.open("/executions")
    expect(page.locator("tbody tr").first).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    expect(page.locator("h1")).to_have_text("Log in")
    page.go_back()

    expect(page).to_have_url(f"{world.url}/login?next=%2Fexecutions")
    expect(page.locator("h1")).to_have_text("Log in")
    expect(page.locator("tbody")).to_have_count(0)


def test_a_session_that_is_over_leads_to_the_log_in_and_back(visit: Visit, world: World):
    visit.allow("answered: 401")
    page = visit.open("/lanes")
    # A page that follows the log finds out by itself, at any moment. This one asks only when its reader does.
    page.locator("#bar button.live").click()
    expect(page.locator("#bar button.live")).to_have_text("Page paused")
    page.wait_for_load_state("networkidle")

    visit.context.clear_cookies()
    page.locator("#bar").get_by_role("link", name="Schedules").click()
    expect(page).to_have_url(f"{world.url}/login?next=%2Fschedules")
    type_token(page, world.tokens["operator"])

    expect(page.locator("h1")).to_have_text("Schedules")


def test_a_page_that_follows_the_log_finds_out_that_its_session_is_over(visit: Visit, world: World):
    visit.allow("answered: 401")
    page = visit.open("/lanes")
    visit.expect_live()

    visit.context.clear_cookies()
    # A tab that is shown again opens its stream anew.
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("delete document.hidden")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    expect(page).to_have_url(f"{world.url}/login?next=%2Flanes")


def test_a_viewer_sees_no_verb_on_any_page(visitor: Visitor, world: World):
    visit = visitor("viewer")
    single = [quote(world.ids[name], safe="") for name in ("publish", "sign", "report 0", "crawl", "greeting")]

    for path in (*LISTS, *(f"/executions/{each}" for each in single), f"/flows/{world.ids['failed order']}"):
        page = visit.open(path)
        expect(page.locator("#bar")).to_contain_text("(viewer)")
        assert verbs_on(page) == set(), path
        assert page.locator("main input[type=checkbox]:not(label.inline input)").count() == 0, path


def test_an_approver_answers_and_steers_nothing(visitor: Visitor, world: World):
    visit = visitor("approver")

    assert verbs_on(visit.open("/waiting")) >= {"yes", "no"}
    assert verbs_on(visit.open(f"/executions/{quote(world.ids['sign'], safe='')}")) == {"Send it…"}
    assert verbs_on(visit.open("/lanes")) == set()


def test_an_operator_steers_and_does_not_manage(visitor: Visitor, world: World):
    visit = visitor("operator")

    assert verbs_on(visit.open("/lanes")) >= {"Pause", "Resume"}
    assert verbs_on(visit.open("/limits")) == {"Pause"}
    assert verbs_on(visit.open("/budgets")) == set()
