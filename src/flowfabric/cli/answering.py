"""What somebody can type so that an execution goes on which waits, is held, or lacks room under a limit."""

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from flowfabric.cli.output import Column, say, table
from flowfabric.cli.plans import is_held
from flowfabric.cli.wait_words import CHILDREN, choices_of, is_question, returns_a_value, title_of

if TYPE_CHECKING:
    from flowfabric.domain.gate_snapshots import GatesSnapshot
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot, WaitSnapshot
    from flowfabric.engine.blocking import BlockingEngine


class Command(NamedTuple):
    """A command that somebody may type."""

    text: str
    to: str
    """What it does."""


class Answers(NamedTuple):
    """What an execution asks people, and how it can be answered."""

    questions: Sequence[str] = ()
    commands: Sequence[Command] = ()

    def show(self) -> None:
        """Print them: a line for each question, and a table of the commands."""
        for question in self.questions:
            say(f"It asks: {question}")
        if self.commands:
            say("")
            table([Column("TYPE", is_whole=True), Column("TO")], self.commands)


def answers_to(engine: "BlockingEngine", x: "ExecutionSnapshot", *, beside_children: bool = False) -> Answers:
    """What the execution asks people, and the commands that let it go on.

    If it waits for children, a command lists them, unless this is shown beside such a list.
    """
    if is_held(x):
        return Answers(commands=[Command(f"ff unhold {x.execution_id}", "let it run")])
    if x.gates is not None and (for_gate := _for_gate(engine, x.namespace, x.gates)):
        return Answers(commands=for_gate)
    if not x.waits:
        return Answers()
    waitpoints = {each.key: each for each in engine.list_waitpoints(x.execution_id)}
    keys = dict.fromkeys(key for wait in x.waits for key in wait.keys)
    questions = [question for key in keys if (question := _question(waitpoints.get(key)))]
    for_children = [Command(f"ff show {x.execution_id}", "see its children")]
    waits_for_children = any(wait.reason == CHILDREN for wait in x.waits) and not beside_children
    commands = dict.fromkeys(for_children if waits_for_children else ())
    commands |= dict.fromkeys(command for wait in x.waits for command in _commands(x, wait, waitpoints))
    if x.lifecycle_phase == "suspended" and any(wait.reason != CHILDREN for wait in x.waits):
        data = " --data JSON" if any(map(returns_a_value, x.waits)) else ""
        commands[Command(f"ff resume {x.execution_id}{data}", "end its waits, whatever they wait for")] = None
    return Answers(questions, list(commands))


def _for_gate(engine: "BlockingEngine", namespace: str, gates: "GatesSnapshot") -> list[Command]:
    """What can be done about the limit or budget that an execution waits for."""
    if gates.parked_at_budget is not None:
        name = quote(gates.parked_at_budget)
        return [
            Command(f"ff budgets show {name}", "see what is used of it"),
            Command(f"ff budgets charge {name} DIMENSION=-AMOUNT --reason TEXT", "give some of it back"),
            Command(f"ff budgets reset {name}", "begin a new period now"),
        ]
    if gates.parked_at_limit is None:
        return []
    name, key = quote(gates.parked_at_limit), gates.parked_at_key
    numbers = engine.describe_limit(gates.parked_at_limit, key or "", namespace=namespace)
    if numbers is None:
        return []  # it was removed
    of_key = f" {quote(key)}" if key else ""
    own = f" --key {quote(key)}" if key else ""
    # What is left out is unlimited. So all numbers stand there, or whoever raises one would remove the others.
    concurrency = "" if numbers.concurrency is None else " --concurrency N"
    rate = "" if numbers.rate is None else f" --rate N --per {_as_option(numbers.per_ms)}"
    burst = "" if numbers.rate is None or numbers.burst is None else f" --burst {numbers.burst}"
    return [
        Command(f"ff limits show {name}{of_key}", "see which executions run under it"),
        Command(f"ff limits set {name}{own}{concurrency}{rate}{burst}", "set its numbers"),
    ]


def _as_option(ms: int) -> str:
    """A span of time as it is typed: `1h`."""
    units = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1))
    return next(f"{ms // unit_ms}{unit}" for unit, unit_ms in units if ms % unit_ms == 0)


def _question(waitpoint: "WaitpointSnapshot | None") -> str:
    if waitpoint is None:
        return ""
    title, choices = title_of(waitpoint), ", ".join(choices_of(waitpoint))
    return f"{title} ({choices})" if title and choices else title or choices


def _commands(
    x: "ExecutionSnapshot", wait: "WaitSnapshot", waitpoints: "Mapping[str, WaitpointSnapshot]"
) -> list[Command]:
    keys = [key for key in wait.keys if key not in waitpoints or waitpoints[key].state == "open"]
    if is_question(wait):
        return [
            Command(f"ff {verb} {x.execution_id} {quote(key)} --as NAME", verb)
            for key in keys
            for verb in ("approve", "reject")
        ]
    return [Command(f"ff signal {x.execution_id} {quote(key)} --data JSON", f"answer for {key}") for key in keys]
