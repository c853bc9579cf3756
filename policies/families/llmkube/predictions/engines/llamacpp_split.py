"""How llama.cpp spreads a model over GPUs: layers on the GPU, the way of splitting, and each GPU's share.

`layerSplit` counts only where it has one entry per GPU and each reads ``start-end``; the shares are the widths of the ranges, divided by
their greatest common divisor. Otherwise the operator silently splits evenly. Source: LLMKube v0.9.19, internal/controller/gpu_sharding.go.
"""

from __future__ import annotations

import math
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: No stored object requests more GPUs than this, but an object from a file may.
_MOST_GPUS: Final = 8
#: More layers than any model has, which means all of them.
ALL_LAYERS: Final = 99
_MODES: Final = {"tensor": "row", "row": "row", "none": "none"}
_NUMBER: Final = expression(r"\s*(\+?[0-9]+)\s*")
_LARGEST: Final = 2**63 - 1


def sharding(plan: ContainerPlan) -> None:
    """Add the flags that assign layers to the GPUs; none if the pod has no GPU."""
    setup = plan.setup
    if not setup.gpus.present:
        return
    gpu = part(setup.model_spec, "hardware", "gpu")
    layers = whole(gpu, "layers")
    if layers > 0:
        plan.flag("--n-gpu-layers", str(layers), source=setup.of_model("hardware.gpu.layers"))
    elif "layers" in gpu:
        reason = f"all layers: {layers} doesn't say how many"
        plan.flag("--n-gpu-layers", str(ALL_LAYERS), source=setup.of_model("hardware.gpu.layers"), reason=reason)
    else:
        plan.fixed("--n-gpu-layers", str(ALL_LAYERS), reason=f"all layers: the pod has GPUs by {setup.of_count}")
    if setup.gpus.count > 1:
        _split(plan, part(gpu, "sharding"))


def _split(plan: ContainerPlan, block: JSONObject) -> None:
    setup, strategy = plan.setup, text(block, "strategy")
    mode = split_mode(strategy)
    if strategy:
        source, reason = setup.of_model("hardware.gpu.sharding.strategy"), f"strategy {strategy}"
    else:
        source, reason = setup.of_count, "by layer: no strategy is given"
    plan.flag("--split-mode", mode, source=source, reason=reason)
    if mode == "none":
        return
    shares = layer_shares(block.get("layerSplit"), setup.gpus.count)
    if shares is not None:
        source, reason = setup.of_model("hardware.gpu.sharding.layerSplit"), "the widths of its ranges, reduced"
    else:
        unused = bool(block.get("layerSplit"))
        shares = (1,) * min(setup.gpus.count, _MOST_GPUS)
        source, reason = setup.of_count, "evenly: layerSplit isn't one range for each GPU" if unused else "evenly: no layerSplit is given"
    plan.flag("--tensor-split", ",".join(map(str, shares)), source=source, reason=reason)


def split_mode(strategy: str) -> str:
    """The ``--split-mode`` of a sharding strategy; one that llama.cpp doesn't know, such as ``pipeline``, means a split by layer."""
    return _MODES.get(strategy, "layer")


def layer_shares(split: JSONValue, count: int) -> tuple[int, ...] | None:
    """The shares of the GPUs by `layerSplit`; `None` if it isn't used, because it doesn't have one range for each of `count` GPUs."""
    if not isinstance(split, list) or not split or len(split) != count:
        return None
    widths = [layer_width(entry) for entry in split]
    if None in widths:
        return None
    found = [width for width in widths if width is not None]
    common = math.gcd(*found)
    return tuple(width // common for width in found)


def layer_width(entry: JSONValue) -> int | None:
    """How many layers a range ``start-end`` names; `None` if it is none."""
    start, dash, end = entry.partition("-") if isinstance(entry, str) else ("", "", "")
    first, last = _layer(start), _layer(end)
    if not dash or first is None or last is None or first > last:
        return None
    return last - first + 1


def _layer(written: str) -> int | None:
    found = _NUMBER.fullmatch(written)
    layer = int(found[1]) if found is not None and len(found[1]) < 24 else None
    return layer if layer is not None and layer <= _LARGEST else None
