"""Rules broken on purpose in real processes: tests that freeze and kill them, or lose answers, find each."""

from tests.mutants.sought import rule

PAUSES = "tests/chaos/test_paused_workers.py"
LOST_ANSWERS = "tests/chaos/test_lost_answers.py"

CHAOS_MUTANTS = [
    rule(
        "a worker that wakes too late may speak for an execution that another one runs",
        "flowfabric.domain.decide.leasing:is_lease_of",
        "fence.lease_epoch == x.lease_epoch",
        "True or fence.lease_epoch == x.lease_epoch",
        PAUSES,
        "completes_nothing_when_it_wakes",
        "sqlite",
        "another_runs_it",
    ),
    rule(
        "a lease that has expired keeps its number",
        "flowfabric.domain.decide.finishing:interrupt",
        "lease_epoch=x.lease_epoch + 1",
        "lease_epoch=x.lease_epoch",
        PAUSES,
        "completes_nothing_when_it_wakes",
        "sqlite",
        "another_runs_it",
    ),
    rule(
        "a commit whose answer is lost is taken for one that did not happen",
        "flowfabric.engine.committing:BatchCommitter._settled",
        "return self._writer.was_committed(batch_id)",
        "return False",
        LOST_ANSWERS,
        "change_no_answer_and_no_effect",
        "answer lost",
    ),
    rule(
        "a commit whose answer is lost is taken for one that has happened",
        "flowfabric.engine.committing:BatchCommitter._settled",
        "return self._writer.was_committed(batch_id)",
        "return True",
        LOST_ANSWERS,
        "is_waited_for",
        "commit stranded",
    ),
]
