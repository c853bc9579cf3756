"""What can't be meant in the configuration's section `llmkube`: versions, engines, amounts and names that aren't any.

A setting that nothing reads would be taken for one that holds: a version that can't be read stands for the newest, an image for an engine
that isn't one is never filled in. Source: LLMKube v0.9.19, cmd/main.go; Kubernetes v1.36, core/v1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Final

from policies.config.llmkube import LLMKube, Operator
from policies.families.upstream_versions import parse_version
from policies.objects import Path
from policies.quantity import Quantity, QuantityError
from policies.schema.names import dns1123_subdomain, label_value, qualified_name

_RUNTIMES: Final = ("generic", "llamacpp", "llamacpp-router", "personaplex", "sglang", "tgi", "vllm")
#: The engines whose image the operator can be told.
_FLEET: Final = ("llamacpp", "sglang", "tgi", "vllm")
_VENDORS: Final = ("amd", "intel", "nvidia")
_GPU_RUNTIMES: Final = ("rocm", "vulkan")
_ACCESS_MODES: Final = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
_LARGEST_ID: Final = 2**31 - 1
_SECTION: Final[Path] = ("llmkube",)
#: A mistake's path and words.
Trouble = tuple[Path, str]


def llmkube_contradictions(settings: LLMKube) -> Iterator[Trouble]:
    """What can't be meant in the section; resource names are looked at with those of other sections."""
    if settings.version is not None and parse_version(settings.version) is None:
        yield (*_SECTION, "version"), f"{settings.version[:64]!r} is no version; write such as v0.9.19"
    for key, image in settings.images.items():
        trouble = _trouble_with_key(key) or _trouble_with_image(image)
        if trouble:
            yield (*_SECTION, "images", key), trouble
    for vendor in _VENDORS:
        name = settings.runtime_class_names.of(vendor)
        if name is not None and dns1123_subdomain(name):
            yield (*_SECTION, "runtimeClassNames", vendor), f"{name[:64]!r} can't be the name of a RuntimeClass"
    yield from _group(settings.render_group, (*_SECTION, "renderGroup"))
    yield from _operator(settings.operator, (*_SECTION, "operator"))


def _operator(operator: Operator, path: Path) -> Iterator[Trouble]:
    for runtime, image in (operator.runtime_images or {}).items():
        trouble = _one_of(runtime, _FLEET, "engine whose image the operator can be told") or _trouble_with_image(image)
        if trouble:
            yield (*path, "runtimeImages", runtime), trouble
    for key, value in (operator.shared_pool_selector or {}).items():
        if qualified_name(key) or label_value(value):
            yield (*path, "sharedPoolSelector", key), f"no node can have the label {key}={value}"
    if operator.vram_per_device_gib is not None and operator.vram_per_device_gib < 0:
        yield (*path, "vramPerDeviceGib"), f"{operator.vram_per_device_gib} is no amount; 0 is unknown"
    yield from _group(operator.default_fs_group, (*path, "defaultFsGroup"))
    yield from _group(operator.dri_render_gid, (*path, "driRenderGid"))
    mode = operator.model_cache_access_mode
    if mode is not None:
        trouble = _one_of(mode, _ACCESS_MODES, "access mode")
        if trouble:
            yield (*path, "modelCacheAccessMode"), trouble
    if operator.model_cache_size and not _is_size(operator.model_cache_size):
        yield (*path, "modelCacheSize"), f"{operator.model_cache_size[:64]!r} is no size; write such as 100Gi"


def _trouble_with_key(key: str) -> str:
    runtime, *others = key.split("/")
    trouble = _one_of(runtime, _RUNTIMES, "engine")
    if not trouble and others:
        trouble = _one_of(others[0], _VENDORS, "vendor")
    if not trouble and len(others) > 1:
        trouble = _one_of("/".join(others[1:]), _GPU_RUNTIMES, "GPU runtime")
    return trouble


def _trouble_with_image(image: str) -> str:
    return "" if image and not any(map(str.isspace, image)) else f"{image[:64]!r} is no image"


def _one_of(name: str, known: Iterable[str], what: str) -> str:
    """Why a name isn't one of those that there are; empty where it is."""
    names = list(known)
    if name in names:
        return ""
    near = difflib.get_close_matches(name, names, n=1)
    return f"{name[:64]!r} is no {what}; " + (f"did you mean {near[0]}?" if near else f"write one of {', '.join(names)}")


def _group(group: int | None, path: Path) -> Iterator[Trouble]:
    if group is not None and not 0 <= group <= _LARGEST_ID:
        yield path, f"{group} is no group; write a number from 0 to {_LARGEST_ID}"


def _is_size(stated: str) -> bool:
    try:
        return Quantity.parse(stated).sign() > 0
    except QuantityError:
        return False
