"""Each error of the API server about the pods of a service is a finding of OME-160, or of the rule to which OME-160 leaves it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tests.families.examples import decided, example_facts, example_request, examples
from tests.ome.records import DEFINITIONS, KINDS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.ome.family import FAMILY
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads, workloads_of
from weighbridge.policies.families.ome.rules.ome_160_workload_not_made import REPORTED
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import judging, nearest
from weighbridge.policies.verdict.engine import Phase, decide

_MODEL = """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata: {name: qwen}
spec: {modelFormat: {name: safetensors}, modelParameterSize: 8B, storage: {storageUri: "hf://a/qwen", path: /models/qwen}}
"""
_RUNTIME = """\
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: vllm}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, autoSelect: true}]
  engineConfig:
    runner:
      name: ome-container
      image: engine:1
      env: [{name: LEVEL, value: info}]
      resources: {requests: {cpu: 10, memory: 60Gi, nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}
      readinessProbe: {httpGet: {path: /health, port: 8080}}
"""


def cluster(*more: JSONObject) -> Facts:
    """A cluster with a model and a runtime for it, all of whose objects of OME are known."""
    facts = from_objects([*(yaml.safe_load(text) for text in (_MODEL, _RUNTIME)), *more], DEFINITIONS)
    facts.objects.complete(besides=[("ome.io", kind) for kind in KINDS])
    return facts


def service(engine: str, **more: Any) -> JSONObject:
    """A service of the model with this engine."""
    metadata = {"name": "chat", "namespace": "default"}
    spec = {"model": {"name": "qwen", "apiGroup": "ome.io", "kind": "ClusterBaseModel"}, "engine": yaml.safe_load(engine), **more}
    return {"apiVersion": "ome.io/v1beta1", "kind": "InferenceService", "metadata": metadata, "spec": spec}


def runner(fields: str) -> str:
    """An engine whose runner has these fields over the runtime's."""
    return f"{{runner: {{name: ome-container, {fields}}}}}"


def refusals(decision: Decision) -> list[tuple[str, str]]:
    """The fields and the reasons in the findings of OME-160."""
    found = [finding for finding in decision.findings if finding.rule == "OME-160"]
    return [(finding.field, finding.message.partition(" of engine: ")[2]) for finding in found]


@pytest.mark.parametrize("phase", [Phase.WHOLE, Phase.VALIDATE])
@pytest.mark.parametrize(
    ("engine", "field", "what"),
    [
        (
            runner("resources: {limits: {memory: 32Gi}}"),
            "runner.resources",
            'spec.template.spec.containers[0].resources.requests: Invalid value: "60Gi"',
        ),
        (
            runner("resources: {limits: {cpu: 2}}"),
            "runner.resources",
            'spec.template.spec.containers[0].resources.requests: Invalid value: "10"',
        ),
        (
            "{containers: [{name: side, image: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}",
            "containers[0].resources.requests",
            'spec.template.spec.containers[0].resources.requests: Invalid value: "2"',
        ),
        (
            runner("volumeMounts: [{name: weights, mountPath: /w}]"),
            "runner.volumeMounts[0].name",
            'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "weights"',
        ),
        (
            runner('env: [{name: "A=B", value: x}]'),
            "runner.env[0].name",
            'spec.template.spec.containers[0].env[0].name: Invalid value: "A=B"',
        ),
        (
            runner("readinessProbe: {periodSeconds: -1}"),
            "runner.readinessProbe.periodSeconds",
            "spec.template.spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1",
        ),
        (
            runner("readinessProbe: {exec: {command: [test]}}"),
            "runner.readinessProbe",
            "spec.template.spec.containers[0].readinessProbe.httpGet: Forbidden: may not specify more than 1 handler type",
        ),
        ("{volumes: [{name: Scratch, emptyDir: {}}]}", "volumes[0].name", 'spec.template.spec.volumes[0].name: Invalid value: "Scratch"'),
        ('{labels: {"my team": chat}}', "labels", 'spec.template.labels: Invalid value: "my team"'),
        (
            runner("ports: [{name: a-name-of-many-letters, containerPort: 8080}]"),
            "runner.ports[0].name",
            'spec.template.spec.containers[0].ports[0].name: Invalid value: "a-name-of-many-letters"',
        ),
        ('{serviceAccountName: "No Account"}', "serviceAccountName", 'spec.template.spec.serviceAccountName: Invalid value: "No Account"'),
        ("{restartPolicy: Never}", "restartPolicy", 'spec.template.spec.restartPolicy: Unsupported value: "Never"'),
        (
            "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}}",
            "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
            "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value",
        ),
        (
            '{deploymentStrategy: {rollingUpdate: {maxSurge: "5"}}}',
            "deploymentStrategy.rollingUpdate.maxSurge",
            'spec.strategy.rollingUpdate.maxSurge: Invalid value: "5": a valid percent string',
        ),
        (
            "{deploymentStrategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}}",
            "deploymentStrategy.rollingUpdate",
            "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
        ),
        (
            "{deploymentStrategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0%}}}",
            "deploymentStrategy.rollingUpdate.maxUnavailable",
            'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
        ),
        ("{deploymentStrategy: {type: Blue}}", "deploymentStrategy", "spec.strategy: Unsupported value"),
        (
            "{maxUnavailable: -1}",
            "maxUnavailable",
            "spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0",
        ),
        ("{maxUnavailable: 150%}", "maxUnavailable", 'spec.maxUnavailable: Invalid value: "150%": must not be greater than 100%'),
        ("{minAvailable: -5%}", "minAvailable", 'spec.minAvailable: Invalid value: "-5%": a valid percent string must be a numeric string'),
    ],
)
def test_what_the_api_server_has_against_the_deployment_is_an_error_at_its_field(engine: str, field: str, what: str, phase: Phase) -> None:
    decision = decide(request_for(service(engine)), cluster(), DEFAULT, phase)
    assert not decision.allowed
    ((told_field, told),) = refusals(decision)
    assert told_field == f"spec.engine.{field}"
    assert told.startswith(what)


@pytest.mark.parametrize("phase", [Phase.WHOLE, Phase.VALIDATE])
@pytest.mark.parametrize(
    ("ports", "field", "what"),
    [
        ("[{containerPort: 80}, {containerPort: 81}]", "spec.engine.runner.ports[0]", "spec.ports[0].name: Required value"),
        (
            "[{name: a, containerPort: 80}, {name: b, containerPort: 80}]",
            "spec.engine.runner.ports[1]",
            'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
        ),
    ],
)
def test_what_the_api_server_has_against_the_service_of_a_component_is_an_error(ports: str, field: str, what: str, phase: Phase) -> None:
    decision = decide(request_for(service(runner(f"ports: {ports}"))), cluster(), DEFAULT, phase=phase)
    assert not decision.allowed
    assert (field, what) in refusals(decision)


def test_a_port_of_another_protocol_keeps_it_and_is_none_twice() -> None:
    both = service(runner("ports: [{name: a, containerPort: 80}, {name: b, containerPort: 80, protocol: UDP}]"))
    found = next(obj for obj in made_of(both, cluster()).objects if obj["kind"] == "Service")
    assert [port["protocol"] for port in found["spec"]["ports"]] == ["TCP", "UDP"]


def test_ome_stops_at_a_service_that_the_api_server_refuses() -> None:
    made = made_of(service(runner("ports: [{containerPort: 80}, {containerPort: 81}]")), cluster())
    assert [obj["kind"] for obj in made.objects] == ["ConfigMap", "Deployment"]
    assert made.failure.startswith('Service "chat-engine" is invalid: ')


@pytest.mark.parametrize(("version", "is_refused"), [("1.35", True), ("1.36", False)])
def test_a_service_may_begin_with_a_digit_since_1_36(version: str, is_refused: bool) -> None:
    begins = {**service("{}"), "metadata": {"name": "8b", "namespace": "default"}}
    found = nearest(version)
    assert found is not None
    with judging(found):
        failure = made_of(begins, cluster()).failure
    assert failure.startswith('Service "8b-engine" is invalid: metadata.name: ') is is_refused


def made_of(asked: JSONObject, facts: Facts) -> Workloads:
    """What OME creates for a service."""
    made = workloads_of(request_for(asked), facts, DEFAULT)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("engine", "last"),
    [
        ("{deploymentStrategy: {type: Blue}}", ["ConfigMap"]),
        ("{scaleTarget: 0}", ["ConfigMap", "Deployment", "Service"]),
        ("{minAvailable: 1, maxUnavailable: 1}", ["ConfigMap", "Deployment", "Service", "HorizontalPodAutoscaler"]),
        ("{maxUnavailable: 10}", ["ConfigMap", "Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget", "Service"]),
    ],
)
def test_ome_stops_at_the_object_that_the_api_server_refuses(engine: str, last: list[str]) -> None:
    assert [obj["kind"] for obj in made_of(service(engine), cluster()).objects] == last


