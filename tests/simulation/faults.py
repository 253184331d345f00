"""Everything that goes wrong."""

import random
from typing import TYPE_CHECKING

from tests.simulation.plan import fault

if TYPE_CHECKING:
    from tests.simulation.processes import Simulated
    from tests.simulation.world import World


def _victim(world: "World", chance: random.Random) -> "Simulated | None":
    alive = world.alive()
    return chance.choice(alive) if alive else None


@fault(9)
def crash(world: "World", chance: random.Random) -> str:
    """A process is killed, some turns from now, wherever it is then; another one starts a little later."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.dies_at_step = process.steps + int(chance.expovariate(0.02))
    world.scheduler.at(world.now + chance.uniform(0.1, 2.0), lambda: world.replace(process, chance))
    return f"{process.name} at its step {process.dies_at_step}"


@fault(3)
def restart(world: "World", chance: random.Random) -> str:
    """A process is stopped as it should be, and another one starts meanwhile."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.stop()
    world.scheduler.at(world.now + chance.uniform(0.1, 2.0), lambda: world.replace(process, chance))
    return process.name


@fault(4)
def freeze(world: "World", chance: random.Random) -> str:
    """A process gets no turn for a while, and does not notice."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    for_s = chance.choice((0.3, 1.2, 4.0))
    process.is_frozen = True
    world.scheduler.at(world.now + for_s, lambda: world.scheduler.thaw(process))
    return f"{process.name} for {for_s} s"


@fault(6)
def lose_answers(world: "World", chance: random.Random) -> str:
    """Commits happen, and their answers are lost."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.line.answers_to_lose += chance.randint(1, 3)
    return f"{process.name}, {process.line.answers_to_lose}"


@fault(4)
def lose_commits(world: "World", chance: random.Random) -> str:
    """Commits do not arrive."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.line.commits_to_lose += chance.randint(1, 3)
    return f"{process.name}, {process.line.commits_to_lose}"


@fault(4)
def cut_off(world: "World", chance: random.Random) -> str:
    """A process cannot reach the store for a while."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.line.away_until = world.now + chance.choice((0.1, 1.0, 5.0, 11.0))
    return f"{process.name} for {process.line.away_until - world.now:.1f} s"


@fault(3)
def lose_the_store(world: "World", chance: random.Random) -> str:
    """Nobody can reach the store for a while."""
    away_s = chance.choice((0.1, 1.0, 5.0))
    for process in world.alive():
        process.line.away_until = world.now + away_s
    return f"for {away_s:.1f} s"


@fault(4)
def contend(world: "World", chance: random.Random) -> str:
    """Batches meet contention."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.line.contentions += chance.randint(1, 8)
    return f"{process.name}, {process.line.contentions}"


@fault(3)
def hold_lock(world: "World", chance: random.Random) -> str:
    """A foreign transaction holds an execution for a while."""
    if not world.ledger.created:
        return "nothing is there"
    execution_id = chance.choice(world.ledger.created[-10:])
    until = world.now + chance.choice((0.2, 1.0, 4.0))
    for process in world.alive():
        process.line.held[execution_id] = until
    return execution_id


@fault(3)
def slow_down(world: "World", chance: random.Random) -> str:
    """The store answers one process slowly."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.line.slow_s = chance.choice((0.05, 0.4, 1.5))
    process.line.slow_until = world.now + chance.uniform(0.5, 4.0)
    return f"{process.name}, {process.line.slow_s} s"


@fault(4)
def jump(world: "World", chance: random.Random) -> str:
    """The store's clock jumps ahead."""
    ahead_ms = chance.choice((50, 700, 2_000, 10_000))
    world.clock.ahead_ms += ahead_ms
    return f"{ahead_ms} ms"


@fault(1)
def set_clock(world: "World", chance: random.Random) -> str:
    """The clock of a machine is set, which concerns nobody: time is the store's time."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    process.skew_s = chance.choice((-7200.0, 0.0, 7200.0))
    return f"{process.name}, {process.skew_s:+.0f} s"


# ── between clients and servers ──────────────────────────────────────────────────────────────────


@fault(14, of_servers=True)
def lose_http_answers(world: "World", chance: random.Random) -> str:
    """Servers do what they are asked, and their answers are lost with the connections."""
    world.network.answers_to_lose += chance.randint(1, 6)
    return f"{world.network.answers_to_lose}"


@fault(6, of_servers=True)
def lose_http_requests(world: "World", chance: random.Random) -> str:
    """Requests do not arrive, and their connections end."""
    world.network.requests_to_lose += chance.randint(1, 4)
    return f"{world.network.requests_to_lose}"


@fault(6, of_servers=True)
def cut_connections(world: "World", chance: random.Random) -> str:
    """All connections of a process are lost."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    world.network.cut_connections_of(process)
    return process.name


@fault(2, of_servers=True)
def go_silent(world: "World", chance: random.Random) -> str:
    """Nothing arrives any more on the connections of a process, and nobody hears of it."""
    if (process := _victim(world, chance)) is None:
        return "nobody is there"
    world.network.go_silent(process)
    return process.name


@fault(4, of_servers=True)
def slow_network(world: "World", chance: random.Random) -> str:
    """Bytes take long."""
    world.network.slow_s = chance.choice((0.05, 0.3, 1.2))
    world.network.slow_until = world.now + chance.uniform(0.5, 3.0)
    return f"{world.network.slow_s} s"
