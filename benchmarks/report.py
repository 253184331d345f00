"""What a contest found, as figures, as a table, as a plot, and between the markers of a page."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

BEGIN = "<!-- peers: begin; written by `make bench-peers ARGS=--docs` -->"
END = "<!-- peers: end -->"


@dataclass(frozen=True)
class Figure:
    """A median, with the smallest and the largest of what it is the median of."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{number(self.median)} ({number(self.low)}–{number(self.high)})"


def figure(values: Sequence[float]) -> Figure:
    return Figure(statistics.median(values), min(values), max(values))


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many percent of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def number(value: float) -> str:
    """Whole numbers where there is something before the point to tell apart; otherwise two digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}".rstrip("0").rstrip(".")


# ── Markdown ─────────────────────────────────────────────────────────────────────────────────────


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def between_markers(page: str, content: str) -> str:
    """The page with other content between its markers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"The page has no place for the results: put the lines {BEGIN!r} and {END!r} into it.")
    return f"{before}{BEGIN}\n\n{content.strip()}\n\n{END}{after}"


# ── SVG ──────────────────────────────────────────────────────────────────────────────────────────

WIDTH = 860
LABELS = 210
FIGURES = 150
BAR = 16
GAP = 8
TITLE = 34
COLOURS = {"postgres": "#3b6ea5", "sqlite": "#4f9d69", "valkey": "#c8743c"}
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:14px}.ours{font-weight:700}"
    ".spread{stroke:#24292f;stroke-width:1.2}"
    "@media(prefers-color-scheme:dark){text{fill:#d7dde3}.spread{stroke:#d7dde3}}"
)


@dataclass(frozen=True)
class Bar:
    """One line of a panel."""

    label: str
    kind: str
    """Whose colour it has."""
    figure: Figure
    is_ours: bool = False


def plot(panels: Mapping[str, Sequence[Bar]], kinds: Mapping[str, str]) -> str:
    """Panels of horizontal bars below each other, as SVG. Bars of one panel share a linear scale from zero."""
    parts: list[str] = []
    y = 0
    for title, bars in panels.items():
        parts.append(f'<text class="title" x="0" y="{y + 20}">{escape(title)}</text>')
        y += TITLE
        longest = max((bar.figure.high for bar in bars), default=1.0) or 1.0
        for bar in bars:
            parts.append(_bar(bar, y, (WIDTH - LABELS - FIGURES) / longest))
            y += BAR + GAP
        y += GAP
    parts.append(_legend(kinds, y + 4))
    height = y + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img">\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _bar(bar: Bar, y: int, scale: float) -> str:
    low, median, high = (LABELS + value * scale for value in (bar.figure.low, bar.figure.median, bar.figure.high))
    middle = y + BAR / 2
    weight = ' class="ours"' if bar.is_ours else ""
    return (
        f'<text{weight} x="{LABELS - 8}" y="{y + 13}" text-anchor="end">{escape(bar.label)}</text>'
        f'<rect x="{LABELS}" y="{y}" width="{max(median - LABELS, 1):.1f}" height="{BAR}" rx="2" '
        f'fill="{COLOURS.get(bar.kind, "#8a8f98")}"/>'
        f'<path class="spread" d="M{low:.1f} {middle:.1f}H{high:.1f}"/>'
        f'<text{weight} x="{high + 8:.1f}" y="{y + 13}">{number(bar.figure.median)}</text>'
    )


def _legend(kinds: Mapping[str, str], y: int) -> str:
    parts = []
    for place, (kind, name) in enumerate(kinds.items()):
        x = LABELS + place * 130
        parts.append(
            f'<rect x="{x}" y="{y}" width="12" height="12" rx="2" fill="{COLOURS.get(kind, "#8a8f98")}"/>'
            f'<text x="{x + 18}" y="{y + 11}">{escape(name)}</text>'
        )
    return "".join(parts)
