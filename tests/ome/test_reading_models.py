"""How OME reads versions, sizes, pipelines and formats in unusual forms."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.model_versions import matches, parse
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import format_for
from weighbridge.policies.families.ome.subject.selection.compatibility import fits_item
from weighbridge.policies.families.ome.subject.sizes import parse_size, size_or_zero

_FORMAT = {"name": "safetensors"}
_PIPELINE: dict[str, Any] = {"className": "Flux", "vae": {"library": "diffusers", "type": "AutoencoderKL"}}


@pytest.mark.parametrize("text", ["1.0.0.", "1.0.0-", "1.0.0+", "1.0.0-a..b", "1.0.0-a.+b", "9" * 5000, "1.0." + "9" * 21])
def test_a_version_that_ome_cannot_read_matches_nothing(text: str) -> None:
    assert parse(text) is None
    assert not matches(text, text, "Equal")


@pytest.mark.parametrize("text", ["1.0.0-a.b", "1.0.0+a.b", "1.0.0.dev0", "1.0.0.a-b+c", "18446744073709551615.0.0"])
def test_a_version_with_a_tail_equals_itself(text: str) -> None:
    assert matches(text, text, "GreaterThan") is parse(text).has_tail  # type: ignore[union-attr]
    assert matches(text, text, "Equal")


@pytest.mark.parametrize("text", ["\u0130nf", "\u0130nfB", "\u0661B"])
def test_letters_and_digits_beyond_ascii_are_no_size(text: str) -> None:
    assert parse_size(text) is None
    assert size_or_zero(text) == 0


def _model(**spec: Any) -> Model:
    return read_model({"kind": "ClusterBaseModel", "metadata": {"name": "m"}, "spec": {"modelFormat": _FORMAT, **spec}})


def _runtime(*items: dict[str, Any]) -> Runtime:
    formats = [{"modelFormat": _FORMAT, "autoSelect": True, **item} for item in items]
    return read_runtime({"kind": "ClusterServingRuntime", "metadata": {"name": "r"}, "spec": {"supportedModelFormats": formats}})


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({}, True),
        (_PIPELINE, True),
        ({"vae": {}}, True),
        ({"vae": {"library": "diffusers"}}, True),
        ({"vae": {"library": "other"}}, False),
        ({"className": ""}, False),
        ({"scheduler": {}}, False),
        ({"additionalComponents": {"image": {}}}, True),
        ({"additionalComponents": {"safety": {}}}, False),
    ],
)
def test_a_pipeline_fits_where_the_model_has_what_the_runtime_names(wanted: dict[str, Any], fits: bool) -> None:
    model = _model(diffusionPipeline={**_PIPELINE, "additionalComponents": {"image": {"library": "x"}}})
    (item,) = _runtime({"diffusionPipeline": wanted}).supported
    assert fits_item(model, item) is fits


@pytest.mark.parametrize(
    ("items", "is_auto", "index"),
    [
        ([{"priority": 1}, {"priority": 3}], True, 0),
        ([{"priority": 1}, {"modelFormat": {"name": "safetensors", "weight": 7}}], True, 1),
        ([{"autoSelect": None}, {}], True, 1),
        ([{"autoSelect": False}, {}], False, 0),
        ([{"modelFormat": {"name": "safetensors", "weight": -5}}], False, None),
        ([{"modelFormat": {"name": "onnx"}}], False, None),
    ],
)
def test_the_format_whose_overrides_apply(items: list[dict[str, Any]], is_auto: bool, index: int | None) -> None:
    """It is the first of those with the greatest weight, whatever its priority."""
    found = format_for(_model(), _runtime(*items), is_auto=is_auto)
    assert (found.index if found is not None else None) == index
