"""`ff worker`."""

import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import span_ms
from flowfabric.cli.target import APP_VARIABLE, PROGRAM, PROGRAM_FILE, URL_VARIABLE, Program, fabric_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flowfabric.fabric import FlowFabric

log = logging.getLogger("flowfabric.worker")


def worker(
    target: Annotated[str, Parameter(name="PROGRAM", help="The program, such as shop:ff: the same as --app.")] = "",
    /,
    *,
    app: Program = "",
    url: Annotated[str, Parameter(help="Run the tasks on this database, not on the one that the program names.")] = "",
    lanes: Annotated[
        str | None, Parameter(help="The lanes to serve, separated by commas; without it, those of the tasks.")
    ] = None,
    concurrency: Annotated[int, Parameter(help="How many attempts run at the same time.")] = 16,
    processes: Annotated[int, Parameter(help="Run all tasks in this many child processes, one at a time in each.")] = 0,
    capabilities: Annotated[str, Parameter(help="The capabilities of this worker, separated by commas.")] = "",
    lease: Annotated[str, Parameter(help="How long a lease lasts; it is renewed after every third of that.")] = "30s",
    poll: Annotated[str, Parameter(help="How often to poll for work if nothing wakes the worker.")] = "1s",
    grace: Annotated[str, Parameter(help="How long running attempts have to finish when the worker stops.")] = "30s",
    linger: Annotated[
        str, Parameter(help="How long waits of async tasks stay in memory before they are suspended.")
    ] = "5s",
    flush: Annotated[
        str, Parameter(help="How long what tasks write to their streams is gathered before it is stored.")
    ] = "20ms",
    loop: Annotated[
        Literal["auto", "asyncio", "uvloop"],
        Parameter(help="The event loop: uvloop's where it is installed (auto), or one of the two by name."),
    ] = "auto",
    name: Annotated[str, Parameter(help="The worker's name; without it, the name of the machine.")] = "",
    metrics_port: Annotated[
        int | None, Parameter(help="Serve metrics for Prometheus at this port, under /metrics; 0 takes a free one.")
    ] = None,
    metrics_host: Annotated[str, Parameter(help="The address at which metrics are served.")] = "127.0.0.1",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Parameter(help="The lowest level that is logged to standard error."),
    ] = "info",
    log_format: Annotated[
        Literal["text", "json"],
        Parameter(help="The log format: lines for people, or one JSON object per line."),
    ] = "text",
) -> None:
    """Run executions until SIGTERM or Ctrl-C. Executions that do not end within the grace are handed back."""
    from flowfabric.runtime.logs import set_up

    # Before the program is imported: if the program sets up logging itself, its settings count.
    set_up(log_level.upper(), log_format)
    for option, text in (
        ("--lease", lease),
        ("--poll", poll),
        ("--grace", grace),
        ("--linger", linger),
        ("--flush", flush),
    ):
        span_ms(option, text)
    with _metered(_program(target, app, url, processes), metrics_host, metrics_port) as ff:
        ff.run_worker_sync(
            lanes=None if lanes is None else _listed(lanes),
            concurrency=concurrency,
            processes=processes,
            capabilities=_listed(capabilities),
            lease=lease,
            poll=poll,
            grace=grace,
            linger=linger,
            flush=flush,
            worker_id=name,
            loop=loop,
        )


@contextmanager
def _metered(fabric: "FlowFabric", host: str, port: int | None) -> "Iterator[FlowFabric]":
    """The fabric, open while the block lasts. With a port, its metrics are served there."""
    if port is None:
        with fabric:
            yield fabric
        return
    try:
        from flowfabric.telemetry.exposing import exposed
        from flowfabric.telemetry.gauges import StoreGauges
        from flowfabric.telemetry.metrics import Metrics
    except ImportError as error:
        raise WrongCall(f"--metrics-port needs more than is installed. {error}") from error
    from flowfabric.engine.shells import run_now

    if not 0 <= port <= 65_535:
        raise WrongCall(f"--metrics-port is {port}; it must be from 0 to 65535.")
    # If the program counts by itself, the worker shows what it counts.
    metrics = fabric.telemetry if isinstance(fabric.telemetry, Metrics) else Metrics()
    if metrics is not fabric.telemetry:
        fabric.report_to(metrics)
    with fabric:
        gauges = StoreGauges(metrics, fabric.access.opened().blocking)
        with exposed(lambda accept: run_now(gauges.rendered(accept)), host, port):
            yield fabric


def _program(target: str, app: str, url: str, processes: int) -> "FlowFabric":
    """The program whose tasks are run, on the right database."""
    from flowfabric.app import settled

    if target and app:
        raise WrongCall(f"Name the program once: {target!r} without an option, or --app.")
    app = target or app or os.environ.get(APP_VARIABLE, "")
    if not app and not os.path.exists(PROGRAM_FILE):
        raise WrongCall(
            f"There is no {PROGRAM_FILE} here. Name the program, such as `ff worker shop:ff` for the object ff of "
            "shop.py, or write an example with `ff init`."
        )
    if url:
        # Before the import: a program that names no database then uses this one, and so do its child processes.
        os.environ[URL_VARIABLE] = url = settled(url)
    fabric = fabric_at(app or PROGRAM)
    if url and fabric.url != url:
        isolated = sorted(name for name, task in fabric.tasks.items() if task.settings.isolation is not None)
        if processes or isolated:
            why = "--processes" if processes else f"task {isolated[0]!r}"
            raise WrongCall(
                f"--url does not reach child processes ({why}): they import the program, which "
                "names its own database. Write FlowFabric() without a url there; then --url and "
                f"{URL_VARIABLE} name it everywhere."
            )
        fabric.move_to(url)
    elsewhere = os.environ.get(URL_VARIABLE, "")
    if elsewhere and fabric.names_its_url and fabric.url != settled(elsewhere):
        log.warning("%s names another database than the program does; this worker uses the program's", URL_VARIABLE)
    return fabric


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
