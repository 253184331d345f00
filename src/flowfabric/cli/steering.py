"""The verbs that steer executions: `cancel`, `revoke`, `priority`, `replay`, `hold`, `unhold`.

Each takes ids, or filters. With filters it counts first, shows the count, and asks.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from cyclopts import Parameter

from flowfabric.cli import hints
from flowfabric.cli.consent import ASK, Consent, ask, can_ask
from flowfabric.cli.exits import Exit, WrongCall, exit_of
from flowfabric.cli.filters import ANY, Filters, checked_priority, execution_id_of
from flowfabric.cli.output import Json, document, note, progress, say
from flowfabric.cli.plans import Plan, cancelling, holding, is_held, letting_go, live_lease, moving, revoking
from flowfabric.cli.replaying import answer_in_words, left_skipped, plan_for, words_for_all
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.errors import InvalidInput, NotFound, Refused
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.listing import Action
    from flowfabric.domain.outcomes import Answer
    from flowfabric.domain.snapshots import AttemptSnapshot, ExecutionSnapshot
    from flowfabric.domain.steps import StepsRule
    from flowfabric.engine.blocking import BlockingEngine

Ids = Annotated[str, Parameter(name="ID", help="Which executions: their ids, or the uuids in them. Or use filters.")]
Reason = Annotated[str, Parameter(help="The reason; it is written to the log.")]
BY_OPERATOR: Final = "by an operator"


def cancel(
    *ids: Ids,
    reason: Reason = BY_OPERATOR,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """End executions for good, running or not."""
    verb = _Verb(
        "cancel",
        "cancelled",
        lambda engine, key: engine.cancel_execution(key, reason=reason),
        cancelling,
        reason,
        for_flows="ff flow cancel",
    )
    _steer(verb, ids, where, consent, at, json)


def revoke(
    *ids: Ids,
    reason: Reason = BY_OPERATOR,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Take executions away from their workers and put them back in the queue."""
    verb = _Verb("revoke", "revoked", lambda engine, key: engine.revoke_lease(key, reason=reason), revoking, reason)
    _steer(verb, ids, where, consent, at, json)


