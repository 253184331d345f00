"""What tells a claim that a store has lost from the one that came in its place."""

import pytest

from flowfabric.domain.lease import (
    ERA_STRIDE,
    Fence,
    era_of,
    id_of_claim,
    lease_id,
    lease_mark,
    mark_in_own_id,
    next_epoch,
)
from tests.domain.records import STORE, an_id

HERE = era_of(STORE, "00000001")
ELSEWHERE = era_of(STORE, "00000002")
NOW_MS = 1_800_000_000_000


def test_epochs_grow_by_one_within_an_era_and_where_none_is_known() -> None:
    assert next_epoch(7, HERE, HERE, NOW_MS) == 8
    assert next_epoch(7, None, HERE, NOW_MS) == 8


def test_an_epoch_jumps_over_all_that_may_have_been_lost_in_another_era() -> None:
    assert next_epoch(7, ELSEWHERE, HERE, 0) == 7 + ERA_STRIDE
    assert next_epoch(7, ELSEWHERE, HERE, NOW_MS) == NOW_MS // 1000


def test_a_backup_that_is_restored_twice_hands_out_higher_epochs_the_second_time() -> None:
    first = next_epoch(7, HERE, ELSEWHERE, NOW_MS)
    second = next_epoch(7, HERE, era_of("restored again"), NOW_MS + 60_000)

    assert second > first + 50


def test_a_lease_id_names_the_claim() -> None:
    one, two = (lease_id(STORE, an_id(1), 0, 3, lease_mark(3, mark)) for mark in ("aa", "bb"))

    assert one != two
    assert one == lease_id(STORE, an_id(1), 0, 3) + ":aa"
    assert mark_in_own_id(Fence(an_id(1), 0, 3, one), STORE) == (lease_mark(3, "aa"),)


@pytest.mark.parametrize("mark", ["aa", "a.a", "a:a", ""])
def test_the_id_of_a_claim_is_that_of_a_lease_with_its_mark(mark: str) -> None:
    made = id_of_claim(STORE, an_id(1), 0, 3, mark)

    assert made == lease_id(STORE, an_id(1), 0, 3, lease_mark(3, mark))
    assert mark_in_own_id(Fence(an_id(1), 0, 3, made), STORE) == (lease_mark(3, mark),)


def test_a_mark_that_an_older_release_left_behind_does_not_count() -> None:
    left_behind = lease_mark(2, "aa")

    assert lease_id(STORE, an_id(1), 0, 3, left_behind) == lease_id(STORE, an_id(1), 0, 3)


def test_an_id_that_the_store_gives_to_no_such_lease_presents_no_mark() -> None:
    one = lease_id(STORE, an_id(1), 0, 3)
    foreign = lease_id("another", an_id(1), 0, 3, "3.aa")

    assert mark_in_own_id(Fence(an_id(1), 0, 3, one), STORE) == (None,)
    for presented in (foreign, f"{one}:", f"{one}aa", one[:-1], lease_id(STORE, an_id(1), 1, 3, "3.aa"), "nonsense"):
        assert mark_in_own_id(Fence(an_id(1), 0, 3, presented), STORE) is None
