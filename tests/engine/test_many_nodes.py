"""The work of a verdict doesn't grow with the nodes of a cluster, as long as these have few shapes: counted and not timed."""

from __future__ import annotations

from copy import deepcopy
from itertools import count
from typing import Any, Final

import pytest

from tests.counted_calls import calls_of
from tests.placement.clusters import affine, named, node, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.verdict.engine import Phase, decide
from weighbridge.webhook.inputs.requests import request_of

_GPU, _HOST, _ZONE = "amd.com/gpu", "kubernetes.io/hostname", "topology.kubernetes.io/zone"
_FEW, _MANY = 60, 600
#: Calls that don't come from the nodes: what is imported and compiled at one size or another, and what a small cluster lacks.
_LITTLE: Final = 900


def term(key: str, operator: str, *values: str) -> JSONObject:
    spec: JSONObject = affine({"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]})["spec"]
    return spec


def spread(*keys: str) -> JSONObject:
    own = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "d"}}}
    return {"topologySpreadConstraints": [{**own, "topologyKey": key} for key in keys]}


def apart(key: str) -> JSONObject:
    own = {"topologyKey": key, "labelSelector": {"matchLabels": {"app": "d"}}}
    return {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [own]}}}


DEMANDS: Final[dict[str, JSONObject]] = {
    "nothing": {},
    "a host": {"nodeSelector": {_HOST: "n7"}},
    "a host that isn't there": {"nodeSelector": {_HOST: "absent"}},
    "two hosts": term(_HOST, "In", "n7", "n9"),
    "all but two hosts": term(_HOST, "NotIn", "n7", "n9"),
    "a node by name": affine(named("n7"))["spec"],
    "a zone": term(_ZONE, "In", "z1"),
    "a zone that isn't there": term(_ZONE, "In", "z9"),
    "a host for each": apart(_HOST),
    "a spread over hosts": spread(_HOST),
    "a spread over zones and hosts": spread(_ZONE, _HOST),
    "a claim that isn't there": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "absent"}}]},
    "a claim that waits": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "waits"}}]},
    "more GPUs than a node has": {"gpus": "64"},
}


def cluster(size: int) -> Facts:
    nodes = [node(f"n{at}", {_GPU: "8" if at % 2 else "4"}, labels={_ZONE: f"z{at % 3}", "machine": f"m{at}"}) for at in range(size)]
    waits: JSONObject = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "waits", "namespace": "default"}}
    kinds = frozenset({("", "PersistentVolumeClaim"), ("storage.k8s.io", "StorageClass"), ("", "PersistentVolume")})
    return from_objects([*nodes, waits | {"spec": {"storageClassName": "absent"}}], Definitions(), extent=Extent(kinds))


def deployment(demand: JSONObject, replicas: int, number: int) -> JSONObject:
    """A Deployment that differs from all others in its request of CPU, so that no earlier answer is remembered."""
    spec: dict[str, Any] = deepcopy(demand)
    template = pod({"cpu": f"{1000 + number}m", _GPU: spec.pop("gpus", "1")}, **spec)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"d{number}", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "d"}},
            "template": {"metadata": {"labels": {"app": "d"}}, "spec": template["spec"]},
        },
    }


@pytest.mark.parametrize("replicas", [1, 3])
@pytest.mark.parametrize("demand", DEMANDS)
def test_ten_times_the_nodes_take_the_same_work(demand: str, replicas: int) -> None:
    numbers, counts = count(), []
    for facts in (cluster(_FEW), cluster(_MANY)):

        def judged(facts: Facts = facts) -> None:
            obj = deployment(DEMANDS[demand], replicas, next(numbers))
            decide(
                request_of(obj, facts.definitions, uid="u", namespace="default", operation=Operation.CREATE), facts, DEFAULT, Phase.VALIDATE
            )

        # The first ones make the indexes of the state.
        for _ in range(3):
            judged()
        counts.append(calls_of(judged))
    few, many = counts
    assert many <= few + _LITTLE


def test_the_work_is_that_of_a_placement() -> None:
    facts = cluster(_FEW)
    findings = {}
    for number, (demand, spec) in enumerate(DEMANDS.items()):
        obj = deployment(spec, 3, number)
        request = request_of(obj, facts.definitions, uid="u", namespace="default", operation=Operation.CREATE)
        findings[demand] = [found.message for found in decide(request, facts, DEFAULT, Phase.VALIDATE).findings]
    assert {demand for demand, said in findings.items() if any("nodes are available" in text for text in said)} == {
        "a host that isn't there",
        "a zone that isn't there",
        "a claim that isn't there",
        "a claim that waits",
        "more GPUs than a node has",
    }
