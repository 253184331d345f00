"""A media pipeline as a flow: results are passed on, two subtitles of three are enough, and a cancel reaches the code.

             ┌──▶ encode 480p ───┐
    probe ──┬┼──▶ encode 720p ───┼─────────────────┐
            │└──▶ encode 1080p ──┘                 ├──▶ publish
            │┌──▶ english ───┐                     │
            └┼──▶ french ────┼── 2 of 3 ──▶ bundle ┘
             └──▶ finnish ───┘

Run it: python examples/media_pipeline.py
"""

import asyncio
from dataclasses import dataclass

from flowfabric import Context, Flow, FlowFabric, Node, Quorum

ff = FlowFabric("memory://")  # with sqlite:///media.db, or PostgreSQL, it would outlive the program

HEIGHTS = [480, 720, 1080]
LANGUAGES = ["english", "french", "finnish"]


@dataclass
class Film:
    title: str
    minutes: int


@ff.task
def probe(ctx: Context, file: str) -> Film:
    return Film(title=file.removesuffix(".mov"), minutes=153)


@ff.task(timeout="1h")
def encode(ctx: Context, height: int, film: Film) -> str:
    for percent in (25, 50, 75, 100):
        ctx.raise_if_cancelled()  # a thread has to look for itself
        ctx.progress(percent, f"{film.title} in {height}p")
    return f"{film.title}-{height}p.mp4"


@ff.task
async def translate(ctx: Context, language: str, title: str) -> str:
    if language == "finnish":
        await asyncio.sleep(3600)  # this translator is thorough
    return f"{title}-{language}.vtt"


@ff.task
async def bundle(ctx: Context, subtitles: list[str]) -> list[str]:
    return sorted(subtitles)


@ff.task
async def publish(ctx: Context, title: str, videos: list[str], subtitles: list[str]) -> str:
    return f"{title}: {', '.join([*videos, *subtitles])}"


async def pipeline(file: str) -> tuple[Flow, Node[str]]:
    async with ff.flow("media", tags={"media.file": file}) as flow:
        film = flow.add(probe, file).output
        videos = flow.map(encode, HEIGHTS, film=film)
        translated = flow.map(translate, LANGUAGES, title=film.title)
        enough = bundle.options(join=Quorum(2, "cancel_remaining"))
        bundled = flow.add(enough, [each.output for each in translated])  # a list of those that have come
        published = flow.add(
            publish, title=film.title, videos=[video.output for video in videos], subtitles=bundled.output
        )
    # The block has ended well, so all nine are submitted, in one transaction.
    return flow, published


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(lease="1s", stop=stop))

        flow, published = await pipeline("metropolis.mov")
        print(await published.result(timeout=30))
        print("the flow is", await flow.wait(timeout=30))
        for node in flow.nodes:
            print(f"  {node.name} is {await node.state()}")

        flow, published = await pipeline("nosferatu.mov")
        # This returns once every worker has said that its code has stopped.
        print("cancelled:", await flow.cancel("the rights are not ours", wait=True))
        print("the flow is", await flow.state())

        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
