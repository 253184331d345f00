"""The site has every page and every public name. `make docs` builds it, and looks again at what it has built."""

import re
from pathlib import Path
from typing import Any

import yaml

import flowfabric
from flowfabric import testing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MADE_OF = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "vulnerabilities.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
    "license.md": "LICENSE",
}
"""Pages that the site makes of files outside docs/."""


def pages_in(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav if isinstance(nav, list) else nav.values()
    return [page for part in parts for page in pages_in(part)]


def test_every_page_and_every_example_has_one_place_in_the_navigation() -> None:
    nav = pages_in(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])

    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    examples = {f"examples/{example.stem}.md" for example in (ROOT / "examples").glob("*.py")}
    in_other_languages = {f"examples/{name}.md" for name in ("worker.go", "worker.mjs")}

    assert sorted(nav) == sorted({*pages, *examples, *in_other_languages, *MADE_OF})
    assert all((ROOT / name).is_file() for name in MADE_OF.values())


def test_the_reference_has_every_public_name_once() -> None:
    entries = [
        entry
        for page in (DOCS / "reference").glob("*.md")
        for entry in re.findall(r"^::: (\S+)$", page.read_text(), re.MULTILINE)
    ]

    public = {f"flowfabric.{name}" for name in flowfabric.__all__}
    for_tests = {f"flowfabric.testing.{name}" for name in {*testing.__all__} - {*flowfabric.__all__}}

    assert sorted(entries) == sorted(public | for_tests)


def test_every_decision_is_listed_and_says_what_would_change_it() -> None:
    listed = set(re.findall(r"\]\((\S+\.md)\)", (DOCS / "decisions" / "index.md").read_text()))

    for decision in (DOCS / "decisions").glob("*.md"):
        if decision.name != "index.md":
            parts = re.findall(r"^## (.+)$", decision.read_text(), re.MULTILINE)
            assert decision.name in listed
            assert parts == ["Context", "Decision", "Consequences", "What would change our mind"], decision.name
