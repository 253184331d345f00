"""An approval by mail: the link in the mail shows the question, and a button on that page decides.

Programs that check mails open every link, and a link that decides by itself would let them decide. So GET only shows,
and POST decides; a second use shows what was recorded. The token in the link is all that the editor needs, and it opens
this one question and nothing else.

Run it: pip install starlette httpx; python examples/approval_by_mail.py
"""

import asyncio
from html import escape
from urllib.parse import parse_qs

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from flowfabric import Conflict, Context, FlowFabric, InvalidToken, Refused

ff = FlowFabric("memory://")  # with sqlite:///press.db, or PostgreSQL, it would outlive the program

outbox: asyncio.Queue[str] = asyncio.Queue()
"""The links that are sent by mail."""
CHOICES = ("yes", "no")
recorded: dict[str, str] = {}
"""What was decided with which token. A real application keeps this in a table."""


async def send_mail(article: int, token: str) -> None:
    await outbox.put(f"/articles/{article}/{token}")


@ff.task
async def publish(ctx: Context, article: int) -> str:
    ticket = await ctx.waitpoint("editor")
    await ctx.step("mail", send_mail, article, ticket.token)
    (approval,) = await ctx.approve("editor", title=f"Publish article {article}?", timeout="3d")
    return f"article {article}: {approval.choice} ({approval.note})"


# ── the page behind the link ─────────────────────────────────────────────────────────────────────


def page(article: int, token: str) -> HTMLResponse:
    title = f"<p>Publish article {article}?</p>"
    if token in recorded:
        return HTMLResponse(f"{title}<p>Recorded: {escape(recorded[token])}</p>")
    buttons = "".join(f"<button name=choice value={choice}>{choice}</button>" for choice in CHOICES)
    return HTMLResponse(f"{title}<form method=post><input name=note>{buttons}</form>")


async def show(request: Request) -> HTMLResponse:
    return page(**request.path_params)


async def decide(request: Request) -> HTMLResponse:
    token = request.path_params["token"]
    form = parse_qs((await request.body()).decode())
    choice, note = form.get("choice", [""])[0], form.get("note", [""])[0]
    if choice not in CHOICES:  # a signal of another name would never end the wait
        return HTMLResponse("Choose yes or no.", status_code=400)
    try:
        # The name of the signal is the choice. One key for all uses of the link: the first decision counts.
        await ff.signal_by_token(token, {"choice": choice, "note": note}, name=choice, idempotency_key="the link")
        recorded[token] = choice
    except Conflict:
        pass  # another decision came first, and the page shows it
    except InvalidToken:
        return HTMLResponse("This link is not valid.", status_code=404)
    except Refused:
        return HTMLResponse("It is too late: nobody waits for this any more.", status_code=410)
    return page(**request.path_params)


app = Starlette(
    routes=[
        Route("/articles/{article:int}/{token}", show, methods=["GET"]),
        Route("/articles/{article:int}/{token}", decide, methods=["POST"]),
    ]
)


async def main() -> None:
    async with ff, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://press") as browser:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        handle = await publish.submit(7)
        link = await outbox.get()

        scanner = await browser.get(link)
        decisions = await (await ff.engine()).list_signals(handle.execution_id)
        print(f"a mail scanner opens the link: {scanner.status_code}; decisions: {len(decisions)}")
        forged = await browser.post(f"{link[:-1]}{'A' if link[-1] != 'A' else 'B'}", data={"choice": "yes"})
        print(f"somebody changes the link: {forged.status_code}")
        for choice in ("yes", "yes", "no"):
            answer = await browser.post(link, data={"choice": choice, "note": "well done"})
            print(f"the editor presses {choice}: {answer.text}")

        print(await handle.result(timeout=30))
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
