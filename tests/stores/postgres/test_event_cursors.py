"""Cursors under concurrent commits: event ids become visible out of order, and still nothing is lost or told twice."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from uuid import UUID

import pytest
from msgspec.structs import astuple, replace

from flowfabric import BlockingEngine, Event, ExecutionPolicy, InvalidInput
from flowfabric.domain.cursors import pack_cursor
from flowfabric.domain.events import EventPage
from flowfabric.domain.listing import EventFilter, ListPosition
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres.event_position import EventPosition, event_cursor, position_in
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
from tests.postgres_server import connected, empty_store, own_server
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import wait_until


class Writer:
    """Another engine's transaction, step by step: what it appends is seen when it commits."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def begin(self) -> None:
        """Open a transaction that has its transaction id from the start, as one that has locked a row does."""
        self._sql.execute("begin")
        self._sql.execute("select pg_current_xact_id()")

    def append(self, execution: int, seq: int, namespace: str = "default") -> str:
        """Write one event; its name."""
        self._sql.execute(
            "insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, occurred_at_ms)"
            " values (0, 'acquired', %s, 0, %s, %s, 0)",
            (namespace, UUID(int=execution), seq),
        )
        return f"{execution}.{seq}"

    def commit(self) -> None:
        self._sql.execute("commit")

    def rollback(self) -> None:
        self._sql.execute("rollback")


def names(events: list[Event] | EventPage) -> list[str]:
    """The events as `execution.seq`."""
    told = events.events if isinstance(events, EventPage) else events
    return [f"{UUID(event.execution_id[-36:]).int}.{event.seq}" for event in told if event.execution_id]


@pytest.fixture
def new_writer(url: str) -> Iterator[Callable[[], Writer]]:
    with ExitStack() as stack:
        yield lambda: Writer(stack.enter_context(connected(url)))


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(url)
    yield store
    store.close()


def read(store: PostgresStore, cursor: str | None, limit: int = 100) -> EventPage:
    return store.events(cursor, EventFilter(), limit)


# ── the classic ways to lose an event ────────────────────────────────────────────────────────────


def test_an_event_with_a_lower_id_that_commits_later_is_told_later(
    store: PostgresStore, new_writer: Callable[[], Writer]
) -> None:
    slow, quick = new_writer(), new_writer()
    slow.begin()
    slow.append(1, 1)
    quick.begin()
    quick.append(2, 1)
    quick.commit()
    first = read(store, None)
    slow.commit()

    second = read(store, first.next_cursor)

    assert names(first) == ["2.1"]
    assert names(second) == ["1.1"]
    assert names(read(store, second.next_cursor)) == []


def test_a_transaction_that_began_first_and_commits_last_is_told_last(
    store: PostgresStore, new_writer: Callable[[], Writer]
) -> None:
    early, late = new_writer(), new_writer()
    early.begin()
    late.begin()
    late.append(2, 1)
    late.commit()
    first = read(store, None)
    early.append(1, 1)
    early.commit()

    assert names(first) == ["2.1"]
    assert names(read(store, first.next_cursor)) == ["1.1"]


def test_events_of_one_execution_stay_in_order_though_the_later_one_has_the_lower_transaction_id(
    store: PostgresStore, new_writer: Callable[[], Writer]
) -> None:
    waits_for_the_row, has_the_row = new_writer(), new_writer()
    waits_for_the_row.begin()
    has_the_row.begin()
    has_the_row.append(1, 1)
    has_the_row.commit()
    waits_for_the_row.append(1, 2)
    waits_for_the_row.commit()

    assert names(read(store, None)) == ["1.1", "1.2"]
    assert names(read(store, read(store, None, 1).next_cursor)) == ["1.2"]


@pytest.mark.parametrize("isolation", ["read committed", "repeatable read"])
def test_a_transaction_held_open_elsewhere_delays_no_reader(
    store: PostgresStore, sql: Sql, new_writer: Callable[[], Writer], isolation: str
) -> None:
    writer = new_writer()
    cursor = None
    told: list[str] = []
    with sql.transaction(force_rollback=True):
        sql.execute(f"set transaction isolation level {isolation}")
        sql.execute("create table held_open (by_someone_else int)")

        for seq in range(1, 6):
            writer.begin()
            writer.append(1, seq)
            writer.commit()
            page = read(store, cursor)
            told += names(page)
            cursor = page.next_cursor

    assert told == ["1.1", "1.2", "1.3", "1.4", "1.5"]
    assert names(read(store, cursor)) == []


