"""What is wrong with a database and its workers: the facts that were collected, and the rules that judge them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from shlex import quote
from typing import Final, Literal, get_args

import msgspec

from flowfabric.domain.execution import DueKind
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.snapshots import Kept
from flowfabric.domain.words import counted, span
from flowfabric.domain.workers import Worker

LONG_TRANSACTION_MS: Final = 10_000
"""Nothing of ours takes that long: a batch is milliseconds."""
SKEW_MS_MAX: Final = 2_000
FREE_BYTES_MIN: Final = 64 * 1_048_576
OVERDUE_MS_MAX: Final = 10_000
"""Upkeep runs every second; what is overdue for longer, it has not met, or could not handle."""
FAILED_MS: Final = 86_400_000
"""What has failed longer ago is old news."""
NETWORK_FILE_SYSTEM: Final = re.compile(
    r"nfs4?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|gpfs|beegfs|virtiofs|vboxsf|ncpfs|davfs|coda"
    r"|fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph|juicefs|blobfuse2?|goofys|smbnetfs|curlftpfs|davfs2?"
    r"|grpcfuse|osxfs|vmhgfs-fuse)"
)
"""Where locks and shared memory do not reach from one machine to the other, or are only said to."""

_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


# ── facts ────────────────────────────────────────────────────────────────────────────────────────


class Schema(msgspec.Struct, frozen=True):
    """Which migrations a database has seen."""

    found: int
    """The newest one; 0: none."""
    known: int
    """The newest one of this version of the code."""
    refusal: str | None = None
    """Why this version must not touch it."""

    @property
    def is_current(self) -> bool:
        """Whether this version can use its tables; newer ones may allow that."""
        return self.found >= self.known and self.refusal is None


class Clocks(msgspec.Struct, frozen=True):
    """What time it is, by whom."""

    machine_ms: int
    store_ms: int
    round_trip_ms: float
    """How long the store took to answer, which is how much the comparison may be off."""
    newest_record_ms: int = 0
    """When the newest thing in the store was written, by the store's clock of then."""
    behind_ms: int = 0
    """By how much the machine's clock is behind the store's time, which goes on without it; 0: it is followed."""


class HeldLeases(msgspec.Struct, frozen=True):
    """What one worker holds."""

    namespace: str
    worker_instance_id: str
    count: int
    first_expiry_ms: int
    last_expiry_ms: int
    ids: Sequence[str] = ()
    """The uuids of the first and the last execution."""


class HeldWork(msgspec.Struct, frozen=True):
    """What operators keep from being claimed."""

    namespace: str
    count: int
    since_ms: int | None
    """Since when the first one is held, if its events tell."""
    ids: Sequence[str] = ()
    """The uuids of the first and the last one."""


class Failures(msgspec.Struct, frozen=True):
    """How much has failed within FAILED_MS."""

    namespace: str
    executions: int
    flows: int


class Queue(msgspec.Struct, frozen=True):
    """What waits in one lane for workers with the same capabilities."""

    namespace: str
    lane: str
    required_capabilities: tuple[str, ...]
    count: int
    oldest_ms: int


class Overdue(msgspec.Struct, frozen=True):
    """What upkeep should have handled by now."""

    kind: DueKind | Literal["acknowledgement"]
    count: int
    oldest_ms: int


class Work(msgspec.Struct, frozen=True):
    """What there is to do, and who is there to do it."""

    workers: Sequence[Worker] = ()
    leases: Sequence[HeldLeases] = ()
    queues: Sequence[Queue] = ()
    overdue: Sequence[Overdue] = ()
    schedules: Sequence[Schedule] = ()
    lanes: Sequence[LaneState] = ()
    kept: Mapping[str, Kept] = msgspec.field(default_factory=dict)
    """What has ended and is still there, by namespace."""
    held: Sequence[HeldWork] = ()
    failures: Sequence[Failures] = ()


class OpenTransaction(msgspec.Struct, frozen=True):
    """Somebody's transaction on a server."""

    session: str
    """Its process id, or the name of a prepared transaction."""
    is_prepared: bool
    age_ms: int
    application: str
    state: str
    query: str
    """Its first words, up to the first literal, which may be nobody's business."""


