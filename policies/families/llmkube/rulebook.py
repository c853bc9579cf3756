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

#: The headings of the index of rules, in order; each rule names its own as `topic`.
TOPICS: Final = (
    "Models: GPUs and their memory",
    "Models: source, files and download",
    "Models: name and resources",
    "Services: their Model and its weights",
    "Services: GPUs and nodes",
    "Services: images",
    "Services: engines and their settings",
    "Services: arguments of the engine",
    "Services: replicas and autoscaling",
    "Services: names, ports, gateways and objectives",
    "Services: amounts, secrets, and what the API server refuses",
    "Services: GPUQuotas",
    "Routers: backends, routes and budgets",
    "Routers: data planes",
    "GPUQuotas",
    "ModelPools",
    "LoRAAdapters",
    "FederatedClusters",
)
