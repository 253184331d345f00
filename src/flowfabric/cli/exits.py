"""How `ff` ends: an exit code for each kind of ending, and one sentence on standard error after a failure."""

import _thread
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import Final, NoReturn

from flowfabric.domain.errors import Corruption, EngineError, InvalidInput, NotFound, SchemaMismatch, StoreError

CTRL_C_S: Final = 3.0
"""How long a verb has to end after Ctrl-C. A second Ctrl-C ends it at once."""


class Exit(IntEnum):
    """What the program's exit code means."""

    DONE = 0
    NOT_DONE = 1
    """The verb was refused, or did not finish."""
    WRONG_CALL = 2
    """The command line is wrong, and can never work."""
    NOT_FOUND = 3
    NO_STORE = 4
    """There is no database, or it cannot be used now."""
    WRONG_SCHEMA = 5
    """The database is older or newer than this program."""
    INTERRUPTED = 130
    """Ctrl-C."""
    NOBODY_READS = 141
    """The reader of the output is gone, such as `head` after its last line."""


class WrongCall(Exception):
    """The command line is wrong. The message says what to write."""


class NoDatabase(Exception):
    """There is no database. The message says where ff has looked for one."""


class NotDone(Exception):
    """The verb has not done its work. The message says why."""


def exit_of(error: Exception) -> Exit | None:
    """The exit code for an error; None for an unexpected error."""
    match error:
        case NotFound():
            return Exit.NOT_FOUND
        case SchemaMismatch():
            return Exit.WRONG_SCHEMA
        case StoreError() | NoDatabase():
            return Exit.NO_STORE
        case Corruption():
            return Exit.NOT_DONE
        case InvalidInput() | WrongCall():
            return Exit.WRONG_CALL
        case EngineError() | NotDone():
            return Exit.NOT_DONE
        case _:
            return None


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """If an error is raised in the block, end the program with a sentence and the exit code for the error."""
    ctrl_c = _CtrlC()
    try:
        try:
            with ctrl_c.obeyed():
                yield
        finally:
            sys.stdout.flush()  # here, to notice a reader that is gone before Python ends
    except KeyboardInterrupt:
        raise SystemExit(Exit.INTERRUPTED) from None
    except BrokenPipeError:
        _drop_buffered_output()
        raise SystemExit(Exit.NOBODY_READS) from None
    except Exception as error:
        if ctrl_c.was_pressed:  # which may have struck code that was about to close something
            raise SystemExit(Exit.INTERRUPTED) from None
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is None:
            _drop_buffered_output()
            give_up(
                f"The output could not be written: {error.strerror}. What was asked for may be done all the same; free "
                "some space, and look.",
                Exit.NOT_DONE,
            )
        code = exit_of(error)
        if code is None:
            raise
        give_up(str(error), code)


class _CtrlC:
    """Ctrl-C raises KeyboardInterrupt in the verb. A verb that does not end by that is ended all the same.

    The interrupt may strike anywhere, also in code that holds a lock or starts a thread. Then the engine can perhaps
    not be closed. Nothing is lost: a process that ends without closing its engine is like one that was killed.
    """

    def __init__(self) -> None:
        self.was_pressed = False

    @contextmanager
    def obeyed(self) -> Iterator[None]:
        """Obey Ctrl-C in this way during the block, unless the process has another way."""
        is_ours = threading.current_thread() is threading.main_thread()
        if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._press)
        try:
            yield
        finally:
            # If it was pressed, Python's own end, which waits for threads, may not take for ever either.
            if not self.was_pressed:
                signal.signal(signal.SIGINT, signal.default_int_handler)

    def _press(self, number: int, frame: FrameType | None) -> NoReturn:
        if self.was_pressed:
            os._exit(Exit.INTERRUPTED)
        self.was_pressed = True
        # Not `threading.Thread`, whose start takes a lock that the interrupted code may hold.
        _thread.start_new_thread(_end_after_all, ())
        raise KeyboardInterrupt


def _end_after_all() -> None:
    time.sleep(CTRL_C_S)
    os._exit(Exit.INTERRUPTED)


def _drop_buffered_output() -> None:
    # Nobody reads the rest. Without this Python would try to write it again at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def give_up(message: str, code: Exit) -> NoReturn:
    """End the program with a sentence on standard error."""
    sys.stderr.write(f"ff: {on_one_line(message)}\n")
    raise SystemExit(code)


def on_one_line(text: str) -> str:
    """The text without control characters, because names, reasons and messages may come from anyone."""
    return "".join(char if char.isprintable() else " " for char in text)
