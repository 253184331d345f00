"""A process that forks: the child has copies of its parent's sockets, and says no word on them."""

from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.processes import report_of, running, tell, wait_until_ready

SESSIONS = (
    "select pid, backend_start from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
)


def test_a_forked_child_uses_an_engine_of_its_own_and_leaves_the_sessions_of_its_parent_alone(
    url: str, sql: Sql
) -> None:
    with running("fork_and_leave", url) as program:
        wait_until_ready(program)
        before = set(sql.execute(SESSIONS).fetchall())
        tell(program, "go on")
        wait_until_ready(program)
        after = set(sql.execute(SESSIONS).fetchall())
        tell(program, "end")
        report = report_of(program)

    assert report["ended_well"]
    assert report["kinds"] == ["after the fork", "before the fork", "in the child"]
    assert len(before) > 1, "nothing was open at the fork"
    assert before <= after, "the child ended a session of its parent"


def test_a_child_that_leaves_the_transaction_of_its_parent_does_not_commit_it(url: str) -> None:
    with running("fork_inside_a_transaction", url) as program:
        report = report_of(program)

    assert "Nothing is committed here" in report["met"]
    assert report["kinds"] == ["in the transaction"]
