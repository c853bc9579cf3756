"""kustomize: overlays are built, and their parts aren't judged separately."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.command_line import run
from tests.rendering.trees import model, needs_kustomize, program, said, service, write

_BAD = model("m").replace("accelerator: cuda", "accelerator: rocm")
_PATCH = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m, namespace: ai}
spec:
  hardware:
    accelerator: rocm
"""


def _lines(root: Path, *arguments: str) -> list[str]:
    return said(run("lint", *arguments, cwd=root).stdout, ": error", ": warning")


def _overlay(root: Path, text: str, **files: str) -> None:
    write(root, {"base/kustomization.yaml": "resources: [m.yaml]\n", "base/m.yaml": model("m"), "over/kustomization.yaml": text})
    write(root, {f"over/{name.replace('_', '.')}": text for name, text in files.items()})


@needs_kustomize
@pytest.mark.parametrize(
    ("kustomization", "files", "place"),
    [
        ("patches: [{path: p.yaml}]", {"p_yaml": _PATCH}, "over/p.yaml:6:18"),
        ("patchesStrategicMerge: [p.yaml]", {"p_yaml": _PATCH}, "over/p.yaml:6:18"),
        (
            "patches: [{path: p.yaml, target: {kind: Model}}]",
            {"p_yaml": "- op: replace\n  path: /spec/hardware/accelerator\n  value: rocm\n"},
            "over/p.yaml:3:10",
        ),
        (
            "patches:\n- target: {kind: Model}\n  patch: |-\n    - {op: replace, path: /spec/hardware/accelerator, value: rocm}",
            {},
            "over/kustomization.yaml:4:10",
        ),
        ("components: [../part]", {"../part/kustomization_yaml": "", "x_yaml": ""}, "part/p.yaml:6:18"),
        ("namePrefix: x-\nnamespace: other\npatches: [{path: p.yaml}]", {"p_yaml": _PATCH}, "over/p.yaml:6:18"),
    ],
    ids=["patches", "patchesStrategicMerge", "JSON patch", "inline", "component", "renamed"],
)
def test_a_value_of_a_patch_is_found_in_the_patch(tmp_path: Path, kustomization: str, files: dict[str, str], place: str) -> None:
    _overlay(tmp_path, f"resources: [../base]\n{kustomization}\n")
    write(tmp_path, {f"over/{name.replace('_', '.')}": text for name, text in files.items() if "part" not in name})
    if "component" in kustomization:
        part = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}]\n"
        write(tmp_path, {"part/kustomization.yaml": part, "part/p.yaml": _PATCH})
    (line,) = [line for line in _lines(tmp_path) if "LLMKUBE-001" in line]
    assert line.startswith(f"{place}: error[LLMKUBE-001] spec.hardware.accelerator")
    assert line.endswith("(in over)")


@needs_kustomize
def test_a_value_of_the_base_is_found_in_the_base_and_said_once(tmp_path: Path) -> None:
    _overlay(tmp_path, "resources: [../base]\nnamespace: a\n")
    write(
        tmp_path,
        {"base/m.yaml": f"{service('s')}---\n# the model\n{_BAD}", "other/kustomization.yaml": "resources: [../base]\nnameSuffix: -x\n"},
    )
    (line,) = [line for line in _lines(tmp_path) if "LLMKUBE-001" in line]
    assert line.startswith("base/m.yaml:15:18: error[LLMKUBE-001]")
    assert line.endswith("(in other, over)")


@needs_kustomize
def test_overlays_of_one_base_dont_see_each_other(tmp_path: Path) -> None:
    """The service of `one` depends on the Model of `one`, though the other overlay deletes that object."""
    write(tmp_path, {"base/kustomization.yaml": "resources: [m.yaml, s.yaml]\n", "base/m.yaml": model("m"), "base/s.yaml": service("m")})
    write(tmp_path, {f"{name}/kustomization.yaml": "resources: [../base]\n" for name in ("one", "two")})
    deleted = "    $patch: delete\n    apiVersion: x/v1\n    kind: Model\n    metadata: {name: m}\n"
    gone = f"patches:\n- target: {{kind: Model}}\n  patch: |-\n{deleted}"
    write(tmp_path, {"two/kustomization.yaml": f"resources: [../base]\n{gone}"})
    snapshot = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ai}\n---\n" + model("other")
    write(tmp_path, {".cluster/objects.yaml": snapshot})
    lines = [line for line in _lines(tmp_path, "--cluster", ".cluster/objects.yaml") if "LLMKUBE-047" in line]
    assert [line.rpartition(" (")[2] for line in lines] == ["in two)"]
    assert not any("WB-005" in line for line in _lines(tmp_path))