class Server(msgspec.Struct, frozen=True):
    """What only a database server can tell."""

    transactions: Sequence[OpenTransaction] = ()
    hidden_sessions: int = 0
    """Sessions of other roles, of which ours is shown nothing."""
    is_standby: bool = False
    is_copy: bool = False
    """Whether its store was named in another database, or not at all."""
    commits_wait_for_disk: bool = True
    hears_notifications: bool | None = None
    """None: not tried."""
    standbys_not_waited_for: int = 0
    """How many servers follow this one without its commits waiting for them."""


class DatabaseFile(msgspec.Struct, frozen=True):
    """What only a database file can tell."""

    path: str
    write_lock_is_held: bool = False
    """Whether nobody else got the right to write for seconds."""
    write_lock_holder: str = ""
    held_back_bytes: int = 0
    """How much of the log a reader has kept out of the database file for seconds."""
    readers: Sequence[int] = ()
    """The processes that are reading, as far as the system tells."""
    free_bytes: int | None = None
    """What is left on its disk."""


class Host(msgspec.Struct, frozen=True):
    """What the machine tells on which all this is asked."""

    mounts: str = ""
    """As in /proc/mounts."""
    gone: Collection[str] = ()
    """The instance ids of workers that said to be on this machine, and whose process is certainly not there."""


class Facts(msgspec.Struct, frozen=True):
    """Everything that the rules look at, as of about one moment."""

    schema: Schema
    clocks: Clocks
    work: Work | None = None
    """None: the tables are not those that this version knows."""
    server: Server | None = None
    file: DatabaseFile | None = None
    host: Host = Host()


# ── findings ─────────────────────────────────────────────────────────────────────────────────────


Problem = Literal[
    "schema_old",
    "schema_newer",
    "schema_changed",
    "clock_skewed",
    "clock_set_back",
    "network_file_system",
    "disk_full",
    "write_lock_held",
    "long_transaction",
    "standby",
    "copied_database",
    "commits_unsafe",
    "no_notifications",
    "dead_worker",
    "upkeep_behind",
    "lane_paused",
    "lane_unserved",
    "capability_missing",
    "schedule_orphaned",
    "work_held",
    "work_failed",
]
PROBLEMS: Final[tuple[Problem, ...]] = get_args(Problem)

Severity = Literal["error", "warning", "advice"]
"""Nothing can be relied on until it is mended; some work does not run; everything works, and could be better."""
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)

_WARNINGS: Final[frozenset[Problem]] = frozenset(
    {
        "clock_set_back",
        "long_transaction",
        "dead_worker",
        "lane_unserved",
        "capability_missing",
        "schedule_orphaned",
    }
)
_ADVICE: Final[frozenset[Problem]] = frozenset(
    {"clock_skewed", "no_notifications", "lane_paused", "work_held", "work_failed"}
)


def severity_of(problem: Problem) -> Severity:
    """How bad a problem is."""
    return "advice" if problem in _ADVICE else "warning" if problem in _WARNINGS else "error"


class Finding(msgspec.Struct, frozen=True):
    """One problem: what is wrong, why that matters, what to do."""

    problem: Problem
    what: str
    why: str
    advice: str

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return severity_of(self.problem)

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        return f"{self.what}: {self.why}; {self.advice}."


def findings(facts: Facts, *, long_transaction_ms: int = LONG_TRANSACTION_MS) -> list[Finding]:
    """Every problem that the facts show, the most fundamental first."""
    found = [
        *_schema(facts.schema),
        *_clocks(facts.clocks, facts.work or Work()),
    ]
    if facts.file is not None:
        found += [*_disk(facts.file, facts.host), *_locks(facts.file)]
    if facts.server is not None:
        found += [*_server(facts.server), *_transactions(facts.server, long_transaction_ms)]
    if facts.work is not None:
        found += [*_work(facts.work, facts.host, facts.clocks.store_ms)]
    return found


