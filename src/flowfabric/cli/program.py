"""Every verb of `ff`, in the order in which help shows them.

A verb is a function: it parses its options, calls the engine, and shows the answer. Its module imports the engine only
when it runs, through `target.opened`.
"""

from typing import Final

from cyclopts import App, Group, Parameter

from flowfabric.cli import (
    bench,
    budgets,
    clock,
    completion,
    dashboard,
    doctor,
    flows,
    init,
    lanes,
    limits,
    logs,
    looking,
    migrate,
    purging,
    schedules,
    server,
    signalling,
    signing_keys,
    steering,
    submitting,
    tailing,
    tokens,
    waiting,
    worker,
)

LOOK: Final = Group("Look", sort_key=1)
STEER: Final = Group("Steer", sort_key=2)
RUN: Final = Group("Run", sort_key=3)


def _version() -> str:
    from importlib.metadata import version

    return version("flowfabric")


def _default(value: object) -> str | None:
    """A default as help shows it; None for defaults that mean that nothing was given."""
    return str(value) if value not in ("", None, ()) and value is not False else None


ff: Final = App(
    name="ff",
    help="FlowFabric: durable executions on the database you already have.",
    help_format="plaintext",
    version=_version,
    default_parameter=Parameter(show_default=_default, negative=""),
)
_ARGUMENTS: Final = {
    "submit": "KIND [ARGUMENTS]",
    "worker": "[PROGRAM]",
    "migrate": "[URL | PROGRAM]",
    "priority": "PRIORITY [ID...]",
    "signal": "ID KEY",
    **dict.fromkeys(("approve", "reject"), "--as NAME ID [KEY]"),
    **dict.fromkeys(("logs", "resume", "waitpoints"), "ID"),
    **dict.fromkeys(("cancel", "revoke", "replay", "hold", "unhold"), "[ID...]"),
}
"""The arguments of these verbs, as the first line of their help shows them."""

for nouns in (flows.flow, lanes.lanes, schedules.schedules, limits.limits, budgets.budgets):
    nouns.group = (LOOK,)
clock.clock.group = (STEER,)
signing_keys.secrets.group = (STEER,)
tokens.tokens.group = (STEER,)

ff.command(init.init, group=RUN)
ff.command(submitting.submit, group=RUN)
ff.command(worker.worker, group=RUN)
ff.command(server.server, group=RUN)
ff.command(dashboard.dashboard, group=RUN)
ff.command(migrate.migrate, group=RUN)
ff.command(bench.bench, group=RUN)
ff.command(completion.completion, group=RUN)
ff.command(looking.ls, group=LOOK)
ff.command(looking.show, group=LOOK)
ff.command(looking.explain, group=LOOK)
ff.command(logs.logs, group=LOOK)
ff.command(tailing.tail, group=LOOK)
ff.command(waiting.waiting, group=LOOK)
ff.command(waiting.waitpoints, group=LOOK)
ff.command(flows.flow)
ff.command(lanes.lanes)
ff.command(schedules.schedules)
ff.command(limits.limits)
ff.command(budgets.budgets)
ff.command(looking.workers, group=LOOK)
ff.command(looking.stats, group=LOOK)
ff.command(doctor.doctor, group=LOOK)
ff.command(steering.cancel, group=STEER)
ff.command(steering.revoke, group=STEER)
ff.command(steering.priority, group=STEER)
ff.command(steering.replay, group=STEER)
ff.command(steering.hold, group=STEER)
ff.command(steering.unhold, group=STEER)
ff.command(signalling.signal, group=STEER)
ff.command(signalling.approve, group=STEER)
ff.command(signalling.reject, group=STEER)
ff.command(signalling.resume, group=STEER)
ff.command(signing_keys.secrets)
ff.command(tokens.tokens)
ff.command(purging.purge, group=STEER)
ff.command(clock.clock)
for verb, arguments in _ARGUMENTS.items():
    ff[verb].usage = f"Usage: ff {verb} [OPTIONS] {arguments}"
