"""A whole service as stored after OME's webhook: its mode, its replicas, the ports of its probes, and an engine converted from a
predictor.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.ome.records import DEFINITIONS
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.subject.stored import as_stored, uses_predictor
from weighbridge.policies.ground.objects import JSONObject

_CLUSTER_MODEL = {"apiVersion": "ome.io/v1beta1", "kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": {}}


def stored(spec: JSONObject, **annotations: str) -> JSONObject:
    """The stored service; the cluster has a ClusterBaseModel llama."""
    metadata: JSONObject = {"name": "chat", "namespace": "shop"} | ({"annotations": annotations} if annotations else {})
    return as_stored({"kind": "InferenceService", "metadata": metadata, "spec": spec}, from_objects([_CLUSTER_MODEL], DEFINITIONS))


@pytest.mark.parametrize(
    ("spec", "mode"),
    [
        ({}, "RawDeployment"),
        ({"engine": {}}, "RawDeployment"),
        ({"decoder": {}}, "RawDeployment"),
        ({"engine": {}, "decoder": {}}, "PDDisaggregated"),
        ({"engine": {"leader": {}, "worker": {"size": 1}}, "decoder": {}}, "PDDisaggregated"),
        ({"engine": {"leader": {}, "worker": {"size": 1}}}, "MultiNode"),
        ({"engine": {"leader": {}, "worker": {"size": 0}}}, "RawDeployment"),
        ({"engine": {"leader": {}, "worker": {}}}, "RawDeployment"),
        ({"engine": {"worker": {"size": 1}}}, "RawDeployment"),
        ({"engine": {"leader": {}}}, "RawDeployment"),
    ],
)
def test_the_mode_follows_from_the_engine_unless_it_is_written(spec: JSONObject, mode: str) -> None:
    assert stored(spec)["metadata"] == {"name": "chat", "namespace": "shop", "annotations": {"ome.io/deploymentMode": mode}}
    assert stored(spec, note="n")["metadata"]["annotations"] == {"note": "n", "ome.io/deploymentMode": mode}
    assert stored(spec, **{"ome.io/deploymentMode": ""})["metadata"]["annotations"] == {"ome.io/deploymentMode": ""}


@pytest.mark.parametrize(
    ("name", "written", "expected"),
    [
        ("engine", {}, (1, 3)),
        ("decoder", {}, (1, 3)),
        ("router", {}, (1, 2)),
        ("router", {"minReplicas": None, "maxReplicas": 0}, (1, 2)),
        ("engine", {"minReplicas": 0, "maxReplicas": 1}, (0, 1)),
        ("decoder", {"minReplicas": 5}, (5, 3)),
    ],
)
def test_each_component_gets_its_bounds(name: str, written: JSONObject, expected: tuple[int, int]) -> None:
    spec = {"model": {"name": "llama"}, name: written}
    least, most = expected
    assert stored(spec)["spec"] == {"model": {"name": "llama"}, name: {"minReplicas": least, "maxReplicas": most}}


def test_a_probe_without_a_port_gets_port_0_everywhere() -> None:
    probe = {"httpGet": {"path": "/health"}, "periodSeconds": 5}
    probed = {"httpGet": {"path": "/health", "port": 0}, "periodSeconds": 5}
    kept = {"tcpSocket": {"port": 80}, "exec": {"command": ["x"]}}

    def container(given: JSONObject) -> JSONObject:
        return {"name": "c", "livenessProbe": given, "readinessProbe": kept, "startupProbe": {"exec": {}}}

    def pod(given: JSONObject) -> JSONObject:
        return {
            "runner": container(given),
            "containers": [container(given), "odd"],
            "initContainers": [container(given)],
            "leader": {"runner": container(given)},
            "worker": {"containers": [container(given)]},
        }

    found = stored({"engine": pod(probe), "router": {"runner": {"startupProbe": {"tcpSocket": {}}}}})["spec"]
    assert found["engine"] == {**pod(probed), "minReplicas": 1, "maxReplicas": 3}
    assert found["router"] == {"runner": {"startupProbe": {"tcpSocket": {"port": 0}}}, "minReplicas": 1, "maxReplicas": 2}


_BOUNDS = {"minReplicas": 1, "maxReplicas": 3}
_OF_LLAMA: JSONObject = {"name": "llama", "kind": "ClusterBaseModel"}
_RUNTIME: JSONObject = {"name": "srt", "kind": "ClusterServingRuntime"}
_MODEL: JSONObject = {"baseModel": "llama", "runtime": "srt", "fineTunedWeights": ["w"]}


@pytest.mark.parametrize(
    ("predictor", "more", "expected"),
    [
        ({"model": _MODEL}, {}, {"engine": _BOUNDS, "model": {**_OF_LLAMA, "fineTunedWeights": ["w"]}, "runtime": _RUNTIME}),
        (
            {"model": {"baseModel": "llama"}, "baseModel": "other", "runtime": "srt", "fineTunedWeights": ["v"]},
            {},
            {"engine": _BOUNDS, "model": {**_OF_LLAMA, "fineTunedWeights": ["v"]}, "runtime": _RUNTIME},
        ),
        ({"model": {"baseModel": "own"}}, {}, {"engine": _BOUNDS, "model": {"name": "own", "kind": "BaseModel"}}),
        (
            {"model": _MODEL},
            {"model": {"name": "mine"}, "runtime": {"name": "rt"}},
            {"engine": _BOUNDS, "model": {"name": "mine"}, "runtime": {"name": "rt"}},
        ),
        (
            {"model": {"baseModel": "llama"}, "minReplicas": 2, "nodeSelector": {"a": "b"}, "workerSpec": {"size": 1}},
            {},
            {"engine": {"minReplicas": 2, "maxReplicas": 3, "nodeSelector": {"a": "b"}, "worker": {"size": 1}}, "model": _OF_LLAMA},
        ),
        (
            {"model": {"baseModel": "llama"}, "containers": [{"name": "a"}, {"name": "My-OME-1"}, {"name": "ome-container"}]},
            {},
            {
                "engine": {"runner": {"name": "My-OME-1"}, "containers": [{"name": "a"}, {"name": "ome-container"}], **_BOUNDS},
                "model": _OF_LLAMA,
            },
        ),
        (
            {"model": {"baseModel": "llama"}, "containers": [{"name": "a"}]},
            {},
            {"engine": {"runner": {"name": "a"}, **_BOUNDS}, "model": _OF_LLAMA},
        ),
        ({"model": _MODEL}, {"engine": {"runner": {"name": "a"}}}, {"engine": {"runner": {"name": "a"}, **_BOUNDS}}),
    ],
)
def test_a_predictor_becomes_an_engine_with_model_and_runtime(predictor: JSONObject, more: JSONObject, expected: JSONObject) -> None:
    spec: dict[str, Any] = {"predictor": predictor, **more}
    assert stored(spec)["spec"] == {"predictor": predictor, **expected}
    assert uses_predictor({"spec": spec})


def test_a_service_without_a_predictor_stays_as_it_is_but_for_what_is_filled_in() -> None:
    assert stored({"model": {"name": "llama"}}) == {
        "kind": "InferenceService",
        "metadata": {"name": "chat", "namespace": "shop", "annotations": {"ome.io/deploymentMode": "RawDeployment"}},
        "spec": {"model": {"name": "llama"}},
    }
    assert not uses_predictor({"spec": {"model": {"name": "llama"}}})
