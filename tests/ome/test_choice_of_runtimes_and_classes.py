"""The messages about runtimes and classes that don't fit, the choice between two that do, and a class's changes of a command line."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.predictions.merge.arguments import overridden, with_variable
from weighbridge.policies.families.ome.subject.accelerator_choice import excluded
from weighbridge.policies.families.ome.subject.accelerator_policies import chosen_by
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import (
    RuntimeSelection,
    awaits,
    fit,
    judged,
    nearest_misses,
    score_of,
    select,
    why_not,
)
from weighbridge.policies.ground.objects import JSONObject

_FORMAT = {"name": "safetensors", "version": "1.0.0"}
_PIPELINE: JSONObject = {
    "className": "Flux",
    "vae": {"library": "diffusers", "type": "Auto"},
    "additionalComponents": {"image": {"type": "x"}},
}


def model(**spec: Any) -> Model:
    written = {"modelFormat": _FORMAT, "modelParameterSize": "8B", **spec}
    return read_model({"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": written})


def runtime(name: str = "r", namespace: str = "", *, item: JSONObject | None = None, **spec: Any) -> Runtime:
    items = [{"modelFormat": _FORMAT, "autoSelect": True, **(item or {})}]
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return read_runtime({"kind": "ServingRuntime", "metadata": metadata, "spec": {"supportedModelFormats": items, **spec}})


@pytest.mark.parametrize(
    ("of_runtime", "outcome", "words"),
    [
        ({}, "fits", None),
        ({"disabled": True}, "disabled", "it is disabled"),
        ({"modelSizeRange": {"min": "8B", "max": "8B"}}, "fits", None),
        ({"modelSizeRange": {"min": "8.1B", "max": "9B"}}, "size", "modelParameterSize 8B is outside of 8.1B to 9B"),
        ({"modelSizeRange": {"min": "1B", "max": "7.9B"}}, "size", "modelParameterSize 8B is outside of 1B to 7.9B"),
        ({"modelSizeRange": {"min": "1B"}}, "half-open size range", "its modelSizeRange has one bound only, which OME panics on"),
        ({"modelSizeRange": {"max": "9B"}}, "half-open size range", "its modelSizeRange has one bound only, which OME panics on"),
        ({"item": {"autoSelect": False}}, "not selected automatically", "no format of it has autoSelect"),
        ({"item": {"priority": 0}}, "not selected automatically", "its formats score nothing"),
        ({"item": {"priority": -1}}, "not selected automatically", "its formats score nothing"),
        ({"supportedModelFormats": []}, "format", "it supports no model formats"),
        ({"item": {"modelFormat": {**_FORMAT, "name": "onnx"}}}, "format", "the model has modelFormat safetensors, the runtime onnx"),
        (
            {"item": {"modelFormat": {"name": "safetensors", "version": "1.0.1"}}},
            "format",
            "the model has modelFormat version 1.0.0, the runtime 1.0.1",
        ),
        (
            {"item": {"modelFormat": {"name": "safetensors", "version": "0.9.0", "operator": "GreaterThan"}}},
            "format",
            "the model has modelFormat version 1.0.0, the runtime 0.9.0 with operator GreaterThan",
        ),
        (
            {"item": {"modelFormat": {"name": "safetensors"}}},
            "format",
            "the model has modelFormat version 1.0.0, the runtime none",
        ),
        ({"item": {"quantization": "fp8"}}, "format", "the model has no quantization, the runtime wants fp8"),
        ({"item": {"modelFramework": {"name": "vllm"}}}, "format", "the model has no modelFramework, the runtime wants vllm"),
        ({"item": {"diffusionPipeline": _PIPELINE}}, "format", "the model has no diffusionPipeline, the runtime wants one"),
        ({"acceleratorRequirements": {"acceleratorClasses": ["a"]}}, "fits", None),
    ],
)
def test_a_runtime_is_passed_over_in_words(of_runtime: Any, outcome: str, words: str | None) -> None:
    found = judged(model(), runtime(**of_runtime), ())
    assert found.outcome == outcome
    if words is not None:
        assert (why_not(model(), found, ()), found.is_selectable) == (words, False)


_WANTED: JSONObject = {
    "modelArchitecture": "Qwen3ForCausalLM",
    "quantization": "fp8",
    "modelFormat": _FORMAT,
    "modelFramework": {"name": "transformers", "version": "4.45.0"},
    "diffusionPipeline": {"className": "Flux"},
}
_SKIPPED = {"annotations": {"ome.oracle.com/skip-config-parsing": "true"}}


def described(spec: JSONObject, metadata: JSONObject | None = None, **rest: Any) -> Model:
    return read_model({"kind": "ClusterBaseModel", "metadata": {"name": "m", **(metadata or {})}, "spec": spec, **rest})


@pytest.mark.parametrize("field", _WANTED)
def test_each_field_that_the_agent_fills_in_is_waited_for(field: str) -> None:
    rest = {name: value for name, value in _WANTED.items() if name != field}
    wanting = runtime(item=_WANTED)
    assert awaits(described(rest), wanting, ()) == field
    assert awaits(described(rest, _SKIPPED), wanting, ()) == ""
    assert awaits(described(rest, status={"state": "Ready"}), wanting, ()) == ""
    assert awaits(described(rest, status={"state": "In_Transit"}), wanting, ()) == field


@pytest.mark.parametrize(
    ("spec", "of_runtime"),
    [
        (_WANTED, {}),
        ({"modelFormat": {"name": "onnx"}}, {}),
        ({"modelFormat": {"name": "safetensors", "version": "2.0.0"}}, {}),
        ({"modelArchitecture": "Llama"}, {}),
        ({"modelParameterSize": "8B"}, {"modelSizeRange": {"min": "1B", "max": "7B"}}),
        ({}, {"disabled": True}),
    ],
)
def test_what_can_not_come_to_fit_is_not_waited_for(spec: JSONObject, of_runtime: Any) -> None:
    assert awaits(described(spec), runtime(item=_WANTED, **of_runtime), ()) == ""


def test_all_that_is_left_open_is_waited_for_at_once() -> None:
    assert awaits(described({}), runtime(item=_WANTED), ()) == "diffusionPipeline"
    assert awaits(described({}), runtime(item={**_WANTED, "diffusionPipeline": None}), ()) == "modelArchitecture"


@pytest.mark.parametrize(
    ("of_model", "of_runtime", "words"),
    [
        ({"modelArchitecture": "Llama"}, {}, "the model has modelArchitecture Llama, the runtime none"),
        ({"modelArchitecture": "Llama"}, {"modelArchitecture": "Qwen"}, "the model has modelArchitecture Llama, the runtime Qwen"),
        ({"modelArchitecture": ""}, {"modelArchitecture": "Qwen"}, "the model has modelArchitecture of no name, the runtime Qwen"),
        ({"modelFramework": {"name": "x"}}, {}, "the model has modelFramework x, the runtime none"),
        (
            {"diffusionPipeline": {"className": "Other", "vae": {"library": "own", "type": "Auto"}}},
            {"diffusionPipeline": _PIPELINE},
            (
                "the model has pipeline Other, the runtime Flux, the model has vae library own, the runtime diffusers, "
                "the model has no image, the runtime names one"
            ),
        ),
        (
            {"diffusionPipeline": {"vae": {}, "additionalComponents": {"image": {"type": "y"}}}},
            {"diffusionPipeline": _PIPELINE},
            (
                "the model has no pipeline, the runtime wants Flux, the model has no vae library, the runtime wants diffusers, "
                "the model has no vae type, the runtime wants Auto, the model has image type y, the runtime x"
            ),
        ),
    ],
)
def test_model_and_runtime_differ_in_words(of_model: Any, of_runtime: Any, words: str) -> None:
    asked = model(**of_model)
    assert why_not(asked, judged(asked, runtime(item=of_runtime), ()), ()) == words


def test_the_format_that_differs_least_is_named() -> None:
    items = [{"modelFormat": {"name": "onnx"}, "quantization": "fp8"}, {"modelFormat": _FORMAT, "quantization": "int4"}]
    found = judged(model(), runtime(supportedModelFormats=items), ())
    assert why_not(model(), found, ()) == "the model has no quantization, the runtime wants int4"


def test_a_runtime_must_list_every_class_that_is_demanded() -> None:
    one = runtime(acceleratorRequirements={"acceleratorClasses": ["a", "b"]})
    assert [fit(model(), one, demanded) for demanded in (("a",), ("b", "a"), ("a", "c"), ("",))] == [
        "fits",
        "fits",
        *["accelerator class"] * 2,
    ]
    assert why_not(model(), judged(model(), one, ("a", "c", "")), ("a", "c", "")) == """it doesn't list accelerator class c, \"\""""


