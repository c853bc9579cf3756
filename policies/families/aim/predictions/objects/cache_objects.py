"""What aim-engine creates for a template cache and for an artifact: the artifacts that are missing, and the claim of each.

Source: aim-engine v0.2.1, internal/aimtemplatecache/reconcile.go and internal/aimartifact/reconcile.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED, Dialect, dialect_of, is_paused
from weighbridge.policies.families.aim.predictions.caches.storage import headroom, storage_class, volume_size
from weighbridge.policies.families.aim.predictions.caches.template_cache import artifacts_of, claim_name
from weighbridge.policies.families.aim.predictions.caches.volumes import claim_of
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.objects.kaiwo_objects import predict_cache, predict_kv_cache, predict_model_cache
from weighbridge.policies.families.aim.subject.references import find, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.fields import amount, part, text
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject, metadata_of, namespace_of
from weighbridge.policies.ground.request import Request

#: The statuses of a template that its cache takes over.
_NOT_READY = ("Failed", "NotAvailable", "Degraded", "Pending")
_SUBJECT = "what AIM does with it"
_UNKNOWN_SIZE = "a job has to find out the size of the weights"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a cache; `None` for an object without a spec."""
    found, dialect = request.object, dialect_of(request.gvk.group)
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    if is_paused(found, dialect):
        return Prediction(status={}, failure=f"the annotation {PAUSED} makes the operator leave the object alone")
    cache = {**found, "metadata": {**metadata_of(found), "namespace": namespace_of(found) or request.namespace or "default"}}
    if request.gvk.kind == "AIMModelCache":
        return predict_model_cache(cache, dialect, facts)
    if request.gvk.kind == "AIMKVCache":
        return predict_kv_cache(cache)
    if not dialect.is_aim_engine:
        return predict_cache(cache, dialect, facts, config)
    configs = runtime_config(dialect, text(spec_of(cache), "runtimeConfigName"), namespace_of(cache), facts, config)
    unchecked = [Unchecked(_SUBJECT, f"{name} isn't known, and is taken for absent") for name in configs.unknown]
    if configs.is_missing:
        return Prediction(status={"status": "Failed"}, waits=f'runtime config "{configs.name}" not found', unchecked=unchecked)
    if request.gvk.kind == "AIMArtifact":
        return _artifact(cache, configs.spec, dialect, unchecked)
    return _cache(cache, configs.spec, dialect, facts, config, unchecked)


def _artifact(artifact: JSONObject, config: JSONObject, dialect: Dialect, unchecked: list[Unchecked]) -> Prediction:
    spec = spec_of(artifact)
    size = amount(spec.get("size"))
    if size is None or size.is_zero():
        return Prediction(status={"status": "Progressing"}, waits=_UNKNOWN_SIZE, unchecked=unchecked)
    if size.sign() < 0:
        return Prediction(status={"status": "Progressing"}, waits=f"a claim of the size {size}, which is refused", unchecked=unchecked)
    percent = headroom(dialect, {}, config)
    allocated = volume_size(size, percent)
    chosen = text(spec, "storageClassName") or storage_class(dialect, {}, config)
    made = claim_of(claim_name(artifact), namespace_of(artifact), allocated, chosen)
    told = {"status": "Progressing", "allocatedSize": allocated, "headroomPercent": percent}
    return Prediction(status=told, objects=[made], waits="a job has to download the weights", unchecked=unchecked)


def _cache(
    cache: JSONObject, config: JSONObject, dialect: Dialect, facts: Facts, settings: Configuration, unchecked: list[Unchecked]
) -> Prediction:
    own, of_cluster = templates(dialect.group)
    scope, name = text(spec_of(cache), "templateScope"), text(spec_of(cache), "templateName")
    for kind, namespace in ((own, namespace_of(cache)), (of_cluster, "")):
        if scope in ("Namespace", "Cluster") and (scope == "Cluster") is bool(namespace):
            continue
        found = find(kind, facts, settings, namespace, name)
        if found is not None:
            objects, failed = artifacts_of(cache, found, config, dialect, facts)
            told = {"status": "Failed" if failed else "Progressing" if objects else "Ready"}
            if (state := text(part(found, "status"), "status")) in _NOT_READY and not failed:
                # The cache has the worst status of its template and its artifacts.
                return Prediction(status={"status": state}, objects=objects, waits=f"{kind.kind} {name} is {state}", unchecked=unchecked)
            return Prediction(status=told, objects=objects, unchecked=unchecked)
        if kind.is_missing(facts, namespace, name) is None:
            return Prediction(status={}, unchecked=[*unchecked, Unchecked(_SUBJECT, kind.unknown)])
    return Prediction(status={"status": "Failed"}, waits=f'template "{name}" isn\'t there', unchecked=unchecked)