def priority(
    priority: Annotated[int, Parameter(help="The new priority, 0 to 9000; the highest goes first.")],
    /,
    *ids: Ids,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Move waiting executions in their queue."""
    new = checked_priority("PRIORITY", priority)
    verb = _Verb(
        "change_priority",
        "moved",
        lambda engine, key: engine.change_priority(key, new),
        lambda engine, x: moving(x, new),
        priority=new,
        for_flows=f"ff priority {new} --flow",
    )
    _steer(verb, ids, where, consent, at, json)


def replay(
    *ids: Ids,
    from_scratch: Annotated[bool, Parameter(help="Do everything again, including stored steps.")] = False,
    from_step: Annotated[str | None, Parameter(help="Do this stored step and all later steps again.")] = None,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Bring ended executions back to life. Those that did not complete go on after their stored steps."""
    if from_scratch and from_step is not None:
        raise WrongCall("--from-scratch keeps no step, and --from-step keeps those before it. Give one of the two.")
    if from_step is not None and not ids:
        raise WrongCall("--from-step goes with ids: executions that a filter finds may have other steps.")
    steps: StepsRule | None = "clear" if from_scratch else None
    verb = _Verb(
        "replay",
        "replayed",
        lambda engine, key: engine.replay_execution(key, steps=steps, from_step=from_step),
        lambda engine, x: plan_for(engine, x, steps, from_step),
        steps=steps,
        asks=True,
        words_for_all=words_for_all(steps),
        for_flows="ff flow replay",
    )
    _steer(verb, ids, where, consent, at, json)


def hold(
    *ids: Ids,
    reason: Reason = BY_OPERATOR,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Keep executions from being claimed until they are let go."""
    verb = _Verb(
        "hold", "held", lambda engine, key: engine.hold(key, reason=reason), lambda engine, x: holding(x), reason
    )
    _steer(verb, ids, where, consent, at, json)


def unhold(*ids: Ids, where: Filters = ANY, consent: Consent = ASK, at: Target = HERE, json: Json = False) -> None:
    """Let held executions go."""
    verb = _Verb("unhold", "let go", lambda engine, key: engine.unhold(key), lambda engine, x: letting_go(x))
    _steer(verb, ids, where, consent, at, json)


# ── by id or by filter ───────────────────────────────────────────────────────────────────────────


class _Verb(NamedTuple):
    """One verb, for one execution and for all that a filter finds."""

    action: "Action"
    done: str
    send: "Callable[[BlockingEngine, str], Answer]"
    plan: "Callable[[BlockingEngine, ExecutionSnapshot], Plan]"
    """What the verb would do to one execution."""
    reason: str = ""
    priority: int | None = None
    steps: "StepsRule | None" = None
    asks: bool = False
    """Whether the verb shows its plan and asks before it acts on named executions, if there is a terminal."""
    words_for_all: str = ""
    for_flows: str = ""
    """The command to suggest if the id is that of a flow; empty: the same verb, with the flow as a filter."""

    @property
    def instead(self) -> str:
        return self.for_flows or f"ff {self.action} --flow"


class _Done(NamedTuple):
    before: "ExecutionSnapshot"
    answer: "Answer"
    words: str


class _Refusal(NamedTuple):
    execution_id: str
    code: str
    message: str
    exit: Exit = Exit.NOT_DONE


def _steer(verb: _Verb, ids: Sequence[str], where: Filters, consent: Consent, at: Target, json: bool) -> None:
    if bool(ids) == where.are_given:
        raise WrongCall("Choose executions by their ids, or by filters such as --lane and --state; `ff ls` shows them.")
    with opened(at) as engine:
        if not ids:
            _steer_all(engine, verb, where, consent, json)
        elif consent.dry_run:
            _plan_each(engine, verb, ids, json)
        else:
            if verb.asks:
                _ask_for_each(engine, verb, ids, consent)
            _steer_each(engine, verb, ids, json)


def _plan_each(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str], json: bool) -> None:
    """Say what would happen to each execution. The exit code is that of a refusal if one would be refused."""
    plans, refused = _planned(engine, verb, ids)
    if json:
        document({"matched": len(ids), "done": 0, "refused": _in_json(refused), "plan": [plan.words for plan in plans]})
    else:
        for plan in plans:
            say(f"{plan.words}.")
    _end_with(refused)
    if not all(plan.is_possible for plan in plans):
        raise SystemExit(Exit.NOT_DONE)


def _ask_for_each(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str], consent: Consent) -> None:
    """Say what would happen to each execution, and ask if there is a terminal. Without a terminal nobody is asked.

    But without a terminal, completed work is only done again if an option says so.
    """
    if consent.yes:
        return
    if not can_ask():
        _check_nothing_is_repeated(engine, verb, ids)
        return
    plans, _ = _planned(engine, verb, ids)
    possible = sum(plan.is_possible for plan in plans)
    if not possible:
        return  # nothing to ask: the engine refuses each of them later
    if len(plans) == 1:
        consent.ask(plans[0].words)
        return
    for plan in plans:
        note(f"{plan.words}.")
    consent.ask(f"{counted(possible, 'execution')} will be {verb.done}")


def _check_nothing_is_repeated(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str]) -> None:
    if verb.steps == "clear":
        return
    for text in ids:
        x = _found(engine, text, verb)
        if isinstance(x, _Refusal):
            continue  # the engine refuses it later
        plan = verb.plan(engine, x)
        if plan.repeats_a_success:
            ask(plan.words, "--yes or --from-scratch to go on, or --dry-run to only look")


def _planned(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str]) -> tuple[list[Plan], list[_Refusal]]:
    """The plan for each execution, and the ids that are no executions."""
    looked = [_found(engine, text, verb) for text in ids]
    refused = [each for each in looked if isinstance(each, _Refusal)]
    found = [each for each in looked if not isinstance(each, _Refusal)]
    keys = [x.execution_id for x in found]
    plans: list[Plan] = []
    for x in found:
        plan = verb.plan(engine, x)
        left = left_skipped(engine, x, keys) if verb.action == "replay" and plan.is_possible else ""
        plans.append(plan._replace(words=f"{plan.words}. {left}") if left else plan)
    return plans, refused


def _steer_each(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str], json: bool) -> None:
    done: list[_Done] = []
    refused: list[_Refusal] = []
    for text in ids:
        sent = _sent(engine, text, verb)
        if isinstance(sent, _Refusal):
            refused.append(sent)
        else:
            done.append(sent)
    if json:
        answers = [{"execution_id": each.before.execution_id, "answer": each.answer} for each in done]
        document({"matched": len(ids), "done": len(done), "refused": _in_json(refused), "answers": answers})
    else:
        for each in done:
            # Only after all of them: one member may bring back members that another one had left skipped.
            left = left_skipped(engine, each.before) if verb.action == "replay" else ""
            say(f"{each.before.execution_id} {each.words}" + (f". {left}." if left else ""))
    _end_with(refused)


def _end_with(refused: Sequence[_Refusal]) -> None:
    for each in refused:
        note(f"ff: {each.message}")
    if refused:
        raise SystemExit(refused[0].exit)


def _steer_all(engine: "BlockingEngine", verb: _Verb, where: Filters, consent: Consent, json: bool) -> None:
    filters = where.for_engine(engine)
    count = engine.count_executions(**filters)
    done = 0
    refused: list[_Refusal] = []
    if count and not consent.dry_run:
        consent.ask(f"{counted(count, 'execution')} will be {verb.done}{verb.words_for_all}")
        done, refused = _operated(engine, verb, filters, count)
    if json:
        document({"matched": count, "done": done, "refused": _in_json(refused)})
    elif consent.dry_run:
        say(f"{counted(count, 'execution')} would be {verb.done}.")
    else:
        say(f"{counted(done, 'execution')} {verb.done}.")
    for code, number in Counter(each.code for each in refused).items():
        example = next(each for each in refused if each.code == code)
        note(f"ff: {number} refused ({code}), such as this one: {example.message}")
    if refused:
        raise SystemExit(Exit.NOT_DONE)


def _operated(engine: "BlockingEngine", verb: _Verb, filters: dict[str, Any], count: int) -> tuple[int, list[_Refusal]]:
    """How many executions were changed, and which were refused, of all that the filters find now."""
    done, refused = 0, []
    cursor = None
    try:
        with progress(verb.action, count) as advance:
            while True:
                page = engine.operate(
                    verb.action,
                    reason=verb.reason,
                    priority=verb.priority,
                    steps=verb.steps,
                    cursor=cursor,
                    **filters,
                )
                done += page.done
                refused += [_Refusal(each.execution_id, each.code, each.message) for each in page.refused]
                advance(page.done + len(page.refused))
                cursor = page.next_cursor
                if cursor is None:
                    return done, refused
    except KeyboardInterrupt:
        note(f"{counted(done, 'execution')} {verb.done} before that.")
        raise


def _found(engine: "BlockingEngine", text: str, verb: _Verb) -> "ExecutionSnapshot | _Refusal":
    """The execution as it is now, or the reason why there is none."""
    try:
        key = execution_id_of(engine, text, instead=verb.instead)
        x = engine.describe_execution(key)
        if x is None:
            raise NotFound("execution", f"There is no execution {key}. Check the id and the namespace.")
    except (InvalidInput, NotFound) as error:
        return _Refusal(text, error.code, str(error), exit_of(error) or Exit.NOT_DONE)
    return x


def _sent(engine: "BlockingEngine", text: str, verb: _Verb) -> _Done | _Refusal:
    """The answer or the refusal for one execution. An error that would be the same for all executions is raised."""
    x = _found(engine, text, verb)
    if isinstance(x, _Refusal):
        return x
    key = x.execution_id
    try:
        worker = live_lease(engine, x) if verb.action == "revoke" else None
        steps_stored = len(engine.list_steps(key)) if verb.action == "replay" else 0
        answer = verb.send(engine, key)
        return _Done(x, answer, _answer_in_words(engine, answer, x, worker, steps_stored))
    except InvalidInput as error:
        # The id is valid, so the refusal is about the state of the execution.
        return _Refusal(key, error.code, str(error))
    except (NotFound, Refused) as error:
        waits = x.lifecycle_phase == "suspended"
        message = f"{str(error).removesuffix('.')}; {hints.for_waiting(key)}." if waits else str(error)
        return _Refusal(key, error.code, message, exit_of(error) or Exit.NOT_DONE)


def _in_json(refused: Sequence[_Refusal]) -> list[dict[str, str]]:
    return [{"execution_id": each.execution_id, "code": each.code, "message": each.message} for each in refused]


def _answer_in_words(
    engine: "BlockingEngine",
    answer: "Answer",
    before: "ExecutionSnapshot",
    lease: "AttemptSnapshot | None",
    steps_stored: int,
) -> str:
    """An answer in words that follow the id. `before` shows what the answer has changed."""
    from flowfabric.domain import outcomes

    match answer:
        case outcomes.Revoked(lease_epoch=epoch):
            return _revoke_in_words(engine.describe_execution(before.execution_id), epoch, lease)
        case outcomes.AlreadySatisfied(reason=reason):
            because = "no worker has it" if reason == "no_active_lease" else reason
            waits = f"; {hints.for_waiting(before.execution_id)}" if before.lifecycle_phase == "suspended" else ""
            return f"has no lease to take away: {because}{waits}"
        case outcomes.PriorityChanged(old_priority=old, new_priority=new):
            return f"has priority {new} (before: {old})"
        case outcomes.Replayed():
            return answer_in_words(answer, steps_stored)
        case outcomes.Held():
            return "will be held once it is resumed" if before.lifecycle_phase == "suspended" else "is held"
        case outcomes.Unheld() if before.lifecycle_phase == "suspended":
            return "is not held"  # nor is it known whether it was
        case outcomes.Unheld():
            return "is let go" if is_held(before) else "was not held"
        case _:
            return "is cancelled"


def _revoke_in_words(after: "ExecutionSnapshot | None", epoch: int, lease: "AttemptSnapshot | None") -> str:
    # Another worker may have claimed it meanwhile. Then the epoch has grown by more than this revoke.
    is_known = lease is not None and lease.lease_epoch + 1 == epoch
    worker = f"worker {lease.worker_instance_id}" if lease is not None and is_known else "its worker"
    has_ended = after is not None and after.terminal_at_ms is not None
    follows = f"has ended as {after.public_state}" if after is not None and has_ended else "waits for a worker again"
    return f"was taken from {worker} and {follows}"
