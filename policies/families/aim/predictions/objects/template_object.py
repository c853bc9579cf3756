"""What aim-engine does with a service template, without a service: its status, its cache, and the job that discovers it.

A template that names its sources is ready at once. Any other waits for a job, whose result isn't known at admission. In either case its
model must exist and the cluster must have its GPU.

Source: aim-engine v0.2.1, internal/aimservicetemplate/reconcile.go, gpu.go and model.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED, Dialect, dialect_of, is_paused
from weighbridge.policies.families.aim.predictions.caches.template_cache import cache_of_template
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.go_form import spec_in_go
from weighbridge.policies.families.aim.predictions.objects.discovery import discovery_job, refused_job, repeated_variables
from weighbridge.policies.families.aim.predictions.objects.kaiwo_objects import predict_template
from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.subject.references import find, models
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction, condition
from weighbridge.policies.ground.fields import amount, flag, items, part, text, whole
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, lookup, metadata_of, namespace_of
from weighbridge.policies.ground.request import Request

_WAITS: Final = "a job has to discover it"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a template; `None` for an object without a spec."""
    found, dialect = request.object, dialect_of(request.gvk.group)
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    if is_paused(found, dialect):
        return Prediction(status={}, failure=f"the annotation {PAUSED} makes the operator leave the template alone")
    template = found
    if request.gvk.kind == "AIMServiceTemplate" and not namespace_of(found):
        template = {**found, "metadata": {**metadata_of(found), "namespace": request.namespace or "default"}}
    return _of(template, dialect, facts, config) if dialect.is_aim_engine else predict_template(template, dialect, facts, config)


def _of(template: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Prediction:
    namespace, spec = namespace_of(template), spec_of(template)
    configs = runtime_config(dialect, text(spec, "runtimeConfigName"), namespace, facts, config)
    unchecked = [Unchecked("what AIM does with it", f"{name} isn't known, and is taken for absent") for name in configs.unknown]
    if configs.is_missing:
        return _ends("Failed", "RuntimeConfigReady", "ConfigNotFound", f"RuntimeConfig {configs.name} not found")
    own, of_cluster = models(dialect.group)
    kind, scope, component = (own, namespace, "Model") if namespace else (of_cluster, "", "ClusterModel")
    name = text(spec, "modelName")
    model = find(kind, facts, config, scope, name)
    if model is None and kind.is_missing(facts, scope, name) is None:
        return Prediction(status={}, unchecked=[*unchecked, Unchecked("what AIM does with it", kind.unknown)])
    if model is None:
        return _ends("Failed", f"{component}Ready", "ReferenceNotFound", f"{kind.kind} {name} isn't there: Upstream dependency not found")
    if not text(spec_of(model), "image"):
        return _ends("Failed", f"{component}Ready", "ImageNotSpecified", f"{kind.kind} {name} does not specify an image")
    if part(model, "status").get("status") == "Failed":
        return _ends("Failed", f"{component}Ready", f"{component}Failed", f"{kind.kind} is in Failed state")
    available = has_gpu(template, dialect, facts)
    if available is None and _wants_gpu(spec, dialect):
        unchecked.append(Unchecked("whether its GPU is there", "the nodes of the cluster aren't known"))
    if available is False:
        return _without_gpu(spec, dialect)
    return _planned(template, model, configs.spec, dialect, unchecked)


def _ends(state: str, kind: str, reason: str, message: str) -> Prediction:
    # It goes on by itself once the model, the config or the GPU exists.
    return Prediction(status={"status": state, "conditions": [condition(kind, "False", reason, message)]}, waits=message)


def _wants_gpu(spec: JSONObject, dialect: Dialect) -> bool:
    gpu = lookup(spec, dialect.hardware)
    return whole(gpu, "requests") > 0 or bool(text(gpu, "model").strip())


def _without_gpu(spec: JSONObject, dialect: Dialect) -> Prediction:
    gpu = lookup(spec, dialect.hardware)
    least = amount(gpu.get("minVram")) if isinstance(gpu, dict) else None
    if least is not None and least.sign() > 0:
        return _ends("NotAvailable", "GPUReady", "VRAMNotAvailable", f"no GPU of the cluster has the minimum of {least} of memory")
    model = text(gpu, "model").strip()
    message = f"Required GPU model '{model}' not available in cluster" if model else "No GPUs available in cluster"
    return _ends("NotAvailable", "GPUReady", "GPUNotAvailable", message)


def _planned(template: JSONObject, model: JSONObject, configs: JSONObject, dialect: Dialect, unchecked: list[Unchecked]) -> Prediction:
    """The cache of a template if its sources are known, else the job that finds them."""
    spec, status = spec_of(template), part(template, "status")
    is_inline = bool(items(spec, "modelSources"))
    if not is_inline and text(status, "status") != "Ready":
        job = discovery_job(template, text(spec_of(model), "image"), model, configs, dialect)
        objects = [job] if namespace_of(job) else []
        if again := repeated_variables(template, dialect):
            message = f"Failed to apply resources: {refused_job(job, again)}"
            ended = [condition("DependenciesReachable", "False", "InfrastructureError", message)]
            return Prediction({"status": "Pending", "conditions": ended}, failure=message, weight=Severity.ERROR, unchecked=unchecked)
        return Prediction(status={"status": "Progressing"}, objects=objects, waits=_WAITS, unchecked=unchecked, placed=tuple)
    caches = flag(part(spec, "caching"), "enabled") and namespace_of(template) and (is_inline or items(status, "modelSources"))
    made = [cache_of_template(template, configs, dialect)] if caches else []
    told: JSONObject = {"status": "Ready"}
    if is_inline:
        sources = items(spec_in_go({"modelSources": items(spec, "modelSources")}), "modelSources")
        told |= {"modelSources": sources, "profile": {"metadata": _profile(spec)}} | _hardware(spec)
    return Prediction(status=told, objects=made, unchecked=unchecked)


def _profile(spec: JSONObject) -> JSONObject:
    """The profile of a template that needs no discovery."""
    gpu = part(spec, "hardware", "gpu")
    given = {
        "gpuCount": whole(gpu, "requests"),
        "gpu": text(gpu, "model"),
        "metric": text(spec, "metric"),
        "precision": text(spec, "precision"),
        "type": text(spec, "type"),
    }
    return {key: value for key, value in given.items() if value}


def _hardware(spec: JSONObject) -> JSONObject:
    gpu, cpu = part(spec, "hardware", "gpu"), part(spec, "hardware", "cpu")
    given = {key: gpu[key] for key in ("requests", "model", "resourceName") if gpu.get(key)}
    found: JSONObject = {"gpu": given | _printed(gpu, "minVram")} if given else {}
    found |= {"cpu": cpu | _printed(cpu, "requests") | _printed(cpu, "limits")} if cpu else {}
    return {"resolvedHardware": found} if found else {}


def _printed(values: JSONObject, key: str) -> JSONObject:
    """An amount as Go prints it; it may be written in another form, or as a number."""
    read = amount(values.get(key))
    return {key: str(read)} if read is not None else {}
