"""What a scrape shows, as a dictionary."""

import re

from flowfabric.telemetry.metrics import Metrics

_LINE = re.compile(r"^flowfabric_(\w+)(?:\{(.*)\})? (\S+)$")


def shown(metrics: Metrics) -> dict[str, float]:
    """All samples without buckets: `ended_total default mail success` → 1."""
    return shown_in(metrics.render().body.decode())


def shown_in(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None or match[1].endswith("_bucket"):
            continue
        labels = dict(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))
        labels.pop("namespace", None)
        order = ["lane", "task", *sorted(set(labels) - {"lane", "task"})]
        found[" ".join([match[1], *(labels[name] for name in order if name in labels)])] = float(match[3])
    return found
