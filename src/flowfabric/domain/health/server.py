"""Facts that only a database server has, and the rules that judge them."""

from collections.abc import Iterator, Sequence

import msgspec

from flowfabric.domain.health.facts import Host, StoreFacts
from flowfabric.domain.health.finding import Finding
from flowfabric.domain.words import counted, span


class OpenTransaction(msgspec.Struct, frozen=True):
    """A transaction that is open on a server."""

    session: str
    """Its process id, or the name of a prepared transaction."""
    is_prepared: bool
    age_ms: int
    application: str
    state: str
    query: str
    """Its first words, up to the first literal: literals may be confidential."""


class Server(StoreFacts, frozen=True):
    """Facts that only a database server has."""

    transactions: Sequence[OpenTransaction] = ()
    hidden_sessions: int = 0
    """How many sessions of other roles our role cannot see."""
    is_standby: bool = False
    is_copy: bool = False
    """Whether the database is a copy: its store got its name in another database, or has no name."""
    commits_wait_for_disk: bool = True
    hears_notifications: bool | None = None
    """None: not tried."""
    standbys_not_waited_for: int = 0
    """How many servers follow this one without its commits waiting for them."""

    def findings(self, host: Host, *, long_transaction_ms: int) -> Iterator[Finding]:
        """The problems of the server, and of the connection to it."""
        yield from self._of_its_state()
        yield from self._of_transactions(long_transaction_ms)

    def unknowns(self, host: Host) -> Iterator[str]:
        """Sessions and standbys that our role cannot see."""
        if self.hidden_sessions:
            yield (
                f"{counted(self.hidden_sessions, 'session')} of other roles, whose transactions may be open for "
                "long, cannot be looked into; "
                "grant pg_monitor to the role of this url to see them."
            )
        if self.standbys_not_waited_for:
            yield (
                "A standby follows this server and no commit waits for it, so it is unknown which commits it would "
                "lack if it took over; name it in synchronous_standby_names to lose none."
            )

    def _of_its_state(self) -> Iterator[Finding]:
        if self.is_standby:
            yield Finding(
                "standby",
                "The url leads to a standby server",
                "nothing can be submitted, claimed or completed there",
                "use the address of the primary",
            )
        if self.is_copy:
            yield Finding(
                "copied_database",
                "This database is a copy of another one, or was restored from it",
                "leases of the other one may still be held, so engines refuse to open it",
                "make it a store of its own with `ff migrate`",
            )
        if not self.commits_wait_for_disk:
            yield Finding(
                "commits_unsafe",
                "The server answers commits before they are on its disk (synchronous_commit = off)",
                "a crash of the server loses what was acknowledged",
                "set it to on for this database; commits are grouped, so it costs little",
            )
        if self.hears_notifications is False:
            yield Finding(
                "no_notifications",
                "Notifications do not arrive on this way to the server",
                "idle workers find new work only with their next poll, up to their poll interval later",
                "go around the pooler, or put it into session mode, or let workers poll more often",
            )

    def _of_transactions(self, long_ms: int) -> Iterator[Finding]:
        for each in sorted(self.transactions, key=lambda each: -each.age_ms):
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
