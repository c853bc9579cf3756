"""Variables that Flux substitutes, and what Flux and Argo CD render."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.rendering.trees import model, needs_kustomize, write

_FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: repo}
  postBuild:
    substitute: {KIND: rocm, COUNT: 2}
    substituteFrom: [{kind: ConfigMap, name: settings}]
"""


def _model(**changes: str) -> str:
    text = model("m").replace("    gpu: {count: 1, vendor: nvidia}\n", "    gpu:\n      count: 1\n      vendor: nvidia\n")
    for field, value in changes.items():
        before = {"count": "count: 1", "accelerator": "accelerator: cuda", "source": "source: https://example.com/m.gguf"}[field]
        assert before in text
        text = text.replace(before, f"{field}: {value}")
    return text


def _result(root: Path, file: str = "apps/m.yaml") -> dict[str, Any]:
    results: list[dict[str, Any]] = json.loads(run("lint", "-o", "json", cwd=root).stdout)["results"]
    (result,) = [one for one in results if one["source"] == file]
    return result


def _unknown(result: dict[str, Any]) -> list[str]:
    return [entry["subject"] for entry in result["unchecked"] if "Flux puts in" in entry["reason"]]


@pytest.mark.parametrize("value", ["${GPUS:=1}", "${GPUS:-1}", '"${GPUS:=1}"', "${COUNT}", "${COUNT:=7}", "${GPUS:=}1"])
def test_a_default_or_a_known_value_is_put_in_and_read_as_flux_reads_it(tmp_path: Path, value: str) -> None:
    write(tmp_path, {"apps/m.yaml": _model(count=value), "flux.yaml": _FLUX})
    result = _result(tmp_path)
    assert (result["findings"], _unknown(result)) == ([], [])


def test_a_value_that_is_put_in_is_judged(tmp_path: Path) -> None:
    write(tmp_path, {"apps/m.yaml": _model(accelerator="${KIND}"), "flux.yaml": _FLUX})
    (finding,) = _result(tmp_path)["findings"]
    assert (finding["rule"], finding["line"], finding["column"]) == ("LLMKUBE-001", 7, 18)
    write(tmp_path, {"apps/m.yaml": _model(count="${GPUS:=many}"), "flux.yaml": _FLUX})
    assert [finding["rule"] for finding in _result(tmp_path)["findings"]] == ["K8S-003"]


@pytest.mark.parametrize("value", ["${GPUS}", "${GPUS/a/b}", "x${GPUS}", "${COUNT}${GPUS}"])
def test_an_unknown_value_is_no_finding_and_said_to_be_unknown(tmp_path: Path, value: str) -> None:
    write(tmp_path, {"apps/m.yaml": _model(count=value), "flux.yaml": _FLUX})
    result = _result(tmp_path)
    assert (result["findings"], result["status"]) == ([], "not checked")
    assert _unknown(result) == ["spec.hardware.gpu.count"]
    assert run("lint", cwd=tmp_path).returncode == 0


def test_other_fields_of_an_object_with_unknown_values_are_judged(tmp_path: Path) -> None:
    text = _model(count="${GPUS}", accelerator="rocm").replace("  hardware:\n", "  hardwear: 1\n  hardware:\n")
    write(tmp_path, {"apps/m.yaml": text, "flux.yaml": _FLUX})
    result = _result(tmp_path)
    assert "K8S-001" in {finding["rule"] for finding in result["findings"]}
    assert result["status"] == "failed"


def test_without_flux_only_values_that_are_nothing_but_a_variable_count(tmp_path: Path) -> None:
    write(tmp_path, {"apps/m.yaml": _model(count="${GPUS:=1}")})
    assert _result(tmp_path)["findings"] == []
    write(tmp_path, {"apps/m.yaml": _model(count="x${GPUS}")})
    assert [finding["rule"] for finding in _result(tmp_path)["findings"]] == ["K8S-003"]


def test_where_flux_puts_nothing_in_the_text_is_the_value(tmp_path: Path) -> None:
    disabled = _model(count="${GPUS:=1}").replace(
        "namespace: ai", 'namespace: ai, annotations: {kustomize.toolkit.fluxcd.io/substitute: "disabled"}'
    )
    write(tmp_path, {"apps/m.yaml": disabled, "flux.yaml": _FLUX})
    assert [finding["rule"] for finding in _result(tmp_path)["findings"]] == ["K8S-003"]
    write(tmp_path, {"apps/m.yaml": _model(source="https://example.com/$${COUNT}.gguf")})
    assert _unknown(_result(tmp_path)) == []


_SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {MAKER: rocm, KIND: cuda}\n"


def test_variables_come_from_config_maps_of_the_tree(tmp_path: Path) -> None:
    write(tmp_path, {"apps/m.yaml": _model(accelerator="${MAKER:=cuda}"), "flux.yaml": _FLUX, "settings.yaml": _SETTINGS})
    (finding,) = _result(tmp_path)["findings"]
    assert (finding["rule"], finding["line"]) == ("LLMKUBE-001", 7)
    # The Kustomization's own values win.
    write(tmp_path, {"apps/m.yaml": _model(accelerator="${KIND}")})
    assert [one["rule"] for one in _result(tmp_path)["findings"]] == ["LLMKUBE-001"]
    write(tmp_path, {"flux.yaml": _FLUX.replace("KIND: rocm, ", "")})
    assert _result(tmp_path)["findings"] == []


