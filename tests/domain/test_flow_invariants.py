"""Each invariant of flows finds what it is there to find, and finds nothing in what is sound."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import AddDependency, CancelFlow, Complete, ReplayExecution
from flowfabric.domain.flow import CancelBacklog, PendingAck
from flowfabric.domain.flow_invariants import edge_violations, flow_record_violations, group_violations
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.joins import AllOf, AnyOf
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.flow_world import FLOW, World, edge, member, member_id, submission
from tests.domain.records import NOW, fence_of

KEPT = ExecutionPolicy(retention_ms=1000)


def _world(*ended: str) -> World:
    """One leads to two and to three, and both to four, which waits for any of them."""
    world = World()
    members = [member(name, policy=KEPT) for name in ("one", "two", "three", "four")]
    edges = [
        edge("one", "two", pass_result_as="left"),
        edge("one", "three"),
        edge("two", "four"),
        edge("three", "four"),
    ]
    world.decide(submission(members, edges, {"four": AnyOf("let_run")}))
    for name in ended:
        world.end(name, "success")
    return world


def _lost() -> World:
    world = _world("one")
    world.end("two", "failed")
    world.end("three", "failed")
    return world


def _cancelled_while_running() -> World:
    world = _world()
    world.claim("one")
    world.decide(CancelFlow(FLOW, "enough", "cancel_all"))
    return world


DONE = _world("one", "two", "three", "four")
HALF = _world("one", "two")
LOST = _lost()
CANCELLED = _cancelled_while_running()


@pytest.mark.parametrize("world", [_world(), HALF, DONE, LOST, CANCELLED])
def test_a_sound_world_passes(world: World):
    assert world.broken == []
    assert world.at_rest() == []


# ── one record ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("world", "difference", "found"),
    [
        (DONE, {"terminal_at_ms": None}, "terminal_at_ms is None"),
        (HALF, {"terminal_at_ms": NOW}, "terminal_at_ms is"),
        (CANCELLED, {"cancel_reason": None}, "cancelled by cancel_all: None"),
        (DONE, {"cancellation_policy": "flow_only"}, "cancelled by flow_only"),
        (DONE, {"live_count": 1}, "1 members live"),
        (HALF, {"live_count": 0, "at_rest_since_ms": NOW}, "no member lives"),
        (DONE, {"lost_sinks": 1}, "1 sinks did not complete"),
        (LOST, {"lost_sinks": 0}, "every sink completed"),
        (HALF, {"started_at_ms": None}, "is running and started_at_ms is None"),
        (_world(), {"started_at_ms": NOW}, "is open and started_at_ms is"),
        (DONE, {"at_rest_since_ms": None}, "at rest since None"),
        (HALF, {"at_rest_since_ms": NOW}, "at rest since"),
        (HALF, {"live_count": 5}, "counts 5 live"),
        (HALF, {"lost_sinks": -1}, "-1 lost"),
        (HALF, {"graph_revision": 10}, "is at revision 10"),
    ],
)
def test_a_broken_flow_is_found(world: World, difference: dict[str, Any], found: str):
    messages = list(flow_record_violations(replace(world.flow, **difference)))

    assert any(found in message for message in messages), messages


@pytest.mark.parametrize(
    ("difference", "found"),
    [
        ({"resolved_at_ms": None}, "was resolved at None"),
        ({"outcome": "none"}, "is pending and was resolved at"),
        ({"downstream": member_id("one")}, "to itself"),
    ],
)
def test_a_broken_edge_is_found(difference: dict[str, Any], found: str):
    known = HALF.loaded.edges[FLOW, "one>two"]

    messages = list(edge_violations(replace(known, **difference)))

    assert any(found in message for message in messages), messages


@pytest.mark.parametrize(
    ("difference", "found"),
    [
        ({"success_count": -1}, "counts (-1, 0, 0) of 2"),
        ({"fail_count": 2}, "counts (1, 2, 0) of 2"),
        ({"success_count": 0}, "is satisfied, and"),
        ({"state": "impossible"}, "is impossible, and"),
    ],
)
def test_a_broken_group_is_found(difference: dict[str, Any], found: str):
    messages = list(group_violations(replace(HALF.group("four"), **difference)))

    assert any(found in message for message in messages), messages


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def _completes(name: str = "two") -> Changes:
    """The batch in which a member completes that others wait for."""
    world = _world("one")
    world.claim(name)
    return world.changed(Complete(fence_of(world.find(name)), b"result"))


def _replays() -> Changes:
    return _world("one", "two").changed(ReplayExecution(member_id("two")))


def _cancels() -> Changes:
    world = _world()
    world.claim("one")
    return world.changed(CancelFlow(FLOW, "enough", "cancel_all"))


def _goes() -> Changes:
    world = _world("one", "two", "three", "four")
    gone = [(x, None) for x in world.loaded.executions.values()]
    return replace(_completes(), **_NOTHING, executions=gone, flows=[(world.flow, None)])


_NOTHING: dict[str, Any] = {"events": [], "results": {}, "attempts": {}, "edges": [], "groups": []}


def _with_flow(changes: Changes, **difference: object) -> Changes:
    ((before, after),) = changes.flows
    assert after is not None
    return replace(changes, flows=[(before, replace(after, **difference))])


def _from_flow(changes: Changes, **difference: object) -> Changes:
    ((before, after),) = changes.flows
    assert before is not None
    return replace(changes, flows=[(replace(before, **difference), after)])


def _with_edge(changes: Changes, **difference: object) -> Changes:
    ((before, after),) = changes.edges
    return replace(changes, edges=[(before, replace(after, **difference))])


def _from_edge(changes: Changes, **difference: object) -> Changes:
    ((before, after),) = changes.edges
    assert before is not None
    return replace(changes, edges=[(replace(before, **difference), after)])


def _from_group(changes: Changes, **difference: object) -> Changes:
    ((before, after),) = changes.groups
    assert before is not None
    return replace(changes, groups=[(replace(before, **difference), after)])


BATCHES: list[tuple[str, Callable[[], Changes], str]] = [
    ("another kind", lambda: _from_flow(_completes(), kind="other"), "changed its kind"),
    ("a second start", lambda: _with_flow(_completes(), started_at_ms=NOW + 1), "started again"),
    ("a revision for nothing", lambda: _with_flow(_completes(), graph_revision=2), "from revision 1 to 2"),
    ("a cancel undone", lambda: _from_flow(_completes(), state="cancelled"), "its state changed since"),
    ("a miscount of the living", lambda: _with_flow(_completes(), live_count=3), "live_count moved by 0"),
    ("a miscount of nodes", lambda: _with_flow(_completes(), node_count=5), "node_count moved by 1"),
    ("a miscount of edges", lambda: _with_flow(_completes(), edge_count=5), "edge_count moved by 1"),
    ("an end not counted", lambda: replace(_completes(), flows=[]), "live_count should have moved by -1"),
    ("an edge not counted", lambda: replace(_completes(), groups=[]), "its group did not count them"),
    ("an edge counted twice", lambda: _from_group(_completes(), success_count=-1), "success_count moved by 2"),
    ("another upstream", lambda: _with_edge(_completes(), upstream=member_id("one")), "changed its upstream"),
    ("an earlier generation", lambda: _from_edge(_completes(), generation=1), "went back from generation 1"),
    (
        "an edge resolved twice",
        lambda: _from_edge(_completes(), outcome="failed", resolved_at_ms=NOW),
        "was failed and became success without a replay",
    ),
    ("another join", lambda: _from_group(_completes(), join=AllOf()), "changed its join"),
    ("a flip", lambda: _from_group(_completes(), state="impossible"), "was impossible and became satisfied"),
    ("a flip back", lambda: replace(_replays(), edges=[]), "was satisfied and became pending"),
    ("an event too many", lambda: _with_flow(_completes(), event_seq=1), "by its events event_seq is 0"),
    ("an end without its event", lambda: replace(_completes_all(), events=[]), "by its events state is live"),
    ("an event without its end", lambda: replace(_completes_all(), flows=[]), "has events and no record"),
    ("an ack of the spared", lambda: _with_flow(_cancels(), cancellation_policy="flow_only"), "waits for acknowledg"),
    ("a member gone alone", lambda: replace(_goes(), flows=[]), "is gone without its flow"),
    ("a flow gone alone", lambda: replace(_goes(), executions=[]), "is gone with 0 of its 4 members"),
]


def _completes_all() -> Changes:
    world = _world("one", "two", "three")
    world.claim("four")
    return world.changed(Complete(fence_of(world.find("four")), b"result"))


@pytest.mark.parametrize(("changes", "found"), [case[1:] for case in BATCHES], ids=[case[0] for case in BATCHES])
def test_a_broken_batch_is_found(changes: Callable[[], Changes], found: str):
    messages = violations(changes(), NOW)

    assert any(found in message for message in messages), messages


@pytest.mark.parametrize("changes", [_completes, _completes_all, _replays, _cancels])
def test_a_sound_batch_passes(changes: Callable[[], Changes]):
    assert violations(changes(), NOW) == []


def test_a_flow_goes_when_its_retention_is_over_and_not_before():
    changes = _goes()

    assert any("is gone, and it is kept until" in message for message in violations(changes, NOW + 999))
    assert violations(changes, NOW + 1000) == []


def test_a_new_edge_may_reopen_a_join_of_all_and_no_other():
    world = _world("one")
    edge_again = edge("three", "two", edge_id="again")
    reopened = world.changed(AddDependency(FLOW, edge_again, True, None))
    ((before, after),) = reopened.groups
    as_any_of = replace(reopened, groups=[(replace(before, join=AnyOf()), replace(after, join=AnyOf()))])

    assert violations(reopened, NOW) == []
    assert any("within a generation" in message for message in violations(as_any_of, NOW))


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def _flow(world: World, **difference: object) -> Contents:
    return replace(world.contents(), flows=[replace(world.flow, **difference)])


def _member(world: World, name: str, **difference: object) -> Contents:
    contents = world.contents()
    changed = [replace(x, **difference) if x.execution_id == member_id(name) else x for x in contents.executions]
    return replace(contents, executions=changed)


def _edge(world: World, edge_id: str, **difference: object) -> Contents:
    contents = world.contents()
    return replace(contents, edges=[replace(e, **difference) if e.edge_id == edge_id else e for e in contents.edges])


def _group(world: World, name: str, **difference: object) -> Contents:
    contents = world.contents()
    changed = [replace(g, **difference) if g.downstream == member_id(name) else g for g in contents.groups]
    return replace(contents, groups=changed)


def _without(world: World, field: str, name: str) -> Contents:
    contents = world.contents()
    left = [each for each in getattr(contents, field) if member_id(name) not in (each.execution_id,)]
    return replace(contents, **{field: left})


PENDING = {"outcome": "none", "resolved_at_ms": None}
TURNED = replace(HALF.loaded.edges[FLOW, "two>four"], upstream=member_id("four"), downstream=member_id("one"))
ACK = PendingAck(FLOW, member_id("one"), NOW + 30_000)

AT_REST: list[tuple[str, Contents, str]] = [
    ("a miscount of nodes", _flow(DONE, node_count=5), "node_count is 5, recounted 4"),
    ("a miscount of edges", _flow(DONE, edge_count=3), "edge_count is 3, recounted 4"),
    ("a miscount of the living", _flow(HALF, live_count=3), "live_count is 3, recounted 2"),
    ("a miscount of the lost", _flow(HALF, lost_sinks=1), "lost_sinks is 1, recounted 0"),
    ("another retention", _flow(HALF, retention_ms=5), "retention_ms is 5, recounted 1000"),
    ("two of one id", replace(DONE.contents(), flows=[DONE.flow] * 2), "two flows share an id"),
    ("no flow", replace(DONE.contents(), flows=[]), "which is gone"),
    ("another namespace", _flow(DONE, namespace="tenant-a"), "is not where its flow"),
    ("a lost member", _without(DONE, "executions", "three"), "touches"),
    ("a group of nobody", _without(DONE, "executions", "three"), "which is no member"),
    ("a count that lacks an edge", _group(HALF, "four", success_count=0, state="pending"), "success_count is 0"),
    ("a group that passes nothing", _group(HALF, "two", passes_results=False), "passes_results is False"),
    ("edges without a group", replace(HALF.contents(), groups=[]), "and it has no group"),
    ("an end not told", _edge(HALF, "two>four", **PENDING), "its upstream has passed its end on"),
    (
        "an end told twice",
        _edge(HALF, "three>four", outcome="success", generation=0, resolved_at_ms=NOW),
        "is success, and the upst",
    ),
    ("a later life", _edge(HALF, "two>four", generation=1), "knows life 1"),
    ("an earlier life", _member(HALF, "two", replay_count=1), "for a downstream that never ran"),
    ("blocked for nothing", _member(HALF, "four", eligibility_state="blocked_by_dependencies"), "its group is satisf"),
    ("not blocked", _member(_world(), "four", eligibility_state="eligible_now"), "its group is pending"),
    ("skipped for nothing", _group(LOST, "four", state="pending"), "is skipped (not_applicable), and its group is pe"),
    ("alive in spite of it", _group(HALF, "four", state="impossible"), "and its group is impossible"),
    ("a decision not taken", _group(HALF, "four", state="pending"), "though its counts say satisfied"),
    ("an open flow that runs", _flow(HALF, state="open", started_at_ms=None), "is open, and a member has started"),
    ("a running flow that waits", _flow(_world(), state="running", started_at_ms=NOW), "no member has started"),
    ("queued after a cancel", _flow(HALF, state="cancelled", cancellation_policy="cancel_pending"), "in a flow cancel"),
    ("a gap", replace(DONE.contents(), events=DONE.contents().events[:-1]), "by its events event_seq is 0"),
    ("events of no flow", replace(DONE.contents(), flows=[]), "has events and no record"),
    ("an end left to tell", _member(HALF, "four", unsettled=True), "has an end to pass on"),
    ("a live one that comes back", _member(HALF, "four", coming_back="keep"), "and is coming back"),
    ("one that comes back to a flow that is over", _member(DONE, "four", coming_back="clear"), "live_count is 0, rec"),
    ("acks without a backlog", replace(CANCELLED.contents(), backlogs=[]), "and has no backlog"),
    ("a backlog without acks", replace(CANCELLED.contents(), acks=[]), "which is no recount"),
    ("a stranger's ack", replace(DONE.contents(), acks=[ACK]), "did not take from a worker"),
    ("a cycle", replace(HALF.contents(), edges=[*HALF.contents().edges, TURNED]), "has a cycle through"),
    ("an ack of the spared", _flow(CANCELLED, cancellation_policy="cancel_pending"), "waits for acknowledgements"),
    ("a backlog for nothing", replace(DONE.contents(), backlogs=[CancelBacklog(FLOW, NOW, 0)]), "without a cancel"),
]


@pytest.mark.parametrize(("contents", "found"), [case[1:] for case in AT_REST], ids=[case[0] for case in AT_REST])
def test_a_broken_store_is_found(contents: Contents, found: str):
    messages = violations_at_rest(contents, NOW)

    assert any(found in message for message in messages), messages


def test_an_end_that_is_still_being_told_may_leave_an_edge_open():
    contents = _edge(HALF, "two>four", **PENDING)
    group = replace(HALF.group("four"), success_count=0, state="pending")
    telling = [replace(x, unsettled=x.execution_id == member_id("two")) for x in contents.executions]
    waiting = [
        replace(x, eligibility_state="blocked_by_dependencies") if x.execution_id == member_id("four") else x
        for x in telling
    ]
    groups = [group if each.downstream == member_id("four") else each for each in contents.groups]

    messages = violations_at_rest(replace(contents, executions=waiting, groups=groups), NOW)

    assert messages == []
