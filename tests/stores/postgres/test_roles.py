"""What a role must be allowed to do: no superuser, no ownership of the database, and nothing outside its schema."""

from collections.abc import Iterator
from urllib.parse import quote, urlsplit
from uuid import uuid4

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, SchemaMismatch, StoreError, open_blocking_engine
from tests.postgres_server import connected, empty_database, with_options
from tests.stores.postgres.conftest import Sql


@pytest.fixture
def bare() -> Iterator[str]:
    """The url of a database without tables."""
    with empty_database() as url:
        yield url


@pytest.fixture
def admin(bare: str) -> Iterator[Sql]:
    with connected(bare) as connection:
        yield connection


@pytest.fixture
def new_role(bare: str, admin: Sql) -> Iterator["NewRole"]:
    roles = NewRole(bare, admin)
    yield roles
    for role in roles.made:
        admin.execute(f"drop owned by {role} cascade")
        admin.execute(f"drop role {role}")


class NewRole:
    """Makes plain roles, which have a schema on their search path and rights to nothing."""

    def __init__(self, url: str, admin: Sql) -> None:
        self._url = url
        self._admin = admin
        self.made: list[str] = []

    def __call__(self, schema: str) -> tuple[str, str]:
        """The role's name, and the url with which it connects."""
        role = f"ff_test_{uuid4().hex}"
        password = f"made-up-{uuid4().hex}"
        self._admin.execute(f"create role {role} login nosuperuser nocreatedb nocreaterole password '{password}'")
        self.made.append(role)
        parts = urlsplit(self._url)
        host = parts.netloc.rpartition("@")[2]
        url = f"{parts.scheme}://{role}:{password}@{host}{parts.path}" + (f"?{parts.query}" if parts.query else "")
        return role, with_options(url, options=f"-csearch_path={schema}")


def a_whole_life(engine: BlockingEngine) -> None:
    """Everything that touches a table."""
    policy = ExecutionPolicy(retention_ms=1)
    kept = engine.create_execution(
        "kind", b"payload", tags={"team.name": "billing"}, required_capabilities=["gpu"], idempotency_key="key"
    )
    engine.create_execution("kind", policy=policy, command_id="once")
    engine.create_execution("kind")
    claimed = engine.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"], limit=3)
    assert len(claimed) == 3
    for each in claimed:
        engine.complete(each.lease, b"result")
    engine.replay_execution(kept.execution_id)
    engine.set_tag(kept.execution_id, "team.name", "support")
    engine.reconcile()
    assert len(engine.read_events().events) > 3
    assert len(engine.list_executions(tag=("team.name", "support")).items) == 1
    assert engine.get_result(claimed[2].execution_id) == b"result"
    engine.ping()


def test_a_role_with_rights_on_its_own_schema_only_migrates_and_works(bare: str, admin: Sql, new_role: NewRole) -> None:
    role, url = new_role("flowfabric")
    admin.execute("revoke all on schema public from public")
    admin.execute(f"create schema flowfabric authorization {role}")

    with open_blocking_engine(url, migrate=True, reconcile=False) as engine:
        a_whole_life(engine)

    tables = admin.execute("select distinct schemaname from pg_tables where tablename like 'ff\\_%'").fetchall()
    assert tables == [("flowfabric",)]


def test_a_role_that_may_only_read_and_write_the_tables_works_and_cannot_migrate(
    bare: str, admin: Sql, new_role: NewRole
) -> None:
    owner, owner_url = new_role("flowfabric")
    app, app_url = new_role("flowfabric")
    admin.execute(f"create schema flowfabric authorization {owner}")
    with pytest.raises(SchemaMismatch), open_blocking_engine(app_url):
        pass
    with open_blocking_engine(owner_url, migrate=True, reconcile=False):
        pass
    for right in (
        "usage on schema flowfabric",
        "select, insert, update, delete on all tables in schema flowfabric",
        "usage on all sequences in schema flowfabric",
    ):
        admin.execute(f"grant {right} to {app}")

    with open_blocking_engine(app_url, reconcile=False) as engine:
        a_whole_life(engine)
    with open_blocking_engine(app_url, migrate=True, reconcile=False) as engine:  # there is nothing to migrate
        engine.ping()


def test_a_role_that_lacks_a_right_is_told_which(bare: str, admin: Sql, new_role: NewRole) -> None:
    owner, owner_url = new_role("flowfabric")
    app, app_url = new_role("flowfabric")
    admin.execute(f"create schema flowfabric authorization {owner}")
    with open_blocking_engine(owner_url, migrate=True, reconcile=False):
        pass
    admin.execute(f"grant usage on schema flowfabric to {app}")
    admin.execute(f"grant select on all tables in schema flowfabric to {app}")

    with (
        open_blocking_engine(app_url, reconcile=False) as engine,
        pytest.raises(StoreError, match=r"role may not .*permission denied for .*ff_\w+.*Grant it") as caught,
    ):
        engine.create_execution("kind")

    assert not caught.value.retryable


def test_a_role_that_may_not_ask_which_server_this_is_works_all_the_same(
    bare: str, admin: Sql, new_role: NewRole
) -> None:
    role, url = new_role("flowfabric")
    admin.execute(f"create schema flowfabric authorization {role}")
    admin.execute("revoke execute on function pg_control_system() from public")

    with open_blocking_engine(url, migrate=True, reconcile=False) as engine:
        a_whole_life(engine)
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.ping()


def test_two_stores_in_two_schemas_of_one_database_do_not_see_each_other(bare: str, admin: Sql) -> None:
    urls = []
    for schema in ("one", "two"):
        admin.execute(f"create schema {schema}")
        urls.append(with_options(bare, options=f"-csearch_path={quote(schema)}"))

    with (
        open_blocking_engine(urls[0], migrate=True, reconcile=False) as one,
        open_blocking_engine(urls[1], migrate=True, reconcile=False) as two,
    ):
        created = one.create_execution("kind").execution_id

        assert two.describe_execution(created) is None
        assert two.claim(worker_id="w", worker_instance_id="i") == []
        assert [each.execution_id for each in one.claim(worker_id="w", worker_instance_id="i")] == [created]
