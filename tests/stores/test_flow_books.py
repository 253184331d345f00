"""What a batch is shown of flows, what stays of what it wrote, and what others read of it, on every SQL store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from flowfabric.domain import expiring
from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.events import Event
from flowfabric.domain.flow import CancelBacklog, Flow, PendingAck
from flowfabric.domain.ids import flow_partition
from flowfabric.domain.joins import ALL_OF, AnyOf, Quorum
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.views import GroupView
from tests.stores.flow_records import (
    NOW,
    Books,
    a_flow,
    a_group,
    a_member,
    a_solo,
    an_edge,
    blocked,
    completed,
    flow_id,
    member_id,
    opened,
)
from tests.stores_under_test import STORES

ANY_WORK = ClaimNeed("default", ("default",), frozenset())


@pytest.fixture(params=["sqlite", "postgres"])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Books]:
    with STORES[request.param].empty(tmp_path) as url, opened(url) as books:
        yield books


@pytest.fixture
def chain(books: Books) -> Books:
    """A flow of four, each waiting for the one before it, and another flow that is nobody's business."""
    books.save(
        a_flow(),
        a_member(1),
        *[blocked(n) for n in (2, 3, 4)],
        *[an_edge(n - 1, n) for n in (2, 3, 4)],
        *[a_group(n, total=1) for n in (2, 3, 4)],
        a_flow(2),
        a_member(11, 2),
        blocked(12, 2),
        an_edge(11, 12, flow=2),
        a_group(12, 2, total=1),
    )
    return books


def ids(*numbers: int) -> set:
    return {member_id(number) for number in numbers}


def keys(*edge_ids: str) -> list:
    return [(flow_id(), edge_id) for edge_id in edge_ids]


# ── records ──────────────────────────────────────────────────────────────────────────────────────

FLOWS = [
    a_flow(),
    a_flow(tags={"team.name": "ü\n{}"}, graph_revision=7, node_count=3, edge_count=2, live_count=2, lost_sinks=1),
    a_flow(state="running", started_at_ms=NOW + 5, event_seq=4, retention_ms=0),
    a_flow(state="completed", terminal_at_ms=NOW + 9, at_rest_since_ms=NOW + 9),
    a_flow(state="failed", terminal_at_ms=NOW + 9, at_rest_since_ms=NOW + 9, retention_ms=10),
    a_flow(state="cancelled", terminal_at_ms=NOW, cancel_reason="enough", cancellation_policy="flow_only"),
]


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.state)
def test_a_flow_comes_back_as_it_was_saved(books: Books, flow: Flow) -> None:
    books.save(flow)

    assert books.store.flow(flow.flow_id) == flow
    assert books.load(Needs(flows={flow.flow_id})).flows == {flow.flow_id: flow}


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.state)
def test_a_flow_that_has_changed_comes_back_changed(books: Books, flow: Flow) -> None:
    books.save(a_flow())

    books.save(flows=[(a_flow(), flow)])

    assert books.store.flow(flow.flow_id) == flow


@pytest.mark.parametrize("outcome", ["none", "success", "failed", "cancelled", "expired", "skipped"])
def test_an_edge_comes_back_as_it_was_resolved(books: Books, outcome: str) -> None:
    pending = an_edge(1, 2, "é" * 128, pass_result_as="total")
    resolved = replace(pending, outcome=outcome, generation=3, resolved_at_ms=NOW + 1)
    books.save(pending)

    books.save(edges=[(pending, resolved)])

    assert books.store.edge(flow_id(), "é" * 128) == resolved


@pytest.mark.parametrize(
    "join", [ALL_OF, AnyOf("let_run"), AnyOf("cancel_remaining"), Quorum(3, "let_run"), Quorum(1, "cancel_remaining")]
)
@pytest.mark.parametrize("state", ["pending", "satisfied", "impossible"])
def test_a_group_comes_back_as_it_was_saved(books: Books, join: object, state: str) -> None:
    group = a_group(
        2, join=join, total=9, success_count=1, fail_count=2, skip_count=3, state=state, passes_results=True
    )
    books.save(a_group(2))

    books.save(groups=[(a_group(2), group)])

    assert books.store.group(member_id(2)) == group


