"""The LeaderWorkerSet of a Playground or a Service, for rules about its pods.

Source: llmaz 3c13ff3, pkg/controller/inference.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.playground import created_service
from weighbridge.policies.families.llmaz.predictions.typed_patch import workload_refusal
from weighbridge.policies.families.llmaz.predictions.workload import leader_worker_set
from weighbridge.policies.families.llmaz.subject.service import Service
from weighbridge.policies.ground.objects import JSONObject


def workload_of(service: Service) -> JSONObject | None:
    """The workload; `None` if it isn't known, or if the controller can't apply it.

    The workload of a Service is known even without its models, which only add to what the author wrote.
    """
    if service.operator.trouble or not service.claims.models:
        return None
    manifest: JSONObject | None = service.object
    if service.is_playground:
        manifest = None if service.missing or service.unknown else created_service(service)[0]
    if manifest is None:
        return None
    workload = leader_worker_set(manifest, service)
    return None if workload_refusal(workload) else workload
