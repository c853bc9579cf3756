"""`make family` writes the small family under another name, and refuses a name or a CRD that it can't use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.test_the_tree import described
from tests.conftest import ROOT
from tests.families.scratch import FILES
from tests.programs.family.__main__ import main, with_folders

CRD = FILES["policies/families/scratch/crds/scratch.example.com_notes.yaml"]
PAGE = "docs/architecture.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with only the page on the architecture."""
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text((ROOT / PAGE).read_text())
    return tmp_path


def written(root: Path) -> dict[str, str]:
    """The files in it, without the page."""
    files = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}
    return {path: text for path, text in files.items() if path not in {PAGE, "crd.yaml"}}


def test_under_its_own_name_it_is_the_small_family(root: Path) -> None:
    (root / "crd.yaml").write_text(CRD)
    assert main(["scratch", str(root / "crd.yaml")], root) == 0
    assert written(root) == FILES


def test_it_is_named_after_its_crd(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crd = (
        CRD.replace("notes", "lambdas")
        .replace("Note", "Lambda")
        .replace("scratch.example.com", "papers.example.org")
        .replace("v1\n", "v2\n")
    )
    (root / "crd.yaml").write_text(crd.replace("apiextensions.k8s.io/v2", "apiextensions.k8s.io/v1"))
    assert main(["papers", str(root / "crd.yaml")], root) == 0
    files = written(root)
    assert set(files) <= set(capsys.readouterr().out.splitlines())
    assert "policies/families/papers/rules/papers_001_too_many_sheets.py" in files
    assert "policies/families/papers/crds/papers.example.org_lambdas.yaml" in files
    assert 'Kind(GroupVersionKind("papers.example.org", "v2", "Lambda"), "lambdas")' in files["policies/families/papers/family.py"]
    assert "def lambda_(request" in files["policies/families/papers/predictions.py"]
    assert "apiVersion: papers.example.org/v2\nkind: Lambda\n" in files["tests/cases/papers/refuses-more-sheets-than-a-pad-has/object.yaml"]
    own = {path: text for path, text in files.items() if "/crds/" not in path}
    assert not [path for path, text in own.items() if {"scratch", "note"} & set(re.findall("scratch|note", f"{path}{text}".lower()))]
    for path, text in files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")


@pytest.mark.parametrize("name", ["aaa", "lama", "zzz"])
def test_the_tree_shows_its_folders(name: str) -> None:
    page = (ROOT / PAGE).read_text()
    before, after = described(page), described(with_folders(page, name))
    assert sorted(set(after) - set(before)) == [f"policies/families/{name}", f"policies/families/{name}/rules"]
    assert [folder for folder in after if folder in before] == before
    families = [folder for folder in after if folder.startswith("policies/families/") and folder.count("/") == 2]
    assert families == sorted(families)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["", ""], "name the family and the file of its CRD"),
        (["kube-ai", "crd.yaml"], "'kube-ai' can't be the name of a family: write small letters and digits"),
        (["there", "crd.yaml"], "policies/families/there is there already"),
        (["other", "absent.yaml"], "absent.yaml can't be read: "),
        (["other", "broken.yaml"], "broken.yaml can't be read: "),
        (["other", "pod.yaml"], "pod.yaml: write one CustomResourceDefinition into the file"),
        (["other", "empty.yaml"], "empty.yaml: the CRD lacks spec.group"),
    ],
)
def test_what_cannot_be_used_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.chdir(root)
    (root / "policies/families/there").mkdir(parents=True)
    for file, text in {"crd": CRD, "broken": "a: *x", "pod": "kind: Pod", "empty": "kind: CustomResourceDefinition"}.items():
        Path(f"{file}.yaml").write_text(text)
    assert main(arguments, root) == 2
    assert capsys.readouterr().err.startswith(f"family: {why}")
    assert not list((root / "policies/families").rglob("*.py"))
