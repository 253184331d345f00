"""What a batch is shown of waits and signals, what stays of what it wrote, and what others read, on every SQL store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.execution import Due, Execution
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.news import Waits
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import (
    Alias,
    Inbox,
    KeyRing,
    OpenWait,
    SignalKey,
    SignalMark,
    SigningKey,
    StoredSignal,
    StoredWaitpoint,
)
from tests.postgres_server import connected
from tests.stores.flow_records import NOW, Books, a_solo, completed, opened
from tests.stores_under_test import STORES

FULL_INBOX = Inbox(
    life=2,
    signals=7,
    waits=(
        OpenWait("votes", '["at_least", 2]', NOW, NOW + 50, "escalate", "two must agree", True),
        OpenWait('ünïcode \N{SNOWMAN} "quoted"', "[]", NOW + 1),
    ),
    unanswered=("an earlier one",),
    held=True,
)


@pytest.fixture(params=["sqlite", "postgres"])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Books]:
    with STORES[request.param].empty(tmp_path) as url, opened(url) as books:
        yield books


def waiting(number: int, *, since_ms: int = NOW, **fields: Any) -> Execution:
    """A suspended execution with one open wait."""
    suspended = a_solo(
        number,
        lifecycle_phase="suspended",
        eligibility_state="not_applicable",
        attempt_state="attempt_suspended",
        inbox=Inbox(waits=(OpenWait("approval", "[]", since_ms),)),
        event_seq=1,
    )
    return replace(suspended, **fields)


def running(number: int, **fields: Any) -> Execution:
    leased = a_solo(
        number,
        lifecycle_phase="active",
        eligibility_state="not_applicable",
        attempt_state="running_attempt",
        lease_epoch=1,
        lease_ttl_ms=60_000,
        lease_expires_at_ms=NOW + 60_000,
        attempt_started_at_ms=NOW,
        event_seq=1,
    )
    return replace(leased, **fields)


X, Y = waiting(1), waiting(2)
ID = X.execution_id


def a_waitpoint(x: Execution = X, key: str = "approval", **fields: Any) -> StoredWaitpoint:
    return replace(StoredWaitpoint(x.execution_id, key, 0, f"waitpoint of {key}", NOW, "k1"), **fields)


def a_signal(number: int, x: Execution = X, key: str = "approval", **fields: Any) -> StoredSignal:
    signal = StoredSignal(
        x.execution_id, number, f"s{number}", f"waitpoint of {key}", key, "vote", "ann", "", NOW + number, b"yes"
    )
    return replace(signal, **fields)


def a_key(name: str, x: Execution = X, key: str = "approval", **fields: Any) -> SignalKey:
    return replace(SignalKey(x.execution_id, key, name, b"\x00fingerprint", "s1", "default", None), **fields)


def by_key(*records: StoredWaitpoint | StoredSignal | SignalKey | Alias | KeyRing) -> dict[str, dict[Any, Any]]:
    """The records as the changes of a batch."""
    changes: dict[str, dict[Any, Any]] = {}
    for record in records:
        match record:
            case StoredWaitpoint(execution_id=x, key=key):
                changes.setdefault("waitpoints", {})[x, key] = record
            case StoredSignal(execution_id=x, number=number):
                changes.setdefault("signals", {})[x, number] = record
            case SignalKey(execution_id=x, key=key, idempotency_key=name):
                changes.setdefault("signal_keys", {})[x, key, name] = record
            case Alias(namespace=namespace, alias=alias):
                changes.setdefault("aliases", {})[namespace, alias] = record
            case KeyRing(name=name):
                changes.setdefault("key_rings", {})[name] = record
    return changes


def seen(books: Books, *records: StoredWaitpoint | StoredSignal | SignalKey | Alias | KeyRing) -> dict[str, Any]:
    """What a batch finds of these records."""
    asked = {kind: set(of) for kind, of in by_key(*records).items()}
    loaded = books.load(Needs(**asked))
    return {kind: getattr(loaded, kind) for kind in asked}


RECORDS = [
    a_waitpoint(),
    a_waitpoint(
        key="every column \N{SNOWMAN}",
        life=3,
        token_kid="other-kid",
        expires_at_ms=NOW + 9,
        about='{"title": "Publish?"}',
        alias="order-7",
        closed_reason="enough",
        subjects=("ann", 'bob "the builder"'),
    ),
    a_signal(1),
    a_signal(2, payload=b""),
    a_signal(3, payload=bytes(range(256)) * 256, name="", source="", claimed_source="zoe", taken_by="votes"),
    a_key("once"),
    a_key("to an alias", alias="order-7"),
    Alias("default", "order-7", ID, "approval"),
    KeyRing("waitpoints", (SigningKey("k1", b"\x00\xffsecret", NOW), SigningKey("k2", b"current"))),
    KeyRing("empty"),
]


def test_every_record_comes_back_as_it_was_written(books: Books):
    books.save(X, **by_key(*RECORDS))

    assert seen(books, *RECORDS) == by_key(*RECORDS)


def test_a_record_that_does_not_exist_is_not_found(books: Books):
    books.save(X)

    assert seen(books, *RECORDS) == {kind: {} for kind in by_key(*RECORDS)}


@pytest.mark.parametrize("inbox", [Inbox(), Inbox(life=1), FULL_INBOX])
def test_an_inbox_comes_back_as_it_was_written(books: Books, inbox: Inbox):
    books.save(a_solo(1, inbox=inbox, event_seq=1), a_solo(2))
    changed = a_solo(2, inbox=inbox)
    books.save(executions=[(a_solo(2), changed)])

    assert books.store.execution(ID) == a_solo(1, inbox=inbox, event_seq=1)
    assert books.store.execution(changed.execution_id) == changed


def test_an_inbox_can_be_taken_away_again(books: Books):
    books.save(X)
    plain = a_solo(1, event_seq=2)
    books.save(executions=[(X, plain)])

    assert books.store.execution(ID) == plain
    assert books.store.suspended(None, None, None, 10) == []


def test_the_step_of_a_wait_is_told_from_other_steps(books: Books):
    steps = [
        Step(ID, "approval", b"f", b"result", 0, NOW, 1, True),
        Step(ID, "mail", b"f", b"result", 0, NOW, 2, False),
    ]
    books.save(X, steps={(ID, step.name): step for step in steps})

    loaded = books.load(Needs(steps={(ID, step.name) for step in steps}))

    assert loaded.steps == {(ID, step.name): step for step in steps}
    assert [step.is_wait for step in books.store.steps(ID)[1]] == [True, False]
    assert books.store.step(ID, "approval") == (X, steps[0])
    assert books.store.step(ID, "unheard-of") == (X, None)
    assert books.store.step(Y.execution_id, "approval") == (None, None)


def test_a_waitpoint_is_changed_in_every_column(books: Books):
    books.save(X, **by_key(a_waitpoint()))
    changed = replace(RECORDS[1], key="approval")
    books.save(**by_key(changed))

    assert seen(books, changed) == by_key(changed)


# ── kept signals ─────────────────────────────────────────────────────────────────────────────────


def kept(books: Books, *asked: tuple[ExecutionId, str, int]) -> dict[tuple[ExecutionId, str], list[int]]:
    found = books.load(Needs(kept_signals=set(asked))).kept_signals
    return {at: [mark.number for mark in marks] for at, marks in found.items()}


def test_kept_signals_are_the_oldest_of_their_waitpoint_that_no_wait_has_taken(books: Books):
    books.save(
        X,
        Y,
        **by_key(
            *[a_signal(number) for number in (12, 3, 10, 4)],
            a_signal(2, taken_by="votes"),
            a_signal(5, key="other"),
            a_signal(1, Y),
        ),
    )

    assert kept(books, (ID, "approval", 100)) == {(ID, "approval"): [3, 4, 10, 12]}
    assert kept(books, (ID, "approval", 2)) == {(ID, "approval"): [3, 4]}
    assert kept(books, (ID, "approval", 1), (ID, "other", 1), (Y.execution_id, "approval", 3)) == {
        (ID, "approval"): [3],
        (ID, "other"): [5],
        (Y.execution_id, "approval"): [1],
    }
    assert kept(books, (ID, "approval", 3), (ID, "approval", 1)) == {(ID, "approval"): [3, 4, 10]}
    assert kept(books, (ID, "nobody", 5)) == {}


def test_a_condition_sees_name_and_source_of_a_kept_signal(books: Books):
    books.save(X, **by_key(a_signal(1, name="veto", source="bob")))

    loaded = books.load(Needs(kept_signals={(ID, "approval", 1)}))

    assert loaded.kept_signals == {(ID, "approval"): [SignalMark(1, "approval", "veto", "bob")]}


@pytest.mark.parametrize("limits", [(1, 3), (3, 1)])
def test_a_batch_that_is_decided_again_keeps_the_longer_list(books: Books, limits: tuple[int, int]):
    books.save(X, **by_key(*[a_signal(number) for number in range(1, 6)]))

    loaded = books.load(*[Needs(kept_signals={(ID, "approval", most)}) for most in limits])

    assert [mark.number for mark in loaded.kept_signals[ID, "approval"]] == [1, 2, 3]


def test_signals_are_taken_and_kept_again(books: Books):
    books.save(X, **by_key(a_signal(1), a_signal(2), a_signal(3, taken_by="first")))
    books.save(takings={(ID, 1): "votes", (ID, 3): None})

    assert kept(books, (ID, "approval", 9)) == {(ID, "approval"): [2, 3]}
    assert [signal.taken_by for signal in books.store.signals(ID, None)[1]] == ["votes", None, None]


def test_a_signal_may_be_written_and_taken_by_the_same_batch(books: Books):
    books.save(X, takings={(ID, 1): "votes"}, **by_key(a_signal(1), a_signal(2)))

    assert kept(books, (ID, "approval", 9)) == {(ID, "approval"): [2]}


def test_more_keys_than_one_statement_takes(books: Books):
    signals = [a_signal(number, key=f"key {number}") for number in range(1, 600)]
    waitpoints = [a_waitpoint(key=signal.key) for signal in signals]
    books.save(X, **by_key(*signals, *waitpoints))

    assert seen(books, *signals, *waitpoints) == by_key(*signals, *waitpoints)
    asked = [(ID, signal.key, 1 + signal.number % 3) for signal in signals]
    assert kept(books, *asked) == {(ID, signal.key): [signal.number] for signal in signals}


# ── whole inboxes ────────────────────────────────────────────────────────────────────────────────


def test_a_whole_inbox_has_all_waitpoints_by_key_and_all_signals_without_payloads(books: Books):
    waitpoints = [a_waitpoint(key=key) for key in ("b", "a", "c")]
    signals = [a_signal(number, key="a", payload=b"large" * 9999) for number in (11, 2)]
    books.save(X, Y, **by_key(*waitpoints, *signals, a_signal(1, Y), a_waitpoint(Y)))

    loaded = books.load(Needs(inboxes={ID}))

    assert loaded.inboxes == {
        ID: (
            [waitpoints[1], waitpoints[0], waitpoints[2]],
            [replace(signals[1], payload=b""), replace(signals[0], payload=b"")],
        )
    }


def test_an_execution_that_has_never_waited_has_an_empty_inbox(books: Books):
    books.save(a_solo(1))

    assert books.load(Needs(inboxes={ID})).inboxes.get(ID, ([], [])) == ([], [])


def test_a_waitpoint_is_removed_with_the_keys_of_its_signals_and_without_its_signals(books: Books):
    gone, stays = a_waitpoint(), a_waitpoint(key="stays")
    records = [gone, stays, a_signal(1), a_signal(2, key="stays"), a_key("once"), a_key("once", key="stays")]
    books.save(X, **by_key(*records))
    books.save(dropped_waitpoints=[(ID, "approval")], waitpoints={(ID, "approval"): None})

    assert seen(books, *records) == by_key(stays, records[2], records[3], records[5])


def test_a_waitpoint_is_removed_before_the_same_batch_makes_it_again(books: Books):
    books.save(X, **by_key(a_waitpoint(), a_key("once"), a_key("twice")))
    again = [a_waitpoint(life=1), a_key("once", fingerprint=b"another")]
    books.save(dropped_waitpoints=[(ID, "approval")], **by_key(*again))

    assert seen(books, a_waitpoint(), a_key("once"), a_key("twice")) == by_key(*again)


def test_single_signals_and_aliases_are_removed(books: Books):
    records = [a_signal(1), a_signal(2), Alias("default", "a", ID, "approval"), Alias("default", "b", ID, "approval")]
    books.save(X, **by_key(*records))
    books.save(signals={(ID, 1): None}, aliases={("default", "a"): None})

    assert seen(books, *records) == by_key(records[1], records[3])


def of(x: Execution) -> list[Any]:
    """One record of each kind that an execution can leave."""
    name = f"alias of {uuid_in(x.execution_id)}"
    return [
        a_waitpoint(x, alias=name),
        a_signal(1, x),
        a_signal(2, x, taken_by="votes"),
        a_key("once", x, alias=name),
        Alias("default", name, x.execution_id, "approval"),
    ]


def test_an_inbox_is_cleared_before_the_new_life_is_written(books: Books):
    books.save(X, Y, **by_key(*of(X), *of(Y)))
    again = [a_waitpoint(life=1), a_signal(1, payload=b"anew"), a_key("once", fingerprint=b"another")]
    books.save(cleared_inboxes=[ID], **by_key(*again))

    assert seen(books, *of(X), *of(Y)) == by_key(*again, *of(Y))


def test_everything_of_an_execution_goes_with_it(books: Books):
    ring = KeyRing("waitpoints", (SigningKey("k1", b"secret"),))
    books.save(X, Y, **by_key(*of(X), *of(Y), ring))
    books.save(executions=[(X, None)])

    assert seen(books, *of(X), *of(Y), ring) == by_key(*of(Y), ring)
    assert books.load(Needs(inboxes={ID})).inboxes.get(ID, ([], [])) == ([], [])
    assert books.load(Needs(alias_keys={("default", f"alias of {uuid_in(ID)}", "once")})).alias_keys == {}


# ── aliases ──────────────────────────────────────────────────────────────────────────────────────


def test_an_alias_shows_how_its_execution_has_ended(books: Books):
    alias = Alias("default", "order-7", ID, "approval")
    books.save(X, **by_key(alias))
    before = books.store.alias("default", "order-7")
    books.save(executions=[(X, completed(X))])

    assert before == alias
    assert books.store.alias("default", "order-7") == replace(alias, holder_outcome="success")
    assert books.load(Needs(aliases={("default", "order-7")})).aliases == {
        ("default", "order-7"): replace(alias, holder_outcome="success")
    }
    assert books.store.alias("other", "order-7") is None


def test_an_alias_is_taken_over(books: Books):
    books.save(X, Y, **by_key(Alias("default", "order-7", ID, "approval")))
    taken = Alias("default", "order-7", Y.execution_id, "payment")
    books.save(reads=[Needs(aliases={("default", "order-7")})], **by_key(taken))

    assert books.store.alias("default", "order-7") == taken


def test_an_alias_is_taken_over_in_the_batch_that_clears_its_holder(books: Books):
    books.save(X, Y, **by_key(*of(X)))
    at = ("default", f"alias of {uuid_in(ID)}")
    taken = Alias(*at, Y.execution_id, "payment")
    books.save(reads=[Needs(aliases={at})], cleared_inboxes=[ID], **by_key(taken))

    assert books.store.alias(*at) == taken


def test_the_key_of_a_signal_is_found_by_the_alias_to_which_it_was_sent(books: Books):
    sent = a_key("once", alias="order-7")
    books.save(X, Y, **by_key(sent, a_key("twice", alias="order-8"), a_key("once", Y)))

    def found(*asked: tuple[str, str, str]) -> Loaded:
        return books.load(Needs(alias_keys=set(asked)))

    assert found(("default", "order-7", "once"), ("default", "order-7", "twice"), ("other", "order-7", "once")) == (
        replace(Loaded(), alias_keys={("default", "order-7", "once"): sent})
    )


# ── reads ────────────────────────────────────────────────────────────────────────────────────────


def test_waitpoints_are_listed_by_age_and_key_with_the_number_of_kept_signals(books: Books):
    waitpoints = [a_waitpoint(key="b"), a_waitpoint(key="a"), a_waitpoint(key="old", created_at_ms=NOW - 1)]
    signals = [a_signal(1, key="b"), a_signal(2, key="b"), a_signal(3, key="b", taken_by="votes")]
    books.save(X, Y, **by_key(*waitpoints, *signals, a_waitpoint(Y)))

    assert books.store.waitpoints(ID) == (X, [(waitpoints[2], 0), (waitpoints[1], 0), (waitpoints[0], 2)])
    assert books.store.waitpoints(a_solo(9).execution_id) == (None, [])


def test_signals_are_listed_in_the_order_of_their_arrival(books: Books):
    signals = [a_signal(number, key=f"key {number % 2}", payload=b"x" * number * 999) for number in range(1, 12)]
    books.save(X, Y, **by_key(*reversed(signals), a_signal(1, Y)))

    assert books.store.signals(ID, None) == (X, signals)
    assert books.store.signals(ID, "key 1") == (X, signals[::2])
    assert books.store.signals(ID, "key 2") == (X, [])
    assert books.store.signals(ID, None, 3, 4) == (X, signals[3:7])
    assert books.store.signals(ID, "key 1", 3, 2) == (X, [signals[4], signals[6]])
    assert books.store.signals(a_solo(9).execution_id, None) == (None, [])


def test_a_waitpoint_is_found_by_its_own_id(books: Books):
    editor, boss = a_waitpoint(key="editor"), a_waitpoint(key="boss")
    books.save(X, Y, **by_key(editor, boss, a_waitpoint(Y)))

    assert books.store.waitpoint(ID, boss.waitpoint_id) == (X, boss)
    assert books.store.waitpoint(ID, a_waitpoint(Y).waitpoint_id) == (X, None)
    assert books.store.waitpoint(a_solo(9).execution_id, boss.waitpoint_id) == (None, None)


def test_a_ring_of_keys_is_read_and_replaced(books: Books):
    first = KeyRing("waitpoints", (SigningKey("k1", b"secret"),))
    second = KeyRing("waitpoints", (SigningKey("k1", b"secret", NOW), SigningKey("k2", b"another")))
    assert books.store.key_ring("waitpoints") is None

    books.save(**by_key(first))
    assert books.store.key_ring("waitpoints") == first
    books.save(reads=[Needs(key_rings={"waitpoints"})], **by_key(second))
    assert books.store.key_ring("waitpoints") == second


def position(x: Execution) -> ListPosition:
    assert x.inbox is not None
    return ListPosition(x.inbox.waits[0].since_ms, uuid_in(x.execution_id), partition_in(x.execution_id))


def test_suspended_executions_are_listed_oldest_wait_first(books: Books):
    oldest, same, same_moment, newest = (
        waiting(4, since_ms=NOW - 5),
        waiting(2),
        waiting(3),
        waiting(1, since_ms=NOW + 5),
    )
    resumed = waiting(5, lifecycle_phase="runnable", eligibility_state="eligible_now")
    lingering = running(6, inbox=newest.inbox)
    books.save(newest, same_moment, same, oldest, resumed, lingering, a_solo(7))

    def listed(after: Execution | None, limit: int = 10) -> list[Execution]:
        return books.store.suspended(None, None, None if after is None else position(after), limit)

    assert listed(None) == [oldest, same, same_moment, newest]
    assert listed(None, 2) == [oldest, same]
    assert listed(same) == [same_moment, newest]
    assert listed(newest) == []


def test_suspended_executions_are_filtered_by_namespace_and_waitpoint(books: Books):
    x, tenant = waiting(1), waiting(2, namespace="tenant")
    books.save(x, tenant, **by_key(a_waitpoint(x), a_waitpoint(tenant), a_waitpoint(tenant, key="payment")))

    assert books.store.suspended("tenant", None, None, 10) == [tenant]
    assert books.store.suspended(None, "payment", None, 10) == [tenant]
    assert books.store.suspended(None, "approval", None, 10) == [x, tenant]
    assert books.store.suspended("default", "payment", None, 10) == []


def test_an_execution_that_gives_up_its_lease_and_keeps_its_inbox_is_listed(books: Books):
    lingering = running(1, inbox=X.inbox)
    books.save(lingering)
    assert books.store.suspended(None, None, None, 10) == []

    suspended = replace(X, event_seq=2, lease_epoch=1)
    books.save(executions=[(lingering, suspended)])

    assert books.store.suspended(None, None, None, 10) == [suspended]


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_since_when_it_waits_is_a_column_of_suspended_executions_only(store: str, tmp_path: Path):
    with STORES[store].empty(tmp_path) as url:
        with opened(url) as books:
            lingering, suspended, resumed = running(1, inbox=X.inbox), waiting(2, since_ms=7), waiting(3, since_ms=8)
            books.save(lingering, suspended, resumed)
            books.save(executions=[(resumed, running(3, inbox=resumed.inbox, event_seq=2))])
        sql = "select waiting_since_ms from ff_exec_core order by execution_id"
        if store == "sqlite":
            with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
                found = connection.execute(sql).fetchall()
        else:
            with connected(url) as connection:
                found = connection.execute(sql).fetchall()

    assert found == [(None,), (7,), (None,)]


def test_the_end_of_a_wait_is_a_due_moment(books: Books):
    timed = waiting(1, inbox=Inbox(waits=(OpenWait("a", "[]", NOW), OpenWait("b", "[]", NOW, NOW - 1))))
    books.save(timed, waiting(2))

    assert books.store.due("wait", NOW, None, 10) == [Due("wait", NOW - 1, ID)]
    assert books.store.due("wait", NOW - 2, None, 10) == []
    assert books.store.poll([]).due == ["wait"]


@pytest.mark.parametrize(("delay_ms", "timeout_ms"), [(30, 20), (20, 30), (None, 20), (20, None)])
def test_a_poll_tells_when_the_next_delay_or_wait_is_over(books: Books, delay_ms: int | None, timeout_ms: int | None):
    if timeout_ms is not None:
        books.save(waiting(1, inbox=Inbox(waits=(OpenWait("a", "[]", NOW, NOW + timeout_ms),))))
        books.save(waiting(2, inbox=Inbox(waits=(OpenWait("a", "[]", NOW, NOW + 99),))))
    if delay_ms is not None:
        books.save(a_solo(3, eligibility_state="not_eligible_until_time", delay_until_ms=NOW + delay_ms))

    assert books.store.poll([]).delay_over_in_ms == 20


def test_a_worker_that_lingers_hears_of_waits_that_are_over_and_of_leases_that_are_gone(books: Books):
    open_wait = OpenWait("a", "[]", NOW)
    still_open = running(1, inbox=Inbox(waits=(open_wait,)))
    over = running(2, inbox=Inbox(waits=(open_wait,), unanswered=("b",)))
    resumed = waiting(3, lifecycle_phase="runnable", eligibility_state="eligible_now")
    removed = a_solo(4)
    never_waited = running(5)
    # The name of a wait must not be taken for the field.
    misleading = running(6, inbox=Inbox(waits=(OpenWait('"unanswered":["x"]', "[]", NOW),)))
    books.save(still_open, over, resumed, never_waited, misleading)

    asked = [x.execution_id for x in (still_open, over, resumed, removed, never_waited, misleading)]
    news = books.store.news(Waits((), (), False, lingering=asked))

    assert set(news.waits_over) == {x.execution_id for x in (over, resumed, removed)}
    assert list(books.store.news(Waits((), (), False)).waits_over) == []
