"""The charges of services under GPUQuotas, including oddities."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.quota_charges import GIB, Charge, charge, covers
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.upstream.quota_webhook import Limit, excesses
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

DEFINITIONS = bundled_definitions()
LISTED = {"gpu": {"count": 2}}


def named(kind: str, name: str, spec: Any, namespace: str = "team-a") -> dict[str, Any]:
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def facts(*found: dict[str, Any], labels: dict[str, str] | None = None) -> Facts:
    store = ObjectStore(found)
    if labels is not None:
        store.put({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": labels}})
    return Facts(DEFINITIONS, store)


@pytest.mark.parametrize(
    ("hardware", "spec", "operator", "expected"),
    [
        (LISTED, {}, KnownOperator(), Charge(2, None)),
        (LISTED, {"resources": {"gpu": 5}}, KnownOperator(), Charge(2, None)),
        ({}, {"resources": {"gpu": 5}}, KnownOperator(), Charge(5, None)),
        ({}, {}, KnownOperator(), Charge(0, None)),
        ({}, {}, KnownOperator(vram_per_device_gib=24), Charge(0, 0)),
        (LISTED, {"replicas": 3}, KnownOperator(vram_per_device_gib=24), Charge(6, 6 * 24 * GIB)),
        # Autoscaling counts for the GPUs and not for their memory.
        (LISTED, {"replicas": 1, "autoscaling": {"maxReplicas": 4}}, KnownOperator(vram_per_device_gib=24), Charge(8, 48 * GIB)),
        (LISTED, {"replicas": 9, "autoscaling": {"maxReplicas": 4}}, KnownOperator(), Charge(8, None)),
        (LISTED, {"replicas": 0}, KnownOperator(), Charge(0, None)),
        (LISTED, {"replicas": 2, "suspend": True}, KnownOperator(), Charge(4, None)),
        ({"accelerator": "metal", **LISTED}, {}, KnownOperator(), Charge(2, None)),
        ({"gpu": {"resourceClaims": [{"name": "g", "resourceClaimName": "one"}]}}, {}, KnownOperator(), Charge(0, None)),
        (LISTED, {"resources": {"gpuSharing": {"mode": "partitioned", "profile": " 1g.24gb "}}}, KnownOperator(), Charge(2, 24 * GIB)),
        (LISTED, {"resources": {"gpuSharing": {"mode": "partitioned", "profile": "1g.0gb"}}}, KnownOperator(), Charge(2, None)),
        (LISTED, {"resources": {"gpuSharing": {"mode": "shared", "memoryLimitGiB": 10}}}, KnownOperator(), Charge(2, 10 * GIB)),
        ({"gpu": {"count": 1, "memory": "16Gi"}}, {"resources": {"gpuSharing": {"mode": "shared"}}}, KnownOperator(), Charge(1, 16 * GIB)),
        ({"gpu": {"count": 1, "memory": "much"}}, {"resources": {"gpuSharing": {"mode": "shared"}}}, KnownOperator(), Charge(1, None)),
        # Older operators know no sharing: every GPU is a whole one.
        (
            LISTED,
            {"resources": {"gpuSharing": {"mode": "shared", "memoryLimitGiB": 10}}},
            KnownOperator(version=(0, 9, 8), vram_per_device_gib=24),
            Charge(2, 48 * GIB),
        ),
    ],
)
def test_a_service_is_charged_as_upstream_does(hardware: Any, spec: Any, operator: KnownOperator, expected: Charge) -> None:
    known = facts(named("Model", "m", {"source": "org/m", "hardware": hardware}))
    assert charge(named("InferenceService", "svc", {"modelRef": "m", **spec}), "team-a", known, operator) == expected


@pytest.mark.parametrize(
    ("spec", "labels", "expected"),
    [
        ({"namespaceRef": "team-a"}, None, True),
        ({"namespaceRef": "team-b"}, None, False),
        ({"namespaceRef": ""}, {}, False),
        ({"selector": {}}, None, True),
        ({"selector": {"matchLabels": {"tier": "gold"}}}, None, None),
        ({"selector": {"matchLabels": {"tier": "gold"}}}, {"tier": "gold"}, True),
        ({"selector": {"matchLabels": {"tier": "gold"}}}, {"tier": "silver"}, False),
        ({"selector": {"matchLabels": {"kubernetes.io/metadata.name": "team-a"}}}, {}, True),
        ({"selector": {"matchExpressions": [{"key": "tier", "operator": "Equals", "values": ["gold"]}]}}, {"tier": "gold"}, False),
        ({"selector": {"matchExpressions": [{"key": "tier", "operator": "In"}]}}, {"tier": "gold"}, False),
        ({"selector": {"matchLabels": {"tier": "not a label"}}}, {"tier": "gold"}, False),
    ],
)
def test_a_quota_covers_namespaces_by_name_or_labels(spec: Any, labels: dict[str, str] | None, expected: bool | None) -> None:
    assert covers(named("GPUQuota", "q", spec, namespace="admin"), "team-a", facts(labels=labels)) is expected


def test_a_selector_counts_the_services_of_all_namespaces_and_a_name_those_of_its_own() -> None:
    elsewhere = named("InferenceService", "other", {"modelRef": "m", "resources": {"gpu": 3}}, namespace="team-b")
    by_labels = named("GPUQuota", "labels", {"selector": {"matchLabels": {"tier": "gold"}}, "gpuCount": 3})
    by_name = named("GPUQuota", "name", {"namespaceRef": "team-a", "gpuCount": 3})
    known = facts(elsewhere, by_labels, by_name, labels={"tier": "gold"})
    service = named("InferenceService", "svc", {"modelRef": "m", "resources": {"gpu": 1}})
    found = [(excess.quota["metadata"]["name"], excess.reason) for excess in excesses(service, "team-a", known, KnownOperator())]
    assert found == [("labels", "would exceed gpuCount 3 (current 3 + requested 1)")]


def test_every_reason_of_a_quota_is_told_in_upstreams_order() -> None:
    quota = named("GPUQuota", "q", {"namespaceRef": "team-a", "gpuCount": 0, "vramBytes": 1, "minPriority": "critical"})
    service = named("InferenceService", "svc", {"modelRef": "m", "priority": "odd", "resources": {"gpu": 1}})
    limits = [excess.limit for excess in excesses(service, "team-a", facts(quota), KnownOperator())]
    assert limits == [Limit.MEMORY_UNKNOWN, Limit.GPUS, Limit.PRIORITY]
    known = [excess.limit for excess in excesses(service, "team-a", facts(quota), KnownOperator(vram_per_device_gib=1))]
    assert known == [Limit.GPUS, Limit.MEMORY, Limit.PRIORITY]


def test_a_selector_that_cannot_be_evaluated_is_told_as_the_operators_log_does() -> None:
    selector = {"matchExpressions": [{"key": "tier", "operator": "Equals", "values": ["gold"]}]}
    stored = named("GPUQuota", "gold", {"selector": selector, "gpuCount": 1})
    gvk = GroupVersionKind(GROUP, "v1alpha1", "GPUQuota")
    request = Request("1", Operation.CREATE, gvk, stored, namespace="team-a", name="gold")
    found = FAMILY.predict["GPUQuota"](request, facts(stored), DEFAULT)
    assert found is not None
    assert found.failure == 'failed to convert GPUQuota selector: "Equals" is not a valid label selector operator'
    assert found.status == {}
