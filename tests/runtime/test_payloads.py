import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

import msgspec
import pytest

from flowfabric import InvalidInput
from flowfabric.runtime.payloads import Signature
from flowfabric.runtime.task_functions import check_context
from tests.runtime.models import Address, Labels, Order, Pair, Parcel, Point, Size

if TYPE_CHECKING:
    from flowfabric import Context

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEY = UUID("0198c0de-0000-7000-8000-000000000008")
PARCEL = Parcel(Decimal("0.10"), Size.SMALL)


def signature_of(hint: Any) -> Signature:
    """That of a function with one parameter of this type, which it returns."""

    def function(ctx: object, value: Any) -> Any: ...

    function.__annotations__ |= {"value": hint, "return": hint}
    return Signature(function, "echo")


def carried(signature: Signature, *args: object, **kwargs: object) -> dict[str, object]:
    return signature.arguments(signature.payload(signature.bind(args, kwargs)), {})


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int, 2**70),
        (float, 0.1),
        (str, "grüße 🚚"),
        (bool, False),
        (bytes, b"\x00\xff"),
        (datetime, NOON),
        (date, date(2026, 1, 1)),
        (timedelta, timedelta(seconds=90)),
        (Decimal, Decimal("0.10")),
        (UUID, KEY),
        (Size, Size.LARGE),
        (Literal["a", "b"], "b"),
        (int | None, None),
        (list[datetime], [NOON]),
        (tuple[int, str], (1, "a")),
        (set[int], {1, 2}),
        (dict[UUID, bytes], {KEY: b"a"}),
        (Parcel, PARCEL),
        (Address, Address("main", is_home=False)),
        (Pair, Pair(1, Address("main"))),
        (Point, Point(1, 2)),
        (Labels, {"first": "a"}),
        (Order, Order(orderId=7, placed_at=NOON, price=Decimal("9.90"), key=KEY, parcels=[PARCEL])),
        (list[Order] | None, [Order(orderId=7, placed_at=NOON, price=Decimal("9.90"), key=KEY)]),
        (dict[str, Any], {"a": [1, 2.5, None, {"b": True}]}),
        (Any, {"a": [1]}),
    ],
)  # fmt: skip
def test_arguments_and_results_arrive_as_they_were_given(hint: Any, value: object) -> None:
    signature = signature_of(hint)

    argument = carried(signature, value)["value"]
    result = signature.result_in(signature.result(value))

    assert argument == result == value
    assert type(argument) is type(result) is type(value)


