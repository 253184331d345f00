"""A flow stands still. From the first page to the cause, and to what mends it, in at most four clicks."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Page, expect

from flowfabric import BlockingEngine, Claimed, FlowGraph, open_blocking_engine
from tests.browser.watching import Visit, Visitor
from tests.server import ff_server

T = TypeVar("T")

CLICKS_MAX = 4
COUNTS_CLICKS = "clicks = 0; addEventListener('click', () => { clicks += 1 }, true)"
"""The pages change without being loaded again, so one count lasts."""
ORDINARY = 30


class Night:
    """A database of its own, in which many executions have completed and one flow stands still."""

    def __init__(self, server: ff_server.Served, engine: BlockingEngine, thread: ThreadPoolExecutor) -> None:
        self.url = server.url
        self.engine = engine
        self._thread = thread
        self.flow_id = ""

    def do(self, act: Callable[[], T]) -> T:
        """In a thread, because Playwright's event loop has this one."""
        return self._thread.submit(act).result(60)

    def work(self, *capabilities: str) -> list[Claimed]:
        """Complete what a worker of these capabilities may run, and return it."""

        def once() -> list[Claimed]:
            claimed = self.claimed(*capabilities)
            for each in claimed:
                self.engine.complete(each.lease)
            return claimed

        return self.do(once)

    def claimed(self, *capabilities: str) -> list[Claimed]:
        return self.engine.claim(
            worker_id="press",
            worker_instance_id="press-1",
            lanes=["default", "mail"],
            capabilities=capabilities,
            limit=100,
            lease_ttl_ms=600_000,
        )

    def state(self) -> str:
        flow = self.do(lambda: self.engine.describe_flow(self.flow_id))
        assert flow is not None
        return flow.state


@contextmanager
def _night(folder: Path) -> Iterator[Night]:
    store = f"sqlite:///{folder}/night.db"
    with (
        ThreadPoolExecutor(1) as thread,
        ff_server.running(store, folder) as server,
    ):
        opened = open_blocking_engine(store)
        engine = thread.submit(opened.__enter__).result()
        try:
            night = Night(server, engine, thread)
            night.do(
                lambda: engine.heartbeat(
                    worker_id="press", worker_instance_id="press-1", lanes=["default", "mail"], ttl_ms=600_000
                )
            )
            for _ in range(ORDINARY):
                night.do(lambda: night.engine.create_execution("thumbnail"))
            night.work()
            yield night
        finally:
            thread.submit(opened.__exit__, None, None, None).result()


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with _night(tmp_path) as made:
        yield made


def a_poster(night: Night, **options: Any) -> None:
    """Submit a flow of three members: the last one has these options. Run what may run."""
    graph = FlowGraph("poster")
    proof = graph.node("proof", "proof")
    press = graph.node("press", "press", **options)
    graph.edge(proof, press)
    graph.edge(press, graph.node("cut", "cut"))
    night.flow_id = night.do(lambda: night.engine.submit_flow(graph)).flow_id
    night.work()


@pytest.fixture
def look(visitor: Visitor, night: Night) -> Callable[[], Visit]:
    """Opens the first page. From then on clicks are counted."""

    def looking() -> Visit:
        visit = visitor(role="", url=night.url)
        visit.open("/").evaluate(COUNTS_CLICKS)
        return visit

    return looking


def clicks(page: Page) -> int:
    return int(page.evaluate("clicks"))


def follow(visit: Visit, number: str, title: str) -> Page:
    """Click one of the numbers of the first page."""
    visit.page.locator(".numbers").get_by_role("link", name=re.compile(f"^{number}")).click()
    expect(visit.page.locator("h1")).to_have_text(title)
    return visit.page


def to_the_flow(visit: Visit) -> Page:
    follow(visit, "Flows", "Flows")
    visit.page.locator("tbody").get_by_role("link", name="poster").click()
    return visit.page


def test_a_member_that_no_worker_can_run(night: Night, look: Callable[[], Visit]):
    a_poster(night, required_capabilities=["uv-dryer"])
    visit = look()

    page = to_the_flow(visit)
    expect(page.locator(".explain")).to_contain_text(
        "press holds it up. It waits for a worker that serves lane 'default'"
    )
    page.get_by_role("link", name="To the doctor").click()
    command = page.locator("main code", has_text="--capabilities uv-dryer")
    expect(command).to_have_text("ff worker --lanes default --capabilities uv-dryer")
    assert clicks(page) <= CLICKS_MAX

    night.work("uv-dryer")
    night.work()
    assert night.state() == "completed"


def test_a_lane_that_is_paused(night: Night, look: Callable[[], Visit]):
    night.do(lambda: night.engine.pause_lane("mail", reason="the mail server is moved"))
    a_poster(night, lane="mail")
    visit = look()

    page = visit.page
    page.get_by_role("link", name="paused the mail server is moved").click()
    visit.press("Resume")
    visit.confirm("Resume")
    assert clicks(page) <= CLICKS_MAX

    night.work()
    night.work()
    assert night.state() == "completed"


def test_the_page_of_a_flow_says_that_a_lane_is_paused_and_leads_there(night: Night, look: Callable[[], Visit]):
    night.do(lambda: night.engine.pause_lane("mail", reason="the mail server is moved"))
    a_poster(night, lane="mail")

    page = to_the_flow(look())
    expect(page.locator(".explain")).to_contain_text("press holds it up. Lane 'mail'")
    expect(page.locator(".explain")).to_contain_text("the mail server is moved")
    page.get_by_role("link", name="To the lanes").click()

    expect(page.locator("h1")).to_have_text("Lanes")


