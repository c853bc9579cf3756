"""The configuration's section `llmkube`: what is filled in, the settings of this cluster's operator, and the mistakes in both.

The operator's settings are its command line flags (chart values). A setting that is given here wins over the operator's Deployment in the
cluster, which wins over upstream's default. A setting that would have no effect is a mistake: a version that can't be read would mean the
newest, and an image for an unknown engine is never filled in. Source: LLMKube v0.9.19, cmd/main.go and charts/llmkube/values.yaml;
Kubernetes v1.36, core/v1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

from weighbridge.policies.config.sections import SECTION, Vendors, as_given, setting
from weighbridge.policies.config.values import choice_trouble, group_trouble, image_trouble, is_resource_name, is_size
from weighbridge.policies.families.upstream_versions import parse_version
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.schema.names import dns1123_subdomain, label_value, qualified_name

_RUNTIMES: Final = ("generic", "llamacpp", "llamacpp-router", "personaplex", "sglang", "tgi", "vllm")
#: The engines whose image is a setting of the operator.
_FLEET: Final = ("llamacpp", "sglang", "tgi", "vllm")
_VENDORS: Final = ("amd", "intel", "nvidia")
_GPU_RUNTIMES: Final = ("rocm", "vulkan")
_ACCESS_MODES: Final = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
#: A mistake: its path and its message.
Trouble = tuple[Path, str]


@dataclass(frozen=True)
class OperatorDefaults:
    """The settings of the operator, with upstream's defaults."""

    runtime_images: Mapping[str, str] | None = setting(
        None, "--runtime-images", "images by runtime, {}; they override the vendor variants too", dict[str, str]
    )
    shared_pool_selector: Mapping[str, str] | None = setting(
        None,
        "--gpu-sharing-shared-pool-selector",
        "node labels of the pool for shared GPUs, {}; without it mode shared is refused",
        dict[str, str],
    )
    vram_per_device_gib: int = setting(0, "--gpu-sharing-vram-per-device-gib", "GiB of memory of one GPU, {}; 0 is unknown")
    default_fs_group: int = setting(
        102, "--default-fsgroup", "fsGroup of pods whose author gave no podSecurityContext, {}; 0 leaves it out"
    )
    dri_render_gid: int = setting(0, "--dri-render-gid", "group of the render device on the nodes, {}; 0 adds none")
    allowed_host_path_roots: tuple[str, ...] = setting(
        (), "--allowed-host-path-roots", "folders of the nodes that local sources may lie in, {}", list[str]
    )
    model_cache_mode: str = setting(
        "shared",
        "--model-cache-mode",
        "one volume for the models of a namespace or one for each service, {}",
        Literal["shared", "perService"],
    )
    model_cache_size: str = setting("100Gi", "--model-cache-size", "size of that volume, {}; empty switches the cache off")
    model_cache_storage_class: str = setting("", "--model-cache-storage-class", "its storage class, {}")
    model_cache_access_mode: str = setting("ReadWriteOnce", "--model-cache-access-mode", "its access mode, {}")
    model_cache_path: str = setting("/models", "--model-cache-path", "where the operator itself keeps models, {}")
    init_container_image: str = setting(
        "docker.io/curlimages/curl:8.18.0", "--init-container-image", "image of the containers that fetch models, {}"
    )
    ca_cert_configmap: str = setting("", "--ca-cert-configmap", "ConfigMap of certificates that downloads trust, {}")
    default_litellm_url: str = setting("", "--default-litellm-url", "address of LiteLLM for routers that name none, {}")
    router_proxy_image: str = setting("", "--router-proxy-image", "image of the router's proxy, {}")
    enable_pyrra_slo: bool = setting(False, "--enable-pyrra-slo", "whether services with an slo get an objective of Pyrra, {}")
    emit_scrape_annotations: bool = setting(False, "--emit-scrape-annotations", "whether pods carry prometheus.io annotations, {}")
    intel_gpu_resource: str = setting(
        "gpu.intel.com/i915", "LLMKUBE_INTEL_GPU_RESOURCE", "what the readiness check takes for Intel's resource, environment variable {}"
    )
    quota_webhook: bool = setting(False, "", "whether upstream's quota webhook is installed, chart value multitenancy.enabled")


