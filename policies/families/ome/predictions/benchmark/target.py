"""The target of a BenchmarkJob: an address, or an InferenceService with its model.

OME waits until the service is Ready, and takes the address from `status.url`.
Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go and utils/utils.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import INFERENCE_SERVICES
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.model_references import ModelReference, model_named
from weighbridge.policies.families.ome.subject.predictors import predictor_of
from weighbridge.policies.families.ome.subject.service_spec import model_name
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass

#: Names that OME writes for every service, whatever model it serves.
_MODEL_NAME: Final = "vllm-model"
_KEY: Final = "sample-key"
#: The protocol where the service names none, and the variable that may name it.
_PROTOCOL: Final = "openai"
_VARIABLE: Final = "PROTOCOL_VERSION"
_SCHEME: Final = "http"
#: A URL's scheme and its host with the port, without a user.
_URL: Final = expression(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?//(?:[^/?#@]*@)?([^/?#@]+)")


@dataclass(frozen=True, slots=True)
class BenchmarkTarget:
    """The target of a job.

    `address` is a given endpoint. Otherwise `service` is the namespace and name of a service; `found` is that service, and `is_missing` is
    `None` if it isn't known whether it exists. `model_field` is the service's field that names the model. `is_one` is false if an address
    and a service are given, or neither.
    """

    is_one: bool = True
    address: JSONObject | None = None
    service: tuple[str, str] = ("", "")
    found: JSONObject | None = None
    is_missing: bool | None = False
    model_reference: ModelReference | None = None
    model_field: str = ""

    @property
    def title(self) -> str:
        """The service's kind and name, for messages."""
        return f"InferenceService {'/'.join(self.service)}"

    @property
    def is_ready(self) -> bool:
        """Whether OME goes on: at once with an address, else when the service is Ready."""
        conditions = items(part(self.found, "status"), "conditions")
        return self.found is None or any(text(one, "type") == "Ready" and text(one, "status") == "True" for one in conditions)

    @property
    def model(self) -> Model | None:
        """The model of the service; `None` if that isn't known."""
        return self.model_reference.model if self.model_reference is not None else None

    @property
    def path(self) -> str:
        """The path of the model's files on the nodes; empty if it isn't known."""
        return self.model.path if self.model is not None else ""

    @property
    def lacks_path(self) -> bool:
        """Whether the model is known and has no path. For OME an empty one is a path."""
        return self.model is not None and not isinstance(self.model.storage.get("path"), str)

    @property
    def url(self) -> str:
        """The service's address: the scheme and host of its status, without a path; empty while the status has none."""
        found = _URL.match(text(part(self.found, "status"), "url"))
        return f"{(found[1] or _SCHEME).lower()}://{found[2]}" if found else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that name the target; the address is empty while it isn't known."""
        address = self.address
        if address is not None:
            backend, url, name = (text(address, key) for key in ("apiFormat", "url", "modelName"))
        else:
            backend, url, name = _protocol_of(self.found), self.url, _MODEL_NAME
        return ("--api-backend", backend, "--api-base", url, "--api-model-name", name)

    @property
    def credentials(self) -> tuple[str, ...]:
        """The arguments that come after those of the run: a dummy API key, and the path of the tokenizer."""
        if self.address is not None:
            return ()
        return ("--api-key", _KEY, *(("--model-tokenizer", self.path) if self.path else ()))


def target_of(job: JSONObject, facts: Facts) -> BenchmarkTarget:
    """The target of a job."""
    endpoint = part(spec_of(job), "endpoint")
    address, reference = endpoint.get("endpoint"), endpoint.get("inferenceService")
    if isinstance(address, dict):
        return BenchmarkTarget(reference is None, address)
    if not isinstance(reference, dict):
        return BenchmarkTarget(is_one=False)
    namespace, name = where = text(reference, "namespace"), text(reference, "name")
    service = INFERENCE_SERVICES.get(facts, namespace, name)
    if service is None:
        is_missing = INFERENCE_SERVICES.is_missing(facts, namespace, name) if namespace and name else True
        return BenchmarkTarget(service=where, is_missing=is_missing)
    name, field = _model_of(service)
    return BenchmarkTarget(service=where, found=service, model_reference=model_named(name, namespace_of(service), facts), model_field=field)


def _model_of(service: JSONObject) -> tuple[str, str]:
    """The model's name, and the field that has it: in the legacy predictor, else in the service."""
    legacy = part(predictor_of(service), "model").get("baseModel")
    return (legacy, "spec.predictor.model.baseModel") if isinstance(legacy, str) else (model_name(service), "spec.model.name")


def _protocol_of(service: JSONObject | None) -> str:
    """The protocol of a service, from its legacy predictor, or from a variable of its engine's own runner."""
    legacy = text(part(predictor_of(service), "model"), "protocolVersion")
    if legacy:
        return legacy
    for variable in items(spec_of(service), "engine", "runner", "env"):
        if text(variable, "name") == _VARIABLE:
            return text(variable, "value") or _PROTOCOL
    return _PROTOCOL
