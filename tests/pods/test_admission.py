"""The pod that the API server stores, or the error that it gives instead."""

from __future__ import annotations

import pytest

from tests.placement.clusters import affine, container, facts, labelled, node, placed, pod, reasons
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.placement import some_node_takes
from weighbridge.policies.pods.validation.deployment import deployment_refusal

GPU = "amd.com/gpu"


def runtime_class(**parts: JSONObject) -> JSONObject:
    return {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "kata"}, "handler": "kata", **parts}


def priority_class(**parts: str | int | bool) -> JSONObject:
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "low"}, "value": 5, **parts}


def resourced(**resources: dict[str, str]) -> JSONObject:
    return pod(containers=[{"name": "c", "image": "x", "resources": resources}])


TERM: JSONObject = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "a"}}}
REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"


def spread(constraint: JSONObject, labels: dict[str, str] | None = None) -> JSONObject:
    """A pod with a constraint of its spread."""
    return pod(labels=labels, topologySpreadConstraints=[{**TERM, "maxSkew": 1, "whenUnsatisfiable": "ScheduleAnyway", **constraint}])


def near(term: JSONObject, labels: dict[str, str] | None = None) -> JSONObject:
    """A pod that must be near others."""
    return pod(labels=labels, affinity={"podAffinity": {REQUIRED: [{**TERM, **term}]}})


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            pod(resources={"requests": {GPU: "1"}, "limits": {GPU: "1"}}),
            f'Unsupported value: "{GPU}": supported values: "cpu", "hugepages-", "memory"',
        ),
        (
            pod({"cpu": "2"}, resources={"requests": {"cpu": "1"}}),
            'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
        ),
        (
            pod({"cpu": "2"}, resources={"limits": {"cpu": "1"}}),
            'spec.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
        ),
        (
            pod(containers=[{"name": "c", "image": "x", "resources": {"limits": {"cpu": "2"}}}], resources={"limits": {"cpu": "1"}}),
            'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
        ),
        (labelled("a", "Gt", "-1"), 'matchExpressions[0].values[0]: Invalid value: "-1": a valid label must be'),
        (labelled("a", "In"), "values: Required value: must be specified when `operator` is 'In' or 'NotIn'"),
        (labelled("a", "Exists", "x"), "values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        (labelled("a", "Gt", "1", "2"), "values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"),
        (labelled("a", "Has", "1"), 'operator: Invalid value: "Has": not a valid selector operator'),
        (
            spread({"matchLabelKeys": ["app"]}, labels={"app": "a"}),
            'spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
        ),
        (spread({"maxSkew": 0}), "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero"),
        (
            near({"matchLabelKeys": ["app"]}, labels={"app": "a"}),
            'DuringExecution[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
        ),
        (near({"topologyKey": "a b"}), "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid"),
        (
            pod(affinity={"podAntiAffinity": {PREFERRED: [{"weight": 0, "podAffinityTerm": TERM}]}}),
            "[0].weight: Invalid value: 0: must be in the range 1-100",
        ),
        (
            pod(resourceClaims=[{"name": "g", "resourceClaimName": "a"}, {"name": "g", "resourceClaimName": "b"}]),
            'spec.resourceClaims[1].name: Duplicate value: "g"',
        ),
        (pod(resourceClaims=[{"name": "g"}]), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
        (
            pod(containers=[{"name": "c", "image": "x", "resources": {"claims": [{"name": "z"}]}}]),
            'spec.containers[0].resources.claims[0]: Not found: "z": must be one of the names in pod.spec.resourceClaims which is empty',
        ),
        (affine(), "nodeSelectorTerms: Required value: must have at least one node selector term"),
        (
            affine({"matchFields": [{"key": "spec.x", "operator": "In", "values": ["a"]}]}),
            'Invalid value: "spec.x": not a valid field selector key',
        ),
        (
            pod(tolerations=[{"operator": "Equal"}]),
            'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty',
        ),
        (
            pod(tolerations=[{"key": "k", "operator": "Gt", "value": "1"}]),
            'Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
        ),
        (pod(tolerations=[{"key": "k", "operator": "Exists", "value": "v"}]), "value must be empty when `operator` is 'Exists'"),
        (
            pod(tolerations=[{"key": "k", "operator": "Exists", "effect": "Never"}]),
            'Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ),
        (
            pod(tolerations=[{"key": "k", "effect": "NoSchedule", "tolerationSeconds": 1}]),
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
        ),
        (pod({GPU: "1500m"}), f'spec.containers[0].resources.limits[{GPU}]: Invalid value: "1500m": must be an integer'),
        (
            resourced(requests={GPU: "1"}),
            "spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
        ),
        (resourced(requests={GPU: "1"}, limits={GPU: "2"}), f'Invalid value: "1": must be equal to {GPU} limit of 2'),
        (resourced(requests={"cpu": "2"}, limits={"cpu": "1"}), 'Invalid value: "2": must be less than or equal to cpu limit of 1'),
        (resourced(requests={"cpu": "-1"}), 'Invalid value: "-1": must be greater than or equal to 0'),
        (resourced(requests={"gpu": "1"}), 'Invalid value: "gpu": must be a standard resource type or fully qualified'),
        (resourced(requests={"pods": "1"}), 'Invalid value: "pods": must be a standard resource for containers'),
        (pod({"hugepages-2Mi": "2Mi"}), "spec.containers[0].resources: Forbidden: HugePages require cpu or memory"),
        (pod({"cpu": "1", "hugepages-2Mi": "3Mi"}), 'Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi'),
        (pod(nodeSelector={"a": "b c"}), 'spec.nodeSelector: Invalid value: "b c": a valid label must be'),
        (pod(schedulingGates=[{"name": "a"}, {"name": "a"}]), 'spec.schedulingGates[1]: Duplicate value: "a"'),
        (
            pod(schedulingGates=[{"name": "a"}], nodeName="n"),
            "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
        ),
    ],
)
def test_the_api_server_refuses_a_pod_that_is_invalid(asked: JSONObject, message: str) -> None:
    placement = placed(asked, node())
    assert (placement.reason, placement.feasible) == (Reason.REJECTED, [])
    assert placement.message.startswith('Pod "p" is invalid: ')
    assert message in placement.message


def test_an_amount_that_is_no_quantity_is_refused() -> None:
    placement = placed(pod({"cpu": "many"}), node())
    assert placement.reason is Reason.REJECTED
    assert "quantities must match the regular expression" in placement.message


@pytest.mark.parametrize(
    ("spec", "objects", "message"),
    [
        ({"runtimeClassName": "nope"}, [runtime_class()], 'pod rejected: RuntimeClass "nope" not found'),
        ({"overhead": {"cpu": "1"}}, [], "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"),
        ({"overhead": {"cpu": "1"}, "runtimeClassName": "kata"}, [runtime_class()], "pod rejected: Pod Overhead set without corresponding"),
        (
            {"overhead": {"cpu": "1"}, "runtimeClassName": "kata"},
            [runtime_class(overhead={"podFixed": {"cpu": "2"}})],
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        ),
        (
            {"nodeSelector": {"a": "1"}, "runtimeClassName": "kata"},
            [runtime_class(scheduling={"nodeSelector": {"a": "2"}})],
            "conflict: runtimeClass.scheduling.nodeSelector[a] = 2; pod.spec.nodeSelector[a] = 1",
        ),
        ({"priorityClassName": "nope"}, [priority_class()], "no PriorityClass with name nope was found"),
        (
            {"priorityClassName": "low", "priority": 6},
            [priority_class()],
            "the integer value of priority (6) must not be provided in pod spec",
        ),
        (
            {"priorityClassName": "low", "preemptionPolicy": "Never"},
            [priority_class()],
            "the string value of PreemptionPolicy (Never) must not be provided in pod spec",
        ),
    ],
)
def test_an_admission_plugin_refuses_a_pod(spec: JSONObject, objects: list[JSONObject], message: str) -> None:
    placement = placed(pod(**spec), node(), *objects)
    assert placement.reason is Reason.REJECTED
    assert placement.message.startswith(f'pods "p" is forbidden: {message}')


def test_a_runtime_class_adds_overhead_selector_and_tolerations() -> None:
    kata = runtime_class(
        overhead={"podFixed": {"cpu": "1"}},
        scheduling={"nodeSelector": {"a": "1"}, "tolerations": [{"key": "k", "operator": "Exists"}]},
    )
    asked = pod({"cpu": "64"}, runtimeClassName="kata", nodeSelector={"b": "1"})
    tainted = [{"key": "k", "effect": "NoSchedule"}]
    assert reasons(asked, node(labels={"a": "1", "b": "1"}, taints=tainted, allocatable={"cpu": "65"}), kata) == []
    assert reasons(asked, node(labels={"a": "1", "b": "1"}, taints=tainted), kata) == ["Insufficient cpu"]
    assert reasons(asked, node(labels={"b": "1"}), kata) == ["node(s) didn't match Pod's node affinity/selector"]


@pytest.mark.parametrize("classes", [[], [priority_class(globalDefault=True, preemptionPolicy="Never")]], ids=["own", "default"])
def test_a_policy_never_to_preempt_is_told(classes: list[JSONObject]) -> None:
    asked = pod({"cpu": "65"}) if classes else pod({"cpu": "65"}, priorityClassName="system-node-critical")
    if not classes:
        classes, asked["spec"]["priorityClassName"] = [priority_class(preemptionPolicy="Never")], "low"
    message = "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never."
    assert placed(asked, node(), *classes).message == message


def test_classes_of_which_nothing_is_known_are_not_guessed() -> None:
    placement = placed(pod(runtimeClassName="kata", priorityClassName="low", overhead={"cpu": "1"}), node())
    assert placement.unchecked == [
        "PriorityClass low: the cluster's priority classes aren't known",
        "RuntimeClass kata: the cluster's runtime classes aren't known",
    ]
    assert placement.feasible == ["n"]


def test_the_system_priority_classes_are_always_there() -> None:
    assert placed(pod(priorityClassName="system-node-critical"), node(), priority_class()).feasible == ["n"]


def test_hugepage_limits_of_containers_become_the_pods() -> None:
    asked = pod({"cpu": "1", "hugepages-2Mi": "4Mi"}, resources={"requests": {"cpu": "2"}})
    assert reasons(asked, node(allocatable={"hugepages-2Mi": "2Mi"})) == ["Insufficient hugepages-2Mi"]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"spec": None},
        {"spec": {"containers": "c"}},
        {
            "metadata": {"name": 5, "labels": []},
            "spec": {"containers": [None, {"resources": []}], "tolerations": [5], "affinity": {"nodeAffinity": 7}},
        },
        {"spec": {"nodeSelector": {"a": 1}, "volumes": [{"persistentVolumeClaim": {}}, 3], "priority": "x", "schedulerName": 4}},
        {"spec": {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}}, "topologySpreadConstraints": {}}},
        {"spec": {"containers": [container({"cpu": "1"})], "resources": {"limits": [1], "requests": {"cpu": None}}, "overhead": []}},
    ],
)
def test_a_pod_of_wrong_types_never_fails(broken: JSONObject) -> None:
    assert isinstance(placed(broken, node()).reason, Reason)


def test_keys_of_labels_may_be_in_a_template_that_the_server_takes_but_not_in_its_pods() -> None:
    template = {**spread({"matchLabelKeys": ["app"]}), "metadata": {"labels": {"app": "a"}}}
    workload = {"metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"app": "a"}}, "template": template}}
    assert deployment_refusal(workload) == ""
    cluster = facts(node())
    assert not some_node_takes(spread({"matchLabelKeys": ["app"]}, labels={"app": "a"}), cluster, "default", is_valid=True)
    # The API server adds nothing for a label that the pod lacks, or to a selector that isn't there.
    assert some_node_takes(spread({"matchLabelKeys": ["app"]}), cluster, "default", is_valid=True)
    assert some_node_takes(spread({"matchLabelKeys": ["other"]}, labels={"other": "x"}), cluster, "default", is_valid=True)