def test_an_execution_that_is_born_blocked_and_one_that_is_not_settled_come_back_so(books: Books) -> None:
    born, unsettled = blocked(1), completed(a_member(2), unsettled=True)
    books.save(born, unsettled)

    before = books.store.execution(unsettled.execution_id)
    books.save(executions=[(unsettled, settled := replace(unsettled, unsettled=False, event_seq=1))])

    assert books.store.execution(born.execution_id) == born
    assert (before, books.store.execution(unsettled.execution_id)) == (unsettled, settled)


def test_an_ended_execution_that_is_not_settled_is_found_as_due_for_resolution(books: Books) -> None:
    books.save(completed(a_member(1), unsettled=True), completed(a_member(2)))

    found = books.store.due("resolution", NOW, None, 10)

    assert [due.execution_id for due in found] == [member_id(1)]


# ── what a batch is shown ────────────────────────────────────────────────────────────────────────


def test_the_flows_of_executions_are_those_of_members(chain: Books) -> None:
    solo = a_solo(99)
    chain.save(solo)
    named = {member_id(2), solo.execution_id}

    loaded = chain.load(Needs(executions=named, flows_of=named))

    assert set(loaded.flows) == {flow_id()}
    assert set(loaded.executions) == named


def test_outgoing_comes_with_the_groups_and_executions_it_leads_to(chain: Books) -> None:
    loaded = chain.load(Needs(executions=ids(1, 4), outgoing=ids(1, 4)))

    assert loaded.outgoing == {member_id(1): keys("1-2"), member_id(4): []}
    assert loaded.groups == {member_id(2): a_group(2, total=1)}
    assert set(loaded.executions) == ids(1, 2, 4)
    assert loaded.edges == {(flow_id(), "1-2"): an_edge(1, 2)}


def test_reach_goes_on_to_the_end_and_knows_where_that_is(chain: Books) -> None:
    loaded = chain.load(Needs(reach=ids(2)))

    assert loaded.outgoing == {member_id(2): keys("2-3"), member_id(3): keys("3-4"), member_id(4): []}
    assert set(loaded.groups) == ids(3, 4)
    assert set(loaded.executions) - ids(2) == ids(3, 4)


def test_where_paths_meet_every_edge_is_told_once(books: Books) -> None:
    members = [a_member(n) for n in range(1, 301)]
    fan = [an_edge(n, 300) for n in range(1, 300)]
    books.save(
        a_flow(), *members, *fan, an_edge(300, 400), blocked(400), a_group(300, total=299), a_group(400, total=1)
    )

    loaded = books.load(Needs(reach=ids(*range(1, 300))))

    assert loaded.outgoing[member_id(300)] == keys("300-400")
    assert loaded.outgoing[member_id(400)] == []
    assert all(loaded.outgoing[member_id(n)] == keys(f"{n}-300") for n in range(1, 300))
    assert set(loaded.groups) == ids(300, 400)


def test_what_lies_beyond_is_read_although_the_first_edges_are_known(chain: Books) -> None:
    loaded = chain.load(Needs(outgoing=ids(1)), Needs(reach=ids(1)))

    assert loaded.outgoing[member_id(3)] == keys("3-4")


def test_incoming_comes_with_its_group_and_the_executions_it_comes_from(chain: Books) -> None:
    loaded = chain.load(Needs(incoming=ids(1, 3)))

    assert loaded.incoming == {member_id(1): [], member_id(3): keys("2-3")}
    assert loaded.groups.keys() - ids(1, 2) == ids(3)
    assert loaded.groups[member_id(3)] == a_group(3, total=1)
    assert set(loaded.executions) - ids(1, 3) == ids(2)


def test_a_group_that_no_edge_leads_to_yet_is_there_all_the_same(books: Books) -> None:
    group = a_group(1, join=Quorum(2))
    books.save(a_flow(), a_member(1), group)

    loaded = books.load(Needs(groups=ids(1)), Needs(incoming=ids(1)))

    assert loaded.groups == {member_id(1): group}
    assert loaded.incoming == {member_id(1): []}


