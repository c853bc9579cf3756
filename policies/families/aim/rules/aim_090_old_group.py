"""The object is in the old API group, whose operator no longer exists.

kaiwo's controllers for `aim.silogen.ai` were removed on 2026-04-23; aim-engine serves the same kinds in `aim.eai.amd.com/v1alpha1`, with
other names for some fields. `weighbridge migrate` rewrites a manifest, and the hint names the fields. If the cluster is known to serve the
old group still, or not to have the new one, the finding is a note, so that not each apply repeats a warning during a migration.

Source: kaiwo dbfc385a; aim-engine v0.2.1, config/crd/bases.
"""

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.rulebook import Given, JSONObject, Said, Severity, Violation, old_specs, part, text
from weighbridge.policies.families.aim.subject.successors import successors

_CRDS: Final = ("apiextensions.k8s.io", "CustomResourceDefinition")


@old_specs.warning(
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
        "AIMClusterModelSource",
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMRuntimeConfig",
        "AIMClusterRuntimeConfig",
        "AIMTemplateCache",
        "AIMModelCache",
        "AIMKVCache",
    ),
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    good="accepts-a-service-without-a-runtime-config",
    bad="warns-of-the-old-group-with-the-new-form",
)
def check(spec: JSONObject, given: Given) -> Said:
    if given.kind == "AIMKVCache":
        message, hint = "aim.silogen.ai is the old group, and AIMKVCache has no successor", "run Redis yourself, and remove the object"
    else:
        # Another group alone doesn't make it valid: fields have moved, too.
        message = f"aim.silogen.ai is the old group: weighbridge migrate rewrites the manifest for {NEW}"
        moved = successors(given.kind, spec)
        hint = f"in spec write {'; '.join(moved)}" if moved else ""
    severity = Severity.NOTE if _is_at_home(given.facts) else None
    yield Violation(("apiVersion",), message, hint, found=given.request.gvk.api_version, severity=severity)


def _is_at_home(facts: Facts) -> bool:
    """Whether the cluster is known to have the old group still, or not to have the new one."""
    groups = {text(part(crd, "spec"), "group") for crd in facts.objects.list(*_CRDS)}
    return facts.objects.knows_all(*_CRDS) and (OLD in groups or NEW not in groups)
