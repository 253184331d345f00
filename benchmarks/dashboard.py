"""How quickly the dashboard shows something, with a long past, by its routes and in chromium; and what open pages cost.

The store has finished executions, made by copying one, some that wait, a flow of 1,000 unlike members and one of 10,000
alike. Pages need `make test-browser` to have been run once, and are left out with `--no-pages`.

    python benchmarks/dashboard.py [--store sqlite] [--executions 1000000] [--no-pages]
"""

import argparse
import asyncio
import http.client
import os
import shutil
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import readers
import remote
from databases import postgres_database, postgres_server
from history import finish_one, multiply
from rich.console import Console
from rich.table import Table

from flowfabric import FlowGraph, NewExecution, open_blocking_engine, open_engine

UPDATES = 20
UPDATE_REST_S = 4.5
"""Between two updates, so that each finds a page at rest."""
OPEN_PAGES = 100
RATE = 10.0
QUICK, PAUSE_S, EACH_S, EVERY_S = 4, 0.25, 4.0, 5.0
"""The rhythm of an open overview: the constants of live.js and ui.js."""
SAMPLES = 100
VISITS = 7
WAITING = 1_000
HOUR_MS = 3_600_000


def fill(console: Console, url: str, executions: int) -> tuple[str, str]:
    """Make the past, what waits, and two flows. Returns the ids of the flows."""
    asyncio.run(finish_one(url))
    multiply(console, url, 1, executions)
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.create_executions([NewExecution(kind="report", lane="nightly") for _ in range(WAITING)])
        unlike, alike = engine.submit_flow(_unlike(1_000)), engine.submit_flow(_alike(10_000))
    return str(unlike.flow_id), str(alike.flow_id)


