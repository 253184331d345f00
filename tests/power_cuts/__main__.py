"""`make power-cuts`: cut the power of recorded stores many thousand times, and count what was lost.

What has ended is kept in `.power-cuts`, by seed: after an interruption the same command goes on. An image that fails is
kept there, too, with the log that it was made from.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import msgspec

from tests.power_cuts import mutants
from tests.power_cuts.parts import Counts, Part, run
from tests.power_cuts.recording import ROOT, recorder

KEPT = ROOT / ".power-cuts"
SQLITE_PER_RECORDING = 5_000
POSTGRES_PER_RECORDING = 50
MUTANT_IMAGES_MAX = 400


def parts_of(sqlite: int, postgres: int, seed: str) -> list[Part]:
    """The mutants first: a harness that finds nothing proves nothing."""
    sizes = (
        ("sqlite", sqlite, SQLITE_PER_RECORDING, mutants.SQLITE),
        ("postgres", postgres, POSTGRES_PER_RECORDING, mutants.POSTGRES),
    )
    planted = [
        Part(store, 0, MUTANT_IMAGES_MAX, seed, mutant)
        for store, count, _, broken in sizes
        if count
        for mutant in broken
    ]
    return planted + [
        Part(store, place, min(each, count - start), seed)
        for store, count, each, _ in sizes
        for place, start in enumerate(range(0, count, each))
    ]


def split(parts: Iterable[Part], kept: Path) -> tuple[list[Counts], list[Part]]:
    """What came of the parts that are done, and the parts that are not."""
    results, todo = [], []
    for part in parts:
        done = kept / f"{part.name}.json"
        counts = msgspec.json.decode(done.read_bytes(), type=Counts) if done.exists() else None
        if counts is not None and (part.mutant or counts.images == part.images):
            results.append(counts)
        else:
            todo.append(part)
    return results, todo


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def main(words: list[str] | None = None) -> int:
    """Run what is not done yet, print the table, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make power-cuts")
    arguments.add_argument("--sqlite", type=int, default=50_000, help="how many images of SQLite files")
    arguments.add_argument("--postgres", type=int, default=500, help="how many images of PostgreSQL servers")
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = arguments.parse_args(words)
    kept = KEPT / given.seed
    kept.mkdir(parents=True, exist_ok=True)
    recorder()  # compiled once, before several processes want it
    results, todo = split(parts_of(given.sqlite, given.postgres, given.seed), kept)
    if results:
        again = f"another --seed, or `rm -r {KEPT.name}`, does them again"
        say(f"{len(results)} recordings were done before, maybe by other code: {again}.")
    with ProcessPoolExecutor(given.processes, multiprocessing.get_context("spawn")) as pool:
        begun = time.monotonic()
        futures = [pool.submit(run, part, kept) for part in todo]
        for number, future in enumerate(as_completed(futures), 1):
            counts = future.result()
            results.append(counts)
            what = f"mutant {counts.mutant}" if counts.mutant else f"{counts.images:,} images"
            say(
                f"[{number}/{len(todo)}, {time.monotonic() - begun:.0f} s] {counts.store}, {what}: "
                f"{counts.damaged} damaged, {counts.lost} with a loss{'; ' if counts.first else ''}{counts.first[:200]}"
            )
    return report(results, given.seed)


def report(results: list[Counts], seed: str) -> int:
    """Print the table, and return the exit code: 0 if nothing was lost and every mutant was found."""
    sums: dict[str, Counts] = {}
    for counts in (each for each in results if not each.mutant):
        sums.setdefault(counts.store, Counts(counts.store, "")).add(counts)
    say("")
    say(f"{'store':<10}{'images':>9}{'examined':>10}{'records':>11}{'told':>10}{'damaged':>9}{'lost':>6}{'cpu s':>8}")
    for each in sums.values():
        numbers = (each.images, each.examined, each.records, each.facts, each.damaged, each.lost, round(each.cpu_s))
        widths = (9, 10, 11, 10, 9, 6, 8)
        say(f"{each.store:<10}" + "".join(f"{n:>{w},}" for n, w in zip(numbers, widths, strict=True)))
    missed = []
    for each in sorted((each for each in results if each.mutant), key=lambda it: (it.store, it.mutant)):
        is_as_expected = each.damaged + each.lost > 0
        if each.mutant == mutants.STAYS_WHOLE:
            is_as_expected = each.lost > 0 and each.damaged == 0
        missed += [] if is_as_expected else [each.mutant]
        what = f"{each.images} images, {each.damaged} damaged, {each.lost} with a loss"
        say(f"mutant {each.store}, {each.mutant}: {what}{'' if is_as_expected else ': THIS IS WRONG'}")
    bad = [each for each in sums.values() if each.damaged or each.lost]
    say(
        f"seed {seed}: "
        + ("; ".join(f"{it.store}: {it.first}" for it in bad) or "nothing was damaged, nothing was lost")
    )
    return 1 if bad or missed else 0


if __name__ == "__main__":
    sys.exit(main())
