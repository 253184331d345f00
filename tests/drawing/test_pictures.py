"""The picture of a flow: what is shown as one, joins, states, the critical path, and SVG."""

import random
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowfabric import AllOf, AnyOf, Quorum
from flowfabric.domain.snapshots import Failure
from flowfabric.domain.states import PUBLIC_STATES
from flowfabric.drawing.collapsing import ALIKE_MIN
from flowfabric.drawing.picture import MOST_TELLING, Records, draw, layout_of, plan
from flowfabric.drawing.svg import SHAPES, svg_of
from tests.drawing.pictures import FOLDER, NOW_MS, PICTURES, a_diamond, a_fan, all_joins, drawn
from tests.drawing.records import a_flow, a_member

SVG = "{http://www.w3.org/2000/svg}"


def on_path(records: Records, now_ms: int = NOW_MS) -> list[str]:
    return [node.label for node in layout_of(records, now_ms).nodes if node.on_critical_path]


# ── golden files ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_one_that_was_looked_at(name: str) -> None:
    kept = (FOLDER / f"{name}.svg").read_text()
    assert drawn(name) == kept, "If this is meant: python -m tests.drawing.pictures, and look at the pictures."


# ── why members were skipped ─────────────────────────────────────────────────────────────────────


def test_a_skipped_member_names_the_failed_one_however_far_above_it_is() -> None:
    members = [
        a_member("pack", "pack", "completed"),
        a_member("charge", "charge", "failed", (0, 5), Failure("CardDeclined", "no")),
        a_member("ship", "ship", "skipped"),
        a_member("thank", "thank", "skipped"),
    ]
    nodes = layout_of(a_flow(members, [("pack", "ship"), ("charge", "ship"), ("ship", "thank")]), NOW_MS).nodes

    assert [node.cause and (node.cause.name, node.cause.state) for node in nodes] == [
        None, None, ("charge", "failed"), ("charge", "failed"),
    ]  # fmt: skip
    picture = svg_of(layout_of(a_flow(members, [("charge", "ship"), ("ship", "thank")]), NOW_MS))
    assert "skipped because of charge, which is failed" in picture


def test_a_cause_that_was_replayed_is_still_the_cause() -> None:
    records = a_flow(
        [a_member("charge", "charge", "failed"), a_member("ship", "ship", "skipped")], [("charge", "ship")]
    )
    charge = msgspec.structs.replace(records.members[0], public_state="completed")

    ship = layout_of(records._replace(members=[charge, records.members[1]]), NOW_MS).nodes[1]

    assert ship.cause is not None
    assert (ship.cause.name, ship.cause.state) == ("charge", "completed")


def test_a_picture_says_which_members_were_replayed() -> None:
    records = a_fan()
    again = msgspec.structs.replace(records.members[7], replay_count=1)

    nodes = layout_of(records._replace(members=[*records.members[:7], again, *records.members[8:]]), NOW_MS).nodes

    assert [node.was_replayed for node in nodes] == [False, True, False]


def test_of_two_causes_the_one_that_ended_first_is_named() -> None:
    members = [
        a_member("late", "late", "failed", (0, 9)),
        a_member("early", "early", "failed", (0, 3)),
        a_member("ship", "ship", "skipped"),
    ]
    ship = layout_of(a_flow(members, [("late", "ship"), ("early", "ship")]), NOW_MS).nodes[2]

    assert ship.cause is not None
    assert ship.cause.name == "early"


def test_a_skipped_member_whose_cause_was_removed_has_none() -> None:
    assert layout_of(a_flow([a_member("ship", "ship", "skipped")], []), NOW_MS).nodes[0].cause is None


# ── groups ───────────────────────────────────────────────────────────────────────────────────────


def test_members_that_are_alike_share_a_node_with_a_bar_of_their_states() -> None:
    layout = layout_of(a_fan(), NOW_MS)
    assert [node.label for node in layout.nodes] == ["split", "encode × 48", "merge"]
    group = layout.nodes[1]
    assert (group.state, group.count) == ("failed", 48)
    assert dict(group.states) == {"failed": 2, "active": 4, "waiting": 12, "completed": 30}
    assert next(iter(group.states)) == "failed"
    assert [(edge.source, edge.target, edge.count) for edge in layout.edges] == [
        ("split", "encode0", 48),
        ("encode0", "merge", 48),
    ]
    assert (layout.progress.total, layout.progress.ended) == (50, 34)


def test_a_group_opens_if_one_of_its_members_is_named() -> None:
    opened = layout_of(a_fan(), NOW_MS, ["encode17"])
    assert len(opened.nodes) == 50
    assert all(node.count == 1 and node.members is None for node in opened.nodes)
    assert len(layout_of(a_fan(), NOW_MS, ["split"]).nodes) == 3
    assert len(layout_of(a_fan(), NOW_MS, None).nodes) == 50