def _unlike(members: int) -> FlowGraph:
    """A tree, and as many edges again that lead from one branch to another."""
    graph = FlowGraph("unlike")
    for number in range(members):
        graph.node(f"m{number}", kind=f"task_{number}")
    edges = {((number - 1) // 3, number) for number in range(1, members)}
    edges |= {(number, number + members // 3) for number in range(members - members // 3)}
    for upstream, downstream in sorted(edges):
        graph.edge(f"m{upstream}", f"m{downstream}")
    return graph


def _alike(members: int) -> FlowGraph:
    """One that all others wait for."""
    graph = FlowGraph("alike")
    graph.node("start", kind="split")
    for number in range(members - 1):
        graph.edge("start", graph.node(f"m{number}", kind="encode"))
    return graph


def routes(flows: tuple[str, str]) -> dict[str, str]:
    """What is asked for by the overview, by lists, and by the pages of the flows."""
    since = int(time.time() * 1000) - HOUR_MS
    return {
        "overview": "/v1/overview",
        "stats": "/v1/stats",
        "lanes": "/v1/lanes",
        "failures of the last hour": f"/v1/failures?since_ms={since}&limit=20",
        "ends in each minute": f"/v1/throughput?since_ms={since}",
        "questions": "/v1/questions",
        "list: newest": "/v1/executions?limit=50",
        "list: completed": "/v1/executions?limit=50&public_state=completed",
        "list: waiting": "/v1/executions?limit=50&public_state=waiting",
        "list: failed": "/v1/executions?limit=50&public_state=failed",
        "list: a lane": "/v1/executions?limit=50&lane=nightly",
        "picture of 1,000 members": f"/v1/flows/{flows[0]}/layout",
        "picture of 10,000 alike": f"/v1/flows/{flows[1]}/layout",
    }


def ask(url: str, path: str, samples: int) -> list[float]:
    """Milliseconds of each answer, on one connection."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    took = []
    for _ in range(samples):
        began_at = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        took.append((time.perf_counter() - began_at) * 1000)
        assert answer.status == 200, (path, answer.status, body[:300])
    connection.close()
    return sorted(took)


def visit(url: str, flows: tuple[str, str]) -> dict[str, list[float]]:
    """Milliseconds until pages show something, each in a context of its own."""
    from playwright.sync_api import sync_playwright

    found: dict[str, list[float]] = {}
    pages = {
        "overview": ("/", "h2:has-text('Lanes')"),
        "list of executions": ("/executions", "table tbody tr"),
        "flow of 1,000 members": (f"/flows/{flows[0]}", "svg path.mass"),
        "flow of 10,000 alike": (f"/flows/{flows[1]}", "svg g"),
    }
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        for name, (path, shown) in pages.items():
            for _ in range(VISITS):
                with browser.new_context() as context:
                    page = context.new_page()
                    began_at = time.perf_counter()
                    page.goto(url + path, wait_until="commit")
                    page.wait_for_selector(shown, state="attached")
                    took = (time.perf_counter() - began_at) * 1000
                    paint = page.evaluate(
                        "() => new Promise(done => new PerformanceObserver(seen =>"
                        " done(seen.getEntriesByName('first-contentful-paint')[0]?.startTime))"
                        ".observe({type: 'paint', buffered: true}))"
                    )
                    found.setdefault(f"{name}: shown", []).append(took)
                    found.setdefault(f"{name}: first paint", []).append(paint)
        browser.close()
    return found


def updates(url: str, store: str) -> list[float]:
    """Milliseconds from the answer to who pauses a lane until an open overview shows it, a while apart."""
    from playwright.sync_api import sync_playwright

    took = []
    with (
        open_blocking_engine(store, reconcile=False) as engine,
        ThreadPoolExecutor(1) as thread,
        sync_playwright() as playwright,
    ):
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        page = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options).new_page()
        page.goto(url)
        page.wait_for_selector("#bar button.live.good")
        time.sleep(UPDATE_REST_S)
        for number in range(UPDATES):
            page.evaluate(NOTE_WHEN_SHOWN, f"pause {number};")
            thread.submit(engine.pause_lane, f"lane-{number}", reason=f"pause {number};").result()
            committed_ms = time.time() * 1000
            took.append(page.evaluate("window.shown") - committed_ms)
            time.sleep(UPDATE_REST_S)
    return sorted(took)


NOTE_WHEN_SHOWN = """(text) => {
  window.shown = new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (!document.body.textContent.includes(text)) return;
      watch.disconnect();
      done(performance.timeOrigin + performance.now());
    });
    setTimeout(done, 60000, Infinity);
    watch.observe(document.body, {childList: true, subtree: true, characterData: true});
  });
}"""


class OpenPage:
    """Does what an open overview does: follows the log, and reads as `live.js` and `ui.js` say."""

    def __init__(self, port: int, address: str) -> None:
        self._port = port
        self._address = address
        self.reads = 0
        self.events = 0
        self._heard = asyncio.Event()

    async def stay(self) -> None:
        """Until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow())
            tasks.create_task(self._read_after_events())

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))
        writer.write(b"GET /v1/events?from_now=true HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b"data: "):
                self.events += 1
                self._heard.set()

    async def _read_after_events(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))
        quick, began_at = float(QUICK), time.monotonic()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._heard.wait(), EVERY_S)
            await asyncio.sleep(PAUSE_S)
            self._heard.clear()
            quick = min(QUICK, quick + (time.monotonic() - began_at) / EACH_S) - 1
            began_at = time.monotonic()
            writer.write(b"GET /v1/overview HTTP/1.1\r\nHost: localhost\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head, head
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
            self.reads += 1
            await asyncio.sleep(max(0.0, 1 - quick) * EACH_S)


async def share_of_open_pages(place: remote.Served, store: str) -> tuple[float, float]:
    """The share of a core that the server uses for open overviews without events, and with ten in a second."""
    async with open_engine(store, reconcile=False) as engine:
        made = await engine.create_execution("job")
        pages = [
            OpenPage(int(place.url.rpartition(":")[2]), f"127.0.1.{number // readers.STREAMS_PER_ADDRESS + 1}")
            for number in range(OPEN_PAGES)
        ]
        staying = [asyncio.create_task(each.stay()) for each in pages]
        await asyncio.sleep(10)
        idle = await readers.share_during(place.pid, asyncio.sleep(20))
        await readers.write(engine, RATE, 10, [], made.execution_id)  # until the quick updates are used up
        busy = await readers.share_during(place.pid, readers.write(engine, RATE, 40, [], made.execution_id))
        assert all(each.events and each.reads for each in pages)
        for each in staying:
            each.cancel()
        await asyncio.gather(*staying, return_exceptions=True)
        return idle, busy


def main() -> None:
    """Measure, and show the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--executions", type=int, default=1_000_000)
    parser.add_argument("--no-pages", action="store_true")
    options = parser.parse_args()
    console = Console()
    with ExitStack() as stack:
        if options.store == "sqlite":
            url = stack.enter_context(remote.sqlite_url())
        else:
            url = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
        flows = fill(console, url, options.executions)
        place = stack.enter_context(remote.served(url))
        table = Table(title=f"{options.store}: milliseconds with {options.executions:,} finished executions")
        for column in ("", "median", "99 %"):
            table.add_column(column, justify="left" if not column else "right")
        for name, path in routes(flows).items():
            samples = SAMPLES if "picture" not in name else VISITS
            took = ask(place.url, path, samples)
            table.add_row(name, f"{statistics.median(took):.1f}", f"{took[-1 - samples // 100]:.1f}")
        for name, took in ({} if options.no_pages else visit(place.url, flows)).items():
            table.add_row(name, f"{statistics.median(took):.0f}", f"{max(took):.0f}")
        if not options.no_pages:
            took = updates(place.url, url)
            table.add_row(
                "from a commit until an open page shows it", f"{statistics.median(took):.0f}", f"{took[-1]:.0f}"
            )
        console.print(table)
        idle, busy = asyncio.run(share_of_open_pages(place, url))
        console.print(
            f"{OPEN_PAGES} open overviews cost {idle:.1%} of a core, and {busy:.1%} with {RATE:.0f} events a second"
        )


if __name__ == "__main__":
    main()
