"""The release that the cluster has no longer ships the kind.

The CRDs of InferenceModel went with v1.0.0, the experimental InferencePool with v1.5.0, InferenceObjective and InferenceModelRewrite with
v1.6.0. An upgrade with the bundle deletes the objects; where the CRD stays behind, no endpoint picker reads them. Write the successor.
Where nothing says which release the cluster has this is only a note.

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
