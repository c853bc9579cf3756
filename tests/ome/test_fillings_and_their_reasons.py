"""The values that are filled into an OME service, with their sources and reasons, and the services into which none is filled."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.ome.records import DEFINITIONS, KINDS, request_for
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.config.fill_in import FillIn
from weighbridge.policies.config.images import Images
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.ome.fill.model_kind import fill_kind
from weighbridge.policies.families.ome.fill.runner_images import fill_images
from weighbridge.policies.families.ome.fill.runner_names import fill_names
from weighbridge.policies.families.ome.fill.service_fields import fill
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.ground.objects import JSONObject


def _held(kind: str, name: str, spec: JSONObject, namespace: str = "") -> JSONObject:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": kind, "metadata": metadata, "spec": spec}


def _service(spec: JSONObject) -> JSONObject:
    return _held("InferenceService", "chat", copy.deepcopy(spec), "shop")


def _told(mutation: Mutation) -> list[tuple[Any, ...]]:
    return [(".".join(map(str, one.path)), one.value, one.source, one.reason) for one in mutation.provenance]


_OWN, _OF_CLUSTER = _held("BaseModel", "llama", {}, "shop"), _held("ClusterBaseModel", "llama", {})


@pytest.mark.parametrize(
    ("spec", "held", "is_filled"),
    [
        ({"model": {"name": "llama"}}, [_OWN], True),
        ({"model": {"name": "llama"}}, [_OWN, _OF_CLUSTER], False),
        ({"model": {"name": "llama"}}, [_OF_CLUSTER], False),
        ({"model": {"name": "llama"}}, [_held("BaseModel", "llama", {}, "other")], False),
        ({"model": {"name": "llama", "kind": "ClusterBaseModel"}}, [_OWN], False),
        ({"model": {}}, [_OWN], False),
        ({}, [_OWN], False),
    ],
)
def test_the_kind_of_a_model_that_the_namespace_alone_has(spec: JSONObject, held: list[JSONObject], is_filled: bool) -> None:
    facts = from_objects(held, DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, kind) for kind in KINDS])
    mutation = Mutation(_service(spec))
    fill_kind(mutation, "shop", facts)
    told = ("spec.model.kind", "BaseModel", "cluster", 'only namespace "shop" has a model "llama"')
    assert _told(mutation) == ([told] if is_filled else [])


def _runtime(**spec: Any) -> Runtime:
    return read_runtime(_held("ClusterServingRuntime", "srt", spec))


_RUNTIME = _runtime(
    engineConfig={
        "runner": {"name": "server", "image": "docker.io/lmsys/sglang:1"},
        "leader": {"runner": {"name": "lead", "image": "docker.io/lmsys/lead:1"}},
        "worker": {"runner": {"name": "work"}},
    },
    decoderConfig={"runner": {"name": "decode", "image": "quay.io/acme/vllm:1"}},
    routerConfig={"runner": {"name": "route", "image": "docker.io/acme/router:1"}, "leader": {"runner": {"name": "odd"}}},
)
_MIRRORED = Configuration(images=Images(mirrors={"docker.io": "mirror.example.com/hub"}))
_OF_RUNTIME = "the runner of ClusterServingRuntime srt has this name"


def _name(path: str, name: str) -> tuple[str, str, str, str]:
    return f"spec.{path}.runner.name", name, "cluster", _OF_RUNTIME


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (
            {name: {"runner": {}, "leader": {"runner": {}}, "worker": {"runner": {}}} for name in ("engine", "decoder", "router")},
            [
                *(_name("engine", "server"), _name("engine.leader", "lead"), _name("engine.worker", "work")),
                *(_name("decoder", "decode"), _name("router", "route")),
            ],
        ),
        ({"engine": {"leader": {"runner": {}}}}, [_name("engine.leader", "lead")]),
        ({"engine": {"runner": {"name": "own"}}}, []),
        ({"engine": {}}, []),
        ({"engine": {"runner": "odd"}}, []),
    ],
)
def test_the_names_of_runners_are_the_runtime_s(spec: JSONObject, told: list[Any]) -> None:
    mutation = Mutation(_service(spec))
    fill_names(mutation, _RUNTIME)
    assert _told(mutation) == told
    without = Mutation(_service(spec))
    fill_names(without, None)
    fill_names(without, _runtime())
    assert _told(without) == []


def _image(path: str, value: str, image: str) -> tuple[str, str, str, str]:
    return (
        f"spec.{path}.runner.image",
        f"mirror.example.com/hub/{value}",
        "configuration",
        f"images, for {image} of ClusterServingRuntime srt",
    )


_SGLANG = _image("engine", "lmsys/sglang:1", "docker.io/lmsys/sglang:1")
_ROUTER = _image("router", "acme/router:1", "docker.io/acme/router:1")


@pytest.mark.parametrize(
    ("spec", "config", "told"),
    [
        ({"engine": {}, "decoder": {}, "router": {}}, _MIRRORED, [_SGLANG, _ROUTER]),
        ({"engine": {"runner": {"args": []}}}, _MIRRORED, [_SGLANG]),
        ({"engine": {"runner": {"image": "own:1"}}}, _MIRRORED, []),
        ({"decoder": {}}, _MIRRORED, []),
        ({"engine": {}}, DEFAULT, []),
        ({"engine": {}, "router": {}}, Configuration(images=_MIRRORED.images, fill_in=FillIn(images=["*/acme/router"])), [_ROUTER]),
    ],
)
def test_the_images_of_runners_come_from_a_mirror(spec: JSONObject, config: Configuration, told: list[Any]) -> None:
    named = {"runtime": {"name": "srt"}, **spec}
    for runtime, written, expected in ((_RUNTIME, named, told), (_RUNTIME, spec, []), (None, named, []), (_runtime(), named, [])):
        mutation = Mutation(_service(written))
        fill_images(mutation, runtime, config)
        assert _told(mutation) == expected


def _node(name: str, *taints: JSONObject) -> JSONObject:
    status = {"allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": list(taints)}, "status": status}


_GPU_TAINT = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}
_OWN_TAINT = {"key": "accelerator", "value": "gpu", "effect": "NoSchedule"}
_FOR_GPUS = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
_FOR_OWN = {"key": "accelerator", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}
_REPEATED = "ClusterServingRuntime srt tolerates it, and the service's list replaces the runtime's"


@pytest.mark.parametrize(
    ("tolerated", "nodes", "told"),
    [
        ([], [_node("a", _OWN_TAINT)], [(0, _FOR_OWN, "node a with nvidia.com/gpu has the taint accelerator=gpu:NoSchedule")]),
        (
            [_FOR_GPUS],
            [_node("a", _OWN_TAINT, _GPU_TAINT), _node("b", _OWN_TAINT)],
            [(0, _FOR_GPUS, _REPEATED), (1, _FOR_OWN, "node a (and others) with nvidia.com/gpu has the taint accelerator=gpu:NoSchedule")],
        ),
        ([_FOR_GPUS], [_node("a", _GPU_TAINT)], []),
        ([{"operator": "Exists"}], [_node("a", _OWN_TAINT)], []),
        ([_FOR_GPUS], [_node("a")], []),
    ],
)
def test_the_tolerations_of_an_engine_with_gpus(tolerated: list[JSONObject], nodes: list[JSONObject], told: list[Any]) -> None:
    runner = {"name": "server", "image": "a:1", "resources": {"limits": {"nvidia.com/gpu": "1"}}}
    item = {"modelFormat": {"name": "st"}, "autoSelect": True}
    runtime = {"supportedModelFormats": [item], "engineConfig": {"runner": runner, "tolerations": tolerated}}
    model = _held("ClusterBaseModel", "llama", {"modelFormat": {"name": "st"}, "storage": {"path": "/m"}})
    facts = from_objects([model, _held("ClusterServingRuntime", "srt", runtime), *nodes], DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, kind) for kind in KINDS])
    service = _service({"model": {"name": "llama"}, "engine": {"minReplicas": 1}})
    mutation = Mutation(copy.deepcopy(service))
    fill(mutation, request_for(service), facts, DEFAULT)
    assert _told(mutation) == [(f"spec.engine.tolerations.{at}", value, "cluster", reason) for at, value, reason in told]
    bare = Mutation({key: value for key, value in service.items() if key != "spec"})
    fill(bare, request_for(service), facts, DEFAULT)
    assert _told(bare) == []
