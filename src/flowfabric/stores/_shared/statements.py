"""SQL lives in files: several named statements each, with a sentence on what they return."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

ROWS_MAX: Final = 256
"""The most rows of one repeated statement; every size below is a power of two, so that few are ever prepared."""

_NAME: Final = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_COMMENT: Final = re.compile(r"^\s*--.*\n", re.MULTILINE)
_ROWS: Final = re.compile(r"/\* rows \*/ (\([^)]*\))")


class Statements:
    """The statements of one store, by name."""

    def __init__(self, package: str) -> None:
        self._by_name: dict[str, str] = {}
        for file in sorted(files(package).joinpath("statements").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".sql"):
                self._read(file.read_text("utf-8"))
        self.repeated = cache(self._repeated)

    def _read(self, text: str) -> None:
        parts = _NAME.split(text)
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            assert name not in self._by_name, f"two statements are called {name}"
            self._by_name[name] = _COMMENT.sub("", body).strip().rstrip(";")

    def __getitem__(self, name: str) -> str:
        """The statement as it stands in its file."""
        return self._by_name[name]

    @property
    def names(self) -> list[str]:
        """What the statements are called."""
        return list(self._by_name)

    def _repeated(self, name: str, rows: int) -> str:
        """The statement with its row written so many times."""
        row = _ROWS.search(self._by_name[name])
        assert row is not None, f"{name} has no row to repeat"
        return self._by_name[name].replace(row[0], ", ".join([row[1]] * rows))


def row_counts(total: int) -> list[int]:
    """How to split rows into calls: the largest powers of two first."""
    counts = []
    while total:
        count = min(1 << (total.bit_length() - 1), ROWS_MAX)
        counts.append(count)
        total -= count
    return counts
