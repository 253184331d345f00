"""Steps that an older release has stored, without numbers, beside those of this one."""

import sqlite3

from flowfabric import BlockingEngine, ManualClock
from flowfabric_conformance.stage import claim, create


def test_a_replay_from_a_step_that_has_no_number_clears_what_was_stored_after_it(
    engine: BlockingEngine, clock: ManualClock, sql: sqlite3.Connection
) -> None:
    create(engine)
    lease = claim(engine).lease
    for name in ("reserve", "charge", "pack"):
        engine.record_step(lease, name, b"")
        clock.advance(1)
    sql.execute("update ff_step set number = null")
    for name in ("ship", "mail", "bill"):
        engine.record_step(lease, name, b"")
    numbers = dict(sql.execute("select name, number from ff_step").fetchall())
    listed = [step.name for step in engine.list_steps(lease.execution_id)]
    engine.complete(lease)

    answer = engine.replay_execution(lease.execution_id, from_step="charge")

    assert numbers == {"reserve": None, "charge": None, "pack": None, "ship": 1, "mail": 2, "bill": 3}
    assert listed == ["reserve", "charge", "pack", "ship", "mail", "bill"]
    assert answer.steps_kept == 1
    assert [step.name for step in engine.list_steps(lease.execution_id)] == ["reserve"]
