import asyncio
import inspect
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any, Literal, Protocol

import pytest

from flowfabric import Conflict, Context, FlowFabric, InvalidInput, ManualClock, Quorum, Retry
from tests.runtime.by_hand import NOBODY, claim, work
from tests.stores_under_test import on_one_store


@pytest.fixture
def ff(still_ff: FlowFabric) -> FlowFabric:
    return still_ff


# ── decorating ───────────────────────────────────────────────────────────────────────────────────


@on_one_store
def test_a_task_is_known_by_the_name_of_its_function_or_by_its_own(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None:
        """Take the money."""

    @ff.task(name="mail.receipt")
    async def receipt(ctx: Context) -> None: ...

    assert dict(ff.tasks) == {"charge": charge, "mail.receipt": receipt}
    assert (charge.is_async, receipt.is_async) == (False, True)
    assert charge.__doc__ == "Take the money."
    assert list(inspect.signature(charge).parameters) == ["ctx", "order_id"]
    assert repr(charge) == "<task charge(order_id: int)>"


def test_a_bare_call_runs_the_function_as_it_is(ff: FlowFabric) -> None:
    @ff.task
    def plain(ctx: Context, a: int, b: int = 1) -> int:
        return a + b

    @ff.task
    async def on_a_loop(ctx: Context, a: int, b: int = 1) -> int:
        return a * b

    assert plain(NOBODY, 2) == 3
    assert asyncio.run(on_a_loop(NOBODY, 2, b=5)) == 10
    assert claim(ff) == []


def test_options_of_a_task_are_those_of_its_executions(ff: FlowFabric, clock: ManualClock) -> None:
    @ff.task(
        lane="mail",
        priority=7,
        retry=Retry(5, backoff="fixed", initial_delay="2s", max_delay=timedelta(minutes=1), jitter=0),
        timeout="2m",
        deadline="1h",
        capabilities=["smtp"],
        tags={"team.name": "billing"},
        retention="30d",
    )
    def mail(ctx: Context) -> None: ...

    seen = mail.submit_sync().describe_sync()

    assert (seen.kind, seen.lane, seen.priority, seen.required_capabilities) == ("mail", "mail", 7, ["smtp"])
    assert (seen.deadline_at_ms, seen.tags) == (clock.now_ms + 3_600_000, {"team.name": "billing"})
    policy = mail.settings.policy
    assert (policy.attempt_timeout_ms, policy.retention_ms) == (120_000, 30 * 86_400_000)
    assert (policy.retry.max_retries, policy.retry.backoff, policy.retry.jitter) == (5, "fixed", 0)
    assert (policy.retry.initial_delay_ms, policy.retry.max_delay_ms) == (2_000, 60_000)


@on_one_store
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"name": ""}, "name is ''"),
        ({"lane": ""}, "lane is ''"),
        ({"priority": "high"}, "priority is 'high'"),
        ({"retry": 5}, r"retry is a Retry, such as Retry\(max_retries=5\), not int"),
        ({"timeout": "soon"}, "timeout is 'soon'"),
        ({"timeout": 0}, "timeout is 0; no attempt could end in time"),
        ({"deadline": "never"}, "deadline is 'never'"),
        ({"capabilities": "gpu"}, "capabilities is a sequence"),
        ({"tags": {"team": "billing"}}, "tag key is 'team'"),
        ({"retention": -1}, "retention is -1"),
        ({"idempotency_ttl": 0}, "idempotency_ttl is 0; it must be a millisecond at least"),
        ({"idempotency_on_ended": "again"}, "idempotency_on_ended is 'again'; it must be one of return, renew_failed"),
        ({"isolation": "thread"}, "isolation is 'thread'; it must be 'process', or left out"),
        ({"idempotency": "order"}, "idempotency is a function"),
        ({"idempotency": lambda other: other}, r"idempotency is called with the task's parameters, \(order_id: int\)"),
    ],
)
def test_an_option_that_could_not_be_kept_is_refused_where_it_is_written(
    ff: FlowFabric, options: dict[str, Any], why: str
) -> None:
    def charge(ctx: Context, order_id: int) -> None: ...

    with pytest.raises(InvalidInput, match=why):
        ff.task(**options)(charge)
    assert ff.tasks == {}


