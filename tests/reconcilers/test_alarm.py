"""A sweep comes at its regular time, or when a delay is over, whichever is first."""

import threading
import time

from flowfabric.reconcilers.sweep import LAG_MS_MAX, Alarm, Lag

LONG_S = 600.0
"""Who waits so long in a test was not woken."""


def test_a_moment_that_was_set_before_ends_the_wait() -> None:
    alarm = Alarm()
    alarm.set_in(LONG_S * 2 * 1000)
    alarm.set_in(1)
    alarm.set_in(LONG_S * 1000)

    began_at = time.monotonic()

    assert alarm.wait(LONG_S)
    assert time.monotonic() - began_at < LONG_S / 2


def test_a_moment_that_is_set_meanwhile_ends_the_wait() -> None:
    alarm, woken = Alarm(), threading.Event()
    waiting = threading.Thread(target=lambda: alarm.wait(LONG_S) and woken.set(), daemon=True)
    waiting.start()

    alarm.set_in(1)

    assert woken.wait(60)


def test_what_was_set_is_forgotten_with_the_wait() -> None:
    alarm = Alarm()
    alarm.set_in(1)
    alarm.wait(LONG_S)

    assert alarm._at == float("inf")


def test_a_stop_ends_every_wait() -> None:
    alarm = Alarm()
    alarm.stop()

    assert not alarm.wait(LONG_S)


def test_the_process_that_handles_delays_comes_early_and_the_others_later() -> None:
    first, other = Lag(), Lag()
    for _ in range(5):
        first.was_first()
        other.was_late()

    assert (first.ms, other.ms) == (0, LAG_MS_MAX)

    for _ in range(7):
        other.was_first()

    assert other.ms == 0


def test_what_is_to_be_remembered_outlives_a_wait_that_ends_before() -> None:
    alarm = Alarm()
    alarm.remember_in(LONG_S * 1000)
    alarm.remember_in(30)
    alarm.set_in(1)
    alarm.wait(LONG_S)

    assert alarm.wait(LONG_S)
    assert [alarm._next_at() - time.monotonic() > LONG_S / 2, len(alarm._remembered)] == [True, 1]
