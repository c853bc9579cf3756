"""What Flux's HelmReleases and Argo CD's Applications render from the tree, with the values that they give."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.rendering.trees import model, needs_helm, needs_kustomize, program, said, write

_CHART = "apiVersion: v2\nname: c\nversion: 0.1.0\n"
_TEMPLATE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: {{ .Release.Name }}
  annotations: {app: {{ .Values.app | default "none" | quote }}}
spec:
  source: https://example.com/a.gguf
  hardware:
    accelerator: {{ .Values.accelerator | default "cuda" }}
    gpu:
      count: 1
      vendor: {{ .Values.gpu.vendor }}
"""
_VALUES = "gpu: {vendor: nvidia}\n"
_FINDING = "c/templates/model.yaml:9:5: error[LLMKUBE-001] spec.hardware.accelerator:"


def _release(rest: str = "", chart: str = "chart: ./c, sourceRef: {kind: GitRepository, name: repo}") -> str:
    spec = f"{{interval: 1h, chart: {{spec: {{{chart}}}}}{rest and f', {rest}'}}}"
    return f"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: r, namespace: ai}}\nspec: {spec}\n"


def _application(source: str, path: str = "c") -> str:
    spec = f'{{destination: {{namespace: ai}}, source: {{repoURL: "https://example.com/r.git", path: {path}, {source}}}}}'
    return f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: r, namespace: argocd}}\nspec: {spec}\n"


def _config_map(name: str, data: str, namespace: str = "ai") -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: {namespace}}}\ndata: {data}\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path, {"c/Chart.yaml": _CHART, "c/values.yaml": _VALUES, "c/templates/model.yaml": _TEMPLATE})
    return tmp_path


def _errors(root: Path) -> list[str]:
    return said(run("lint", cwd=root).stdout, ": error[")


def _report(root: Path, file: str) -> dict[str, Any]:
    results: list[dict[str, Any]] = json.loads(run("lint", "-o", "json", cwd=root).stdout)["results"]
    (result,) = [one for one in results if one["source"] == file]
    return result


_GIVEN = {
    "values": _release("values: {accelerator: rocm}"),
    "valuesFrom": _release("valuesFrom: [{kind: ConfigMap, name: v}]") + "---\n" + _config_map("v", '{values.yaml: "accelerator: rocm"}'),
    "valuesKey": _release("valuesFrom: [{kind: ConfigMap, name: v, valuesKey: k}]")
    + "---\n"
    + _config_map("v", '{k: "accelerator: rocm"}'),
    "targetPath": _release("values: {accelerator: cuda}, valuesFrom: [{kind: ConfigMap, name: v, valuesKey: k, targetPath: accelerator}]")
    + "---\n"
    + _config_map("v", "{k: rocm}"),
    "values over valuesFrom": _release("values: {accelerator: rocm}, valuesFrom: [{kind: ConfigMap, name: v}]")
    + "---\n"
    + _config_map("v", '{values.yaml: "accelerator: cuda"}'),
    "optional": _release("values: {accelerator: rocm}, valuesFrom: [{kind: ConfigMap, name: none, optional: true}]"),
    "secret": _release("values: {accelerator: rocm}, valuesFrom: [{kind: Secret, name: s}]"),
    "HelmChart": _release("chartRef: {kind: HelmChart, name: h}, values: {accelerator: rocm}", "")
    + "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: h, namespace: ai}\n"
    + "spec: {chart: c, sourceRef: {kind: GitRepository, name: repo}}\n",
    "valuesFiles": _release(chart="chart: c, valuesFiles: [c/values.yaml, prod.yaml], sourceRef: {kind: GitRepository, name: repo}"),
    "valuesFiles alone": _release(chart="chart: c, valuesFiles: [whole.yaml], sourceRef: {kind: GitRepository, name: repo}"),
    "Argo's valuesObject": _application("helm: {valuesObject: {accelerator: rocm}, values: 'accelerator: cuda'}"),
    "Argo's values": _application("helm: {values: 'accelerator: rocm'}"),
    "Argo's parameters": _application("helm: {values: 'accelerator: cuda', parameters: [{name: accelerator, value: rocm}]}"),
    "Argo's valueFiles": _application("helm: {valueFiles: [../prod.yaml]}"),
    "Argo's valueFiles from the root": _application("helm: {valueFiles: [/prod.yaml, gone.yaml], ignoreMissingValueFiles: true}"),
    "Argo's valueFiles of another source": _application("helm: {valueFiles: [$values/prod.yaml]}"),
}


