"""Write the copy of the OpenAPI document that the pages link to.

python tools/openapi.py            write docs/openapi.json
python tools/openapi.py --check    fail if it is not up to date
"""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from flowfabric.server.openapi import document

COPY: Final = Path(__file__).parents[1] / "docs" / "openapi.json"


def main() -> None:
    """Write the copy, or check it."""
    text = msgspec.json.format(msgspec.json.encode(document(version("flowfabric"))), indent=1).decode() + "\n"
    if "--check" not in sys.argv:
        COPY.write_text(text)
    elif COPY.read_text() != text:
        sys.exit(f"{COPY.name} does not fit the routes any more: run `python tools/openapi.py`")


if __name__ == "__main__":
    main()
