"""What the power cuts need of the machine."""

import sys

# The recorder is loaded by the linker of Linux. The model of the disk needs nothing.
collect_ignore = [] if sys.platform == "linux" else ["test_power_cuts.py"]
