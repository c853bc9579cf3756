"""A container has a stop signal, which LeaderWorkerSet 0.6 doesn't know.

llmaz's chart installs LeaderWorkerSet 0.6.2. The API server refuses its objects with `lifecycle.stopSignal`, so the controller fails
again and again, and no pod is created. From version 0.7 on the field is stored, but Kubernetes drops it unless ContainerStopSignals is
on. Leave it out, or set the signal in the image.

Source: llmaz 3c13ff3, chart/Chart.yaml; LeaderWorkerSet v0.6.2, config/crd; Kubernetes v1.37, pkg/features.
"""

from weighbridge.policies.families.llmaz.predictions.leader_worker_set import workload_of
from weighbridge.policies.families.llmaz.rulebook import Path, Said, Service, Violation, items, part, services, text


@services.warning(good="accepts-a-hook-that-waits", bad="warns-of-a-stop-signal")
def check(service: Service) -> Said:
    templates = part(workload_of(service), "spec", "leaderWorkerTemplate")
    for template in ("leaderTemplate", "workerTemplate"):
        for group in ("containers", "initContainers"):
            for place, container in enumerate(items(templates, template, "spec", group)):
                if signal := text(part(container, "lifecycle"), "stopSignal"):
                    path: Path = ("spec", "workloadTemplate", template, "spec", group, place, "lifecycle", "stopSignal")
                    message = "LeaderWorkerSet 0.6, which llmaz's chart installs, refuses a stop signal, so no pod is created"
                    hint = "leave stopSignal out of the BackendRuntime" if service.is_playground else "leave it out"
                    yield Violation(("spec",) if service.is_playground else path, message, found=signal, hint=hint)