def test_a_few_that_are_alike_are_shown_one_by_one() -> None:
    alike = [a_member(f"m{number}", "same") for number in range(ALIKE_MIN - 1)]
    assert len(layout_of(a_flow(alike, []), NOW_MS).nodes) == ALIKE_MIN - 1
    assert len(layout_of(a_flow([*alike, a_member("more", "same")], []), NOW_MS).nodes) == 1


def test_members_with_other_kinds_upstreams_or_downstreams_are_not_alike() -> None:
    names = [f"m{number}" for number in range(4)]
    same = [a_member("a", "a"), a_member("z", "z"), *(a_member(name, "same") for name in names)]
    whole = [*(("a", name) for name in names), *((name, "z") for name in names)]
    assert len(layout_of(a_flow(same, whole), NOW_MS).nodes) == 3
    assert len(layout_of(a_flow(same, whole[1:]), NOW_MS).nodes) == 6
    assert len(layout_of(a_flow(same, whole[:-1]), NOW_MS).nodes) == 6
    assert len(layout_of(a_flow([*same[:-1], a_member("m3", "other")], whole), NOW_MS).nodes) == 6


def test_members_with_other_joins_are_not_alike() -> None:
    ends = [f"end{number}" for number in range(8)]
    members = [a_member("a", "a"), a_member("b", "b"), *(a_member(name, "end") for name in ends)]
    edges = [(source, name) for name in ends for source in ("a", "b")]
    joins = {name: AnyOf() if number < 4 else AllOf() for number, name in enumerate(ends)}
    layout = layout_of(a_flow(members, edges, joins), NOW_MS)
    assert [(node.count, node.join.label) for node in layout.nodes if node.join] == [(4, "any of 2"), (4, "all 2")]


@st.composite
def flows(draw: st.DrawFn) -> Records:
    count, density = draw(st.integers(0, 30)), draw(st.integers(0, 2))
    chance = random.Random(draw(st.integers(0, 2**32)))
    members = [a_member(f"m{n}", chance.choice("ab"), chance.choice(PUBLIC_STATES)) for n in range(count)]
    pairs = [sorted((chance.randrange(count), chance.randrange(count))) for _ in range(count * density)]
    joins = {f"m{n}": chance.choice((AnyOf(), Quorum(2), AllOf())) for n in range(count)}
    return a_flow(members, sorted({(f"m{a}", f"m{b}") for a, b in pairs if a != b}), joins)


@given(flows())
@settings(max_examples=40, deadline=None)
def test_collapsing_loses_no_member_and_no_edge(records: Records) -> None:
    layout = layout_of(records, NOW_MS)
    shown = [key for node in layout.nodes for key in node.members or [node.id]]
    assert sorted(shown) == sorted(x.execution_id for x in records.members)
    assert sum(node.count for node in layout.nodes) == len(records.members) == layout.progress.total
    assert sum(edge.count for edge in layout.edges) == len(records.edges)
    home = {key: node.id for node in layout.nodes for key in node.members or [node.id]}
    assert {(e.source, e.target) for e in layout.edges} == {
        (home[e.upstream], home[e.downstream]) for e in records.edges
    }
    ElementTree.fromstring(svg_of(layout))


@given(flows())
@settings(max_examples=40, deadline=None)
def test_the_critical_path_is_a_chain_from_a_beginning_to_an_end(records: Records) -> None:
    layout = layout_of(records, NOW_MS, None)
    chain = {node.id for node in layout.nodes if node.on_critical_path}
    steps = [(edge.source, edge.target) for edge in layout.edges if edge.on_critical_path]
    assert len(chain) == (len(steps) + 1 if records.members else 0)
    assert {key for step in steps for key in step} <= chain
    ends = chain - {source for source, _ in steps}
    assert all(edge.upstream not in ends for edge in records.edges)


# ── joins, states, the critical path ─────────────────────────────────────────────────────────────


def test_joins_are_drawn_as_what_they_are() -> None:
    joins = {node.label: node.join for node in layout_of(all_joins(), NOW_MS).nodes if node.join is not None}
    assert [(join.rule, join.needed, join.total, join.completed, join.label) for join in joins.values()] == [
        ("quorum", 2, 5, 2, "2 of 5"),
        ("any", 1, 3, 0, "any of 3"),
        ("all", 3, 3, 1, "all 3"),
    ]
    assert joins["decide"].state == "satisfied"


