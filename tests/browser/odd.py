"""The shop with a task that says markup, and too much of it, wherever something can be said; and one of everything."""

from flowfabric import Context
from tests.browser import shop
from tests.browser.shop import ff, sync
from tests.browser.world import World
from tests.chaos.processes import wait_until

MARKUP = "<img src=x onerror=window.planted=1><script>window.planted=1</script>"
TURNED = "\u202egnp.exe\u202c \u05e9\u05dc\u05d5\u05dd \u2067x\u2069"
"""Text that runs from right to left, and characters that turn what follows them."""
PLANTED = f"{MARKUP}{TURNED}"
MEGABYTE = f"{PLANTED} {'M' * 1_000_000}"
LARGE = f"{PLANTED} {'L' * 900_000}"
"""As large as an argument or a result may be."""

odd_limit = ff.limit(PLANTED, concurrency=1)
odd_budget = ff.budget(PLANTED, tokens=10)

ff.every("1d", sync.bind(region=PLANTED), name=PLANTED)


@ff.task(name=PLANTED, linger="0s", limits=[odd_limit], budgets={odd_budget: {"tokens": 1}})
async def odd(ctx: Context, text: str, asks: bool, fails: bool) -> str:
    """Progress, steps, output, questions, results and errors."""
    ctx.progress(50, MEGABYTE[:4_000])
    await ctx.step(f"{PLANTED} step", lambda: text[:200_000])
    for begin in range(0, len(MEGABYTE), 60_000):
        ctx.write(MEGABYTE[begin : begin + 60_000])
    if asks:
        await ctx.approve(PLANTED, title=PLANTED, choices=[PLANTED, "no"], about={PLANTED: PLANTED})
    if fails:
        raise ValueError(MEGABYTE)
    return text


def one_of_everything(made: World) -> None:
    """One of everything, by the real worker. Its ids have names."""
    ids, engine = made.ids, made.engine
    broken = made.outage(7)
    ids["order"] = made.order(6)
    ids["failed order"] = made.order(7, outage=str(broken))
    ids["pictures"] = made.pictures(12)
    ids["greeting"] = made.submit(shop.greet, "Ann")
    ids["summary"] = made.submit(shop.summarise, "three boxes of tea, please")
    ids["crawl"] = made.submit(shop.crawl, 30)
    ids["publish"] = made.submit(shop.publish, 12)
    ids["sign"] = made.submit(shop.sign, 1)
    for number in range(3):
        ids[f"report {number}"] = made.made("report", tags={"team.name": "shop"})
    made.do(lambda: engine.pause_lane("nightly", reason="the disk is full"))
    ids["nightly"] = made.made("report", lane="nightly")
    ids["delayed"] = made.submit(shop.greet, "Bob", delay="1d")
    made.do(lambda: engine.create_execution(PLANTED, lane=MARKUP[:64], tags={"a.b": PLANTED}))
    for name, asks, fails in (("odd", False, False), ("odd question", True, False), ("odd failure", False, True)):
        ids[name] = made.submit(odd, LARGE, asks, fails, tags={"a.b": PLANTED})
    ended = {
        "greeting": "completed", "summary": "completed", "publish": "suspended", "sign": "suspended", "crawl": "active",
        "odd": "completed", "odd failure": "failed", "odd question": "suspended",
    }  # fmt: skip
    for name, state in ended.items():
        made.wait_for(ids[name], state)
    made.wait_for_flow(ids["order"], "completed")
    made.wait_for_flow(ids["pictures"], "completed")
    made.wait_for_flow(ids["failed order"], "failed")
    wait_until(lambda: len(made.do(engine.list_schedules)) == len(shop.ff.schedules))
