"""Programs that must not type-check, each with the error that is to be reported on its line. Nothing here runs."""

# An error is quoted on the line that it is reported for, and as it is.
# ruff: noqa: E501
# fmt: off

from flowfabric import AtLeast, Context, FlowFabric, Retry
from tests.runtime.typed.right import charge, ff, receipt, total


async def submits() -> None:
    await charge.submit(order_id="7", cents=990)  # E: Argument "order_id" to "submit" of "Task" has incompatible type "str"; expected "int"  [arg-type]
    await charge.submit(order_id=7)  # E: Missing positional argument "cents" in call to "submit" of "Task"  [call-arg]
    await charge.submit(order_id=7, cents=990, priority=5)  # E: Unexpected keyword argument "priority" for "submit" of "Task"  [call-arg]
    receipt.submit_sync(7)  # E: Argument 1 to "submit_sync" of "Task" has incompatible type "int"; expected "str"  [arg-type]
    charge.bind(7, "990")  # E: Argument 2 to "bind" of "Task" has incompatible type "str"; expected "int"  [arg-type]
    await charge.submit_many([receipt.bind("a")])  # E: List item 0 has incompatible type "Bound[bool]"; expected "Bound[dict[str, str]]"  [list-item]
    charge.options(idempotency="order-7")  # E: Unexpected keyword argument "idempotency" for "options" of "Task"; did you mean "idempotency_key" or "idempotency_ttl"?  [call-arg]
    charge.options(priority=1).submit_sync(7, None)  # E: Argument 2 to "submit_sync" of "Task" has incompatible type "None"; expected "int"  [arg-type]


async def results() -> None:
    number: int = await (await charge.submit(7, 990)).result()  # E: Incompatible types in assignment (expression has type "dict[str, str]", variable has type "int")  [assignment]
    text: str = receipt.submit_sync("a").result_sync()  # E: Incompatible types in assignment (expression has type "bool", variable has type "str")  [assignment]
    forgotten = (await charge.submit(7, 990)).result()["id"]  # E: Value of type "Coroutine[Any, Any, dict[str, str]]" is not indexable  [index]
    del number, text, forgotten


async def waits(ctx: Context) -> None:
    number: int = await ctx.wait("editor", str)  # E: Argument 2 to "wait" of "WaitVerbs" has incompatible type "type[str]"; expected "type[int]"  [arg-type]
    one: str = await ctx.wait(AtLeast(2, "ann", "bob"), str, name="votes")  # E: Incompatible types in assignment (expression has type "list[str]", variable has type "str")  [assignment]
    await ctx.sleep("2h")  # E: Missing positional argument "span" in call to "sleep" of "WaitVerbs"  [call-arg]
    del number, one


async def speaks(ctx: Context) -> None:
    ctx.summary("done")  # E: Argument 1 to "summary" of "StreamVerbs" has incompatible type "str"; expected "Mapping[str, object]"  [arg-type]
    for frame in (await charge.submit(7, 990)).stream():  # E: "HandleStream" has no attribute "__iter__" (not iterable)  [attr-defined]
        del frame


async def bare_calls(ctx: Context) -> None:
    await charge(7, 990)  # E: Missing positional argument "cents" in call to "__call__" of "AsyncTask"  [call-arg] | Argument 1 to "__call__" of "AsyncTask" has incompatible type "int"; expected "Context"  [arg-type]
    receipt(ctx, 7)  # E: Argument 2 to "__call__" of "PlainTask" has incompatible type "int"; expected "str"  [arg-type]


def flows() -> None:
    with ff.flow("order") as flow:
        paid = flow.add(charge, order_id=7, cents="much")  # E: Argument "cents" to "add" of "Flow" has incompatible type "str"; expected "int"  [arg-type]
        flow.add(receipt, charge_id=paid.output)  # E: Argument "charge_id" to "add" of "Flow" has incompatible type "dict[str, str]"; expected "str"  [arg-type]
        flow.add(total, [paid.output["id"]])  # E: List item 0 has incompatible type "str"; expected "int"  [list-item]
        paid.output[0]  # E: Invalid index type "int" for "dict[str, str]"; expected type "str"  [index]
        flow.add(receipt)  # E: Missing positional argument "charge_id" in call to "add" of "Flow"  [call-arg]
        flow.map(total, [["1"]])  # E: Argument 1 to "map" of "Flow" has incompatible type "PlainTask[[list[int]], int]"; expected "Task[[list[str]], int]"  [arg-type]
        flow.map(charge, [7])  # E: Missing positional argument "cents" in call to "map" of "Flow"  [call-arg]
        flow.add(bare_calls, ctx=7)  # E: Argument 1 to "add" of "Flow" has incompatible type "Callable[[Context], Coroutine[Any, Any, None]]"; expected "Task[[int], Never]"  [arg-type]


def decorators() -> None:
    @ff.task(retry=5)  # E: No overload variant of "task" of "FlowFabric" matches argument type "int"  [call-overload] | Untyped decorator makes function "one" untyped  [untyped-decorator]
    def one(ctx: Context) -> None: ...

    @ff.task(isolation="thread")  # E: No overload variant of "task" of "FlowFabric" matches argument type "str"  [call-overload] | Untyped decorator makes function "two" untyped  [untyped-decorator]
    def two(ctx: Context) -> None: ...

    @ff.task  # E: Argument 1 to "task" of "FlowFabric" has incompatible type "Callable[[], None]"; expected "Callable[[Context], Coroutine[Any, Any, Never]]"  [arg-type]
    def three() -> None: ...

    @ff.task  # E: Argument 1 to "task" of "FlowFabric" has incompatible type "Callable[[int], None]"; expected "Callable[[Context], Coroutine[Any, Any, Never]]"  [arg-type]
    def four(order_id: int) -> None: ...

    FlowFabric("memory://", codec=str)  # E: Argument "codec" to "FlowFabric" has incompatible type "type[str]"; expected "Codec"  [arg-type]
    Retry(max_retries="5")  # E: Argument "max_retries" to "Retry" has incompatible type "str"; expected "int"  [arg-type]