@needs_helm
@pytest.mark.parametrize("text", _GIVEN.values(), ids=list(_GIVEN))
def test_a_chart_of_the_tree_is_judged_with_the_values_that_it_gets(tree: Path, text: str) -> None:
    write(tree, {"prod.yaml": "accelerator: rocm\n", "whole.yaml": "accelerator: rocm\ngpu: {vendor: nvidia}\n", "flux.yaml": text})
    (finding,) = _errors(tree)
    kind = "Application argocd/r" if "Application" in text else "HelmRelease ai/r"
    assert finding.startswith(_FINDING)
    assert finding.endswith(f"(in c as {kind})")


@needs_helm
def test_names_and_namespaces_are_those_of_the_release(tree: Path) -> None:
    write(tree, {"a.yaml": _release("values: {accelerator: rocm}, releaseName: other, targetNamespace: team")})
    assert "(Model team/other)" in run("lint", cwd=tree).stdout
    write(tree, {"a.yaml": _release("values: {accelerator: rocm}, targetNamespace: team")})
    assert "(Model team/team-r)" in run("lint", cwd=tree).stdout
    write(tree, {"a.yaml": _application("helm: {values: 'accelerator: rocm'}")})
    assert "(Model ai/r)" in run("lint", cwd=tree).stdout


@needs_helm
def test_a_parameter_with_commas_is_one_value(tree: Path) -> None:
    given = "helm: {parameters: [{name: app, value: 'a,accelerator=rocm'}, {name: gpu.vendor, value: nvidia, forceString: true}]}"
    write(tree, {"a.yaml": _application(given)})
    assert _errors(tree) == []


@needs_helm
def test_own_values_of_the_chart_are_left_out_where_value_files_leave_them_out(tree: Path) -> None:
    write(tree, {"prod.yaml": "accelerator: cuda\n"})
    write(tree, {"a.yaml": _release(chart="chart: c, valuesFiles: [prod.yaml], sourceRef: {kind: GitRepository, name: repo}")})
    done = run("lint", cwd=tree)
    assert "Warning: a.yaml:1: c as HelmRelease ai/r isn't rendered (" in done.stderr
    assert done.returncode == 0


@needs_helm
def test_of_one_config_map_in_several_clusters_the_nearest_counts(tree: Path) -> None:
    maps = {name: _config_map("v", f'{{values.yaml: "accelerator: {name}"}}') for name in ("rocm", "cuda")}
    write(tree, {f"clusters/{name}/values.yaml": text for name, text in maps.items()})
    write(tree, {f"clusters/{name}/release.yaml": _release("valuesFrom: [{kind: ConfigMap, name: v}]") for name in maps})
    (finding,) = _errors(tree)
    assert finding.endswith("(in c as HelmRelease ai/r of clusters/rocm/release.yaml:1)")
    write(tree, {"release.yaml": _release("valuesFrom: [{kind: ConfigMap, name: v}]").replace("name: r,", "name: other,")})
    assert "isn't judged here: ConfigMap ai/v isn't in the tree" in _report(tree, "release.yaml")["skipped"]


