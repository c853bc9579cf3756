"""The profile for RDMA is none that OME has.

With `rdma.ome.io/auto-inject` OME's pod webhook knows the profile `oci-roce` alone, and refuses every pod of another one.

Source: OME v0.1.5 pkg/webhook/admission/pod/rdma_injector.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import pod_parts
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, Path


@objects.error(
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    good="accepts-the-profile-for-rdma",
    bad="refuses-an-unknown-profile-for-rdma",
)
def check(known_given: Given) -> Said:
    for given, path in _annotations(known_given.object):
        profile = text(given, f"{_RDMA}profile", _PROFILE)
        if text(given, f"{_RDMA}auto-inject") == "true" and profile != _PROFILE:
            yield Violation(
                (*path, f"{_RDMA}profile"), f'OME refuses the pods, since it has no profile "{profile}"', found=profile, expected=_PROFILE
            )


_RDMA: Final = "rdma.ome.io/"
_PROFILE: Final = "oci-roce"


def _annotations(obj: JSONObject | None) -> Iterator[tuple[JSONObject, Path]]:
    """The annotations that pods get."""
    yield part(obj, "metadata", "annotations"), ("metadata", "annotations")
    for pod, path in pod_parts(obj):
        yield part(pod, "annotations"), (*path, "annotations")
