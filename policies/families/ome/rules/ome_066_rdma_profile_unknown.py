"""The profile for RDMA is none that OME has.

With `rdma.ome.io/auto-inject` OME's pod webhook knows the profile `oci-roce` alone, and refuses every pod of another one.

Source: OME v0.1.5 pkg/webhook/admission/pod/rdma_injector.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.components import pod_parts
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    for given, path in _annotations(request.object):
        profile = text(given, f"{_RDMA}profile", _PROFILE)
        if text(given, f"{_RDMA}auto-inject") == "true" and profile != _PROFILE:
            yield RULE.finding(
                (*path, f"{_RDMA}profile"), f'OME refuses the pods, since it has no profile "{profile}"', found=profile, expected=_PROFILE
            )


_RDMA: Final = "rdma.ome.io/"
_PROFILE: Final = "oci-roce"


def _annotations(obj: JSONObject | None) -> Iterator[tuple[JSONObject, Path]]:
    """The annotations that pods get."""
    yield part(obj, "metadata", "annotations"), ("metadata", "annotations")
    for pod, path in pod_parts(obj):
        yield part(pod, "annotations"), (*path, "annotations")


RULE = Rule(
    id="OME-066",
    name="rdma-profile-unknown",
    severity=Severity.ERROR,
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/pod/rdma_injector.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {annotations: {rdma.ome.io/auto-inject: "true"}}
""",
    bad="""\
model: {name: llama}
engine: {annotations: {rdma.ome.io/auto-inject: "true", rdma.ome.io/profile: roce}}
""",
)
