"""`ff doctor`: whether anything is wrong with a database and its workers."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import Exit
from flowfabric.cli.filters import span_ms
from flowfabric.cli.output import Json, State, document, note, say
from flowfabric.cli.target import HERE, Target, existing
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.health import Finding, Host, Work

MOUNTS: Final = "/proc/mounts"


@watchable
def doctor(
    *,
    long_transaction: Annotated[str, Parameter(help="How long a transaction may stay open, such as 30s.")] = "10s",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Look for what is wrong with the database and its workers, and say what to do about it.

    It ends with exit code 0 if nothing is wrong or there is only advice, and with 1 otherwise. Nothing is changed.
    """
    from msgspec.structs import replace

    from flowfabric.app import examine
    from flowfabric.domain.health import findings, kept_sentence, unknowns
    from flowfabric.domain.snapshots import all_kept

    long_ms = span_ms("--long-transaction", long_transaction)
    place = at.place()
    facts = examine(existing(place))
    facts = replace(facts, host=_host(facts.work))
    namespace = at.namespace_at(place)
    if namespace is not None and facts.work is not None:
        facts = replace(facts, work=_only(facts.work, namespace))
    found = findings(facts, long_transaction_ms=long_ms)
    not_seen = unknowns(facts)
    is_healthy = all(each.severity == "advice" for each in found)
    kept = None if facts.work is None else all_kept(facts.work.kept.values())
    if json:
        problems = [_in_json(each) for each in found]
        document({"healthy": is_healthy, "problems": problems, "unknown": not_seen, "kept": kept})
    else:
        for sentence in not_seen:
            note(sentence)
        if kept is not None and (sentence := kept_sentence(kept, facts.clocks.store_ms)):
            note(sentence)
        for each in found:
            say(State(each.severity), f": {each.problem}: {each.sentence}")
        say(_summary(found))
    if not is_healthy:
        raise SystemExit(Exit.NOT_DONE)


def _in_json(each: "Finding") -> dict[str, str]:
    return {
        "problem": each.problem,
        "severity": each.severity,
        "what": each.what,
        "why": each.why,
        "advice": each.advice,
    }


def _summary(found: "list[Finding]") -> str:
    if not found:
        return "Nothing is wrong."
    counts = Counter(each.severity for each in found)
    said = [counted(counts["error"], "error"), counted(counts["warning"], "warning")]
    if counts["advice"]:
        said.append(f"{counts['advice']} {'piece' if counts['advice'] == 1 else 'pieces'} of advice")
    return f"Found: {', '.join(said)}."


def _only(work: "Work", namespace: str) -> "Work":
    """What of it belongs to a namespace; upkeep is everybody's."""
    from msgspec.structs import replace

    return replace(
        work,
        workers=[each for each in work.workers if each.namespace == namespace],
        leases=[each for each in work.leases if each.namespace == namespace],
        queues=[each for each in work.queues if each.namespace == namespace],
        lanes=[each for each in work.lanes if each.namespace == namespace],
        schedules=[each for each in work.schedules if each.definition.namespace == namespace],
        kept={namespace: work.kept[namespace]} if namespace in work.kept else {},
    )


def _host(work: "Work | None") -> "Host":
    """What this machine knows of the file systems, and of workers that say to be here."""
    import socket
    from pathlib import Path

    from flowfabric.domain.health import Host

    try:
        mounts = Path(MOUNTS).read_text("utf-8", "replace")
    except OSError:  # not Linux
        mounts = ""
    here = [] if work is None else [worker for worker in work.workers if worker.host == socket.gethostname()]
    return Host(
        mounts, frozenset(worker.worker_instance_id for worker in here if worker.pid > 0 and not _is_there(worker.pid))
    )


def _is_there(pid: int) -> bool:
    import os

    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # someone else's
    return True
