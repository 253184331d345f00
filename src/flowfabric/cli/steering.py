"""The verbs that steer executions: `cancel`, `revoke`, `priority`, `replay`, `hold`, `unhold`.

Each takes ids, or filters. With filters it counts first, shows the count, and asks.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.consent import ASK, Consent, ask, can_ask
from flowfabric.cli.exits import Exit, WrongCall, exit_of
from flowfabric.cli.filters import ANY, Filters, execution_id_of
from flowfabric.cli.output import Json, document, note, progress, say
from flowfabric.cli.replaying import Plan, answer_in_words, left_skipped, plan_for, words_for_all
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.errors import InvalidInput, NotFound, Refused
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Answer
    from flowfabric.domain.steps import StepsRule
    from flowfabric.engine.blocking import BlockingEngine
    from flowfabric.engine.operating import Action

Ids = Annotated[str, Parameter(name="ID", help="Which executions: their ids, or the uuids in them. Or use filters.")]
Reason = Annotated[str, Parameter(help="Why; it is written to the log.")]
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
    verb = _Verb("cancel", "cancelled", lambda engine, key: engine.cancel_execution(key, reason=reason), reason)
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
    verb = _Verb("revoke", "revoked", lambda engine, key: engine.revoke_lease(key, reason=reason), reason)
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
    verb = _Verb(
        "change_priority", "moved", lambda engine, key: engine.change_priority(key, priority), priority=priority
    )
    _steer(verb, ids, where, consent, at, json)


def replay(
    *ids: Ids,
    from_scratch: Annotated[bool, Parameter(help="Do everything again, also what is stored.")] = False,
    from_step: Annotated[str | None, Parameter(help="Do this stored step again, and what comes after it.")] = None,
    where: Filters = ANY,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Bring ended executions back to life, in place: what did not complete goes on after its stored steps."""
    if from_scratch and from_step is not None:
        raise WrongCall("--from-scratch keeps no step, and --from-step keeps those before it. Give one of the two.")
    if from_step is not None and not ids:
        raise WrongCall("--from-step goes with ids: executions that a filter finds may have other steps.")
    steps: StepsRule | None = "clear" if from_scratch else None
    verb = _Verb(
        "replay",
        "replayed",
        lambda engine, key: engine.replay_execution(key, steps=steps, from_step=from_step),
        steps=steps,
        plan=lambda engine, key: plan_for(engine, key, steps, from_step),
        words_for_all=words_for_all(steps),
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
    verb = _Verb("hold", "held", lambda engine, key: engine.hold(key, reason=reason), reason)
    _steer(verb, ids, where, consent, at, json)


def unhold(*ids: Ids, where: Filters = ANY, consent: Consent = ASK, at: Target = HERE, json: Json = False) -> None:
    """Let held executions go."""
    verb = _Verb("unhold", "let go", lambda engine, key: engine.unhold(key))
    _steer(verb, ids, where, consent, at, json)


# ── by id or by filter ───────────────────────────────────────────────────────────────────────────


class _Verb(NamedTuple):
    """One verb, for one execution and for all that a filter finds."""

    action: "Action"
    done: str
    send: "Callable[[BlockingEngine, str], Answer]"
    reason: str = ""
    priority: int | None = None
    steps: "StepsRule | None" = None
    plan: "Callable[[BlockingEngine, str], Plan] | None" = None
    """What it means for one execution, if that is more than its name says: then it is told and asked before."""
    words_for_all: str = ""


class _Sent(NamedTuple):
    execution_id: str
    answer: "Answer"
    steps_stored: int
    """How many steps were stored before, of a verb that does something to them."""


class _Refusal(NamedTuple):
    execution_id: str
    code: str
    message: str
    exit: Exit = Exit.NOT_DONE


def _steer(verb: _Verb, ids: Sequence[str], where: Filters, consent: Consent, at: Target, json: bool) -> None:
    if bool(ids) == where.are_given:
        raise WrongCall("Choose executions by their ids, or by filters such as --lane and --state; `ff ls` shows them.")
    if ids and consent != ASK and verb.plan is None:
        raise WrongCall("--yes and --dry-run go with filters; ids are steered without being asked.")
    with opened(at) as engine:
        if ids and (verb.plan is None or _is_meant(engine, verb, ids, consent, json)):
            _steer_each(engine, verb, ids, json)
        elif ids:
            return
        else:
            _steer_all(engine, verb, where, consent, json)


def _is_meant(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str], consent: Consent, json: bool) -> bool:
    """Say what it means for each, and ask if somebody sits at the terminal. A program has named them, and is not asked.

    But what has completed is not done again because of a program that does not say that it means that.
    """
    assert verb.plan is not None
    if not consent.dry_run and not consent.yes and not can_ask() and verb.steps != "clear":
        _check_nothing_is_repeated(engine, verb, ids)
    if not consent.dry_run and (consent.yes or not can_ask()):
        return True
    keys = [execution_id_of(engine, text) for text in ids]
    plans = [verb.plan(engine, key) for key in keys]
    for place, key in enumerate(keys):
        left = left_skipped(engine, key, keys)
        if left and plans[place].is_possible:
            plans[place] = plans[place]._replace(words=f"{plans[place].words}. {left}")
    if consent.dry_run:
        _show_plans(plans, json)
    elif any(plan.is_possible for plan in plans):  # otherwise there is nothing to ask: it is refused
        _ask_about(plans, verb, consent)
    return not consent.dry_run


