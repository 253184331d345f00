"""What people can do on the pages, seen in the store afterwards."""

import re
from urllib.parse import quote

from playwright.sync_api import Locator, expect

from tests.browser import shop
from tests.browser.watching import Visit, Visitor
from tests.browser.world import World


def opened(visit: Visit, execution_id: str) -> None:
    visit.open(f"/executions/{quote(execution_id, safe='')}")


def events_of(world: World, execution_id: str) -> list[str]:
    page = world.do(lambda: world.engine.read_events(execution_id=execution_id))
    return [each.event_type for each in page.events]


# ── one execution ────────────────────────────────────────────────────────────────────────────────


def test_cancel_asks_and_then_ends_it_with_the_reason(visit: Visit, world: World):
    waiting = world.made()
    opened(visit, waiting)

    visit.press("Cancel…")
    expect(visit.page.get_by_role("dialog")).to_contain_text("1 execution ends for good")
    said = visit.confirm("Cancel it", Reason="no longer wanted")

    assert said == "It is cancelled."
    found = world.do(lambda: world.engine.describe_execution(waiting))
    assert (found.public_state, found.cancellation_reason) == ("cancelled", "no longer wanted")
    expect(visit.page.locator("h1")).to_contain_text("cancelled")


def test_a_dialog_shows_the_command_that_does_the_same(visit: Visit, world: World):
    waiting = world.made()
    opened(visit, waiting)

    visit.press("Hold…")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("wait for Ann")
    expect(dialog.locator(".command code")).to_have_text(f"ff hold '{waiting}' --reason 'wait for Ann'")
    dialog.get_by_role("button", name="Leave it").click()

    expect(dialog).to_have_count(0)
    assert events_of(world, waiting) == []


def test_hold_and_unhold(visit: Visit, world: World):
    waiting = world.made()
    opened(visit, waiting)

    visit.press("Hold…")
    visit.confirm("Hold", Reason="wait for Ann")
    expect(visit.page.locator(".explain")).to_contain_text("It is held by an operator")
    visit.press("Unhold")
    visit.confirm("Unhold")

    expect(visit.page.get_by_role("button", name="Hold…")).to_be_visible()
    assert events_of(world, waiting) == ["held", "unheld"]


def test_priority(visit: Visit, world: World):
    waiting = world.made()
    opened(visit, waiting)

    visit.press("Priority…")
    said = visit.confirm("Change it", Priority="7000")

    assert said == "Its priority is 7,000."
    assert world.do(lambda: world.engine.describe_execution(waiting)).priority == 7000


def test_what_is_refused_says_why_and_the_dialog_stays(visit: Visit, world: World):
    waiting = world.made()
    opened(visit, waiting)
    visit.allow("answered: 409 .*/hold")
    visit.press("Hold…")
    world.do(lambda: world.engine.cancel_execution(waiting, reason="somebody was quicker"))

    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Hold", exact=True).click()

    expect(dialog.locator(".error")).to_contain_text("cancelled")
    expect(dialog.get_by_role("button", name="Hold", exact=True)).to_be_enabled()


def test_replay_brings_what_has_failed_back_to_life(visit: Visit, world: World):
    outage = world.outage(20)
    failed = world.wait_for(world.submit(shop.charge, 20, 100, str(outage)), "failed")
    opened(visit, failed)
    expect(visit.page.locator(".failure").first).to_contain_text("CardDeclined")

    outage.unlink()
    visit.press("Replay…")
    visit.confirm("Replay")

    expect(visit.page.locator("h1")).to_contain_text("completed")
    expect(visit.page.locator("#result")).to_contain_text("charge-20-100")
    assert world.state(failed) == "completed"


def test_revoke_takes_it_away_from_its_worker(visit: Visit, world: World):
    running = world.wait_for(world.submit(shop.crawl, 1), "active")
    opened(visit, running)

    visit.press("Revoke…")
    visit.confirm("Revoke", Reason="it hangs")

    assert "revoked" in events_of(world, running)
    visit.press("Cancel…")
    visit.confirm("Cancel it")
    world.wait_for(running, "cancelled")


