"""The Gateway API Inference Extension family: its kinds, and the kinds of others that its rules look up."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.kept_parts import only_read
from weighbridge.policies.families.family import Family, Influence, Kind
from weighbridge.policies.families.inference_extension import GROUPS, kinds, versions
from weighbridge.policies.families.inference_extension.subject import dependents, picker_program, workloads
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind

_WITH_POOL: Final = ("InferenceObjective", "InferenceModelRewrite", "InferenceModel")
_ROUTES: Final = ("GRPCRoute", "HTTPRoute")

FAMILY: Final = Family(
    name="inference_extension",
    title="Gateway API Inference Extension",
    kinds=(
        Kind(kinds.POOL, "inferencepools", since="v1.0.0"),
        Kind(kinds.OBJECTIVE, "inferenceobjectives", since="v1.0.0"),
        Kind(kinds.REWRITE, "inferencemodelrewrites", since="v1.2.0"),
        # Controllers write the status, and no rule reads it.
        Kind(kinds.IMPORT, "inferencepoolimports", since="v1.2.0", is_checked_only=True),
        Kind(kinds.MODEL, "inferencemodels", since="v0.5.1"),
        Kind(kinds.OLD_POOL, "inferencepools", since="v0.5.1"),
    ),
    # Upstream leaves criticality without a default, so that a later field may exclude it. So it isn't filled in.
    package="weighbridge.policies.families.inference_extension",
    upstreams=(
        Upstream(
            "inference-extension",
            "Gateway API Inference Extension",
            GROUPS,
            "v1.6.0",
            "kubernetes-sigs/gateway-api-inference-extension",
        ),
    ),
    versions=versions.VERSIONS,
    version_of=versions.version_of,
    looks_up=(
        Kind(GroupVersionKind("", "v1", "Service"), "services", transform=only_read("spec.ports.port", "spec.selector", "spec.type")),
        *(
            Kind(GroupVersionKind(group, version, kind), f"{kind.lower()}s", transform=workloads.keep)
            for group, version, kind in workloads.KINDS
        ),
        *(
            Kind(
                GroupVersionKind("gateway.networking.k8s.io", "v1", kind),
                f"{kind.lower()}s",
                transform=only_read(*(f"spec.rules.backendRefs.{name}" for name in ("group", "kind", "name", "namespace"))),
            )
            for kind in _ROUTES
        ),
        Kind(
            GroupVersionKind("gateway.networking.k8s.io", "v1beta1", "ReferenceGrant"),
            "referencegrants",
            transform=only_read("spec.from", "spec.to"),
        ),
    ),
    influences={
        "InferencePool": (
            *(Influence(kind, dependents.named_pool, dependents.own_name) for kind in _WITH_POOL),
            *(Influence(kind, dependents.named_backends, dependents.own_name) for kind in _ROUTES),
        ),
        "Service": (Influence("InferencePool", dependents.named_picker, dependents.own_name),),
    },
    failures={
        **dict.fromkeys(_WITH_POOL, dependents.without_pool),
        **dict.fromkeys(_ROUTES, dependents.without_backend),
        "InferencePool": dependents.without_picker,
    },
    needed=Needed(
        fields=frozenset({"model.value", "modelRewrite"}),
        references=frozenset({"backendRefs.name", "endpointPickerRef.name", "extensionRef.name", "poolRef.name", "to.name"})
        | picker_program.NAMING_FLAGS,
        values=picker_program.READ_FLAGS,
    ),
)
