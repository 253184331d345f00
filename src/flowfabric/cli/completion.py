"""`ff completion`: a script that makes a shell complete verbs and options."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="For which shell.")],
    /,
) -> None:
    """Print a script that makes a shell complete verbs and options; the page about `ff` says where to put it."""
    from flowfabric.cli.program import ff

    sys.stdout.write(ff.generate_completion(prog_name="ff", shell=shell).rstrip() + "\n")
