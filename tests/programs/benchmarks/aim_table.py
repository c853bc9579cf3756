"""The time of the engine for an AIMService with 200 known templates, and for a changed default config with 2,000 services."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.programs.benchmarks.cluster_table import a_node
from tests.programs.benchmarks.fresh_requests import judged
from tests.programs.benchmarks.timing import compare, fastest, reference
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.impact import dependents, impacts
from weighbridge.webhook.inputs.facts import bundled_definitions

GROUP: Final = "aim.eai.amd.com"
TEMPLATES: Final = 200
MODELS: Final = 20
SERVICES: Final = 2000
NODES: Final = 200
#: Each call predicts all services twice, which takes seconds, so there are only few rounds.
_ROUNDS: Final = 2


def _object(kind: str, name: str, spec: JSONObject, status: JSONObject | None = None) -> JSONObject:
    metadata = {"name": name, "uid": f"{kind}-{name}"} | ({} if kind.startswith("AIMCluster") else {"namespace": "serving"})
    found = {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}
    return found | ({"status": status} if status else {})


def service(index: int) -> JSONObject:
    """A service of one of the models, with a route."""
    spec = {"model": {"name": f"model-{index % MODELS}"}, "replicas": 1, "routing": {"enabled": True, "pathTemplate": f"/services/{index}"}}
    return _object("AIMService", f"service-{index}", spec)


def _template(index: int) -> JSONObject:
    spec = {
        "modelName": f"model-{index % MODELS}",
        "metric": ("latency", "throughput")[index // MODELS % 2],
        "precision": ("fp8", "fp16", "bf16")[index // MODELS % 3],
        "type": "optimized",
        "hardware": {"gpu": {"requests": 1 + index // MODELS % 4, "model": "MI300X", "resourceName": "amd.com/gpu"}},
        "modelSources": [{"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}],
    }
    return _object("AIMServiceTemplate", f"template-{index}", spec, {"status": "Ready"})


def config(gateway: str) -> JSONObject:
    """The cluster's default config."""
    spec = {"routing": {"gatewayRef": {"name": gateway, "group": "gateway.networking.k8s.io", "kind": "Gateway"}}}
    return _object("AIMClusterRuntimeConfig", "default", spec)


def stored(gateway: str, services: int) -> list[JSONObject]:
    """The objects of a cluster with that many services, whose default config names the gateway."""
    models = [
        _object("AIMModel", f"model-{index}", {"image": f"ghcr.io/acme/model-{index}:1.0"}, {"status": "Ready"}) for index in range(MODELS)
    ]
    namespaced = _object("AIMRuntimeConfig", "default", {"routing": {"requestTimeout": "60s"}})
    return [config(gateway), namespaced, *models, *map(_template, range(TEMPLATES)), *map(service, range(services))]


def facts(gateway: str, services: int) -> Facts:
    """A cluster of these objects."""
    return from_objects([*map(a_node, range(NODES)), *stored(gateway, services)], bundled_definitions())


def impact(before: Facts, after: Facts) -> int:
    """The number of services whose prediction changes with the config's gateway."""
    changed, family = config("new"), family_of(GROUP)
    assert family is not None
    found = ((kind, obj, obj) for kind, obj in dependents(changed, family, changed["kind"], after))
    return len(list(impacts(found, family, before, after, DEFAULT)))


def main() -> None:
    """Print the table."""
    known, sent = facts("old", 0), service(0)
    gvk = GroupVersionKind.from_object(sent)
    assert gvk is not None
    request = Request("bench", Operation.CREATE, gvk, sent, namespace="serving", name="service-0")
    timings = compare(
        {
            "reference": reference,
            "validating webhook": partial(judged, request, known, DEFAULT, Phase.VALIDATE),
            "mutating webhook": partial(judged, request, known, DEFAULT, Phase.MUTATE),
            "whole way, as lint and dry-run": partial(judged, request, known, DEFAULT),
        }
    )
    base = timings["reference"].seconds
    print(f"One AIMService with its configs, {MODELS} models and {TEMPLATES} templates")
    for timing in timings.values():
        print(f"  {timing.name:32} {timing.seconds * 1e6:9.1f} µs  {timing.seconds / base:7.2f} x reference")
    before, after = facts("old", SERVICES), facts("new", SERVICES)
    changed = impact(before, after)
    seconds = fastest({"impact": (impact, (before, after))}, rounds=_ROUNDS)["impact"]
    print(f"A changed default config of the cluster, {SERVICES} services: {changed} objects are resolved differently")
    print(f"  {'impact':32} {seconds:9.2f} s   {seconds / base:7.0f} x reference")
