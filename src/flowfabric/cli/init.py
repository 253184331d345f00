"""`ff init`: a working example in an empty folder."""

from pathlib import Path

from flowfabric.cli.exits import NotDone
from flowfabric.cli.output import Json, document, say


def init(*, json: Json = False) -> None:
    """Write a working example into the current folder: a program with tasks and a flow, and how to run it.

    Files that are there already are never overwritten.
    """
    from importlib.resources import files

    example = sorted(
        (file for file in files(__package__).joinpath("example").iterdir() if file.is_file()),
        key=lambda file: file.name,
    )
    taken = [file.name for file in example if Path(file.name).exists()]
    if taken:
        raise NotDone(f"{' and '.join(taken)} would be overwritten, so nothing was written. Use an empty folder.")
    for file in example:
        try:
            # Mode x, because another program may have made the file since we looked.
            with Path(file.name).open("x", encoding="utf-8") as copy:
                copy.write(file.read_text("utf-8"))
        except OSError as error:
            raise NotDone(
                f"{file.name} could not be written: {error.strerror}. Use an empty folder that you may write to."
            ) from error
    if json:
        document({"written": [file.name for file in example]})
        return
    for file in example:
        say(f"written: {file.name}")
    say("Run `ff worker` here, and `python app.py` in another terminal.")
