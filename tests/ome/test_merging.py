"""The pods that OME makes for a service and its runtime, in cases that the recordings don't have.

The orders of lists are those of `StrategicMergePatch` of k8s.io/apimachinery v0.36.3.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.ome.records import DEFINITIONS, KINDS, request_for
from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.merge import strategic
from weighbridge.policies.families.ome.predictions.merge.arguments import overridden
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads, workloads_for
from weighbridge.policies.families.ome.predictions.merge.placeholders import PlaceholderError, UnknownPlaceholderError, fault_of, replaced
from weighbridge.policies.families.ome.predictions.merge.strategic import merged
from weighbridge.policies.families.ome.subject.service import service_of
from weighbridge.policies.ground.objects import JSONObject

_MODEL = """
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: llama}
spec: {modelFormat: {name: safetensors}, storage: {storageUri: "hf://acme/llama", path: /models/llama}}
"""
_WEIGHT = """
apiVersion: ome.io/v1beta1
kind: FineTunedWeight
metadata: {name: mine}
spec:
  baseModelRef: {name: llama}
  hyperParameters: {strategy: tfew}
  configuration: {merged_weights: false}
  modelType: TFew
  storage: {storageUri: "oci://n/a/b/c/o/d"}
"""


def _made(runtime: str, service: str, *, vendor: str = "", weight: str = _WEIGHT, metadata: str = "{}") -> Workloads:
    """The workloads of a service with a spec on a runtime with a spec."""
    spec = {"supportedModelFormats": [{"modelFormat": {"name": "safetensors"}, "autoSelect": True}], **read(runtime)}
    model = read(_MODEL)
    model["spec"] |= {"vendor": vendor} if vendor else {}
    runtime_object = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterServingRuntime", "metadata": {"name": "srt"}, "spec": spec}
    facts = from_objects([model, runtime_object, read(weight)], DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, kind) for kind in KINDS])
    written = {"model": {"name": "llama"}, **read(service)}
    metadata_object = {"name": "chat", "namespace": "serving", **read(metadata)}
    obj = {"apiVersion": "ome.io/v1beta1", "kind": "InferenceService", "metadata": metadata_object, "spec": written}
    read_service = service_of(request_for(obj), facts, DEFAULT)
    assert read_service is not None
    found = workloads_for(read_service)
    assert found is not None
    return found


def _workload(found: Workloads, component: str = "engine") -> JSONObject:
    assert found.failure == ""
    return next(obj for obj in found.objects if obj["kind"] == "Deployment" and obj["metadata"]["labels"]["component"] == component)


def _pod(found: Workloads, component: str = "engine") -> JSONObject:
    spec: JSONObject = _workload(found, component)["spec"]["template"]["spec"]
    return spec


def _env(container: JSONObject) -> list[tuple[str, Any]]:
    return [(entry["name"], entry.get("value")) for entry in container.get("env", [])]


@pytest.mark.parametrize(
    ("base", "patch", "expected"),
    [("AB", "C", "CAB"), ("AB", "BC", "ABC"), ("AB", "AC", "ACB"), ("AB", "BA", "BA"), ("ABCD", "DXB", "ACDXB"), ("ABC", "XC", "XABC")],
)
def test_items_of_the_service_come_as_early_as_kubernetes_puts_them(base: str, patch: str, expected: str) -> None:
    found = merged({"env": [{"name": name} for name in base]}, {"env": [{"name": name} for name in patch]})
    assert [entry["name"] for entry in found["env"]] == list(expected)


def test_items_with_one_key_are_one_item_on_the_side_of_the_service() -> None:
    ports = [{"containerPort": 80, "protocol": "TCP", "name": "a"}, {"containerPort": 80, "protocol": "UDP", "name": "b"}]
    assert merged({"ports": [{"containerPort": 90}]}, {"ports": ports})["ports"] == [
        {"containerPort": 80, "protocol": "UDP", "name": "b"},
        {"containerPort": 90},
    ]


@pytest.mark.parametrize(
    ("base", "patch", "expected"),
    [
        ({"hostNetwork": True}, {"hostNetwork": False}, {"hostNetwork": True}),
        ({"terminationGracePeriodSeconds": 30}, {"terminationGracePeriodSeconds": 0}, {"terminationGracePeriodSeconds": 0}),
        ({"readinessProbe": {"periodSeconds": 5}}, {"readinessProbe": {"periodSeconds": 0}}, {"readinessProbe": {"periodSeconds": 5}}),
        ({"nodeSelector": {"a": "b"}}, {"nodeSelector": {}}, {"nodeSelector": {"a": "b"}}),
        (
            {"volumes": [{"name": "a", "emptyDir": {}}]},
            {"volumes": [{"name": "a", "hostPath": {"path": "/a"}}]},
            {"volumes": [{"name": "a", "emptyDir": {}, "hostPath": {"path": "/a"}}]},
        ),
    ],
)
def test_what_go_leaves_out_replaces_nothing(base: JSONObject, patch: JSONObject, expected: JSONObject) -> None:
    assert merged(base, patch) == expected


@pytest.mark.parametrize(
    ("args", "override", "expected"),
    [
        (["--lora", "a", "--x", "--lora", "b"], {"runtimeArgsOverride": ["--new"]}, ["--lora", "b", "--x", "--new"]),
        (["--tp 8"], {"tensorParallelismOverride": {"tensorParallelSize": 2}}, ["--tp 8"]),
        (["--tp", "8", "--tp-size=4"], {"tensorParallelismOverride": {"tensorParallelSize": 2}}, ["--tp", "8", "--tp-size=2"]),
        (
            ["run \\\n--tp-size 8 \\\n--y"],
            {"tensorParallelismOverride": {"tensorParallelSize": 2}},
            ["run \\\n--tp-size=2 \\\n--y"],
        ),
        (["--a 1\n--b"], {"runtimeArgsOverride": ["--a 2"]}, ["--a 2 \\\n--b"]),
        ([], {"runtimeArgsOverride": ["--a", "--a"]}, ["--a", "--a"]),
    ],
    ids=[
        "a flag that comes twice keeps its last value",
        "a flag with its value in one word stays",
        "the first name of a flag goes before the others",
        "in lines the value comes behind an equals sign",
        "lines need no backslash",
        "without arguments the override stays as it is",
    ],
)
def test_arguments_under_a_class(args: list[str], override: JSONObject, expected: list[str]) -> None:
    assert overridden({"args": args}, override)["args"] == expected


def test_a_variable_under_a_class_keeps_where_else_it_comes_from() -> None:
    container = {"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}
    found = overridden(container, {"environmentOverride": {"B": "2", "A": "1"}})
    assert found["env"] == [{**container["env"][0], "value": "1"}, {"name": "B", "value": "2"}]


def test_what_ome_adds_goes_over_the_container_of_the_runner_s_name() -> None:
    found = _made(
        """