def test_a_page_cut_by_its_limit_is_finished_before_what_was_committed_meanwhile(
    store: PostgresStore, new_writer: Callable[[], Writer]
) -> None:
    slow, quick = new_writer(), new_writer()
    slow.begin()
    slow.append(1, 1)
    quick.begin()
    for execution in (2, 3, 4, 5, 6):
        quick.append(execution, 1)
    quick.commit()
    pages = [read(store, None, limit=2)]
    slow.commit()
    quick.begin()
    quick.append(7, 1)
    quick.commit()

    while pages[-1].events:
        pages.append(read(store, pages[-1].next_cursor, limit=2))

    assert [names(page) for page in pages] == [["2.1", "3.1"], ["4.1", "5.1"], ["6.1"], ["1.1", "7.1"], []]


def test_a_reader_can_leave_a_page_after_any_of_its_events(
    store: PostgresStore, new_writer: Callable[[], Writer]
) -> None:
    slow, quick = new_writer(), new_writer()
    slow.begin()
    slow.append(1, 1)
    quick.begin()
    for execution in (2, 3, 4):
        quick.append(execution, 1)
    quick.commit()
    cut = read(store, None, limit=1)
    slow.commit()
    quick.begin()
    quick.append(5, 1)
    quick.commit()
    rest = read(store, cut.next_cursor)
    last = read(store, rest.next_cursor)

    def goes_on(before: str | None, page: EventPage, position: int) -> list[str]:
        """All that is told to whoever left the page there."""
        told: list[str] = []
        cursor = store.cursor_within(before, page, page.events[position])
        while (page := read(store, cursor)).events:
            told += names(page)
            cursor = page.next_cursor
        return told

    assert [names(page) for page in (cut, rest, last)] == [["2.1"], ["3.1", "4.1"], ["1.1", "5.1"]]
    assert goes_on(None, cut, 0) == ["3.1", "4.1", "1.1", "5.1"]
    assert goes_on(cut.next_cursor, rest, 0) == ["4.1", "1.1", "5.1"]
    assert goes_on(cut.next_cursor, rest, 1) == ["1.1", "5.1"]
    assert goes_on(rest.next_cursor, last, 0) == ["5.1"]
    assert goes_on(rest.next_cursor, last, 1) == []


def test_filters_never_keep_a_cursor_from_advancing(store: PostgresStore, new_writer: Callable[[], Writer]) -> None:
    wanted = EventFilter(namespace="wanted")
    slow, quick = new_writer(), new_writer()
    slow.begin()
    slow.append(1, 1, "wanted")
    quick.begin()
    quick.append(2, 1)
    quick.commit()
    page = store.events(None, wanted, 10)
    slow.commit()

    assert names(page) == []
    assert names(store.events(page.next_cursor, wanted, 10)) == ["1.1"]


@pytest.mark.parametrize("seed", range(6))
def test_random_interleavings_lose_nothing_repeat_nothing_and_keep_the_order(
    store: PostgresStore, new_writer: Callable[[], Writer], seed: int
) -> None:
    chance = random.Random(seed)
    writers = [new_writer() for _ in range(4)]
    open_now: dict[int, dict[int, int]] = {}  # writer → what it has appended: execution → last seq
    committed = dict.fromkeys(range(1, 9), 0)
    told: list[str] = []
    cursor: str | None = None

    def step(writer: int) -> None:
        if writer not in open_now:
            writers[writer].begin()
            open_now[writer] = {}
            return
        # A row lock: nobody else writes to an execution that an open transaction has written to.
        free = [x for x in committed if all(x not in other for w, other in open_now.items() if w != writer)]
        if free and chance.random() < 0.6:
            execution = chance.choice(free)
            seq = open_now[writer].get(execution, committed[execution]) + 1
            writers[writer].append(execution, seq)
            open_now[writer][execution] = seq
        elif chance.random() < 0.15:
            writers[writer].rollback()
            del open_now[writer]
        else:
            writers[writer].commit()
            committed.update(open_now.pop(writer))

    def read_on() -> None:
        nonlocal cursor
        page = read(store, cursor, chance.choice((1, 2, 3, 7)))
        kept = len(page.events)
        if page.events and chance.random() < 0.4:
            kept = chance.randint(1, len(page.events))
            cursor = store.cursor_within(cursor, page, page.events[kept - 1])
        else:
            cursor = page.next_cursor
        told.extend(names(page.events[:kept]))

    for _ in range(600):
        step(chance.randrange(len(writers)))
        if chance.random() < 0.4:
            read_on()
    for writer in list(open_now):
        writers[writer].commit()
        committed.update(open_now.pop(writer))
    while read(store, cursor, 1).events:
        read_on()

    expected = {f"{x}.{seq}" for x, last in committed.items() for seq in range(1, last + 1)}
    assert len(expected) > 50
    assert Counter(told) == Counter(expected)
    for execution, last in committed.items():
        mine = [name for name in told if name.startswith(f"{execution}.")]
        assert mine == [f"{execution}.{seq}" for seq in range(1, last + 1)]


