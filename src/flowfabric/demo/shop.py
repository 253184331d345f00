"""The program that the demo runs: a shop that packs and charges orders, gives money back, and publishes films.

An order is one task with two steps. A refund waits for an approval between its two steps. A commentary speaks until the
shop closes. A film is a flow:

split --+--> part-1 --+
        +--> ...      +-- 5 of 8 --> publish
        +--> part-8 --+
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from flowfabric.demo.ledger import Ledger
from flowfabric.demo.notes import Notebook, Ran, Refusal
from flowfabric.domain.errors import Refused
from flowfabric.domain.joins import Quorum
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from flowfabric.runtime.task_options import Retry

URL: Final = "FLOWFABRIC_DEMO_URL"
FOLDER: Final = "FLOWFABRIC_DEMO_FOLDER"
WORKER: Final = "FLOWFABRIC_DEMO_WORKER"
"""The environment variables by which a worker's process learns where the shop is, and its own name."""

CHARGE: Final = "charge"
"""The name of an order's task, and of its second step."""
PACK: Final = "pack"
"""The name of its first step."""
REFUND: Final = "refund"
CHECK: Final = "check"
RETURN: Final = "return"
"""The name of a refund's task, and of its steps before and after the approval."""
BOSS: Final = "boss"
"""The key of the waitpoint at which a refund waits for its approval."""
GREET: Final = "greet"
"""The name of the step in which a commentary says its first words."""
GREETING: Final = "Good morning. "
FAREWELL: Final = "Good night."
WORD_MS: Final = 40
"""How long a commentary takes for each number that it says."""
SPLIT: Final = "split"
PUBLISH: Final = "publish"
PARTS: Final = tuple(f"part-{number}" for number in range(1, 9))
ENOUGH: Final = 5
"""How many parts are enough for the film. The other parts are cancelled."""
DAMAGED: Final = "part-2"
"""The part that cannot be encoded."""
SCENE_MS: Final = 250
SLOWER_MS: Final = 60
"""Each part takes this much longer than the one before, so that some still run when enough are finished."""
TICKS: Final = 5
"""How often a member of a film reports its progress."""


class Order(msgspec.Struct, frozen=True):
    """The order of one customer."""

    name: str
    pack_ms: int = 30
    charge_ms: int = 150
    """Much longer than packing takes, so that a worker is easily stopped between packing and charging."""
    provider_is_down: bool = False


class ProviderDown(Exception):
    """The payment provider does not answer; it may do so later."""


class Damaged(Exception):
    """A part of a film cannot be read."""


class Shop:
    """The tasks and their fabric. The shop's folder stands for the outside world."""

    def __init__(self, url: str, folder: Path, worker: str = "", *, migrate: bool | None = None) -> None:
        self.url = url
        self.folder = folder
        self.ledger = Ledger(folder / "ledger")
        self.outage = folder / "outage"
        """While this file exists, the payment provider is down."""
        self.closing = folder / "closing"
        """When this file exists, commentaries come to their end."""
        self.ff = ff = FlowFabric(url, migrate=migrate)
        notes = Notebook(folder / f"{worker}.notes")

        def pack(ctx: Context, order: Order) -> str:
            if ctx.cancelled.wait(order.pack_ms / 1000):
                ctx.raise_if_cancelled()
            return f"parcel of {order.name}"

        def pay(ctx: Context, order: Order) -> str:
            ctx.progress(50, "charging")
            # A call that is under way cannot be stopped, and the process may be frozen before it arrives.
            # The fencing token protects against such a late call.
            time.sleep(order.charge_ms / 1000)
            self.ledger.write(ctx.execution_id, token=ctx.fencing_token, worker=worker)
            return "paid"

        def check(ctx: Context, order: Order) -> str:
            return f"{order.name} was charged by mistake"

        def give_back(ctx: Context, order: Order) -> str:
            return f"{order.name} is paid back"

        def greet(ctx: Context, order: Order) -> str:
            ctx.write(GREETING)
            return order.name

        def step(ctx: Context, name: str, run: Callable[[Context, Order], str], order: Order) -> str:
            """A step of an order, with a note of each run and of each refusal."""

            def noted(order: Order) -> str:
                notes.write(Ran(ctx.execution_id, ctx.fencing_token, name))
                return run(ctx, order)

            try:
                return ctx.step_sync(name, noted, order)
            except Refused as refusal:
                notes.write(Refusal(ctx.execution_id, ctx.fencing_token, name, refusal.code))
                raise

        @ff.task(retry=Retry(max_retries=1, initial_delay="300ms"))
        def charge(ctx: Context, order: Order) -> str:
            parcel = step(ctx, PACK, pack, order)
            if order.provider_is_down and self.outage.exists():
                raise ProviderDown("the payment provider does not answer")
            return f"{parcel}, {step(ctx, CHARGE, pay, order)}"

        @ff.task
        def refund(ctx: Context, order: Order) -> str:
            found = step(ctx, CHECK, check, order)
            (approval,) = ctx.approve_sync(BOSS, title=f"{found}. Give the money back?")
            return f"{step(ctx, RETURN, give_back, order)}, by leave of {approval.by}"

        @ff.task
        def comment(ctx: Context, order: Order) -> int:
            step(ctx, GREET, greet, order)
            number = 0
            while not self.closing.exists():
                number += 1
                ctx.write(f"{number} ")
                if ctx.cancelled.wait(WORD_MS / 1000):
                    ctx.raise_if_cancelled()
            ctx.write(FAREWELL)
            return number

        @ff.task
        def split(ctx: Context, parts: Sequence[str]) -> dict[str, str]:
            _take_time(ctx, SPLIT, SCENE_MS)
            return {part: f"scene {number}" for number, part in enumerate(parts, 1)}

        @ff.task
        def encode(ctx: Context, part: str, scene: str, takes_ms: int) -> str:
            if part == DAMAGED:
                _take_time(ctx, part, takes_ms // 2)
                raise Damaged(f"{part} cannot be read")
            _take_time(ctx, part, takes_ms)
            return scene

        @ff.task
        def publish(ctx: Context, scenes: Mapping[str, str]) -> list[str]:
            _take_time(ctx, PUBLISH, SCENE_MS)
            return sorted(scenes)

        self.charge = charge
        self.refund = refund
        self.comment = comment
        self.split = split
        self.encode = encode
        self.publish = publish

    def address_for(self, worker: str) -> dict[str, str]:
        """The environment variables for a worker's process."""
        return {URL: self.url, FOLDER: str(self.folder), WORKER: worker}

    def submit_film(self) -> tuple[str, dict[str, str]]:
        """Submit a film in one transaction. Returns the flow's id, and the ids of its members by name."""
        with self.ff.flow("film") as flow:
            split = flow.add(self.split, PARTS)
            parts = {
                part: flow.add(self.encode, part, split.output[part], SCENE_MS + number * SLOWER_MS)
                for number, part in enumerate(PARTS, 1)
            }
            # Publishing gets the parts that are finished when it starts, by their names.
            publish = flow.add(
                self.publish.options(join=Quorum(ENOUGH)), {part: node.output for part, node in parts.items()}
            )
        members = {part: node.execution_id for part, node in parts.items()}
        return flow.flow_id, {SPLIT: split.execution_id, **members, PUBLISH: publish.execution_id}


def _take_time(ctx: Context, what: str, takes_ms: int) -> None:
    """Be busy for this time, unless the attempt must stop."""
    for tick in range(1, TICKS + 1):
        if ctx.cancelled.wait(takes_ms / TICKS / 1000):
            ctx.raise_if_cancelled()
        ctx.progress(100 * tick // TICKS, what)
