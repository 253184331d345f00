"""This tree against another revision, on the same work, in turns: `make bench-compare REF=main`.

    python benchmarks/compare.py REF [--stores postgres,sqlite] [--rounds 5] [--jobs 0.5]

Both run under the drivers of this tree, so only the package differs. Each round has both, in changing order; what is
printed is the median of the rounds' ratios with the smallest and the largest. A ratio whose spread has 1.00 inside says
that nothing can be told apart on this machine.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import contest
from contenders import CONTENDERS, STORES, Contender
from report import figure, number
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Measure both in turns, and print a table for each store."""
    options = _options()
    console = Console(width=max(Console().width, 110))
    with ExitStack() as stack:
        lab = contest.Lab(stack)
        sources = {"this": contest.SOURCE, options.ref: stack.enter_context(_worktree(options.ref)) / "src"}
        for contender in CONTENDERS:
            if contender.driver == "flowfabric" and contender.store in options.stores:
                jobs = max(100, int(contender.jobs * options.jobs))
                rounds = [_round(console, lab, contender, sources, jobs, turn) for turn in range(options.rounds)]
                _show(console, contender, options.ref, rounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ref", help="a commit, a branch or a tag")
    parser.add_argument("--stores", default="postgres,sqlite", type=lambda text: text.split(","))
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--jobs", default=0.5, type=float, help="how many of the usual jobs: 0.1 is a tenth")
    return parser.parse_args()


@contextmanager
def _worktree(ref: str) -> Iterator[Path]:
    """The files of that revision, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="ff-compare-") as folder:
        path = Path(folder, "tree")
        done = subprocess.run(
            ["git", "worktree", "add", "--detach", path, ref], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"There is no revision {ref!r} to compare with: {contest.last_words(done.stderr)}")
        try:
            yield path
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", path], cwd=ROOT, capture_output=True, check=False)


def _round(
    console: Console, lab: contest.Lab, contender: Contender, sources: dict[str, Path], jobs: int, turn: int
) -> dict[str, contest.Round]:
    found = {}
    # Whoever is second finds a warmer machine; take turns in that, too.
    for name in sorted(sources, reverse=turn % 2 == 1):
        with console.status("") as status:
            title = f"{STORES[contender.store]}: round {turn + 1}: {name}"
            has = contest.about(contender, sources[name]).has
            found[name] = contest.measure(
                lab,
                contender,
                has,
                jobs,
                lambda what, title=title, status=status: status.update(f"{title}: {what}"),
                sources[name],
            )
        for measure, reason in found[name].failures.items():
            console.print(f"{title}: {measure}: {reason}", markup=False)
    return found


def _show(console: Console, contender: Contender, ref: str, rounds: list[dict[str, contest.Round]]) -> None:
    table = Table(title=f"{STORES[contender.store]}: this tree against {ref}, {len(rounds)} rounds")
    for column in ("", "this", ref, "times as good", "spread"):
        table.add_column(column, justify="left" if not column else "right")
    for measure in rounds[0]["this"].values:
        both = [
            (statistics.median(found["this"].values[measure]), statistics.median(found[ref].values[measure]))
            for found in rounds
            if measure in found["this"].values and measure in found[ref].values
        ]
        if not all(here and there for here, there in both) or not both:
            continue
        unit = contest.unit(measure)
        ratio = figure([here / there if unit == "per second" else there / here for here, there in both])
        here, there = (statistics.median(values) for values in zip(*both, strict=True))
        table.add_row(
            f"{measure}, {unit}",
            number(here),
            number(there),
            f"{ratio.median:.2f}",
            f"{ratio.low:.2f} to {ratio.high:.2f}",
        )
    console.print(table)


if __name__ == "__main__":
    main()
