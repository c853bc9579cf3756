"""What the rules of LLMKube import: their subjects, and the names that every rule uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.subject.model import Model, judged_model, model_with_gpu
from weighbridge.policies.families.rule import (
    FAILURE,
    PLACEMENT,
    QUOTA,
    REFERENCE,
    Given,
    NotChecked,
    Said,
    Subject,
    Violation,
    given_object,
)
from weighbridge.policies.ground.fields import amount, flag, items, part, text, text_map, whole
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, field, lookup, name_of, written
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import Similar, listed, similar

if TYPE_CHECKING:
    from weighbridge.policies.families.llmkube.predictions.own_arguments import Arguments
    from weighbridge.policies.families.llmkube.predictions.predicted_service import Service

__all__ = [
    "FAILURE", "PLACEMENT", "PREDICTED", "QUOTA", "REFERENCE", "TOPICS", "Arguments", "Given", "JSONObject", "JSONValue",
    "Model", "NotChecked", "Operation", "Path", "Said", "Service", "Severity", "Similar", "Violation", "adapters", "amount", "clusters",
    "command_lines", "field", "flag", "gateways", "gpu_models", "items", "listed", "lookup", "models", "name_of", "off_metal", "part",
    "pools", "proxies", "quotas", "routers", "services", "similar", "sources", "spec_of", "text", "text_map", "whole", "with_model",
    "written",
]  # fmt: skip

# The modules that read a service are imported with the first service: the rules about Models don't wait for them.


def __getattr__(name: str) -> Any:
    if name == "Service":
        from weighbridge.policies.families.llmkube.predictions.predicted_service import Service

        return Service
    if name == "Arguments":
        from weighbridge.policies.families.llmkube.predictions.own_arguments import Arguments

        return Arguments
    raise AttributeError(name)


def _service(request: Request, facts: Facts, config: Configuration) -> Service:
    from weighbridge.policies.families.llmkube.predictions.predicted_service import service_of

    return service_of(request, facts, config)


def _service_off_metal(request: Request, facts: Facts, config: Configuration) -> Service | None:
    from weighbridge.policies.families.llmkube.predictions.predicted_service import service_off_metal

    return service_off_metal(request, facts, config)


def _service_with_model(request: Request, facts: Facts, config: Configuration) -> Service | None:
    from weighbridge.policies.families.llmkube.predictions.predicted_service import service_with_model

    return service_with_model(request, facts, config)


def _arguments(request: Request, facts: Facts, config: Configuration) -> Arguments | None:
    from weighbridge.policies.families.llmkube.predictions.own_arguments import arguments_of

    return arguments_of(request, facts, config)


def _proxy(request: Request, facts: Facts, config: Configuration) -> Given | None:
    from weighbridge.policies.families.llmkube.subject.routers import proxy_router

    return proxy_router(request, facts, config)


def _gateway(request: Request, facts: Facts, config: Configuration) -> Given | None:
    from weighbridge.policies.families.llmkube.subject.routers import gateway_router

    return gateway_router(request, facts, config)


#: Rules about a Model.
models: Final = Subject(("Model",), judged_model)
#: Rules about a Model whose pods get a GPU.
gpu_models: Final = Subject(("Model",), model_with_gpu)
#: Rules about a Model's source, as the cluster's operator reads it.
sources: Final = Subject(("Model",), judged_model, reads=("Deployment.apps",))

#: The kinds that the prediction of a service looks up. Rules that depend on the whole prediction read these, too.
PREDICTED: Final = (
    "Deployment.apps", "InferenceService", "Model", "Node", "PersistentVolumeClaim", "ResourceClaim.resource.k8s.io",
    "ResourceClaimTemplate.resource.k8s.io", "Service",
)  # fmt: skip

#: Rules about a service: the service with its Model, the operator and the prediction.
services: Final = Subject(("InferenceService",), _service, reads=("Deployment.apps", "Model"))
#: Rules about a service that isn't known to run on Metal.
off_metal: Final = Subject(("InferenceService",), _service_off_metal, reads=("Model",))
#: Rules about a service whose Model is known and served by pods.
with_model: Final = Subject(("InferenceService",), _service_with_model, reads=("Deployment.apps", "Model"))
#: Rules about the engine's command line, if the author adds arguments to it.
command_lines: Final = Subject(("InferenceService",), _arguments, reads=PREDICTED)

#: Rules about a router, whichever its data plane is.
routers: Final = Subject(("ModelRouter",), given_object)
#: Rules about a router that LLMKube's own proxy serves.
proxies: Final = Subject(("ModelRouter",), _proxy)
#: Rules about a router that a gateway serves.
gateways: Final = Subject(("ModelRouter",), _gateway)

#: Rules about objects of the other kinds, as they are written.
quotas: Final = Subject(("GPUQuota",), given_object)
pools: Final = Subject(("ModelPool",), given_object)
adapters: Final = Subject(("LoRAAdapter",), given_object)
clusters: Final = Subject(("FederatedCluster",), given_object)

#: The headings of the index of rules, each with the numbers of its rules.
TOPICS: Final = {
    "Models: GPUs and their memory": "001-008 011-014 028 031-035 170",
    "Models: source, files and download": "009 010 020-027 030 037 178",
    "Models: name and resources": "029 036",
    "Services: their Model and its weights": "047-049 052 054 055 076 078-081 176 182 183",
    "Services: GPUs and nodes": "040-046 064 067 069 082 086 088 089 171 173 174 179",
    "Services: images": "060 065 066 068 085 172",
    "Services: engines and their settings": "050 051 053 059 075 077 084",
    "Services: arguments of the engine": "160-165",
    "Services: replicas and autoscaling": "063 073 074 087 177 186",
    "Services: names, ports, gateways and objectives": "056-058 070-072 083",
    "Services: amounts, secrets, and what the API server refuses": "061 062 175",
    "Services: GPUQuotas": "124-126",
    "Routers: backends, routes and budgets": "100-106 112-115",
    "Routers: data planes": "107-111 116-118 187",
    "GPUQuotas": "120-123 127 128",
    "ModelPools": "130-137",
    "LoRAAdapters": "140-142",
    "FederatedClusters": "150",
}
