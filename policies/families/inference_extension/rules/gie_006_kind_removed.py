"""The cluster's release no longer ships the kind.

Upstream removed the CRD of InferenceModel in v1.0.0, of the experimental InferencePool in v1.5.0, and of InferenceObjective and
InferenceModelRewrite in v1.6.0. An upgrade with the bundle deletes the objects. If the CRD stays installed, no endpoint picker reads
them. Write the successor. If the cluster's release isn't known, the finding is a note.

Source: Gateway API Inference Extension v1.0.0 (#1255), v1.5.0 (#2796) and v1.6.0 (#2973), config/crd/bases.
"""

from weighbridge.policies.families.inference_extension.kinds import REMOVED
from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Severity, Violation, objects
from weighbridge.policies.families.inference_extension.versions import version_of


@objects.warning(
    kinds=("InferencePool", "InferenceModel", "InferenceObjective", "InferenceModelRewrite"),
    good="accepts-the-old-pool-where-it-ships",
    bad="warns-of-the-old-pool-where-it-is-gone",
)
def check(given: Given) -> Said:
    removal = REMOVED.get(given.request.gvk)
    version = version_of(given.facts.definitions, given.config)
    if removal is None or (version is not None and version < removal.release):
        return
    release = ".".join(map(str, removal.release))
    yield Violation(
        ("apiVersion",),
        f"{given.kind} of {given.group} has not been shipped since v{release}",
        found=given.request.gvk.api_version,
        expected=removal.successor,
        hint=f"write its successor: {removal.successor}",
        severity=Severity.NOTE if version is None else None,
    )
