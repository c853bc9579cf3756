"""The names in the new group for the fields of the old one.

Source: kaiwo dbca1b55, config/crd/bases; aim-engine v0.2.1, config/crd/bases and the commits 043b430 and 9822c9f.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Path, field, lookup

_TEMPLATES: Final = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
_MODELS: Final = ("AIMModel", "AIMClusterModel")
_CONFIGS: Final = ("AIMRuntimeConfig", "AIMClusterRuntimeConfig")
#: Fields that have another place, by kind.
_MOVED: Final[dict[str, tuple[tuple[Path, Path], ...]]] = {
    "AIMService": (
        (("model", "ref"), ("model", "name")),
        (("templateRef",), ("template", "name")),
        (("defaultStorageClassName",), ("storage", "defaultStorageClassName")),
        (("pvcHeadroomPercent",), ("storage", "pvcHeadroomPercent")),
    ),
    "AIMTemplateCache": ((("templateRef",), ("templateName",)),),
    **dict.fromkeys(
        _MODELS,
        (
            (("discovery", "enabled"), ("discovery", "extractMetadata")),
            (("discovery", "autoCreateTemplates"), ("discovery", "createServiceTemplates")),
        ),
    ),
    **dict.fromkeys(
        _CONFIGS,
        (
            (("defaultStorageClassName",), ("storage", "defaultStorageClassName")),
            (("pvcHeadroomPercent",), ("storage", "pvcHeadroomPercent")),
        ),
    ),
}
#: Fields that the new group lacks, by kind.
_GONE: Final[dict[str, tuple[Path, ...]]] = {"AIMService": (("kvCache",), ("labelPropagation",))}


def successors(kind: str, spec: JSONObject) -> list[str]:
    """What to write in the new group for the fields of an old spec, as texts such as ``model.name: llama``."""
    return [*_moved(kind, spec), *_gpus(kind, spec), *_sources(kind, spec), *_particular(kind, spec), *_gone(kind, spec)]


def _moved(kind: str, spec: JSONObject) -> Iterator[str]:
    for old, new in _MOVED.get(kind, ()):
        found = lookup(spec, old)
        if found not in (None, ""):
            yield f"{field(new)}: {str(found).lower() if isinstance(found, bool) else found} for {field(old)}"


def _gpus(kind: str, spec: JSONObject) -> Iterator[str]:
    places: tuple[tuple[str, ...], ...] = ((),) if kind in _TEMPLATES else (("overrides",),) if kind == "AIMService" else ()
    for place in places:
        gpu = part(spec, *place, "gpuSelector")
        if gpu:
            inner = f"requests: {whole(gpu, 'count')}, model: {text(gpu, 'model')}"
            resource = text(gpu, "resourceName")
            inner += f", resourceName: {resource}" if resource not in ("", "amd.com/gpu") else ""
            yield f"{field((*place, 'hardware'))}: {{gpu: {{{inner}}}}} for {field((*place, 'gpuSelector'))}"


def _sources(kind: str, spec: JSONObject) -> Iterator[str]:
    """The sources of models: in the new group a source has the id of its model, which its old name may be already."""
    if kind in (*_TEMPLATES, "AIMTemplateCache"):
        for index, source in enumerate(items(spec, "modelSources")):
            yield f"modelSources[{index}].modelId: {_model_id(source)}" + (" for name" if text(source, "name") else "")


def _model_id(source: JSONObject) -> str:
    name, path = text(source, "name"), text(source, "sourceUri").partition("://")[2].strip("/")
    return name if name.count("/") == 1 else "/".join(path.split("/")[:2]) if "/" in path else "<organisation>/<model>"


def _particular(kind: str, spec: JSONObject) -> Iterator[str]:
    if kind == "AIMService" and spec.get("cacheModel") is True:
        yield "caching: {mode: Shared} for cacheModel"
    if kind == "AIMTemplateCache":
        yield "templateScope: Namespace or Cluster, as the template's scope is"


def _gone(kind: str, spec: JSONObject) -> Iterator[str]:
    for path in _GONE.get(kind, ()):
        if lookup(spec, path) is not None:
            yield f"nothing for {field(path)}, which has no successor"
