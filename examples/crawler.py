"""A crawler that fans out: one child for each page that it finds, and a second round for the pages that those link to.

The crawler holds no worker while its children run. A page that cannot be read does not stop the others, and a restart
reads no page twice.

Run it: python examples/crawler.py
"""

import asyncio
import logging

from flowfabric import ChildFailed, Context, ExecutionSnapshot, FlowFabric

ff = FlowFabric("memory://")  # with sqlite:///crawler.db, or PostgreSQL, it would outlive the program

SITE = {
    "/": ("welcome to our shop", ["/books", "/music", "/lost"]),
    "/books": ("a book about rivers and a book about bees", ["/music", "/about"]),
    "/music": ("songs to sing in the rain", []),
    "/about": ("we have sold books since 1897", ["/"]),
}


@ff.task(lane="pages", timeout="30s")
async def read_page(ctx: Context, path: str) -> tuple[int, list[str]]:
    """Count the words of one page, and find its links."""
    if path not in SITE:
        raise LookupError(f"there is no page {path}")
    text, links = SITE[path]
    return len(text.split()), links


@ff.task
def report(ctx: Context, words: dict[str, int]) -> str:
    longest = max(words, key=lambda path: words[path])
    return f"{len(words)} pages, {sum(words.values())} words; the longest page is {longest}"


@ff.task
async def crawl(ctx: Context, start: str) -> str:
    words: dict[str, int] = {}
    seen, found = {start}, [start]
    while found:
        pages = await ctx.map(f"read from {found[0]}", read_page, found, return_exceptions=True)
        links: list[str] = []
        for path, page in zip(found, pages, strict=True):
            if isinstance(page, ChildFailed):
                continue  # `ff show` lists it with its failure, and `ff replay` of the page tries it again
            words[path], more = page
            links += more
        found = sorted(set(links) - seen)
        seen.update(found)
    return await ctx.run("report", report, words)


async def main() -> None:
    logging.getLogger("flowfabric").setLevel(logging.CRITICAL)  # a page that is not there is nothing to report here
    stop = asyncio.Event()
    async with ff:
        worker = asyncio.create_task(ff.run_worker(lanes=["default", "pages"], concurrency=4, stop=stop))
        crawling = await crawl.submit("/")
        print(await crawling.result(timeout="30s"))
        engine = await ff.engine()
        for child in (await engine.list_children(crawling.execution_id)).items:
            assert isinstance(child, ExecutionSnapshot)
            print(f"  {child.kind:10} {child.lane:8} {child.public_state}")
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
