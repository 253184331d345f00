"""SQL lives in files: several named statements each, with a sentence on what they return.

The columns of a record are listed once, under `-- columns: NAME`. Statements use the list by `/* columns: NAME */`.
What two statements have in common stands under `-- part: NAME`, in the same way. A part may use other parts.

Statements use names of states, such as `{phase.runnable}`, and names of what the rules make of a plain execution, such
as `{leased.public_state}`. When a statement is loaded, each name becomes the number by which it is stored. The number
is a literal, because SQLite uses a partial index only if the statement has the same literals as the index.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from flowfabric.domain.execution import DUE_KINDS
from flowfabric.domain.flow import FLOW_STATES
from flowfabric.domain.gates import GATE_KINDS, GATE_STATES
from flowfabric.domain.states import (
    ATTEMPT_OUTCOMES,
    ATTEMPT_STATES,
    CHANNELS,
    ELIGIBILITY_STATES,
    LIFECYCLE_PHASES,
    PUBLIC_STATES,
    TERMINAL_OUTCOMES,
)
from flowfabric.stores._shared.samples import SAMPLES

ROWS_MAX: Final = 256
"""The most rows of one repeated statement. All sizes are powers of two, so that few statements are prepared."""

ALPHABETS: Final[Mapping[str, Sequence[str]]] = {
    "phase": LIFECYCLE_PHASES,
    "eligibility": ELIGIBILITY_STATES,
    "attempt_state": ATTEMPT_STATES,
    "outcome": TERMINAL_OUTCOMES,
    "public_state": PUBLIC_STATES,
    "attempt_outcome": ATTEMPT_OUTCOMES,
    "channel": CHANNELS,
    "due_kind": DUE_KINDS,
    "flow_state": FLOW_STATES,
    "gate_kind": GATE_KINDS,
    "gate_state": GATE_STATES,
}
"""States that statements may name. On disk each is its position."""

_HEAD: Final = re.compile(r"^-- (name|columns|part): (\w+)\n", re.MULTILINE)
_COLUMNS: Final = re.compile(r"/\* (?:columns|part): (\w+) \*/")
_NAMED: Final = re.compile(r"\{(\w+)\.(\w+)\}")
_COMMENT: Final = re.compile(r"^\s*--.*\n", re.MULTILINE)
_QUOTED: Final = re.compile(r"('[^']*'|\"[^\"]*\")")
_SPACES: Final = re.compile(r"\s+")
_AROUND: Final = re.compile(r"(?<=[(,]) | ?(?=[),])")
_ROWS: Final = re.compile(r"/\* rows \*/ (\([^)]*\))")


class Statements:
    """The statements of one store, by name."""

    def __init__(self, package: str) -> None:
        self._by_name: dict[str, str] = {}
        self._columns: dict[str, str] = {}
        for file in sorted(files(package).joinpath("statements").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".sql"):
                self._read(file.read_text("utf-8"))
        self._by_name = {name: self._whole(text) for name, text in self._by_name.items()}
        self.repeated = cache(self._repeated)

    def _read(self, text: str) -> None:
        parts = _HEAD.split(text)
        for kind, name, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            known = self._by_name if kind == "name" else self._columns
            assert name not in known, f"two {kind}s are called {name}"
            known[name] = _COMMENT.sub("", body).strip().rstrip(";")

    def _whole(self, text: str) -> str:
        return _squeezed(_NAMED.sub(_literal, _COLUMNS.sub(self._list, text)))

    def _list(self, mention: re.Match[str]) -> str:
        return _COLUMNS.sub(self._list, self._columns[mention[1]])

    def __getitem__(self, name: str) -> str:
        """The statement as it stands in its file."""
        return self._by_name[name]

    @property
    def names(self) -> list[str]:
        """The names of all statements."""
        return list(self._by_name)

    def _repeated(self, name: str, rows: int) -> str:
        """The statement with its row repeated `rows` times."""
        row = _ROWS.search(self._by_name[name])
        assert row is not None, f"{name} has no row to repeat"
        return self._by_name[name].replace(row[0], ", ".join([row[1]] * rows))


@cache
def statements_of(package: str) -> Statements:
    """The statements of a store, read from its files once in a process."""
    return Statements(package)


def _squeezed(text: str) -> str:
    """The same statement without the spaces that only people need.

    The driver of PostgreSQL takes statements of more than 4,096 bytes apart each time anew.
    """
    parts = _QUOTED.split(text)
    parts[::2] = [_AROUND.sub("", _SPACES.sub(" ", part)) for part in parts[::2]]
    return "".join(parts)


def _literal(mention: re.Match[str]) -> str:
    kind, name = mention.groups()
    return str(SAMPLES[kind][name] if kind in SAMPLES else ALPHABETS[kind].index(name))


def row_counts(total: int) -> list[int]:
    """How many rows each call gets: powers of two, the largest first."""
    counts = []
    while total:
        count = min(1 << (total.bit_length() - 1), ROWS_MAX)
        counts.append(count)
        total -= count
    return counts
