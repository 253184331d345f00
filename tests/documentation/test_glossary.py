"""The glossary is short, and every noun in it is one that the pages use."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
MOST = 40
NOUNS = re.findall(r"^\| ([a-z ]+) \| ([A-Z].*\.) \|$", GLOSSARY.read_text(), re.MULTILINE)


def test_the_glossary_has_at_most_forty_nouns_each_once() -> None:
    nouns = [noun for noun, _ in NOUNS]

    assert 20 <= len(nouns) <= MOST
    assert len(set(nouns)) == len(nouns)


def test_every_row_of_the_glossary_is_a_noun_with_one_or_two_sentences() -> None:
    rows = [line for line in GLOSSARY.read_text().splitlines() if line.startswith("|")]
    heads_and_rules = [row for row in rows if row.startswith(("| noun ", "|---"))]

    assert len(rows) - len(heads_and_rules) == len(NOUNS)
    assert [noun for noun, meaning in NOUNS if len(re.findall(r"\.(?: |$)", meaning)) > 2] == []


def test_every_noun_is_used_in_the_pages() -> None:
    pages = [page for page in (ROOT / "docs").glob("*.md") if page != GLOSSARY]
    words = "\n".join(page.read_text().lower() for page in [ROOT / "README.md", *pages])

    assert [noun for noun, _ in NOUNS if not re.search(rf"\b{noun}(?:s|es|ed)?\b", words)] == []
