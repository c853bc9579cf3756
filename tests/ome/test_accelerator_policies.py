"""Which of two classes each policy chooses, by upstream's arithmetic, and which classes constraints exclude."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.subject.accelerator_choice import excluded
from weighbridge.policies.families.ome.subject.accelerator_policies import chosen_by
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class


def _class(name: str, memory: str | None = "80Gi", **spec: Any) -> AcceleratorClass:
    capabilities = {**({"memoryGB": memory} if memory is not None else {}), **spec.pop("capabilities", {})}
    if spec.get("performance"):
        capabilities["performance"] = spec.pop("performance")
    return read_class({"metadata": {"name": name}, "spec": {"capabilities": capabilities, **spec}})


def _pair(first: dict[str, Any], second: dict[str, Any]) -> list[AcceleratorClass]:
    return [_class("a", **first), _class("b", **second)]


def _speeds(**figures: int) -> dict[str, Any]:
    return {"performance": figures}


@pytest.mark.parametrize(
    ("constraints", "first", "second", "expected"),
    [
        ({"minComputePerformanceTFLOPS": 1000}, _speeds(fp16Tflops=400), _speeds(fp16Tflops=300, int8Tops=1200), "b"),
        ({}, {}, _speeds(fp16Tflops=300), "b"),
        ({"preferredPrecisions": ["fp8", "fp16"]}, _speeds(fp16Tflops=300), _speeds(fp16Tflops=300, int8Tops=600), "b"),
        (
            {"minComputePerformanceTFLOPS": 300, "preferredPrecisions": ["fp8", "fp16"]},
            _speeds(fp16Tflops=1000),
            _speeds(fp16Tflops=1, int8Tops=290),
            "b",
        ),
        (
            {"minComputePerformanceTFLOPS": 300, "preferredPrecisions": ["bf16", "int8"]},
            _speeds(fp16Tflops=300, int8Tops=150),
            _speeds(fp16Tflops=100, int8Tops=300),
            "b",
        ),
        ({"minMemory": 40}, {"memory": "41943Mi", **_speeds(fp16Tflops=300)}, {"memory": "40Gi", **_speeds(fp16Tflops=300)}, "b"),
        ({"minMemory": 40}, {"memory": "80Gi"}, {"memory": "40Gi"}, "b"),
        ({"preferredPrecisions": ["int4"]}, {}, _speeds(fp16Tflops=10), "b"),
        ({}, _speeds(fp32Tflops=1), _speeds(fp32Tflops=9), "a"),
    ],
    ids=[
        "the largest figure counts without a preferred precision",
        "a class without figures gets nothing",
        "a precision that it lacks costs without a wanted speed, too",
        "more speed than is wanted is worth no more, before the loss for the precision",
        "an unknown precision is one that each lacks",
        "a fraction of a gibibyte counts",
        "the smaller memory fits better",
        "fp16 counts where none of the preferred is there",
        "of equals the first",
    ],
)
def test_best_fit(constraints: dict[str, Any], first: dict[str, Any], second: dict[str, Any], expected: str) -> None:
    chosen = chosen_by("BestFit", _pair(first, second), constraints)
    assert chosen is not None
    assert chosen.name == expected


def _cost(**cost: str) -> dict[str, Any]:
    return {"cost": cost}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({}, {}, None),
        ({}, _cost(tier="high"), "b"),
        (_cost(tier="exotic"), _cost(tier="LOW"), "b"),
        (_cost(tier="exotic"), _cost(tier="medium"), "a"),
        (_cost(tier="low"), _cost(perMillionTokens="9"), "b"),
        (_cost(perMillionTokens="1"), _cost(perHour="9"), "b"),
        (_cost(spotPerHour="3", perHour="1"), _cost(perHour="2"), "b"),
        (_cost(perHour="2"), _cost(perHour="2000m"), "a"),
        (_cost(perHour="0.30000000000000000001"), _cost(perHour="0.3"), "b"),
    ],
)
def test_cheapest(first: dict[str, Any], second: dict[str, Any], expected: str | None) -> None:
    chosen = chosen_by("Cheapest", _pair(first, second), {})
    assert (chosen.name if chosen is not None else None) == expected


@pytest.mark.parametrize(
    ("constraints", "first", "second", "expected"),
    [
        ({"preferredPrecisions": ["int8"]}, _speeds(fp16Tflops=400, int8Tops=400), _speeds(fp16Tflops=300, int8Tops=1200), "b"),
        ({"preferredPrecisions": ["int4", "INT8"]}, _speeds(fp16Tflops=400, int8Tops=400), _speeds(int8Tops=1200), "b"),
        ({"preferredPrecisions": ["int4"]}, _speeds(fp16Tflops=300), _speeds(fp16Tflops=900), "a"),
        ({}, {"memory": "80Gi"}, {"memory": "82431Mi"}, "b"),
        ({}, {"memory": "40"}, {"memory": "80"}, "b"),
        ({}, {"capabilities": {"memoryBandwidthGBps": "1555.2"}}, {"capabilities": {"memoryBandwidthGBps": "1556"}}, "a"),
        ({}, {}, _speeds(fp16Tflops=1), "b"),
    ],
)
def test_most_capable(constraints: dict[str, Any], first: dict[str, Any], second: dict[str, Any], expected: str) -> None:
    chosen = chosen_by("MostCapable", _pair(first, second), constraints)
    assert chosen is not None
    assert chosen.name == expected


@pytest.mark.parametrize("policy", ["BestFit", "Cheapest", "MostCapable", "FirstAvailable"])
def test_a_single_class_is_chosen_by_each_policy(policy: str) -> None:
    only = _class("a", memory=None)
    assert chosen_by(policy, [only], {}) is only


def test_an_unknown_policy_chooses_none() -> None:
    assert chosen_by("Nearest", [_class("a")], {}) is None


@pytest.mark.parametrize(
    ("constraints", "spec", "reason"),
    [
        ({"maxMemory": 100}, {"memory": None}, "it has no memoryGB to compare with maxMemory"),
        ({"minMemory": 0}, {"memory": None}, "it has no memoryGB to compare with minMemory"),
        ({"minMemory": 81}, {}, "it has 80Gi of memory, less than minMemory 81"),
        ({"maxMemory": 79}, {}, "it has 80Gi of memory, more than maxMemory 79"),
        ({"minArchitectureVersion": ""}, {}, "it has no computeCapability to compare with minArchitectureVersion of no text"),
        (
            {"minArchitectureVersion": "9.0"},
            {"capabilities": {"computeCapability": "10.0"}},
            "its computeCapability 10.0 sorts before minArchitectureVersion 9.0",
        ),
        ({"minArchitectureVersion": "", "maxMemory": 80}, {"capabilities": {"computeCapability": "7.5"}}, ""),
    ],
)
def test_what_constraints_leave_out(constraints: dict[str, Any], spec: dict[str, Any], reason: str) -> None:
    assert excluded(_class("a", **spec), constraints) == reason