def _check_nothing_is_repeated(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str]) -> None:
    assert verb.plan is not None
    for text in ids:
        try:
            plan = verb.plan(engine, execution_id_of(engine, text))
        except (InvalidInput, NotFound):
            continue  # it is refused when its turn comes
        if plan.repeats_a_success:
            ask(plan.words, "--yes or --from-scratch to go on, or --dry-run to only look")


def _show_plans(plans: Sequence[Plan], json: bool) -> None:
    if json:
        document({"matched": len(plans), "done": 0, "refused": [], "plan": [plan.words for plan in plans]})
    else:
        for plan in plans:
            say(f"{plan.words}.")
    if not all(plan.is_possible for plan in plans):
        raise SystemExit(Exit.NOT_DONE)


def _ask_about(plans: Sequence[Plan], verb: _Verb, consent: Consent) -> None:
    if len(plans) == 1:
        consent.ask(plans[0].words)
        return
    for plan in plans:
        note(f"{plan.words}.")
    consent.ask(f"{counted(sum(plan.is_possible for plan in plans), 'execution')} will be {verb.done}")


def _steer_each(engine: "BlockingEngine", verb: _Verb, ids: Sequence[str], json: bool) -> None:
    sent: list[_Sent] = []
    refused: list[_Refusal] = []
    for text in ids:
        answer = _sent(engine, text, verb)
        if isinstance(answer, _Refusal):
            refused.append(answer)
        else:
            sent.append(answer)
    if json:
        told = [{"execution_id": each.execution_id, "answer": each.answer} for each in sent]
        document({"matched": len(ids), "done": len(sent), "refused": _in_json(refused), "answers": told})
    else:
        for each in sent:
            say(f"{each.execution_id} {_told(engine, each)}")
    for refusal in refused:
        note(f"ff: {refusal.message}")
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
    """How many were done, and what was refused, of all that the filters find now."""
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


def _sent(engine: "BlockingEngine", text: str, verb: _Verb) -> _Sent | _Refusal:
    """The id and the answer, or what was refused; raises what would be the same for every execution."""
    try:
        key = execution_id_of(engine, text)
    except (InvalidInput, NotFound) as error:
        return _Refusal(text, error.code, str(error), exit_of(error) or Exit.NOT_DONE)
    try:
        steps_stored = 0 if verb.plan is None else len(engine.list_steps(key))
        return _Sent(key, verb.send(engine, key), steps_stored)
    except InvalidInput as error:
        # The id is understood, so what does not fit is the state that the execution is in.
        return _Refusal(key, error.code, str(error))
    except (NotFound, Refused) as error:
        return _Refusal(key, error.code, str(error), exit_of(error) or Exit.NOT_DONE)


def _in_json(refused: Sequence[_Refusal]) -> list[dict[str, str]]:
    return [{"execution_id": each.execution_id, "code": each.code, "message": each.message} for each in refused]


def _told(engine: "BlockingEngine", sent: _Sent) -> str:
    """An answer in words, after the id."""
    from flowfabric.domain import outcomes

    match sent.answer:
        case outcomes.Revoked(lease_id=lease_id):
            return f"has lost its lease {lease_id} and is back in the queue"
        case outcomes.AlreadySatisfied(reason=reason):
            return f"has no lease to take away: {'no worker has it' if reason == 'no_active_lease' else reason}"
        case outcomes.PriorityChanged(old_priority=old, new_priority=new):
            return f"has priority {new} (before: {old})"
        case outcomes.Replayed() as answer:
            words = answer_in_words(answer, sent.steps_stored)
            left = left_skipped(engine, sent.execution_id)
            return f"{words}. {left}." if left else words
        case outcomes.Held():
            return "is held"
        case outcomes.Unheld():
            return "is let go"
        case _:
            return "is cancelled"