@on_one_store
def test_only_functions_that_return_are_tasks(ff: FlowFabric) -> None:
    def counts(ctx: Context) -> Any:
        yield 1

    async def counts_on_a_loop(ctx: Context) -> Any:
        yield 1

    wrong: list[Any] = [counts, counts_on_a_loop, Context, print, "charge", staticmethod(counts)]
    for function in wrong:
        with pytest.raises(InvalidInput, match=r"yields, and a task returns|is not a function"):
            ff.task(function)


class ShopContext(Context):
    """A context of the program's own."""


class HasLane(Protocol):
    lane: str


def takes_a_number(order_id: int, cents: int) -> None: ...
def takes_the_context_second(order_id: int, ctx: Context) -> None: ...
def takes_a_list(orders: list[int]) -> None: ...
def takes_text_or_nothing(name: str | None = None) -> None: ...
def takes_a_word(mode: Literal["fast"]) -> None: ...
def takes_a_number_in_quotes(order_id: "int") -> None: ...


@on_one_store
@pytest.mark.parametrize(
    "function",
    [
        takes_a_number,
        takes_the_context_second,
        takes_a_list,
        takes_text_or_nothing,
        takes_a_word,
        takes_a_number_in_quotes,
    ],
)
def test_a_first_parameter_that_is_no_context_is_refused(ff: FlowFabric, function: Callable[..., None]) -> None:
    first = next(iter(inspect.signature(function).parameters))

    with pytest.raises(
        InvalidInput, match=rf"its first parameter, {first!r}, is annotated as .*\(ctx: Context, \.\.\."
    ):
        ff.task(function)
    assert ff.tasks == {}


@on_one_store
def test_a_first_parameter_may_be_annotated_as_anything_that_a_context_may_be(ff: FlowFabric) -> None:
    def plain(ctx): ...  # type: ignore[no-untyped-def]
    def anything(ctx: Any) -> None: ...
    def an_object(ctx: object) -> None: ...
    def one_of_our_own(ctx: ShopContext) -> None: ...
    def a_part_of_it(ctx: HasLane) -> None: ...
    def perhaps(ctx: Context | None) -> None: ...
    def noted(ctx: Annotated[Context, "the attempt"]) -> None: ...
    def not_imported(ctx: "NotImportedHere") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    functions: list[Callable[..., Any]] = [
        plain,
        anything,
        an_object,
        one_of_our_own,
        a_part_of_it,
        perhaps,
        noted,
        not_imported,
    ]
    assert [ff.task(each).name for each in functions] == [each.__name__ for each in functions]


@on_one_store
def test_two_functions_cannot_share_a_name(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context) -> None: ...

    def other(ctx: Context) -> None: ...

    with pytest.raises(InvalidInput, match=r"a task 'charge' already, from tests.*charge.* @ff.task\(name="):
        ff.task(name="charge")(other)


@on_one_store
def test_the_same_function_may_be_read_twice(ff: FlowFabric) -> None:
    def read() -> Any:
        @ff.task
        def charge(ctx: Context) -> None: ...

        return charge

    first, second = read(), read()

    assert first is not second
    assert ff.tasks["charge"] is second


def on_its_own(ctx: Context, n: int) -> int:
    return n


@on_one_store
def test_a_function_at_the_top_of_a_module_may_run_in_a_process_of_its_own(ff: FlowFabric) -> None:
    task = ff.task(isolation="process")(on_its_own)

    assert task.settings.isolation == "process"


