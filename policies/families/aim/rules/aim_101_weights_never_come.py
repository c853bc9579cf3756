"""The weights of a service never come.

A service waits for the cache of its template. A cache or an artifact that has failed stays failed until it is deleted. A source with a
negative size, or in the old group without a size, gets no volume: AIM-044 refuses such a template, but not one that was stored before.
Delete the failed cache or artifact, so that the operator creates it again, or correct the template.

Source: aim-engine v0.2.1, internal/aimservice/reconcile.go (getCacheHealth) and internal/aimartifact; kaiwo dbca1b55,
internal/controller/aim/shared/service_status.go (HandleModelCacheReadiness) and aimservice_controller.go (buildServicePVC).
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, Said, Service, Violation, services


@services.warning(about=FAILURE, good="accepts-the-caching-mode-dedicated", bad="warns-of-weights-that-failed")
def check(service: Service) -> Said:
    weights = service.weights
    if weights is not None and weights.failure and not weights.lacks_sources:
        path = ("spec", *service.dialect.template) if service.template_name else ("spec", "model")
        yield Violation(path, weights.failure, hint="delete the failed object, or correct the template")
