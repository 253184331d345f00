"""`make chaos-long`: every fault again and again, in parts of at most an hour, with all counts added up in a file.

Each round runs one test of `tests/chaos` in a process of its own. A round that fails ends the part, and its output is
kept. What has been counted stays in `.chaos-long`, and the next call goes on there.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
KEPT = ROOT / ".chaos-long"
FILE = KEPT / "counts.json"
FIGURE = re.compile(r"([a-z_0-9]+)=(\d+(?:\.\d+)?)(?= |$)")


class Part(NamedTuple):
    """One kind of fault."""

    tests: str
    """What pytest runs."""
    counts: str
    """Which figure says how many faults there were."""
    wanted: int
    sizes: tuple[str, ...]
    """The sizes that say how many faults one round has."""


CHAOS = "tests/chaos/"
FAULTS = CHAOS + "long/test_faults.py::"
PARTS = {
    "worker kills": Part(CHAOS + "test_worker_kills.py", "kills", 1_500, ("worker_kills",)),
    "PostgreSQL kills": Part(
        CHAOS + "test_server_kills.py::test_the_server_dies_again_and_again_and_engines_go_on_as_if_nothing_had_"
        "happened",
        "kills", 150, ("server_kills",),
    ),
    "ff server kills": Part(CHAOS + "test_http_servers.py", "kills", 150, ("http_server_kills",)),
    "ff server kills under readers": Part(
        FAULTS + "test_servers_are_killed_under_readers_of_events_and_nobody_misses_one", "kills", 30, ()
    ),
    "pauses": Part(
        CHAOS + "test_paused_workers.py::test_a_worker_frozen_beyond_its_lease_completes_nothing_when_it_wakes",
        "pauses", 300, ("pauses",),
    ),
    "failovers": Part(CHAOS + "test_failovers.py", "", 30, ()),
    "terminated sessions": Part(
        FAULTS + "test_sessions_of_the_database_are_terminated_at_random_and_nothing_is_lost", "terminated", 1_000, ()
    ),
    "clock jumps": Part(
        FAULTS + "test_the_clock_of_the_engines_jumps_by_an_hour_and_nothing_is_early_or_lost", "jumps", 300, ()
    ),
    "full disks": Part("tests/stores/sqlite/test_disk_full.py", "", 100, ()),
    "full disks of PostgreSQL": Part(CHAOS + "test_full_disks.py", "filled", 30, ("full_disks",)),
    "disturbed packets": Part(
        FAULTS + "test_packets_come_late_or_never_and_nothing_is_lost", "late+lost+cut", 300, ()
    ),
    "answers lost": Part(CHAOS + "test_lost_answers.py", "", 20, ()),
}  # fmt: skip


def main(words: list[str] | None = None) -> int:
    """Run rounds until every part has what it wants or the time is up; print the table; return the exit code."""
    arguments = argparse.ArgumentParser(prog="make chaos-long")
    arguments.add_argument("--only", default=",".join(PARTS), help="these parts, with commas between them")
    arguments.add_argument("--minutes", type=float, default=60.0, help="for each part, at most")
    arguments.add_argument("--faults", type=int, default=30, help="of one round, at most")
    arguments.add_argument("--busy", action="store_true", help="the machine has other work: allow recoveries more time")
    given = arguments.parse_args(words)
    KEPT.mkdir(exist_ok=True)
    kept: dict[str, dict[str, float]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    failed: list[str] = []
    for name in given.only.split(","):
        part = PARTS[name]
        counts = kept.setdefault(name, {})
        until = time.monotonic() + given.minutes * 60
        while _faults(part, counts) < part.wanted and time.monotonic() < until:
            figures = _round(name, part, given.faults, is_busy=given.busy, within_s=until - time.monotonic() + 1_800)
            if figures is None:
                failed.append(name)
                break
            for figure, value in figures.items():
                if "max" in figure or "promised" in figure or "p50" in figure or "p99" in figure:
                    counts[figure] = max(value, counts.get(figure, 0))
                else:
                    counts[figure] = counts.get(figure, 0) + value
            FILE.write_text(json.dumps(kept, indent=1))
    for name, part in PARTS.items():
        counts = kept.get(name, {})
        more = " ".join(f"{figure}={value:g}" for figure, value in counts.items())
        end = "FAILED: its output is in .chaos-long" if name in failed else more or "not run yet"
        sys.stdout.write(f"{name:<30} {_faults(part, counts):>7,.0f} of {part.wanted:>5,}  {end}\n")
    return 1 if failed else 0


def _faults(part: Part, counts: dict[str, float]) -> float:
    return sum(counts.get(figure, 0) for figure in (part.counts or "rounds").split("+"))


def _round(name: str, part: Part, faults: int, *, is_busy: bool, within_s: float) -> dict[str, float] | None:
    """One round. None: it has failed, which is never put right by another one."""
    sizes = [f"{size}={faults}" for size in part.sizes] + (["margin_ms=30000"] if is_busy else [])
    variables = {
        **os.environ,
        "FLOWFABRIC_CHAOS": "long",
        "FLOWFABRIC_CHAOS_SIZES": ",".join(sizes),
        "FF_CHAOS_FAULTS": str(faults),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *part.tests.split()]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=within_s
        )
        output, is_good = done.stdout + done.stderr, done.returncode == 0
    except subprocess.TimeoutExpired as late:
        output, is_good = f"It did not end: {late}", False
    if not is_good:
        (KEPT / f"{name.replace(' ', '-')}.log").write_text(output)
        return None
    figures: Counter[str] = Counter(rounds=1)
    for line in output.splitlines():
        if line.startswith("test_"):
            for figure, value in FIGURE.findall(line):
                is_peak = any(word in figure for word in ("max", "promised", "p50", "p99"))
                figures[figure] = max(figures[figure], float(value)) if is_peak else figures[figure] + float(value)  # type: ignore[assignment]
    return dict(figures)


if __name__ == "__main__":
    sys.exit(main())
