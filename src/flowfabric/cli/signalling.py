"""The verbs that answer what waits: `signal`, `approve`, `reject`, `resume`. Each is about one execution."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from flowfabric.cli.consent import ASK, Consent, can_ask
from flowfabric.cli.exits import Exit, NotDone, WrongCall
from flowfabric.cli.filters import execution_id_of
from flowfabric.cli.hints import for_resume
from flowfabric.cli.output import Json, document, note, say
from flowfabric.cli.plans import Plan, is_held, let_go, resuming, signalling, with_what
from flowfabric.cli.stored import in_a_line
from flowfabric.cli.target import HERE, Place, Target, opened_at
from flowfabric.cli.wait_words import choices_of, open_keys, returns_a_value, whom
from flowfabric.domain.errors import InvalidInput, NotFound, NotSignalable
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import DuplicateSignal, Signalled
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot
    from flowfabric.engine.blocking import BlockingEngine

Id = Annotated[str, Parameter(help="An execution's id, or the uuid in it.")]
Key = Annotated[str, Parameter(help="The key of the waitpoint, such as editor; `ff waiting` shows it.")]
AnyKey = Annotated[str | None, Parameter(help="The key of the waitpoint; not needed if one wait is open.")]
Data = Annotated[
    str | None,
    Parameter(
        help="The value to send, as JSON; - reads it from standard input; null if left out.", allow_leading_hyphen=True
    ),
]
DryRun = Annotated[bool, Parameter(help="Only say what would happen; change nothing.")]


@Parameter(name="*")
@dataclass(frozen=True)
class Decision:
    """What a person has decided."""

    source: Annotated[str, Parameter(name="--as", help="Who decides: the source of the signal.")]
    choice: Annotated[
        str | None,
        Parameter(help="The choice. The first one of the question approves, and every other one rejects."),
    ] = None
    note: Annotated[str, Parameter(help="A note that goes with the decision.")] = ""
    dry_run: DryRun = False


def signal(
    execution_id: Id,
    key: Key,
    /,
    *,
    data: Data = None,
    name: Annotated[str, Parameter(help="The name of the signal, if the wait asks for one.")] = "",
    source: Annotated[str, Parameter(name="--as", help="Who sends it: the source of the signal.")] = "",
    idempotency_key: Annotated[
        str | None, Parameter(help="A second signal with this key to the same waitpoint changes nothing.")
    ] = None,
    dry_run: DryRun = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Send a signal to an execution. A wait that it satisfies is over; otherwise it is kept for a later wait."""
    value = _value_in(data)
    place = at.place()
    with opened_at(place, at) as engine:
        x = _found(engine, execution_id)
        payload = _checked_payload(place, x.kind, key, value)
        if dry_run:
            _say_plan(signalling(x, _waitpoint(engine, x, key), key), json)
        else:
            _send(engine, _Sending(x, key, name, source, idempotency_key), payload, json)


def approve(
    execution_id: Id, key: AnyKey = None, /, *, decided: Decision, at: Target = HERE, json: Json = False
) -> None:
    """Approve what an execution asks for."""
    _decide(execution_id, key, decided, at, json, approves=True)


def reject(
    execution_id: Id, key: AnyKey = None, /, *, decided: Decision, at: Target = HERE, json: Json = False
) -> None:
    """Reject what an execution asks for."""
    _decide(execution_id, key, decided, at, json, approves=False)


