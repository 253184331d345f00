"""What holds for the tests of every room."""

import signal


def pytest_configure() -> None:
    """Let Ctrl-C mean what it means at a terminal: a shell that starts the tests in the background has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
