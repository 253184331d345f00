"""What a batch of commands needs, and what it does. Everything is pure, and follows the declared rule of each command.

A batch has exactly the effect that its commands would have one by one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, Envelope, executions_named_by, request_fingerprint

# A rule is declared when its file is imported.
from flowfabric.domain.decide import access as access
from flowfabric.domain.decide import blocks as blocks
from flowfabric.domain.decide import budgeting as budgeting
from flowfabric.domain.decide import children as children
from flowfabric.domain.decide import creating as creating
from flowfabric.domain.decide import finishing as finishing
from flowfabric.domain.decide import flows as flows
from flowfabric.domain.decide import leasing as leasing
from flowfabric.domain.decide import limiting as limiting
from flowfabric.domain.decide import operating as operating
from flowfabric.domain.decide import replaying as replaying
from flowfabric.domain.decide import running as running
from flowfabric.domain.decide import scheduling as scheduling
from flowfabric.domain.decide import secrets as secrets
from flowfabric.domain.decide import signalling as signalling
from flowfabric.domain.decide import streaming as streaming
from flowfabric.domain.decide import upkeep as upkeep
from flowfabric.domain.decide import waiting as waiting
from flowfabric.domain.decide.gating import settle
from flowfabric.domain.decide.rule import RULES, batch_class
from flowfabric.domain.decide.streaming import hear, what_is_said_sees
from flowfabric.domain.errors import Conflict, EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.remembered_answers import remembered, unpack_outcome
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

if TYPE_CHECKING:
    from flowfabric.domain.ids import ExecutionId


def needs(batch: Sequence[Envelope]) -> Needs:
    """Everything that must be loaded for the batch."""
    assert len({batch_class(envelope.command) for envelope in batch}) <= 1, "a batch holds commands of one class"
    wanted = Needs()
    entering_queue: set[ExecutionId] = set()
    leaving_queue = 0
    for envelope in batch:
        command = envelope.command
        rule = RULES[type(command)]
        if envelope.command_id is not None:
            wanted.answers.add((envelope.scope or "", envelope.command_id))
        rule.sees(command, wanted)
        if envelope.said is not None:
            what_is_said_sees(envelope.said, wanted)
        if rule.enters_queue:
            entering_queue.update(executions_named_by(command))
        leaving_queue += rule.leaves_queue
    wanted.executions |= entering_queue | wanted.flows_of
    if wanted.claims:
        # An execution that becomes ready in this batch may be claimed in this batch, and a claim hands out the payload.
        wanted.payloads |= entering_queue
        # Earlier claims of this batch may take the head of the queue, and other commands may remove executions from it.
        most = sum(wanted.claims.values()) + leaving_queue
        wanted.claims = dict.fromkeys(wanted.claims, most)
    return wanted


def decide(ws: WorkingSet, command: AnyCommand, scope: str | None) -> Outcome:
    """Answer one command, or raise its refusal. All changes are made in the working set."""
    return RULES[type(command)].decide(ws, command, scope)


def apply_batch(ws: WorkingSet, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
    """Decide each command in arrival order. A refusal is that command's answer, and changes nothing that was not due.

    If something is `missing` in the working set afterwards, the answers do not count: load it and decide again.
    """
    outcomes: list[Outcome | EngineError] = []
    for envelope in batch:
        ws.begin(envelope.actor, envelope.trace)
        try:
            outcome = _decide_once(ws, envelope)
            settle(ws)
            outcomes.append(outcome)
        except EngineError as refusal:
            ws.undo()
            outcomes.append(refusal)
            _settle_what_was_kept(ws)
        except MoreNeeded:
            # The other commands still show what they lack, so that all of it is loaded together.
            ws.undo()
            outcomes.append(None)
    return outcomes


def _settle_what_was_kept(ws: WorkingSet) -> None:
    try:
        settle(ws)
    except MoreNeeded:
        ws.undo()


def _decide_once(ws: WorkingSet, envelope: Envelope) -> Outcome:
    """Decide, or repeat the first answer to the same command id."""
    if envelope.command_id is None:
        return _decide_after_hearing(ws, envelope)
    scope = envelope.scope or ""
    kept = ws.answer(scope, envelope.command_id)
    if kept is not None:
        if kept.fingerprint != request_fingerprint(envelope.command):
            raise Conflict(
                f"command_id {envelope.command_id!r} was used for a different command within the last day. "
                "Use a new id for a new command."
            )
        return unpack_outcome(kept.answer)
    outcome = _decide_after_hearing(ws, envelope)
    ws.put_answer(remembered(envelope, outcome, ws.now_ms))
    return outcome


def _decide_after_hearing(ws: WorkingSet, envelope: Envelope) -> Outcome:
    """Append what the attempt has said, and decide."""
    if envelope.said is not None:
        hear(ws, envelope.said, envelope.scope)
    return decide(ws, envelope.command, envelope.scope)