def test_every_state_has_a_shape_of_its_own_and_a_rank() -> None:
    assert set(SHAPES) == set(MOST_TELLING) == set(PUBLIC_STATES)
    assert len(set(SHAPES.values())) == len(PUBLIC_STATES)


def test_the_critical_path_leads_through_the_member_that_takes_longest() -> None:
    assert on_path(a_diamond()) == ["fetch", "video", "publish"]


def test_what_has_not_started_is_expected_to_take_as_long_as_others_of_its_kind() -> None:
    members = [
        a_member("quick", "quick", "completed", (0, 10)),
        a_member("slow", "slow", "completed", (0, 500)),
        a_member("quick2", "quick"),
        a_member("slow2", "slow"),
    ]
    assert on_path(a_flow(members, [("quick", "slow2"), ("slow", "quick2")])) == ["slow", "quick2"]
    # Both chains take 510. With one more quick member the other one is longer.
    longer = [*members, a_member("quick3", "quick")]
    edges = [("quick", "slow2"), ("slow", "quick2"), ("slow2", "quick3")]
    assert on_path(a_flow(longer, edges)) == ["quick", "slow2", "quick3"]


@pytest.mark.parametrize(
    ("join", "waited_for"), [(AllOf(), "c"), (AnyOf(), "a"), (Quorum(2), "b"), (Quorum(9), "c")], ids=repr
)
def test_a_join_waits_by_its_rule(join: AllOf | AnyOf | Quorum, waited_for: str) -> None:
    members = [
        *(a_member(name, name, "completed", (0, ends)) for name, ends in (("a", 10), ("b", 20), ("c", 30))),
        a_member("end", "end", "active", (30, None)),
    ]
    assert on_path(a_flow(members, [(name, "end") for name in "abc"], {"end": join})) == [waited_for, "end"]


def test_any_does_not_wait_for_what_failed_first() -> None:
    members = [
        a_member("a", "a", "failed", (0, 10)),
        a_member("b", "b", "completed", (0, 20)),
        a_member("end", "end", "active", (30, None)),
    ]
    assert on_path(a_flow(members, [("a", "end"), ("b", "end")], {"end": AnyOf()})) == ["b", "end"]


# ── plans and fresh states ───────────────────────────────────────────────────────────────────────


def test_a_plan_can_be_kept_while_states_change() -> None:
    before = a_diamond()
    planned = plan(before)
    moved = [msgspec.structs.replace(x, public_state="completed") for x in before.members]
    after = draw(planned, before._replace(members=moved), NOW_MS)
    places = [(node.x, node.y) for node in after.nodes]
    assert places == [(node.x, node.y) for node in layout_of(before, NOW_MS).nodes]
    assert {node.state for node in after.nodes} == {"completed"}


def test_an_edge_of_a_member_that_was_added_while_the_flow_was_read_is_left_out() -> None:
    records = a_diamond()
    fewer = records._replace(members=records.members[:3])
    layout = layout_of(fewer, NOW_MS)
    assert [node.label for node in layout.nodes] == ["fetch", "audio", "video"]
    assert len(layout.edges) == 2


def test_a_flow_without_members_is_an_empty_frame() -> None:
    layout = layout_of(a_flow([], []), NOW_MS)
    assert (layout.nodes, layout.edges, layout.progress.total) == ([], [], 0)
    assert "there are no members yet" in svg_of(layout)


# ── SVG ──────────────────────────────────────────────────────────────────────────────────────────

PLANTED = [
    "</text><script>alert(1)</script>",
    '"><image href="x" onerror="alert(1)"/>',
    "]]><!--",
    "&lt;b&gt; &amp;",
    "\x1b[2J\x00\x9b\ufffe",
    "\u202eright to left",
]


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_markup_stays_text(planted: str) -> None:
    """In every field that comes from others."""
    failed = a_member(planted, planted, "failed", None, Failure(planted, planted))
    alike = [a_member(f"{planted}{number}", planted) for number in range(6)]
    text = svg_of(layout_of(a_flow([failed, *alike], [(planted, f"{planted}0")], kind=planted), NOW_MS))
    root = ElementTree.fromstring(text)
    known = {"svg", "title", "desc", "style", "defs", "marker", "path", "g", "rect", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    assert not any(name.startswith("on") or "href" in name for element in root.iter() for name in element.attrib)
    labels = [element.text or "" for element in root.iter(f"{SVG}text")]
    if planted.isprintable():
        assert planted[:15] in "".join(labels)
    assert not set("\x00\x1b\x9b") & set(text)


def test_long_names_are_shortened() -> None:
    text = svg_of(layout_of(a_flow([a_member("n" * 1_000, "k" * 1_000)], []), NOW_MS))
    (label, _) = [element.text or "" for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert len(label) == 28
    assert label.endswith("…")
