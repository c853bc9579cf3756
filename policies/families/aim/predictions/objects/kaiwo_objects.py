"""What kaiwo does with a template, a template cache and a model cache as objects of their own.

A template with sources of its own is ready whatever its model and its GPU. Its job of discovery and its ServingRuntime aren't predicted.

Source: kaiwo dbca1b55, internal/controller/aim/shared/template.go (ProjectTemplateStatus), aimservicetemplate_controller.go,
aimtemplatecache_controller.go and aimmodelcache_controller.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.kaiwo_caches import cache_of_template, caches_of, claim_of_cache
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.gpus import normalised
from weighbridge.policies.families.aim.predictions.kaiwo import OPERATOR_NAMESPACE
from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.subject.references import find, models, templates
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import Prediction, condition
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import JSONObject, lookup, namespace_of

_SUBJECT: Final = "what AIM does with it"
_MADE: Final = Unchecked("what a template makes", "its job of discovery and its ServingRuntime aren't predicted")


def predict_template(template: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Prediction:
    """The status of a template, and the cache that one of a namespace makes for itself; one of the cluster has the operator's configs."""
    spec, namespace = spec_of(template), namespace_of(template)
    configs = runtime_config(dialect, text(spec, "runtimeConfigName"), namespace or OPERATOR_NAMESPACE, facts, config)
    unchecked = [Unchecked(_SUBJECT, f"{name} isn't known, and is taken for absent") for name in configs.unknown]
    if configs.is_missing:
        return _ends("Failed", "Failed", f'runtime config "{configs.name}" not found', is_failure=True)
    written = part(template, "status")
    is_inline = bool(items(spec, "modelSources"))
    sources = items(spec, "modelSources") if is_inline else items(written, "modelSources")
    caches = flag(part(spec, "caching"), "enabled") and namespace and sources
    objects = [cache_of_template(template, configs.spec, dialect)] if caches else []
    if is_inline:
        return Prediction(status={"status": "Ready", "modelSources": sources}, objects=objects, unchecked=[*unchecked, _MADE])
    available, model = has_gpu(template, dialect, facts), normalised(text(lookup(spec, dialect.hardware), "model"), dialect)
    if available is None and model:
        return Prediction(status={}, objects=objects, unchecked=[*unchecked, Unchecked(_SUBJECT, "the nodes of the cluster aren't known")])
    if available is False:
        return _ends("NotAvailable", "GPUUnavailable", f'Required GPU model "{model}" is not available in the cluster')
    image, unknown = _image(text(spec, "modelName"), namespace, dialect, facts, config)
    if unknown:
        return Prediction(status={}, objects=objects, unchecked=[*unchecked, Unchecked(_SUBJECT, unknown)])
    if not image:
        kinds = "AIMModel or AIMClusterModel" if namespace else "AIMClusterModel"
        message = f'No {kinds} found for image name "{text(spec, "modelName")}"'
        return _ends("Degraded", "ImageNotFound", message, is_failure=True)
    if text(written, "status") == "Ready":
        return Prediction(status={"status": "Ready"}, objects=objects, unchecked=[*unchecked, _MADE])
    return Prediction(status={"status": "Progressing"}, waits="a job has to discover it", unchecked=[*unchecked, _MADE])


def _ends(state: str, reason: str, message: str, *, is_failure: bool = False) -> Prediction:
    """A template that gets no further until its config, its GPU or its model is there."""
    told = [condition("Failure", "True" if is_failure else "False", reason, message), condition("Ready", "False", reason, message)]
    return Prediction(status={"status": state, "conditions": told}, waits=message)


def _image(name: str, namespace: str, dialect: Dialect, facts: Facts, config: Configuration) -> tuple[str, str]:
    """The image of a template's model, of the namespace before the cluster's; else which fact is missing, if one is."""
    own, of_cluster = models(dialect.group)
    for kind, scope in ((own, namespace), (of_cluster, "")) if namespace else ((of_cluster, ""),):
        found = find(kind, facts, config, scope, name)
        if found is not None:
            return text(spec_of(found), "image"), ""
        if kind.is_missing(facts, scope, name) is None:
            return "", kind.unknown
    return "", ""


def predict_cache(cache: JSONObject, dialect: Dialect, facts: Facts, config: Configuration) -> Prediction:
    """The model caches that a template cache makes, and its status by those that there are."""
    own, of_cluster = templates(dialect.group)
    name = text(spec_of(cache), "templateRef")
    for kind, scope in ((own, namespace_of(cache)), (of_cluster, "")):
        template = find(kind, facts, config, scope, name)
        if template is not None:
            objects, status = caches_of(cache, template, dialect, facts)
            waits = "its model caches have to be filled" if objects else ""
            return Prediction(status={"status": status}, objects=objects, waits=waits)
        if kind.is_missing(facts, scope, name) is None:
            return Prediction(status={}, unchecked=[Unchecked(_SUBJECT, kind.unknown)])
    waits = f'Waiting for template "{name}" to be created'
    told = condition("TemplateNotFound", "True", "AwaitingTemplate", waits)
    return Prediction(status={"status": "Pending", "conditions": [told]}, waits=waits)


def predict_model_cache(cache: JSONObject, dialect: Dialect, facts: Facts) -> Prediction:
    """The claim of a model cache; a config that isn't there counts for none."""
    claim, refusal = claim_of_cache(cache, dialect, facts)
    if claim is None:
        told = condition("Failure", "True", "Failed", f"Apply failed: {refusal}")
        return Prediction(status={"status": "Failed", "conditions": [told]}, waits=refusal)
    return Prediction(status={"status": "Progressing"}, objects=[claim], waits="a job has to download the weights")
