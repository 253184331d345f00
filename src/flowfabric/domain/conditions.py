"""Conditions: what a wait waits for, and which signals satisfy it.

A condition is evaluated anew each time, over the signals that are kept, in the order of their arrival. It has no state
of its own. A signal counts for every part of the condition that it matches, and each part counts for itself.
"""

from typing import Final, Literal, get_args

Distinct = Literal["waitpoints", "signals", "sources"]
"""What `AtLeast` counts."""
DISTINCT: Final[tuple[Distinct, ...]] = get_args(Distinct)
