"""What the contract says about one execution, one call at a time, in as few lines as it takes.

It is written from the contract alone and shares no code with the package: a mistake in a rule is not repeated here.
Time is seen from outside. A lease or a delay that may be over by the end of a call may be over for that call; one
that was over before the call began is over.
"""

from collections.abc import Iterator
from math import inf
from typing import Any, Final, NamedTuple

from tests.histories.history import Answer, Call

MAX_RETRIES: Final = 2
MAX_INTERRUPTIONS: Final = 3
MAX_REPLAYS: Final = 4
PRIORITY_MAX: Final = 9_000
ENDED: Final = ("completed", "failed", "cancelled")
FENCED: Final = ("renew", "complete", "fail", "release", "record_step", "suspend", "append")
REPEATED: Final = {("completed", "complete"): "Completed", ("failed", "fail"): "TerminalFailed"}
"""The lease that has ended the execution may say so again, and hears the same."""


class State(NamedTuple):
    """How one execution stands."""

    phase: str = "absent"
    """A public state; a delay or a hold is a field of its own, so it is `waiting` then."""
    payload: str = ""
    execution_id: str | None = None
    held: bool = False
    delay_ms: float | None = None
    """Not claimable before. If an answer was lost, the earliest that it can be."""
    next_claim: str = "first"
    attempt: int = -1
    epoch: int = 0
    lease_id: str | None = None
    """Of the live lease, or of the one that completed it or failed it for good; "?" if nobody was told."""
    worker: str = ""
    expires_ms: tuple[float, float] = (inf, inf)
    """The earliest and the latest moment at which the lease may end."""
    priority: int = 0
    retries: int = 0
    interruptions: int = 0
    replays: int = 0
    reason: str | None = None
    result: str | None = None
    steps: frozenset[tuple[str, str]] = frozenset()
    signals: tuple[str, ...] = ()
    """Payloads of those that are kept, in order."""
    signal_keys: frozenset[tuple[str, str, str]] = frozenset()
    """Idempotency key, payload, and id of the signal, which is "?" if nobody was told."""
    said: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    """What was appended to the stream, in order: the epoch, the number of the first frame, and the frames."""


def _told(call: Call, name: str, **fields: Any) -> bool:
    """Whether the answer is this one, or was lost."""
    answer = call.answer
    return answer is None or (answer.get("is") == name and all(answer.get(k) == v for k, v in fields.items()))


def _refused(call: Call, *names: str) -> bool:
    return call.answer is not None and call.answer.get("refused") in names


def _public(state: State, delayed: bool) -> str:
    return "delayed" if delayed and state.phase == "waiting" else state.phase


