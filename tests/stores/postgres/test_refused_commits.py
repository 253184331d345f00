"""Errors at the commit: what the server has refused is refused, and what it did not refuse is looked into."""

from typing import NoReturn

import pytest

from flowfabric import StoreError
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import Assembled
from tests.stores.postgres.conftest import Sql

CONSTRAINT = """
create function refuse() returns trigger language plpgsql as $$
begin
    if new.execution_kind = 'cursed' then {deed}; end if;
    return null;
end $$;
create constraint trigger refusing after insert on ff_exec_core deferrable initially deferred
   for each row execute function refuse();
"""


@pytest.mark.parametrize("key", [None, "order-7"], ids=["sent with its commit", "decided"])
def test_a_commit_that_the_server_refuses_leaves_no_doubt(parts: Assembled, sql: Sql, key: str | None) -> None:
    engine, commits = parts.engine, parts.commits
    sql.execute(CONSTRAINT.format(deed="raise 'not in this house'"))

    with pytest.raises(StoreError, match="not in this house") as refused:
        engine.create_execution("cursed", idempotency_key=key)
    engine.create_execution("blessed", idempotency_key=key)

    assert refused.type is StoreError
    assert [x.kind for x in engine.list_executions().items] == ["blessed"]
    assert commits.ambiguous == 0


@pytest.mark.parametrize("key", [None, "order-7"], ids=["sent with its commit", "decided"])
def test_a_session_that_is_ended_in_its_commit_is_looked_into_and_its_batch_decided_again(
    parts: Assembled, sql: Sql, key: str | None
) -> None:
    engine, commits = parts.engine, parts.commits
    once = "if nextval('deaths') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if"
    sql.execute("create sequence deaths")
    sql.execute(CONSTRAINT.format(deed=once))

    created = engine.create_execution("cursed", idempotency_key=key)

    assert [x.execution_id for x in engine.list_executions().items] == [created.execution_id]
    assert (commits.ambiguous, commits.resolved) == (1, 1)


def test_an_error_before_the_commit_is_sent_leaves_no_transaction_open(
    parts: Assembled, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, store = parts.engine, parts.store
    assert isinstance(store, PostgresStore)
    notification = store.notification

    def fails(news: News) -> NoReturn:
        monkeypatch.setattr(store, "notification", notification)
        raise ValueError("no word of it")

    monkeypatch.setattr(store, "notification", fails)
    with pytest.raises(StoreError, match="no word of it"):
        engine.create_execution("cursed", idempotency_key="order-7")
    engine.create_execution("blessed")

    assert [x.kind for x in engine.list_executions().items] == ["blessed"]
