"""What the facts mean: every problem that they show, and what they cannot show."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.health.facts import Clocks, Facts, Schema, Work
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.health.gates import facts_in
from flowfabric.domain.health.work import of_work
from flowfabric.domain.snapshots import Kept
from flowfabric.domain.words import counted, span, span_ahead

LONG_TRANSACTION_MS: Final = 10_000
"""A transaction of flowfabric never takes so long: a batch takes milliseconds."""
SKEW_MS_MAX: Final = 2_000


def findings(facts: Facts, *, long_transaction_ms: int = LONG_TRANSACTION_MS) -> list[Finding]:
    """Every problem that the facts show, the most fundamental first."""
    found = [
        *_schema(facts.schema),
        *_clocks(facts.clocks, facts.work or Work()),
    ]
    if facts.store is not None:
        found += facts.store.findings(facts.host, long_transaction_ms=long_transaction_ms)
    if facts.work is not None:
        found += [*of_work(facts.work, facts.host, facts.clocks.store_ms)]
    return found


def unknowns(facts: Facts) -> list[str]:
    """What could not be examined, and how to make it visible. None of this is a problem by itself."""
    found = []
    if facts.work is None:
        found.append("Workers, leases and lanes can be looked at once the schema is the one that this version knows.")
    if facts.store is not None:
        found += facts.store.unknowns(facts.host)
    return found


def summary(found: Sequence[Finding]) -> str:
    """How much is wrong, in one sentence."""
    if not found:
        return "Nothing is wrong."
    counts = Counter(each.severity for each in found)
    said = [counted(counts["error"], "error"), counted(counts["warning"], "warning")]
    if counts["advice"]:
        said.append(f"{counts['advice']} {'piece' if counts['advice'] == 1 else 'pieces'} of advice")
    return f"Found: {', '.join(said)}."


def work_in(work: Work, namespace: str) -> Work:
    """The part of the work that belongs to a namespace. Upkeep belongs to all namespaces."""
    return replace(
        work,
        workers=[each for each in work.workers if each.namespace == namespace],
        leases=[each for each in work.leases if each.namespace == namespace],
        queues=[each for each in work.queues if each.namespace == namespace],
        lanes=[each for each in work.lanes if each.namespace == namespace],
        schedules=[each for each in work.schedules if each.definition.namespace == namespace],
        held=[each for each in work.held if each.namespace == namespace],
        failures=[each for each in work.failures if each.namespace == namespace],
        endless=[each for each in work.endless if each.namespace == namespace],
        kept={namespace: work.kept[namespace]} if namespace in work.kept else {},
        gates=facts_in(work.gates, namespace),
        miscounts=[each for each in work.miscounts if each.namespace == namespace],
    )


def kept_sentence(kept: Kept, now_ms: int) -> str:
    """How many ended executions and flows are still stored, and when the next ones are removed. Empty: none are."""
    to_go, for_ever = (kept.executions_to_go, kept.flows_to_go), (kept.executions_for_ever, kept.flows_for_ever)
    said = []
    if kept.next_at_ms is not None:
        left_ms = kept.next_at_ms - now_ms
        when = f"in {span_ahead(left_ms)}" if left_ms > 0 else "now"
        their = "its" if sum(to_go) == 1 else "their"
        what = _executions_and_flows(*to_go)
        said.append(f"{what} will be removed when {their} retention is over, the next one {when}")
    if any(for_ever):
        are = "is" if sum(for_ever) == 1 else "are"
        said.append(f"{_executions_and_flows(*for_ever)} {are} kept for ever, or until `ff purge`")
    return f"Of what has ended, {'; '.join(said)}." if said else ""


def secrets_sentence(stored: int, *, in_environment: bool) -> str:
    """Where the secrets that sign tokens are. Empty: there are none yet, because nobody has needed one."""
    one = stored == 1
    if in_environment:
        unused = f" The database keeps {counted(stored, 'other')}, which sign{'s' * one} nothing now." if stored else ""
        return f"The secrets that sign tokens come from the environment of this process.{unused}"
    if not stored:
        return ""
    return (
        f"{counted(stored, 'secret')} that sign{'s' * one} tokens {'is' if one else 'are'} kept in the database: "
        "everybody who can read its tables or a backup can make tokens."
    )


def _executions_and_flows(executions: int, flows: int) -> str:
    counts = ((executions, "execution"), (flows, "flow"))
    return " and ".join(counted(number, noun) for number, noun in counts if number)


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