class ExecutionModel:
    """The model that the checker asks."""

    first = State()

    def words(self, state: Any) -> str:
        told = {name: value for name, value in state._asdict().items() if value != State._field_defaults[name]}
        return ", ".join(f"{name} {value}" for name, value in told.items()) or "absent"

    def after(self, state: Any, call: Call, alone: bool) -> Iterator[State]:
        for now in self._as_time_goes(state, call):
            yield from self._answers(now, call, alone)

    def _as_time_goes(self, state: State, call: Call) -> Iterator[State]:
        """The same state, and what upkeep may have made of it by the end of the call."""
        yield state
        if state.phase == "active" and state.expires_ms[0] <= call.ended_ms:
            yield _interrupted(state)
        if state.delay_ms is not None and state.delay_ms <= call.ended_ms:
            yield state._replace(delay_ms=None)

    def _answers(self, state: State, call: Call, alone: bool) -> Iterator[State]:
        if call.verb == "submit":
            yield from _submit(state, call)
        elif call.verb == "claim":
            yield from _claim(state, call, alone)
        elif state.phase == "absent":
            if _refused(call, "NotFound") or (call.verb == "describe" and _told(call, "NoneType")):
                yield state
        elif call.verb in FENCED:
            yield from _fenced(state, call)
        else:
            yield from getattr(self, f"_{call.verb}")(state, call)

    # ── operators and readers ────────────────────────────────────────────────────────────────────

    def _cancel(self, state: State, call: Call) -> Iterator[State]:
        if state.phase in ENDED and state.phase != "cancelled":
            if _refused(call, "InvalidInput"):
                yield state
        elif _told(call, "Cancelled", public_state="cancelled"):
            if state.phase == "cancelled":
                yield state
                return
            epoch = state.epoch + (state.phase == "active")
            yield _ended(state._replace(epoch=epoch), "cancelled")._replace(reason=call.given["reason"])

    def _revoke(self, state: State, call: Call) -> Iterator[State]:
        if state.phase != "active":
            if _told(call, "AlreadySatisfied", reason="no_active_lease"):
                yield state
        elif _told(call, "Revoked", lease_epoch=state.epoch + 1):
            taken = (call.answer or {}).get("lease_id")
            if taken is None or state.lease_id in ("?", taken):
                yield _interrupted(state)

    def _priority(self, state: State, call: Call) -> Iterator[State]:
        can = state.phase == "suspended" or (
            state.phase in ("waiting", "resumable") and not state.held and state.delay_ms is None
        )
        new = max(0, min(PRIORITY_MAX, call.given["priority"]))
        if can and _told(call, "PriorityChanged", old_priority=state.priority, new_priority=new):
            yield state._replace(priority=new)
        elif not can and _refused(call, "ExecutionNotEligible"):
            yield state

    def _hold(self, state: State, call: Call) -> Iterator[State]:
        can = state.phase in ("waiting", "resumable", "suspended")
        if can and _told(call, "Held"):
            yield state._replace(held=True)
        elif not can and _refused(call, "ExecutionNotEligible"):
            yield state

    def _unhold(self, state: State, call: Call) -> Iterator[State]:
        can = state.phase in ("waiting", "resumable", "suspended")
        if can and _told(call, "Unheld"):
            yield state._replace(held=False)
        elif not can and _refused(call, "ExecutionNotEligible"):
            yield state

    def _replay(self, state: State, call: Call) -> Iterator[State]:
        if state.phase not in ENDED:
            if _refused(call, "ExecutionNotTerminal"):
                yield state
        elif state.replays >= MAX_REPLAYS:
            if _refused(call, "MaxReplaysExhausted"):
                yield state
        elif _told(call, "Replayed", public_state="waiting"):
            new = state._replace(
                phase="waiting", held=False, delay_ms=None, next_claim="replay", epoch=state.epoch + 1, lease_id=None
            )
            new = new._replace(retries=0, interruptions=0, replays=state.replays + 1, reason=None, result=None)
            if state.phase == "completed":
                new = new._replace(steps=frozenset(), signals=(), signal_keys=frozenset())
            yield new

    def _frames(self, state: State, call: Call) -> Iterator[State]:
        """What a reader gets who has read up to a frame, or nothing yet."""
        all_frames = [[epoch, seq, text] for epoch, first, texts in state.said for seq, text in enumerate(texts, first)]
        after = call.given["after"]
        if _told(call, "Frames", frames=[each for each in all_frames if after is None or each[:2] > after]):
            yield state

    def _signal(self, state: State, call: Call) -> Iterator[State]:
        key, payload = call.given["key"], call.given["payload"]
        for known, first, signal_id in state.signal_keys:
            if key == known:
                if first != payload:
                    if _refused(call, "Conflict"):
                        yield state
                elif _told(call, "DuplicateSignal"):
                    new_id = (call.answer or {}).get("signal_id", signal_id)
                    if signal_id in ("?", new_id):
                        rest = state.signal_keys - {(known, first, signal_id)}
                        yield state._replace(signal_keys=rest | {(known, first, new_id)})
                return
        if state.phase in ENDED:
            if _refused(call, "NotSignalable") and call.answer and call.answer["public_state"] == state.phase:
                yield state
            return
        resumes = state.phase == "suspended"
        if not _told(call, "Signalled", effect="resumed" if resumes else "buffered"):
            return
        if key is not None:
            made = (key, payload, (call.answer or {}).get("signal_id", "?"))
            state = state._replace(signal_keys=state.signal_keys | {made})
        yield _resumed(state) if resumes else state._replace(signals=(*state.signals, payload))

    def _resume(self, state: State, call: Call) -> Iterator[State]:
        if state.phase != "suspended":
            if _told(call, "AlreadySatisfied", reason="not_suspended"):
                yield state
        elif _told(call, "Resumed"):
            yield _resumed(state)

    def _describe(self, state: State, call: Call) -> Iterator[State]:
        if _told(
            call,
            "ExecutionSnapshot",
            priority=state.priority,
            attempt_index=max(state.attempt, 0),
            lease_epoch=state.epoch,
            retry_count=state.retries,
            interruption_count=state.interruptions,
            replay_count=state.replays,
            cancellation_reason=state.reason,
        ) and (call.answer is None or _shows(state, call.answer["public_state"])):
            yield state

    def _result(self, state: State, call: Call) -> Iterator[State]:
        if _told(call, "Result", value=state.result):
            yield state

    def _step(self, state: State, call: Call) -> Iterator[State]:
        if _told(call, "Step", value=dict(state.steps).get(call.given["name"])):
            yield state


# ── submits and claims ───────────────────────────────────────────────────────────────────────────


def _submit(state: State, call: Call) -> Iterator[State]:
    told = (call.answer or {}).get("execution_id")
    if state.phase == "absent":
        if _told(call, "Created", public_state="waiting"):
            yield state._replace(phase="waiting", payload=call.given["payload"], execution_id=told)
    elif call.given["payload"] != state.payload:
        if _refused(call, "Conflict"):
            yield state
    elif _told(call, "Duplicate") and (told is None or state.execution_id in (None, told)):
        yield state._replace(execution_id=told or state.execution_id)


