"""`ff worker`."""

import logging
from collections.abc import Sequence

from flowfabric.cli.target import errors_as_sentences, fabric_at


def work(
    target: str,
    *,
    lanes: Sequence[str],
    concurrency: int,
    processes: int,
    capabilities: Sequence[str],
    lease: str,
    poll: str,
    grace: str,
    worker_id: str,
    log_level: str,
) -> None:
    """Run a worker of the named program until it is told to stop."""
    # Before the program is imported: where it sets up logging itself, it has the last word.
    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    with errors_as_sentences(), fabric_at(target) as ff:
        ff.run_worker_sync(
            lanes=lanes,
            concurrency=concurrency,
            processes=processes,
            capabilities=capabilities,
            lease=lease,
            poll=poll,
            grace=grace,
            worker_id=worker_id,
        )
