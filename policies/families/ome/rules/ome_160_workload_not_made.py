"""OME's controller can't create the workload of a service, or the API server refuses it.

OME merges the service with its runtime, and nothing checks the result in advance: the service has no event and no status, and only the
controller's log has the reason. For a component on several nodes the API server refuses the StatefulSet of LeaderWorkerSet, and that
controller's log has the reason. The same applies to the Services, the autoscaler and the disruption budget of a component, and to a
fine-tuned weight that OME can't read. This rule reports every such error that has no rule of its own. Correct the field in the service or
in its runtime, or correct the weight.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go; Kubernetes v1.36, pkg/apis/{apps,autoscaling,policy}/validation.
"""

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.ome.predictions.merge.pods import NoContainerError
from weighbridge.policies.families.ome.predictions.merge.stops import ReplicasError, StrategyError
from weighbridge.policies.families.ome.predictions.merge.workloads import ObjectRefusal
from weighbridge.policies.families.ome.rulebook import FAILURE, PLACEMENT, Finding, Given, Said, Violation, Workloads, workloads
from weighbridge.policies.families.ome.rules._written_fields import WrittenFields
from weighbridge.policies.families.ome.rules.ome_031_volume_named_as_the_model import check as volume_named_as_the_model
from weighbridge.policies.families.ome.rules.ome_032_volume_kind_changed import check as volume_kind_changed
from weighbridge.policies.families.ome.rules.ome_033_variable_source_changed import check as variable_source_changed
from weighbridge.policies.families.ome.rules.ome_035_probe_without_port import check as probe_without_port
from weighbridge.policies.families.ome.rules.ome_047_name_too_long import check as name_too_long
from weighbridge.policies.families.ome.rules.ome_048_name_refused import check as name_refused
from weighbridge.policies.families.ome.rules.ome_056_gpu_limit_apart_from_request import check as gpu_limit_apart
from weighbridge.policies.families.ome.rules.ome_148_disruption_budget_twice import check as disruption_budget_twice
from weighbridge.policies.families.ome.rules.ome_152_scale_target_zero import check as scale_target_zero
from weighbridge.policies.families.ome.rules.ome_162_runner_without_name import check as runner_without_name
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.ground.expressions import expression

#: The errors that other rules report, by their text; a rule reports an error only for the component that its finding names.
REPORTED: Final = (
    (volume_named_as_the_model, expression(r"\.volumes\[\d+\]\.name: Duplicate value")),
    (volume_kind_changed, expression(r"\.volumes\[\d+\]\.\w+: Forbidden: may not specify more than 1 volume type")),
    (variable_source_changed, expression(r"\.env\[\d+\]\.valueFrom: .*may not be specified when `value` is not empty")),
    (probe_without_port, expression(r"Probe\.(?:httpGet|tcpSocket)\.port: ")),
    (
        name_too_long,
        expression(r"(?:labels|matchLabels|selector|metadata\.name): .*(?:must be no more than 63 |invalid label selector)"),
    ),
    (name_refused, expression(r"\bmetadata\.name: ")),
    (disruption_budget_twice, expression("minAvailable and maxUnavailable cannot be both set")),
    (scale_target_zero, expression(r"\.averageUtilization: ")),
    # A runner without a name isn't merged into the container that has its image.
    (runner_without_name, expression(r"\.containers\[\d+\]\.(?:name|image): Required value")),
    (gpu_limit_apart, expression(r"\.resources\.requests: .*must be equal to \S+/\S+ limit")),
)


@workloads.error(
    about=PLACEMENT | FAILURE,
    good="accepts-a-raw-deployment-of-an-engine",
    bad="refuses-a-memory-limit-below-the-runtimes-request",
)
def check(made: Workloads, given: Given) -> Said:
    if isinstance(made.error, NoContainerError):
        yield Violation(("spec",), f"OME can't create the pods: {made.error}", hint="give it a runner with an image")
    if isinstance(made.error, StrategyError):
        hint = "give the weight the strategy lora or tfew"
        yield Violation(("spec", "model", "fineTunedWeights", 0), f"the service is never deployed: {made.error}", hint=hint)
    if isinstance(made.error, ReplicasError):
        yield Violation(("spec", made.error.component, "minReplicas"), str(made.error), expected="0 or more")
    if made.unreadable:
        hint = "give the weight a configuration, at least {}, and the strategy lora or tfew"
        yield Violation(("spec", "model", "fineTunedWeights", 0), f"the service is never deployed: {made.unreadable}", hint=hint)
    written = WrittenFields(given.object)
    for refusal in made.refusals:
        reported = list(_reported(refusal, given))
        # The workload and its pods have the same labels.
        left = {
            (written.field(refusal, error), error.body): error
            for error in refusal.errors
            if not any(pattern.search(str(error)) for pattern in reported)
        }
        for (path, _), error in left.items():
            message = f"the API server refuses the {refusal.workload} of {refusal.component}: {error}"
            yield Violation(path, message, hint="correct it in the service or in its runtime")


def _reported(refusal: ObjectRefusal, given: Given) -> Iterator[re.Pattern[str]]:
    """The errors of a component that other rules report for this service."""
    for rule, pattern in REPORTED:
        found = [one for one in rule.check(*given) if isinstance(one, Finding)]
        if any(one.path[1] == refusal.component or one.path[1] not in COMPONENTS for one in found):
            yield pattern
