"""Debounced submits in programs: `task.options(debounce="30s", debounce_key="doc-7")`."""

from typing import Any, NamedTuple

import pytest

from flowfabric import Context, FlowFabric, InvalidInput, ManualClock
from tests.runtime.working import WAIT_S_MAX, run, working


class Doc(NamedTuple):
    id: str
    text: str


@pytest.fixture
def ff() -> Any:
    with FlowFabric("memory://", clock=ManualClock(), reconcile=False) as fabric:
        yield fabric


def states(ff: FlowFabric, *handles: Any) -> list[str]:
    found = [ff.blocking_engine().describe_execution(handle.execution_id) for handle in handles]
    return [x.public_state for x in found if x is not None]


def test_the_key_of_a_submit_follows_from_the_arguments(ff: FlowFabric) -> None:
    @ff.task(debounce="30s", debounce_by=lambda doc: doc.id)
    async def save(ctx: Context, doc: Doc) -> None: ...

    handles = [save.submit_sync(Doc(key, str(number))) for number, key in enumerate("aba")]
    many = save.submit_many_sync([save.bind(Doc("b", "3")), save.bind(Doc("c", "4"))])

    assert states(ff, *handles, *many) == ["cancelled", "cancelled", "delayed", "delayed", "delayed"]


def test_the_options_of_a_call_debounce_and_another_call_may_wait_longer(ff: FlowFabric) -> None:
    @ff.task
    async def save(ctx: Context, doc: Doc) -> None: ...

    debounced = save.options(debounce="30s", debounce_key="doc-7")
    first = debounced.submit_sync(Doc("a", "1"))
    plain = save.submit_sync(Doc("a", "2"))
    last = debounced.options(debounce="1h").submit_sync(Doc("b", "3"))
    x = ff.blocking_engine().describe_execution(last.execution_id)

    assert states(ff, first, plain, last) == ["cancelled", "waiting", "delayed"]
    assert x is not None
    assert x.delay_until_ms == x.created_at_ms + 3_600_000


def test_the_last_one_runs_with_its_own_arguments() -> None:
    texts: list[str] = []

    with FlowFabric("memory://") as ff:

        @ff.task(debounce="20ms", debounce_by=lambda doc: doc.id)
        async def save(ctx: Context, doc: Doc) -> str:
            texts.append(doc.text)
            return doc.text

        async def main() -> str:
            handles = [await save.submit(Doc("a", text)) for text in ("one", "two", "three")]
            async with working(ff):
                return await handles[-1].result(timeout=WAIT_S_MAX)

        assert run(main) == "three"
    assert texts == ["three"]


def test_options_that_make_no_sense_are_refused(ff: FlowFabric) -> None:
    @ff.task(debounce="30s", debounce_by=lambda doc: 7)  # type: ignore[arg-type, return-value]
    async def save(ctx: Context, doc: Doc) -> None: ...

    @ff.task
    async def load(ctx: Context) -> None: ...

    with pytest.raises(InvalidInput, match="debounce_by could not be made"):
        save.submit_sync(Doc("a", ""))
    for span in (0, "31d"):
        with pytest.raises(InvalidInput, match="more than nothing, and at most 30 days"):
            load.options(debounce=span)
    with pytest.raises(InvalidInput, match="belong to debounce="):
        load.options(debounce_key="a")
    with pytest.raises(InvalidInput, match="function of the task's arguments"):
        ff.task(debounce="1s", debounce_by="doc")  # type: ignore[call-overload]
    with pytest.raises(InvalidInput, match="debounce_by"):
        ff.task(debounce="1s", debounce_by=lambda nothing: "")(load.function)
    with pytest.raises(InvalidInput, match="cannot have delay_until_ms"):
        load.options(debounce="1s", delay="1s").submit_sync()


def test_members_children_schedules_and_other_transactions_are_not_debounced(ff: FlowFabric) -> None:
    @ff.task(debounce="30s")
    async def load(ctx: Context) -> None: ...

    with pytest.raises(InvalidInput, match="a member of a flow cannot be debounced"), ff.flow("loads") as flow:
        flow.add(load)
    with pytest.raises(InvalidInput, match="schedule 'load' cannot be debounced"):
        ff.cron("0 3 * * *", load)
    with pytest.raises(InvalidInput, match="a submit in another transaction cannot be debounced"):
        load.options(conn=object()).submit_sync()

    async def main() -> None:
        with pytest.raises(InvalidInput, match="a child cannot be debounced"):
            await Context.for_test().run("load", load)

    run(main)
