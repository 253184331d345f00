"""The story: orders are submitted, a worker is killed, an operator steers, a frozen worker wakes up too late.

All the while a refund waits for an approval, and holds no worker. A commentary is read live, also while its worker is
killed. Then the workers publish a film, which is a flow.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Protocol, cast

import msgspec

from flowfabric.demo.film import Drawn, Picture, parts_in
from flowfabric.demo.reader import Reader, counting, in_short
from flowfabric.demo.shop import ENOUGH, PACK, PARTS, PUBLISH, Order, Shop
from flowfabric.domain.errors import ExecutionNotEligible, InvalidInput
from flowfabric.domain.snapshots import ExecutionSnapshot
from flowfabric.domain.states import PublicState
from flowfabric.domain.stream_pages import StreamFrame

ORDERS: Final = 48
UNLUCKY: Final = 7
"""The order that is tried while the payment provider is down."""
SLOTS: Final = 3
"""How many attempts a worker runs at once."""
URGENT: Final = 100
"""The priority of the commentary, so that nobody has to wait for its second attempt."""
HEARD: Final = 5
"""How many frames of the commentary the reader waits for, before and after the crash."""
LEASE_MS: Final = 2_000
APPROVER: Final = "mia"
DONE_BEFORE_THE_CRASH: Final = 12
SLOW_MS: Final = 900
FRONT: Final = 9000
ANSWER_S: Final = 0.5
"""If a write takes longer than this, the frozen worker is assumed to hold the write lock."""
GRACE_S: Final = 3.0
STOP_S: Final = 5.0
GIVE_UP_S: Final = 60.0
"""The whole story takes some ten seconds. On a machine with much else to do it takes longer."""
POLL_S: Final = 0.02


class DemoFailed(Exception):
    """Something that had to happen did not happen in time."""


class Audience(Protocol):
    """Receives the story: a screen, or a test."""

    def say(self, what: str) -> None:
        """Take note of one thing that has just happened."""

    def drawing(self) -> AbstractContextManager[Callable[[Picture], None]]:
        """A function that draws a flow, each picture over the one before."""

    def live(self) -> AbstractContextManager[Callable[[str], None]]:
        """A function that shows a text as it grows, below everything that is said meanwhile."""


class Roles(msgspec.Struct):
    """Which execution had which role, for the timeline and for the proof."""

    names: dict[str, str] = msgspec.field(default_factory=dict)
    """Execution ids, and their names in the story."""
    film: str = ""
    """The id of the film's flow."""
    members: dict[str, str] = msgspec.field(default_factory=dict)
    """The ids of the film's members, by name."""
    orphans: list[str] = msgspec.field(default_factory=list)
    """The executions that the killed worker had leased."""
    killed_at_ms: int = 0
    cancelled: str = ""
    moved: str = ""
    revoked: str = ""
    replayed: str = ""
    approved: str = ""
    """The refund that waited for an approval."""
    spoken: str = ""
    """The commentary."""
    heard: list[StreamFrame] = msgspec.field(default_factory=list)
    """All that the reader of the commentary has got, in order."""


