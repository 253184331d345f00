"""What conditions mean, which are refused, and how people read them."""

import copy
import pickle
from collections.abc import Sequence

import pytest

from flowfabric.domain.condition_words import missing, words
from flowfabric.domain.conditions import (
    DEPTH_MAX,
    KEYS_MAX,
    LEAVES_MAX,
    AtLeast,
    Condition,
    Either,
    Every,
    On,
    OperatorOnly,
    checked,
    from_stored,
    keys_of,
    matches,
    oldest_needed,
    satisfied,
    stored,
)
from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.waiting import SIGNALS_MAX, SignalMark

PAPERS = Every("contract", Either("card", On("invoice", name="paid")), AtLeast(2, "ann", "bob", "eve"))
ALL_KINDS: Sequence[Condition] = [
    On("editor"),
    On("editor", name="yes"),
    On("editor", name=""),
    Every("a", "b"),
    Either("a", Every("b", "c")),
    AtLeast(2, "a", "b", "c"),
    AtLeast(2, "a", name="yes", distinct="signals"),
    AtLeast(3, "a", "b", distinct="sources"),
    OperatorOnly(),
    PAPERS,
]


def arrived(*signals: str | tuple[str, ...]) -> list[SignalMark]:
    """Signals in the order of their arrival: a key, or key, name and source."""
    marks = [(signal,) if isinstance(signal, str) else signal for signal in signals]
    return [SignalMark(at, key, *rest, *("",) * (2 - len(rest))) for at, (key, *rest) in enumerate(marks, 1)]


def numbers(taken: Sequence[SignalMark] | None) -> list[int] | None:
    return None if taken is None else [mark.number for mark in taken]


# ── what the original got wrong ──────────────────────────────────────────────────────────────────


def test_every_inside_every_whose_parts_are_groups_is_satisfied():
    condition = Every("a", Every("b", Every("c", Either("d", "e"))))

    assert satisfied(condition, arrived("e", "c", "b")) is None
    assert numbers(satisfied(condition, arrived("e", "c", "b", "a"))) == [1, 2, 3, 4]


@pytest.mark.parametrize("distinct", ["waitpoints", "signals", "sources"])
def test_two_counts_in_one_condition_do_not_share_what_they_count(distinct: str):
    condition = Every(AtLeast(2, "a", "b", distinct=distinct), AtLeast(2, "c", "d", distinct=distinct))
    first_half = arrived(("a", "", "ann"), ("b", "", "bob"))

    assert satisfied(condition, first_half) is None
    assert satisfied(condition, [*first_half, SignalMark(3, "c", "", "ann")]) is None


@pytest.mark.parametrize("distinct", ["waitpoints", "signals", "sources"])
def test_a_waitpoint_that_is_not_listed_does_not_count(distinct: str):
    condition = AtLeast(2, "a", "b", distinct=distinct)
    strangers = arrived(("x", "", "ann"), ("a", "", "ann"), ("y", "", "bob"))

    assert satisfied(condition, strangers) is None
    assert not matches(condition, strangers[0])
    assert numbers(satisfied(condition, [*strangers, SignalMark(4, "b", "", "eve")])) == [2, 4]


def test_signals_that_came_before_the_wait_satisfy_groups_and_counts_too():
    kept = arrived("bob", "card", "contract", "ann")

    assert satisfied(PAPERS, kept) == tuple(kept)


def test_every_key_that_a_condition_names_gets_a_waitpoint():
    assert keys_of(PAPERS) == ("contract", "card", "invoice", "ann", "bob", "eve")
    assert keys_of(Either("b", AtLeast(1, "a", "b", "a"), "a")) == ("b", "a")
    assert keys_of(OperatorOnly()) == ()


@pytest.mark.parametrize("name", ["__operator_only__", "__timeout_only__", "operator_only", ""])
def test_no_name_of_a_signal_satisfies_a_wait_for_an_operator(name: str):
    assert satisfied(OperatorOnly(), arrived((name or "operator", name, "operator"))) is None


def test_a_signal_of_another_name_changes_nothing():
    wanted = On("editor", name="approved")

    assert satisfied(wanted, arrived(("editor", "rejected"))) is None
    assert not matches(wanted, arrived(("editor", "rejected"))[0])
    assert numbers(satisfied(wanted, arrived(("editor", "rejected"), ("editor", "approved")))) == [2]


# ── what a wait takes ────────────────────────────────────────────────────────────────────────────


def test_a_wait_takes_the_earliest_signals_and_leaves_the_rest():
    assert numbers(satisfied(On("a"), arrived("b", "a", "a"))) == [2]
    assert numbers(satisfied(AtLeast(2, "a", "b"), arrived("a", "a", "b", "b"))) == [1, 3]
    assert numbers(satisfied(AtLeast(2, "a", distinct="signals"), arrived("a", "a", "a"))) == [1, 2]


