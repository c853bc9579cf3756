"""OME's selection of a runtime, written from upstream's tables, without regard for speed or messages.

Specs come with the CRD's defaults. Sources: OME v0.1.5, pkg/runtimeselector/{matcher,scorer,selector}.go and pkg/modelver/util.go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from weighbridge.policies.ground.objects import JSONObject

#: The result, instead of a name, if the selection panics.
PANIC = "panic"
_THIRD = re.compile(r"(0|[1-9][0-9]*)((?:\.[^-+]*)?)((?:-[^+]*)?)((?:\+.*)?)", re.DOTALL)
_UNITS = {"T": 10**12, "B": 10**9, "M": 10**6}


def selected(model: JSONObject, runtimes: Sequence[JSONObject], demanded: Sequence[str] = ()) -> str | None:
    """The name of the selected runtime, `None` if there is none, PANIC if OME panics."""
    offers = []
    for runtime in runtimes:
        spec = runtime["spec"]
        if spec.get("disabled"):
            continue
        if not set(demanded) <= set(spec.get("acceleratorRequirements", {}).get("acceleratorClasses", [])):
            continue
        formats = spec["supportedModelFormats"]
        if not any(fits(model, item) for item in formats):
            continue
        size, sizes = model.get("modelParameterSize"), spec.get("modelSizeRange")
        if size is not None and sizes is not None:
            if "min" not in sizes or "max" not in sizes:
                return PANIC
            if parameters(size) < parameters(sizes["min"]) or parameters(size) > parameters(sizes["max"]):
                continue
        score = max([points(model, item) for item in formats], default=0)
        if not any(item.get("autoSelect") is True for item in formats) or score <= 0:
            continue
        distance = 0.0
        if size is not None and sizes is not None:
            distance = abs(parameters(sizes["min"]) - parameters(size)) + abs(parameters(sizes["max"]) - parameters(size))
        of_cluster = runtime["kind"] == "ClusterServingRuntime"
        offers.append((of_cluster, -score, distance, runtime["metadata"]["name"]))
    return min(offers)[3] if offers else None


def fits(model: JSONObject, item: JSONObject) -> bool:
    """Whether one item of a runtime's supported formats fits the model."""
    for field in ("modelArchitecture", "quantization"):
        if model.get(field) != item.get(field):
            return False
    for field in ("modelFormat", "modelFramework"):
        of_model: Any = model.get(field)
        of_runtime: Any = item.get(field)
        if (of_model is None) != (of_runtime is None):
            return False
        if of_model is None:
            continue
        if of_model["name"] != of_runtime["name"] or ("version" in of_model) != ("version" in of_runtime):
            return False
        if "version" in of_model and not agree(of_runtime["version"], of_model["version"], of_runtime["operator"]):
            return False
    return True


def points(model: JSONObject, item: JSONObject) -> int:
    """The score of one item."""
    if item.get("autoSelect") is False:
        return 0
    total = 0
    for field, otherwise in (("modelFormat", 10), ("modelFramework", 5)):
        of_model: Any = model.get(field)
        of_runtime: Any = item.get(field)
        if (of_model is None) != (of_runtime is None):
            return 0
        if of_model is None:
            continue
        if of_model["name"] != of_runtime["name"]:
            return 0
        both = "version" in of_model and "version" in of_runtime
        if both and not agree(of_runtime["version"], of_model["version"], of_runtime["operator"]):
            return 0
        total += of_runtime["weight"] or otherwise
    return total * int(item.get("priority", 1))


def agree(of_runtime: str, of_model: str, operator: str) -> bool:
    """Whether two versions match: they are equal, or the runtime's is the upper bound."""
    ours, theirs = version(of_runtime), version(of_model)
    if ours is None or theirs is None:
        return False
    (numbers, tails, shape), (others, other_tails, other_shape) = ours, theirs
    if operator == "Equal" or any(tails) or any(other_tails):
        return bool(numbers == others and tails == other_tails)
    if shape != other_shape:
        return False
    if operator == "GreaterThan":
        return bool(numbers > others)
    return bool(numbers >= others if operator == "GreaterThanOrEqual" else numbers == others)


def version(text: str) -> Any:
    """A version's numbers, its suffixes, and its text; `None` if it can't be read."""
    body = text.removeprefix("v")
    parts = body.split(".", 2)
    tails: tuple[str, ...] = ()
    if len(parts) == 3:
        third = _THIRD.fullmatch(parts[2])
        if third is None:
            return None
        parts[2], tails = third[1], tuple(third.groups()[1:])
    if not all(re.fullmatch("0|[1-9][0-9]*", part) for part in parts):
        return None
    numbers = [int(part) for part in parts]
    return numbers + [0] * (3 - len(numbers)), tails, (len(parts), text != body)


def parameters(text: str) -> float:
    """A number of parameters; 0 if the text isn't one."""
    unit = _UNITS.get(text[-1:], 1)
    try:
        return float(text[:-1] if unit != 1 else text) * unit
    except ValueError:
        return 0