engineConfig:
  containers:
  - {name: main, args: [base], env: [{name: MODEL_PATH, value: /own}], resources: {limits: {nvidia.com/gpu: "8"}}}
  runner: {name: main, image: "a:1", args: [more]}
""",
        "engine: {}",
    )
    (container,) = _pod(found)["containers"]
    assert container["args"] == ["base", "more"]
    assert _env(container) == [("MODEL_PATH", "/models/llama")]


_LEADER = """
engineConfig:
  annotations: {ome.io/deploymentMode: RawDeployment}
  runner: {name: main, image: "a:1", resources: {limits: {nvidia.com/gpu: "4"}}}
  worker: {size: 2, WORKER}
"""


def test_workers_that_aren_t_deployed_count_and_must_have_a_container() -> None:
    found = _made(_LEADER.replace("WORKER", 'runner: {name: main, image: "a:1"}'), "engine: {}")
    assert ("PARALLELISM_SIZE", "12") in _env(_pod(found)["containers"][0])
    assert "gives engine's worker a container" in _made(_LEADER.replace(", WORKER", ""), "engine: {}").failure


def test_without_gpus_there_is_no_parallelism() -> None:
    found = _made('engineConfig: {runner: {name: main, image: "a:1", resources: {limits: {nvidia.com/gpu: "0"}}}}', "engine: {}")
    assert [name for name, _ in _env(_pod(found)["containers"][0])] == ["MODEL_PATH"]


_BOTH = """
engineConfig: {annotations: {ome.io/deploymentMode: Serverless}, runner: {name: main, image: "a:1"}}
decoderConfig: {annotations: {ome.io/deploymentMode: MultiNode}, runner: {name: main, image: "a:1"}}
"""


def test_a_mode_in_an_annotation_is_the_engine_s_and_beside_a_decoder_not_serverless() -> None:
    assert {str(one.mode) for one in _made(_BOTH, "{engine: {}, decoder: {}}").components} == {"RawDeployment"}
    assert [str(one.mode) for one in _made(_BOTH, "engine: {}").components] == ["Serverless"]


def test_a_router_has_its_settings_in_its_runner_alone() -> None:
    runtime = """
