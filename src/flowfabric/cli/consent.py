"""Asks before a verb changes many executions at once, or creates something new."""

import sys
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import NotDone, WrongCall


@Parameter(name="*")
@dataclass(frozen=True)
class Consent:
    """The options --yes and --dry-run."""

    yes: Annotated[bool, Parameter(help="Do not ask.")] = False
    dry_run: Annotated[bool, Parameter(help="Only say what would happen; change nothing.")] = False

    def ask(self, what: str) -> None:
        """Return if the user agrees, by --yes or at the terminal. Raises otherwise."""
        if not self.yes:
            ask(what, "--yes to go on, or --dry-run to only count")


ASK: Final = Consent()


def can_ask() -> bool:
    """Whether the input is a terminal, at which somebody can answer."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(what: str, otherwise: str) -> None:
    """Return if somebody at the terminal agrees. Raises otherwise; without a terminal the message names the options."""
    if not can_ask():
        raise WrongCall(f"{what}, and ff cannot ask, because its input is not a terminal. Add {otherwise}.")
    sys.stderr.write(f"{what}. Go on? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise NotDone("Nothing was done.")
