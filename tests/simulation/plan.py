"""What a seed means: which processes start, what is asked for when, and what goes wrong.

A part of a plan has chance of its own, so that a part that is left out changes nothing about the others. That is what
makes a failure shrink.
"""

import random
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

if TYPE_CHECKING:
    from tests.simulation.processes import Simulated
    from tests.simulation.world import World

Actor = Callable[["Simulated", random.Random], Awaitable[str]]
Fault = Callable[["World", random.Random], str]

ACTORS: dict[str, tuple[int, Actor]] = {}
"""By name: how likely it is, and what it does, once, in one of the processes."""
OF_GATES: set[str] = set()
"""Names of actors that are only in worlds with limits and budgets."""
OF_STREAMS: set[str] = set()
"""Names of actors that are only in worlds with streams."""
OF_SERVERS: set[str] = set()
"""Names of actors and faults that are only in worlds with servers."""
FAULTS: dict[str, tuple[int, Fault]] = {}
"""By name: how likely it is, and what it does to the world."""

TROUBLE_S = (6.0, 12.0)
"""How long things go wrong."""
PROCESSES = (2, 3)
COMMANDS = (12, 38)
COMMANDS_WITH_GATES = (8, 22)
"""Many of them submit several executions."""
FAULT_COUNT = (2, 14)
HAVE_GATES = range(67, 87)
"""Of each hundred seeds, the worlds of these have limits and budgets."""
COMMANDS_WITH_STREAMS = (14, 32)
HAVE_STREAMS = range(52, 67)
"""Of each hundred seeds, the worlds of these have tasks that speak, and readers."""
SERVERS = (1, 2)
CLIENTS = (1, 3)
HAVE_SERVERS = range(40, 51)
"""Of each hundred seeds, the worlds of these have servers, and processes that reach the store only through them."""
MIXED_FROM = 1_000
"""From this seed on, every tenth world has servers, too, also where there are limits, budgets or readers."""


def actor(
    likely: int, *, of_gates: bool = False, of_streams: bool = False, of_servers: bool = False
) -> Callable[[Actor], Actor]:
    """Let a function be one of the things that people ask for. It returns a line for the log."""

    def register(function: Actor) -> Actor:
        ACTORS[function.__name__] = (likely, function)
        if of_gates:
            OF_GATES.add(function.__name__)
        if of_streams:
            OF_STREAMS.add(function.__name__)
        if of_servers:
            OF_SERVERS.add(function.__name__)
        return function

    return register


def fault(likely: int, *, of_servers: bool = False) -> Callable[[Fault], Fault]:
    """Let a function be one of the things that go wrong. It returns a line for the log."""

    def register(function: Fault) -> Fault:
        FAULTS[function.__name__] = (likely, function)
        if of_servers:
            OF_SERVERS.add(function.__name__)
        return function

    return register


class Part(msgspec.Struct, frozen=True):
    """One thing that happens."""

    number: int
    kind: Literal["process", "command", "fault"]
    what: str
    at_s: float
    """Counted from the beginning."""
    chance: int

    def __str__(self) -> str:
        return f"{self.number:3d}  {self.at_s:7.3f} s  {self.kind} {self.what}"


class Plan(msgspec.Struct, frozen=True):
    """Everything that is to happen, in order of time."""

    seed: int
    parts: list[Part]
    trouble_s: float
    cascade_max: int
    """How many executions one end moves in one transaction."""
    has_gates: bool
    """Whether executions name limits and budgets, and officers steer them."""
    has_streams: bool
    """Whether tasks speak, and readers listen."""
    has_servers: bool = False
    """Whether there are servers, and clients of them."""

    def only(self, numbers: Collection[int]) -> "Plan":
        """The same with these parts alone."""
        return replace(self, parts=[part for part in self.parts if part.number in numbers])


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    assert ACTORS, "nobody is there to ask for anything: import tests.simulation.world"
    chance = random.Random(f"plan {seed}")
    has_gates, has_streams = seed % 100 in HAVE_GATES, seed % 100 in HAVE_STREAMS
    has_servers = seed % 100 in HAVE_SERVERS or (seed >= MIXED_FROM and seed % 10 == 5)
    others = (set() if has_gates else OF_GATES) | (set() if has_streams else OF_STREAMS)
    others |= set() if has_servers else OF_SERVERS
    actors = {name: entry for name, entry in ACTORS.items() if name not in others}
    commands = COMMANDS_WITH_GATES if has_gates else COMMANDS_WITH_STREAMS if has_streams else COMMANDS
    faults = {name: entry for name, entry in FAULTS.items() if name not in others}
    trouble_s = round(chance.uniform(*TROUBLE_S), 3)
    drawn: list[tuple[float, Literal["process", "command", "fault"], str]] = [
        (0.0, "process", what) for what in (_with_servers(chance) if has_servers else _alike(chance))
    ]
    drawn += sorted((at, "command", what) for at, what in _draw(chance, actors, commands, trouble_s))
    drawn += sorted((at, "fault", what) for at, what in _draw(chance, faults, FAULT_COUNT, trouble_s))
    parts = [Part(number, kind, what, at, chance.getrandbits(48)) for number, (at, kind, what) in enumerate(drawn)]
    parts.sort(key=lambda part: (part.at_s, part.number))
    return Plan(seed, parts, trouble_s, chance.choice((500, 3, 2)), has_gates, has_streams, has_servers)


def _alike(chance: random.Random) -> list[str]:
    """Processes that all have an engine on the store."""
    return ["start"] * chance.randint(*PROCESSES)


def _with_servers(chance: random.Random) -> list[str]:
    return ["serve"] * chance.randint(*SERVERS) + ["call"] * chance.randint(*CLIENTS) + ["start"] * chance.randint(0, 1)


def plan_with(
    seed: int,
    names: Sequence[str],
    *,
    has_gates: bool = False,
    has_streams: bool = False,
    processes: Sequence[str] = ("start", "start"),
) -> Plan:
    """A small plan: these processes, and what is named, all of it within two seconds."""
    chance = random.Random(f"small plan {seed}")
    drawn: list[tuple[float, Literal["process", "command", "fault"], str]] = [
        (0.0, "process", what) for what in processes
    ]
    for name in names:
        drawn.append((round(chance.uniform(0.0, 2.0), 3), "fault" if name in FAULTS else "command", name))
    drawn.sort()
    parts = [Part(number, kind, what, at, chance.getrandbits(48)) for number, (at, kind, what) in enumerate(drawn)]
    return Plan(seed, parts, 4.0, 500, has_gates, has_streams, "serve" in processes)


def _draw(
    chance: random.Random,
    table: dict[str, tuple[int, Actor]] | dict[str, tuple[int, Fault]],
    how_many: tuple[int, int],
    within_s: float,
) -> Iterator[tuple[float, str]]:
    names = list(table)
    weights = [table[name][0] for name in names]
    for what in chance.choices(names, weights, k=chance.randint(*how_many)):
        yield round(chance.uniform(0.0, within_s), 3), what
