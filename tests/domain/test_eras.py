"""What tells a claim that a store has lost from the one that came in its place."""

from flowfabric.domain.lease import ERA_STRIDE, Fence, era_of, lease_id, lease_mark, next_epoch, presented_mark
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
    assert presented_mark(Fence(an_id(1), 0, 3, one), STORE) == lease_mark(3, "aa")


def test_a_mark_that_an_older_release_left_behind_does_not_count() -> None:
    left_behind = lease_mark(2, "aa")

    assert lease_id(STORE, an_id(1), 0, 3, left_behind) == lease_id(STORE, an_id(1), 0, 3)


def test_a_lease_id_without_a_mark_or_of_another_store_presents_none() -> None:
    for presented in (lease_id(STORE, an_id(1), 0, 3), lease_id("another", an_id(1), 0, 3, "3.aa"), "nonsense"):
        assert presented_mark(Fence(an_id(1), 0, 3, presented), STORE) is None
