"""Where the values come from that a Playground or a Service ends with: the flavor, the runtime, the configuration, and why those."""

from __future__ import annotations

from collections.abc import Sequence

from policies.families.family import spec_of
from policies.families.llmaz.kinds import RUNNER
from policies.families.llmaz.subject.service import Reading
from policies.families.prediction import EffectiveValue
from policies.ground.fields import items, part, text
from policies.ground.objects import JSONObject, JSONValue, name_of


def values_of(reading: Reading, objects: Sequence[JSONObject]) -> list[EffectiveValue]:
    """The values of the workload, with the object that decides each."""
    workload = next((obj for obj in objects if obj.get("kind") == "LeaderWorkerSet"), None)
    if workload is None:
        return []
    kind = text(reading.object, "kind")
    whole, out = f"LeaderWorkerSet/{reading.name}", []
    main = reading.claims.ordered[0]
    out.append(
        EffectiveValue(whole, "model", main.name, f"{kind} {reading.name} modelClaims", "main models come first, the last one of them")
    )
    out += _of_runtime(reading, whole)
    templates = part(workload, "spec", "leaderWorkerTemplate")
    for template in ("leaderTemplate", "workerTemplate"):
        path = f"spec.leaderWorkerTemplate.{template}.spec"
        for place, container in enumerate(items(templates, template, "spec", "containers")):
            if text(container, "name") == RUNNER:
                out += _of_runner(reading, container, whole, f"{path}.containers[{place}]")
    return out


def _of_runtime(reading: Reading, whole: str) -> list[EffectiveValue]:
    choice, kind = reading.choice, _config_path(reading)
    if choice is None:
        return []
    by_roles = "the name that follows from the roles of the models"
    return [
        EffectiveValue(
            whole, "runtime", choice.runtime, f"{kind}.backendName" if choice.names_runtime else "llmaz 3c13ff3", "the runtime of this name"
        ),
        EffectiveValue(
            whole,
            "recommended configuration",
            choice.config,
            f"{kind}.configName" if choice.names_config else f"BackendRuntime {choice.runtime}",
            "named there" if choice.names_config else by_roles,
        ),
    ]


def _of_runner(reading: Reading, container: JSONObject, whole: str, path: str) -> list[EffectiveValue]:
    out = [EffectiveValue(whole, f"{path}.image", text(container, "image"), _image_source(reading), "image and version")]
    flavor, model = reading.flavor, reading.main
    given = flavor.limits if flavor is not None else {}
    for name, value in part(container, "resources", "limits").items():
        if flavor is not None and model is not None and name in given:
            reason = "the first flavor of the claim" if reading.claims.flavors else "the first flavor of the model"
            source = f"OpenModel {name_of(model)} spec.inferenceConfig.flavors[{flavor.place}].limits"
        else:
            source, reason = _limit_source(reading, name, value)
        out.append(EffectiveValue(whole, f"{path}.resources.limits[{name}]", value, source, reason))
    return out


def _limit_source(reading: Reading, name: str, value: JSONValue) -> tuple[str, str]:
    """Who says a limit that no flavor gives, and why it is that: the Playground before its runtime, a limit before a request above it."""
    if reading.choice is None:
        return _runtime_source(reading), "no flavor says otherwise"
    own, recommended = part(spec_of(reading.object), "backendRuntimeConfig", "resources"), part(reading.config or {}, "resources")
    for kind, reason in (("limits", "no flavor says otherwise"), ("requests", "raised to what is requested")):
        for holder, source in ((own, f"{_config_path(reading)}.resources.{kind}"), (recommended, _runtime_source(reading))):
            if name not in part(holder, kind):
                continue
            if part(holder, kind)[name] == value:
                return source, reason
            break
    return _runtime_source(reading), "no flavor says otherwise"


def _image_source(reading: Reading) -> str:
    if isinstance(part(spec_of(reading.object), "backendRuntimeConfig").get("version"), str):
        return f"{_runtime_source(reading)}, {_config_path(reading)}.version"
    return _runtime_source(reading)


def _config_path(reading: Reading) -> str:
    return f"Playground {reading.name} spec.backendRuntimeConfig"


def _runtime_source(reading: Reading) -> str:
    if reading.choice is not None:
        return f"BackendRuntime {reading.choice.runtime}{' of llmaz 3c13ff3, chart' if reading.is_shipped else ''}"
    return f"Service {reading.name} spec.workloadTemplate"