def test_a_budget_of_the_runtime_is_refused_at_the_component() -> None:
    facts = cluster()
    runtime = facts.objects.get("ome.io", "ClusterServingRuntime", "", "vllm")
    assert runtime is not None
    runtime["spec"]["engineConfig"]["maxUnavailable"] = "10"
    ((field, told),) = refusals(decide(request_for(service("{minAvailable: null}")), facts, DEFAULT))
    assert (field, told.partition(":")[0]) == ("spec.engine", "spec.maxUnavailable")


_WEIGHT: JSONObject = {
    "apiVersion": "ome.io/v1beta1",
    "kind": "FineTunedWeight",
    "metadata": {"name": "tuned"},
    "spec": {"baseModelRef": {"name": "qwen"}, "hyperParameters": {"strategy": "lora"}, "modelType": "LoRA"},
}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "OME reads the configuration of FineTunedWeight tuned, and there is none"),
        (
            {"configuration": {}, "hyperParameters": {"strategy": 12}},
            "OME's controller panics on hyperParameters.strategy of FineTunedWeight tuned, which isn't text",
        ),
        ({"hyperParameters": {"strategy": 12}}, "OME reads the configuration of FineTunedWeight tuned, and there is none"),
    ],
)
def test_a_weight_that_ome_cannot_read_is_an_error_at_the_service(fields: JSONObject, words: str) -> None:
    facts = cluster({**_WEIGHT, "spec": {**_WEIGHT["spec"], **fields}})
    asked = service("{}")
    asked["spec"]["model"]["fineTunedWeights"] = ["tuned"]
    decision = decide(request_for(asked), facts, DEFAULT)
    assert not decision.allowed
    assert [finding.message for finding in decision.findings if finding.rule in ("OME-160", "WB-003")] == [
        f"the service is never deployed: {words}"
    ]
    assert made_of(asked, facts).objects == []


