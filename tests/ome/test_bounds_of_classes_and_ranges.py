"""The bounds at which a class is excluded, and how far a runtime's range of sizes is from a model's size."""

from __future__ import annotations

import pytest

from weighbridge.policies.families.ome.subject.accelerator_choice import excluded
from weighbridge.policies.families.ome.subject.accelerators import read_class
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import FITS, RuntimeCandidate, judged, select
from weighbridge.policies.ground.objects import JSONObject


@pytest.mark.parametrize(
    ("memory", "constraints", "reason"),
    [
        ("80Gi", {"minMemory": 80}, ""),
        ("80Gi", {"minMemory": 81}, "it has 80Gi of memory, less than minMemory 81"),
        ("80Gi", {"maxMemory": 79}, "it has 80Gi of memory, more than maxMemory 79"),
        ("81919Mi", {"minMemory": 80}, "it has 79Gi of memory, less than minMemory 80"),
        (None, {"minMemory": 1, "maxMemory": 2}, "it has no memoryGB to compare with minMemory"),
        (None, {"maxMemory": 2}, "it has no memoryGB to compare with maxMemory"),
        (None, {}, ""),
        (None, {"minArchitectureVersion": "8.0"}, "it has no computeCapability to compare with minArchitectureVersion 8.0"),
        (None, {"minArchitectureVersion": ""}, "it has no computeCapability to compare with minArchitectureVersion of no text"),
    ],
)
def test_memory_and_architecture_are_compared_at_their_bounds(memory: str | None, constraints: JSONObject, reason: str) -> None:
    assert excluded(read_class({"metadata": {"name": "a"}, "spec": {"capabilities": {"memoryGB": memory}}}), constraints) == reason


def _sized(name: str, low: str, high: str) -> Runtime:
    item = {"modelFormat": {"name": "st"}, "autoSelect": True}
    return read_runtime(
        {"metadata": {"name": name}, "spec": {"supportedModelFormats": [item], "modelSizeRange": {"min": low, "max": high}}}
    )


def test_a_range_that_is_the_model_s_size_is_as_near_as_none() -> None:
    model = read_model(
        {"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": {"modelFormat": {"name": "st"}, "modelParameterSize": "8B"}}
    )
    exact, wide = _sized("a", "8B", "8B"), _sized("c", "7B", "11B")
    assert judged(model, exact, ()) == RuntimeCandidate(exact, FITS, 1, 0.0)
    assert judged(model, wide, ()) == RuntimeCandidate(wide, FITS, 1, 4e9)
    item = {"modelFormat": {"name": "st"}, "autoSelect": True}
    found = select(model, [read_runtime({"metadata": {"name": "b"}, "spec": {"supportedModelFormats": [item]}}), exact, wide], ())
    assert [one.runtime.name for one in found.candidates] == ["a", "b", "c"]
