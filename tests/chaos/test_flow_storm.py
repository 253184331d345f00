"""Every verb of flows at once, from several processes, on the same few flows."""

import json
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from flowfabric import AnyOf, BlockingEngine, FlowGraph, Quorum, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Deadlocks, Figures, in_group
from tests.chaos.processes import FINISH_S_MAX, running
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

RACERS = 3
CASCADE_MAX = 2
"""So few that most ends are told in several transactions, between which everything else may happen."""
FLOWS = 12


def test_every_verb_of_flows_races_and_callers_meet_only_the_refusals_they_know(
    url: str, deadlocks: Deadlocks, tmp_path: Path, figures: Figures
) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        flows = tmp_path / "flows"
        flows.write_text(json.dumps(dict(new_flow(engine) for _ in range(FLOWS))))

        with ExitStack() as stack:
            racers = [
                stack.enter_context(
                    running(
                        "race",
                        url,
                        flows,
                        SIZES.race_s,
                        f"racer-{number}",
                        CASCADE_MAX,
                        folder=tmp_path,
                        module="tests.chaos.flow_programs",
                    )
                )
                for number in range(RACERS)
            ]
            for racer in racers:
                assert racer.line() == "ready"
            for racer in racers:
                racer.tell("go")
            reports = [racer.report(within_s=SIZES.race_s + FINISH_S_MAX) for racer in racers]
        engine.reconcile()

    assert [report["surprises"] for report in reports] == [[]] * RACERS
    with opened(url) as store:
        assert_nothing_is_broken(store)
    told: Counter[str] = sum((Counter(report["answers"]) for report in reports), Counter())
    assert deadlocks() == 0, "rows were not locked in the one order"
    figures(seconds=SIZES.race_s, commands=sum(told.values()), surprises=0, deadlocks=0)
    # Each verb won some of the races, or it took no part.
    for answer in (
        "complete: Completed",
        "fail: TerminalFailed",
        "add_execution: Created",
        "add_dependency: DependencyAdded",
        "add_dependency: cycle_detected",
        "cancel: Cancelled",
        "replay: Replayed",
        "cancel_flow: FlowCancelled",
        "add_execution: flow_terminal",
        "replay: flow_terminal",
    ):
        assert told[answer] > 0, told


def new_flow(engine: BlockingEngine) -> tuple[str, list[str]]:
    """A split, four voters, two joins of them, and a member that waits for both."""
    graph = FlowGraph("race")
    graph.node("split", "kind")
    for name in ("any", "most", "last"):
        graph.node(name, "kind")
    for number in range(4):
        graph.node(f"voter {number}", "kind")
        graph.edge("split", f"voter {number}", pass_result_as="work")
        graph.edge(f"voter {number}", "any", pass_result_as=f"vote_{number}")
        graph.edge(f"voter {number}", "most")
    graph.edge("any", "last")
    graph.edge("most", "last")
    graph.join("any", AnyOf("let_run"))
    graph.join("most", Quorum(3, "cancel_remaining"))
    submitted = engine.submit_flow(graph)
    return submitted.flow_id, list(submitted.execution_ids.values())
