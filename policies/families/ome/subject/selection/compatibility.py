"""Whether a runtime fits a model, and how they differ if it doesn't.

Architecture and quantization must be equal; a field that only one of the two has is a difference too. The names of format and framework
must be equal, and their versions must match. A pipeline counts only if the runtime requires one. Protocols and capabilities aren't
compared.

Sources: OME v0.1.5, pkg/runtimeselector/matcher.go; pkg/controller/v1beta1/basemodel/controller.go, updateSpecWithConfig.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.ome.subject.formats import ModelFormat
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.model_versions import matches
from weighbridge.policies.families.ome.subject.runtime import Runtime, Supported
from weighbridge.policies.families.ome.subject.sizes import size_or_zero
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_COMPONENTS: Final = ("scheduler", "textEncoder", "tokenizer", "transformer", "vae")


def fits_item(model: Model, item: Supported) -> bool:
    """Whether one supported format fits."""
    if item.key != model.key or not _versions_match(model.format, item.format) or not _versions_match(model.framework, item.framework):
        return False
    return item.pipeline is None or not any(_pipeline_differences(model.pipeline, item.pipeline))


def formats_match(model: Model, item: Supported) -> bool:
    """Whether format and framework match for the score: by their names, and by their versions if both have one."""
    if item.key[2:] != model.key[2:]:
        return False
    return _versions_agree(model.format, item.format) and _versions_agree(model.framework, item.framework)


def is_out_of_range(model: Model, runtime: Runtime) -> bool:
    """Whether the model's size is known and outside of the runtime's range."""
    sizes = runtime.sizes
    if model.size is None or sizes is None or sizes.low is None or sizes.high is None:
        return False
    size = size_or_zero(model.size)
    return size < size_or_zero(sizes.low) or size > size_or_zero(sizes.high)


def differences(model: Model, item: Supported) -> Iterator[str]:
    """How a supported format differs from the model."""
    return (words for _, words in _differences(model, item))


def awaited(model: Model, item: Supported) -> str:
    """The first field that OME has to fill in from the model's files before the format can fit; empty if it fits, or never will.

    The agent fills in fields that are missing as a whole, and the controller also the version of a format that has a name.
    """
    if not model.awaits_agent:
        return ""
    lacks_version = _lacks_version(model.format, item.format)
    open_fields = {
        "diffusionPipeline": model.pipeline is None,
        "modelArchitecture": model.architecture is None,
        "quantization": model.quantization is None,
        "modelFormat": not model.format_name or lacks_version,
        "modelFramework": model.framework is None,
    }
    fields = [name for name, _ in _differences(model, item)]
    if not fields or not all(open_fields[name] for name in fields):
        return ""
    return "modelFormat.version" if fields[0] == "modelFormat" and lacks_version else fields[0]


def _lacks_version(of_model: ModelFormat | None, of_runtime: ModelFormat | None) -> bool:
    """Whether the model's format differs from the runtime's in that it leaves its version open."""
    if of_model is None or of_runtime is None or of_model.name != of_runtime.name:
        return False
    return of_model.version is None and of_runtime.version is not None


def _differences(model: Model, item: Supported) -> Iterator[tuple[str, str]]:
    """Each difference, with the field of the model in which it is."""
    found = {
        "modelArchitecture": _text_difference("modelArchitecture", model.architecture, item.architecture),
        "quantization": _text_difference("quantization", model.quantization, item.quantization),
        "modelFormat": _format_differences("modelFormat", model.format, item.format),
        "modelFramework": _format_differences("modelFramework", model.framework, item.framework),
    }
    if item.pipeline is not None:
        found = {"diffusionPipeline": _pipeline_differences(model.pipeline, item.pipeline), **found}
    for name, all_words in found.items():
        yield from ((name, words) for words in all_words)


def _text_difference(field: str, of_model: str | None, of_runtime: str | None) -> Iterator[str]:
    if of_model != of_runtime:
        yield _difference(field, of_model, of_runtime)


def _difference(field: str, of_model: str | None, of_runtime: str | None) -> str:
    if of_model is None:
        return f"the model has no {field}, the runtime wants {of_runtime}"
    if of_runtime is None:
        return f"the model has {field} {of_model}, the runtime none"
    return f"the model has {field} {of_model or 'of no name'}, the runtime {of_runtime or 'of no name'}"


def _format_differences(field: str, of_model: ModelFormat | None, of_runtime: ModelFormat | None) -> Iterator[str]:
    if of_model is None or of_runtime is None:
        names = (found.name if found is not None else None for found in (of_model, of_runtime))
        yield from _text_difference(field, *names)
        return
    yield from _text_difference(field, of_model.name, of_runtime.name)
    if not _versions_match(of_model, of_runtime):
        words = _difference(f"{field} version", of_model.version, of_runtime.version)
        yield words if of_runtime.operator == "Equal" else f"{words} with operator {of_runtime.operator}"


def _versions_match(of_model: ModelFormat | None, of_runtime: ModelFormat | None) -> bool:
    ours = of_runtime.version if of_runtime is not None else None
    theirs = of_model.version if of_model is not None else None
    if ours is None or theirs is None or of_runtime is None:
        return ours is theirs
    return matches(ours, theirs, of_runtime.operator)


def _versions_agree(of_model: ModelFormat | None, of_runtime: ModelFormat | None) -> bool:
    if of_model is None or of_runtime is None or of_model.version is None or of_runtime.version is None:
        return True
    return matches(of_runtime.version, of_model.version, of_runtime.operator)


def _pipeline_differences(of_model: JSONObject | None, of_runtime: JSONObject) -> Iterator[str]:
    if of_model is None:
        yield "the model has no diffusionPipeline, the runtime wants one"
        return
    wanted, found = of_runtime.get("className"), of_model.get("className")
    if isinstance(wanted, str) and wanted != found:
        yield _difference("pipeline", found if isinstance(found, str) else None, wanted)
    for name, component, held in _components(of_model, of_runtime):
        if not isinstance(held, dict):
            yield f"the model has no {name}, the runtime names one"
            continue
        for key in ("library", "type"):
            expected, actual = text(component, key), text(held, key)
            if expected and expected != actual:
                yield _difference(f"{name} {key}", actual or None, expected)


def _components(of_model: JSONObject, of_runtime: JSONObject) -> Iterator[tuple[str, JSONObject, JSONValue]]:
    """The components that the runtime names, each with the model's of that name."""
    for name in _COMPONENTS:
        if isinstance(of_runtime.get(name), dict):
            yield name, part(of_runtime, name), of_model.get(name)
    held = part(of_model, "additionalComponents")
    for name in part(of_runtime, "additionalComponents"):
        yield name, part(of_runtime, "additionalComponents", name), held.get(name)
