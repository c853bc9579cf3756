"""A variable, volume or mount in the pods has a name or path that llmaz uses as well.

The loader gets the variables of the first container before its own. The volume of the models is `model-volume`, mounted at
`/workspace/models/`. The API server refuses a LeaderWorkerSet with a duplicate name or path, and the Service of a Playground whose
runtime has a variable twice. Rename yours, or let the engine load the model with the annotation `llmaz.io/skip-model-loader: "true"`.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import created_service
from weighbridge.policies.families.llmaz.predictions.typed_patch import workload_refusal
from weighbridge.policies.families.llmaz.predictions.workload import leader_worker_set
from weighbridge.policies.families.llmaz.rulebook import FAILURE, JSONObject, Said, Service, Violation, services
from weighbridge.policies.ground.records import replace


@services.error(about=FAILURE, good="accepts-a-variable-of-the-loader-without-a-loader", bad="refuses-a-variable-of-the-loader")
def check(service: Service) -> Said:
    if any(source.scheme == "HOST" for source in service.sources) or service.operator.trouble:
        return
    _, between, trouble = _failure(service).partition(", Kind=")
    if between:
        path = ("spec", "backendRuntimeConfig") if service.is_playground else ("spec", "workloadTemplate")
        told = trouble.partition("): ")[2].removeprefix("errors:\n  ").replace("\n  ", "; ")
        message = f"the pods can't be created: {told}"
        yield Violation(path, message, hint="rename or move it, or let the engine load the model itself")


def _failure(service: Service) -> str:
    """The error of the controller; empty if it doesn't fail."""
    if not service.is_playground:
        return _refusal(service.object, service)
    if service.runtime is None and service.is_runtime_missing is None:
        # The Playground's own variables are those of its container, with any runtime.
        spec: JSONObject = {"image": "engine", "version": "any", "recommendedConfigs": [{"name": service.choice.config}]}
        service = replace(service, runtime={"spec": spec})
    manifest, trouble = created_service(service)
    return _refusal(manifest, service) if manifest is not None else trouble.failure


def _refusal(manifest: JSONObject, service: Service) -> str:
    is_known = service.claims.models and not service.missing and not service.unknown
    return workload_refusal(leader_worker_set(manifest, service)) if is_known else ""
