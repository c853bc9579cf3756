"""What kaiwo does with a service: it reports problems in its own order, but creates the objects of a ready template in spite of them.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go (plan) and shared/service_status.go (ProjectServiceStatus).
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.caches.kaiwo_caches import kaiwo_weights
from weighbridge.policies.families.aim.predictions.caches.kv_cache import KVCache, asked, kv_cache_of
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.inference import kaiwo_labels
from weighbridge.policies.families.aim.predictions.inference_service import add_inference_service
from weighbridge.policies.families.aim.predictions.labels import propagated
from weighbridge.policies.families.aim.predictions.names import kaiwo_runtime_name
from weighbridge.policies.families.aim.predictions.objects.described import with_coming_templates
from weighbridge.policies.families.aim.predictions.objects.made import created_model
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.resolution import has_model, has_template
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.families.aim.subject.references import models
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

#: The namespace in which kaiwo runs, unless AIM_OPERATOR_NAMESPACE names another.
OPERATOR_NAMESPACE = "kaiwo-system"


def run(service: Service, facts: Facts, config: Configuration) -> None:
    """Find what a service needs, and add the objects that are created for it."""
    ready = has_model(service, facts, config)
    if ready:
        with_coming_templates(service, facts)
    if service.template is not None:
        service.unknown(service.template.unknown)
        ready = False
    else:
        ready = ready and has_template(service, facts, config)
    model, template = service.model, service.template
    if model is not None and model.created:
        service.made.append(created_model(service.stored, model.created, service.config.spec, service.dialect))
    if template is not None and template.made is not None:
        derived = template.made
        labels = propagated(service.stored, service.config.spec, service.dialect) | derived["metadata"]["labels"]
        service.made.append({**derived, "metadata": {**derived["metadata"], "labels": labels}})
    found = template.template if template is not None else None
    service.route = service.asked_route
    # If kaiwo panics, it creates nothing.
    cache = kv_cache_of(service.stored, service.dialect, facts) if asked(service.stored) and service.state else None
    if found is None or (template is not None and template.unknown):
        service.made += cache.objects if cache is not None else []
        return
    service.reference = _config_reference(service, found, facts, config)
    if not (ready or (template is not None and template.failure)):
        # If the model isn't ready, kaiwo doesn't get to the template.
        service.made += cache.objects if cache is not None else []
        return
    ended = _ended(service, found, facts, config)
    if ready and not service.config.is_missing:
        _applied(service, found, facts, ended, cache)
    else:
        service.made += cache.objects if cache is not None else []


def _ended(service: Service, template: JSONObject, facts: Facts, config: Configuration) -> bool:
    """Whether the service stops at one of the first checks of kaiwo: the model of the template, the configs, the path of the route."""
    route = service.route
    missing = _missing_model(service, template, facts, config)
    if missing:
        service.conditions = []
        service.ends("Degraded", "Failure", "ImageNotFound", missing)
    elif service.config.is_missing:
        service.conditions, service.unchecked = [], []
        message = f'runtime config "{service.config.name}" not found'
        service.ends("Degraded", "RuntimeConfigReady", "RuntimeConfigMissing", message)
    elif route is not None and route.reason == "PathTemplateInvalid":
        service.conditions = []
        service.ends(route.state, route.condition, route.reason, route.failure)
    else:
        return False
    return True


def _missing_model(service: Service, template: JSONObject, facts: Facts, config: Configuration) -> str:
    """kaiwo's message if the model of a template doesn't exist; a template of the cluster needs a model of the cluster."""
    name, namespace = text(spec_of(template), "modelName"), namespace_of(template)
    own, of_cluster = models(service.dialect.group)
    if namespace and own.is_missing(facts, namespace, name) is not True:
        return ""
    if of_cluster.is_missing(facts, "", name) is not True:
        return ""
    return f'AIMModel "{name}" not found in namespace "{namespace}"' if namespace else f'AIMClusterModel "{name}" not found'


def _applied(service: Service, template: JSONObject, facts: Facts, ended: bool, cache: KVCache | None) -> None:
    """Add the objects of a service whose template is ready."""
    name = kaiwo_runtime_name(name_of(service.stored), service.namespace)
    model = service.model.model if service.model is not None else None
    if service.template is not None and service.template.unsure:
        service.unknown(service.template.unsure)
    work = service.work = Work(service.stored, service.dialect, model or {}, template, service.config.spec, name, facts)
    weights = service.weights = kaiwo_weights(work)
    if not ended and service.route is not None and service.route.failure:
        service.ends(service.route.state, service.route.condition, service.route.reason, service.route.failure)
    if not ended and weights.condition:
        service.ends(weights.state, weights.condition, weights.reason, weights.failure)
    elif not ended and weights.failure:
        service.failure = weights.failure
    elif not ended and cache is not None and cache.failure:
        service.ends("Starting", "KVCacheReady", "KVCacheFailed", cache.failure)
        service.weight = Severity.ERROR if cache.refused else service.weight
    if not weights.failure and not (cache is not None and cache.failure):
        add_inference_service(service, work, weights)
    service.made += [*(cache.objects if cache is not None else []), *weights.objects]
    service.add_route(name, kaiwo_labels(work))


def _config_reference(service: Service, template: JSONObject, facts: Facts, config: Configuration) -> JSONObject | None:
    """The config that kaiwo names in the status: the service's, else its template's, which for a cluster template is in the operator's
    namespace.
    """
    found = service.config.reference()
    if found is not None:
        return found
    namespace = namespace_of(template) or OPERATOR_NAMESPACE
    return runtime_config(service.dialect, text(spec_of(template), "runtimeConfigName"), namespace, facts, config).reference()
