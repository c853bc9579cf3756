"""A service of OME in the engine with many runtimes, models and nodes known, and what its large CRD costs a lint."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from policies.config import DEFAULT
from policies.engine import Phase, decide
from policies.facts import Facts, from_objects
from policies.facts.document import Extent
from policies.facts.kinds import PLACEMENT_KINDS
from policies.families import family_of
from policies.findings import Decision
from policies.objects import GroupVersionKind, JSONObject, Operation
from policies.request import Request
from tests.programs.benchmarks.cluster_table import a_node
from tests.programs.benchmarks.timing import Timing, children_time, compare, reference
from webhook.inputs.facts import bundled_definitions
from webhook.yaml_text import yaml_text

RUNTIMES: Final = 300
MODELS: Final = 300
NODES: Final = 5000
_ARCHITECTURES: Final = 40
_API: Final = "ome.io/v1beta1"


def _object(kind: str, name: str, spec: JSONObject, namespace: str = "") -> JSONObject:
    metadata = {"name": name, "uid": f"{kind}-{name}", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {"apiVersion": _API, "kind": kind, "metadata": metadata | ({"namespace": namespace} if namespace else {}), "spec": spec}


def _format(index: int) -> JSONObject:
    return {
        "modelFormat": {"name": "safetensors", "version": "1.0.0", "operator": "Equal", "weight": 1},
        "modelFramework": {"name": "transformers", "version": f"4.{30 + index % 3}.0", "operator": "GreaterThanOrEqual", "weight": 1},
        "modelArchitecture": f"Architecture{index % _ARCHITECTURES}",
    }


def model(index: int) -> JSONObject:
    """A model of the cluster."""
    storage = {"storageUri": f"hf://acme/model-{index}", "path": f"/models/model-{index}"}
    return _object("ClusterBaseModel", f"model-{index}", {**_format(index), "modelParameterSize": f"{1 + index % 70}B", "storage": storage})


def runtime(index: int) -> JSONObject:
    """A runtime of the cluster for models of one architecture and some sizes."""
    resources = {"limits": {"amd.com/gpu": "1"}, "requests": {"amd.com/gpu": "1"}}
    runner = {"name": "ome-container", "image": "docker.io/lmsysorg/sglang:v0.5.5", "args": ["--tp-size", "1"], "resources": resources}
    spec = {
        "supportedModelFormats": [{**_format(index), "autoSelect": True, "priority": 1}],
        "modelSizeRange": {"min": f"{1 + index % 60}B", "max": f"{20 + index % 60}B"},
        "engineConfig": {"runner": runner, "tolerations": [{"operator": "Exists"}]},
    }
    return _object("ClusterServingRuntime", f"runtime-{index}", spec)


def service(index: int) -> JSONObject:
    """A service of one of the models, whose runtime is selected."""
    return _object("InferenceService", f"service-{index}", {"model": {"name": f"model-{index}"}, "engine": {"minReplicas": 1}}, "serving")


def facts() -> Facts:
    """A cluster with as much of everything as one may have."""
    family = family_of("ome.io")
    assert family is not None
    own = {kind.known_as for kind in family.kinds}
    found = [*map(model, range(MODELS)), *map(runtime, range(RUNTIMES))]
    extent = Extent(frozenset(own | {kind.known_as for kind in PLACEMENT_KINDS}))
    return from_objects([*map(a_node, range(NODES)), *found], bundled_definitions(), extent=extent)


def judged(obj: JSONObject, known: Facts, phase: Phase = Phase.WHOLE) -> Decision:
    """The verdict on an object that was never seen before: what is resolved once a request isn't kept."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return decide(Request("bench", Operation.CREATE, gvk, obj, namespace="serving", name="service-0"), known, DEFAULT, phase)


def _lints() -> dict[str, Timing]:
    """What a lint costs from a warm cache: of another family's object, of a model of OME, and of a service of OME."""
    pool: JSONObject = {
        "apiVersion": "inference.networking.k8s.io/v1",
        "kind": "InferencePool",
        "metadata": {"name": "p", "namespace": "d"},
        "spec": {"selector": {"matchLabels": {"app": "a"}}, "targetPorts": [{"number": 8000}], "endpointPickerRef": {"name": "e"}},
    }
    weighbridge = str(Path(sys.executable).with_name("weighbridge"))
    run = partial(subprocess.run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with tempfile.TemporaryDirectory() as directory:
        calls = {}
        for name, obj in {"a pool of another family": pool, "a model": model(0), "a service": service(0)}.items():
            path = Path(directory, f"{obj['kind']}.yaml")
            path.write_text(yaml_text(obj))
            environment = {**os.environ, "WEIGHBRIDGE_CACHE": f"{directory}/cache"}
            calls[name] = partial(run, [weighbridge, "lint", str(path)], env=environment)
            calls[name]()
        return compare(calls, children_time)


def main() -> None:
    """Print the table."""
    known, sent = facts(), service(0)
    decision = judged(sent, known)
    assert decision.allowed, decision.message
    timings = compare(
        {
            "reference": reference,
            "validating webhook": partial(judged, sent, known, Phase.VALIDATE),
            "mutating webhook": partial(judged, sent, known, Phase.MUTATE),
            "whole way, as lint and dry-run": partial(judged, sent, known),
        }
    )
    base = timings["reference"].seconds
    print(f"One InferenceService of OME with {RUNTIMES} runtimes, {MODELS} models and {NODES} nodes")
    for timing in timings.values():
        print(f"  {timing.name:32} {timing.seconds * 1e6:9.1f} µs  {timing.seconds / base:7.2f} x reference")
    print("A lint of one manifest from a warm cache, CPU time of one process")
    lints = _lints()
    least = lints["a pool of another family"].seconds
    for timing in lints.values():
        print(f"  {timing.name:32} {timing.seconds * 1e3:9.1f} ms  {timing.seconds / least:7.2f} x another family's")