def test_of_one_config_map_for_each_cluster_the_nearest_counts(tmp_path: Path) -> None:
    write(tmp_path, {f"clusters/{name}/settings.yaml": _SETTINGS.replace("rocm", name) for name in ("cuda", "rocm")})
    flux = {f"clusters/{name}/flux.yaml": _FLUX.replace("./apps", f"./apps/{name}") for name in ("cuda", "rocm")}
    write(tmp_path, flux | {f"apps/{name}/m.yaml": _model(accelerator="${MAKER}") for name in ("cuda", "rocm")})
    assert [len(_result(tmp_path, f"apps/{name}/m.yaml")["findings"]) for name in ("cuda", "rocm")] == [0, 1]


def test_what_a_secret_may_have_is_said_to_be_unknown(tmp_path: Path) -> None:
    flux = _FLUX.replace("[{kind: ConfigMap, name: settings}]", "[{kind: Secret, name: keys}, {kind: ConfigMap, name: settings}]")
    secret = _SETTINGS.replace("ConfigMap", "Secret").replace("name: settings", "name: keys").replace("data:", "stringData:")
    write(tmp_path, {"apps/m.yaml": _model(count="${GPUS}"), "flux.yaml": flux, "settings.yaml": _SETTINGS, "secret.yaml": secret})
    (entry,) = [entry for entry in _result(tmp_path)["unchecked"] if entry["subject"] == "spec.hardware.gpu.count"]
    assert entry["reason"] == "its value isn't known here: Flux puts in ${GPUS}; Secret flux-system/keys may have it"
    said = "GitRepository flux-system/repo, with variables of Secret flux-system/keys, whose values aren't known here"
    assert said in _result(tmp_path, "flux.yaml")["skipped"]


def test_a_path_is_that_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, {"r/.git/HEAD": "", "r/apps/m.yaml": _model(accelerator="${KIND}"), "r/clusters/flux.yaml": _FLUX})
    assert [one["rule"] for one in _result(tmp_path, "r/apps/m.yaml")["findings"]] == ["LLMKUBE-001"]


@needs_kustomize
def test_variables_are_put_into_what_is_built(tmp_path: Path) -> None:
    write(tmp_path, {"apps/kustomization.yaml": "resources: [m.yaml]\n", "apps/m.yaml": _model(accelerator="${KIND}", count="${N:=1}")})
    write(tmp_path, {"flux.yaml": _FLUX})
    (finding,) = _result(tmp_path)["findings"]
    assert (finding["rule"], finding["line"]) == ("LLMKUBE-001", 7)


_DELIVERY = {
    "Flux renders chart vllm 0.5.x of HelmRepository ai/charts, which isn't judged here": (
        "helm.toolkit.fluxcd.io/v2",
        "HelmRelease",
        "chart: {spec: {chart: vllm, version: 0.5.x, sourceRef: {kind: HelmRepository, name: charts}}}",
    ),
    "Flux applies ./apps of GitRepository ai/repo": (
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        "path: ./apps, sourceRef: {kind: GitRepository, name: repo}",
    ),
    "Argo CD renders charts/x of https://example.com/r, which isn't judged here": (
        "argoproj.io/v1alpha1",
        "Application",
        'source: {repoURL: "https://example.com/r", path: charts/x}',
    ),
    "Argo CD renders {{.path.path}} of https://example.com/r for each of its generators' values": (
        "argoproj.io/v1alpha1",
        "ApplicationSet",
        'template: {spec: {source: {repoURL: "https://example.com/r", path: "{{.path.path}}"}}}',
    ),
    "Flux fetches what others apply from it": ("source.toolkit.fluxcd.io/v1", "GitRepository", "url: x"),
}


@pytest.mark.parametrize(("said", "given"), _DELIVERY.items(), ids=[kind for _, kind, _ in _DELIVERY.values()])
def test_objects_of_delivery_say_what_they_render_and_are_not_unchecked(tmp_path: Path, said: str, given: tuple[str, str, str]) -> None:
    version, kind, spec = given
    write(tmp_path, {"d.yaml": f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: d, namespace: ai}}\nspec: {{{spec}}}\n"})
    result = _result(tmp_path, "d.yaml")
    assert (result["status"], result["skipped"]) == ("skipped", said)
    assert "not checked" not in run("lint", cwd=tmp_path).stdout
    assert f"passed over: d.yaml:1: {kind} ai/d: {said}" in run("lint", "-v", cwd=tmp_path).stdout


@pytest.mark.parametrize("spec", ["spec: []", "spec: {chart: 1, source: x, sources: [1], template: []}", ""])
def test_odd_objects_of_delivery_end_nothing(tmp_path: Path, spec: str) -> None:
    for version, kind, _ in _DELIVERY.values():
        write(tmp_path, {f"{kind}.yaml": f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: n}}\n{spec}\n"})
    assert run("lint", cwd=tmp_path).returncode == 0
