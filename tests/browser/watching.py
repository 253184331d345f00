"""A browser that notices everything that a page should not do."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

WITHIN_MS = 45_000
"""How long a page may take to show something, also on a busy machine. Only what never comes takes so long: a page that
has missed an event reads again after 15 s at the latest."""
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}
CSP_WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
HEARS_WHAT_IS_SAID = """
new MutationObserver(() => {
  const said = document.getElementById("says")?.textContent;
  if (said) document.documentElement.dataset.said = said;
}).observe(document, {childList: true, subtree: true});
"""
"""A page shows it for some seconds only, and a busy machine may look too late."""
READS_AFTER_EVENTS_ONLY = "window.setInterval = () => 0"
"""Otherwise a page reads again by itself, some seconds later."""
OVERFLOW = """(width) => new Promise((done) => {
  const { documentElement: all } = document;
  const look = () => innerWidth === width ? done(all.scrollWidth - all.clientWidth) : requestAnimationFrame(look);
  look();
})"""
SERIOUS = ("serious", "critical")

_axe = Axe()


def launched(playwright: Playwright) -> Browser:
    """The system's own chromium. Its sandbox does not work for root, and containers have little shared memory."""
    path = shutil.which("chromium")
    assert path is not None
    options = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return playwright.chromium.launch(executable_path=path, args=options)


class Visit:
    """One page of a reader, and everything that went wrong in it."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.context = context
        self._allowed: list[str] = []
        self._problems: list[str] = []
        context.set_default_timeout(WITHIN_MS)
        context.add_init_script(CSP_WATCH)
        context.add_init_script(HEARS_WHAT_IS_SAID)
        self.page = context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self._problems.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._answered)

    def _console(self, message: Any) -> None:
        # An answer that is no success is in the console, too, without its address.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self._problems.append(f"console: {message.text}")

    def _failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in request.failure:  # a page that is left ends its calls
            self._problems.append(f"failed: {request.url} {request.failure}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self._problems.append(f"answered: {response.status} {response.url}")

    def allow(self, pattern: str) -> None:
        """This is meant to go wrong."""
        self._allowed.append(pattern)

    @property
    def problems(self) -> list[str]:
        return [each for each in self._problems if not any(re.search(known, each) for known in self._allowed)]

    def open(self, path: str) -> Page:
        """Go there, and return when the page is painted."""
        self.page.goto(self.url + path)
        expect(self.page.locator("main h1")).to_be_visible()
        return self.page

    # ── what people do ───────────────────────────────────────────────────────────────────────────

    def log_in(self, token: str) -> None:
        """As the page of the log-in does."""
        answer = self.context.request.post(f"{self.url}/v1/session", data={"token": token})
        assert answer.ok, answer.text()

    def press(self, name: str, within: Locator | None = None) -> None:
        """Click a button."""
        (within or self.page.locator("main")).get_by_role("button", name=name, exact=True).click()

    def confirm(self, name: str, **fields: str) -> str:
        """Fill in the dialog, which shows the command that does the same, and return what the page then says."""
        dialog = self.page.get_by_role("dialog")
        expect(dialog.locator(".command code")).to_have_text(re.compile("^ff [a-z]+ "))
        for label, value in fields.items():
            dialog.get_by_label(label.replace("_", " ")).fill(value)
        self.page.evaluate(
            "document.getElementById('says').replaceChildren(); document.documentElement.dataset.said = ''"
        )
        dialog.get_by_role("button", name=name, exact=True).click()
        expect(dialog).to_have_count(0)
        # No wait_for_function, here and elsewhere: the pages' policy allows it only what is so at its first look.
        expect(self.page.locator("html")).to_have_attribute("data-said", re.compile("."))
        return self.page.locator("html").get_attribute("data-said") or ""

    def expect_live(self) -> None:
        """Wait until the page follows the log: what happens from then on reaches it. Before, the word has no colour."""
        expect(self.page.locator("#bar button.live.good")).to_have_text("Live")

    # ── what is checked ──────────────────────────────────────────────────────────────────────────

    def findings(self, *rules: str) -> list[str]:
        """What axe finds serious, by all of its rules or by these."""
        only = {"runOnly": list(rules)} if rules else {}
        found = _axe.run(self.page, options={"resultTypes": ["violations"], **only}).response["violations"]
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found
            if each["impact"] in SERIOUS
            for node in each["nodes"]
        ]

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window, once the window has its size."""
        size = self.page.viewport_size
        assert size is not None
        return int(self.page.evaluate(OVERFLOW, size["width"]))

    def has_planted(self) -> bool:
        """Whether markup that was planted has become more than text."""
        return bool(
            self.page.evaluate(
                "window.planted === 1 || document.querySelector('main img, main script, main b') !== null"
            )
        )


class Visitor:
    """Opens contexts, and looks at the end for what went wrong in any of them."""

    def __init__(self, browser: Browser, url: str, tokens: dict[str, str]) -> None:
        self._browser = browser
        self._url = url
        self._tokens = tokens
        self.visits: list[Visit] = []

    def __call__(self, role: str = "admin", *, url: str | None = None, **options: Any) -> Visit:
        """A new browser for one reader. Without a role, nobody is logged in."""
        context = self._browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **options})
        visit = Visit(context, url or self._url)
        self.visits.append(visit)
        if role:
            visit.log_in(self._tokens[role])
        return visit


@contextmanager
def visiting(browser: Browser, url: str, tokens: dict[str, str]) -> Iterator[Visitor]:
    """Visits that end with the block, and in which nothing may go wrong."""
    visitor = Visitor(browser, url, tokens)
    try:
        yield visitor
        assert [each.problems for each in visitor.visits if each.problems] == []
    finally:
        for each in visitor.visits:
            each.context.close()