@on_one_store
def test_a_function_that_no_other_process_can_import_is_refused_with_what_to_do(ff: FlowFabric) -> None:
    def local(ctx: Context) -> None: ...

    isolated = ff.task(isolation="process", name="task")

    with pytest.raises(InvalidInput, match=r"defined inside 'test_a_func.*Write it with `def` at the top"):
        isolated(local)
    with pytest.raises(InvalidInput, match="it is a lambda, which has no name"):
        isolated(lambda ctx: None)


def test_a_function_that_is_in_no_file_cannot_run_in_a_process_of_its_own() -> None:
    program = """
from flowfabric import FlowFabric, InvalidInput
def typed(ctx): ...
try:
    FlowFabric("memory://").task(isolation="process")(typed)
except InvalidInput as error:
    assert "it was typed into an interpreter" in str(error)
else:
    raise AssertionError
"""

    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)

    assert (ended.returncode, ended.stderr) == (0, "")


# ── submitting ───────────────────────────────────────────────────────────────────────────────────


def test_a_submit_makes_an_execution_that_runs_with_its_arguments(ff: FlowFabric) -> None:
    @ff.task
    async def charge(ctx: Context, order_id: int, cents: int = 0) -> str:
        return f"charge-{order_id}-{cents}"

    async def submitted() -> str:
        handle = await charge.submit(order_id=7, cents=990)
        return handle.execution_id

    execution_id = asyncio.run(submitted())

    assert work(ff) == [("charge", {"order_id": 7, "cents": 990})]
    assert charge.handle(execution_id).result_sync() == "charge-7-990"


