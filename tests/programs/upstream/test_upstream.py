"""`make upstream` on a small repository that looks like an upstream project's."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.programs.upstream.__main__ import main
from tests.programs.upstream.citations import Citation, citations
from weighbridge.policies.families.upstream_versions import Upstream

ROOT: Final = Path(__file__).resolve().parents[3]
CRDS: Final = "config/crd/bases"
MODELS: Final = f"{CRDS}/inference.llmkube.dev_models.yaml"
MAIN: Final = """\
package main

const DefaultMode = "shared"

func main() {
	flag.StringVar(&path, "model-cache-path", "/models", "Where.")
	flag.StringVar(&mode, "model-cache-mode", DefaultMode, "One, or \\"many\\" (of them), as it is.")
	fs.BoolVarP(&slo, "enable-pyrra-slo", "s", false, "")
}
"""


class Repository:
    """A repository with the CRDs that ship of LLMKube, at its newest release."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "policies" / "families" / "llmkube" / "crds" / "v0.9.19", folder / CRDS)
        self.write("cmd/main.go", MAIN)
        self.write("internal/controller/model_prefetch.go", "package controller\n\nfunc buildPrefetchJob() {\n\tx := 1\n}\n")
        self.write("charts/llmkube/values.yaml", "image: a\n")
        self.git("init", "-q", "-b", "main")
        self.commit("First")
        self.git("tag", "v0.9.19")

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], cwd=self.folder, check=True)

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new, 1))

    def commit(self, subject: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "LLMKube")


def listed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capsys.readouterr()
    code = main(list(map(str, arguments)))
    said = capsys.readouterr()
    assert (code == 2) is bool(said.err)
    return code, said.out + said.err