def resume(
    execution_id: Id,
    /,
    *,
    data: Data = None,
    reason: Annotated[str, Parameter(help="The reason; it is written to the log.")] = "",
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """End all open waits of a suspended execution, whatever they wait for, so that it goes on."""
    from flowfabric.domain.outcomes import AlreadySatisfied

    value = _value_in(data)
    place = at.place()
    with opened_at(place, at) as engine:
        try:
            x = _found(engine, execution_id)
        except InvalidInput as error:
            is_name = not execution_id.startswith("{fp:") and "-" not in execution_id
            raise InvalidInput(f"{error} {for_resume(execution_id)}" if is_name else str(error)) from error
        _check_value_fits(place, x, value)
        plan = resuming(x, value)
        if consent.dry_run:
            _say_plan(plan, json)
            return
        if can_ask() and x.lifecycle_phase == "suspended":
            consent.ask(plan.words)
        answer = engine.resume_execution(x.execution_id, _payload(place, value), reason=reason)
    if json:
        document({"execution_id": x.execution_id, "answer": answer})
    elif isinstance(answer, AlreadySatisfied):
        held = f"; {let_go(x)}" if is_held(x) else ""
        say(f"{x.execution_id} is {x.public_state}: it is not suspended, so there was nothing to resume{held}")
    else:
        say(f"{x.execution_id} goes on: {counted(len(x.waits), 'wait')} ended{with_what(x, value)}")


# ── deciding ─────────────────────────────────────────────────────────────────────────────────────


class _Sending(NamedTuple):
    """A signal on its way, without its value."""

    x: "ExecutionSnapshot"
    key: str
    name: str
    source: str
    idempotency_key: str | None = None


def _decide(execution_id: str, key: str | None, decided: Decision, at: Target, json: bool, *, approves: bool) -> None:
    from flowfabric.domain.approvals import decision

    if not decided.source:
        raise WrongCall("--as needs a name: who decides is part of the decision.")
    place = at.place()
    with opened_at(place, at) as engine:
        x = _found(engine, execution_id)
        is_found = key is None
        key = _only_key(x) if key is None else key
        waitpoint = _waitpoint(engine, x, key)
        if is_found and not choices_of(waitpoint):
            raise WrongCall(
                f"{x.execution_id} waits for {key}, which is no question to approve or reject. Send it a value with "
                f"`ff signal {x.execution_id} {key} --data JSON`; or, if it does take a decision, name the key."
            )
        # The name of the signal is the choice: the condition of the wait sees names.
        name, value = decision(_choice(decided.choice, choices_of(waitpoint), key, approves=approves), decided.note)
        if decided.dry_run:
            _say_plan(signalling(x, waitpoint, key), json)
        else:
            _send(engine, _Sending(x, key, name, decided.source), _payload(place, value), json)


def _only_key(x: "ExecutionSnapshot") -> str:
    """The key that the execution waits for, if it is the only one."""
    if x.terminal_at_ms is not None:
        raise NotDone(f"{x.execution_id} has ended as {x.public_state}; it asks for nothing any more.")
    keys = open_keys(x)
    if len(keys) == 1 and len(x.waits) == 1:
        return keys[0]
    if not keys:
        raise NotDone(
            f"{x.execution_id} is {x.public_state} and has no open wait for a signal. `ff explain` says what it does."
        )
    listed = "; ".join(f"{wait.name}: {whom(wait)}" for wait in x.waits)
    raise WrongCall(f"Say which key is meant: {x.execution_id} waits for several ({listed}).")


def _choice(choice: str | None, choices: Sequence[str], key: str, *, approves: bool) -> str:
    """The choice by its name. The first choice of a question approves, and every other one rejects."""
    from flowfabric.domain.approvals import CHOICES

    first, *others = choices or CHOICES
    fitting, opposite = ([first], others) if approves else (others, [first])
    verb, other = ("approve", "reject") if approves else ("reject", "approve")
    if choice in fitting:
        return choice
    if choice is None and len(fitting) == 1:
        return fitting[0]
    if choice in opposite:
        raise WrongCall(f"{choice!r} {other}s. Write `ff {other}`.")
    if not fitting:
        raise WrongCall(f"No choice of {key!r} {verb}s: there is only {first!r}.")
    wrong = "Say which choice is meant with --choice" if choice is None else f"{choice!r} is no choice"
    raise WrongCall(f"{wrong}. What {verb}s at {key!r}: {', '.join(fitting)}.")


# ── sending ──────────────────────────────────────────────────────────────────────────────────────


def _send(engine: "BlockingEngine", sending: _Sending, payload: bytes, json: bool) -> None:
    from flowfabric.domain.outcomes import Signalled

    x, key = sending.x, sending.key
    try:
        answer = engine.signal(
            x.execution_id,
            key,
            payload,
            name=sending.name,
            source=sending.source,
            idempotency_key=sending.idempotency_key,
        )
    except NotSignalable as error:
        raise NotDone(
            f"{x.execution_id} is {error.public_state}, and takes no signals any more. `ff replay {x.execution_id}` "
            "brings it back; then send the signal again."
        ) from error
    if json:
        document({"execution_id": x.execution_id, "key": key, "answer": answer})
        return
    say(f"{x.execution_id} {_answer_in_words(answer, key)}")
    if isinstance(answer, Signalled) and answer.effect == "counted":
        note(engine.explain(x.execution_id))
    others = [other for other in open_keys(x) if other != key]
    if key not in open_keys(x) and others:
        note(f"It waits for: {', '.join(others)}.")


def _answer_in_words(answer: "Signalled | DuplicateSignal", key: str) -> str:
    """An answer in words that follow the id."""
    from flowfabric.domain.outcomes import DuplicateSignal

    if isinstance(answer, DuplicateSignal):
        return "has this signal already: one with the same idempotency key was sent before"
    match answer.effect:
        case "resumed":
            return f"goes on: the signal has ended its wait for {key}"
        case "counted":
            return f"has taken the signal for {key}, and needs more before it goes on"
        case "buffered":
            return f"keeps the signal: no open wait needs it now, but a later one for {key} can"


def _found(engine: "BlockingEngine", text: str) -> "ExecutionSnapshot":
    execution_id = execution_id_of(engine, text)
    x = engine.describe_execution(execution_id)
    if x is None:
        raise NotFound("execution", f"There is no execution {execution_id}. Check the id and the namespace.")
    return x


def _waitpoint(engine: "BlockingEngine", x: "ExecutionSnapshot", key: str) -> "WaitpointSnapshot | None":
    return next((each for each in engine.list_waitpoints(x.execution_id) if each.key == key), None)


def _say_plan(plan: Plan, json: bool) -> None:
    """Say what would happen. The exit code is that of a refusal if it would be refused."""
    if json:
        document({"plan": [plan.words]})
    else:
        say(f"{plan.words}.")
    if not plan.is_possible:
        raise SystemExit(Exit.NOT_DONE)


def _value_in(data: str | None) -> object:
    """The value in an option, which is JSON. Nothing means null."""
    import msgspec

    if data is None:
        return None
    if data.startswith("-") and data != "-" and not data[1:2].isdigit():
        raise WrongCall(f"--data is {data!r}; write JSON, such as '{{\"ok\": true}}', or - for standard input.")
    text: str | bytes = data if data != "-" else b"" if sys.stdin is None else sys.stdin.buffer.read()
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"--data is not JSON: {error}. Write a text in double quotes, like '\"yes\"'.") from error


