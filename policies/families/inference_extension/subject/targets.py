"""The models over which requests are spread, as InferenceModel and InferenceModelRewrite list them.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go; v1.5.0, apix/v1alpha2/inferencemodelrewrite_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """One entry; `name` is `None` if it has no name, or one that is no text."""

    path: Path
    name_path: Path
    name: str | None
    has_weight: bool


def target_lists(obj: JSONValue) -> Iterator[list[Target]]:
    """The list of an InferenceModel, and the list of each rule of an InferenceModelRewrite, which v1.2.0 called `split`."""
    spec = spec_of(obj if isinstance(obj, dict) else None)
    yield _read(spec, ("spec", "targetModels"), "name")
    for at, rule in enumerate(_list(spec.get("rules"))):
        for key in ("targets", "split"):
            if isinstance(rule, dict):
                yield _read(rule, ("spec", "rules", at, key), "modelRewrite")


def _read(holder: JSONObject, path: Path, name: str) -> list[Target]:
    found = []
    for at, entry in enumerate(_list(holder.get(str(path[-1])))):
        if isinstance(entry, dict):
            given = text(entry, name) if isinstance(entry.get(name), str) else None
            found.append(Target((*path, at), (*path, at, name), given, "weight" in entry))
    return found


def _list(value: JSONValue) -> list[JSONValue]:
    return value if isinstance(value, list) else []
