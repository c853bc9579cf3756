"""Whether a cluster has the GPUs of a template, with enough memory, and to which nodes its pods are bound."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.template import derived_name, has_gpu, state_of
from weighbridge.policies.families.aim.predictions.workload import Work, gpus_of, node_affinity, resources
from weighbridge.policies.families.aim.subject.gpus import can_be_found, cluster_models, fitting_ids
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions

_MI300X, _MI210 = "74a1", "740f"
_GI = 2**30


def _cluster(*labels: dict[str, str]) -> Facts:
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{at}", "labels": each}} for at, each in enumerate(labels)]
    return from_objects(nodes, bundled_definitions())


def _device(device: str, **more: str) -> dict[str, str]:
    return {"amd.com/gpu.device-id": device, **{f"amd.com/gpu.{key}": value for key, value in more.items()}}


def _asking(group: str, **gpu: Any) -> JSONObject:
    spec: JSONObject = {"gpuSelector": gpu} if group == OLD else {"hardware": {"gpu": gpu}}
    return {"metadata": {"name": "t"}, "spec": spec}


@pytest.mark.parametrize(
    ("group", "gpu", "found"),
    [
        (NEW, {"requests": 1, "model": "mi300x"}, True),
        (NEW, {"requests": 1, "model": "MI325X"}, False),
        (NEW, {"requests": 1}, True),
        (NEW, {"requests": 0, "model": "MI325X"}, False),
        (NEW, {"requests": 0}, True),
        (NEW, {}, True),
        (NEW, {"requests": 1, "minVram": "192Gi"}, True),
        (NEW, {"requests": 1, "minVram": str(192 * _GI + 1)}, False),
        (NEW, {"requests": 1, "model": "MI210", "minVram": "192Gi"}, True),
        (NEW, {"requests": 0, "minVram": "900Gi"}, True),
        (NEW, {"requests": 1, "minVram": "0"}, True),
        (NEW, {"requests": 1, "minVram": "much"}, True),
        (OLD, {"count": 1, "model": "MI300X"}, True),
        (OLD, {"count": 1, "model": "MI325X"}, False),
        (OLD, {"count": 1}, True),
        (OLD, {"count": 1, "minVram": "900Gi"}, True),
    ],
)
def test_a_cluster_has_the_gpu_of_a_template(group: str, gpu: JSONObject, found: bool) -> None:
    dialect, template = dialect_of(group), _asking(group, **gpu)
    assert has_gpu(template, dialect, _cluster(_device(_MI300X), _device(_MI210))) is found
    assert has_gpu(template, dialect, from_objects([], bundled_definitions())) is None
    template["spec"]["modelSources"] = [{"modelId": "m"}]
    ready = "Ready" if group == OLD or found else "NotAvailable"
    assert state_of(template, dialect, _cluster(_device(_MI300X), _device(_MI210))) == ready
    assert state_of(template, dialect, from_objects([], bundled_definitions())) == "Ready"
    assert state_of({**template, "status": {"status": "Odd"}}, dialect, _cluster(_device(_MI300X))) == "Odd"
    del template["spec"]["modelSources"]
    assert state_of(template, dialect, _cluster(_device(_MI300X))) == ""


def test_a_cluster_without_gpus_has_none_that_are_counted() -> None:
    for gpu, found in (({"requests": 1}, False), ({"requests": 0}, True), ({}, True)):
        assert has_gpu(_asking(NEW, **gpu), dialect_of(NEW), _cluster({"a": "b"})) is found
    assert has_gpu(_asking(OLD, count=1), dialect_of(OLD), _cluster({"a": "b"})) is True


@pytest.mark.parametrize(
    ("nodes", "models"),
    [
        ([_device(_MI300X), _device(_MI210)], {"MI300X": 192 * _GI, "MI210": 64 * _GI}),
        ([_device(_MI300X, vram="1T")], {"MI300X": 2**40}),
        ([_device(_MI300X, vram="16g"), _device(_MI300X, vram="32G")], {"MI300X": 32 * _GI}),
        ([_device(_MI300X, vram="16G"), _device(_MI300X)], {"MI300X": 192 * _GI}),
        ([_device(_MI300X, vram="16GB")], {"MI300X": 0}),
        ([_device(_MI300X, vram="")], {"MI300X": 192 * _GI}),
        ([_device("", family="MI210")], {"MI210": 64 * _GI}),
        ([{"amd.com/gpu.vram": "16G"}], {}),
        ([], {}),
    ],
)
def test_the_models_of_a_cluster_have_the_memory_of_their_labels(nodes: list[dict[str, str]], models: dict[str, int]) -> None:
    inventory = _cluster(*nodes, {"none": "here"}).inventory
    assert inventory is not None
    assert dict(cluster_models(inventory, dialect_of(NEW))) == models


def test_the_ids_that_fit_are_those_of_models_with_enough_memory() -> None:
    inventory = _cluster(_device(_MI300X), _device(_MI210), _device("ffff")).inventory
    of_mi300x, of_mi210 = ["74a1", "74a9", "74b5", "74bd"], ["740f", "7410"]
    found = [fitting_ids(inventory, least, dialect_of(NEW)) for least in (0, 64 * _GI, 64 * _GI + 1, 192 * _GI, 192 * _GI + 1)]
    assert found == [of_mi210 + of_mi300x, of_mi210 + of_mi300x, of_mi300x, of_mi300x, []]
    assert fitting_ids(None, 0, dialect_of(NEW)) == []


@pytest.mark.parametrize(
    ("model", "new", "old"),
    [
        ("MI300X", True, True),
        ("MI999", False, False),
        ("AMD-1", False, False),
        ("RX1", False, False),
        ("H100", False, True),
        ("ODD", False, True),
    ],
)
def test_a_model_that_some_cluster_can_have(model: str, new: bool, old: bool) -> None:
    assert (can_be_found(model, dialect_of(NEW)), can_be_found(model, dialect_of(OLD))) == (new, old)


def _work(group: str, spec: JSONObject, *labels: dict[str, str], status: JSONObject | None = None, **service: Any) -> Work:
    template = {"metadata": {"name": "t"}, "spec": spec, "status": status or {}}
    return Work({"metadata": {}, "spec": service}, dialect_of(group), {}, template, {}, "chat", _cluster(*labels))


def _ids(work: Work) -> list[str]:
    found = node_affinity(work)
    if found is None:
        return []
    [term] = found["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    [expression] = term["matchExpressions"]
    assert (expression["key"], expression["operator"]) == ("amd.com/gpu.device-id", "In")
    ids: list[str] = expression["values"]
    return ids


_PROFILED = {"profile": {"metadata": {"gpu": "MI210", "gpuCount": 3}}}


@pytest.mark.parametrize(
    ("group", "spec", "status", "ids"),
    [
        (NEW, {"hardware": {"gpu": {"requests": 1, "model": " mi210 "}}}, {}, ["740f", "7410"]),
        (NEW, {"hardware": {"gpu": {"requests": 1}}}, _PROFILED, []),
        (NEW, {"hardware": {"gpu": {"requests": 1, "minVram": "65Gi"}}}, {}, ["74a1", "74a9", "74b5", "74bd"]),
        (NEW, {"hardware": {"gpu": {"requests": 1, "minVram": "500Gi"}}}, {}, []),
        (NEW, {"hardware": {"gpu": {"requests": 1, "minVram": "0"}}}, {}, []),
        (NEW, {"hardware": {"gpu": {"requests": 0, "minVram": "65Gi"}}}, {}, []),
        (NEW, {"hardware": {"gpu": {"requests": 1, "model": "MI210", "minVram": "65Gi"}}}, {}, ["740f", "7410"]),
        (NEW, {"hardware": {"gpu": {"requests": 1, "model": "ODD1"}}}, {}, []),
        (OLD, {"gpuSelector": {"model": "MI210"}}, {}, ["740f", "7410"]),
        (OLD, {}, _PROFILED, ["740f", "7410"]),
        (OLD, {"gpuSelector": {"model": " "}}, _PROFILED, ["740f", "7410"]),
        (OLD, {"gpuSelector": {"model": "MI210"}, "modelSources": [{"name": "a"}]}, _PROFILED, []),
        (OLD, {"gpuSelector": {"count": 1, "minVram": "65Gi"}}, {}, []),
    ],
)
def test_pods_are_bound_to_the_device_ids_of_their_gpu(group: str, spec: JSONObject, status: JSONObject, ids: list[str]) -> None:
    assert _ids(_work(group, spec, _device(_MI300X), _device(_MI210), status=status)) == ids


@pytest.mark.parametrize(
    ("group", "spec", "status", "expected"),
    [
        (NEW, {}, {}, ("amd.com/gpu", 0)),
        (NEW, {"hardware": {"gpu": {"requests": 2, "resourceName": "x/y"}}}, _PROFILED, ("x/y", 2)),
        (NEW, {"hardware": {"gpu": {"requests": 2, "resourceName": "x/y"}}}, {"resolvedHardware": {"gpu": {"requests": 4}}}, ("x/y", 4)),
        (NEW, {"hardware": {"gpu": {"requests": 2}}}, {"resolvedHardware": {"gpu": {"resourceName": "a/b"}}}, ("a/b", 0)),
        (OLD, {"gpuSelector": {"count": 2}}, {}, ("amd.com/gpu", 2)),
        (OLD, {"gpuSelector": {"count": 2}}, {"status": "Ready"}, ("amd.com/gpu", 0)),
        (OLD, {"gpuSelector": {"count": 2, "resourceName": "x/y"}}, {"status": "Ready", **_PROFILED}, ("x/y", 3)),
        (OLD, {"gpuSelector": {"count": 2}, "modelSources": [{"name": "a"}]}, _PROFILED, ("amd.com/gpu", 0)),
    ],
)
def test_the_number_of_gpus_and_their_resource(group: str, spec: JSONObject, status: JSONObject, expected: tuple[str, int]) -> None:
    resource, count = expected
    work = _work(group, spec, status=status)
    assert gpus_of(work) == expected
    amounts = {"requests": {"cpu": str(4 * count), "memory": f"{32 * count}Gi"}, "limits": {"memory": f"{48 * count}Gi"}}
    assert resources(work) == ({side: {**amount, resource: str(count)} for side, amount in amounts.items()} if count else {})


def test_gpus_that_the_author_speaks_of_stay_as_they_are_written() -> None:
    spec = {"hardware": {"gpu": {"requests": 1}}, "resources": {"limits": {"amd.com/gpu": "4"}}}
    assert resources(_work(NEW, spec, resources={"requests": {"amd.com/gpu": 2, "cpu": "x"}})) == {
        "requests": {"cpu": "4", "memory": "32Gi", "amd.com/gpu": "2"},
        "limits": {"memory": "48Gi", "amd.com/gpu": "4"},
    }


@pytest.mark.parametrize(
    ("overrides", "name"),
    [({}, "base"), ({"hardware": {"gpu": {"model": " ", "requests": 0}}, "metric": ""}, "base"), ({"other": 1}, "base")],
)
def test_a_template_that_nothing_overrides_keeps_its_name(overrides: JSONObject, name: str) -> None:
    assert derived_name("base", overrides) == name


def test_a_derived_name_has_a_word_for_each_override() -> None:
    found = derived_name("base", {"hardware": {"gpu": {"model": "MI300X", "requests": 2}}, "precision": "fp8", "metric": "latency"})
    assert found.rpartition("-")[0] == "base-ovr-mi300x-2gpu-fp8-latency"
    assert derived_name("base", {"hardware": {"gpu": {"requests": 1}}}).rpartition("-")[0] == "base-ovr-1gpu"
