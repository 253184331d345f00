"""Wrong tokens by the thousand, from one address and from many: they are slowed down, and cost no memory."""

import http.client
import json
import resource
from collections import Counter
from contextlib import closing

from flowfabric.server.guard import FREE_TRIES, PAUSE_S_MAX
from tests.chaos.conftest import Figures
from tests.chaos.sizes import SIZES
from tests.server.running import Running, running

WORST = "127.0.0.9"
"""The address that sends half of them."""


def test_log_ins_with_wrong_tokens_are_slowed_down_per_address_and_cost_no_memory(figures: Figures) -> None:
    with running(with_tokens=True) as server:
        good = server.token("viewer", name="ann")
        assert log_in(server, "127.0.0.8", good) == 200
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seen: Counter[tuple[str, int]] = Counter()
        with closing(connection(server, WORST)) as worst:
            for number in range(SIZES.log_ins // 2):
                seen["one address", log_in_on(worst, f"fft_aaaaaaaaaaaa_{number:043}")] += 1
        for number in range(SIZES.log_ins // 2):
            where = f"127.1.{number // 1_000}.{number // 4 % 250 + 1}"
            seen["many addresses", log_in(server, where, f"fft_aaaaaaaaaaaa_{number:043}")] += 1

        is_let_in = log_in(server, "127.0.0.8", good), log_in(server, WORST, good)
        grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

    figures(
        log_ins=sum(seen.values()), grown_mb=round(grown_mb), **{f"{who}: {code}": n for (who, code), n in seen.items()}
    )
    tries = seen["one address", 401]
    assert FREE_TRIES <= tries <= FREE_TRIES + 2 + int(PAUSE_S_MAX).bit_length()
    assert seen["one address", 429] == SIZES.log_ins // 2 - tries
    assert seen["many addresses", 401] == SIZES.log_ins // 2, "an address with four tries is not slowed down"
    assert is_let_in[0] == 200, "others are not slowed down"
    assert is_let_in[1] in (200, 429)
    assert grown_mb < 50


def connection(server: Running, address: str) -> http.client.HTTPConnection:
    """A connection from this address of loopback."""
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(address, 0))


def log_in(server: Running, address: str, token: str) -> int:
    with closing(connection(server, address)) as opened:
        return log_in_on(opened, token)


def log_in_on(opened: http.client.HTTPConnection, token: str) -> int:
    opened.request("POST", "/v1/session", json.dumps({"token": token}), {"content-type": "application/json"})
    answer = opened.getresponse()
    answer.read()
    return answer.status
