"""A resource name passes the CRD's pattern, but no pod can request it.

The pattern of `resourceName` and `tolerationKey` allows names that the API server refuses in a Deployment: with a part
that doesn't begin and end with a letter or digit, with two dots in a row, with a name part of more than 63 characters,
or with the prefix ``requests.``. The InferenceService then becomes Failed with the text "Failed to create Deployment";
only the operator's log has the reason.

Source: LLMKube v0.9.19 measured against Kubernetes 1.36; names: k8s.io/apimachinery/pkg/util/validation,
IsQualifiedName.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, text
from weighbridge.policies.ground.expressions import expression

_NAME = expression(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")
_LABEL = expression(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")


@models.error(topic="Models: GPUs and their memory", good="accepts-qualified-gpu-names", bad="refuses-an-unqualified-resource-name")
def check(model: Model) -> Said:
    for field in ("resourceName", "tolerationKey"):
        value = text(model.gpu_block, field)
        fault = _fault(value) if value.count("/") == 1 else ""  # the CRD's pattern refuses the others
        if fault:
            yield Violation(
                ("spec", "hardware", "gpu", field),
                f'"{value}" is not a qualified name: {fault}',
                found=value,
                expected="domain/name, such as amd.com/gpu",
            )


def _fault(value: str) -> str:
    prefix, _, name = value.partition("/")
    if prefix == "requests" or prefix.startswith("requests."):
        return "the prefix requests. is reserved for quotas"
    if len(prefix) > 253 or not all(_LABEL.fullmatch(label) for label in prefix.split(".")):
        return f'the part before the slash, "{prefix}", is not a DNS subdomain'
    if len(name) > 63:
        return f"the part after the slash has {len(name)} characters; at most 63 are allowed"
    return "" if _NAME.fullmatch(name) else f'the part after the slash, "{name}", must begin and end with a letter or digit'
