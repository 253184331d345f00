"""The same command id gets the first answer, and what makes two requests the same."""

import os
import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    Complete,
    CreateExecution,
    CreateExecutions,
    CreateWaitpoint,
    Envelope,
    FireSchedule,
    Hold,
    IssueToken,
    OpenWait,
    ReportProgress,
    ResumeExecution,
    SendSignal,
    SetTag,
    Suspend,
    content_fingerprint,
    request_fingerprint,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.errors import Conflict, NotFound
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.intervals import Every
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Cancelled,
    Claimed,
    Completed,
    Created,
    Duplicate,
    Held,
    Outcome,
    PriorityChanged,
    Released,
    Renewed,
    Replayed,
    RetryScheduled,
    Revoked,
    TerminalFailed,
    Unheld,
)
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.domain.remembered_answers import ANSWER_TTL_MS, pack_outcome, unpack_outcome
from flowfabric.domain.schedule import Definition
from tests.domain.records import NOW, a_claim, an_execution, an_id, creation, decided, fence_of
from tests.domain.states_reached import STATES

ACTIVE = STATES["active"]


OF_WAITING: list[AnyCommand] = [
    CreateWaitpoint(fence_of(ACTIVE), "editor", "k1", 1_000, None, "order:42", "default"),
    OpenWait(fence_of(ACTIVE), "editor", stored(On("editor")), 1_000, None, "resume", "", "k1"),
    Suspend(fence_of(ACTIVE), "editor", stored(On("editor")), 1_000, None, "resume", "", "k1"),
    SendSignal(ACTIVE.execution_id, "editor", b"yes", "", "ann", "", None, "k1"),
    ResumeExecution(ACTIVE.execution_id, b"", "", "k1"),
    IssueToken(ACTIVE.execution_id, "editor", "ann", "k1"),
]


def _sent(command: AnyCommand, command_id: str = "c-1", scope: str | None = None) -> Envelope:
    return Envelope(command, scope, command_id)


