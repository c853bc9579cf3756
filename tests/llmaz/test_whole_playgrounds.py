"""The whole Service and autoscaler that the controller creates for a Playground, or its error if it creates none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmaz.kinds import PLAYGROUND, SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.predictions.playground import autoscaler_of, created_service, predict
from weighbridge.policies.families.llmaz.subject.service import Service, service_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

METRICS = [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]
PROBE = {"httpGet": {"path": "/health", "port": 8080}}
KNOWN = (("llmaz.io", "OpenModel"), ("inference.llmaz.io", "BackendRuntime"), ("inference.llmaz.io", "Service"))
REFUSED = (
    'HorizontalPodAutoscaler.autoscaling "p" is invalid: spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'
)
PENDING = ("True", "Pending", "Waiting for inference Service ready")


def a_runtime(**spec: Any) -> JSONObject:
    configs = [
        {"name": "default", "args": ["--model", "{{ .ModelPath }}", "--name={{.ModelName}}"], "sharedMemorySize": "2Gi"},
        {"name": "speculative-decoding", "args": ["--draft", "{{ .DraftModelPath }}"], "scaleTrigger": {"hpa": {"metrics": METRICS}}},
        {"name": "broken", "args": ["ok", "{{ .Nothing }}"], "scaleTrigger": {}},
    ]
    given = {"image": "engine", "version": "v1", "command": ["serve"], "recommendedConfigs": configs, **spec}
    return {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "BackendRuntime", "metadata": {"name": "r"}, "spec": given}


def a_model(name: str, **source: Any) -> JSONObject:
    spec = {"source": source or {"modelHub": {"modelID": f"org/{name}"}}}
    return {"apiVersion": "llmaz.io/v1alpha1", "kind": "OpenModel", "metadata": {"name": name}, "spec": spec}


MODELS = (a_model("a"), a_model("b"), a_model("odd", uri="nothing"))


def a_request(spec: JSONObject, annotations: dict[str, str], name: str = "p") -> Request:
    asked = spec.get("backendRuntimeConfig", {})
    config = None if asked is None else {"backendName": "r", **asked}
    given = {"modelClaim": {"modelName": "a"}, **spec, "backendRuntimeConfig": config}
    if "modelClaims" in spec:
        del given["modelClaim"]
    metadata = {"name": name, "namespace": "ns", "annotations": annotations}
    obj = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Playground", "metadata": metadata, "spec": given}
    return Request("1", Operation.CREATE, PLAYGROUND, obj, namespace="ns", name=name)


def facts_of(*objects: JSONObject, known: Sequence[tuple[str, str]] = KNOWN) -> Facts:
    facts = Facts(bundled_definitions(DEFAULT), ObjectStore(objects))
    facts.objects.complete(besides=known, but=[kind for kind in KNOWN if kind not in known])
    return facts


def a_playground(spec: JSONObject, runtime: JSONObject | None = None, **annotations: str) -> Service:
    found = service_of(a_request(spec, annotations), facts_of(*MODELS, runtime or a_runtime()), DEFAULT)
    assert found is not None
    return found


def predicted(spec: JSONObject, *beside: JSONObject, name: str = "p", known: Sequence[tuple[str, str]] = KNOWN) -> Prediction:
    found = predict(a_request(spec, {}, name), facts_of(*MODELS, a_runtime(), *beside, known=known), DEFAULT)
    assert found is not None
    return found


def drafted(*roles: str) -> JSONObject:
    return {"modelClaims": {"models": [{"name": name, "role": role} for name, role in zip("ab", roles, strict=False)]}}


def test_a_playground_of_defaults_is_one_container_of_its_runtime() -> None:
    service, outcome = created_service(a_playground({}))
    assert outcome.failure == ""
    container = {
        "name": "model-runner",
        "image": "engine:v1",
        "command": ["serve"],
        "args": ["--model", "/workspace/models/models--org--a", "--name=a"],
        "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
        "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],
    }
    pod = {
        "containers": [container],
        "terminationGracePeriodSeconds": 130,
        "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "2Gi"}}],
    }
    assert service == {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Service",
        "metadata": {"name": "p", "namespace": "ns"},
        "spec": {
            "modelClaims": {"models": [{"name": "a", "role": "main"}]},
            "replicas": 1,
            "rolloutStrategy": {"type": "RollingUpdate"},
            "workloadTemplate": {"size": 1, "restartPolicy": "RecreateGroupOnPodRestart", "workerTemplate": {"spec": pod}},
        },
    }


def test_what_a_playground_says_goes_over_its_runtime() -> None:
    runtime = a_runtime(
        envs=[{"name": "A", "value": "1"}, {"name": "B", "value": "1"}],
        livenessProbe=PROBE,
        readinessProbe=None,
        lifecycle={},
        startupProbe=PROBE,
    )
    own = {
        "version": "",
        "args": ["--more", "{{ .ModelName }}"],
        "envs": [{"name": "B", "value": "2"}, {"name": "C", "value": "3"}],
        "resources": {"requests": {"cpu": "2"}},
        "sharedMemorySize": "1Gi",
    }
    spec = {"backendRuntimeConfig": own, "replicas": 0, "modelClaim": {"modelName": "a", "inferenceFlavors": ["f", "g"]}}
    service, _ = created_service(a_playground(spec, runtime, **{SKIP_ANNOTATION: "false"}))
    assert service is not None
    assert service["metadata"] == {"name": "p", "namespace": "ns", "annotations": {SKIP_ANNOTATION: "false"}}
    assert service["spec"]["modelClaims"] == {"models": [{"name": "a", "role": "main"}], "inferenceFlavors": ["f", "g"]}
    assert service["spec"]["replicas"] == 0
    pod = service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]
    assert pod["volumes"] == [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}]
    assert pod["containers"] == [
        {
            "name": "model-runner",
            "image": "engine:",
            "command": ["serve"],
            "args": ["--model", "/workspace/models/models--org--a", "--name=a", "--more", "{{ .ModelName }}"],
            "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}],
            "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
            "resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}},
            "livenessProbe": PROBE,
            "startupProbe": PROBE,
            "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],
        }
    ]


def test_with_a_draft_the_configuration_for_it_is_taken() -> None:
    service, _ = created_service(a_playground(drafted("draft", "main")))
    assert service is not None
    assert service["spec"]["modelClaims"] == {"models": [{"name": "a", "role": "draft"}, {"name": "b", "role": "main"}]}
    pod = service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]
    assert pod["containers"][0]["args"] == ["--draft", "/workspace/models/models--org--a"]
    assert set(pod) == {"containers", "terminationGracePeriodSeconds"}


@pytest.mark.parametrize(
    ("spec", "failure", "condition"),
    [
        (
            {"modelClaim": {"modelName": "c"}},
            'OpenModel.llmaz.io "c" not found',
            ("False", "AbortProcessing", "Waiting for model creation"),
        ),
        ({"modelClaims": {"models": []}}, "panic: runtime error: index out of range [0] with length 0", None),
        ({"backendRuntimeConfig": {"backendName": "x"}}, 'BackendRuntime.inference.llmaz.io "x" not found', None),
        ({"backendRuntimeConfig": {"backendName": ""}}, 'BackendRuntime.inference.llmaz.io "" not found', None),
        ({"backendRuntimeConfig": {"configName": "x"}}, "failed to parse backendRuntime r", None),
        (
            {"backendRuntimeConfig": {"configName": "broken"}},
            "missing flag or the flag has format error: {{ .Nothing }}",
            None,
        ),
        (
            drafted("draft", "draft"),
            'admission webhook "vservice.kb.io" denied the request: spec.modelClaims.models: Forbidden: main model is required',
            None,
        ),
    ],
)
def test_where_it_ends(spec: JSONObject, failure: str, condition: tuple[str, str, str] | None) -> None:
    found = predicted(spec)
    assert (found.failure, list(found.objects)) == (failure, [])
    conditions = [(each["status"], each["reason"], each["message"]) for each in found.status.get("conditions", [])]
    assert conditions == ([] if condition is None else [condition])


def test_a_source_that_cannot_be_read_leaves_it_open() -> None:
    found = predicted({"modelClaim": {"modelName": "odd"}})
    assert [each.reason for each in found.unchecked] == ["the source of a model can't be read"]
    assert (found.failure, list(found.objects), found.status) == ("", [], {})


@pytest.mark.parametrize(
    ("owners", "is_taken"),
    [
        ([], True),
        ([{"kind": "Playground", "name": "q", "controller": True}], True),
        ([{"kind": "Deployment", "name": "p", "controller": True}], True),
        ([{"kind": "Playground", "name": "p"}], True),
        ([{"kind": "Deployment", "name": "x"}, {"kind": "Playground", "name": "p", "controller": True}], False),
    ],
)
def test_a_service_of_the_name_with_another_owner_is_in_the_way(owners: list[JSONObject], is_taken: bool) -> None:
    metadata = {"name": "p", "namespace": "ns", "ownerReferences": owners}
    other = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "metadata": metadata, "spec": {}}
    found = predicted({}, other)
    words = "Playground owns the same name with an existing Service"
    assert found.failure.startswith(words) is is_taken
    (written,) = found.status["conditions"]
    assert (written["status"], written["reason"], written["message"]) == (("False", "AbortProcessing", words) if is_taken else PENDING)


ELASTIC = {"elasticConfig": {"maxReplicas": 3}}


@pytest.mark.parametrize(
    ("spec", "scales", "failure"),
    [
        ({}, None, ""),
        (ELASTIC, None, ""),
        ({"elasticConfig": {"minReplicas": 2, "maxReplicas": 3, "scaleTrigger": {"hpa": {"metrics": METRICS}}}}, 2, ""),
        ({"elasticConfig": {"maxReplicas": 3, "scaleTrigger": {"hpa": {}}}}, 1, ""),
        ({"elasticConfig": {"maxReplicas": 3, "scaleTrigger": {"hpa": {"metrics": [], "behavior": None}}}}, 1, ""),
        ({**ELASTIC, **drafted("main", "draft")}, 1, ""),
        # The trigger belongs to the configuration that follows from the roles.
        ({**ELASTIC, "backendRuntimeConfig": {"configName": "broken"}}, None, ""),
        (
            {"elasticConfig": {"maxReplicas": 3, "scaleTrigger": {}}},
            None,
            "panic: runtime error: invalid memory address or nil pointer dereference",
        ),
    ],
)
def test_an_elastic_playground_gets_an_autoscaler(spec: JSONObject, scales: int | None, failure: str) -> None:
    expected = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "p", "namespace": "ns"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Playground", "name": "p"},
            "minReplicas": scales,
            "maxReplicas": 3,
            "metrics": METRICS,
        },
    }
    assert autoscaler_of(a_playground(spec)) == (None if scales is None else expected, failure)


@pytest.mark.parametrize(
    ("spec", "name", "kinds", "failure"),
    [
        ({}, "n" * 60, ["Service", "LeaderWorkerSet", "Service"], ""),
        (
            {},
            "n" * 61,
            ["Service", "LeaderWorkerSet"],
            'Service "{0}-lb" is invalid: metadata.name: Invalid value: "{0}-lb": must be no more than 63 characters',
        ),
        (
            {"elasticConfig": {"minReplicas": 4, "maxReplicas": 3, "scaleTrigger": {"hpa": {}}}},
            "p",
            ["Service", "LeaderWorkerSet", "Service"],
            REFUSED,
        ),
    ],
)
def test_what_fails_late_leaves_what_was_made_before(spec: JSONObject, name: str, kinds: list[str], failure: str) -> None:
    found = predicted(spec, name=name)
    assert [each["kind"] for each in found.objects] == kinds
    assert found.failure == failure.format(name)


def test_a_variable_that_the_runtime_names_twice_is_refused_unless_the_playground_configures_its_runtime() -> None:
    runtime = a_runtime(envs=[{"name": "A"}, {"name": "A"}])
    service, _ = created_service(a_playground({}, runtime))
    assert service is not None
    assert service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]["containers"][0]["env"] == [{"name": "A"}]
    found = predicted({"backendRuntimeConfig": None}, {**runtime, "metadata": {"name": "vllm"}})
    assert found.failure == (
        "failed to create typed patch object (ns/p; inference.llmaz.io/v1alpha1, Kind=Service): "
        '.spec.workloadTemplate.workerTemplate.spec.containers[name="model-runner"].env: duplicate entries for key [name="A"]'
    )
    assert (list(found.objects), found.status) == ([], {})


def test_of_a_runtime_that_is_not_known_the_shipped_one_is_taken() -> None:
    known = [kind for kind in KNOWN if kind[1] != "BackendRuntime"]
    found = predicted({"backendRuntimeConfig": {"backendName": "x"}}, known=known)
    assert [each.reason for each in found.unchecked] == ["BackendRuntime x isn't known"]
    assert (found.failure, list(found.objects)) == ("", [])
    shipped = predicted({"backendRuntimeConfig": {"backendName": "vllm"}}, known=known)
    assert shipped.unchecked[0].reason == "BackendRuntime vllm isn't known; the one of llmaz's chart is taken, without its scripts"
    assert [each["kind"] for each in shipped.objects] == ["Service", "LeaderWorkerSet", "Service"]
