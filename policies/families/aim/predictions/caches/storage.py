"""The volumes of a service's weights: their size and their class.

Source: kaiwo dbca1b55, internal/controller/aim/shared/storage.go; aim-engine v0.2.1, internal/utils/storage.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.names import hashed_texts
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.quantity import Format, Quantity

HEADROOM: Final = 10
_GI: Final = 2**30
#: The fields of a variable, and of the object that it refers to, in the order in which Go writes them.
_FIELDS: Final = (
    *("name", "value", "valueFrom", "fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"),
    *("volumeName", "path", "key", "optional", "apiVersion", "fieldPath", "containerName", "resource", "divisor"),
)


def volume_size(weights: Quantity, headroom: int) -> str:
    """The size of the volume for weights, in whole Gi: with the headroom (in percent), rounded up, and written as Go does (1024Gi: 1Ti)."""
    # Both operators calculate in floating point.
    wanted = int(float(weights.value()) * (1.0 + headroom / 100.0))
    return str(Quantity.from_int(-(-wanted // _GI) * _GI, Format.BINARY_SI))


def headroom(dialect: Dialect, spec: JSONObject, config: JSONObject) -> int:
    """The headroom in percent: for kaiwo the service's, else the config's; for aim-engine always the config's."""
    if dialect.is_aim_engine:
        return whole(part(config, "storage"), "pvcHeadroomPercent", HEADROOM)
    own = spec.get("pvcHeadroomPercent")
    return own if isinstance(own, int) else whole(config, "pvcHeadroomPercent", HEADROOM)


def storage_class(dialect: Dialect, spec: JSONObject, config: JSONObject) -> str:
    """The class of the claims: the service's, else the config's. An empty one doesn't count; without any the cluster's default applies."""
    if dialect.is_aim_engine:
        return text(part(spec, "storage"), "defaultStorageClassName") or text(part(config, "storage"), "defaultStorageClassName")
    return text(spec, "defaultStorageClassName") or text(config, "defaultStorageClassName")


def artifact_class(spec: JSONObject, config: JSONObject) -> str:
    """The class of aim-engine's artifacts: an empty class of the service wins over the config's. The class is a part of their names."""
    own = part(spec, "storage").get("defaultStorageClassName")
    return own if isinstance(own, str) else text(part(config, "storage"), "defaultStorageClassName")


def artifact_name(source: str, env: list[JSONObject], storage_class: str) -> str:
    """The name of aim-engine's artifact for a source that services share."""
    listed = f"[{','.join(_written(entry) for entry in env)}]" if env else "null"
    suffix = hashed_texts(json_text(source), listed, json_text(storage_class), length=10)
    clean = "".join(char if char.isascii() and (char.isalnum() or char == "-") else "-" for char in source.lower())
    return f"{clean.strip('-')[: 62 - len(suffix)].rstrip('-')}-{suffix}"


def _written(value: JSONValue) -> str:
    """A variable as Go writes its structure: fields in their own order, empty ones left out."""
    if not isinstance(value, dict):
        return json_text(value)
    there = [key for key in _FIELDS if value.get(key) not in (None, "")]
    return "{" + ",".join(f"{json_text(key)}:{_written(value[key])}" for key in there) + "}"
