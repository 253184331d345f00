"""`ff`: its commands and their options. What a command does is imported when it is run, so that help comes at once.

Exit code 0: done. 1: it could not be done, and standard error says why. 2: it was called wrongly.
"""

import sys
from typing import Annotated, Literal, NoReturn


def main() -> None:
    """Run the command that the program's arguments name."""
    try:
        import cyclopts
    except ImportError:
        _give_up("ff needs two packages that are not installed. Run: pip install 'flowfabric[cli]'", 2)
    from cyclopts import Parameter

    app = cyclopts.App(name="ff", help="FlowFabric: durable executions on the database you already have.")

    @app.command
    def worker(
        target: str,
        /,
        *,
        lanes: Annotated[str, Parameter(help="Which lanes to serve, separated by commas.")] = "default",
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
        """Run executions until SIGTERM or Ctrl-C; what is not done within the grace is handed back.

        Parameters
        ----------
        target
            Where the tasks are, such as app:ff for the object ff of the module app.
        """
        from flowfabric.cli.worker import work

        work(
            target,
            lanes=_listed(lanes),
            concurrency=concurrency,
            processes=processes,
            capabilities=_listed(capabilities),
            lease=lease,
            poll=poll,
            grace=grace,
            worker_id=name,
            log_level=log_level,
        )

    @app.command
    def migrate(
        target: str = "",
        /,
        *,
        plan: Annotated[bool, Parameter(help="Only say what is to be applied.", negative="")] = False,
        sql: Annotated[bool, Parameter(help="Only print it as a script.", negative="")] = False,
    ) -> None:
        """Bring a database up to date.

        Parameters
        ----------
        target
            A url, or where the tasks are, such as app:ff. Without one: ./flowfabric.db
        """
        from flowfabric.cli.migrate import migrate as run

        run(target, plan=plan, sql=sql)

    app()


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _give_up(message: str, code: int) -> NoReturn:
    sys.stderr.write(message + "\n")
    raise SystemExit(code)
