"""`ff`: the command line. `program` lists the verbs and their modules; `exits` lists the exit codes."""

import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cyclopts import CycloptsError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the verb that the arguments name. Without arguments, those of the process count."""
    from flowfabric.cli.exits import Exit, errors_as_sentences, give_up

    try:
        from cyclopts import CycloptsError
    except ImportError:
        give_up(
            "The command line needs two packages that are not installed. Run: pip install 'flowfabric[cli]'",
            Exit.WRONG_CALL,
        )
    from flowfabric.cli.program import ff

    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names may be in any script, and trees have line characters. A terminal that lacks one shows a question mark.
        sys.stdout.reconfigure(errors="replace")
    with errors_as_sentences():
        try:
            ff(sys.argv[1:] if arguments is None else arguments, exit_on_error=False, print_error=False)
        except CycloptsError as error:
            give_up(_sentence(error), Exit.WRONG_CALL)


def _sentence(error: "CycloptsError") -> str:
    """What is wrong with the command line, and whose help shows the right way."""
    from cyclopts import CoercionError, MissingArgumentError, UnknownCommandError, UnusedCliTokensError

    from flowfabric.cli import hints

    verb = " ".join(["ff", *(error.command_chain or ())])
    said = " ".join(str(error).split()).replace(" into int.", " into a whole number.")
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        said = (
            f"{name} {'needs a value' if name.startswith('-') else 'is missing'}. {error.argument.parameter.help or ''}"
        )
    elif isinstance(error, UnknownCommandError):
        said = hints.for_verb(error)
    elif isinstance(error, CoercionError):
        said += hints.for_value(error, said)
    elif isinstance(error, UnusedCliTokensError):
        said = f"{' '.join(error.unused_tokens or ())!r} is more than `{verb}` takes."
    return f"{said} Try: {verb} --help"
