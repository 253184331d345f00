"""An approval by mail: the link in the mail shows the question, and a button on that page decides.

Programs that check mails open every link, and a link that decides by itself would let them decide. So GET only shows,
and POST decides. The token in the link is all that the editor needs, and it opens this one question and nothing else.

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

from flowfabric import Conflict, Context, DuplicateSignal, FlowFabric, InvalidToken, Refused

ff = FlowFabric("memory://")  # with sqlite:///press.db, or PostgreSQL, it would outlive the program

outbox: asyncio.Queue[str] = asyncio.Queue()
"""The links that are sent by mail."""


async def send_mail(article: int, token: str) -> None:
    await outbox.put(f"/articles/{article}/{token}")


@ff.task
async def publish(ctx: Context, article: int) -> str:
    ticket = await ctx.waitpoint("editor")
    await ctx.step("mail", send_mail, article, ticket.token)
    (approval,) = await ctx.approve("editor", title=f"Publish article {article}?", timeout="3d")
    return f"article {article}: {approval.choice} ({approval.note})"


# ── the page behind the link ─────────────────────────────────────────────────────────────────────


def question(article: int) -> str:
    return (
        f"<p>Publish article {article}?</p><form method=post><input name=note>"
        "<button name=choice value=yes>yes</button><button name=choice value=no>no</button></form>"
    )


async def show(request: Request) -> HTMLResponse:
    return HTMLResponse(question(request.path_params["article"]))


async def decide(request: Request) -> HTMLResponse:
    form = parse_qs((await request.body()).decode())
    choice, note = form["choice"][0], form.get("note", [""])[0]
    try:
        # The name of the signal is the choice. One key for all uses of the link: the first decision counts.
        answer = await ff.signal_by_token(
            request.path_params["token"], {"choice": choice, "note": note}, name=choice, idempotency_key="the link"
        )
    except InvalidToken:
        return HTMLResponse("<p>This link is not valid.</p>", status_code=404)
    except Conflict:
        return HTMLResponse("<p>You have decided otherwise before, and that counts.</p>", status_code=409)
    except Refused:
        return HTMLResponse("<p>It is too late: nobody waits for this any more.</p>", status_code=410)
    again = " before" if isinstance(answer, DuplicateSignal) else ""
    return HTMLResponse(f"<p>Your decision was recorded{again}: {escape(choice)}.</p>")


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
            print(f"the editor presses {choice}: {answer.status_code} {answer.text}")

        print(await handle.result(timeout=30))
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