def test_a_signal_with_a_value(visit: Visit, world: World):
    waiting = world.wait_for(world.submit(shop.sign, 2), "suspended")
    opened(visit, waiting)

    visit.press("Send it…")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_label("The value to send").fill("yes")
    dialog.get_by_role("button", name="Send it").click()
    expect(dialog.locator(".error")).to_contain_text("Texts need quotes")
    said = visit.confirm("Send it", The_value_to_send='"yes"')

    assert said == "The signal was sent: resumed."
    expect(visit.page.locator("#result")).to_contain_text("yes")
    assert world.state(waiting) == "completed"


def test_resume_without_an_answer(visit: Visit, world: World):
    waiting = world.wait_for(world.submit(shop.sign, 3), "suspended")
    opened(visit, waiting)

    visit.press("Resume…")
    visit.confirm("Resume", Reason="by phone")

    expect(visit.page.locator("h1")).to_contain_text("completed")
    assert "resumed" in events_of(world, waiting)


def test_a_question_is_answered_in_the_name_of_the_reader(visitor: Visitor, world: World):
    asked = world.wait_for(world.submit(shop.publish, 31), "suspended")
    visit = visitor("approver")
    visit.open("/waiting")
    card = visit.page.locator(".card").filter(has_text="Publish article 31?")
    expect(card).to_contain_text("publish asks editor")
    expect(card).to_contain_text("800")

    card.get_by_role("button", name="yes").click()
    said = visit.confirm("Answer: yes", A_note="go")

    assert said == "“yes” was sent."
    expect(card).to_have_count(0)
    opened(visit, world.wait_for(asked, "completed"))
    expect(visit.page.locator("#result")).to_contain_text("yes by approver-ann")


def test_a_question_on_the_page_of_its_execution_can_be_rejected(visit: Visit, world: World):
    asked = world.wait_for(world.submit(shop.publish, 32), "suspended")
    opened(visit, asked)

    visit.press("no")
    visit.confirm("Answer: no")

    expect(visit.page.locator("#result")).to_contain_text("no by admin-ann")


# ── many executions ──────────────────────────────────────────────────────────────────────────────


def test_a_verb_for_all_that_are_found_says_how_many_before_and_after(visit: Visit, world: World):
    ids = [world.made("bulk") for _ in range(3)]
    visit.open("/executions?kind=bulk")

    visit.press("Cancel…")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 executions are found now.")
    expect(dialog.locator(".command code")).to_have_text("ff cancel --kind bulk")
    said = visit.confirm("Cancel all that are found", Reason="not needed")

    assert said == "3 executions cancelled."
    expect(visit.page.locator("tbody .state", has_text="cancelled")).to_have_count(3)
    assert {world.state(each) for each in ids} == {"cancelled"}


def test_a_verb_for_selected_rows_leaves_the_others_alone_and_counts_refusals(visit: Visit, world: World):
    first, ended, other = (world.made("chosen") for _ in range(3))
    world.do(lambda: world.engine.cancel_execution(ended, reason="x"))
    visit.open("/executions?kind=chosen")
    for each in (first, ended):
        visit.page.locator(f'input[value="{each}"]').check()
    expect(visit.page.get_by_text("2 executions selected:")).to_be_visible()

    visit.press("Hold…")
    said = visit.confirm("Hold 2 executions")

    assert said.startswith("1 execution held. 1 refused: ")
    assert (events_of(world, first), events_of(world, other)) == (["held"], [])
    expect(visit.page.get_by_text("2 executions selected:")).to_have_count(0)


def test_from_a_hundred_on_the_number_has_to_be_typed(visit: Visit, world: World):
    for _ in range(100):
        world.made("hundred")
    visit.open("/executions?kind=hundred")

    visit.press("Priority…")
    dialog = visit.page.get_by_role("dialog")
    yes = dialog.get_by_role("button", name="Priority all that are found")
    expect(dialog.get_by_label("Type 100 to confirm")).to_be_visible()
    expect(yes).to_be_disabled()
    dialog.get_by_label("Type 100 to confirm").fill("10")
    expect(yes).to_be_disabled()
    dialog.get_by_label("Priority, 0").fill("5")
    said = visit.confirm("Priority all that are found", Type_100_to_confirm="100")

    assert said == "100 executions moved."


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


def test_a_flow_is_cancelled_with_its_members(visit: Visit, world: World):
    waiting = world.do(lambda: _flow_that_waits())
    visit.open(f"/flows/{waiting}")

    visit.press("Cancel…")
    expect(visit.page.get_by_role("dialog")).to_contain_text("2 members of 2 have not ended.")
    said = visit.confirm("Cancel the flow", Reason="no")

    assert said == "The flow is cancelled, and 2 members with it."
    expect(visit.page.locator("h1")).to_contain_text("cancelled")


