"""A store leaves nothing out of what a batch has changed."""

from pathlib import Path

import pytest

from flowfabric.domain.batch_io import KINDS, Changes
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
