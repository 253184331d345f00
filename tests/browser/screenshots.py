"""Makes the pictures of the dashboard in docs/images: `make screenshots`. Look at them before they are committed."""

import io
import tempfile
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import shop, world
from tests.browser.watching import Visit, launched
from tests.browser.world import World

FOLDER = Path(__file__).parents[2] / "docs" / "images"
BYTES_MAX = 100_000
WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 360, "height": 640}
COLOURS = 128
"""Few are enough for a page of text, and make a small file."""

PAGES = {
    "overview": "/",
    "executions": "/executions",
    "execution": "/executions/{publish}",
    "flow": "/flows/{failed order}",
    "flows": "/flows",
    "people": "/waiting",
    "schedules": "/schedules",
    "lanes": "/lanes",
    "workers": "/workers",
    "limits": "/limits",
    "budgets": "/budgets",
    "events": "/events",
    "doctor": "/doctor",
}


def fill(made: World) -> None:
    """A day in a shop, without what tests plant."""
    outage = made.outage(7)
    made.ids["failed order"] = made.order(7, outage=str(outage))
    for number in range(8, 12):
        made.order(number)
    made.pictures(12)
    for name in ("Ann", "Bob", "Cem"):
        made.submit(shop.greet, name)
        made.submit(shop.summarise, f"a letter to {name}")
    made.submit(shop.crawl, 30)
    made.ids["publish"] = made.submit(shop.publish, 12)
    made.submit(shop.publish, 13)
    made.submit(shop.sign, 1)
    for _ in range(3):
        made.made("report", lane="nightly", tags={"team.name": "shop"})
    made.do(lambda: made.engine.pause_lane("nightly", reason="the disk is full"))
    made.wait_for_flow(made.ids["failed order"], "failed")
    made.wait_for(made.ids["publish"], "suspended")


def taken(page: Page, name: str) -> None:
    """Keep what is seen, without the empty part below it, in few colours."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    end = page.locator("main .page").evaluate("each => each.getBoundingClientRect().bottom")
    picture = picture.crop((0, 0, picture.width, min(picture.height, int(end) + 24)))
    file = FOLDER / f"{name}.png"
    picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(file, optimize=True)
    assert file.stat().st_size <= BYTES_MAX, f"{file.name} is too large"


def take_all(browser: Browser, made: World) -> None:
    for scheme in ("light", "dark"):
        for size, view in (("", WIDE), ("-narrow", NARROW)):
            context = browser.new_context(viewport=view, color_scheme=scheme, reduced_motion="reduce")
            visit = Visit(context, made.url)
            visit.log_in(made.tokens["operator"])
            for name, path in PAGES.items():
                for key, each in made.ids.items():
                    path = path.replace(f"{{{key}}}", quote(each, safe=""))
                page = visit.open(path)
                visit.expect_live()
                page.wait_for_load_state("load")
                taken(page, f"{name}{size}-{scheme}")
            context.close()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        world.world(Path(folder), shop, fill) as made,
        sync_playwright() as playwright,
    ):
        take_all(launched(playwright), made)


if __name__ == "__main__":
    main()
