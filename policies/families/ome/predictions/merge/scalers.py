"""The autoscaler of a component: a HorizontalPodAutoscaler, or KEDA's ScaledObject with its trigger.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/{autoscaler,hpa,keda}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.go_numbers import atoi, int32
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject

_CLASS: Final = f"{PREFIX}autoscalerClass"
_UTILIZATION: Final = f"{PREFIX}targetUtilizationPercentage"
HPA: Final = "hpa"
KEDA: Final = "keda"
CLASSES: Final = (HPA, KEDA, "external")
_CPU_TARGET: Final = 80
_OF_KEDA: Final = "autoscaling.keda.sh/"
#: The settings of a trigger: the name, the annotation, the field of `kedaConfig`, and OME's default.
_SETTINGS: Final = (
    ("serverAddress", "prometheus.serverAddress", "promServerAddress", "http://prometheus-operated.monitoring.svc.cluster.local:9090"),
    ("threshold", "threshold", "scalingThreshold", "10"),
    ("operator", "operator", "scalingOperator", "LessThanOrEqual"),
)
_METRIC: Final = "tps"
#: The number of characters at the end of a component's name that the name of its ScaledObject has.
_LONGEST: Final = 50
_QUERY: Final = """sum(
            avg_over_time(vllm:avg_generation_throughput_toks_per_s{ome_io_inferenceservice="%s"}[5m]) < bool 10
        )
        *
        sum(
            rate(vllm:request_success_total{ome_io_inferenceservice="%s"}[1m]) > bool 0.50
        )"""
_VERB: Final = expression(r"%(\[1\])?(.?)", re.DOTALL)


def scaler_class(annotations: Mapping[str, str]) -> str:
    """The autoscaler class of a component with these annotations, even if OME doesn't know the word."""
    return annotations.get(_CLASS, HPA)


def scaled_object_name(name: str) -> str:
    """The name of the ScaledObject for a component's Deployment."""
    return f"scaledobject-{name[-_LONGEST:]}"


def scaled_object(component: Component, name: str, annotations: Mapping[str, str], config: JSONObject | None) -> JSONObject:
    """The spec of a component's ScaledObject; `config` is the service's `kedaConfig`."""
    least, most = _least(component), component.max_replicas
    return {
        "scaleTargetRef": _target(name),
        "minReplicaCount": least,
        "maxReplicaCount": int32(most) if most > least else least,
        "triggers": [_trigger(component, name, annotations, config or {})],
    }


def _trigger(component: Component, name: str, annotations: Mapping[str, str], config: JSONObject) -> JSONObject:
    metadata: JSONObject = {"metricName": text(component.spec, "scaleMetric") or _METRIC}
    for setting, annotation, field, default in _SETTINGS:
        found = annotations.get(_OF_KEDA + annotation)
        metadata[setting] = (text(config, field) or default) if found is None else found
    query, custom = annotations.get(f"{_OF_KEDA}prometheus.query"), text(config, "customPromQuery")
    metadata["query"] = query if query is not None else printed(custom, name) if custom else _QUERY.replace("%s", name)
    trigger: JSONObject = {"type": "prometheus", "metadata": metadata}
    reference = config.get("authenticationRef")
    if isinstance(reference, dict):
        trigger["authenticationRef"] = {"name": text(reference, "name"), "kind": text(reference, "kind") or "TriggerAuthentication"}
        metadata |= {"authModes": config["authModes"]} if text(config, "authModes") else {}
    return trigger


def printed(form: str, name: str) -> str:
    """The text that Go prints with a format and one text, for verbs without flags, of which each may number the text."""
    left, is_numbered = [name], False

    def shown(found: re.Match[str]) -> str:
        nonlocal is_numbered
        verb = found[2]
        if found[1]:
            is_numbered, left[:] = True, [name]
        if verb == "%":
            return "%"
        if not verb:
            return "%!(NOVERB)"
        if not left:
            return f"%!{verb}(MISSING)"
        value = left.pop()
        known = {"s": value, "v": value, "T": "string", "q": quote(value), "x": value.encode().hex(), "X": value.encode().hex().upper()}
        return known.get(verb, f"%!{verb}(string={value})")

    out = _VERB.sub(shown, form)
    return f"{out}%!(EXTRA string={name})" if left and not is_numbered else out


def autoscaler(component: Component, name: str, annotations: Mapping[str, str]) -> JSONObject:
    """The spec of a component's HorizontalPodAutoscaler."""
    asked, least = annotations.get(_UTILIZATION), _least(component)
    # OME ignores that it can't read a text, and then uses 0.
    aim = int32(whole(component.spec, "scaleTarget", _CPU_TARGET) if asked is None else atoi(asked))
    resource = {"name": text(component.spec, "scaleMetric", "cpu"), "target": {"type": "Utilization", "averageUtilization": aim}}
    bounds = {"minReplicas": least, "maxReplicas": max(least, int32(component.max_replicas))}
    return {"scaleTargetRef": _target(name), **bounds, "metrics": [{"type": "Resource", "resource": resource}]}


def _least(component: Component) -> int:
    """The least number of replicas, at least 1, in 32 bits as Go converts it."""
    return int32(component.min_replicas) if component.min_replicas > 0 else 1


def _target(name: str) -> JSONObject:
    return {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}


def keda_config(service: JSONObject) -> JSONObject | None:
    """The `kedaConfig` that OME reads: that of the service itself."""
    found = part(service, "spec").get("kedaConfig")
    return found if isinstance(found, dict) else None