def test_a_limit_whose_slots_are_all_held(night: Night, look: Callable[[], Visit]):
    night.do(lambda: night.engine.set_limit("press", concurrency=1))
    holder = night.do(lambda: night.engine.create_execution("clean", limits={"press": ""})).execution_id
    night.do(lambda: night.claimed())
    a_poster(night, limits={"press": ""})
    assert night.work() == []
    visit = look()

    page = follow(visit, "Running", "Executions")
    expect(page.locator("tbody tr")).to_contain_text("holds a slot of press")
    page.locator("tbody").get_by_role("link", name="clean").click()
    visit.press("Cancel…")
    visit.confirm("Cancel it", Reason="it hangs")
    assert clicks(page) <= CLICKS_MAX

    found = night.do(lambda: night.engine.describe_execution(holder))
    assert found is not None
    assert found.cancellation_reason == "it hangs"
    night.work()
    night.work()
    assert night.state() == "completed"


def test_the_page_of_a_flow_names_who_holds_the_slots(night: Night, look: Callable[[], Visit]):
    night.do(lambda: night.engine.set_limit("press", concurrency=1))
    night.do(lambda: night.engine.create_execution("clean", limits={"press": ""}))
    night.do(lambda: night.claimed())
    a_poster(night, limits={"press": ""})
    assert night.work() == []

    page = to_the_flow(look())
    expect(page.locator(".explain")).to_contain_text("press holds it up. It waits for limit press: 1 of 1 in use by")
    page.locator(".explain a").nth(1).click()

    expect(page.locator("h1")).to_contain_text("clean active")


def a_poster_without_paper(night: Night) -> None:
    """Its second member needs more of a budget than is left."""
    night.do(lambda: night.engine.set_budget("paper", limits={"cents": 100}))
    night.do(lambda: night.engine.create_execution("order", budgets={"paper": {"cents": 90}}))
    (order,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.spend(order.lease, "paper", {"cents": 90}))
    night.do(lambda: night.engine.complete(order.lease))
    a_poster(night, budgets={"paper": {"cents": 40}})
    assert night.work() == []


def test_a_budget_that_is_used_up(night: Night, look: Callable[[], Visit]):
    a_poster_without_paper(night)
    visit = look()

    page = visit.page
    page.get_by_role("table").get_by_role("link", name="1", exact=True).click()
    page.get_by_role("link", name="budget paper").click()
    visit.press("New period")
    visit.confirm("New period")
    assert clicks(page) <= CLICKS_MAX

    night.work()
    night.work()
    assert night.state() == "completed"


def test_the_page_of_a_flow_says_what_a_budget_lacks_and_leads_there(night: Night, look: Callable[[], Visit]):
    a_poster_without_paper(night)

    page = to_the_flow(look())
    expect(page.locator(".explain")).to_contain_text(
        "It waits for budget paper: 90 of 100 cents are used, and it needs 40"
    )
    page.get_by_role("link", name="To the budgets").click()

    expect(page.locator("h1")).to_have_text("Budgets")


def test_a_member_that_waits_for_a_signal(night: Night, look: Callable[[], Visit]):
    a_poster(night)
    (press,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.suspend(press.lease, "customer", "customer"))
    visit = look()

    page = follow(visit, "Suspended", "Executions")
    expect(page.locator("tbody tr")).to_contain_text("waits for customer")
    page.locator("tbody").get_by_role("link", name="press").click()
    visit.press("Send it…")
    visit.confirm("Send it")
    assert clicks(page) <= CLICKS_MAX

    night.work()
    night.work()
    assert night.state() == "completed"


def test_a_member_that_has_failed_for_good(night: Night, look: Callable[[], Visit]):
    a_poster(night)
    (press,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.fail(press.lease, code="PaperJam", retryable=False))
    visit = look()

    page = to_the_flow(visit)
    expect(page.locator("main")).to_contain_text("1 member skipped because of press (failed)")
    visit.press("Replay…")
    visit.confirm("Replay")
    assert clicks(page) <= CLICKS_MAX

    night.work()
    night.work()
    assert night.state() == "completed"


def test_a_dialog_does_not_outlive_its_page(night: Night, look: Callable[[], Visit]):
    """Or one would replay a member, and believe to replay its flow."""
    a_poster(night)
    (press,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.fail(press.lease, code="PaperJam", retryable=False))
    visit = look()
    page = follow(visit, "Failed", "Executions")
    page.locator("tbody").get_by_role("link", name="press").click()
    visit.press("Replay…")

    page.get_by_role("dialog").get_by_role("link", name="replay the flow").click()

    expect(page.locator("h1")).to_contain_text("poster")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_states_of_the_members_lead_to_them(night: Night, look: Callable[[], Visit]):
    a_poster(night)
    (press,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.suspend(press.lease, "customer", "customer"))

    page = to_the_flow(look())
    page.get_by_role("link", name="1 suspended").click()

    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text("waits for customer")


def test_a_replay_of_many_says_that_what_was_skipped_stays_skipped(night: Night, look: Callable[[], Visit]):
    a_poster(night)
    (press,) = night.do(lambda: night.claimed())
    night.do(lambda: night.engine.fail(press.lease, code="PaperJam", retryable=False))
    visit = look()
    follow(visit, "Failed", "Executions")

    visit.press("Replay…")

    expect(visit.page.get_by_role("dialog")).to_contain_text("stays skipped: to bring it back, too, replay its flow.")
