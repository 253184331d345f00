"""How `ff` ends: an exit code for each kind of ending, and one sentence on standard error where it did not go well."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

from flowfabric.domain.errors import Corruption, EngineError, InvalidInput, NotFound, SchemaMismatch, StoreError


class Exit(IntEnum):
    """What the program's exit code means."""

    DONE = 0
    NOT_DONE = 1
    """It was refused, or did not go to its end."""
    WRONG_CALL = 2
    """What was asked for can never work as it was written."""
    NOT_FOUND = 3
    NO_STORE = 4
    """There is no database, or it cannot be used now."""
    WRONG_SCHEMA = 5
    """The database is older or newer than this program."""
    INTERRUPTED = 130
    """Ctrl-C."""
    NOBODY_READS = 141
    """Whoever read the output has gone, such as `head` after its last line."""


class WrongCall(Exception):
    """What was asked for cannot work as it was written; the message says what to write."""


class NoDatabase(Exception):
    """There is no database where it was looked for; the message says where that was."""


class NotDone(Exception):
    """It was not done; the message says why."""


def exit_of(error: Exception) -> Exit | None:
    """The exit code that an error ends the program with; None for one that nobody has foreseen."""
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
    """End the program with a sentence and the exit code that fits, where something goes wrong."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # here, so that a reader who has gone is noticed before Python ends
    except KeyboardInterrupt:
        raise SystemExit(Exit.INTERRUPTED) from None
    except BrokenPipeError:
        _drop_what_is_buffered()
        raise SystemExit(Exit.NOBODY_READS) from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is None:
            _drop_what_is_buffered()
            give_up(
                f"The output could not be written: {error.strerror}. What was asked for may be done all the same; free "
                "some space, and look.",
                Exit.NOT_DONE,
            )
        code = exit_of(error)
        if code is None:
            raise
        give_up(str(error), code)


def _drop_what_is_buffered() -> None:
    # It has nowhere to go; without this Python tries again when it ends, and complains.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def give_up(message: str, code: Exit) -> NoReturn:
    """End the program with a sentence on standard error."""
    sys.stderr.write(f"ff: {on_one_line(message)}\n")
    raise SystemExit(code)


def on_one_line(text: str) -> str:
    """The text without what would move the cursor or change colours: names, reasons and messages come from anyone."""
    return "".join(char if char.isprintable() else " " for char in text)
