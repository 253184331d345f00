"""What runs on a forge: the files parse, name targets that exist, and test what we say that we support."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = {file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github/workflows").glob("*.yml")}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SUPPORT = (ROOT / "docs" / "support.md").read_text()
VERSION_TAG_OR_COMMIT = re.compile(r"@(v\d+(\.\d+)*|[0-9a-f]{40})$")


def steps() -> Iterator[dict[str, Any]]:
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            yield from job.get("steps", ())


def test_all_settings_for_forges_and_tools_can_be_read() -> None:
    others = [*(ROOT / ".github").glob("*.yml"), *(ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")]

    assert {"ci", "release"} <= WORKFLOWS.keys()
    assert {"dependabot.yml", "bug.yml", "idea.yml"} <= {file.name for file in others}
    for file in [*others, ROOT / ".pre-commit-config.yaml", ROOT / "mkdocs.yml"]:
        assert isinstance(yaml.safe_load(file.read_text()), dict), file.name


def test_every_make_target_that_a_workflow_names_exists() -> None:
    named = {target for step in steps() for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))}

    assert {"check", "docs", "demo", "test", "test-system"} <= named
    assert named <= TARGETS


def test_every_tool_of_the_hooks_is_one_that_make_check_runs() -> None:
    recipe = (ROOT / "Makefile").read_text().split("\ncheck:")[1].split("\n\n")[0]
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]

    for hook in local["hooks"]:
        tool = hook["entry"].replace(".venv/", "$(VENV)/").removesuffix(" --force-exclude")
        assert tool in recipe, hook["id"]


def test_every_action_is_pinned_to_a_release() -> None:
    used = {step["uses"] for step in steps() if "uses" in step}

    assert used
    assert [action for action in used if not VERSION_TAG_OR_COMMIT.search(action)] == []


def test_workflows_may_only_read_and_only_publishing_gets_a_token() -> None:
    granted = {
        (name, job): settings["permissions"]
        for name, workflow in WORKFLOWS.items()
        for job, settings in workflow["jobs"].items()
        if "permissions" in settings
    }

    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    assert granted == {("release", "publish"): {"id-token": "write"}}
    assert not any("secrets." in str(step) for step in steps())


def test_python_is_tested_where_it_is_declared_and_supported() -> None:
    test = WORKFLOWS["ci"]["jobs"]["test"]["strategy"]["matrix"]
    tested = test["python"]
    declared = re.findall(r"Programming Language :: Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))

    assert tested == declared
    assert PROJECT["requires-python"] == f">={tested[0]}"
    assert f"| Python | {tested[0]} to {tested[-1]} |" in SUPPORT
    on_macos = [pair["python"] for pair in test["include"] if pair["os"].startswith("macos")]
    assert on_macos == [tested[0], tested[-1]]


def test_every_supported_postgresql_is_tested() -> None:
    pairs = WORKFLOWS["ci"]["jobs"]["postgres"]["strategy"]["matrix"]["include"]
    tested = [int(pair["postgres"]) for pair in pairs]

    assert tested == list(range(tested[0], tested[-1] + 1))
    assert f"It needs PostgreSQL {tested[0]} or\nnewer" in (ROOT / "docs" / "postgres.md").read_text()
    assert f"| PostgreSQL | {tested[0]} to {tested[-1]} |" in SUPPORT


def test_the_lock_file_has_an_exact_version_with_hashes_of_everything_that_a_user_may_install() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)(?: ;[^\\]*)? \\\n    --hash=sha256:", lock, re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(each for name, named in extras.items() if name in USERS for each in named)]
    names = {re.split(r"[^a-z0-9-]", each)[0] for each in wanted} - {"flowfabric"}

    assert {"msgspec", "psycopg", "uvicorn", "uvloop"} <= names
    assert names <= locked.keys()


USERS = ("all", "postgres", "cli", "server", "metrics", "otel", "speed")
"""The extras that are meant for users, and not for development or demonstrations."""
