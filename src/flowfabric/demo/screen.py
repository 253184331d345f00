"""The output of the demo, for any terminal: wide or narrow, with or without colours; or for a file."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from flowfabric.demo.film import Drawn, Picture
from flowfabric.demo.proof import Claim, Evidence, jumped_over
from flowfabric.demo.shop import ENOUGH, PARTS, PUBLISH, SPLIT
from flowfabric.domain.events import Event

# Every word is ASCII, and boxes fall back to ASCII, so that a simple terminal shows the same story.
_STYLES: Final = {
    "completed": "green",
    "cancelled": "yellow",
    "failed": "red",
    "expired": "red",
    "revoked": "red",
    "active": "cyan",
    "suspended": "yellow",
    "flow_completed": "green",
}
_BAR: Final = 10


class Screen:
    """Prints each line when it happens. Time counts from the first line."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._started_at = time.monotonic()

    def title(self, what: str) -> None:
        """Print the title."""
        self._console.print(what, style="bold", markup=False)
        self._console.print()

    def say(self, what: str) -> None:
        """Print one thing that has just happened."""
        line = Table.grid(padding=(0, 2, 0, 0))
        line.add_row(f"{time.monotonic() - self._started_at:5.1f} s", Text(what))
        self._console.print(line)

    @contextmanager
    def drawing(self) -> Iterator[Callable[[Picture], None]]:
        """Draw a flow as a tree, each picture over the one before. A file gets the last picture only."""
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            with Live(console=self._console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:
                yield lambda picture: live.update(_tree(picture), refresh=True)
        else:
            drawn: list[Picture] = []
            yield drawn.append
            self._console.print(_tree(drawn[-1]))

    @contextmanager
    def live(self) -> Iterator[Callable[[str], None]]:
        """Show the end of a text while it grows, on the last line of a terminal. A file gets nothing of it."""
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            with Live(
                console=self._console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
            ) as live:
                yield lambda text: live.update(self._last_line(text), refresh=True)
        else:
            yield lambda text: None

    def _last_line(self, text: str) -> Text:
        return Text(f"live: {text}"[-max(1, self._console.width - 1) :], style="cyan")

    def timeline(self, e: Evidence) -> None:
        """Print the events of executions with a role in the story, and summaries of the other events between them."""
        table = self._table("The same from the event log")
        table.add_column("time", justify="right", no_wrap=True)
        table.add_column("execution", no_wrap=True)
        table.add_column("event", overflow="fold")
        for at_ms, name, what in _lines(e):
            table.add_row(f"{(at_ms - e.events[0].occurred_at_ms) / 1000:.2f} s", name, what)
        self._console.print(table)

    def outcomes(self, e: Evidence) -> None:
        """Print how many executions ended in which way, who finished them, and which charges were accepted."""
        table = self._table("Outcomes")
        table.add_column("executions")
        table.add_column("count", justify="right")
        for state, count in sorted(Counter(x.public_state for x in e.executions.values()).items()):
            table.add_row(Text(state, style=_STYLES.get(state, "")), str(count))
        table.add_row(f"flows {e.film.state}", "1")
        for worker, count in sorted(Counter(_finishers(e)).items()):
            table.add_row(f"finished by {worker}", str(count))
        let_through = sum(effect.accepted for effect in e.effects)
        table.add_row("charges let through", str(let_through))
        table.add_row("charges refused", str(len(e.effects) - let_through))
        self._console.print(table)

    def claims(self, found: Sequence[Claim]) -> None:
        """Print each claim, and the facts that contradict it."""
        lines = Table.grid(padding=(0, 2, 0, 0))
        for claim in found:
            style = "red" if claim.against else "green"
            lines.add_row(Text("NO" if claim.against else "ok", style=style), Text(claim.sentence))
            for objection in claim.against:
                lines.add_row("", Text(objection, style="red"))
        self._console.print()
        self._console.print(lines)
        self._console.print()

    def verdict(self, what: str, *, holds: bool) -> None:
        """Print the last line: a single line, even on a narrow terminal."""
        self._console.print(what, style="bold green" if holds else "bold red", markup=False, soft_wrap=True)

    @staticmethod
    def _table(title: str) -> Table:
        return Table(box=SIMPLE_HEAD, show_edge=False, title=f"\n{title}\n", title_justify="left", title_style="bold")


def _tree(picture: Picture) -> Tree:
    nodes = picture.nodes
    tree = Tree(Text(f"film: {picture.state}", style=_STYLES.get(picture.state, "")))
    split = tree.add(_node(nodes[SPLIT], ""))
    for part in PARTS:
        split.add(_node(nodes[part], ""))
    split.add(_node(nodes[PUBLISH], f", {picture.parts_there} of {ENOUGH} there"))
    return tree


def _node(node: Drawn, waits_for: str) -> Text:
    if node.state == "waiting_children":
        return Text(f"{node.name:<8}waits{waits_for}", style="dim")
    done = node.percent * _BAR // 100
    bar = "#" * done + "." * (_BAR - done)
    return Text(f"{node.name:<8}{bar} {node.state} {node.worker}".rstrip(), style=_STYLES.get(node.state, ""))


def _lines(e: Evidence) -> Iterator[tuple[int, str, Text]]:
    roles = e.roles
    shown = {*roles.orphans, roles.cancelled, roles.moved, roles.revoked, roles.replayed, roles.approved, roles.spoken}
    shown |= {roles.film, roles.members[PUBLISH], *_lost_parts(e)}
    others: list[Event] = []
    for event in e.events:
        about = event.execution_id or event.flow_id
        if about is None or about not in shown:
            others.append(event)
            continue
        if others:
            yield others[0].occurred_at_ms, "others", _summed_up(others)
            others = []
        yield (
            event.occurred_at_ms,
            roles.names.get(about, "film"),
            Text(_in_words(e, event), style=_STYLES.get(event.event_type, "")),
        )
    if others:
        yield others[0].occurred_at_ms, "others", _summed_up(others)


def _lost_parts(e: Evidence) -> list[str]:
    keys = [e.roles.members[part] for part in PARTS]
    return [key for key in keys if e.executions[key].public_state != "completed"]


def _summed_up(events: list[Event]) -> Text:
    found = Counter("claimed" if event.event_type == "acquired" else event.event_type for event in events)
    return Text(", ".join(f"{count} {what}" for what, count in found.items()), style="dim")


def _in_words(e: Evidence, event: Event) -> str:
    details = event.details
    match event.event_type:
        case "acquired":
            worker = str(details["worker_instance_id"]).partition("-")[0]
            again = "" if details["claim_type"] == "first" else f", a {details['claim_type']}"
            attempt = int(str(details["attempt_index"])) + 1
            return f"claimed by {worker}: attempt {attempt}, token {details['lease_epoch']}{again}"
        case "priority_changed":
            return f"priority {details['old_priority']} to {details['new_priority']}, past {jumped_over(e)} others"
        case "retry_scheduled":
            return f"failed with {details['code']}, to be tried again"
        case "failed":
            return f"failed for good with {details['code']}"
        case "expired":
            return "lease expired"
        case "revoked":
            return f"lease revoked: {details['reason']}"
        case "cancelled":
            return f"cancelled: {details['reason']}"
        case "suspended":
            return "suspended: waits for an approval, and holds nothing"
        case "delivered":
            return f"signal from {details['source_identity']}"
        case "resumed":
            return f"the wait is over, by a {details['cause']}"
        case "flow_completed":
            return "completed, as a flow"
        case other:
            return other


def _finishers(e: Evidence) -> Iterator[str]:
    for attempts in e.attempts.values():
        if attempts and attempts[-1].outcome == "success":
            yield attempts[-1].worker_id or "nobody"
