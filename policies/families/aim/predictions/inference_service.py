"""The InferenceService of a service, and the Deployment that KServe creates for it."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.aim.predictions.caches.volumes import ServedWeights
from weighbridge.policies.families.aim.predictions.inference import container_of, inference_service, kaiwo_labels, predictor
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.paths.route import route_errors, route_name
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.pods.validation.deployment import deployment_errors
from weighbridge.policies.pods.validation.template import label_errors


def add_inference_service(service: Service, work: Work, weights: ServedWeights) -> None:
    """Add the InferenceService, and the Deployment if the API server accepts it; neither if it refuses an object that is applied before."""
    for kind, group, name, errors in _refused(service, work):
        if errors:
            service.refuses(kind, group, name, errors)
            return
    container = container_of(work)
    deployment = predictor(work, weights.judged(work.facts, service.namespace), container)
    service.refused = [error for error in deployment_errors(deployment) if _is_known(error)]
    mounts = tuple(weights.mounts)
    service.serves = True
    service.made += [lambda: inference_service(work, mounts, container), *([] if service.refused else [deployment])]
    if service.refused:
        # KServe tries again without end, and the service stays Starting.
        service.failure, service.weight = invalid_message("Deployment", "apps", name_of(deployment), service.refused), Severity.ERROR


def _refused(service: Service, work: Work) -> Iterator[tuple[str, str, str, list[FieldError]]]:
    """The objects of a service with the API server's errors on them: the route, and the InferenceService itself."""
    labels = [] if work.dialect.is_aim_engine else list(label_errors(kaiwo_labels(work), "metadata.labels"))
    if service.route is not None and service.route.path:
        errors = [*labels, *route_errors(service.stored, service.config.spec, work.dialect)]
        yield "HTTPRoute", "gateway.networking.k8s.io", route_name(service.stored, work.dialect), errors
    yield "InferenceService", "serving.kserve.io", work.name, labels


def _is_known(error: FieldError) -> bool:
    """Whether an error is about a field that is fully predicted: KServe adds labels, and may take the image from its runtime."""
    return error.field.startswith("spec.template.spec.") and not error.field.endswith("].image")
