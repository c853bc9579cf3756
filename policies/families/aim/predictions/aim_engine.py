"""What aim-engine does with a service: it plans the route first, then all that depends on the template, and the InferenceService last.

It applies none of these if an object that it needs is missing, if the spec is invalid, or if the API server doesn't answer.

Source: aim-engine v0.2.1, internal/aimservice/reconcile.go (PlanResources), internal/controller/utils/reconciler.go (processStateEngine).
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.apply_order import Refusal, refused_derived, refused_labels, refused_route
from weighbridge.policies.families.aim.predictions.caches.template_cache import cache_of_derived, cached_weights, is_dedicated, new_cache
from weighbridge.policies.families.aim.predictions.inference_service import add_inference_service
from weighbridge.policies.families.aim.predictions.names import LONGEST_NAMESPACE, runtime_name
from weighbridge.policies.families.aim.predictions.objects.described import with_coming_templates, with_described_model
from weighbridge.policies.families.aim.predictions.objects.made import created_model, derived_beside
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.resolution import has_model, has_template
from weighbridge.policies.families.aim.predictions.template import has_gpu, named_in
from weighbridge.policies.families.aim.predictions.workload import Work, environment, repeats, sources_of
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import replace


def run(service: Service, facts: Facts, config: Configuration) -> None:
    """Find what a service needs, and add the objects that are created for it."""
    came = has_model(service, facts, config)
    described = with_described_model(service, facts)
    came, facts = (True, described) if described is not None else (came, facts)
    facts = with_coming_templates(service, facts) or facts
    if service.template is not None:
        service.unknown(service.template.unknown)
        came = False
    elif came or (service.model is not None and service.model.created and named_in(service.spec, service.dialect)):
        came = has_template(service, facts, config) and came
        _says_what_comes(service)
    service.route = service.asked_route
    if service.config.is_missing:
        service.conditions, service.unchecked = [], []
        service.ends("Failed", "RuntimeConfigReady", "ReferenceNotFound", f'runtime config "{service.config.name}" not found')
    elif service.route.failure:
        service.ends(service.route.state, service.route.condition, service.route.reason, service.route.failure)
    elif len(service.namespace) > LONGEST_NAMESPACE:
        message = f"the name of the namespace is too long: it has {len(service.namespace)} characters, {LONGEST_NAMESPACE} is the most"
        service.conditions, service.unchecked = [], []
        service.ends("Degraded", "InferenceServiceReady", "FetchError", message)
        if came:
            service.model = service.template = None
    elif not service.stopped:
        _applied(service, facts, came)


def _says_what_comes(service: Service) -> None:
    """Record that the template doesn't exist yet, but that a new model will get it."""
    found = service.template.template if service.template is not None else None
    if found is not None and (comes := service.coming.get(name_of(found))):
        service.unknown(comes, "the template")


def _applied(service: Service, facts: Facts, came: bool) -> None:
    """The objects up to where the service stops; `came` is whether model and template are ready."""
    name = runtime_name(name_of(service.stored), service.namespace)
    model, template = service.model, service.template
    if model is not None and model.created and not model.failure:
        made = service.described or [created_model(service.stored, model.created, service.config.spec, service.dialect)]
        if refusal := refused_route(service) or refused_labels(made[0], service.dialect.group):
            # Without the model there is no template, and none of the other objects is planned.
            service.model, service.template = replace(model, model=None), None
            service.conditions, service.unchecked = [], []
            service.refuses(*refusal, state="Pending")
            return
        service.made += made
    if template is not None and template.template is not None and not template.failure:
        found = model.model if model is not None else None
        work = Work(service.stored, service.dialect, found or {}, template.template, service.config.spec, name, facts)
        _with_template(service, work, came)
    is_known = template is None or not (template.unknown and named_in(service.spec, service.dialect))
    if is_known and not (model is not None and model.unknown):
        service.add_route(name)


def _with_template(service: Service, work: Work, came: bool) -> None:
    """The objects that depend on the template: the derived template, the cache, and the InferenceService."""
    if came and service.template is not None and service.template.unsure:
        service.unknown(service.template.unsure)
    derived = service.derived = derived_beside(work)
    if refusal := _refused(service, work, derived):
        if came:
            service.work = work
            service.refuses(*refusal)
        else:
            service.unmade = refusal.kind, refusal.name, refusal.errors
        return
    weights = service.weights = cached_weights(work)
    if came:
        service.work = work
        _served(service, work)
    service.made += weights.objects
    if derived is not None:
        service.made.append(derived)
        serves = sources_of(work) and has_gpu(derived, work.dialect, work.facts) is not False
        if serves and not is_dedicated(service.spec):
            if any(obj["kind"] == "AIMArtifact" for obj in weights.objects):
                service.unknown("of two caches of the same new weights one may stay Progressing forever", "whether the service starts")
            service.made.append(cache_of_derived(derived, work))


def _refused(service: Service, work: Work, derived: JSONObject | None) -> Refusal | None:
    """The first object before the InferenceService that the API server refuses; the objects that are applied before it are made."""
    group, cache, is_own = work.dialect.group, new_cache(work), is_dedicated(service.spec)
    if derived is not None and (refusal := refused_derived(derived, work.template, group)):
        return refusal
    made = [] if derived is None else [derived]
    of_cache, of_route = refused_labels(cache, group), refused_route(service)
    if is_own and of_cache is None and of_route is not None:
        made += cached_weights(work).objects
    # A shared cache is applied after the route.
    found = (of_cache or of_route) if is_own else (of_route or of_cache)
    service.made += made if found is not None else []
    return found


def _served(service: Service, work: Work) -> None:
    """The InferenceService, which is created once the weights are there."""
    again, weights = repeats(environment(work)), service.weights
    if again:
        reason = f'.spec.predictor.containers[0].env: duplicate entries for key [name="{again[0]}"]'
        service.ends("Starting", "DependenciesReachable", "InfrastructureError", f"Failed to apply resources: {reason}")
        service.weight = Severity.ERROR
    elif weights is not None and weights.condition:
        service.ends(weights.state, weights.condition, weights.reason, weights.failure)
    elif weights is not None and weights.failure:
        service.failure = weights.failure
    elif weights is not None:
        add_inference_service(service, work, weights)
