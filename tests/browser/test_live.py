"""Pages that follow what happens: by themselves, through lost connections, and without disturbing the reader."""

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import shop
from tests.browser.proxy import Proxy, proxied
from tests.browser.watching import READS_AFTER_EVENTS_ONLY, Visit, Visitor
from tests.browser.world import World

CUT = (
    "failed: .*(ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_NETWORK|ERR_SOCKET)"
    "|console: The server cannot be reached"
)
"""What a browser says of connections that were cut, and the page, if it was about to read."""
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def proxy(world: World) -> Iterator[Proxy]:
    with proxied(world.server.port) as made:
        yield made


def bar(page: Page) -> Locator:
    """Whether the page says that it is live."""
    return page.locator("#bar button.live")


def steer(world: World, execution_id: str, times: int) -> None:
    """Make two events so many times."""
    for _ in range(times):
        world.do(lambda: world.engine.hold(execution_id))
        world.do(lambda: world.engine.unhold(execution_id))


def words_of(page: Page) -> list[str]:
    """The events that are shown, the oldest first."""
    return page.locator("tbody tr strong").all_inner_texts()[::-1]


def test_what_happens_appears_without_a_reload(visit: Visit, world: World):
    waiting = world.made("watched")
    page = visit.open("/executions?kind=watched")
    visit.expect_live()
    page.evaluate("window.same = true")

    world.do(lambda: world.engine.cancel_execution(waiting, reason="it was enough"))

    expect(page.locator("tbody tr")).to_contain_text("it was enough")
    assert page.evaluate("window.same")


def test_what_a_worker_has_ended_appears_on_its_page(visit: Visit, world: World):
    waiting = world.wait_for(world.submit(shop.sign, 50), "suspended")
    page = visit.open(f"/executions/{quote(waiting, safe='')}")
    visit.expect_live()

    world.do(lambda: world.engine.signal(waiting, "signature", b'"in ink"'))

    expect(page.locator("h1")).to_contain_text("completed")
    expect(page.locator("#result")).to_contain_text("in ink")


def test_the_picture_of_a_flow_changes_and_stays_where_it_was(visit: Visit, world: World):
    outage = world.outage(51)
    flow = world.wait_for_flow(world.order(51, outage=str(outage)), "failed")
    page = visit.open(f"/flows/{flow}")
    visit.expect_live()
    visit.press("Larger")
    view = page.locator(".graph > g")
    before = view.get_attribute("transform")

    outage.unlink()
    world.do(lambda: world.engine.replay_flow(flow))

    expect(page.locator("h1")).to_contain_text("completed")
    assert view.get_attribute("transform") == before


def test_events_go_on_after_a_cut_and_none_is_lost_or_doubled(visitor: Visitor, world: World, proxy: Proxy):
    waiting = world.made()
    visit = visitor(url=proxy.url)
    visit.allow(CUT)
    page = visit.open("/events?channel=operator")
    visit.expect_live()
    before = len(words_of(page))
    steer(world, waiting, 2)
    expect(page.locator("tbody tr")).to_have_count(before + 4)

    proxy.cut()
    expect(bar(page)).to_have_text("Disconnected, retrying")
    steer(world, waiting, 3)
    proxy.mend()

    visit.expect_live()
    expect(page.locator("tbody tr")).to_have_count(before + 10)
    assert words_of(page)[before:] == ["held", "unheld"] * 5


def test_output_goes_on_after_a_cut_and_none_is_lost_or_doubled(visitor: Visitor, world: World, proxy: Proxy):
    talking = world.submit(shop.talk, 3)
    visit = visitor(url=proxy.url)
    visit.allow(CUT)
    page = visit.open(f"/executions/{quote(talking, safe='')}")
    output = page.locator(".output")
    expect(output).to_have_text("line 0\n")

    proxy.cut()
    expect(bar(page)).to_have_text("Disconnected, retrying")
    world.do(lambda: world.engine.signal(talking, "more-0", b"null"))
    proxy.mend()
    expect(output).to_have_text("line 0\nline 1\n")
    for line in (1, 2):
        world.do(lambda key=f"more-{line}": world.engine.signal(talking, key, b"null"))

    expect(page.locator("h1")).to_contain_text("completed")
    expect(output).to_have_text("line 0\nline 1\nline 2\n")