@pytest.mark.parametrize(
    ("items", "score"),
    [
        ([{}], 1),
        ([{"priority": 3}], 3),
        ([{"modelFormat": {**_FORMAT, "weight": 4}, "priority": 3}], 12),
        ([{"modelFormat": {**_FORMAT, "weight": 0}, "priority": 2}], 20),
        ([{"modelFormat": {"name": "safetensors"}, "priority": 2}], 2),
        ([{"autoSelect": False, "priority": 9}, {"priority": 2}], 2),
        ([{"priority": 2}, {"autoSelect": None, "priority": 9}], 9),
        ([{"modelFormat": {"name": "onnx"}, "priority": 9}], 0),
    ],
)
def test_a_runtime_scores_by_its_best_format(items: list[JSONObject], score: int) -> None:
    written = [{"modelFormat": _FORMAT, "autoSelect": True, **item} for item in items]
    assert score_of(model(), runtime(supportedModelFormats=written)) == score


@pytest.mark.parametrize(("weight", "score"), [(2, 14), (0, 20)])
def test_a_framework_adds_its_weight(weight: int, score: int) -> None:
    framework = {"name": "transformers", "weight": weight}
    asked = model(modelFramework={"name": "transformers"})
    item = {"modelFormat": {**_FORMAT, "weight": 5}, "modelFramework": framework, "priority": 2}
    assert score_of(asked, runtime(item=item)) == score


