"""What the fields of a service are derived from: the service, its Model, and the configuration."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.families.llmkube.subject.gpu import PodGpus
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace

#: Why an item that was added to a list is removed again.
ITEM_NO_LONGER: Final = "the value that was filled in before no longer fits the Model and the cluster"


@dataclass(frozen=True, slots=True)
class Situation:
    """A service and its Model as the operator reads them, and the configuration."""

    workload: Workload
    config: Configuration

    def with_service(self, service: JSONObject) -> Situation:
        """The situation for another state of the service, in which some fields are empty; the GPUs that its pods request stay the same."""
        return Situation(replace(self.workload, service=service, spec=spec_of(service), values=[], events=[]), self.config)

    @property
    def service(self) -> JSONObject:
        """The service."""
        return self.workload.service

    @property
    def spec(self) -> JSONObject:
        """The service's spec."""
        return self.workload.spec

    @property
    def model(self) -> JSONObject:
        """The service's Model."""
        return self.workload.model

    @property
    def gpus(self) -> PodGpus:
        """The GPUs that each pod asks for."""
        return self.workload.gpus

    @property
    def operator(self) -> KnownOperator:
        """The cluster's operator."""
        return self.workload.operator

    @property
    def facts(self) -> Facts:
        """What is known of the cluster."""
        return self.workload.facts

    @property
    def runtime(self) -> str:
        """The engine."""
        return self.workload.runtime
