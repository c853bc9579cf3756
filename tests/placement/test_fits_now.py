"""Whether the pods of a request surely find a node: those of a workload that is sent, and those that an operator will make."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.request_pods import fits_now
from weighbridge.webhook.inputs.facts import bundled_definitions

NODE: JSONObject = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n"},
    "status": {"allocatable": {"cpu": "8", "memory": "8Gi", "pods": "10"}},
}


def deployment(replicas: int = 1, claim: str = "", **resources: Any) -> JSONObject:
    pod: JSONObject = {"containers": [{"name": "c", "image": "i", "resources": resources}]}
    if claim:
        pod["volumes"] = [{"name": "v", "persistentVolumeClaim": {"claimName": claim}}]
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "namespace": "default"}, "spec": spec}


def fits(sent: JSONObject, *made: JSONObject) -> bool:
    """Whether the pods that come from a sent object fit on a cluster with one node."""
    gvk = GroupVersionKind.from_object(sent)
    assert gvk is not None
    return fits_now(Request("u", Operation.CREATE, gvk, sent), made, from_objects([NODE], bundled_definitions()))


def test_pods_that_a_node_has_room_for_fit() -> None:
    sent = deployment(limits={"cpu": "8"})
    assert fits(sent, sent)
    assert not fits(sent, deployment(limits={"cpu": "9"}))
    assert not fits(sent)


def test_pods_that_the_server_would_refuse_fit_nowhere_unless_it_has_taken_what_makes_them() -> None:
    wrong = deployment(requests={"cpu": "2"}, limits={"cpu": "1"})
    assert not fits(wrong, wrong)
    assert fits({**wrong, "kind": "InferenceService"}, wrong)


def test_only_a_deployment_is_known_to_have_been_validated() -> None:
    sent = {**deployment(), "kind": "InferenceService"}
    for limits, is_valid in (({"cpu": "1"}, False), ({"cpu": "4"}, True)):
        made = {**deployment(requests={"cpu": "2"}, limits=limits), "apiVersion": "serving.knative.dev/v1", "kind": "Service"}
        assert fits(sent, made) is is_valid
        # Objects that make no pods don't count.
        assert fits(sent, made, {"apiVersion": "v1", "kind": "ConfigMap"}) is is_valid


def shares_a_claim(replicas: int, mode: str) -> bool:
    """Whether pods with one claim for a volume that is attached to a node surely find nodes."""
    held = {"accessModes": [mode], "gcePersistentDisk": {"pdName": "p"}}
    volume = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": held}
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c", "namespace": "default", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
        "spec": {"accessModes": [mode], "volumeName": "v"},
        "status": {"phase": "Bound"},
    }
    facts = from_objects([NODE, volume, claim], bundled_definitions())
    facts.objects.complete()
    sent = deployment(replicas, claim="c")
    request = Request("u", Operation.CREATE, GroupVersionKind("apps", "v1", "Deployment"), sent)
    return fits_now(request, [sent], facts)


def test_several_pods_that_share_a_claim_of_one_node_may_not_fit_together() -> None:
    assert shares_a_claim(1, "ReadWriteOnce")
    assert not shares_a_claim(2, "ReadWriteOnce")
    assert shares_a_claim(2, "ReadWriteMany")
