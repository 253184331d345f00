"""Rules about work: workers, leases, lanes, schedules, and what operators and failures keep from running."""

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Final

from flowfabric.domain.counting import ExecutionStanding, Miscount, standing_in
from flowfabric.domain.health.facts import EndlessWaits, Failures, HeldWork, Host, Queue, Work
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.health.gates import of_gates
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.words import counted, span, span_ahead
from flowfabric.domain.workers import Worker

OVERDUE_MS_MAX: Final = 10_000
"""Upkeep runs every second. If something is overdue for longer, upkeep does not run, or it fails."""

_OVERDUE: Final[dict[str, tuple[str, str]]] = {
    "lease": ("lease", "over"),
    "delay": ("delay", "over"),
    "attempt_timeout": ("attempt", "past the timeout"),
    "deadline": ("execution", "past the deadline"),
    "retention": ("ended execution", "past the retention"),
    "resolution": ("end", "waiting to be passed on to the executions that wait for it"),
    "wait": ("wait", "past its timeout"),
    "acknowledgement": ("cancelled member of a flow", "without an acknowledgement of its worker"),
    "gate": ("queue of a limit or budget", "waiting to be looked at"),
}


def of_work(work: Work, host: Host, now_ms: int) -> Iterator[Finding]:
    """The problems that keep work from running."""
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
    for endless in work.endless:
        yield _endless(endless, now_ms)
    yield from of_gates(work.gates, now_ms)
    if work.miscounts:
        yield _miscounted(work.miscounts)


def _miscounted(wrong: Sequence[Miscount]) -> Finding:
    first = wrong[0]
    standing = standing_in(first.standing)
    if isinstance(standing, ExecutionStanding):
        what = f"{first.kind!r} in lane {first.lane!r} that are {standing.public_state}"
    else:
        what = f"flows that are {standing.state}"
    return Finding(
        "counts_wrong",
        f"{counted(len(wrong), 'kept count')} {'differs' if len(wrong) == 1 else 'differ'} from what there is: "
        f"of {what}, {first.kept} were counted in namespace {first.namespace!r}, and there are {first.counted}",
        "rows were changed by hand, or an older version of flowfabric has written beside this one, so `ff stats` and "
        "`ff lanes` show wrong numbers, and lists by state, lane or task may end too early. All work runs as it should",
        "run `ff doctor --mend`",
    )


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
            f"{what} and holds {counted(held.count, 'lease')}",
            f"nobody else may run {it} for another {span_ahead(left_ms)}"
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
        f"{counted(held.count, 'execution')} of namespace {held.namespace!r} {'is' if is_one else 'are'} held by an "
        f"operator{since}",
        "nothing of that runs until an operator ends the hold",
        f"when its time has come, {_on_each('unhold', held.ids, held.count, held.namespace, 'waiting')}",
    )


def _endless(waits: EndlessWaits, now_ms: int) -> Finding:
    is_one = waits.count == 1
    where = _in(waits.namespace)
    since = span(now_ms - waits.since_ms)
    end_it = _on_each("cancel", waits.ids, waits.count, waits.namespace, "suspended")
    return Finding(
        "wait_endless",
        f"{counted(waits.count, 'execution')} of namespace {waits.namespace!r} {'has' if is_one else 'have'} waited "
        f"{'for' if is_one else 'for up to'} {since} without a timeout and without a deadline",
        "no timer ends such a wait, and perhaps everybody has forgotten it",
        f"see `ff waiting{where}`; answer, or {end_it}; and give such waits a timeout",
    )


def _failed(failures: Failures) -> Finding:
    where = _in(failures.namespace)
    lists = [
        f"`ff {verb} --state failed{where}`"
        for verb, count in (("flow ls", failures.flows), ("ls", failures.executions))
        if count
    ]
    counts = ((failures.flows, "flow"), (failures.executions, "execution"))
    failed = " and ".join(counted(number, noun) for number, noun in counts if number)
    return Finding(
        "work_failed",
        f"{failed} of namespace {failures.namespace!r} failed in the last 24 hours",
        "nothing tries that again by itself",
        f"see {' and '.join(lists)}, and `ff show ID` for the reason of one",
    )


def _on_each(verb: str, ids: Sequence[str], count: int, namespace: str, state: str) -> str:
    """The command to run for a few executions; for many, also how to find them."""
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
                f"{counted(each.count, noun)} {'has' if each.count == 1 else 'have'} been {since} for up to "
                f"{span(now_ms - each.oldest_ms)}",
                "no open engine does the upkeep, or it fails at them",
                "start a worker; if one runs, look for 'sweep failed' or 'could not be done' in its log",
            )


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
        waiting = f"{counted(queue.count, 'execution')} wait{'s' * is_one} in {where} for up to {since}"
        wanted = ",".join(queue.required_capabilities)
        # Anyone may choose a name, and people paste this advice into shells, so names are quoted.
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
            f"{because}, and {counted(waiting, 'execution')} wait{'s' * (waiting == 1)} in it",
            "nothing of that is claimed until an operator resumes the lane",
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
                f"Schedule {named.name!r} of namespace {named.namespace!r} was last polled by a program that has its "
                f"code {span(now_ms - schedule.seen_at_ms)} ago",
                "it fires nothing until such a program runs again",
                "start a worker of that program, or drop it with "
                f"`ff schedules forget {quote(named.name)}{_in(named.namespace)}`",
            )


def _in(namespace: str) -> str:
    """The option that names the namespace, empty for the default namespace."""
    return "" if namespace == DEFAULT_NAMESPACE else f" --namespace {quote(namespace)}"
