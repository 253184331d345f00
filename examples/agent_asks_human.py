"""An agent that asks a human: it reads by itself, but before it deletes anything somebody must say yes.

While it waits it holds no worker, and what the model said is a step, so a restart asks neither the model nor the human
again.

Run it: python examples/agent_asks_human.py
"""

import asyncio
from dataclasses import dataclass

from flowfabric import Context, FlowFabric

ff = FlowFabric("memory://")  # with sqlite:///agent.db, or PostgreSQL, it would outlive the program

chat: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
"""What the agent asks: the key of each question, and its text."""
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


async def say(key: str, text: str) -> None:
    await chat.put((key, text))


@ff.task
async def tidy_up(ctx: Context) -> list[str]:
    seen: list[str] = []
    for turn in range(10):
        wish = await ctx.step(f"model {turn}", ask_model, turn, seen)
        if wish.tool == "stop":
            break
        if wish.tool in NEEDS_APPROVAL:
            key, text = f"turn {turn}", f"May I {wish.tool} {wish.file}?"
            await ctx.step(f"say {turn}", say, key, text)
            (human,) = await ctx.approve(key, title=text, timeout="1d")
            if human.choice != "yes":
                seen.append(f"{human.by} does not want me to {wish.tool} {wish.file}: {human.note}")
                continue
        seen.append(await ctx.step(f"{wish.tool} {turn}", use, wish.tool, wish.file))
    return seen


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        handle = await tidy_up.submit()

        # A human. Usually that is somebody with a chat, a page, or `ff approve ID --as ann`.
        for choice, note in (("yes", ""), ("no", "I still need it")):
            key, text = await chat.get()
            print(f"agent: {text} ann: {choice}")
            # If the agent does not wait yet, the answer is kept.
            await handle.signal(key, {"choice": choice, "note": note}, name=choice, source="ann")

        for line in await handle.result(timeout=30):
            print(line)
        print(f"left: {', '.join(files)}")
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
