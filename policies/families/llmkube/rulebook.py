"""What the rules of LLMKube are written with: their subjects, and the words that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.subject.arguments import Arguments, arguments_of
from weighbridge.policies.families.llmkube.subject.model import Model, judged_model, model_with_gpu
from weighbridge.policies.families.llmkube.subject.routers import gateway_router, proxy_router
from weighbridge.policies.families.llmkube.subject.service import Service, service_of, service_off_metal, service_with_model
from weighbridge.policies.families.rule import FAILURE, PLACEMENT, REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object
from weighbridge.policies.ground.findings import Severity

__all__ = [
    "FAILURE",
    "PLACEMENT",
    "REFERENCE",
    "TOPICS",
    "Arguments",
    "Given",
    "Model",
    "NotChecked",
    "Said",
    "Service",
    "Severity",
    "Violation",
    "adapters",
    "clusters",
    "command_lines",
    "gateways",
    "gpu_models",
    "models",
    "off_metal",
    "pools",
    "proxies",
    "quotas",
    "routers",
    "services",
    "sources",
    "with_model",
]

#: Rules about a Model.
models: Final = Subject(("Model",), judged_model)
#: Rules about a Model whose pods are to have a GPU.
gpu_models: Final = Subject(("Model",), model_with_gpu)
#: Rules about a Model's source, as the cluster's operator reads it.
sources: Final = Subject(("Model",), judged_model, reads=("Deployment.apps",))

#: Rules about a service: the service with its Model, the operator and the prediction.
services: Final = Subject(("InferenceService",), service_of, reads=("Deployment.apps", "Model"))
#: Rules about a service that isn't known to run on Metal.
off_metal: Final = Subject(("InferenceService",), service_off_metal, reads=("Model",))
#: Rules about a service whose Model is known and served by pods.
with_model: Final = Subject(("InferenceService",), service_with_model, reads=("Deployment.apps", "Model"))
#: Rules about the engine's command line, where the author adds to it.
command_lines: Final = Subject(
    ("InferenceService",), arguments_of, reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim")
)

#: Rules about a router, whichever its data plane is.
routers: Final = Subject(("ModelRouter",), given_object)
#: Rules about a router that LLMKube's own proxy serves.
proxies: Final = Subject(("ModelRouter",), proxy_router)
#: Rules about a router that a gateway serves.
gateways: Final = Subject(("ModelRouter",), gateway_router)

#: Rules about the other kinds, as they are written.
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
    "Routers: data planes": "107-111 116-118",
    "GPUQuotas": "120-123 127 128",
    "ModelPools": "130-137",
    "LoRAAdapters": "140-142",
    "FederatedClusters": "150",
}