def test_a_whole_flow_is_all_its_members_edges_and_groups(chain: Books) -> None:
    loaded = chain.load(Needs(flows={flow_id()}, whole_flows={flow_id()}))

    assert loaded.members == {flow_id(): [member_id(n) for n in (1, 2, 3, 4)]}
    assert loaded.outgoing == {
        member_id(1): keys("1-2"),
        member_id(2): keys("2-3"),
        member_id(3): keys("3-4"),
        member_id(4): [],
    }
    assert loaded.incoming == {
        member_id(1): [],
        member_id(2): keys("1-2"),
        member_id(3): keys("2-3"),
        member_id(4): keys("3-4"),
    }
    assert set(loaded.groups) == ids(2, 3, 4)
    assert set(loaded.executions) == ids(1, 2, 3, 4)


def test_a_flow_without_members_is_whole_too(books: Books) -> None:
    books.save(a_flow())

    loaded = books.load(Needs(flows={flow_id()}, whole_flows={flow_id()}))

    assert loaded.members == {flow_id(): []}


def test_edges_are_in_the_order_of_code_points(books: Books) -> None:
    names = ["B", "a", "ä", "z", "\uffff", "\U0001f600", "10", "9", "a ", "A"]
    books.save(a_flow(), a_member(1), blocked(2), a_group(2), *[an_edge(1, 2, name) for name in names])

    loaded = books.load(Needs(outgoing=ids(1), incoming=ids(2)))
    listed = books.store.edges(flow_id(), None, None)

    assert loaded.outgoing[member_id(1)] == keys(*sorted(names))
    assert loaded.incoming[member_id(2)] == keys(*sorted(names))
    assert [edge.edge_id for edge in listed] == sorted(names)


def test_edges_are_found_by_their_ids(chain: Books) -> None:
    asked = {(flow_id(), "1-2"), (flow_id(2), "1-2"), (flow_id(), "1-3")}

    assert chain.load(Needs(edges=asked)).edges == {(flow_id(), "1-2"): an_edge(1, 2)}


def test_inputs_are_the_results_of_the_lives_that_satisfied_the_edges(books: Books) -> None:
    resolved = {"outcome": "success", "generation": 0, "resolved_at_ms": NOW}
    books.save(
        a_flow(),
        *[a_member(n) for n in range(1, 7)],
        an_edge(1, 6, "large", pass_result_as="large", **{**resolved, "generation": 2}),
        an_edge(2, 6, "empty", pass_result_as="empty", **resolved),
        an_edge(3, 6, "none", pass_result_as="none", **resolved),
        an_edge(4, 6, "lost", pass_result_as="lost", outcome="failed", resolved_at_ms=NOW),
        an_edge(5, 6, "silent", **resolved),
        a_group(6, total=5, passes_results=True),
        results={
            (member_id(1), 1): b"of an earlier life",
            (member_id(1), 2): b"x" * 4097,
            (member_id(1), 3): b"of a later life",
            (member_id(2), 0): b"",
            (member_id(4), 0): b"not passed",
            (member_id(5), 0): b"not passed",
        },
    )

    loaded = books.load(Needs(inputs=ids(1, 6)))

    assert loaded.passing == {member_id(1): [], member_id(6): keys("empty", "large", "lost", "none")}
    assert loaded.results == {(member_id(1), 2): b"x" * 4097, (member_id(2), 0): b""}


def test_the_accounts_of_a_cancel_are_found_by_their_keys(chain: Books) -> None:
    backlog = CancelBacklog(flow_id(), NOW, 1)
    ack = PendingAck(flow_id(), member_id(1), NOW + 5)
    chain.save(
        backlogs={flow_id(): backlog},
        acks={(flow_id(), member_id(1)): ack},
        cancelled_members={flow_id(): (member_id(3), member_id(1))},
    )

    loaded = chain.load(
        Needs(
            backlogs={flow_id(), flow_id(2)},
            acks={(flow_id(), member_id(1)), (flow_id(), member_id(2))},
            cancelled_members={flow_id(), flow_id(2)},
        )
    )

    assert loaded.backlogs == {flow_id(): backlog}
    assert loaded.acks == {(flow_id(), member_id(1)): ack}
    assert loaded.cancelled_members == {flow_id(): (member_id(3), member_id(1))}


