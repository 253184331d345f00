"""What `make bench-peers` does with its figures; the peers themselves are measured, not tested."""

import importlib
import multiprocessing
import re
import venv
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from benchmarks import report
from benchmarks.contenders import CONTENDERS
from benchmarks.peers.driver import BODY, Hits

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def bench_peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, whose files find each other as they do when it is run."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("bench_peers")


@pytest.fixture
def entries(bench_peers: ModuleType) -> dict[str, Any]:
    """Two contenders after three rounds, one of which could not be installed, and a floor."""
    durability = {"fences": "yes", "attempts": "yes", "killed": "run again", "events": "yes"}
    ours = bench_peers.Entry("FlowFabric", "postgres", "the usual", 100, durability, "3.11", {"flowfabric": "1"})
    whole = {"whole life, 2 processes": [2000.0, 1000.0, 4000.0], "prompt": [1.0, 2.0, 9.0]}
    ours.add(bench_peers.contest.Round(values=whole, failures={"chains": "took too long"}))
    other = bench_peers.Entry("Other", "valkey", "fast | careless", 100, durability)
    other.failures["all"] = "could not be installed: no such version"
    floor = bench_peers.Entry("floor", "postgres", "bare SQL", 100, {}, values={"submit": [50_000.0]})
    return {"floor-postgres": floor, "flowfabric-postgres": ours, "other-valkey": other}


# ── figures ──────────────────────────────────────────────────────────────────────────────────────


def test_a_figure_is_the_median_with_its_spread() -> None:
    found = report.figure([2000.0, 1000.0, 4000.0])

    assert str(found) == "2,000 (1,000–4,000)"


@pytest.mark.parametrize(("percent", "value"), [(50, 50), (99, 99), (100, 100), (1, 1)])
def test_a_percentile_is_a_value_that_was_seen(percent: int, value: int) -> None:
    samples = [float(one) for one in range(100, 0, -1)]

    assert report.percentile(samples, percent) == value


@pytest.mark.parametrize(
    ("value", "shown"), [(12_345.6, "12,346"), (99.94, "99.9"), (3.456, "3.46"), (4.0, "4"), (0.0, "0")]
)
def test_numbers_show_what_can_be_told_apart(value: float, shown: str) -> None:
    assert report.number(value) == shown


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


def test_results_replace_what_is_between_the_markers_and_nothing_else() -> None:
    page = f"before\n\n{report.BEGIN}\n\nold\n\n{report.END}\n\nafter\n"

    once = report.between_markers(page, "new\n")
    twice = report.between_markers(once, "new\n")

    assert once == f"before\n\n{report.BEGIN}\n\nnew\n\n{report.END}\n\nafter\n"
    assert twice == once


@pytest.mark.parametrize("page", ["", report.BEGIN, report.END])
def test_a_page_without_markers_is_left_alone_and_told_of(page: str) -> None:
    with pytest.raises(ValueError, match="no place for the results"):
        report.between_markers(page, "new")


def test_the_page_on_performance_has_a_place_for_the_results() -> None:
    page = (BENCHMARKS.parent / "docs" / "performance.md").read_text()

    assert "new" in report.between_markers(page, "new")


def test_every_row_of_the_results_has_as_many_cells_as_its_head(bench_peers: ModuleType, entries: Any) -> None:
    tables = [part for part in bench_peers.shown(entries).split("\n\n") if part.startswith("| ")]

    for lines in map(str.splitlines, tables):
        assert {line.replace("\\|", "").count("|") for line in lines} == {lines[0].count("|")}


def test_what_failed_stands_in_the_results_with_its_reason(bench_peers: ModuleType, entries: Any) -> None:
    text = bench_peers.shown(entries)

    assert "- Other, Valkey, everything: could not be installed: no such version" in text
    assert "- FlowFabric, PostgreSQL, chains: took too long" in text
    assert "| Other, Valkey | failed | failed |" in text


# ── the plot ─────────────────────────────────────────────────────────────────────────────────────


def test_the_plot_has_a_bar_for_each_figure_in_the_order_given() -> None:
    bars = [
        report.Bar("a & b", "sqlite", report.Figure(200, 100, 400)),
        report.Bar("c", "none", report.Figure(0, 0, 0)),
    ]

    drawing = ElementTree.fromstring(report.plot({"speed": bars}, {"sqlite": "SQLite"}))

    names = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    widths = [float(rect.attrib["width"]) for rect in drawing.iter("{http://www.w3.org/2000/svg}rect")]
    assert names == ["speed", "a & b", "200", "c", "0", "SQLite"]
    assert widths == [(report.WIDTH - report.LABELS - report.FIGURES) / 2, 1, 12]


def test_what_has_no_figure_has_no_bar(bench_peers: ModuleType, entries: Any) -> None:
    drawing = bench_peers.drawn(entries)

    assert drawing.count(">FlowFabric, PostgreSQL<") == 2
    assert "Other" not in drawing


# ── contenders ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda contender: contender.key)
def test_a_contender_has_a_driver_and_exact_versions(contender: Any) -> None:
    assert (BENCHMARKS / "peers" / f"{contender.driver}_driver.py").exists()
    assert all("==" in package for package in contender.packages)


@pytest.mark.parametrize("contender", [one for one in CONTENDERS if one.program], ids=lambda contender: contender.key)
def test_a_program_that_is_built_names_exact_versions_of_what_it_needs(contender: Any) -> None:
    peers = BENCHMARKS / "peers"
    modules = (peers / contender.program / "go.mod").read_text()
    checked = (peers / contender.program / "go.sum").read_text()

    required = re.findall(r"^\s+([\w./-]+\.[\w./-]+) (v\S+)", modules, re.MULTILINE)

    assert (peers / f"{contender.program}_build.py").exists()
    assert required
    assert all(f"{module} {version} h1:" in checked for module, version in required)


def test_what_cannot_be_built_is_told_in_one_sentence(bench_peers: ModuleType, tmp_path: Path) -> None:
    contest = bench_peers.contest
    venv.create(tmp_path / "without-go", symlinks=True)
    python = tmp_path / "without-go" / "bin" / "python"

    with pytest.raises(contest.Failed) as failed:
        contest._told([python, BENCHMARKS / "peers" / "river_build.py"], "could not be built")

    assert str(failed.value) == "could not be built: Go is not here, so River cannot be built."


def test_the_other_versions_of_a_contender_are_recorded_with_those_of_its_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS / "peers")
    drive, driver = importlib.import_module("drive"), importlib.import_module("driver")

    class Foreign(driver.Driver):
        packages = ("pytest",)
        others: ClassVar[dict[str, str]] = {"engine": "7.0"}

    versions = drive.about(Foreign())["versions"]

    assert versions == {"engine": "7.0", "pytest": pytest.__version__}


def test_every_payload_is_two_hundred_bytes() -> None:
    assert len(BODY) == 200


def test_job_bodies_of_all_processes_are_counted_together(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    counting = [spawn.Process(target=_hit, args=(tmp_path, times)) for times in (3, 4)]

    for process in counting:
        process.start()
    for process in counting:
        process.join(timeout=60)

    seen = Hits(tmp_path).seen()
    assert seen.count == 7
    assert 0 < seen.first_ns < seen.last_ns


def _hit(folder: Path, times: int) -> None:
    hits = Hits(folder)
    for _ in range(times):
        hits.hit()
