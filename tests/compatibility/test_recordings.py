"""Databases that earlier releases have left are opened, migrated, and worked with as if they were made today.

Each folder beside this file is a recording; `record.py` says how it was made.
"""

import atexit
import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flowfabric import (
    AtLeast,
    BlockingEngine,
    Claimed,
    Duplicate,
    DuplicateSignal,
    InvalidInput,
    Lease,
    ManualClock,
    RetryScheduled,
    Signalled,
    StaleLease,
    WaitOver,
    WaitpointClosed,
)
from flowfabric.app import open_store
from flowfabric.domain.invariants import violations_at_rest
from flowfabric.ports.store import Store
from flowfabric.stores._shared.migrate import migrations_of
from tests.assembled import assembled
from tests.compatibility.life import HOUR_MS
from tests.compatibility.seeing import events_through, first_difference, seen_through
from tests.postgres_server import connected, copy_of, empty_database
from tests.stores.resting import restless
from tests.stores.telling import contents_of, work_until_rest

HERE = Path(__file__).parent
STORES = ("sqlite", "postgres")
RECORDINGS = [(each.name, store) for each in sorted(HERE.glob("schema_*")) for store in STORES]
NEWEST = len(migrations_of("flowfabric.stores.sqlite"))
NEVER_NEWEST = {12, 13}
"""Schemas that no program has ever had as its newest, because they arrived together with the next one."""
EXAMPLES = ("schema_0004", "schema_0009", "schema_0015")
"""The recordings on which every test runs. The others are described and worked to their end."""


def _on(folders: Iterable[str]) -> pytest.MarkDecorator:
    cases = [(folder, store) for folder in folders for store in STORES]
    return pytest.mark.parametrize("opened", cases, indirect=True, ids="-".join)


on_examples = _on(EXAMPLES)
with_waits = _on(EXAMPLES[1:])
with_gates = _on(("schema_0010", "schema_0014"))


class Opened(msgspec.Struct):
    """A recording, and an engine on a copy of what was recorded, at the very instant at which it was."""

    recorded: dict[str, Any]
    store: Store
    engine: BlockingEngine
    clock: ManualClock
    is_restored_elsewhere: bool

    def id(self, name: str) -> str:
        return str(self.recorded["executions"][name])

    def claimed(self, name: str, lane: str = "") -> Claimed:
        """The execution of that name, leased. Nothing else is in its lane."""
        lanes = [lane or name.replace(" ", "-")]
        (claimed,) = self.engine.claim(worker_id="w", worker_instance_id="w/0", lanes=lanes)
        assert claimed.execution_id == self.id(name)
        return claimed

    def state(self, name: str) -> str:
        snapshot = self.engine.describe_execution(self.id(name))
        assert snapshot is not None
        return snapshot.public_state


@pytest.fixture(params=RECORDINGS, ids="-".join)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    folder, store_name = request.param
    recorded = _recorded(folder, store_name)
    clock = ManualClock(recorded["now_ms"])
    with _copy_of(HERE / folder, store_name, tmp_path) as url:
        store = open_store(url, clock=clock, migrate=True)
        try:
            with assembled(store) as parts:
                yield Opened(recorded, store, parts.engine, clock, store_name == "postgres")
        finally:
            store.close()


@cache
def _recorded(folder: str, store_name: str) -> dict[str, Any]:
    return dict(json.loads((HERE / folder / f"{store_name}.json").read_text()))


@contextmanager
def _copy_of(folder: Path, store_name: str, tmp_path: Path) -> Iterator[str]:
    if store_name == "sqlite":
        shutil.copyfile(folder / "sqlite.db", tmp_path / "jobs.db")
        yield f"sqlite:///{tmp_path}/jobs.db"
        return
    with copy_of(_restored(folder)) as url:
        yield url


@cache
def _restored(folder: Path) -> str:
    """The url of a database with all that was recorded. To copy it is quicker than to restore it for every test."""
    url = _dropped_at_exit.enter_context(empty_database())
    with connected(url) as connection:
        connection.execute((folder / "postgres.sql").read_bytes(), prepare=False)
    return url


_dropped_at_exit = ExitStack()
atexit.register(_dropped_at_exit.close)


def test_every_schema_that_programs_had_before_this_one_is_recorded() -> None:
    assert {int(folder[-4:]) for folder, _ in RECORDINGS} >= set(range(1, NEWEST)) - NEVER_NEWEST


def test_everything_is_described_as_it_was_recorded(opened: Opened) -> None:
    assert first_difference(opened.recorded["seen"], seen_through(opened.engine)) is None


