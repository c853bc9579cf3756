"""One InferenceService with its Model and the operator: the subject of every part of the prediction.

Both objects have the CRD's defaults and are never changed: predicted manifests share the parts that the operator passes on. `record` keeps
the values that `explain` shows, each with its source.
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
    """A service, its Model, the operator, and the values found so far; those in `first` come before those in `values`."""

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
        """Whether a host's agent serves the Model, without a pod."""
        return text(part(self.model, "spec", "hardware"), "accelerator") == "metal"

    def record(self, field_path: str, value: JSONValue, source: str, reason: str) -> None:
        """Record the source of a value of the Deployment."""
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
        """A setting of the operator, as provenance names it, with the setting's origin."""
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