def test_the_accounts_of_a_cancel_are_settled_one_by_one(chain: Books) -> None:
    owed = {(flow_id(), member_id(n)): PendingAck(flow_id(), member_id(n), NOW + n) for n in (1, 2)}
    chain.save(backlogs={flow_id(): CancelBacklog(flow_id(), NOW, 2)}, acks=owed)

    chain.save(backlogs={flow_id(): CancelBacklog(flow_id(), NOW, 1)}, acks={(flow_id(), member_id(1)): None})
    after_one = chain.load(Needs(backlogs={flow_id()}, acks=set(owed)))
    chain.save(backlogs={flow_id(): None}, acks={(flow_id(), member_id(2)): None})
    after_both = chain.load(Needs(backlogs={flow_id()}, acks=set(owed)))

    assert after_one.backlogs[flow_id()].pending_count == 1
    assert set(after_one.acks) == {(flow_id(), member_id(2))}
    assert (after_both.backlogs, after_both.acks) == ({}, {})


def test_candidates_of_a_claim_come_with_their_flows_and_inputs(books: Books) -> None:
    books.save(
        a_flow(),
        a_member(1),
        a_member(2),
        an_edge(1, 2, pass_result_as="total", outcome="success", generation=0, resolved_at_ms=NOW),
        a_group(2, total=1, success_count=1, state="satisfied", passes_results=True),
        a_flow(2, state="running", started_at_ms=NOW),
        a_member(3, 2),
        a_solo(4),
        results={(member_id(1), 0): b"42"},
    )

    loaded = books.load(Needs(claims={ANY_WORK: 10}))

    assert set(loaded.flows) == {flow_id()}
    assert loaded.started_flows == {flow_id(2)}
    assert loaded.passing == {member_id(1): [], member_id(2): keys("1-2"), member_id(3, 2): []}
    assert loaded.results == {(member_id(1), 0): b"42"}
    assert len(loaded.candidates[ANY_WORK]) == 4


# ── results by life ──────────────────────────────────────────────────────────────────────────────


def test_a_result_belongs_to_one_life_and_the_present_one_is_shown(books: Books) -> None:
    x = completed(a_member(1))
    books.save(x, results={(x.execution_id, 0): b"first"})

    books.save(executions=[(x, replayed := replace(x, replay_count=1))])
    before = books.store.result(x.execution_id)
    books.save(results={(x.execution_id, 1): b"second"})
    after = books.store.result(x.execution_id)
    books.save(executions=[(replayed, x)], results={(x.execution_id, 1): None})

    assert (before, after, books.store.result(x.execution_id)) == (None, b"second", b"first")


# ── what is gone ─────────────────────────────────────────────────────────────────────────────────


def test_a_flow_goes_with_everything_that_belongs_to_it_and_nothing_else(books: Books) -> None:
    def everything(flow: int) -> tuple:
        first = 10 * flow
        return a_flow(flow), a_member(first, flow), an_edge(first, first, flow=flow), a_group(first, flow)

    def whole(flow: int) -> Needs:
        key, member = flow_id(flow), member_id(10 * flow, flow)
        return Needs(
            flows={key},
            whole_flows={key},
            groups={member},
            edges={(key, everything(flow)[2].edge_id)},
            backlogs={key},
            acks={(key, member)},
            cancelled_members={key},
        )

    for flow in (1, 2):
        member = member_id(10 * flow, flow)
        books.save(
            *everything(flow),
            events=[
                Event(0, "operator", "flow_cancel_requested", "default", None, flow_id(flow), 1, {}, NOW),
                Event(0, "operator", "held", "default", member, flow_id(flow), 1, {}, NOW),
            ],
            results={(member, 0): b"first", (member, 1): b"second"},
            backlogs={flow_id(flow): CancelBacklog(flow_id(flow), NOW, 1)},
            acks={(flow_id(flow), member): PendingAck(flow_id(flow), member, NOW)},
            cancelled_members={flow_id(flow): (member,)},
        )
    before = books.load(whole(2))

    flow, member, *_ = everything(1)
    books.save(executions=[(member, None)], flows=[(flow, None)])

    assert books.load(whole(1)) == Loaded(members={flow_id(): []})
    assert books.load(whole(2)) == before
    assert {event.flow_id for event in books.store.events(None, EventFilter(), 10).events} == {flow_id(2)}
    books.save(member)  # nothing is in the way of the same ids
    assert books.store.result(member.execution_id) is None