# ── what is gone ─────────────────────────────────────────────────────────────────────────────────


def ended(engine: BlockingEngine) -> str:
    """An execution with one event."""
    execution_id = engine.create_execution("kind").execution_id
    engine.cancel_execution(execution_id, reason="")
    return execution_id


def purge(sql: Sql, execution_id: str, partition: int = 86) -> None:
    """What a purge does to the log."""
    statements = Statements("flowfabric.stores.postgres")
    keys = {"partition_key": f"{{{partition}}}", "execution_id": f"{{{execution_id[-36:]}}}"}
    sql.execute(statements["note_purge"].encode(), keys)
    sql.execute(statements["delete_events"].encode(), keys)


def test_two_purges_at_once_hide_nothing_from_a_reader_who_has_not_read_it(engine: BlockingEngine, url: str) -> None:
    old = ended(engine)
    cursor = engine.read_events().next_cursor
    new = ended(engine)
    with connected(url) as first, connected(url) as second, connected(url) as watch:
        engine.create_execution("kind")
        purge(first, ended(engine))  # so that both of what follows update the same row
        first.execute("begin")
        purge(first, new)
        second.execute("begin")
        thread = threading.Thread(target=purge, args=(second, old))
        thread.start()
        wait_until(lambda: watch.execute("select 1 from pg_locks where not granted").fetchone() is not None)
        first.execute("commit")
        thread.join()
        second.execute("commit")

    with pytest.raises(InvalidInput) as refusal:
        engine.read_events(cursor=cursor)
    assert refusal.value.code == "cursor_gone"


