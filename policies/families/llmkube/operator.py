"""How the LLMKube operator of a cluster is set up: its settings with upstream's defaults, and the flags that tell them.

Source: LLMKube v0.9.19, cmd/main.go; facts on the chart's values of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.settings import Operator as Given
from weighbridge.policies.families.llmkube.versions import known_version
from weighbridge.policies.families.operator_settings import (
    Flag,
    OperatorSettings,
    Program,
    as_list,
    as_map,
    as_number,
    as_switch,
    known_settings,
)
from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

NEWEST: Final[Version] = (0, 9, 19)
_CHART: Final = re.compile(r"llmkube-v?\d")


def _has_labels(labels: JSONObject) -> bool:
    """Whether these are the labels that the chart and upstream's manifests give the operator's Deployment."""
    if text(labels, "control-plane") != "controller-manager":
        return False
    return text(labels, "app.kubernetes.io/name") == "llmkube" or _CHART.match(text(labels, "helm.sh/chart")) is not None


PROGRAM: Final = Program(
    image="llmkube-controller",
    similar_images=frozenset({"llmkube", "llmkube-operator"}),
    container="manager",
    has_labels=_has_labels,
    labels=("control-plane", "app.kubernetes.io/name", "app.kubernetes.io/version", "helm.sh/chart"),
    flags={
        "runtime_images": Flag("--runtime-images", as_map),
        "shared_pool_selector": Flag("--gpu-sharing-shared-pool-selector", as_map),
        "vram_per_device_gib": Flag("--gpu-sharing-vram-per-device-gib", as_number),
        "default_fs_group": Flag("--default-fsgroup", as_number),
        "dri_render_gid": Flag("--dri-render-gid", as_number),
        "allowed_host_path_roots": Flag("--allowed-host-path-roots", as_list),
        "allowed_remote_hosts": Flag("--allowed-remote-hosts", as_list),
        "model_cache_mode": Flag("--model-cache-mode"),
        "model_cache_size": Flag("--model-cache-size"),
        "model_cache_storage_class": Flag("--model-cache-storage-class"),
        "model_cache_access_mode": Flag("--model-cache-access-mode"),
        "model_cache_path": Flag("--model-cache-path"),
        "init_container_image": Flag("--init-container-image"),
        "ca_cert_configmap": Flag("--ca-cert-configmap"),
        "default_litellm_url": Flag("--default-litellm-url"),
        "router_proxy_image": Flag("--router-proxy-image"),
        "enable_pyrra_slo": Flag("--enable-pyrra-slo", as_switch),
        "emit_scrape_annotations": Flag("--emit-scrape-annotations", as_switch),
        "intel_gpu_resource": Flag("LLMKUBE_INTEL_GPU_RESOURCE"),
    },
)


@dataclass(frozen=True, slots=True)
class KnownOperator(OperatorSettings):
    """The operator's settings; the names are those of its flags."""

    title: ClassVar[str] = "LLMKube"
    program: ClassVar[Program] = PROGRAM

    version: Version = NEWEST
    runtime_images: Mapping[str, str] | None = None
    shared_pool_selector: Mapping[str, str] | None = None
    vram_per_device_gib: int = 0
    default_fs_group: int = 102
    dri_render_gid: int = 0
    allowed_host_path_roots: tuple[str, ...] = ()
    allowed_remote_hosts: tuple[str, ...] = ()
    model_cache_mode: str = "shared"
    model_cache_size: str = "100Gi"
    model_cache_storage_class: str = ""
    model_cache_access_mode: str = "ReadWriteOnce"
    model_cache_path: str = "/models"
    init_container_image: str = "docker.io/curlimages/curl:8.18.0"
    ca_cert_configmap: str = ""
    default_litellm_url: str = ""
    router_proxy_image: str = ""
    enable_pyrra_slo: bool = False
    emit_scrape_annotations: bool = False
    intel_gpu_resource: str = "gpu.intel.com/i915"
    quota_webhook: bool = False


_GIVEN: Final = tuple(field.name for field in fields(Given))


def operator_of(facts: Facts, config: Configuration) -> KnownOperator:
    """The operator that the cluster has, as far as it is known."""
    section = config.settings_of(LLMKube)
    given = {name: getattr(section.operator, name) for name in _GIVEN}
    return known_settings(KnownOperator, facts, given, version=section.version or "", installed=lambda: known_version(facts.definitions))


def operator_for(request: Request, facts: Facts, config: Configuration) -> KnownOperator:
    """The same, looked for once for all that is asked about a request."""
    return request.once(operator_of, lambda: operator_of(facts, config))
