"""The picture of a flow: how much CPU time it takes to lay it out.

python benchmarks/drawing.py
"""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from flowfabric.drawing.picture import Records, draw, plan
from flowfabric.drawing.svg import svg_of
from tests.drawing.records import a_flow, a_member

ROUNDS = 5


def mesh(nodes: int, edges: int) -> Records:
    """A random graph without a cycle, whose members are all different."""
    chance = random.Random(7)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < edges:
        a, b = sorted((chance.randrange(nodes), chance.randrange(nodes)))
        if a != b:
            pairs.add((a, b))
    members = [a_member(f"m{number}", f"k{number}") for number in range(nodes)]
    return a_flow(members, [(f"m{a}", f"m{b}") for a, b in sorted(pairs)])


def fan(siblings: int) -> Records:
    """One member, many that are alike, and one that joins them."""
    members = [
        a_member("split", "split"),
        *(a_member(f"s{n}", "encode") for n in range(siblings)),
        a_member("end", "end"),
    ]
    return a_flow(members, [pair for n in range(siblings) for pair in (("split", f"s{n}"), (f"s{n}", "end"))])


def cpu_ms(work: Callable[[], object]) -> float:
    """The least CPU time of some rounds."""
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        found.append((time.process_time() - began) * 1000)
    return min(found)


def main() -> None:
    flows = {"50 nodes, 80 edges": mesh(50, 80), "300 nodes, 600 edges": mesh(300, 600)}
    flows |= {"1,000 nodes, 2,000 edges": mesh(1_000, 2_000), "10,000 siblings, collapsed": fan(10_000)}
    print(f"{'CPU ms':28} {'places':>8} {'states':>8} {'SVG':>8}")
    for name, records in flows.items():
        planned = plan(records)
        layout = draw(planned, records, 0)
        times = (cpu_ms(lambda r=records: plan(r)), cpu_ms(lambda p=planned, r=records: draw(p, r, 0)))
        print(f"{name:28} {times[0]:8.1f} {times[1]:8.1f} {cpu_ms(lambda each=layout: svg_of(each)):8.1f}")


if __name__ == "__main__":
    main()
