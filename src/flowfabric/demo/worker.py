"""The program of `ff worker flowfabric.demo.worker:ff`: the shop that the environment names."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Final

from flowfabric.demo.shop import FOLDER, URL, WORKER, Shop

ORPHAN_S: Final = 0.5
"""How often a worker checks whether its parent process is still there."""

ff = Shop(os.environ.get(URL, "memory://"), Path(os.environ.get(FOLDER, ".")), os.environ.get(WORKER, "")).ff


def stop_with(parent: int) -> None:
    """Stop this process when its parent is gone, so that a killed demo leaves no worker behind."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_S)
    os.kill(os.getpid(), signal.SIGTERM)


if WORKER in os.environ:
    threading.Thread(target=stop_with, args=(os.getppid(),), daemon=True).start()
