"""The verbs about budgets: `budgets`, and below it `show`, `spending`, `set`, `charge` and `reset`."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final, Literal, cast

from cyclopts import App, Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.output import Column, Json, clock_time, document, facts, note, say, table, when
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import counted_up_to_max

if TYPE_CHECKING:
    from flowfabric.domain.gate_snapshots import BudgetSnapshot, Spending
    from flowfabric.engine.blocking import BlockingEngine

Name = Annotated[str, Parameter(help="The budget's name.")]
By = Literal["execution", "flow", "kind", "day"]

PAGE: Final = 1_000
DAYS_SHOWN: Final = 7
KINDS_SHOWN: Final = 20
BAR: Final = 10
"""The length of a bar, in characters."""
USED, RESERVED, FREE = "█", "▒", "░"

budgets: Final = App(name="budgets", help="List budgets and what is spent; set, correct and reset them.")


@budgets.default
@watchable
def ls(*, at: Target = HERE, json: Json = False) -> None:
    """List budgets as a tree: each stands below its parent, with what is used, reserved and allowed."""
    with opened(at) as engine:
        found = _all(engine)
        now_ms = engine.server_time_ms()
    if json:
        document({"budgets": found})
    elif not found:
        say("There are no budgets. `ff budgets set NAME --limit usd_micros=50000000 --period day` makes one.")
    else:
        table(
            [
                Column("BUDGET", is_whole=True),
                Column("DIMENSION"),
                Column("", is_whole=True),
                Column("USED", is_number=True),
                Column("RESERVED", is_number=True),
                Column("LIMIT", is_number=True),
                Column("NEXT PERIOD"),
                Column("PARKED", is_number=True),
                Column("ASSUMED", is_number=True),
                Column("NAMESPACE"),
            ],
            [row for line in _tree(found) for row in _rows(*line, now_ms)],
        )


@budgets.command
@watchable
def show(name: Name, /, *, at: Target = HERE, json: Json = False) -> None:
    """Show one budget: what is used and left, and what was spent by which kinds and on the last days."""
    with opened(at) as engine:
        found = _known(engine, name)
        kinds = cast("Sequence[Spending]", engine.list_spending(name, by="kind", limit=PAGE).items)
        days = _spending(engine, name, "day")[-DAYS_SHOWN:]
        now_ms = engine.server_time_ms()
    if json:
        document({"budget": found, "kinds": kinds, "days": days})
        return
    next_ms = found.next_reset_at_ms
    facts(
        {
            "budget": found.name,
            "namespace": found.namespace,
            "parent": found.parent,
            "period": None if found.period is None else f"{found.period}, {found.timezone}",
            "next period": None if next_ms is None else f"{clock_time(next_ms)} UTC ({when(next_ms, now_ms)})",
            "if exceeded": found.on_exceeded,
            "parked": found.parked,
        }
    )
    say("")
    table(
        [
            Column("DIMENSION"),
            Column("", is_whole=True),
            *(
                Column(each, is_number=True)
                for each in ("USED", "RESERVED", "LEFT", "LIMIT", "SOFT LIMIT", "OF USED: ASSUMED")
            ),
        ],
        [_dimension_row(found, dimension) for dimension in found.limits],
    )
    most = sorted(kinds, key=lambda each: -sum(each.amounts.values()))[:KINDS_SHOWN]
    for title, lines in (("KIND", most), ("DAY", days)):
        if lines:
            say("")
            _show_spending(title, lines, list(found.limits))


@budgets.command
@watchable
def spending(
    name: Name,
    /,
    *,
    by: Annotated[By, Parameter(help="What to sum up by.")] = "kind",
    limit: Annotated[int, Parameter(help="How many lines at most, up to 1000.")] = 100,
    cursor: Annotated[str | None, Parameter(help="Go on where an earlier list ended.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List what was spent of a budget, summed up by execution, flow, kind or day."""
    with opened(at) as engine:
        page = engine.list_spending(name, by=by, cursor=cursor, limit=limit)
    found = cast("Sequence[Spending]", page.items)
    if json:
        document({"spending": found, "next_cursor": page.next_cursor})
    elif not found:
        say(f"Nothing was spent of budget {name} yet.")
    else:
        _show_spending(by.upper(), found, sorted({dimension for each in found for dimension in each.amounts}))
    if page.next_cursor is not None and not json:
        note(f"There are more: --cursor {page.next_cursor}")