def _reasons(*runtimes: Runtime, asked: Model | None = None) -> list[tuple[str, str]]:
    found: RuntimeSelection = select(asked or model(), runtimes, ())
    return [(candidate.runtime.name, found.reason(candidate)) for candidate in found.candidates]


def test_the_order_of_those_that_fit_and_why_the_others_come_after() -> None:
    near: dict[str, Any] = {"modelSizeRange": {"min": "7B", "max": "9B"}}
    far: dict[str, Any] = {"modelSizeRange": {"min": "6B", "max": "9B"}}
    assert _reasons(runtime("b", **near), runtime("c", **far), runtime("a", **far), runtime("d", item={"priority": 2})) == [
        ("d", ""),
        ("b", "d scores 2, this 1"),
        ("a", "d scores 2, this 1"),
        ("c", "d scores 2, this 1"),
    ]
    assert _reasons(runtime("c", **far), runtime("b", **near), runtime("a", **far)) == [
        ("b", ""),
        ("a", "b scores the same and has the nearer modelSizeRange"),
        ("c", "b scores the same and has the nearer modelSizeRange"),
    ]
    assert _reasons(runtime("b", **near), runtime("a", **near)) == [("a", ""), ("b", "a scores the same, and its name comes first")]
    assert _reasons(runtime("b", **near), runtime("x")) == [("x", ""), ("b", "x scores the same and has no modelSizeRange")]
    assert _reasons(runtime("a", item={"priority": 9}), runtime("z", "team-a")) == [
        ("z", ""),
        ("a", "z is of the namespace, and so comes first"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        (("7B", "9B"), ("8B", "11B"), "first"),
        (("8B", "11B"), ("6B", "9B"), "first"),
        (("5B", "9B"), ("8B", "11B"), "second"),
        (("1B", "8B"), ("8B", "16B"), "first"),
    ],
)
def test_the_distances_of_both_bounds_add_up(first: tuple[str, str], second: tuple[str, str], best: str) -> None:
    ranges = {"first": first, "second": second}
    made = [runtime(name, modelSizeRange={"min": low, "max": high}) for name, (low, high) in ranges.items()]
    chosen = select(model(), made, ()).chosen
    assert chosen is not None
    assert chosen.name == best


def test_a_broken_range_keeps_every_other_from_being_chosen() -> None:
    found = select(model(), [runtime("a"), runtime("b", modelSizeRange={"min": "1B"})], ())
    assert (found.chosen, [one.runtime.name for one in found.blocking]) == (None, ["b"])
    assert found.best is not None


def test_the_nearest_misses_fail_one_check_only() -> None:
    other = {"modelFormat": {"name": "onnx"}, "quantization": "fp8"}
    held = [
        runtime("much", item=other),
        runtime("none", supportedModelFormats=[]),
        runtime("small", modelSizeRange={"min": "1B", "max": "2B"}),
    ]
    held.append(runtime("little", item={"quantization": "fp8"}))
    found = select(model(), held, ())
    assert [one.runtime.name for one in nearest_misses(found, 4)] == ["small", "little", "much", "none"]
    assert [one.runtime.name for one in nearest_misses(found, 2)] == ["small", "little"]


def _class(name: str, memory: str, **more: Any) -> AcceleratorClass:
    return read_class({"metadata": {"name": name}, "spec": {"capabilities": {"memoryGB": memory, **more}}})


def test_what_falls_back_to_fp16_is_halved_and_still_compared() -> None:
    asked = {"preferredPrecisions": ["int4"], "minComputePerformanceTFLOPS": 1000}
    slow, fast = _class("a", "80Gi", performance={"fp16Tflops": 300}), _class("b", "80Gi", performance={"fp16Tflops": 400})
    assert chosen_by("BestFit", [slow, fast], asked) is fast


