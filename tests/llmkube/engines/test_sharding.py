"""The arguments that spread a model over GPUs in llama.cpp."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.engines.services import CONTAINER, SEED, after, args, launched, model, service
from weighbridge.policies.families.llmkube.predictions.engines.llamacpp_split import layer_shares, layer_width, split_mode


@pytest.mark.parametrize(
    ("entry", "width"),
    [
        ("0-24", 25),
        ("25-39", 15),
        ("7-7", 1),
        (" 0 - 15 ", 16),
        ("+1-+2", 2),
        ("5-4", None),
        ("-1-5", None),
        ("0--5", None),
        ("0-5-9", None),
        ("3", None),
        ("", None),
        ("a-b", None),
        ("1_0-20", None),
        ("0-99999999999999999999", None),
        ("٣-٥", None),
        (7, None),
        (None, None),
    ],
)
def test_a_range_of_layers_has_a_width_or_is_none(entry: Any, width: int | None) -> None:
    assert layer_width(entry) == width


@pytest.mark.parametrize(
    ("split", "count", "shares"),
    [
        (["0-24", "25-39"], 2, (5, 3)),
        (["0-15", "16-31"], 2, (1, 1)),
        (["0-9", "10-29", "30-49"], 3, (1, 2, 2)),
        (["0-0", "1-6", "7-9"], 3, (1, 6, 3)),
        (["0-24", "25-39"], 3, None),
        (["0-24", "nonsense"], 2, None),
        (["0-24"], 2, None),
        ([], 2, None),
        ("0-24", 2, None),
        (None, 2, None),
    ],
)
def test_shares_are_reduced_widths_where_there_is_a_range_for_each_gpu(split: Any, count: int, shares: tuple[int, ...] | None) -> None:
    assert layer_shares(split, count) == shares


@pytest.mark.parametrize(
    ("strategy", "mode"),
    [("", "layer"), ("layer", "layer"), ("pipeline", "layer"), ("new", "layer"), ("row", "row"), ("tensor", "row"), ("none", "none")],
)
def test_a_strategy_has_a_split_mode(strategy: str, mode: str) -> None:
    assert split_mode(strategy) == mode


@pytest.mark.parametrize(("layers", "told"), [(20, "20"), (1, "1"), (0, "99"), (-1, "99"), (None, "99")])
def test_layers_are_all_unless_a_number_is_given(layers: int | None, told: str) -> None:
    gpu = {"count": 1} if layers is None else {"count": 1, "layers": layers}
    assert after(args(service(), model(gpu)), "--n-gpu-layers") == told


def test_without_gpus_nothing_is_said_of_them() -> None:
    for gpu in (None, {}, {"count": 0, "layers": 20, "enabled": True}):
        found = args(service(), model(gpu))
        assert not {"--n-gpu-layers", "--split-mode", "--tensor-split"} & set(found)


def test_one_gpu_is_not_split() -> None:
    found = args(service(), model({"count": 1, "sharding": {"strategy": "row", "layerSplit": ["0-9"]}}))
    assert "--split-mode" not in found
    assert "--tensor-split" not in found


def test_claims_put_layers_on_a_gpu_without_splitting() -> None:
    found = launched(service(flashAttention=True), model({"resourceClaims": [{"name": "a"}, {"name": "b"}]}))
    assert after(list(found.args), "--n-gpu-layers") == "99"
    assert "--split-mode" not in found.args
    assert after(list(found.args), "--flash-attn") == "on"
    reason = next(value.reason for value in found.values if value.field == f"{CONTAINER}.args[--n-gpu-layers]")
    assert reason == "all layers: the pod has GPUs by Model m spec.hardware.gpu.resourceClaims"


def test_strategy_none_gives_no_shares() -> None:
    found = args(service(), model({"count": 2, "sharding": {"strategy": "none", "layerSplit": ["0-9", "10-19"]}}))
    assert after(found, "--split-mode") == "none"
    assert "--tensor-split" not in found


def test_a_count_of_the_service_is_split_where_the_model_has_none() -> None:
    found = launched(service(resources={"gpu": 3}), model({"count": 0}))
    assert after(list(found.args), "--tensor-split") == "1,1,1"
    share = next(value for value in found.values if value.field == f"{CONTAINER}.args[--tensor-split]")
    assert share.source == "InferenceService svc spec.resources.gpu"
    assert share.reason == "evenly: no layerSplit is given"


def test_an_unused_split_of_layers_is_told_as_the_reason() -> None:
    found = launched(service(), model({"count": 3, "sharding": {"layerSplit": ["0-9", "10-19"]}}))
    share = next(value for value in found.values if value.field == f"{CONTAINER}.args[--tensor-split]")
    assert (share.value, share.reason) == ("1,1,1", "evenly: layerSplit isn't one range for each GPU")


@pytest.mark.parametrize(("wanted", "count", "told"), [(True, 1, True), (True, 0, False), (False, 1, False), (False, 0, False)])
def test_flash_attention_needs_to_be_wanted_and_a_gpu(wanted: bool, count: int, told: bool) -> None:
    for operator in (None, SEED):
        on = model({"count": count})
        found = args(service(flashAttention=wanted), on) if operator is None else args(service(flashAttention=wanted), on, operator)
        assert ("--flash-attn" in found) is told