def test_either_takes_the_first_alternative_that_the_shortest_run_satisfies():
    condition = Either("a", Every("b", "c"))

    assert numbers(satisfied(condition, arrived("b", "c", "a"))) == [1, 2]  # the run ends before `a`
    assert numbers(satisfied(condition, arrived("b", "a", "c"))) == [2]
    # Inside Every the run goes on until the other part is satisfied, and by then the first alternative is, too.
    assert numbers(satisfied(Every(condition, "d"), arrived("b", "c", "a", "d"))) == [3, 4]


def test_one_signal_counts_for_every_part_that_it_matches():
    assert numbers(satisfied(Every("a", On("a", name="x"), AtLeast(1, "a", "b")), arrived(("a", "x")))) == [1]


def test_all_signals_without_a_source_are_from_one_person():
    two_people = AtLeast(2, "vote", distinct="sources")

    assert satisfied(two_people, arrived("vote", "vote", "vote")) is None
    assert numbers(satisfied(two_people, arrived("vote", "vote", ("vote", "", "ann")))) == [1, 3]


def test_how_many_old_signals_of_a_key_decide():
    assert oldest_needed(Every("a", AtLeast(2, "a", "b"))) == {"a": 1, "b": 1}
    assert oldest_needed(Either("a", AtLeast(3, "a", "b", distinct="signals"), "c")) == {"a": 3, "b": 3, "c": 1}
    assert oldest_needed(Every("a", On("b", name="x"))) == {"a": 1, "b": SIGNALS_MAX}
    assert oldest_needed(AtLeast(2, "a", distinct="sources")) == {"a": SIGNALS_MAX}


# ── values ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("condition", ALL_KINDS, ids=repr)
def test_a_condition_is_a_value(condition: Condition):
    twin = eval(repr(condition))

    assert twin == condition == pickle.loads(pickle.dumps(condition)) == copy.deepcopy(condition)
    assert hash(twin) == hash(condition)
    assert stored(twin) == stored(condition)
    assert from_stored(stored(condition)) == condition == checked(condition)
    with pytest.raises(AttributeError):
        condition.key = "other"


def test_different_conditions_differ_and_are_stored_differently():
    assert len(set(ALL_KINDS)) == len({stored(each) for each in ALL_KINDS}) == len(ALL_KINDS)
    assert Every("a") != Either("a")


def test_a_text_means_on():
    assert checked("editor") == On("editor")
    assert Every("a", Either("b")) == Every(On("a"), Either(On("b")))
    assert On(key="a", name="x") == On("a", "x")


def test_a_conditions_parts_can_be_read():
    counted = AtLeast(2, "a", "b", name="x", distinct="sources")

    assert (counted.n, counted.keys, counted.name, counted.distinct) == (2, ("a", "b"), "x", "sources")
    assert (On("a").key, On("a").name, Every("a").conditions) == ("a", None, (On("a"),))


# The stored form of open waits is in databases: a later release must read it.
@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (On("editor"), '{"on":"editor"}'),
        (On("é", name=""), '{"on":"é","name":""}'),
        (AtLeast(2, "a", "b"), '{"at_least":2,"of":["a","b"]}'),
        (
            Either(AtLeast(2, "a", name="x", distinct="sources"), Every("b")),
            '{"either":[{"at_least":2,"of":["a"],"name":"x","distinct":"sources"},{"every":[{"on":"b"}]}]}',
        ),
        (OperatorOnly(), '{"operator_only":true}'),
    ],
)
def test_the_stored_form_stays_as_it_is(condition: Condition, text: str):
    assert stored(condition) == text
    assert from_stored(text) == condition


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}",
        "[]",
        "null",
        '"editor"',
        '{"on":5}',
        '{"on":""}',
        '{"every":[]}',
        '{"every":"a"}',
        '{"every":["a"]}',
        '{"at_least":"2","of":["a"]}',
        '{"at_least":1,"of":[["a"]]}',
        '{"at_least":1,"of":["a"],"distinct":"stars"}',
        '{"operator_only":false}',
        '{"every":[' * 5000,
        '{"every":[' * 5 + '{"on":"a"}' + "]}" * 5,
    ],
    ids=lambda text: text[:40],
)
def test_a_stored_text_that_is_no_condition_is_corruption(text: str):
    with pytest.raises(Corruption, match="is not the stored condition of a wait"):
        from_stored(text)


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