@pytest.mark.parametrize(
    "command",
    [
        a_claim(),
        creation(2),
        CreateExecutions((creation(2), creation(3))),
        Complete(fence_of(ACTIVE), b"result"),
        ReportProgress(fence_of(ACTIVE), 5, None),
        CancelExecution(ACTIVE.execution_id, "", "operator_override", None),
        SetTag(ACTIVE.execution_id, "a.b", "c"),
        *OF_WAITING,
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_repeated_command_gets_the_first_answer_and_has_no_second_effect(command: AnyCommand):
    once = decided(_sent(command), executions=[ACTIVE])

    twice = decided(_sent(command), _sent(command), executions=[ACTIVE])

    assert twice.answers == once.answers * 2
    assert twice.changes == once.changes


@pytest.mark.parametrize("command", OF_WAITING, ids=lambda command: type(command).__name__)
def test_a_command_that_is_repeated_under_another_signing_key_is_the_same_request(command: Any):
    done = decided(_sent(command), _sent(replace(command, kid="k2")), executions=[ACTIVE])

    first, again = done.answers
    assert first == again


def test_an_answer_is_kept_beyond_its_batch():
    first = decided(_sent(a_claim()), executions=[an_execution(1)])
    kept = first.changes.answers["", "c-1"]
    assert kept is not None

    again = decided(_sent(a_claim()), executions=[an_execution(2)], answers=[kept])

    assert again.answers == first.answers
    assert again.changes.is_empty


@pytest.mark.parametrize(("age_ms", "is_repeat"), [(ANSWER_TTL_MS - 1, True), (ANSWER_TTL_MS, False)])
def test_an_answer_is_kept_for_a_day(age_ms: int, is_repeat: bool):
    kept = decided(_sent(a_claim()), executions=[an_execution(1)]).changes.answers["", "c-1"]
    assert kept is not None

    again = decided(_sent(a_claim()), executions=[an_execution(2)], answers=[kept], now_ms=NOW + age_ms)

    assert again.changes.is_empty == is_repeat


def test_a_refusal_is_not_kept_so_the_command_may_work_when_it_comes_again():
    refused = decided(_sent(Hold(an_id(1), "")))

    again = decided(_sent(Hold(an_id(1), "")), executions=[an_execution(1)])

    assert isinstance(refused.answers[0], NotFound)
    assert refused.changes.is_empty
    assert again.answers == [Held(an_id(1))]


def test_an_id_used_for_another_command_is_a_conflict():
    done = decided(_sent(Hold(an_id(1), "")), _sent(Hold(an_id(2), "")), executions=[an_execution(1), an_execution(2)])

    assert isinstance(done.answers[1], Conflict)
    assert [x.execution_id for _, x in done.changes.executions if x is not None] == [an_id(1)]


def test_each_scope_has_command_ids_of_its_own():
    mine = an_execution(1, namespace="tenant-a")

    done = decided(
        _sent(Hold(an_id(1), ""), scope="tenant-a"),
        _sent(Hold(an_id(1), ""), scope="tenant-b"),
        _sent(Hold(an_id(1), "")),
        executions=[mine],
    )

    assert [type(answer).__name__ for answer in done.answers] == ["Held", "NotFound", "Held"]


# ── what makes two requests the same ─────────────────────────────────────────────────────────────


def test_an_id_that_was_minted_for_the_caller_is_not_part_of_the_request():
    first, second = creation(1, given=False), creation(2, given=False)

    assert request_fingerprint(first) == request_fingerprint(second)
    assert request_fingerprint(CreateExecutions((first,))) == request_fingerprint(CreateExecutions((second,)))


def test_an_id_that_was_given_is_part_of_the_request():
    assert request_fingerprint(creation(1)) != request_fingerprint(creation(2))
    assert request_fingerprint(creation(1)) != request_fingerprint(creation(1, given=False))


@pytest.mark.parametrize(
    "difference",
    [
        {"kind": "print"},
        {"payload": b"other"},
        {"lane": "other"},
        {"namespace": "tenant-a"},
        {"priority": 1},
        {"delay_until_ms": NOW},
        {"deadline_at_ms": NOW},
        {"idempotency_key": "order-7"},
        {"idempotency_ttl_ms": 5},
        {"idempotency_on_ended": "renew"},
        {"required_capabilities": ("gpu",)},
        {"tags": {"a.b": "c"}},
    ],
    ids=lambda difference: next(iter(difference)),
)
def test_every_other_difference_makes_another_request(difference: dict[str, object]):
    assert request_fingerprint(creation(1)) != request_fingerprint(replace(creation(1), **difference))


def test_a_creation_that_does_not_renew_keys_is_the_request_that_older_releases_know():
    known = CreateExecution(
        ExecutionId("x"), True, "mail", b"p", "default", "default", 0, None, None, "k", 1, (), DEFAULT_POLICY, {}
    )

    assert request_fingerprint(known).hex() == "3878dbc77d7eac5ca5a4f119a5bd84c9"


def test_the_poll_of_a_schedule_without_limits_is_the_request_that_older_releases_know():
    definition = Definition(
        "default", "report", "report", b"", b"", Every(60_000), "last", "default", 0, None, (), DEFAULT_POLICY, {}
    )

    assert request_fingerprint(FireSchedule(definition, replaces=False)).hex() == "c26148c7d0057aa5aabb54fc69f24402"


def test_the_order_of_tags_and_capabilities_makes_no_other_request():
    one, other = creation(1, tags={"a.a": "1", "b.b": "2"}), creation(1, tags={"b.b": "2", "a.a": "1"})

    assert request_fingerprint(one) == request_fingerprint(other)


def test_commands_of_the_same_fields_and_different_meaning_differ():
    fence = fence_of(ACTIVE)

    assert request_fingerprint(Complete(fence, None)) != request_fingerprint(ReportProgress(fence, None, None))


def test_a_request_is_the_same_in_every_process():
    program = (
        "from flowfabric.domain.commands import Claim, request_fingerprint\n"
        "caps = frozenset(['gpu', 'ssd', 'cpu', 'tpu'])\n"
        "print(request_fingerprint(Claim('w', 'w/1', ('default',), 'default', caps, 1, 1)).hex())"
    )

    prints = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(prints) == 1


def test_kind_and_payload_cannot_be_mistaken_for_each_other():
    assert content_fingerprint("ab", b"c") != content_fingerprint("a", b"bc")


# ── how an answer is kept ────────────────────────────────────────────────────────────────────────


CLAIMED = decided(a_claim(3), executions=[an_execution(1, tags={"a.b": "c"}), an_execution(2)]).answers[0]


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        [],
        CLAIMED,
        [Created(an_id(1), "waiting"), Duplicate(an_id(2))],
        Created(an_id(1), "delayed"),
        Duplicate(an_id(1)),
        Renewed(NOW),
        Completed(an_id(1)),
        RetryScheduled(an_id(1), 2, NOW),
        TerminalFailed(an_id(1)),
        Released(an_id(1)),
        Cancelled(an_id(1), "cancelled"),
        Revoked("lease", 2),
        AlreadySatisfied("no_active_lease"),
        PriorityChanged(an_id(1), 0, 1),
        Replayed(an_id(1), "waiting", 0),
        Held(an_id(1)),
        Unheld(an_id(1)),
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_every_answer_comes_back_as_it_was(outcome: Outcome):
    assert unpack_outcome(pack_outcome(outcome)) == outcome


def test_what_was_claimed_is_kept_with_its_payload():
    assert isinstance(CLAIMED, list)
    assert len(CLAIMED) == 2
    assert all(isinstance(claimed, Claimed) and claimed.payload == b"payload" for claimed in CLAIMED)


def test_an_answer_is_read_that_was_kept_when_its_class_had_another_name():
    assert isinstance(CLAIMED, list)
    claimed = [replace(each, attempt_ends_at_ms=NOW + 5) for each in CLAIMED if isinstance(each, Claimed)]
    kept = pack_outcome(claimed).replace(b"\xa7Claimed", b"\xacClaimedUntil")
    assert b"ClaimedUntil" in kept
    assert unpack_outcome(kept) == claimed