_SAID = {
    "which is judged as rendered": _release(),
    "which is judged as rendered without the values of Secret ai/s, which aren't known here": _release(
        "valuesFrom: [{kind: Secret, name: s}]"
    ),
    "which isn't judged here: ConfigMap ai/v isn't in the tree": _release("valuesFrom: [{kind: ConfigMap, name: v}]"),
    "which isn't judged here: its postRenderers change what comes out": _release("postRenderers: [{kustomize: {}}]"),
    "which isn't judged here: prod.yaml of its valuesFiles isn't in the tree": _release(
        chart="chart: c, valuesFiles: [prod.yaml], sourceRef: {kind: GitRepository, name: repo}"
    ),
    "which isn't judged here: https://x/y of its valueFiles would be downloaded": _application("helm: {valueFiles: ['https://x/y']}"),
    "which isn't judged here: gone.yaml of its valueFiles isn't in the tree": _application("helm: {valueFiles: [gone.yaml]}"),
    "which isn't judged here: ../../../etc/hosts of its fileParameters isn't in the tree": _application(
        "helm: {fileParameters: [{name: a, path: ../../../etc/hosts}]}"
    ),
    "which isn't judged here": _release(chart="chart: ./gone, sourceRef: {kind: GitRepository, name: repo}"),
}


@needs_helm
@pytest.mark.parametrize(("fate", "text"), _SAID.items(), ids=[str(number) for number in range(len(_SAID))])
def test_an_object_says_what_becomes_of_what_it_renders(tree: Path, fate: str, text: str) -> None:
    write(tree, {"a.yaml": text})
    result = _report(tree, "a.yaml")
    assert result["status"] == "skipped"
    assert result["skipped"].endswith(f", {fate}")


@needs_helm
def test_files_outside_of_the_repository_are_not_read(tree: Path) -> None:
    write(tree, {"inside/.git/HEAD": "", "outside.yaml": "accelerator: rocm\n", "inside/link.yaml": ""})
    (tree / "c").rename(tree / "inside/c")
    (tree / "inside/link.yaml").unlink()
    (tree / "inside/link.yaml").symlink_to(tree / "outside.yaml")
    for name in ("../../outside.yaml", "../link.yaml"):
        write(tree, {"inside/a.yaml": _application(f"helm: {{valueFiles: [{name}]}}")})
        assert f"{name} of its valueFiles isn't in the tree" in _report(tree, "inside/a.yaml")["skipped"]


def test_without_helm_one_line_says_what_to_run(tree: Path, no_programs: Path) -> None:
    write(tree, {"a.yaml": _release("values: {accelerator: rocm}, valuesFrom: [{kind: ConfigMap, name: v, optional: true}]")})
    done = run("lint", cwd=tree)
    assert done.returncode == 0
    command = "helm template r c --namespace ai --values VALUES | weighbridge lint -"
    wanted = "c as HelmRelease ai/r: 1 rendering isn't judged, since helm isn't on PATH; to judge it write its values into VALUES, and run:"
    assert [line for line in done.stderr.splitlines() if "HelmRelease" in line] == [f"Warning: {wanted} {command}"]
    assert _report(tree, "a.yaml")["skipped"].endswith(", which isn't rendered; helm isn't on PATH")


def test_a_value_cant_become_an_option_of_helm(tree: Path, no_programs: Path) -> None:
    program(no_programs, "helm", 'for word in "$@"; do echo "# $word" >&2; done; exit 1')
    write(tree, {"a.yaml": _application("helm: {releaseName: --post-renderer=/bin/sh, parameters: [{name: --debug, value: x}]}")})
    done = run("lint", cwd=tree)
    assert "# --post-renderer" not in done.stderr
    assert "its name --post-renderer=/bin/sh isn't a name that Helm accepts" in _report(tree, "a.yaml")["skipped"]