def test_nothing_is_made_without_the_weight() -> None:
    asked = service("{}")
    asked["spec"]["model"]["fineTunedWeights"] = ["tuned"]
    made = made_of(asked, cluster())
    assert (made.failure, made.objects) == ("FineTunedWeight tuned doesn't exist", [])


def test_each_error_of_a_deployment_is_a_finding() -> None:
    engine = """\
serviceAccountName: A
runner: {name: ome-container, env: [{name: LEVEL, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: "A=B"}]}
"""
    decision = decide(request_for(service(engine)), cluster(), DEFAULT)
    assert [field for field, _ in refusals(decision)] == ["spec.engine.runner.env[1].name", "spec.engine.serviceAccountName"]
    assert "OME-033" in {finding.rule for finding in decision.findings}


@pytest.mark.parametrize(
    ("role", "wrong", "field"),
    [
        ("leader", {"serviceAccountName": "A"}, "spec.engine.leader.serviceAccountName"),
        ("worker", {"serviceAccountName": "A"}, "spec.engine.worker.serviceAccountName"),
    ],
)
def test_what_the_api_server_has_against_a_pod_of_a_group_is_an_error(role: str, wrong: JSONObject, field: str) -> None:
    pod: JSONObject = {"runner": {"name": "ome-container", "image": "engine:1"}}
    roles = {"leader": pod, "worker": {**pod, "size": 1}}
    asked = service("{}")
    asked["spec"]["engine"] = {**roles, role: {**roles[role], **wrong}}
    decision = decide(request_for(asked), cluster(), DEFAULT)
    assert [found for found, _ in refusals(decision)] == [field]
    assert "refuses the StatefulSet of engine" in decision.message


def _errors(rule: Rule) -> list[str]:
    """The API server's errors about the pods of a rule's bad example."""
    made: Workloads | None = workloads_of(example_request(FAMILY, rule, examples(rule).bad), example_facts(rule), DEFAULT)
    assert made is not None
    return [str(error) for refusal in made.refusals for error in refusal.errors]


@pytest.mark.parametrize(("rule", "pattern"), REPORTED, ids=[rule.id for rule, _ in REPORTED])
def test_what_is_left_to_another_rule_is_said_by_it(rule: Rule, pattern: re.Pattern[str]) -> None:
    assert any(map(pattern.search, _errors(rule)))
    said = {finding.rule for finding in decided(FAMILY, rule, examples(rule).bad).findings}
    assert rule.id in said
    assert "OME-160" not in said
