"""A user may store an object that nests deep: its kind is followed as before, and lists of it are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.cluster import Cluster
from tests.e2e.reviews import answer, eventually, ready
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

#: More levels than orjson reads, and fewer than the API server does.
_LEVELS = 3_000


@pytest.fixture
def following(cluster: Cluster) -> Iterator[Cluster]:
    """The webhook, which follows its cluster."""
    cluster.serve(["--live", "--kubeconfig", str(cluster.plane.kubeconfig)])
    eventually(lambda: ready(cluster.webhook))
    yield cluster
    cluster.serve([])


def weight(name: str, **configuration: Any) -> JSONObject:
    """A fine-tuned weight; OME's CRD keeps any configuration."""
    spec = {
        "baseModelRef": {"name": "llama"},
        "modelType": "LoRA",
        "storage": {"storageUri": "oci://n/acme/b/weights/o/lora"},
        "hyperParameters": {"strategy": "lora"},
        "configuration": configuration,
    }
    return {"apiVersion": "ome.io/v1beta1", "kind": "FineTunedWeight", "metadata": {"name": name}, "spec": spec}


def text_of(obj: JSONObject, deep: str) -> str:
    """The object as JSON, with a text in place of a word; Python's own writer doesn't write it otherwise."""
    return json.dumps(obj).replace('"deep"', deep)


def misses(cluster: Cluster, namespace: str, name: str) -> bool:
    """Whether the webhook says that the cluster has no weight of a name. If it doesn't know all weights, it doesn't say so of any."""
    service = {
        "apiVersion": "ome.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "chat", "namespace": namespace},
        "spec": {"model": {"name": "llama", "fineTunedWeights": [name]}, "engine": {"minReplicas": 1}},
    }
    return any("OME-155" in warning for warning in answer(cluster.webhook, service, "inferenceservices")["warnings"])


@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")], ids=["lists", "maps"])
def test_a_kind_is_followed_after_a_deep_object_of_it(following: Cluster, opens: str, closes: str) -> None:
    """With maps, the object's managed fields nest as deep."""
    plane, deep = following.plane, f"{opens * _LEVELS}1{closes * _LEVELS}"
    try:
        for rank in (1, 2):
            # It is created, and then changed.
            done = plane.kubectl("apply", "--server-side", "-f", "-", input=text_of(weight("deep-one", rank=rank, x="deep"), deep))
            assert done.returncode == 0, done.stderr[-500:]
        plane.kubectl("apply", "-f", "-", input=json.dumps(weight("later")), check=True)
        namespace = following.namespace("deep-lists" if opens == "[" else "deep-maps")

        def is_followed() -> bool:
            return [misses(following, namespace, name) for name in ("missing", "later")] == [True, False]

        eventually(is_followed)
        following.serve(["--live", "--kubeconfig", str(plane.kubeconfig), "--concurrency", "255"])
        eventually(lambda: ready(following.webhook))
        eventually(is_followed)
    finally:
        plane.kubectl("delete", "finetunedweights.ome.io", "deep-one", "later", "--ignore-not-found")
