"""What a BenchmarkJob is pointed at: an address, or an InferenceService with its model.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go and utils/utils.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.predictions.models import ModelReference, model_reference
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_PORT: Final = 8080
#: Names that OME writes for every service, whatever it serves.
_MODEL_NAME: Final = "vllm-model"
_KEY: Final = "sample-key"


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a job: the arguments that name it, and for a service the model that it refers to.

    `service` is the namespace and name of the service, both empty for an address. `is_missing` is `None` where it isn't known.
    """

    arguments: tuple[str, ...] = ()
    service: tuple[str, str] = ("", "")
    is_missing: bool | None = False
    model_reference: ModelReference | None = None

    @property
    def model(self) -> Model | None:
        """The model of the service; `None` where that isn't known."""
        return self.model_reference.model if self.model_reference is not None else None

    @property
    def path(self) -> str:
        """Where the model's files lie on its nodes; empty where that isn't known."""
        return self.model.path if self.model is not None else ""

    @property
    def lacks_path(self) -> bool:
        """Whether the model is known and names no path."""
        return self.model is not None and not self.path


def target_of(job: JSONObject, facts: Facts) -> Target:
    """The target of a job; an address comes before a service."""
    endpoint = part(spec_of(job), "endpoint")
    address = endpoint.get("endpoint")
    if isinstance(address, dict):
        backend, url, name = (text(address, key) for key in ("apiFormat", "url", "modelName"))
        return Target(("--api-backend", backend, "--api-base", url, "--api-model-name", name))
    reference = part(endpoint, "inferenceService")
    namespace, name = text(reference, "namespace"), text(reference, "name")
    if not namespace or not name:
        return Target()
    service = INFERENCE_SERVICES.get(facts, namespace, name)
    url = f"http://{name}.{namespace}.svc.cluster.local:{_PORT}"
    arguments = ("--api-base", url, "--api-key", _KEY, "--api-model-name", _MODEL_NAME)
    if service is None:
        return Target(arguments, (namespace, name), INFERENCE_SERVICES.is_missing(facts, namespace, name))
    return Target(arguments, (namespace, name), False, model_reference(service, facts))