def _nested(depth: int) -> Condition:
    condition: Condition = On("a")
    for _ in range(depth - 1):
        condition = Every(condition)
    return condition


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("", "key is ''; it must be 1 to 256 characters without control characters"),
        ("line\nbreak", "without control characters"),
        ("half \ud800", "without control characters"),
        ("x" * 257, "1 to 256 characters"),
        (On(7), "key is a string, not int"),
        (On("a", name="x" * 257), "name is .* 1 to 256 characters"),
        (On("a", name=b"x"), "name is a string, not bytes"),
        (Every(), r"Every\(\) has no conditions, so nothing can satisfy it. Name at least one"),
        (Either("a", Either()), r"Either\(\) has no conditions"),
        (AtLeast(1), "has no keys, so nothing can satisfy it. Name at least one"),
        (AtLeast(1, "a", ""), "key is ''"),
        (AtLeast(0, "a"), "is 0; it must be a whole number from 1 to 10000"),
        (AtLeast(-1, "a", distinct="signals"), "is -1"),
        (AtLeast(True, "a"), "is True; it must be a whole number"),
        (AtLeast("2", "a", "b"), "is '2'; it must be a whole number"),
        (AtLeast(SIGNALS_MAX + 1, "a", distinct="signals"), "from 1 to 10000"),
        (AtLeast(3, "a", "b", "a"), "names only 2 different keys, so nothing can satisfy it. Name more keys, lower n"),
        (AtLeast(1, "a", distinct="stars"), "distinct is 'stars'; it must be one of waitpoints, signals, sources"),
        (AtLeast(1, "a", distinct=["signals"]), "distinct is"),
        (Every("a", OperatorOnly()), "inside another condition, where no signal can satisfy it. Use it alone"),
        (Either(OperatorOnly()), "inside another condition"),
        (OperatorOnly, "condition is <class"),
        (None, "condition is None; it must be a key, On"),
        (["a", "b"], "must be a key, On"),
        (Every("a", 5), "condition is 5"),
        (_nested(DEPTH_MAX + 1), "nested deeper than 4"),
        (_nested(200_000), "nested deeper than 4"),
        (Every(*["a"] * (LEAVES_MAX + 1)), "has 33 conditions; the limit is 32"),
        (Every(*[Every(*["a"] * 11)] * 3), "has 33 parts .* the limit is 32. Use AtLeast"),
        (AtLeast(1, *map(str, range(KEYS_MAX + 1))), "names 257 different keys; the limit is 256"),
    ],
    ids=lambda value: repr(value)[:50] if not isinstance(value, Every) else "Every",
)
def test_a_condition_that_cannot_be_met_is_refused_with_what_to_do(condition: object, why: str):
    with pytest.raises(InvalidInput, match=why):
        checked(condition)


def test_conditions_at_the_limits_are_taken():
    for condition in (
        On("x" * 256),
        AtLeast(2, "a", "b"),
        AtLeast(5, "a", distinct="signals"),
        AtLeast(SIGNALS_MAX, "a", distinct="sources"),
        _nested(DEPTH_MAX),
        Every(*["a"] * LEAVES_MAX),
        AtLeast(1, *map(str, range(KEYS_MAX))),
    ):
        assert checked(condition) == condition


# ── words ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (On("editor"), "editor"),
        (On("the editor", name="yes"), "'the editor' (yes)"),
        (AtLeast(2, "alice", "bob", "carol"), "2 of alice, bob, carol"),
        (AtLeast(1, "alice"), "alice"),
        (AtLeast(2, "vote", distinct="signals"), "2 signals to vote"),
        (AtLeast(1, "vote", "mail", distinct="signals"), "1 signal to vote, mail"),
        (AtLeast(2, "vote", name="yes", distinct="sources"), "vote (yes) from 2 different senders"),
        (Every("a", "b", Either("c", "d")), "a and b and (c or d)"),
        (Either(Every("a"), AtLeast(2, "b", "c", "d")), "a or (2 of b, c, d)"),
        (AtLeast(2, *map(str, range(30))), "2 of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 20 more"),
        (OperatorOnly(), "an operator"),
    ],
)
def test_people_read_a_condition_as_words(condition: Condition, said: str):
    assert words(condition) == said


@pytest.mark.parametrize(
    ("condition", "signals", "said"),
    [
        (On("editor"), [], "editor"),
        (On("editor"), ["editor"], ""),
        (AtLeast(2, "alice", "bob", "carol"), ["bob", "bob"], "1 more of alice, carol"),
        (AtLeast(2, "alice", "bob"), ["bob"], "alice"),
        (AtLeast(3, "vote", distinct="signals"), ["vote"], "2 more signals to vote"),
        (AtLeast(2, "vote", distinct="sources"), [("vote", "", "ann")], "vote from 1 more sender, besides ann"),
        (AtLeast(3, "vote", distinct="sources"), ["vote"], "vote from 2 more different senders, besides unnamed"),
        (PAPERS, ["contract", "eve"], "(card or invoice (paid)) and (1 more of ann, bob)"),
        (PAPERS, ["contract", "eve", "card"], "1 more of ann, bob"),
        (PAPERS, ["contract", "eve", "card", "bob"], ""),
        (OperatorOnly(), ["a"], "an operator"),
    ],
)
def test_people_read_what_is_missing(condition: Condition, signals: Sequence[str | tuple[str, ...]], said: str):
    assert missing(condition, arrived(*signals)) == said
