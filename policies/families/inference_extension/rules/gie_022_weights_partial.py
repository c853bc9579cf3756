"""Some targets of a rewrite have a weight and others don't.

A request is drawn by the weights, and what has none is never drawn, or all are drawn alike, as the implementation has it. InferenceModel
refuses such a list; the CRD of InferenceModelRewrite lacks the rule, though its text asks for all or none. Give each target a weight, or
none.

Source: Gateway API Inference Extension v1.5.0, apix/v1alpha2/inferencemodelrewrite_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.inference_extension.subject.targets import target_lists


@objects.warning(
    kinds=("InferenceModelRewrite",),
    good="accepts-a-canary",
    bad="warns-of-a-target-without-a-weight",
)
def check(given: Given) -> Said:
    for targets in target_lists(given.object):
        without = [target for target in targets if not target.has_weight]
        if without and len(without) < len(targets):
            yield Violation(
                (*without[0].path, "weight"),
                "is missing, and other targets of the rule have one",
                expected="a weight for each target, or for none",
                hint="give each target a weight from 1 to 1000000, or none of them",
            )