def _flow_that_waits() -> str:
    with shop.ff.flow("waits") as flow:
        first = flow.add(shop.pack.options(lane=shop.UNSERVED), order=1)
        flow.add(shop.ship.options(lane=shop.UNSERVED), charged="", box=first.output)
    return flow.flow_id


# ── lanes, schedules, limits, budgets ────────────────────────────────────────────────────────────


def row(visit: Visit, text: str) -> Locator:
    return visit.page.locator("tbody tr").filter(has_text=text)


def test_a_lane_is_paused_and_resumed(visit: Visit, world: World):
    world.made(lane="press")
    visit.open("/lanes")

    visit.press("Pause", row(visit, "press"))
    expect(visit.page.get_by_role("dialog")).to_contain_text("1 execution would wait")
    assert visit.confirm("Pause", Reason="no paper") == "press is paused."
    expect(row(visit, "press")).to_contain_text("no paper")
    visit.press("Resume", row(visit, "press"))
    assert visit.confirm("Resume") == "press is open."
    expect(row(visit, "press")).not_to_contain_text("no paper")


def test_a_schedule_is_paused_resumed_and_run(visit: Visit, world: World):
    visit.open("/schedules")

    visit.press("Pause", row(visit, "sync eu"))
    assert visit.confirm("Pause", Reason="holiday") == "sync eu is paused."
    expect(row(visit, "sync eu")).to_contain_text("holiday")
    visit.press("Resume", row(visit, "sync eu"))
    visit.confirm("Resume")
    expect(row(visit, "sync eu")).not_to_contain_text("holiday")
    visit.press("Run now", row(visit, "sync eu"))
    assert visit.confirm("Run now") == "One execution of sync was made."

    visit.open("/executions?kind=sync")
    expect(row(visit, "sync").first).to_contain_text("completed")


def test_a_limit_is_paused(visit: Visit, world: World):
    world.do(lambda: world.engine.set_limit("printer", concurrency=2))
    visit.open("/limits")

    visit.press("Pause", row(visit, "printer"))
    assert visit.confirm("Pause", For_how_long="10m") == "printer is paused."

    expect(row(visit, "printer")).to_contain_text("paused")


def test_a_budget_begins_again(visit: Visit, world: World):
    world.do(lambda: world.engine.set_budget("stamps", limits={"pieces": 100}))
    world.do(lambda: world.engine.charge_budget("stamps", {"pieces": 40}, reason="a roll was lost"))
    visit.open("/budgets")
    expect(row(visit, "stamps")).to_contain_text("40 of 100 pieces")

    visit.press("New period", row(visit, "stamps"))
    visit.confirm("New period")

    expect(row(visit, "stamps")).to_contain_text("0 of 100 pieces")


# ── the first minute ─────────────────────────────────────────────────────────────────────────────


