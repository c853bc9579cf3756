"""The HorizontalPodAutoscaler of a service with `autoscaling`, and why the operator may be unable to create it.

The operator panics at a target that isn't a quantity, and a refused autoscaler ends the reconcile with an error. In both cases Deployment
and Service exist, and the service never gets a status. Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines import default_metric
from weighbridge.policies.families.llmkube.predictions.service.labels import selector
from weighbridge.policies.families.llmkube.predictions.service.status import is_suspended
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.fields import amount, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import must_parse_panic
from weighbridge.policies.pods.defaults import METRIC

_TARGET: Final = "2"


def is_scaled(workload: Workload) -> bool:
    """Whether the operator creates an autoscaler; it creates none while the service is suspended."""
    return isinstance(workload.spec.get("autoscaling"), dict) and not is_suspended(workload.spec, workload.operator)


def unreadable(workload: Workload) -> str:
    """The operator's panic at the target of a metric; empty if there is none."""
    for metric in items(workload.spec, "autoscaling", "metrics"):
        target = metric.get("targetAverageValue")
        if text(metric, "type") == "Pods" and isinstance(target, str) and (found := must_parse_panic(target)):
            return found
    return ""


def manifest(workload: Workload) -> JSONObject:
    """The autoscaler, with provenance; ask `unreadable` first."""
    asked, where = part(workload.spec, "autoscaling"), f"HorizontalPodAutoscaler/{workload.name}"
    least = asked.get("minReplicas")
    spec: JSONObject = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": workload.name},
        "minReplicas": least if isinstance(least, int) else 1,
        "maxReplicas": whole(asked, "maxReplicas"),
        "metrics": _metrics(workload, where),
    }
    for field in ("minReplicas", "maxReplicas"):
        source = workload.of_service(f"spec.autoscaling.{field}")
        workload.values.append(PredictedValue(where, f"spec.{field}", spec[field], source, "replaces spec.replicas once it runs"))
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": workload.name, "namespace": workload.namespace, "labels": selector(workload.name)},
        "spec": spec,
    }


def _metrics(workload: Workload, where: str) -> list[JSONObject]:
    asked = items(workload.spec, "autoscaling", "metrics")
    if not asked:
        name = default_metric(workload.runtime, workload.operator)
        reason = f"what runtime {workload.runtime} is scaled by where no metric is listed"
        workload.values.append(PredictedValue(where, "spec.metrics[0]", f"{name} {_TARGET}", workload.operator.name, reason))
        return [_pods_metric(name, _TARGET)]
    found = [(text(each, "name"), metric) for each in asked if (metric := _metric(each)) is not None]
    if found:
        source = workload.of_service("spec.autoscaling.metrics")
        workload.values.append(PredictedValue(where, "spec.metrics", [name for name, _ in found], source, "the author's metrics"))
        return [metric for _, metric in found]
    reason = "no metric is left: those of type Resource have no targetAverageUtilization"
    workload.values.append(PredictedValue(where, "spec.metrics[0]", "cpu 80 %", "Kubernetes", reason))
    return [METRIC]


def _metric(asked: JSONObject) -> JSONObject | None:
    """A listed metric; `None` for a metric of type Resource without a utilisation, which the operator drops."""
    if text(asked, "type") == "Pods":
        target = asked.get("targetAverageValue")
        return _pods_metric(text(asked, "name"), str(amount(target)) if isinstance(target, str) else "")
    utilisation = asked.get("targetAverageUtilization")
    if text(asked, "type") != "Resource" or not isinstance(utilisation, int):
        return None
    return {
        "type": "Resource",
        "resource": {"name": text(asked, "name"), "target": {"type": "Utilization", "averageUtilization": utilisation}},
    }


def _pods_metric(name: str, target: str) -> JSONObject:
    wanted = {"type": "AverageValue", "averageValue": target} if target else {}
    return {"type": "Pods", "pods": {"metric": {"name": name}, "target": wanted}}
