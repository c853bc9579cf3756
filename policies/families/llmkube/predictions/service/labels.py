"""Labels and annotations of the objects that the operator creates for a service.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.service.workload import SERVICE_LABEL, Workload
from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import name_of

#: The most characters that a label's value may have; the names of a service and of its Model become labels of the pods.
LONGEST_VALUE: Final = 63
_ANNOTATIONS: Final = "spec.template.metadata.annotations"
_DO_NOT_DISRUPT: Final = "karpenter.sh/do-not-disrupt"


def selector(name: str) -> dict[str, str]:
    """The labels that never change, by which Deployment and Service select their pods."""
    return {"app": name, SERVICE_LABEL: name}


def labels(workload: Workload) -> dict[str, str]:
    """The operator's labels on the Deployment and on its pods."""
    return {
        **selector(workload.name),
        "inference.llmkube.dev/model": name_of(workload.model),
        "inference.llmkube.dev/runtime": workload.runtime,
    }


def pod_labels(workload: Workload, own: dict[str, str]) -> dict[str, str]:
    """The pods' labels: the operator's, and those of the author that the operator doesn't set."""
    asked = text_map(workload.spec, "podLabels")
    for key, value in asked.items():
        if key not in own:
            workload.record(f"spec.template.metadata.labels[{key}]", value, workload.of_service("spec.podLabels"), "the author's label")
        elif own[key] != value:
            reason = f"the operator's label; podLabels can't set it to {value}"
            workload.record(f"spec.template.metadata.labels[{key}]", own[key], workload.operator.name, reason)
    return {**asked, **own}


def pod_annotations(workload: Workload, port: int) -> dict[str, str]:
    """The pods' annotations: the author's win over the operator's."""
    found = dict(text_map(workload.spec, "podAnnotations"))
    for key, value in found.items():
        workload.record(f"{_ANNOTATIONS}[{key}]", value, workload.of_service("spec.podAnnotations"), "the author's annotation")
    if _is_protected(workload) and _DO_NOT_DISRUPT not in found:
        found[_DO_NOT_DISRUPT] = "true"
        asked = _is_always_protected(workload)
        source = workload.of_service("spec.disruption.protectAlways") if asked else workload.operator.name
        reason = "the service requests it" if asked else "Karpenter is to leave the pod alone until the service is ready"
        workload.record(f"{_ANNOTATIONS}[{_DO_NOT_DISRUPT}]", "true", source, reason)
    if workload.operator.emit_scrape_annotations:
        source = workload.of_operator("--emit-scrape-annotations", "emit_scrape_annotations")
        for key, value in (("scrape", "true"), ("path", "/metrics"), ("port", str(port))):
            if f"prometheus.io/{key}" not in found:
                found[f"prometheus.io/{key}"] = value
                workload.record(f"{_ANNOTATIONS}[prometheus.io/{key}]", value, source, "Prometheus is to find the pod's metrics")
    return found


def _is_protected(workload: Workload) -> bool:
    """Whether Karpenter must keep the pod's node: always if the service asks for it, else while the service isn't ready yet."""
    if _is_always_protected(workload):
        return True
    if part(workload.spec, "disruption").get("protectStartup") is False:
        return False
    return text(part(workload.service, "status"), "phase") != "Ready"


def _is_always_protected(workload: Workload) -> bool:
    return part(workload.spec, "disruption").get("protectAlways") is True
