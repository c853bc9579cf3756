"""Short helpers for policies, bindings and requests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from weighbridge.policies.admission_policies.attributes import attributes_of
from weighbridge.policies.admission_policies.validation import Judgement, judge
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import GroupVersionKind, GroupVersionResource, JSONObject, JSONValue, Operation
from weighbridge.policies.ground.request import Request

API = "admissionregistration.k8s.io/v1"
EVERYTHING: JSONObject = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
CRD: JSONObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "boxes.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "boxes", "kind": "Box"},
        "versions": [
            {
                "name": name,
                "served": True,
                "storage": name == "v1",
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {"size": {"type": "integer"}, "colour": {"type": "string", "default": "red"}},
                            }
                        },
                    }
                },
            }
            for name in ("v1", "v1beta1")
        ],
    },
}
DEFINITIONS = Definitions.from_manifests([CRD])


def policy(*validations: str | JSONObject, name: str = "p", rules: Iterable[JSONObject] = (EVERYTHING,), **spec: Any) -> JSONObject:
    """A policy; a validation may be given as only its expression."""
    match = {"resourceRules": list(rules), **spec.pop("match", {})}
    written = [{"expression": one} if isinstance(one, str) else one for one in validations]
    found = {"matchConstraints": match, **({"validations": written} if written else {}), **spec}
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": found}


def binding(*actions: str, name: str = "b", to: str = "p", **spec: Any) -> JSONObject:
    """A binding, which denies unless it says otherwise."""
    found = {"policyName": to, "validationActions": list(actions or ("Deny",)), **spec}
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": found}


def box(spec: JSONObject | None = None, *, version: str = "v1", **metadata: Any) -> JSONObject:
    """An object to judge."""
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Box",
        "metadata": {"name": "one", "namespace": "lab", **metadata},
        "spec": {"size": 5} if spec is None else spec,
    }


def known(*objects: JSONObject, complete: Iterable[tuple[str, str]] = ()) -> Facts:
    """A cluster with these objects; it has no others of the `complete` kinds."""
    return from_objects([*objects, CRD], DEFINITIONS, extent=Extent(complete=frozenset(complete)))


def request(
    obj: JSONValue, old: JSONValue = None, operation: Operation | None = None, *, subresource: str = "", user: JSONObject | None = None
) -> Request:
    """The request that writes an object, or deletes the old one."""
    written = obj if isinstance(obj, dict) else old
    gvk = GroupVersionKind.from_object(written)
    assert gvk is not None
    operation = operation or (Operation.DELETE if obj is None else Operation.CREATE if old is None else Operation.UPDATE)
    resource = GroupVersionResource(gvk.group, gvk.version, f"{gvk.kind.lower()}es" if gvk.kind == "Box" else f"{gvk.kind.lower()}s")
    metadata = written["metadata"]
    return Request(
        "uid",
        operation,
        gvk,
        obj,
        old,
        resource,
        subresource,
        metadata.get("namespace", ""),
        metadata.get("name", ""),
        user,
    )


def judged(facts: Facts, asked: Request) -> Judgement:
    """The policies' result for a request whose object is in its stored form."""
    return judge(attributes_of(asked, asked.object, asked.old_object), facts)


def refusals(facts: Facts, asked: Request) -> list[str]:
    """Why the policies refuse a request, without the names of policy and binding."""
    return [denial.message for denial in judged(facts, asked).denials]


def by(*objects: JSONObject, asked: Request | None = None, complete: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Why these policies refuse a request, by default the creation of a box."""
    return refusals(known(*objects, complete=complete), asked or request(box()))


def unknown(*objects: JSONObject, asked: Request | None = None) -> list[str]:
    """Why these policies can't be asked."""
    return [entry.reason for entry in judged(known(*objects), asked or request(box())).unchecked]