def _claim(state: State, call: Call, alone: bool) -> Iterator[State]:
    is_ready = state.phase in ("waiting", "resumable") and not state.held and state.delay_ms is None
    if _told(call, "nothing") and call.answer is not None:
        # A claim passes over what somebody else is just changing.
        if not alone or not is_ready:
            yield state
        return
    kept = state.next_claim in ("resume", "replay") and state.attempt >= 0
    attempt = state.attempt if kept else state.attempt + 1
    fields = {"attempt_index": attempt, "lease_epoch": state.epoch + 1, "claim_type": state.next_claim}
    if is_ready and _told(call, "Claimed", **fields):
        answer = call.answer or {}
        ends = answer.get("expires_at_ms")
        yield state._replace(
            phase="active",
            attempt=attempt,
            epoch=state.epoch + 1,
            lease_id=answer.get("lease_id", "?"),
            worker=call.client,
            expires_ms=(call.begun_ms + call.given["ttl_ms"], inf) if ends is None else (ends, ends),
        )


# ── what only the holder of the lease may do ─────────────────────────────────────────────────────


def _fenced(state: State, call: Call) -> Iterator[State]:
    lease = call.given["lease"]
    is_its = (lease["lease_epoch"], lease["lease_id"]) == (state.epoch, state.lease_id)
    if state.phase == "active" and is_its:
        if state.expires_ms[1] > call.begun_ms:
            yield from _held(state, call)
        if state.expires_ms[0] <= call.ended_ms and _refused(call, "LeaseExpired"):
            yield state
    elif is_its and (state.phase, call.verb) in REPEATED:
        if _told(call, REPEATED[state.phase, call.verb]):
            yield state
    elif state.phase == "active":
        if _refused(call, "StaleLease"):
            yield state
    elif _refused(call, "StaleLease") or (_refused(call, "ExecutionNotActive") and _is_as_told(state, call.answer)):
        yield state


def _held(state: State, call: Call) -> Iterator[State]:
    answer = call.answer or {}
    given = call.given
    if call.verb == "renew" and _told(call, "Renewed"):
        ends = answer.get("expires_at_ms")
        yield state._replace(expires_ms=(call.begun_ms + given["ttl_ms"], inf) if ends is None else (ends, ends))
    elif call.verb == "complete" and _told(call, "Completed"):
        yield _ended(state, "completed")._replace(result=given["result"], lease_id=state.lease_id)
    elif call.verb == "release" and _told(call, "Released"):
        yield _queued(state, "reclaim")
    elif call.verb == "fail":
        if given["retryable"] and state.retries < MAX_RETRIES:
            if _told(call, "RetryScheduled", next_attempt_index=state.attempt + 1):
                until = answer.get("delay_until_ms", call.begun_ms)
                yield _queued(state, "retry")._replace(retries=state.retries + 1, delay_ms=until)
        elif _told(call, "TerminalFailed"):
            yield _ended(state, "failed")._replace(lease_id=state.lease_id)
    elif call.verb == "record_step" and _told(call, "StepRecorded"):
        if given["name"] in dict(state.steps):
            yield state
        else:
            yield state._replace(steps=state.steps | {(given["name"], given["value"])})
    elif call.verb == "append":
        yield from _append(state, call)
    elif call.verb == "suspend":
        if state.signals:
            if _told(call, "WaitOver", cause="signal", payloads=[state.signals[0]]):
                yield state._replace(signals=state.signals[1:])
        elif _told(call, "Suspended"):
            yield state._replace(phase="suspended", lease_id=None, next_claim="resume")


def _append(state: State, call: Call) -> Iterator[State]:
    """Frames at the end, or once more at a place where exactly these were appended."""
    here = [each for each in state.said if each[0] == state.epoch]
    end = here[-1][1] + len(here[-1][2]) if here else 0
    frames = tuple(call.given["frames"])
    first = end if call.given["first_seq"] is None else call.given["first_seq"]
    appended = _told(call, "Appended", first_seq=first, next_seq=first + len(frames))
    chunk = (state.epoch, first, frames)
    if first > end:
        if _refused(call, "InvalidInput"):
            yield state
    elif first == end:
        if appended:
            yield state._replace(said=(*state.said, chunk))
    elif appended if chunk in here else _refused(call, "Conflict"):
        yield state


def _is_as_told(state: State, answer: Answer | None) -> bool:
    return answer is not None and answer["lease_epoch"] == state.epoch and _shows(state, answer["public_state"])


def _shows(state: State, public_state: str) -> bool:
    if state.phase == "waiting" and state.delay_ms is not None:
        return public_state in ("delayed", "waiting") if state.held else public_state == "delayed"
    if state.phase == "resumable" and state.held:
        return public_state in ("resumable", "waiting")
    return public_state == state.phase


def _queued(state: State, next_claim: str) -> State:
    return state._replace(phase="waiting", lease_id=None, next_claim=next_claim)


def _interrupted(state: State) -> State:
    state = state._replace(epoch=state.epoch + 1, interruptions=state.interruptions + 1)
    return _ended(state, "failed") if state.interruptions > MAX_INTERRUPTIONS else _queued(state, "reclaim")


def _ended(state: State, phase: str) -> State:
    return state._replace(phase=phase, held=False, delay_ms=None, lease_id=None)


def _resumed(state: State) -> State:
    return state._replace(phase="resumable")
