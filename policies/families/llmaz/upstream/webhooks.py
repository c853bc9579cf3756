"""The checks of llmaz's validating webhooks, in their order.

Source: llmaz 3c13ff3, pkg/webhook/{openmodel,playground,service,backendruntime}_webhook.go, measured on kube-apiserver 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import BACKEND_RUNTIME, DRAFT, MAIN, OPEN_MODEL, PLAYGROUND, RUNNER, SERVICE
from weighbridge.policies.families.llmaz.subject.sources import SCHEMES
from weighbridge.policies.ground.fields import amount, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Path, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.names import dns1123_label


class Topic(Enum):
    """What an objection is about; a rule reports one topic."""

    NAME = auto()
    NO_SOURCE = auto()
    URI = auto()
    FILENAME = auto()
    CLAIMS = auto()
    DRAFTS = auto()
    RESOURCES = auto()
    ELASTIC = auto()
    TRIGGER = auto()
    RUNNER = auto()
    CONFIG_TWICE = auto()


@dataclass(frozen=True, slots=True)
class Objection:
    """One objection of a webhook: the path in the object, the path that the webhook names, and its message."""

    topic: Topic
    path: Path
    named_path: str
    words: str

    def __str__(self) -> str:
        return f"{self.named_path}: {self.words}"


def objections_of(obj: JSONObject, *, is_create: bool) -> list[Objection]:
    """All objections of the webhook for the object's kind."""
    checks = {
        OPEN_MODEL.kind: _model,
        PLAYGROUND.kind: _playground,
        SERVICE.kind: _service,
        BACKEND_RUNTIME.kind: _runtime,
    }
    check = checks.get(text(obj, "kind"))
    return list(check(obj, is_create)) if check is not None else []


def _named(obj: JSONObject, is_create: bool) -> Iterator[Objection]:
    name = name_of(obj)
    if is_create and name:
        for words in dns1123_label(name):
            yield Objection(Topic.NAME, ("metadata", "name"), "metadata.name", f'Invalid value: "{name}": {words}')


def _model(model: JSONObject, is_create: bool) -> Iterator[Objection]:
    yield from _sourced(model)
    yield from _named(model, is_create)


def _sourced(model: JSONObject) -> Iterator[Objection]:
    source = part(spec_of(model), "source")
    path: Path = ("spec", "source")
    hub = source.get("modelHub")
    uri = text(source, "uri")
    if not isinstance(hub, dict) and not isinstance(source.get("uri"), str):
        yield Objection(Topic.NO_SOURCE, path, "spec.source", "Forbidden: Source can't be all null")
        return
    if isinstance(source.get("uri"), str) and (trouble := uri_trouble(uri)):
        yield Objection(Topic.URI, (*path, "uri"), "spec.source.uri", f'Invalid value: "{uri}": URI with {trouble}')
    if isinstance(hub, dict) and isinstance(hub.get("filename"), str):
        yield from _filename(hub, (*path, "modelHub"))


def uri_trouble(uri: str) -> str:
    """The webhook's objection to a URI: its format, its protocol or its address; empty if it has none."""
    parts = uri.split("://")
    if len(parts) != 2:
        return "wrong format"
    scheme, address = parts[0].upper(), parts[1]
    if scheme not in SCHEMES:
        return "unsupported protocol"
    if scheme == "OSS":
        _, dot, rest = address.partition(".")
        return "" if dot and "/" in rest else "wrong address"
    return "wrong address" if scheme in ("S3", "GCS") and "/" not in address else ""


def _filename(hub: JSONObject, path: Path) -> Iterator[Objection]:
    if text(hub, "name") == "ModelScope":
        words = f'Invalid value: "{text(hub, "filename")}": Filename can only set once modelHub is Huggingface'
        yield Objection(Topic.FILENAME, (*path, "filename"), "spec.source.modelHub.filename", words)
    for key in ("allowPatterns", "ignorePatterns"):
        found = hub.get(key)
        if isinstance(found, list):
            listed = ", ".join(f'"{one}"' for one in found)
            words = f"Invalid value: []string{{{listed}}}: Once Filename is set, {key} should be nil"
            yield Objection(Topic.FILENAME, (*path, key), f"spec.source.modelHub.{key}", words)