def test_a_page_goes_on_after_the_server_was_killed_and_started_again(visit: Visit, world: World):
    waiting = world.made("restarted")
    visit.allow(CUT)
    page = visit.open("/executions?kind=restarted")
    visit.expect_live()

    world.server.kill()
    expect(bar(page)).to_have_text("Disconnected, retrying")
    world.do(lambda: world.engine.cancel_execution(waiting, reason="meanwhile"))
    world.server.start()

    visit.expect_live()
    expect(page.locator("tbody tr")).to_contain_text("meanwhile")
    expect(page.locator(".error")).to_have_count(0)


def test_a_paused_page_stands_still_until_it_goes_on(visitor: Visitor, world: World):
    waiting = world.made("stands")
    still, moving = visitor(), visitor()
    for each in (still, moving):
        each.open("/executions?kind=stands")
        each.expect_live()

    bar(still.page).click()
    expect(bar(still.page)).to_have_text("Page paused")
    still.page.wait_for_load_state("networkidle")  # what it has begun to read may still be shown
    world.do(lambda: world.engine.cancel_execution(waiting, reason="unseen"))
    expect(moving.page.locator("tbody tr")).to_contain_text("unseen")

    expect(still.page.locator("tbody tr")).not_to_contain_text("unseen")
    bar(still.page).click()
    expect(still.page.locator("tbody tr")).to_contain_text("unseen")


def test_a_paused_page_does_not_show_what_it_was_about_to_show(visitor: Visitor, world: World):
    waiting = world.made("about")
    visit = visitor()
    visit.page.add_init_script(READS_AFTER_EVENTS_ONLY)
    page = visit.open("/executions?kind=about")
    visit.expect_live()
    page.evaluate("() => { later = []; setTimeout = (act) => later.push(act) }")

    while not page.evaluate("later.length"):
        steer(world, waiting, 1)
    bar(page).click()
    expect(bar(page)).to_have_text("Page paused")
    page.wait_for_load_state("networkidle")
    world.do(lambda: world.engine.cancel_execution(waiting, reason="unseen"))
    reads: list[str] = []
    page.on("request", lambda each: reads.append(each.url))
    page.evaluate("later.splice(0).forEach((act) => act())")

    expect(page.locator("tbody tr")).not_to_contain_text("unseen")
    assert reads == []


def held_back(page: Page, url: str, act: Callable[[], object]) -> Callable[[], None]:
    """Do something after which the page calls this address. What is returned lets the answer through."""
    calls: list[Route] = []
    page.route(url, lambda route: route.continue_() if calls else calls.append(route))
    with page.expect_request(url):
        act()
    while not calls:
        page.evaluate("0")  # the route comes right after the request
    answer = calls[0].fetch()
    return lambda: calls[0].fulfill(response=answer)


def test_what_happens_while_a_page_reads_after_a_verb_is_shown_too(visitor: Visitor, world: World):
    for lane in ("first", "second"):
        world.made(lane=lane)
    visit, other = visitor(), visitor()
    visit.page.add_init_script(READS_AFTER_EVENTS_ONLY)
    for each in (visit, other):
        each.open("/lanes")
        each.expect_live()

    visit.press("Pause", row_of(visit.page, "first"))
    release = held_back(visit.page, "**/v1/lanes", lambda: visit.confirm("Pause"))
    world.do(lambda: world.engine.pause_lane("second", reason="in the meantime"))
    expect(row_of(other.page, "second")).to_contain_text("in the meantime")
    release()

    expect(row_of(visit.page, "second")).to_contain_text("in the meantime")


def test_an_old_answer_does_not_replace_a_newer_one(visitor: Visitor, world: World):
    waiting = world.made()
    visit, other = visitor(), visitor()
    visit.page.add_init_script(READS_AFTER_EVENTS_ONLY)
    for each in (visit, other):
        each.open(f"/executions/{quote(waiting, safe='')}")
        each.expect_live()

    visit.press("Priority…")
    release = held_back(visit.page, "**/view", lambda: visit.confirm("Change it", Priority="7000"))
    world.do(lambda: world.engine.cancel_execution(waiting, reason="in the meantime"))
    expect(other.page.locator("h1")).to_contain_text("cancelled")
    with visit.page.expect_request_finished(lambda each: each.url.endswith("/view")):
        release()
    visit.page.evaluate(TWO_FRAMES)

    expect(visit.page.locator("h1")).to_contain_text("cancelled")