def test_what_was_left_is_worked_to_its_end_and_no_rule_is_broken(opened: Opened) -> None:
    assert violations_at_rest(contents_of(opened.store), opened.clock.now_ms) == []
    assert opened.store.miscounts() == []

    opened.clock.advance(2 * HOUR_MS)  # no lease of before is live any more, and every delay is over
    for budget in opened.engine.list_budgets().items:
        opened.engine.reset_budget(budget.name)  # otherwise some would wait for the end of the month
    work_until_rest(opened.engine, opened.store, opened.clock, opened.engine.reconcile)

    contents = contents_of(opened.store)
    assert list(restless(contents)) == []
    assert violations_at_rest(contents, opened.clock.now_ms) == []
    assert opened.store.miscounts() == []
    ended = {name: opened.state(name) for name in opened.recorded["executions"]}
    assert {ended[name] for name in ("waiting", "delayed", "held", "waiting for a gpu", "of a tenant")} == {"completed"}
    joined = [f"{flow}/d" for flow in ("all of", "any of", "quorum", "quorum let run") if opened.recorded["flows"]]
    assert all(ended[name] == "completed" for name in joined)
    assert opened.engine.get_result(opened.id("active with an expired lease")) == b"at last"


@on_examples
def test_what_came_due_meanwhile_is_done_by_the_first_reconcile(opened: Opened) -> None:
    opened.engine.reconcile()

    assert opened.state("active with an expired lease") == "waiting"
    assert opened.state("delayed and due") == "waiting"
    assert opened.state("past its deadline") == "expired"
    assert opened.state("active") == "active"


@on_examples
def test_retries_replays_cancels_and_holds_go_on(opened: Opened) -> None:
    engine = opened.engine
    engine.replay_execution(opened.id("failed"))
    engine.replay_execution(opened.id("failed flow/a"))
    engine.replay_execution(opened.id("failed flow/b"))
    engine.cancel_execution(opened.id("waiting"), reason="no more")
    engine.cancel_flow(opened.recorded["flows"]["all of"], reason="no more")
    engine.unhold(opened.id("held"))
    engine.resume_lane("paused")
    engine.resume_schedule("paused")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w/0", lanes=["failed"])
    retried = engine.fail(claimed.lease, code="smtp_down")

    assert claimed.claim_type == "replay"
    assert isinstance(retried, RetryScheduled)
    assert (opened.state("waiting"), opened.state("all of/d")) == ("cancelled", "cancelled")
    assert opened.state("failed flow/b") == "waiting_children"
    assert [each.lane for each in engine.list_lanes(namespace="default") if each.paused_at_ms is not None] == []
    assert violations_at_rest(contents_of(opened.store), opened.clock.now_ms) == []


@on_examples
def test_keys_and_command_ids_are_remembered(opened: Opened) -> None:
    engine, answers = opened.engine, opened.recorded["command_answers"]
    again = engine.create_execution(
        "mail", b"completed", lane="completed", idempotency_key="order-1", tags={"order.id": "1", "team.name": "ü\n{}"}
    )
    cancelled = engine.cancel_execution(opened.id("cancelled"), reason="not wanted", command_id="cancel-1")
    created = engine.create_execution(
        "mail", b"kept", execution_id=opened.id("created with a command id"), command_id="create-1"
    )

    assert again == Duplicate(opened.id("completed"))
    assert [msgspec.to_builtins(each) for each in (cancelled, created)] == [answers["cancel-1"], answers["create-1"]]


@on_examples
def test_the_log_is_read_from_its_beginning_without_a_gap_and_goes_on(opened: Opened) -> None:
    opened.engine.reconcile()
    opened.engine.change_priority(opened.id("waiting"), 1)

    events = events_through(opened.engine)

    numbers: dict[str, list[int]] = {}
    for event in events:
        if event.seq:  # events of limits, budgets and keys have no numbers
            numbers.setdefault(event.subject, []).append(event.seq)
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
    assert len(events) > len(opened.recorded["seen"]["events"])
    assert [event.event_id for event in events] == sorted(event.event_id for event in events)


@on_examples
def test_a_cursor_from_before_goes_on_and_after_a_restore_elsewhere_is_refused(opened: Opened) -> None:
    cursor, after = opened.recorded["cursor"], opened.recorded["cursor_is_after"]
    if opened.is_restored_elsewhere:
        with pytest.raises(InvalidInput, match="from another store, or from before this one was restored"):
            opened.engine.read_events(cursor=cursor)
        return

    rest = [event.event_id for event in events_through(opened.engine, cursor)]

    assert rest == [each["event_id"] for each in opened.recorded["seen"]["events"] if each["event_id"] > after]
    assert rest


