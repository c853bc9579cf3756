"""The sources of the final values of a Playground or a Service, such as the flavor, the runtime or the configuration, with the reasons."""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import RUNNER
from weighbridge.policies.families.llmaz.predictions.resources import amounts
from weighbridge.policies.families.llmaz.subject.service import Service
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of


def values_of(service: Service, objects: Sequence[JSONObject]) -> list[PredictedValue]:
    """The values of the workload, each with the object that it comes from."""
    workload = next((obj for obj in objects if obj.get("kind") == "LeaderWorkerSet"), None)
    if workload is None:
        return []
    kind = text(service.object, "kind")
    whole, out = f"LeaderWorkerSet/{service.name}", []
    main = service.claims.ordered[0]
    out.append(
        PredictedValue(whole, "model", main.name, f"{kind} {service.name} modelClaims", "main models come first, the last one of them")
    )
    out += _of_runtime(service, whole)
    templates = part(workload, "spec", "leaderWorkerTemplate")
    for template in ("leaderTemplate", "workerTemplate"):
        path = f"spec.leaderWorkerTemplate.{template}.spec"
        for place, container in enumerate(items(templates, template, "spec", "containers")):
            if text(container, "name") == RUNNER:
                out += _of_runner(service, container, whole, f"{path}.containers[{place}]")
    return out


def _of_runtime(service: Service, whole: str) -> list[PredictedValue]:
    choice, kind = service.choice, _config_path(service)
    if not service.is_playground:
        return []
    by_roles = "the name that follows from the roles of the models"
    return [
        PredictedValue(
            whole, "runtime", choice.runtime, f"{kind}.backendName" if choice.names_runtime else "llmaz 3c13ff3", "the runtime of this name"
        ),
        PredictedValue(
            whole,
            "recommended configuration",
            choice.config,
            f"{kind}.configName" if choice.names_config else f"BackendRuntime {choice.runtime}",
            "named there" if choice.names_config else by_roles,
        ),
    ]


def _of_runner(service: Service, container: JSONObject, whole: str, path: str) -> list[PredictedValue]:
    out = [PredictedValue(whole, f"{path}.image", text(container, "image"), _image_source(service), "image and version")]
    flavor, model = service.flavor, service.main
    given = flavor.limits if flavor is not None else {}
    for name, value in part(container, "resources", "limits").items():
        if flavor is not None and model is not None and name in given:
            reason = "the first flavor of the claim" if service.claims.flavors else "the first flavor of the model"
            source = f"OpenModel {name_of(model)} spec.inferenceConfig.flavors[{flavor.place}].limits"
        else:
            source, reason = _limit_source(service, name)
        out.append(PredictedValue(whole, f"{path}.resources.limits[{name}]", value, source, reason))
    return out


def _limit_source(service: Service, name: str) -> tuple[str, str]:
    """The source and the reason of a limit that doesn't come from a flavor."""
    own, recommended = part(spec_of(service.object), "backendRuntimeConfig").get("resources"), part(service.config or {}, "resources")
    found = amounts(own, recommended)["limits"].get(name) if service.is_playground else None
    if found is None:
        return _runtime_source(service), "no flavor says otherwise"
    source = f"{_config_path(service)}.resources.{found.side}" if found.is_own else _runtime_source(service)
    return source, "raised to what is requested" if found.side == "requests" else "no flavor says otherwise"


def _image_source(service: Service) -> str:
    if isinstance(part(spec_of(service.object), "backendRuntimeConfig").get("version"), str):
        return f"{_runtime_source(service)}, {_config_path(service)}.version"
    return _runtime_source(service)


def _config_path(service: Service) -> str:
    return f"Playground {service.name} spec.backendRuntimeConfig"


def _runtime_source(service: Service) -> str:
    if service.is_playground:
        return f"BackendRuntime {service.choice.runtime}{' of llmaz 3c13ff3, chart' if service.is_shipped else ''}"
    return f"Service {service.name} spec.workloadTemplate"
