"""A BenchmarkJob as it is written, with what it measures and where its results go."""

from __future__ import annotations

from functools import cached_property

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.benchmark.output import output_of
from weighbridge.policies.families.ome.predictions.benchmark.target import Target, target_of
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.ome.subject.storage_uris import StorageUri
from weighbridge.policies.ground.fields import text, texts
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.request import Request


class Benchmark:
    """A BenchmarkJob. Its target is looked up on first use."""

    def __init__(self, obj: JSONObject, facts: Facts) -> None:
        self.obj, self.facts = obj, facts
        self.name, self.namespace, self.spec = name_of(obj), namespace_of(obj), spec_of(obj)

    @property
    def task(self) -> str:
        """What kind of requests it sends."""
        return text(self.spec, "task")

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Its traffic scenarios."""
        return texts(self.spec, "trafficScenarios")

    @property
    def output(self) -> StorageUri:
        """Where the results go."""
        return output_of(self.obj)

    @cached_property
    def target(self) -> Target:
        """What it measures."""
        return target_of(self.obj, self.facts)


def benchmark_of(request: Request, facts: Facts, config: Configuration) -> Benchmark | None:
    """The BenchmarkJob of a request; `None` where that has no object."""
    return request.once(Benchmark, lambda: _benchmark(request, facts))


def _benchmark(request: Request, facts: Facts) -> Benchmark | None:
    obj = named_object(request) or request.object
    return Benchmark(obj, facts) if isinstance(obj, dict) else None
