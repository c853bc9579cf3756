"""The types of built-in kinds that policies see: pods, services and claims, and kinds of the cluster that rules read.

Source: Kubernetes v1.36.3, api/openapi-spec/v3; written by `tests/programs/user_policies/core_types.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from weighbridge.policies.ground.objects import JSONObject


@cache
def _document() -> JSONObject:
    from json import loads
    from pkgutil import get_data

    document: JSONObject = loads(get_data(__package__, "core_types.json") or b"")
    _resolve(document["types"])
    return document


def _resolve(types: dict[str, JSONObject]) -> None:
    """Put the types themselves in the place of their names, so that each is there once."""
    waiting = list(types.values())
    while waiting:
        form = waiting.pop()
        parts = form.get("properties", {})
        for holder, key in [*((parts, key) for key in parts), *((form, key) for key in ("items", "additionalProperties") if key in form)]:
            if "$ref" in holder[key]:
                holder[key] = types[holder[key]["$ref"]]
            else:
                waiting.append(holder[key])


def kind_schema(kind: str) -> JSONObject | None:
    """The schema of a built-in kind, named ``Kind`` or ``Kind.group``; `None` where it isn't among them."""
    document = _document()
    name = document["kinds"].get(kind)
    return document["types"][name] if name is not None else None


def type_schema(name: str) -> JSONObject:
    """The schema of a type such as ``ObjectMeta``."""
    types: Mapping[str, JSONObject] = _document()["types"]
    return types[name]