@budgets.command(name="set")
def set_(
    name: Name,
    /,
    *,
    limit: Annotated[
        tuple[str, ...], Parameter(help="A dimension and its limit: usd_micros=50000000; may be given again.")
    ],
    soft: Annotated[
        tuple[str, ...], Parameter(help="A dimension and the amount from which an event warns; may be given again.")
    ] = (),
    period: Annotated[
        str | None, Parameter(help="day, week, month, a span such as 7d, or a cron pattern. Left out: no periods.")
    ] = None,
    timezone: Annotated[str, Parameter(help="The time zone of the period.")] = "UTC",
    parent: Annotated[str | None, Parameter(help="The budget in which everything spent here counts, too.")] = None,
    on_exceeded: Annotated[
        Literal["pause", "cancel"], Parameter(help="What happens to what runs on it when it is exceeded.")
    ] = "pause",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Set a budget as a whole. It holds at once. What is used in the present period stays used."""
    hard, warned = _amounts("--limit", limit), _amounts("--soft", soft)
    with opened(at) as engine:
        answer = engine.set_budget(
            name,
            limits=hard,
            soft_limits=warned,
            period=period,
            timezone=timezone,
            parent=parent,
            on_exceeded=on_exceeded,
        )
        found = engine.describe_budget(name)
    if json:
        document({"answer": answer, "budget": found})
        return
    each = "in all" if period is None else f"in each period ({period}, {timezone})"
    counts = "" if parent is None else f" All of it counts in {parent}, too."
    say(f"Budget {name} allows {_listed(hard)} {each}.{counts}")


@budgets.command
def charge(
    name: Name,
    amounts: Annotated[tuple[str, ...], Parameter(help="A dimension and an amount, which may be negative: usd=-100.")],
    /,
    *,
    reason: Annotated[str, Parameter(help="Why; it is written to the log.")],
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Correct what is used of a budget and of its ancestors. Nothing goes below 0."""
    with opened(at) as engine:
        answer = engine.charge_budget(name, _amounts("AMOUNTS", amounts), reason=reason)
    if json:
        document({"name": name, "answer": answer})
        return
    exceeded = f" Exceeded: {', '.join(answer.exceeded)}." if answer.exceeded else ""
    say(f"Budget {name} has {_listed(answer.remaining)} left.{exceeded}")


@budgets.command
def reset(name: Name, /, *, at: Target = HERE, json: Json = False) -> None:
    """Begin a new period of a budget now, so that nothing of it is used. What waits for it goes on."""
    with opened(at) as engine:
        engine.reset_budget(name)
        found = _known(engine, name)
    if json:
        document({"budget": found})
    else:
        say(f"A new period of budget {name} has begun; it has {_listed(found.limits)}.")


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def _all(engine: "BlockingEngine") -> "list[BudgetSnapshot]":
    found: list[BudgetSnapshot] = []
    cursor = None
    while True:
        page = engine.list_budgets(cursor=cursor, limit=PAGE)
        found += cast("Sequence[BudgetSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


def _spending(engine: "BlockingEngine", name: str, by: By) -> "list[Spending]":
    found: list[Spending] = []
    cursor = None
    while True:
        page = engine.list_spending(name, by=by, cursor=cursor, limit=PAGE)
        found += cast("Sequence[Spending]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


def _known(engine: "BlockingEngine", name: str) -> "BudgetSnapshot":
    from flowfabric.domain.errors import NotFound

    found = engine.describe_budget(name)
    if found is None:
        raise NotFound("budget", f"There is no budget {quote(name)} here. `ff budgets` lists those that there are.")
    return found


def _amounts(option: str, texts: Sequence[str]) -> dict[str, int]:
    """Amounts by dimension, as `usd_micros=50000000` says them."""
    found: dict[str, int] = {}
    for text in texts:
        dimension, equals, amount = text.rpartition("=")
        try:
            number = int(amount)
        except ValueError:
            equals = ""
        if not equals or not dimension:
            raise WrongCall(f"{option} is {text!r}; write a dimension and a whole number, such as tokens=2000000.")
        if dimension in found:
            raise WrongCall(f"{option} names {dimension} twice.")
        found[dimension] = number
    return found


def _tree(found: "Sequence[BudgetSnapshot]") -> "Iterator[tuple[str, BudgetSnapshot]]":
    """Every budget below its parent, with the lines in front of its name."""
    known = {(each.namespace, each.name) for each in found}
    below: dict[tuple[str, str | None], list[BudgetSnapshot]] = {}
    for each in found:
        # The parent of a budget that was added since the list was read is shown the next time.
        parent = each.parent if (each.namespace, each.parent) in known else None
        below.setdefault((each.namespace, parent), []).append(each)

    def branch(each: "BudgetSnapshot", guide: str, indent: str) -> "Iterator[tuple[str, BudgetSnapshot]]":
        yield guide, each
        children = below.get((each.namespace, each.name), [])
        for child in children:
            is_last = child is children[-1]
            yield from branch(child, indent + ("└─ " if is_last else "├─ "), indent + ("   " if is_last else "│  "))

    for namespace in dict.fromkeys(each.namespace for each in found):
        for root in below.get((namespace, None), []):
            yield from branch(root, "", "")


def _rows(guide: str, each: "BudgetSnapshot", now_ms: int) -> Iterator[Sequence[str]]:
    """A line for each dimension. The first one has what holds for all of them."""
    for place, dimension in enumerate(each.limits):
        is_first = place == 0
        yield (
            f"{guide}{each.name}" if is_first else "",
            dimension,
            _bar(each, dimension),
            f"{each.used[dimension]:,}",
            f"{each.reserved[dimension]:,}",
            f"{each.limits[dimension]:,}",
            when(each.next_reset_at_ms, now_ms) if is_first else "",
            counted_up_to_max(each.parked) if is_first else "",
            f"{each.assumed[dimension]:,}",
            each.namespace if is_first else "",
        )


def _dimension_row(each: "BudgetSnapshot", dimension: str) -> Sequence[str]:
    used, reserved, limit = each.used[dimension], each.reserved[dimension], each.limits[dimension]
    soft = each.soft_limits.get(dimension)
    return (
        dimension,
        _bar(each, dimension),
        *(f"{number:,}" for number in (used, reserved, limit - used - reserved, limit)),
        "-" if soft is None else f"{soft:,}",
        f"{each.assumed[dimension]:,}",
    )


def _bar(each: "BudgetSnapshot", dimension: str) -> str:
    """What is used, reserved and free, as a bar. It is full only if nothing is left."""
    limit = each.limits[dimension]
    if limit <= 0:
        return USED * BAR
    used = min(each.used[dimension] * BAR // limit, BAR)
    taken = min((each.used[dimension] + each.reserved[dimension]) * BAR // limit, BAR)
    return USED * used + RESERVED * (taken - used) + FREE * (BAR - taken)


def _show_spending(title: str, lines: "Sequence[Spending]", dimensions: Sequence[str]) -> None:
    columns = [Column(title, is_whole=True), *(Column(each.upper(), is_number=True) for each in dimensions)]
    table(columns, [(each.by, *(f"{each.amounts.get(name, 0):,}" for name in dimensions)) for each in lines])


def _listed(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{amount:,} {dimension}" for dimension, amount in amounts.items())
