"""What is raised for bytes that cannot be decoded: one name for all of it, so that no place forgets a part."""

import re
from typing import Final

import msgspec

UNDECODABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""They do not fit, or their text is not UTF-8, or they are nested too deep to be read."""

WHY_CHARS_MAX: Final = 200
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def why(error: BaseException) -> str:
    """What is wrong with the bytes, in one short line for a message. It may name a part of them."""
    text = _UNPRINTABLE.sub("�", str(error))
    return text if len(text) <= WHY_CHARS_MAX else text[: WHY_CHARS_MAX - 3] + "..."
