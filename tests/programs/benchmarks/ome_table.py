"""The time of the engine for a service of OME with many known runtimes, models and nodes, and the cost of its large CRD in a lint."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from tests.programs.benchmarks.cluster_table import a_node
from tests.programs.benchmarks.ome_objects import model, runtime, service
from tests.programs.benchmarks.timing import Timing, children_time, compare, reference
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.facts import bundled_definitions
from weighbridge.webhook.texts.yaml_text import yaml_text

RUNTIMES: Final = 300
MODELS: Final = 300
NODES: Final = 5000
_RUNS: Final = 5


def facts() -> Facts:
    """A cluster with many objects of each kind."""
    family = family_of("ome.io")
    assert family is not None
    own = {kind.known_as for kind in family.kinds}
    found = [*map(model, range(MODELS)), *map(runtime, range(RUNTIMES))]
    extent = Extent(frozenset(own | {kind.known_as for kind in PLACEMENT_KINDS}))
    return from_objects([*map(a_node, range(NODES)), *found], bundled_definitions(), extent=extent)


def judged(obj: JSONObject, known: Facts, phase: Phase = Phase.WHOLE) -> Decision:
    """The verdict on an object that was never seen before: nothing is remembered from an earlier request."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return decide(Request("bench", Operation.CREATE, gvk, obj, namespace="serving", name="service-0"), known, DEFAULT, phase)


def _lints() -> dict[str, Timing]:
    """The cost of a lint with a warm cache: of another family's object, of a model of OME, and of a service of OME."""
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


def _crd_alone() -> float:
    """The CPU time that the CRD of services costs a process with a warm cache, in seconds: the least of some processes."""
    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "WEIGHBRIDGE_CACHE": f"{directory}/cache"}
        command = [sys.executable, "-m", "tests.programs.benchmarks.ome_crd"]
        took = [
            float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout) for _ in range(_RUNS + 1)
        ]
    return min(took[1:])


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
    print(f"  {'the CRD of services alone':32} {_crd_alone() * 1e3:9.1f} ms")