_OVERLAY = "resources: [m.yaml]\n"
_POD = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s, namespace: ai}
spec: {modelRef: m, image: "ghcr.io/org/server:v1", replicas: 1}
"""


@needs_kustomize
@pytest.mark.parametrize(
    ("given", "image"),
    [
        ("images: ['ghcr.io/org/server:v2']", "ghcr.io/org/server:v2"),
        ("images: ['ghcr.io/org/server=localhost:5000/s:v3']", "localhost:5000/s:v3"),
        ("images: ['ghcr.io/org/server=localhost:5000/s']", "localhost:5000/s:v1"),
        (f"images: ['ghcr.io/org/server@sha256:{'a' * 64}']", f"ghcr.io/org/server@sha256:{'a' * 64}"),
    ],
)
def test_images_of_an_application_are_put_in(tmp_path: Path, given: str, image: str) -> None:
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "ai"},
        "spec": {"template": {"spec": {"containers": [{"name": "a", "image": "ghcr.io/org/server:v1"}]}}},
    }
    write(tmp_path, {"o/kustomization.yaml": "resources: [d.yaml]\n", "o/d.yaml": json.dumps(deployment)})
    write(tmp_path, {"a.yaml": _application(f"kustomize: {{{given}}}", "o")})
    records = json.loads(run("dry-run", "-o", "json", ".", cwd=tmp_path).stdout)
    assert image in json.dumps(records)


@needs_kustomize
def test_a_kustomization_is_judged_as_an_application_changes_it(tmp_path: Path) -> None:
    write(tmp_path, {"o/kustomization.yaml": _OVERLAY, "o/m.yaml": model("m")})
    write(tmp_path, {"a.yaml": _application("kustomize: {namePrefix: a-}", "o")})
    assert _errors(tmp_path) == []
    patch = '[{target: {kind: Model}, patch: \'[{"op": "replace", "path": "/spec/hardware/accelerator", "value": "rocm"}]\'}]'
    write(tmp_path, {"a.yaml": _application(f"kustomize: {{namePrefix: a-, patches: {patch}}}", "o")})
    (finding,) = _errors(tmp_path)
    assert finding.startswith("o/m.yaml:7:18: error[LLMKUBE-001]")
    assert finding.endswith("(in o as Application argocd/r)")
    assert "(Model ai/a-m)" in run("lint", cwd=tmp_path).stdout
    write(tmp_path, {"a.yaml": _application("kustomize: {version: v5}", "o")})
    assert _report(tmp_path, "a.yaml")["skipped"].endswith(", which is judged as it is built")
    write(tmp_path, {"a.yaml": _application("kustomize: {components: [x]}", "o")})
    assert _report(tmp_path, "a.yaml")["skipped"].endswith(", which isn't judged here: its kustomize.components isn't known here")
    write(tmp_path, {"o/kustomization.yaml": _OVERLAY + "namePrefix: b-\n", "a.yaml": _application("kustomize: {namePrefix: a-}", "o")})
    assert _report(tmp_path, "a.yaml")["skipped"].endswith("its kustomize.namePrefix replaces that of o/kustomization.yaml")


@needs_kustomize
def test_a_release_with_variables_gets_them_first(tmp_path: Path) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: ai}\n"
    flux += "spec: {path: ./apps, postBuild: {substituteFrom: [{kind: ConfigMap, name: v}], substitute: {PATH_OF: o}}}\n"
    write(
        tmp_path, {"o/kustomization.yaml": _OVERLAY, "o/m.yaml": model("m"), "flux.yaml": flux, "v.yaml": _config_map("v", "{WITH: rocm}")}
    )
    patch = '[{target: {kind: Model}, patch: \'[{"op": "replace", "path": "/spec/hardware/accelerator", "value": "${WITH}"}]\'}]'
    write(tmp_path, {"apps/a.yaml": _application(f"kustomize: {{patches: {patch}}}", "'${PATH_OF}'")})
    (finding,) = _errors(tmp_path)
    assert finding.startswith("o/m.yaml:7:18: error[LLMKUBE-001]")


@needs_helm
def test_odd_values_end_nothing(tree: Path) -> None:
    odd = [
        _release("values: [1], valuesFrom: [1, {kind: 1}]"),
        _release("values: {accelerator: '${X}'}, releaseName: 7, targetNamespace: []"),
        _application("helm: {parameters: [{}], valueFiles: [1], values: 7}"),
        _application("helm: {values: 'a: [', releaseName: ''}"),
        _application("kustomize: {images: [1, '', '=', ':'], replicas: 1}"),
        _release(chart="chart: ../.., sourceRef: {kind: GitRepository}"),
        _release(chart='chart: "c\\0", sourceRef: {kind: GitRepository}'),
        _application('helm: {parameters: [{name: a, value: "x\\0y"}]}'),
        _application('helm: {valueFiles: ["\\0"]}'),
    ]
    write(tree, {f"{number}.yaml": text for number, text in enumerate(odd)})
    assert run("lint", cwd=tree).returncode == 0


@needs_helm
def test_what_has_changed_is_known_by_the_files_that_give_values(tree: Path) -> None:
    write(tree, {"clusters/a.yaml": _release("values: {accelerator: cuda}")})
    for arguments in (("init", "-q"), ("add", "-A"), ("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x")):
        subprocess.run(["git", *arguments], cwd=tree, check=True)
    write(tree, {"clusters/a.yaml": _release("values: {accelerator: rocm}")})
    (finding,) = said(run("lint", ".", "--changed-since", "HEAD", cwd=tree).stdout, ": error[")
    assert finding.startswith(_FINDING)


def test_a_chart_that_comes_later_is_looked_for_again(tree: Path, no_programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from weighbridge.webhook.cache import inputs

    (tree / "c").rename(tree / "later")
    write(tree, {"clusters/a.yaml": _release()})
    (tree / "later").rename(tree.parent / "later")
    monkeypatch.setattr(inputs, "_recorded", None)
    recorded = inputs.record()
    run("lint", "clusters", cwd=tree)
    monkeypatch.chdir(tree)
    assert recorded.are_unchanged()
    (tree.parent / "later").rename(tree / "c")
    assert not recorded.are_unchanged()


_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: ai}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{containers: [{{name: c, image: x, resources: {{limits: {{nvidia.com/gpu: 2}}}}}}]}}
"""
_NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpus}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}, conditions: [{type: Ready, status: "True"}]}
"""


def _tree_with_a_release(root: Path, of_release: int, alone: int) -> Path:
    """Writes a chart that has one replica by default, a release of it with more, and a separate Deployment; returns the cluster's file."""
    files = {"c/Chart.yaml": _CHART, "c/values.yaml": "replicas: 1\n"}
    files["c/templates/d.yaml"] = _DEPLOYMENT.format(name="released", replicas="{{ .Values.replicas }}")
    files["flux.yaml"] = _release(f"values: {{replicas: {of_release}}}")
    files["alone.yaml"] = _DEPLOYMENT.format(name="alone", replicas=alone)
    write(root / "tree", files)
    (root / "cluster.yaml").write_text(_NODE)
    return root / "cluster.yaml"