@dataclass(frozen=True)
class Operator(as_given(OperatorDefaults)):  # type: ignore[misc]  # mypy knows no class that is made
    """Settings of the operator. One that isn't given is read from its Deployment if that is known, else it has upstream's default."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    def mistakes(self, path: Path) -> Iterator[Trouble]:
        """The mistakes in the operator's settings."""
        for runtime, image in (self.runtime_images or {}).items():
            trouble = choice_trouble(runtime, _FLEET, "an engine whose image the operator can set") or image_trouble(image)
            if trouble:
                yield (*path, "runtimeImages", runtime), trouble
        for key, value in (self.shared_pool_selector or {}).items():
            if qualified_name(key) or label_value(value):
                yield (*path, "sharedPoolSelector", key), f"no node can have the label {key}={value}"
        if self.vram_per_device_gib is not None and self.vram_per_device_gib < 0:
            yield (*path, "vramPerDeviceGib"), f"{self.vram_per_device_gib} isn't an amount; 0 is unknown"
        for name, group in (("defaultFsGroup", self.default_fs_group), ("driRenderGid", self.dri_render_gid)):
            if trouble := group_trouble(group):
                yield (*path, name), trouble
        mode = self.model_cache_access_mode
        if mode is not None and (trouble := choice_trouble(mode, _ACCESS_MODES, "an access mode")):
            yield (*path, "modelCacheAccessMode"), trouble
        if self.model_cache_size and not is_size(self.model_cache_size):
            yield (*path, "modelCacheSize"), f"{self.model_cache_size[:64]!r} isn't a size; write one such as 100Gi"


@dataclass(frozen=True)
class LLMKube:
    """Settings of the LLMKube family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    version: str | None = None
    """version of the operator, such as v0.9.19; else by the installed CRDs or the operator's image, else the newest known"""
    resource_names: Vendors = field(default_factory=Vendors)
    """resource names that the device plugins of this cluster serve"""
    images: dict[str, str] = field(default_factory=dict)
    """images to fill in, by runtime, runtime/vendor or runtime/vendor/gpu runtime, such as llamacpp/amd/vulkan; the most exact key wins"""
    runtime_class_names: Vendors = field(default_factory=Vendors)
    """runtimeClassName to fill in where a pod gets a GPU, by vendor"""
    render_group: int | None = None
    """group of the render device on the nodes, to fill into podSecurityContext where the operator adds none"""
    operator: Operator = field(default_factory=Operator)
    """how the operator of this cluster is set up"""

    def mistakes(self, path: Path) -> Iterator[Trouble]:
        """The mistakes in the section."""
        if self.version is not None and parse_version(self.version) is None:
            yield (*path, "version"), f"{self.version[:64]!r} isn't a version; write one such as v0.9.19"
        for vendor in _VENDORS:
            resource = self.resource_names.of(vendor)
            if resource is not None and not is_resource_name(resource):
                yield (*path, "resourceNames", vendor), f"{resource!r} isn't a resource name; write domain/name, such as amd.com/gpu"
            name = self.runtime_class_names.of(vendor)
            if name is not None and dns1123_subdomain(name):
                yield (*path, "runtimeClassNames", vendor), f"{name[:64]!r} can't be the name of a RuntimeClass"
        for key, image in self.images.items():
            trouble = _image_key_trouble(key) or image_trouble(image)
            if trouble:
                yield (*path, "images", key), trouble
        if trouble := group_trouble(self.render_group):
            yield (*path, "renderGroup"), trouble
        yield from self.operator.mistakes((*path, "operator"))


def _image_key_trouble(key: str) -> str:
    """Why an image with this key is never filled in; empty if it can be."""
    runtime, *others = key.split("/")
    trouble = choice_trouble(runtime, _RUNTIMES, "an engine")
    if not trouble and others:
        trouble = choice_trouble(others[0], _VENDORS, "a vendor")
    if not trouble and len(others) > 1:
        trouble = choice_trouble("/".join(others[1:]), _GPU_RUNTIMES, "a GPU runtime")
    return trouble


SETTINGS: Final = LLMKube
