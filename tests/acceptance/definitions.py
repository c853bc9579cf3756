"""Definitions to try: good, odd and broken ones, each a small change to a good one."""

from __future__ import annotations

from typing import Any

from tests.pointers import from_pointer
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy

#: Removes the value at a place.
DROP: Any = object()
NAME = "things.weighbridge.test"


def one_version(**version: Any) -> JSONObject:
    """A good definition with one version, and more or other fields in that."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": NAME},
        "spec": {
            "group": "weighbridge.test",
            "names": {"plural": "things", "kind": "Thing"},
            "scope": "Namespaced",
            "versions": [a_version("v1", storage=True, **version)],
        },
    }


def a_version(name: str, *, storage: bool = False, **parts: Any) -> JSONObject:
    """A served version."""
    return {"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": of_spec({"type": "string"})}} | parts


def two_versions(first: JSONObject, second: JSONObject) -> JSONObject:
    """A definition with versions v1 and v2 that have these fields."""
    crd = one_version()
    crd["spec"]["versions"] = [a_version("v1", storage=True) | first, a_version("v2") | second]
    return crd


def of_spec(schema: JSONValue) -> JSONObject:
    """A resource's schema in which `schema` is that of ``spec.x``."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": {"x": schema}}}}


def with_root(schema: JSONValue, **version: Any) -> JSONObject:
    """A definition with this schema."""
    return one_version(schema={"openAPIV3Schema": schema}, **version)


def with_x(schema: JSONValue) -> JSONObject:
    """A definition in which ``spec.x`` has this schema."""
    return with_root(of_spec(schema))


def with_rule(schema: JSONObject, rule: str, **parts: Any) -> JSONObject:
    """A definition with a rule on ``spec.x``."""
    return with_x(schema | {"x-kubernetes-validations": [{"rule": rule} | parts]})


def edited(crd: JSONObject, edits: dict[str, JSONValue]) -> JSONObject:
    """A copy with other values at places, given as JSON pointers; `DROP` removes one."""
    copied: JSONObject = deep_copy(crd)
    for pointer, value in edits.items():
        *way, last = from_pointer(pointer)
        holder: Any = copied
        for step in way:
            holder = holder[int(step)] if isinstance(holder, list) else holder.setdefault(step, {})
        key: Any = int(last) if isinstance(holder, list) else last
        if value is DROP:
            del holder[key]
        elif isinstance(holder, list) and key == len(holder):
            holder.append(value)
        else:
            holder[key] = value
    return copied
