"""The API server's record of a manifest with server-side apply: the fields of the object that the manifest names."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.ground.objects import JSONObject, is_stored

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
#: Fields that identify an object and so aren't the author's, by their path; a name or kind in the spec is the author's.
_NO_FIELDS = {(): ("apiVersion", "kind"), ("metadata",): ("name", "namespace", "managedFields")}


def fields_of(value: Any, path: tuple[str, ...] = ()) -> JSONObject:
    """The `fieldsV1` of a map as a CRD without list keys has them: lists are one field."""
    left_out = _NO_FIELDS.get(path, ())
    return {
        f"f:{key}": fields_of(inner, (*path, key)) if isinstance(inner, dict) else {} for key, inner in value.items() if key not in left_out
    }


def with_managed_fields(obj: Any, manifest: Any) -> Any:
    """An object created from a manifest, with the entry of `managedFields`; an object that has entries stays as it is."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if (
        not isinstance(metadata, dict)
        or "managedFields" in metadata
        or is_stored(obj)
        or _LAST_APPLIED in (metadata.get("annotations") or {})
    ):
        return obj
    entry = {"manager": "kubectl", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": fields_of(manifest)}
    return {**obj, "metadata": {**metadata, "managedFields": [entry]}}
