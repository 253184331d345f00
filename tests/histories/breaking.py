"""Engines and rules that are broken on purpose, and must be found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flowfabric import BlockingEngine, Claimed, open_blocking_engine
from tests.histories import clients
from tests.histories.telling import tell
from tests.stores_under_test import STORES

CALLS = 60
UNTIL_FOUND = 40


class Broken:
    """An engine that lies in one way. The others are asked as they are."""

    def __init__(self, inner: BlockingEngine) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class HandsOutTwice(Broken):
    last: list[Claimed] | None = None

    def claim(self, **given: Any) -> list[Claimed]:
        claimed = self._inner.claim(**given)
        if claimed:
            HandsOutTwice.last = claimed
        elif HandsOutTwice.last is not None and given["lanes"] == (HandsOutTwice.last[0].lane,):
            return HandsOutTwice.last
        return claimed


def let_lie(broken: Callable[..., Broken], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every client an engine that lies."""

    @contextmanager
    def opened(url: str, **given: Any) -> Iterator[Any]:
        with open_blocking_engine(url, **given) as engine:
            yield broken(engine)

    monkeypatch.setattr(clients, "open_blocking_engine", opened)


def assert_found(folder: Path, kind: str = "executions") -> None:
    """Tell histories until one cannot be explained."""
    with STORES["sqlite"].empty(folder) as url:
        for number in range(UNTIL_FOUND):
            if tell(url, folder / str(number), f"broken-{number}", CALLS, kind=kind).unexplained:
                return
    pytest.fail("nothing was found")
