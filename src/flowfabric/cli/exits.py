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
AGAIN_S: Final = 0.25
"""After so long the interrupt is raised again, if it got lost on its way."""


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

    The interrupt may strike anywhere. In code of libraries that is no Python it may get lost: some of it drops every
    error of a lookup. So it is raised again until it is on its way up. In code that holds a lock or starts a thread it
    may leave an engine that can no longer be closed. Nothing is lost then: a process that ends without closing its
    engine is like one that was killed.
    """

    def __init__(self) -> None:
        self.was_pressed = False
        self._comes_again = False
        self._has_ended = False

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
            self._has_ended = True
            # If it was pressed, Python's own end, which waits for threads, may not take for ever either.
            if not self.was_pressed:
                signal.signal(signal.SIGINT, signal.default_int_handler)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self._comes_again:
            self._comes_again = False
            if self._has_ended or _is_on_its_way(sys.exception()):
                return
        elif self.was_pressed:
            os._exit(Exit.INTERRUPTED)
        else:
            self.was_pressed = True
            # Not `threading.Thread`, whose start takes a lock that the interrupted code may hold.
            _thread.start_new_thread(self._insist, (threading.get_ident(),))
        raise KeyboardInterrupt

    def _insist(self, main_thread: int) -> None:
        """In a thread of its own: raise the interrupt again, and end the process when the time is up."""
        end_at = time.monotonic() + CTRL_C_S
        while time.monotonic() < end_at:
            time.sleep(AGAIN_S)
            if not self._has_ended:
                self._comes_again = True
                signal.pthread_kill(main_thread, signal.SIGINT)  # it also wakes a thread that waits
        os._exit(Exit.INTERRUPTED)


def _is_on_its_way(handled: BaseException | None) -> bool:
    """Whether code is ending because of an interrupt, which shows among the errors that are handled right now."""
    while handled is not None and not isinstance(handled, KeyboardInterrupt):
        handled = handled.__context__
    return handled is not None


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