def test_memory_bandwidth_and_speed_are_weighed() -> None:
    one = _class("a", "100Gi", memoryBandwidthGBps="550", performance={"fp16Tflops": 500})
    other = _class("b", "95Gi", memoryBandwidthGBps="580", performance={"fp16Tflops": 590})
    fastest = _class("c", "10Gi", memoryBandwidthGBps="1000", performance={"fp16Tflops": 1000})
    assert chosen_by("MostCapable", [one, other, fastest], {}) is other


@pytest.mark.parametrize(
    ("constraints", "reason"),
    [
        ({"excludedClasses": ["h100"]}, "it is among excludedClasses"),
        ({"architectureFamilies": ["ampere", "ada"]}, "it is of none of architectureFamilies ampere, ada"),
        ({"architectureFamilies": ["Hopper"]}, ""),
        ({"architectureFamilies": ["nvidia-hopper"]}, ""),
        ({"architectureFamilies": ["amd-hopper"]}, "it is of none of architectureFamilies amd-hopper"),
        ({"requiredFeatures": ["NVLink", "mig", "x"]}, "it lacks mig, x"),
        ({"requiredFeatures": ["nvlink"]}, ""),
        ({"minArchitectureVersion": "9.0"}, ""),
        ({"minArchitectureVersion": "9.1"}, "its computeCapability 9.0 sorts before minArchitectureVersion 9.1"),
        ({"minMemory": 80, "maxMemory": 80}, ""),
    ],
)
def test_constraints_leave_a_class_out_in_words(constraints: JSONObject, reason: str) -> None:
    capabilities = {"memoryGB": "80Gi", "features": ["NVLINK"], "computeCapability": "9.0"}
    one = read_class({"metadata": {"name": "h100"}, "spec": {"vendor": "nvidia", "family": "hopper", "capabilities": capabilities}})
    assert excluded(one, constraints) == reason


_SIZES: JSONObject = {"tensorParallelismOverride": {"tensorParallelSize": 2, "pipelineParallelSize": 3}}


@pytest.mark.parametrize(
    ("args", "override", "expected"),
    [
        (["--x", "--tp", "8", "--pp=4"], _SIZES, ["--x", "--tp", "2", "--pp=3"]),
        (["8", "--tp"], _SIZES, ["8", "--tp"]),
        (["--tensor-parallel-size=8", "--tp", "9"], _SIZES, ["--tensor-parallel-size=8", "--tp", "2"]),
        (
            ["--a", "1", "--b", "--c=2", "d", "e"],
            {"runtimeArgsOverride": ["--b", "3", "--c", "4"]},
            ["--a", "1", "--b", "3", "--c", "4", "d", "e"],
        ),
        (["d", "e"], {"runtimeArgsOverride": ["d", "f", "--g"]}, ["d", "f", "--g"]),
        (["--a"], {"runtimeArgsOverride": ["--b", "-c", "1"]}, ["--a", "--b", "-c", "1"]),
        (["a \\\n--tp 8 \\\n--pp\t4"], _SIZES, ["a \\\n--tp=2 \\\n--pp=3"]),
        (["--a 1 \\\n\n--b 2"], {"runtimeArgsOverride": ["--b 3", "--c"]}, ["--a 1 \\\n--b 3 \\\n--c"]),
    ],
)
def test_a_class_sorts_out_the_arguments_by_their_flags(args: list[str], override: JSONObject, expected: list[str]) -> None:
    assert overridden({"args": args}, override)["args"] == expected


def test_sizes_are_looked_for_in_the_command_where_the_arguments_have_none() -> None:
    found = overridden({"args": ["--x"], "command": ["serve", "--tp", "8", "--pp=4"]}, _SIZES)
    assert found == {"args": ["--x"], "command": ["serve", "--tp", "2", "--pp=3"]}
    kept = {"args": ["--tp", "8"], "command": ["--tp", "8"]}
    assert overridden(kept, {"tensorParallelismOverride": {"tensorParallelSize": 2}}) == {"args": ["--tp", "2"], "command": ["--tp", "8"]}
    assert overridden({"args": ["--tp", "8"]}, {"tensorParallelismOverride": {"tensorParallelSize": 0}}) == {"args": ["--tp", "8"]}
    assert overridden({}, _SIZES) == {}


def test_a_variable_gets_its_value_in_its_place_or_at_the_end() -> None:
    env = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    assert with_variable(env, "A", "3") == [{"name": "A", "value": "3"}, {"name": "B", "value": "2"}]
    assert with_variable(env, "C", "3") == [*env, {"name": "C", "value": "3"}]