@pytest.mark.parametrize(
    ("hint", "value", "why"),
    [
        (int, "7", "Expected `int`, got `str`"),
        (int, True, "Expected `int`, got `bool`"),
        (int, 7.0, "Expected `int`, got `float`"),
        (str, b"7", "Expected `str`, got `bytes`"),
        (str, NOON, "Expected `str`, got `datetime`"),
        (str, KEY, "Expected `str`, got `uuid`"),
        (str, None, "Expected `str`, got `null`"),
        (str, "\ud800", "surrogates not allowed"),
        (list[str], [b"7"], "Expected `str`, got `bytes`"),
        (Literal["a", "b"], "c", "Invalid enum value 'c'"),
        (Parcel, Parcel("heavy", Size.SMALL), "Invalid decimal string"),  # type: ignore[arg-type]
        (Address, Address(b"main"), r"Expected `str`, got `bytes` - at `\$.streetName`"),  # type: ignore[arg-type]
        (Order, {"orderId": "7"}, "orderId"),
        (float | None, float("nan"), "not a number or infinite"),
        (list[float], [float("inf")], "Expected `float`, got `null`"),
        (Any, object(), "JSON cannot carry object"),
        (Any, NOON, "would arrive as '2026-01-01T12:00:00Z'"),
        (Any, (1, 2), r"would arrive as \[1, 2\]"),
        (dict[str, Any], {"at": KEY}, "would arrive as"),
        (dict, {1: 2}, "would arrive as"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_refused_by_its_name_before_anything_is_sent(hint: Any, value: object, why: str) -> None:
    signature = signature_of(hint)

    with pytest.raises(InvalidInput, match=rf"(?s)^Task 'echo': argument 'value'.*{why}"):
        carried(signature, value)


def test_a_result_that_is_not_what_the_hint_says_is_refused() -> None:
    signature = signature_of(str)

    with pytest.raises(InvalidInput, match=r"^Task 'echo': its result: Expected `str`, got `bytes`"):
        signature.result(b"7")


def test_a_result_without_a_hint_may_be_anything_that_json_can_carry() -> None:
    def function(ctx): ...  # type: ignore[no-untyped-def]

    signature = Signature(function, "loose")

    assert signature.result_in(signature.result((1, NOON))) == [1, "2026-01-01T12:00:00Z"]


@pytest.mark.parametrize(
    ("args", "kwargs", "why"),
    [
        ((), {"cents": 1}, "missing a required argument: 'order_id'"),
        ((1, 2, 3), {}, "too many positional arguments"),
        ((1,), {"cent": 1}, "got an unexpected keyword argument 'cent'"),
        ((), {"order_id": 1, "cent": 1}, "got an unexpected keyword argument 'cent'"),
        ((1,), {"order_id": 1}, "multiple values for argument 'order_id'"),
    ],
)
def test_arguments_that_do_not_fit_the_parameters_are_refused(
    args: tuple[object, ...], kwargs: dict[str, object], why: str
) -> None:
    def function(ctx: object, order_id: int, cents: int = 0) -> None: ...

    signature = Signature(function, "charge")

    with pytest.raises(InvalidInput, match=rf"{why}.* Its parameters are \(order_id: int, cents: int = 0\)"):
        signature.bind(args, kwargs)


def test_defaults_are_those_of_the_code_that_runs() -> None:
    def function(ctx: object, order_id: int, cents: int = 0) -> None: ...

    assert carried(Signature(function, "charge"), 7) == {"order_id": 7}


# ── functions that are no tasks ──────────────────────────────────────────────────────────────────


def test_a_function_that_takes_no_context_is_no_task() -> None:
    def nothing() -> None: ...
    def anything(*args: int) -> None: ...
    def by_name(*, ctx: object) -> None: ...

    for function in (nothing, anything, by_name):
        with pytest.raises(InvalidInput, match="must take a context first: def "):
            Signature(function, "task")


def test_parameters_without_a_name_are_refused() -> None:
    def several(ctx: object, *args: int) -> None: ...
    def named(ctx: object, **kwargs: int) -> None: ...
    def by_position(ctx: object, order_id: int, /) -> None: ...

    for function in (several, named, by_position):
        with pytest.raises(InvalidInput, match="Name its parameters one by one"):
            Signature(function, "task")


def test_a_type_that_json_cannot_carry_is_refused_where_the_task_is_written() -> None:
    with pytest.raises(
        InvalidInput, match="parameter 'value' has a type that cannot be written down: JSON cannot carry Signature"
    ):
        signature_of(list[Signature])
    with pytest.raises(InvalidInput, match="parameter 'value' has a type that cannot be written down: Type unions"):
        signature_of(Parcel | Order | Address)


def test_a_type_that_is_only_imported_for_the_type_checker_is_refused_unless_it_is_that_of_the_context() -> None:
    def good(ctx: "Context", order_id: int) -> None: ...
    def bad(ctx: "Context", order: "Context") -> None: ...

    Signature(good, "good")
    with pytest.raises(InvalidInput, match=r"'bad' has a type hint that cannot be resolved: .*Context"):
        Signature(bad, "bad")


def test_such_a_type_needs_no_quotes_where_python_does_not_evaluate_annotations() -> None:
    # Since 3.14 no module has to ask for it.
    asking = "" if sys.version_info >= (3, 14) else "from __future__ import annotations"
    module: dict[str, Any] = {}
    exec(
        f"{asking}\n"
        "def good(ctx: Unimported, order_id: int) -> int: ...\n"
        "def bad(ctx: Unimported, orders: list[Unimported]) -> None: ...\n",
        module,
    )

    check_context(module["good"], "good")
    assert carried(Signature(module["good"], "good"), 7) == {"order_id": 7}
    with pytest.raises(InvalidInput, match="'order_id'"):
        carried(Signature(module["good"], "good"), "seven")
    with pytest.raises(InvalidInput, match=r"'bad' has a type hint that cannot be resolved: .*Unimported"):
        Signature(module["bad"], "bad")


# ── code that has changed since ──────────────────────────────────────────────────────────────────


def test_what_was_submitted_with_a_parameter_that_is_gone_says_so() -> None:
    def before(ctx: object, order_id: int, cents: int) -> None: ...
    def after(ctx: object, order_id: int) -> None: ...

    old = Signature(before, "charge")
    payload = old.payload(old.bind((7, 990), {}))

    with pytest.raises(InvalidInput, match=r"has no parameter 'cents' any more.*Keep old parameters"):
        Signature(after, "charge").arguments(payload, {})


def test_what_was_submitted_without_a_parameter_that_is_needed_says_so() -> None:
    def before(ctx: object, order_id: int) -> None: ...
    def after(ctx: object, order_id: int, cents: int) -> None: ...

    old = Signature(before, "charge")
    payload = old.payload(old.bind((7,), {}))

    with pytest.raises(InvalidInput, match=r"'cents' is missing from the payload. A new parameter needs a default"):
        Signature(after, "charge").arguments(payload, {})


def test_a_payload_of_something_else_is_no_call() -> None:
    for payload in (b"", b"9.90", b"{}", b'{"arguments": {}, "code": "x"}'):
        with pytest.raises(InvalidInput, match="Task 'echo': the payload is not a call of a task"):
            signature_of(int).arguments(payload, {})


def test_a_payload_is_json_that_a_person_can_read() -> None:
    signature = signature_of(Parcel)

    payload = signature.payload({"value": PARCEL})

    assert msgspec.json.decode(payload) == {"arguments": {"value": {"weight": "0.10", "size": "small"}}}