def unknowns(facts: Facts) -> list[str]:
    """What could not be looked at, and what would make it visible. Nothing of that is a problem by itself."""
    found = []
    if facts.work is None:
        found.append("Workers, leases and lanes can be looked at once the schema is the one that this version knows.")
    if facts.server is not None and facts.server.hidden_sessions:
        found.append(
            f"{counted(facts.server.hidden_sessions, 'session')} of other roles, whose transactions may be open for "
            "long, cannot be looked into; "
            "grant pg_monitor to the role of this url to see them."
        )
    if facts.server is not None and facts.server.standbys_not_waited_for:
        found.append(
            "A standby follows this server and no commit waits for it, so nobody can say which commits it would lack "
            "if it took over; name it in synchronous_standby_names to lose none."
        )
    if facts.file is not None and _file_system_of(facts.file.path, facts.host.mounts) is None:
        found.append("This system does not tell which file system holds the database; it must be a local one.")
    return found


def kept_sentence(kept: Kept, now_ms: int) -> str:
    """How much of what has ended is still there, and what goes next; empty if there is nothing."""
    to_go, for_ever = (kept.executions_to_go, kept.flows_to_go), (kept.executions_for_ever, kept.flows_for_ever)
    said = []
    if kept.next_at_ms is not None:
        left_ms = kept.next_at_ms - now_ms
        when = f"in {span(left_ms)}" if left_ms > 0 else "now"
        their = "its" if sum(to_go) == 1 else "their"
        what = _executions_and_flows(*to_go)
        said.append(f"{what} will be removed when {their} retention is over, the next one {when}")
    if any(for_ever):
        are = "is" if sum(for_ever) == 1 else "are"
        said.append(f"{_executions_and_flows(*for_ever)} {are} kept for ever, or until `ff purge`")
    return f"Of what has ended, {'; '.join(said)}." if said else ""


def _executions_and_flows(executions: int, flows: int) -> str:
    counts = ((executions, "execution"), (flows, "flow"))
    return " and ".join(_counted(number, noun) for number, noun in counts if number)


def _schema(schema: Schema) -> Iterator[Finding]:
    if schema.refusal is not None:
        newer = schema.found > schema.known
        yield Finding(
            "schema_newer" if newer else "schema_changed",
            f"The schema has version {schema.found}, and this version of flowfabric knows {schema.known}"
            if newer
            else "The schema was made by migrations that differ from those of this version of flowfabric",
            "it refuses to open the database rather than misread it",
            "upgrade flowfabric here" if newer else "use the release of flowfabric that made it",
        )
    elif not schema.is_current:
        yield Finding(
            "schema_old",
            f"The schema has version {schema.found}, and this version of flowfabric needs {schema.known}"
            if schema.found
            else "The database has no tables of flowfabric",
            "engines of this version cannot use it as it is",
            "run `ff migrate`, after a backup",
        )


def _clocks(clocks: Clocks, work: Work) -> Iterator[Finding]:
    if clocks.behind_ms:
        yield Finding(
            "clock_set_back",
            f"The clock of this machine is {span(clocks.behind_ms)} behind the time of the database",
            "it was set back, or was ahead before, so time goes on without it, from the highest that was seen",
            "let NTP set the clock; if it is right now and was wrong before, run `ff clock accept`",
        )
        return
    apart_ms = clocks.machine_ms - clocks.store_ms
    if abs(apart_ms) > SKEW_MS_MAX + clocks.round_trip_ms:
        yield Finding(
            "clock_skewed",
            f"The clock of this machine is {span(abs(apart_ms))} {'ahead of' if apart_ms > 0 else 'behind'} the "
            "database's",
            "delays and deadlines that programs here compute by themselves mean another moment there",
            "let NTP set both clocks",
        )
    ahead_ms = max([clocks.newest_record_ms, *(worker.seen_at_ms for worker in work.workers)]) - clocks.store_ms
    if ahead_ms > SKEW_MS_MAX:
        yield Finding(
            "clock_set_back",
            f"The database's clock is {span(ahead_ms)} behind what was written to it last",
            "it was set back, or was ahead when that was written, so leases and delays of before last that much longer",
            "let NTP set the clock, and revoke leases that are in the way",
        )


