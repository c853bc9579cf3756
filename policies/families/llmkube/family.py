"""The LLMKube family: its kinds and what it fills in."""

from __future__ import annotations

from typing import Final

from policies.facts.blanking import Needed
from policies.facts.trimming import only_read
from policies.families.family import Family, Fill, Kind
from policies.families.llmkube import defaults, operator, resolve, versions
from policies.objects import GroupVersionKind

FAMILY: Final = Family(
    name="llmkube",
    title="LLMKube",
    kinds=(
        Kind(versions.MODEL, "models"),
        Kind(versions.INFERENCE_SERVICE, "inferenceservices", scalable=True),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "GPUQuota"), "gpuquotas"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "LoRAAdapter"), "loraadapters"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelPool"), "modelpools"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelRouter"), "modelrouters"),
        Kind(GroupVersionKind("federation.llmkube.dev", "v1alpha1", "FederatedCluster"), "federatedclusters", namespaced=False),
    ),
    defaults={"Model": defaults.model, "InferenceService": defaults.service},
    fills=tuple(
        Fill(kind, field, f"policies.families.llmkube.defaults.{module}")
        for kind, field, module in (
            ("Model", "spec.hardware.accelerator", "model_fields"),
            ("Model", "spec.hardware.gpu.resourceName", "model_fields"),
            ("Model", "spec.prefetchTolerations", "prefetch"),
            ("InferenceService", "spec.image", "images"),
            ("InferenceService", "spec.tolerations", "taints"),
            ("InferenceService", "spec.podSecurityContext", "render_group"),
            ("InferenceService", "spec.runtimeClassName", "service_fields"),
            ("InferenceService", "spec.endpoint.port", "ports"),
            ("InferenceService", "spec.skipModelInit", "model_download"),
        )
    ),
    package="policies.families.llmkube",
    looks_up=(
        Kind(GroupVersionKind("", "v1", "Namespace"), "namespaces", namespaced=False),
        # How the operator is set up, and which node ports are taken.
        Kind(GroupVersionKind("apps", "v1", "Deployment"), "deployments", transform=operator.kept_of),
        Kind(GroupVersionKind("", "v1", "Service"), "services", transform=only_read("spec.ports.nodePort")),
    ),
    # Routes for a service's gateway, and objectives for its SLO.
    add_ons=("aigateway.envoyproxy.io", "pyrra.dev"),
    resolve={
        "Model": resolve.model,
        "InferenceService": resolve.inference_service,
        "GPUQuota": resolve.gpu_quota,
        "LoRAAdapter": resolve.lora_adapter,
        "ModelPool": resolve.model_pool,
        "ModelRouter": resolve.model_router,
    },
    versions=("v0.9.5", "v0.9.19"),
    version_of=versions.version_of,
    needed=Needed(
        fields=frozenset(
            {
                *("completionUSD", "defaultRoute", "issuer", "loraModules", "maxUSD", "mmproj", "promptUSD", "recursiveReadOnly", "sha256"),
                *("targetAverageValue", "team", "teamClaim"),
            }
        ),
        references=frozenset({"default", "pendingMember", "residentMember"}),
        values=operator.READ,
    ),
)
