"""Objects of a service's model that don't exist yet: the AIMModel that is created from a description, and the templates that are created
for a new AIMModel.

Templates of a model with sources are ready without a job, and the service goes on with them at its next reconcile. It isn't known whether
the image is in its registry, so the model counts as ready.

Source: aim-engine v0.2.1, internal/aimservice/model.go (resolveCustomModel, planModel), internal/aimmodel/reconcile.go
(aggregateTemplateStatuses) and template.go (buildCustomServiceTemplates).
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import is_paused
from weighbridge.policies.families.aim.predictions.objects.made import created_model
from weighbridge.policies.families.aim.predictions.objects.model_object import applied_templates
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.selection import READY
from weighbridge.policies.families.aim.predictions.template import NOT_AVAILABLE, ResolvedTemplate, has_gpu, model_templates, named_in
from weighbridge.policies.families.aim.subject.references import templates as kinds_of_templates
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import replace


def with_described_model(service: Service, facts: Facts) -> Facts | None:
    """The facts with the model of a service's description and its templates; `None` if no model is created from one."""
    found = service.model
    if found is None or not found.created or found.failure or found.model is not None or not part(service.spec, "model", "custom"):
        return None
    model = created_model(service.stored, found.created, service.config.spec, service.dialect)
    templates, _ = applied_templates(model, service.dialect, service.config.spec)
    lacks_gpu = bool(templates) and all(has_gpu(template, service.dialect, facts) is False for template in templates or ())
    seen: JSONObject = {**model, "status": {"status": NOT_AVAILABLE if lacks_gpu else READY}}
    service.model = replace(found, model=seen)
    service.described = [model, *(templates or ())]
    if not lacks_gpu:
        image = text(part(model, "spec"), "image")
        service.unknown(f"AIMModel {found.created} is taken for ready: whether its registry has image {image} isn't known")
    return facts.overlaid([seen, *(templates or ())])


def with_coming_templates(service: Service, facts: Facts) -> Facts | None:
    """The facts with the templates that the operator will create for a model that it hasn't reconciled yet; `None` if it creates none.

    If the image decides on the templates, and there is none yet, the service's template isn't known.
    """
    found = service.model
    model = found.model if found is not None else None
    if found is None or model is None or found.status or found.failure or is_paused(model, service.dialect):
        return None
    templates, _ = applied_templates(model, service.dialect, service.config.spec) if service.dialect.is_aim_engine else (None, "")
    kind = text(model, "kind")
    if templates is None:
        if _is_discovered(model) and not named_in(service.spec, service.dialect) and not templates_there(found.name, service, facts):
            unknown = f"what the image of {kind} {found.name} recommends isn't known, so neither are the templates that it makes"
            service.template = ResolvedTemplate(unknown=unknown)
        return None
    own, of_cluster = kinds_of_templates(service.dialect.group)
    coming = [one for one in templates if (of_cluster, own)[bool(namespace_of(one))].get(facts, namespace_of(one), name_of(one)) is None]
    service.coming = {
        name_of(one): f"{text(one, 'kind')} {name_of(one)} doesn't exist yet: {kind} {found.name} creates it" for one in coming
    }
    return facts.overlaid(coming) if coming else None


def _is_discovered(model: JSONObject) -> bool:
    """Whether the operator creates templates by the metadata of a model's image."""
    discovery = part(model, "spec", "discovery")
    return not any(discovery.get(key) is False for key in ("enabled", "autoCreateTemplates", "extractMetadata", "createServiceTemplates"))


def templates_there(name: str, service: Service, facts: Facts) -> bool:
    """Whether a model of a name has templates in the namespace of the service, or in the cluster."""
    return bool(model_templates(name, service.dialect, service.namespace, facts))
