"""What systemd says about the units that people copy."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.programs import program

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
EXPOSURE_MAX = {"flowfabric-server.service": 20, "flowfabric-migrate.service": 45, "flowfabric-worker@.service": 50}
"""How much of the machine each may touch at most, in tenths of the grade that systemd gives: 100 is everything."""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units, with programs and folders of this machine."""
    for unit in UNITS:
        ff = Path(sys.executable).with_name("ff")
        text = unit.read_text().replace("/opt/flowfabric/bin/ff", str(ff)).replace("/opt/shop", str(tmp_path))
        (tmp_path / unit.name.replace("@.", "@1.")).write_text(text)
    return tmp_path


def test_systemd_accepts_every_unit(installed: Path) -> None:
    units = sorted(unit.name for unit in installed.glob("flowfabric-*"))

    ended = subprocess.run(
        [program("systemd-analyze"), "verify", "--man=no", *(f"./{unit}" for unit in units)],
        cwd=installed,
        capture_output=True,
        text=True,
    )

    assert len(units) == 3
    assert (ended.returncode, ended.stderr) == (0, "")


def test_systemd_notices_a_word_that_it_does_not_know(installed: Path) -> None:
    unit = installed / "flowfabric-server.service"
    unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHouse="))

    ended = subprocess.run(
        [program("systemd-analyze"), "verify", "--man=no", f"./{unit.name}"],
        cwd=installed,
        capture_output=True,
        text=True,
    )

    assert "ProtectHouse" in ended.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_may_touch_little_of_the_machine(unit: Path, installed: Path) -> None:
    name = unit.name.replace("@.", "@1.")
    limit = EXPOSURE_MAX[unit.name]

    ended = subprocess.run(
        [program("systemd-analyze"), "security", "--offline=true", f"--threshold={limit}", "--no-pager", f"./{name}"],
        cwd=installed,
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 0, ended.stdout[-200:]
