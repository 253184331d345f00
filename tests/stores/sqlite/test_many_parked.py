"""Beside very many parked executions, a SQLite file takes as many steps for each thing as beside few."""

from itertools import chain
from pathlib import Path

import pytest

from flowfabric.stores.sqlite.store import SqliteStore
from tests.assembled import Assembled, assembled_at
from tests.stores.crowds import FEW, FEW_KEYS, MANY, MANY_KEYS, STEPS, TEST_S_MAX, Kept, grown, make_crowds
from tests.stores.sqlite.conftest import writer_of
from tests.stores.sqlite.test_plans import counting

EVERY = 10


def _steps(parts: Assembled) -> dict[str, int]:
    """How many steps of SQLite's virtual machine each thing takes."""
    writer, store = writer_of(parts).connection, parts.store
    assert writer is not None
    assert isinstance(store, SqliteStore)
    with store.readers.reading() as reader:
        pass  # the connection that was given back last is the next to be used
    took: dict[str, int] = {}
    kept: Kept = {}
    for name, act in chain.from_iterable(steps() for steps in STEPS):
        if name is None:
            act(parts, kept)
            continue
        with counting(writer, EVERY) as written, counting(reader, EVERY) as read:
            act(parts, kept)
        took[name] = written[0] + read[0]
    return took


@pytest.mark.timeout(TEST_S_MAX)
@pytest.mark.xdist_group("sqlite: many parked")
def test_no_step_more_is_taken_beside_many_than_beside_few(tmp_path: Path) -> None:
    took = []
    for parked, keys in ((FEW, FEW_KEYS), (MANY, MANY_KEYS)):
        url = f"sqlite:///{tmp_path}/{parked}.db"
        make_crowds(url, parked, keys)
        with assembled_at(url) as parts:
            took.append(_steps(parts))

    few, many = took
    assert min(few.values()) >= 0
    assert sum(few.values()) > 10_000
    assert grown(few, many, most=1.2, plus=100) == {}
