"""Pods that don't exist yet count, too: those that every family predicts, and those of every controller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.doors.cases import CASES, Case
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families import families
from weighbridge.policies.families.inference_extension.subject import workloads
from weighbridge.policies.families.predicted_pods import MOST, predicted_pods
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, metadata_of, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

pytestmark = pytest.mark.timeout(300)

LABELS = {"app": "served"}
TEMPLATE: JSONObject = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "c", "ports": [{"containerPort": 8000}]}]}}
POD: JSONObject = {"metadata": {"name": "alone", "namespace": "serving", **TEMPLATE["metadata"]}, "spec": TEMPLATE["spec"]}


def made_by(group_version: str, kind: str, **spec: Any) -> JSONObject:
    return {"apiVersion": group_version, "kind": kind, "metadata": {"name": "made", "namespace": "serving"}, "spec": spec}


CONTROLLERS: list[JSONObject] = [
    made_by("apps/v1", "DaemonSet", template=TEMPLATE),
    made_by("apps/v1", "Deployment", template=TEMPLATE),
    made_by("apps/v1", "ReplicaSet", template=TEMPLATE),
    made_by("apps/v1", "StatefulSet", template=TEMPLATE),
    made_by("batch/v1", "CronJob", jobTemplate={"spec": {"template": TEMPLATE}}),
    made_by("batch/v1", "Job", template=TEMPLATE),
    made_by("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", leaderWorkerTemplate={"size": 2, "workerTemplate": TEMPLATE}),
    made_by("v1", "ReplicationController", template=TEMPLATE),
    {"apiVersion": "v1", "kind": "Pod", **POD},
]


def pool_verdict(labels: dict[str, str], facts: Facts, namespace: str, config: Configuration) -> list[str]:
    """The findings on the selector of a pool; all objects that could create pods are known."""
    facts.objects.complete(besides=[(group, kind) for group, _, kind in workloads.KINDS])
    picker = {"name": "epp", "port": {"number": 9002}}
    spec: JSONObject = {"selector": {"matchLabels": labels}, "targetPorts": [{"number": 8000}], "endpointPickerRef": picker}
    gvk = GroupVersionKind("inference.networking.k8s.io", "v1", "InferencePool")
    pool = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "pool", "namespace": namespace}, "spec": spec}
    request = Request("pool", Operation.CREATE, gvk, pool, namespace=namespace, name="pool")
    decision = decide(request, facts, config)
    assert "GIE-015" not in {entry.subject.partition(" ")[0] for entry in decision.unchecked}
    return [finding.rule for finding in decision.findings if finding.rule == "GIE-015"]


@pytest.mark.parametrize("workload", CONTROLLERS, ids=[obj["kind"] for obj in CONTROLLERS])
def test_a_pool_finds_the_pods_of_every_controller(workload: JSONObject) -> None:
    facts = from_objects([workload], bundled_definitions())
    assert pool_verdict(LABELS, facts, "serving", Configuration()) == []
    assert pool_verdict({"app": "other"}, facts, "serving", Configuration()) == ["GIE-015"]


def test_a_pod_that_something_makes_counts_by_its_maker() -> None:
    owned = {**POD["metadata"], "ownerReferences": [{"kind": "ReplicaSet", "name": "gone", "controller": True}]}
    facts = from_objects([{"apiVersion": "v1", "kind": "Pod", **POD, "metadata": owned}], bundled_definitions())
    assert pool_verdict(LABELS, facts, "serving", Configuration()) == ["GIE-015"]


def serving_cases() -> Iterator[tuple[str, Case, JSONObject]]:
    """For each kind the first cases whose objects create pods, each with the objects that create them."""
    seen: dict[GroupVersionKind, int] = {}
    for case in CASES:
        gvk = case.request().gvk
        if seen.get(gvk, 0) == 3 or not case.expect["allowed"] or case.request().operation is not Operation.CREATE:
            continue
        effective = decide(case.request(), case.facts(), case.configuration()).effective or {}
        making = next((made for made in effective.get("objects", ()) if pods_of(made)), None)
        if making is not None:
            seen[gvk] = seen.get(gvk, 0) + 1
            yield case.id, case, making


@pytest.fixture(scope="module")
def serving() -> list[tuple[str, Case, JSONObject]]:
    return list(serving_cases())


def test_a_pool_finds_the_pods_that_every_family_predicts(serving: list[tuple[str, Case, JSONObject]]) -> None:
    silent, seen = [], set()
    for name, case, making in serving:
        namespace = case.request().namespace
        for pod in pods_of(making).values():
            facts = case.facts()
            facts.objects.put(case.request().object)
            if pool_verdict(metadata_of(pod)["labels"], facts, namespace, case.configuration()):
                silent.append((name, name_of(making)))
        seen.add(name.partition("/")[0])
    assert silent == []
    assert seen == {family.name for family in families() if family.predict}


def test_what_is_predicted_is_worked_out_once_until_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    service = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "InferenceService",
        "metadata": {"name": "s", "namespace": "serving"},
    }
    facts = from_objects([{**service, "spec": {"modelRef": "m", "image": "i"}}], bundled_definitions())
    config = Configuration()
    first = predicted_pods(facts, config, "serving")
    assert predicted_pods(facts, config, "serving") is first
    facts.objects.put(CONTROLLERS[0])
    assert predicted_pods(facts, config, "serving") is not first
    facts.objects.discard("apps", "DaemonSet", "serving", "made")
    assert predicted_pods(facts, Configuration(), "serving") is not predicted_pods(facts, config, "serving")


def test_no_more_than_a_bounded_number_is_predicted() -> None:
    services = [
        {
            "apiVersion": "inference.llmkube.dev/v1alpha1",
            "kind": "InferenceService",
            "metadata": {"name": f"s{number}", "namespace": "serving"},
            "spec": {"modelRef": "m", "image": "i"},
        }
        for number in range(MOST + 1)
    ]
    facts = from_objects(services, bundled_definitions())
    assert not predicted_pods(facts, Configuration(), "serving").is_all
    facts.objects.discard("inference.llmkube.dev", "InferenceService", "serving", "s0")
    assert predicted_pods(facts, Configuration(), "serving").is_all
