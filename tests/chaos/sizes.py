"""How much chaos: short in the ordinary suite, long under `make chaos` (FLOWFABRIC_CHAOS=long).

Full, as part of `make soak`, tells workers to stop, freezes and kills them some hundred times.
"""

import os
from typing import Final, NamedTuple


class Sizes(NamedTuple):
    race_s: float
    """How long commands race on the same executions."""
    flow_rounds: int
    """How often each race on a new flow is run."""
    wait_rounds: int
    """How often every two verbs meet on an execution that waits."""
    gate_rounds: int
    """How often every two verbs about limits and budgets meet."""
    gate_kills: int
    """How often a worker is killed that holds a slot and a reservation."""
    gate_race_s: float
    """How long limits and budgets are changed under load."""
    one_at_a_time_s: float
    """How long several processes share a key that lets one run at a time."""
    one_at_a_time: int
    """How many executions they share at least."""
    family_rounds: int
    """How often the ends of parents and children meet."""
    file_kills: int
    """How often a process is killed in the middle of writes to a SQLite file."""
    cascade_kills: int
    """How often an engine is killed in the middle of each kind of cascade."""
    cascade_members: int
    """How many members a flow with a cascade has."""
    server_kills: int
    http_server_kills: int
    """How often one of two HTTP servers is killed under load."""
    full_disks: int
    """How often the disk of a PostgreSQL server is full."""
    log_ins: int
    """How often strangers try to log in with wrong tokens."""
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
    sigterms: int
    """How often `ff worker` is told to stop under load."""
    worker_pauses: int
    """How often `ff worker` is frozen for one and a half leases."""
    crash_points: int
    """How often `ff worker` is killed in an execution of ten steps."""
    suspended: int
    """How many executions wait while workers and the server are killed."""
    talks: int
    """How many tasks speak while workers and readers are killed."""
    talk_kills: int
    margin_ms: int
    """What the machine may add to a recovery: it has nothing else to do in the long form, and much in the short one."""
    test_s_max: float
    """No test takes longer; one that does hangs."""


SHORT: Final = Sizes(
    race_s=3,
    flow_rounds=10,
    wait_rounds=1,
    gate_rounds=1,
    gate_kills=2,
    gate_race_s=1.5,
    one_at_a_time_s=0,
    one_at_a_time=40,
    family_rounds=4,
    file_kills=20,
    cascade_kills=1,
    cascade_members=150,
    server_kills=3,
    http_server_kills=3,
    full_disks=1,
    log_ins=600,
    worker_kills=4,
    commands=1_000,
    late_commits=10,
    stranded_commits=1,
    pauses=1,
    freezes=1,
    sigterms=2,
    worker_pauses=1,
    crash_points=2,
    suspended=100,
    talks=9,
    talk_kills=4,
    margin_ms=30_000,
    test_s_max=300,
)
LONG: Final = Sizes(
    race_s=60,
    flow_rounds=250,
    wait_rounds=20,
    gate_rounds=20,
    gate_kills=50,
    gate_race_s=60,
    one_at_a_time_s=60,
    one_at_a_time=1_000,
    family_rounds=100,
    file_kills=100,
    cascade_kills=10,
    cascade_members=600,
    server_kills=30,
    http_server_kills=50,
    full_disks=3,
    log_ins=10_000,
    worker_kills=100,
    commands=20_000,
    late_commits=200,
    stranded_commits=5,
    pauses=25,
    freezes=10,
    sigterms=50,
    worker_pauses=30,
    crash_points=20,
    suspended=10_000,
    talks=120,
    talk_kills=60,
    margin_ms=1_000,
    test_s_max=900,
)

FULL: Final = LONG._replace(sigterms=500, worker_pauses=300, crash_points=200, test_s_max=7_200)

_CHOSEN: Final = os.environ.get("FLOWFABRIC_CHAOS", "short")
IS_LONG: Final = _CHOSEN in ("long", "full")
_GIVEN: Final = dict(each.split("=") for each in os.environ.get("FLOWFABRIC_CHAOS_SIZES", "").split(",") if each)
"""Single sizes, which `make chaos-long` chooses."""
SIZES: Final = {"short": SHORT, "long": LONG, "full": FULL}[_CHOSEN]._replace(
    **{name: type(getattr(LONG, name))(value) for name, value in _GIVEN.items()}
)
