"""Batches of one process wait for each other before they wait on the server. No database is needed for this."""

import threading

from flowfabric.stores.postgres.gate_line import GateLine
from tests.stores.postgres.processes import wait_until

PATIENCE_S = 30.0


def waits(line: GateLine, batch: object, *places: str) -> threading.Thread:
    thread = threading.Thread(target=lambda: line.wait(batch, places, PATIENCE_S))
    thread.start()
    return thread


def stands(line: GateLine, batch: object) -> bool:
    return any(each[0] is batch for each in line._line)


def test_batches_that_need_different_keys_do_not_wait_for_each_other() -> None:
    line = GateLine()
    line.wait("first", ["a"])

    second = waits(line, "second", "b", "c")
    second.join(PATIENCE_S)

    assert not second.is_alive()


def test_batches_that_need_the_same_key_go_one_after_the_other() -> None:
    line = GateLine()
    line.wait("first", ["a", "b"])
    second = waits(line, "second", "b", "c")
    wait_until(lambda: stands(line, "second"))
    third = waits(line, "third", "c")
    wait_until(lambda: stands(line, "third"))
    was_waiting = (second.is_alive(), third.is_alive())
    line.leave("first")
    second.join(PATIENCE_S)
    still_waiting = third.is_alive()
    line.leave("second")
    third.join(PATIENCE_S)

    assert was_waiting == (True, True)
    assert still_waiting
    assert not third.is_alive()


def test_a_batch_that_needs_more_of_what_it_has_does_not_wait_for_itself() -> None:
    line = GateLine()
    line.wait("first", ["a"])

    again = waits(line, "first", "a", "b")
    again.join(PATIENCE_S)

    assert not again.is_alive()


def test_a_batch_that_asks_again_for_what_it_has_does_not_wait_for_those_behind_it() -> None:
    line = GateLine()
    line.wait("first", ["a"])
    second = waits(line, "second", "a")
    wait_until(lambda: stands(line, "second"))

    again = waits(line, "first", "a", "b")
    again.join(PATIENCE_S)
    was_waiting = (again.is_alive(), second.is_alive())
    line.leave("first")
    second.join(PATIENCE_S)

    assert was_waiting == (False, True)


def test_a_batch_that_has_waited_long_enough_goes_on() -> None:
    line = GateLine()
    line.wait("first", ["a"])

    line.wait("second", ["a"], 0.001)
    line.leave("first")

    assert stands(line, "second")
    line.leave("second")
    assert line._line == []