@needs_helm
def test_a_picture_has_what_the_release_of_a_chart_renders(tmp_path: Path) -> None:
    cluster = _tree_with_a_release(tmp_path, 3, 1)
    done = run("fit", ".", "--cluster", str(cluster), "-o", "json", cwd=tmp_path / "tree")
    assert done.returncode == 0
    placed = {one["object"]: one["placed"] for one in json.loads(done.stdout)["workloads"]}
    assert placed == {"Deployment ai/released": 3, "Deployment ai/alone": 1}


@needs_helm
def test_a_picture_of_two_releases_of_a_chart_is_none(tmp_path: Path) -> None:
    cluster = _tree_with_a_release(tmp_path, 3, 1)
    write(tmp_path / "tree", {"other.yaml": _release("values: {replicas: 2}").replace("name: r,", "name: other,")})
    done = run("fit", ".", "--cluster", str(cluster), cwd=tmp_path / "tree")
    assert done.returncode == 2
    assert "such as c as HelmRelease ai/other, c as HelmRelease ai/r;" in done.stderr


@needs_helm
@pytest.mark.parametrize(("of_release", "named"), [(3, False), (4, True)])
def test_the_objects_of_a_release_are_placed_with_those_of_files(tmp_path: Path, of_release: int, named: bool) -> None:
    cluster = _tree_with_a_release(tmp_path, of_release, 1)
    found = run("lint", ".", "--cluster", str(cluster), cwd=tmp_path / "tree").stdout
    assert ("PLACE-003" in found) is named
