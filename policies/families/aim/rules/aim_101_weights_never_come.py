"""The weights of a service never come.

A service waits for the cache of its template. A cache or an artifact that has failed stays so until it is deleted. A source of negative or,
in the old group, of no size gets no volume: AIM-044 refuses it at the template, but not at one that was stored before. Delete what has
failed, so that it is made anew, or correct the template.

Source: aim-engine v0.2.1, internal/aimservice/reconcile.go (getCacheHealth) and internal/aimartifact; kaiwo dbca1b55,
internal/controller/aim/shared/service_status.go (HandleModelCacheReadiness) and aimservice_controller.go (buildServicePVC).
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Violation, services


@services.warning(about=FAILURE, good="accepts-the-caching-mode-dedicated", bad="warns-of-weights-that-failed")
def check(service: Service) -> Said:
    weights = service.weights
    if weights is not None and weights.failure and not weights.lacks_sources:
        path = ("spec", *service.dialect.template) if service.template_name else ("spec", "model")
        yield Violation(path, weights.failure, hint="delete what has failed, or correct the template")
