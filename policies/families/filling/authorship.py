"""Whether an object says of a field that its author wrote it.

Two records tell: the annotation in which `kubectl apply` keeps the manifest, and the entries of `managedFields` for server-side apply,
which list the fields of the applied manifest. What a plain create or update sent can't be told from what webhooks added to it.
Source: Kubernetes v1.36, staging/src/k8s.io/apimachinery/pkg/util/managedfields; kubectl's last-applied-configuration.
"""

from __future__ import annotations

import json
from typing import Final

from policies.fields import items, part, text
from policies.objects import JSONObject, JSONValue, Path, lookup, metadata_of

_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def is_written(obj: JSONObject, path: Path) -> bool:
    """Whether the object's records name the field; of a list that is replaced as a whole, its path is enough."""
    return lookup(_last_applied(obj), path) is not None or _is_applied(obj, path)


def written_items(obj: JSONObject, path: Path) -> list[JSONValue]:
    """The items of a list that its author wrote: those in the manifest kept by `kubectl apply`, or all where the list was applied whole."""
    if _is_applied(obj, path):
        return list(lookup(obj, path) or [])
    found = lookup(_last_applied(obj), path)
    return found if isinstance(found, list) else []


def _last_applied(obj: JSONObject) -> JSONValue:
    manifest = text(part(obj, "metadata", "annotations"), _LAST_APPLIED)
    if not manifest:
        return None
    try:
        return json.loads(manifest)
    except (ValueError, RecursionError):
        return None


def _is_applied(obj: JSONObject, path: Path) -> bool:
    keys = [f"f:{step}" for step in path]
    applied = (entry for entry in items(metadata_of(obj), "managedFields") if text(entry, "operation") == "Apply")
    return any(lookup(entry.get("fieldsV1"), keys) is not None for entry in applied)
