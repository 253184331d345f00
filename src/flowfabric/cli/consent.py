"""Asking before much is done at once."""

import sys
from dataclasses import dataclass
from typing import Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.exits import NotDone, WrongCall


@Parameter(name="*")
@dataclass(frozen=True)
class Consent:
    """What may be done without being asked."""

    yes: Annotated[bool, Parameter(help="Do not ask.")] = False
    dry_run: Annotated[bool, Parameter(help="Only count; change nothing.")] = False

    def ask(self, what: str) -> None:
        """Return if it is to be done: said before, or by whoever sits at the terminal. Raises if it is not."""
        if self.yes:
            return
        if sys.stdin is None or not sys.stdin.isatty():
            raise WrongCall(f"{what}, and nobody is here to be asked. Add --yes, or --dry-run to only count.")
        sys.stderr.write(f"{what}. Go on? [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise NotDone("Nothing was done.")


ASK: Final = Consent()