def _disk(file: DatabaseFile, host: Host) -> Iterator[Finding]:
    kind = _file_system_of(file.path, host.mounts)
    if kind is not None and NETWORK_FILE_SYSTEM.fullmatch(kind):
        yield Finding(
            "network_file_system",
            f"{file.path} is on a network file system ({kind})",
            "its locks do not hold between machines, and the database can be corrupted",
            "move it to a local disk, or use PostgreSQL",
        )
    if file.free_bytes is not None and file.free_bytes < FREE_BYTES_MIN:
        yield Finding(
            "disk_full",
            f"The disk that holds {file.path} has {_size(file.free_bytes)} left",
            "on a full disk nothing can be submitted, claimed or completed",
            "free some space, or let ended executions go with `ff purge`",
        )


def _file_system_of(path: str, mounts: str) -> str | None:
    """The type of the file system that holds a path; None if the mounts do not say."""
    held_by, kind = "", None
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        mounted_at = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), fields[1])
        is_above = path == mounted_at or path.startswith(mounted_at.rstrip("/") + "/")
        # The longest path is nearest, and of two in one place the later hides the earlier.
        if is_above and len(mounted_at) >= len(held_by):
            held_by, kind = mounted_at, fields[2]
    return kind


def _locks(file: DatabaseFile) -> Iterator[Finding]:
    if file.write_lock_is_held:
        yield Finding(
            "write_lock_held",
            f"{file.write_lock_holder} does not let go of the right to write to {file.path}",
            "nobody can submit, claim or complete anything",
            "look at what it does; if it hangs or is stopped, continue it or end it",
        )
    if file.held_back_bytes:
        pids = ", ".join(map(str, file.readers)) or "unknown"
        yield Finding(
            "long_transaction",
            f"A read that stays open keeps {_size(file.held_back_bytes)} of the log out of {file.path} (pid {pids})",
            "the log grows with every commit and makes all reads slower",
            "end that read, or the program that has forgotten it",
        )


def _server(server: Server) -> Iterator[Finding]:
    if server.is_standby:
        yield Finding(
            "standby",
            "The url leads to a standby server",
            "nothing can be submitted, claimed or completed there",
            "use the address of the primary",
        )
    if server.is_copy:
        yield Finding(
            "copied_database",
            "This database is a copy of another one, or was restored from it",
            "leases of the other one may still be held, so engines refuse to open it",
            "make it a store of its own with `ff migrate`",
        )
    if not server.commits_wait_for_disk:
        yield Finding(
            "commits_unsafe",
            "The server answers commits before they are on its disk (synchronous_commit = off)",
            "a crash of the server loses what was acknowledged",
            "set it to on for this database; commits are grouped, so it costs little",
        )
    if server.hears_notifications is False:
        yield Finding(
            "no_notifications",
            "Notifications do not arrive on this way to the server",
            "idle workers find new work only when they next look, up to their poll interval later",
            "go around the pooler, or put it into session mode, or let workers poll more often",
        )


def _transactions(server: Server, long_ms: int) -> Iterator[Finding]:
    for each in sorted(server.transactions, key=lambda each: -each.age_ms):
        if each.age_ms < long_ms:
            continue
        if each.is_prepared:
            name = each.session.replace("'", "''")
            who, how = f"The prepared transaction {each.session!r}", f"`rollback prepared '{name}'`"
        else:
            program = f" ({each.application})" if each.application else ""
            who = f"Session {each.session}{program}, {each.state},"
            how = f"`select pg_terminate_backend({each.session})`"
        query = f" after {each.query!r}" if each.query else ""
        yield Finding(
            "long_transaction",
            f"{who} has had a transaction open for {span(each.age_ms)}{query}",
            "nothing that was deleted since can be cleaned up, so claims get slower and tables grow",
            f"end it where it comes from, or with {how}",
        )


