"""An experiment: a command that exists in this file alone. `docs/internals.md` lists what it takes.

It has a value, an answer, a rule and a method of an engine. No other file knows of it, and everything else follows from
its declaration: what is loaded, which batch it shares, which committer takes it, and that it may be sent twice.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from flowfabric import Conflict, Engine, ManualClock, NotFound
from flowfabric.app import open_store
from flowfabric.domain.batch_io import ClaimNeed
from flowfabric.domain.commands import Command, Envelope, Hold, PauseLane
from flowfabric.domain.decide import needs
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.ids import ExecutionId, parse_execution_id
from flowfabric.domain.inputs import PAYLOAD_BYTES_MAX
from flowfabric.domain.outcomes import Answer, Claimed, Created
from flowfabric.domain.working_set import WorkingSet
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import BlockingShell, run_now
from flowfabric.engine.tickets import Ticket, route_key
from flowfabric.ports.store import Store
from flowfabric.reconcilers.sweep import Sweeper
from tests.assembled import Assembled, assembled
from tests.engine.commands import a_claim, an_id, creation, one_batch_under_way, sent
from tests.engine.commands import answers as answers_of
from tests.faulty_store import FaultyStore

# ── the answer ───────────────────────────────────────────────────────────────────────────────────


class Advertised(Answer, frozen=True, tag=True):
    """The notice is there; it is so long."""

    execution_id: str
    length: int


# ── the value ────────────────────────────────────────────────────────────────────────────────────


class Advertise(Command[Advertised], frozen=True, tag=True, gc=False):
    """Put a notice on an execution, for everyone who reads the log."""

    execution_id: ExecutionId
    words: str


# ── the rule ─────────────────────────────────────────────────────────────────────────────────────


@rule(Advertise, sees=its_executions, leaves_queue=True, weight=lambda command: 1 + len(command.words))
def advertise(ws: WorkingSet, command: Advertise, scope: str | None) -> Advertised:
    """Write the notice."""
    x = ws.execution(command.execution_id, scope)
    ws.executions.put(ws.emit(x, "operator", "advertised", {"words": command.words}))
    return Advertised(x.execution_id, len(command.words))


# ── the method ───────────────────────────────────────────────────────────────────────────────────


class Advertising(Engine):
    """An engine with one method more."""

    async def advertise(self, execution_id: str, words: str, *, command_id: str | None = None) -> Advertised:
        """Put a notice on an execution."""
        return await self._execute(Advertise(parse_execution_id(execution_id), words), command_id)


# ── the tests ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def store(clock: ManualClock) -> Iterator[FaultyStore]:
    opened = FaultyStore(open_store("memory://", clock=clock))
    yield opened
    opened.close()


@contextmanager
def advertising(store: Store, scope: str | None = None) -> Iterator[tuple[Assembled, Advertising]]:
    with assembled(store) as parts:
        upkeep = Sweeper(store, parts.commits)
        services = Services(parts.commits, parts.wakeups, upkeep, BlockingShell(parts.commits), PAYLOAD_BYTES_MAX)
        yield parts, Advertising(services, scope)


def test_it_is_decided_committed_and_answered(store: FaultyStore):
    with advertising(store) as (parts, engine):
        made = parts.engine.create_execution("mail")

        answer = run_now(engine.advertise(made.execution_id, "hello"))

        assert answer == Advertised(made.execution_id, 5)
        page = parts.engine.read_events(execution_id=made.execution_id)
        assert [(event.event_type, event.details) for event in page.events] == [("advertised", {"words": "hello"})]


def test_it_is_refused_where_its_execution_is_not_known(store: FaultyStore):
    with advertising(store, "elsewhere") as (parts, engine):
        made = parts.engine.create_execution("mail")

        with pytest.raises(NotFound):
            run_now(engine.advertise(made.execution_id, "hello"))


def test_sent_twice_under_one_id_it_has_one_effect_and_one_answer(store: FaultyStore):
    with advertising(store) as (parts, engine):
        made = parts.engine.create_execution("mail")

        first = run_now(engine.advertise(made.execution_id, "hello", command_id="c-1"))
        second = run_now(engine.advertise(made.execution_id, "hello", command_id="c-1"))

        assert second == first
        assert len(parts.engine.read_events(execution_id=made.execution_id).events) == 1
        with pytest.raises(Conflict):
            run_now(engine.advertise(made.execution_id, "something else", command_id="c-1"))


def test_it_shares_a_batch_with_others_and_keeps_their_order(store: FaultyStore):
    with advertising(store) as (parts, _):
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, creation(1), Advertise(an_id(1), "hello"), a_claim(1), Hold(an_id(2), ""))
        told = answers_of(futures)

        assert [type(answer) for answer in told[:2]] == [Created, Advertised]
        assert [claimed.execution_id for claimed in told[2] if isinstance(claimed, Claimed)] == [an_id(1)]
        assert isinstance(told[3], NotFound)
        assert store.begun == 2  # the batch that was under way, and one for all of these


def test_what_it_declares_is_what_its_batch_loads():
    wanted = needs([Envelope(Advertise(an_id(1), "hello"), None, "c-1"), Envelope(a_claim(3))])

    assert wanted.executions == {an_id(1)}
    assert wanted.answers == {("", "c-1")}
    assert wanted.claims == {ClaimNeed("default", ("default",), frozenset()): 4}
    with pytest.raises(AssertionError, match="one class"):
        needs([Envelope(Advertise(an_id(1), "hello")), Envelope(PauseLane("default", "default", ""))])


def test_its_weight_its_route_and_its_names_follow_from_its_declaration_and_its_fields():
    ticket = Ticket(Envelope(Advertise(an_id(1), "hello")))

    assert ticket.weight == 6
    assert ticket.names == {an_id(1)}
    assert route_key(ticket.envelope.command) == an_id(1)
    assert (ticket.comes_again, ticket.is_renewal, ticket.is_moot) == (False, False, False)
