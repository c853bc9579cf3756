"""A BenchmarkJob as it is written, with its target and the place of its results."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.benchmark_settings import PodSettings, pod_settings
from weighbridge.policies.families.ome.predictions.benchmark.output import output_of
from weighbridge.policies.families.ome.predictions.benchmark.target import BenchmarkTarget, target_of
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri
from weighbridge.policies.ground.fields import part, text, texts
from weighbridge.policies.ground.objects import JSONObject, is_stored, name_of, namespace_of
from weighbridge.policies.ground.request import Request

#: The states that OME writes once the Job exists.
_RUNNING: Final = "Running"
_OVER: Final = ("Completed", "Failed")


class Benchmark:
    """A BenchmarkJob. Its target is looked up on first use. `state` is the one that OME has written into its status, empty for a new
    one.
    """

    def __init__(self, obj: JSONObject, facts: Facts, state: str = "") -> None:
        self.obj, self.facts, self.state = obj, facts, state
        self.name, self.namespace, self.spec = name_of(obj), namespace_of(obj), spec_of(obj)

    @property
    def task(self) -> str:
        """The kind of requests that it sends."""
        return text(self.spec, "task")

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Its traffic scenarios."""
        return texts(self.spec, "trafficScenarios")

    @property
    def output(self) -> StorageUri:
        """The place of the results."""
        return output_of(self.obj)

    @cached_property
    def settings(self) -> PodSettings:
        """The settings of its pod."""
        return pod_settings(self.facts)

    @property
    def is_over(self) -> bool:
        """Whether its Job is over."""
        return self.state in _OVER

    @property
    def has_begun(self) -> bool:
        """Whether OME has created its Job."""
        return self.is_over or self.state == _RUNNING

    @property
    def is_known(self) -> bool:
        """Whether all facts about its target that decide about its Job are known."""
        reference = self.target.model_reference
        return self.target.is_missing is not None and not (reference is not None and reference.unknown and self.target.is_ready)

    @cached_property
    def target(self) -> BenchmarkTarget:
        """The target that it measures."""
        return target_of(self.obj, self.facts)


def benchmark_of(request: Request, facts: Facts, config: Configuration) -> Benchmark | None:
    """The BenchmarkJob of a request; `None` if that has no object."""
    return request.once(Benchmark, lambda: _benchmark(request, facts))


def _benchmark(request: Request, facts: Facts) -> Benchmark | None:
    obj = named_object(request) or request.object
    if not isinstance(obj, dict):
        return None
    # A manifest may have a status, which has no meaning.
    stored = request.old_object if isinstance(request.old_object, dict) else obj if is_stored(obj) else {}
    return Benchmark(obj, facts, text(part(stored, "status"), "state"))