engineConfig: {runner: {name: main, image: "a:1"}}
routerConfig: {config: {b: "2", a: "1"}, ROUTER}
"""
    with_runner = _made(runtime.replace("ROUTER", 'runner: {name: router, image: "r:1"}'), "{engine: {}, router: {}}")
    assert _env(_pod(with_runner, "router")["containers"][0]) == [("a", "1"), ("b", "2")]
    without = _made(runtime.replace("ROUTER", 'containers: [{name: router, image: "r:1"}]'), "{engine: {}, router: {}}")
    assert _env(_pod(without, "router")["containers"][0]) == []


_RUNNER = 'engineConfig: {runner: {name: main, image: "a:1", env: [{name: SERVED_MODEL_NAME, value: own}]}}'
_TUNED = "{model: {name: llama, fineTunedWeights: [mine]}, engine: {}}"


def test_fine_tuned_weights_of_another_vendor_set_no_variable() -> None:
    assert _env(_pod(_made(_RUNNER, _TUNED))["containers"][0]) == [("SERVED_MODEL_NAME", "own")]


def test_fine_tuned_weights_of_meta_take_the_name_of_the_model() -> None:
    container = _pod(_made(_RUNNER, _TUNED, vendor="meta"))["containers"][0]
    assert _env(container) == [("SERVED_MODEL_NAME", "/data/mine"), ("MODEL_PATH", "/opt/ml/model")]


def test_fine_tuned_weights_of_cohere_are_laid_over_the_model() -> None:
    container = _pod(_made(_RUNNER, _TUNED, vendor="cohere"))["containers"][0]
    assert ("TFEW_PATH", "/opt/ml/tfew/fastertransformer/1") in _env(container)
    assert [(mount["mountPath"], mount.get("subPath")) for mount in container["volumeMounts"]] == [
        ("/models/llama", None),
        ("/opt/ml/model/safetensors", "base"),
        ("/opt/ml/tfew/safetensors", "finetuned"),
    ]


def test_merged_weights_call_off_fetching_the_model() -> None:
    merged_weight = _WEIGHT.replace("merged_weights: false", "merged_weights: true")
    found = _made(_RUNNER, _TUNED, vendor="meta", weight=merged_weight, metadata='annotations: {ome.io/inject-model-init: "true"}')
    assert _workload(found)["metadata"]["annotations"]["ome.io/inject-model-init"] == "false"
    assert [mount["name"] for mount in _pod(found)["containers"][0]["volumeMounts"]] == ["model-empty-dir"]


def test_a_router_knows_nothing_of_fine_tuned_weights() -> None:
    runtime = _RUNNER + '\nrouterConfig: {runner: {name: router, image: "r:1"}}'
    found = _workload(_made(runtime, _TUNED[:-1] + ", router: {}}"), "router")
    assert found["metadata"]["labels"]["fine-tuned-serving"] == "false"
    assert "ome.io/inject-fine-tuned-adapter" not in found["metadata"]["annotations"]


def test_what_kubectl_notes_on_a_service_doesn_t_come_down_to_its_pods() -> None:
    noted = 'annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", mine: kept}'
    annotations = _workload(_made(_RUNNER, "engine: {}", metadata=noted))["metadata"]["annotations"]
    assert "kubectl.kubernetes.io/last-applied-configuration" not in annotations
    assert annotations["mine"] == "kept"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{type: Recreate}", {"type": "Recreate"}),
        ("{type: RollingUpdate}", {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}),
        ("{rollingUpdate: {maxSurge: 2}}", {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": 2}}),
    ],
)
def test_how_a_deployment_is_updated(written: str, expected: JSONObject) -> None:
    found = _made(_RUNNER, "{engine: {deploymentStrategy: " + written + "}}")
    assert _workload(found)["spec"]["strategy"] == expected


@pytest.mark.parametrize(("resources", "kept"), [("{}", True), ("{limits: {}}", True), ('{limits: {memory: "1Gi"}}', False)])
def test_empty_resources_of_a_service_are_none(resources: str, kept: bool) -> None:
    runtime = """
