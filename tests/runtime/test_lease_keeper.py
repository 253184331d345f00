"""The keeper of leases: one command for all, three times per lease, and what is over is told at once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from flowfabric import (
    Corruption,
    Engine,
    Lease,
    LeaseLost,
    ManualClock,
    Renewed,
    RetryExhausted,
    StaleLease,
    StoreUnavailable,
    open_engine,
)
from flowfabric.runtime.lease_keeper import LeaseKeeper
from tests.runtime.working import run, until

if TYPE_CHECKING:
    from flowfabric.domain.errors import EngineError

TTL_MS = 30_000


class Held:
    """Something that runs under a lease."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.lost: list[str] = []

    def lose(self, code: str) -> None:
        self.lost.append(code)

    def pause(self) -> None:
        raise AssertionError("no budget is exceeded")


class Scene:
    """A keeper, and a clock for it and for the store."""

    def __init__(self, engine: Engine, clock: ManualClock) -> None:
        self.engine = engine
        self.clock = clock
        self.beats = 0
        self.away: EngineError | None = None
        self.blocks = ExitStack()
        self.keeper = LeaseKeeper(
            engine, lease_ttl_ms=TTL_MS, heartbeat=self._heartbeat, monotonic=lambda: clock.now_ms / 1000
        )

    def stands_behind(self, door: "OneThatIsBusy") -> "OneThatIsBusy":
        """Let the keeper reach the engine through the door only."""
        self.keeper = LeaseKeeper(
            door, lease_ttl_ms=TTL_MS, heartbeat=self._heartbeat, monotonic=lambda: self.clock.now_ms / 1000
        )
        return door

    async def _heartbeat(self) -> None:
        self.beats += 1
        if self.away is not None:
            raise self.away

    async def held(self, number: int) -> list[Held]:
        for _ in range(number):
            await self.engine.create_execution("kind")
        claimed = await self.engine.claim(worker_id="w", worker_instance_id="w-1", limit=number, lease_ttl_ms=TTL_MS)
        held = [Held(each.lease) for each in claimed]
        for each in held:
            self.blocks.enter_context(self.keeper.holding(each))
        return held


@asynccontextmanager
async def scene() -> AsyncIterator[Scene]:
    clock = ManualClock()
    async with open_engine("memory://", clock=clock, reconcile=False) as engine:
        yield Scene(engine, clock)


