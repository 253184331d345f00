"""`make simulate-long`: run worlds in several processes until they have decided so many commands, and count.

What has ended is kept in `.simulate-long`, by revision: after an interruption the same command goes on. The first world
that breaks ends the run, is shrunk, and is shown with the command that repeats it.
"""

import argparse
import gc
import multiprocessing
import os
import subprocess
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from pathlib import Path

import msgspec

from tests.simulation.plan import plan_of
from tests.simulation.shrinking import report, shrunk
from tests.simulation.world import run

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".simulate-long"
FIRST = 1_000
"""The first seed; `make test` runs some of those before it."""
SEEDS_PER_PART = 20
AHEAD = 2
"""How many parts wait for each process."""


class Counts(msgspec.Struct):
    """What came of some worlds."""

    worlds: int = 0
    commands: int = 0
    batches: int = 0
    turns: int = 0
    with_limits: int = 0
    with_streams: int = 0
    with_servers: int = 0
    cpu_s: float = 0.0
    broken: str = ""
    """What is wrong with the first world that has broken, and how to repeat it."""

    def add(self, other: "Counts") -> None:
        """Count what came of other worlds, too."""
        for name in ("worlds", "commands", "batches", "turns", "with_limits", "with_streams", "with_servers", "cpu_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def counted_apart(seeds: range) -> Counts:
    """`counted` in a fork of this process, which ends without cleaning up after the worlds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gc.disable()
            with open(writing, "wb") as answer:
                answer.write(msgspec.json.encode(counted(seeds, leaves_garbage=True)))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as answer:
        told = answer.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"seeds {seeds.start} to {seeds.stop - 1} were not run to their end: the error stands above"
    return msgspec.json.decode(told, type=Counts)


def counted(seeds: range, *, leaves_garbage: bool = False) -> Counts:
    """Run these seeds, up to the first world that breaks."""
    began_s, counts = time.process_time(), Counts()
    for seed in seeds:
        outcome = run(plan_of(seed), leaves_garbage=leaves_garbage)
        counts.worlds += 1
        counts.commands += outcome.commands
        counts.batches += outcome.batches
        counts.turns += outcome.steps
        counts.with_limits += outcome.plan.has_gates
        counts.with_streams += outcome.plan.has_streams
        counts.with_servers += outcome.plan.has_servers
        if outcome.broken is not None:
            counts.broken = report(outcome, shrunk(outcome))
            break
    counts.cpu_s = time.process_time() - began_s
    return counts


def parts_from(first: int, size: int) -> Iterator[range]:
    """Ranges of so many seeds, without an end."""
    return (range(start, start + size) for start in count(first, size))


def kept_at(folder: Path, seeds: range) -> Path:
    """Where the counts of these seeds are kept."""
    return folder / f"seeds-{seeds.start}-{seeds.stop - 1}.json"


def revision() -> str:
    """What the seeds belong to: another revision gives them another meaning."""
    found = subprocess.run(
        ["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def main(words: list[str] | None = None, kept: Path | None = None) -> int:
    """Run until there are enough commands, print the counts, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make simulate-long", description=__doc__)
    arguments.add_argument("--commands", type=int, default=10_000_000, help="how many commands are enough")
    arguments.add_argument("--first", type=int, default=FIRST, help="the first seed")
    arguments.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long, and go on later")
    arguments.add_argument("--part", type=int, default=SEEDS_PER_PART, help="how many worlds are kept together")
    given = arguments.parse_args(words)
    folder = (KEPT if kept is None else kept) / revision()
    folder.mkdir(parents=True, exist_ok=True)
    sums = _sums(folder, parts_from(given.first, given.part))
    if sums.worlds:
        say(
            f"{sums.worlds:,} worlds with {sums.commands:,} commands were run before. `rm -r {KEPT.name}` forgets them."
        )
    todo = parts_from(given.first + sums.worlds, given.part)
    broken = _run_the_rest(folder, sums, todo, given.commands, given.processes, given.minutes * 60)
    say(
        f"{sums.worlds:,} worlds ({sums.with_limits:,} with limits and budgets, {sums.with_streams:,} with streams, "
        f"{sums.with_servers:,} with servers), {sums.commands:,} commands in {sums.batches:,} batches, "
        f"{sums.turns:,} turns, {sums.cpu_s:,.0f} s of CPU time, {sums.commands / max(sums.cpu_s, 0.001):,.0f} "
        "commands a second and core."
    )
    say(broken or "Everything holds." + ("" if sums.commands >= given.commands else " The same command goes on."))
    return 1 if broken else 0


def _sums(folder: Path, parts: Iterator[range]) -> Counts:
    sums = Counts()
    for seeds in parts:
        done = kept_at(folder, seeds)
        if not done.exists():
            return sums
        sums.add(msgspec.json.decode(done.read_bytes(), type=Counts))
    raise AssertionError("seeds have no end")


def _run_the_rest(
    folder: Path, sums: Counts, todo: Iterator[range], enough: int, processes: int, limit_s: float
) -> str:
    """Run parts, in order, until there are enough commands. Returns what has broken, or nothing."""
    began_s, before = time.monotonic(), sums.commands
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running: deque[tuple[range, Future[Counts]]] = deque()
        try:
            while sums.commands < enough:
                took_s = time.monotonic() - began_s
                if took_s > limit_s:
                    return ""
                while len(running) < AHEAD * processes:
                    seeds = next(todo)
                    running.append((seeds, pool.submit(counted_apart, seeds)))
                wait([running[0][1]], return_when=FIRST_COMPLETED)
                seeds, done = running.popleft()
                counts = done.result()
                sums.add(counts)
                if counts.broken:
                    return counts.broken
                _keep(kept_at(folder, seeds), counts)
                took_s = time.monotonic() - began_s
                left_s = (enough - sums.commands) * took_s / max(sums.commands - before, 1)
                say(
                    f"seed {seeds.stop - 1}: {sums.commands:,} of {enough:,} commands, {took_s:.0f} s, "
                    f"{(sums.commands - before) / took_s:,.0f} a second, about {max(left_s, 0) / 60:.0f} minutes left."
                )
            return ""
        finally:
            for _, future in running:
                future.cancel()


def _keep(file: Path, counts: Counts) -> None:
    fresh = file.with_suffix(".fresh")
    fresh.write_bytes(msgspec.json.encode(counts))
    fresh.rename(file)


if __name__ == "__main__":
    sys.exit(main())
