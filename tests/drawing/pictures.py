"""The pictures that are kept in `golden`. `python -m tests.drawing.pictures` draws them anew: look at what changed."""

from collections.abc import Callable
from pathlib import Path

from flowfabric import AnyOf, Quorum
from flowfabric.domain.snapshots import Failure
from flowfabric.drawing.picture import Records, layout_of
from flowfabric.drawing.svg import svg_of
from tests.drawing.records import a_flow, a_member

FOLDER = Path(__file__).parent / "golden"
NOW_MS = 10_000


def a_diamond() -> Records:
    """The smallest flow with a join."""
    members = [
        a_member("fetch", "fetch", "completed", (0, 1_000)),
        a_member("audio", "audio", "completed", (1_000, 2_000)),
        a_member("video", "video", "active", (1_000, None)),
        a_member("publish", "publish", "waiting_children"),
    ]
    return a_flow(members, [("fetch", "audio"), ("fetch", "video"), ("audio", "publish"), ("video", "publish")])


def a_fan() -> Records:
    """Many members that are alike, in several states."""
    states = ["completed"] * 30 + ["failed"] * 2 + ["active"] * 4 + ["waiting"] * 12
    members = [
        a_member("split", "split", "completed", (0, 500)),
        *(a_member(f"encode{number}", "encode", state) for number, state in enumerate(states)),
        a_member("merge", "merge", "skipped"),
    ]
    edges = [("split", f"encode{number}") for number in range(len(states))]
    return a_flow(members, [*edges, *((name, "merge") for _, name in edges)])


def all_joins() -> Records:
    """Every rule of a join, an edge that passes layers, and text that is dangerous."""
    members = [
        a_member("ask", "ask", "completed", (0, 100)),
        *(a_member(f"vote{n}", f"vote{n}", "completed" if n < 2 else "waiting", None) for n in range(5)),
        *(a_member(f"hedge{n}", f"hedge{n}", "suspended") for n in range(3)),
        a_member("decide", "decide", "active", (100, None)),
        a_member("answer", "answer", "waiting_children"),
        a_member("</text><script>alert(1)</script>", "mail", "failed", None, Failure("no & no", '<b a="1">\x1b[2J')),
    ]
    votes, hedges = [f"vote{n}" for n in range(5)], [f"hedge{n}" for n in range(3)]
    edges = [
        *(("ask", name) for name in votes + hedges),
        *((name, "decide") for name in votes),
        *((name, "answer") for name in hedges),
        ("ask", "</text><script>alert(1)</script>"),
        ("decide", "</text><script>alert(1)</script>"),
        ("answer", "</text><script>alert(1)</script>"),
    ]
    return a_flow(members, edges, {"decide": Quorum(2), "answer": AnyOf()})


PICTURES: dict[str, Callable[[], Records]] = {"diamond": a_diamond, "fan": a_fan, "joins": all_joins}


def drawn(name: str) -> str:
    return svg_of(layout_of(PICTURES[name](), NOW_MS))


if __name__ == "__main__":
    for each in PICTURES:
        (FOLDER / f"{each}.svg").write_text(drawn(each))
