"""The LeaderWorkerSet that comes of a Playground or a Service, for rules about its pods.

Source: llmaz 3c13ff3, pkg/controller/inference.
"""

from __future__ import annotations

from policies.families.llmaz.predictions.playground import service_of
from policies.families.llmaz.predictions.workload import duplicates, leader_worker_set
from policies.families.llmaz.subject.service import Reading
from policies.ground.objects import JSONObject


def workload_of(reading: Reading) -> JSONObject | None:
    """The workload; `None` where it can't be told, or where the controller can't apply it.

    Of a Service it is told without its models, too: these only add to what the author wrote.
    """
    if reading.operator.trouble or not reading.claims.models:
        return None
    service: JSONObject | None = reading.object
    if reading.choice is not None:
        service = None if reading.missing or reading.unknown else service_of(reading)[0]
    if service is None:
        return None
    workload = leader_worker_set(service, reading)
    return None if duplicates(workload) else workload
