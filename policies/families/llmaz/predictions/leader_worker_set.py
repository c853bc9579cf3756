"""The LeaderWorkerSet that comes of a Playground or a Service, for rules about its pods.

Source: llmaz 3c13ff3, pkg/controller/inference.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.playground import service_of
from weighbridge.policies.families.llmaz.predictions.workload import duplicates, leader_worker_set
from weighbridge.policies.families.llmaz.subject.service import Serving
from weighbridge.policies.ground.objects import JSONObject


def workload_of(serving: Serving) -> JSONObject | None:
    """The workload; `None` where it can't be told, or where the controller can't apply it.

    Of a Service it is told without its models, too: these only add to what the author wrote.
    """
    if serving.operator.trouble or not serving.claims.models:
        return None
    service: JSONObject | None = serving.object
    if serving.choice is not None:
        service = None if serving.missing or serving.unknown else service_of(serving)[0]
    if service is None:
        return None
    workload = leader_worker_set(service, serving)
    return None if duplicates(workload) else workload