class Story:
    """Runs the story once. The audience hears of each event when it has happened."""

    def __init__(self, shop: Shop, audience: Audience) -> None:
        self.roles = Roles()
        self._shop = shop
        self._engine = shop.ff.blocking_engine()
        self._say = audience.say
        self._drawing = audience.drawing
        self._live = audience.live
        self._show: Callable[[str], None] = lambda text: None
        self._give_up_at = time.monotonic() + GIVE_UP_S
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._unlucky = ""

    def tell(self) -> None:
        """Run the whole story, from the first order to the last."""
        with self._no_worker_left_behind():
            self._submit()
            with self._live() as self._show:
                self._start("ada")
                self._hear_the_commentary()
                self._start("bea")
                self._see_the_refund_wait()
                self._kill("ada")
                self._cancel_one()
                self._move_one()
                self._see_orphans_finished()
                self._hear_the_end()
            self._start("cyd", "in ada's place")
            self._see_all_ended()
            self._revoke_one()
            self._replay_one()
            self._see_all_ended()
            self._approve_one()
            self._publish_a_film()

    # ── acts ─────────────────────────────────────────────────────────────────────────────────────

    def _submit(self) -> None:
        self._shop.outage.touch()
        # First, so that it is claimed first, and waits for the rest of the story.
        refund = self._shop.refund.submit_sync(Order("refund-01"))
        self.roles.approved = refund.execution_id
        self.roles.names[refund.execution_id] = "refund-01"
        commentary = self._shop.comment.options(priority=URGENT).submit_sync(Order("commentary-01"))
        self.roles.spoken = commentary.execution_id
        self.roles.names[commentary.execution_id] = "commentary-01"
        self._reader = Reader(self._engine, commentary.execution_id)
        ids = self._submit_orders(
            [Order(f"order-{number:02}", provider_is_down=number == UNLUCKY) for number in range(1, ORDERS + 1)]
        )
        self._unlucky = ids[UNLUCKY - 1]
        self._say(f"a refund and a commentary submitted, and {ORDERS} orders, these all in one transaction")

    def _hear_the_commentary(self) -> None:
        """Read along. Nobody else is there yet, so it is the first worker who speaks."""
        self._until(lambda: len(self._read_on()) > HEARD, "the commentary to begin")
        self._say(f'somebody reads commentary-01 live: "{in_short(self._reader.text)}"')

    def _see_the_refund_wait(self) -> None:
        refund = self.roles.approved
        self._until(lambda: self._x(refund).public_state == "suspended", "the refund to wait")
        self._say(f"{self._named([refund])} waits for an approval: it holds no worker, no lease and no process")

    def _kill(self, name: str) -> None:
        self._until(
            lambda: len(self._executions("completed")) >= DONE_BEFORE_THE_CRASH, "the workers to get into their stride"
        )
        # Stopped first, to be sure that it holds leases when it dies.
        pid = self._workers[name].pid
        while True:
            os.kill(pid, signal.SIGSTOP)
            held = self._held_by(name)
            orphans = [key for key in held if key != self.roles.spoken]
            if len(held) == SLOTS and len(orphans) == SLOTS - 1 and all(map(self._is_packed_only, orphans)):
                break
            os.kill(pid, signal.SIGCONT)
            self._pause(f"{name} to have its hands full")
        os.kill(pid, signal.SIGKILL)
        self.roles.killed_at_ms = self._engine.server_time_ms()
        self._workers.pop(name).wait(STOP_S)
        self.roles.orphans = orphans
        self._read_on()
        self._say(
            f"kill -9 {name}, in the middle of {self._named(orphans)}: packed, and not charged; and of commentary-01, "
            f'which breaks off: "{in_short(self._reader.text)}"'
        )

    def _cancel_one(self) -> None:
        for x in self._never_started()[1:]:
            try:
                self._engine.cancel_execution(x.execution_id, reason="the customer changed her mind")
            except InvalidInput:  # the order has ended meanwhile
                continue
            self.roles.cancelled = x.execution_id
            self._say(f"operator: {self._named([x.execution_id])} cancelled")
            return
        raise DemoFailed("No order was left to cancel.")

    def _move_one(self) -> None:
        for x in self._never_started():
            try:
                changed = self._engine.change_priority(x.execution_id, FRONT)
            except ExecutionNotEligible:  # the order was claimed meanwhile
                continue
            self.roles.moved = x.execution_id
            self._say(
                f"operator: {self._named([x.execution_id])}, the last in the queue, moved to its front "
                f"(priority {changed.old_priority} to {changed.new_priority})"
            )
            return
        raise DemoFailed("No order was left to move.")

    def _see_orphans_finished(self) -> None:
        orphans = self.roles.orphans
        self._until(lambda: all(self._x(key).terminal_at_ms for key in orphans), f"{self._named(orphans)} to end")
        took_ms = max(self._x(key).terminal_at_ms or 0 for key in orphans) - self.roles.killed_at_ms
        self._say(
            f"{self._named(orphans)} finished by bea, {took_ms / 1000:.1f} s after the kill, without packing them again"
        )

    def _hear_the_end(self) -> None:
        """Hear the commentary start over, and close the shop."""
        spoken = self.roles.spoken
        self._until(lambda: self._has_started_over(self._read_on()), "the commentary to start over")
        self._say(f'bea has started the commentary over; its reader keeps what counts: "{in_short(self._reader.text)}"')
        self._shop.closing.touch()
        self._until(lambda: self._x(spoken).public_state == "completed", "the commentary to end")
        self.roles.heard = list(self._read_on())
        self._say(f'the commentary ends, and its reader has every word once: "{in_short(self._reader.text)}"')

    def _read_on(self) -> Sequence[StreamFrame]:
        """All that the reader has got until now."""
        self._reader.read_on()
        self._show(self._reader.text)
        return self._reader.frames

    def _has_started_over(self, heard: Sequence[StreamFrame]) -> bool:
        return self._reader.has_restarted and len(counting(heard)) > HEARD

    def _revoke_one(self) -> None:
        slow, holder = self._freeze_one_in_the_act()
        name = self._named([slow])
        self._engine.revoke_lease(slow, reason=f"{holder} does not answer")
        self.roles.revoked = slow
        self._say(f"{holder} is frozen (SIGSTOP) with {name} in its hands; operator: its lease revoked")
        self._until(lambda: self._x(slow).public_state == "completed", f"{name} to end")
        os.kill(self._workers[holder].pid, signal.SIGCONT)
        self._until(
            lambda: not all(effect.accepted for effect in self._shop.ledger.effects()), f"{holder} to charge again"
        )
        other = next(other for other in self._workers if other != holder)
        self._say(f"{name} finished by {other}; {holder} wakes up, charges again, and is refused")

    def _freeze_one_in_the_act(self) -> tuple[str, str]:
        """A slow order, and the worker that was frozen just before it would have charged the order."""
        while True:
            (slow,) = self._submit_orders([Order("order-slow", charge_ms=SLOW_MS)])
            self._until(partial(self._is_being_charged, slow), "order-slow to be charged")
            for holder in self._workers:
                if slow in self._held_by(holder):
                    self._freeze(holder, slow)
                    if slow in self._held_by(holder):
                        return slow, holder
                    os.kill(self._workers[holder].pid, signal.SIGCONT)
            self._pause("order-slow to be caught in the act")

    def _replay_one(self) -> None:
        failed = self._unlucky
        self._shop.outage.unlink()
        self._engine.replay_execution(failed)
        self.roles.replayed = failed
        self._until(lambda: self._x(failed).public_state == "completed", f"{self._named([failed])} to complete")
        self._say(f"operator: {self._named([failed])} had failed while the provider was down; replayed, and completed")

    def _approve_one(self) -> None:
        refund = self.roles.approved
        name = self._named([refund])
        waited_ms = self._engine.server_time_ms() - self._x(refund).waits[0].since_ms
        # The same as `ff approve ID --as mia`, but `ff` need not be on the path.
        command = [sys.executable, "-m", "flowfabric.cli", "approve", refund, "--as", APPROVER, "--url", self._shop.url]
        try:
            ended = subprocess.run(  # noqa: S603 - our own program
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=GIVE_UP_S
            )
        except subprocess.TimeoutExpired:
            raise DemoFailed("`ff approve` took too long.") from None
        if ended.returncode:
            raise DemoFailed(f"`ff approve` ended with exit code {ended.returncode}. It said: {ended.stderr}")
        self._until(lambda: self._x(refund).public_state == "completed", f"{name} to complete")
        self._say(
            f"ff approve --as {APPROVER}: {name} had waited for {waited_ms / 1000:.1f} s, also while a worker was "
            "killed; now it has gone on, and is completed"
        )

    def _publish_a_film(self) -> None:
        self.roles.film, self.roles.members = self._shop.submit_film()
        self.roles.names |= {key: name for name, key in self.roles.members.items()}
        self._say(f"a film submitted as a flow: {len(PARTS)} parts, published as soon as {ENOUGH} of them are there")
        workers: dict[str, str] = {}
        last: Picture | None = None
        with self._drawing() as draw:
            while last is None or not last.is_over:
                picture = self._picture(workers)
                if picture != last:
                    draw(picture)
                    last = picture
                self._pause("the film to be published")
        there = parts_in(self._engine.get_result(self.roles.members[PUBLISH]))
        self._say(f"the film is {last.state}, made of {', '.join(there)}; nobody waits for the others")

    def _picture(self, workers: dict[str, str]) -> Picture:
        """The flow as it is now. `workers` remembers from one picture to the next which worker ran which member."""
        flow = self._engine.describe_flow(self.roles.film)
        assert flow is not None
        (publish,) = (group for group in flow.groups if group.downstream == self.roles.members[PUBLISH])
        members = cast("list[ExecutionSnapshot]", self._engine.list_executions(flow_id=flow.flow_id).items)
        for x in members:
            if x.public_state == "active" and x.execution_id not in workers:
                workers[x.execution_id] = self._engine.list_attempts(x.execution_id)[-1].worker_id or ""
        drawn = {x.execution_id: x for x in members}
        nodes = {
            name: Drawn(name, drawn[key].public_state, drawn[key].progress_percent or 0, workers.get(key, ""))
            for name, key in self.roles.members.items()
        }
        return Picture(flow.state, publish.success_count, nodes)

    def _is_packed_only(self, execution_id: str) -> bool:
        steps = [step.name for step in self._engine.list_steps(execution_id)]
        charged = {effect.execution_id for effect in self._shop.ledger.effects()}
        return steps == [PACK] and execution_id not in charged and execution_id != self._unlucky

    def _is_being_charged(self, execution_id: str) -> bool:
        return self._x(execution_id).progress_percent is not None

    def _see_all_ended(self) -> None:
        open_states: tuple[PublicState, ...] = ("waiting", "delayed", "active", "resumable")
        self._until(lambda: not any(self._executions(state) for state in open_states), "all orders to end")

    # ── workers ──────────────────────────────────────────────────────────────────────────────────

    def _start(self, name: str, why: str = "") -> None:
        # The same as `ff worker flowfabric.demo.worker:ff ...`, but `ff` need not be on the path.
        command = [sys.executable, "-m", "flowfabric.cli", "worker", "flowfabric.demo.worker:ff", "--name", name]
        command += ["--concurrency", str(SLOTS), "--lease", f"{LEASE_MS}ms", "--grace", f"{GRACE_S:.0f}s"]
        environment = {**os.environ, **self._shop.address_for(name)}
        with self._log(name).open("wb") as log:
            self._workers[name] = subprocess.Popen(  # noqa: S603 - our own program
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment
            )
        self._say(f"worker {name} started{why and ' '}{why} (process {self._workers[name].pid})")

    def _freeze(self, name: str, execution_id: str) -> None:
        """Freeze the process, but not while it holds the write lock: that would stop everyone."""
        pid = self._workers[name].pid
        with ThreadPoolExecutor(1) as pool:
            while True:
                os.kill(pid, signal.SIGSTOP)
                note = pool.submit(self._engine.set_tag, execution_id, "demo.note", f"{name} does not answer")
                try:
                    note.result(timeout=ANSWER_S)
                    return
                except TimeoutError:
                    os.kill(pid, signal.SIGCONT)
                    note.result()
                    self._pause(f"{name} to be frozen")

    def _held_by(self, name: str) -> list[str]:
        held = []
        for x in self._executions("active"):
            worker = self._engine.list_attempts(x.execution_id)[-1].worker_id
            if worker == name:
                held.append(x.execution_id)
        return sorted(held)

    @contextmanager
    def _no_worker_left_behind(self) -> Iterator[None]:
        try:
            yield
            for worker in self._workers.values():
                worker.terminate()
            for name, worker in self._workers.items():
                try:
                    worker.wait(STOP_S)
                except subprocess.TimeoutExpired:
                    raise DemoFailed(f"Worker {name} did not stop in {STOP_S:.0f} s.") from None
        finally:
            for worker in self._workers.values():
                worker.kill()
                worker.wait()

    # ── helpers ──────────────────────────────────────────────────────────────────────────────────

    def _log(self, name: str) -> Path:
        return self._shop.folder / f"{name}.log"

    def _submit_orders(self, orders: list[Order]) -> list[str]:
        charge = self._shop.charge
        handles = charge.submit_many_sync([charge.bind(order) for order in orders])
        ids = [handle.execution_id for handle in handles]
        self.roles.names.update(zip(ids, (order.name for order in orders), strict=True))
        return ids

    def _executions(self, state: PublicState) -> list[ExecutionSnapshot]:
        page = self._engine.list_executions(public_state=state, limit=2 * ORDERS)
        return cast("list[ExecutionSnapshot]", page.items)

    def _never_started(self) -> list[ExecutionSnapshot]:
        """Executions that wait and never ran; the last in the queue comes first."""
        return [x for x in self._executions("waiting") if x.started_at_ms is None]

    def _x(self, execution_id: str) -> ExecutionSnapshot:
        x = self._engine.describe_execution(execution_id)
        assert x is not None
        return x

    def _named(self, execution_ids: list[str]) -> str:
        return " and ".join(self.roles.names[key] for key in execution_ids)

    def _until(self, happened: Callable[[], bool], what: str) -> None:
        while not happened():
            self._pause(what)

    def _pause(self, what: str) -> None:
        if self.roles.spoken and not self.roles.heard:
            self._read_on()
        for name, worker in self._workers.items():
            if worker.poll() is not None:
                said = self._log(name).read_text()[-2000:]
                raise DemoFailed(
                    f"Worker {name} ended with exit code {worker.returncode}. It said: {said or 'nothing'}"
                )
        if time.monotonic() > self._give_up_at:
            raise DemoFailed(f"Waited for {what}, and it took too long.")
        time.sleep(POLL_S)
