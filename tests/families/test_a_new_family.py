"""A family whose files are added as in CONTRIBUTING is known at every door; no other file has to name it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.families.scratch import FILES
from tests.yaml_documents import read_all

ROOT = Path(__file__).parents[2]
COPIED = (".ci/package", "policies", "webhook", "certs", "tests/doors", "tests/__init__.py", "tests/yaml_documents.py", "pyproject.toml")
CASE = "tests/cases/scratch/refuses-more-sheets-than-a-pad-has"
GOOD = "tests/cases/scratch/accepts-as-many-sheets-as-a-pad-has"
HEAD = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with an additional family."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python of the copy."""
    environment = {**os.environ, "PYTHONPATH": f"{checkout}{os.pathsep}{checkout / COPIED[0]}", "XDG_CACHE_HOME": str(checkout / "cache")}
    return subprocess.run([sys.executable, *arguments], cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def weighbridge(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command of the copy."""
    return run(checkout, "-m", "weighbridge.webhook.cli.main", *arguments)


def test_its_case_passes_through_the_engine(checkout: Path) -> None:
    done = run(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/doors/test_engine.py", "-k", "sheets")
    assert (done.returncode, "passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_lint_judges_its_kind(checkout: Path) -> None:
    done = weighbridge(checkout, "lint", f"{CASE}/object.yaml")
    assert (done.returncode, done.stdout.count("SCRATCH-001")) == (1, 1), done.stdout + done.stderr


@pytest.mark.parametrize("command", ["lint", "dry-run"])
def test_its_release_can_be_chosen(checkout: Path, command: str) -> None:
    done = weighbridge(checkout, command, f"{CASE}/object.yaml", "--release", "scratch=v1")
    assert (done.returncode, done.stderr, "SCRATCH-001" in done.stdout) == (1, "", True), done.stdout + done.stderr


def test_dry_run_fills_in_what_its_section_says(checkout: Path) -> None:
    done = weighbridge(checkout, "dry-run", f"{GOOD}/object.yaml", "--config", f"{GOOD}/config.yaml", "-o", "json")
    assert '"/spec/colour"' in done.stdout.replace(" ", ""), done.stdout + done.stderr


def test_dry_run_predicts_what_its_operator_creates(checkout: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "note.yaml"
    manifest.write_text((checkout / CASE / "object.yaml").read_text().replace("21", "3"))
    done = weighbridge(checkout, "dry-run", str(manifest), "-o", "json")
    (predicted,) = (verdict["effective"] for verdict in json.loads(done.stdout)["verdicts"])
    assert [(made["kind"], made["spec"]["completions"]) for made in predicted["objects"]] == [("Job", 3)]
    assert predicted["values"][0]["source"] == "Note todo spec.sheets"


@pytest.mark.parametrize(
    ("section", "code", "told"),
    [
        ("{defaultColour: yellow}", 0, "can be used"),
        ("{defaultColour: invisible}", 2, "scratch.defaultColour: the text can't be read"),
        ("{defaultColor: yellow}", 2, "unknown key; did you mean defaultColour?"),
    ],
    ids=["good", "not-meant", "misspelt"],
)
def test_its_section_of_the_configuration_is_checked(checkout: Path, tmp_path: Path, section: str, code: int, told: str) -> None:
    (tmp_path / "config.yaml").write_text(f"{HEAD}scratch: {section}\n")
    done = weighbridge(checkout, "config", "check", str(tmp_path / "config.yaml"))
    assert (done.returncode, told in done.stdout) == (code, True), done.stdout + done.stderr


def test_its_section_is_explained_and_described(checkout: Path) -> None:
    shown = weighbridge(checkout, "config", "show", "--config", f"{GOOD}/config.yaml")
    assert "scratch.defaultColour: yellow" in shown.stdout
    schema = json.loads(weighbridge(checkout, "schema", "configuration").stdout)
    assert schema["$defs"]["Scratch"]["properties"]["defaultColour"]["description"] == "the colour of notes that name none"
    assert schema["properties"]["scratch"] == {"$ref": "#/$defs/Scratch"}


def test_its_rules_are_in_the_catalogue(checkout: Path) -> None:
    listed = json.loads(weighbridge(checkout, "rules", "-o", "json").stdout)
    assert "SCRATCH-001" in json.dumps(listed)
    assert weighbridge(checkout, "rules", "SCRATCH-001").stdout.startswith("SCRATCH-001")


def test_its_pages_are_written(checkout: Path) -> None:
    done = weighbridge(checkout, "rules", "--write", ".")
    assert done.returncode == 0, done.stderr
    assert "`spec.colour`" in (checkout / "docs/families/scratch.md").read_text()
    page = (checkout / "docs/rules/scratch.md").read_text()
    assert "## SCRATCH-001 too-many-sheets" in page
    assert "spec: {sheets: 21}" in page.partition("#### Refused")[2]


def test_the_webhook_may_read_its_kind_and_a_snapshot_holds_it(checkout: Path) -> None:
    roles = list(read_all(weighbridge(checkout, "rules", "-o", "rbac").stdout))
    assert any("scratch.example.com" in rule["apiGroups"] for role in roles for rule in role.get("rules") or ())
    kinds = run(
        checkout,
        "-c",
        "from weighbridge.webhook.cluster.live_facts import watched_kinds; print(*(kind.resource for kind in watched_kinds()))",
    )
    assert "notes" in kinds.stdout, kinds.stdout + kinds.stderr
