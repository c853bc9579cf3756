"""Deployments and autoscalers are accepted or refused as by a real API server, whichever controller created them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.programs.differential.connection import Connections
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.pods.validation.deployment import deployment_refusal

INIT = {"name": "fetch", "image": "curl"}
#: Changes to the pod of a good Deployment, and the field that the refusal names; empty if the Deployment is still good.
PODS: list[tuple[JSONObject, str]] = [
    ({}, ""),
    ({"initContainers": [INIT]}, ""),
    ({"initContainers": [{**INIT, "name": "Fetch_"}]}, 'initContainers[0].name: Invalid value: "Fetch_"'),
    ({"initContainers": [{**INIT, "image": ""}]}, "initContainers[0].image: Required value"),
    ({"initContainers": [{**INIT, "env": [{"name": "A=B", "value": "x"}]}]}, 'initContainers[0].env[0].name: Invalid value: "A=B"'),
    (
        {"initContainers": [{**INIT, "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]},
        "initContainers[0].volumeMounts[0].name: Not found",
    ),
    ({"initContainers": [{**INIT, "resources": {"requests": {"cpu": "-1"}}}]}, "initContainers[0].resources.requests[cpu]: Invalid value"),
    (
        {"initContainers": [{**INIT, "securityContext": {"runAsUser": -1}}]},
        "securityContext.runAsUser: Invalid value: -1",
    ),
    ({"initContainers": [{**INIT, "resources": {"claims": [{"name": "gpu"}]}}]}, "initContainers[0].resources.claims[0]: Not found"),
    (
        {
            "resourceClaims": [{"name": name, "resourceClaimName": "x"} for name in ("b", "a")],
            "initContainers": [{**INIT, "resources": {"claims": [{"name": "gpu"}]}}],
        },
        "resources.claims[0]: Not found",
    ),
    ({"nodeSelector": {"zone": "a b"}}, 'spec.nodeSelector: Invalid value: "a b"'),
    ({"tolerations": [{"key": "k", "operator": "Is"}]}, "spec.tolerations[0].operator: Unsupported value"),
    ({"volumes": [{"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}]}, 'spec.volumes[1].name: Duplicate value: "v"'),
    ({"securityContext": {"seccompProfile": {"type": "None"}}}, "spec.securityContext.seccompProfile.type: Unsupported value"),
    ({"priorityClassName": "High!"}, 'spec.priorityClassName: Invalid value: "High!"'),
]
REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
#: Conditions on labels, by which nodes and pods are chosen.
EXPRESSIONS: list[JSONObject] = [
    {"key": "a", "operator": "In", "values": ["b"]},
    {"key": "a", "operator": "In"},
    {"key": "a", "operator": "Exists", "values": ["b"]},
    {"key": "a", "operator": "Gt", "values": ["1"]},
    {"key": "a", "operator": "Lt", "values": ["1", "2"]},
    {"key": "a b", "operator": "Is", "values": ["é"]},
]
_CPU: JSONObject = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}
_GOOD: JSONObject = {"metric": {"name": "x"}, "target": {"type": "Value", "value": "1"}}


def _metric(kind: str, field: str, source: JSONObject) -> JSONObject:
    return {"metrics": [{"type": kind, field: source}]}


def _held_at(**target: Any) -> JSONObject:
    return {**_GOOD, "target": {"type": "Value", **target}}


def _policy(**policy: Any) -> JSONObject:
    return {"behavior": {"scaleDown": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60, **policy}]}}}


WRONG_AUTOSCALERS: list[tuple[JSONObject, str]] = [
    ({"minReplicas": -1}, "spec.minReplicas: Invalid value: -1"),
    ({"minReplicas": 0}, "spec.metrics: Forbidden: must specify at least one Object or External metric"),
    ({"minReplicas": 0, "metrics": [{"type": "External", "external": _GOOD}]}, ""),
    ({"maxReplicas": 0}, "spec.maxReplicas: Required value"),
    ({"maxReplicas": -2}, "spec.maxReplicas: Invalid value: -2"),
    ({"behavior": {"scaleDown": {"stabilizationWindowSeconds": 3600}}}, ""),
    ({"behavior": {"scaleDown": {"stabilizationWindowSeconds": 3601}}}, "must be less than or equal to 3600"),
    ({"behavior": {"scaleUp": {"stabilizationWindowSeconds": -1}}}, "must be greater than or equal to zero"),
    ({"behavior": {"scaleUp": {"selectPolicy": "Foo"}}}, 'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Foo"'),
    ({"behavior": {"scaleUp": {"policies": []}}}, "must specify at least one Policy"),
    (_policy(periodSeconds=1800), ""),
    (_policy(periodSeconds=1801), "must be less than or equal to 1800"),
    (_policy(periodSeconds=0), "policies[0].periodSeconds: Invalid value: 0"),
    (_policy(value=0), "policies[0].value: Invalid value: 0"),
    (_policy(type="Foo"), 'policies[0].type: Unsupported value: "Foo"'),
    (_metric("External", "external", _GOOD), ""),
    (_metric("External", "external", {**_GOOD, "metric": {"name": ""}}), "external.metric.name: Required value"),
    (_metric("External", "external", {**_GOOD, "metric": {"name": "a/b"}}), 'external.metric.name: Invalid value: "a/b"'),
    (_metric("External", "external", _held_at()), "must set either a target value for metric or a per-pod target"),
    (_metric("External", "external", _held_at(value="1", averageValue="1")), "may not set both a target value"),
    (_metric("External", "external", _held_at(value="0")), "external.target.value: Invalid value"),
    (_metric("Object", "object", {**_GOOD, "describedObject": {"kind": "Ingress", "name": "a", "apiVersion": "networking.k8s.io/v1"}}), ""),
    (_metric("Object", "object", {**_GOOD, "describedObject": {"kind": "", "name": ""}}), "object.describedObject.kind: Required value"),
    (
        _metric("Object", "object", {**_GOOD, "describedObject": {"kind": "a/b", "name": "c/d"}}),
        "object.describedObject.name: Invalid value",
    ),
    (_metric("Object", "object", {**_held_at(), "describedObject": {"kind": "A", "name": "a"}}), "must set either a target value or"),
    (_metric("Resource", "resource", _CPU), ""),
    (
        _metric("Resource", "resource", {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 5, "averageValue": "1"}}),
        "may not set both a target raw value and a target utilization",
    ),
    (_metric("ContainerResource", "containerResource", {**_CPU, "container": "c"}), ""),
    (_metric("ContainerResource", "containerResource", {**_CPU, "container": ""}), "must specify a container"),
    (_metric("ContainerResource", "containerResource", {**_CPU, "container": "C_"}), "containerResource.container: Invalid value"),
    (_metric("ContainerResource", "containerResource", {**_CPU, "container": "c", "name": "gpu"}), "containerResource.name: Invalid value"),
    ({"metrics": [{"type": "Resource", "resource": _CPU, "external": _GOOD}]}, "must populate the given metric source only"),
    ({"metrics": [{"type": "Resource", "external": {"metric": {"name": ""}}}]}, "must populate information for the given metric source"),
    ({"metrics": [{"type": "Foo"}]}, 'spec.metrics[0].type: Unsupported value: "Foo"'),
    ({"metrics": [{"type": ""}]}, "must specify a metric source type"),
]
AUTOSCALERS: list[tuple[JSONObject, str]] = [
    ({"minReplicas": 1, "maxReplicas": 2}, ""),
    ({"minReplicas": 3, "maxReplicas": 2}, "spec.maxReplicas: Invalid value: 2"),
    (
        {"minReplicas": 1, "maxReplicas": 2, "metrics": [{"type": "Resource", "resource": {"target": {"type": "Utilization"}}}]},
        "spec.metrics[0].resource.name: Required value",
    ),
    (
        {
            "minReplicas": 1,
            "maxReplicas": 2,
            "metrics": [{"type": "Pods", "pods": {"metric": {"name": "x"}, "target": {"type": "Some", "averageValue": "0"}}}],
        },
        "spec.metrics[0].pods.target.type: Invalid value",
    ),
    *(({"maxReplicas": 2, **wrong}, about) for wrong, about in WRONG_AUTOSCALERS),
]


def deployment(**pod: Any) -> JSONObject:
    """A Deployment that is good except for the changes to its pod."""
    labels = {"app": "a"}
    spec = {"containers": [{"name": "c", "image": "nginx"}], **copy.deepcopy(pod)}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "labels": labels},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    }


def affine(expression: JSONObject) -> JSONObject:
    """An affinity with the expression in every place where one can be."""
    term = {"matchExpressions": [expression]}
    near = {"topologyKey": "zone", "labelSelector": term}
    return {
        "nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [term]}, PREFERRED: [{"weight": 1, "preference": term}]},
        "podAntiAffinity": {REQUIRED: [near], PREFERRED: [{"weight": 1, "podAffinityTerm": near}]},
    }


def autoscaler(spec: JSONObject) -> JSONObject:
    """An autoscaler of a Deployment."""
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "d"},
        "spec": {"scaleTargetRef": target, **spec},
    }


@pytest.mark.parametrize(("change", "about"), PODS, ids=json.dumps)
def test_a_deployment_is_refused_for_what_is_wrong_with_its_pod(change: JSONObject, about: str) -> None:
    message = deployment_refusal(deployment(**change))
    assert bool(message) == bool(about)
    assert about in message


def test_a_preference_may_name_a_value_that_no_label_can_have() -> None:
    asked = affine({"key": "a", "operator": "In", "values": ["a b"]})["nodeAffinity"][PREFERRED]
    assert deployment_refusal(deployment(affinity={"nodeAffinity": {PREFERRED: asked}})) == ""


def test_numbers_are_compared_among_labels_of_nodes_alone() -> None:
    message = deployment_refusal(deployment(affinity=affine({"key": "a", "operator": "Gt", "values": ["1"]})))
    assert "nodeAffinity" not in message
    assert message.count('.operator: Invalid value: "Gt": not a valid selector operator') == 2


@pytest.mark.parametrize(("spec", "about"), AUTOSCALERS, ids=json.dumps)
def test_an_autoscaler_is_refused_for_what_is_wrong_with_it(spec: JSONObject, about: str) -> None:
    message = autoscaler_refusal(autoscaler(spec))
    assert bool(message) == bool(about)
    assert about in message


def answer(server: Connections, group: str, plural: str, obj: JSONObject) -> str:
    """The server's error on an object, in a dry run; empty if it accepts the object."""
    root = f"/apis/{group}" if "/" in group else f"/api/{group}"
    reply = server.send_value("POST", f"{root}/namespaces/pods/{plural}?dryRun=All", obj)
    return "" if reply.code < 300 else str(reply.body["message"])


@pytest.mark.control_plane
@pytest.mark.parametrize(
    "pod", [*(change for change, _ in PODS), *({"affinity": affine(expression)} for expression in EXPRESSIONS)], ids=json.dumps
)
def test_a_deployment_is_refused_in_the_servers_words(server: Connections, pod: JSONObject) -> None:
    asked = deployment(**pod)
    assert deployment_refusal(asked) == answer(server, "apps/v1", "deployments", asked)


@pytest.mark.control_plane
@pytest.mark.parametrize("spec", [spec for spec, _ in AUTOSCALERS], ids=json.dumps)
def test_an_autoscaler_is_refused_in_the_servers_words(server: Connections, spec: JSONObject) -> None:
    asked = autoscaler(spec)
    assert autoscaler_refusal(asked) == answer(server, "autoscaling/v2", "horizontalpodautoscalers", asked)
