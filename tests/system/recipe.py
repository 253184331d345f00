"""The Containerfile, without a container: its own commands run in a folder that stands for the root of an image.

Every path of the recipe lies in that folder, the user is the one who runs the tests, and `python` and `pip` are those
of a virtual environment, as new as those of the base image. What the recipe copies is copied by the rules of
`.containerignore`.
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PLACES = re.compile(r"(?<![\w/.:@])/(build|opt|app|data)\b")
"""Absolute paths that the recipe makes."""


class Instruction(NamedTuple):
    word: str
    rest: str


def instructions() -> list[Instruction]:
    """Those of the Containerfile, in order."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [Instruction(*line.split(None, 1)) for line in text.splitlines() if line.strip()]


def is_part_of_the_image(path: Path) -> bool:
    """Whether `.containerignore` lets a file of the repository through: the last line that fits it decides."""
    name = str(path.relative_to(ROOT))
    wanted = True
    for line in (ROOT / ".containerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!").removeprefix("**/")
        parts = [name, *path.relative_to(ROOT).parts]
        if any(fnmatch.fnmatchcase(part, pattern) for part in parts):
            wanted = line.startswith("!")
    return wanted


class Image:
    """A folder in which the recipe has been followed."""

    def __init__(self, folder: Path) -> None:
        self._root = folder / "root"
        self._folder = folder
        self._log = folder / "log"
        self._environment = {"HOME": str(folder), "LANG": "C.UTF-8"}
        self._at = self._root
        self._as_json: dict[str, list[str]] = {}

    def build(self) -> None:
        """Follow the recipe from its first line to its last."""
        subprocess.run([sys.executable, "-m", "venv", self._folder / "base"], check=True)
        self._environment["PATH"] = f"{self._folder / 'base' / 'bin'}:{os.defpath}"
        for variable in ("PIP_INDEX_URL", "PIP_CONFIG_FILE", "SSL_CERT_FILE", "HTTPS_PROXY", "NO_PROXY"):
            if variable in os.environ:
                self._environment[variable] = os.environ[variable]
        for word, rest in instructions():
            getattr(self, f"_{word.lower()}")(rest)

    def command(self, *words: str) -> list[str]:
        """What a container is started with: the entry point, and words in the place of those of CMD."""
        return [*self._as_json["ENTRYPOINT"], *(words or self._as_json["CMD"])]

    def health_check(self, port: int) -> int:
        """The exit code of the health check, for a server at this port."""
        words = [word.replace(":7433/", f":{port}/") for word in self._as_json["HEALTHCHECK"]]
        return self.run(words, check=False).returncode

    def run(self, words: list[str], *, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self._at,
            env={**self._environment, **environment},
            capture_output=True,
            text=True,
            check=check,
            timeout=120,
        )

    @contextmanager
    def running(
        self, words: list[str], folder: Path | None = None, **environment: str
    ) -> "Iterator[subprocess.Popen[bytes]]":
        """A container that runs until the block ends. What it says is in the log."""
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                words, cwd=folder or self._at, env={**self._environment, **environment}, stdout=log, stderr=log
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @property
    def said(self) -> str:
        return self._log.read_text()

    @property
    def packages(self) -> set[str]:
        """What is installed, by name."""
        metadata = (self._root / "opt" / "flowfabric" / "lib").glob("python*/site-packages/*.dist-info")
        return {folder.name.partition("-")[0] for folder in metadata}

    def here(self, text: str) -> str:
        """The paths of the recipe, in this folder."""
        return PLACES.sub(lambda place: f"{self._root}{place[0]}", text)

    # ── one instruction each ──

    def _arg(self, rest: str) -> None:
        """The version of Python: that of the tests takes its place."""

    def _from(self, rest: str) -> None:
        assert rest.startswith("docker.io/library/python:${PYTHON}-slim")
        self._at = self._root

    def _workdir(self, rest: str) -> None:
        self._at = Path(self.here(rest))
        self._at.mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        *sources, target = rest.split()
        if sources[0].startswith("--from="):
            assert sources[1] == target  # It is there already: both stages share this folder.
            return
        for source in sources:
            self._copy_one(ROOT / source, self._at / target)

    def _copy_one(self, source: Path, target: Path) -> None:
        if source.is_file():
            assert is_part_of_the_image(source), f".containerignore keeps {source.name} out"
            shutil.copy(source, target)
            return
        shutil.copytree(
            source,
            target,
            ignore=lambda folder, names: [name for name in names if not is_part_of_the_image(Path(folder, name))],
        )

    def _run(self, rest: str) -> None:
        script = self.here(rest).replace("10001:10001", f"{os.geteuid()}:{os.getegid()}")
        ended = subprocess.run(
            ["/bin/sh", "-c", script], cwd=self._at, env=self._environment, capture_output=True, text=True
        )
        assert ended.returncode == 0, f"{script}\n{ended.stdout}{ended.stderr}"

    def _env(self, rest: str) -> None:
        for pair in rest.split():
            name, _, value = pair.partition("=")
            # The base image's Python is that of a virtual environment here.
            before = f":{self._folder / 'base' / 'bin'}:" if name == "PATH" else ":"
            self._environment[name] = self.here(value).replace(":/usr/local/bin:", before)

    def _user(self, rest: str) -> None:
        assert rest == "10001:10001"

    def _expose(self, rest: str) -> None:
        assert rest == "7433"

    def _healthcheck(self, rest: str) -> None:
        self._as_json["HEALTHCHECK"] = json.loads(rest[rest.index("CMD ") + 4 :])

    def _entrypoint(self, rest: str) -> None:
        self._as_json["ENTRYPOINT"] = json.loads(rest)

    def _cmd(self, rest: str) -> None:
        self._as_json["CMD"] = json.loads(rest)
