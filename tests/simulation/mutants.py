"""Rules broken on purpose, one by one: each of them has to be found.

`gate_mutants` has those of limits and budgets, `stream_mutants` those of streams, `server_mutants` those of servers and
clients.
"""

from collections.abc import Iterator

from tests.simulation.gate_mutants import GATE_MUTANTS, MORE_GATE_MUTANTS
from tests.simulation.plan import Plan, plan_of, plan_with
from tests.simulation.planting import Mutant, planted
from tests.simulation.server_mutants import SERVER_MUTANTS
from tests.simulation.stream_mutants import STREAM_MUTANTS

__all__ = ["MORE_GATE_MUTANTS", "MUTANTS", "Mutant", "plans_for", "planted"]

MUTANTS = [
    Mutant(
        "any lease may speak for an execution",
        "flowfabric.domain.decide.leasing:is_lease_of",
        "fence.lease_epoch == x.lease_epoch",
        "True or fence.lease_epoch == x.lease_epoch",
        seed=29,
    ),
    Mutant(
        "a lease that is over can be renewed",
        "flowfabric.domain.decide.leasing:check_held",
        "x.lease_expires_at_ms <= ws.now_ms",
        "False",
        seed=4,
    ),
    Mutant(
        "an expired lease is never handed back",
        "flowfabric.domain.decide.upkeep:handle_due",
        'interrupt(ws, x, "expired", {})',
        "return False",
    ),
    Mutant(
        "an interruption leaves the epoch as it is",
        "flowfabric.domain.decide.finishing:interrupt",
        "lease_epoch=x.lease_epoch + 1",
        "lease_epoch=x.lease_epoch",
    ),
    Mutant(
        "an interruption leaves no event",
        "flowfabric.domain.decide.finishing:interrupt",
        'ws.emit(end_attempt(ws, x, "interrupted"), "lease", event_type, details)',
        'end_attempt(ws, x, "interrupted")',
    ),
    Mutant(
        "a join counts each end twice",
        "flowfabric.domain.decide.ending:resolve",
        "counted(group, outcome, 1)",
        "counted(group, outcome, 2)",
    ),
    Mutant(
        "the cancel of a flow forgets a member",
        "flowfabric.domain.decide.flows:cancel_flow",
        "for x in targets:",
        "for x in targets[1:]:",
        seed=25,
    ),
    Mutant(
        "an idempotency key is ignored",
        "flowfabric.domain.decide.creating:_made_before",
        "promised is not None and not",
        "False and not",
        seed=1,
    ),
    Mutant(
        "a retry is not counted",
        "flowfabric.domain.decide.finishing:fail_attempt",
        "retry_count=x.retry_count + 1",
        "retry_count=x.retry_count",
    ),
    Mutant(
        "the pause before a retry is forgotten",
        "flowfabric.domain.decide.finishing:fail_attempt",
        'runnable_at(failed, "pending_retry_attempt", until_ms, ws.now_ms)',
        'runnable_now(failed, "pending_retry_attempt", ws.now_ms)',
    ),
    Mutant(
        "a delay never ends",
        "flowfabric.domain.decide.upkeep:handle_due",
        "_promote(ws, x)",
        "return False",
    ),
    Mutant(
        "a deadline is never noticed",
        "flowfabric.domain.decide.upkeep:handle_due",
        "_expire(ws, x)",
        "return False",
        seed=5,
    ),
    Mutant(
        "an end that takes several transactions stops after the first",
        "flowfabric.domain.decide.upkeep:handle_due",
        "pass_on_end(ws, x)",
        "return False",
        seed=9,
    ),
    Mutant(
        "a replay of a flow forgets those who come back later",
        "flowfabric.domain.decide.upkeep:handle_due",
        "come_back(ws, x)",
        "return False",
        seed=33,
    ),
    Mutant(
        "a command id is ignored",
        "flowfabric.domain.decide:_decide_once",
        "if kept is not None:",
        "if False:",
        seed=2,
    ),
    Mutant(
        "a replay that clears the steps keeps them",
        "flowfabric.domain.decide.keeping:keep_steps",
        "ws.clear_steps(x.execution_id)",
        "pass",
        seed=2,
    ),
    Mutant(
        "a paused lane hands out executions",
        "flowfabric.domain.batch_io:ClaimNeed.open_lanes",
        "if switch is None or not switch.is_paused",
        "",
        seed=3,
    ),
    Mutant(
        "a commit that never arrived is taken for one that did",
        "flowfabric.engine.committing:BatchCommitter._settled",
        "return self._writer.was_committed(batch_id)",
        "return True",
    ),
    Mutant(
        "a worker runs a stored step again",
        "flowfabric.runtime.steps:Steps._begin",
        "(stored := self._known.get(name)) is not None",
        "(stored := None) is not None",
    ),
    Mutant(
        "a wait does not look for signals that came before it",
        "flowfabric.domain.decide.waiting:_begin",
        "ws.inboxes.satisfying(x.execution_id, from_stored(command.condition)) if inbox_of(x).signals else None",
        "None",
        seed=16,
    ),
    Mutant(
        "a signal is not taken, so that two waits get it",
        "flowfabric.domain.decide.wait_ends:store_end",
        "ws.takings.put_at((x.execution_id, signal.number), wait.name)",
        "pass",
    ),
    Mutant(
        "a resume counts as an interruption",
        "flowfabric.domain.decide.wait_ends:end_open_wait",
        'runnable_now(x, "attempt_suspended", ws.now_ms)',
        'runnable_now(x, "attempt_interrupted", ws.now_ms)',
    ),
    Mutant(
        "the time of a wait is never over",
        "flowfabric.domain.decide.upkeep:handle_due",
        "perform_timeouts(ws, x)",
        "return False",
    ),
    Mutant(
        "an end leaves waits open",
        "flowfabric.domain.decide.ending:_without_waits",
        "waits=(), held=False",
        "held=False",
    ),
    Mutant(
        "a suspended execution keeps its lease",
        "flowfabric.domain.decide.leasing:suspend_attempt",
        "_without_lease(x)",
        "x",
    ),
    Mutant(
        "the idempotency key of a signal is ignored",
        "flowfabric.domain.decide.signalling:send_signal",
        "known = ws.inboxes.signal_key(x.execution_id, command.key, command.idempotency_key)",
        "known = None",
        seed=4,
    ),
    Mutant(
        "a worker is suspended although another of its waits is over",
        "flowfabric.domain.decide.waiting:suspend",
        "if inbox.unanswered:",
        "if False:",
        seed=30,
    ),
    Mutant(
        "a parent counts one child too many",
        "flowfabric.domain.decide.child_counts:count_end",
        "succeeded=group.succeeded + 1",
        "succeeded=group.succeeded + 2",
        seed=13,
    ),
    Mutant(
        "the end of a child does not wake its parent",
        "flowfabric.domain.decide.child_counts:count_end",
        "if is_over(wait, inbox):",
        "if False:",
    ),
    Mutant(
        "a failed child does not end the map",
        "flowfabric.domain.children:are_over",
        "(not all_ended and any(group.failed for group in named))",
        "False",
    ),
    Mutant(
        "each attempt of a parent makes its children anew",
        "flowfabric.domain.decide.children:create_children",
        "if known is not None:",
        "if False:",
    ),
    Mutant(
        "a replay of a parent makes children that exist",
        "flowfabric.domain.decide.children:create_children",
        "existing = _existing(ws, ids)",
        "existing = {}",
        seed=87,
    ),
    Mutant(
        "the end of a parent forgets a child",
        "flowfabric.domain.decide.ending:cancel_children",
        "for child in live:",
        "for child in live[1:]:",
    ),
    Mutant(
        "the end of a parent stops at the first few children",
        "flowfabric.domain.decide.ending:cancel_children",
        "return are_all",
        "return True",
        seed=10,
    ),
    Mutant(
        "a child that is replayed stays counted",
        "flowfabric.domain.decide.replaying:replay",
        "take_back_end(ws, x)",
        "pass",
        seed=37,
    ),
    Mutant(
        "a replay from scratch keeps the children of the former life",
        "flowfabric.domain.decide.keeping:keep_steps",
        "cancel_children(ws, x, PARENT_REPLAYED, CHILDREN_MAX)",
        "pass",
        seed=51,
    ),
    Mutant(
        "an outdated secret is accepted",
        "flowfabric.engine.signing:Signing._is_valid",
        "key.is_current or key.is_valid(await self._now_ms())",
        "True",
        seed=96,
    ),
    Mutant(
        "a rotation without a grace leaves earlier tokens good",
        "flowfabric.domain.decide.secrets:rotate_secret",
        "replace(key, valid_until_ms=ends_at_ms)",
        "replace(key, valid_until_ms=ends_at_ms + 60_000)",
        seed=5,
    ),
    Mutant(
        "a token need not be signed",
        "flowfabric.domain.tokens:verify",
        "not is_authentic or kid",
        "kid",
        seed=15,
    ),
    Mutant(
        "a signal by token does not come from the person of the token",
        "flowfabric.engine.signalling:Signalling.signal_by_token",
        "ids.subject_among(waitpoint.subjects) or",
        "",
        seed=4,
    ),
    *GATE_MUTANTS,
    *STREAM_MUTANTS,
    *SERVER_MUTANTS,
]


def plans_for(mutant: Mutant, count: int) -> Iterator[Plan]:
    """The plans of the seeds that a mutant names, and then those of the seeds below `count` that may find it."""
    is_of_gates, is_of_streams = mutant in (*GATE_MUTANTS, *MORE_GATE_MUTANTS), mutant in STREAM_MUTANTS
    is_of_servers = mutant in SERVER_MUTANTS
    for seed in dict.fromkeys((mutant.seed, *mutant.more_seeds, *range(count))):
        if mutant.parts:
            processes = ("serve", "call") if is_of_servers else ("start", "start")
            yield plan_with(seed, mutant.parts, has_gates=is_of_gates, has_streams=is_of_streams, processes=processes)
            continue
        plan = plan_of(seed)
        if plan.has_gates >= is_of_gates and plan.has_streams >= is_of_streams and plan.has_servers >= is_of_servers:
            yield plan
