"""The wheel installs one package: no bare `policies`, `webhook` or `certs`, which could collide with others of these names."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.command_line import run as command
from tests.conftest import PACKAGE, ROOT

ROOMS = ("certs", "policies", "webhook")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel is unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the unpacked wheel."""
    environment = {"PYTHONPATH": str(installed), "WEIGHBRIDGE_CACHE": "off"}
    return subprocess.run([sys.executable, *arguments], cwd=installed.parent, env=environment, capture_output=True, text=True, check=False)


def test_it_holds_one_package_with_all_files(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {"weighbridge"}
    for room in ROOMS:
        assert _files(installed / "weighbridge", room) == _files(ROOT, room)


def _files(root: Path, room: str) -> set[Path]:
    # Another test may have imported it, which leaves byte code.
    return {path.relative_to(root) for path in (root / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_no_package_of_its_own(installed: Path, room: str) -> None:
    done = run(installed, "-c", f"import {room}")
    assert f"No module named '{room}'" in done.stderr


def test_the_command_runs(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {}\n")
    done = run(installed, "-m", "weighbridge", "lint", str(tmp_path / "model.yaml"))
    assert (done.returncode, "spec.source" in done.stdout) == (1, True), done.stdout + done.stderr
    found = run(installed, "-c", "import weighbridge.policies; print(weighbridge.policies.__file__)").stdout
    assert found.startswith(str(installed))


def test_it_carries_the_pages_of_rules_and_the_schemas(installed: Path) -> None:
    for folder in ("docs/rules", "docs/schemas"):
        assert _files(installed / "weighbridge", folder) == _files(ROOT, folder)


def test_it_carries_the_examples_of_rules(installed: Path) -> None:
    done = run(installed, "-m", "weighbridge", "rules", "-o", "json")
    assert json.loads(done.stdout) == json.loads(command("rules", "-o", "json").stdout), done.stderr
    assert all(rule["good"] and rule["bad"] for rule in json.loads(done.stdout) if "good" in rule)


def test_a_checkout_has_the_same_package_as_links() -> None:
    assert {path.name for path in (PACKAGE / "weighbridge").iterdir() if path.is_symlink()} == set(ROOMS)
    assert all((PACKAGE / "weighbridge" / room).resolve() == ROOT / room for room in ROOMS)
