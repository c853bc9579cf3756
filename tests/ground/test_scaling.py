"""A request to a scale subresource becomes an update of the scaled object."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import ObjectStore
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.scale_requests import scaled

GVK = GroupVersionKind("a.test", "v1", "Thing")
SCALE: JSONObject = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "x", "namespace": "n"}, "spec": {"replicas": 3}}


def definition(path: str | None = ".spec.pool.replicas") -> ResourceDefinition:
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    open_schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version: dict[str, Any] = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": open_schema}}
    if path is not None:
        version["subresources"] = {"scale": {"specReplicasPath": path, "statusReplicasPath": ".status.replicas"}}
    crd: JSONObject = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.a.test"},
        "spec": {"group": "a.test", "scope": "Namespaced", "names": names, "versions": [version]},
    }
    found = Definitions.from_manifests([crd]).get(GVK)
    assert found is not None
    return found


def request(**changed: Any) -> Request:
    resource = GroupVersionResource("a.test", "v1", "things")
    gvk = GroupVersionKind("autoscaling", "v1", "Scale")
    asked = Request("uid", Operation.UPDATE, gvk, SCALE, SCALE, resource, "scale", "n", "x")
    return replace(asked, **changed)


def facts(*specs: Any) -> Facts:
    objects = [{"apiVersion": "a.test/v1", "kind": "Thing", "metadata": {"name": "x", "namespace": "n"}, "spec": spec} for spec in specs]
    return Facts(Definitions(), ObjectStore(objects))


@pytest.mark.parametrize(
    ("path", "spec", "held"),
    [
        (".spec.pool.replicas", {"pool": {"replicas": 1, "b": 2}, "c": 4}, {"pool": {"replicas": 3, "b": 2}, "c": 4}),
        (".spec.pool.replicas", {"c": 4}, {"pool": {"replicas": 3}, "c": 4}),
        (".spec.pool.replicas", {"pool": 7}, {"pool": {"replicas": 3}}),
        (".spec.replicas", {"replicas": 1}, {"replicas": 3}),
        (".spec.replicas", None, {"replicas": 3}),
    ],
)
def test_the_object_is_updated_with_the_replicas_that_it_will_have(path: str, spec: Any, held: Any) -> None:
    found = scaled(request(), SCALE, definition(path), facts(spec))
    assert isinstance(found, Request)
    assert (found.gvk, found.subresource, found.uid, found.operation) == (GVK, "", "uid", Operation.UPDATE)
    assert isinstance(found.object, dict)
    assert isinstance(found.old_object, dict)
    assert (found.object["spec"], found.old_object["spec"]) == (held, spec)
    assert (found.object["metadata"], found.object["kind"]) == (found.old_object["metadata"], "Thing")


def test_a_scale_without_replicas_means_none() -> None:
    found = scaled(request(), {"spec": {}}, definition(), facts({}))
    assert isinstance(found, Request)
    assert isinstance(found.object, dict)
    assert found.object["spec"] == {"pool": {"replicas": 0}}


def test_offline_the_object_is_there_whole() -> None:
    whole = {"apiVersion": "a.test/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": {"pool": {"replicas": 5}}}
    found = scaled(request(old_object=None), whole, definition(), facts())
    assert isinstance(found, Request)
    assert (found.gvk, found.object, found.old_object, found.subresource) == (GVK, whole, None, "")


NO_SCALE = Unchecked("scale", "no CustomResourceDefinition with a scale subresource is known for it")


def test_what_is_not_known_leaves_the_scale_unchecked() -> None:
    assert scaled(request(), SCALE, None, facts({})) == NO_SCALE
    assert scaled(request(), SCALE, definition(None), facts({})) == NO_SCALE
    assert scaled(request(resource=None), SCALE, definition(), facts({})) == NO_SCALE
    assert scaled(request(), SCALE, definition(), facts()) == Unchecked("scale", "Thing n/x isn't known")
    assert scaled(request(name="y"), SCALE, definition(), facts({})) == Unchecked("scale", "Thing n/y isn't known")
