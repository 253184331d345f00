"""The order of stored steps: by their numbers, and by their times where an older release has given them none."""

from itertools import permutations

from flowfabric.domain.steps import StepPlace, in_stored_order, rule_after


def names(*steps: StepPlace) -> set[str]:
    """The orders that come out, whatever order the store has handed them over in."""
    return {"".join(step.name for step in in_stored_order(some)) for some in permutations(steps)}


def test_numbers_decide_and_not_the_clock():
    assert names(StepPlace("a", 30, 1), StepPlace("b", 10, 2), StepPlace("c", 20, 3)) == {"abc"}


def test_without_numbers_times_decide_and_names_within_one_instant():
    assert names(StepPlace("c", 10, None), StepPlace("b", 20, None), StepPlace("a", 20, None)) == {"cab"}


def test_steps_of_an_older_release_come_before_those_that_were_stored_after_them():
    assert names(StepPlace("b", 10, None), StepPlace("a", 10, 1), StepPlace("c", 20, 2)) == {"bac"}


def test_a_step_that_an_older_release_has_stored_in_between_stands_where_its_time_says():
    assert names(StepPlace("a", 10, 1), StepPlace("old", 15, None), StepPlace("b", 20, 2)) == {"aoldb"}


def test_numbers_keep_their_order_also_around_steps_without_one():
    # The clock was set back between the second and the third.
    assert names(StepPlace("a", 10, 1), StepPlace("b", 30, 2), StepPlace("c", 20, 3), StepPlace("old", 25, None)) == {
        "aoldbc"
    }


def test_what_completed_starts_from_scratch_and_everything_else_goes_on():
    outcomes = ("success", "failed", "cancelled", "expired", "skipped")

    assert [rule_after(outcome, None) for outcome in outcomes] == ["clear", "keep", "keep", "keep", "keep"]
    assert {rule_after(outcome, "clear") for outcome in outcomes} == {"clear"}
    assert {rule_after(outcome, "keep") for outcome in outcomes} == {"keep"}
