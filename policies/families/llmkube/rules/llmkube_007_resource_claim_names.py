"""The API server refuses the names of a Model's resource claims in a pod.

Each claim's `name` becomes the name of a claim in the pod, which must be a DNS label and unique in the pod. A reference
must name a claim. The CRD checks none of this, but the API server refuses the Deployment. The InferenceService then
becomes Failed; only the operator's log has the reason.

Source: LLMKube v0.9.19 measured against Kubernetes 1.36; pkg/apis/core/validation, ValidatePodResourceClaims.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models
from weighbridge.policies.ground.expressions import expression

_LABEL = expression(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


@models.error(topic="Models: GPUs and their memory", good="leaves-claims-alone", bad="refuses-a-claim-named-twice")
def check(model: Model) -> Said:
    seen: set[str] = set()
    for index, claim in enumerate(model.gpu.claims):
        path, name = ("spec", "hardware", "gpu", "resourceClaims", index), claim.get("name")
        if isinstance(name, str) and name in seen:
            said = f'"{name}" is the name of another claim of this pod already'
            yield Violation((*path, "name"), said, found=name, hint="give each claim its own name")
        elif isinstance(name, str) and not _LABEL.fullmatch(name):
            expected = "1 to 63 characters of a-z, 0-9 and -, with no - at either end"
            yield Violation((*path, "name"), f'"{name}" is not a DNS label', found=name, expected=expected)
        seen |= {name} if isinstance(name, str) else set()
        for field in ("resourceClaimName", "resourceClaimTemplateName"):
            if claim.get(field) == "":
                yield Violation((*path, field), "is empty; it must name a claim", expected="the name of an object of this namespace")
