"""The API server refuses the StatefulSet that LeaderWorkerSet creates for the pods.

The API server stores the object and its LeaderWorkerSet, whose webhook hardly checks its templates. No pod is created, and only the log
of LeaderWorkerSet's controller has the reason. Correct the field that the value comes from.

Source: LeaderWorkerSet v0.6.2, pkg/controllers/leaderworkerset_controller.go; Kubernetes v1.36, pkg/apis/apps/validation.
"""

from weighbridge.policies.families.llmaz.predictions.leader_worker_set import workload_of
from weighbridge.policies.families.llmaz.rulebook import PLACEMENT, Path, Said, Service, Violation, part, services, whole
from weighbridge.policies.ground.field_errors import aggregate
from weighbridge.policies.pods.validation.stateful_set import stateful_set_errors


@services.error(about=PLACEMENT, good="accepts-a-limit-of-the-node-s-resource", bad="refuses-a-limit-that-pods-cannot-have")
def check(service: Service) -> Said:
    templates = part(workload_of(service), "spec", "leaderWorkerTemplate")
    runtime = ", in the BackendRuntime" if service.is_playground else ""
    for template in ("leaderTemplate", "workerTemplate"):
        is_unused = template == "workerTemplate" and "leaderTemplate" in templates and whole(templates, "size", 1) <= 1
        if not isinstance(templates.get(template), dict) or is_unused:
            continue
        if errors := list(stateful_set_errors(part(templates, template))):
            path: Path = ("spec",) if service.is_playground else ("spec", "workloadTemplate", template)
            hint = f"correct the field that this value comes from, here{runtime} or in the OpenModel's flavor"
            yield Violation(path, f"the API server refuses the StatefulSet of the pods: {aggregate(errors)}", hint)
