"""The stored traceback of a failed attempt: the lines of the program, never its values, and not too long.

The engine's own frames at the top say nothing about the program and are always left out. A traceback that is still too
long loses the frames of libraries, then its middle. The frames of the program's own code are kept longest.
"""

import os
import sysconfig
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from flowfabric.domain.inputs import TRACEBACK_BYTES_MAX

PIECE_BYTES_MAX: Final = 2048
"""How long one frame or one message may be: a message of a megabyte must not push out every frame."""
NO_LIBRARIES: Final = "(The frames of libraries are left out.)\n"
NO_MIDDLE: Final = "(The middle is left out.)\n"

_ENGINE: Final = str(Path(__file__).parent.parent) + os.sep
_LIBRARIES: Final = (
    _ENGINE,
    "<frozen ",
    *sorted({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")}),
)


def traceback_of(error: BaseException) -> str:
    """The exception and its causes with their tracebacks, as Python prints them; without values of variables."""
    try:
        return _shortened(error)
    except Exception as problem:  # a broken exception must not hide what happened
        return f"{type(error).__name__} (its traceback cannot be shown: {type(problem).__name__})\n"


def _shortened(error: BaseException) -> str:
    home = _home_of(error)
    report = traceback.TracebackException.from_exception(error, compact=True)
    for each in _chain(report):
        each.stack = _without_engine_on_top(each.stack)
    pieces = _pieces(report)
    if _size(pieces) <= TRACEBACK_BYTES_MAX:
        return "".join(pieces)
    for each in _chain(report):
        each.stack = _of_the_program(each.stack, home)
    pieces = [NO_LIBRARIES, *_pieces(report)]
    if _size(pieces) <= TRACEBACK_BYTES_MAX:
        return "".join(pieces)
    return "".join(_both_ends(pieces))


def _home_of(error: BaseException) -> str:
    """The place of the program, which may be installed beside libraries: the package of the first function called.

    It is a file, or a folder with its separator.
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if not file.startswith(_ENGINE):
            depth = str(frame.f_globals.get("__name__", "")).count(".")
            return file if depth == 0 else str(Path(file).parents[depth - 1]) + os.sep
    return _ENGINE


def _chain(report: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    """The exception, its causes, and the members of groups."""
    waiting = [report]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [one for one in (each.__cause__, each.__context__) if one is not None]
        waiting += each.exceptions or ()


def _without_engine_on_top(stack: traceback.StackSummary) -> traceback.StackSummary:
    start = next((at for at, frame in enumerate(stack) if not frame.filename.startswith(_ENGINE)), 0)
    return traceback.StackSummary.from_list(stack[start:])


def _of_the_program(stack: traceback.StackSummary, home: str) -> traceback.StackSummary:
    """The program's own frames, and the one that raised."""
    kept = [frame for frame in stack[:-1] if frame.filename.startswith(home) or not _is_library(frame.filename)]
    return traceback.StackSummary.from_list([*kept, *stack[-1:]])


def _is_library(file: str) -> bool:
    return file.startswith(_LIBRARIES)


def _pieces(report: traceback.TracebackException) -> list[str]:
    return [_clipped(piece) for piece in report.format()]


def _clipped(piece: str) -> str:
    # Stores keep neither a NUL nor a lone surrogate.
    data = piece.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace")
    if len(data) > PIECE_BYTES_MAX:
        data = data[: PIECE_BYTES_MAX - 4] + b"...\n"
    return data.decode("utf-8", "ignore")


def _size(pieces: Sequence[str]) -> int:
    return sum(len(piece.encode()) for piece in pieces)


def _both_ends(pieces: Sequence[str]) -> list[str]:
    """As many pieces from both ends as fit: the first cause is at the top, the last error at the end."""
    left = TRACEBACK_BYTES_MAX - len(NO_MIDDLE)
    first: list[str] = []
    last: list[str] = []
    for at in range((len(pieces) + 1) // 2):
        for kept, piece in ((last, pieces[-1 - at]), (first, pieces[at])):
            left -= len(piece.encode())
            if left < 0:
                return [*first, NO_MIDDLE, *reversed(last)]
            kept.append(piece)
    raise AssertionError("nothing had to be left out")