@needs_kustomize
def test_what_would_be_downloaded_or_is_kept_out_of_git_is_not_built_and_no_error(tmp_path: Path) -> None:
    for text in (
        "resources: [../base, https://example.com/x.yaml]\n",
        "resources: [../base, github.com/o/r//deploy?ref=v1]\n",
        "resources: [../base]\nsecretGenerator: [{name: s, envs: [secret.env]}]\n",
        "resources: [../base]\nhelmCharts: [{name: x, repo: https://example.com}]\n",
    ):
        _overlay(tmp_path, text)
        done = run("lint", "-v", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "passed over: over: not built: " in done.stdout
        # Then the base is judged separately.
        assert "checked 1 object" in done.stdout


def test_a_missing_resource_is_an_error_at_its_place(tmp_path: Path) -> None:
    _overlay(tmp_path, "resources:\n- ../base\n- gone.yaml\n")
    done = run("lint", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith(
        "over/kustomization.yaml:3:3: error: resource: gone.yaml: no such file or folder; correct the path, or remove it\n"
    )


@needs_kustomize
def test_a_build_that_fails_is_one_error(tmp_path: Path) -> None:
    _overlay(tmp_path, "resources: [../base]\npatches: [{path: p.yaml}]\n", p_yaml=_PATCH.replace("name: m,", "name: none,"))
    done = run("lint", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith(
        "over/kustomization.yaml:1:1: error: kustomize can't build this: no resource matches strategic merge patch"
    )
    assert done.stdout.count("kustomize can't") == 1


@needs_kustomize
def test_a_patch_outside_of_the_overlay_is_taken_as_flux_takes_it(tmp_path: Path) -> None:
    _overlay(tmp_path, "resources: [../base]\npatches: [{path: ../patches/p.yaml}]\n")
    write(tmp_path, {"patches/p.yaml": _PATCH})
    (line,) = _lines(tmp_path)
    assert line.startswith("patches/p.yaml:6:18: error[LLMKUBE-001]")


@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
def test_patches_are_known_without_a_program_too(tmp_path: Path, no_programs: Path, name: str) -> None:
    write(tmp_path, {".git/x": "", f"over/{name}": "resources: [m.yaml]\npatches: [{path: sub/p.yaml}]\n"})
    write(tmp_path, {"over/m.yaml": model("m"), "over/sub/p.yaml": _PATCH})
    assert _lines(tmp_path) == []
    # The kustomization may be in a folder above the named one.
    assert _lines(tmp_path, "over/sub/p.yaml") == []
    assert _lines(tmp_path, "over/sub") == []
    (tmp_path / "over" / name).unlink()
    assert len(_lines(tmp_path, "over/sub/p.yaml")) == 1


@needs_kustomize
def test_kustomizations_that_use_each_other_end(tmp_path: Path) -> None:
    write(tmp_path, {"a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a]\n"})
    assert run("lint", cwd=tmp_path).returncode == 0
    write(tmp_path, {"a/kustomization.yaml": "resources: [.]\n", "b/kustomization.yaml": "- a list\n"})
    assert "Traceback" not in run("lint", cwd=tmp_path).stderr


@needs_kustomize
def test_a_named_folder_brings_the_base_beside_it(tmp_path: Path) -> None:
    _overlay(tmp_path, "resources: [../base]\n")
    write(tmp_path, {"base/m.yaml": _BAD})
    for argument, place in (("over", "base/m.yaml:7:18"), (str(tmp_path / "over"), f"{tmp_path}/base/m.yaml:7:18")):
        (line,) = _lines(tmp_path, argument)
        assert line.startswith(place)


@needs_kustomize
@pytest.mark.parametrize(
    "text", ["a: [\n", "resources: [{{ cookiecutter.name }}.yaml]\n", "- a list\n", ""], ids=["broken", "template", "list", "empty"]
)
def test_a_kustomization_that_cant_be_read_is_what_any_file_would_be(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"k/kustomization.yaml": text, "k/m.yaml": _BAD})
    done = run("lint", cwd=tmp_path)
    assert ("kustomize can't" in done.stdout, done.stderr) == (False, "")
    assert done.returncode == (2 if text == "a: [\n" else 1)


def test_an_old_program_that_knows_of_no_origins_builds_all_the_same(tmp_path: Path, no_programs: Path) -> None:
    write(tmp_path, {"k/kustomization.yaml": "resources: [m.yaml]\n", "k/m.yaml": _BAD})
    calls = tmp_path / "calls"
    fails = f"echo x >> {calls}; echo 'json: unknown field \"buildMetadata\"' >&2; exit 1"
    program(no_programs, "kubectl", f"case $2 in */k) exec /bin/cat {tmp_path}/k/m.yaml;; *) {fails};; esac")
    (line,) = _lines(tmp_path)
    assert line.startswith("k/kustomization.yaml:1:1: error[LLMKUBE-001]")
    # It isn't asked for origins again.
    assert calls.read_text() == "x\n"


def test_a_program_that_fails_once_is_asked_again(tmp_path: Path, no_programs: Path) -> None:
    source = tmp_path / "k" / "m.yaml"
    write(tmp_path, {"k/kustomization.yaml": "resources: [m.yaml]\n", "k/m.yaml": _BAD})
    origin = f"annotations: {{config.kubernetes.io/origin: 'path: ../{os.path.relpath(source, tempfile.gettempdir())}'}}, "
    traced, failed = tmp_path / "traced", tmp_path / "failed"
    traced.write_text(_BAD.replace("metadata: {", f"metadata: {{{origin}"))
    assert traced.read_text() != _BAD
    once = f"[ -e {failed} ] && exec /bin/cat {traced}; : > {failed}; echo no memory >&2; exit 1"
    program(no_programs, "kubectl", f"case $2 in */k) exec /bin/cat {source};; *) {once};; esac")
    (line,) = _lines(tmp_path)
    assert line.startswith("k/m.yaml:7:18: error[LLMKUBE-001]")


def test_a_folder_whose_name_is_no_text_is_read_as_plain_files(tmp_path: Path, no_programs: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"k\xff")
    os.mkdir(folder)
    for name, text in ((b"kustomization.yaml", "resources: [m.yaml]\n"), (b"m.yaml", _BAD)):
        with open(os.path.join(folder, name), "w") as stream:
            stream.write(text)
    (line,) = _lines(tmp_path)
    assert line.startswith("k\\xff/m.yaml:7:18: error[LLMKUBE-001]")
