"""The format and the framework of a model, as models have them and runtimes support them."""

from __future__ import annotations

from weighbridge.policies.families.ome.subject.model_versions import EQUAL
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class ModelFormat:
    """A name with a version; `operator` says how versions are compared, `weight` is the score of a match."""

    name: str
    version: str | None
    operator: str
    weight: int


def optional(obj: JSONValue, key: str) -> str | None:
    """The text under a key; `None` if there is none, which isn't the same as an empty one."""
    found = obj.get(key) if isinstance(obj, dict) else None
    return found if isinstance(found, str) else None


def format_of(spec: JSONObject, key: str) -> ModelFormat | None:
    """The format under a key, with the CRD's defaults; `None` if there is none."""
    found = spec.get(key)
    if not isinstance(found, dict):
        return None
    weight = found.get("weight")
    return ModelFormat(
        name=text(found, "name"),
        version=optional(found, "version"),
        operator=text(found, "operator", EQUAL),
        weight=weight if isinstance(weight, int) else 1,
    )
