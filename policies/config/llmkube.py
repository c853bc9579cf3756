"""The configuration's section `llmkube`: what is filled in, and how the operator of this cluster is set up.

The operator's own settings are its command line flags (chart values); each that is given here wins over what the cluster's Deployment of
the operator says, which wins over upstream's default. Source: LLMKube v0.9.19, cmd/main.go and charts/llmkube/values.yaml.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from policies.config.sections import SECTION, Vendors


@dataclass(frozen=True)
class Operator:
    """Settings of the operator; one that isn't given is read from its Deployment where that is known, else it is upstream's default."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    runtime_images: dict[str, str] | None = None
    """images by runtime, --runtime-images; they override the vendor variants too"""
    shared_pool_selector: dict[str, str] | None = None
    """node labels of the pool for shared GPUs, --gpu-sharing-shared-pool-selector; without it mode shared is refused"""
    vram_per_device_gib: int | None = None
    """GiB of memory of one GPU, --gpu-sharing-vram-per-device-gib; 0 is unknown"""
    default_fs_group: int | None = None
    """fsGroup of pods whose author gave no podSecurityContext, --default-fsgroup; 0 leaves it out"""
    dri_render_gid: int | None = None
    """group of the render device on the nodes, --dri-render-gid; 0 adds none"""
    allowed_host_path_roots: list[str] | None = None
    """folders of the nodes that local sources may lie in, --allowed-host-path-roots"""
    allowed_remote_hosts: list[str] | None = None
    """hosts that the controller may read from though their address is private, --allowed-remote-hosts"""
    model_cache_mode: Literal["shared", "perService"] | None = None
    """one volume for the models of a namespace or one for each service, --model-cache-mode"""
    model_cache_size: str | None = None
    """size of that volume, --model-cache-size; empty switches the cache off"""
    model_cache_storage_class: str | None = None
    """its storage class, --model-cache-storage-class"""
    model_cache_access_mode: str | None = None
    """its access mode, --model-cache-access-mode"""
    model_cache_path: str | None = None
    """where the operator itself keeps models, --model-cache-path"""
    init_container_image: str | None = None
    """image of the containers that fetch models, --init-container-image"""
    ca_cert_configmap: str | None = None
    """ConfigMap of certificates that downloads trust, --ca-cert-configmap"""
    default_litellm_url: str | None = None
    """address of LiteLLM for routers that name none, --default-litellm-url"""
    router_proxy_image: str | None = None
    """image of the router's proxy, --router-proxy-image"""
    emit_scrape_annotations: bool | None = None
    """whether pods carry prometheus.io annotations, --emit-scrape-annotations"""
    intel_gpu_resource: str | None = None
    """what the readiness check takes for Intel's resource, environment variable LLMKUBE_INTEL_GPU_RESOURCE"""
    quota_webhook: bool | None = None
    """whether upstream's quota webhook is installed, chart value multitenancy.enabled"""


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
