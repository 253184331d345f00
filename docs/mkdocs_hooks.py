"""What the site needs beside the pages in docs/: README, examples and the like as pages, and a check of the reference.

Links of a page name files of the repository, so that they work wherever the repository is shown. Here they are turned
into links between pages of the site.
"""

import inspect
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

import flowfabric
import flowfabric.testing

ROOT = Path(__file__).parents[1]
FROM_THE_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "vulnerabilities.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.md",
}
"""Files of the root, and the pages that they become."""
TO_COPY = ("Containerfile", "compose.yaml")
"""Files of the root that are part of the site as they are."""
LANGUAGES = {".py": "python", ".mjs": "javascript", ".go": "go"}
EXAMPLES = {
    f"examples/{file.name}": f"examples/{file.stem}.md" if file.suffix == ".py" else f"examples/{file.name}.md"
    for file in sorted((ROOT / "examples").iterdir())
    if file.suffix in LANGUAGES
}
PAGE_OF = {**FROM_THE_ROOT, **EXAMPLES}
FILE_OF = {page: file for file, page in PAGE_OF.items()}
LINK = re.compile(r"(\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make anchors of headings as forges do, so that one link works in both places."""
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made of files outside docs/."""
    for name, page in PAGE_OF.items():
        text = (ROOT / name).read_text()
        if name in EXAMPLES:
            text = f"# {name}\n\n```{LANGUAGES[Path(name).suffix]}\n{text}```\n"
        elif name == "LICENSE":
            text = f"# License\n\n```text\n{text}```\n"
        files.append(File.generated(config, page, content=text))
    for name in TO_COPY:
        files.append(File.generated(config, name, content=(ROOT / name).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the repository lead to their pages."""
    here = page.file.src_uri
    folder = posixpath.dirname(FILE_OF.get(here, f"docs/{here}"))

    def on_the_site(link: re.Match[str]) -> str:
        before, target, anchor, after = link.groups(default="")
        if ":" in target:
            return link[0]
        named = posixpath.normpath(posixpath.join(folder, target))
        page_named = PAGE_OF.get(named, named.removeprefix("docs/"))
        return before + posixpath.relpath(page_named, posixpath.dirname(here) or ".") + anchor + after

    # Code is left as it is.
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [LINK.sub(on_the_site, part) for part in parts[::2]]
    return "".join(parts)


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a reference in which a public name, or a method of the engine, is missing."""
    names = {f"flowfabric.{name}" for name in flowfabric.__all__}
    names |= {f"flowfabric.testing.{name}" for name in {*flowfabric.testing.__all__} - {*flowfabric.__all__}}
    methods = inspect.getmembers(flowfabric.Engine, inspect.isfunction)
    names |= {f"flowfabric.Engine.{name}" for name, _ in methods if not name.startswith("_")}

    reference = "".join(page.read_text() for page in Path(config.site_dir, "reference").glob("*.html"))

    if missing := sorted(name for name in names if f'id="{name}"' not in reference):
        raise PluginError(f"docs/reference has no entry for: {', '.join(missing)}")