def test_a_beat_renews_every_lease_and_says_that_the_worker_lives() -> None:
    async def main() -> tuple[list[list[str]], int]:
        async with scene() as on:
            held = await on.held(3)
            for _ in range(9):
                on.clock.advance(TTL_MS // 3)
                await on.keeper.beat()
            return [each.lost for each in held], on.beats

    assert run(main) == ([[], [], []], 9)


def test_only_the_one_whose_lease_was_taken_is_told() -> None:
    async def main() -> list[list[str]]:
        async with scene() as on:
            held = await on.held(3)
            await on.engine.cancel_execution(held[1].lease.execution_id, reason="enough")
            await on.keeper.beat()
            await on.keeper.beat()
            return [each.lost for each in held]

    assert run(main) == [[], ["execution_not_active"], []]


def test_a_lease_that_nobody_could_renew_in_time_is_over_although_the_store_cannot_be_asked() -> None:
    async def main() -> tuple[list[list[str]], list[list[str]]]:
        async with scene() as on:
            held = await on.held(2)
        on.clock.advance(TTL_MS - 1)
        with pytest.raises(StoreUnavailable):
            await on.keeper.beat()
        before = [list(each.lost) for each in held]
        on.clock.advance(1)
        await on.keeper.beat()
        return before, [each.lost for each in held]

    assert run(main) == ([[], []], [["lease_expired"], ["lease_expired"]])


def test_what_has_ended_is_not_renewed_and_not_told() -> None:
    async def main() -> tuple[list[str], bool]:
        async with scene() as on:
            (held,) = await on.held(1)
            on.blocks.close()
            on.clock.advance(TTL_MS)
            await on.keeper.beat()
            return held.lost, on.keeper.is_over(held)

    assert run(main) == ([], True)


def test_a_store_that_is_away_does_not_cost_a_lease_before_its_time() -> None:
    async def main() -> tuple[list[str], list[str]]:
        async with scene() as on:
            (held,) = await on.held(1)
            on.away = StoreUnavailable("away")
            on.clock.advance(TTL_MS // 2)
            with pytest.raises(StoreUnavailable):
                await on.keeper.beat()
            during = list(held.lost)
            on.away = None
            await asyncio.sleep(0)
            on.clock.advance(TTL_MS // 3)
            await on.keeper.beat()
            return during, held.lost

    assert run(main) == ([], [])


IS_HELD = RetryExhausted("Another transaction holds what the command needs. Send it again.")
IS_DAMAGED = Corruption("A row does not parse.")
IS_NOT_SEALED = StaleLease("The lease is not one that this store has given.")


class OneThatIsBusy:
    """An engine where somebody else's transaction holds some executions. It counts what is sent, and may stop there."""

    def __init__(self, engine: Engine, busy: set[str], refusal: Exception = IS_HELD) -> None:
        self._engine = engine
        self.busy = busy
        self._refusal = refusal
        self.sent: list[int] = []
        self.answers_at_most = 1_000_000
        self._one_after_the_other = asyncio.Lock()

    async def renew_all(self, leases: Sequence[Lease]) -> list[Renewed | LeaseLost]:
        async with self._one_after_the_other:
            if len(self.sent) >= self.answers_at_most:
                raise TimeoutError
            self.sent.append(len(leases))
            if any(lease.execution_id in self.busy for lease in leases):
                raise self._refusal
            return await self._engine.renew_all(leases)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def test_leases_that_were_refused_are_sent_alone_and_last_until_they_are_renewed_again() -> None:
    async def main() -> tuple[list[int], list[int], list[int]]:
        async with scene() as on:
            busy: set[str] = set()
            door = on.stands_behind(OneThatIsBusy(on.engine, busy))
            held = await on.held(16)
            busy.update(each.lease.execution_id for each in held[2:4])
            await on.keeper.beat()
            first, door.sent = door.sent, []
            await on.keeper.beat()
            second, door.sent = door.sent, []
            busy.clear()
            await on.keeper.beat()
            door.sent = []
            await on.keeper.beat()
            return first, second, door.sent

    assert run(main) == ([16, *[2] * 8, 1, 1], [14, 1, 1], [16])


def test_a_beat_that_is_cut_off_is_continued_by_the_next_one() -> None:
    async def main() -> tuple[list[list[str]], list[str]]:
        async with scene() as on:
            busy: set[str] = set()
            door = on.stands_behind(OneThatIsBusy(on.engine, busy))
            held = await on.held(16)
            busy.add(held[0].lease.execution_id)
            door.answers_at_most = 4
            for _ in range(6):
                on.clock.advance(TTL_MS // 6 - 1)
                door.sent = []
                with suppress(TimeoutError):
                    await on.keeper.beat()
            door.sent = []
            on.clock.advance(10)
            await on.keeper.beat()
            return [each.lost for each in held[1:]], held[0].lost

    assert run(main) == ([[]] * 15, ["lease_expired"])


def test_the_one_whose_record_is_damaged_is_let_go_and_the_others_are_renewed(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> tuple[list[list[str]], list[int], str]:
        async with scene() as on:
            damaged: set[str] = set()
            door = on.stands_behind(OneThatIsBusy(on.engine, damaged, IS_DAMAGED))
            held = await on.held(16)
            damaged.add(held[5].lease.execution_id)
            for _ in range(6):
                on.clock.advance(TTL_MS // 3)
                await on.keeper.beat()
            return [each.lost for each in held], door.sent, held[5].lease.execution_id

    lost, sent, damaged = run(main)

    assert lost == [["corruption"] if place == 5 else [] for place in range(16)]
    assert sent == [16, *[2] * 8, 1, 1, *[15] * 5]
    (line,) = caplog.records
    assert line.levelname == "ERROR"
    assert line.getMessage().startswith(f"the lease of {damaged} is given up, because its record is damaged: ")


def test_a_lease_whose_seal_a_server_does_not_know_any_more_is_given_up_and_the_others_are_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> tuple[list[list[str]], list[int], str]:
        async with scene() as on:
            outdated: set[str] = set()
            door = on.stands_behind(OneThatIsBusy(on.engine, outdated, IS_NOT_SEALED))
            held = await on.held(3)
            outdated.add(held[1].lease.execution_id)
            for _ in range(6):
                on.clock.advance(TTL_MS // 3)
                await on.keeper.beat()
            return [each.lost for each in held], door.sent, held[1].lease.execution_id

    lost, sent, outdated = run(main)

    assert lost == [[], ["stale_lease"], []]
    assert sent == [3, 1, 1, 1, *[2] * 5]
    (line,) = caplog.records
    assert line.levelname == "WARNING"
    assert line.getMessage().startswith(f"the lease of {outdated} is given up: ")


class OneThatTellsOfLosses(OneThatIsBusy):
    """An engine whose reports of losses the test itself sends."""

    tell: Callable[[Sequence[str]], None] | None = None

    @contextmanager
    def watch_leases(self, _: object, on_lost: Callable[[Sequence[str]], None]) -> Iterator[None]:
        self.tell = on_lost
        yield


@asynccontextmanager
async def keeping(keeper: LeaseKeeper, door: OneThatTellsOfLosses) -> AsyncIterator[Callable[[Sequence[str]], None]]:
    task = asyncio.create_task(keeper.run())
    await until(lambda: door.tell is not None)
    assert door.tell is not None
    try:
        yield door.tell
    finally:
        task.cancel()
        await asyncio.wait([task])


def test_doubts_are_looked_into_again_after_a_look_has_failed(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> list[int]:
        async with scene() as on:
            door = OneThatTellsOfLosses(on.engine, set(), ValueError("a bug"))
            on.stands_behind(door)
            (held,) = await on.held(1)
            door.busy.add(held.lease.execution_id)
            async with keeping(on.keeper, door) as tell:
                for looks in (1, 2):
                    tell([held.lease.execution_id])
                    await until(lambda looks=looks: len(door.sent) == looks)
            return door.sent

    assert run(main) == [1, 1]
    assert [line.levelname for line in caplog.records] == ["ERROR", "ERROR"]
    assert "the next renewal checks them" in caplog.records[0].getMessage()


@pytest.mark.parametrize("trouble", [RetryExhausted("another has it"), StoreUnavailable("away")])
def test_a_doubt_that_the_store_could_not_answer_is_asked_again_before_the_next_beat(trouble: "EngineError") -> None:
    async def main() -> list[list[str]]:
        async with scene() as on:
            door = OneThatTellsOfLosses(on.engine, set(), trouble)
            on.stands_behind(door)
            kept, taken = await on.held(2)
            door.busy.add(taken.lease.execution_id)
            await on.engine.cancel_execution(taken.lease.execution_id, reason="enough")
            async with keeping(on.keeper, door) as tell:
                tell([taken.lease.execution_id])
                await until(lambda: len(door.sent) >= 2)
                door.busy.clear()
                await until(lambda: bool(taken.lost))
            return [kept.lost, taken.lost]

    assert run(main) == [[], ["execution_not_active"]]


def test_a_loss_is_heard_of_while_the_worker_has_not_reported_itself_yet() -> None:
    async def main() -> list[str]:
        async with scene() as on:
            door = OneThatTellsOfLosses(on.engine, set(), ValueError("nobody is busy"))
            on.stands_behind(door)
            reported = asyncio.Event()
            on.keeper._heartbeat = reported.wait  # type: ignore[method-assign,assignment]
            (held,) = await on.held(1)
            await on.engine.cancel_execution(held.lease.execution_id, reason="enough")
            async with keeping(on.keeper, door) as tell:
                tell([held.lease.execution_id])
                await until(lambda: bool(held.lost))
                assert not reported.is_set()
            return held.lost

    assert run(main) == ["execution_not_active"]