containers: [{name: main, resources: {requests: {cpu: "3"}}}]
engineConfig: {runner: {name: main, image: "a:1"}}
"""
    found = _made(runtime, "{engine: {runner: {name: main, resources: " + resources + "}}}")
    asked = _pod(found)["containers"][0].get("resources", {}).get("requests", {})
    assert ("cpu" in asked) is kept


_METADATA = {"name": "chat", "namespace": "team-a", "labels": {"x": "lx", "b": "2"}, "annotations": {"team": 'x"y<z', "plus": "a+b'c&d"}}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("{{ .Annotations.team }}", "x&#34;y&lt;z"),
        ("{{ .Annotations.plus }}", "a&#43;b&#39;c&amp;d"),
        ("{{ .Labels.missing }}|", "|"),
        ("{{ .Labels }}", "map[b:2 x:lx]"),
        ("{{ len .Name }}{{ .Labels | len }}", "42"),
        ("a {{- .Name -}} b", "achatb"),
        ("{{/* c */}}z", "z"),
        ("{{`{{`}} x", "{{ x"),
        ("{{`a<b&c+`}}", "a<b&c&#43;"),
        ("}} {{ .Name }}}", "}} chat}"),
        ("{{ 5 }}", "5"),
    ],
)
def test_placeholders_give_what_go_s_templates_give(words: str, expected: str) -> None:
    """The expected texts are Go 1.24's."""
    assert replaced({"args": [words]}, {"metadata": _METADATA}) == {"args": [expected]}


@pytest.mark.parametrize(
    "words",
    [
        *("{{ .Name.Foo }}", "{{ .Labels.x.y }}", "{{}}", "{{ .Labels.a-b }}", "{{{ .Name }}}", "{{ .Name\n}}", "{{ .Name"),
        *("{{ m }}", "{{ m[0] }}", "{{ .Spec }}", "{{- bos }}", "{{/* c }}", "{{ raise(1) }}", "{{ 'ab' }}", '{{ "a" }}', '{{`a"b`}}'),
    ],
)
def test_placeholders_that_go_s_templates_refuse(words: str) -> None:
    assert fault_of(words)
    with pytest.raises(PlaceholderError):
        replaced(words, {"metadata": _METADATA})


@pytest.mark.parametrize("words", ["{{ if .Name }}y{{ end }}", "{{ print .Name }}", "{{ (.Name) }}", "{{ .UID }}", "{{ $x := 1 }}"])
def test_placeholders_of_which_nothing_is_said(words: str) -> None:
    assert fault_of(words) == ""
    with pytest.raises(UnknownPlaceholderError):
        replaced(words, {"metadata": _METADATA})


def test_a_placeholder_that_isn_t_known_is_no_failure() -> None:
    found = _made('engineConfig: {runner: {name: main, image: "a:1", args: ["{{ .UID }}"]}}', "engine: {}")
    assert (found.failure, found.unknown) == ("", "what OME's templates write for {{.UID}} isn't known")


def test_a_probe_without_a_port_loses_the_runtime_s() -> None:
    runtime = 'engineConfig: {runner: {name: main, image: "a:1", livenessProbe: {httpGet: {path: /live, port: 80}}}}'
    found = _made(runtime, "{engine: {runner: {name: main, livenessProbe: {httpGet: {path: /other}}}}}")
    assert "livenessProbe.httpGet.port: Invalid value: 0" in found.failure


@pytest.mark.parametrize("key", [{}, [], {"a": 1}, 1.5])
def test_a_key_that_can_be_none_fails_nothing(key: Any) -> None:
    odd, plain = {"name": key, "value": "1"}, {"name": "A"}
    for base, patch in ((odd, plain), (plain, odd)):
        found = merged({"env": [base]}, {"env": [patch]})["env"]
        assert len(found) == 2
        assert odd in found
        assert plain in found


def test_a_merge_of_many_items_looks_at_each_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def counted(item: Any, name: str) -> Any:
        nonlocal looked
        looked += 1
        return item[name]

    monkeypatch.setattr(strategic, "key_of", counted)
    env: Any = [{"name": f"V{number}", "value": "a"} for number in range(400)]
    base: JSONObject = {"env": env[200:]}
    assert merged(base, {"env": env}) == {"env": env}
    assert looked < 10 * len(env)
