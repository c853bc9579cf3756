"""Claims of devices in the older version of their API, as they are read."""

from __future__ import annotations

from weighbridge.policies.facts.versions import in_known_shape
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject

CLAIM = GroupVersionKind("resource.k8s.io", "v1beta1", "ResourceClaim")


def claim(*requests: JSONObject) -> JSONObject:
    return {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "metadata": {"name": "c"},
        "spec": {"devices": {"requests": list(requests), "constraints": []}},
    }


def test_a_wish_in_a_request_itself_becomes_its_exact_wish() -> None:
    found = in_known_shape(claim({"name": "gpu", "deviceClassName": "gpus", "count": 2, "allocationMode": "ExactCount"}), CLAIM)
    assert found == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "c"},
        "spec": {
            "devices": {
                "requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpus", "count": 2, "allocationMode": "ExactCount"}}],
                "constraints": [],
            }
        },
    }


def test_a_request_without_a_class_stays_as_it_is() -> None:
    wishes = {"name": "any", "firstAvailable": [{"name": "a", "deviceClassName": "gpus"}]}
    found = in_known_shape(claim(wishes), CLAIM)
    assert found is not None
    assert found["spec"]["devices"]["requests"] == [wishes]


def test_of_a_version_that_nobody_knows_nothing_is_known() -> None:
    assert in_known_shape(claim(), GroupVersionKind("resource.k8s.io", "v1alpha9", "ResourceClaim")) is None
    newest = GroupVersionKind("resource.k8s.io", "v1", "ResourceClaim")
    assert in_known_shape(claim(), newest) == claim()