def _playground(playground: JSONObject, is_create: bool) -> Iterator[Objection]:
    spec = spec_of(playground)
    written = [name for name in ("modelClaim", "modelClaims") if isinstance(spec.get(name), dict)]
    if len(written) != 1:
        both = "both not nil" if written else "both nil"
        yield Objection(Topic.CLAIMS, ("spec",), "spec", f"Forbidden: modelClaim and modelClaims couldn't be {both}")
    models = items(spec, "modelClaims", "models")
    path: Path = ("spec", "modelClaims", "models")
    if any(text(model, "role") == DRAFT for model in models) and len(models) != 2:
        words = "Forbidden: only two models are allowed in speculativeDecoding mode"
        yield Objection(Topic.DRAFTS, path, "spec.modelClaims.models", words)
    if sum(text(model, "name") == MAIN for model in models) > 1:
        yield Objection(Topic.DRAFTS, path, "spec.modelClaims.models", "Forbidden: only one main model is allowed")
    yield from _resources(part(spec, "backendRuntimeConfig"))
    yield from _elastic(spec)
    yield from _named(playground, is_create)


def _resources(chosen: JSONObject) -> Iterator[Objection]:
    path: Path = ("spec", "backendRuntimeConfig", "resources")
    for name, limit, request in excess(part(chosen, "resources")):
        words = f"Forbidden: limit ({limit}) for {name} must be greater than or equal to request ({request})"
        yield Objection(Topic.RESOURCES, (*path, "limits", name), "spec.backendRuntimeConfig.resources", words)


def excess(resources: JSONObject) -> list[tuple[str, str, str]]:
    """The resources whose limit is below their request: name, limit, request."""
    limits, requests = part(resources, "limits"), part(resources, "requests")
    found = []
    for name, value in limits.items():
        limit, request = amount(value), amount(requests.get(name))
        if limit is not None and request is not None and limit.compare(request) < 0:
            found.append((name, str(value), str(requests[name])))
    return found


def _elastic(spec: JSONObject) -> Iterator[Objection]:
    elastic = spec.get("elasticConfig")
    if not isinstance(elastic, dict):
        return
    path: Path = ("spec", "elasticConfig")
    least, most = whole(elastic, "minReplicas", 1), whole(elastic, "maxReplicas")
    if least == 0:
        words = "Forbidden: minReplicas couldn't be 0"
        yield Objection(Topic.ELASTIC, (*path, "minReplicas"), "spec.elasticConfig.minReplicas", words)
    if least >= most:
        words = f"Invalid value: {least}: minReplicas must be less than maxReplicas"
        yield Objection(Topic.ELASTIC, (*path, "maxReplicas"), "spec.elasticConfig.scaleTrigger.hpa", words)
    trigger = elastic.get("scaleTrigger")
    if isinstance(trigger, dict) and not isinstance(trigger.get("hpa"), dict):
        words = "Forbidden: hpa couldn't be nil"
        yield Objection(Topic.TRIGGER, (*path, "scaleTrigger"), "spec.backendRuntime.scaleTrigger.hpa", words)


def _service(service: JSONObject, is_create: bool) -> Iterator[Objection]:
    spec = spec_of(service)
    models = items(spec, "modelClaims", "models")
    if any(text(model, "role") == DRAFT for model in models):
        at: Path = ("spec", "modelClaims", "models")
        if len(models) != 2:
            words = "Forbidden: only two models are allowed in speculativeDecoding mode"
            yield Objection(Topic.DRAFTS, at, "spec.modelClaims.models", words)
        if sum(text(model, "role") in ("", MAIN) for model in models) != 1:
            yield Objection(Topic.DRAFTS, at, "spec.modelClaims.models", "Forbidden: main model is required")
    yield from _named(service, is_create)
    path: Path = ("spec", "workloadTemplate", "workerTemplate", "spec", "containers")
    containers = items(spec, *map(str, path[1:]))
    if is_create and not any(text(container, "name") == RUNNER for container in containers):
        words = "Forbidden: model-runner container doesn't exist"
        yield Objection(Topic.RUNNER, path, "spec.workloadTemplate.workerTemplate.spec.containers", words)


def _runtime(runtime: JSONObject, is_create: bool) -> Iterator[Objection]:
    configs = items(spec_of(runtime), "recommendedConfigs")
    seen: set[str] = set()
    again: list[Objection] = []
    for place, config in enumerate(configs):
        path: Path = ("spec", "recommendedConfigs", place)
        for name, _, _ in excess(part(config, "resources")):
            words = f"Forbidden: resource limit of {name} is less than resource request"
            yield Objection(Topic.RESOURCES, (*path, "resources", "limits", name), "spec.resources", words)
        named = text(config, "name")
        if named in seen:
            again.append(Objection(Topic.CONFIG_TWICE, (*path, "name"), "spec.args.name", f"Forbidden: duplicated name {named}"))
        seen.add(named)
    yield from again
