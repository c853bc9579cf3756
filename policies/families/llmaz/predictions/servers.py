"""The containers in the pods of a Playground or a Service, as llmaz creates them, with the engines that they start.

Source: llmaz 3c13ff3, pkg/controller/inference.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import RUNNER
from weighbridge.policies.families.llmaz.predictions.leader_worker_set import workload_of
from weighbridge.policies.families.llmaz.predictions.playground import with_shipped
from weighbridge.policies.families.llmaz.subject.service import Service, service_of
from weighbridge.policies.families.rule import Violation
from weighbridge.policies.families.serving_engines.containers import Started, started_in
from weighbridge.policies.families.serving_engines.faults import ContainerFault
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class Server:
    """A container of the pods; `started` is its engine if known. `leads` is whether the Service in front of the pods sends to its pod."""

    service: Service
    template: str
    place: int
    container: JSONObject
    started: Started | None
    leads: bool
    is_group: bool

    @property
    def is_runner(self) -> bool:
        """Whether it is the container that gets the model."""
        return text(self.container, "name") == RUNNER

    @property
    def whose(self) -> str:
        """The words that a finding adds if the cluster's runtime isn't known."""
        return " (BackendRuntime of llmaz's chart, since the cluster's isn't known)" if self.service.is_shipped else ""

    def violation(self, fault: ContainerFault) -> Violation:
        """The violation for a fault of the container."""
        return replace(fault, message=fault.message + self.whose).violation(self.path(*fault.place))

    def path(self, *fields: str | int) -> Path:
        """The author's field for a field of the container: in a Playground's configuration of its runtime, or in a Service's template."""
        if not self.service.is_playground:
            return ("spec", "workloadTemplate", self.template, "spec", "containers", self.place, *fields)
        own = part(spec_of(self.service.object), "backendRuntimeConfig")
        if fields and fields[0] == "args":
            # The author's arguments come last.
            at = int(fields[1]) - _length(self.container, "args") + _length(own, "args") if len(fields) > 1 else -1
            if at >= 0:
                return ("spec", "backendRuntimeConfig", "args", at)
        if fields and fields[0] == "image" and isinstance(own.get("version"), str):
            return ("spec", "backendRuntimeConfig", "version")
        return ("spec", "backendRuntimeConfig") if own else ("spec",)


def _length(obj: JSONObject, key: str) -> int:
    """The length of the list under a key."""
    found = obj.get(key)
    return len(found) if isinstance(found, list) else 0


def servers_of(request: Request, facts: Facts, config: Configuration) -> list[Server] | None:
    """The containers of the pods, apart from the loaders."""
    service = service_of(request, facts, config)
    return list(_servers(with_shipped(service))) if service is not None else None


def _servers(service: Service) -> Iterator[Server]:
    workload = workload_of(service)
    templates = part(workload, "spec", "leaderWorkerTemplate")
    size = whole(templates, "size", 1)
    for template in ("leaderTemplate", "workerTemplate"):
        leads = template == "leaderTemplate" or "leaderTemplate" not in templates
        if template not in templates or (not leads and size <= 1):
            continue
        for place, container in enumerate(items(templates, template, "spec", "containers")):
            yield Server(service, template, place, container, started_in(container), leads, size > 1)
