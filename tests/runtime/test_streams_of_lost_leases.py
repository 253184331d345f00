"""A worker that takes its lease for lost stores nothing more: a step would be there without its frames."""

import threading
from typing import Any, NoReturn

from flowfabric import Context, FlowFabric, ManualClock, StoreUnavailable
from flowfabric.engine.engine import Engine
from tests.runtime.test_outages import worker_on_a_faulty_store
from tests.runtime.working import WAIT_S_MAX, run, until

NEVER_S = 3_600.0


class Unrenewed:
    """An engine whose renewals never get through."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def renew_all(self, *_: object, **__: object) -> NoReturn:
        raise StoreUnavailable("away")


def test_a_step_whose_frames_were_dropped_is_not_stored_although_the_store_still_takes_the_lease() -> None:
    ff = FlowFabric("memory://")
    over = threading.Event()
    ends: list[str] = []

    @ff.task
    def speak(ctx: Context) -> None:
        def step() -> None:
            ctx.write("in the step")
            assert ctx.cancelled.wait(WAIT_S_MAX)

        try:
            ctx.step_sync("a", step)
        except Exception as error:
            ends.append(type(error).__name__)
        finally:
            over.set()

    async def main() -> tuple[str, object, int]:
        # The clock of the store stands still, so the lease never ends there.
        clock = ManualClock()
        async with worker_on_a_faulty_store(
            ff, clock=clock, lease_ttl_ms=200, flush_s=NEVER_S, through=Unrenewed
        ) as scene:
            key = await scene.create("speak")
            await until(over.is_set)
            page = await scene.engine.read_stream(key)
            return await scene.state_of(key), await scene.engine.get_step(key, "a"), len(page.frames)

    assert run(main) == ("active", None, 0)
    assert ends == ["LeaseExpired"]
