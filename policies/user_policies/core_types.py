"""The types of built-in kinds that policies see: pods, services and claims, and kinds of the cluster that rules read.

They are those of the newest release. Quantities are integers or strings, as manifests have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from weighbridge.policies.apiserver.built_in_types import BUILT_IN_FORMS, types_of
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import USUAL

_FORMS: Final[Mapping[str, JSONObject]] = {**BUILT_IN_FORMS, "quantity": BUILT_IN_FORMS["intstr"]}
#: The kinds that policies may look up.
_KINDS: Final = frozenset({
    "LimitRange", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PriorityClass.scheduling.k8s.io",
    "RuntimeClass.node.k8s.io", "Service", "StorageClass.storage.k8s.io",
})  # fmt: skip


def kind_schema(kind: str) -> JSONObject | None:
    """The schema of a built-in kind, named ``Kind`` or ``Kind.group``; `None` if it isn't bundled."""
    return type_schema(kind.partition(".")[0]) if kind in _KINDS else None


@cache
def type_schema(name: str) -> JSONObject:
    """The schema of a type such as ``ObjectMeta``."""
    return types_of(USUAL.name).whole_schema(name, _FORMS, without="managedFields")
