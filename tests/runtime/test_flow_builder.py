import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from flowfabric import AnyOf, Conflict, Context, ExecutionNotCompleted, FlowFabric, InvalidInput, ManualClock, Quorum
from tests.runtime.by_hand import arguments_of, claim, complete, work
from tests.runtime.models import Address, Pair, Point
from tests.stores_under_test import on_one_store


@pytest.fixture
def ff(still_ff: FlowFabric) -> FlowFabric:
    return still_ff


@dataclass
class Charge:
    id: str
    cents: int


class Shop:
    """Some tasks of an order."""

    def __init__(self, ff: FlowFabric) -> None:
        @ff.task
        async def charge(ctx: Context, order_id: int, cents: int) -> Charge:
            return Charge(f"charge-{order_id}", cents)

        @ff.task
        def receipt(ctx: Context, charge_id: str) -> str:
            return f"receipt for {charge_id}"

        @ff.task
        def pack(ctx: Context, item: str, gift: bool = False) -> str:
            return f"{item} in paper" if gift else item

        @ff.task
        def ship(ctx: Context, parcels: list[str], note: str | None = None) -> int:
            return len(parcels)

        self.charge, self.receipt, self.pack, self.ship = charge, receipt, pack, ship


@pytest.fixture
def shop(ff: FlowFabric) -> Shop:
    return Shop(ff)


# ── submitting ───────────────────────────────────────────────────────────────────────────────────


