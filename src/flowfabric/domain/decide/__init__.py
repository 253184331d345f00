"""What a batch of commands needs to see, and what it does: pure, by the rule that each command has declared.

A batch means exactly what its commands would mean one by one.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, Envelope, executions_named_by, request_fingerprint

# A rule is declared when its file is imported.
from flowfabric.domain.decide import creating as creating
from flowfabric.domain.decide import finishing as finishing
from flowfabric.domain.decide import flows as flows
from flowfabric.domain.decide import leasing as leasing
from flowfabric.domain.decide import operating as operating
from flowfabric.domain.decide import replaying as replaying
from flowfabric.domain.decide import running as running
from flowfabric.domain.decide import scheduling as scheduling
from flowfabric.domain.decide import upkeep as upkeep
from flowfabric.domain.decide.rule import RULES, batch_class
from flowfabric.domain.errors import Conflict, EngineError
from flowfabric.domain.outcomes import Outcome, RememberedAnswer, pack_outcome, unpack_outcome
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

if TYPE_CHECKING:
    from flowfabric.domain.ids import ExecutionId

ANSWER_TTL_MS: Final = 86_400_000
"""How long a repeated command id gets its first answer."""


def needs(batch: Sequence[Envelope]) -> Needs:
    """Everything the batch must see."""
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
        if rule.enters_queue:
            entering_queue.update(executions_named_by(command))
        leaving_queue += rule.leaves_queue
    wanted.executions |= entering_queue | wanted.flows_of
    if wanted.claims:
        # What becomes ready in this batch may be claimed in it, and a claim hands out the payload.
        wanted.payloads |= entering_queue
        # A claim may find the head of its queue taken by the claims before it, or gone by another command.
        most = sum(wanted.claims.values()) + leaving_queue
        wanted.claims = dict.fromkeys(wanted.claims, most)
    return wanted


def decide(ws: WorkingSet, command: AnyCommand, scope: str | None) -> Outcome:
    """Answer one command, or raise why not; what it changes, it changes in the working set."""
    return RULES[type(command)].decide(ws, command, scope)


def apply_batch(ws: WorkingSet, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
    """Decide each command in arrival order. A refusal is that command's answer and changes nothing.

    If something is `missing` in the working set afterwards, all this is void.
    """
    outcomes: list[Outcome | EngineError] = []
    for envelope in batch:
        ws.begin()
        try:
            outcomes.append(_decide_once(ws, envelope))
        except EngineError as refusal:
            ws.undo()
            outcomes.append(refusal)
        except MoreNeeded:
            # The others still say what they lack, so that it is loaded together.
            ws.undo()
            outcomes.append(None)
    return outcomes


def _decide_once(ws: WorkingSet, envelope: Envelope) -> Outcome:
    """Decide, or repeat the first answer to the same command id."""
    if envelope.command_id is None:
        return decide(ws, envelope.command, envelope.scope)
    scope = envelope.scope or ""
    fingerprint = request_fingerprint(envelope.command)
    kept = ws.answer(scope, envelope.command_id)
    if kept is not None:
        if kept.fingerprint != fingerprint:
            raise Conflict(
                f"command_id {envelope.command_id!r} was used for a different command within the last day. "
                "Use a new id for a new command."
            )
        return unpack_outcome(kept.answer)
    outcome = decide(ws, envelope.command, envelope.scope)
    ws.put_answer(
        RememberedAnswer(scope, envelope.command_id, fingerprint, pack_outcome(outcome), ws.now_ms + ANSWER_TTL_MS)
    )
    return outcome
