"""The tests again and again, each time on a fresh clone and with other work beside them: `make test-repeat N=5`.

    python benchmarks/repeat.py 5 [--load 1] [--python python3.13]

Each run clones the commit that is checked out into a temporary folder, makes a virtual environment there, and runs
`make test`. Meanwhile one process for every two cores computes, and one writes to the disk. A finished run is kept in
the folder `.test-repeat`, by commit: started again, the program goes on with the runs that are missing. The log of a
failed run is kept there, too. The program ends with 1 if a run has failed.
"""

import argparse
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
KEPT_IN = ".test-repeat"
RUN_S_MAX = 3600.0
"""A run that takes longer has failed. The load ends by then, too."""
END_S_MAX = 20.0

COUNTED = re.compile(r"(\d+) (passed|failed|errors?)\b")
LAST_LINE = re.compile(r"^=* ?(\d+ (?:passed|failed|errors?).*) in [\d.]+s.*$", re.MULTILINE)
NAMED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)


class Run(NamedTuple):
    """What came of one run."""

    number: int
    status: int
    """The exit status of `make test`."""
    passed: int
    failed: int
    minutes: float
    names: list[str]
    """The tests that failed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the runs that are missing, and print a table of all."""
    options = _options(arguments)
    commit = _git(options.repository, "rev-parse", "HEAD")
    if _git(options.repository, "status", "--porcelain"):
        print("The working tree has changes that are not committed: they are not part of the test.", flush=True)
    kept = options.repository / KEPT_IN
    kept.mkdir(exist_ok=True)
    runs = _kept_runs(kept, commit)
    for number in range(1, options.runs + 1):
        if number not in runs:
            print(f"run {number} of {options.runs}: a clone of {commit[:9]} ...", flush=True)
            with _run(options, commit, number, kept / f"{commit}-{number}.log") as run:
                runs[number] = run
                _keep(kept, commit, runs)
    shown = [runs[number] for number in sorted(runs)]
    _show(shown, commit, kept)
    return 1 if any(run.status for run in shown) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int, help="how many runs there shall be in all")
    parser.add_argument(
        "--load", type=int, default=max(1, (os.cpu_count() or 1) // 2), help="how many processes compute meanwhile"
    )
    parser.add_argument("--python", default="python3", help="the interpreter of the virtual environments")
    parser.add_argument("--repository", type=Path, default=ROOT, help="what is cloned")
    return parser.parse_args(arguments)


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"`git {' '.join(arguments)}` failed in {repository}: {done.stderr.strip()}")
    return done.stdout.strip()


# ── one run ──────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _run(options: argparse.Namespace, commit: str, number: int, log: Path) -> Iterator[Run]:
    """The outcome of one run. It is there before the clone is removed, which takes a while: none must get lost then."""
    with tempfile.TemporaryDirectory(prefix="ff-repeat-", ignore_cleanup_errors=True) as folder:
        clone = Path(folder, "clone")
        _git(options.repository, "clone", "--quiet", "--no-checkout", str(options.repository.resolve()), str(clone))
        _git(clone, "checkout", "--quiet", "--detach", commit)
        with _load(options.load, Path(folder)):
            started_at = time.monotonic()
            status = _make_test(clone, options.python, log)
            minutes = (time.monotonic() - started_at) / 60
        yield _outcome(number, status, minutes, log)


def _outcome(number: int, status: int, minutes: float, log: Path) -> Run:
    said = log.read_text(errors="replace")
    if not status:
        log.unlink()
    counts = {"passed": 0, "failed": 0}
    for last in LAST_LINE.findall(said)[-1:]:
        for count, word in COUNTED.findall(last):
            counts["passed" if word == "passed" else "failed"] += int(count)
    return Run(number, status, counts["passed"], counts["failed"], round(minutes, 1), NAMED.findall(said))


def _make_test(clone: Path, python: str, log: Path) -> int:
    """The exit status of `make test` in the clone; what it says goes to the log."""
    # What was told to the make that runs this program is nothing to the one in the clone.
    ours = {"MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    with log.open("wb") as output:
        make = subprocess.Popen(
            ["make", "test", f"PYTHON={python}"],
            cwd=clone,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return make.wait(timeout=RUN_S_MAX)
        except subprocess.TimeoutExpired:
            output.write(f"\nstopped after {RUN_S_MAX:.0f} seconds\n".encode())
            return 124
        finally:
            # Also after Ctrl-C: nothing of the run goes on without us.
            with suppress(ProcessLookupError):
                os.killpg(make.pid, signal.SIGKILL)
            make.wait()


# ── the load ─────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _load(computing: int, folder: Path) -> Iterator[None]:
    """Other work on the machine, for as long as the block lasts."""
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_compute, daemon=True) for _ in range(computing)]
    if computing:
        processes.append(spawn.Process(target=_write, args=(folder / "written",), daemon=True))
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(END_S_MAX)


def _goes_on() -> Iterator[None]:
    """Until the time is up, or nobody is left who could end us."""
    parent = multiprocessing.parent_process()
    end_at = time.monotonic() + RUN_S_MAX
    while time.monotonic() < end_at and parent is not None and parent.is_alive():
        yield


def _compute() -> None:
    for _ in _goes_on():
        sum(number * number for number in range(100_000))


def _write(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        for _ in _goes_on():
            file.seek(0)
            file.write(os.urandom(256 * 1024))
            os.fsync(file.fileno())
            time.sleep(0.02)


# ── what is kept and shown ───────────────────────────────────────────────────────────────────────


def _kept_runs(kept: Path, commit: str) -> dict[int, Run]:
    try:
        runs = json.loads((kept / f"{commit}.json").read_text())
    except FileNotFoundError:
        return {}
    return {run["number"]: Run(**run) for run in runs}


def _keep(kept: Path, commit: str, runs: dict[int, Run]) -> None:
    draft = kept / "draft"
    draft.write_text(json.dumps([run._asdict() for run in runs.values()], indent=1))
    draft.rename(kept / f"{commit}.json")


def _show(runs: Sequence[Run], commit: str, kept: Path) -> None:
    print(f"{'run':>4}  {'commit':<9}  {'passed':>7}  {'failed':>7}  {'minutes':>7}  failed tests")
    for run in runs:
        names = ", ".join(run.names) or (f"none named, make ended with {run.status}" if run.status else "")
        row = f"{run.number:>4}  {commit[:9]}  {run.passed:>7}  {run.failed:>7}  {run.minutes:>7.1f}  {names}"
        print(row.rstrip())
    for run in runs:
        if run.status:
            print(f"The log of run {run.number}: {kept / f'{commit}-{run.number}.log'}")


if __name__ == "__main__":
    shutil.which("make") or sys.exit("The tests are run by make, which is not there: install it.")
    # As after Ctrl-C: what this program has started ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
