"""What OME's webhook for pods adds to a template, why it refuses one, and where a placeholder ends."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.operator import SHIPPED
from weighbridge.policies.families.ome.predictions.merge.placeholders import PlaceholderError, UnknownPlaceholderError, fault_of, replaced
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import (
    Admitted,
    admitted,
    annotation_path,
    as_admitted,
    goes_by_settings,
    refused_pods,
)
from weighbridge.policies.families.ome.subject.gpu_pods import asked_gpus, gpu_pods
from weighbridge.policies.ground.objects import JSONObject

_METRICS = {"ome.io/enable-metric-aggregation": "false", "ome.io/enable-prometheus-scraping": "false"}
_INIT = {"ome.io/inject-model-init": "true"}
_TENSORRT = {**_INIT, "ome.io/base-model-format": "TensorRT-LLM"}
_AGENT = {"image": "a:1", "compartmentId": "c", "authType": "InstancePrincipal"}
_SETTINGS: dict[str, JSONObject] = {
    **SHIPPED,
    "fineTunedAdapter": {"cpuRequest": "1", "cpuLimit": "1", **_AGENT},
    "servingSidecar": {"memoryRequest": "1Gi", "memoryLimit": "1Gi", **_AGENT},
}


def _template(annotations: dict[str, str], name: str = "ome-container", **container: Any) -> JSONObject:
    return {"metadata": {"annotations": annotations}, "spec": {"containers": [{"name": name, **container}]}}


@pytest.mark.parametrize(
    ("annotations", "name", "refusal", "missing"),
    [
        (_INIT, "main", "no main container ome-container or trainer specified", ""),
        (_TENSORRT, "ome-container", "NVIDIA GPU resource not set for main container", ""),
        ({"ome.io/inject-fine-tuned-adapter": "w"}, "main", "failed to validate FineTunedAdapterInjector", "fineTunedAdapter"),
        ({"ome.io/inject-serving-sidecar": "true"}, "main", "failed to validate ServingSidecarInjector", "servingSidecar"),
        ({"rdma.ome.io/auto-inject": "true", "rdma.ome.io/profile": "other"}, "main", "unknown RDMA profile: other", ""),
    ],
)
def test_a_pod_is_refused_in_ome_s_words(annotations: dict[str, str], name: str, refusal: str, missing: str) -> None:
    template = _template(annotations, name)
    assert admitted(template, SHIPPED) == Admitted(template, refusal, missing)
    deployment = {"kind": "Deployment", "metadata": {"labels": {"component": "engine"}}, "spec": {"template": template}}
    assert list(refused_pods([deployment], SHIPPED)) == [("engine", Admitted(template, refusal, missing))]
    assert as_admitted(deployment, SHIPPED) == deployment


@pytest.mark.parametrize(
    ("annotations", "added"),
    [
        ({}, []),
        (_INIT, [("model-init", {"cpu": "15", "memory": "150Gi"})]),
        ({"ome.io/inject-model-init": "yes"}, []),
        ({"ome.io/inject-fine-tuned-adapter": "w"}, [("fine-tuned-adapter", {"cpu": "1"})]),
        ({"ome.io/inject-fine-tuned-adapter": ""}, []),
        ({"ome.io/inject-serving-sidecar": "yes"}, []),
        ({"rdma.ome.io/auto-inject": "true"}, []),
        ({"rdma.ome.io/auto-inject": "true", "rdma.ome.io/profile": "oci-roce"}, []),
        ({"rdma.ome.io/profile": "other"}, []),
    ],
)
def test_a_pod_gets_the_containers_that_its_annotations_ask_for(annotations: dict[str, str], added: list[tuple[str, Any]]) -> None:
    found = admitted(_template(annotations), _SETTINGS)
    assert (found.refusal, found.is_missing) == ("", "")
    assert found.template["metadata"]["annotations"] == {**_METRICS, **annotations}
    told = [
        (one["name"], one["resources"]["requests"], one["resources"]["limits"]) for one in found.template["spec"].get("initContainers", [])
    ]
    assert told == [(name, amounts, amounts) for name, amounts in added]


def test_an_annotation_of_metrics_stays_and_so_do_the_containers_that_are_there() -> None:
    template = _template({"ome.io/enable-metric-aggregation": "true", **_INIT})
    template["spec"]["initContainers"] = [{"name": "own"}]
    found = admitted(template, SHIPPED)
    assert found.template["metadata"]["annotations"]["ome.io/enable-metric-aggregation"] == "true"
    assert [one["name"] for one in found.template["spec"]["initContainers"]] == ["own", "model-init"]


@pytest.mark.parametrize("form", ["TensorRT-LLM", "tensorrt_llm", "TENSORRTLLM"])
def test_an_engine_of_tensorrt_is_fetched_for_gpus(form: str) -> None:
    annotations = {**_INIT, "ome.io/base-model-format": form}
    assert admitted(_template(annotations), SHIPPED).refusal
    assert admitted(_template(annotations, "trainer", resources={"limits": {"nvidia.com/gpu": "1"}}), SHIPPED).refusal
    assert not admitted(_template(annotations, resources={"limits": {"nvidia.com/gpu": "1"}}), SHIPPED).refusal
    assert not admitted(_template({**annotations, "ome.io/base-model-format": "onnx"}), SHIPPED).refusal


@pytest.mark.parametrize(
    ("annotations", "depends"),
    [
        ({}, False),
        (_INIT, True),
        ({"ome.io/inject-model-init": "false"}, False),
        ({"ome.io/inject-fine-tuned-adapter": "w"}, True),
        ({"ome.io/inject-serving-sidecar": "false"}, True),
    ],
)
def test_a_pod_depends_on_the_settings_where_something_is_added(annotations: dict[str, str], depends: bool) -> None:
    assert goes_by_settings(_template(annotations)) is depends


def test_an_annotation_is_the_component_s_where_that_has_it() -> None:
    service: JSONObject = {"spec": {"engine": {"annotations": {"a": "1"}}}}
    assert annotation_path(service, "engine", "a") == ("spec", "engine", "annotations", "a")
    assert annotation_path(service, "engine", "b") == ("metadata", "annotations", "b")
    assert annotation_path(None, "engine", "a") == ("metadata", "annotations", "a")


_METADATA = {"name": "chat", "namespace": "team-a", "labels": {"x": "a\\b"}, "annotations": {"y": "1"}}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("{{/* }}*/}}z", "z"),
        ("{{/* */}}{{ .Name }}", "chat"),
        ("{{`}}`}}z", "}}z"),
        ("{{``}}z", "z"),
        ("a  {{- .Name }}  b", "achat  b"),
        ("a  {{ .Name -}}  b", "a  chatb"),
        ("{{ .Name }}{{ .Namespace }}", "chatteam-a"),
        ("{{ .Name -}} {{- .Name }}", "chatchat"),
        ("{{-1}}", None),
        ("{{true}}{{ false }}", "truefalse"),
        ("{{ len .Annotations }}", "1"),
        ("{{ .Annotations.y }}{{.Annotations.none}}", "1"),
        ("no braces } {", "no braces } {"),
    ],
)
def test_a_placeholder_ends_where_go_ends_it(words: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(UnknownPlaceholderError):
            replaced(words, {"metadata": _METADATA})
    else:
        assert replaced(words, {"metadata": _METADATA}) == expected


def test_keys_are_replaced_too_and_other_values_stay() -> None:
    written = {"{{ .Name }}": ["{{ .Name }}", 1, True, None, {"a": "{{ .Namespace }}"}]}
    assert replaced(written, {"metadata": _METADATA}) == {"chat": ["chat", 1, True, None, {"a": "team-a"}]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{{ .Name", "'{{ .Name' opens a placeholder and doesn't close it"),
        ("{{/* c", "'{{/* c' opens a placeholder and doesn't close it"),
        ("{{`c", "'{{`c' opens a placeholder and doesn't close it"),
        ('x {{ "a" }}', """'{{ "a" }}' has '"' between its braces, which Go's templates don't take in JSON"""),
        ("{{ .Spec }}", "{{.Spec}} isn't a field that OME's templates can read"),
        ("{{ .Name.x }}", "{{.Name.x}} isn't a field that OME's templates can read"),
        ("{{ .Labels.a.b }}", "{{.Labels.a.b}} isn't a field that OME's templates can read"),
        ("{{ .UID }}", ""),
        ("{{ .Name }}", ""),
        ("plain", ""),
    ],
)
def test_what_go_refuses_of_a_placeholder_is_said_in_words(words: str, message: str) -> None:
    assert fault_of(words) == message
    if message:
        with pytest.raises(PlaceholderError):
            replaced(words, {"metadata": _METADATA})


def test_the_first_unknown_placeholder_is_named_unless_one_is_refused() -> None:
    with pytest.raises(UnknownPlaceholderError, match=r"^what OME's templates write for {{\.UID}} isn't known$"):
        replaced("{{ .UID }}{{ $x }}", {"metadata": _METADATA})
    with pytest.raises(UnknownPlaceholderError, match=r"^{{\.Labels\.x}} gives a text with a backslash or a control character$"):
        replaced("{{ .Labels.x }}", {"metadata": _METADATA})
    with pytest.raises(PlaceholderError):
        replaced("{{ .UID }}{{ .Spec }}", {"metadata": _METADATA})


@pytest.mark.parametrize(
    ("containers", "asked"),
    [
        ([{"limits": {"nvidia.com/gpu": "2"}}], ("nvidia.com/gpu", 2)),
        ([{"limits": {"nvidia.com/gpu": "2"}}, {"requests": {"nvidia.com/gpu": 3}}], ("nvidia.com/gpu", 5)),
        ([{"limits": {"nvidia.com/gpu": "2"}, "requests": {"nvidia.com/gpu": "1"}}], ("nvidia.com/gpu", 2)),
        ([{"limits": {"cpu": "2", "gpu.intel.com/i915": "1"}}], ("gpu.intel.com/i915", 1)),
        ([{"limits": {"amd.com/gpu": "0"}}], None),
        ([{}], None),
    ],
)
def test_the_gpus_of_all_containers_add_up(containers: list[Any], asked: tuple[str, int] | None) -> None:
    spec = {"containers": [{"name": "c", "resources": resources} for resources in containers]}
    assert asked_gpus(spec) == asked


def test_a_pod_that_asks_for_gpus_is_called_by_its_component_and_role() -> None:
    pod = {"spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}
    group = {"leaderTemplate": pod, "workerTemplate": pod, "size": 2}
    workload: JSONObject = {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"labels": {"component": "engine"}},
        "spec": {"leaderWorkerTemplate": group},
    }
    told = [(found.title, found.spec_path, found.resource, found.count) for found in gpu_pods([workload])]
    assert told == [(f"engine's {role}", ("spec", "engine", role), "nvidia.com/gpu", 1) for role in ("leader", "worker")]
    assert list(gpu_pods([{**workload, "metadata": {}}])) == []
    alone: JSONObject = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": workload["metadata"], "spec": {"template": pod}}
    assert [(found.title, found.spec_path) for found in gpu_pods([alone])] == [("engine", ("spec", "engine"))]
