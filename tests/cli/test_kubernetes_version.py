"""The version of Kubernetes by which a command judges: the named one, else the snapshot's, else the usual one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.policies.ground.server_release import RELEASES, USUAL, ServerRelease, Since, nearest

#: Beyond int32, which is checked from 1.36 on.
CRD: Final = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sizes.example.com}
spec:
  group: example.com
  names: {kind: Size, plural: sizes}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer, format: int32}}}}
"""
LARGE: Final = "apiVersion: example.com/v1\nkind: Size\nmetadata: {name: s}\nspec: {size: 3000000000}\n"
OWNED: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, ownerReferences: [{apiVersion: v1, kind: Pod, name: '', uid: u}]}
spec: {source: hf://org/model}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds/crd.yaml").write_text(CRD)
    (tmp_path / "large.yaml").write_text(LARGE)
    (tmp_path / "owned.yaml").write_text(OWNED)
    return tmp_path


def _snapshot(folder: Path, server: str) -> str:
    header = f"apiVersion: weighbridge.dev/v1alpha1\nkind: Snapshot\nserver: {server}\ncomplete: []\nitems: []\n"
    (folder / "cluster.yaml").write_text(header)
    return "cluster.yaml"


def _lint(folder: Path, *arguments: str) -> tuple[int, dict[str, object], str]:
    """The exit code, the summary, and standard error."""
    done = run("lint", *arguments, "-o", "json", cwd=folder)
    return done.returncode, json.loads(done.stdout)["summary"], done.stderr


@pytest.mark.parametrize(("version", "code"), [("1.34", 0), ("v1.35.4", 0), ("1.36", 1), ("1.37.2-gke.100", 1)])
def test_the_release_that_is_named_judges(folder: Path, version: str, code: int) -> None:
    found, summary, errors = _lint(folder, "large.yaml", "--crds", "crds", "--kubernetes-version", version)
    assert (found, errors) == (code, "")
    assert summary["kubernetes"] == ".".join(version.removeprefix("v").split(".")[:2])


def test_the_snapshots_server_judges_unless_a_release_is_named(folder: Path) -> None:
    snapshot = _snapshot(folder, "v1.35.4")
    assert _lint(folder, "large.yaml", "--crds", "crds", "--cluster", snapshot)[:2][0] == 0
    assert _lint(folder, "large.yaml", "--crds", "crds", "--cluster", snapshot, "--kubernetes-version", "1.36")[0] == 1
    assert _lint(folder, "large.yaml", "--crds", "crds")[1]["kubernetes"] == USUAL.name


@pytest.mark.parametrize(("version", "judged"), [("1.30.1", "1.34"), ("1.99", "1.37"), ("2.0", "1.37")])
def test_a_release_that_is_not_modelled_is_judged_as_the_nearest_and_said_so(folder: Path, version: str, judged: str) -> None:
    _, summary, errors = _lint(folder, "owned.yaml", "--kubernetes-version", version)
    assert summary["kubernetes"] == judged
    known = ", ".join(release.name for release in RELEASES)
    assert errors == f"Warning: Kubernetes {version} isn't known, so objects are judged as by {judged}; known are {known}\n"


def test_a_snapshot_without_a_usable_version_is_judged_as_the_usual_release(folder: Path) -> None:
    _, summary, errors = _lint(folder, "owned.yaml", "--cluster", _snapshot(folder, "''"))
    assert (summary["kubernetes"], errors) == (USUAL.name, "")
    _, summary, errors = _lint(folder, "owned.yaml", "--cluster", _snapshot(folder, "nonsense"))
    assert summary["kubernetes"] == USUAL.name
    assert "nonsense" in errors


def test_what_is_no_version_is_refused(folder: Path) -> None:
    done = run("lint", "owned.yaml", "--kubernetes-version", "newest", cwd=folder)
    assert done.returncode == 2
    assert "newest isn't a version of Kubernetes; give one such as" in done.stderr


def test_one_process_judges_by_one_release_after_the_other(folder: Path) -> None:
    texts: dict[str, str] = {}
    for release in (*RELEASES, *reversed(RELEASES)):
        said = run("lint", "owned.yaml", "--kubernetes-version", release.name, cwd=folder).stdout
        assert texts.setdefault(release.name, said) == said
    assert "metadata.ownerReferences.name: Invalid value" in texts["1.36"]
    assert "metadata.ownerReferences[0].name: Required value: must not be empty" in texts["1.37"]


@pytest.mark.parametrize("version", ["", "x", "1", "v1", "1.x"])
def test_other_texts_are_no_version(version: str) -> None:
    assert nearest(version) is None


def test_of_several_releases_findings_say_which_have_them(folder: Path) -> None:
    said = run("lint", "large.yaml", "owned.yaml", "--crds", "crds", "--kubernetes-version", "1.37,1.35,1.36", cwd=folder)
    assert said.returncode == 1
    assert "in Kubernetes 1.36 and 1.37: Invalid value" in said.stdout
    assert "in Kubernetes 1.35 and 1.36: Invalid value" in said.stdout
    assert "in Kubernetes 1.37: Required value: must not be empty" in said.stdout
    _, summary, _ = _lint(folder, "owned.yaml", "--kubernetes-version", "1.37,1.35")
    assert summary["kubernetes"] == "1.35, 1.37"


def test_what_all_releases_say_is_said_once_as_by_one(folder: Path) -> None:
    (folder / "plain.yaml").write_text(OWNED.replace("ownerReferences: [{apiVersion: v1, kind: Pod, name: '', uid: u}]", "labels: {a: -}"))
    one = run("lint", "plain.yaml", "--kubernetes-version", "1.37", cwd=folder)
    assert run("lint", "plain.yaml", "--kubernetes-version", "1.35,1.37", cwd=folder).stdout == one.stdout


def test_the_usual_release_is_the_newest() -> None:
    assert USUAL is RELEASES[-1]


def test_a_release_that_lint_had_to_choose_is_said_once_where_something_is_wrong(folder: Path) -> None:
    said = f"judged as Kubernetes {USUAL.name} does; name another with --kubernetes-version"
    assert run("lint", "owned.yaml", "large.yaml", "--crds", "crds", cwd=folder).stdout.count(said) == 1
    # A snapshot that lacks its server's version leaves the choice open.
    silent = folder / "silent.yaml"
    silent.write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n")
    assert run("lint", "owned.yaml", "large.yaml", "--crds", "crds", "--cluster", str(silent), cwd=folder).stdout.count(said) == 1
    for given in (("--kubernetes-version", "1.36"), ("--cluster", _snapshot(folder, "v1.35.4"))):
        assert said[-30:] not in run("lint", "owned.yaml", *given, cwd=folder).stdout
    (folder / "well.yaml").write_text(
        "apiVersion: inference.llmkube.dev/v1alpha1\nkind: Model\nmetadata: {name: m}\nspec: {source: hf://o/m}\n"
    )
    assert "judged as" not in run("lint", "well.yaml", cwd=folder).stdout


def test_every_difference_is_in_the_documents() -> None:
    found = {name: value for name, value in vars(ServerRelease).items() if isinstance(value, Since)}
    page = (ROOT / "docs" / "exactness.md").read_text()
    rows = re.findall(r"^\| (\d\.\d+) \| [^|]+ \| [^|]+ \| (\w+) \|$", page, re.MULTILINE)
    assert found
    assert sorted(rows) == sorted((".".join(map(str, difference.version)), name) for name, difference in found.items())