def _work(work: Work, host: Host, now_ms: int) -> Iterator[Finding]:
    alive = [
        worker for worker in work.workers if worker.is_alive(now_ms) and worker.worker_instance_id not in host.gone
    ]
    yield from _dead_workers(work, alive, host, now_ms)
    yield from _upkeep(work, now_ms)
    yield from _lanes(work, alive, now_ms)
    yield from _schedules(work, now_ms)
    for held in work.held:
        yield _held(held, now_ms)
    for failures in work.failures:
        yield _failed(failures)


def _dead_workers(work: Work, alive: Sequence[Worker], host: Host, now_ms: int) -> Iterator[Finding]:
    living = {(worker.namespace, worker.worker_instance_id) for worker in alive}
    known = {(worker.namespace, worker.worker_instance_id): worker for worker in work.workers}
    for held in work.leases:
        key = (held.namespace, held.worker_instance_id)
        if key in living:
            continue
        worker = known.get(key)
        if worker is None:
            what = f"Worker {held.worker_instance_id!r} is not on the list of workers"
        else:
            what = f"Worker {held.worker_instance_id!r} on {worker.host} (pid {worker.pid}) "
            if held.worker_instance_id in host.gone:
                what += "has no process any more, "
            what += f"was last heard of {span(now_ms - worker.seen_at_ms)} ago"
        left_ms = held.last_expiry_ms - now_ms
        it, they = ("it", "it") if held.count == 1 else ("them", "they")
        yield Finding(
            "dead_worker",
            f"{what} and holds {_counted(held.count, 'lease')}",
            f"nobody else may run {it} for another {span(left_ms)}"
            if left_ms > 0
            else f"{they} ended at least {span(-left_ms)} ago, and nobody has put {it} back into the queue",
            f"to have {it} run now, {_on_each('revoke', held.ids, held.count, held.namespace, 'active')}, "
            "and look into that worker's log"
            if left_ms > 0
            else f"start a worker: its upkeep brings {it} back",
        )


def _held(held: HeldWork, now_ms: int) -> Finding:
    is_one = held.count == 1
    since = "" if held.since_ms is None else f", {'' if is_one else 'the first one '}for {span(now_ms - held.since_ms)}"
    return Finding(
        "work_held",
        f"{_counted(held.count, 'execution')} of namespace {held.namespace!r} {'is' if is_one else 'are'} held by an "
        f"operator{since}",
        "nothing of that runs until somebody lets it go",
        f"when its time has come, {_on_each('unhold', held.ids, held.count, held.namespace, 'waiting')}",
    )


def _failed(failures: Failures) -> Finding:
    where = _in(failures.namespace)
    lists = [
        f"`ff {verb} --state failed{where}`"
        for verb, count in (("flow ls", failures.flows), ("ls", failures.executions))
        if count
    ]
    counts = ((failures.flows, "flow"), (failures.executions, "execution"))
    failed = " and ".join(_counted(number, noun) for number, noun in counts if number)
    return Finding(
        "work_failed",
        f"{failed} of namespace {failures.namespace!r} failed in the last 24 hours",
        "nothing tries that again by itself",
        f"see {' and '.join(lists)}, and `ff show ID` for the reason of one",
    )


def _on_each(verb: str, ids: Sequence[str], count: int, namespace: str, state: str) -> str:
    """What to run for a few executions; of many, how to find them."""
    where = _in(namespace)
    if 0 < count == len(ids):
        return f"run `ff {verb} {' '.join(ids)}{where}`"
    return f"run `ff {verb} ID{where}` for each; `ff ls --state {state}{where}` lists them"


def _upkeep(work: Work, now_ms: int) -> Iterator[Finding]:
    for each in work.overdue:
        if now_ms - each.oldest_ms > OVERDUE_MS_MAX:
            noun, since = _OVERDUE[each.kind]
            yield Finding(
                "upkeep_behind",
                f"{_counted(each.count, noun)} {'has' if each.count == 1 else 'have'} been {since} for up to "
                f"{span(now_ms - each.oldest_ms)}",
                "no open engine does the upkeep, or it fails at them",
                "start a worker; if one runs, look for 'duty failed' in its log",
            )


