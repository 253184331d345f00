"""How much chaos: short in the ordinary suite, long under `make chaos` (FLOWFABRIC_CHAOS=long)."""

import os
from typing import Final, NamedTuple


class Sizes(NamedTuple):
    race_s: float
    """How long commands race on the same executions."""
    flow_rounds: int
    """How often each race on a new flow is run."""
    cascade_kills: int
    """How often an engine is killed in the middle of each kind of cascade."""
    server_kills: int
    worker_kills: int
    commands: int
    """How many commands are sent while answers to commits get lost."""
    late_commits: int
    """How many commits reach the server after their client has gone."""
    stranded_commits: int
    """How many commits never reach a server that does not know that its client has gone."""
    pauses: int
    """How often a worker is frozen until its lease is over."""
    freezes: int
    """How often a process is frozen in the middle of a batch."""
    margin_ms: int
    """What the machine may add to a recovery: it has nothing else to do in the long form, and much in the short one."""
    test_s_max: float
    """No test takes longer; one that does hangs."""


SHORT: Final = Sizes(
    race_s=6,
    flow_rounds=20,
    cascade_kills=1,
    server_kills=4,
    worker_kills=10,
    commands=2_000,
    late_commits=10,
    stranded_commits=1,
    pauses=1,
    freezes=1,
    margin_ms=8_000,
    test_s_max=120,
)
LONG: Final = Sizes(
    race_s=60,
    flow_rounds=250,
    cascade_kills=10,
    server_kills=30,
    worker_kills=100,
    commands=20_000,
    late_commits=200,
    stranded_commits=5,
    pauses=25,
    freezes=10,
    margin_ms=1_000,
    test_s_max=900,
)

IS_LONG: Final = os.environ.get("FLOWFABRIC_CHAOS") == "long"
SIZES: Final = LONG if IS_LONG else SHORT