class Clicks:
    """Counts what a person does."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, at: Locator) -> None:
        self.count += 1
        at.click()


def test_a_flow_that_has_failed_is_found_and_mended_in_four_clicks(visit: Visit, world: World):
    outage = world.outage(77, "the vault is locked")
    flow = world.wait_for_flow(world.order(77, outage=str(outage)), "failed")
    page, click = visit.open("/"), Clicks()
    expect(row(visit, "the vault is locked")).to_contain_text("charge")

    click(page.locator("#bar").get_by_role("link", name="Flows"))
    click(page.locator(f"main a[href='/flows/{flow}']"))
    expect(page.get_by_role("button", name="CardDeclined: the vault is locked")).to_be_visible()
    outage.unlink()  # what caused it is over
    click(page.get_by_role("button", name="Replay…"))
    expect(page.get_by_role("dialog")).to_contain_text("2 members")
    click(page.get_by_role("dialog").get_by_role("button", name="Replay"))

    expect(page.locator("h1")).to_contain_text("completed")
    assert click.count <= 4
    assert world.wait_for_flow(flow, "completed")


def test_a_flow_that_is_stuck_in_a_paused_lane_is_found_and_mended_in_four_clicks(visit: Visit, world: World):
    world.do(lambda: world.engine.pause_lane("mail", reason="the mail server is down"))
    flow = world.do(_letter)
    page, click = visit.open("/"), Clicks()
    expect(row(visit, "the mail server is down")).to_contain_text("paused")

    click(page.locator("main h2").get_by_role("link", name="Lanes"))
    expect(page).to_have_url(f"{world.url}/lanes")
    click(row(visit, "the mail server is down").get_by_role("button", name="Resume"))
    click(page.get_by_role("dialog").get_by_role("button", name="Resume"))

    assert world.wait_for_flow(flow, "completed")
    assert click.count <= 4


def _letter() -> str:
    with shop.ff.flow("letter") as flow:
        flow.add(shop.greet.options(lane="mail"), name="Ann")
    return flow.flow_id


# ── replays ──────────────────────────────────────────────────────────────────────────────────────


def test_a_replay_of_all_that_are_found_leaves_completed_ones_alone(visit: Visit, world: World):
    outage = world.outage(81)
    tags = {"team.night": "81"}
    done = world.wait_for(world.submit(shop.charge, 80, 1, tags=tags), "completed")
    failed = world.wait_for(world.submit(shop.charge, 81, 1, str(outage), tags=tags), "failed")
    outage.unlink()
    visit.open("/executions?tag=team.night%3D81")
    expect(visit.page.locator("tbody tr")).to_have_count(2)

    visit.press("Replay…")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 has completed. A replay does all of it again")
    expect(dialog.locator("option:checked")).to_have_text("failed")
    expect(dialog.locator(".command code")).to_have_text("ff replay --state failed --tag team.night=81")
    assert visit.confirm("Replay all that are found") == "1 execution replayed."

    world.wait_for(failed, "completed")
    assert "replayed" in events_of(world, failed)
    assert "replayed" not in events_of(world, done)


def test_completed_ones_are_replayed_only_after_their_number_was_typed(visit: Visit, world: World):
    done = [
        world.wait_for(world.submit(shop.greet, name, tags={"team.night": "82"}), "completed")
        for name in ("Ann", "Bob")
    ]
    visit.open("/executions?tag=team.night%3D82&state=completed")
    for each in done:
        visit.page.locator(f'input[value="{each}"]').check()

    visit.press("Replay…")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 have completed. A replay does all of it again")
    expect(dialog.get_by_role("button", name="Replay 2 executions")).to_be_disabled()
    assert visit.confirm("Replay 2 executions", Type_2_to_confirm="2") == "2 executions replayed."

    assert all("replayed" in events_of(world, each) for each in done)


def test_a_replay_of_a_member_alone_says_who_stays_skipped(visit: Visit, world: World):
    outage = world.outage(83)
    flow = world.wait_for_flow(world.order(83, outage=str(outage)), "failed")
    members = world.do(lambda: world.engine.list_executions(flow_id=flow)).items
    charge = next(each for each in members if each.kind == "charge")
    opened(visit, charge.execution_id)

    visit.press("Replay…")

    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 member of its flow was skipped because of it.")
    expect(dialog.get_by_role("link", name="replay the flow")).to_have_attribute("href", f"/flows/{flow}")


# ── why something was skipped ────────────────────────────────────────────────────────────────────


def test_a_skipped_member_names_its_cause_in_the_graph_in_the_list_and_on_its_page(visit: Visit, world: World):
    outage = world.outage(84)
    flow = world.wait_for_flow(world.order(84, outage=str(outage)), "failed")
    members = world.do(lambda: world.engine.list_executions(flow_id=flow)).items
    charge, ship = (next(x.execution_id for x in members if x.kind == kind) for kind in ("charge", "ship"))

    page = visit.open(f"/flows/{flow}")
    expect(
        page.get_by_role("button", name=re.compile("^ship: skipped; .*; because of charge \\(failed\\)$"))
    ).to_be_visible()
    cause = page.get_by_role("link", name="because of charge (failed)")
    expect(cause).to_have_attribute("href", f"/executions/{quote(charge, safe='')}")
    visit.press("As a list")
    expect(row(visit, "ship").get_by_role("link", name="because of charge (failed)")).to_be_visible()
    opened(visit, ship)
    expect(visit.page.locator(".explain a")).to_have_attribute("href", f"/executions/{quote(charge, safe='')}")

    outage.unlink()
    world.do(lambda: world.engine.replay_execution(charge))
    world.wait_for(charge, "completed")
    page = visit.open(f"/flows/{flow}")
    expect(page.locator("main")).to_contain_text(
        "1 member skipped because of charge (completed since). “Replay…” brings it back."
    )