def test_a_flow_and_its_member_may_share_a_uuid_and_each_counts_its_own_events(books: Books) -> None:
    flow, member = a_flow(1), a_member(1)
    books.save(
        flow,
        member,
        events=[
            Event(0, "completion", "flow_completed", "default", None, flow_id(), 1, {}, NOW),
            Event(0, "completion", "completed", "default", member_id(1), flow_id(), 1, {}, NOW),
        ],
    )

    of_both = books.store.events(None, EventFilter(flow_id=flow_id()), 10).events
    of_member = books.store.events(None, EventFilter(execution_id=member_id(1)), 10).events
    books.save(executions=[(member, None)])
    left = books.store.events(None, EventFilter(), 10).events

    assert [event.event_type for event in of_both] == ["flow_completed", "completed"]
    assert [event.event_type for event in of_member] == ["completed"]
    assert [event.event_type for event in left] == ["flow_completed"]


def test_a_reader_whom_the_purge_of_a_flow_overtakes_is_told_so(books: Books) -> None:
    flow = a_flow()
    own = Event(0, "operator", "flow_cancel_requested", "default", None, flow_id(), 1, {}, NOW)
    before = books.store.events_from_now()
    books.save(flow, events=[own])
    at_end = books.store.events_from_now()

    books.save(flows=[(flow, None)])

    assert books.store.events(at_end, EventFilter(), 10).events == []
    with pytest.raises(InvalidInput, match="purged by retention"):
        books.store.events(before, EventFilter(), 10)


# ── what others read ─────────────────────────────────────────────────────────────────────────────


def test_a_view_counts_the_pending_edges_whose_upstream_has_not_ended(books: Books) -> None:
    groups = [a_group(5, total=5, success_count=2), a_group(3, total=1), a_group(6)]
    books.save(
        a_flow(),
        a_member(1),
        a_member(2),
        completed(a_member(3)),
        completed(a_member(4), unsettled=True),
        blocked(5),
        a_member(6),
        an_edge(1, 5),
        an_edge(2, 5),
        an_edge(3, 5, outcome="success", resolved_at_ms=NOW),
        an_edge(4, 5),
        an_edge(2, 5, "before its replay", outcome="success", resolved_at_ms=NOW),
        an_edge(1, 3),
        *groups,
    )

    view = books.store.flow_view(flow_id())

    assert view is not None
    assert view.flow == a_flow()
    assert view.groups == [
        GroupView(groups[1], downstream_has_ended=True, running_count=1),
        GroupView(groups[0], downstream_has_ended=False, running_count=2),
        GroupView(groups[2], downstream_has_ended=False, running_count=0),
    ]


def test_a_view_names_the_members_whose_acknowledgement_is_owed_by_id(chain: Books) -> None:
    chain.save(acks={(flow_id(), member_id(n)): PendingAck(flow_id(), member_id(n), NOW - n) for n in (3, 1, 2)})

    view = chain.store.flow_view(flow_id())

    assert view is not None
    assert view.pending_acks == [member_id(n) for n in (1, 2, 3)]
    assert chain.store.flow_view(flow_id(9)) is None


