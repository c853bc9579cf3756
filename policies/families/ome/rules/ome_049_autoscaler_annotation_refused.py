"""An annotation for the autoscaler has a value that OME refuses.

`ome.io/autoscalerClass` must be hpa, keda or external. With hpa `ome.io/metrics` must be cpu or memory.
`ome.io/targetUtilizationPercentage` must be a whole number from 1 to 100. The webhook checks only the annotations of the service.
Another class in the annotations of a component stops OME's controller, and only its log has the reason.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go and
pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler.
"""

import re
from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.components import Mode
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_of
from weighbridge.policies.families.ome.rulebook import FAILURE, WORKLOAD_READS, Given, Said, Service, Violation, services, text_map
from weighbridge.policies.ground.expressions import expression

_CLASS: Final = f"{PREFIX}autoscalerClass"
_CLASSES: Final = ("hpa", "keda", "external")
_METRICS: Final = ("cpu", "memory")
_WHOLE: Final = expression("[+-]?[0-9]{1,9}", re.ASCII)
_MOST: Final = 100


@services.error(
    about=FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=WORKLOAD_READS,
    good="accepts-a-target-of-eighty-percent",
    bad="refuses-a-target-above-a-hundred-percent",
)
def check(service: Service, given: Given) -> Said:
    scaler, metric = service.annotation("autoscalerClass"), service.annotation("metrics")
    target = service.annotation("targetUtilizationPercentage")
    if scaler is not None and scaler not in _CLASSES:
        yield _refused("autoscalerClass", scaler, ", ".join(_CLASSES))
    if metric is not None and scaler == "hpa" and metric not in _METRICS:
        yield _refused("metrics", metric, ", ".join(_METRICS))
    if target is not None and not (_WHOLE.fullmatch(target) and 1 <= int(target) <= _MOST):
        yield _refused("targetUtilizationPercentage", target, f"a whole number from 1 to {_MOST}")
    workloads = workloads_of(*given)
    for component in workloads.components if workloads is not None and scaler in (None, *_CLASSES) else ():
        found = component.annotations(service.obj).get(_CLASS)
        if component.mode is Mode.RAW and found is not None and found not in _CLASSES:
            place = ("annotations", _CLASS) if _CLASS in text_map(component.own, "annotations") else ()
            message = f"OME's controller doesn't know the autoscaler {found!r}"
            yield Violation(("spec", component.name, *place), message, found=found, expected=", ".join(_CLASSES))


def _refused(name: str, value: str, expected: str) -> Violation:
    return Violation(("metadata", "annotations", f"{PREFIX}{name}"), f"OME's webhook refuses {value!r}", found=value, expected=expected)
