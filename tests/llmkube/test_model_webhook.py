"""LLMKube's own webhook for Models: the accelerator that it fills in, and Go's words for what it can't read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.go_structs import GoType, Slice, Struct
from tests.llmkube.upstream_model_webhook import _SPEC, defaulted_model, model_refusal
from weighbridge.policies.families.llmkube.versions import MODEL
from weighbridge.webhook.inputs.facts import bundled_definitions

DENIED = 'admission webhook "mmodel.inference.llmkube.dev" denied the request: json: cannot unmarshal '


def model(**hardware: Any) -> dict[str, Any]:
    return {"kind": "Model", "spec": {"source": "hf://org/model", "hardware": hardware}}


@pytest.mark.parametrize("runtime", ["vulkan", "rocm"])
@pytest.mark.parametrize("before", [{}, {"accelerator": "cpu"}, {"accelerator": ""}])
def test_an_enabled_gpu_gets_the_accelerator_of_its_runtime(runtime: str, before: dict[str, str]) -> None:
    given = model(gpu={"enabled": True, "runtime": runtime, "vendor": "nvidia"}, **before)
    after = defaulted_model(given)
    assert after == model(gpu={"enabled": True, "runtime": runtime, "vendor": "nvidia"}, accelerator=runtime)
    assert given["spec"]["hardware"].get("accelerator", "") in {"", "cpu"}
    assert defaulted_model(after) is after


@pytest.mark.parametrize(
    "given",
    [
        model(accelerator="cuda", gpu={"enabled": True, "runtime": "vulkan"}),
        model(accelerator="cpu", gpu={"runtime": "vulkan", "count": 1}),
        model(accelerator="cpu", gpu={"enabled": True}),
        model(accelerator="cpu"),
        {"kind": "Model", "spec": {"source": "hf://org/model"}},
        {"kind": "Model"},
    ],
)
def test_anything_else_stays_as_it_is(given: dict[str, Any]) -> None:
    assert defaulted_model(given) is given


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"source": 5}, "number into Go struct field ModelSpec.spec.source of type string"),
        ({"source": "a", "hardware": []}, "array into Go struct field ModelSpec.spec.hardware of type v1alpha1.HardwareSpec"),
        ({"files": "a"}, "string into Go struct field ModelSpec.spec.files of type []string"),
        ({"files": ["a", True]}, "bool into Go struct field ModelSpec.spec.files of type string"),
        ({"prefetch": {}}, "object into Go struct field ModelSpec.spec.prefetch of type bool"),
        ({"hardware": {"gpu": {"count": 1.5}}}, "number 1.5 into Go struct field GPUSpec.spec.hardware.gpu.count of type int32"),
        ({"hardware": {"gpu": {"count": 1 << 31}}}, "number 2147483648 into Go struct field GPUSpec.spec.hardware.gpu.count of type int32"),
        ({"prefetchTolerations": {}}, "object into Go struct field ModelSpec.spec.prefetchTolerations of type []v1.Toleration"),
        (
            {"prefetchTolerations": [{"tolerationSeconds": "5"}]},
            "string into Go struct field Toleration.spec.prefetchTolerations.tolerationSeconds of type int64",
        ),
        # If there are several, the first by name counts, since the API server writes them in that order.
        ({"source": 5, "format": 6}, "number into Go struct field ModelSpec.spec.format of type string"),
    ],
)
def test_what_does_not_fit_is_refused_in_the_words_of_go(spec: dict[str, Any], words: str) -> None:
    refusal = model_refusal({"kind": "Model", "spec": spec})
    assert refusal is not None
    assert (refusal.code, refusal.message, list(refusal.causes)) == (400, DENIED + words, [])


@pytest.mark.parametrize(
    "spec", [{}, {"source": None}, {"hardware": {"gpu": {"count": 8.0}, "memoryFraction": 1}}, {"of": "elsewhere"}, {"files": [None]}]
)
def test_what_fits_passes(spec: dict[str, Any]) -> None:
    assert model_refusal({"kind": "Model", "spec": spec}) is None


def test_the_types_are_those_of_the_crd() -> None:
    definition = bundled_definitions().get(MODEL)
    assert definition is not None
    assert as_type(definition.openapi_schema["properties"]["spec"]) == unnamed(_SPEC)


def as_type(schema: Any) -> Any:
    """The Go type that a schema was generated from, without the names of structs."""
    if schema["type"] == "object":
        return {key: as_type(inner) for key, inner in schema["properties"].items()}
    if schema["type"] == "array":
        return [as_type(schema["items"])]
    return {"boolean": "bool", "number": "float64"}.get(schema["type"]) or schema.get("format", schema["type"])


def unnamed(wanted: GoType) -> Any:
    if isinstance(wanted, Struct):
        return {key: unnamed(inner) for key, inner in wanted.fields.items()}
    return [unnamed(wanted.of)] if isinstance(wanted, Slice) else wanted
