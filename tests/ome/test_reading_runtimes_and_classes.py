"""How runtimes, models, classes and services are read, and the defaults of fields that are absent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ome.records import request_for
from weighbridge.policies.families.ome.subject.accelerators import read_class
from weighbridge.policies.families.ome.subject.components import Container, configured, containers_of, pod_parts
from weighbridge.policies.families.ome.subject.formats import ModelFormat, format_of
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.model_versions import ModelVersion, parse
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.ome.subject.parallelism import GpuDemand, gpus_of, world_of
from weighbridge.policies.families.ome.subject.predictors import migrates, runner_of
from weighbridge.policies.families.ome.subject.runtime import Runtime, SizeRange, Supported, read_runtime
from weighbridge.policies.families.ome.subject.service_spec import demanded_classes, has_full_runner
from weighbridge.policies.ground.objects import JSONObject


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({}, ModelFormat("", None, "Equal", 1)),
        ({"name": "st", "version": "", "operator": "GreaterThan", "weight": 0}, ModelFormat("st", "", "GreaterThan", 0)),
        ({"name": 1, "version": 2, "operator": 3, "weight": "4"}, ModelFormat("", None, "Equal", 1)),
        (None, None),
        ("st", None),
    ],
)
def test_a_format_has_the_crd_s_defaults(written: Any, expected: ModelFormat | None) -> None:
    assert format_of({"modelFormat": written}, "modelFormat") == expected


def test_a_model_is_read_whole() -> None:
    bare: JSONObject = {"kind": "BaseModel", "metadata": {"name": "m", "namespace": "n"}, "spec": {}}
    assert read_model(bare) == Model(bare, "m", "n", False, None, None, None, None, None, None, (None, None, "", None), True)
    assert (read_model(bare).format_name, read_model(bare).title) == ("", "BaseModel m")
    spec = {
        "disabled": True,
        "modelFormat": {"name": "st"},
        "modelFramework": {"name": "vllm"},
        "modelArchitecture": "",
        "quantization": "fp8",
        "modelParameterSize": "8B",
        "diffusionPipeline": {"className": "F"},
    }
    obj: JSONObject = {"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": spec}
    st, vllm = ModelFormat("st", None, "Equal", 1), ModelFormat("vllm", None, "Equal", 1)
    expected = Model(obj, "m", "", True, st, vllm, "", "fp8", "8B", {"className": "F"}, ("", "fp8", "st", "vllm"), True)
    assert (read_model(obj), expected.format_name) == (expected, "st")


def test_a_runtime_is_read_whole() -> None:
    first = {"modelFormat": {"name": "st"}, "autoSelect": False, "priority": 0, "diffusionPipeline": {}, "modelArchitecture": "L"}
    second = {"modelFramework": {"name": "vllm"}, "autoSelect": "yes", "priority": True, "diffusionPipeline": "odd", "quantization": ""}
    spec = {"supportedModelFormats": [first, second], "modelSizeRange": {"max": "9B"}, "disabled": "odd"}
    obj: JSONObject = {"kind": "ServingRuntime", "metadata": {"name": "r", "namespace": "n"}, "spec": spec}
    st, none, vllm = ModelFormat("st", None, "Equal", 1), ModelFormat("", None, "Equal", 1), ModelFormat("vllm", None, "Equal", 1)
    keys = (("L", None, "st", None), (None, "", "", "vllm"))
    supported = (
        Supported(0, st, None, "L", None, {}, False, 0, keys[0]),
        Supported(1, none, vllm, None, "", None, None, 1, keys[1]),
    )
    assert read_runtime(obj) == Runtime(obj, "r", "n", False, supported, SizeRange(None, "9B"), (), False, frozenset(keys))
    assert (read_runtime(obj).scope, read_runtime(obj).title) == ("namespace", "ServingRuntime r")


def test_a_runtime_that_says_little_and_one_that_is_selected() -> None:
    obj: JSONObject = {"kind": "ClusterServingRuntime", "metadata": {"name": "r"}, "spec": {}}
    assert read_runtime(obj) == Runtime(obj, "r", "", False, (), None, (), False, frozenset())
    assert read_runtime(obj).scope == "cluster"
    items = [{"autoSelect": False}, {"autoSelect": True}]
    classes = {"acceleratorClasses": ["a", "b"]}
    found = read_runtime({"spec": {"supportedModelFormats": items, "disabled": True, "acceleratorRequirements": classes}})
    assert (found.is_auto_selected, found.is_disabled, found.classes) == (True, True, ("a", "b"))


@pytest.mark.parametrize(
    ("sizes", "is_open", "words"),
    [
        (SizeRange("1B", "2B"), False, "1B to 2B"),
        (SizeRange(None, "2B"), True, "nothing to 2B"),
        (SizeRange("1B", None), True, "1B to nothing"),
        (SizeRange("", ""), False, "nothing to nothing"),
    ],
)
def test_a_range_without_a_bound_is_open(sizes: SizeRange, is_open: bool, words: str) -> None:
    assert (sizes.is_open, str(sizes)) == (is_open, words)


def test_a_class_is_read_whole() -> None:
    capabilities = {"memoryGB": "1535Mi", "memoryBandwidthGBps": "1.5", "features": ["NVLink"], "performance": {"fp16Tflops": 9}}
    resources = [{"name": "a", "quantity": "2"}, {"name": "b"}, {"name": "c", "quantity": "odd"}]
    cost = {"perHour": "1500m", "tier": "High"}
    found = read_class({"metadata": {"name": "x"}, "spec": {"capabilities": capabilities, "resources": resources, "cost": cost}})
    assert (found.has_memory, found.memory, found.exact_memory, found.bandwidth) == (True, 1, 1535 / 1024, 2)
    assert (found.features, found.performance("fp16Tflops"), found.performance("int8Tops")) == (frozenset({"nvlink"}), 9, 0)
    assert {name: str(amount) for name, amount in found.resources.items()} == {"a": "2", "b": "1", "c": "1"}
    assert (str(found.cost("perHour")), found.cost("spotPerHour"), found.tier) == ("1500m", None, "High")
    bare = read_class({"metadata": {"name": "x"}})
    assert (bare.has_memory, bare.memory, bare.exact_memory, bare.bandwidth, bare.tier, bare.vendor) == (False, 0, 0.0, 0, "", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", ModelVersion((1, 0, 0), 1, ("", "", ""), False)),
        ("v1.2", ModelVersion((1, 2, 0), 2, ("", "", ""), True)),
        ("1.2.3-rc.1+b.2", ModelVersion((1, 2, 3), 3, ("rc.1", "b.2", ""), False)),
        ("1.2.3.dev1", ModelVersion((1, 2, 3), 3, ("", "", "dev1"), False)),
        (f"{2**64 - 1}.0.0", ModelVersion((2**64 - 1, 0, 0), 3, ("", "", ""), False)),
        (str(2**64), None),
        ("01", None),
        ("1.2.3-", None),
        ("1.2.3+a..b", None),
        ("1.2-rc", None),
        ("vv1", None),
        ("", None),
    ],
)
def test_a_version_is_read_part_by_part(text: str, expected: ModelVersion | None) -> None:
    assert parse(text) == expected
    assert expected is None or expected.has_tail is (any(char in text for char in "-+") or "dev" in text)


@pytest.mark.parametrize(
    ("container", "demand"),
    [
        ({"command": ["--tp", "2"], "args": ["--pp=3"]}, GpuDemand(6, "--tp 2 with --pp 3")),
        ({"args": ["--tp", "2", "--tp-size=4"]}, GpuDemand(4, "--tp-size 4")),
        ({"args": ["--pp-size", "2"]}, GpuDemand(2, "--pp-size 2")),
        ({"args": ["--tp=1"]}, GpuDemand(1, "--tp 1")),
        ({"args": ["--tp=0"]}, None),
        ({"args": ["--tp"]}, None),
        ({"args": ["--tp", "x", "--tp", "2"]}, GpuDemand(2, "--tp 2")),
        ({"args": ["--tp=2", "--nnodes=2"]}, None),
        ({"args": ["--tp=2", "--dp", "2"]}, None),
        ({}, None),
    ],
)
def test_the_gpus_that_a_command_line_takes(container: JSONObject, demand: GpuDemand | None) -> None:
    assert world_of(container) == demand


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"limits": {"amd.com/gpu": "2"}, "requests": {"nvidia.com/gpu": "1"}}, ("nvidia.com/gpu", 1)),
        ({"limits": {"amd.com/gpu": "2"}, "requests": {"amd.com/gpu": "1"}}, ("amd.com/gpu", 2)),
        ({"limits": {"cpu": "2"}}, None),
    ],
)
def test_the_gpus_of_a_container(resources: JSONObject, expected: tuple[str, int] | None) -> None:
    assert gpus_of({"resources": resources}) == expected


def test_every_container_that_is_written_has_its_place() -> None:
    engine = {"runner": {"name": "r"}, "containers": [{"name": "c"}], "initContainers": [{"name": "i"}], "worker": {"runner": {}}}
    spec = {"routerConfig": {}, "engine": engine, "engineConfig": "odd", "decoder": {"leader": {}}}
    parts = list(pod_parts({"spec": spec}))
    at = ("spec", "engine")
    assert [path for _, path in parts] == [
        at,
        (*at, "worker"),
        ("spec", "decoder"),
        ("spec", "decoder", "leader"),
        ("spec", "routerConfig"),
    ]
    found = [container for pod, path in parts for container in containers_of(pod, path)]
    assert found == [
        Container({"name": "r"}, (*at, "runner"), is_runner=True),
        Container({"name": "c"}, (*at, "containers", 0), is_runner=False),
        Container({"name": "i"}, (*at, "initContainers", 0), is_runner=False),
        Container({}, (*at, "worker", "runner"), is_runner=True),
    ]
    assert ([container.name for container in found], configured(spec, "router")) == (["r", "c", "i", ""], {})


@pytest.mark.parametrize(
    ("predictor", "is_used"),
    [
        ({}, False),
        ({"model": {"baseModel": ""}}, True),
        ({"model": {"runtime": "x"}}, False),
        ({"minReplicas": 0}, True),
        ({"affinity": {}}, True),
        ({"affinity": None}, False),
        *(({key: []}, False) for key in ("containers", "volumes", "nodeSelector", "tolerations", "serviceAccountName")),
        *(({key: ["x"]}, True) for key in ("containers", "volumes", "nodeSelector", "tolerations", "serviceAccountName")),
    ],
)
def test_a_predictor_counts_where_it_says_something(predictor: JSONObject, is_used: bool) -> None:
    assert migrates(predictor) is is_used


@pytest.mark.parametrize(
    ("names", "runner"),
    [(["a", "HOME", "ome-container"], "HOME"), (["ome-container", "home"], "ome-container"), (["a", "b"], "a"), ([], None)],
)
def test_the_container_that_serves_has_ome_in_its_name(names: list[str], runner: str | None) -> None:
    found = runner_of({"containers": [{"name": name} for name in names]})
    assert (found["name"] if found is not None else None) == runner


@pytest.mark.parametrize(
    ("engine", "is_full"),
    [
        ({}, False),
        ({"runner": {"image": "i"}}, True),
        ({"runner": {"image": ""}}, False),
        ({"leader": {"runner": {"image": "i"}}}, False),
        ({"worker": {"runner": {"image": "i"}}}, False),
        ({"leader": {"runner": {"image": "i"}}, "worker": {"runner": {"image": "i"}}}, True),
    ],
)
def test_an_engine_says_itself_what_it_runs(engine: JSONObject, is_full: bool) -> None:
    assert has_full_runner({"spec": {"engine": engine}}) is is_full


def test_the_classes_that_are_demanded_are_named_once_each() -> None:
    spec = {
        "acceleratorSelector": {"acceleratorClass": "b"},
        "engine": {"acceleratorOverride": {"acceleratorClass": ""}},
        "decoder": {"acceleratorOverride": {"acceleratorClass": "a"}},
        "router": {"acceleratorOverride": {"acceleratorClass": "c"}},
    }
    assert demanded_classes({"metadata": {"annotations": {"ome.io/accelerator-class": "a"}}, "spec": spec}) == ("a", "b", "")
    assert demanded_classes({"spec": {}}) == ()


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"name": "a", "namespace": "n"}, {"name": "a", "namespace": "n"}),
        ({"generateName": "a-"}, {"generateName": "a-", "name": "a-xxxxx", "namespace": "default"}),
        ({}, {"name": "xxxxx", "namespace": "default"}),
    ],
)
def test_a_service_without_a_name_or_a_namespace_gets_both(metadata: JSONObject, expected: JSONObject) -> None:
    obj: JSONObject = {"apiVersion": "ome.io/v1beta1", "kind": "InferenceService", "metadata": metadata, "spec": {}}
    found = named_object(request_for(obj))
    assert found == {**obj, "metadata": expected}
    assert named_object(request_for({**obj, "spec": "odd"})) is None
