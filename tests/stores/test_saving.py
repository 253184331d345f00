"""A store leaves nothing out of what a batch has changed."""

from contextlib import closing
from pathlib import Path

import pytest

from flowfabric.app import open_store
from flowfabric.domain.batch_io import KINDS, Changes
from flowfabric.domain.commands import Envelope, IssueToken
from flowfabric.engine.batch import Batch
from tests.domain.records import creation
from tests.stores.flow_records import a_solo, opened
from tests.stores_under_test import STORES


@pytest.mark.parametrize("name", STORES)
def test_every_kind_of_record_is_looked_at(name: str, tmp_path: Path):
    looked_at: set[str] = set()

    class Watched(Changes):
        def __getattribute__(self, name: str) -> object:
            looked_at.add(name)
            return object.__getattribute__(self, name)

    x = a_solo(1)
    with STORES[name].empty(tmp_path) as url, opened(url) as books:
        books.write(Watched(executions=[(None, x)], payloads={x.execution_id: b"payload"}))

    assert KINDS.keys() - looked_at == set()


@pytest.mark.parametrize("name", STORES)
def test_an_execution_keeps_the_inbox_that_it_gets_in_the_batch_that_makes_it(name: str, tmp_path: Path):
    made = creation()
    with (
        STORES[name].empty(tmp_path) as url,
        closing(open_store(url, migrate=True)) as store,
        closing(store.writer()) as writer,
    ):
        token = IssueToken(made.execution_id, "editor", "ann", "k1")
        writer.run(Batch([Envelope(made), Envelope(token)], store.name))

        stored = store.execution(made.execution_id)

    assert stored is not None
    assert stored.inbox is not None