@with_waits
def test_tokens_aliases_and_votes_from_before_end_waits(opened: Opened) -> None:
    engine, tokens = opened.engine, opened.recorded["tokens"]

    answers = [
        engine.signal_by_token(tokens["ann"], b"yes", idempotency_key="mail-2"),
        engine.signal_by_token(tokens["anybody"], b"too late for the wait"),
        engine.signal_alias("article-7", b"and once more"),
        engine.signal(opened.id("waiting for votes"), "vote", b"no", source="bob"),
        engine.signal(opened.id("suspended and held"), "editor"),
    ]

    effects = [answer.effect for answer in answers if isinstance(answer, Signalled)]
    assert effects == ["resumed", "buffered", "buffered", "resumed", "resumed"]
    lease = opened.claimed("waiting for an editor").lease
    over = engine.open_wait(lease, "wait", "editor")
    assert isinstance(over, WaitOver)
    assert [(signal.payload, signal.source) for signal in over.signals] == [(b"yes", "ann")]
    votes = engine.open_wait(opened.claimed("waiting for votes").lease, "wait", AtLeast(2, "vote", distinct="sources"))
    assert isinstance(votes, WaitOver)
    assert [(signal.payload, signal.source) for signal in votes.signals] == [(b"yes", "ann"), (b"no", "bob")]
    assert opened.claimed("resumable").claim_type == "resume"
    assert engine.describe_token(tokens["ann"]).about["title"] == "Publish?"
    with pytest.raises(WaitpointClosed):
        engine.signal_by_token(tokens["closed"])
    held = engine.describe_execution(opened.id("suspended and held"))
    assert held is not None
    assert held.eligibility_state == "blocked_by_operator"


@with_waits
def test_signals_from_before_are_known_and_come_back_with_a_replay(opened: Opened) -> None:
    engine, waited = opened.engine, opened.id("completed after a wait")
    again = engine.signal(waited, "editor", b"\x00\xff fine", name="verdict", idempotency_key="mail-1")
    assert again == DuplicateSignal(opened.recorded["signals"]["mail-1"])

    engine.replay_execution(waited, steps="keep")
    lease = opened.claimed("completed after a wait").lease
    replayed = engine.open_wait(lease, "wait", "editor")
    early = engine.open_wait(opened.claimed("signalled before it waits").lease, "wait", "editor")

    assert isinstance(replayed, WaitOver)
    assert isinstance(early, WaitOver)
    assert [signal.payload for over in (replayed, early) for signal in over.signals] == [b"\x00\xff fine", b"early"]
    assert violations_at_rest(contents_of(opened.store), opened.clock.now_ms) == []


@with_waits
def test_timeouts_and_children_from_before_end_waits(opened: Opened) -> None:
    engine = opened.engine
    opened.clock.advance(HOUR_MS)
    engine.reconcile()
    engine.complete(opened.claimed("child 2").lease, b"read")

    states = {name: opened.state(name) for name in ("sleeping", "waiting with a timeout", "parent", "lingering")}
    parent = opened.claimed("parent")

    assert states == {
        "sleeping": "resumable",
        "waiting with a timeout": "suspended",
        "parent": "resumable",
        "lingering": "waiting",  # its lease is over
    }
    assert parent.claim_type == "resume"
    assert engine.get_wait(parent.execution_id, "pages") == WaitOver((), "children")
    ends = engine.get_ends([opened.id(f"child {number}") for number in range(3)])
    assert [end and (end.execution.public_state, end.result) for end in ends] == [
        ("completed", b"read"),
        ("failed", None),
        ("completed", b"read"),
    ]
    assert engine.resume_execution(opened.id("escalated"), b"decided").execution_id == opened.id("escalated")
    over = engine.open_wait(opened.claimed("lingering").lease, "first", "a")
    assert isinstance(over, WaitOver)
    assert [signal.payload for signal in over.signals] == [b"over, and the worker does not know it yet"]


@with_gates
def test_slots_turns_and_budgets_from_before_hold(opened: Opened) -> None:
    engine = opened.engine
    behind = ("behind a limit", "behind a limit, in another turn")
    engine.cancel_execution(opened.id("under a limit"), reason="enough")

    lanes = [name.replace(" ", "-") for name in behind]
    claimed = engine.claim(worker_id="w", worker_instance_id="w/0", lanes=lanes, limit=2)
    provider, team = engine.describe_limit("provider", "small"), engine.describe_budget("team")
    engine.reset_budget("trial")

    assert len(claimed) == 1
    assert sorted(opened.state(name) for name in behind) == ["active", "rate_limited"]
    assert provider is not None
    assert (provider.in_use, provider.parked) == (1, 1)
    assert team is not None
    assert dict(team.used) == {"usd": 3}
    assert dict(team.reserved) == {"usd": 2}
    assert opened.state("behind a budget") == "waiting"
    assert violations_at_rest(contents_of(opened.store), opened.clock.now_ms) == []


@on_examples
def test_a_lease_from_before_is_still_good_and_after_a_restore_elsewhere_is_refused(opened: Opened) -> None:
    lease = msgspec.convert(opened.recorded["lease"], Lease)
    if opened.is_restored_elsewhere:
        # Whoever holds it works for the other database.
        with pytest.raises(StaleLease):
            opened.engine.complete(lease)
        return

    opened.engine.complete(lease, b"printed")

    assert opened.state("active") == "completed"
    assert opened.engine.get_result(opened.id("active")) == b"printed"
