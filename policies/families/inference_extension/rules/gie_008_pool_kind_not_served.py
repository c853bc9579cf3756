"""The pool reference names a kind other than InferencePool.

Endpoint pickers compare the reference's name and group with those of their own pool, and never read the kind: a reference to a Service or a
misspelt kind is taken for an InferencePool, until a version that checks it drops the object. Leave `kind` out.

Source: Gateway API Inference Extension v1.5.0, pkg/epp/controller; upstream issues 1275 and 1306.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.pool_reference import referred


@objects.warning(
    kinds=("InferenceObjective", "InferenceModelRewrite"),
    good="accepts-an-objective",
    bad="warns-an-objective-of-a-service",
)
def check(given: Given) -> Said:
    kind = referred(given.request).kind
    if kind != "InferencePool":
        yield Violation(
            ("spec", "poolRef", "kind"),
            f'"{kind}" has no effect; the reference is read as an InferencePool',
            found=kind,
            expected="InferencePool",
            hint="remove kind",
        )