def test_members_run_one_after_the_other_and_results_are_passed_on(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order", tags={"shop.customer": "ada"}) as flow:
        paid = flow.add(shop.charge, order_id=7, cents=990)
        sent = flow.add(shop.receipt, charge_id=paid.output.id)

    ran = [work(ff), work(ff)]

    assert ran == [[("charge", {"order_id": 7, "cents": 990})], [("receipt", {"charge_id": "charge-7"})]]
    assert (paid.result_sync(), sent.result_sync()) == (Charge("charge-7", 990), "receipt for charge-7")
    seen = flow.describe_sync()
    assert (seen.kind, seen.state, seen.tags) == ("order", "completed", {"shop.customer": "ada"})


def test_a_flow_may_be_built_on_an_event_loop(ff: FlowFabric, shop: Shop) -> None:
    async def ordered() -> tuple[str, str, str]:
        async with ff.flow("order") as flow:
            paid = flow.add(shop.charge, 7, 990)
            sent = flow.add(shop.receipt, paid.output.id)
        before = await flow.state()
        for _ in flow.nodes:
            await asyncio.to_thread(work, ff)
        return before, await flow.wait(timeout=30), await sent.result()

    assert asyncio.run(ordered()) == ("open", "completed", "receipt for charge-7")


def test_nothing_is_submitted_when_the_block_raises(ff: FlowFabric, shop: Shop) -> None:
    with pytest.raises(ZeroDivisionError), ff.flow("order") as flow:
        flow.add(shop.charge, order_id=7, cents=1 // 0)

    async def fails() -> None:
        async with ff.flow("order") as flow:
            flow.add(shop.pack, "book")
            flow.add(shop.charge, order_id=7, cents="much")  # type: ignore[arg-type]

    with pytest.raises(InvalidInput, match="argument 'cents': Expected `int`"):
        asyncio.run(fails())

    assert ff.blocking_engine().list_flows().items == []
    assert claim(ff) == []


def test_nothing_is_submitted_when_the_engine_refuses_a_member(ff: FlowFabric, shop: Shop) -> None:
    once = shop.pack.options(idempotency_key="pack-7")
    once.submit_sync("book")

    with pytest.raises(Conflict, match="node 'pack'"), ff.flow("order") as flow:
        flow.add(once.options(after=[flow.add(shop.charge, order_id=7, cents=990)]), "book")

    assert ff.blocking_engine().list_flows().items == []


@on_one_store
def test_an_empty_flow_is_refused(ff: FlowFabric) -> None:
    with pytest.raises(InvalidInput, match="'order' has no members, so it could never end"), ff.flow("order"):
        pass


def test_members_are_added_inside_the_block_only(ff: FlowFabric, shop: Shop) -> None:
    flow = ff.flow("order")
    with pytest.raises(InvalidInput, match="inside its block"):
        flow.add(shop.pack, "book")
    with flow:
        flow.add(shop.pack, "book")

    with pytest.raises(InvalidInput, match="inside its block"):
        flow.add(shop.pack, "book")
    with pytest.raises(InvalidInput, match="was built before"), flow:
        pass


def test_a_node_is_a_handle_only_after_the_block(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        packed = flow.add(shop.pack, "book")
        with pytest.raises(InvalidInput, match=r"'pack' is not submitted yet.* Use the handle after the block"):
            packed.state_sync()
        with pytest.raises(InvalidInput, match="'order' is not submitted"):
            flow.state_sync()

    assert (packed.state_sync(), flow.state_sync()) == ("waiting", "open")


def test_a_submit_may_be_repeated_with_its_command_id(ff: FlowFabric, shop: Shop) -> None:
    def ordered() -> tuple[str, list[str]]:
        with ff.flow("order", command_id="checkout-7") as flow:
            paid = flow.add(shop.charge, order_id=7, cents=990)
            flow.add(shop.receipt, charge_id=paid.output.id)
        return flow.flow_id, [node.execution_id for node in flow.nodes]

    first, second = ordered(), ordered()

    assert first == second
    assert len(claim(ff)) == 1


def test_an_id_of_ones_own_is_kept_and_taken_once(ff: FlowFabric, shop: Shop) -> None:
    order_7 = "0198c0de-0000-7000-8000-000000000007"
    with ff.flow("order", flow_id=order_7) as flow:
        flow.add(shop.pack, "book")

    with pytest.raises(Conflict), ff.flow("order", flow_id=order_7) as again:
        again.add(shop.pack, "book")

    assert flow.flow_id == order_7


def test_options_of_members_are_those_of_their_executions(ff: FlowFabric, shop: Shop, clock: ManualClock) -> None:
    with ff.flow("order") as flow:
        later = flow.add(shop.pack.options(lane="packing", priority=5, delay="1m", tags={"shop.order": "7"}), "book")

    seen = later.describe_sync()

    assert (seen.lane, seen.priority, seen.flow_id, seen.tags) == ("packing", 5, flow.flow_id, {"shop.order": "7"})
    assert (seen.public_state, seen.delay_until_ms) == ("delayed", clock.now_ms + 60_000)


# ── edges ────────────────────────────────────────────────────────────────────────────────────────


def edges_of(ff: FlowFabric, flow: Any) -> set[tuple[str, str, str | None]]:
    names = {node.execution_id: node.name for node in flow.nodes}
    found = ff.blocking_engine().list_edges(flow.flow_id)
    return {(names[edge.upstream], names[edge.downstream], edge.pass_result_as) for edge in found}


def test_a_member_waits_for_those_it_names_and_for_those_whose_output_it_takes(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, order_id=7, cents=990)
        book = flow.add(shop.pack.options(after=[paid]), "book")
        shoes = flow.add(shop.pack, "shoes")
        flow.add(shop.ship.options(after=[paid, book]), [book.output, shoes.output, book.output], note=paid.output.id)

    assert edges_of(ff, flow) == {
        ("charge", "pack", None),
        ("charge", "ship", "charge"),
        ("pack", "ship", "pack"),
        ("pack-2", "ship", "pack-2"),
    }
    work(ff)
    work(ff)
    assert work(ff) == [("ship", {"parcels": ["book", "shoes", "book"], "note": "charge-7"})]


def test_names_within_a_flow_are_never_taken_twice(ff: FlowFabric, shop: Shop) -> None:
    ff.task(name="pack-2")(shop.receipt.function)

    with ff.flow("order") as flow:
        flow.add(ff.tasks["pack-2"], "x")
        nodes = [flow.add(shop.pack, "book") for _ in range(3)]

    assert [node.name for node in nodes] == ["pack", "pack-3", "pack-4"]


def test_one_member_per_item_and_all_of_them_joined(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        packed = flow.map(shop.pack, ["book", "shoes"], gift=True)
        shipped = flow.add(shop.ship, parcels=[each.output for each in packed])

    ran = [work(ff), work(ff)]

    assert ran[0] == [("pack", {"item": "book", "gift": True}), ("pack", {"item": "shoes", "gift": True})]
    assert ran[1] == [("ship", {"parcels": ["book in paper", "shoes in paper"]})]
    assert shipped.result_sync() == 2


def test_a_quorum_gets_what_has_come(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        packed = flow.map(shop.pack, ["book", "shoes", "lamp"])
        flow.add(shop.ship.options(join=Quorum(2)), parcels=["card", *(each.output for each in packed), "bow"])
    book, _, lamp = claim(ff)
    complete(ff, lamp, "lamp")
    complete(ff, book, "book")

    (ship,) = claim(ff)

    assert arguments_of(ff, ship) == {"parcels": ["card", "book", "lamp", "bow"]}
    assert packed[1].state_sync() == "cancelled"
    with pytest.raises(ExecutionNotCompleted):
        packed[1].result_sync()


def test_a_dict_of_outputs_is_joined_by_its_keys(ff: FlowFabric, shop: Shop) -> None:
    @ff.task
    def choose(ctx: Context, quotes: dict[str, list[str]]) -> None: ...

    with ff.flow("quotes") as flow:
        a, b = flow.map(shop.pack, ["a", "b"])
        flow.add(choose.options(join=AnyOf()), quotes={"a": [a.output], "b": [b.output, "or else"]})
    complete(ff, claim(ff, limit=1)[0], "12.00")

    assert work(ff) == [("choose", {"quotes": {"a": ["12.00"], "b": ["or else"]}})]


def test_an_argument_whose_upstream_a_join_did_without_is_its_default_or_none(ff: FlowFabric, shop: Shop) -> None:
    @ff.task
    def first_of(ctx: Context, a: str | None, b: str = "no b", c: str | None = "no c") -> None: ...
    @ff.task
    def both_of(ctx: Context, a: str, b: str) -> None: ...

    with ff.flow("hedge") as flow:
        a, b = flow.map(shop.pack, ["a", "b"])
        flow.add(first_of.options(join=AnyOf("let_run")), b.output, a.output, c=b.output)
        flow.add(both_of.options(join=AnyOf("let_run")), a.output, b.output)
    complete(ff, claim(ff, limit=1)[0], "a")
    one, two = claim(ff, limit=3)[-2:]

    assert arguments_of(ff, one) == {"a": None, "b": "a"}
    with pytest.raises(InvalidInput, match="argument 'b' should come from 'pack-2', which has not completed"):
        arguments_of(ff, two)


@on_one_store
def test_a_join_needs_something_to_join(ff: FlowFabric, shop: Shop) -> None:
    with pytest.raises(InvalidInput, match="and nothing to join"), ff.flow("order") as flow:
        flow.add(shop.pack.options(join=AnyOf()), "book")


def test_a_member_cannot_join_another_transaction_than_its_flow(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        flow.add(shop.pack, "book")
        with pytest.raises(InvalidInput, match="a flow is submitted in a transaction of its own"):
            flow.add(shop.pack.options(conn=object()), "book")


def test_members_of_other_flows_and_other_fabrics_are_refused(ff: FlowFabric, shop: Shop) -> None:
    elsewhere = Shop(FlowFabric("memory://"))
    with ff.flow("one") as one:
        packed = one.add(shop.pack, "book")

    with ff.flow("two") as two:
        with pytest.raises(InvalidInput, match="an argument names <node pack>, which is not a member of this flow"):
            two.add(shop.pack, packed.output)
        with pytest.raises(InvalidInput, match="after names <node pack>, which is not a member of this flow"):
            two.add(shop.pack.options(after=[packed]), "book")
        with pytest.raises(InvalidInput, match="'pack' belongs to another FlowFabric"):
            two.add(elsewhere.pack, "book")
        with pytest.raises(InvalidInput, match=r"is not a task. Decorate the function with @ff.task"):
            two.add(shop.pack.function, "book")  # type: ignore[arg-type]
        two.add(shop.pack, "book")


# ── outputs ──────────────────────────────────────────────────────────────────────────────────────

VALUE: Mapping[str, Any] = {"list": [{"b": 7}], "1": "one"}


@pytest.mark.parametrize(
    ("hint", "value", "part", "expected"),
    [
        (dict[str, Any], VALUE, lambda output: output["list"][0]["b"], 7),
        (dict[int, str], {1: "one"}, lambda output: output[1], "one"),
        (list[int], [1, 2], lambda output: output[-1], 2),
        (tuple[int, str], (1, "a"), lambda output: output[1], "a"),
        (Charge, Charge("c", 1), lambda output: output.id, "c"),
        (Charge | None, Charge("c", 1), lambda output: output["cents"], 1),
        (Address, Address("main"), lambda output: output.street_name, "main"),
        (Pair, Pair(1, Address("main")), lambda output: output.right.street_name, "main"),
        (Point, Point(1, 2), lambda output: output.y, 2),
        (Any, VALUE, lambda output: output["list"][0], {"b": 7}),
    ],
)
def test_a_part_of_an_output_is_found_as_its_type_is_written(
    ff: FlowFabric, hint: Any, value: object, part: Any, expected: object
) -> None:
    def make(ctx: Any) -> Any: ...
    def take(ctx: Any, it: Any) -> None: ...

    make.__annotations__ |= {"return": hint}
    made, taken = ff.task(make), ff.task(take)
    with ff.flow("parts") as flow:
        flow.add(taken, part(flow.add(made).output))
    complete(ff, claim(ff)[0], value)

    assert work(ff) == [("take", {"it": expected})]


def test_a_part_of_a_model_is_found_by_its_alias(ff: FlowFabric) -> None:
    from tests.runtime.models import Order

    @ff.task
    def place(ctx: Context) -> Order: ...  # type: ignore[empty-body]
    @ff.task
    def take(ctx: Context, order_id: int) -> None: ...

    with ff.flow("order") as flow:
        flow.add(take, flow.add(place).output.order_id)
        with pytest.raises(InvalidInput, match="of type Order has no part 'weight'; its parts are order_id, placed_at"):
            _ = flow.add(place).output.weight  # type: ignore[attr-defined]
    ff.blocking_engine().complete(claim(ff)[0].lease, b'{"orderId":7}')

    assert ("take", {"order_id": 7}) in [(each.kind, arguments_of(ff, each)) for each in claim(ff)]


@on_one_store
@pytest.mark.parametrize(
    ("part", "why"),
    [
        (lambda output: output.idd, "of type Charge has no part 'idd'; its parts are id, cents"),
        (lambda output: output[0], "of type Charge has no part 0"),
        (lambda output: output.id.upper, "of type str has no part 'upper'"),
        (lambda output: output[None], "has parts by key or by index, not by NoneType"),
    ],
)
def test_a_part_that_cannot_be_there_is_refused_while_the_flow_is_built(
    ff: FlowFabric, shop: Shop, part: Any, why: str
) -> None:
    with pytest.raises(InvalidInput, match=why), ff.flow("order") as flow:
        part(flow.add(shop.charge, 7, 990).output)


@pytest.mark.parametrize(
    "use",
    [bool, str, list, len, int, float, lambda it: it == 1, lambda it: it < 1, lambda it: f"{it}", lambda it: it()],
)
def test_an_output_is_not_the_value(ff: FlowFabric, shop: Shop, use: Any) -> None:
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7, 990)
        with pytest.raises(InvalidInput, match=r"<output of <node charge>\['id'\]> is not known while"):
            use(paid.output.id)


def test_an_output_that_never_fits_is_refused_while_the_flow_is_built(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7, 990)
        with pytest.raises(InvalidInput, match=r"'charge_id' cannot be .*: that is int, and the parameter is str"):
            flow.add(shop.receipt, paid.output.cents)  # type: ignore[arg-type]


def test_an_output_is_an_argument_or_in_a_list_or_dict_that_is_one(ff: FlowFabric, shop: Shop) -> None:
    @ff.task
    def book(ctx: Context, charge: Charge) -> None: ...
    @ff.task
    def choose(ctx: Context, quotes: dict[str, str]) -> None: ...

    why = r": <output of <node charge>\['id'\]> is for flow.add\(...\): as an argument, or in a list or a dict by name"
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7, 990)
        with pytest.raises(InvalidInput, match=rf"argument 'charge'{why}"):
            flow.add(book, Charge(paid.output.id, 1))
        with pytest.raises(InvalidInput, match=rf"argument 'quotes'{why}"):
            flow.add(choose, {1: paid.output.id, "a": paid.output.id})  # type: ignore[dict-item]
        for argument in (paid.output.id, [paid.output.id]):
            with pytest.raises(InvalidInput, match=rf"argument 'charge_id'{why}"):
                shop.receipt.submit_sync(argument)  # type: ignore[arg-type]


def test_a_result_without_the_part_that_was_asked_for_says_so(ff: FlowFabric) -> None:
    @ff.task
    def make(ctx: Context) -> dict[str, str]: ...  # type: ignore[empty-body]
    @ff.task
    def take(ctx: Context, it: str) -> None: ...

    with ff.flow("parts") as flow:
        flow.add(take, flow.add(make).output["id"])
    complete(ff, claim(ff)[0], {})

    with pytest.raises(InvalidInput, match=r"'it' should be \['id'\] of what another .* not there \(KeyError"):
        arguments_of(ff, claim(ff)[0])


def test_a_result_that_no_task_wrote_is_no_argument(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        flow.add(shop.pack, flow.add(shop.pack, "book").output)
    ff.blocking_engine().complete(claim(ff)[0].lease, b"\xff")

    with pytest.raises(InvalidInput, match=r"'item' should be all of what another .* not there \(DecodeError"):
        arguments_of(ff, claim(ff)[0])


def test_a_key_of_the_task_holds_in_a_flow_as_far_as_its_arguments_are_known(ff: FlowFabric, shop: Shop) -> None:
    @ff.task(idempotency=lambda charge_id: charge_id)
    def refund(ctx: Context, charge_id: str) -> None: ...

    refund.submit_sync("charge-7")
    with ff.flow("order") as flow:
        flow.add(refund, flow.add(shop.charge, 7, 990).output.id)

    with pytest.raises(Conflict), ff.flow("order") as again:
        again.add(refund, "charge-7")


# ── following and cancelling ─────────────────────────────────────────────────────────────────────


def test_waiting_for_a_flow_ends_with_its_last_member_or_with_its_time(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        flow.add(shop.receipt, flow.add(shop.charge, 7, 990).output.id)
    work(ff)

    with pytest.raises(TimeoutError):
        flow.wait_sync(timeout="1ms")
    work(ff)

    assert flow.wait_sync() == "completed"


def test_a_flow_is_cancelled_with_all_its_members(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7, 990)
        sent = flow.add(shop.receipt, paid.output.id)
    work(ff)

    answers = [flow.cancel_sync("enough", wait=True), asyncio.run(flow.cancel())]

    assert answers == [True, True]
    assert (flow.state_sync(), paid.state_sync(), sent.state_sync()) == ("cancelled", "completed", "cancelled")


def test_a_flow_that_has_ended_is_not_cancelled(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        flow.add(shop.pack, "book")
    work(ff)

    assert flow.cancel_sync() is False


def test_a_payload_names_the_places_that_others_fill(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("order") as flow:
        paid = flow.add(shop.charge, 7, 990)
        flow.add(shop.ship, ["card", paid.output.id], note=paid.output.id)
    work(ff)

    payload = msgspec.json.decode(claim(ff)[0].payload)

    assert payload == {
        "arguments": {"parcels": ["card", None]},
        "outputs": [[["parcels", 1], "charge", ["id"]], [["note"], "charge", ["id"]]],
    }


def test_a_chain_passes_a_result_from_its_first_member_to_its_last(ff: FlowFabric, shop: Shop) -> None:
    with ff.flow("chain") as flow:
        node = flow.add(shop.pack, "book")
        for _ in range(30):
            node = flow.add(shop.pack, node.output)

    for _ in flow.nodes:
        work(ff)

    assert node.result_sync() == "book"
