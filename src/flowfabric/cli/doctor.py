"""`ff doctor`: whether anything is wrong with a database and its workers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.exits import Exit
from flowfabric.cli.filters import span_ms
from flowfabric.cli.output import Json, State, document, note, say
from flowfabric.cli.target import HERE, Target, existing, opened_at
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flowfabric.domain.health.facts import Facts, Host
    from flowfabric.domain.health.finding import Finding
    from flowfabric.domain.workers import Worker

MOUNTS: Final = "/proc/mounts"
PID_NAMESPACE: Final = "/proc/self/ns/pid"
FIRST_PID_NAMESPACE: Final = "pid:[4026531836]"
"""The first namespace of processes has this number on every Linux machine. Inside it all processes are visible."""
START_MS_MARGIN: Final = 2_000
ENDED: Final = ("Z", "X")
"""The states of processes that have ended but are still listed."""


@watchable
def doctor(
    *,
    long_transaction: Annotated[str, Parameter(help="How long a transaction may stay open, such as 30s.")] = "10s",
    mend: Annotated[bool, Parameter(help="Put right kept counts that are wrong.", negative="")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Look for problems of the database and its workers, and say what to do about them.

    The exit code is 0 if there is no problem or only advice, and 1 otherwise. Nothing is changed, except with `--mend`.
    """
    from msgspec.structs import replace

    from flowfabric.domain.health.judging import findings, kept_sentence, secrets_sentence, summary, unknowns, work_in
    from flowfabric.domain.snapshots import all_kept

    long_ms = span_ms("--long-transaction", long_transaction)
    place = at.place()
    facts = examined(existing(place))
    if mend and facts.work is not None and facts.work.miscounts:
        with opened_at(place, at) as engine:
            note(f"{counted(engine.recount(), 'kept count')} put right.")
        facts = examined(existing(place))
    namespace = at.namespace_at(place)
    if namespace is not None and facts.work is not None:
        facts = replace(facts, work=work_in(facts.work, namespace))
    found = findings(facts, long_transaction_ms=long_ms)
    not_seen = unknowns(facts)
    is_healthy = all(each.severity == "advice" for each in found)
    kept = None if facts.work is None else all_kept(facts.work.kept.values())
    secrets = None if facts.work is None else _Secrets(facts.work.secrets_stored, _has_secrets_here())
    if json:
        problems = [_in_json(each) for each in found]
        kept_in = None if secrets is None else secrets.kept_in
        document(
            {"healthy": is_healthy, "problems": problems, "unknown": not_seen, "kept": kept, "secrets_in": kept_in}
        )
    else:
        for sentence in not_seen:
            note(sentence)
        if kept is not None and (sentence := kept_sentence(kept, facts.clocks.store_ms)):
            note(sentence)
        if secrets is not None and (
            sentence := secrets_sentence(secrets.stored, in_environment=secrets.in_environment)
        ):
            note(sentence)
        for each in found:
            say(State(each.severity), f": {each.problem}: {each.sentence}")
        say(summary(found))
    if not is_healthy:
        raise SystemExit(Exit.NOT_DONE)


def examined(url: str) -> "Facts":
    """The facts about the health of a url's database, with those that only this machine knows."""
    from msgspec.structs import replace

    from flowfabric.app import examine

    facts = examine(url)
    return replace(facts, host=_host(facts))


class _Secrets(NamedTuple):
    """Where the secrets are that sign tokens."""

    stored: int
    in_environment: bool

    @property
    def kept_in(self) -> str | None:
        return "environment" if self.in_environment else "database" if self.stored else None


def _has_secrets_here() -> bool:
    """Whether this process would take the secrets that sign tokens from its environment. They are not read."""
    from flowfabric.engine.signing import FILE_VARIABLE, KEYS_VARIABLE

    return any(os.environ.get(name) for name in (KEYS_VARIABLE, FILE_VARIABLE))


def _in_json(each: "Finding") -> dict[str, str]:
    return {
        "problem": each.problem,
        "severity": each.severity,
        "what": each.what,
        "why": each.why,
        "advice": each.advice,
    }


def _host(facts: "Facts") -> "Host":
    """What this machine knows about the file systems, and about the workers that run here by their own report."""
    from flowfabric.domain.health.facts import Host

    try:
        mounts = Path(MOUNTS).read_text("utf-8", "replace")
    except OSError:  # not Linux
        mounts = ""
    return Host(mounts, frozenset() if facts.work is None else _gone(facts.work.workers, facts.clocks.store_ms))


def _gone(workers: "Sequence[Worker]", now_ms: int) -> frozenset[str]:
    """Workers of this machine whose process is certainly gone; empty if this process cannot see all others."""
    import socket

    here = [worker for worker in workers if worker.host == socket.gethostname() and worker.pid > 0]
    if not here or not _sees_all_processes():
        return frozenset()
    starts = _starts(now_ms)
    return frozenset(
        worker.worker_instance_id
        for worker in here
        # A process that began after the worker's last report only has the same number.
        if not any(began_ms <= worker.seen_at_ms + START_MS_MARGIN for began_ms in starts.get(worker.pid, ()))
    )


def _sees_all_processes() -> bool:
    """Whether this is no container. Inside a container, other containers with the same host name are invisible."""
    try:
        return os.readlink(PID_NAMESPACE) == FIRST_PID_NAMESPACE and os.path.exists("/proc/1")
    except OSError:  # not Linux
        return False


def _starts(now_ms: int) -> dict[int, list[int]]:
    """When each process of this machine began, by its number here and by its number in its container."""
    import time

    up_s = time.clock_gettime(time.CLOCK_BOOTTIME)
    tick_s = 1 / os.sysconf("SC_CLK_TCK")
    found: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            status = (folder / "status").read_text("utf-8", "replace")
            stat = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        if stat[0] in ENDED:
            continue
        began_ms = now_ms - int((up_s - int(stat[19]) * tick_s) * 1000)
        numbers = next((line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:")), [folder.name])
        for number in numbers:
            found.setdefault(int(number), []).append(began_ms)
    return found
