"""What follows from a model that a service describes itself: the AIMModel that is made, and the templates that this one makes.

The sources of such a model are known, so its templates are ready without a job, and the service goes on with them at its next look. Whether
the image is found in its registry isn't known: the model is taken for ready.

Source: aim-engine v0.2.1, internal/aimservice/model.go (resolveCustomModel, planModel), internal/aimmodel/reconcile.go
(aggregateTemplateStatuses) and template.go (buildCustomServiceTemplates).
"""

from __future__ import annotations

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.objects.made import created_model
from weighbridge.policies.families.aim.predictions.objects.model_object import applied_templates
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.selection import READY
from weighbridge.policies.families.aim.predictions.template import NOT_AVAILABLE, has_gpu
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace


def with_described_model(service: Service, facts: Facts) -> Facts | None:
    """The facts with the model of a service's description and its templates; `None` where no model is made of one."""
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
