"""How a function is annotated, also where Python evaluates annotations only when somebody asks for them (since 3.14).

A name that is unknown then makes no error here: it stays a reference, and is resolved where its type is needed.
"""

import inspect
import sys
from collections.abc import Callable
from typing import Any

if sys.version_info >= (3, 14):
    from annotationlib import Format, get_annotations

    def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
        """The annotations by the name of their parameter, and the one of the result as `return`."""
        return get_annotations(function, format=Format.FORWARDREF)

    def signature_of(function: Callable[..., Any]) -> inspect.Signature:
        """The parameters of a function."""
        return inspect.signature(function, annotation_format=Format.FORWARDREF)

else:

    def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
        """The annotations by the name of their parameter, and the one of the result as `return`."""
        return inspect.get_annotations(function)

    def signature_of(function: Callable[..., Any]) -> inspect.Signature:
        """The parameters of a function."""
        return inspect.signature(function)
