"""How much of a table is tried: a sample of it by `make test`, and all of it by `make soak`."""

import os
from typing import Final

IS_FULL: Final = os.environ.get("FLOWFABRIC_CHAOS") == "full"