_OVERDUE: Final[dict[str, tuple[str, str]]] = {
    "lease": ("lease", "over"),
    "delay": ("delay", "over"),
    "attempt_timeout": ("attempt", "past the timeout"),
    "deadline": ("execution", "past the deadline"),
    "retention": ("ended execution", "past the retention"),
    "resolution": ("end", "waiting to be told to all who wait for it"),
    "acknowledgement": ("cancelled member of a flow", "without a word of the worker that held it"),
}


def _lanes(work: Work, alive: Sequence[Worker], now_ms: int) -> Iterator[Finding]:
    paused = {(lane.namespace, lane.lane): lane for lane in work.lanes if lane.is_paused}
    for lane in paused.values():
        yield from _paused(lane, [queue for queue in work.queues if _is_in(queue, lane)], now_ms)
    for queue in work.queues:
        if (queue.namespace, queue.lane) in paused:
            continue
        here = [worker for worker in alive if worker.serves(queue.namespace, queue.lane, ())]
        if any(worker.serves(queue.namespace, queue.lane, queue.required_capabilities) for worker in here):
            continue
        where = f"lane {queue.lane!r} of namespace {queue.namespace!r}"
        since = span(now_ms - queue.oldest_ms)
        is_one = queue.count == 1
        waiting = f"{_counted(queue.count, 'execution')} wait{'s' * is_one} in {where} for up to {since}"
        wanted = ",".join(queue.required_capabilities)
        # Names come from anyone, and advice is pasted into shells.
        lanes, capabilities = f"--lanes {quote(queue.lane)}", f"--capabilities {quote(wanted)}"
        if here:
            yield Finding(
                "capability_missing",
                f"{waiting} and need{'s' * is_one} {wanted}, which no live worker there has",
                "nothing of that runs until one does",
                f"start a worker with `ff worker {lanes} {capabilities}`",
            )
        else:
            yield Finding(
                "lane_unserved",
                f"{waiting}, and no live worker serves it",
                "nothing there runs until one does",
                f"start a worker with `ff worker {lanes}{f' {capabilities}' if wanted else ''}`",
            )


def _paused(lane: LaneState, queues: Sequence[Queue], now_ms: int) -> Iterator[Finding]:
    assert lane.paused_at_ms is not None
    if queues:
        because = f" ({lane.reason})" if lane.reason else ""
        waiting = sum(queue.count for queue in queues)
        yield Finding(
            "lane_paused",
            f"Lane {lane.lane!r} of namespace {lane.namespace!r} has been paused for {span(now_ms - lane.paused_at_ms)}"
            f"{because}, and {_counted(waiting, 'execution')} wait{'s' * (waiting == 1)} in it",
            "nothing of that is claimed until somebody resumes it",
            f"when its time has come, run `ff lanes resume {quote(lane.lane)}{_in(lane.namespace)}`",
        )


def _is_in(queue: Queue, lane: LaneState) -> bool:
    return (queue.namespace, queue.lane) == (lane.namespace, lane.lane)


def _schedules(work: Work, now_ms: int) -> Iterator[Finding]:
    for schedule in work.schedules:
        if schedule.is_orphaned(now_ms) and schedule.paused_at_ms is None:
            named = schedule.definition
            yield Finding(
                "schedule_orphaned",
                f"Schedule {named.name!r} of namespace {named.namespace!r} was last looked at by a program that has it "
                f"{span(now_ms - schedule.seen_at_ms)} ago",
                "it fires nothing until one does again",
                "start a worker of that program, or drop it with "
                f"`ff schedules forget {quote(named.name)}{_in(named.namespace)}`",
            )


def _in(namespace: str) -> str:
    """What a command has to be told of where: nothing in the namespace that it takes by itself."""
    return "" if namespace == DEFAULT_NAMESPACE else f" --namespace {quote(namespace)}"


def _counted(number: int, noun: str) -> str:
    first, _, rest = noun.partition(" of ")
    return f"{number} {first}{'' if number == 1 else 's'}{f' of {rest}' if rest else ''}"


def _size(size: int) -> str:
    return f"{size / 1_048_576:.1f} MiB" if size >= 1_048_576 else f"{size / 1024:.0f} KiB"
