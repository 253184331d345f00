"""Types that msgspec decodes are made known to it when they are imported.

msgspec looks at a class when it decodes one for the first time, and remembers what it has found. While one thread
looks, another one that decodes the same class may find only half of it, and the process crashes (seen with msgspec
0.22.0). Only one thread imports a module, so a class that is known from then on is safe.
"""

from typing import TypeVar

import msgspec

T = TypeVar("T")


def known(of: type[T]) -> type[T]:
    """The same class, which any thread may decode from now on."""
    msgspec.json.Decoder(of)
    return of