def test_a_page_of_a_replayed_execution_tells_its_lives_apart(visit: Visit, world: World):
    """Nothing on the page counts the time in which it had failed, or says that one attempt was two."""
    outage = world.outage(53)
    failed = world.wait_for(world.submit(shop.charge, 53, 1, str(outage)), "failed")
    outage.unlink()
    world.do(lambda: world.engine.replay_execution(failed))
    world.wait_for(failed, "completed")

    page = visit.open(f"/executions/{quote(failed, safe='')}")

    expect(page.locator(".timeline .what").filter(has_text="attempt 1")).to_have_text(
        ["attempt 1 failed", "attempt 1 after the replay completed"]
    )
    expect(page.locator(".timeline")).to_contain_text("had failed, until it was replayed")
    expect(page.get_by_role("heading", name="1 attempt since the replay")).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text("took since the replay")


def test_a_replay_that_ended_unseen_shows_its_new_result(visit: Visit, world: World):
    outage = world.outage(52)
    failed = world.wait_for(world.submit(shop.charge, 52, 1, str(outage)), "failed")
    page = visit.open(f"/executions/{quote(failed, safe='')}")
    expect(page.locator("#result")).to_have_text("none")
    bar(page).click()

    outage.unlink()
    world.do(lambda: world.engine.replay_execution(failed))
    world.wait_for(failed, "completed")
    bar(page).click()

    expect(page.locator("#result")).to_contain_text("charge-52-1")


def test_an_update_leaves_scroll_selection_ticks_and_typed_text_alone(visit: Visit, world: World):
    ids = [world.made("read") for _ in range(40)]
    page = visit.open("/executions?kind=read")
    expect(page.locator("tbody tr")).to_have_count(40)
    page.locator("tbody input").nth(20).check()
    page.locator("main input[type=search]").fill("half a thou")
    page.evaluate("""() => {
      scrollTo(0, 400);
      getSelection().selectAllChildren(document.querySelectorAll("tbody tr")[20].querySelector("code"));
    }""")
    state = """() => ({
      scroll: scrollY, selected: String(getSelection()), typed: document.querySelector("main input[type=search]").value,
      ticks: [...document.querySelectorAll("tbody input:checked")].map((each) => each.value),
    })"""
    before = page.evaluate(state)

    world.do(lambda: world.engine.cancel_execution(ids[0], reason="an update"))
    expect(page.locator("tbody tr").last).to_contain_text("an update")

    assert page.evaluate(state) == before
    assert (before["scroll"], before["typed"], len(before["ticks"])) == (400, "half a thou", 1)
    assert before["selected"]


def test_a_busy_store_is_not_read_at_every_event(visit: Visit, world: World):
    """A hundred open pages must not keep the server busy: after a few quick updates each reads now and then."""
    waiting = world.made("busy")
    visit.open("/")
    visit.expect_live()
    reads: list[str] = []
    visit.page.on("request", lambda each: "/v1/overview" in each.url and reads.append(each.url))
    began_ms = visit.page.evaluate("performance.now()")

    while visit.page.evaluate("performance.now()") < began_ms + 5_000:
        steer(world, waiting, 3)
    world.do(lambda: world.engine.pause_lane("busy", reason="all of it has happened"))
    expect(row_of(visit.page, "all of it has happened")).to_be_visible()
    took_s = (visit.page.evaluate("performance.now()") - began_ms) / 1000
    assert 1 <= len(reads) <= 5 + took_s / 2  # one in four seconds by events, and one in five by the clock


def row_of(page: Page, text: str) -> Locator:
    return page.locator("tbody tr").filter(has_text=text)


def test_the_overview_is_there_with_three_calls(visit: Visit):
    calls: list[str] = []
    visit.page.add_init_script(READS_AFTER_EVENTS_ONLY)
    visit.page.on("request", lambda each: "/v1/" in each.url and calls.append(each.url.partition("/v1/")[2]))

    page = visit.open("/")
    visit.expect_live()
    expect(page.locator(".health").get_by_role("link", name="All findings")).to_be_visible()

    assert sorted({each.partition("?")[0] for each in calls}) == ["doctor", "events", "overview", "session"]
