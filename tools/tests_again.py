"""The tests that failed in the last run, three times by themselves: `make test-again`.

    python tools/tests_again.py

A test that fails among thousands of others, and passes by itself, depends on how busy the machine is or on what runs
beside it. That is a mistake, too, of the test or of the product: it is named here, so that somebody mends it. But it
does not stop a change. A test that fails again does, and so do many failures at once.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
TIMES = 3
TESTS_MAX = 3
"""If more have failed, it was not by chance."""
GROUP = re.compile(r"@[^\]]*$")
"""What names the group of a test that shares a process with others."""


def main() -> int:
    """Run them, and say what came of it. 0: all of them passed each time."""
    known = json.loads(FAILED.read_text()) if FAILED.is_file() else {}
    tests = sorted({GROUP.sub("", name) for name in known})
    if not tests:
        print("No failed test is known. The last run ended in another way: its output says how.", flush=True)
        return 1
    if len(tests) > TESTS_MAX:
        print(f"{len(tests)} tests have failed. Only {TESTS_MAX} at most are tried again.", flush=True)
        return 1
    for time in range(1, TIMES + 1):
        print(f"\nBy themselves, {time} of {TIMES}:", flush=True)
        status = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests]).returncode
        if status:
            return status
    names = "\n".join(f"  {test}" for test in tests)
    print(f"\nUNSTABLE: these failed among the others, and passed {TIMES} times by themselves. Mend them:\n{names}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
