"""RenewAll, RecordStep, Heartbeat, SayGoodbye, ForgetWorker: commands that workers send while they run tasks."""

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import ForgetWorker, Heartbeat, RecordStep, Renew, RenewAll, SayGoodbye
from flowfabric.domain.decide.budgeting import charge_step
from flowfabric.domain.decide.leasing import held_under, renew
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.errors import Conflict, EngineError
from flowfabric.domain.outcomes import LeaseLost, Renewed, StepRecorded
from flowfabric.domain.steps import Step
from flowfabric.domain.workers import SILENT_MS, Worker
from flowfabric.domain.working_set import WorkingSet


@rule(
    RenewAll,
    sees=its_executions,
    weight=lambda command: len(command.fences),
    comes_again=True,
    is_renewal=True,
)
def renew_all(ws: WorkingSet, command: RenewAll, scope: str | None) -> list[Renewed | LeaseLost]:
    """Keep each lease that can be kept. A lease that is over does not affect the others."""
    answers: list[Renewed | LeaseLost] = []
    for fence in command.fences:
        try:
            answers.append(renew(ws, Renew(fence, command.lease_ttl_ms), scope))
        except EngineError as refusal:
            answers.append(LeaseLost(fence.execution_id, refusal.code))
    return answers


def _its_step(command: RecordStep, wanted: Needs) -> None:
    its_executions(command, wanted)
    wanted.steps.add((command.fence.execution_id, command.name))


@rule(RecordStep, sees=_its_step, weight=lambda command: weight_of_data(command.result))
def record_step(ws: WorkingSet, command: RecordStep, scope: str | None) -> StepRecorded:
    """Store the result of the step, and charge what it has spent. If it is recorded again, its first result stays."""
    x = held_under(ws, command.fence, scope)
    if x.inbox is not None and any(wait.name == command.name for wait in x.inbox.waits):
        raise Conflict(
            f"{x.execution_id} has an open wait {command.name!r}, and its end will be a step of this name. "
            "Give the step another name."
        )
    kept = ws.step((x.execution_id, command.name))
    if kept is None:
        number = ws.last_step_number(x.execution_id) + 1
        ws.put_step(
            Step(
                x.execution_id,
                command.name,
                command.fingerprint,
                command.result,
                x.attempt_index,
                ws.now_ms,
                number,
                tries=command.tries,
                lease_epoch=x.lease_epoch,
            )
        )
        if command.charge is not None:
            charge_step(ws, x, command.charge)
    elif kept.fingerprint != command.fingerprint:
        raise Conflict(
            f"Step {command.name!r} of {x.execution_id} was recorded by attempt {kept.attempt_index + 1} with other "
            "arguments. Give a step that does something else another name."
        )
    x = held_under(ws, command.fence, scope)
    return StepRecorded(x.execution_id, command.name, x.gates is not None and x.gates.must_pause)


def _its_worker(command: Heartbeat | SayGoodbye | ForgetWorker, wanted: Needs) -> None:
    wanted.workers.add((command.namespace, command.worker_instance_id))


@rule(Heartbeat, sees=_its_worker)
def heartbeat(ws: WorkingSet, command: Heartbeat) -> None:
    """Note that the worker lives."""
    known = ws.workers.get((command.namespace, command.worker_instance_id))
    ws.workers.put(
        Worker(
            command.worker_instance_id,
            command.worker_id,
            command.namespace,
            command.host,
            command.pid,
            command.lanes,
            command.capabilities,
            command.version,
            ws.now_ms if known is None else known.started_at_ms,
            ws.now_ms,
            ws.now_ms + command.ttl_ms,
        )
    )


@rule(SayGoodbye, sees=_its_worker)
def say_goodbye(ws: WorkingSet, command: SayGoodbye) -> None:
    """Remove the worker from the list of workers. If it is not on the list, nothing changes."""
    known = ws.workers.get((command.namespace, command.worker_instance_id))
    if known is not None:
        ws.workers.remove((known.namespace, known.worker_instance_id))


@rule(ForgetWorker, sees=_its_worker, comes_again=True)
def forget_worker(ws: WorkingSet, command: ForgetWorker) -> bool:
    """Remove the worker from the list of workers, if it has been silent for a day."""
    known = ws.workers.get((command.namespace, command.worker_instance_id))
    if known is None or known.alive_until_ms + SILENT_MS > ws.now_ms:
        return False
    ws.workers.remove((known.namespace, known.worker_instance_id))
    return True
