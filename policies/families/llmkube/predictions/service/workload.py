"""One InferenceService together with its Model under a given operator: the subject of every part of the prediction.

Both objects are read with the CRD's defaults applied and never changed: parts of them that the operator passes through are in the
predicted manifests as they are. `record` keeps the values that `explain` shows, each with what decided it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus, pod_gpus
from weighbridge.policies.families.prediction import Event, PredictedValue
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of
from weighbridge.policies.ground.records import dataclass, field

#: The labels by which the operator finds what belongs to a service.
SERVICE_LABEL = "inference.llmkube.dev/service"
LLAMACPP = "llamacpp"


@dataclass(slots=True)
class Workload:
    """A service, its Model, the operator, and what has been found out of them so far; `first` are the values that come before `values`."""

    service: JSONObject
    model: JSONObject
    namespace: str
    operator: KnownOperator
    facts: Facts
    spec: JSONObject
    gpus: PodGpus
    name: str
    runtime: str
    first: list[Sequence[PredictedValue]] = field(default_factory=list)
    values: list[PredictedValue] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def is_metal(self) -> bool:
        """Whether a host's agent serves the Model, and no pod."""
        return text(part(self.model, "spec", "hardware"), "accelerator") == "metal"

    def record(self, field_path: str, value: JSONValue, source: str, reason: str) -> None:
        """Note where a value of the Deployment comes from."""
        self.values.append(PredictedValue(f"Deployment/{self.name}", field_path, value, source, reason))

    def all_values(self) -> Iterator[PredictedValue]:
        """The values that `explain` shows, in order."""
        return chain(*self.first, self.values)

    def of_service(self, path: str) -> str:
        """A field of the service, as provenance names it."""
        return f"InferenceService {self.name} {path}"

    def of_model(self, path: str) -> str:
        """A field of the Model, as provenance names it."""
        return f"Model {name_of(self.model)} {path}"

    def of_operator(self, flag: str, setting: str) -> str:
        """A setting of the operator, as provenance names it, with where it is known from."""
        return f"operator {flag} ({self.operator.origin(setting)})"


def workload(service: JSONObject, model: JSONObject, namespace: str, operator: KnownOperator, facts: Facts) -> Workload:
    """The service with its Model; parts of the wrong type count as absent."""
    spec = spec_of(service)
    return Workload(
        service=service,
        model=model,
        namespace=namespace,
        operator=operator,
        facts=facts,
        spec=spec,
        gpus=pod_gpus(model, service, operator),
        name=name_of(service),
        runtime=text(spec, "runtime") or LLAMACPP,
    )
