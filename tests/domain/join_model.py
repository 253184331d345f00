"""What joins mean, in counts and three sentences about them: a model that knows nothing of the code."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum

LOSSES = ("failed", "cancelled", "expired", "skipped")
SHOWN = {
    "success": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "expired": "expired",
    "skipped": "skipped",
}


class Wanted(NamedTuple):
    """What one child waits for: so many of these must complete; then, maybe, the others are of no use."""

    upstreams: Sequence[str]
    successes: int
    cancels_the_rest: bool


class Model:
    """Who has ended how, and which children are decided."""

    def __init__(self, children: Mapping[str, Wanted]) -> None:
        self.children = children
        self.ends: dict[str, str] = {}
        self.decided: dict[str, str] = {}
        self.needless: set[str] = set()
        """Whom the engine has cancelled."""

    def fork(self) -> "Model":
        other = Model(self.children)
        other.ends, other.decided, other.needless = dict(self.ends), dict(self.decided), set(self.needless)
        return other

    @property
    def open(self) -> list[str]:
        """Upstreams that have not ended."""
        every = dict.fromkeys(name for wanted in self.children.values() for name in wanted.upstreams)
        return [name for name in every if name not in self.ends]

    def end(self, name: str, how: str) -> None:
        """Somebody has ended, an upstream or a child."""
        self.ends[name] = how
        self.conclude()

    def conclude(self) -> None:
        """Draw every conclusion from who has ended."""
        for child, wanted in self.children.items():
            if child not in self.decided and child not in self.ends:
                self._judge(child, wanted)
        for upstream in self.open:
            if self._is_needless(upstream):
                self.needless.add(upstream)
                self.end(upstream, "cancelled")

    def _judge(self, child: str, wanted: Wanted) -> None:
        outcomes = [self.ends.get(name) for name in wanted.upstreams]
        if outcomes.count("success") >= wanted.successes:
            self.decided[child] = "satisfied"
        elif len(outcomes) - sum(outcome in LOSSES for outcome in outcomes) < wanted.successes:
            self.decided[child] = "impossible"
            self.ends[child] = "skipped"

    def _is_needless(self, upstream: str) -> bool:
        served = [child for child, wanted in self.children.items() if upstream in wanted.upstreams]
        settled = all(child in self.decided or child in self.ends for child in served)
        return settled and any(child in self.decided and self.children[child].cancels_the_rest for child in served)

    def counts(self, child: str) -> tuple[int, int, int, int]:
        """Total, successes, failures, skips."""
        outcomes = [self.ends.get(name) for name in self.children[child].upstreams]
        failures = sum(outcome in LOSSES[:3] for outcome in outcomes)
        return len(outcomes), outcomes.count("success"), failures, outcomes.count("skipped")

    def shows(self, child: str) -> str:
        """The public state of a child that nobody claims."""
        if child in self.ends:
            return SHOWN[self.ends[child]]
        return "waiting" if child in self.decided else "waiting_children"


def wanted_by(join: Join, upstreams: Sequence[str]) -> Wanted:
    if isinstance(join, AllOf):
        return Wanted(upstreams, len(upstreams), False)
    successes = join.k if isinstance(join, Quorum) else 1
    return Wanted(upstreams, successes, join.on_satisfied == "cancel_remaining")


def joins_of(upstreams: int) -> list[Join]:
    joins: list[Join] = [AllOf()]
    for rest in ("cancel_remaining", "let_run"):
        joins += [AnyOf(rest), *(Quorum(k, rest) for k in range(1, upstreams + 1))]
    return joins


def named(join: Join) -> str:
    return "-".join(str(each) for each in (type(join).__name__, *(getattr(join, f) for f in join.__struct_fields__)))
