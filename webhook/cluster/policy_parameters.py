"""Finds the objects of a cluster that are parameters of its admission policies, for a snapshot.

Of built-in kinds only those objects are read that a binding names. Secrets never are, so the policies that read them aren't checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from weighbridge.policies.apiserver.built_in import is_built_in, plural_of
from weighbridge.policies.facts.kinds import POLICY_KINDS, ReadKind
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of

_POLICIES: Final = frozenset(kind.gvk.kind for kind in POLICY_KINDS)
_SECRET: Final = ("", "Secret")


def parameter_kinds(items: Iterable[JSONObject]) -> list[ReadKind]:
    """The kinds and objects to read in addition, for the policies and bindings among the objects of a cluster."""
    found = list(items)
    plurals = {
        (text(part(obj, "spec"), "group"), text(part(obj, "spec", "names"), "kind")): text(part(obj, "spec", "names"), "plural")
        for obj in found
        if obj.get("kind") == "CustomResourceDefinition"
    }
    specs = [(str(obj.get("kind")), name_of(obj), part(obj, "spec")) for obj in found if obj.get("kind") in _POLICIES]
    kinds = {(kind, name): part(spec, "paramKind") for kind, name, spec in specs if "paramKind" in spec}
    read: dict[tuple[str, str], ReadKind] = {}
    for kind, _, spec in specs:
        gvk = GroupVersionKind.from_object(kinds.get((kind.removesuffix("Binding"), text(spec, "policyName"))))
        reference = part(spec, "paramRef")
        if gvk is None or not reference or (gvk.group, gvk.kind) == _SECRET:
            continue
        one = _read(gvk, text(reference, "name"), plurals.get((gvk.group, gvk.kind), ""))
        if one is not None:
            read[one.known_as] = one
    return list(read.values())


def _read(gvk: GroupVersionKind, name: str, plural: str) -> ReadKind | None:
    """What is read for one binding, or `None`."""
    if plural:
        return ReadKind(gvk, plural)
    if not name or not is_built_in(gvk.group, gvk.version, gvk.kind):
        return None
    return ReadKind(gvk, plural_of(gvk.kind), name=name)
