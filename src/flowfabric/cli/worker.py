"""`ff worker`."""

import os
from typing import Annotated, Literal

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.target import fabric_at


def worker(
    target: Annotated[
        str,
        Parameter(
            env_var="FLOWFABRIC_APP",
            help="Where the tasks are, such as shop:ff for the object ff of shop.py. Without it: the one in ./app.py.",
        ),
    ] = "",
    /,
    *,
    lanes: Annotated[
        str | None, Parameter(help="Which lanes to serve, separated by commas; without it, those of the tasks.")
    ] = None,
    concurrency: Annotated[int, Parameter(help="How many attempts run at the same time.")] = 16,
    processes: Annotated[int, Parameter(help="Run all tasks in so many child processes, one at a time each.")] = 0,
    capabilities: Annotated[str, Parameter(help="What this worker can do, separated by commas.")] = "",
    lease: Annotated[str, Parameter(help="How long a lease lasts; it is renewed three times as often.")] = "30s",
    poll: Annotated[str, Parameter(help="How often to look for work without being woken.")] = "1s",
    grace: Annotated[str, Parameter(help="How long running attempts get to finish when told to stop.")] = "30s",
    name: Annotated[str, Parameter(help="What the worker is called; the name of the machine if left out.")] = "",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Parameter(help="What is logged to standard error.")
    ] = "info",
) -> None:
    """Run executions until SIGTERM or Ctrl-C; what is not done within the grace is handed back."""
    import logging

    # Before the program is imported: where it sets up logging itself, it has the last word.
    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    if not target and not os.path.exists("app.py"):
        raise WrongCall(
            "There is no app.py here. Name the program, such as `ff worker shop:ff` for the object ff of shop.py, "
            "or write an example with `ff init`."
        )
    with fabric_at(target or "app") as ff:
        ff.run_worker_sync(
            lanes=None if lanes is None else _listed(lanes),
            concurrency=concurrency,
            processes=processes,
            capabilities=_listed(capabilities),
            lease=lease,
            poll=poll,
            grace=grace,
            worker_id=name,
        )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