def _payload(place: Place, value: object) -> bytes:
    """The value as a signal carries it: JSON, encoded by the codec of the program if there is a program."""
    import msgspec

    from flowfabric.runtime.codecs import encoded

    data = msgspec.json.encode(value)
    return data if place.fabric is None else encoded(place.fabric.codec, data, "the signal")


def _check_value_fits(place: Place, x: "ExecutionSnapshot", value: object) -> None:
    """Refuse a value that a wait could not take, if the task declares its signals: the value would be stored."""
    task = None if place.fabric is None else place.fabric.tasks.get(x.kind)
    if task is None or task.settings.signals is None or x.lifecycle_phase != "suspended":
        return
    for wait in filter(returns_a_value, x.waits):
        if wait.keys[0] not in task.settings.signals:
            continue
        try:
            task.signal_payload(wait.keys[0], value)
        except InvalidInput as error:
            raise InvalidInput(
                f"{x.execution_id} waits in {wait.name!r} for a value, which {in_a_line(value) or 'null'} does not "
                f"fit: {error} Give one that does: `ff resume {x.execution_id} --data JSON`."
            ) from error


def _checked_payload(place: Place, kind: str, key: str, value: object) -> bytes:
    """The same. If the program has the task and the task declares its signals, key and value must fit."""
    task = None if place.fabric is None else place.fabric.tasks.get(kind)
    return _payload(place, value) if task is None else task.signal_payload(key, value)
