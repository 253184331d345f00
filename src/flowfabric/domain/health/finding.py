"""What can be wrong with a database and its workers, and how bad each problem is."""

from typing import Final, Literal, get_args

import msgspec

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
    "wait_endless",
    "limit_miscounted",
    "budget_miscounted",
    "budget_exceeded",
    "counts_wrong",
]
PROBLEMS: Final[tuple[Problem, ...]] = get_args(Problem)

Severity = Literal["error", "warning", "advice"]
"""Error: nothing can be relied on until it is repaired. Warning: some work does not run. Advice: everything works, but
could be better."""
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)

_WARNINGS: Final[frozenset[Problem]] = frozenset(
    {
        "clock_set_back",
        "long_transaction",
        "dead_worker",
        "lane_unserved",
        "capability_missing",
        "schedule_orphaned",
        "limit_miscounted",
        "budget_miscounted",
        "counts_wrong",
    }
)
_ADVICE: Final[frozenset[Problem]] = frozenset(
    {"clock_skewed", "no_notifications", "lane_paused", "work_held", "work_failed", "wait_endless", "budget_exceeded"}
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
