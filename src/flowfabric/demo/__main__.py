"""`python -m flowfabric.demo`: submit, crash, recover, steer, and prove from the data that nothing was lost.

Exit code 0: everything that was to be shown holds. 1: it does not. 2: the demo could not start.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from flowfabric.app import open_blocking_engine
from flowfabric.demo.proof import claims, gather, verdict
from flowfabric.demo.story import DemoFailed, Story
from flowfabric.domain.errors import EngineError


class CannotStart(Exception):
    """The demo was asked for something that is not there; the message says what to do."""


def store_url(store: str, folder: Path) -> str:
    """Where the chosen store keeps its data: a place of its own, which is gone afterwards."""
    if store == "sqlite":
        return f"sqlite:///{folder / 'demo.db'}"
    raise CannotStart(f"The demo does not know the store {store!r}; use --store sqlite.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; the answer is its exit code."""
    parser = argparse.ArgumentParser(prog="python -m flowfabric.demo", description="See executions survive a crash.")
    parser.add_argument("--store", default="sqlite", help="where executions are kept: sqlite (the default)")
    store: str = parser.parse_args(arguments).store
    try:
        with tempfile.TemporaryDirectory(prefix="flowfabric-demo-") as folder:
            return run(store_url(store, Path(folder)), Path(folder), store)
    except CannotStart as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def run(url: str, folder: Path, store: str) -> int:
    """Tell the story on the given store, then show what its data proves."""
    try:
        from flowfabric.demo.screen import Screen
    except ImportError as error:
        raise CannotStart("The demo needs rich to print; run: pip install 'flowfabric[cli]'") from error
    screen = Screen()
    screen.title(f"FlowFabric on {store}, with real processes")
    try:
        with open_blocking_engine(url) as engine:
            story = Story(engine, url, folder, screen.say)
            story.tell()
            evidence = gather(engine, folder, story.roles)
    except (DemoFailed, EngineError) as error:
        screen.verdict(f"NOT PROVEN: {error}", holds=False)
        return 1
    found = claims(evidence)
    holds = not any(claim.against for claim in found)
    screen.timeline(evidence)
    screen.outcomes(evidence)
    screen.claims(found)
    screen.verdict(verdict(evidence, found), holds=holds)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
