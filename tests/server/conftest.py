from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.server.running import Caller, Running, running


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    """A server that asks for no token."""
    with running() as started:
        yield started


@pytest.fixture(scope="module")
def guarded() -> Iterator[Running]:
    """A server that asks for tokens."""
    with running(with_tokens=True) as started:
        yield started


@pytest.fixture
def callers() -> Iterator[Callable[..., Caller]]:
    """Makes callers, and closes them at the end."""
    with ExitStack() as stack:

        def made(*args: str, **headers: str) -> Caller:
            caller = Caller(*args, **headers)
            stack.enter_context(caller.http)
            return caller

        yield made


@pytest.fixture
def call(server: Running) -> Iterator[Caller]:
    caller = Caller(server.url)
    with caller.http:
        yield caller
