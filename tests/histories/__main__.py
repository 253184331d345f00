"""`make histories`: clients in processes of their own do everything at once, and every answer is checked."""

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path

from tests.histories.clients import run_client
from tests.histories.telling import CLIENTS, MODELS, tell
from tests.stores_under_test import SHARED_STORES, STORES

CALLS = 60
KILL_WITHIN_S = 0.3
_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(["tests.histories.clients", "flowfabric.stores.sqlite.store", "psycopg"])


class Processes:
    """Runs each client in a process, and kills one of them in every second history."""

    def __init__(self, seed: str) -> None:
        self.kills = 0
        self._chance = random.Random(f"kills {seed}")

    def __call__(self, clients: list[tuple[str, Path, str, str, int, str]]) -> None:
        running = [_forking.Process(target=run_client, args=client) for client in clients]
        for each in running:
            each.start()
        killed = self._chance.choice(running) if self._chance.randrange(2) else None
        if killed is not None:
            killed.join(self._chance.random() * KILL_WITHIN_S)
            self.kills += killed.is_alive()
            killed.kill()
        for each in running:
            each.join()
            assert each.exitcode == 0 or each is killed, "a client has failed: its error stands above"


def main(words: list[str] | None = None) -> int:
    """Make and check histories until the time is up, print the table, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make histories")
    arguments.add_argument("--minutes", type=float, default=2.0, help="for all stores and kinds together")
    arguments.add_argument("--stores", default=",".join(SHARED_STORES))
    arguments.add_argument("--kinds", default=",".join(MODELS), help="what the histories are about")
    arguments.add_argument("--seed", default="1")
    given = arguments.parse_args(words)
    stores = given.stores.split(",")
    rows, bad = [], 0
    kinds = given.kinds.split(",")
    for store, kind in product(stores, kinds):
        counts: Counter[str] = Counter()
        run = Processes(given.seed)
        until = time.monotonic() + given.minutes * 60 / len(stores) / len(kinds)
        with tempfile.TemporaryDirectory() as folder, STORES[store].empty(Path(folder)) as url:
            while time.monotonic() < until:
                story = f"{given.seed}-{counts['histories']}"
                checked = tell(url, Path(folder, story), story, CALLS, run, kind)
                counts.update(histories=1, calls=checked.calls, lost=checked.lost, about=checked.about)
                counts["unexplained"] += len(checked.unexplained)
                for each in checked.unexplained:
                    _say(f"{store}, {kind}, history {story}: {each}\n")
        rows.append((store, kind, counts["histories"], counts["about"], counts["calls"], counts["lost"], run.kills))
        rows[-1] += (counts["unexplained"],)
        bad += counts["unexplained"]
    heads = ("store", "about", "histories", "checked", "calls", "lost", "kills", "unexplained")
    _say("".join(f"{head:>12}" for head in heads))
    for row in rows:
        _say("".join(f"{cell:>12,}" if isinstance(cell, int) else f"{cell:>12}" for cell in row))
    _say(
        f"seed {given.seed}, {CLIENTS} clients at once: " + ("SOME ANSWERS ARE UNEXPLAINED" if bad else "all explained")
    )
    return 1 if bad else 0


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
