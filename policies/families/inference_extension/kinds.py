"""The kinds of the Gateway API Inference Extension, with the first and the last release that ships each of them.

Source: Gateway API Inference Extension v0.2.0 to v1.6.0, config/crd/bases; llm-d-router 9fab645, config/crd/bases.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.upstream_versions import Version
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.ground.records import dataclass

#: The group of v1, and the experimental one.
STABLE: Final = "inference.networking.k8s.io"
EXPERIMENTAL: Final = "inference.networking.x-k8s.io"

POOL: Final = GroupVersionKind(STABLE, "v1", "InferencePool")
OLD_POOL: Final = GroupVersionKind(EXPERIMENTAL, "v1alpha2", "InferencePool")
MODEL: Final = GroupVersionKind(EXPERIMENTAL, "v1alpha2", "InferenceModel")
OBJECTIVE: Final = GroupVersionKind(EXPERIMENTAL, "v1alpha2", "InferenceObjective")
REWRITE: Final = GroupVersionKind(EXPERIMENTAL, "v1alpha2", "InferenceModelRewrite")
IMPORT: Final = GroupVersionKind(EXPERIMENTAL, "v1alpha1", "InferencePoolImport")


@dataclass(frozen=True, slots=True)
class Removal:
    """The first release without a kind, and the kind's successor."""

    release: Version
    successor: str


#: llm-d's kinds have another default for the group of the pool.
_WITH_GROUP: Final = f"poolRef.group {STABLE}"

#: The kinds that later releases don't have.
REMOVED: Final = {
    MODEL: Removal((1, 0, 0), "InferenceObjective for the priority and InferenceModelRewrite for the targetModels, which v1.5.0 has last"),
    OLD_POOL: Removal((1, 5, 0), "InferencePool of inference.networking.k8s.io/v1"),
    OBJECTIVE: Removal((1, 6, 0), f"InferenceObjective of llm-d.ai, which llm-d-router ships, with {_WITH_GROUP}"),
    REWRITE: Removal((1, 6, 0), f"InferenceModelRewrite of llm-d.ai, which llm-d-router ships, with {_WITH_GROUP}"),
}
