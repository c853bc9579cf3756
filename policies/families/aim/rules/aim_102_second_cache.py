"""Overrides make a second cache of the same weights, and the service may never start.

aim-engine derives a template from the chosen one and the overrides, and doesn't use it: the chosen one runs as it is. The derived template
makes a template cache of its own for the same artifact. If both are new, the artifact belongs to the one that comes last, and the
other stays Progressing; if that is the service's own, no InferenceService is made. Leave the overrides out and name the template, or set
`spec.caching.mode: Dedicated`, which makes no second cache.

Source: aim-engine v0.2.1, internal/aimservice/template.go (planDerivedTemplate) and internal/aimtemplatecache/reconcile.go.
"""

from weighbridge.policies.families.aim.predictions.caches.template_cache import is_dedicated
from weighbridge.policies.families.aim.rulebook import Given, Said, Service, Violation, name_of, services


@services.warning(good="accepts-overrides-that-choose", bad="warns-of-a-second-cache-of-the-same-weights")
def check(service: Service, given: Given) -> Said:
    derived, weights = service.derived, service.weights
    if derived is None or weights is None or is_dedicated(service.spec):
        return
    is_there = given.facts.objects.get(given.group, "AIMServiceTemplate", service.namespace, name_of(derived)) is not None
    makes_both = sum(obj["kind"] == "AIMTemplateCache" for obj in service.objects) > 1
    if makes_both and not is_there and any(obj["kind"] == "AIMArtifact" for obj in service.objects):
        yield Violation(
            ("spec", "overrides"),
            f"template {name_of(derived)} is derived in addition to the chosen one, with a second cache of the same weights; one of the "
            "two may stay Progressing for good, and the service with it",
            hint="leave spec.overrides out and name the template, or set spec.caching.mode: Dedicated",
        )
