"""How the cost of a lint, or of a webhook's review, grows with the objects, references, nodes, templates, runtimes, namespaces and
findings.

Each number is doubled four times. The table has the exponent of growth: the slope of the line through the logarithms of sizes and times,
for all five sizes and for the last three, in which constant costs count less. `pairs.py` looks for more that should be here.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tests.programs.benchmarks.growth import (
    ALL_KNOWN,
    NEW_AIM,
    OLD_AIM,
    PAIRS,
    World,
    aim,
    changed,
    llmkube,
    node,
    obj,
    ome,
    pairs,
    runtime,
    template,
)
from weighbridge.policies.ground.objects import JSONObject

_DOUBLINGS: Final = 4
_ROUNDS: Final = 2
_LLMKUBE: Final = "inference.llmkube.dev/v1alpha1"


def _one_model(count: int) -> World:
    """A review of a Model that many services use."""
    model, _ = llmkube(0, "ns0")
    services = [llmkube(index, "ns0")[1] for index in range(count)]
    for service in services:
        service["spec"]["modelRef"] = "m0"
    return World(cluster=[*map(node, range(4)), model, *services], judged=[(model, changed(model, source="https://example.com/b.gguf"))])


def _pairs(family: str) -> Callable[[int], World]:
    return lambda count: World(given=pairs(family, count))


def _in_namespaces(family: str) -> Callable[[int], World]:
    return lambda count: World(given=pairs(family, count, count // 3))


def _stored(family: str) -> Callable[[int], World]:
    return lambda count: World(given=pairs(family, count), cluster=pairs(family, count))


def _nodes(family: str) -> Callable[[int], World]:
    def world(count: int) -> World:
        return World(given=pairs(family, 8), cluster=[node(index) for index in range(count)])

    return world


def _runtimes_and_services(count: int) -> World:
    """Many runtimes of OME and services, all of which are judged, and an update of one runtime in the webhook."""
    found = pairs("OME", count)
    narrower = changed(runtime(1), modelSizeRange={"min": "1B", "max": "60B"})
    return World(given=found, cluster=[*map(runtime, range(1, count))], judged=[(runtime(1), narrower)])


def _own_runtimes(count: int) -> World:
    """Services in namespaces that have a runtime each."""
    own = [{**runtime(index), "kind": "ServingRuntime", "metadata": {"name": "r", "namespace": f"ns{index}"}} for index in range(count)]
    return World(given=[one for index in range(count) for one in ome(index, f"ns{index}")], cluster=own, known=ALL_KNOWN)


def _unfit_runtimes(count: int) -> World:
    """Services whose models no runtime serves: each finding names the runtimes that come nearest."""
    others: list[JSONObject] = [
        {"modelFormat": {"name": "onnx"}, "modelArchitecture": f"Other{index}", "autoSelect": True} for index in range(count)
    ]
    runtimes = [
        {**runtime(index), "spec": {**runtime(index)["spec"], "supportedModelFormats": [other]}} for index, other in enumerate(others)
    ]
    return World(given=pairs("OME", count)[1:], cluster=runtimes, known=ALL_KNOWN)


def _reviews_of_runtimes(count: int) -> World:
    """An update of a service in a cluster with many runtimes and services."""
    services = [one for index in range(count) for one in ome(index, "ns0")]
    model, service = services[:2]
    return World(
        cluster=[*map(runtime, range(count)), *services],
        judged=[(service, changed(service, engine={"minReplicas": 2})), (model, changed(model, modelParameterSize="9B"))],
    )


def _templates(api: str) -> Callable[[int], World]:
    def world(count: int) -> World:
        """Updates of a model, a template and a service; the model has many templates and services."""
        model, _ = aim(0, "one", api)
        model |= {"status": {"status": "Ready"}}
        services = [aim(index, "one", api)[1] for index in range(count)]
        for service in services:
            service["spec"]["model"] = {next(iter(service["spec"]["model"])): "m0"}
        templates = [template(index, "m0", api) for index in range(count)]
        judged = [
            (model, changed(model, image="ghcr.io/acme/m0:2.0")),
            (templates[0], changed(templates[0], metric="throughput")),
            (services[0], changed(services[0], replicas=2)),
        ]
        return World(cluster=[*map(node, range(4)), model, *templates, *services], judged=judged)

    return world


def _caches(count: int) -> World:
    """A lint of models of AIM with a template each, its cache and artifact, and a service that uses the cache."""
    given: list[JSONObject] = []
    for index in range(count):
        model, service = aim(index, "one")
        source = {"sourceUri": f"hf://acme/llama-{index}", "size": "16Gi"}
        given += [
            {**model, "status": {"status": "Ready"}},
            {**template(index, f"m{index}", NEW_AIM), "metadata": {"name": f"t{index}", "namespace": "one"}},
            obj(NEW_AIM, "AIMTemplateCache", f"c{index}", {"templateName": f"t{index}", "templateScope": "Namespace"}),
            obj(NEW_AIM, "AIMArtifact", f"a{index}", source, status={"status": "Ready"}),
            changed(service, template={"name": f"t{index}"}, caching={"mode": "Shared"}),
        ]
    return World(given=given)


def _adapters(count: int) -> World:
    """A lint of adapters that all belong to one service."""
    model, service = llmkube(0, "one")
    spec = {"inferenceServiceRef": {"name": "s0"}, "path": "/adapters/a"}
    adapters = [obj(_LLMKUBE, "LoRAAdapter", f"a{index}", {"name": f"a{index}", **spec}) for index in range(count)]
    return World(given=[model, service, *adapters])


def _quotas(count: int) -> World:
    """A lint of services in a cluster with many quotas."""
    scopes: Sequence[JSONObject] = ({"namespaceRef": "ns0"}, {"namespaceRef": "elsewhere"}, {"selector": {"matchLabels": {"team": "a"}}})
    quotas = [obj(_LLMKUBE, "GPUQuota", f"q{index}", {**scopes[index % 3], "gpuCount": 999}) for index in range(count)]
    labelled = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns0", "labels": {"team": "a"}}}
    return World(given=pairs("LLMKube", max(count // 4, 1)), cluster=[labelled, *quotas])


def _judged_quotas(count: int) -> World:
    """A lint of services and of quotas, each of which counts all of them."""
    quotas = [obj(_LLMKUBE, "GPUQuota", f"q{index}", {"namespaceRef": "ns0", "gpuCount": 999}) for index in range(count)]
    return World(given=[*pairs("LLMKube", count), *quotas], known=ALL_KNOWN)


def _quotas_by_labels(count: int) -> World:
    """A lint of services in namespaces that have a label and a quota each."""
    namespaces = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"ns{index}", "labels": {"team": f"t{index}"}}}
        for index in range(count)
    ]
    selectors: list[JSONObject] = [{"matchLabels": {"team": f"t{index}"}} for index in range(count)]
    quotas = [obj(_LLMKUBE, "GPUQuota", f"q{index}", {"selector": selector, "gpuCount": 999}) for index, selector in enumerate(selectors)]
    return World(given=pairs("LLMKube", count, count), cluster=[*namespaces, *quotas])


def _configs(count: int) -> World:
    """A lint of services of AIM with a config each, from which their paths follow."""
    routing = {"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": "/{.metadata.labels.team}"}
    given: list[JSONObject] = []
    for index in range(count):
        model, service = aim(index, "one")
        labelled = {**service, "metadata": {**service["metadata"], "labels": {"team": f"t{index}"}}}
        config = obj(NEW_AIM, "AIMRuntimeConfig", f"c{index}", {"routing": routing})
        given += [model, config, changed(labelled, runtimeConfigName=f"c{index}")]
    return World(given=given, known=ALL_KNOWN)


def _one_path(count: int) -> World:
    """A lint of services of AIM that all have one path."""
    services = [aim(index, "one")[1] for index in range(count)]
    return World(given=[_routed(service, 0) for service in services], known=ALL_KNOWN)


def _findings(family: str) -> Callable[[int], World]:
    def world(count: int) -> World:
        """Objects that refer to missing ones: each has a finding, which names the nearest ones."""
        return World(given=[one for index in range(count) for one in PAIRS[family](index, "ns0")[1:]], cluster=pairs(family, count)[:1])

    return world


def _routed(service: JSONObject, index: int) -> JSONObject:
    """A service of AIM with a unique path."""
    return changed(service, routing={"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": f"/services/{index}"})


def _storm(family: str) -> Callable[[int], World]:
    def world(count: int) -> World:
        """All objects that refer to others are created at once, as by a sync of everything."""
        found = [PAIRS[family](index, "one") for index in range(count)]
        written = [_routed(using, index) if family == "AIM" else using for index, (_, using) in enumerate(found)]
        return World(cluster=[*([runtime(0)] if family == "OME" else ()), *(used for used, _ in found)], written=written)

    return world


#: What is doubled, the first number, and the timed world.
GROWTHS: Final[Mapping[str, tuple[int, Callable[[int], World]]]] = {
    **{f"{name}: pairs in one namespace": (30, _pairs(name)) for name in PAIRS},
    **{f"{name}: pairs in many namespaces": (30, _in_namespaces(name)) for name in PAIRS},
    **{f"{name}: pairs that are stored": (30, _stored(name)) for name in PAIRS},
    **{f"{name}: nodes": (60, _nodes(name)) for name in PAIRS if name != "Inference Extension"},
    **{f"{name}: findings": (30, _findings(name)) for name in PAIRS},
    **{f"{name}: a storm of creations": (60, _storm(name)) for name in PAIRS},
    "LLMKube: services of one Model": (30, _one_model),
    "LLMKube: quotas": (60, _quotas),
    "LLMKube: quotas that are judged": (60, _judged_quotas),
    "LLMKube: quotas of namespaces by labels": (60, _quotas_by_labels),
    "LLMKube: adapters of one service": (60, _adapters),
    "AIM: services with a config each": (60, _configs),
    "AIM: services with one path": (60, _one_path),
    "AIM: caches and services": (15, _caches),
    "OME: runtimes and services, lint": (30, _runtimes_and_services),
    "OME: runtimes of their namespaces": (30, _own_runtimes),
    "OME: runtimes that serve no model": (30, _unfit_runtimes),
    "OME: runtimes and services, review": (60, _reviews_of_runtimes),
    "AIM: templates and services, review": (15, _templates(NEW_AIM)),
    "AIM, old group: templates and services, review": (15, _templates(OLD_AIM)),
}


def seconds(world: World) -> float:
    """The CPU time of all verdicts, including the reading of the manifests and the cluster."""
    best = math.inf
    for _ in range(_ROUNDS):
        gc.collect()
        start = time.process_time()
        for _ in world.decisions(world.facts()):
            pass
        best = min(best, time.process_time() - start)
    return best


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the straight line through sizes and times by their logarithms."""
    across, up = [math.log(size) for size in sizes], [math.log(took) for took in times]
    middle, height = sum(across) / len(across), sum(up) / len(up)
    spread = sum((one - middle) ** 2 for one in across)
    return sum((one - middle) * (other - height) for one, other in zip(across, up, strict=True)) / spread


def main() -> None:
    """Print the table."""
    print("Growth: exponents of the time over a number that is doubled four times (all sizes, the last three)")
    for name, (first, world_of) in GROWTHS.items():
        sizes = [first << doubling for doubling in range(_DOUBLINGS + 1)]
        seconds(world_of(first))
        times = [seconds(world_of(size)) for size in sizes]
        told = f"{exponent(sizes, times):5.2f} {exponent(sizes[-3:], times[-3:]):5.2f}"
        print(f"  {name:48} {told}   {sizes[0]}: {times[0]:.3f} s, {sizes[-1]}: {times[-1]:.3f} s", flush=True)