def test_the_release_itself_has_no_changes_of_crds_and_flags(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = listed(capsys, "llmkube", repository.folder)
    assert said.startswith("LLMKube v0.9.19 is bundled; the checkout is v0.9.19 of ")
    assert "0 of CRDs" in said
    assert "has changed" not in said


def test_fields_of_crds_that_came_went_and_changed_are_listed(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change(MODELS, "prefetch:", "prefetched:")
    repository.commit("Rename a field")
    code, said = listed(capsys, "llmkube", repository.folder)
    assert code == 1
    assert "- models.inference.llmkube.dev: versions.v1alpha1.spec.prefetch is gone\n" in said
    assert "- models.inference.llmkube.dev: versions.v1alpha1.spec.prefetched is new: {" in said


def test_kinds_that_came_and_went_are_listed(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    text = (repository.folder / MODELS).read_text()
    repository.write(f"{CRDS}/new.yaml", text.replace("name: models.", "name: news.").replace("kind: Model\n", "kind: New\n"))
    (repository.folder / f"{CRDS}/inference.llmkube.dev_modelpools.yaml").unlink()
    repository.commit("Exchange a kind")
    _, said = listed(capsys, "llmkube", repository.folder)
    assert "- news.inference.llmkube.dev: new; no CRD of it is bundled\n" in said
    assert "- modelpools.inference.llmkube.dev: no longer in config/crd/bases\n" in said


def test_flags_that_came_went_and_have_other_defaults_are_listed(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change("cmd/main.go", '"/models"', '"/weights"')
    repository.change("cmd/main.go", '"shared"', '"perService"')
    repository.change("cmd/main.go", 'fs.BoolVarP(&slo, "enable-pyrra-slo", "s", false, "")', 'fs.IntVar(&n, "workers", 4, "")')
    repository.commit("Change flags")
    _, said = listed(capsys, "llmkube", repository.folder)
    assert "- --model-cache-path has the default /weights in cmd/main.go, and /models is modelled\n" in said
    assert "- --model-cache-mode has the default perService in cmd/main.go, and shared is modelled\n" in said
    assert "- --enable-pyrra-slo is gone\n" in said
    assert "- --workers is new, default 4 (cmd/main.go)\n" in said


def test_cited_files_that_have_changed_are_listed_with_their_functions(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change("internal/controller/model_prefetch.go", "x := 1", "x := 2")
    repository.commit("Count from two")
    repository.change("charts/llmkube/values.yaml", "image: a", "image: b")
    repository.git("mv", "cmd/main.go", "cmd/start.go")
    repository.commit("Move the start")
    _, said = listed(capsys, "llmkube", repository.folder)
    changed = next(line for line in said.splitlines() if line.startswith("- internal/controller/model_prefetch.go"))
    assert " has changed since v0.9.19 in or after buildPrefetchJob; 1 commit, the last " in changed
    assert "Count from two (cited by policies/families/llmkube/predictions/model/prefetch.py, " in changed
    assert "- charts/llmkube/values.yaml has changed since v0.9.19 (-image: a +image: b); 1 commit, the last " in said
    assert "- cmd/main.go has changed since v0.9.19 and is now cmd/start.go" in said


def test_another_commit_than_the_one_that_is_checked_out_is_compared(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change(MODELS, "prefetch:", "prefetched:")
    repository.commit("Rename a field")
    assert "0 of CRDs" in listed(capsys, "llmkube", repository.folder, "v0.9.19")[1]
    code, said = listed(capsys, "llmkube", repository.folder, "v1")
    assert (code, "no commit v1 is there" in said) == (2, True)


def test_a_folder_without_git_is_compared_but_for_its_history(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change("cmd/main.go", '"/models"', '"/weights"')
    shutil.rmtree(repository.folder / ".git")
    code, said = listed(capsys, "llmkube", repository.folder)
    assert code == 1
    assert "--model-cache-path has the default /weights" in said
    assert "without git's history, cited files can't be compared" in said


def test_what_cannot_be_compared_is_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, wanted in (
        ((), "give a system and a checkout of it"),
        (("llmkube", tmp_path / "none"), "no folder; give a checkout of the project"),
        (("llmkube", tmp_path), "no checkout of defilantech/LLMKube: config/crd/bases isn't there"),
        (("aim", tmp_path), "which project of aim is it? give aim-engine or kaiwo"),
        (("x", tmp_path), "no system is named x; known are aim-engine, inference-extension, kaiwo"),
    ):
        code, said = listed(capsys, *arguments)
        assert (code, said.count("\n")) == (2, 1)
        assert wanted in said


#: A citation, and its paths of the project with the paths before each.
CITED: Final = {
    "Source: P v1.2, a/b.go and a/c.go.": [("v1.2", "a/b.go"), ("v1.2", "a/c.go")],
    "Source: P v1.2, a/b.go (some, words/here); internal/{x,y}.go": [
        ("v1.2", "a/b.go"),
        ("v1.2", "internal/x.go"),
        ("v1.2", "internal/y.go"),
    ],
    "Source: Q v3.0, q/q.go; P v1.2, a/b.go; Kubernetes v1.36, pkg/apis/core.": [("v1.2", "a/b.go")],
    "Sources: P 0123abcd, a/b.go, Func; k8s.io/apimachinery pkg/util.": [("0123abcd", "a/b.go")],
    "Source: P v1.2 measured against Kubernetes 1.36; pkg/apis/core/validation.": [],
    "Source: P v1.2 and Q 0123abcd, q/q.go.": [],
    "Source: P v1.2, Makefile; org/other 0123abcd, docs/x.md.": [("v1.2", "Makefile")],
    "No source.": [],
}


@pytest.mark.parametrize("text", CITED)
def test_a_citation_gives_the_paths_of_its_project(tmp_path: Path, text: str) -> None:
    (tmp_path / "rule.py").write_text(f'"""What is wrong.\n\n{text}\n"""\n')
    project = Upstream("p", "P", (), "v1.2", "org/p")
    found = list(citations(project, tmp_path, tmp_path))
    assert [(citation.version, citation.path) for citation in found] == CITED[text]
    assert all(citation.by == "rule.py" for citation in found)


def test_lists_of_branches_cite_too(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "branches"
    folder.mkdir(parents=True)
    (folder / "p.yaml").write_text("source: P v1.2\nbranches: [{at: a/b.go Run}, {at: a/b.go Stop}]\n")
    project = Upstream("p", "P", (), "v1.2", "org/p")
    assert list(citations(project, tmp_path / "none", tmp_path)) == [Citation("v1.2", "a/b.go", (), "tests/branches/p.yaml")]
