"""Overrides create a second cache of the same weights, so the service may never start.

aim-engine derives a template from the chosen one and the overrides, but doesn't use it: it runs the chosen one as it is. The derived
template gets its own template cache for the same artifact. If both caches are new, the artifact belongs to the last one, and the other
stays Progressing. If that one is the service's cache, aim-engine creates no InferenceService. Leave the overrides out and name the
template, or set `spec.caching.mode: Dedicated`, which creates no second cache.

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
            "two may stay Progressing forever, and the service with it",
            hint="leave spec.overrides out and name the template, or set spec.caching.mode: Dedicated",
        )
