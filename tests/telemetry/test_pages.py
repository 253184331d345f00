"""The page about metrics, the board and the alerts name only metrics and labels that exist, and all of them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from flowfabric.telemetry import catalogue
from flowfabric.telemetry.catalogue import Metric

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "observing.md").read_text()
BOARD = json.loads((DOCS / "grafana.json").read_text())
ALERTS = yaml.safe_load((DOCS / "alerts.yml").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
BY_NAME = {each.shown: each for each in catalogue.ALL}
_NAME = re.compile(r"flowfabric_[a-z_]+")
_GROUPED = re.compile(r"\b(?:by|on) \(([^)]*)\)")
_CHOSEN = re.compile(r"(flowfabric_[a-z_]+)\{([^}]*)\}")


def expressions() -> list[str]:
    panels: list[dict[str, Any]] = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
    return [target["expr"] for panel in panels for target in panel["targets"]] + [rule["expr"] for rule in RULES]


def metrics_in(expression: str) -> list[Metric]:
    """The metrics of an expression. Parts of histograms count as the histogram."""
    found = []
    for name in _NAME.findall(expression):
        part = re.sub(r"_(bucket|sum|count)$", "", name)
        assert name in BY_NAME or BY_NAME[part].kind == "histogram", name
        found.append(BY_NAME.get(name) or BY_NAME[part])
    return found


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_metrics_and_labels_that_exist(expression: str) -> None:
    metrics = metrics_in(expression)
    grouped = {label.strip() for group in _GROUPED.findall(expression) for label in group.split(",")}

    assert metrics
    for metric in metrics:
        assert grouped <= {*metric.labels, *(["le"] if metric.kind == "histogram" else [])}, metric.name
    for name, chosen in _CHOSEN.findall(expression):
        (metric,) = metrics_in(name)
        assert {re.split(r"[=!]", label.strip())[0] for label in chosen.split(",")} <= {*metric.labels}, name


def test_the_board_shows_every_metric_but_the_few_that_others_add_up_to() -> None:
    shown = {metric.shown for expression in expressions() for metric in metrics_in(expression)}

    assert set(BY_NAME) - shown == {
        *("flowfabric_build_info", "flowfabric_schema_version", "flowfabric_delayed", "flowfabric_active"),
        *("flowfabric_blocked", "flowfabric_lane_parked", "flowfabric_limit_running", "flowfabric_started_total"),
        *("flowfabric_signals_total", "flowfabric_charges_total"),
        *("flowfabric_stream_frames_total", "flowfabric_stream_bytes_total"),
    }


def test_every_alert_has_a_severity_and_says_what_to_do() -> None:
    names = [rule["alert"] for rule in RULES]

    assert len(names) == len(set(names)) == 12
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "action"}
        asked = re.findall(r"\$labels\.(\w+)", str(rule["annotations"]))
        assert {*asked} <= {label for metric in metrics_in(rule["expr"]) for label in metric.labels}


def test_the_panels_of_the_board_have_titles_and_places_of_their_own() -> None:
    places = [tuple(panel["gridPos"].values()) for panel in BOARD["panels"]]

    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    assert len(set(places)) == len(places)
    assert all(panel["title"] for panel in BOARD["panels"])
    assert all(place[1] + place[2] <= 24 for place in places)


def test_the_page_has_one_row_for_every_metric_with_its_labels_and_no_other_metric() -> None:
    rows = re.findall(r"^\| `(flowfabric_\w+)` \| (\w+) \| (.*?) \|", PAGE, re.MULTILINE)

    assert {name: (kind, tuple(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows} == {
        each.shown: (each.kind, each.labels) for each in catalogue.ALL
    }
    assert len(rows) == len(catalogue.ALL)
    for name in _NAME.findall(PAGE):
        assert name in BY_NAME or name.removesuffix("_bucket") in BY_NAME, name
