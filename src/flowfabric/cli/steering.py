"""The verbs that steer executions: `cancel`, `revoke`, `priority`, `replay`, `hold`, `unhold`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.exits import Exit, WrongCall, exit_of
from flowfabric.cli.filters import execution_id_of
from flowfabric.cli.output import Json, document, note, say
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.errors import InvalidInput, NotFound, Refused

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Answer
    from flowfabric.engine.blocking import BlockingEngine

Ids = Annotated[str, Parameter(name="ID", help="Which executions: their ids, or the uuids in them.")]
Reason = Annotated[str, Parameter(help="Why; it is written to the log.")]
BY_OPERATOR = "by an operator"


def cancel(*ids: Ids, reason: Reason = BY_OPERATOR, at: Target = HERE, json: Json = False) -> None:
    """End executions for good, running or not."""
    _steer(at, json, ids, lambda engine, key: engine.cancel_execution(key, reason=reason))


def revoke(*ids: Ids, reason: Reason = BY_OPERATOR, at: Target = HERE, json: Json = False) -> None:
    """Take executions away from their workers and put them back in the queue."""
    _steer(at, json, ids, lambda engine, key: engine.revoke_lease(key, reason=reason))


def priority(
    priority: Annotated[int, Parameter(help="The new priority, 0 to 9000; the highest goes first.")],
    /,
    *ids: Ids,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Move waiting executions in their queue."""
    _steer(at, json, ids, lambda engine, key: engine.change_priority(key, priority))


def replay(*ids: Ids, at: Target = HERE, json: Json = False) -> None:
    """Bring ended executions back to life, in place."""
    _steer(at, json, ids, lambda engine, key: engine.replay_execution(key))


def hold(*ids: Ids, reason: Reason = BY_OPERATOR, at: Target = HERE, json: Json = False) -> None:
    """Keep executions from being claimed until they are let go."""
    _steer(at, json, ids, lambda engine, key: engine.hold(key, reason=reason))


def unhold(*ids: Ids, at: Target = HERE, json: Json = False) -> None:
    """Let held executions go."""
    _steer(at, json, ids, lambda engine, key: engine.unhold(key))


# ── by id ────────────────────────────────────────────────────────────────────────────────────────


class _Refusal(NamedTuple):
    execution_id: str
    code: str
    message: str
    exit: Exit


def _steer(at: Target, json: bool, ids: Sequence[str], send: "Callable[[BlockingEngine, str], Answer]") -> None:
    if not ids:
        raise WrongCall("Name the executions by their ids. `ff ls` shows them.")
    done: list[tuple[str, Answer]] = []
    refused: list[_Refusal] = []
    with opened(at) as engine:
        for text in ids:
            sent = _sent(engine, text, send)
            if isinstance(sent, _Refusal):
                refused.append(sent)
            else:
                done.append(sent)
    if json:
        document(
            {
                "done": [{"execution_id": key, "answer": answer} for key, answer in done],
                "refused": [
                    {"execution_id": each.execution_id, "code": each.code, "message": each.message} for each in refused
                ],
            }
        )
    else:
        for key, answer in done:
            say(f"{key} {_told(answer)}")
    for each in refused:
        note(f"ff: {each.message}")
    if refused:
        raise SystemExit(refused[0].exit)


def _sent(
    engine: "BlockingEngine", text: str, send: "Callable[[BlockingEngine, str], Answer]"
) -> "tuple[str, Answer] | _Refusal":
    """The id and the answer, or what was refused; raises what would be the same for every execution."""
    try:
        key = execution_id_of(engine, text)
    except (InvalidInput, NotFound) as error:
        return _Refusal(text, error.code, str(error), exit_of(error) or Exit.NOT_DONE)
    try:
        return key, send(engine, key)
    except InvalidInput as error:
        # The id is understood, so what does not fit is the state that the execution is in.
        return _Refusal(key, error.code, str(error), Exit.NOT_DONE)
    except (NotFound, Refused) as error:
        return _Refusal(key, error.code, str(error), exit_of(error) or Exit.NOT_DONE)


def _told(answer: "Answer") -> str:
    """An answer in words, after the id."""
    from flowfabric.domain import outcomes

    match answer:
        case outcomes.Revoked(lease_id=lease_id):
            return f"has lost its lease {lease_id} and is back in the queue"
        case outcomes.AlreadySatisfied(reason=reason):
            return f"has no lease to take away ({reason})"
        case outcomes.PriorityChanged(old_priority=old, new_priority=new):
            return f"has priority {new} (before: {old})"
        case outcomes.Replayed(public_state=state):
            return f"is {state} again"
        case outcomes.Held():
            return "is held"
        case outcomes.Unheld():
            return "is let go"
        case _:
            return "is cancelled"
