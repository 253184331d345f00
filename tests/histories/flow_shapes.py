"""The small flows that histories are about."""

from typing import Final, NamedTuple


class Join(NamedTuple):
    """How many upstreams must complete, and what becomes of the others then."""

    needed: int | None = None
    """None: all of them."""
    cancels: bool = False
    """Whether upstreams that are no longer needed are cancelled."""


class Shape(NamedTuple):
    """A flow as it is submitted: each edge is a pair of letters."""

    members: str
    edges: tuple[str, ...]
    joins: tuple[tuple[str, Join], ...] = ()
    """Members that do not wait for all of their upstreams."""

    def join(self, member: str) -> Join:
        """How the edges that lead to the member are joined."""
        return dict(self.joins).get(member, Join())


SHAPES: Final = {
    "chain": Shape("abc", ("ab", "bc")),
    "diamond": Shape("abcd", ("ab", "ac", "bd", "cd")),
    "any": Shape("abcd", ("ab", "ac", "bd", "cd"), (("d", Join(1, True)),)),
    "any-let-run": Shape("abcd", ("ac", "bc", "cd"), (("c", Join(1, False)),)),
    "quorum": Shape("abcd", ("ad", "bd", "cd"), (("d", Join(2, True)),)),
    "quorum-let-run": Shape("abcde", ("ad", "bd", "cd", "de"), (("d", Join(2, False)),)),
}
ADDED: Final = "x"
"""The member that may be added to a flow later. It waits for all members that it is added after."""
RETRIES: Final = 1
"""How often a member is retried within one life."""