def test_a_wrong_argument_makes_nothing(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None: ...

    with pytest.raises(InvalidInput, match=r"^Task 'charge': argument 'order_id': Expected `int`, got `str`"):
        asyncio.run(charge.submit("7"))  # type: ignore[arg-type]

    assert claim(ff) == []


def test_many_are_made_together_or_not_at_all(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> int:
        return order_id

    calls = [charge.bind(order_id=n) for n in range(3)]
    too_long = charge.options(idempotency_key="x" * 999).bind(order_id=9)

    handles = asyncio.run(charge.submit_many(calls))
    with pytest.raises(InvalidInput, match=r"^items\[1\]: idempotency_key .* Nothing was created"):
        charge.submit_many_sync([charge.bind(order_id=8), too_long])
    ran = work(ff)

    assert ran == [("charge", {"order_id": n}) for n in range(3)]
    assert [handle.result_sync() for handle in handles] == [0, 1, 2]


@on_one_store
def test_many_are_calls_of_the_task_itself(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None: ...
    @ff.task
    def refund(ctx: Context, order_id: int) -> None: ...

    wrong: list[Any] = [refund.bind(order_id=7), {"order_id": 7}]
    for call in wrong:
        with pytest.raises(InvalidInput, match=r"^Task 'charge': calls\[1\] is .*make it with charge.bind\("):
            charge.submit_many_sync([charge.bind(order_id=1), call])


@on_one_store
def test_many_join_one_transaction_and_say_so_once(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None: ...

    joined = charge.options(conn=object())
    for many, one in ((charge, joined), (joined, charge), (joined, charge.options(conn=object()))):
        with pytest.raises(InvalidInput, match=r"^Task 'charge': calls\[0\] was bound with another conn= than"):
            many.submit_many_sync([one.bind(order_id=7)])


def test_what_is_no_connection_is_refused_and_nothing_is_submitted(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None: ...

    with pytest.raises(InvalidInput, match=r"^conn is a builtins.object\.|in memory"):
        charge.options(conn=object()).submit_sync(order_id=7)
    with pytest.raises(InvalidInput, match=r"^conn is a builtins.object\.|in memory"):
        asyncio.run(charge.options(conn=object()).submit(order_id=7))

    assert work(ff) == []


def test_options_of_a_call_leave_the_task_as_it_is(ff: FlowFabric, clock: ManualClock) -> None:
    @ff.task(priority=1, tags={"team.name": "billing"})
    def charge(ctx: Context) -> None: ...

    urgent = charge.options(priority=9, lane="fast", tags={"shop.order": "7"}, delay="5m").options(timeout=1)
    seen = urgent.submit_sync().describe_sync()
    unchanged = charge.submit_sync().describe_sync()

    assert (seen.public_state, seen.delay_until_ms) == ("delayed", clock.now_ms + 300_000)
    assert (seen.priority, seen.lane) == (9, "fast")
    assert seen.tags == {"team.name": "billing", "shop.order": "7"}
    assert urgent.settings.policy.attempt_timeout_ms == 1_000
    assert (unchanged.public_state, unchanged.priority, unchanged.lane) == ("waiting", 1, "default")
    assert unchanged.tags == {"team.name": "billing"}


def test_joins_are_for_flows(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context) -> None: ...

    handle = charge.submit_sync()

    for task in (charge.options(join=Quorum(1)), charge.options(after=[handle])):
        with pytest.raises(InvalidInput, match="after= and join= are for members of flows"):
            task.submit_sync()


# ── once ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_key_gets_the_first_execution(ff: FlowFabric) -> None:
    @ff.task
    def charge(ctx: Context, order_id: int) -> None: ...

    once = charge.options(idempotency_key="order-7")
    first, second = once.submit_sync(order_id=7), once.submit_sync(order_id=7)

    assert (first.is_duplicate, second.is_duplicate) == (False, True)
    assert first.execution_id == second.execution_id
    with pytest.raises(Conflict):
        once.submit_sync(order_id=8)


def test_a_task_may_take_the_key_of_what_has_failed_and_say_how_long_a_key_lives(ff: FlowFabric) -> None:
    @ff.task(idempotency=lambda order_id: str(order_id), idempotency_on_ended="renew_failed")
    def charge(ctx: Context, order_id: int) -> None: ...

    first = charge.submit_sync(7)
    assert charge.submit_sync(7).is_duplicate
    first.cancel_sync()

    assert charge.options(idempotency_on_ended="return").submit_sync(7).is_duplicate
    second = charge.submit_sync(7)
    assert not second.is_duplicate
    assert charge.submit_sync(7).execution_id == second.execution_id
    bound = charge.options(idempotency_ttl="2h").bind(7)
    assert bound.creation(0).idempotency_ttl_ms == 7_200_000


def key_of(order_id: int, cents: int) -> str:
    return f"{order_id}/{cents}"


@pytest.mark.parametrize("function", [key_of, lambda order_id, **_: str(order_id)])
def test_a_key_may_be_a_function_of_the_arguments_with_their_defaults(
    ff: FlowFabric, function: Callable[..., str]
) -> None:
    @ff.task(idempotency=function)
    def charge(ctx: Context, order_id: int, cents: int = 0) -> None: ...
    @ff.task(idempotency=function)
    def refund(ctx: Context, order_id: int, cents: int = 0) -> None: ...

    handles = [charge.submit_sync(7), charge.submit_sync(order_id=7), charge.submit_sync(8), refund.submit_sync(7)]

    assert [handle.is_duplicate for handle in handles] == [False, True, False, False]


def test_a_key_that_is_given_goes_before_that_of_the_task(ff: FlowFabric) -> None:
    @ff.task(idempotency=lambda order_id: str(order_id))
    def charge(ctx: Context, order_id: int) -> None: ...

    charge.submit_sync(7)
    again = charge.options(idempotency_key="second try").submit_sync(7)

    assert not again.is_duplicate


@on_one_store
def test_a_key_is_text(ff: FlowFabric) -> None:
    @ff.task(idempotency=lambda order_id: order_id)
    def charge(ctx: Context, order_id: int) -> None: ...

    with pytest.raises(InvalidInput, match=r"^Task 'charge': idempotency returned 7; it must return a string"):
        charge.submit_sync(7)
