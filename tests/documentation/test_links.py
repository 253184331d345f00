"""Links between files lead somewhere: to a file that is there, and to a heading that it has. `make check` runs this."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md")])
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def links_in(page: Path) -> list[str]:
    return LINK.findall(CODE.sub("code", page.read_text()))


@cache
def anchors_of(page: Path) -> set[str]:
    """As forges make them of headings: letters, digits, hyphens; a heading that comes again gets a number."""
    without_blocks = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    anchors: Counter[str] = Counter()
    found = set()
    for heading in HEADING.findall(without_blocks):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found.add(f"{anchor}-{anchors[anchor]}" if anchors[anchor] else anchor)
        anchors[anchor] += 1
    return found


def is_broken(page: Path, link: str) -> bool:
    if re.match(r"https?://", link):
        return False
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.is_file() or not target.is_relative_to(ROOT):
        return True
    return bool(anchor) and anchor not in anchors_of(target)


def test_every_link_leads_to_a_file_and_a_heading_that_are_there() -> None:
    broken = [f"{page.relative_to(ROOT)}: {link}" for page in PAGES for link in links_in(page) if is_broken(page, link)]

    assert broken == []


def test_links_are_found_and_broken_ones_are_noticed() -> None:
    readme = ROOT / "README.md"

    assert "docs/tasks.md" in links_in(readme)
    assert not is_broken(readme, "docs/tasks.md#arguments-and-results")
    assert is_broken(readme, "docs/tasks.md#no-such-heading")
    assert is_broken(readme, "docs/no-such-page.md")
    assert is_broken(readme, "../outside.md")