def test_flows_are_listed_newest_first_and_page_by_page(books: Books) -> None:
    flows = [a_flow(n, created_at_ms=NOW + n // 3) for n in range(1, 11)]
    books.save(*flows)
    listed: list[Flow] = []
    after = None

    while page := books.store.flows(FlowFilter(), after, 3):
        listed += page
        last = page[-1]
        after = ListPosition(last.created_at_ms, last.flow_id, flow_partition(last.flow_id))

    assert listed == sorted(flows, key=lambda flow: (flow.created_at_ms, flow.flow_id), reverse=True)


def test_a_list_of_flows_shows_one_namespace_or_one_state(books: Books) -> None:
    books.save(a_flow(1), a_flow(2, namespace="tenant"), a_flow(3, state="running"))

    of_tenant = books.store.flows(FlowFilter(namespace="tenant"), None, 10)
    running = books.store.flows(FlowFilter(state="running"), None, 10)

    assert [flow.flow_id for flow in of_tenant] == [flow_id(2)]
    assert [flow.flow_id for flow in running] == [flow_id(3)]


def test_edges_are_listed_by_either_end_or_both_of_one_flow_only(chain: Books) -> None:
    chain.save(an_edge(1, 3), an_edge(2, 3, "again"))

    def listed(upstream: int | None, downstream: int | None, flow: int = 1) -> list[str]:
        ends = (None if end is None else member_id(end) for end in (upstream, downstream))
        return [edge.edge_id for edge in chain.store.edges(flow_id(flow), *ends)]

    assert listed(1, None) == ["1-2", "1-3"]
    assert listed(None, 3) == ["1-3", "2-3", "again"]
    assert listed(1, 3) == ["1-3"]
    assert listed(None, None, flow=2) == ["11-12"]
    assert listed(1, None, flow=2) == []


def test_the_members_of_a_flow_are_listed_newest_first(chain: Books) -> None:
    chain.save(a_member(5, created_at_ms=NOW + 5), a_solo(6))

    listed = chain.store.executions(ExecutionFilter(flow_id=flow_id()), None, 10)
    blocked_ones = chain.store.executions(ExecutionFilter(flow_id=flow_id(), public_state="waiting_children"), None, 10)

    assert [x.execution_id for x in listed] == [member_id(n) for n in (5, 4, 3, 2, 1)]
    assert [x.execution_id for x in blocked_ones] == [member_id(n) for n in (4, 3, 2)]


def test_blocked_executions_are_found_with_what_they_wait_for_page_by_page(chain: Books) -> None:
    chain.save(blocked(7))
    found = []

    page = chain.store.side_rows(None, 2)
    found += page.rows
    while page.next_after is not None:
        page = chain.store.side_rows(page.next_after, 2)
        found += page.rows
    found = [row for row in found if row.execution.eligibility_state == "blocked_by_dependencies"]

    assert {row.execution.execution_id for row in found} == ids(2, 3, 4, 7) | {member_id(12, 2)}
    assert {row.execution.execution_id for row in found if row.group is None} == ids(7)
    assert all(row.group == a_group(3, total=1) for row in found if row.execution.execution_id == member_id(3))
    assert all(row.ready_is_right and row.due_is_right for row in found)


def test_flows_whose_retention_is_over_are_found_earliest_first(books: Books) -> None:
    over = {"state": "completed", "terminal_at_ms": NOW, "at_rest_since_ms": NOW}
    books.save(a_flow(1), a_flow(2, retention_ms=10, **over), a_flow(3, retention_ms=51, **over), a_flow(4, **over))
    books.save(a_flow(5, retention_ms=0))
    books.save(flows=[(a_flow(1), a_flow(1, retention_ms=50, **over))])

    assert books.store.expired(expiring.FLOWS, NOW + 50, 10) == [flow_id(2), flow_id(1)]
    assert books.store.expired(expiring.FLOWS, NOW + 50, 1) == [flow_id(2)]


def test_acknowledgements_that_nobody_waits_for_are_found_earliest_first(chain: Books) -> None:
    chain.save(acks={(flow_id(), member_id(n)): PendingAck(flow_id(), member_id(n), NOW + 3 - n) for n in (2, 3, 4)})

    assert chain.store.expired(expiring.ACKS, NOW, 10) == [(flow_id(), member_id(n)) for n in (4, 3)]
    assert chain.store.expired(expiring.ACKS, NOW, 1) == [(flow_id(), member_id(4))]
