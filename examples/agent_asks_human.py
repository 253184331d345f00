"""An agent that asks a human: it reads by itself, but before it deletes anything somebody must say yes.

While it waits it holds no worker, and what the model said is a step, so a restart asks neither the model nor the human
again.

Run it: python examples/agent_asks_human.py
"""

import asyncio
from dataclasses import dataclass

from flowfabric import Context, FlowFabric

ff = FlowFabric("memory://")  # with sqlite:///agent.db, or PostgreSQL, it would outlive the program

files = {"notes.txt": "buy milk", "draft.txt": "It was a dark night"}
NEEDS_APPROVAL = {"delete"}


@dataclass
class Wish:
    """What the model wants to do next."""

    tool: str
    file: str = ""


def ask_model(turn: int, seen: list[str]) -> Wish:
    """Stands for a language model. A real one would read what was seen so far."""
    plan = [Wish("read", "notes.txt"), Wish("delete", "notes.txt"), Wish("delete", "draft.txt"), Wish("stop")]
    return plan[turn]


def use(tool: str, file: str) -> str:
    if tool == "read":
        return f"{file} says: {files[file]}"
    del files[file]
    return f"{file} is deleted"


@ff.task
async def tidy_up(ctx: Context) -> list[str]:
    seen: list[str] = []
    for turn in range(10):
        wish = await ctx.step(f"model {turn}", ask_model, turn, seen)
        if wish.tool == "stop":
            break
        if wish.tool in NEEDS_APPROVAL:
            key = f"turn {turn}"
            (human,) = await ctx.approve(key, title=f"May I {wish.tool} {wish.file}?", timeout="1d")
            if human.choice != "yes":
                seen.append(f"{human.by} does not want me to {wish.tool} {wish.file}: {human.note}")
                continue
        seen.append(await ctx.step(f"{wish.tool} {turn}", use, wish.tool, wish.file))
    return seen


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        engine = await ff.engine()
        handle = await tidy_up.submit()

        # A human: usually somebody with a page, a chat, or `ff approve ID --as ann`.
        for choice, note in (("yes", ""), ("no", "I still need it")):
            while not (waits := (await handle.describe()).waits):
                await asyncio.sleep(0.01)
            (key,) = waits[0].keys
            (asked,) = [each for each in await engine.list_waitpoints(handle.execution_id) if each.key == key]
            print(f"agent: {asked.about['title']} ann: {choice}")
            await handle.signal(key, {"choice": choice, "note": note}, source="ann")

        for line in await handle.result(timeout=30):
            print(line)
        print(f"left: {', '.join(files)}")
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
