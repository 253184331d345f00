"""How quickly the dashboard shows something: its routes with a long past, and its pages in chromium.

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
from contextlib import ExitStack
from urllib.parse import urlsplit

import remote
from databases import postgres_database, postgres_server
from history import finish_one, multiply
from rich.console import Console
from rich.table import Table

from flowfabric import FlowGraph, NewExecution, open_blocking_engine

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
        console.print(table)


if __name__ == "__main__":
    main()