def test_retention_that_takes_what_a_reader_has_read_leaves_it_in_peace(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    briefly = ExecutionPolicy(retention_ms=1_000)
    for policy in (briefly, ExecutionPolicy(), ExecutionPolicy()):
        engine.cancel_execution(engine.create_execution("kind", policy=policy).execution_id, reason="")
    page = engine.read_events(limit=1)

    clock.advance(1_000)
    purged = engine.reconcile()["retention"]

    assert purged == 1
    assert len(engine.read_events(cursor=page.next_cursor).events) == 2


def test_retention_that_took_the_newest_events_leaves_one_in_peace_that_came_later(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    for policy in (ExecutionPolicy(), ExecutionPolicy(retention_ms=1_000)):
        engine.cancel_execution(engine.create_execution("kind", policy=policy).execution_id, reason="")
    clock.advance(1_000)
    assert engine.reconcile()["retention"] == 1
    cursor = engine.read_events().next_cursor

    assert engine.read_events(cursor=cursor).events == []


@pytest.fixture
def quiet_url() -> Iterator[str]:
    """A server without other tests: while anybody's transaction is under way, cursors are judged more strictly."""
    with own_server(survives_power_loss=False) as server:
        yield server.url


def test_a_reader_who_has_read_everything_stays_while_page_after_page_is_purged_newest_first(
    quiet_url: str, open_another: Open, clock: ManualClock
) -> None:
    engine = open_another(quiet_url, clock=clock)
    for _ in range(4):
        ended(engine)
        clock.advance(1_000)
    cursor = engine.read_events().next_cursor
    page = engine.purge(ended_before_ms=clock.now_ms, limit=1)
    while page.executions:
        told = engine.read_events(cursor=cursor)
        assert told.events == []
        cursor = told.next_cursor
        page = engine.purge(ended_before_ms=clock.now_ms, limit=1)

    ended(engine)

    assert len(engine.read_events(cursor=cursor).events) == 1


def test_a_purge_of_what_was_under_way_when_the_newest_event_was_purged_is_noticed(
    engine: BlockingEngine, sql: Sql, new_writer: Callable[[], Writer]
) -> None:
    ended(engine)
    slow = new_writer()
    slow.begin()
    purge(sql, ended(engine))
    cursor = engine.read_events().next_cursor
    slow.append(1, 1)
    slow.commit()
    assert names(engine.read_events(cursor=cursor)) == ["1.1"]

    purge(sql, str(UUID(int=1)), 0)

    with pytest.raises(InvalidInput) as refusal:
        engine.read_events(cursor=cursor)
    assert refusal.value.code == "cursor_gone"


def test_a_purge_of_what_came_after_the_cursor_is_noticed_though_the_newest_event_was_purged_before(
    engine: BlockingEngine, sql: Sql
) -> None:
    ended(engine)
    purge(sql, ended(engine))
    cursor = engine.read_events().next_cursor

    purge(sql, ended(engine))

    with pytest.raises(InvalidInput) as refusal:
        engine.read_events(cursor=cursor)
    assert refusal.value.code == "cursor_gone"


def test_after_a_failover_the_transaction_ids_of_purged_events_prove_nothing(
    quiet_url: str, open_another: Open
) -> None:
    engine = open_another(quiet_url)
    with closing(PostgresStore(quiet_url)) as store:
        name = store.name
    old = ended(engine)
    ended(engine)
    with connected(quiet_url) as sql:
        purge(sql, ended(engine))
        position = position_in(engine.read_events().next_cursor, name)
        elsewhere = event_cursor(replace(position, timeline="another"), name)
        assert engine.read_events(cursor=elsewhere).events == []

        purge(sql, old)

    assert engine.read_events(cursor=event_cursor(position, name)).events == []
    with pytest.raises(InvalidInput) as refusal:
        engine.read_events(cursor=elsewhere)
    assert refusal.value.code == "cursor_gone"


def test_a_cursor_of_the_release_before_is_read(engine: BlockingEngine, store: PostgresStore, sql: Sql) -> None:
    ended(engine)
    purge(sql, ended(engine))
    position = position_in(engine.read_events().next_cursor, store.name)
    cursor = pack_cursor("events", store.name, astuple(position)[:6])
    ended(engine)

    assert len(engine.read_events(cursor=cursor).events) == 1


# ── what is no cursor ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "position",
    [
        EventPosition("nonsense"),
        EventPosition(""),
        EventPosition("7:5:"),
        EventPosition("1:1:", "nonsense", 5),
        EventPosition("1:1:", "", 5),
        EventPosition("nonsense", "1:1:", 5),
        EventPosition("1:1:'; drop table ff_event; --"),
        EventPosition("\0"),
        ["1:1:", None, "five"],
        [1, 2, 3],
        "1:1:",
        None,
    ],
)
def test_a_well_formed_cursor_with_nonsense_in_it_is_refused(
    engine: BlockingEngine, store: PostgresStore, position: object
) -> None:
    engine.cancel_execution(engine.create_execution("kind").execution_id, reason="")
    cursor = pack_cursor("events", store.name, position)

    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        engine.read_events(cursor=cursor)

    assert len(engine.read_events().events) == 1


@pytest.mark.parametrize("after_id", [-1, 2**62, 2**63 - 1, 2**63, 2**64 - 1])
def test_a_cursor_with_an_event_id_that_no_event_has_is_refused_or_harmless(
    engine: BlockingEngine, store: PostgresStore, after_id: int
) -> None:
    engine.cancel_execution(engine.create_execution("kind").execution_id, reason="")

    try:
        page = engine.read_events(cursor=pack_cursor("events", store.name, EventPosition("1:1:", "9:9:", after_id)))
    except InvalidInput:
        return
    assert len(page.events) <= 1


def test_a_cursor_from_a_future_that_was_restored_away_is_refused(engine: BlockingEngine, store: PostgresStore) -> None:
    ahead = pack_cursor("events", store.name, EventPosition("9000000000:9000000000:"))
    cut_ahead = pack_cursor("events", store.name, EventPosition("1:1:", "9000000000:9000000000:", 1))

    for cursor in (ahead, cut_ahead):
        with pytest.raises(InvalidInput, match="no longer in the log") as refusal:
            engine.read_events(cursor=cursor)
        assert refusal.value.code == "cursor_gone"


def test_a_cursor_of_another_store_is_refused(engine: BlockingEngine, open_another: Open) -> None:
    with empty_store() as elsewhere:
        foreign = open_another(elsewhere).read_events().next_cursor

        with pytest.raises(InvalidInput, match="from another store"):
            engine.read_events(cursor=foreign)


@pytest.mark.parametrize(
    "position",
    [
        ListPosition(0, "nonsense", 0),
        ListPosition(0, "00000000-0000-0000-0000-000000000000", 2**40),
        ListPosition(2**64 - 1, "00000000-0000-0000-0000-000000000000", 0),
        ListPosition(-1, "\0", 0),
    ],
)
def test_a_list_cursor_with_nonsense_in_it_is_refused_or_harmless(
    engine: BlockingEngine, store: PostgresStore, position: ListPosition
) -> None:
    engine.create_execution("kind")

    try:
        page = engine.list_executions(cursor=pack_cursor("executions", store.name, position))
    except InvalidInput:
        return
    assert len(page.items) <= 1
