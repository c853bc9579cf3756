"""`lint` of a whole repository, as a new user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.repository import repository
from tests.rendering.trees import needs_helm, needs_kustomize


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    repository(tmp_path)
    return tmp_path


def _sources(tree: Path, *arguments: str) -> dict[str, str]:
    """The status of each judged object, by its kind and name."""
    results = json.loads(run("lint", "-o", "json", *arguments, cwd=tree).stdout)["results"]
    return {f"{result['source']} {result['object']}": result["status"] for result in results if result["status"] != "skipped"}


@needs_helm
@needs_kustomize
def test_a_repository_without_mistakes_is_green_at_once(tree: Path) -> None:
    done = run("lint", cwd=tree)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("checked 14 of 3022 objects in 27 files: 0 failed, 0 warned,")
    assert done.stdout.splitlines()[-1].endswith("4 other documents passed over, 9 paths left out (-v lists them)")
    assert _sources(tree) == {
        "apps/app.yaml Model ai/app": "not checked",
        "deploy/bom.yaml Model ai/bom": "not checked",
        "deploy/crlf.yaml Model ai/crlf": "not checked",
        "deploy/crlf.yaml InferenceService ai/crlf": "not checked",
        "deploy/keep.local.yaml Model ai/kept": "not checked",
        "deploy/sealed.yaml SealedSecret ai/token": "not checked",
        "deploy/utf16.yaml Model ai/utf16": "not checked",
        "charts/serving/templates/models.yaml Model chart-a": "not checked",
        "charts/serving/templates/models.yaml Model chart-b": "not checked",
        "charts/serving/templates/models.yaml Model ai/chart-a": "not checked",
        "base/model.yaml Model dev/shared": "not checked",
        "base/service.yaml InferenceService dev/shared": "not checked",
        "base/model.yaml Model prod/shared": "not checked",
        "base/service.yaml InferenceService prod/shared": "not checked",
    }


@needs_helm
@needs_kustomize
def test_three_things_that_are_broken_are_said_where_they_are(tree: Path) -> None:
    for name, before, after in (
        ("base/model.yaml", "accelerator: cuda", "accelerator: rocm"),
        ("overlays/prod/replicas.yaml", "replicas: 3", "replicas: -3"),
        ("charts/serving/templates/models.yaml", "vendor: nvidia", "vendor: nvidea"),
    ):
        path = tree / name
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after))
    done = run("lint", cwd=tree)
    assert done.returncode == 1
    found = list(dict.fromkeys(line.split(": ")[0] for line in done.stdout.splitlines() if ": error[" in line))
    assert found == [
        "charts/serving/templates/models.yaml:12:29",
        "base/model.yaml:7:18",
        "overlays/prod/replicas.yaml:5:13",
    ]
    assert "(in charts/serving, charts/serving with ci/two-values.yaml, charts/serving as Application argocd/serving)" in done.stdout
    assert "(in overlays/dev, overlays/prod)" in done.stdout
    assert "(in overlays/prod)" in done.stdout


def test_without_programs_one_line_each_says_what_to_run(tree: Path, no_programs: Path) -> None:
    done = run("lint", cwd=tree)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        (
            "Warning: charts/serving: 1 Helm chart isn't rendered, since helm isn't on PATH; to judge it run:"
            " helm template charts/serving | weighbridge lint -"
        ),
        (
            "Warning: overlays/dev, overlays/prod: not built, since neither kustomize nor kubectl is on PATH; to judge what comes out run:"
            " kustomize build overlays/dev | weighbridge lint -"
        ),
        (
            "Warning: charts/serving as Application argocd/serving: 1 rendering isn't judged, since helm isn't on PATH; to judge it run:"
            " helm template serving charts/serving --namespace ai | weighbridge lint -"
        ),
    ]
    judged = _sources(tree)
    # The resources of a base are judged separately; its patches aren't.
    assert "base/service.yaml InferenceService ai/shared" in judged
    assert not any("overlays/" in source for source in judged)
    listed = run("lint", "-v", cwd=tree).stdout
    assert "passed over: overlays/dev/replicas.yaml: a patch of overlays/dev/kustomization.yaml" in listed
    assert "passed over: overlays/prod: not built; neither kustomize nor kubectl is on PATH" in listed
    assert "passed over: charts/serving: a Helm chart; helm isn't on PATH" in listed


def test_what_is_named_is_judged(tree: Path) -> None:
    for path in ("rendered", "rendered/out.yaml", "fixtures/wrong.yaml", "node_modules/pkg", "deploy/mine.local.yaml"):
        assert run("lint", path, cwd=tree).returncode == 1
        assert run("lint", "--force-exclude", path, cwd=tree).returncode == 0
    assert run("lint", "deploy", "--exclude", "bom.yaml", cwd=tree).returncode == 0
